"""Whatever dialect a document speaks, the hub and every target hold JSON Schema 2020-12, and the report says so."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

import corpus
import schema_places
import toolglot
from rows import for_each, sample
from toolglot.converter import formats
from toolglot.converter.conversion import pipeline
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.conversion.schema_changes import find_spelled_schemas
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.schema.newest_dialect import restate_tool
from toolglot.converter.text import serialization
from toolglot.errors import Error, FitError
from toolglot.runtime.bridge import compilation

DRAFT_04 = "http://json-schema.org/draft-04/schema#"
DRAFT_06 = "http://json-schema.org/draft-06/schema#"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"

# Class: the schema of a tool's arguments as people write it, the same in 2020-12, and what the report has to admit.
DIALECTS: dict[str, tuple[dict[str, Any], dict[str, Any], set[str]]] = {
    "types of Python": (
        {"type": "dict", "properties": {"a": {"type": "dict"}, "b": {"type": "float"}, "c": {"type": "any"},
         "d": {"type": "tuple"}, "e": {"type": "int"}, "f": {"type": "str"}, "g": {"type": "list"}}},
        {"type": "object", "properties": {"a": {"type": "object"}, "b": {"type": "number"}, "c": {},
         "d": {"type": "array"}, "e": {"type": "integer"}, "f": {"type": "string"}, "g": {"type": "array"}}},
        {"renamed"},
    ),
    "types in upper case": (
        {"type": "OBJECT", "properties": {"a": {"type": "ARRAY", "items": {"type": "NUMBER"}}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "number"}}}},
        {"renamed"},
    ),
    "a type that nobody knows": (
        {"type": "object", "properties": {"a": {"type": "Customer"}}},
        {"type": "object", "properties": {"a": {}}},
        {"widened"},
    ),
    "nullable": (
        {"type": "object", "properties": {"a": {"type": "string", "nullable": True, "enum": ["x"]}}},
        {"type": "object", "properties": {"a": {"type": ["string", "null"], "enum": ["x", None]}}},
        {"renamed"},
    ),
    "a bare map of properties": (
        {"a": {"type": "string", "description": "A."}, "title": {"type": "integer"}},
        {"type": "object", "properties": {"a": {"type": "string", "description": "A."}, "title": {"type": "integer"}}},
        {"renamed"},
    ),
    "required at each property": (
        {"type": "object", "properties": {"a": {"type": "string", "required": True}, "b": {"required": False}}},
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
        {"renamed"},
    ),
    "required among the properties": (
        {"type": "object", "properties": {"a": {"type": "string"}, "required": ["a"]}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"renamed"},
    ),
    "draft-04": (
        {"$schema": DRAFT_04, "type": "object",
         "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}},
        {"type": "object", "properties": {"a": {"type": "number", "exclusiveMinimum": 0}}},
        {"renamed"},
    ),
    "draft-06": (
        {"$schema": DRAFT_06, "type": "object", "properties": {"a": {"$ref": "#/definitions/b"}},
         "definitions": {"b": {"const": 1}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"const": 1}}},
        {"renamed"},
    ),
    "draft-07": (
        {"$schema": DRAFT_07, "type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}],
         "additionalItems": False}}, "dependencies": {"a": ["b"]}},
        {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{"type": "string"}], "items": False}},
         "dependentRequired": {"a": ["b"]}},
        {"renamed"},
    ),
    "nothing but its declaration": (
        {"$schema": DRAFT_07, "type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"renamed"},
    ),
    "2019-09": (
        {"$schema": DRAFT_2019, "type": "object", "properties": {"a": {"$recursiveRef": "#"}}},
        {"type": "object", "properties": {"a": {"$ref": "#"}}},
        {"renamed"},
    ),
    "2020-12, declared": (
        {"$schema": DRAFT_2020, "type": "object", "properties": {"a": {"prefixItems": [{"type": "string"}]}}},
        {"$schema": DRAFT_2020, "type": "object", "properties": {"a": {"prefixItems": [{"type": "string"}]}}},
        set(),
    ),
}  # fmt: skip

# Format: a document whose tool takes these arguments.
SOURCES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "aip14": lambda schema: serialization.dump_front_matter(
        {"schema": "agentproto/tool/v1", "name": "T", "id": "t-t", "description": "Does.", "version": "1.0.0",
         "mutates": [], "inputs": schema, "outputs": {}}, "\n# T\n"
    ),
    "anthropic": lambda schema: {"tools": [{"name": "t", "description": "Does.", "input_schema": schema}]},
    "gemini": lambda schema: [
        {"functionDeclarations": [{"name": "t", "description": "Does.", "parametersJsonSchema": schema}]}
    ],
    "hub": lambda schema: {"toolglot": 1, "tools": [{"id": "t", "description": "Does.", "inputs": schema}]},
    "mcp": lambda schema: {"tools": [{"name": "t", "description": "Does.", "inputSchema": schema}]},
    "openai": lambda schema: {"tools": [{"type": "function", "function": {"name": "t", "description": "Does.",
                                                                          "parameters": schema}}]},
    "openai@responses": lambda schema: {"tools": [{"type": "function", "name": "t", "description": "Does.",
                                                   "strict": False, "parameters": schema}]},
    "tool-descriptor": lambda schema: {"tools": [{"toolId": "mcp:t", "source": "mcp", "safetyTier": "read",
                                                  "description": "Does.", "inputSchema": schema}]},
}  # fmt: skip
TARGETS = [
    f"{target.name}@{version}"
    for target in map(formats.get, formats.targets())
    if "inputs" in target.holds  # the others have no schemas
    for version in target.writes
]


def read(source: str, schema: dict[str, Any]) -> Any:
    return read_document(open_document(SOURCES[source](copy.deepcopy(schema))), source.partition("@")[0])


def faults(target: str, conversion: Conversion) -> list[str]:
    documents = [content for _, content in conversion.files]
    found = schema_places.schemas_in(target.partition("@")[0], documents)
    return [f"{place}: {fault}" for place, schema in found if (fault := schema_places.fault_of(schema))]


@for_each("source", SOURCES)
@for_each("dialect", DIALECTS)
def test_the_hub_holds_2020_12(dialect: str, source: str) -> None:
    written, plain, _ = DIALECTS[dialect]
    reading = read(source, written)
    (tool,) = reading.tools
    assert tool.inputs == plain
    record, own = reading.records[0], reading.format
    if canonical.is_valid(record.data, f"{own.name}/{own.version_of(record.data)}"):
        assert own.write(tool, None).data == record.data, "back home the spelling is the source's own"


@for_each("source", SOURCES)
@for_each("dialect", DIALECTS)
def test_every_target_holds_valid_schemas_and_the_report_says_what_changed(dialect: str, source: str) -> None:
    written, plain, actions = DIALECTS[dialect]
    reading = read(source, written)
    for target in sample(TARGETS, 4, [*DIALECTS].index(dialect) + [*SOURCES].index(source)):
        if target.partition("@")[0] == reading.format.name:
            continue
        conversion = pipeline.convert_readings([reading], target)
        assert faults(target, conversion) == [], target
        told = {change.action for change in conversion.report.changes if "/inputs" in change.path}
        if written != plain and not formats.get(target.partition("@")[0]).holds_everything:
            assert actions <= told, (target, told)
        assert not any(change.before == written for change in conversion.report.losses), "a spelling is no loss"


@for_each("dialect", DIALECTS)
@for_each("target", ["aip14", "atip", "atdf", "mcp", "tool-descriptor", "hub"])
def test_lossless_brings_the_spelling_home(dialect: str, target: str) -> None:
    source = "openai" if target == "mcp" else "mcp"
    reading = read(source, DIALECTS[dialect][0])
    conversion = pipeline.convert_readings([reading], target, lossless=True)
    back = read_document(open_document(conversion.text, restore=True), target)
    assert back.tools == reading.tools


# -- lists of parameters ----------------------------------------------------------------------------------------

# Format: one parameter `a` with a schema of its own, and with a type.
PARAMETERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "atdf": lambda entry: {"tools": [{"schema_version": "2.0.0", "tool_id": "t", "description": "Does.",
        "when_to_use": "Now.", "how_to_use": {"inputs": [{"name": "a", "required": False, **entry}],
                                              "outputs": {"success": "Done.", "failure": []}}}]},
    "atip": lambda entry: {"atip": {"version": "0.6"}, "name": "p", "version": "1", "description": "Does.",
        "commands": {"c": {"description": "Does.", "options": [{"name": "a", "flags": ["--a"], "description": "A.",
                                                                **entry}]}}},
}  # fmt: skip
ENTRIES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a type of Python": ({"type": "dict"}, {"type": "object"}),
    "another": ({"type": "float"}, {"type": "number"}),
    "in upper case": ({"type": "INTEGER"}, {"type": "integer"}),
    "nullable": ({"type": "string", "schema": {"type": "string", "nullable": True}}, {"type": ["string", "null"]}),
    "draft-07": (
        {"type": "array", "schema": {"$schema": DRAFT_07, "type": "array", "items": [{"type": "int"}]}},
        {"type": "array", "prefixItems": [{"type": "integer"}]},
    ),
    "definitions": (
        {"type": "object", "schema": {"$ref": "#/definitions/d", "definitions": {"d": {"type": "dict"}}}},
        {"$ref": "#/$defs/d"},
    ),
}


@for_each("source", PARAMETERS)
@for_each("kind", ENTRIES)
def test_parameters_hold_2020_12_too(kind: str, source: str) -> None:
    entry, expected = ENTRIES[kind]
    reading = read_document(open_document(PARAMETERS[source](entry)), source)
    record, own = reading.records[0], reading.format
    (leaf,) = leaves_of(reading.tools[0])
    assert leaf.tool.inputs is not None
    found = dict(leaf.tool.inputs["properties"]["a"])
    found.pop("description", None)
    assert {key: found.get(key) for key in expected} == expected
    assert schema_places.fault_of(leaf.tool.inputs) is None
    assert own.write(reading.tools[0], None).data == record.data
    for target in TARGETS:
        if target.partition("@")[0] != source:
            assert faults(target, pipeline.convert_readings([reading], target)) == [], target


# -- what nobody describes --------------------------------------------------------------------------------------

SILENT = {"toolId": "mcp:t", "source": "mcp", "safetyTier": "read", "description": "Does."}


@for_each("target", TARGETS)
def test_unknown_arguments_are_never_no_arguments(target: str) -> None:
    conversion = pipeline.convert(SILENT, target)
    name = target.partition("@")[0]
    if name in ("hub", "tool-descriptor"):
        assert "input" not in conversion.text
        return
    (tool,) = toolglot.read(conversion.text, format=name)
    (leaf,) = leaves_of(tool)
    inputs = leaf.tool.inputs
    assert inputs is None or inputs.get("properties") or inputs.get("additionalProperties") is True


@for_each("first", ["aip14", "mcp", "openai", "gemini"])
@for_each("second", ["openai", "anthropic", "gemini@parameters", "gemini@json-schema", "mcp"])
def test_unknown_arguments_stay_unknown_on_the_way(first: str, second: str) -> None:
    between = pipeline.convert(SILENT, first).text
    compiled = compilation.compile(list(toolglot.read(between, format=first)), second)
    (name,) = compiled.offers
    arguments = {"x": {"y": [1]}}
    sent = compiled.encode(name, arguments)
    assert compiled.decode(name, sent) == arguments
    said = compiled.definitions[0].get("parametersJsonSchema", compiled.definitions[0])
    assert not json.dumps(said).endswith('"properties": {}}'), "it would read as no arguments"


def test_a_strict_mode_cannot_say_unknown_arguments() -> None:
    for provider in ("openai", "anthropic"):
        compiled = compilation.compile(list(toolglot.read(SILENT)), provider, strict=True)
        (exposed,) = compiled.tools.values()
        assert exposed.mode == "loose"
        assert "open-object" in (exposed.reason or "")


# -- tools that no reader has read, and slots that nobody wrote --------------------------------------------------


def test_tools_made_by_hand_are_written_in_2020_12() -> None:
    tool = Tool(id="t", description="Does.", inputs={"type": "dict", "properties": {"a": {"type": "float"}}})
    for target in TARGETS:
        documents = [toolglot.write(tool, target)]
        for place, schema in schema_places.schemas_in(target.partition("@")[0], documents):
            assert schema_places.fault_of(schema) is None, (target, place)
    assert restate_tool(tool).inputs == {"type": "object", "properties": {"a": {"type": "number"}}}


def test_a_slot_of_another_dialect_is_restated() -> None:
    written = {"type": "object", "properties": {"a": {"type": "float"}}}
    source = {"name": "t", "description": "Does.", "inputSchema": written}
    lossless = json.loads(pipeline.convert(source, "tool-descriptor", lossless=True).text)
    next(iter(lossless["x-toolglot"].values()))["slot"]["tool"]["inputs"] = written
    reading = read_document(open_document(lossless, restore=True))
    assert reading.is_restored
    assert reading.tools[0].inputs == {"type": "object", "properties": {"a": {"type": "number"}}}


# -- the providers' own corners ----------------------------------------------------------------------------------

LETTERS = r"^\p{L}+$"


def steps_of(schema: dict[str, Any], provider: str, strict: bool = False) -> tuple[Any, set[str], Any]:
    inputs = {"type": "object", "properties": {"v": schema}, "required": ["v"]}
    compiled = compilation.compile(Tool(id="t", inputs=inputs), provider, strict=strict)
    offer = compiled.offers["t"]
    actions = {change.action for change in compiled.report.changes if "/inputs/properties/v" in change.path}
    return offer.fitted.schema["properties"]["v"] if offer.fitted and offer.fitted.schema else None, actions, compiled


# What a document of the hub says that it was read from, and what of that no field holds: anything at all.
STRAY_EXTENSIONS: list[tuple[str, dict[str, Any]]] = [
    ("anthropic", {"input_schema": "a"}),
    ("atdf", {"how_to_use": 1}),
    ("atdf", {"how_to_use": {"outputs": 1}}),
    ("openai", {"function": "a"}),
]


@for_each(("origin", "extension"), STRAY_EXTENSIONS)
def test_an_extension_of_another_shape_is_borne(origin: str, extension: dict[str, Any]) -> None:
    tool = {"id": "a", "description": "Does it.", "origin": origin, "extensions": {origin: extension}}
    assert toolglot.convert({"toolglot": 1, "tools": [tool]}, origin).text


def test_no_foreign_regular_expression_is_a_key() -> None:
    schema = {"type": "object", "patternProperties": {LETTERS: {"type": "integer"}}, "additionalProperties": False}
    found, actions, compiled = steps_of(schema, "openai")
    assert "patternProperties" not in found
    assert LETTERS in found["description"]
    assert "widened" in actions
    assert compiled.encode("t", {"v": {"é": 1}}) == {"v": {"é": 1}}
    kept, _, _ = steps_of({"type": "object", "patternProperties": {"^a": {"type": "integer"}}}, "openai")
    assert kept["patternProperties"] == {"^a": {"type": "integer"}}


@pytest.mark.parametrize("schema", [{"enum": ["a", None]}, {"anyOf": [{"const": "a"}, {"const": None}]}])
def test_null_among_the_values_is_nullable(schema: dict[str, Any]) -> None:
    _, _, compiled = steps_of(schema, "gemini@parameters")
    sent = compiled.definitions[0]["parameters"]["properties"]["v"]
    assert sent["nullable"] is True
    assert None not in json.loads(json.dumps(sent).replace('"anyOf": [', '"one": [')).get("enum", [])
    assert "null]" not in json.dumps(sent)
    for value in ("a", None):
        assert compiled.decode("t", compiled.encode("t", {"v": value})) == {"v": value}


@pytest.mark.parametrize("schema", [{"const": None}, {"enum": [None]}])
def test_nothing_but_null_is_a_type(schema: dict[str, Any]) -> None:
    _, _, compiled = steps_of(schema, "gemini@parameters")
    assert compiled.definitions[0]["parameters"]["properties"]["v"] == {"type": "NULL"}


@pytest.mark.parametrize("strict", [True, False])
def test_renamed_keys_beside_patterns(strict: bool) -> None:
    inputs = {"type": "object", "properties": {"a b": {"type": "string"}}, "required": ["a b"],
              "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False}  # fmt: skip
    compiled = compilation.compile(Tool(id="t", inputs=inputs), "anthropic", strict=strict)
    assert compiled.tools["t"].mode == "loose"  # no strict object says what keys of a pattern hold
    arguments = {"a b": "q", "x1": 3}
    assert compiled.decode("t", compiled.encode("t", arguments)) == arguments


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini@parameters", "gemini@json-schema"])
def test_alternatives_that_accept_nothing_are_reported(provider: str) -> None:
    found, actions, compiled = steps_of({"oneOf": [False, False]}, provider)
    try:
        compiled.encode("t", {"v": 1})
    except FitError:
        return
    assert "widened" in actions, found


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_members_of_members_are_not_lost(depth: int) -> None:
    """`allOf` of a reference to an `allOf` of a reference, and so on."""
    definitions: dict[str, Any] = {"d0": {"properties": {"a": {"type": "string"}}}}
    for number in range(1, depth + 1):
        definitions[f"d{number}"] = {"allOf": [{"$ref": f"#/$defs/d{number - 1}"}]}
    schema = {"properties": {"b": {"type": "integer"}}, "allOf": [{"$ref": f"#/$defs/d{depth}"}]}
    inputs = {"type": "object", "properties": {"v": schema}, "required": ["v"], "$defs": definitions}
    for provider in ("gemini@parameters", "gemini@json-schema"):
        compiled = compilation.compile(Tool(id="t", inputs=inputs), provider)
        with pytest.raises(FitError):
            compiled.encode("t", {"v": {"a": 1}})


def test_null_where_null_is_the_default_says_nothing() -> None:
    inputs = {"type": "object", "additionalProperties": False, "required": ["b"], "properties": {
        "a": {"type": ["string", "null"], "default": None}, "b": {"type": ["string", "null"]}}}  # fmt: skip
    compiled = compilation.compile(Tool(id="t", inputs=inputs), "openai", strict=True)
    assert compiled.report.losses == ()
    assert compiled.decode("t", compiled.encode("t", {"a": None, "b": None})) == {"b": None}
    assert compiled.decode("t", compiled.encode("t", {"a": "x", "b": None})) == {"a": "x", "b": None}


@pytest.mark.parametrize(
    ("schema", "provider", "strict", "action"),
    [
        ({"type": ["string", "null"]}, "openai", True, "narrowed"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "openai", True, "narrowed"),
        ({"oneOf": [False]}, "gemini@parameters", False, "widened"),
        ({"description": "Any."}, "gemini@parameters", False, "encoded"),
    ],
)
def test_no_step_is_filed_as_assumed(schema: dict[str, Any], provider: str, strict: bool, action: str) -> None:
    tool = Tool(id="t", inputs={"type": "object", "properties": {"v": schema}, "additionalProperties": False})
    report = compilation.compile(tool, provider, strict=strict).report
    found = {change.action for change in report.changes if "/inputs/properties/v" in change.path}
    assert action in found
    assert "assumed" not in found


# -- real documents ------------------------------------------------------------------------------------------------


def test_no_target_of_a_real_document_holds_an_invalid_schema() -> None:
    """One tool for each way of spelling things otherwise, and a few of the rest; all of them with `TOOLGLOT_SUITES=1`.

    A conversion that is refused, with a reason, holds nothing.
    """
    seen: set[Any] = set()
    judged = 0
    for reading, tool in real_tools():
        kind = otherwise(tool)
        if kind in seen and os.environ.get("TOOLGLOT_SUITES") != "1":
            continue
        seen.add(kind)
        one = msgspec.structs.replace(reading, tools=[tool], records=reading.records[:1], leftover={})
        for target in sample(TARGETS, 3, len(seen)):
            if target.partition("@")[0] == reading.format.name:
                continue
            try:
                conversion = pipeline.convert_readings([one], target)
            except Error:
                continue
            judged += 1
            assert faults(target, conversion) == [], (reading.document.name, tool.id, target)
    assert judged >= corpus.at_least(100)


def real_tools() -> Iterator[tuple[Reading, Tool]]:
    for folder in corpus.FOLDERS:
        for path in corpus.files(folder):
            reading = corpus.reading_of(path)
            if reading is not None:
                yield from ((reading, tool) for tool in reading.tools)


def otherwise(tool: Tool) -> tuple[Any, ...]:
    """What had to be said otherwise in a tool's schemas, and which keywords they have."""
    values = [tool.extensions or {}, *(schema for leaf in leaves_of(tool) for schema in (leaf.tool.inputs or {},))]
    words = set(_ODD.findall(json.dumps(values)))
    return (
        tool.origin,
        bool(find_spelled_schemas(next(iter((tool.extensions or {}).values()), {}), tool)),
        *sorted(words),
    )


_ODD = re.compile(
    r'"type": "(?!string"|integer"|number"|boolean"|array"|object")[a-zA-Z]+"|"nullable"|"definitions"|"prefixItems"'
)


def test_a_count_that_is_one_where_it_is_absent_is_missed() -> None:
    """`minContains: 0` accepts lists without a match; ATIP cannot say it, and the rest would refuse them."""
    schema = {"type": "object", "properties": {"v": {"contains": {"const": 1}, "minContains": 0}}}
    report = toolglot.convert({"name": "a", "description": "A.", "inputSchema": schema}, "atip").report
    found = {change.path: change.action for change in report.changes}
    assert found["/inputs/properties/v/minContains"] == "narrowed"


def test_what_is_said_of_the_names_of_keys_is_not_said_of_the_schemas_below_them() -> None:
    properties = {"n": {"type": "integer"}, "m": {"$ref": "#/properties/n", "maximum": 9}, "a/b": {"type": "string"}}
    source = {"name": "a", "description": "A.", "inputSchema": {"type": "object", "properties": properties}}
    found = {change.path: change.action for change in toolglot.convert(source, "anthropic").report.changes}
    assert (found["/inputs/properties/a_b"], found["/inputs/properties/m/type"]) == ("narrowed", "renamed")
