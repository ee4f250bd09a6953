"""The tools of a catalogue, each as the bytes that are sent: the descriptor, and its compact view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from toolglot.converter.text.serialization import dump_json_line
from toolglot.runtime.serving.catalog.compact_view import make_compact_view
from toolglot.verbs.catalogs import Entry

FORMAT = "tool-descriptor"
SOURCES = ("connector", "host-extension", "mcp", "node-pack", "workflow")


class Descriptor(NamedTuple):
    """One tool of the catalogue.

    Attributes:
        scopes: the scopes that a principal needs to see it.
        standard, compact: its JSON in both views.
    """

    tool_id: str
    source: str
    scopes: frozenset[str]
    standard: bytes
    compact: bytes
    entry: Entry

    def json(self, is_compact: bool) -> bytes:
        return self.compact if is_compact else self.standard


def descriptors_of(entries: Iterable[Entry]) -> list[Descriptor]:
    """The descriptors of settled entries, in the order of their ids.

    Args:
        entries: gathered for `FORMAT`.
    """
    return sorted((_descriptor_of(entry) for entry in entries), key=lambda descriptor: descriptor.tool_id)


def _descriptor_of(entry: Entry) -> Descriptor:
    assert entry.record is not None
    data = entry.record.data
    # The tool's own as well: a scope that a descriptor could not spell would otherwise open it to everybody.
    scopes_of_tool = (entry.tool.scopes if entry.tool else None) or ()
    scopes = frozenset([*data.get("auth", {}).get("scopes", ()), *scopes_of_tool])
    return Descriptor(data["toolId"], data["source"], scopes, _encode(data), _encode(make_compact_view(data)), entry)


def _encode(data: Any) -> bytes:
    """Compact JSON. A lone surrogate, which UTF-8 cannot encode, becomes an escape."""
    return dump_json_line(data).encode("utf-8", "backslashreplace")
