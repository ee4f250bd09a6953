"""What a difference in one field of a tool means: the table that leads from fields of the hub to rules.

A field without a row of its own is a fact whose change is compatible, or wording; so that no field is forgotten, the
rows are what differs from that. Danger is judged by `safety` alone: whether a tool asks for less care than
before is a question of its levels, not of the words of one field.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec

from toolglot.converter import formats, safety
from toolglot.converter.conversion.extension_slots import PROVENANCE, SLOT, stated_extension, supposed_value
from toolglot.converter.conversion.unread_dangers import unread_dangers
from toolglot.converter.formats.contract import CLAIMS_IN_TEXTS
from toolglot.converter.hub.fields import PARAMETERS, SCHEMA, TREE, fields_with
from toolglot.converter.hub.model import Binding, ErrorCode, Tool, to_json
from toolglot.converter.schema.json_values import differing_parts, equality_key
from toolglot.converter.text.pointers import as_mapping, escape, pointer_of, texts_at, way_to
from toolglot.converter.text.sequences import group_by
from toolglot.verbs.comparison.breaking_changes import CONFIRMED
from toolglot.verbs.comparison.difference import ContractChange, change_by_rule
from toolglot.verbs.comparison.inputs_and_outputs import input_changes, output_changes
from toolglot.verbs.comparison.request_comparison import request_changes

ContractChanges: TypeAlias = Iterator[ContractChange]

_WORDING = frozenset(fields_with(is_wording=True))
# What a group says of itself alone; what its commands inherit is compared there, and what is safe is not inherited.
_OF_GROUPS = _WORDING.union(fields_with(handed_down="")).difference(
    PARAMETERS, fields_with(group="document", is_wording=False), ("id", "implements")
)
INHERITED = frozenset({"global_inputs", "global_bindings"})
"""What a program hands down to all of its commands as it is."""
# Compared by pairing, by the version, and by the fields that it is about.
_IDENTITY = frozenset({*fields_with(kind=TREE), "id", "origin", "version", "assumed", "unclear"})
_ORDERED = ("bindings", "global_bindings")


def field_changes(old: Tool, new: Tool, fields: Collection[str], facets: Collection[str]) -> ContractChanges:
    """Every change between two tools.

    Args:
        fields: the fields of the hub that both formats can say.
        facets: the facets of danger that both can say something about.

    >>> old, new = Tool(id="a", risk_level=2, title="A"), Tool(id="a", risk_level=1, title="B")
    >>> [change.code for change in field_changes(old, new, Tool.__struct_fields__, safety.FACETS)]
    ['wording-changed', 'risk-lowered']
    """
    if new.mutates and new.approval == "on-mutate" and safety.asks_on_change(old):
        # Only written down, as a migration does; to take it away again is a change.
        old = msgspec.structs.replace(old, approval="on-mutate")
    old, confirmations = _with_confirmed(old, new, fields)
    yield from confirmations
    names = differing_fields(old, new, fields)
    was_unclear, unclear = {*(old.unclear or ())}, {*(new.unclear or ())}
    changes: list[ContractChange] = []
    if "unclear" in fields:
        changes += [change_by_rule("fact-unclear", f"/{name}") for name in sorted(unclear - was_unclear)]
    for name in names:
        if name not in was_unclear | unclear:
            changes += _changes_of_field(name, old, new)
    yield from changes
    places = {(change.path, change.kind) for change in changes}
    for change in _changes_of_danger(old, new, fields, facets):
        if (change.path, change.kind) not in places:  # else the field's own rule says it already
            places.add((change.path, change.kind))
            yield change
    pointers = {pointer for pointer, _ in places}
    for name in names:
        if name in safety.SAFETY_FIELDS and f"/{name}" not in pointers:
            rule = "fact-changed"
            if name == "flags" and _claims_in_texts(old) != _claims_in_texts(new):
                rule = "claim-changed"
            yield _change_of_field(rule, name, old, new)


def _with_confirmed(old: Tool, new: Tool, fields: Collection[str]) -> tuple[Tool, list[ContractChange]]:
    """The old tool with what a conversion had made up for it and the new one states as its own; that as a change."""
    confirmed: dict[str, Any] = {}
    for name in old.assumed or ():
        value = getattr(new, name)
        if name in fields and value is not None and to_json(value) == supposed_value(old, name):
            confirmed[name] = value
    if not confirmed:
        return old, []
    return msgspec.structs.replace(old, **confirmed), [change_by_rule(CONFIRMED, "", note=", ".join(confirmed))]


def _claims_in_texts(tool: Tool) -> list[bool]:
    return [claim.is_made(tool) for claim in CLAIMS_IN_TEXTS.values()]


def group_changes(old: Tool, new: Tool, fields: Collection[str]) -> ContractChanges:
    """The changes of a node that only groups others, and that no leaf inherits."""
    old, confirmations = _with_confirmed(old, new, fields)
    yield from confirmations
    for name in differing_fields(old, new, _OF_GROUPS.intersection(fields)):
        yield from _changes_of_field(name, old, new)


def differing_fields(old: Tool, new: Tool, fields: Collection[str]) -> list[str]:
    """The fields that differ, in the order of the hub."""
    names: list[str] = []
    for name in Tool.__struct_fields__:
        is_compared = name in fields and name not in _IDENTITY
        if is_compared and _is_different(name, getattr(old, name), getattr(new, name)):
            names.append(name)
    return names


def _is_different(name: str, before: Any, after: Any) -> bool:
    """Whether two values differ.

    The order of parameters is where they stand on the command line; and in JSON 1 is not true, as it is to Python.
    """
    if before != after:
        return True
    if name in _ORDERED:
        return list(before or ()) != list(after or ())
    return isinstance(before, dict) and equality_key(before) != equality_key(after)


def _changes_of_field(name: str, old: Tool, new: Tool) -> ContractChanges:
    if name == "timeout_ms":
        yield from _timeout_changes(old, new)
    elif name in _ROWS:
        yield from _ROWS[name](name, getattr(old, name), getattr(new, name))
    elif name == "extensions":
        yield from request_changes(old, new)
        yield from extension_changes(old, new)
    elif name not in safety.SAFETY_FIELDS:
        rule = "wording-changed" if name in _WORDING else "fact-changed"
        yield _change_of_field(rule, name, old, new)


def extension_changes(old: Tool, new: Tool) -> ContractChanges:
    """What is stated beyond the hub, and claimed; what is ours there, as slots, is no part of a contract."""
    for owner in {**(old.extensions or {}), **(new.extensions or {})}:
        was, now = (stated_extension(owner, tool, SLOT, PROVENANCE) for tool in (old, new))
        place = f"/extensions/{escape(owner)}"
        differences = differing_parts(was, now, place)
        owner_format = formats.find(owner)
        if owner_format is None:
            yield from (change_by_rule("fact-changed", *difference) for difference in differences)
            continue
        unclear = {place + doubt.pointer for doubt in owner_format.doubts_of(new)}
        unread = {place + pointer_of(path) for path in unread_dangers(owner_format, new)}
        ways_to_unread = set(chain.from_iterable(map(way_to, unread)))
        for pointer, before, after in differences:
            if new.unclear and before is None and pointer in unclear:  # which is told of the field
                continue
            key = pointer.rpartition("/")[2]
            rule = "fact-changed"
            if not {key, *as_mapping(before), *as_mapping(after)}.isdisjoint(owner_format.claims):
                rule = "claim-changed"
            elif pointer in ways_to_unread or not unread.isdisjoint(way_to(pointer)):
                rule = "danger-unread"
            yield change_by_rule(rule, pointer, before, after)


def _change_of_field(rule: str, name: str, old: Tool, new: Tool) -> ContractChange:
    return _change_of_value(rule, name, getattr(old, name), getattr(new, name))


def _change_of_value(rule: str, name: str, before: Any, after: Any, note: str = "") -> ContractChange:
    return change_by_rule(rule, f"/{name}", to_json(before), to_json(after), note)


# -- danger -----------------------------------------------------------------------------------------------------------

_SILENCE_ASKS = 2  # a host may ask about a tool that does not say
_SILENT = safety.caution(Tool(id=""))
_DERIVED = frozenset({"risk"})  # where nobody states it, it follows from the facets that were named already
# Facets that a tool has or has not; the others have degrees.
_YES_NO = frozenset(facet for facet, level in _SILENT.items() if level == safety.UNKNOWN) - {"approval"}


def comparable_facets(old: Tool, new: Tool, sides: Sequence[Collection[str]]) -> frozenset[str]:
    """The facets about which two formats can say as much, or about which both tools do say something.

    Args:
        sides: for both formats, the fields of the hub that each has a place for.
    """
    old_fields, new_fields = sides
    only_one_can_say = _facets_that_fit(old_fields) ^ _facets_that_fit(new_fields)
    was, now = safety.caution(old), safety.caution(new)
    facets: set[str] = set()
    for facet, silent in _SILENT.items():
        both_say = silent not in (was[facet], now[facet])
        if facet not in only_one_can_say or both_say:
            facets.add(facet)
    return frozenset(facets)


def _facets_that_fit(fields: Collection[str]) -> frozenset[str]:
    """The facets that a format with a place for these fields can say, apart from flags in a text."""
    return frozenset().union(*(safety.facets_of(name) for name in fields if name != "flags"))


def _changes_of_danger(old: Tool, new: Tool, fields: Collection[str], facets: Collection[str]) -> ContractChanges:
    """Where the tool asks for less care, or for more, with the fields that make the difference."""
    was, now = safety.caution(old), safety.caution(new)
    weaker = frozenset(safety.weaker_facets(was, now)) & frozenset(facets)
    stricter = frozenset(safety.weaker_facets(now, was)) & frozenset(facets)
    newly_unsafe = (safety.SAFE, safety.UNSAFE)
    dangers = frozenset(facet for facet in stricter & _YES_NO if (was[facet], now[facet]) == newly_unsafe)
    rules = (("safety-weaker", weaker), ("danger-added", dangers), ("safety-stricter", stricter))
    differ = differing_fields(old, new, {*fields, "flags"} & {*safety.SAFETY_FIELDS})
    for rule, facets_of_rule in rules:
        rest = facets_of_rule
        for name in differ:
            about = safety.facets_of(name) & facets_of_rule
            if about:
                yield _change_of_value(rule, name, getattr(old, name), getattr(new, name), _facet_names(about))
                rest -= about
        follows = rest == _DERIVED and rest != facets_of_rule
        if rest and not follows:
            yield change_by_rule(rule, "", note=_facet_names(rest))


def _facet_names(facets: Collection[str]) -> str:
    return ", ".join(facet.replace("_", " ") for facet in safety.FACETS if facet in facets)


# -- rows -------------------------------------------------------------------------------------------------------------

_FieldComparison: TypeAlias = Callable[[str, Any, Any], ContractChanges]


def _list(rule_of_added: str, rule_of_removed: str) -> _FieldComparison:
    """A list whose entries each mean something."""

    def row(name: str, before: Sequence[str] | None, after: Sequence[str] | None) -> ContractChanges:
        was, now = frozenset(before or ()), frozenset(after or ())
        added_entries, removed_entries = now - was, was - now
        if added_entries:
            yield _change_of_value(rule_of_added, name, before, after, ", ".join(sorted(added_entries)))
        if removed_entries:
            yield _change_of_value(rule_of_removed, name, before, after, ", ".join(sorted(removed_entries)))

    return row


_GATE = _list("requires-added", "gate-removed")
_NEED = _list("requires-added", "requires-removed")
_STATE = _list("mutates-added", "mutates-removed")


def _namespace(name: str, before: str | None, after: str | None) -> ContractChanges:
    """Whose tool it is: what is granted to the tools of a server is not meant for a tool of nobody, or of another."""
    rule = "namespace-changed"
    if before is None:
        rule = "fact-changed"
    elif after is None:
        rule = "namespace-lost"
    yield _change_of_value(rule, name, before, after)


def _errors(name: str, before: Sequence[ErrorCode] | None, after: Sequence[ErrorCode] | None) -> ContractChanges:
    old, new = (group_by(errors or (), attrgetter("code")) for errors in (before, after))
    for code in {**old, **new}:
        was, now = old.get(code, []), new.get(code, [])
        rule = "wording-changed"
        if not was:
            rule = "error-added"
        elif not now:
            rule = "error-removed"
        gone = [error for error in was if error not in now]
        come = [error for error in now if error not in was]
        pointer = f"/{name}/{escape(code)}"
        for one, other in zip_longest(gone, come):
            yield change_by_rule(rule, pointer, to_json(one), to_json(other))


def _paths(name: str, before: Sequence[str] | None, after: Sequence[str] | None) -> ContractChanges:
    """Where no path was said, any could be meant."""
    if before:
        yield from _GATE(name, before, after)
    else:
        yield _change_of_value("fact-changed", name, before, after)


def _resources(name: str, before: Sequence[str] | None, after: Sequence[str] | None) -> ContractChanges:
    """Kinds of resources; whether there are any at all is a question of danger."""
    if before and after:
        yield from _STATE(name, before, after)


def _risk(name: str, before: int | None, after: int | None) -> ContractChanges:
    was, now = before or 0, after or 0
    if now > was:
        yield _change_of_value("risk-raised", name, before, after)
    elif now < was:
        yield _change_of_value("risk-lowered", name, before, after)


def _approval(name: str, before: str | None, after: str | None) -> ContractChanges:
    """Policies compare with nothing but themselves, and with tools that never ask."""
    was = safety.levels_of(name, before).get(name, _SILENCE_ASKS)
    now = safety.levels_of(name, after).get(name, _SILENCE_ASKS)
    if (_is_policy(before) or _is_policy(after)) and 0 not in (was, now):
        yield _change_of_value("policy-changed", name, before, after)
        yield _change_of_value("policy-changed-safety", name, before, after)
    elif now > was:
        yield _change_of_value("approval-tightened", name, before, after)
    elif now < was or _is_policy(before) or _is_policy(after):
        yield _change_of_value("approval-relaxed", name, before, after)


def _is_policy(word: str | None) -> bool:
    return word is not None and word.startswith("policy:")


def _idempotent(name: str, before: bool | None, after: bool | None) -> ContractChanges:
    if before is True:
        yield _change_of_value("idempotence-lost", name, before, after)


def _timeout_changes(old: Tool, new: Tool) -> ContractChanges:
    """Silence about the time is the default of the tool's format; without one nobody knows whether it is less."""
    before, after = _effective_timeout(old), _effective_timeout(new)
    rule = "timeout-changed"
    if before is not None and after is not None and after < before:
        rule = "timeout-reduced"
    yield _change_of_field(rule, "timeout_ms", old, new)


def _effective_timeout(tool: Tool) -> int | None:
    origin = formats.find(tool.origin)
    if tool.timeout_ms is not None or origin is None:
        return tool.timeout_ms
    return origin.default_timeout_ms


def _drivers(name: str, before: dict[str, Any] | None, after: dict[str, Any] | None) -> ContractChanges:
    """What is forbidden, and the kinds that alone are allowed, where any are named."""
    was, now = before or {}, after or {}
    is_restricted = _refuses_more(was, now)
    is_opened = _refuses_more(now, was)
    if is_restricted:
        yield _change_of_value("drivers-restricted", name, before, after)
    if is_opened:
        yield _change_of_value("drivers-opened", name, before, after)
    if not (is_restricted or is_opened):
        yield _change_of_value("fact-changed", name, before, after)


def _refuses_more(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether the other constraints refuse a driver that the one take."""
    if _names_in(other, "forbid") - _names_in(one, "forbid"):
        return True
    kinds, kinds_of_other = _names_in(one, "require_kind"), _names_in(other, "require_kind")
    if not kinds:  # then all of them are allowed
        return bool(kinds_of_other)
    return bool(kinds_of_other and kinds - kinds_of_other)


def _names_in(constraints: dict[str, Any], word: str) -> frozenset[str]:
    return frozenset(texts_at(constraints, word))


# -- the command line -------------------------------------------------------------------------------------------------

_BINDING_LISTS = {
    "flags": _list("flag-added", "flag-removed"),
    "excludes": _list("exclusion-added", "exclusion-removed"),
}


def _bindings(field: str, old: Mapping[str, Binding] | None, new: Mapping[str, Binding] | None) -> ContractChanges:
    """Changes of how parameters are given; whether they are new or gone is a matter of the schema.

    >>> old, new = Binding(kind="option", flags=("-a", "--all")), Binding(kind="option", flags=("--all",))
    >>> [change.code for change in _bindings("bindings", {"all": old}, {"all": new})]
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
            yield change_by_rule("flag-moved", f"{pointer}/flags", before, [key], note)
        if key in old and old[key].kind and binding.kind:  # else one of them does not stand on a command line
            yield from _changes_of_binding(pointer[1:], old[key], binding)
        if key in old_places and key in new_places and old_places[key] != new_places[key]:
            before_place, after_place = old_places[key], new_places[key]
            yield change_by_rule("position-changed", pointer, before_place, after_place)


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


def _changes_of_binding(place: str, old: Binding, new: Binding) -> ContractChanges:
    def change(rule: str, name: str) -> ContractChange:
        return _change_of_value(rule, f"{place}/{name}", getattr(old, name), getattr(new, name))

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


# -- the table --------------------------------------------------------------------------------------------------------

_ROWS: dict[str, _FieldComparison] = {
    "namespace": _namespace,
    **dict.fromkeys(fields_with(kind=SCHEMA), input_changes),
    "outputs": output_changes,
    **dict.fromkeys(_ORDERED, _bindings),
    "errors": _errors,
    "mutates": _STATE,
    **dict.fromkeys(fields_with(list_of="resources"), _resources),
    "paths": _paths,
    **dict.fromkeys(fields_with(list_of="gates"), _GATE),
    **dict.fromkeys(fields_with(list_of="needs"), _NEED),
    "risk_level": _risk,
    "approval": _approval,
    "idempotent": _idempotent,
    "driver_constraints": _drivers,
}
