"""What kind of document a text is: its format, the canonical schema of its records, and where these stand.

It is asked of the last text that could be read, because while one types most cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from toolglot.converter.conversion.positions import find_node
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.formats import Format
from toolglot.converter.formats.detection import detect_by_name, manifest
from toolglot.converter.hub.trees import walk_nodes
from toolglot.converter.schema import canonical
from toolglot.converter.text.pointers import tokens_of
from toolglot.converter.text.serialization import Document
from toolglot.errors import Error

Keys = tuple[str, ...]
_USUAL_RECORDS: tuple[Keys, ...] = ((), ("*",), ("tools", "*"))


class DescribedNode(msgspec.Struct, frozen=True):
    """A tool of a document, or a command of one: the way to it, and what it says."""

    path: Keys
    data: Any


class DescribedText(msgspec.Struct, frozen=True):
    """What is known of a text.

    Attributes:
        schema: the name of the canonical schema of its records.
        format: `None` of what stands beside tools, such as a driver.
        records: the ways to its records; `*` is every index.
        nodes: its tools and their commands, those inside others last.
        data: what it says.
    """

    schema: str
    format: Format | None = None
    records: Sequence[Keys] = ((),)
    nodes: Sequence[DescribedNode] = ()
    data: Any = None

    @property
    def title(self) -> str:
        """What the format is called, with its version; of what has no format the title of its schema."""
        version = self.schema.partition("/")[2]
        return f"{self.format.title} {version}" if self.format else str(canonical.load(self.schema).get("title", ""))

    def way_in_record(self, path: Keys) -> Keys:
        """The way to an entry from the record that it stands in."""
        return path[max((len(record) for record in self.records if _leads_to(record, path)), default=0) :]

    def node_around(self, path: Keys) -> DescribedNode | None:
        """The innermost tool or command that an entry stands in."""
        return max((node for node in self.nodes if path[: len(node.path)] == node.path), key=_depth, default=None)


def _depth(node: DescribedNode) -> int:
    return len(node.path)


def _leads_to(record: Keys, path: Keys) -> bool:
    pairs = zip(record, path, strict=False)
    return len(record) <= len(path) and all(step == token or (step == "*" and token.isdigit()) for step, token in pairs)


def describe_document(document: Document) -> DescribedText | None:
    """What a document is; `None` where it is nothing that we know."""
    companion = manifest(document.data, document.body, document.name)
    if companion is not None:
        return DescribedText(companion.schema, data=document.data)
    try:
        reading = read_document(document)
    except Error:
        return describe_name(document.name or "")
    if not reading.records:
        return describe_name(document.name or "")
    own, nodes = reading.format, tuple(_nodes_of(reading))
    if own.checks.of_document is not None:  # its schema is about the whole document
        return DescribedText(f"{own.name}/{own.version_of(document.data)}", own, nodes=nodes, data=document.data)
    ways = {
        tuple(["*" if token.isdigit() else token for token in tokens_of(record.pointer) or ()])
        for record in reading.records
    }
    schema = f"{own.name}/{own.version_of(reading.records[0].data)}"
    return DescribedText(schema, own, sorted({*ways, *_USUAL_RECORDS}), nodes, document.data)


def _nodes_of(reading: Reading) -> Iterator[DescribedNode]:
    for record, tool in zip(reading.records, reading.tools, strict=False):
        for pointer, _ in walk_nodes(tool):
            place, data = find_node(reading.format, record, tool, pointer)
            yield DescribedNode(tuple(tokens_of(place) or ()), data)


def describe_name(name: str) -> DescribedText | None:
    """What a text is by the name of its file alone, in the newest version."""
    own = detect_by_name(name)
    if own is None:
        return None
    return DescribedText(f"{own.name}/{own.described_by((own.writes or own.versions)[-1])}", own, _USUAL_RECORDS)
