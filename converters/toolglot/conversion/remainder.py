"""The remainder of a lossless conversion: what a record carries beside its visible fields, and the proof of it.

A remainder is believed only if it proves itself: written again in the record's own format it must give exactly the
visible fields. What was edited by hand, or would make the tool look safer than the visible fields say, does not, and
the visible fields win. So this stands above both reading and writing.

What a server answers is never believed, however well it fits: a server could write a remainder that states every fact
about safety and its own hints to match, and these prove nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from toolglot import safety
from toolglot.conversion.extension_slots import SLOT, slot_pointer, take_slot
from toolglot.conversion.offers import OfferOptions, TargetRequest
from toolglot.conversion.reading import ProgramPart, Reading, with_container_facts
from toolglot.conversion.writing import WrittenTool, write_tool
from toolglot.errors import Error
from toolglot.formats import Format, Record
from toolglot.formats.kit.tool_ids import Qualifier
from toolglot.hub.model import Leaf, Tool, from_json, to_json
from toolglot.hub.trees import merge
from toolglot.schema.newest_dialect import restate_tool
from toolglot.text.pointers import escape

_ALWAYS = ("toolglot", "order", "tree", "tool")
_KEYS = frozenset({
    *_ALWAYS, "root", "version", "strict", "profile", "examples", "safety_text", "with_globals", "alone",
    *Qualifier._fields,
})  # fmt: skip


class Remainder(msgspec.Struct, frozen=True):
    """What a record carries so that reading it gives back its tool.

    Attributes:
        tool: what the record was written from: a tool of the source, or a part of one.
        order: the place of the record among those that were written with it, from 0.
        tree: the place in the source of the tool that it is a part of, from 0.
        is_root: whether it is a program that can be called by itself and has lost its commands, which nothing else
            shows.
        version: of the record's format, where one was asked for.
        offer_options: how a provider was offered it.
        qualifier: what its id took up, without which it would not be written the same again.
    """

    tool: Tool
    order: int
    tree: int
    is_root: bool
    version: str | None
    offer_options: OfferOptions
    qualifier: Qualifier

    def to_json(self) -> dict[str, Any]:
        """The remainder as it stands in a document; what is absent, false or empty is left out."""
        options = self.offer_options
        content: dict[str, Any] = {
            "toolglot": 1,
            "order": self.order,
            "tree": self.tree,
            "tool": to_json(self.tool),
            "root": self.is_root,
            "version": self.version,
            "strict": options.strict,
            "profile": options.profile,
            "examples": options.examples,
            "safety_text": options.safety_text,
            "with_globals": options.with_globals,
            **self.qualifier._asdict(),
        }
        return {name: value for name, value in content.items() if value or name in _ALWAYS}


class _Remainders(msgspec.Struct, frozen=True):
    """The remainders that belong to one record.

    Attributes:
        visible: the record without them.
        contents: JSON Pointer of each in the document -> what it says.
    """

    visible: Record
    contents: Mapping[str, dict[str, Any]]


class _Restored(msgspec.Struct, frozen=True):
    """What the remainders of one record gave: a tool with its place, or why there is none."""

    tool: Tool | None
    part: ProgramPart | None
    reasons: Mapping[str, str]  # JSON Pointer of a remainder that was not believed -> why


def restore(reading: Reading) -> Reading:
    """The reading with the tools that its remainders hold, where these prove themselves."""
    tools = list(reading.tools)
    parts: list[ProgramPart | None] = []
    stale: list[str] = []
    reasons: dict[str, str] = {}
    claimed_places: set[str] = set()
    for index, record in enumerate(reading.records):
        remainders = _remainders_of(record, index, reading)
        claimed_places.update(remainders.contents)
        restoration = _restore_tool(remainders, index, reading.format)
        parts.append(restoration.part)
        if restoration.tool is not None:
            tools[index] = with_container_facts(restoration.tool, record.container)
        if restoration.reasons:
            stale.append(record.pointer)
            reasons.update(restoration.reasons)
    for key in reading.remainders:
        place = f"/{SLOT}/{escape(key)}"
        if place not in claimed_places:
            reasons[place] = f"there is no definition called {key}"
    reading = msgspec.structs.replace(
        reading, tools=tools, parts=parts, is_restored=any(parts), stale=stale, reasons=reasons
    )
    if not reading.is_restored:
        return reading
    [whole_reading] = join_programs([reading])
    return whole_reading


def _remainders_of(record: Record, index: int, reading: Reading) -> _Remainders:
    """The remainder in a record, and those beside it under its id or, in older documents, under its place."""
    visible, inside = take_slot(record, reading.format)
    contents: dict[str, Any] = {}
    if inside:
        contents[record.pointer + slot_pointer(reading.format)] = inside
    if reading.remainders:
        for key in (reading.format.read(visible).id, str(index)):
            if key in reading.remainders:
                contents[f"/{SLOT}/{escape(key)}"] = reading.remainders[key]
    return _Remainders(visible, contents)


def _restore_tool(remainders: _Remainders, index: int, source_format: Format) -> _Restored:
    """The tool of the first remainder of a record that proves itself."""
    if remainders.visible.container.is_answer:
        return _Restored(None, None, dict.fromkeys(remainders.contents, "a server says it of its own tool"))
    reasons: dict[str, str] = {}
    for pointer, content in remainders.contents.items():
        tool, reason = _prove_remainder(remainders.visible, content, source_format)
        if tool is not None:
            return _Restored(tool, _program_part(content, index, tool), {})
        reasons[pointer] = reason
    return _Restored(None, None, reasons)


def _prove_remainder(visible: Record, content: dict[str, Any], source_format: Format) -> tuple[Tool | None, str]:
    """The tool that the remainder holds, if writing it gives the visible record; else `None` and why not."""
    try:
        if not content.keys() <= _KEYS:  # such as a danger that somebody states there
            return None, "it holds more than a lossless conversion writes"
        stored_tool = from_json(content.get("tool"))
        if restate_tool(stored_tool) is not stored_tool:
            return None, "no reader leaves schemas of another dialect"
        if source_format.name in _origins_of(stored_tool):  # caution would be skipped for it
            return None, "nothing of the record's own format has a remainder"
        result = _write_again(stored_tool, visible, content, source_format)
        if len(result.parts) != 1:
            return None, "it holds another tool"
        new_part = result.parts[0]
        difference = _first_difference(new_part.record.data, visible.data)
        if difference is not None:
            return None, f"`{difference}` is not what it was"
        if (new_part.record.body or None) != (visible.body or None):
            return None, "the text after the record is not what it was"
        if _hides_danger(source_format.tool_of(visible), new_part.tool):
            return None, "the record states a danger that it does not"
        return stored_tool, ""
    except (msgspec.ValidationError, Error, KeyError, TypeError, ValueError, AttributeError):
        # A remainder is untrusted data; whatever is wrong with it, the visible fields stand.
        return None, "it is not what a lossless conversion writes"


def _first_difference(one: Any, other: Any, pointer: str = "") -> str | None:
    """Where two values of JSON differ first; `None` where they are equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            here = f"{pointer}/{escape(str(key))}"
            if key not in one or key not in other:
                return here
            difference = _first_difference(one[key], other[key], here)
            if difference is not None:
                return difference
        return None
    return None if one == other else pointer


def _write_again(stored_tool: Tool, visible: Record, content: dict[str, Any], source_format: Format) -> WrittenTool:
    version = content.get("version")
    qualifier = Qualifier(content.get("namespace"), content.get("major"))
    if not source_format.provider.profiles:
        return write_tool(stored_tool, source_format, version, None, qualifier=qualifier)
    from toolglot.conversion.offer_planning import plan_offers, possible_names  # what other targets do without

    options = OfferOptions(
        strict=content.get("strict"),
        profile=content.get("profile"),
        examples=content.get("examples") is True,
        safety_text=content.get("safety_text"),
        with_globals=content.get("with_globals") is True,
    )
    (offers,) = plan_offers([stored_tool], TargetRequest(source_format, version, options))
    # The name may carry a hash because of what else was in the request; any that this tool can get will do.
    visible_name = source_format.read(visible).id
    for index, offer in enumerate(offers):
        if visible_name in possible_names(offer, source_format, version, options, qualifier):
            offers[index] = msgspec.structs.replace(offer, name=visible_name)
    return write_tool(stored_tool, source_format, version, None, offers)


def _hides_danger(visible_tool: Tool, stored_tool: Tool) -> bool:
    """Whether the visible fields call for more caution than the stored facts that they were written from.

    They can only if the danger hides in what is copied without being understood: extensions, or plain text.
    """
    visible_leaves, stored_leaves = list(visible_tool.leaves()), list(stored_tool.leaves())
    return len(visible_leaves) != len(stored_leaves) or any(map(_is_unknown_danger, visible_leaves, stored_leaves))


def _is_unknown_danger(visible_leaf: Leaf, stored_leaf: Leaf) -> bool:
    """Whether a command shows a danger that is stored neither for it nor for a group above it.

    A group's text warns of all its commands where a format has no field in which one of them denies it.
    """
    levels = safety.caution(visible_leaf.tool)
    unknown = set(safety.hidden_facets(levels, safety.caution(stored_leaf.tool)))
    for group in stored_leaf.ancestors:
        unknown.intersection_update(safety.hidden_facets(levels, safety.caution(group)))
    return bool(unknown)


def _origins_of(tool: Tool) -> Iterator[str | None]:
    yield tool.origin
    for child in tool.children or ():
        yield from _origins_of(child)


def _program_part(content: dict[str, Any], index: int, tool: Tool) -> ProgramPart:
    order, tree = content.get("order"), content.get("tree")
    of_program = bool(tool.children) or content.get("root") is True
    if type(order) is int and type(tree) is int:
        return ProgramPart(order, tree, of_program)
    return ProgramPart(index, -1 - index, of_program)


def join_programs(readings: Sequence[Reading]) -> list[Reading]:
    """The same readings with the parts of one program put together, in whatever order they were read.

    A part stays where the first part of its program was read. Parts belong together if they were written together and
    say the same of their program; parts that cannot be told apart once they are together stay apart.
    """
    places = [(number, index) for number, reading in enumerate(readings) for index in range(len(reading.tools))]
    groups: dict[Any, list[tuple[ProgramPart, tuple[int, int]]]] = {}
    roots: dict[int, list[Tool]] = {}
    for number, index in places:
        reading = readings[number]
        part = reading.parts[index] if reading.parts else None
        if part is not None and part.of_program and reading.is_part:
            root = msgspec.structs.replace(reading.tools[index], children=None, inputs=None, bindings=None)
            similar_roots = roots.setdefault(part.tree, [])
            if root not in similar_roots:
                similar_roots.append(root)
            groups.setdefault((part.tree, similar_roots.index(root)), []).append((part, (number, index)))
    tools: dict[tuple[int, int], Tool | None] = {}
    for group in groups.values():
        places_of_group = [place for _, place in sorted(group)]
        before = [readings[number].tools[index] for number, index in places_of_group]
        whole = merge(before)
        if len(whole) == 1 and len(list(whole[0].leaves())) == sum(len(list(tool.leaves())) for tool in before):
            tools.update(dict.fromkeys(places_of_group))
            tools[min(places_of_group)] = whole[0]
    if all(tool is not None for tool in tools.values()):
        return list(readings)
    return [_with_tools(reading, number, tools) for number, reading in enumerate(readings)]


def _with_tools(reading: Reading, number: int, tools: dict[tuple[int, int], Tool | None]) -> Reading:
    """A reading whose tools at these places are others, or gone."""
    now = [tools.get((number, index), tool) for index, tool in enumerate(reading.tools)]
    indexes = [index for index, tool in enumerate(now) if tool is not None]
    return msgspec.structs.replace(
        reading,
        tools=[tool for tool in now if tool is not None],
        parts=reading.parts_of(indexes),
    )
