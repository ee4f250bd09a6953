"""Schemas of every dialect to plain 2020-12, and their references to the root's definitions."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator as Newest
from jsonschema_specifications import REGISTRY as METASCHEMAS
from referencing.exceptions import Unresolvable

import corpus
import suites
import toolglot
from metaschema import is_schema_but_for_patterns
from rows import THOROUGH, for_each, sample
from toolglot.converter.schema import budget, older_dialects, older_keywords, references
from toolglot.converter.schema.arguments import Schema
from toolglot.converter.schema.json_values import are_equal, equality_key
from toolglot.converter.schema.keywords import ANNOTATIONS, ASSERTIONS, MANY, NAMED, ONE, subschemas, walk
from toolglot.converter.schema.newest_dialect import is_plain, restate_schema
from toolglot.errors import FitError

# Values that look alike: equal numbers of other types, and true beside 1.
NESTED = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 0.0, 1.0, 0.5, "", "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=4,
)
ACTIONS = {"renamed", "narrowed", "widened", "described", "encoded", "dropped"}
thorough = settings(max_examples=(2 if THOROUGH else 1) * settings().max_examples)


def normalised(schema: Any) -> Any:
    """`normalise`, held to what it promises for every argument."""
    before = copy.deepcopy(schema)
    found, steps = older_dialects.normalise(schema)
    assert schema == before, "the argument was modified"
    assert is_schema_but_for_patterns(found)
    assert all(step.action in ACTIONS for step in steps)
    assert older_dialects.normalise(found) == (found, []), "not idempotent"
    return found


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """`resolve`, held to what it promises for every argument."""
    before = copy.deepcopy(schema)
    found, _ = references.resolve(schema)
    assert schema == before, "the argument was modified"
    assert is_schema_but_for_patterns(found)
    definitions = found.get("$defs", {})
    allowed = {"#", *(f"#/$defs/{name}" for name in definitions)}
    for pointer, node in walk(found):
        if isinstance(node, dict):
            assert node.get("$ref", "#") in allowed
            assert not node.keys() & {"$dynamicRef", "$id", "$anchor", "$dynamicAnchor"}
            assert "$defs" not in node or pointer == ""
    assert references.resolve(found) == (found, []), "not idempotent"
    assert references.cycles(found) <= allowed
    return found


# -- spellings ------------------------------------------------------------------------------------------------

# name: (source, plain schema, the steps as (pointer, keyword, action))
SPELLINGS: dict[str, tuple[Any, Any, list[tuple[str, str, str]]]] = {
    "foreign types": (
        {"properties": {"a": {"type": "dict"}, "b": {"type": "float"}, "c": {"type": "tuple"}, "d": {"type": "any"}}},
        {"properties": {"a": {"type": "object"}, "b": {"type": "number"}, "c": {"type": "array"}, "d": {}}},
        [(f"/properties/{name}", "type", "renamed") for name in "abcd"],
    ),
    "java types": (
        {"properties": {"a": {"type": "HashMap"}, "b": {"type": "ArrayList"}, "c": {"type": "long"},
         "d": {"type": "char"}}},
        {"properties": {"a": {"type": "object"}, "b": {"type": "array"}, "c": {"type": "integer"},
         "d": {"type": "string"}}},
        [(f"/properties/{name}", "type", "renamed") for name in "abcd"],
    ),
    "upper case and nullable": (
        {"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": True, "enum": ["x"]}}},
        {"type": "object", "properties": {"a": {"type": ["string", "null"], "enum": ["x", None]}}},
        [("", "type", "renamed"), ("/properties/a", "type", "renamed"), ("/properties/a", "nullable", "renamed")],
    ),
    "nullable reference": (
        {"$ref": "#/$defs/a", "title": "t", "nullable": True, "$defs": {"a": {"type": "string"}}},
        {"title": "t", "$defs": {"a": {"type": "string"}}, "anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]},
        [("", "nullable", "renamed")],
    ),
    "nullable choice": (
        {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}], "nullable": True},
        {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        [("/anyOf/0", "type", "renamed"), ("/anyOf/1", "type", "renamed"), ("", "nullable", "renamed")],
    ),
    "nullable oneOf": (
        {"oneOf": [{"type": "string"}, {}], "nullable": True},
        {"anyOf": [{"oneOf": [{"type": "string"}, {}]}, {"type": "null"}]},
        [("", "nullable", "renamed")],
    ),
    "nullable constant": ({"const": 1, "nullable": True}, {"enum": [1, None]}, [("", "nullable", "renamed")]),
    "not nullable": ({"type": "string", "nullable": False}, {"type": "string"}, [("", "nullable", "renamed")]),
    "the empty type": ({"type": ""}, {}, [("", "type", "widened")]),
    "an unknown type": ({"type": ["string", "Customer"]}, {}, [("", "type", "widened")]),
    "a type that is an enum of a program": ({"type": {"2": "EDGE", "EDGE": 2}}, {}, [("", "type", "widened")]),
    "types that meet": ({"type": ["str", "string", "int"]}, {"type": ["string", "integer"]}, [("", "type", "renamed")]),
    "a union in one name": ({"type": "string | null"}, {"type": ["string", "null"]}, [("", "type", "renamed")]),
    "draft-03 required": (
        {"properties": {"a": {"required": True}, "b": {"required": False}, "c": {}}},
        {"properties": {"a": {}, "b": {}, "c": {}}, "required": ["a"]},
        [("/properties/a", "required", "renamed"), ("/properties/b", "required", "renamed")],
    ),
    "draft-03 required beside a reference": (
        {
            "$schema": "http://json-schema.org/draft-03/schema#",
            "properties": {"a": {"$ref": "#/x", "required": True, "minimum": 3}},
            "x": {"type": "string"},
        },
        {
            "properties": {"a": {"$ref": "#/$defs/x"}},
            "x": {"type": "string"},
            "required": ["a"],
            "$defs": {"x": {"type": "string"}},
        },
        [
            ("", "$schema", "renamed"),
            ("/properties/a", "required", "renamed"),
            ("/properties/a", "minimum", "dropped"),
            ("/properties/a", "$ref", "renamed"),
        ],
    ),
    "draft-04 bounds": (
        {"minimum": 1, "exclusiveMinimum": True, "maximum": 9, "exclusiveMaximum": False},
        {"exclusiveMinimum": 1, "maximum": 9},
        [("", "exclusiveMinimum", "renamed"), ("", "exclusiveMaximum", "renamed")],
    ),
    "a flag of a bound that is not there": (
        {"exclusiveMinimum": True, "exclusiveMaximum": False},
        {},
        [("", "exclusiveMinimum", "widened"), ("", "exclusiveMaximum", "renamed")],
    ),
    "draft-04 identifiers": (
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "id": "http://a.example/b.json",
            "properties": {"id": {"id": "#here", "type": "string"}},
        },
        {"$id": "http://a.example/b.json", "properties": {"id": {"$anchor": "here", "type": "string"}}},
        [("", "$schema", "renamed"), ("", "id", "renamed"), ("/properties/id", "id", "renamed")],
    ),
    "an id that means nothing": ({"id": "http://a.example/b.json"}, {"id": "http://a.example/b.json"}, []),
    "draft-07 tuple": (
        {"items": [{"type": "string"}, {}], "additionalItems": {"type": "null"}},
        {"prefixItems": [{"type": "string"}, {}], "items": {"type": "null"}},
        [("", "items", "renamed"), ("", "additionalItems", "renamed")],
    ),
    "an empty tuple": ({"items": []}, {}, [("", "items", "renamed")]),
    "a tuple without a tuple": ({"additionalItems": False}, {}, [("", "additionalItems", "renamed")]),
    "draft-07 definitions and dependencies": (
        {
            "properties": {"p": {"$ref": "#/definitions/P"}, "q": {"$ref": "#/dependencies/b"}},
            "definitions": {"P": {"type": "integer"}},
            "dependencies": {"a": ["b"], "b": {"required": ["c"]}},
        },
        {
            "properties": {"p": {"$ref": "#/$defs/P"}, "q": {"$ref": "#/dependentSchemas/b"}},
            "$defs": {"P": {"type": "integer"}},
            "dependentRequired": {"a": ["b"]},
            "dependentSchemas": {"b": {"required": ["c"]}},
        },
        [
            ("", "definitions", "renamed"),
            ("", "dependencies", "renamed"),
            ("/properties/p", "$ref", "renamed"),
            ("/properties/q", "$ref", "renamed"),
        ],
    ),
    "definitions under both names": (
        {"definitions": {"a": {"type": "string"}}, "$defs": {"a": {"type": "null"}}, "$ref": "#/definitions/a"},
        {"$defs": {"a": {"type": "null"}, "a_2": {"type": "string"}}, "$ref": "#/$defs/a_2"},
        [("", "definitions", "renamed"), ("", "$ref", "renamed")],
    ),
    "draft-07 beside a reference": (
        {"$schema": "http://json-schema.org/draft-07/schema", "$ref": "#/definitions/a", "description": "d",
         "minimum": 3, "definitions": {"a": {}}},
        {"$ref": "#/$defs/a", "description": "d", "$defs": {"a": {}}},
        [("", "minimum", "dropped"), ("", "$schema", "renamed"), ("", "definitions", "renamed"),
         ("", "$ref", "renamed")],
    ),
    "2019-09 recursion": (
        {"$recursiveAnchor": True, "items": {"$recursiveRef": "#"}},
        {"$dynamicAnchor": "recursive", "items": {"$dynamicRef": "#recursive"}},
        [("", "$recursiveAnchor", "renamed"), ("/items", "$recursiveRef", "renamed")],
    ),
    "2019-09 recursion that is none": (
        {"items": {"$recursiveRef": "#"}}, {"items": {"$ref": "#"}}, [("/items", "$recursiveRef", "renamed")],
    ),
    "components": (
        {"properties": {"a": {"$ref": "#/components/schemas/A"}},
         "components": {"schemas": {"A": {"type": "OBJECT", "properties": {"b": {"$ref": "#/components/schemas/A"}}}}}},
        {"properties": {"a": {"$ref": "#/$defs/A"}},
         "components": {"schemas": {"A": {"type": "OBJECT", "properties": {"b": {"$ref": "#/components/schemas/A"}}}}},
         "$defs": {"A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/A"}}}}},
        [
            ("/components/schemas/A", "type", "renamed"),
            ("/properties/a", "$ref", "renamed"),
            ("/components/schemas/A/properties/b", "$ref", "renamed"),
        ],
    ),
    "a reference into a tuple": (
        {"properties": {"a": {"items": [{"type": "string"}]}, "b": {"$ref": "#/properties/a/items/0"}}},
        {"properties": {"a": {"prefixItems": [{"type": "string"}]}, "b": {"$ref": "#/properties/a/prefixItems/0"}}},
        [("/properties/a", "items", "renamed"), ("/properties/b", "$ref", "renamed")],
    ),
    "references to booleans that have moved": (
        {
            "properties": {
                "a": {"$ref": "#/definitions/no"}, "b": {"$ref": "#/properties/c/items/1"},
                "c": {"items": [{}, False], "additionalItems": True}, "d": {"$ref": "#/properties/c/additionalItems"},
            },
            "definitions": {"no": False},
        },
        {
            "properties": {
                "a": {"$ref": "#/$defs/no_2"}, "b": {"$ref": "#/$defs/1"},
                "c": {"prefixItems": [{}, False], "items": True}, "d": {"$ref": "#/$defs/additionalItems"},
            },
            "$defs": {"no": False, "no_2": False, "1": False, "additionalItems": True},
        },
        [
            ("", "definitions", "renamed"), ("/properties/c", "items", "renamed"),
            ("/properties/c", "additionalItems", "renamed"),
            *((f"/properties/{name}", "$ref", "renamed") for name in "abd"),
        ],
    ),
    "example": ({"example": "a"}, {"examples": ["a"]}, [("", "example", "renamed")]),
    "example under another name": ({"example_value": "a"}, {"examples": ["a"]}, [("", "example_value", "renamed")]),
    "two examples": (
        {"example": "a", "example_value": "b"}, {"examples": ["a"]},
        [("", "example", "renamed"), ("", "example_value", "dropped")]),
    "example beside examples": ({"example": "a", "examples": []}, {"examples": []}, [("", "example", "dropped")]),
    "optional": (
        {"properties": {"a": {"optional": True}, "b": {"optional": False}}},
        {"properties": {"a": {}, "b": {}}, "required": ["b"]},
        [("/properties/a", "optional", "renamed"), ("/properties/b", "optional", "renamed")],
    ),
    "optional against required": (
        {"properties": {"a": {"optional": True}, "b": {"optional": True}}, "required": ["a"]},
        {"properties": {"a": {}, "b": {}}, "required": ["a"]},
        [("/properties/a", "optional", "dropped"), ("/properties/b", "optional", "renamed")],
    ),
    "optional as a list": ({"optional": ["a"]}, {}, [("", "optional", "renamed")]),
    "optional as a list of what is required is a keyword that nobody knows": (
        {"optional": ["a"], "required": ["a"]}, {"optional": ["a"], "required": ["a"]}, []),
    "required twice": ({"required": ["a", "b", "a"]}, {"required": ["a", "b"]}, [("", "required", "renamed")]),
    "required but undeclared": ({"properties": {}, "required": ["ghost"]}, {"properties": {}, "required": ["ghost"]},
     []),
    "required as one name": ({"required": "a"}, {"required": ["a"]}, [("", "required", "renamed")]),
    "required as a number": ({"required": 1}, {}, [("", "required", "widened")]),
    "required among the properties": (
        {"properties": {"a": {}, "required": ["a"]}}, {"properties": {"a": {}}, "required": ["a"]},
         [("", "required", "renamed")],
    ),
    "a property called required": (
        {"properties": {"required": {"type": "boolean"}}}, {"properties": {"required": {"type": "boolean"}}}, [],
    ),
    "an enum that is no list": ({"enum": {"A": "a"}}, {}, [("", "enum", "widened")]),
    "schemas that are none": (
        {"properties": {"a": "string", "b": "the time", "c": ["string", "null"],
         "d": 3, "e": None, "f": [{"type": "null"}]}},
        {"properties": {"a": {"type": "string"}, "b": {"description": "the time"}, "c": {"type": ["string", "null"]},
                        "d": {}, "e": {}, "f": {"type": "null"}}},
        [
            ("/properties/a", "", "renamed"),
            ("/properties/b", "", "widened"),
            ("/properties/c", "", "renamed"),
            ("/properties/d", "", "widened"),
            ("/properties/e", "", "widened"),
            ("/properties/f", "", "renamed"),
        ],
    ),
    "numbers as strings": ({"minItems": "1", "maximum": "2.5"}, {"minItems": 1, "maximum": 2.5},
                           [("", "minItems", "renamed"), ("", "maximum", "renamed")]),
    "values that are none": (
        {"minLength": -1, "title": 3, "uniqueItems": "False", "anyOf": [], "allOf": []},
        {"uniqueItems": False},
        [("", "minLength", "widened"), ("", "title", "dropped"), ("", "uniqueItems", "renamed"),
         ("", "anyOf", "widened"),
         ("", "allOf", "renamed")],
    ),
    "null for nothing": ({"description": None, "default": None, "items": None}, {"default": None},
                         [("", "description", "renamed"), ("", "items", "renamed")]),
    "data is not walked": (
        {"enum": [{"type": "dict"}], "const": {"nullable": True}, "default": {"definitions": {}},
         "examples": [{"id": 1}]},
        {"enum": [{"type": "dict"}], "const": {"nullable": True}, "default": {"definitions": {}},
         "examples": [{"id": 1}]},
        [],
    ),
    "a string for a schema": ("dict", {"type": "object"}, [("", "", "renamed")]),
    "nothing for a schema": (None, {}, [("", "", "widened")]),
    "a boolean": (False, False, []),
}  # fmt: skip


@for_each("name", SPELLINGS)
def test_spellings(name: str) -> None:
    source, expected, steps = SPELLINGS[name]
    assert normalised(source) == expected
    found = [(step.pointer, step.keyword, step.action) for step in older_dialects.normalise(source)[1]]
    assert sorted(found) == sorted(steps)


def test_the_order_of_keywords_stays() -> None:
    source = {"title": "t", "type": "OBJECT", "definitions": {}, "properties": {"z": {}, "a": {}}, "x-own": 1}
    found = normalised(source)
    assert list(found) == ["title", "type", "$defs", "properties", "x-own"]
    assert list(found["properties"]) == ["z", "a"]


# -- meaning --------------------------------------------------------------------------------------------------

KEYS = st.sampled_from(["a", "b", "c"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.sampled_from([0.5, -1.5, 2.25]),
    st.sampled_from(["", "a", "ab", "b"]),
)
INSTANCES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
NAMES = st.lists(KEYS, min_size=1, max_size=2, unique=True)
BASE = "http://example.com/inner.json"


class Draft(NamedTuple):
    """One draft: its number, what it is called in `$schema`, its validator, and its spelling of identifiers."""

    number: int
    uri: str
    validator: Any
    id: str = "$id"


DRAFTS = [
    Draft(4, "http://json-schema.org/draft-04/schema#", jsonschema.Draft4Validator, "id"),
    Draft(6, "http://json-schema.org/draft-06/schema#", jsonschema.Draft6Validator),
    Draft(7, "http://json-schema.org/draft-07/schema#", jsonschema.Draft7Validator),
    Draft(2019, "https://json-schema.org/draft/2019-09/schema", jsonschema.Draft201909Validator),
    Draft(2020, "https://json-schema.org/draft/2020-12/schema", Newest),
]


def fragments(draft: Draft, inner: st.SearchStrategy[Any]) -> list[st.SearchStrategy[dict[str, Any]]]:
    """A strategy for each keyword of a draft, as a piece of a schema."""
    old, new = draft.number <= 4, draft.number >= 2019
    schema = inner if old else inner | st.booleans()

    def piece(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
        return st.fixed_dictionaries({name.replace("_", "$"): value for name, value in keywords.items()})

    tables = "$defs" if new else "definitions"
    refs = [
        f"#/{tables}/A",
        f"#/{tables}/b~1c",
        "#/properties/a",
        "#",
        BASE,
        f"{BASE}#/{tables}/D",
        "#/unknown/X",
        "#/else",
    ]
    refs += ["#/items/0", "#/additionalItems", "#/dependencies/b", "#/allOf/0", "#/not", "#marked"]
    pieces = [
        piece(type=TYPES),
        piece(type=st.lists(TYPES, min_size=1, max_size=3, unique=True)),
        piece(enum=st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr)),
        piece(properties=st.dictionaries(KEYS, inner, max_size=3)),
        piece(additionalProperties=inner | st.booleans()),
        piece(patternProperties=st.dictionaries(st.sampled_from(["^a", "b|c"]), schema, max_size=1)),
        piece(minimum=st.integers(-1, 3)),
        piece(maxItems=st.integers(0, 2)),
        piece(uniqueItems=st.booleans()),
        piece(minLength=st.integers(0, 2)),
        piece(items=schema),
        piece(_ref=st.sampled_from(refs)),
        piece(unknown=st.fixed_dictionaries({"X": inner})),
        piece(title=st.just("t")),
    ]
    if draft.number < 2020:
        pieces.append(piece(items=st.lists(schema, min_size=1, max_size=2)))
        pieces.append(piece(items=st.lists(schema, min_size=1, max_size=2), additionalItems=inner | st.booleans()))
        pieces.append(piece(additionalItems=inner | st.booleans()))
    else:
        pieces.append(piece(prefixItems=st.lists(schema, min_size=1, max_size=2)))
    if draft.number < 2019:
        pieces.append(piece(dependencies=st.dictionaries(KEYS, inner | NAMES, max_size=2)))
    if old:
        pieces.append(piece(minimum=st.integers(-1, 3), exclusiveMinimum=st.booleans()))
        pieces.append(piece(maximum=st.integers(-1, 3), exclusiveMaximum=st.booleans()))
    else:
        pieces += [piece(exclusiveMinimum=st.integers(-1, 3)), piece(const=SCALARS), piece(contains=schema)]
        pieces += [piece(propertyNames=schema)]
    several = st.lists(schema, min_size=1, max_size=2)
    pieces += [piece(allOf=several), piece(anyOf=several), piece(oneOf=several), piece(required=NAMES)]
    pieces += [piece(**{"not": schema})]
    if draft.number >= 7:
        pieces.append(piece(**{"if": schema, "then": schema, "else": schema}))
    if new:
        pieces += [
            piece(dependentRequired=st.dictionaries(KEYS, NAMES, max_size=2)),
            piece(unevaluatedProperties=schema),
        ]
    if draft.number == 2019:
        pieces.append(piece(_recursiveRef=st.just("#")))
    return pieces


@cache
def choices(number: int, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    draft = next(draft for draft in DRAFTS if draft.number == number)
    return st.one_of(fragments(draft, trees(number, depth - 1)))


@st.composite
def trees(draw: st.DrawFn, number: int, depth: int) -> dict[str, Any]:
    """A schema of one draft, put together from pieces."""
    found: dict[str, Any] = {}
    if depth:
        for _ in range(draw(st.integers(0, 3))):
            found |= draw(choices(number, depth))
    return found


def schemas(draft: Draft) -> st.SearchStrategy[dict[str, Any]]:
    tree = trees(draft.number, 3)
    tables = "$defs" if draft.number >= 2019 else "definitions"
    mark: dict[str, str] = {}
    if draft.number >= 2019:
        mark = {"$anchor": "marked"}
    elif draft.number > 3:
        mark = {draft.id: "#marked"}

    def whole(root: Any, a: Any, bc: Any, inner: Any, marked: Any, recursive: bool) -> dict[str, Any]:
        schema = {"$schema": draft.uri, **root}
        if recursive and draft.number == 2019:
            schema = {"$schema": draft.uri, "$recursiveAnchor": True, **root}
        schema[tables] = {
            "A": a,
            "b/c": bc,
            "inner": {draft.id: BASE, tables: {"D": inner}, "items": {"$ref": f"#/{tables}/D"}},
            "marked": {**{key: value for key, value in marked.items() if key != "$ref"}, **mark},
        }
        return schema

    return st.builds(whole, tree, tree, tree, tree, tree, st.booleans())


# What `jsonschema` and `referencing` raise for a valid schema: `dependencies` of both kinds beside a reference by URI,
# and `additionalItems` beside `items` that is a boolean.
STUMBLES = (AttributeError, TypeError)


def verdict(validator: Any, instance: Any) -> bool:
    """Whether a schema accepts a value; what has no answer (a loop, a reference to nothing) is not asked about."""
    try:
        return bool(validator.is_valid(instance))
    except (RecursionError, Unresolvable, *STUMBLES):
        reject()
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # a RecursionError in the maps of `referencing`, in Rust
            raise
        reject()


@for_each("draft", DRAFTS, ids=lambda draft: str(draft.number))
def test_normalising_keeps_the_meaning(draft: Draft) -> None:
    @thorough
    @given(schemas(draft), st.lists(INSTANCES, min_size=1, max_size=6))
    def check(schema: dict[str, Any], instances: list[Any]) -> None:
        draft.validator.check_schema(schema)
        found = normalised(schema)
        for instance in instances:
            expected = verdict(draft.validator(schema), instance)
            assert Newest(found).is_valid(instance) is expected, (instance, found)

    check()


@for_each("draft", DRAFTS, ids=lambda draft: str(draft.number))
def test_resolving_keeps_the_meaning(draft: Draft) -> None:
    @thorough
    @given(schemas(draft), st.lists(INSTANCES, min_size=1, max_size=6))
    def check(schema: dict[str, Any], instances: list[Any]) -> None:
        plain = normalised(schema)
        found = resolved(plain)
        for instance in instances:
            assert Newest(found).is_valid(instance) is verdict(Newest(plain), instance), (instance, plain, found)

    check()


@thorough
@given(schemas(DRAFTS[-1]))
def test_plain_schemas_stay(schema: dict[str, Any]) -> None:
    del schema["$schema"]
    references = [str(node.get("$ref")) for _, node in walk(schema) if isinstance(node, dict)]
    found, steps = older_dialects.normalise(schema)
    moved = ("#/items/0", "#/additionalItems", "#/dependencies/b", "#/extends/0")
    if any("#/unknown" in reference for reference in references) or any(place in str(schema) for place in moved):
        assert all(step.keyword == "$ref" for step in steps)
    else:
        assert (found, steps) == (schema, [])


KEYWORDS = st.sampled_from([*sorted(older_keywords.KEYWORDS), "a", "#", "properties", "type", "$defs", "x"])
ANYTHING = st.recursive(
    st.one_of(
        SCALARS,
        TYPES,
        st.sampled_from(["STRING", "dict", "#", "#/a", "#/$defs/a", "#a", "http://[", "true", "~2", "%"]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=4),
    max_leaves=25,
)


@settings(thorough, max_examples=16 * settings().max_examples)
@given(ANYTHING)
@example({"$ref": "#/allOf/0", "allOf": [{"$ref": "#"}]})
@example({"optional": [], "required": None})
@example({"pattern": "http://["})
def test_anything_becomes_a_valid_schema(schema: Any) -> None:
    found = normalised(schema)
    if isinstance(found, dict):
        resolved(found)


# -- references -----------------------------------------------------------------------------------------------

STRING = {"type": "string"}
# name: (schema, resolved, the steps as (pointer, keyword, action))
REFERENCES: dict[str, tuple[dict[str, Any], dict[str, Any], list[tuple[str, str, str]]]] = {
    "already so": (
        {"$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}, "items": {"$ref": "#"}, "not": {"$ref": "#/$defs/a"}},
        {"items": {"$ref": "#"}, "not": {"$ref": "#/$defs/a"}, "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}},
        [],
    ),
    "into the properties": (
        {"properties": {"from": STRING, "to": {"$ref": "#/properties/from", "title": "t"}}},
        {"properties": {"from": {"$ref": "#/$defs/from"}, "to": {"$ref": "#/$defs/from", "title": "t"}},
         "$defs": {"from": STRING}},
        [("/properties/from", "", "renamed"), ("/properties/to", "$ref", "renamed")],
    ),
    "escaped pointers": (
        {"properties": {"a/b": STRING, "m~n": {}, "%": {"minimum": 1}},
         "allOf": [{"$ref": "#/properties/a~1b"}, {"$ref": "#/properties/m~0n"}, {"$ref": "#/properties/%25"}]},
        {"properties": {"a/b": {"$ref": "#/$defs/a_b"}, "m~n": {"$ref": "#/$defs/m_n"}, "%": {"$ref": "#/$defs/_"}},
         "allOf": [{"$ref": "#/$defs/a_b"}, {"$ref": "#/$defs/m_n"}, {"$ref": "#/$defs/_"}],
         "$defs": {"a_b": STRING, "m_n": {}, "_": {"minimum": 1}}},
        [(f"/properties/{name}", "", "renamed") for name in ("a~1b", "m~0n", "%")]
        + [(f"/allOf/{index}", "$ref", "renamed") for index in range(3)],
    ),
    "bad escapes": (
        {"properties": {"~2": {}, "a": {"$ref": "#/properties/~2"}, "b": {"$ref": "#/properties/%zz"}}},
        {"properties": {"~2": {}, "a": {}, "b": {}}},
        [("/properties/a", "$ref", "widened"), ("/properties/b", "$ref", "widened")],
    ),
    "an anchor": (
        {"items": {"$ref": "#here"}, "not": {"$anchor": "here", "type": "string"}},
        {"items": {"$ref": "#/$defs/here"}, "not": {"$ref": "#/$defs/here"}, "$defs": {"here": STRING}},
        [("/items", "$ref", "renamed"), ("/not", "", "renamed"), ("/not", "$anchor", "dropped")],
    ),
    "identifiers": (
        {"$id": "http://a.example/x/root.json",
         "properties": {"a": {"$ref": "part.json"}, "b": {"$ref": "http://a.example/x/part.json#/$defs/n"}},
         "$defs": {"part": {"$id": "part.json", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": STRING}}}},
        {"properties": {"a": {"$ref": "#/$defs/part"}, "b": {"$ref": "#/$defs/n"}},
         "$defs": {"part": {"items": {"$ref": "#/$defs/n"}}, "n": STRING}},
        [("", "$id", "dropped"), ("/$defs/part", "$id", "dropped"), ("/properties/a", "$ref", "renamed"),
         ("/properties/b", "$ref", "renamed"), ("/$defs/part/$defs/n", "", "renamed")],
    ),
    "an identifier that is a name": (
        {"$id": "urn:example:a", "items": {"$ref": "#/$defs/a"}, "not": {"$ref": "urn:example:a#/$defs/a"},
         "$defs": {"a": {}}},
        {"items": {"$ref": "#/$defs/a"}, "not": {"$ref": "#/$defs/a"}, "$defs": {"a": {}}},
        [("", "$id", "dropped"), ("/not", "$ref", "renamed")],
    ),
    "a chain": (
        {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"},
         "c": STRING}},
        {"items": {"$ref": "#/$defs/c"}, "$defs": {"c": STRING}},
        [("/items", "$ref", "renamed"), ("/$defs/a", "", "dropped"), ("/$defs/b", "", "dropped")],
    ),
    "a loop": (
        {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {}}},
        [("/$defs/a", "$ref", "widened"), ("/$defs/b", "", "dropped")],
    ),
    "a loop through allOf": (
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"minimum": 1}]}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{}, {"minimum": 1}]}}},
        [("/$defs/a/allOf/0", "$ref", "widened")],
    ),
    "itself": ({"$ref": "#", "type": "string"}, {"type": "string"}, [("", "$ref", "widened")]),
    "outside": (
        {"properties": {"a": {"$ref": "http://example.com/x.json", "title": "t"}, "b": {"$ref": "file:///etc/passwd"}}},
        {"properties": {"a": {"title": "t"}, "b": {}}},
        [("/properties/a", "$ref", "widened"), ("/properties/b", "$ref", "widened")],
    ),
    "no URI": ({"items": {"$ref": "http://[#/a"}}, {"items": {}}, [("/items", "$ref", "widened")]),
    "into data": (
        {"enum": [{"type": "string"}], "default": {"a": {}}, "anyOf": [{"$ref": "#/enum/0"}, {"$ref": "#/default/a"}]},
        {"enum": [{"type": "string"}], "default": {"a": {}}, "anyOf": [{}, {}]},
        [("/anyOf/0", "$ref", "widened"), ("/anyOf/1", "$ref", "widened")],
    ),
    "a property called $ref": (
        {"properties": {"$ref": STRING, "$defs": {}, "$id": {}}, "items": {"$ref": "#/properties/$ref"}},
        {"properties": {"$ref": {"$ref": "#/$defs/_ref"}, "$defs": {}, "$id": {}}, "items": {"$ref": "#/$defs/_ref"},
         "$defs": {"_ref": STRING}},
        [("/properties/$ref", "", "renamed"), ("/items", "$ref", "renamed")],
    ),
    "booleans": (
        {"items": {"$ref": "#/$defs/no"}, "not": {"$ref": "#/additionalProperties"}, "additionalProperties": True,
         "$defs": {"no": False}},
        {"items": {"$ref": "#/$defs/no"}, "not": {"$ref": "#/$defs/anything"}, "additionalProperties": True,
         "$defs": {"no": False, "anything": True}},
        [("/not", "$ref", "renamed")],
    ),
    "nested definitions": (
        {"properties": {"a": {"$defs": {"n": STRING, "unused": {}}, "items": {"$ref": "#/properties/a/$defs/n"}}},
         "$defs": {"n": {"type": "null"}}, "items": {"$ref": "#/$defs/n"}},
        {"properties": {"a": {"items": {"$ref": "#/$defs/n_2"}}}, "items": {"$ref": "#/$defs/n"},
         "$defs": {"n": {"type": "null"}, "n_2": STRING}},
        [("/properties/a/items", "$ref", "renamed"), ("/properties/a/$defs/n", "", "renamed"),
         ("/properties/a/$defs/unused", "", "dropped")],
    ),
    "names with odd characters": (
        {"items": {"$ref": "#/$defs/Page%5BItem%5D"}, "not": {"$ref": "#/$defs/Page_Item_"},
         "$defs": {"Page[Item]": {}, "Page_Item_": STRING}},
        {"items": {"$ref": "#/$defs/Page_Item__2"}, "not": {"$ref": "#/$defs/Page_Item_"},
         "$defs": {"Page_Item__2": {}, "Page_Item_": STRING}},
        [("/items", "$ref", "renamed"), ("/$defs/Page[Item]", "", "renamed")],
    ),
    "dynamic, without a dynamic anchor": (
        {"items": STRING, "properties": {"p": {"$dynamicRef": "#/items", "$ref": "#/$defs/a"}}, "$defs": {"a": {}}},
        {"items": {"$ref": "#/$defs/items"}, "$defs": {"a": {}, "items": STRING},
         "properties": {"p": {"$ref": "#/$defs/a", "allOf": [{"$ref": "#/$defs/items"}]}}},
        [("/items", "", "renamed"), ("/properties/p/allOf/0", "$dynamicRef", "renamed")],
    ),
    "definitions of a part, looked for at the root": (
        {"properties": {"p": {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"const": 1}}}}},
        {"properties": {"p": {"items": {"$ref": "#/$defs/a"}}}, "$defs": {"a": {"const": 1}}},
        [("/properties/p/$defs/a", "", "renamed")],
    ),
    "two definitions of one name, looked for at the root": (
        {"properties": {key: {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"const": key}}} for key in "pq"}},
        {"properties": {key: {"items": {}} for key in "pq"}},
        [(f"/properties/{key}/items", "$ref", "widened") for key in "pq"]
        + [(f"/properties/{key}/$defs/a", "", "dropped") for key in "pq"],
    ),
}  # fmt: skip


@for_each("name", REFERENCES)
def test_references(name: str) -> None:
    source, expected, steps = REFERENCES[name]
    assert resolved(source) == expected
    found = references.resolve(source)[1]
    assert sorted((step.pointer, step.keyword, step.action) for step in found) == sorted(steps)
    reasons = [step.note for step in found if step.action == "widened"]
    assert all(re.search("nothing is fetched|meaning|is not known", reason) for reason in reasons)


def test_calls_are_judged_by_the_definitions_that_references_mean() -> None:
    for keyword in ("$defs", "definitions"):
        part = {"items": {"$ref": f"#/{keyword}/a"}, keyword: {"a": {"type": "integer"}}}
        schema = Schema({"type": "object", "properties": {"p": {"type": "array", **part}}})
        assert list(schema.faults({"p": [1]})) == []
        assert [fault.pointer for fault in schema.faults({"p": ["x"]})] == ["/p/0"]


def test_where_it_leads_may_depend_on_the_way() -> None:
    part = {"$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}}
    definitions = {"a": {"$id": "http://a.example/a", **part}, "b": {"$id": "http://a.example/b", **part}}
    schema = {"$defs": definitions, "anyOf": [{"$ref": "http://a.example/a"}, {"$ref": "http://a.example/b"}]}
    assert resolved(schema)["$defs"] == {"a": {"items": {}}, "b": {"items": {}}}


def test_mutual_recursion_is_kept() -> None:
    schema = {
        "items": {"$ref": "#/$defs/a"},
        "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"items": {"$ref": "#/$defs/a"}}, "c": {}},
        "not": {"$ref": "#/$defs/c"},
    }
    assert resolved(schema) == schema
    assert references.cycles(schema) == {"#/$defs/a", "#/$defs/b"}
    assert references.cycles({"items": {"$ref": "#"}}) == {"#"}
    assert references.cycles({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#"}}}}) == {"#", "#/$defs/a"}


# -- hostile input --------------------------------------------------------------------------------------------


def laughs(levels: int) -> dict[str, Any]:
    definitions: dict[str, Any] = {
        f"l{level}": {"prefixItems": [{"$ref": f"#/$defs/l{level + 1}"}] * 10} for level in range(levels)
    }
    return {"items": {"$ref": "#/$defs/l0"}, "$defs": {**definitions, f"l{levels}": STRING}}


def test_definitions_are_not_multiplied() -> None:
    schema = laughs(40)
    assert resolved(normalised(schema)) == schema


def deep(levels: int, keyword: str) -> Any:
    schema: Any = {}
    for _ in range(levels):
        schema = {keyword: schema} if keyword != "allOf" else {keyword: [schema]}
    return schema


@for_each("keyword", ["items", "allOf", "not", "additionalItems", "type"])
@for_each("work", [older_dialects.normalise, references.resolve], ids=["normalise", "resolve"])
def test_too_deep_is_an_error(work: Any, keyword: str) -> None:
    schema = deep(10_000, keyword)
    known = work is older_dialects.normalise or keyword in ("items", "allOf", "not")
    if not known or keyword in ("additionalItems", "type"):
        work(schema)  # not walked, or refused whole
        return
    with pytest.raises(FitError) as error:
        work(schema)
    assert error.value.code == "schema-too-deep"
    work(deep(budget.MAX_DEPTH, keyword))


@for_each("keyword", ["items", "allOf", "not", "contains", "if"])
def test_what_looks_plain_is_not_too_deep(keyword: str) -> None:
    for levels in (budget.MAX_DEPTH + 1, 10_000):
        assert not is_plain(deep(levels, keyword), with_references=True)
        restated, (step,) = restate_schema(deep(levels, keyword))
        assert (restated, step.action) == ({}, "widened")


@for_each(
    ("declared", "note"),
    [
        ("http://json-schema.org/draft-07/schema#", "said in JSON Schema 2020-12"),
        ("https://example.com/x", "not a draft of JSON Schema; read as 2020-12"),
    ],
)
def test_a_declared_dialect_is_a_step(declared: str, note: str) -> None:
    restated, (step,) = restate_schema({"$schema": declared, "contains": True})
    assert (restated, step.before, step.note) == ({"contains": True}, declared, note)


def test_deep_data_is_not_walked() -> None:
    data: Any = []
    for _ in range(10_000):
        data = [data]
    schema = {"const": data, "enum": [data, data], "default": data, "x": data, "nullable": True, "required": data}
    found, _ = older_dialects.normalise(schema)
    assert isinstance(found, dict)
    assert references.resolve(found)[0]["default"] is data


@pytest.mark.parametrize("work", [older_dialects.normalise, references.resolve], ids=["normalise", "resolve"])
def test_too_large_is_an_error(work: Any) -> None:
    with pytest.raises(FitError) as error:
        work({"anyOf": [{}] * budget.MAX_NODES})
    assert error.value.code == "schema-too-large"


def test_long_names_do_not_fill_the_memory() -> None:
    many = {f"p{index}": {"nullable": True, "type": "STRING"} for index in range(2_000)}
    with pytest.raises(FitError) as error:
        older_dialects.normalise({"properties": {"n" * 100_000: {"properties": many}}})
    assert error.value.code == "schema-too-large"


def test_long_chains_and_many_equal_names_take_little_time() -> None:
    count = 5_000
    chain: dict[str, Any] = {f"c{index}": {"$ref": f"#/$defs/c{index + 1}"} for index in range(count)}
    schema = {"items": {"$ref": "#/$defs/c0"}, "$defs": {**chain, f"c{count}": STRING}}
    assert references.resolve(schema)[0] == {"items": {"$ref": f"#/$defs/c{count}"}, "$defs": {f"c{count}": STRING}}
    nothing: dict[str, Any] = {}
    same = {f"p{index}": {"properties": {"a": nothing}} for index in range(count)}
    refs = [{"$ref": f"#/properties/p{index}/properties/a"} for index in range(count)]
    assert len(references.resolve({"properties": same, "anyOf": refs})[0]["$defs"]) == count


def test_required_may_be_huge() -> None:
    names = [f"n{index % 50_000}" for index in range(200_000)]
    found, steps = older_dialects.normalise({"required": names, "properties": {"a": {"required": True}}})
    assert isinstance(found, dict)
    assert len(found["required"]) == 50_001
    assert len(steps) == 2


# -- real schemas ---------------------------------------------------------------------------------------------

HOLDERS = ("inputSchema", "input_schema", "parameters", "outputSchema", "arguments", "parametersJsonSchema")


def real_schemas(folder: str) -> Iterator[tuple[Path, Any]]:
    for path in corpus.files(folder):
        content = path.read_text(encoding="utf-8-sig")
        for part in (content, *content.splitlines()):
            try:
                waiting = [json.loads(part)]
            except ValueError:
                continue
            while waiting:
                found = waiting.pop()
                if isinstance(found, dict):
                    yield from ((path, found[holder]) for holder in HOLDERS if holder in found)
                    waiting.extend(found.values())
                elif isinstance(found, list):
                    waiting.extend(found)
            if part is content:
                break


@pytest.mark.parametrize("folder", ["mcp", "openai"])
def test_real_schemas(folder: str) -> None:
    seen: set[str] = set()
    for path, schema in islice(real_schemas(folder), 0, None, suites.STEP):
        text = json.dumps(schema, sort_keys=True)
        if text in seen:
            continue
        seen.add(text)
        try:
            found = normalised(schema)
            if isinstance(found, dict):
                resolved(found)
        except Exception as error:
            error.add_note(f"{path}: {text[:500]}")
            raise
    assert len(seen) >= corpus.at_least(50)


def test_the_walk_knows_every_place_of_a_definition() -> None:
    assert "$defs" in NAMED  # what `resolve` leaves at the root only
    assert [token for token, _ in subschemas({"$defs": {"a": {}}})] == ["/$defs/a"]


@for_each(
    ("keywords", "key", "value"),
    [
        (ONE, "$dynamicRef", "#meta"),
        (MANY, "$ref", "#/$defs/schemaArray"),
        (NAMED, "additionalProperties", {"$dynamicRef": "#meta"}),
    ],
)
def test_the_walk_goes_by_the_metaschema(keywords: frozenset[str], key: str, value: Any) -> None:
    """Fitting and its judge share the walk, so neither would find a keyword that the walk passes by."""
    declared: set[str] = set()
    for uri in METASCHEMAS:
        if "/2020-12/meta/" in uri:
            properties = METASCHEMAS.contents(uri)["properties"]
            declared.update(name for name, found in properties.items() if found is not True and found.get(key) == value)
    assert declared == keywords


@given(NESTED, NESTED)
def test_equality_and_the_key_of_a_value_agree(one: Any, other: Any) -> None:
    assert are_equal(one, other) is (equality_key(one) == equality_key(other))


# -- values that the declared draft does not take ---------------------------------------------------------------

VALUES: tuple[Any, ...] = (True, -1, 1, "a", [], ["a", "a"], {}, [{}], {"a": 1}, {"a": []}, None)
CANDIDATES = [{keyword: value} for keyword in sorted(ASSERTIONS | ANNOTATIONS) for value in VALUES]


def draft_refuses(schema: Any) -> bool:
    return not Newest(Newest.META_SCHEMA).is_valid(schema)


def test_a_schema_that_its_draft_refuses_is_named_and_written_in_the_form_of_the_draft() -> None:
    refused = [schema for schema in CANDIDATES if draft_refuses(schema) and "$schema" not in schema]
    assert len(refused) > 200
    for schema in sample(refused, 3):
        tool = {"name": "t", "description": "Sort it.", "inputSchema": {"type": "object", "not": schema}}
        findings = toolglot.check(tool, "mcp")
        assert [found for found in findings if "/inputSchema/not" in (found.pointer or "")], schema
        (written,) = json.loads(toolglot.convert(tool, "mcp").text)["tools"]
        assert not draft_refuses(written["inputSchema"]), schema


def test_a_schema_that_its_draft_takes_stays_as_it_was_written() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": True}},
    }
    (written,) = json.loads(toolglot.convert({"name": "t", "inputSchema": schema}, "mcp").text)["tools"]
    assert written["inputSchema"] == schema
