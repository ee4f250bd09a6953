"""The facts of an `interactive` that stands beside `effects`, where some write it, instead of inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter import safety
from toolglot.converter.formats.atip.tables import INTERACTIVE
from toolglot.converter.formats.kit.field_tables import Table, take
from toolglot.converter.formats.kit.unreadable_facts import Doubt, doubts
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import as_mapping, only_keys, value_at

_BESIDE: Table = {"interactive": INTERACTIVE}


def find_doubts(node: Tool) -> Iterator[Doubt]:
    """What cannot be read of an `interactive` beside `effects`. Keys that are spelled like it do not count there."""
    return doubts(only_keys(node.extension("atip"), _BESIDE), _BESIDE, ())


def believe_misplaced(data: dict[str, Any], rest: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Put the facts of an `interactive` beside `effects` into `fields`; of two values the more dangerous one counts.

    Returns:
        `rest` with both `interactive` as they stand in the document, so that they are written back.
    """
    facts: dict[str, Any] = {}
    take(rest["interactive"], INTERACTIVE, facts)
    for name, value in facts.items():
        fields[name] = safety.worse(name, fields.get(name), value)
    effects = data.get("effects")
    if isinstance(effects, dict) and isinstance(effects.get("interactive"), dict):
        rest = {**rest, "effects": {**rest.get("effects", {}), "interactive": effects["interactive"]}}
    return rest


def said_out_of_place(tool: Tool) -> Iterator[tuple[str, str]]:
    """The facts that the extension states already, at the places of the source: place and field of each.

    >>> beside, inside = {"stdin": "none", "tty": False}, {"tty": True}
    >>> extension = {"interactive": beside, "effects": {"interactive": inside}}
    >>> list(said_out_of_place(Tool(id="a", stdin="none", tty=True, extensions={"atip": extension})))
    [('/interactive/stdin', 'stdin'), ('/effects/interactive/tty', 'tty')]
    """
    rest = tool.extension("atip")
    for place in ("/interactive", "/effects/interactive"):
        block = as_mapping(value_at(rest, place))
        for key, row in INTERACTIVE.items():
            if key in block and block[key] == getattr(tool, row.field):
                yield f"{place}/{key}", row.field
