"""Keys that sound like a danger and that no reader reads. `check`, `diff` and cards name them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from toolglot.converter import safety
from toolglot.converter.conversion.extension_slots import PROVENANCE, SLOT, without_ours
from toolglot.converter.formats import Format, Record
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import pointer_of, way_to, without_keys


def unread_dangers(source_format: Format, node: Tool) -> Iterator[tuple[str, ...]]:
    """The paths of such keys of a node, among the data that the tables of the format left over.

    A danger that cannot be read is reported as such elsewhere, and is not among them.

    >>> from toolglot.converter import formats
    >>> tool = Tool(id="a", extensions={"aip14": {"destructive": True, "colour": "red"}})
    >>> list(unread_dangers(formats.get("aip14"), tool))
    [('destructive',)]
    """
    rest = without_ours(Record(node.extension(source_format.name)), source_format, SLOT, PROVENANCE).data
    stated = without_keys(rest, *source_format.notes)
    sounding = list(safety.sounding_keys(stated, source_format.names_below))
    if not sounding:  # as in most documents; to list what is read takes longer than to find these keys
        return
    elsewhere = [pointer_of(danger.path) for danger in source_format.dangers_elsewhere(node)]
    read = set(chain.from_iterable(map(way_to, (*source_format.known_places, *elsewhere))))
    told = {doubt.pointer for doubt in source_format.doubts_of(node)}
    for path in sounding:
        place = pointer_of(path)
        if place not in read and told.isdisjoint(way_to(place)):
            yield path
