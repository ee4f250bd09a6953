"""OpenAPI documents: what is read from them, what is refused, and how much of a bad one is borne."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import judge
import toolglot
from golden import FIXTURES, same_file
from pace import within
from read_only_records import RECORDS
from rows import THOROUGH, for_each, sample
from toolglot import bridge
from toolglot.converter import formats
from toolglot.converter.conversion.vouched_facts import parse_assertions
from toolglot.converter.formats import Record
from toolglot.converter.formats.openapi import operations
from toolglot.converter.formats.openapi.dangers_around_operations import records_with_dangers
from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.schema import canonical
from toolglot.converter.schema.arguments import Schema
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.pointers import value_at
from toolglot.errors import ArgumentError
from vendor import Later

DOCUMENTS = sorted((FIXTURES / "corpus" / "openapi").iterdir())
validators = Later("openapi_spec_validator")
VALIDATORS = {
    "2.0": "OpenAPIV2SpecValidator",
    "3.0": "OpenAPIV30SpecValidator",
    "3.1": "OpenAPIV31SpecValidator",
    "3.2": "OpenAPIV32SpecValidator",
}


def document(**operation: Any) -> dict[str, Any]:
    """An API of one operation, with what belongs beside it under keys that begin with an underscore."""
    beside = {key[1:]: operation.pop(key) for key in list(operation) if key.startswith("_")}
    method = beside.pop("method", "post")
    item = {method: {"responses": {"204": {"description": "Done."}}, **operation}, **beside.pop("item", {})}
    api = {"openapi": "3.0.3", "info": {"title": "Api", "version": "1"}, "paths": {beside.pop("path", "/a"): item}}
    return {**api, **beside}


def read(**operation: Any) -> Tool:
    [tool] = toolglot.read(document(**operation))
    return tool


def body(schema: Any, media_type: str = "application/json", required: bool = True) -> dict[str, Any]:
    return {"required": required, "content": {media_type: {"schema": schema}}}


@pytest.mark.golden
@for_each("path", DOCUMENTS, ids=lambda path: path.name)
def test_what_is_read(path: Path) -> None:
    tools = [to_json(tool) for tool in toolglot.read(path)]
    golden = FIXTURES / "openapi" / f"{path.name}.tools.json"
    same_file(golden, json.dumps(tools, indent=2, ensure_ascii=False) + "\n")


@for_each("path", DOCUMENTS, ids=lambda path: path.name)
def test_json_and_yaml_say_the_same(path: Path) -> None:
    data = document_reader.load(path.read_bytes(), path.name).data
    as_yaml = document_reader.load(serialization.dump_yaml(data).encode(), "a.yaml").data
    assert toolglot.read(as_yaml) == toolglot.read(json.loads(json.dumps(data)))


# -- operations -------------------------------------------------------------------------------------------------

NAMES = {
    "ids stay as they are": ([("/a", "get", "listPets")], ["listPets"], 0),
    "what no provider takes is replaced": ([("/a", "get", "pets.list/all")], ["pets_list_all"], 0),
    "without an id: method and path": ([("/pets/{petId}/photos", "put", None)], ["put_pets_petId_photos"], 0),
    "the root": ([("/", "get", None)], ["get"], 0),
    "one id twice": ([("/a", "get", "x"), ("/a", "put", "x"), ("/b", "get", "x")], ["x", "x_2", "x_3"], 2),
    "a number that is taken": ([("/a", "get", "x"), ("/a", "put", "x_2"), ("/b", "get", "x")], ["x", "x_2", "x_3"], 1),
    "ids that become one": ([("/a", "get", "a.b"), ("/a", "put", "a/b")], ["a_b", "a_b_2"], 1),
}


@for_each(("operations", "names", "repeated"), NAMES.values(), ids=list(NAMES))
def test_names(operations: list[tuple[str, str, str | None]], names: list[str], repeated: int) -> None:
    paths: dict[str, Any] = {}
    for path, method, identifier in operations:
        paths.setdefault(path, {})[method] = {"responses": {}} | ({"operationId": identifier} if identifier else {})
    data = {"openapi": "3.1.0", "info": {}, "paths": paths}
    assert [tool.id for tool in toolglot.read(data)] == names
    assert [finding.code for finding in toolglot.check(data)].count("repeated-name") == repeated


def test_names_fit_every_provider_with_their_numbers() -> None:
    """A name that is cut after its number was added would be the same as another."""
    long = "a" * 90
    paths = {f"/{index}": {"get": {"operationId": long}} for index in range(12)}
    names = [tool.id for tool in toolglot.read({"openapi": "3.1.0", "info": {}, "paths": paths})]
    assert len(set(names)) == 12
    assert max(map(len, names)) == 64


def test_parameters_of_a_path_hold_unless_an_operation_states_them_anew() -> None:
    shared = [
        {"name": "id", "in": "query", "schema": {"type": "string"}},
        {"name": "id", "in": "header", "schema": {"type": "boolean"}},
    ]
    tool = read(_item={"parameters": shared}, parameters=[{"name": "id", "in": "query", "schema": {"type": "integer"}}])
    assert (tool.inputs or {})["properties"] == {"id": {"type": "integer"}, "id_header": {"type": "boolean"}}


def test_arguments_of_one_name_are_all_there() -> None:
    tool = read(
        _path="/{a}",
        parameters=[{"name": "a", "in": place, "required": True, "schema": True} for place in ("path", "query")],
        requestBody=body({"type": "object", "properties": {"a": {}, "a_path": {}}}),
    )
    assert list((tool.inputs or {})["properties"]) == ["a_path_2", "a_query", "a", "a_path"]
    places = [(entry["in"], entry["name"]) for entry in tool.extension("openapi")["parameters"].values()]
    assert places == [("path", "a"), ("query", "a"), ("body", "a"), ("body", "a_path")]


PET = {"type": "object", "properties": {"mate": {"$ref": "#pet"}}, "$anchor": "pet"}
OWN_PET = {
    "$id": "https://a.example/schemas/pet",
    "properties": {"tag": {"$ref": "#/$defs/T"}, "mate": {"$ref": "#/components/schemas/Pet"}},
    "$defs": {"T": {}},
}
# reference -> what it leads to, as a definition of the tool; `None` is nothing
ADDRESSES: dict[str, str | None] = {
    "#/components/schemas/Pet": "Pet",
    "#pet": "Pet",
    "https://a.example/api.yaml#/components/schemas/Pet": "Pet",
    "https://a.example/api.yaml#pet": "Pet",
    "api.yaml#pet": "Pet",
    "/api.yaml#/components/schemas/Pet": "Pet",
    "schemas/pet": "Own",
    "https://a.example/schemas/pet#/$defs/T": "T-61368a",
    "schemas/pet#pet": None,
    "https://b.example/api.yaml#pet": None,
    "https://[": None,
    "#nobody": None,
    "#": None,
    "": None,
}


@for_each("reference", ADDRESSES)
def test_a_reference_may_name_the_document_or_a_schema_by_its_own_name(reference: str) -> None:
    data = document(parameters=[{"name": "a", "in": "query", "schema": {"$ref": reference}}])
    data |= {"$self": "https://a.example/api.yaml", "components": {"schemas": {"Pet": PET, "Own": OWN_PET}}}
    inputs = toolglot.read_one({**data, "openapi": "3.2.0"}, "openapi").inputs or {}
    name = ADDRESSES[reference]
    assert inputs["properties"]["a"] == ({} if name is None else {"$ref": f"#/$defs/{name}"})
    if name == "Pet":
        assert inputs["$defs"] == {"Pet": {"type": "object", "properties": {"mate": {"$ref": "#/$defs/Pet"}}}}
    if name == "Own":
        properties = inputs["$defs"]["Own"]["properties"]
        assert properties["mate"]["$ref"] == "#/$defs/Pet"
        assert properties["tag"]["$ref"].removeprefix("#/$defs/") in inputs["$defs"]


def test_what_stands_beside_a_reference_replaces_what_it_leads_to_since_3_1() -> None:
    components = {
        "parameters": {"P": {"name": "p", "in": "query", "description": "Any."}},
        "responses": {"Gone": {"description": "Gone."}},
    }
    operation = {
        "parameters": [{"$ref": "#/components/parameters/P", "description": "A page."}],
        "responses": {"404": {"$ref": "#/components/responses/Gone", "description": "No page."}},
    }
    for version, texts in (("3.0.3", ("Any.", "Gone.")), ("3.1.0", ("A page.", "No page."))):
        data = {**document(**operation), "components": components, "openapi": version}
        tool = toolglot.read_one(data, "openapi")
        assert ((tool.inputs or {})["properties"]["p"]["description"], (tool.errors or ())[0].description) == texts


def test_media_types_and_schemes_may_stand_elsewhere() -> None:
    content = {"application/json": {"$ref": "#/components/mediaTypes/M"}}
    scheme = "#/components/securitySchemes/Foo"
    data = document(requestBody={"content": content}, responses={"200": {"content": content}}, security=[{scheme: []}])
    data["components"] = {
        "mediaTypes": {"M": {"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}},
        "securitySchemes": {"Foo": {"type": "oauth2", "flows": {}}},
    }
    tool = toolglot.read_one({**data, "openapi": "3.2.0"}, "openapi")
    assert tool.outputs == {"type": "object", "properties": {"a": {"type": "string"}}} == tool.inputs
    assert [method.type for method in tool.auth_methods or ()] == ["oauth"]


def test_null_in_the_words_of_a_vendor_of_swagger() -> None:
    body = {"type": "object", "properties": {"b": {"type": "array", "items": {"type": "integer", "x-nullable": True}}}}
    parameters = [
        {"name": "a", "in": "query", "type": "string", "x-nullable": True},
        {"name": "body", "in": "body", "required": True, "schema": body},
    ]
    data = {
        "swagger": "2.0",
        "info": {"title": "a", "version": "1"},
        "paths": {"/a": {"post": {"parameters": parameters}}},
    }
    properties = (toolglot.read_one(data, "openapi").inputs or {})["properties"]
    assert properties == {
        "a": {"type": ["string", "null"]},
        "b": {"type": "array", "items": {"type": ["integer", "null"]}},
    }


def test_the_dialect_of_a_document_holds_for_schemas_that_state_none() -> None:
    schema = {"$ref": "#/components/schemas/A", "maxLength": 3}
    data = document(parameters=[{"name": "a", "in": "query", "schema": schema}])
    data["components"] = {"schemas": {"A": {"type": "string"}}}
    for dialect, expected in (
        ("https://spec.openapis.org/oas/3.1/dialect/base", {"$ref": "#/$defs/A", "maxLength": 3}),
        ("http://json-schema.org/draft-07/schema#", {"$ref": "#/$defs/A"}),
    ):
        tool = toolglot.read_one({**data, "openapi": "3.1.0", "jsonSchemaDialect": dialect}, "openapi")
        assert (tool.inputs or {})["properties"]["a"] == expected


def test_examples_that_are_not_at_hand_are_kept() -> None:
    examples = {"a": {"value": {"a": 1}}, "b": {"serializedValue": "{}"}, "c": {"externalValue": "c.json"}}
    schema = {"type": "object", "properties": {"a": {}}}
    tool = read(requestBody={"content": {"application/json": {"schema": schema, "examples": examples}}})
    kept = tool.extension("openapi")["requestBody"]["examplesElsewhere"]
    assert kept == {"b": {"serializedValue": "{}"}, "c": {"externalValue": "c.json"}}


# -- schemas ----------------------------------------------------------------------------------------------------

PERSON = {"type": "object", "required": ["id", "name"], "properties": {"id": {"readOnly": True}, "name": {}}}
RESTATED: dict[str, tuple[Any, Any]] = {
    "null of 3.0": ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
    "null in an enum of 3.0": (
        {"type": "string", "enum": ["a"], "nullable": True},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    "open bounds of 3.0": (
        {"type": "number", "minimum": 1, "exclusiveMinimum": True, "maximum": 5, "exclusiveMaximum": False},
        {"type": "number", "exclusiveMinimum": 1, "maximum": 5},
    ),
    "an example": ({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
    "what vendors add stays": ({"type": "string", "x-of": 1}, {"type": "string", "x-of": 1}),
    "a reference outside": ({"$ref": "other.yaml#/A"}, {}),
    "a reference to nothing": ({"$ref": "#/components/schemas/Nothing"}, {}),
    "a discriminator": (
        {
            "discriminator": {
                "propertyName": "p",
                "mapping": {"a": "#/components/schemas/Loop", "b": "B", "c": "c.yaml"},
            }
        },
        {"discriminator": {"propertyName": "p", "mapping": {"a": "#/$defs/Loop", "b": "B", "c": "c.yaml"}}},
    ),
    "alternatives that a discriminator tells apart": (
        {"oneOf": [{"type": "object"}, {"type": "object"}], "discriminator": {"propertyName": "p"}},
        {
            "anyOf": [{"type": "object"}, {"type": "object"}],
            "discriminator": {"propertyName": "p"},
            "required": ["p"],
        },
    ),
    "alternatives that require what tells them apart": (
        {"oneOf": [{"allOf": [{"required": ["p"]}]}, {"required": ["q", "p"]}], "discriminator": {"propertyName": "p"}},
        {"anyOf": [{"allOf": [{"required": ["p"]}]}, {"required": ["q", "p"]}], "discriminator": {"propertyName": "p"}},
    ),
    "alternatives of which one is meant without what tells them apart": (
        {"oneOf": [{"type": "object"}], "discriminator": {"propertyName": "p", "defaultMapping": "x"}},
        {"anyOf": [{"type": "object"}], "discriminator": {"propertyName": "p", "defaultMapping": "x"}},
    ),
    "a reference to itself": (
        {"$ref": "#/components/schemas/Loop"},
        {"$ref": "#/$defs/Loop"},
    ),
}


@for_each(("raw", "expected"), RESTATED.values(), ids=list(RESTATED))
def test_schemas_are_restated(raw: Any, expected: Any) -> None:
    components = {"schemas": {"Loop": {"$ref": "#/components/schemas/Loop"}}}
    tool = read(_components=components, parameters=[{"name": "a", "in": "query", "schema": raw}])
    assert (tool.inputs or {})["properties"]["a"] == expected


def test_a_schema_that_calls_itself_by_the_keyword_of_2019_09() -> None:
    schema = {"$recursiveAnchor": True, "type": "object", "properties": {"next": {"$recursiveRef": "#"}}}
    tool = read(
        _components={"schemas": {"A": schema}}, requestBody=body({"$ref": "#/components/schemas/A"}, required=True)
    )
    assert (tool.inputs or {})["properties"] == {"next": {"$ref": "#/$defs/A"}}


PAGE = {
    "properties": {"data": {"items": {"$dynamicRef": "#item"}}},
    "$defs": {"i": {"$dynamicAnchor": "item", "not": {}}},
}
OF_TEXTS = {"$ref": "#/components/schemas/Page", "$defs": {"i": {"$dynamicAnchor": "item", "type": "string"}}}


@for_each(("schema", "items"), [(OF_TEXTS, {}), ({"$ref": "#/components/schemas/Page"}, {"not": {}})])
def test_where_a_dynamic_reference_leads_is_followed_only_if_there_is_one_such_place(schema: Any, items: Any) -> None:
    data = document(openapi="3.1.0", _components={"schemas": {"Page": PAGE}}, requestBody=body({"items": schema}))
    [tool] = toolglot.read(data)
    definitions = (tool.inputs or {})["$defs"]
    found = definitions["Page"]["properties"]["data"]["items"]
    assert definitions.get(found.get("$ref", "").removeprefix("#/$defs/"), found) == items
    assert ("unresolved-reference" in {finding.code for finding in toolglot.check(data)}) == (items == {})


STATUSES = "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {/a: {get: {responses: {200: {description: b}}}}}"


def test_statuses_that_are_numbers_in_yaml() -> None:
    [tool] = toolglot.read(STATUSES)
    assert (tool.success, tool.extension("openapi")["responses"]) == ("b", {"200": {}})


@for_each(
    ("responses", "success"),
    [
        ({"201": {"description": "The loan."}, "404": {"description": "No such book."}}, "The loan."),
        ({"200": {"description": "ok."}, "202": {"description": "It is lent later."}}, "It is lent later."),
        ({"204": {"description": "No Content"}}, None),
        ({"404": {"description": "No such book."}}, None),
    ],
)
def test_what_a_result_says_of_itself_is_what_success_means(responses: dict[str, Any], success: str | None) -> None:
    assert read(responses=responses).success == success


def test_schemas_as_deep_as_documents_may_be() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(50):
        schema = {"type": "array", "items": schema}
    assert read(requestBody=body(schema)).inputs
    for _ in range(10):
        schema = {"type": "array", "items": schema}
    with pytest.raises(toolglot.Error, match="deeper than 64"):
        read(requestBody=body(schema))


@for_each("shared", [{"allOf": [{}] * 2_000}, {"properties": {f"q{n}": {"readOnly": True} for n in range(2_000)}}])
def test_what_many_schemas_are_said_to_be_is_looked_at_once(shared: Any) -> None:
    one = {"type": "object", "properties": {"a": {}}, "allOf": [{"$ref": "#/components/schemas/A"}]}
    many = {"type": "object", "properties": {f"p{n}": one for n in range(2_000)}}
    with within(1):  # two seconds and three where each looks at it anew
        assert read(_components={"schemas": {"A": {"allOf": [shared]}}}, requestBody=body(many)).inputs


def test_what_only_one_side_writes_is_left_out_on_the_other() -> None:
    schema = {"allOf": [PERSON, {"required": ["id"], "properties": {"pin": {"writeOnly": True}}}]}
    answer = {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}
    tool = read(requestBody=body(schema), responses=answer)
    sent, answered = (tool.inputs or {})["properties"]["body"]["allOf"], (tool.outputs or {})["allOf"]
    assert [list(part["properties"]) for part in sent] == [["name"], ["pin"]]
    assert [part.get("required") for part in sent] == [["name"], None]
    assert [list(part["properties"]) for part in answered] == [["id", "name"], []]
    extension = tool.extension("openapi")
    assert (extension["readOnly"], extension["writeOnly"]) == (
        [{"id": {"readOnly": True}}],
        [{"pin": {"writeOnly": True}}],
    )


FLAT = {
    "an object": (body(PERSON), ["name"]),
    "an object that need not be sent, and asks for nothing": (
        body({"type": "object", "properties": {"a": {}}}, required=False),
        ["a"],
    ),
    "an object that need not be sent, and asks for something": (body(PERSON, required=False), ["name"]),
    "an object by a list of types": (body({**PERSON, "type": ["object"]}), ["name"]),
    "an object or null": (body({**PERSON, "type": ["object", "null"]}), ["body"]),
    "a list": (body({"type": "array"}), ["body"]),
    "a choice": (body({**PERSON, "anyOf": [{}]}), ["body"]),
    "any properties": (body({"type": "object", "additionalProperties": {"type": "string"}}), ["body"]),
    "a text": (body({"type": "string"}, "text/plain"), ["body"]),
    "a form": (body(PERSON, "application/x-www-form-urlencoded"), ["name"]),
}


@for_each(("request_body", "keys"), FLAT.values(), ids=list(FLAT))
def test_a_body_is_flat_where_that_says_the_same(request_body: Any, keys: list[str]) -> None:
    assert list((read(requestBody=request_body).inputs or {})["properties"]) == keys


def answer(schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {"description": "", "content": {media_type: {"schema": schema}}}


def items(schema: Any, media_type: str) -> dict[str, Any]:
    return {"description": "", "content": {media_type: {"itemSchema": schema}}}


INTEGERS = {"type": "array", "items": {"type": "integer"}}
ANSWERS: dict[str, tuple[dict[str, Any], Any, list[str]]] = {
    "one result": ({"200": answer({"type": "object"})}, {"type": "object"}, []),
    "two": ({"200": answer({"type": "object"}), "201": answer(True)}, {"anyOf": [{"type": "object"}, True]}, []),
    "two that are the same": (
        {"200": answer({"type": "array"}), "2XX": answer({"type": "array"})},
        {"type": "array"},
        [],
    ),
    "nothing": ({"204": {"description": ""}}, None, []),
    "no JSON": ({"200": answer({"type": "string"}, "text/plain")}, None, []),
    "a result and failures": (
        {"200": answer({"type": "object"}), "404": answer({}), "5XX": answer({}), "default": answer({})},
        {"type": "object"},
        ["404", "5XX", "default"],
    ),
    "no other result": ({"default": answer({"type": "object"}), "400": answer({})}, {"type": "object"}, ["400"]),
    "a stream of events": ({"200": items({"type": "integer"}, "text/event-stream")}, INTEGERS, []),
    "lines of JSON": ({"200": items({"type": "integer"}, "application/jsonl; charset=utf-8")}, INTEGERS, []),
    "a stream, or all of it": (
        {
            "200": {
                "description": "",
                "content": {
                    "application/x-ndjson": {"itemSchema": {"type": "integer"}},
                    "application/json": {"schema": {"type": "object"}},
                },
            }
        },
        {"type": "object"},
        [],
    ),
    "items of what is no sequence": ({"200": items({"type": "integer"}, "application/json")}, None, []),
    "another address": ({"302": answer({"type": "object"})}, None, []),
}


@for_each(("responses", "outputs", "errors"), ANSWERS.values(), ids=list(ANSWERS))
def test_answers(responses: dict[str, Any], outputs: Any, errors: list[str]) -> None:
    tool = read(responses=responses)
    assert tool.outputs == outputs
    assert [error.code for error in tool.errors or ()] == errors
    assert list(tool.extension("openapi").get("responses", {})) == [key for key in responses if key not in errors]


def test_content_is_no_word_of_swagger() -> None:
    tool = read(_swagger="2.0", responses={"200": {"description": "", "schema": {"type": "object"}, "content": {}}})
    assert tool.outputs == {"type": "object"}


def test_a_stream_is_told_by_its_media_type() -> None:
    tool = read(responses={"200": items({"type": "integer"}, "text/event-stream")})
    assert tool.extension("openapi")["responses"]["200"] == {
        "description": "", "contentType": "text/event-stream", "output": "",
    }  # fmt: skip


# -- facts ------------------------------------------------------------------------------------------------------

SCHEMES = {
    "a": {"type": "oauth2", "flows": {}},
    "b": {"type": "apiKey", "in": "header", "name": "B"},
    "c": {"type": "http", "scheme": "Basic"},
    "d": {"type": "mutualTLS"},
}
SECURITY: dict[str, tuple[Any, Any, Any, Any]] = {
    "not stated": (None, None, None, None),
    "taken back": ([], False, None, None),
    "no alternative but the empty one": ([{}], None, None, None),
    "one": ([{"b": []}], True, None, ["api-key"]),
    "all of": ([{"a": ["x", "y"], "c": []}], True, ("x", "y"), ["oauth", "password"]),
    "any of": ([{"a": ["x"]}, {"a": ["y"]}, {"d": []}], True, ("x", "y"), ["oauth", "certificate"]),
    "optional": ([{"a": ["x"]}, {}], None, None, None),
    "a scheme that nobody describes": ([{"z": []}], True, None, ["token"]),
}


@for_each(("requirements", "is_required", "scopes", "kinds"), SECURITY.values(), ids=list(SECURITY))
def test_security(requirements: Any, is_required: Any, scopes: Any, kinds: Any) -> None:
    stated = {} if requirements is None else {"security": requirements}
    tool = read(_components={"securitySchemes": SCHEMES}, **stated)
    assert (tool.auth_required, tool.scopes) == (is_required, scopes)
    assert [method.type for method in tool.auth_methods or ()] == (kinds or [])
    if requirements:
        assert tool.extension("openapi")["security"] == requirements
    missing = ["#/components/securitySchemes/z"] if kinds == ["token"] else []
    assert tool.extension("openapi").get("unresolvedReferences", []) == missing


@pytest.mark.parametrize(("more", "is_said"), [([], True), ([{}], False)])
def test_credentials_that_a_caller_may_leave_out_are_not_said_to_be_needed(more: list[Any], is_said: bool) -> None:
    tool = read(security=[{"a": ["x"]}, *more], _components={"securitySchemes": SCHEMES})
    assert tool.extension("openapi")["securitySchemes"] == {"a": SCHEMES["a"]}
    for target in ("mcp", "atip", "aip14", "atdf", "tool-descriptor", "skill"):
        written = toolglot.write(tool, target)
        assert any(word in written for word in ("credential", "uthentication")) == is_said, target


def test_an_operation_overrides_the_security_and_the_servers_of_its_document() -> None:
    api = {"_security": [{"b": []}], "_servers": [{"url": "https://a.example"}]}
    assert read(**api).auth_required is True
    assert read(**api, security=[]).auth_required is False
    assert read(**api).hosts == ("a.example",)
    assert read(**api, _item={"servers": [{"url": "https://b.example"}]}).hosts == ("b.example",)
    both = read(
        **api, _item={"servers": [{"url": "https://b.example"}]}, servers=[{"url": "https://c.example:8443/v1"}]
    )
    assert both.hosts == ("c.example",)


def test_servers_that_every_operation_overrides_are_reported() -> None:
    data = document(_servers=[{"url": "https://a.example"}], servers=[{"url": "https://b.example"}])
    assert "/servers" in {change.path for change in toolglot.convert(data, "hub").report.changes}


@for_each("method", ["get", "head", "options", "trace", "put", "post", "patch", "delete"])
def test_no_method_states_that_a_tool_is_safe(method: str) -> None:
    tool = read(_method=method)
    assert (tool.idempotent, tool.safety_tier, tool.reversible) == (None, None, None)
    assert tool.network is True
    assert (tool.destructive, bool(tool.deletes)) == (None, method == "delete")


TRUSTED = {
    "get": ("read", False, True),
    "head": ("read", False, True),
    "put": (None, None, True),
    "delete": (None, None, True),
    "post": (None, None, None),
    "patch": (None, None, None),
}


@for_each(("method", "facts"), TRUSTED.items())
def test_methods_that_a_person_vouches_for(method: str, facts: tuple[Any, ...]) -> None:
    conversion = toolglot.convert(document(_method=method), "hub", trust_methods=True)
    [tool] = toolglot.read(conversion.text)
    assert (tool.safety_tier, tool.destructive, tool.idempotent) == facts
    overrides = [change for change in conversion.report.changes if change.direction == "riskier"]
    assert bool(overrides) == (method not in ("post", "patch"))
    assert read(_method=method) == toolglot.read(toolglot.convert(document(_method=method), "hub").text)[0]


def test_a_hint_of_a_method_can_be_vouched_for_by_name() -> None:
    vouched = {"Api/post_*": {"trusted-hints": True}, "Api/get_*": {"trusted-hints": ["idempotent-method"]}}
    assertions = parse_assertions(document_reader.from_data(vouched))
    data = document(_method="get", _item={"post": {"responses": {}}})
    facts = {
        tool.id: (tool.safety_tier, tool.idempotent)
        for tool in toolglot.read(toolglot.convert(data, "hub", assertions=assertions).text)
    }
    assert facts == {"get_a": (None, True), "post_a": (None, None)}


def test_only_a_demand_for_confirmation_is_believed() -> None:
    assert read(**{"x-openai-isConsequential": True}).approval == "always"
    assert read(**{"x-openai-isConsequential": False}).approval is None


ANNOTATED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "dangers are believed": (
        {"readOnlyHint": False, "destructiveHint": True},
        {"safety_tier": "write", "destructive": True},
    ),
    "denials are not": (
        {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
        {},
    ),
    "what is no truth value counts as the danger": (
        {"destructiveHint": "perhaps"},
        {"destructive": True, "unclear": ["destructive"]},
    ),
    "a no in words is a denial": ({"destructiveHint": "no"}, {}),
}
OF_VENDORS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"x-openai-isConsequential": "true"}, {"approval": "always"}),
    ({"x-OpenAI-Is-Consequential": True}, {"approval": "always"}),
    ({"X-OpenAI-IsConsequential": True}, {"approval": "always"}),
    ({"x-mcp": {"destructiveHint": True}}, {"destructive": True}),
    ({"x-mcp": {"annotations": {"destructiveHint": True}}}, {}),
    ({"x-destructive": True, "x-reversible": False}, {"destructive": True, "reversible": False}),
    ({"x-readOnlyHint": False}, {"safety_tier": "write"}),
    ({"x-requires-confirmation": True}, {"approval": "always"}),
    ({"x-dangerous": 1}, {"destructive": True, "unclear": ["destructive"]}),
    ({"x-acme": {"x-destructive": True}}, {"destructive": True}),
    ({"destructive": True, "is_dangerous": False}, {}),
    ({"x-note": "Beware. [⚠️ NOT REVERSIBLE]"}, {}),
    ({"x-destructive": False, "x-readOnly": True, "x-requires-confirmation": False, "x-dangerous": None}, {}),
    ({"x-codeSamples": [{"lang": "sh", "source": "destructive: true"}]}, {}),
]


@for_each(("annotations", "facts"), ANNOTATED.values(), ids=list(ANNOTATED))
def test_annotations_of_vendors(annotations: dict[str, Any], facts: dict[str, Any]) -> None:
    plain, annotated = to_json(read(_method="get")), to_json(read(_method="get", **{"x-mcp-annotations": annotations}))
    assert {key: value for key, value in annotated.items() if plain.get(key) != value and key != "extensions"} == facts


@for_each(("stated", "facts"), OF_VENDORS)
def test_keys_of_vendors_state_dangers(stated: dict[str, Any], facts: dict[str, Any]) -> None:
    plain, annotated = to_json(read(_method="get")), to_json(read(_method="get", **stated))
    assert {key: value for key, value in annotated.items() if plain.get(key) != value and key != "extensions"} == facts


DANGEROUS = {"x-destructive": True}
# What stands around an operation, and where in the document it states a danger of it.
AROUND: dict[str, tuple[dict[str, Any], str]] = {
    "the document": ({"_x-destructive": True}, "/x-destructive"),
    "a path": ({"_item": DANGEROUS}, "/paths/~1a/x-destructive"),
    "the operation first": (DANGEROUS | {"_item": DANGEROUS}, "/paths/~1a/post/x-destructive"),
    "the operation denies it": (
        {"x-destructive": False, "_x-destructive": True},
        "/x-destructive",
    ),
}
NOT_AROUND: dict[str, dict[str, Any]] = {
    "a server of others": {"servers": [{"url": "/"}], "_servers": [{"url": "/b", **DANGEROUS}]},
    "a server": {"_servers": [{"url": "https://a.example", **DANGEROUS}]},
    "a parameter": {"parameters": [{"name": "force", "in": "query", "schema": {"type": "boolean"}, **DANGEROUS}]},
    "a tag of others": {"tags": ["a"], "_tags": [{"name": "b", **DANGEROUS}]},
    "a text about the whole API": {"_info": {"title": "A", "version": "1", "description": "[DESTRUCTIVE] asks."}},
    "a promise": {"_item": {"x-destructive": False, "x-read-only": True}, "_x-requires-confirmation": False},
}


@for_each(("around", "place"), AROUND.values(), ids=list(AROUND))
def test_dangers_around_an_operation_are_its_own(around: dict[str, Any], place: str) -> None:
    data = document(**copy.deepcopy(around))
    text = json.dumps(data, indent=1)
    report = toolglot.convert(text, "openai").report
    [change] = [change for change in report.changes if change.path == "/destructive"]
    line, _ = document_reader.load(text.encode(), "a.json").position(place) or (0, 0)
    assert (change.action, change.before, change.line) == ("moved", True, line)
    assert not any(change.path in (place, place.rpartition("/")[0]) for change in report.changes)


@for_each("around", NOT_AROUND.values(), ids=list(NOT_AROUND))
def test_what_is_said_of_others_is_not_taken_over(around: dict[str, Any]) -> None:
    tool = read(**copy.deepcopy(around))
    assert (tool.destructive, tool.safety_tier, tool.approval, tool.unclear) == (None, None, None, None)


TEXT_OF_DANGER = {"description": "Beware. [⚠️ DESTRUCTIVE]"}


@for_each(
    "around",
    [
        {"tags": ["b"], "_tags": [{"name": "b", **TEXT_OF_DANGER}]},
        {"_servers": [{"url": "https://a.example", **TEXT_OF_DANGER}]},
        {"requestBody": body({}) | TEXT_OF_DANGER},
    ],
)
def test_a_warning_in_a_text_that_no_tool_gets_is_a_danger_of_its_operations(around: Any) -> None:
    data = document(**copy.deepcopy(around))
    assert [tool.flags for tool in toolglot.read(data)] == [("destructive",)]


def test_what_a_method_claims_and_annotations_deny_is_refused() -> None:
    data = document(_method="get", **{"x-mcp-annotations": {"readOnlyHint": False}})
    conversion = toolglot.convert(data, "hub", trust_methods=True)
    [tool] = toolglot.read(conversion.text)
    assert (tool.safety_tier, tool.destructive, tool.idempotent) == ("write", None, True)
    refused = {change.code for change in conversion.report.changes if change.code.startswith("refused-")}
    assert refused == {"refused-safety-tier", "refused-destructive"}


def test_what_no_operation_leads_to_is_reported() -> None:
    data = document(_components={"schemas": {"Unused": {"type": "string"}}}, _webhooks={"a": {}}, _tags=[{"name": "b"}])
    dropped = {change.path for change in toolglot.convert(data, "hub").report.changes if change.action == "dropped"}
    assert {"/components", "/webhooks", "/tags"} <= dropped


# -- law 3, by a judge that shares no code with the reader ------------------------------------------------------


def danger_is_kept(content: bytes, chain: tuple[str, ...]) -> None:
    first = judge.read("openapi", content)
    contents, origin = [content], "openapi"
    for target in chain:
        contents = [made.encode() for one in contents for _, made in toolglot.convert(one, target, format=origin).files]
        origin = target
    last = [statement for one in contents for statement in judge.read(chain[-1], one)]
    assert len(last) == len(first)
    for before, after in zip(first, last, strict=True):
        assert judge.faults(before, after, ("openapi", *chain)) == [], chain


@for_each(
    ("path", "target"),
    [(path, target) for number, path in enumerate(DOCUMENTS) for target in sample(judge.FORMATS, 3, number)],
)
def test_no_target_makes_an_operation_look_safer(path: Path, target: str) -> None:
    danger_is_kept(path.read_bytes(), (target,))


@given(RECORDS["openapi"], st.lists(st.sampled_from(judge.FORMATS), min_size=1, max_size=3))
def test_no_chain_makes_an_operation_look_safer(record: Record, chain: list[str]) -> None:
    danger_is_kept(json.dumps(record.data).encode(), tuple(chain))


# -- what is valid ----------------------------------------------------------------------------------------------


OF_EACH_VERSION = {"2.0": "mail-2.0.json", "3.0": "shop-3.0.yaml", "3.1": "tickets-3.1.json", "3.2": "files-3.2.yaml"}


@cache
def plain_documents() -> dict[str, Any]:
    """A document of each version, without the references that lead nowhere, which the oracle raises for."""
    found = {}
    for version, name in OF_EACH_VERSION.items():
        path = FIXTURES / "corpus" / "openapi" / name
        found[version] = document_reader.load(path.read_bytes(), name).data
    shop, tickets = found["3.0"], found["3.1"]
    del shop["paths"]["/staff"]
    del shop["components"]["schemas"]["Order"]["properties"]["gardener"]
    del tickets["paths"]["/tickets"]["get"]["parameters"][1]
    del tickets["paths"]["/tickets"]["head"]["operationId"]
    return found


def oracle(version: str, data: Any) -> str | None:
    """The first fault that the oracle finds; it raises for some, because it reads on after the first."""
    try:
        error = next(getattr(validators, VALIDATORS[version])(data).iter_errors(), None)
    except Exception as error_of_reading:
        return repr(error_of_reading)
    return None if error is None else str(error)


def ours(version: str, data: Any) -> list[str]:
    return [f"{found.pointer}: {found.message}" for found in find_problems(data, f"openapi/{version}")]


@for_each("version", VALIDATORS)
def test_both_validators_accept_what_is_valid(version: str) -> None:
    data = plain_documents()[version]
    assert (ours(version, data), oracle(version, data)) == ([], None)


def operation_of(data: Any) -> Any:
    item = next(iter(data["paths"].values()))
    return next(value for key, value in item.items() if key in ("get", "post", "patch"))


FAULTS: dict[str, Callable[[Any], Any]] = {
    "no info": lambda data: data.pop("info"),
    "no title": lambda data: data["info"].pop("title"),
    "a version that is a number": lambda data: data["info"].update(version=1),
    "paths that are a list": lambda data: data.update(paths=[]),
    "a summary that is a list": lambda data: operation_of(data).update(summary=["a"]),
    "tags that are a text": lambda data: operation_of(data).update(tags="a"),
    "deprecated as a text": lambda data: operation_of(data).update(deprecated="yes"),
    "parameters that are an object": lambda data: operation_of(data).update(parameters={"a": {}}),
    "a parameter without a place": lambda data: operation_of(data).update(parameters=[{"name": "a"}]),
    "a place that is none": lambda data: operation_of(data).update(
        parameters=[{"name": "a", "in": "wire", "type": "string", "schema": {}}]
    ),
    "answers that are a list": lambda data: operation_of(data).update(responses=[]),
    "an operation with a misspelt key": lambda data: operation_of(data).update({"x-a": 1, "paramters": []}),
    "a path with a misspelt method": lambda data: data["paths"].update({"/new": {"x-a": 1, "gett": {}}}),
    "a scope that is a number": lambda data: operation_of(data).update(security=[{"a": [1]}]),
}


@for_each("version", VALIDATORS)
def test_both_validators_refuse_what_is_wrong(version: str) -> None:
    for name, break_it in FAULTS.items():
        data = copy.deepcopy(plain_documents()[version])
        break_it(data)
        assert ours(version, data), name
        assert oracle(version, data), name


def test_a_misspelt_key_is_named_and_an_extension_is_not() -> None:
    data = document(_item={"x-a": 1, "gett": {}}, **{"x-b": 1, "paramters": []})
    unknown = [fault for fault in toolglot.check(data) if fault.code == "schema-additional-properties"]
    assert {fault.pointer: fault.hint for fault in unknown} == {
        "/paths/~1a/post/paramters": "did you mean `parameters`?",
        "/paths/~1a/gett": "did you mean `get`?",
    }


def test_a_key_of_an_operation_is_not_taken_for_what_its_reader_says() -> None:
    forged = document(_method="get", method="delete", path="/b", unresolvedReferences=[5], unknownTypes=3)
    [tool] = toolglot.read(forged)
    request = formats.get("openapi").request_of(tool)
    assert request is not None
    assert (request.method, request.path) == ("GET", "/a")
    assert "unknown-type" not in {fault.code for fault in toolglot.check(forged)}


def test_a_path_without_a_method_is_named() -> None:
    data = document()
    data["paths"] |= {"/b": {"gett": {}}, "/c": {}, "/d": {"$ref": "other.yaml#/d"}, "x-e": {}}
    pointers = [fault.pointer for fault in toolglot.check(data) if fault.code == "no-operations"]
    assert pointers == ["/paths/~1b", "/paths/~1c"]


def mutants(data: Any) -> Iterator[tuple[str, Any]]:
    """The document with one key less, or with a number in the place of one value."""
    waiting: list[tuple[str, Any]] = [("", data)]
    for pointer, node in waiting:  # grows on the way
        for key in node if isinstance(node, dict) else ():
            place = f"{pointer}/{key.replace('/', '~1')}"
            waiting.append((place, node[key]))
            for value in (None, 5):
                changed = copy.deepcopy(data)
                holder = value_at(changed, pointer)
                if value is None:
                    del holder[key]
                else:
                    holder[key] = value
                yield f"{place} = {value}", changed


@for_each("version", VALIDATORS)
def test_what_our_schema_refuses_the_oracle_refuses_too(version: str) -> None:
    every = [*mutants(plain_documents()[version])]
    some = every[:: max(1, len(every) // 80)]
    refused = [(name, data) for name, data in some if not canonical.is_valid(data, f"openapi/{version}")]
    assert len(refused) >= 8
    accepted = [name for name, data in refused if not oracle(version, data)]
    assert accepted == []


# -- what nobody can trust --------------------------------------------------------------------------------------


def test_thousands_of_operations() -> None:
    schemas = {f"S{index}": {"type": "object", "properties": {"a": {"type": "string"}}} for index in range(100)}
    paths = {
        f"/p{index}": {
            "post": {
                "operationId": "same",
                "requestBody": body({"$ref": f"#/components/schemas/S{index % 100}"}),
                "responses": {},
            }
        }
        for index in range(1_500)
    }
    with within(3):
        tools = toolglot.read({"openapi": "3.1.0", "info": {}, "paths": paths, "components": {"schemas": schemas}})
        assert len({tool.id for tool in tools}) == 1_500


def test_what_thousands_of_operations_share_is_looked_at_once() -> None:
    shared = {"$ref": "#/components/requestBodies/b"}
    content: dict[str, Any] = {f"a/b{index}": {"schema": {}} for index in range(1_500)}
    data = {
        "openapi": "3.1.0",
        "info": {},
        "paths": {f"/p{index}": {"post": {"requestBody": shared}} for index in range(1_500)},
        "servers": [{"url": "/"}] * 1_500,
        "components": {"requestBodies": {"b": {"content": content}}},
    }
    with within(1):  # five seconds where each is looked at for each operation
        assert len(records_with_dangers(data)) == 1_500


def test_references_that_multiply_are_bounded() -> None:
    """Each schema refers to all others ten times: expanded, this would have no end."""
    names = [f"S{index}" for index in range(400)]
    properties = {f"p{index}": {"$ref": f"#/components/schemas/{name}"} for index, name in enumerate(names[:20])}
    schemas = {
        name: {"type": "object", "properties": {**properties, "next": {"$ref": f"#/components/schemas/S{index + 1}"}}}
        for index, name in enumerate(names)
    }
    tool = read(_components={"schemas": schemas}, requestBody=body({"$ref": "#/components/schemas/S399"}))
    definitions = (tool.inputs or {})["$defs"]
    assert len(definitions) < 300
    chain = read(_components={"schemas": schemas}, requestBody=body({"$ref": "#/components/schemas/S100"}))
    assert chain.extension("openapi")["openSchemas"]
    assert Schema(chain.inputs or {}).refusal({}) is None


def test_a_large_definition_is_not_copied_into_any_number_of_tools() -> None:
    large = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(4_000)}}
    content = {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Large"}}}}
    answers = {"responses": {"200": {"description": "", "content": content}}}
    paths = {f"/a{n}": {"get": answers} for n in range(80)}
    tools = toolglot.read({"openapi": "3.1.0", "info": {}, "paths": paths, "components": {"schemas": {"Large": large}}})
    assert [tool.extension("openapi").get("openSchemas") for tool in (tools[0], tools[-1])] == [None, ["Large"]]


def test_a_schema_that_needs_too_many_others_accepts_anything() -> None:
    """Each of many operations would have an entry for each of them."""
    schemas: dict[str, Any] = {f"S{index}": {} for index in range(2_000)}
    many = {"type": "object", "properties": {name: {"$ref": f"#/components/schemas/{name}"} for name in schemas}}
    tool = read(
        _components={"schemas": {**schemas, "Many": many}}, requestBody=body({"$ref": "#/components/schemas/Many"})
    )
    assert (tool.inputs or {})["$defs"] == {"Many": {}}
    assert tool.extension("openapi")["openSchemas"] == ["Many"]


def test_a_type_that_no_draft_knows_is_said() -> None:
    wrong = document(requestBody=body({"type": "array", "items": {"type": "date"}}))
    assert "unknown-type" in {finding.code for finding in toolglot.check(wrong)}
    losses = toolglot.convert(wrong, "mcp").report.losses
    assert any(change.path.endswith("/unknownTypes") and "date" in change.before for change in losses)


@pytest.mark.parametrize(("version", "ignored"), [("3.0.3", ["/properties/a/minLength"]), ("3.1.0", None)])
@pytest.mark.parametrize("is_component", [False, True])
def test_a_keyword_that_does_not_count_beside_a_reference_is_said(
    version: str, ignored: list[str] | None, is_component: bool
) -> None:
    sibling = {"$ref": "#/components/schemas/A", "type": "string", "minLength": 5, "description": "An A."}
    stated = {"type": "object", "properties": {"a": sibling}}
    schemas = {"A": {"type": "string"}, "B": stated}
    inputs = body({"$ref": "#/components/schemas/B"} if is_component else stated)
    data = document(_components={"schemas": schemas}, requestBody=inputs) | {"openapi": version}
    assert toolglot.read_one(data).extension("openapi").get("ignoredKeywords") == ignored
    assert ("beside-reference" in {finding.code for finding in toolglot.check(data)}) is bool(ignored)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_a_path_says_more_beside_its_reference(version: str) -> None:
    beside = {"summary": "Look.", "x-team": "a", "parameters": [{"name": "p", "in": "query", "schema": {}}]}
    item = {"parameters": [{"name": "q", "in": "query", "schema": {}}], "get": {}, "x-more": 1}
    paths = {"/a": {"$ref": "#/components/pathItems/A", **beside}}
    data = {"openapi": version, "paths": paths, "components": {"pathItems": {"A": item}}}
    conversion = toolglot.convert(data, "mcp")
    (tool,) = toolglot.read(data)
    assert tool.summary == "Look."
    assert list((tool.inputs or {})["properties"]) == ["q", "p"]
    lost = [change.path for change in conversion.report.changes if change.code == "dropped-container-key"]
    assert lost == ["/paths/~1a/x-team", "/components/pathItems/A/x-more"]


def test_a_schema_of_which_a_part_is_referred_to_by_itself_is_read_as_a_whole() -> None:
    whole = "#/components/schemas/A"
    schemas = {"A": {"type": "object", "properties": {"b": {"type": "string"}, "c": {}}}, "Unused": {}}
    inputs = body({"type": "object", "properties": {"a": {"$ref": whole}, "b": {"$ref": f"{whole}/properties/b"}}})
    report = toolglot.convert(document(_components={"schemas": schemas}, requestBody=inputs), "mcp").report
    lost = [change.path for change in report.changes if change.code == "dropped-container-key"]
    assert lost == ["/components/schemas/Unused"]


INSIDE = {
    "a property": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"}}},
    "an item": {"type": "array", "items": {"$ref": "#/components/schemas/A"}},
    "a part": {"allOf": [{"$ref": "#/components/schemas/A"}]},
}


@for_each("case", INSIDE)
@for_each("name", ["A", "B"])
def test_a_reference_inside_of_a_schema_leads_from_the_document(case: str, name: str) -> None:
    data = document(_components={"schemas": {name: {"type": "string"}}}, requestBody=body(INSIDE[case]))
    codes = {finding.code for finding in toolglot.check(data)}
    assert codes & {"dangling-ref", "unresolved-reference"} == ({"unresolved-reference"} if name == "B" else set())


@for_each("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_valid_document_has_no_reference_that_leads_nowhere(path: Path) -> None:
    assert "dangling-ref" not in {finding.code for finding in toolglot.check(path)}


def test_a_path_whose_reference_leads_nowhere_is_found() -> None:
    data = {"openapi": "3.1.0", "info": {}, "paths": {"/a": {"get": {}}, "/b": {"$ref": "#/components/pathItems/B"}}}
    assert [finding.pointer for finding in toolglot.check(data) if finding.code == "no-operations"] == ["/paths/~1b"]


def test_what_operations_share_is_counted_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "_MOST_PARTS", 10_000)  # of a million, in 7 seconds
    item = {"parameters": [{"name": f"p{index}", "in": "query", "schema": {}} for index in range(2_000)], "get": {}}
    paths = {f"/{index}": {"$ref": "#/components/pathItems/A"} for index in range(2_000)}
    data = {"openapi": "3.1.0", "info": {}, "paths": paths, "components": {"pathItems": {"A": item}}}
    with pytest.raises(toolglot.Error, match="more than 10,000 parts together"):
        toolglot.read(data)


def test_a_schema_that_many_operations_share_is_restated_once() -> None:
    deep = {
        "type": "object",
        "properties": {f"p{index}": {"nullable": True, "type": "string"} for index in range(3_000)},
    }
    shared = {"name": "a", "in": "query", "schema": deep}
    paths = {f"/{index}": {"get": {"parameters": [{"$ref": "#/components/parameters/A"}]}} for index in range(2_000)}
    data = {"openapi": "3.0.0", "info": {}, "paths": paths, "components": {"parameters": {"A": shared}}}
    tools = toolglot.read(data)
    assert len({id((tool.inputs or {})["properties"]["a"]) for tool in tools}) == 1


@for_each("count", [1, 40, 5_000])
def test_references_to_references_end(count: int) -> None:
    parameters: dict[str, Any] = {f"P{n}": {"$ref": f"#/components/parameters/P{n + 1}"} for n in range(count)}
    parameters[f"P{count}"] = {"name": "a", "in": "query", "schema": {"type": "string"}}
    tool = read(_components={"parameters": parameters}, parameters=[{"$ref": "#/components/parameters/P0"}])
    assert list((tool.inputs or {})["properties"]) == (["a"] if count < 32 else [])


def test_combinations_that_lead_back_to_themselves_end() -> None:
    schemas = {
        name: {"allOf": [{"$ref": f"#/components/schemas/{other}"} for other in "ABC"], "properties": {"id": {}}}
        for name in "ABC"
    }
    tool = read(_components={"schemas": schemas}, requestBody=body({"$ref": "#/components/schemas/A"}))
    assert set((tool.inputs or {})["$defs"]) == {"A", "B", "C", "A-own", "B-own", "C-own"}
    assert tool.extension("openapi")["circularSchemas"] == ["A", "B", "C"]


JUNK: list[Any] = [None, [[]], {"$ref": "#"}]


@pytest.mark.parametrize("number", range(len(JUNK)))
def test_no_shape_of_a_value_makes_the_reader_raise(number: int) -> None:
    """What breaks the reading schema is refused; all else is read. Each place has one kind, or all in `make laws`."""
    data = document_reader.load((FIXTURES / "corpus" / "openapi" / "shop-3.0.yaml").read_bytes(), "a.yaml").data
    data["paths"] = {"/orders": data["paths"]["/orders"]}
    waiting: list[tuple[Any, Any, Any]] = [(data, key, data[key]) for key in ("paths", "components", "info", "servers")]
    for place, (holder, key, value) in enumerate(waiting):  # grows on the way
        holder[key] = JUNK[number]
        try:
            if THOROUGH or place % len(JUNK) == number:
                toolglot.read(data)
        except toolglot.errors.ReadError:
            pass
        finally:
            holder[key] = value
        if isinstance(value, dict):
            waiting += [(value, inner, value[inner]) for inner in value]
        elif isinstance(value, list):
            waiting += [(value, index, inner) for index, inner in enumerate(value)]


def test_what_a_text_holds_is_said_of_the_body() -> None:
    node = {"type": "object", "properties": {"a": {"type": "string"}}}
    bodies = {"application/xml": {"schema": {"$ref": "#/components/schemas/Node"}}}
    tool = read(requestBody={"content": bodies}, _components={"schemas": {"Node": node}})
    assert tool.inputs is not None
    content = {"contentMediaType": "application/xml", "contentSchema": {"$ref": "#/$defs/Node"}}
    assert tool.inputs["properties"] == {"body": {"type": "string", **content}}
    assert tool.inputs["$defs"] == {"Node": node}
    for_gemini = toolglot.convert(
        document(requestBody={"content": bodies}, _components={"schemas": {"Node": node}}), "gemini"
    )
    assert "Content: object with a." in for_gemini.text
    changes = {change.path: change.action for change in for_gemini.report.changes}
    assert changes["/inputs/properties/body/contentSchema"] == "widened"  # a sentence has no room for all of it


def test_a_schema_that_only_the_look_for_dangers_met_is_reported() -> None:
    """Of a body of bytes nothing but its media type is read; the schema of what it holds was lost in silence."""
    body = {"content": {"image/x": {"schema": {"$ref": "#/components/schemas/Node"}}}}
    schemas = {"Node": {"type": "object", "properties": {"a": {"type": "string"}}}}
    changes = toolglot.convert(document(requestBody=body, _components={"schemas": schemas}), "mcp").report.changes
    assert ("/components", "dropped") in {(change.path, change.action) for change in changes}


# -- as vendors write them ------------------------------------------------------------------------------------------

HOST = [{"url": "https://a.example"}]


def reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def holding(name: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}


CIRCLES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "two that are each other": (
        {"A": {"allOf": [reference("B"), holding("a")]}, "B": {"allOf": [reference("A"), holding("b")]}},
        {"a": "x", "b": "x"},
        {"a": "x"},
    ),
    "three in a ring": (
        {
            "A": {"allOf": [reference("B"), holding("a")]},
            "B": {"allOf": [reference("C"), holding("b")]},
            "C": {"allOf": [reference("A"), holding("c")]},
        },
        {"a": "x", "b": "x", "c": "x"},
        {"a": "x", "b": "x"},
    ),
    "a parent of its children": (
        {
            "A": {**holding("a"), "oneOf": [reference("B"), reference("C")]},
            "B": {"allOf": [reference("A"), holding("b")]},
            "C": {"allOf": [reference("A"), holding("c")]},
        },
        {"a": "x", "c": "x"},
        {"a": "x"},
    ),
    "itself": ({"A": {"allOf": [reference("A"), holding("a")]}}, {"a": "x"}, {}),
    "an alternative to itself": ({"A": {**holding("a"), "anyOf": [reference("A")]}}, {"a": "x"}, {}),
}


@for_each(("schemas", "valid", "invalid"), CIRCLES.values(), ids=list(CIRCLES))
def test_circles_are_cut_where_they_add_nothing(
    schemas: dict[str, Any], valid: dict[str, Any], invalid: dict[str, Any]
) -> None:
    tool = read(_components={"schemas": schemas}, _servers=HOST, requestBody=body(reference("A")))
    validator = jsonschema.Draft202012Validator(tool.inputs or {})
    assert validator.is_valid({"body": valid})
    if invalid:
        assert not validator.is_valid({"body": invalid})
    assert "A" in tool.extension("openapi")["circularSchemas"]
    assert bridge.request(tool, {"body": valid}).body == json.dumps(valid, separators=(",", ":")).encode()
    for target in ("openai", "gemini@parameters", "anthropic"):
        assert toolglot.compile(tool, target).definitions


def test_the_name_of_an_alternative_that_nobody_maps_stands_for_it() -> None:
    fox = {"allOf": [{"properties": {"kind": {"enum": ["vixen"]}}}]}
    schemas = {"Cat": holding("kind"), "Dog": holding("kind"), "Fox": fox, "None": {}}
    pet = {
        "oneOf": [*map(reference, ("Cat", "Dog", "Fox")), {"type": "object"}],
        "discriminator": {"propertyName": "kind", "mapping": {"kitty": "#/components/schemas/Cat"}},
    }
    tool = read(_components={"schemas": schemas}, requestBody=body(pet))
    discriminator = (tool.inputs or {})["properties"]["body"]["discriminator"]
    assert discriminator["mapping"] == {"kitty": "#/$defs/Cat", "Dog": "#/$defs/Dog"}
    (definition,) = toolglot.compile(tool, "openai").definitions
    assert "kitty is Cat, Dog is Dog" in json.dumps(definition)


def test_a_base_that_has_only_a_discriminator_takes_its_subtypes() -> None:
    pet = {**holding("kind"), "discriminator": {"propertyName": "kind"}}
    schemas = {"Pet": pet, "Dog": {"allOf": [reference("Pet"), holding("bark")]}}
    tool = read(_components={"schemas": schemas}, _servers=HOST, requestBody=body(reference("Pet")))
    assert (tool.inputs or {})["$defs"]["Pet"]["anyOf"] == [{"$ref": "#/$defs/Dog"}]
    assert "circularSchemas" not in tool.extension("openapi")
    assert b"bark" in (bridge.request(tool, {"body": {"kind": "Dog", "bark": "x"}}).body or b"")


MAPPINGS = [
    ({"dog": "#/components/schemas/Dog", "cat": "Cat"}, ["Dog", "Cat"]),
    ({"dog": "#/components/schemas/Dog", "elk": "https://pets.example/elk"}, []),  # which anything may be
    ({"dog": "#/components/schemas/Dog", "odd": 3}, []),
    ({"dog": "#/components/schemas/Dog", "pet": "#/components/schemas/Pet"}, []),  # a copy of that of its own base
]


@for_each(("mapping", "names"), MAPPINGS)
def test_a_base_takes_what_its_mapping_alone_names(mapping: dict[str, Any], names: list[str]) -> None:
    pet = {**holding("kind"), "discriminator": {"propertyName": "kind", "mapping": mapping}}
    schemas = {"Pet": pet, "Dog": holding("bark"), "Cat": holding("purr")}
    tool = read(_components={"schemas": schemas}, _servers=HOST, requestBody=body(reference("Pet")))
    found = (tool.inputs or {})["$defs"]["Pet"].get("anyOf", []) if names else []
    assert found == [{"$ref": f"#/$defs/{name}"} for name in names]
    if names:
        assert b"bark" in (bridge.request(tool, {"body": {"kind": "dog", "bark": "x"}}).body or b"")
    else:
        assert "anyOf" not in json.dumps(tool.inputs)


def test_a_variable_of_the_path_that_nobody_declares_is_a_required_text() -> None:
    tool = read(_path="/a/{b}", _servers=HOST)
    assert (tool.inputs or {})["required"] == ["b"]
    assert tool.extension("openapi")["undeclaredVariables"] == ["b"]
    assert bridge.request(tool, {"b": "c d"}).url.endswith("/a/c%20d")


UNSENT: list[tuple[str, list[dict[str, Any]]]] = [
    ("3.2.0", [{"in": "path", "name": "z", "required": True}]),
    ("3.2.0", [{"in": "query", "name": "q"}] * 2),
    ("3.2.0", [{"in": "body", "name": "b"}]),
    ("3.2.0", [{"in": "query", "name": "q"}, {"in": "querystring", "name": "all"}]),
    ("2.0", [{"in": "formData", "name": "f", "type": "string"}, {"in": "body", "name": "b", "schema": holding("a")}]),
]


@for_each(("version", "parameters"), UNSENT, ids=[f"{row[0]['in']} of {len(row)}" for _, row in UNSENT])
def test_a_parameter_that_no_request_carries_is_left_out_and_named(
    version: str, parameters: list[dict[str, Any]]
) -> None:
    data = document(parameters=parameters, **{"_swagger" if version == "2.0" else "_openapi": version})
    tool = toolglot.read_one(data)
    assert tool.extension("openapi")["unsentParameters"] == parameters[:1]
    assert len((tool.inputs or {})["properties"]) == len(parameters) - 1
    name = f"{parameters[0]['name']!r} in {parameters[0]['in']}: "
    assert any(name in found.message for found in toolglot.check(data) if found.code == "unsent-parameter")


def test_a_reference_that_comes_back_to_itself_is_named() -> None:
    circle = {"A": {"$ref": "#/components/parameters/B"}, "B": {"$ref": "#/components/parameters/A"}}
    tool = read(_components={"parameters": circle}, parameters=[{"$ref": "#/components/parameters/A"}])
    assert tool.extension("openapi")["unresolvedReferences"] == ["#/components/parameters/A"]


def test_a_parameter_is_required_that_its_schema_calls_so() -> None:
    tool = read(parameters=[{"in": "query", "name": "q", "schema": {"type": "string", "required": True}}])
    assert (tool.inputs or {})["required"] == ["q"]


NULLABLE = [
    {"nullable": True, "allOf": [reference("A")]},
    {"allOf": [reference("A"), {"nullable": True}]},
    {"anyOf": [reference("A"), {"type": "object", "nullable": True}]},
    {"oneOf": [reference("A"), {"nullable": True}]},
    {**reference("A"), "nullable": True},
]


@pytest.mark.parametrize("spelling", NULLABLE)
def test_all_spellings_of_a_reference_that_may_be_null_mean_the_same(spelling: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"p": spelling}}
    tool = read(_components={"schemas": {"A": holding("a")}}, requestBody=body(schema))
    validator = jsonschema.Draft202012Validator(tool.inputs or {})
    assert validator.is_valid({"p": None})
    assert validator.is_valid({"p": {"a": "x"}})
    assert not validator.is_valid({"p": {}})


BOOLEANS = {
    "required": (lambda word: {"required": word}, lambda tool: bool((tool.inputs or {}).get("required"))),
    "deprecated": (lambda word: {"deprecated": word}, lambda tool: "deprecated" in tool.inputs["properties"]["q"]),
    "explode": (lambda word: {"explode": word}, lambda tool: "q=a&q=b" in bridge.request(tool, {"q": ["a", "b"]}).url),
    "allowReserved": (
        lambda word: {"allowReserved": word},
        lambda tool: "a:b" in bridge.request(tool, {"q": ["a:b"]}).url,
    ),
}


@pytest.mark.parametrize("word", ["true", "False", True, False])
@pytest.mark.parametrize(("stated", "holds"), BOOLEANS.values(), ids=BOOLEANS)
def test_a_boolean_of_a_parameter_may_be_a_text(stated: Any, holds: Any, word: Any) -> None:
    parameter = {"in": "query", "name": "q", "schema": {"type": "array", "items": {"type": "string"}}, **stated(word)}
    assert holds(read(_servers=HOST, parameters=[parameter])) == (word in (True, "true"))


@pytest.mark.parametrize("word", ["true", True])
def test_a_body_may_be_required_by_a_text(word: Any) -> None:
    tool = read(_servers=HOST, requestBody={**body(holding("a")), "required": word})
    assert (tool.inputs or {})["required"] == ["a"]


def test_a_body_has_one_shape_whether_or_not_it_is_required() -> None:
    schema = {**holding("a"), "properties": {"a": {}, "b": {}}}
    tool = read(_servers=HOST, requestBody=body(schema, required=False))
    assert (tool.inputs or {})["dependentRequired"] == {"b": ["a"]}
    assert bridge.request(tool, {}).body is None
    assert bridge.request(tool, {"a": 1e16}).body == b'{"a":10000000000000000}'
    with pytest.raises(ArgumentError):
        bridge.request(tool, {"b": 1})


WRONG = {"type": "string", "description": "What it is.", "minimum": 1}  # the rule `idle-keyword` is against it
HOLDING = {"type": "object", "properties": {"p": WRONG}}
REFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "the body": (
        {"_components": {"schemas": {"A": HOLDING}}, "requestBody": body(reference("A"))},
        "/components/schemas/A/properties/p/minimum",
    ),
    "a part of the body": (
        {
            "_components": {"schemas": {"A": HOLDING, "B": holding("b")}},
            "requestBody": body({"allOf": [reference("B"), reference("A")]}),
        },
        "/components/schemas/A/properties/p/minimum",
    ),
    "a schema in the body": (
        {"_components": {"schemas": {"A": HOLDING}}, "requestBody": body({"properties": {"a": reference("A")}})},
        "/components/schemas/A/properties/p/minimum",
    ),
    "what holds the body": (
        {
            "_components": {"requestBodies": {"R": body(HOLDING)}},
            "requestBody": {"$ref": "#/components/requestBodies/R"},
        },
        "/components/requestBodies/R/content/application~1json/schema/properties/p/minimum",
    ),
    "a parameter": (
        {
            "_components": {"parameters": {"P": {"in": "query", "name": "q", "schema": WRONG}}},
            "parameters": [{"$ref": "#/components/parameters/P"}],
        },
        "/components/parameters/P/schema/minimum",
    ),
    "a result": (
        {
            "_components": {"schemas": {"A": HOLDING}},
            "responses": {"200": {"description": "It.", **body(reference("A"))}},
        },
        "/components/schemas/A/properties/p/minimum",
    ),
    "nothing": (
        {"requestBody": body(HOLDING)},
        "/paths/~1a/post/requestBody/content/application~1json/schema/properties/p/minimum",
    ),
}


@for_each(("operation", "place"), REFERENCES.values(), ids=list(REFERENCES))
def test_a_finding_stands_where_the_schema_does_and_once(operation: dict[str, Any], place: str) -> None:
    data = document(**operation)
    data["paths"]["/b"] = data["paths"]["/a"] if "components" in place else {}
    assert [fault.pointer for fault in toolglot.check(data) if fault.code == "idle-keyword"] == [place]


@for_each(("operation", "place"), REFERENCES.values(), ids=list(REFERENCES))
def test_a_report_names_the_line_of_a_schema_that_stands_elsewhere(operation: dict[str, Any], place: str) -> None:
    text = json.dumps(document(**operation), indent=2)
    changes = toolglot.convert(text, "openai").report.changes
    found = [change for change in changes if change.path.startswith("/inputs/") and change.path.endswith("minimum")]
    assert found or "responses" in operation  # of results nothing is offered
    position = document_reader.load(text.encode(), "a.json").position(place)
    assert {(change.line, change.column) for change in found} <= {position}
