"""Large documents take time that grows with them, and no faster: each of these took minutes before."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import toolglot
from pace import within
from rows import for_each
from toolglot.converter.file_search.file_patterns import FilePatterns
from toolglot.converter.fitting.fit import fit
from toolglot.converter.formats import get
from toolglot.converter.formats.atip.arguments_and_options import STYLE
from toolglot.converter.formats.kit.parameters import distribute
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import without_warnings
from toolglot.converter.schema.arguments import Inputs
from toolglot.converter.schema.older_dialects import normalise
from toolglot.converter.text import document_reader
from toolglot.converter.text.document_reader import looks_like_kdl
from toolglot.converter.text.json_reader import blank_comments
from toolglot.converter.text.wording import add_full_stop
from toolglot.errors import FitError, LimitError, UsageError, WriteError
from toolglot.verbs.diagnostics.credential_warnings import credentials_in
from toolglot.verbs.diagnostics.rule_names import codes_of

SECONDS = 0.6  # of the processor; the slowest takes half of it


def convert(to: str) -> Callable[[Any], object]:
    return lambda data: toolglot.convert(data, to).text


def keys(number: int) -> dict[str, int]:
    return {f"key{index}": index for index in range(number)}


def a_tool(**schema: Any) -> dict[str, Any]:
    return {"name": "a", "description": "Does it.", "inputSchema": {"type": "object", **schema}}


def chain_of_alternatives(levels: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {f"d{levels}": {"type": "string"}}
    for level in range(levels):
        definitions[f"d{level}"] = {"anyOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 20}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": definitions}


def alternatives_of_themselves() -> dict[str, Any]:
    keys = {"inner": {"$ref": "#/$defs/node"}, "value": {"type": ["null", "string"]}}
    node = {"type": "object", "properties": keys}
    other_node = {"type": "object", "properties": {**keys, "other": {"type": "string"}}}
    inputs = {"type": "object", "properties": {"node": {"$ref": "#/$defs/node"}}}
    return {**inputs, "$defs": {"node": {"anyOf": [node, other_node]}}}


def nested(levels: int) -> dict[str, Any]:
    node: dict[str, Any] = {"value": None}
    for _ in range(levels):
        node = {"inner": node}
    return {"node": node}


def refuse_to_write(to: str) -> Callable[[Any], object]:
    def convert_what_breaks_its_schema(data: Any) -> None:
        with pytest.raises(WriteError) as caught:
            toolglot.convert(data, to)
        assert caught.value.code == "invalid-output"

    return convert_what_breaks_its_schema


def a_tool_md(**data: Any) -> str:
    head = {"schema": "agentproto/tool/v1", "id": "a.b", "name": "A", "description": "A.", "version": "1.0.0"}
    data = {**head, "mutates": [], "inputs": {"type": "object"}, "outputs": {}, **data}
    return f"---\n{json.dumps(data)}\n---\n"


def a_command(**data: Any) -> dict[str, Any]:
    return {"opencli": "0.1", "info": {"title": "a", "version": "1"}, "commands": [{"name": "b", **data}]}


def refuse_kdl(text: str) -> None:
    with pytest.raises(LimitError):
        document_reader.load(text, "a.kdl")


def refuse_strictly(schema: dict[str, Any]) -> None:
    with pytest.raises(FitError, match="too many"):
        fit_strictly("openai")(schema)


def refuse_selector(text: str) -> None:
    with pytest.raises(UsageError):
        list(codes_of([text]))


def look_for_patterns_of_many_files(table: tuple[tuple[str, str], ...]) -> None:
    patterns = FilePatterns("/a", table)
    for number in range(30):
        assert patterns.values_of(f"/a/b{number}") == []


def encode_strictly(arguments: dict[str, Any]) -> None:
    rules = next(rules for rules in get("openai").provider.profiles if rules.strict)
    with pytest.raises(FitError):  # null could only be left out
        fit(alternatives_of_themselves(), rules).encode(arguments)


def fit_strictly(name: str) -> Callable[[Any], object]:
    return lambda schema: fit(schema, next(rules for rules in get(name).provider.profiles if rules.strict))


def unions_of_large_definitions(count: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {}
    for name in range(40):
        keys = {f"k{key}": {"anyOf": [{"const": f"{name}{key}{n}"} for n in range(4)]} for key in range(8)}
        definitions[f"d{name}"] = {"type": "object", "properties": keys, "required": list(keys)}
    union = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in definitions]}
    return {"type": "object", "properties": {f"p{n}": union for n in range(count)}, "$defs": definitions}


def an_api(**properties: Any) -> dict[str, Any]:
    result = {"description": "", "content": {"application/json": {"schema": {"properties": properties}}}}
    definition = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(2_000)}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "A", "version": "1"},
        "paths": {"/a": {"get": {"responses": {"200": result}}}},
        "components": {"schemas": {"Large": definition}},
    }


def an_answer(**schema: Any) -> dict[str, Any]:
    return {"description": "It.", "content": {"application/json": {"schema": schema}}}


def a_ring(operations: int, schemas: int) -> dict[str, Any]:
    """Every operation needs all schemas, of which each refers to the next."""
    components = {
        f"S{n}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{(n + 1) % schemas}"}}}
        for n in range(schemas)
    }
    answers = {"200": an_answer(**{"$ref": "#/components/schemas/S0"})}
    paths = {f"/a{n}": {"get": {"responses": answers}} for n in range(operations)}
    return {"openapi": "3.1.0", "info": {}, "paths": paths, "components": {"schemas": components}}


def refuse(to: str) -> Callable[[Any], object]:
    def convert_too_large(data: Any) -> None:
        with pytest.raises(toolglot.Error) as caught:
            toolglot.convert(data, to)
        assert caught.value.code == "too-large"
        assert caught.value.message.startswith(f"{to} cannot hold 'a'")  # of many tools, which one

    return convert_too_large


def hidden_aliases(number: int) -> dict[str, Any]:
    aliases = [{"name": "alias", "arguments": [f"--a{n}"], "properties": {"hide": True}} for n in range(number)]
    return {"nodes": [{"name": "bin", "arguments": ["a"]}, {"name": "flag", "arguments": ["-a"], "children": aliases}]}


def a_program_of_doubles(levels: int) -> Tool:
    """A command whose definitions lead to two others each."""
    definitions: dict[str, Any] = {f"d{levels}": {"minProperties": 1}}
    for level in range(levels):
        definitions[f"d{level}"] = {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2}
    inputs = {"type": "object", "$ref": "#/$defs/d0", "$defs": definitions}
    return Tool(id="a", children=(Tool(id="b", inputs=inputs), Tool(id="c")))


def users_of_a_definition(users: int, alternatives: int, **keywords: Any) -> dict[str, Any]:
    return a_tool(
        properties={f"p{n}": {"$ref": "#/$defs/d", **keywords} for n in range(users)},
        **{"$defs": {"d": {"anyOf": [{"type": "integer", "minimum": n} for n in range(alternatives)]}}},
    )


CASES: dict[str, tuple[Any, Callable[[Any], object]]] = {
    "unknown keys": (
        {"atip": {"version": "0.6"}, "name": "a", "version": "1", "description": "A.", **keys(3_000)},
        toolglot.check,
    ),
    "unknown keys of a record that allows none": ({"toolId": "a", "source": "mcp", **keys(3_000)}, toolglot.check),
    "unknown keys of an input": (
        {
            "tool_id": "a",
            "description": "A.",
            "how_to_use": {"inputs": [{"name": "b", "type": "string", **keys(5_000)}]},
        },
        convert("atdf"),
    ),
    "unknown keys that may state a danger": (
        a_tool_md(**{f"riskLevel{n}": n for n in range(2_500)}),
        refuse_to_write("aip14"),
    ),
    "values that a target refuses": (
        a_command(exitCodes=[{"code": f"E{n}", "description": ["bad"]} for n in range(1_500)]),
        refuse_to_write("atdf"),
    ),
    "unknown keywords": (
        a_tool(properties={"a": {"type": "string", **keys(3_000)}}),
        convert("openai"),
    ),
    "many definitions": (
        {
            "properties": {f"p{n}": {"$ref": f"#/$defs/d{n}"} for n in range(2_500)},
            "$defs": {f"d{n}": {"maxLength": n} for n in range(2_500)},
        },
        lambda schema: distribute(schema, None, STYLE),
    ),
    "null behind references": (chain_of_alternatives(9), fit_strictly("openai")),
    "values in many alternatives": (nested(20), encode_strictly),
    "unions of large definitions": (unions_of_large_definitions(30), fit_strictly("openai")),
    "maps of a certain size": (
        {
            "type": "object",
            "properties": {
                f"p{n}": {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 2}
                for n in range(1_200)
            },
        },
        fit_strictly("anthropic"),
    ),
    "definitions of one name": (
        {
            "properties": {f"p{n}": {"$ref": f"#/x/{n}/a"} for n in range(4_000)},
            "x": {f"{n}": {"a": {"title": f"{n}"}} for n in range(4_000)},
        },
        normalise,
    ),
    "schemas that are one definition too": (
        an_api(**{f"a{n}": {"allOf": [{"$ref": "#/components/schemas/Large"}]} for n in range(2_000)}),
        toolglot.read,
    ),
    "aliases that help does not show": (hidden_aliases(12_000), lambda data: toolglot.read(data, "usage")),
    "names that are optional, or required": (
        {
            "properties": {f"p{n}": {"optional": True} for n in range(15_000)},
            "required": [f"r{n}" for n in range(15_000)],
            "optional": [f"p{n}" for n in range(15_000)],
        },
        normalise,
    ),
    "a name as long as a book": (
        a_tool(properties={"k" * 250_000: {"properties": {f"p{n}": {"type": "string"} for n in range(1_500)}}}),
        toolglot.check,
    ),
    "a credential beside a name as long as a book": (
        document_reader.load(json.dumps({"k" * 1_000_000: ["text"] * 4_000, "b": "Bearer abcdefghijklmnop"})),
        lambda document: list(credentials_in(document)),
    ),
    "definitions of commands in one tool": (
        a_program_of_doubles(20),
        lambda tool: toolglot.compile(tool, "mcp", flatten="action"),
    ),
    "unknown arguments": (
        {f"name{n}": n for n in range(3_000)},
        Inputs(Tool(id="a", inputs={"properties": {f"names{n}": {} for n in range(200)}})).faults,
    ),
    "references by name": (
        a_tool(properties={f"p{n}": {"$ref": "#d"} for n in range(2_500)}, **{"$defs": {"d": {"$anchor": "d"}}}),
        toolglot.check,
    ),
    "defaults of one large definition": (
        users_of_a_definition(280, 280, default="x"),
        toolglot.check,
    ),
    "a default of what is defined by itself": (
        a_tool(**{"$defs": {"d": {"$ref": "#/$defs/d", "default": 1}}}),
        toolglot.check,
    ),
    "a definition of which each parameter has a copy": (users_of_a_definition(1_500, 1_500), refuse("atdf")),
    "definitions that all operations need": (a_ring(120, 60), toolglot.check),
    "many properties beside alternatives": (
        {
            "type": "object",
            "properties": {f"p{n}": {} for n in range(3_000)},
            "oneOf": [{"required": [f"p{n}"]} for n in range(3_000)],
        },
        refuse_strictly,
    ),
    "answers that differ": (
        {
            "openapi": "3.1.0",
            "info": {},
            "paths": {"/a": {"get": {"responses": {f"2{n}": an_answer(minLength=n) for n in range(6_000)}}}},
        },
        toolglot.read,
    ),
    "dangerous flags of carapace": (
        {"name": "a", "flags": {f"--f{n}=": {"destructive": True} for n in range(1_000)}},
        toolglot.check,
    ),
    "dangerous options of OpenCLI": (
        {
            "opencli": "0.1",
            "info": {"title": "a", "version": "1"},
            "options": [{"name": f"--f{n}", "destructive": True} for n in range(1_500)],
        },
        toolglot.check,
    ),
    "names and patterns of names": (
        a_tool(
            properties={f"p{n}": {"type": "string"} for n in range(800)},
            patternProperties={f"^p{n}.*x": {"minLength": n} for n in range(800)},
        ),
        lambda data: toolglot.diff(data, json.dumps(data).replace("string", "integer")),
    ),
    "inputs that change": (
        {
            "tool_id": "a",
            "description": "Does it.",
            "how_to_use": {"inputs": [{"name": f"p{n}", "type": "string"} for n in range(1_200)]},
        },
        lambda data: toolglot.diff(data, json.dumps(data).replace("string", "integer")),
    ),
    "a pattern of many stars for rules": ("*a" * 100_000, refuse_selector),
    "patterns of files": (tuple((f"*{n}*y*", "cli") for n in range(900)), look_for_patterns_of_many_files),
    "blanks in a sentence": (" " * 15_000 + "a", add_full_stop),
    "blanks before what may be a warning": ("Safety:" + " " * 15_000 + "a", without_warnings),
    "marks of direction": ({**a_tool(), "description": "\u200e" * 30_000}, toolglot.check),
    "a line of strokes": ("/" * 40, looks_like_kdl),
    "digits in KDL": ("1" * 60_000, refuse_kdl),
    "a configuration whose strings have no end": ('"\\' * 30_000, blank_comments),
    "many alternatives that change": (
        a_tool(properties={"a": {"anyOf": [{"type": "string", "const": n} for n in range(900)]}}),
        lambda data: toolglot.diff(data, json.dumps(data).replace("string", "integer")),
    ),
}


@for_each("name, case", CASES.items())
def test_time_grows_with_a_document(name: str, case: tuple[Any, Callable[[Any], object]]) -> None:
    data, verb = case
    with within(SECONDS):
        verb(data)
