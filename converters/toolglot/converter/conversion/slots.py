"""The slot of a record: what `--lossless` keeps there, and how it is read.

Whoever sends a document can write a slot, so a slot is a stranger's word. By default only the dangers that it states
count. With `--restore`, which only the person who runs toolglot can ask for, the tool is taken from the slot if the
record was not edited since. The digest in the slot shows that; it proves nothing else.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import repeat
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion.extension_slots import (
    BESIDE,
    PROVENANCE,
    SLOT,
    digest_of,
    ours_in,
    slot_pointer,
    without_ours,
)
from toolglot.converter.conversion.reading import ProgramPart, Reading, with_container_facts
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.kit.field_tables import Row, Table
from toolglot.converter.formats.kit.unreadable_facts import nearest_key
from toolglot.converter.hub.model import JsonObject, Tool, from_json, to_json
from toolglot.converter.hub.trees import merge, walk_nodes, with_fields
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema.newest_dialect import restate_tool
from toolglot.converter.text.pointers import as_list, as_mapping, escape, mapping_at, without_empty


def content_of_slot(record: Record, target: Format, tool: Tool, *, order: int, tree: int, is_root: bool) -> JsonObject:
    """The content of a slot, from which the tool of the record can be restored.

    Zero and false are left out, and so are the parts of the tool that the record has anyway: a whole tool would make a
    published record twice as long.

    Args:
        tool: the tool that the record was written from: a tool of the source, or a part of one.
        order: the place of the record among those that were written with it, from 0.
        tree: the place in the source of the tool that it is a part of, from 0.
        is_root: whether it is a program that can be called by itself and has lost its commands, which nothing else
            shows.
    """
    places = without_empty({"order": order, "tree": tree, "root": is_root})
    fields = _fields_beyond(_data_of(record, target), to_json(tool))
    return {"digest": digest_of(record, target), **places, "tool": fields}


def _data_of(record: Record, source_format: Format) -> JsonObject:
    """The tool that a record is read as by itself: without its slot, and whatever surrounds it."""
    bare = without_ours(record, source_format, SLOT, PROVENANCE)
    data: JsonObject = to_json(source_format.tool_of(Record(bare.data, bare.body)))
    return data


def _fields_beyond(known: Mapping[str, Any], tool: JsonObject) -> JsonObject:
    """The fields of a tool that differ from what is known of it; `None` for what it does not have.

    >>> _fields_beyond({"id": "a", "title": "A", "origin": "mcp"}, {"id": "a", "title": "A", "version": "1"})
    {'version': '1', 'origin': None}
    """
    fields = {name: tool.get(name) for name in {**tool, **known} if _text(tool.get(name)) != _text(known.get(name))}
    if fields.get("children"):
        fields["children"] = [_fields_beyond(*pair) for pair in _pairs(known, tool["children"])]
    return fields


def _with_fields(known: Mapping[str, Any], fields: Mapping[str, Any]) -> JsonObject:
    """The opposite of `_fields_beyond`.

    >>> _with_fields({"id": "a", "title": "A", "origin": "mcp"}, {"version": "1", "origin": None})
    {'id': 'a', 'title': 'A', 'origin': None, 'version': '1'}
    """
    tool = {**known, **fields}
    if fields.get("children"):
        tool["children"] = [
            _with_fields(before, as_mapping(node)) for before, node in _pairs(known, fields["children"])
        ]
    return tool


def _pairs(known: Mapping[str, Any], children: Any) -> Iterator[tuple[JsonObject, Any]]:
    """The children of a tool, each after what is known of the one at its place."""
    children = as_list(children)
    known_children = [*(known.get("children") or ()), *repeat({}, len(children))]
    return zip(known_children, children, strict=False)


def _text(value: Any) -> str:
    return json.dumps(value)  # `==` takes 1 for true, and one order of properties for another


class _KeptTool(msgspec.Struct, frozen=True):
    """The slot of one record: where it stands in the document, and what it says.

    Attributes:
        tool: the tool in the slot; `None` where it cannot be read.
        is_stale: whether the record was edited since, or no conversion writes such a slot.
    """

    pointer: str
    tool: Tool | None
    is_stale: bool
    part: ProgramPart


def apply_slots(reading: Reading, restore: bool) -> Reading:
    """The reading with its slots applied.

    Args:
        restore: whether the person who runs toolglot believes the slots.
    """
    tools = list(reading.tools)
    parts: dict[int, ProgramPart] = {}
    slots: list[str] = []
    stale: list[str] = []
    for index, record in enumerate(reading.records):
        slot = _slot_of(record, index, reading)
        if slot is None:
            continue
        slots.append(slot.pointer)
        if slot.is_stale or slot.tool is None:
            stale.append(slot.pointer)
        elif restore:
            tools[index] = with_container_facts(slot.tool, record.container)
            parts[index] = slot.part
            continue
        if slot.tool is not None:
            tools[index] = _with_dangers(tools[index], slot.tool)
    beside = [_pointer_beside(key) for key, ours in reading.beside.items() if SLOT in ours]
    if not slots and not beside:
        return reading
    orphans = [pointer for pointer in beside if pointer not in slots]
    slots, stale = [*slots, *orphans], [*stale, *orphans]
    reading = replace(reading, tools=tools, parts=parts, is_restored=bool(parts), slots=slots, stale=stale)
    if not reading.is_restored:
        return reading
    [whole_reading] = join_programs([reading])
    return whole_reading


def _slot_of(record: Record, index: int, reading: Reading) -> _KeptTool | None:
    """The slot of a record, in the record or beside it under its id."""
    source_format = reading.format
    content = ours_in(record, source_format).get(SLOT)
    key = None
    if content is None and reading.beside:
        key = reading.tools[index].id
        content = mapping_at(reading.beside, key).get(SLOT)
    if content is None:
        return None
    pointer = record.pointer + slot_pointer(source_format) if key is None else _pointer_beside(key)
    tool, is_whole = _stored_tool(content, record, source_format)
    is_stale = not is_whole or as_mapping(content).get("digest") != digest_of(record, source_format)
    return _KeptTool(pointer, tool, is_stale, _program_part(content, tool))


def _pointer_beside(key: str) -> str:
    return f"/{BESIDE}/{escape(key)}/{SLOT}"


def _stored_tool(content: Any, record: Record, source_format: Format) -> tuple[Tool | None, bool]:
    """The tool in a slot (`None` where it has none), and whether that is whole and may be restored.

    A tool of the record's own format may not be restored: it would be written again without caution.
    """
    fields = as_mapping(content).get("tool")
    if not isinstance(fields, dict):
        return None, False
    for data_of in (dict, _readable):
        with suppress(msgspec.ValidationError, LookupError, ValueError, TypeError, RecursionError):
            tool = restate_tool(from_json(data_of(_with_fields(_data_of(record, source_format), fields))))
            is_foreign = all(node.origin != source_format.name for _, node in walk_nodes(tool))
            return tool, is_foreign and data_of is dict
    return None, False


_DANGERS: Table = {name: Row(name, bool) for name in safety.FIELDS_OF_DANGER}


def _readable(data: Mapping[str, Any]) -> JsonObject:
    """The fields of a tool that can be read. A danger that cannot be read is unclear, as in any document.

    >>> _readable({"id": "a", "newer": 1, "destructive": True, "billable": "yes", "reversble": False})
    {'id': 'a', 'destructive': True, 'unclear': ['billable', 'reversible']}
    """
    fields: JsonObject = {}
    unclear: list[str] = []
    for name, value in data.items():
        if name == "children":
            fields[name] = [_readable(as_mapping(child)) for child in as_list(value)]
            continue
        try:
            from_json({"id": "", name: value})
            fields[name] = value
        except msgspec.ValidationError:
            unclear += filter(None, [name if name in _DANGERS else nearest_key(name, _DANGERS)])
    return {**fields, "unclear": unclear} if unclear else fields


def _with_dangers(tool: Tool, stored: Tool) -> Tool:
    """A tool with the dangers that the slot of its record states, and nothing else from the slot.

    Where the commands of the two differ, every command gets all dangers.
    """
    leaves, stored_leaves = list(leaves_of(tool)), [leaf.tool for leaf in leaves_of(stored)]
    is_alike = len(leaves) == len(stored_leaves)
    nodes = dict(walk_nodes(tool))
    fields: dict[str, JsonObject] = {}
    for index, leaf in enumerate(leaves):
        others = [stored_leaves[index]] if is_alike else stored_leaves
        warnings = safety.warnings_beyond(leaf.tool, others)
        if warnings:
            fields[leaf.pointer] = {"flags": safety.sort_warnings(warnings.union(nodes[leaf.pointer].flags or ()))}
    return with_fields(tool, fields)


def _program_part(content: Any, tool: Tool | None) -> ProgramPart:
    stated = as_mapping(content)
    order, tree = (stated.get(name, 0) for name in ("order", "tree"))
    of_program = tool is not None and (bool(tool.children) or stated.get("root") is True)
    is_known = type(order) is int and type(tree) is int
    return ProgramPart(order if is_known else 0, tree if is_known else 0, of_program)


def _parts_of_programs(readings: Sequence[Reading]) -> list[list[tuple[int, int]]]:
    """For each program the indexes of reading and tool of its parts, in the order in which they were written."""
    groups: dict[tuple[int, int], list[tuple[ProgramPart, tuple[int, int]]]] = defaultdict(list)
    roots: dict[int, list[Tool]] = defaultdict(list)
    for number, reading in enumerate(readings):
        for index, part in (reading.parts if reading.is_part else {}).items():
            if part.of_program:
                root = replace(reading.tools[index], children=None, inputs=None, bindings=None)
                similar_roots = roots[part.tree]
                if root not in similar_roots:
                    similar_roots.append(root)
                groups[part.tree, similar_roots.index(root)].append((part, (number, index)))
    return [[place for _, place in sorted(group)] for group in groups.values()]


def join_programs(readings: Sequence[Reading]) -> list[Reading]:
    """The readings with the parts of each program joined, whatever the order of the documents.

    A program stands where its first part was read. Parts are joined if they were written together and say the same of
    their program. Parts whose commands could not be told apart in one program are not joined.
    """
    tools: dict[tuple[int, int], Tool | None] = {}
    for places in _parts_of_programs(readings):
        before = [readings[number].tools[index] for number, index in places]
        whole = merge(before)
        if len(whole) == 1 and len(list(leaves_of(whole[0]))) == sum(len(list(leaves_of(tool))) for tool in before):
            tools.update(dict.fromkeys(places))
            tools[min(places)] = whole[0]
    if all(tool is not None for tool in tools.values()):
        return list(readings)
    return [_with_tools(reading, number, tools) for number, reading in enumerate(readings)]


def _with_tools(reading: Reading, number: int, tools: dict[tuple[int, int], Tool | None]) -> Reading:
    """A reading with other tools at some places; `None` takes a tool away."""
    now = [tools.get((number, index), tool) for index, tool in enumerate(reading.tools)]
    indexes = [index for index, tool in enumerate(now) if tool is not None]
    return replace(
        reading,
        tools=[tool for tool in now if tool is not None],
        parts=reading.parts_of(indexes),
    )
