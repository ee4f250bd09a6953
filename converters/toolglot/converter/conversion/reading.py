"""From a document to tools: take its containers apart, check what the reader needs, read each record.

The slot of a lossless conversion is read here like any other unknown data. `slots` interprets it afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion.extension_slots import take_beside
from toolglot.converter.conversion.selection import EVERYTHING, Choice
from toolglot.converter.conversion.vouched_facts import LOCK_MARK, VOUCHED_KEY
from toolglot.converter.formats import Container, Format, Record
from toolglot.converter.formats.kit.places import forget
from toolglot.converter.hub.model import JsonObject, Tool
from toolglot.converter.hub.trees import Cut
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import Problem, find_problems
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import NOTHING, escape, keyed_values, way_to, with_values
from toolglot.errors import ReadError, SchemaError

_MOST_CUT = 10  # commands of a program; with more faults it is hardly a program of this format


class ProgramPart(msgspec.Struct, frozen=True, order=True):
    """The place of a restored tool among the tools that were written together.

    Attributes:
        order: its place among them.
        tree: the number of its tree.
        of_program: whether the tree has, or may have, other commands.
    """

    order: int
    tree: int
    of_program: bool = False


class WholeReading(msgspec.Struct, frozen=True):
    """The whole reading from which some tools were chosen.

    Attributes:
        reading: the reading with all tools.
        places: for each chosen tool its index in that reading, and JSON Pointer of a node -> its pointer there.
    """

    reading: Reading
    places: list[tuple[int, Mapping[str, str]]]


class Reading(msgspec.Struct, frozen=True):
    """A document that was read.

    Attributes:
        records: the records of the document: one for each tool, unless parts of a program were joined.
        leftover: JSON Pointer -> value that stands outside of the records.
        beside: id of a record -> toolglot's own object, for formats without a place for it in a record.
        is_restored: whether a tool was taken from a slot.
        slots: JSON Pointers of the slots, those in records first, in the order of the records.
        stale: the slots that cannot be read, or whose records were edited since they were written.
        parts: index of a restored tool -> its place among the tools that were written together.
        whole: the whole reading, where only some of its tools were chosen.
        faults: the errors of records that were left out because they cannot be read.
    """

    format: Format
    document: Document
    records: list[Record]
    tools: list[Tool]
    leftover: JsonObject
    beside: Mapping[str, Any] = {}
    is_restored: bool = False
    slots: Sequence[str] = ()
    stale: Sequence[str] = ()
    parts: Mapping[int, ProgramPart] = {}
    whole: WholeReading | None = None
    faults: Sequence[ReadError] = ()

    @property
    def is_part(self) -> bool:
        """Whether it has a part of a program whose other parts may stand in other documents."""
        return not self.format.tree and any(part.of_program for part in self.parts.values())

    def record_of(self, index: int) -> Record | None:
        """The record of the tool at an index; `None` where a tool was joined from several records."""
        if self.whole is not None:
            return self.whole.reading.record_of(self.whole.places[index][0])
        if len(self.records) != len(self.tools):
            return None
        return self.records[index]

    def parts_of(self, indexes: Iterable[int]) -> dict[int, ProgramPart]:
        """The parts of the tools at some indexes, numbered anew in the order of these indexes."""
        return {place: self.parts[index] for place, index in enumerate(indexes) if index in self.parts}


def read_records(document: Document, source_format: Format, *, goes_on: bool) -> Reading:
    """The tools of a document as its visible fields describe them.

    Args:
        goes_on: whether a record that cannot be read is left out, and from a program a command that cannot be read.
            Otherwise the first one is raised.

    Raises:
        SchemaError: a record cannot be read; with `goes_on`, none can.
    """
    all_records, beside = records_of(document, source_format)
    records: list[Record] = []
    tools: list[Tool] = []
    faults: list[ReadError] = []
    cut_commands: list[str] = []
    for record in all_records:
        readable, broken = record, dict[str, SchemaError]()
        try:
            if goes_on:
                readable, broken = _without_broken_commands(record, source_format)
            else:
                check_shape(record, source_format)
            tools.append(source_format.tool_of(readable))
        except ReadError as error:
            faults.append(error)
            if not goes_on:
                raise
        else:
            records.append(readable)
            faults += reversed(broken.values())
            cut_commands += broken
    if faults and not tools:
        raise faults[0]
    if cut_commands:
        document = document.without(cut_commands)
    leftover = _find_leftovers(document.data, all_records)
    tools = [with_container_facts(tool, record.container) for tool, record in zip(tools, records, strict=True)]
    return Reading(source_format, document, records, tools, leftover, beside, faults=faults)


def records_of(document: Document, source_format: Format) -> tuple[list[Record], JsonObject]:
    """The records of a document, and toolglot's own object beside them.

    Raises:
        SchemaError: the document is no container of such records, or a text follows that the format has no place for.
    """
    if not source_format.marks.has_body and document.body is not None and document.body.strip():
        message = f"{source_format.name} has no place for the text after the front matter; take it out"
        raise SchemaError(message, code="misplaced-text")
    forget()
    data, beside = take_beside(document.data)
    try:
        records = source_format.records(data)
        if document.body is not None:
            records = [replace(record, body=document.body) for record in records]
        if source_format.follow_links is not None:
            records = [
                replace(record, linked_facts=source_format.follow_links(record.data, document.path))
                for record in records
            ]
    except (KeyError, TypeError, AttributeError):
        raise SchemaError(f"this is not a container of {source_format.name} records") from None
    return records, beside


def with_container_facts(tool: Tool, container: Container) -> Tool:
    """The tool with the facts that its containers state, where it does not state them, or states less danger."""
    facts: JsonObject = {}
    for name, value in container.facts.items():
        own = getattr(tool, name)
        if own is None:
            facts[name] = value
        elif name in safety.SAFETY_FIELDS:
            facts[name] = safety.worse(name, own, value)
    return replace(tool, **facts) if facts else tool


def choose_tools(reading: Reading, asserted_tools: Sequence[Tool], choice: Choice, says_partial: bool) -> Reading:
    """The reading with only the tools and the commands that are meant.

    Args:
        asserted_tools: the tools with the facts that the user asserts, which count for the choice.
        says_partial: as in `Choice.cut`.
    """
    pairs = zip(reading.tools, asserted_tools, strict=True)
    return _with_cuts(reading, enumerate(choice.cut(tool, says_partial, asserted) for tool, asserted in pairs))


def pick_tools(reading: Reading, indexes: Iterable[int]) -> Reading:
    """The reading with only some of its tools."""
    return _with_cuts(reading, ((index, EVERYTHING.cut(reading.tools[index])) for index in indexes))


def _with_cuts(reading: Reading, cuts: Iterable[tuple[int, Cut | None]]) -> Reading:
    """The reading with the cut tools at some indexes; a tool of which nothing is left is left out."""
    kept = [(index, cut) for index, cut in cuts if cut is not None]
    return replace(
        reading,
        tools=[cut.tool for _, cut in kept],
        parts=reading.parts_of(index for index, _ in kept),
        whole=WholeReading(reading, [(index, cut.pointers) for index, cut in kept]),
    )


# Keys that toolglot writes beside tools: slots, the mark of a lock, and the facts that a person vouches for in a lock.
_OURS = ("/toolglot", f"/{LOCK_MARK}", f"/{VOUCHED_KEY}")


def _find_leftovers(data: Any, records: Iterable[Record]) -> JsonObject:
    """The data of a document outside of its records: JSON Pointer -> value, each value as large as possible.

    >>> group = {"type": "namespace", "tools": [{"name": "a"}]}
    >>> _find_leftovers({"model": "m", "tools": [group]}, [Record({"name": "a"}, None, "/tools/0/tools/0")])
    {'/model': 'm', '/tools/0/type': 'namespace'}
    >>> _find_leftovers({"model": "m", "tools": []}, [])
    {'/model': 'm'}
    """
    record_places: dict[str, Any] = {}
    insides: list[dict[str, Any]] = []
    for record in records:
        if not record.pointer:
            return {}
        insides.append(_open_place(record_places, record.pointer))
        insides += [_open_place(record_places, pointer) for pointer in record.container.sources]
        for pointer in record.container.places:
            _open_place(record_places, pointer)
    for inside in insides:  # nothing inside of a record is left over
        inside.clear()
    outside = _walk_outside(take_beside(data)[0], record_places, "")
    leftovers = {pointer: value for pointer, value in outside if pointer not in _OURS}
    if record_places:
        return leftovers
    return {pointer: value for pointer, value in leftovers.items() if value != []}  # the list of the records, none


def _open_place(places: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Add a JSON Pointer to a tree of tokens, and give the part of the tree below it."""
    for token in pointer[1:].split("/"):
        places = places.setdefault(token, {})
    return places


def _walk_outside(node: Any, record_places: dict[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    for key, value in keyed_values(node):
        token = escape(str(key))
        if token not in record_places:
            yield f"{pointer}/{token}", value
        elif record_places[token]:
            yield from _walk_outside(value, record_places[token], f"{pointer}/{token}")


def check_shape(record: Record, source_format: Format) -> None:
    """Refuse a record that the reader could not walk.

    Raises:
        SchemaError: the first fault, with its pointer into the document.
    """
    problems = _find_shape_problems(record, source_format)
    if problems:
        raise _error_of(problems[0], record)


def _find_shape_problems(record: Record, source_format: Format) -> list[Problem]:
    """The problems for which the reader could not walk a record, in the order of the document."""
    name = f"{source_format.name}/{canonical.READING}"
    if canonical.is_valid(record.data, name):
        return []
    problems = list(find_problems(record.data, name))
    if not problems:
        raise SchemaError("the record cannot be checked", pointer=record.pointer)
    return problems


def _error_of(problem: Problem, record: Record) -> SchemaError:
    pointer = record.pointer + problem.pointer
    return SchemaError(problem.message, code=problem.code, pointer=pointer, hint=problem.hint)


def _without_broken_commands(record: Record, source_format: Format) -> tuple[Record, dict[str, SchemaError]]:
    """A program without the commands that the reader could not walk, and the errors of these by their pointers.

    Raises:
        SchemaError: the first fault, where a fault is in no command, or too many commands are broken.
    """
    broken: dict[str, SchemaError] = {}
    data = record.data
    problems = _find_shape_problems(record, source_format)
    for problem in reversed(problems):  # so that no cut changes the index of a command that is still to be cut
        if not broken.keys().isdisjoint(way_to(record.pointer + problem.pointer)):
            continue
        command = source_format.places.command_around(data, problem.pointer)
        if not command or len(broken) == _MOST_CUT:
            raise _error_of(problems[0], record)
        broken[record.pointer + command] = _error_of(problem, record)
        data = with_values(data, {command: NOTHING})
    if broken:
        record = replace(record, data=data)
        check_shape(record, source_format)
    return record, broken
