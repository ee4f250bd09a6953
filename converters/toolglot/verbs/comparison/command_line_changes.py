"""The changes of how the parameters of a tool are given on a command line."""

from __future__ import annotations

from collections.abc import Mapping

from toolglot.converter.hub.model import Binding
from toolglot.converter.text.pointers import escape
from toolglot.verbs.comparison.difference import ContractChange, change_by_rule
from toolglot.verbs.comparison.field_comparisons import ContractChanges, change_of_value, list_comparison

Bindings = Mapping[str, Binding]
_BINDING_LISTS = {
    "flags": list_comparison("flag-added", "flag-removed"),
    "excludes": list_comparison("exclusion-added", "exclusion-removed"),
}


def compare_bindings(field: str, old: Bindings | None, new: Bindings | None) -> ContractChanges:
    """The changes of how parameters are given. New and removed parameters are changes of the schema.

    >>> old, new = Binding(kind="option", flags=("-a", "--all")), Binding(kind="option", flags=("--all",))
    >>> [change.code for change in compare_bindings("bindings", {"all": old}, {"all": new})]
    ['flag-removed']
    """
    old, new = old or {}, new or {}
    old_places, new_places = _places(old), _places(new)
    old_owners = {flag: key for key, binding in old.items() for flag in binding.flags or ()}
    for key, binding in new.items():
        pointer = f"/{field}/{escape(key)}"
        owners = {flag: old_owners.get(flag, key) for flag in binding.flags or ()}
        flags = sorted(flag for flag, owner in owners.items() if owner != key and owner in new)
        if flags:  # another parameter had them before, and goes on
            before = sorted({owners[flag] for flag in flags})
            yield change_by_rule("flag-moved", f"{pointer}/flags", before, [key], ", ".join(flags))
        if key in old and old[key].kind and binding.kind:  # else one of them does not stand on a command line
            yield from _changes_of_binding(pointer[1:], old[key], binding)
        was, now = old_places.get(key), new_places.get(key)
        if was and now and was != now:
            yield change_by_rule("position-changed", pointer, was, now)


def _places(bindings: Bindings) -> dict[str, int]:
    """Positional argument -> its position, counted from 1."""
    keys = [key for key, binding in bindings.items() if binding.kind == "argument"]
    return {key: place for place, key in enumerate(keys, 1)}


def _changes_of_binding(place: str, old: Binding, new: Binding) -> ContractChanges:
    def change(rule: str, name: str) -> ContractChange:
        return change_of_value(rule, f"{place}/{name}", getattr(old, name), getattr(new, name))

    if old.kind != new.kind:
        yield change("binding-changed", "kind")
    for name, row in _BINDING_LISTS.items():
        yield from row(f"{place}/{name}", getattr(old, name), getattr(new, name))
    if bool(old.variadic) != bool(new.variadic):
        rule = "variadic-added" if new.variadic else "variadic-removed"
        yield change(rule, "variadic")
    if old.env != new.env:
        rule = "environment-added" if old.env is None else "environment-removed"
        yield change(rule, "env")
