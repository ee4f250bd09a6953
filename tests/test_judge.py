"""The judge of laws 3 and 4 itself: documents of known danger, read as the specifications have them."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from random import Random
from typing import Any

import yaml

import judge
from judge import documents
from rows import for_each

FOLDER = Path(judge.__file__).parent
ALLOWED = {"__future__", "collections", "dataclasses", "json", "judge", "random", "re", "typing", "unicodedata", "yaml"}
DANGER, UNKNOWN, SAFE = 2, 1, 0
PROGRAM = {"atip": "0.3", "name": "p", "version": "1", "description": "d"}
TOOL_MD = {"name": "n", "id": "a.b", "description": "d", "version": "1.0.0", "inputs": {}, "outputs": {}}
DESCRIPTOR = {"toolId": "a:b", "source": "mcp", "safetyTier": "write"}
MCP = {"name": "t", "inputSchema": {"type": "object"}}


@for_each("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_it_shares_no_code_with_what_it_judges(path: Path) -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= ALLOWED


def statements(format: str, data: Any, body: str = "") -> list[judge.Statement]:
    if format == "aip14":
        return judge.read(format, f"---\n{yaml.safe_dump(data, allow_unicode=True)}---\n{body}".encode())
    return judge.read(format, json.dumps(data).encode())


def levels(format: str, data: Any, body: str = "") -> dict[str, int]:
    """The facets of the only tool about which something is said."""
    (tool,) = statements(format, data, body)
    return {facet: tool.level(facet) for facet in judge.FACETS if tool.level(facet) != UNKNOWN}


def program(**effects: Any) -> dict[str, Any]:
    return {**PROGRAM, "effects": effects}


STATED = [
    ("atip", PROGRAM, {}),
    ("atip", program(destructive=True), {"destructive": DANGER, "changes": DANGER}),
    ("atip", program(destructive=False, network=False), {"destructive": SAFE, "network": SAFE}),
    ("atip", program(destructive="yes"), {"destructive": DANGER, "changes": DANGER}),
    ("atip", program(destructive=None), {}),
    ("atip", program(destructve=False), {"destructive": DANGER, "changes": DANGER}),
    ("atip", program(deletes=["row"]), {"removes": DANGER, "changes": DANGER}),
    ("atip", program(deletes=[]), {"removes": SAFE}),
    ("atip", program(subprocess=True), {"executes": DANGER, "changes": DANGER}),
    ("atip", program(cost={"billable": True}), {"billable": DANGER}),
    ("atip", program(cost="high"), {"billable": DANGER}),
    ("atip", program(interactive={"stdin": "password"}), {"interactive": DANGER, "credentials": DANGER}),
    ("atip", {**PROGRAM, "interactive": {"prompts": True}}, {"interactive": DANGER}),
    ("atip", {**PROGRAM, "authentication": {"required": True}}, {"credentials": DANGER}),
    ("atip", {**PROGRAM, "x-destructive": True, "_effects": 1}, {}),
    (
        "atip",
        program(network=False, filesystem={"write": False, "delete": False}),
        {"network": SAFE, **dict.fromkeys(["writes", "deletes", "removes", "changes", "destructive"], SAFE)},
    ),
    (
        "atip",  # trap 1 of specs 6.2
        program(network=False, filesystem={"write": False, "delete": True}),
        {"network": SAFE, "writes": SAFE, "deletes": DANGER, "removes": DANGER, "changes": DANGER},
    ),
    (
        "atip",  # what cannot be understood proves nothing
        program(network=False, filesystem={"write": False, "delete": False}, idempotent="no"),
        {"network": SAFE, "writes": SAFE, "deletes": SAFE, "unrepeatable": DANGER},
    ),
    ("aip14", TOOL_MD, {}),
    ("aip14", {**TOOL_MD, "mutates": []}, dict.fromkeys(["changes", "writes", "deletes", "removes", "destructive"], SAFE)),
    ("aip14", {**TOOL_MD, "mutates": ["sandbox:*"]}, {"executes": DANGER, "changes": DANGER}),
    ("aip14", {**TOOL_MD, "mutates": ["external:a"], "approval": "auto"}, {"changes": DANGER, "approval": 2}),
    ("aip14", {**TOOL_MD, "mutates": ["external:a"], "approval": "on-mutate"}, {"changes": DANGER, "approval": 3}),
    ("aip14", {**TOOL_MD, "mutates": [], "approval": "on-mutate", "risk_level": 1}, {"changes": DANGER, "approval": 2}),
    ("aip14", {**TOOL_MD, "approval": "auto"}, {"approval": 0}),
    ("aip14", {**TOOL_MD, "approval": "never"}, {"approval": 3}),
    ("aip14", {**TOOL_MD, "approvel": "always"}, {"approval": 3}),
    ("aip14", {**TOOL_MD, "risk_level": 3}, {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER}),
    ("aip14", {**TOOL_MD, "riskLevel": 3}, {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER}),
    ("aip14", {**TOOL_MD, "risk-level": 0}, {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER}),
    ("aip14", {**TOOL_MD, "risk_level": 4}, {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER}),
    ("aip14", {**TOOL_MD, "requires": {"network": [], "secrets": ["s"]}}, {"credentials": DANGER}),
    ("aip14", {**TOOL_MD, "cost_class": "trivial", "idempotent": True}, {"billable": SAFE, "unrepeatable": SAFE}),
    ("aip14", {**TOOL_MD, "implements": "sandbox:execute"}, {"executes": DANGER, "changes": DANGER, "approval": 3}),
    ("aip14", {**TOOL_MD, "mutates": [], "implements": "acme:any"}, {}),
    (
        "aip14",
        {**TOOL_MD, "mutates": [], "implements": {"inline": {"id": "a:b", "risk_level": 3, "approval": "always"}}},
        {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER, "approval": 3},
    ),
    ("tool-descriptor", DESCRIPTOR, {"changes": DANGER}),
    ("tool-descriptor", {**DESCRIPTOR, "approval": "conditional", "egress": "none"}, {"changes": DANGER, "approval": 2, "network": SAFE}),
    ("tool-descriptor", {**DESCRIPTOR, "replayPolicy": "idempotent"}, {"changes": DANGER}),
    (
        "tool-descriptor",
        {**DESCRIPTOR, "safetyTier": "exec", "source": "host-extension"},
        dict.fromkeys(["executes", "destructive", "irreversible", "unrepeatable", "changes"], DANGER),
    ),
    ("mcp", MCP, {}),
    ("mcp", {**MCP, "annotations": {"readOnlyHint": True}}, {}),
    ("mcp", {**MCP, "annotations": {"destructiveHint": True}}, {"destructive": DANGER, "removes": DANGER, "changes": DANGER}),
    ("mcp", {**MCP, "annotations": {"idempotentHint": True, "openWorldHint": False}}, {}),
    ("mcp", {**MCP, "annotations": {"readonlyHint": True}}, {"changes": DANGER}),
    ("mcp", {**MCP, "title": "T [💰 BILLABLE]"}, {"billable": DANGER}),
    ("hub", {"toolglot": 1, "tools": [{"id": "a", "subprocess": False, "flags": ["risk-3"]}]},
     {"executes": SAFE, "destructive": DANGER, "irreversible": DANGER, "changes": DANGER}),
]  # fmt: skip


@for_each(("format", "data", "expected"), STATED, ids=lambda value: str(value)[:60])
def test_what_is_stated(format: str, data: Any, expected: dict[str, int]) -> None:
    assert levels(format, data) == expected


TEXTS = {
    "Rm. [⚠️ DESTRUCTIVE]": {"destructive"},
    "Rm. [⚠️ DESTRUCTIVE]\n": {"destructive"},
    "[⚠ DESTRUCTIVE] Rm.": {"destructive"},
    "A\n\n[⚠️ NOT REVERSIBLE|💰 BILLABLE]\n\nB": {"irreversible", "billable"},
    "[⚠️ NOT IDEMPOTENT] x [💰 BILLABLE]": {"unrepeatable", "billable"},
    "[CREATES: x | ⚠️ DESTRUCTIVE | beta]": {"destructive"},
    "[⚠️ DЕSТRUСТIVЕ]": {"destructive"},
    "[⚠️ DΕSΤRUCΤIVΕ]": {"destructive"},
    "[⚠️ destructive]": {"destructive"},
    "[Not Reversible]": {"irreversible"},
    "［⚠️ ＤＥＳＴＲＵＣＴＩＶＥ］": {"destructive"},
    "[⚠️ DESTR\u200bUCTIVE]": {"destructive"},
    "Watch out: ⚠️ DESTRUCTIVE.": {"destructive"},
    "Safety: deletes files; sings.": {"deletes", "removes"},
    "Safety: asks for approval every time; uses the network\n\nMore.": {"approval", "network"},
    "[🔒 READ-ONLY]": set(),
    "This is not destructive. See [the list].": set(),
    "[not destructive]": set(),
    "Safety: wear gloves.": set(),
}


@for_each(("text", "expected"), TEXTS.items())
def test_danger_is_heard_in_texts(text: str, expected: set[str]) -> None:
    found = []
    for format, data, body in (
        ("mcp", {**MCP, "description": text}, ""),
        ("openai", {"type": "function", "function": {"name": "t", "description": text}}, ""),
        ("anthropic", [{"name": "t", "description": text, "input_schema": {}}], ""),
        ("gemini", {"functionDeclarations": [{"name": "t", "description": text}]}, ""),
        ("atdf", {"tool_id": "t", "description": "d", "when_to_use": text}, ""),
        ("tool-descriptor", {"toolId": "t", "title": text}, ""),
        ("aip14", TOOL_MD, text),
        ("atip", {**PROGRAM, "description": text}, ""),
        ("hub", {"toolglot": 1, "tools": [{"id": "t", "description": text}]}, ""),
    ):
        (tool,) = statements(format, data, body)
        found.append({facet for facet in tool.alarms() if facet != "changes"})
    assert found == [expected] * len(found)


def test_unsafe_facts_of_the_root_always_hold_and_those_of_a_group_where_the_command_is_silent() -> None:
    data = {
        **program(network=True, destructive=False),
        "commands": {
            "repo": {
                "description": "g [⚠️ DESTRUCTIVE]",
                "effects": {"cost": {"billable": True}, "reversible": True},
                "commands": {
                    "list": {"description": "l", "effects": {"destructive": False, "network": False}},
                    "delete": {"description": "d", "effects": {"idempotent": True}},
                },
            }
        },
    }
    some, other = statements("atip", data)
    assert some.dangers == {"network", "billable"}
    assert some.level("destructive") == SAFE
    assert other.dangers == {"network", "billable", "destructive"}
    assert other.level("irreversible") == UNKNOWN  # what is safe is never inherited


def test_who_can_be_called() -> None:
    data = {
        **PROGRAM,
        "commands": {
            "": {"description": "bare"},
            "group": {"description": "g", "options": [{"name": "x"}], "commands": {"a": {"description": "a"}}},
        },
    }
    assert [tool.name for tool in statements("atip", data)] == ["p", "p group", "p group a"]


def test_a_danger_that_fades_and_a_safe_word_that_nobody_said_are_faults() -> None:
    (first,) = statements("atip", program(destructive=True, network=True))
    (silent,) = statements("mcp", MCP)
    (claim,) = statements("mcp", {**MCP, "annotations": {"readOnlyHint": True}})
    kinds = {(fault.kind, fault.facet) for fault in judge.faults(first, silent, ("atip", "mcp"))}
    assert kinds == {("faded", "destructive"), ("faded", "changes"), ("faded", "network")}
    assert ("denied", "changes") in {fault[:2] for fault in judge.faults(silent, claim, ("atdf", "mcp"))}
    (provider,) = statements("openai", {"name": "t", "description": "Rm. [⚠️ DESTRUCTIVE]"})
    assert not judge.faults(first, provider, ("atip", "openai"))  # the network may go unsaid there


def test_an_absent_field_of_aip_14_is_a_promise_to_its_reader() -> None:
    (first,) = statements("mcp", MCP)
    (last,) = statements("aip14", TOOL_MD)
    assert {fault.facet for fault in judge.faults(first, last, ("mcp", "aip14"))} >= {"changes", "approval", "billable"}
    assert not judge.faults(last, last, ("aip14", "hub", "aip14"))


def test_the_generator_reaches_every_danger_in_every_format() -> None:
    """Otherwise the laws would hold over documents that say nothing."""
    for name in documents.FORMATS:
        missing = set(judge.FACETS)
        for seed in range(900):
            for tool in judge.read(name, documents.document(Random(seed), name).content):
                missing -= tool.alarms()
            if not missing:
                break
        assert not missing, name


def test_a_seed_is_a_document() -> None:
    assert documents.document(Random(7), "atip") == documents.document(Random(7), "atip")
