"""The tools of one side of a comparison: flat, each with what its format can say and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion import report
from toolglot.converter.conversion.extension_slots import PROVENANCE, SLOT, without_ours
from toolglot.converter.conversion.positions import find_position
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import Source, open_document, read_document
from toolglot.converter.formats import Format, Record
from toolglot.converter.hub.fields import fields_with
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text.pointers import tokens_of, without_keys, without_place
from toolglot.errors import UsageError

ContractSource = Source | Tool | tuple[Tool, ...] | tuple[Reading, ...]

FilePosition = tuple[str | None, int | None, int | None]
"""Name of the file, line and column, as far as they are known."""


class Origin(NamedTuple):
    """Where a tree of tools was read; `reading` is `None` for tools that were given directly."""

    format: Format | None
    reading: Reading | None = None
    number: int = 0

    @property
    def holds(self) -> frozenset[str]:
        """The fields of the hub that the format can say; all of them without a format."""
        if self.format:
            return self.format.holds | self.format.also_states
        return frozenset(Tool.__struct_fields__)


class ContractEntry(NamedTuple):
    """One node of a tree.

    Attributes:
        path: the words by which it is called; a node without a name adds none.
        tool: the node, with what it inherits if it can be called.
        pointer: where it stands in its tree.
        root: the tree.
        callable: whether it can be called; else it groups others.
    """

    path: tuple[str, ...]
    tool: Tool
    pointer: str
    root: Tool
    origin: Origin
    callable: bool

    @property
    def id(self) -> str:
        """Its path in one line."""
        return " ".join(self.path)

    @property
    def own(self) -> Tool:
        """The node without what it inherits."""
        node = self.root
        for index in self.pointer.split("/children/")[1:]:
            node = (node.children or ())[int(index)]
        return node

    def position(self, place: str) -> FilePosition:
        """Where it says something.

        Args:
            place: JSON Pointer from there, such as `/inputs/properties/a`.
        """
        source_format, reading, number = self.origin
        if reading is None:
            return None, None, None
        name = reading.document.name
        if reading.is_restored or number >= len(reading.records) or source_format is None:
            return name, None, None
        _, field, rest = report.split_path(place)
        line, column = find_position(reading, number, self.pointer, field, rest) or (None, None)
        return name, line, column


EntryPair = tuple[ContractEntry, ContractEntry]
"""The same tool as it was and as it is."""


def read_side(source: ContractSource) -> list[ContractEntry]:
    """The entries of a source, of a tool, of a list of tools, or of a list of readings.

    Raises:
        ReadError: a source cannot be read.
        UsageError: it is none of these.
    """
    if isinstance(source, Tool):
        source = [source]
    if isinstance(source, tuple):
        source = list(source)
    if not isinstance(source, list) or (source and all(isinstance(item, dict) for item in source)):  # parsed already
        return list(_entries_of_reading(read_document(open_document(source), hears_slots=False)))
    entries: list[ContractEntry] = []
    if all(isinstance(item, Tool) for item in source):
        for tool in source:
            entries += _entries_of_tool(tool, Origin(formats.find(tool.origin)))
    elif all(isinstance(item, Reading) for item in source):
        for reading in source:
            entries += _entries_of_reading(reading)
    else:
        raise UsageError("tools to compare are a source, a Tool, or a list of Tools; pass one of these", "bad-source")
    return entries


def _entries_of_reading(reading: Reading) -> Iterator[ContractEntry]:
    for index, tool in enumerate(reading.tools):
        yield from _entries_of_tool(tool, Origin(reading.format, reading, index))


_OF_DRIVERS = fields_with(of_links=True, handed_down="same")


def _entries_of_tool(tool: Tool, origin: Origin) -> Iterator[ContractEntry]:
    tool = _without_spelling(tool, origin.format)
    if tool.own is not None:  # what runs it, and how that signs in, may change without its contract
        tool = replace(tool, **{name: getattr(tool.own, name) for name in _OF_DRIVERS})
    for leaf in leaves_of(tool):
        yield ContractEntry(_named_words(leaf.path), leaf.tool, leaf.pointer, tool, origin, callable=True)
    yield from _groups(tool, (), "", tool, origin)


def _without_spelling(tool: Tool, source_format: Format | None) -> Tool:
    """The tool without what only says how its document spells things, such as the version of the format, and without
    what is ours in it, apart from the mark: what a conversion kept, and where a record comes from."""
    if source_format is None or tool.extensions is None:
        return tool
    own = tool.extensions.get(source_format.name)
    if not isinstance(own, dict):
        return tool
    extensions = without_keys(tool.extensions, source_format.name)
    bare = without_ours(Record(own), source_format, SLOT, PROVENANCE).data
    rest = without_keys(bare, *source_format.spelling.keys)
    for place in source_format.spelling.echoes(tool):
        rest = without_place(rest, tokens_of(place) or [place])
    if rest:
        extensions[source_format.name] = rest
    return replace(tool, extensions=extensions or None)


def _groups(node: Tool, above: tuple[str, ...], pointer: str, root: Tool, origin: Origin) -> Iterator[ContractEntry]:
    path = (*above, node.id)
    if not node.callable:
        yield ContractEntry(_named_words(path), node, pointer, root, origin, callable=False)
    for index, child in enumerate(node.children or ()):
        yield from _groups(child, path, f"{pointer}/children/{index}", root, origin)


def _named_words(path: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, path)) or ("",)
