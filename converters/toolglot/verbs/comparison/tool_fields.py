"""What a difference in one field of a tool means: the table that leads from fields of the hub to rules.

A field without a row of its own is a fact whose change is compatible, or wording; so that no field is forgotten, the
rows are what differs from that. Danger is judged by `safety` alone: whether a tool asks for less care than
before is a question of its levels, not of the words of one field.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Any

from msgspec.structs import replace

from toolglot.converter import formats, safety
from toolglot.converter.conversion.extension_slots import PROVENANCE, SLOT, stated_extension, supposed_value
from toolglot.converter.conversion.unread_dangers import unread_dangers
from toolglot.converter.formats.contract import CLAIMS_IN_TEXTS
from toolglot.converter.hub.fields import PARAMETERS, SCHEMA, fields_with
from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.schema.json_values import differing_parts
from toolglot.converter.text.pointers import as_mapping, pointer_below, pointer_of, way_to
from toolglot.verbs.comparison.breaking_changes import CONFIRMED
from toolglot.verbs.comparison.changes_of_inputs_and_outputs import input_changes, output_changes
from toolglot.verbs.comparison.command_line_changes import compare_bindings
from toolglot.verbs.comparison.danger_changes import changes_of_danger
from toolglot.verbs.comparison.difference import ContractChange, change_by_rule
from toolglot.verbs.comparison.field_comparisons import (
    COMPARISONS,
    ORDERED,
    ContractChanges,
    FieldComparison,
    change_of_value,
    differing_fields,
)
from toolglot.verbs.comparison.request_comparison import request_changes

_WORDING = frozenset(fields_with(is_wording=True))
# What a group says of itself alone; what its commands inherit is compared there, and what is safe is not inherited.
_OF_GROUPS = _WORDING.union(fields_with(handed_down="")).difference(
    PARAMETERS, fields_with(group="document", is_wording=False), ("id", "implements")
)

INHERITED = frozenset({"global_inputs", "global_bindings"})
"""What a program hands down to all of its commands as it is."""


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
        old = replace(old, approval="on-mutate")
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
    for change in changes_of_danger(old, new, fields, facets):
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
    return replace(old, **confirmed), [change_by_rule(CONFIRMED, "", note=", ".join(confirmed))]


def _claims_in_texts(tool: Tool) -> list[bool]:
    return [claim.is_made(tool) for claim in CLAIMS_IN_TEXTS.values()]


def group_changes(old: Tool, new: Tool, fields: Collection[str]) -> ContractChanges:
    """The changes of a node that only groups others, and that no leaf inherits."""
    old, confirmations = _with_confirmed(old, new, fields)
    yield from confirmations
    for name in differing_fields(old, new, _OF_GROUPS.intersection(fields)):
        yield from _changes_of_field(name, old, new)


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
        place = pointer_below("/extensions", owner)
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
    return change_of_value(rule, name, getattr(old, name), getattr(new, name))


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


_ROWS: dict[str, FieldComparison] = {
    **COMPARISONS,
    **dict.fromkeys(fields_with(kind=SCHEMA), input_changes),
    "outputs": output_changes,
    **dict.fromkeys(ORDERED, compare_bindings),
}
