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
from judge.claims import without_claims
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


# Values of a TOOL.md, the mark beside them, and what is left.
CONSTANTS = {
    "mutates": ["external:*"],
    "risk_level": 2,
    "cost_class": "metered",
    "approval": "on-mutate",
    "version": "0.0.0",
}
MARKED: list[tuple[dict[str, Any], Any, dict[str, int]]] = [
    (CONSTANTS, [*CONSTANTS], {}),
    (CONSTANTS, [*CONSTANTS, "description:1a2b3c4d", "effects"], {}),
    (CONSTANTS, ["mutates", "cost_class", "approval"], {"changes": DANGER}),  # a change that is stated, without a scope
    (CONSTANTS, ["mutates", "risk_level", "approval"], {"billable": DANGER}),
    (CONSTANTS, ["mutates", "risk_level", "cost_class"], {"approval": 2}),  # `conditional` of a ToolDescriptor
    (CONSTANTS, ["risk_level", "cost_class", "approval"], {"changes": DANGER}),
    (CONSTANTS, ", ".join(CONSTANTS), {"changes": DANGER, "billable": DANGER, "approval": 3}),
    (CONSTANTS, dict.fromkeys(CONSTANTS, True), {"changes": DANGER, "billable": DANGER, "approval": 3}),
    (CONSTANTS, [*CONSTANTS, 5], {"changes": DANGER, "billable": DANGER, "approval": 3}),
    ({**CONSTANTS, "mutates": ["external:*", "workspace:*"]}, [*CONSTANTS], {"changes": DANGER, "writes": DANGER}),
    ({**CONSTANTS, "risk_level": 3}, [*CONSTANTS],
     {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER, "approval": 2}),
    ({**CONSTANTS, "risk_level": 3, "approval": "always"}, [*CONSTANTS],
     {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER}),
    ({**CONSTANTS, "approval": "always"}, [*CONSTANTS], {"approval": 3}),
    ({"approval": "auto", "mutates": [], "cost_class": "expensive"}, [*CONSTANTS],
     {**dict.fromkeys(["changes", "writes", "deletes", "removes", "destructive"], SAFE), "billable": DANGER, "approval": 0}),
    ({"risk_level": True, "approvel": "on-mutate"}, [*CONSTANTS], {"destructive": DANGER, "irreversible": DANGER, "changes": DANGER,
     "approval": 3}),
]  # fmt: skip
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
    ("atip", {**PROGRAM, "x-note": "destructive", "_destructive": True, "_effects": 1, "risky": True}, {}),
    ("atip", {**PROGRAM, "x-destructive": True}, {"destructive": DANGER, "changes": DANGER}),
    ("atip", {**PROGRAM, "x-acme": {"approvalRequired": "yes"}, "x-dangerous": "no"}, {"approval": 3}),
    ("atip", {**PROGRAM, "metadata": {"com.acme/Requires-Approval": True, "destructive": False}}, {"approval": 3}),
    ("atip", {**PROGRAM, "x-toolglot": {"assumed": ["effects.destructive", "destructive"]}, "effects": {"destructive": True}},
     {"destructive": DANGER, "changes": DANGER}),
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
    (
        "aip14",  # what is not found does what any action may
        {**TOOL_MD, "mutates": [], "risk_level": 0, "approval": "auto", "implements": "acme:any"},
        {**dict.fromkeys(["changes", "destructive", "irreversible"], DANGER), "approval": 3},
    ),
    ("aip14", {**TOOL_MD, "mutates": ["external:*"]}, {"changes": DANGER}),  # of nobody's network
    ("aip14", {**TOOL_MD, "metadata": {"destructive": "yes", "owner": True}}, {"destructive": DANGER, "changes": DANGER}),
    *[("aip14", {**TOOL_MD, **facts, "metadata": {"toolglot": {"assumed": mark}}}, expected) for facts, mark, expected in MARKED],
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
    ("mcp", {**MCP, "annotations": {"destructiveHint": True}}, {"destructive": DANGER, "changes": DANGER}),
    ("mcp", {**MCP, "annotations": {"destructive": True}}, {"destructive": DANGER, "changes": DANGER}),
    ("mcp", {**MCP, "annotations": {"readOnly": True}}, {}),
    ("mcp", {**MCP, "_meta": {"annotations": {"destructiveHint": True}}}, {"destructive": DANGER, "changes": DANGER}),
    ("mcp", {**MCP, "toolMetadata": {"readOnly": {"value": False}, "idempotent": {"value": False}}},
     {"unrepeatable": DANGER, "changes": DANGER}),
    ("mcp", {**MCP, "annotations": {"idempotentHint": False}}, {}),
    ("mcp", {**MCP, "annotations": {"idempotentHint": False, "readOnlyHint": True}}, {}),
    ("mcp", {**MCP, "annotations": {"idempotentHint": False, "readOnlyHint": False}}, {"unrepeatable": DANGER, "changes": DANGER}),
    ("mcp", {**MCP, "annotations": {"idempotentHint": "no"}}, {"unrepeatable": DANGER}),
    ("mcp", {**MCP, "_meta": {"destructive": True, "readOnly": True}}, {"destructive": DANGER, "changes": DANGER}),
    ("mcp", {**MCP, "annotations": {"idempotentHint": True, "openWorldHint": False}}, {}),
    ("mcp", {**MCP, "annotations": {"readonlyHint": True}}, {"changes": DANGER}),
    ("mcp", {**MCP, "title": "T [💰 BILLABLE]"}, {"billable": DANGER}),
    ("atdf", {"tool_id": "t", "description": "d", "metadata": {"dangerous": True, "toolglot": {"assumed": ["description"]}}},
     {"destructive": DANGER, "changes": DANGER}),
    ("a2a", {"skills": [{"id": "t", "name": "T", "description": "d", "tags": ["safe"]}]}, {}),
    ("hub", {"toolglot": 1, "tools": [{"id": "a", "assumed": ["destructive"], "destructive": True}]},
     {"destructive": DANGER, "changes": DANGER}),
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
    "Drops it (destructive operation)": {"destructive"},
    "DESTRUCTIVE: drops it.": {"destructive"},
    "Drops it. Irreversible.": {"irreversible"},
    "Drops it (irreversible and destructive).": {"irreversible", "destructive"},
    "Drops it. Requires confirmation.": {"approval"},
    "Destructive: no. (it requires approval now and then)": set(),
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


INVENTED = [
    ("mcp", MCP, "openai", {"name": "t", "description": "d [💰 BILLABLE]"}, {("invented", "billable")}),
    ("mcp", MCP, "openai", {"name": "t", "description": "d Safety: may ask for approval."}, {("invented", "approval")}),
    ("mcp", MCP, "tool-descriptor", DESCRIPTOR, set()),
    ("mcp", MCP, "tool-descriptor", {**DESCRIPTOR, "approval": "always"}, {("invented", "approval")}),
    ("mcp", MCP, "hub", {"tools": [{"id": "t", "safety_tier": "write"}]}, {("invented", "changes")}),
    ("atip", program(destructive=True), "mcp", {**MCP, "annotations": {"destructiveHint": True}}, set()),
    ("atip", program(deletes=["row"]), "mcp", {**MCP, "annotations": {"destructiveHint": True}}, set()),
    ("atip", program(reversible=False), "hub", {"tools": [{"id": "t", "reversible": False, "destructive": True}]},
     {("invented", "destructive")}),
    ("mcp", {**MCP, "annotations": {"destructiveHint": True}}, "aip14",
     {**TOOL_MD, **CONSTANTS, "risk_level": 3, "approval": "always", "metadata": {"toolglot": {"assumed": [*CONSTANTS]}}}, set()),
    ("mcp", {**MCP, "annotations": {"destructiveHint": True}}, "aip14",
     {**TOOL_MD, **CONSTANTS, "risk_level": 3, "approval": "always"}, {("invented", "billable"), ("invented", "approval")}),
    ("aip14", {**TOOL_MD, "implements": "acme:any"}, "openai",
     {"name": "t", "description": "d [⚠️ DESTRUCTIVE | ⚠️ NOT REVERSIBLE] Safety: asks for approval every time."}, set()),
    ("mcp", {**MCP, "annotations": {"destructiveHint": "no"}}, "openai", {"name": "t", "description": "d [⚠️ DESTRUCTIVE]"}, set()),
]  # fmt: skip


@for_each(("origin", "before", "target", "after", "expected"), INVENTED, ids=lambda value: str(value)[:60])
def test_a_danger_that_nobody_stated_is_a_fault(
    origin: str, before: Any, target: str, after: Any, expected: set[tuple[str, str]]
) -> None:
    (first,), (last,) = statements(origin, before), statements(target, after)
    assert {fault[:2] for fault in judge.faults(first, last, (origin, target))} == expected


def test_a_coarse_word_says_more_only_from_its_target_on() -> None:
    (first,) = statements("atip", program(destructive=True))
    (last,) = statements("hub", {"tools": [{"id": "t", "destructive": True, "reversible": False}]})
    assert [*judge.surplus(first, last, ("atip", "aip14", "hub"))] == [("irreversible", "destruction as risk 3")]
    assert [*judge.surplus(first, last, ("atip", "mcp", "hub"))] == [("irreversible", None)]


CLAIMS = [
    ("mcp", {**MCP, "annotations": {"readOnlyHint": True, "destructiveHint": True, "idempotentHint": True}},
     {**MCP, "annotations": {"destructiveHint": True}}),
    ("mcp", {**MCP, "description": "a [🔒 READ-ONLY] b [⚠️ DESTRUCTIVE | 🔒 READ-ONLY]", "_meta": {"dev.toolglot/x": {"a": 1}}},
     {**MCP, "description": "a [] b [⚠️ DESTRUCTIVE]", "_meta": {}}),
    ("a2a", {"skills": [{"id": "t", "tags": ["safe", "x"]}]}, {"skills": [{"id": "t", "tags": ["x"]}]}),
    ("hub", {"toolglot": 1, "tools": []}, {"toolglot": 1, "tools": []}),
    ("aip14", {**TOOL_MD, **CONSTANTS, "metadata": {"a": 1, "toolglot": {"assumed": [*CONSTANTS]}}},
     {**TOOL_MD, "version": "0.0.0", "metadata": {"a": 1}}),
    ("aip14", {**TOOL_MD, **CONSTANTS, "risk_level": 0, "metadata": {"toolglot": {"assumed": ["risk_level", "mutates"]}}},
     {**TOOL_MD, **{key: value for key, value in CONSTANTS.items() if key != "mutates"}, "risk_level": 0, "metadata": {}}),
]  # fmt: skip


@for_each(("format", "data", "expected"), CLAIMS, ids=lambda value: str(value)[:60])
def test_claims_are_taken_out(format: str, data: Any, expected: Any) -> None:
    assert documents.opened(without_claims(documents.closed(format, data, "")))[0] == expected


def test_who_looks_safer_for_a_claim_is_calmer_than_without_it() -> None:
    (claimed,) = statements("mcp", {**MCP, "annotations": {"readOnlyHint": True}})
    (silent,) = statements("mcp", MCP)
    (dangerous,) = statements("mcp", {**MCP, "annotations": {"destructiveHint": True}})
    assert set(judge.calmer(claimed, silent, believing=True)) == {
        "changes",
        "destructive",
        "deletes",
        "removes",
        "writes",
    }
    assert judge.calmer(claimed, silent, believing=False) == []
    assert judge.calmer(silent, dangerous, believing=False) == ["destructive", "changes"]
    (absent,) = statements("aip14", TOOL_MD)
    (written,) = statements("aip14", {**TOOL_MD, **CONSTANTS, "metadata": {"toolglot": {"assumed": [*CONSTANTS]}}})
    assert {"changes", "approval", "billable"} <= set(judge.calmer(absent, written, believing=True))
    assert judge.calmer(written, absent, believing=True) == []


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
