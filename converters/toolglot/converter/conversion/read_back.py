"""Reads back what was written, and compares it with the source: law 2 and law 3.

The proof of law 3 is made at once. The changes (law 2) are found when somebody asks for the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import msgspec

from toolglot.converter import formats, safety
from toolglot.converter.conversion import schema_changes
from toolglot.converter.conversion.field_differences import is_said
from toolglot.converter.conversion.leaf_comparison import (
    LeafPair,
    changes_of_group,
    compare_leaves,
    find_weaker_tools,
    pair_leaves,
)
from toolglot.converter.conversion.report import Change, change_of
from toolglot.converter.conversion.report_wording import MADE_UP_IN_SOURCE
from toolglot.converter.conversion.writing import WrittenTool
from toolglot.converter.formats import Format
from toolglot.converter.formats.kit.description.facts_in_description import LABELLED
from toolglot.converter.hub.fields import PARAMETERS
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import walk_nodes
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import value_at
from toolglot.converter.text.wording import join_first
from toolglot.errors import SafetyError, WriteError

_TEXTS_OF_GROUPS = ("description", "summary")


class ReadBack(msgspec.Struct, frozen=True):
    """One tool, with what the target says of it.

    Attributes:
        result: the tool as it was written.
        pairs: every callable node, paired with the node that was read back.
    """

    result: WrittenTool
    pairs: list[LeafPair]

    @property
    def tool(self) -> Tool:
        """The tool as it was read from the source."""
        return self.result.tool


def read_back(result: WrittenTool, target: Format) -> ReadBack:
    """Pair a tool with what the target says of it.

    Raises:
        WriteError: the target has more or fewer callable nodes than the tool.
    """
    pairs: list[LeafPair] = []
    for number, (before, part) in enumerate(zip(result.behind, result.parts, strict=True)):
        after = list(leaves_of(part.tool_in_target))
        if target.provider.profiles:  # one definition stands for all commands behind it
            after *= len(before)
        if len(after) != len(before):
            tool, count = result.tool, len(result.leaves)
            message = f"{tool.id!r}: {target.name} cannot keep its {count} callable nodes apart; rename those alike"
            raise WriteError(message, code="miscounted")
        pairs += pair_leaves(before, after, number)
    return ReadBack(result, pairs)


def refuse_weaker(proven: Iterable[ReadBack], target: Format) -> None:
    """Check law 3.

    Raises:
        SafetyError: a tool would look safer in the target than in its source.
    """
    weaker = [tool for back in proven for tool in find_weaker_tools(back.pairs)]
    if weaker:
        raise SafetyError(f"{target.name} would make {join_first(weaker, 5)} look safer than the source says")


def refuse_overridden(back: ReadBack, asserted_facts: Mapping[str, Mapping[str, Any]], target: Format) -> None:
    """Refuse an assertion that the target contradicts.

    Args:
        asserted_facts: JSON Pointer of a callable node -> hub field -> value that a person asserts.

    Raises:
        WriteError: the target says another value, because the asserted one does not fit the other facts of the tool.
    """
    for pair in back.pairs:
        for name, value in asserted_facts.get(pair.before.pointer, {}).items():
            if name in target.holds and getattr(pair.after.tool, name) != value:
                message = f"{name} {value!r} does not fit what {back.tool.id!r} does; leave it to the conversion"
                raise WriteError(message, code="override-refused", pointer=f"/{name}")


def changes_of(back: ReadBack) -> list[Change]:
    """Every difference between a tool and what the target says of it (law 2)."""
    changes = compare_leaves(back.pairs)
    if back.result.offers:
        changes = _in_words_of_offers(changes, back)
    changes += _changes_into_text(back)
    if back.tool.children or back.tool.truncated:
        told_paths = {change.path for change in changes}
        changes += [change for change in _changes_of_groups(back) if change.path not in told_paths]
    return schema_changes.allow_respellings(changes, [pair.before for pair in back.pairs])


def find_silence(back: ReadBack) -> Iterator[Change]:
    """Entries for callable nodes whose effects nobody states, and for facts that the source itself marks as made up."""
    for pair in back.pairs:
        if pair.levels_before["changes"] == safety.UNKNOWN:
            leaf = pair.before
            yield change_of("unstated", leaf.path[0], leaf.pointer, "mutates", code="unstated-effects")
        else:
            yield from _unsaid_suppositions(pair)


def _unsaid_suppositions(pair: LeafPair) -> Iterator[Change]:
    """Entries for safety values that the source marks as made up, and that the target neither says nor marks."""
    leaf, tool = pair.before, pair.before.tool
    for name in tool.assumed or ():
        if safety.facets_of(name) and name not in (pair.after.tool.assumed or ()):
            place = formats.get(tool.origin or "").places.fields.get(name, "")
            value = value_at(tool.extension(tool.origin or ""), place)
            words = {"code": f"unstated-{name.replace('_', '-')}", "note": MADE_UP_IN_SOURCE, "severity": "info"}
            yield change_of("dropped", leaf.path[0], leaf.pointer, name, value, **words)


def _changes_into_text(back: ReadBack) -> Iterator[Change]:
    """Entries for fields that moved into a text. Its reader finds them there, so the comparison sees no difference."""
    names: tuple[str, ...] = ()
    if back.pairs:
        names = _fields_of_texts(back.pairs[0].before.tool.origin, back.pairs[0].after.tool.origin)
    places: set[tuple[str, str]] = set()
    for pair in back.pairs:
        for name in names:
            leaf = pair.before
            value = getattr(leaf.tool, name)
            if value is None or value != getattr(pair.after.tool, name):
                continue
            # A group above the leaf may say it for all of its commands.
            above = zip(leaf.ancestors, leaf.pointers, strict=False)
            pointer = next((place for group, place in above if getattr(group, name) is value), leaf.pointer)
            if (pointer, name) in places:
                continue  # a group said it for a command before
            places.add((pointer, name))
            yield change_of("moved", leaf.path[0], pointer, name, value)


@lru_cache(64)  # of pairs of formats; without it a record of a stream takes 8 % longer
def _fields_of_texts(source: str | None, target: str | None) -> tuple[str, ...]:
    """The hub fields that have a place in the source's format, and stand only in texts in the target's."""
    if source == target or not {source, target}.issubset(formats.names()):
        return ()
    before, after = formats.get(source or ""), formats.get(target or "")
    in_text = {*after.places.in_prose, *(LABELLED - after.holds - after.untold)}
    return tuple(name for name in Tool.__struct_fields__ if name in in_text & before.holds - before.places.in_prose)


def _in_words_of_offers(changes: Sequence[Change], back: ReadBack) -> list[Change]:
    """The changes of a conversion to a provider; changes of schemas are told by the steps that made them."""
    offered = (leaf for offer in back.result.offers if offer.mode != "excluded" for leaf in offer.behind)
    of_inputs: dict[str, list[Change]] = {leaf.pointer: [] for leaf in offered}
    others: list[Change] = []
    for change in changes:
        of_inputs.get(change.path.partition("/inputs")[0], others).append(change)
    for offer in back.result.offers:
        others += schema_changes.changes_of_offer(offer, back.tool.id, of_inputs.get(offer.leaf.pointer, ()))
    return others


def _changes_of_groups(back: ReadBack) -> list[Change]:
    """The changes of groups, for fields that no leaf inherits."""
    groups_after = dict(chain.from_iterable(_groups_of(part.tool_in_target) for part in back.result.parts))
    changes: list[Change] = []
    said_by_leaves: dict[str, set[Same[Any]]] = {}  # field of a group -> what leaves say in it
    said_by_target: dict[str, list[Any]] = {}  # the same in the target, where its other texts count too
    for pointer, group in _groups_of(back.tool):
        other = groups_after.get(pointer)
        for name in Tool.__struct_fields__:
            value = getattr(group, name)
            if value is None or name in ("assumed", "children", "id", "origin"):
                continue
            if other is not None:
                if getattr(other, name) != value:
                    changes += changes_of_group(pointer, back.tool.id, group, name, other)
                continue
            if name in PARAMETERS:
                continue
            if name not in said_by_leaves:
                said_by_leaves[name] = {Same(getattr(pair.before.tool, name)) for pair in back.pairs}
                names = _TEXTS_OF_GROUPS if name == "description" else (name,)
                said_by_target[name] = [getattr(pair.after.tool, text) for pair in back.pairs for text in names]
            if Same(value) not in said_by_leaves[name] and value not in said_by_target[name]:
                action = _action_of_text(pointer, name, value, back.pairs)
                changes += changes_of_group(pointer, back.tool.id, group, name, None, action)
    return changes


def _groups_of(tool: Tool) -> Iterator[tuple[str, Tool]]:
    """The nodes that only group others, each behind its JSON Pointer."""
    return ((pointer, node) for pointer, node in walk_nodes(tool) if not node.callable)


def _action_of_text(pointer: str, name: str, value: Any, pairs: Iterable[LeafPair]) -> str:
    """The action for a text of a group: `moved` where all commands below say it, else `dropped`."""
    if name not in _TEXTS_OF_GROUPS:
        return "dropped"
    start = f"{pointer}/children/"
    below = [pair.after.tool for pair in pairs if pair.before.pointer.startswith(start)]
    return "moved" if below and all(is_said(name, value, tool) for tool in below) else "dropped"
