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
    old_places, new_places = _places(old), _places(new)
    old_owners = _owners_of_flags(old)
    for key, binding in new.items():
        pointer = f"/{field}/{escape(key)}"
        owners: dict[str, str] = {}  # by flag of the parameter, the other one that had it before, and goes on
        for flag in binding.flags or ():
            owner = old_owners.get(flag, key)
            if owner != key and owner in new:
                owners[flag] = owner
        if owners:
            before = sorted(set(owners.values()))
            note = ", ".join(sorted(owners))
            yield ContractChange(rule="flag-moved", pointer=f"{pointer}/flags", before=before, after=[key], note=note)
        if key in old and old[key].kind and binding.kind:  # else one of them does not stand on a command line
            yield from _changes_of_binding(pointer, old[key], binding)
        if key in old_places and key in new_places and old_places[key] != new_places[key]:
            before_place, after_place = old_places[key], new_places[key]
            yield ContractChange(rule="position-changed", pointer=pointer, before=before_place, after=after_place)


def _owners_of_flags(bindings: Mapping[str, Binding]) -> dict[str, str]:
    """By flag, the parameter that it belongs to."""
    owners: dict[str, str] = {}
    for key, binding in bindings.items():
        owners.update(dict.fromkeys(binding.flags or (), key))
    return owners


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
        old_entries = frozenset(getattr(old, name) or ())
        new_entries = frozenset(getattr(new, name) or ())
        removed_entries = old_entries - new_entries
        if removed_entries:
            yield change(rule_of_removed, name, ", ".join(sorted(removed_entries)))
        added_entries = new_entries - old_entries
        if added_entries:
            yield change(rule_of_added, name, ", ".join(sorted(added_entries)))
    if bool(old.variadic) != bool(new.variadic):
        rule = "variadic-added" if new.variadic else "variadic-removed"
        yield change(rule, "variadic")
    if old.env != new.env:
        rule = "environment-added" if old.env is None else "environment-removed"
        yield change(rule, "env")
