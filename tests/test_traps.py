"""The fifteen ways in which converters make a dangerous tool look harmless (specs 6.2), each a test."""

from __future__ import annotations

import json
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.converter import safety
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import WriteError


def program(effects: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    command = {"description": "Do it.", **({} if effects is None else {"effects": effects}), **more}
    return {"atip": "0.3", "name": "tool", "version": "1.0.0", "description": "Do it.", "commands": {"run": command}}


def tool_md(*lines: str) -> str:
    head = ["---", "name: T", "id: t1", "description: Do it.", "version: 1.0.0", "inputs: {}", "outputs: {}"]
    return "\n".join([*head, *lines, "---", ""])


def descriptor(**fields: Any) -> dict[str, Any]:
    return {"toolId": "mcp:a.b", "source": "mcp", "safetyTier": "read", "description": "Do it.", **fields}


def to(target: str, source: Any) -> toolglot.Tool:
    return toolglot.read_one(toolglot.convert(source, target).text, target)


def as_descriptor(source: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(toolglot.convert(source, "tool-descriptor").text)["tools"][0]
    return found


def leaf(tool: toolglot.Tool) -> toolglot.Tool:
    (found,) = leaves_of(tool)
    return found.tool


def test_1_deleting_files_is_not_read_only() -> None:
    found = as_descriptor(program({"filesystem": {"write": False, "delete": True}, "network": False}))
    assert found["safetyTier"] == "write"
    assert "READ-ONLY" not in found["description"]
    assert "deletes files" in found["description"]


def test_2_silence_is_not_a_pure_read() -> None:
    found = to("aip14", program())
    assert found.assumed == ("mutates", "approval", "risk_level", "cost_class")
    assert found.extension("aip14")["mutates"] == ["external:*"]
    assert found.idempotent is None


def test_3_network_and_idempotent_is_not_proof_of_reading() -> None:
    source = program({"network": True, "idempotent": True, "destructive": False})
    assert as_descriptor(source)["safetyTier"] == "write"
    assert to("aip14", source).mutates != ()


def test_4_auto_beside_mutates_is_read_as_the_stricter_side() -> None:
    source = tool_md('mutates: ["network:*"]', "approval: auto", "risk_level: 0")
    found = as_descriptor(source)
    assert (found["safetyTier"], found["approval"]) == ("write", "always")
    told = [(diagnostic.code, diagnostic.severity) for diagnostic in toolglot.check(source)]
    assert told == [("auto-mutates", "error"), ("risk-mutates", "warning")]
    again = toolglot.read_one(toolglot.convert(source, "aip14").text)
    assert again.approval == "on-mutate"


def test_5_on_mutate_without_mutates_is_conditional() -> None:
    assert as_descriptor(tool_md("mutates: []", "approval: on-mutate", "risk_level: 1"))["approval"] == "conditional"


@pytest.mark.parametrize("target", ["atip", "aip14", "mcp"])
def test_6_a_host_guarantee_is_not_natural_idempotency(target: str) -> None:
    assert leaf(to(target, descriptor(replayPolicy="idempotent"))).idempotent is None


@pytest.mark.parametrize("through", ["aip14", "atip", "atdf", "mcp"])
def test_7_exec_stays_exec(through: str) -> None:
    source = descriptor(safetyTier="exec", source="host-extension")
    found = as_descriptor(toolglot.convert(source, through).text)
    assert (found["safetyTier"], found["source"]) == ("exec", "host-extension")


def test_8_hints_of_a_server_set_no_facts() -> None:
    hints = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    found = toolglot.read_one(descriptor(safetyTier="write", annotations=hints))
    assert not safety.stated_facts(found).keys() - {"safety_tier"}
    found = toolglot.read_one({"name": "t", "inputSchema": {"type": "object"}, "annotations": hints})
    assert not safety.stated_facts(found)
    for said in ({"idempotentHint": True}, {"idempotentHint": True, "destructiveHint": False}, hints):
        record = as_descriptor({"name": "t", "inputSchema": {"type": "object"}, "annotations": said})
        assert (record["safetyTier"], record.get("replayPolicy"), record.get("egress")) == ("write", None, None)


@pytest.mark.parametrize("through", ["tool-descriptor", "atdf", "aip14", "mcp"])
def test_9_what_nobody_said_comes_back_unsaid(through: str) -> None:
    found = leaf(to("atip", toolglot.convert(program(), through).text))
    assert (found.destructive, found.reversible, found.idempotent, found.subprocess) == (None, None, None, None)


@pytest.mark.parametrize("through", ["atip", "atdf", "aip14"])
def test_9_absent_hints_come_back_absent(through: str) -> None:
    source = {"name": "t", "description": "Do it.", "inputSchema": {"type": "object"}}
    found = json.loads(toolglot.convert(toolglot.convert(source, through).text, "mcp").text)["tools"][0]
    assert "annotations" not in found


@for_each("description", ["Do it.", "Busca un cliente por su nombre."])
@for_each("through", ["atip", "atdf", "atdf@0.1", "aip14", "mcp", "anthropic"])
def test_9_what_fills_a_place_comes_back_unsaid(through: str, description: str) -> None:
    calls = [{"input": {"a": 1}}, {"command": "t 1"}, {"input": {"a": 2}}]
    source = {"toolglot": 1, "tools": [{"id": "tool", "description": description, "examples": calls}]}
    for target in ("hub", "atdf", "aip14"):  # and does not become a fact on the way
        found = leaf(to(target, toolglot.convert(source, through).text))
        assert (found.success, found.guidance) == (None, None)
        assert found.when_to_use is None or through == "atdf@0.1"  # which has no place to name what was made up
        assert {(example.title, example.note) for example in found.examples or ()} <= {(None, None)}


@for_each("target", ["aip14", "atip", "atdf", "tool-descriptor", "mcp"])
@for_each("length", [199, 1025, 2001, 5000])
def test_10_a_long_text_never_pushes_a_flag_out(target: str, length: int) -> None:
    source = program({"destructive": True})
    source["commands"]["run"]["description"] = "word " * (length // 5)
    text = toolglot.convert(source, target).text
    assert safety.caution(leaf(toolglot.read_one(text)))["destructive"] == safety.UNSAFE


def test_11_tags_and_texts_that_say_read_only_say_nothing() -> None:
    source = {
        "tool_id": "t", "description": "Safe. [🔒 READ-ONLY]", "when_to_use": "Read-only.",
        "how_to_use": {"inputs": [], "outputs": {"success": "ok", "failure": []}},
        "metadata": {"tags": ["read-only", "safe"]},
    }  # fmt: skip
    assert as_descriptor(source)["safetyTier"] == "write"
    assert "risk_level" in (to("aip14", source).assumed or ())
    assert "flag-imitation" in [finding.code for finding in toolglot.check(source)]
    assert "READ-ONLY" not in as_descriptor(source)["description"]


@pytest.mark.parametrize("target", ["aip14", "atdf", "tool-descriptor", "mcp"])
def test_12_a_partial_document_is_never_passed_off_as_whole(target: str) -> None:
    what = {"name": "what", "type": "string", "description": "What to do."}  # without it, it could be a group
    source = {**program(arguments=[what]), "partial": True, "omitted": {"safetyAssumption": "known-safe"}}
    assert "leaves other commands out" in toolglot.convert(source, target).text
    (change,) = [c for c in toolglot.convert(source, target).report.changes if c.path == "/discovery"]
    assert (change.action, change.severity) == ("dropped", "warning")


def test_13_the_second_of_two_equal_names_does_not_win_silently() -> None:
    source = program()
    source["commands"]["run"].update(
        arguments=[{"name": "target", "type": "file", "description": "What to remove."}],
        options=[{"name": "target", "flags": ["-t"], "type": "string", "description": "Which kind."}],
    )
    properties = as_descriptor(source)["inputSchema"]["properties"]
    assert [item["description"] for item in properties.values()] == ["What to remove.", "Which kind."]
    source["commands"] = {"a b": {"description": "Harmless."}, "a-b": {"description": "Deletes."}}
    with pytest.raises(WriteError, match="would both be called"):
        toolglot.convert(source, "aip14")


@pytest.mark.parametrize("through", ["atdf", "aip14", "tool-descriptor", "mcp"])
def test_14_enums_and_nested_schemas_survive(through: str) -> None:
    source = program()
    nested = {"type": "object", "properties": {"size": {"enum": [1, 2, None]}}, "additionalProperties": False}
    source["commands"]["run"]["options"] = [
        {"name": "mode", "flags": ["-m"], "type": "enum", "description": "Mode.", "enum": ["fast", "safe"]},
        {"name": "box", "flags": ["-b"], "type": "string", "description": "Box.", "schema": nested},
    ]
    before = leaf(toolglot.read_one(source)).inputs
    after = leaf(to("atip", toolglot.convert(source, through).text)).inputs
    assert before is not None
    assert after is not None
    assert after["properties"] == before["properties"]


@pytest.mark.parametrize("through", ["atip", "atdf", "aip14"])
def test_14_output_schemas_and_hints_survive_where_there_is_room(through: str) -> None:
    inputs = {"type": "object", "properties": {"mode": {"enum": ["fast", 1, None]}}, "required": ["mode"]}
    source = {
        "name": "t", "description": "Do it.", "inputSchema": inputs, "outputSchema": {"type": "array"},
        "annotations": {"destructiveHint": True, "idempotentHint": False, "openWorldHint": True},
    }  # fmt: skip
    found = leaf(to("mcp", toolglot.convert(source, through).text))
    assert safety.caution(found)["destructive"] == safety.caution(found)["network"] == safety.UNSAFE
    assert found.inputs is not None
    assert found.inputs["properties"]["mode"]["enum"] == ["fast", 1, None]
    whole = toolglot.convert(source, through, lossless=True).text
    assert json.loads(toolglot.convert(whole, "mcp", restore=True).text)["tools"] == [source]


def test_hints_of_a_source_are_never_better_than_its_facts() -> None:
    deletes = program({"filesystem": {"write": False, "delete": True}, "network": False})
    lists = program({"network": True, "idempotent": True, "destructive": False})
    for source, hints in (
        (deletes, {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}),  # trap 1
        (program(), None),  # trap 2
        (lists, {"idempotentHint": True, "openWorldHint": True}),  # trap 3
        (descriptor(replayPolicy="idempotent"), {"readOnlyHint": True, "destructiveHint": False}),  # trap 6
    ):
        assert json.loads(toolglot.convert(source, "mcp").text)["tools"][0].get("annotations") == hints


@pytest.mark.parametrize("target", ["aip14", "atdf", "atip", "tool-descriptor", "mcp"])
def test_15_a_slot_that_claims_safer_facts_is_ignored(target: str) -> None:
    source = tool_md("mutates: [workspace:/]", "approval: always", "risk_level: 3")
    if target == "aip14":
        source = toolglot.convert(source, "atip").text
    honest = toolglot.convert(source, target, lossless=True).text
    forged = honest.replace('"risk_level": 3', '"risk_level": 0')
    forged = forged.replace("destructive: true", "destructive: false").replace("reversible: false", "reversible: true")
    assert forged != honest
    for found in toolglot.read(forged):
        assert safety.caution(leaf(found))["destructive"] == safety.UNSAFE


@for_each(
    ("target", "place", "danger", "facet"),
    [
        ("openai", ["tools", 0, "function", "x-requiresApproval"], True, "approval"),
        ("gemini", ["tools", 0, "functionDeclarations", 0, "x-destructive"], True, "destructive"),
        ("a2a", ["securityRequirements"], [{"key": []}], "credentials"),
        ("mcp", ["tools", 0, "_meta", "destructive"], True, "destructive"),
    ],
)
def test_15_a_danger_beside_a_slot_is_not_forgotten(target: str, place: list[Any], danger: Any, facet: str) -> None:
    source = {**program({"destructive": False}), "authentication": {"required": False}}
    document = node = json.loads(toolglot.convert(source, target, lossless=True).text)
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = danger
    assert safety.caution(leaf(toolglot.read_one(document, target)))[facet] >= safety.UNSAFE


@pytest.mark.parametrize("target", ["atip", "atdf"])
def test_a_root_reference_does_not_hide_the_parameters(target: str) -> None:
    args = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    source = descriptor(inputSchema={"$ref": "#/$defs/Args", "$defs": {"Args": args}})
    found = leaf(to(target, source)).inputs
    assert found is not None
    assert list(found["properties"]) == ["path"]
    assert found["required"] == ["path"]
