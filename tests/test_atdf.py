"""What authors and loaders of ATDF find in the records that are written for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

import toolglot
from pace import within
from streams import run
from toolglot.converter.formats.atdf.format import FORMAT
from toolglot.converter.formats.kit.tool_ids import Name, qualifier_of
from toolglot.converter.hub.model import Example, Tool


def mcp_tool(description: str = "Find a person.", **fields: Any) -> dict[str, Any]:
    return {"name": "find", "description": description, "inputSchema": {"type": "object"}, **fields}


def as_atdf(tool: dict[str, Any], target: str = "atdf") -> dict[str, Any]:
    """The record of one MCP tool."""
    return record_of({"tools": [tool]}, target, "mcp")


def record_of(source: dict[str, Any], target: str, format_name: str) -> dict[str, Any]:
    return dict(json.loads(toolglot.convert(source, target, format=format_name).files[0][1]))


def back(record: dict[str, Any]) -> dict[str, Any]:
    return dict(record_of(record, "mcp", "atdf")["tools"][0])


def tool_of(source: dict[str, Any], format_name: str) -> Tool:
    return toolglot.read(source, format=format_name)[0]


OPTIONAL_TEXT = {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
DATE_OR_ADDRESS = {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "uri"}]}


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        (OPTIONAL_TEXT, "string"),
        ({"oneOf": [{"type": "null"}, {"type": "array", "items": {"type": "string"}}]}, "array"),
        ({"type": ["integer", "null"]}, "integer"),
        ({"enum": ["a", None]}, "string"),
        (DATE_OR_ADDRESS, "string"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "unknown"),
        ({"anyOf": [{"type": "string"}, {"minimum": 1}]}, "unknown"),
    ],
)
@pytest.mark.parametrize("target", ["atdf", "atdf@0.1"])
def test_a_type_beside_null_is_the_type(schema: dict[str, Any], word: str, target: str) -> None:
    inputs = {"type": "object", "properties": {"a": schema}}
    record = as_atdf(mcp_tool(inputSchema=inputs), target)
    (entry,) = record["how_to_use"]["inputs"]
    assert entry["type"] == word
    expected = {"type": "string", **schema} if schema is DATE_OR_ADDRESS else schema
    assert back(record)["inputSchema"]["properties"]["a"] == expected


def test_a_definition_goes_along_however_references_spell_its_name() -> None:
    definitions = {"a/b c": {"type": "integer"}, "d": {"$ref": "#/$defs/a~1b%20c"}}
    inputs = {"type": "object", "properties": {"x": {"$ref": "#/$defs/d"}}, "$defs": definitions}
    (entry,) = as_atdf(mcp_tool(inputSchema=inputs), "atdf")["how_to_use"]["inputs"]
    assert entry["schema"]["$defs"] == definitions


def test_an_example_keeps_its_output_and_its_note() -> None:
    example = {"name": "A cat", "input": {}, "output": {"url": "x"}, "note": "It takes long."}
    tool = {"name": "Draw", "id": "draw", "description": "Draw it.", "version": "1.0.0", "examples": [example]}
    record = record_of(tool, "atdf", "aip14")
    assert record["examples"] == [
        {"goal": "A cat", "input_values": {}, "expected_result": '{"url":"x"}', "description": "It takes long."}
    ]
    assert tool_of(record, "atdf").examples == tool_of(tool, "aip14").examples


@pytest.mark.parametrize(
    ("description", "sentence"),
    [
        ("Find it. Use this tool when somebody\nis named. It is slow.", "Use this tool when somebody is named."),
        ("Find the load. Do not use this for secrets.", "Find the load.\nDo not use this for secrets."),
        ("Find it.\n\nUSE THIS TOOL WHEN:\n- asked\n- told\n\nMore.", "USE THIS TOOL WHEN:\n- asked\n- told"),
        ("Find it. Call this before `buy`. Never call this twice.", "Call this before `buy`.\nNever call this twice."),
        ("Search code across repositories.", "Search code across repositories."),
        ("Finds and removes users and groups (destructive).", "Finds and removes users and groups (destructive)."),
        ("Find a person. Use this parameter to filter.", "Find a person."),
        ("People of a city.", "People of a city."),
        ("Lists the files in a folder (max. 100). It is slow.", "Lists the files in a folder (max. 100)."),
    ],
)
def test_when_to_use_is_quoted_or_supposed(description: str, sentence: str) -> None:
    tool = mcp_tool(description, title="Directory")
    record = as_atdf(tool)
    assert record["when_to_use"] == sentence
    assert back(record)["description"] == record["description"]
    assert as_atdf(tool, "atdf@0.1")["when_to_use"] == record["when_to_use"]


@pytest.mark.parametrize(
    ("description", "outputs", "sentence"),
    [
        ("Find it.", {"properties": {"a": {}}}, "Returns `a`."),
        ("Find it. Returns all matches.", None, "Returns all matches."),
        ("List the pages of a site.", None, "Completed."),
        ("Get rid of temporary files.", None, "Completed."),
        ("Get or set a value.", None, "Completed."),
        ("Send it.", None, "Completed."),
    ],
)
def test_what_comes_of_a_call(description: str, outputs: dict[str, Any] | None, sentence: str) -> None:
    tool = mcp_tool(description)
    if outputs:
        tool["outputSchema"] = {"type": "object", **outputs}
    record = as_atdf(tool)
    assert record["how_to_use"]["outputs"]["success"] == sentence
    assert tool_of(record, "atdf").success == (sentence if outputs else None)


def test_a_quotation_is_nothing_that_nobody_says() -> None:
    quoted = toolglot.convert({"tools": [mcp_tool("Find. Use it when asked.")]}, "atdf", format="mcp")
    assert "/when_to_use" not in {change.path for change in quoted.report.changes}


def test_a_tool_of_undescribed_inputs_offers_none_that_was_made_up() -> None:
    record = as_atdf({"name": "find", "description": "Find a person."})
    assert record["how_to_use"]["inputs"] == []
    assert record["description"] == "Find a person.\n\nIts inputs are not described."
    assert record_of(record, "atdf", "atdf") == record
    assert back(record) == {
        "name": "find",
        "description": record["description"],
        "inputSchema": {"type": "object", "additionalProperties": True},
    }
    assert as_atdf(back(record)) == record


@pytest.mark.parametrize("target", ["atdf", "atdf@0.1"])
def test_an_empty_description_of_an_input_is_none(target: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": ""}}, "required": ["a"]}
    (entry,) = as_atdf(mcp_tool(inputSchema=schema), target)["how_to_use"]["inputs"]
    assert entry.keys() - {"required"} == {"name", "type"}


@pytest.mark.parametrize(
    ("major", "namespace", "identifier"),
    [
        ("1", None, "notes_list"),
        ("2", None, "notes_list@2"),
        ("3", "City Notes", "city-notes.notes_list@3"),
    ],
)
def test_examples_are_read_by_what_an_id_is_made_of(major: str, namespace: str | None, identifier: str) -> None:
    examples = (Example(command="notes list"), Example(input={}))
    tool = Tool(id="notes_list", namespace=namespace, version=f"{major}.0.0", description="List.", examples=examples)
    name = Name(("notes", "list"), *qualifier_of(tool))
    assert FORMAT.identify(name) == identifier
    record = FORMAT.write(msgspec.structs.replace(tool, id=identifier), None)
    assert [example["goal"] for example in record.data["examples"]] == ["notes list", "List."]
    assert FORMAT.read(record).examples == (Example(command="notes list", input={}), Example(input={}))


def test_a_file_a_tool_is_what_the_sdk_for_javascript_loads(tmp_path: Path) -> None:
    """It takes every `.json` file of a folder, and refuses one that lacks a field, or holds a list."""
    tools = [mcp_tool(), {**mcp_tool(), "name": "drop/all"}, {**mcp_tool(), "name": "drop"}]
    (tmp_path / "all.json").write_text(json.dumps({"tools": tools}), "utf-8")
    ran = run(tmp_path, ("convert", "all.json", "--to", "atdf", "--one-per-tool", "-o", "records", "-q"))
    assert ran.code == 0
    records = [json.loads(path.read_text("utf-8")) for path in (tmp_path / "records").glob("*.json")]
    assert {record["tool_id"] for record in records} == {tool["name"] for tool in tools}
    assert all(record[key] for record in records for key in ("description", "when_to_use", "how_to_use"))


def test_a_command_line_goes_there_and_back() -> None:
    """Its arguments stand beside it. One with a sign of the shell or without a value shows no call: it is left out."""
    flags = {"name": "limit", "flags": ["-n", "--limit"], "type": "integer", "description": "How many."}
    order = {"name": "order", "flags": ["--order"], "type": "string", "description": "By what."}
    lines = ["notes list -n 3", "notes list --limit=4", "notes list -n many", "notes list; rm x", "notes wipe"]
    lines += ["notes list --order", "notes list --order;"]
    command = {"description": "List the notes.", "options": [flags, order], "examples": lines}
    source = {
        "atip": "0.3",
        "name": "notes",
        "version": "1",
        "description": "Keep notes.",
        "commands": {"list": command},
    }
    examples = record_of(source, "atdf", "atip")["examples"]
    assert [(one["command"], one["input_values"]) for one in examples] == [
        ("notes list -n 3", {"limit": 3}),
        ("notes list --limit=4", {"limit": 4}),
    ]
    again = record_of(record_of(source, "atdf", "atip"), "atip@0.3", "atdf")
    assert again["commands"][""]["examples"] == lines[:2]


def test_an_example_with_a_key_of_another_meaning_stays() -> None:
    example = {"goal": "Look", "command": "Say hello."}
    record = {**as_atdf(mcp_tool()), "examples": [example]}
    (kept,) = record_of(record, "atdf", "atdf")["examples"]
    assert kept.items() >= example.items()


def test_several_records_are_a_list_and_so_is_a_catalogue(tmp_path: Path) -> None:
    def written(verb: str, *tools: dict[str, Any]) -> Any:
        (tmp_path / "a.json").write_text(json.dumps({"tools": tools}))
        return json.loads(run(tmp_path, [verb, "a.json", "--to", "atdf"]).stdout)

    first, second = mcp_tool(), mcp_tool(name="lose")
    assert isinstance(written("convert", first), dict)
    assert [record["tool_id"] for record in written("convert", first, second)] == ["find", "lose"]
    assert [record["tool_id"] for record in written("catalog", first)] == ["find"]


@pytest.mark.parametrize("verb", ["convert", "catalog"])
@pytest.mark.parametrize("name", ["out.yaml", "out.atdf.yml"])
def test_a_file_that_is_called_yaml_is_yaml(verb: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"tools": [mcp_tool(), mcp_tool(name="lose")]}))
    as_json = run(tmp_path, [verb, "a.json", "--to", "atdf"]).stdout
    command = [verb, "a.json", "--to", "atdf", "-o", name]
    assert run(tmp_path, command).code == 0
    assert run(tmp_path, [*command, *(["--force"] if verb == "convert" else [])]).code == 0
    text = (tmp_path / name).read_text()
    assert text.startswith("- schema_version:")
    assert yaml.safe_load(text) == json.loads(as_json)


def test_a_format_without_yaml_stays_json(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"tools": [mcp_tool()]}))
    run(tmp_path, ["convert", "a.json", "--to", "openai", "-o", "out.yaml"])
    assert json.loads((tmp_path / "out.yaml").read_text())


@pytest.mark.parametrize(
    ("version", "more", "codes"),
    [
        ("1.0.0", {}, set()),
        ("1.0.0", {"metadata": {"version": "1.0.0"}}, {"newer-than-declared"}),
        ("2.0.0", {"metadata": {"version": "1.0.0"}}, set()),
        ("3.0.0", {}, {"unknown-schema-version"}),
    ],
)
def test_a_version_that_a_record_is_not_of_is_found(version: str, more: dict[str, Any], codes: set[str]) -> None:
    record = as_atdf(mcp_tool("Find the address of a person."), "atdf@0.1")
    found = toolglot.check(json.dumps({**record, "schema_version": version, **more}))
    assert {finding.code for finding in found} == codes


def test_a_long_description_is_quoted_in_time() -> None:
    with within(5):
        record = as_atdf(mcp_tool("Find it. " + "Use this tool when asked. " * 20_000))
        assert record["when_to_use"].count("Use this tool") == 8
