"""What kind of thing an entry of a document is: of which format, and described by which canonical schema."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from toolglot.converter import formats
from toolglot.converter.conversion.positions import find_node
from toolglot.converter.conversion.reading import check_shape, records_of
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.detection import detect_by_name, format_of, manifest
from toolglot.converter.hub.trees import walk_nodes
from toolglot.converter.schema import canonical
from toolglot.converter.text.pointers import as_mapping, way_to
from toolglot.errors import Error
from toolglot.runtime.editor.entries import EntryAtPlace


class DescribedEntry(NamedTuple):
    """An entry as the formats know it.

    Attributes:
        format: `None` of what stands beside tools, such as a driver.
        schema: the name of the canonical schema of its record.
        pointer: its JSON Pointer from there.
        node: what the tool or the command says that it belongs to.
        own_pointer: its JSON Pointer from there.
    """

    format: Format | None
    schema: str
    pointer: str
    node: Any = None
    own_pointer: str = ""

    @property
    def title(self) -> str:
        """What the format is called, with its version; of what has no format the title of its schema."""
        if self.format is None:
            return str(canonical.load(self.schema).get("title", ""))
        return f"{self.format.title} {self.schema.partition('/')[2]}"


def find_files(entry: EntryAtPlace) -> list[str]:
    """The files that an entry leads to, or the entry around it."""
    document, described = entry.document, describe_entry(entry)
    if described is None or document.path is None:
        return []
    family = described.schema.partition("/")[0]
    owner = formats.find(family)  # some companions belong to no format
    files = owner.find_files(as_mapping(document.data), document.path) if owner and owner.find_files else {}
    return next(([*files[place]] for place in way_to(entry.pointer) if files.get(place)), [])


def describe_entry(entry: EntryAtPlace) -> DescribedEntry | None:
    """What an entry is; `None` where nobody knows the document."""
    document, pointer = entry.document, entry.pointer
    companion = manifest(document.data, document.body, document.name)
    if companion is not None:
        return DescribedEntry(None, companion.schema, pointer)
    own = detect_by_name(document.name or "")
    with suppress(Error):
        own = format_of(document)
    if own is None:
        return None
    if own.checks.is_of_document:  # its schema is about the whole document
        return DescribedEntry(own, f"{own.name}/{own.version_of(document.data)}", pointer)
    records: dict[str, Record] = {}
    with suppress(Error):
        records = {record.pointer: record for record in records_of(document, own)[0]}
    place = next((place for place in way_to(pointer) if place in records), None)
    if place is None:
        return None
    record = records[place]
    nodes = {place: record.data}
    with suppress(Error):
        check_shape(record, own)  # no reader takes what somebody is writing
        tool = own.tool_of(record)
        nodes |= dict(find_node(own, record, tool, node) for node, _ in walk_nodes(tool))
    own_place = next(place for place in way_to(pointer) if place in nodes)
    schema = f"{own.name}/{own.version_of(record.data)}"
    return DescribedEntry(own, schema, pointer[len(place) :], nodes[own_place], pointer[len(own_place) :])
