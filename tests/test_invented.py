"""Command lines that a conversion made up are marked, and the mark goes where they go."""

from __future__ import annotations

import json
from typing import Any

import toolglot
from rows import for_each
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
MCP = {"name": "remove", "description": "Remove a file.", "inputSchema": SCHEMA}
PROGRAM: dict[str, Any] = {
    "atip": {"version": "0.6"},
    "name": "box",
    "version": "1",
    "description": "Boxes.",
    "commands": {
        "ls": {"description": "List."},
        "rm": {
            "description": "Remove.",
            "options": [{"name": "f", "flags": ["-f"], "type": "boolean", "description": "."}],
        },
    },
}


def program_with(**option: str) -> dict[str, Any]:
    """An old program with one option, which is no valid one."""
    options = [{**option, "type": "boolean", "description": "."}]
    return {**PROGRAM, "atip": "0.1", "commands": {"rm": {"description": "Remove.", "options": options}}}


def tool_after(source: Any, *formats: str, lossless: bool = False) -> Tool:
    text: Any = source
    for name in formats:
        text = toolglot.convert(text, name, lossless=lossless).text
    [tool] = toolglot.read(text)
    return next(leaves_of(tool)).tool


@for_each(
    "source, formats, is_invented",
    [
        (MCP, ("atip",), True),
        ({**MCP, "inputSchema": {"type": "object", "properties": {}}}, ("atip",), True),
        (MCP, ("atip", "hub"), True),
        (MCP, ("atip", "hub", "atip"), True),
        (MCP, ("atip", "atip@0.3"), True),
        (MCP, ("atip", "mcp", "atip"), True),
        (MCP, ("hub", "atip"), True),
        (PROGRAM, ("hub", "atip"), False),
        (PROGRAM, ("atip@0.3", "hub", "atip@0.6"), False),
        ({**PROGRAM, "trust": {"source": "vendor"}}, ("hub", "atip"), False),
        ({**PROGRAM, "commands": {"ls": {"description": "List."}}}, ("hub", "atip"), False),
        (program_with(name="force", flags="-f, --force"), ("hub", "atip"), False),
        (program_with(name="--force"), ("hub", "atip"), False),
        (program_with(name="force"), ("hub", "atip"), True),
        (program_with(name="force", flags="f"), ("hub", "atip"), True),
    ],
)
def test_what_is_made_up_is_marked(source: Any, formats: tuple[str, ...], is_invented: bool) -> None:
    assert tool_after(json.dumps(source), *formats).is_invented is is_invented


def test_a_mark_is_no_part_of_what_a_lossless_conversion_restores() -> None:
    there = toolglot.convert(MCP, "atip", lossless=True)
    assert '"x-invented": true' in there.text
    assert MCP in json.loads(toolglot.convert(there.text, "mcp", restore=True).text)["tools"]
