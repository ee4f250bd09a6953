"""What counts as a loss: what is gone, or looser, in the target; not what it says elsewhere, or as well.

The first test is the judge: it knows nothing of how the report is made. It plants a text wherever a document has room
for one and looks for it in the bytes of the target; where it is not there, a loss has to name it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import toolglot
from golden import FIXTURES
from rows import for_each, sample
from toolglot.converter import formats
from toolglot.converter.conversion import leaf_comparison, pipeline, reading
from toolglot.converter.formats import Record
from toolglot.converter.hub.model import Leaf
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import keyed_values
from toolglot.errors import Error, LossError

DOCUMENTS = sorted(path for path in (FIXTURES / "identity").rglob("*") if path.is_file())
MANY = 12  # texts planted at a time


def label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def rooms(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all objects in a document."""
    if isinstance(node, dict):
        yield path
    for key, item in keyed_values(node):
        yield from rooms(item, (*path, key))


def planted(data: Any, path: tuple[str | int, ...], key: str, value: Any) -> Any:
    """A copy with one more key in the object at the path."""
    copy = json.loads(json.dumps(data))
    node = copy
    for step in path:
        node = node[step]
    node[key] = value
    return copy


def read_alone(source: formats.Format, record: Record) -> reading.Reading | None:
    try:
        reading.check_shape(record, source)
        return reading.Reading(source, document_reader.from_data({}), [record], [source.tool_of(record)], {})
    except Error:
        return None


@for_each("path", DOCUMENTS, ids=label)
def test_what_is_planted_is_in_the_target_or_among_the_losses(path: Path) -> None:
    source = formats.get(path.parent.name)
    document = document_reader.load(path.read_bytes())
    record = msgspec.structs.replace(source.records(document.data)[0], body=document.body)
    found = record
    marks: list[str] = []
    for number, room in enumerate(list(rooms(record.data))[:MANY]):
        mark = f"planted-text-{number}-of-ours"
        # A map of names to objects (commands, properties) has room for an object only.
        for value in (mark, {"description": mark}):
            grown = msgspec.structs.replace(found, data=planted(found.data, room, f"x-planted-{number}", value))
            if read_alone(source, grown) is not None:
                found = grown
                marks.append(mark)
                break
    whole = read_alone(source, found)
    assert whole is not None
    assert marks or source.one_per_file or source.name in ("hub", "tool-descriptor"), "nothing could be planted"
    for target in sample(formats.targets(), 7, DOCUMENTS.index(path)):
        try:
            conversion = pipeline.convert_readings([whole], target)
        except Error:
            continue
        written = "".join(content for _, content in conversion.files)
        lost = json.dumps([change.to_json() for change in conversion.report.losses], ensure_ascii=False)
        missing = [mark for mark in marks if mark not in written and mark not in lost]
        assert not missing, (target, missing)


# -- what is no loss, class by class, each in the formats where it exists; and beside it what is one ------------------

INPUTS = {"type": "object", "properties": {"a": {"type": "string"}}}
ONE_OF_TWO = {
    "type": "object",
    "properties": {
        "a": {
            "type": "object",
            "properties": {"b": {"type": "string"}, "c": {"type": "string"}},
            "anyOf": [{"required": ["b"]}, {"required": ["c"]}],
        }
    },
}
BLANK_KEY = {"type": "object", "properties": {"a b": {"type": "string"}}}
REFERENCE = {
    "type": "object",
    "$defs": {"a": {"type": "object", "properties": {"b": {}}, "required": ["b"]}},
    "properties": {"a": {"$ref": "#/$defs/a", "required": []}},
}


def mcp(**facts: Any) -> dict[str, Any]:
    return {"name": "list_files", "description": "List them.", "inputSchema": INPUTS, **facts}


def openai(**facts: Any) -> dict[str, Any]:
    return {"name": "list_files", "description": "List them.", "parameters": INPUTS, **facts}


def atdf(**facts: Any) -> dict[str, Any]:
    how = {"inputs": [{"name": "a", "type": "string", "required": True}], "outputs": {"failure": []}}
    return {"tool_id": "ls", "description": "List.", "when_to_use": "To list.", "how_to_use": how, **facts}


def atip(**command: Any) -> dict[str, Any]:
    told = {"description": "List.", **command}
    return {
        "atip": {"version": "0.6"},
        "name": "ls",
        "version": "1.0.0",
        "description": "List.",
        "commands": {"": told},
    }


def tool_md(*lines: str) -> str:
    head = ["id: list", "name: List", "description: List them.", "version: 1.0.0", *lines]
    return "\n".join(("---", *head, "inputs: {type: object}", "outputs: {}", "---", ""))


SCHEMA = "inputSchema"
NO_LOSS: dict[str, tuple[Any, str]] = {
    "a title in the annotations": (mcp(annotations={"title": "List files"}), "openai"),
    "a title that the name says": (mcp(title="List Files"), "anthropic"),
    "a keyword that says nothing beside a reference": (mcp(inputSchema=REFERENCE), "openai"),
    "a result behind a reference": (
        mcp(outputSchema={"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "required": ["b"]}}}),
        "mcp@2025-11-25",
    ),
    "a null annotation": (mcp(annotations={"readOnlyHint": None, "title": None}), "aip14"),
    "annotations that are null": (mcp(annotations=None), "aip14"),
    "no type": (mcp(inputSchema={"properties": {"a": {"type": "string"}}}), "aip14"),
    "no type, to a list of parameters": (mcp(inputSchema={"properties": {"a": {"type": "string"}}}), "atip"),
    "nothing about further arguments": (mcp(), "atip"),
    "no arguments": (mcp(inputSchema={"type": "object", "properties": {}, "additionalProperties": False}), "gemini"),
    "arguments that became a schema": (
        {
            "tools": [
                {"name": "ls", "description": "List.", "arguments": [{"name": "a", "type": "string", "desc": "It."}]}
            ]
        },
        "openai",
    ),
    "keywords that accept everything": (
        mcp(inputSchema={**INPUTS, "additionalProperties": True, "required": [], "minProperties": 0, "allOf": [True]}),
        "gemini",
    ),
    "a dialect": (mcp(inputSchema={**INPUTS, "$schema": "https://json-schema.org/draft/2020-12/schema"}), "atdf"),
    "an empty description": (
        mcp(inputSchema={"type": "object", "properties": {"a": {"type": "string", "description": ""}}}),
        "openai",
    ),
    "a bare definition": (openai(), "mcp"),
    "a wrapped definition": ({"type": "function", "function": openai()}, "mcp"),
    "a flat definition": ({"type": "function", "strict": False, **openai()}, "anthropic"),
    "a custom type": (
        {"type": "custom", "name": "ls", "description": "List.", "input_schema": INPUTS, "cache_control": None},
        "openai",
    ),
    "a version of the format": (atdf(schema_version="2.0.0"), "mcp"),
    "no errors": (atdf(), "mcp"),
    "a version of the protocol": (atip(), "atdf"),
    "empty effects": (atip(effects={"filesystem": {}}), "atdf"),
    "an interactive out of place": (atip(interactive={"prompts": True}), "atdf"),
    "a line of the schema": (tool_md("schema: agentproto/tool/v1"), "hub"),
    "creates that became mutates": (atip(effects={"creates": ["pull request"]}), "aip14"),
    "modifies that became mutates": (atip(effects={"modifies": ["branch"]}), "aip14"),
    "no further keywords": ({**openai(), "parameters": {**INPUTS, "optional": []}}, "mcp"),
    "a required key under another name": (
        mcp(inputSchema={**BLANK_KEY, "additionalProperties": False, "required": ["a b"]}),
        "anthropic",
    ),
    "a list of what is not required": ({**openai(), "parameters": {**INPUTS, "optional": ["a"]}}, "atdf"),
    "an example under another name": (
        {**openai(), "parameters": {"type": "object", "properties": {"a": {"type": "string", "example_value": "x"}}}},
        "atip",
    ),
    "titles made of names": (
        mcp(
            inputSchema={
                "type": "object",
                "title": "list_filesArguments",
                "properties": {"page_size": {"title": "Page Size", "type": "integer"}},
            }
        ),
        "atip",
    ),
    "a title of a model, made of the name": (mcp(inputSchema={**INPUTS, "title": "ListFilesInput"}), "atdf"),
    "the description again, in the schema": (mcp(inputSchema={**INPUTS, "description": "List them."}), "atdf"),
    "a type that the values prove": (
        mcp(inputSchema={"type": "object", "properties": {"a": {"enum": ["x"]}, "b": {"items": {"enum": [1, 2.5]}}}}),
        "atdf",
    ),
    "a part of a schema put in its place": (
        mcp(inputSchema={**INPUTS, "allOf": [{"properties": {"b": {"type": "string"}}, "required": ["b"]}]}),
        "openai",
    ),
    "a list or null": (
        mcp(
            inputSchema={
                "type": "object",
                "properties": {"a": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}},
            }
        ),
        "gemini@parameters",
    ),
    "names of which one has to be given, inside": (
        mcp(inputSchema=ONE_OF_TWO),
        "gemini@parameters",
    ),
    "definitions put where they are referred to": (
        mcp(
            inputSchema={
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/a~1b"}},
                "$defs": {"a/b": {"type": "object", "properties": {"c": {"type": "string"}}, "required": ["c"]}},
            }
        ),
        "gemini@parameters",
    ),
    "names of properties that take anything": (
        mcp(inputSchema={"type": "object", "properties": {"a": {"type": "object", "required": ["b"]}}}),
        "gemini",
    ),
    "alternatives that are objects as what they stand in is": (
        mcp(inputSchema=ONE_OF_TWO),
        "gemini",
    ),
    "a title of the words of the name": (mcp(title="Files: list"), "anthropic"),
    "a title that nothing else says": (mcp(title="Directory"), "openai"),
    "a version of two numbers": ({"tools": [mcp()], "name": "files", "version": "1.2"}, "aip14"),
}
ALWAYS = {
    "dropped-version", "dropped-description", "dropped-outputs", "dropped-command-line",
}  # fmt: skip
LOSS: dict[str, tuple[Any, str]] = {
    "another name of a key, which any other key may have": (mcp(inputSchema=BLANK_KEY), "anthropic"),
    "a hint that no reader believes": (mcp(annotations={"readOnlyHint": True, "title": "x"}), "aip14"),
    "arguments whose type is gone": (
        {
            "tools": [
                {"name": "ls", "description": "List.", "arguments": [{"name": "a", "type": "Path", "desc": "It."}]}
            ]
        },
        "openai",
    ),
    "a further key": (mcp(category="files"), "openai"),
    "a version that is a date": ({"tools": [mcp()], "name": "files", "version": "2026-01-31"}, "aip14"),
    "a bound": (mcp(inputSchema={"type": "object", "properties": {"a": {"minLength": 1}}}), "gemini"),
    "closed arguments": (mcp(inputSchema={**INPUTS, "additionalProperties": False}), "atdf"),
    "open arguments": (mcp(inputSchema={**INPUTS, "additionalProperties": {"type": "string"}}), "atip"),
    "an entry with more": (
        atdf(how_to_use={"inputs": [{"name": "a", "type": "string", "unit": "cm"}], "outputs": {"failure": []}}),
        "mcp",
    ),
    "a type that no reader knows": (
        atdf(how_to_use={"inputs": [{"name": "a", "type": "date"}], "outputs": {"failure": []}}),
        "mcp",
    ),
    "such a type deep inside": (
        atdf(
            how_to_use={
                "inputs": [{"name": "a", "type": "array", "schema": {"items": {"type": "date"}}}],
                "outputs": {"failure": []},
            }
        ),
        "mcp",
    ),
    "resources that no text names": (atip(effects={"creates": ["pull request"]}), "atdf"),
    "deletes that became a change": (atip(effects={"deletes": ["repository"]}), "tool-descriptor"),
    "strict": ({"type": "function", **openai(), "strict": True}, "mcp"),
    "a hosted tool's own words": (mcp(_meta={"ui": "x"}), "anthropic"),
}


@for_each("name", NO_LOSS)
def test_what_is_said_otherwise_is_no_loss(name: str) -> None:
    source, target = NO_LOSS[name]
    losses = toolglot.convert(source, target).report.losses
    assert not [change for change in losses if change.code not in ALWAYS], losses


@for_each("name", LOSS)
def test_what_is_gone_is_a_loss(name: str) -> None:
    source, target = LOSS[name]
    with pytest.raises(LossError):
        toolglot.convert(source, target, fail_on="lost")


REFUSED: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"additionalProperties": {}}, {"additionalProperties": "narrowed"}),
    ({"patternProperties": {"^a": {}}, "additionalProperties": False}, {"patternProperties": "dropped"}),
]


@for_each(("keywords", "expected"), REFUSED)
def test_keys_that_a_command_line_has_no_place_for_are_refused(
    keywords: dict[str, Any], expected: dict[str, str]
) -> None:
    report = toolglot.convert(mcp(inputSchema={**INPUTS, **keywords}), "atip").report
    actions = {change.path.removeprefix("/inputs/"): change.action for change in report.changes}
    assert {key: action for key, action in actions.items() if key in keywords} == expected


@for_each("name", NO_LOSS)
def test_what_is_no_loss_is_an_entry_all_the_same(name: str) -> None:
    """Law 2: a difference has another action, not none."""
    source, target = NO_LOSS[name]
    conversion = toolglot.convert(source, target)
    before = [leaf for tool in conversion.tools for leaf in leaves_of(tool)]
    after: list[Leaf] = []
    for _, content in conversion.files:
        for tool in toolglot.read(content, target):
            after += leaves_of(tool)
    named = {change.path for change in conversion.report.changes}
    for change in leaf_comparison.compare_leaves(leaf_comparison.pair_leaves(before, after)):
        assert change.path in named


@pytest.mark.parametrize("origin", ["atip", "aip14", "atdf"])
def test_a_slot_that_nothing_comes_of_is_one_loss(origin: str) -> None:
    carried = toolglot.convert(mcp(annotations={"openWorldHint": True}), origin, lossless=True).text
    edited = carried.replace("List them.", "List all.", 1)
    for text, restore, code in ((carried, False, "dropped-slot"), (edited, True, "stale-slot")):
        losses = toolglot.convert(text, "mcp", format=origin, restore=restore).report.losses
        assert [change.code for change in losses if "toolglot" in change.path] == [code]


def test_an_unknown_version_is_none() -> None:
    document = {**atip(), "version": "unknown"}
    assert toolglot.read_one(document).version is None
    assert json.loads(toolglot.convert(document, "atip").text)["version"] == "unknown"
    assert not [change for change in toolglot.convert(document, "mcp").report.losses if change.path == "/version"]


def test_words_in_the_place_of_a_description_are_assumed() -> None:
    changes = toolglot.convert(mcp(), "atip").report.changes
    assert [change.action for change in changes if change.path == "/bindings"] == ["assumed"]


def test_what_a_target_refuses_under_an_empty_key_goes_alone() -> None:
    usage = {"inputs": [], "outputs": {"success": "Mended.", "failure": []}}
    record = {"tool_id": "mend", "description": "Mend a net.", "when_to_use": "After a storm."}
    conversion = toolglot.convert({**record, "how_to_use": {**usage, "": [[]]}}, "atdf")
    assert json.loads(conversion.text)["how_to_use"] == usage


def test_a_keyword_that_is_gone_and_settled_is_no_part_of_what_is_compared() -> None:
    schema = {"type": "OBJECT", "properties": {}, "required": ["a"], "nullable": True, "additionalProperties": False}
    for target in ("a2a", "aip14", "anthropic", "atdf", "atip", "mcp", "openai", "tool-descriptor"):
        assert toolglot.convert({"name": "ls", "parameters": schema}, target, format="gemini").report.changes
