"""Tools that are gone beside new ones with the same contract: most likely they have another name now."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from operator import attrgetter

from toolglot.converter import safety
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import IDLE, without_keywords
from toolglot.converter.text.sequences import group_by
from toolglot.verbs.comparison.tools_to_compare import ContractEntry, EntryPair


def find_renamed_tools(old_only: Iterable[ContractEntry], new_only: Iterable[ContractEntry]) -> list[EntryPair]:
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
