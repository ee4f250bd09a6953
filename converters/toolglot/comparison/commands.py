"""What a difference in the command line of a tool means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolglot.comparison.difference import ContractChange
from toolglot.hub.model import Binding, to_json
from toolglot.text.pointers import escape

# Entries of a list of a binding: the rule for what is new, and for what is gone.
_LISTS = {
    "flags": ("flag-added", "flag-removed"),
    "excludes": ("exclusion-added", "exclusion-removed"),
}


def binding_changes(
    field: str, old: Mapping[str, Binding] | None, new: Mapping[str, Binding] | None
) -> Iterator[ContractChange]:
    """Changes of how parameters are given; whether they are new or gone is a matter of the schema.

    >>> old, new = Binding(kind="option", flags=("-a", "--all")), Binding(kind="option", flags=("--all",))
    >>> [change.rule for change in binding_changes("bindings", {"all": old}, {"all": new})]
    ['flag-removed']
    """
    old, new = old or {}, new or {}
    places = _places(old), _places(new)
    owners = {flag: key for key, binding in old.items() for flag in binding.flags or ()}
    for key in new:
        pointer = f"/{field}/{escape(key)}"
        moved_flags = [flag for flag in new[key].flags or () if owners.get(flag, key) != key and owners[flag] in new]
        if moved_flags:
            before = sorted({owners[flag] for flag in moved_flags})
            note = ", ".join(sorted(moved_flags))
            yield ContractChange(rule="flag-moved", pointer=f"{pointer}/flags", before=before, after=[key], note=note)
        if key in old and old[key].kind and new[key].kind:  # else one of them does not stand on a command line
            yield from _changes_of_binding(pointer, old[key], new[key])
        was, now = (by_key.get(key) for by_key in places)
        if None not in (was, now) and was != now:
            yield ContractChange(rule="position-changed", pointer=pointer, before=was, after=now)


def _places(bindings: Mapping[str, Binding]) -> dict[str, int]:
    """The positional arguments, counted from 1."""
    keys = [key for key, binding in bindings.items() if binding.kind == "argument"]
    return {key: place for place, key in enumerate(keys, 1)}


def _changes_of_binding(pointer: str, old: Binding, new: Binding) -> Iterator[ContractChange]:
    def change(rule: str, name: str, note: str = "") -> ContractChange:
        before, after = to_json(getattr(old, name)), to_json(getattr(new, name))
        return ContractChange(rule=rule, pointer=f"{pointer}/{name}", before=before, after=after, note=note)

    if old.kind != new.kind:
        yield change("binding-changed", "kind")
    for name, (rule_of_added, rule_of_removed) in _LISTS.items():
        was, now = frozenset(getattr(old, name) or ()), frozenset(getattr(new, name) or ())
        for rule, entries in ((rule_of_removed, was - now), (rule_of_added, now - was)):
            if entries:
                yield change(rule, name, ", ".join(sorted(entries)))
    if bool(old.variadic) != bool(new.variadic):
        rule = "variadic-added" if new.variadic else "variadic-removed"
        yield change(rule, "variadic")
    if old.env != new.env:
        rule = "environment-added" if old.env is None else "environment-removed"
        yield change(rule, "env")
