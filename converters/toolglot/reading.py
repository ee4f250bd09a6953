"""Sources to tools: parse, detect, take the containers apart, check what the reader needs, read, restore.

A record may carry the remainder of a lossless conversion. It is believed only if it proves itself: written again
in the record's own format it must give exactly the visible fields. What was edited by hand, or would make the
tool look safer than the visible fields say, does not, and the visible fields win.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import msgspec

from toolglot import formats, report, safety, schemas, text
from toolglot.detection import detect
from toolglot.errors import Error, ParseError, ReadError, SchemaError, escape
from toolglot.formats import Format, Record
from toolglot.model import Tool, from_json, merge, to_json
from toolglot.offers import How, plan, possible_names
from toolglot.writing import Written, express

SLOT = "x-toolglot"  # beside the records, for formats that have no slot inside them


_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Fault = TypeVar("_Fault", bound=Error)


def undisturbed(verb: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """The same verb with Python's collector of cycles paused.

    Tools make no cycles, but so many objects at once that the collector looks through them, and through everything
    else in the process, again and again: a fifth of the time of a large program.
    """

    @wraps(verb)
    def run(*args: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        if not gc.isenabled():
            return verb(*args, **named)
        gc.disable()
        try:
            return verb(*args, **named)
        finally:
            gc.enable()

    return run


class Reading(NamedTuple):
    """A source that was read: its format, its document, and one tool a record."""

    format: Format
    document: text.Document
    records: list[Record]
    tools: list[Tool]
    restored: bool  # whether a remainder was believed
    beside: dict[str, Any]  # JSON Pointer -> what the containers say besides their records
    stale: list[str]  # pointers of remainders that were not


def open_document(source: Any, name: str | None = None, limits: text.Limits = text.DEFAULT_LIMITS) -> text.Document:
    """A document from a path, from text or bytes, or from data that was parsed already."""
    if isinstance(source, text.Document):
        return source
    if isinstance(source, os.PathLike):
        path = os.fsdecode(source)
        document = open_document(text.read_file(source, limits), name or path, limits)
        document.path = path
        return document
    if not isinstance(source, str | bytes):
        return text.from_data(source, limits)
    try:
        return text.load(source, name, limits)
    except ParseError as error:
        opens = source[:3] in ("---", b"---")
        if not opens and (name or "").endswith(".md") and error.code in ("yaml-syntax", "not-a-document"):
            message = "this Markdown has no front matter; a tool description opens with a line of three dashes"
            raise ReadError(message, "no-front-matter", "", 1, 1, name) from None
        raise


@undisturbed
def read_document(document: text.Document, format_name: str | None = None) -> Reading:
    """The tools of a document.

    Raises:
        ReadError: it has no format that is known, or not the one that was named, or breaks what a reader needs.
    """
    found = formats.parse_source(format_name) if format_name else None
    found = found or detect(document.data, document.body, document.name)
    try:
        return _read(document, found)
    except ReadError as error:
        raise at(document, error) from None


def at(document: text.Document, error: _Fault) -> _Fault:
    """The same error with the source's name and the position of its pointer."""
    if error.line is None and (position := document.position(error.pointer)):
        error.line, error.column = position
    error.source = error.source or document.name
    return error


def records_of(document: text.Document, found: Format) -> tuple[list[Record], dict[str, Any]]:
    """The records of a document, and the remainders beside them.

    Raises:
        SchemaError: the document is no container of such records.
    """
    data, beside = _take_beside(document.data)
    try:
        records = found.records(data)
        if document.body is not None:
            records = [record._replace(body=document.body) for record in records]
        if found.look_around is not None:
            records = [record._replace(around=found.look_around(record.data, document.path)) for record in records]
    except (KeyError, TypeError, AttributeError):
        raise SchemaError(f"this is not a container of {found.name} records") from None
    return records, beside


def _read(document: text.Document, found: Format) -> Reading:
    records, beside = records_of(document, found)
    tools: list[tuple[int, int, Tool]] = []
    stale: list[str] = []
    restored = False
    for index, record in enumerate(records):
        check_shape(record, found)
        visible, inside = take_slot(record, found)
        content = beside.get(str(index)) or inside
        tool = _restore(visible, content, found) if content else None
        if tool is not None and content is not None:
            restored = True
            order, tree = content.get("order"), content.get("tree")
            if not (isinstance(order, int) and isinstance(tree, int)):
                order, tree = index, -1 - index
            tools.append((order, tree, tool))
            continue
        if content:
            stale.append(record.pointer)
        tools.append((index, -1 - index, found.read(record)))
    whole_tools = [tool for _, _, tool in tools]
    if restored or any(tool.children for tool in whole_tools):
        whole_tools = _whole(tools, found, len(records))
    return Reading(
        found, document, records, whole_tools, restored, left_over(_take_beside(document.data)[0], records), stale
    )


def _whole(tools: list[tuple[int, int, Tool]], found: Format, count: int) -> list[Tool]:
    """The trees that `count` records hold parts of; each part with its place among them and the tree it is of."""
    trees: dict[int, list[Tool]] = {}
    for _, tree, tool in sorted(tools, key=lambda item: item[0]):
        trees.setdefault(tree, []).append(tool)
    whole_tools = [tool for parts in trees.values() for tool in merge(parts)]
    if not found.tree and sum(1 for tool in whole_tools for _ in tool.leaves()) != count:
        return [tool for _, _, tool in tools]  # parts that do not belong together stay apart
    return whole_tools


def located(reading: Reading, index: int, changes: Iterable[report.Change]) -> Iterator[report.Change]:
    """The changes of one tool of a source with their places in it.

    Args:
        index: which of its tools; -1 for what stands beside them, whose paths lead into the document itself.
    """
    nodes: dict[str, str] = {}
    for change in changes:
        line, column = _position(reading, index, change, nodes) or (None, None)
        yield msgspec.structs.replace(change, source=reading.document.name, line=line, column=column)


def _position(reading: Reading, index: int, change: report.Change, nodes: dict[str, str]) -> tuple[int, int] | None:
    """Line and column of the source's own words for what changed.

    Args:
        nodes: pointers of nodes in the hub -> their pointers in the document, as far as they were asked for.
    """
    if index < 0:
        return reading.document.position(change.path)
    if reading.restored or change.before is None or index >= len(reading.records):
        return None
    node_pointer, name, rest = report.split_path(change.path)
    pointer = nodes.get(node_pointer)
    if pointer is None:
        pointer, node = reading.records[index].pointer, reading.tools[index]
        for step in node_pointer.split("/children/")[1:]:
            node = (node.children or ())[int(step)]
            pointer += reading.format.child_place.format(id=escape(node.id), index=step)
        nodes[node_pointer] = pointer
    inherited = node_pointer == "" and safety.is_inherited(reading.tools[index], name)
    place = reading.format.places.get("implements" if inherited or name == "inherits" else name, "")
    return reading.document.position(pointer + place + (rest if place else ""))


def left_over(data: Any, records: Iterable[Record]) -> dict[str, Any]:
    """What a document says outside its records, by JSON Pointer; each value as large as it can be.

    >>> group = {"type": "namespace", "tools": [{"name": "a"}]}
    >>> left_over({"model": "m", "tools": [group]}, [Record({"name": "a"}, None, "/tools/0/tools/0")])
    {'/model': 'm', '/tools/0/type': 'namespace'}
    """
    taken: dict[str, Any] = {}
    for record in records:
        if not record.pointer:
            return {}
        inside = taken
        for token in record.pointer[1:].split("/"):
            inside = inside.setdefault(token, {})
    return {pointer: value for pointer, value in _outside(data, taken, "") if pointer != "/toolglot"}


def _outside(node: Any, taken: dict[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        token = escape(str(key))
        if token not in taken:
            yield f"{pointer}/{token}", value
        elif taken[token]:
            yield from _outside(value, taken[token], f"{pointer}/{token}")


def check_shape(record: Record, found: Format) -> None:
    """Refuse a record that the reader could not walk.

    Raises:
        SchemaError: the first fault, with its pointer into the document.
    """
    name = f"{found.name}/{schemas.READING}"
    if schemas.is_valid(record.data, name):
        return
    first = next(schemas.problems(record.data, name), None)
    if first is None:
        raise SchemaError("the record cannot be checked", pointer=record.pointer)
    raise SchemaError(
        first.message,
        code=first.code,
        pointer=record.pointer + first.pointer,
        hint=first.hint,
    )


# -- the remainder of a lossless conversion -------------------------------------------------------------------


def _hides_danger(visible: Tool, stored: Tool) -> bool:
    """Whether the visible fields call for more caution than the stored facts that they were written from.

    They can only if the danger hides in what is copied without being understood: extensions, or plain text.
    """
    shown, kept = list(visible.leaves()), list(stored.leaves())
    return len(shown) != len(kept) or any(
        safety.hidden(safety.caution(old.tool), safety.caution(new.tool)) for old, new in zip(shown, kept, strict=True)
    )


def _origins(tool: Tool) -> Iterator[str | None]:
    yield tool.origin
    for child in tool.children or ():
        yield from _origins(child)


def remainder(tool: Tool, order: int, tree: int, version: str | None, strict: bool, how: How) -> dict[str, Any]:
    """What a record carries so that reading it gives back `tool`, a part of the `tree`-th tool of the source.

    `strict` and `how` are how a provider was offered it, without which it would not be written the same again.
    """
    content: dict[str, Any] = {"toolglot": 1, "order": order, "tree": tree, "tool": to_json(tool)}
    asked = {"version": version, "strict": strict, "profile": how.profile, "examples": how.examples}
    asked["safety_text"] = how.safety_text
    return {**content, **{name: value for name, value in asked.items() if value}}


def put_slot(record: Record, found: Format, content: dict[str, Any]) -> Record:
    """The record with the remainder in the format's own slot."""
    assert found.slot is not None
    data = dict(record.data)
    node = data
    for key in found.slot[:-1]:
        if key not in node:
            content = {**content, "alone": True}  # so that taking the slot away takes its holder away too
        node[key] = dict(node.get(key, {}))
        node = node[key]
    node[found.slot[-1]] = content
    return record._replace(data=data)


def take_slot(record: Record, found: Format) -> tuple[Record, dict[str, Any] | None]:
    """The record without its remainder, and the remainder, `None` if there is none.

    What else we put in a slot, such as where a record of a catalogue comes from, is part of the record.
    """
    bare, content = without_slot(record, found)
    return (bare, content) if content is not None and "tool" in content else (record, None)


def without_slot(record: Record, found: Format) -> tuple[Record, dict[str, Any] | None]:
    """The record without what we put into its slot, and that content, `None` if there is none."""
    if found.slot is None:
        return record, None
    *holders, last = found.slot
    node: Any = record.data
    for key in holders:
        node = node.get(key) if isinstance(node, dict) else None
    content = node.get(last) if isinstance(node, dict) else None
    if not isinstance(content, dict) or content.get("toolglot") != 1:
        return record, None
    return record._replace(data=_without(record.data, found.slot, content.get("alone") is True)), content


def _without(data: dict[str, Any], path: tuple[str, ...], alone: bool) -> dict[str, Any]:
    key, *rest = path
    if not rest:
        return {name: value for name, value in data.items() if name != key}
    inner = _without(data[key], tuple(rest), alone)
    if not inner and alone:
        return {name: value for name, value in data.items() if name != key}
    return {**data, key: inner}


def _take_beside(data: Any) -> tuple[Any, dict[str, Any]]:
    if not (isinstance(data, dict) and isinstance(data.get(SLOT), dict) and isinstance(data.get("tools"), list)):
        return data, {}
    beside = {key: value for key, value in data[SLOT].items() if isinstance(value, dict) and "tool" in value}
    if not beside:
        return data, {}  # where the records of a catalogue come from: nothing that restores one
    return {key: value for key, value in data.items() if key != SLOT}, beside


def _restore(visible: Record, content: dict[str, Any], found: Format) -> Tool | None:
    """The tool that the remainder holds, if writing it gives the visible record; else `None`."""
    try:
        stored = from_json(content.get("tool"))
        if found.name in _origins(stored):
            return None  # nothing of the record's own format has a remainder; caution would be skipped for it
        written = _written_again(stored, visible, content, found)
        same = [(record.data, record.body or None) for record in written.records]
        if same != [(visible.data, visible.body or None)]:
            return None
        return None if _hides_danger(found.read(visible), written.said[0]) else stored
    except (msgspec.ValidationError, Error, KeyError, TypeError, ValueError, AttributeError):
        return None  # a remainder is untrusted data; whatever is wrong with it, the visible fields stand


def _written_again(stored: Tool, visible: Record, content: dict[str, Any], found: Format) -> Written:
    version = content.get("version")
    if not found.profiles:
        return express(stored, found, version, None)
    how = How(
        strict=content.get("strict"),
        profile=content.get("profile"),
        examples=content.get("examples") is True,
        safety_text=content.get("safety_text"),
    )
    (offers,) = plan([stored], found, version, how)
    # The name may carry a hash because of what else was in the request; any that this tool can get will do.
    shown = found.read(visible).id
    offers = [
        offer._replace(name=shown) if shown in possible_names(offer, found, version, how) else offer for offer in offers
    ]
    return express(stored, found, version, None, offers)
