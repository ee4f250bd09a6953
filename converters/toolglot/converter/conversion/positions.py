"""Where the subject of a report's entry stands: line, column and command in the source, and its line in the result.

The hub has a tool as fields and a tree of children. `Format.places` tells where a document of the format has them. A
value that the source does not say has no place, but the command that lacks it has one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from toolglot.converter import safety
from toolglot.converter.conversion.leaf_comparison import LeafPair
from toolglot.converter.conversion.read_back import ReadBack
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.converter.formats import Format, Record
from toolglot.converter.hub.fields import noun_of
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.caches import Same, cache_short
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import escape, unescape, value_at, way_to

LineAndColumn = tuple[int, int] | None


_WORD = re.compile(r"[\w$-]+")


@cache_short(1024)  # the commands of a program have the same fields; without it its report takes 3 % longer
def dotted(pointer: str) -> str:
    """A JSON Pointer in the way that people write it.

    >>> dotted("/effects/destructive"), dotted("/examples/0/a.b")
    ('effects.destructive', 'examples[0]["a.b"]')
    """
    text = ""
    for token in pointer.split("/")[1:]:
        token = unescape(token)
        if token.isdigit():
            text += f"[{token}]"
        elif _WORD.fullmatch(token):
            text += f".{token}" if text else token
        else:
            text += f"[{json.dumps(token, ensure_ascii=False)}]"
    return text


def _words_of_node(tool: Tool, node: str) -> str:
    """The words that call a node of a tree on a command line.

    >>> _words_of_node(Tool(id="gh", children=(Tool(id="pr", children=(Tool(id="list"),)),)), "/children/0/children/0")
    'gh pr list'
    """
    words = [tool.id]
    for step in node.split("/children/")[1:]:
        tool = (tool.children or ())[int(step)]
        words.append(tool.id)
    return " ".join(filter(None, words))


class CommandPlaces:
    """The places of the commands in a document.

    They are collected once for each tool. To search them for each of a thousand findings would take a thousand times as
    long.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._words: dict[int, dict[str, str]] = {}  # index of a tool -> place of a command -> its words

    def words_at(self, index: int, pointer: str) -> tuple[str, str]:
        """The words of the command that a JSON Pointer into the record at `index` leads to, and the rest of it.

        Where the pointer leads to no command below the tool, there are no words, and the rest is the whole pointer.
        """
        reading = self.reading
        if index >= len(reading.tools) or reading.is_restored or not reading.format.tree:
            return "", pointer
        if index not in self._words:
            tool = reading.tools[index]
            commands = _commands_below(reading.format, reading.records[index].data, tool, "", tool.id)
            self._words[index] = dict(reversed([*commands]))  # of two commands at one place the first counts
        words = self._words[index]
        place = pointer
        while place and place not in words:
            place = place.rpartition("/")[0]
        return words.get(place, ""), pointer[len(place) :]


def _commands_below(
    source_format: Format, data: dict[str, Any], tool: Tool, place: str, words: str
) -> Iterator[tuple[str, str]]:
    """The place and the words of every command below the tool at `place`."""
    for index, child in enumerate(tool.children or ()):
        inner = source_format.places.child(data, place, child.id, index)
        words_of_child = " ".join(filter(None, (words, child.id)))
        yield inner, words_of_child
        yield from _commands_below(source_format, data, child, inner, words_of_child)


class SourcePlace(msgspec.Struct, frozen=True):
    """Where a source says a field.

    Attributes:
        document: the source.
        pointer: JSON Pointer of the value in the document, or of the tool where the source does not say it; `None` if
            that is not known.
        spelling: JSON Pointer of the value from the command that says it; empty where the source does not say it.
        word: the value, if it is one word.
        body_offset: offset in the text after the data, where the value stands in that text.
    """

    document: Document
    pointer: str | None
    spelling: str = ""
    word: Any = None
    body_offset: int | None = None

    @property
    def position(self) -> LineAndColumn:
        """Line and column, counted from 1."""
        if self.body_offset is not None:
            return self.document.body_position(self.body_offset)
        return None if self.pointer is None else self.document.position(self.pointer)

    @property
    def line(self) -> int | None:
        """The line alone, counted from 1."""
        position = self.position
        return None if position is None else position[0]


class SourcePlaces:
    """Where a source says the fields of one of its tools.

    Args:
        reading: the source. Where only some of its commands were chosen, places are those in the whole source.
        index: index of the tool.
    """

    def __init__(self, reading: Reading, index: int) -> None:
        self._pointers: Mapping[str, str] = {}  # of nodes of a part -> those in the whole
        if reading.whole is not None:
            index, self._pointers = reading.whole.places[index]
            reading = reading.whole.reading
        self._reading, self._index = reading, index
        self._nodes: dict[str, tuple[str, Any]] = {}  # what `find_node` gave
        self.document = reading.document

    def path_and_words(self, node: str, path: str) -> tuple[str, str]:
        """The path of a change in the whole source, and the words of the command that the path leads to."""
        whole = self._pointers.get(node, node)
        words = _words_of_node(self._reading.tools[self._index], whole) if whole else ""
        return whole + path[len(node) :], words

    def find(self, node: str, field: str, rest: str, value: Any = None, would_say: bool = False) -> SourcePlace:
        """Where the source says a field.

        Args:
            node: JSON Pointer of the node in the tree of the tool.
            field: a field of the hub; empty for the node itself.
            rest: JSON Pointer in the field's value.
            value: the value that was read, if it is known.
            would_say: whether the place where the source could say it counts too.
        """
        reading, document = self._reading, self.document
        node = self._pointers.get(node, node)
        if self._index >= len(reading.records):
            return SourcePlace(document, None)
        tool = reading.tools[self._index]
        if reading.is_restored:
            # The tree is that of another document; which record a part of it was read from is known only one by one.
            record_of_tool = reading.record_of(self._index)
            return SourcePlace(document, record_of_tool.pointer if record_of_tool is not None else None)
        record = reading.records[self._index]
        if field == "inherits" or (not node and safety.is_inherited(tool, field)):
            field = "implements"
        if node not in self._nodes:
            self._nodes[node] = find_node(reading.format, record, tool, node)
        pointer, data = self._nodes[node]
        place = find_place(reading.format, data, field, rest, value)
        if not place:
            elsewhere = _find_outside_data(reading, record, node, field)
            if elsewhere is not None:
                return elsewhere
            key_word = reading.format.places.key_word(tool, field) if field else None
            if key_word is not None:
                return SourcePlace(document, pointer, f"/{key_word}", key_word)
            if would_say:
                place = find_around(reading.format, data, field)
        if reading.format.syntax == "kdl" and field:  # its places are numbers of nodes, which say nothing to people
            return SourcePlace(document, pointer + place, _name_in_kdl(field, rest))
        word = value_at(data, place) if place else None
        if not isinstance(word, bool | int | str):
            word = None
        referenced = reading.format.find_referenced(record, field, rest) if rest else ""
        return SourcePlace(document, referenced or pointer + place, place, word)


def _name_in_kdl(field: str, rest: str) -> str:
    """The name of the subject of a change in a KDL document, whose places say nothing to people."""
    if field == "extensions" and rest.count("/") > 1:
        return "/" + "/".join(rest.split("/")[2:])
    return f"/{noun_of(field)}"


def find_position(reading: Reading, index: int, node: str, field: str, rest: str) -> LineAndColumn:
    """Line and column of a field in the source, or of the object that would have it."""
    return SourcePlaces(reading, index).find(node, field, rest, would_say=True).position


def _find_outside_data(reading: Reading, record: Record, node: str, field: str) -> SourcePlace | None:
    """The place of a field that the container of the record says, or the text after the data."""
    if not node:
        for place, field_of_place in record.container.places.items():
            if field_of_place == field:
                return SourcePlace(reading.document, place, place)
    heading = reading.format.places.sections.get(field)
    if heading is None:
        return None
    offset = _find_heading(reading.document, heading)
    if offset is None:
        return None
    spelling = f"/{escape(heading)}" if heading else ""
    return SourcePlace(reading.document, None, spelling, body_offset=offset)


def find_node(source_format: Format, record: Record, tool: Tool, node: str) -> tuple[str, Any]:
    """JSON Pointer of a node of the tree in the record, and the data there."""
    place = ""
    for step in node.split("/children/")[1:]:
        tool = (tool.children or ())[int(step)]
        place = source_format.places.child(record.data, place, tool.id, int(step))
    return record.pointer + place, value_at(record.data, place) if place else record.data


def find_place(
    source_format: Format, data: Any, field: str, rest: str = "", value: Any = None, would_say: bool = False
) -> str:
    """JSON Pointer, from a node, of the value of a hub field; empty where the node does not say it.

    Args:
        value: the value that was read, if it is known.
        would_say: whether the place where the node could say it counts too.
    """
    places = source_format.places
    if field == "extensions" and field not in places.fields:
        owner, _, inner = rest[1:].partition("/")
        if not inner or unescape(owner) != source_format.name:
            return ""
        return places.find_key(data, f"/{inner}")
    return places.suited(data, field, rest) if would_say else places.find(data, field, rest, value)


def find_around(source_format: Format, data: Any, field: str) -> str:
    """JSON Pointer of the object in which a node would say a hub field; empty where that is the node itself."""
    place = find_place(source_format, data, field, would_say=True)
    return next(around for around in way_to(place) if not around or value_at(data, around) is not None)


def _find_heading(document: Document, heading: str) -> int | None:
    """Offset of a heading in the Markdown after the data; for an empty heading, the offset where the text begins."""
    body = document.body or ""
    pattern = rf"^#+[ \t]+{re.escape(heading)}[ \t#]*\r?$" if heading else r"\S"
    match = re.search(pattern, body, re.MULTILINE | re.IGNORECASE)
    return match.start() if match else None


# -- where a result says it ----------------------------------------------------------------------------------------


class WrittenDocuments:
    """The documents of a result, parsed again to find the lines of values.

    Args:
        files: names and texts of the files.
        target: the format of the files.
        backs: every tool of the conversion, in the order of their records.
    """

    def __init__(self, files: Sequence[tuple[str, str]], target: Format, backs: Sequence[ReadBack]) -> None:
        self._has_tree = target.tree
        self._readings = [read_document(open_document(text, name), target.name) for name, text in files]
        self._first: dict[Same[ReadBack], int] = {}  # the number of the first record of a tool
        number = 0
        for back in backs:
            self._first[Same(back)] = number
            number += len(back.result.records)

    def place(self, back: ReadBack, pair: LeafPair, name: str, rest: str) -> tuple[int, int] | None:
        """Index of the document and line in it where a field of a command stands; `None` where it stands nowhere."""
        number = self._first[Same(back)] + pair.record
        document = number if len(self._readings) > 1 else 0
        index = 0 if len(self._readings) > 1 else number
        node = pair.after.pointer if self._has_tree else ""
        position = find_position(self._readings[document], index, node, name, rest)
        return None if position is None else (document, position[0])
