"""Tools that are gone, tools that are new, and which of both are most likely one tool under another name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from operator import attrgetter

import msgspec

from toolglot.converter import safety
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.reasons_to_ask import questions_about_dangers
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import IDLE, without_keywords
from toolglot.converter.text.pointers import only_keys, without_nulls
from toolglot.converter.text.sequences import group_by
from toolglot.verbs.comparison.breaking_changes import DANGEROUS_TOOL, REMOVED, SAFETY
from toolglot.verbs.comparison.difference import ToolDifference, change_by_rule
from toolglot.verbs.comparison.entry_differences import difference_of_entry, suspicious_changes_of, versions_of
from toolglot.verbs.comparison.tool_fields import extension_changes
from toolglot.verbs.comparison.tools_to_compare import ContractEntry, EntryPair

_READ_BY_MODELS = ("title", "description", "when_to_use", "inputs", "outputs")


def compare_one_sided(
    old_only: Sequence[ContractEntry], new_only: Sequence[ContractEntry], pairs: Iterable[EntryPair]
) -> Iterator[ToolDifference]:
    """What is gone, and what is new.

    Args:
        pairs: the entries that both sides have.
    """
    twins: dict[int, str] = {}  # identity of an entry that one side lacks -> id of the one that looks like it
    for one, other in _find_renamed_tools(old_only, new_only):
        twins[id(one)] = other.id
        twins[id(other)] = one.id
    old_roots: dict[int, ContractEntry] = {}
    new_roots: dict[int, ContractEntry] = {}
    for one, other in pairs:
        old_roots[id(one.root)] = other
        new_roots[id(other.root)] = one
    for entry in old_only:
        yield _removed_tool(entry, old_roots.get(id(entry.root)), twins.get(id(entry)))
    for entry in new_only:
        yield from _added_entry(entry, new_roots.get(id(entry.root)), twins.get(id(entry)))


def _find_renamed_tools(old_only: Iterable[ContractEntry], new_only: Iterable[ContractEntry]) -> list[EntryPair]:
    """Tools that are gone beside new ones with the same contract, where that points to one tool alone."""
    is_callable = attrgetter("callable")
    old, new = (group_by(filter(is_callable, entries), _contract) for entries in (old_only, new_only))
    return [(old[key][0], new[key][0]) for key in old if key in new and len(old[key]) == len(new[key]) == 1]


def _contract(entry: ContractEntry) -> Hashable:
    """What a caller relies on; of a tool without parameters also its description, because all of those are alike."""
    tool = entry.tool
    inputs = equality_key(without_keywords(tool.inputs, *IDLE))
    outputs = equality_key(without_keywords(tool.outputs, *IDLE))
    danger = tuple(safety.caution(tool).values())
    wording: tuple[str | None, ...] = ()
    if not (tool.inputs and tool.inputs.get("properties")):
        wording = (tool.summary, tool.description)
    return inputs, outputs, danger, tool.mutates, tool.approval, wording


def _removed_tool(entry: ContractEntry, new_program: ContractEntry | None, twin: str | None) -> ToolDifference:
    """A tool that is gone; of a program that goes on, the program's version has to say so."""
    changes = [change_by_rule(REMOVED, "")]
    versions = {"old_version": entry.tool.version, "follows": False}
    if new_program is not None:
        versions = versions_of(entry, new_program, changes)
    return difference_of_entry(entry, "removed", changes, versions, twin)


def _added_entry(entry: ContractEntry, old_program: ContractEntry | None, twin: str | None) -> Iterable[ToolDifference]:
    """A tool that is new; or a new group, which is no tool, with dangers that are not in its fields.

    A version has to follow only where a command is new in a program that was there before.
    """
    nothing = Tool(id="")
    changes = suspicious_changes_of(nothing, entry.own)
    changes += [change for change in extension_changes(nothing, entry.own) if change.kind == SAFETY]
    status = "changed"
    if entry.callable:
        status = "added"
        words = only_keys(without_nulls(msgspec.structs.asdict(entry.tool)), _READ_BY_MODELS)
        dangers = [question.reason for question in questions_about_dangers(entry.tool)]
        if dangers:
            changes.insert(0, change_by_rule(DANGEROUS_TOOL, "", note="; ".join(dangers)))
        changes.insert(0, change_by_rule("tool-added", "", after=words or None))
    versions = {"new_version": entry.tool.version}
    if old_program is not None:
        versions = versions_of(old_program, entry, changes[:1])
    if changes:
        yield difference_of_entry(entry, status, changes, versions, twin)
