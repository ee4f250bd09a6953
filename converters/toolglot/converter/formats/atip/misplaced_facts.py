"""Facts that stand beside the effects instead of inside."""

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
    """`interactive` beside the effects, where some write it; a slip of it there is no slip of a key of the format."""
    return doubts(only_keys(node.extension("atip"), _BESIDE), _BESIDE, ())


def believe_misplaced(data: dict[str, Any], rest: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Take the facts of an `interactive` that stands beside `effects` instead of inside; it stays where it is."""
    facts: dict[str, Any] = {}
    take(rest["interactive"], INTERACTIVE, facts)
    for name, value in facts.items():
        fields[name] = safety.worse(name, fields.get(name), value)
    effects = data.get("effects")
    if isinstance(effects, dict) and isinstance(effects.get("interactive"), dict):
        rest = {**rest, "effects": {**rest.get("effects", {}), "interactive": effects["interactive"]}}
    return rest


def said_out_of_place(tool: Tool) -> Iterator[tuple[str, str]]:
    """The facts that the extension says already, where the source has them: place and field of each.

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
