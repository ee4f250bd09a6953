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
from toolglot.converter.text.pointers import as_mapping, pointer_of, tokens_of, way_to
from toolglot.errors import Error
from toolglot.runtime.editor.entries import EntryAtPlace

KeyPath = tuple[str, ...]


class DescribedEntry(NamedTuple):
    """An entry as the formats know it.

    Attributes:
        format: `None` of what stands beside tools, such as a driver.
        schema: the name of the canonical schema of its record.
        keys: what leads to it from there.
        node: what the tool or the command says that it belongs to.
        own_keys: what leads to it from there.
    """

    format: Format | None
    schema: str
    keys: KeyPath
    node: Any = None
    own_keys: KeyPath = ()

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
    return next(([*files[place]] for place in way_to(pointer_of(entry.keys)) if files.get(place)), [])


def describe_entry(entry: EntryAtPlace) -> DescribedEntry | None:
    """What an entry is; `None` where nobody knows the document."""
    document, keys = entry.document, entry.keys
    companion = manifest(document.data, document.body, document.name)
    if companion is not None:
        return DescribedEntry(None, companion.schema, keys)
    own = detect_by_name(document.name or "")
    with suppress(Error):
        own = format_of(document)
    if own is None:
        return None
    if own.checks.of_document is not None:  # its schema is about the whole document
        return DescribedEntry(own, f"{own.name}/{own.version_of(document.data)}", keys)
    records: list[Record] = []
    with suppress(Error):
        records, _ = records_of(document, own)
    for record in records:
        inner = _keys_below(record.pointer, keys)
        if inner is not None:
            schema = f"{own.name}/{own.version_of(record.data)}"
            return _with_node(DescribedEntry(own, schema, inner, record.data, inner), own, record, keys)
    return None


def _with_node(described: DescribedEntry, own: Format, record: Record, keys: KeyPath) -> DescribedEntry:
    """An entry with the command of a program that it belongs to, where it is that of one."""
    with suppress(Error):
        check_shape(record, own)  # no reader takes what somebody is writing
        tool = own.tool_of(record)
        for pointer, _ in walk_nodes(tool):
            place, node = find_node(own, record, tool, pointer)
            inner = _keys_below(place, keys)
            if inner is not None:
                described = described._replace(node=node, own_keys=inner)
    return described


def _keys_below(pointer: str, keys: KeyPath) -> KeyPath | None:
    """The rest of a way that begins with a JSON Pointer; `None` where it leads elsewhere."""
    above = tuple(tokens_of(pointer) or ())
    return keys[len(above) :] if keys[: len(above)] == above else None
