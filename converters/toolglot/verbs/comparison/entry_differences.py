"""What happened to one entry: its changes and their places, its versions, and the fields that both sides can say."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from toolglot.converter.hub.fields import TREE, fields_with
from toolglot.converter.hub.model import Tool, to_json
from toolglot.verbs.comparison.breaking_changes import CLASSES, largest
from toolglot.verbs.comparison.difference import ContractChange, ToolDifference
from toolglot.verbs.comparison.field_comparisons import differing_fields
from toolglot.verbs.comparison.tools_to_compare import ContractEntry
from toolglot.verbs.comparison.versions import judge_version

ALL_FIELDS = frozenset(Tool.__struct_fields__) - {*fields_with(kind=TREE), "id", "origin", "assumed"}


def suspicious_changes_of(old: Tool, new: Tool) -> list[ContractChange]:
    """What `check` warns of newly, also in what only one of two formats can say."""
    names = differing_fields(old, new, Tool.__struct_fields__)
    if old.id != new.id:
        names.append("id")
    if not names:
        return []
    from toolglot.verbs.comparison.suspicious_words import suspicious_changes  # the rules, which few changes need

    was, now = ({name: to_json(getattr(tool, name)) for name in names} for tool in (old, new))
    return [*suspicious_changes(was, now)]


def comparable_fields(entry: ContractEntry, other: ContractEntry) -> frozenset[str]:
    """The fields of the hub that an entry's format can say, as far as the format of the other entry matters."""
    if entry.origin.format is other.origin.format:
        return ALL_FIELDS
    return entry.origin.holds


def fields_of_both(one: ContractEntry, other: ContractEntry) -> frozenset[str]:
    """The fields that both can say."""
    return comparable_fields(one, other) & comparable_fields(other, one)


def difference_of_entry(
    entry: ContractEntry, status: str, changes: list[ContractChange], versions: dict[str, Any], twin: str | None = None
) -> ToolDifference:
    """What happened to an entry, the gravest first, with the places where it says so."""
    needs = largest(change.rule.bump for change in changes)
    placed: list[ContractChange] = []
    for change in sorted(changes, key=lambda change: CLASSES.index(change.kind)):
        source, line, column = entry.position(change.path)
        placed.append(replace(change, tool=entry.id, source=source, line=line, column=column))
    return ToolDifference(id=entry.id, status=status, changes=tuple(placed), needs=needs, looks_like=twin, **versions)


def versions_of(one: ContractEntry, other: ContractEntry, changes: list[ContractChange]) -> dict[str, Any]:
    """The versions of two tools, or programs, and whether the new one follows; some formats cannot show one."""
    kind = min((change.kind for change in changes), key=CLASSES.index, default=None)
    old, new = one.tool.version or one.root.version, other.tool.version or other.root.version
    verdict = judge_version(old, new, kind)
    if "version" not in fields_of_both(one, other):
        verdict = judge_version(None, None, kind)
    return {"old_version": old, "new_version": new, **verdict._asdict()}
