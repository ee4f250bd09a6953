"""Every entry of a report stands where its source says it, judged by the text at that place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import toolglot
from golden import FIXTURES
from rows import for_each, sample
from toolglot.converter import formats
from toolglot.errors import Error

DOCUMENTS = sorted(path for kind in ("identity", "tolerated") for path in (FIXTURES / kind).rglob("*.json"))
TARGETS = ("atip", "atdf", "aip14", "openai")
# What is read from a text of its own: the words of a path, a description without its flags, a number of milliseconds,
# a word for who is shown a tool, a list of ways to sign in.
# `additionalProperties: false` is read from a list of parameters, which has all of them, `format` from its type words.
DERIVED = (
    "/id",
    "/truncated",
    "/description",
    "/summary",
    "/flags",
    "/timeout_ms",
    "/safety_tier",
    "/cost_estimate",
    "/when_to_use",
    "/hidden",
    "/auth_required",
)


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def value_at(lines: list[str], line: int, column: int) -> Any:
    """The JSON value that begins at a place."""
    rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
    return json.JSONDecoder().raw_decode(rest)[0]


@for_each(("number", "path"), enumerate(DOCUMENTS), ids=[label(path) for path in DOCUMENTS])
def test_the_text_at_the_place_is_the_value(number: int, path: Path) -> None:
    lines = path.read_text("utf-8").split("\n")
    for target in sample(TARGETS, 5, number):
        try:
            report = toolglot.convert(path, target).report
        except Error:
            continue
        for change in report.changes:
            assert change.line is not None, change
            assert change.column is not None, change
            found = value_at(lines, change.line, change.column)
            plain = isinstance(change.before, str | int | float | bool)
            closed = change.path.endswith("/additionalProperties") and change.before is False
            # A tool that a provider defines itself states facts by what it is: they stand where the whole tool does.
            is_built_in = isinstance(found, dict) and change.fact in ("network", "subprocess", "writes_files")
            inferred = closed or is_built_in or change.path.endswith(("/format", "/description"))
            if plain and not inferred and not change.place.split(" ")[-1].startswith(DERIVED):
                assert str(found) == str(change.before), (target, change)


def tool_md(*lines: str) -> str:
    return "\n".join(("---", "id: ls", "name: List files", "description: List.", "version: 1.0.0", *lines))


ATIP = """{
  "atip": {"version": "0.6"},
  "name": "gh",
  "version": "1.0.0",
  "description": "GitHub.",
  "globalOptions": [
    {"name": "repo", "flags": ["-R"], "type": "string", "description": "Which."}
  ],
  "commands": {
    "auth": {
      "description": "Sign in.",
      "commands": {
        "logout": {
          "description": "Log out.",
          "unheard-of": true,
          "options": [
            {"name": "host", "flags": ["-h"], "type": "string", "description": "Host."},
            {
              "name": "all", "flags": ["-a"], "type": "string", "description": "All.",
              "pattern": "a"
            }
          ]
        }
      }
    }
  }
}
"""
ATDF = """tool_id: ls
description: List.
when_to_use: To list.
how_to_use:
  inputs:
    - name: a
      type: string
    - name: b
      type: string
      unit: cm
      schema:
        minLength: 3
  outputs:
    success: Listed.
    failure: []
"""
BODY = tool_md(
    "riskLevel: 2", "inputs:", "  type: object", "outputs: {}", "async: true", "metadata: {a: 1}", "---", "", "# List",
    "", "Words.", "", "## Errors", "", "| Code | Meaning |", "| --- | --- |", "| `x` | Bad. |", "",
)  # fmt: skip
MCP = """{"tools": [
  {
    "name": "ls",
    "description": "List.",
    "annotations": {
      "title": "Directory",
      "destructiveHint": false,
      "readOnlyHint": true
    },
    "arguments": [
      {"name": "a", "type": "string", "desc": "A."},
      {"name": "b", "type": "Path", "desc": "B.",
       "pattern": "x"}
    ]
  }
]}
"""
MAP = """{"name": "ls", "inputSchema": {
  "a": {"type": "string"},
  "b": {"type": "string", "pattern": "x"}
}}"""
PLACES = [
    (ATIP, "openai", "/global_inputs", 6),
    (ATIP, "openai", "/global_bindings", 6),
    (ATIP, "openai", "gh auth /description", 11),
    (ATIP, "openai", "gh auth logout /bindings", 16),
    (ATIP, "openai", "gh auth logout /extensions/atip/unheard-of", 15),
    (ATIP, "gemini", "gh auth logout /inputs/properties/all/pattern", 20),
    (ATIP, "aip14", "gh auth logout /mutates", 13),
    (ATDF, "aip14", "/success", 14),
    (ATDF, "mcp", "/bindings", 6),
    (ATDF, "gemini", "/inputs/properties/b/minLength", 12),
    (BODY, "atip", "/errors", 18),
    (BODY, "atip", "/body", 14),
    (BODY, "atip", "/risk_level", 6),
    (BODY, "atip", "/extensions/aip14/async", 10),
    (BODY, "atip", "/extensions/aip14/metadata", 11),
    (BODY, "atip", "/trust", 2),
    (MCP, "openai", "/title", 6),
    (MCP, "aip14", "/extensions/mcp/annotations/readOnlyHint", 8),
    (MCP, "openai", "/extensions/mcp/arguments/1/type", 12),
    (MCP, "gemini", "/inputs/properties/b/pattern", 13),
    (MAP, "gemini", "/inputs/properties/b/pattern", 3),
]


@for_each(("source", "target", "place", "line"), PLACES)
def test_lines(source: str, target: str, place: str, line: int) -> None:
    report = toolglot.convert(source, target).report
    lines = {change.place: change.line for change in report.changes}
    assert lines.get(place) == line, lines


def test_the_json_report_keeps_the_pointer_beside_the_words() -> None:
    report = toolglot.convert(ATIP, "openai").report.to_json()
    entries = [entry for entry in report["changes"] if entry["path"] == "/children/0/children/0/bindings"]
    assert [entry["command"] for entry in entries] == ["gh auth logout"]
    assert all("command" not in entry for entry in report["changes"] if not entry["path"].startswith("/children"))


def test_a_diagnostic_names_a_command_by_its_words() -> None:
    faulty = ATIP.replace('"unheard-of": true', '"effects": {"network": "yes"}')
    found = [item for item in toolglot.check(faulty) if item.pointer.endswith("/effects/network")]
    assert " at gh auth logout /effects/network" in str(found[0])
    assert found[0].to_json()["pointer"] == "/commands/auth/commands/logout/effects/network"
    assert found[0].to_json()["command"] == "gh auth logout"


@for_each("name", formats.names())
def test_a_place_that_a_format_names_can_be_asked_of_any_node(name: str) -> None:
    """Nodes are other people's data: no shape of them makes `find` raise."""
    for node in ({}, {"commands": [], "options": {"a": 1}, "arguments": [1, {"name": []}], "annotations": 5}):
        for field in toolglot.Tool.__struct_fields__:
            for rest in ("", "/properties/a/type", "/properties", "/x~1y"):
                assert isinstance(formats.get(name).places.find(node, field, rest), str)


@for_each(("name", "place"), [("atdf", "/how_to_use/inputs"), ("mcp", "/arguments")])
def test_data_that_was_changed_and_read_again_has_its_new_places(name: str, place: str) -> None:
    inputs = [{"name": "a", "type": "string"}]
    tools: dict[str, dict[str, Any]] = {
        "atdf": {"tool_id": "t", "description": "Does it.", "how_to_use": {"inputs": inputs}},
        "mcp": {"name": "t", "arguments": inputs},
    }
    tool = tools[name]
    for number in (0, 1):
        toolglot.read(tool, name)
        assert formats.get(name).places.find(tool, "inputs", "/properties/a") == f"{place}/{number}"
        inputs.insert(0, {"name": "b", "type": "string"})
