"""The keywords of JSON Schema 2020-12: which hold schemas, a walk over all of them, and what values the others have.

The walk goes by the position of a keyword alone: never into `enum`, `const`, `default` or `examples`, whose values
may look like schemas, and a property called `properties` or `$ref` is a property. Source: JSON Schema 2020-12,
core, sections 10 and 8.2.4, and validation, appendix; content vocabulary, section 8.5.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.text.pointers import are_different_texts, escape, only_keys, without_keys

ONE = frozenset({
    "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems", "contains",
    "not", "if", "then", "else", "contentSchema",
})  # fmt: skip
MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})
APPLICATORS = ONE | MANY | NAMED
# Keywords whose schemas look at the same value as the schema they stand in.
IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
# Keywords about what nothing beside them has looked at.
UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})

# Keywords that say something to people, and accept the same values with or without it.
ANNOTATIONS = frozenset({
    "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema",
    "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "format", "contentEncoding", "contentMediaType", "contentSchema",
})  # fmt: skip
# Annotations in 2020-12 that readers act upon: a date that is no date any more breaks callers.
CHECKED = frozenset({"format", "contentEncoding", "contentMediaType", "contentSchema"})
IDLE = ANNOTATIONS - CHECKED

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

_OF_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})

# Type -> the keywords that say something about its values. Source: 2020-12, validation, section 6; core, section 10.
APPLIES: dict[str, frozenset[str]] = {
    "null": frozenset(),
    "boolean": frozenset(),
    "integer": _OF_NUMBERS,
    "number": _OF_NUMBERS,
    "string": frozenset({"minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema"}),
    "array": frozenset({
        "items", "prefixItems", "unevaluatedItems", "contains", "minContains", "maxContains", "minItems", "maxItems",
        "uniqueItems",
    }),
    "object": frozenset({
        "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames", "required",
        "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
    }),
}  # fmt: skip
OF_A_TYPE = frozenset(keyword for keywords in APPLIES.values() for keyword in keywords)
# Keywords that accept some values and refuse others, and so do not stand beside a reference or a union for nothing.
ASSERTIONS = (APPLICATORS | OF_A_TYPE | {"type", "enum", "const", "$ref"}) - ANNOTATIONS - {"$defs"}


def is_schema(value: Any) -> bool:
    """An object or a boolean; what else stands where a schema belongs is data that nobody can walk."""
    return isinstance(value, dict | bool)


def expand_boolean_schema(schema: Any) -> JsonSchema:
    """A schema as an object: `true` and `false` as the objects that mean the same.

    >>> expand_boolean_schema(True), expand_boolean_schema(False), expand_boolean_schema({"type": "null"})
    ({}, {'not': {}}, {'type': 'null'})
    """
    if isinstance(schema, dict):
        return schema
    return {"not": {}} if schema is False else {}


def accepts_anything(schema: Any) -> bool:
    """Whether a schema says nothing: `true` or `{}`."""
    return schema is True or schema == {}


def accepts_nothing(schema: Any) -> bool:
    """Whether a schema openly refuses every value: `false` or `{"not": {}}`."""
    return schema is False or schema == {"not": {}}


def subschemas(node: Any) -> Iterator[tuple[str, Any]]:
    """The schemas directly inside a schema, each with the JSON Pointer from it.

    >>> list(subschemas({"properties": {"a/b": {}}, "items": True, "enum": [{"items": {}}]}))
    [('/properties/a~1b', {}), ('/items', True)]
    """
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key in ONE and is_schema(value):
            yield f"/{key}", value
        elif key in MANY and isinstance(value, list):
            yield from ((f"/{key}/{index}", item) for index, item in enumerate(value) if is_schema(item))
        elif key in NAMED and isinstance(value, dict):
            yield from ((f"/{key}/{escape(name)}", item) for name, item in value.items() if is_schema(item))


def keyword_of(token: str) -> str:
    """The keyword that a JSON Pointer from a schema to one directly inside it goes through.

    >>> keyword_of("/properties/a~1b")
    'properties'
    """
    return token.split("/", 2)[1]


def schemas_in_place(node: JsonSchema) -> list[Any]:
    """The schemas directly inside a schema that look at the same value.

    >>> schemas_in_place({"not": {"type": "null"}, "items": {}})
    [{'type': 'null'}]
    """
    return [schema for _, schema in subschemas(only_keys(node, IN_PLACE))]


def rebuild(node: Any, change: Callable[[Any, str], Any], pointer: str = "") -> Any:
    """A copy of a schema whose direct subschemas are `change(subschema, pointer)`; the argument stays as it is.

    >>> rebuild({"items": {"type": "x"}, "enum": [1]}, lambda inner, pointer: pointer)
    {'items': '/items', 'enum': [1]}
    """
    if not isinstance(node, dict):
        return node
    out = dict(node)
    for key, value in node.items():
        if key in ONE and is_schema(value):
            out[key] = change(value, f"{pointer}/{key}")
        elif key in MANY and isinstance(value, list):
            out[key] = [
                change(item, f"{pointer}/{key}/{index}") if is_schema(item) else item
                for index, item in enumerate(value)
            ]
        elif key in NAMED and isinstance(value, dict):
            out[key] = {
                name: change(item, f"{pointer}/{key}/{escape(name)}") if is_schema(item) else item
                for name, item in value.items()
            }
    return out


def without_keywords(schema: Any, *keywords: str) -> Any:
    """A copy of a schema without some keywords, in it and in every schema in it.

    >>> without_keywords({"items": {"title": "T", "type": "x"}, "title": "T"}, "title")
    {'items': {'type': 'x'}}
    """
    bare = rebuild(schema, lambda inner, pointer: without_keywords(inner, *keywords))
    return without_keys(bare, *keywords) if isinstance(bare, dict) else bare


def walk(node: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """A schema and every schema in it, outermost first, each with its JSON Pointer; without recursion.

    A pointer is written when its schema is reached: those of all schemas beside it would be too long where the name of
    what they stand in is.

    >>> [pointer for pointer, _ in walk({"items": {"not": {}}})]
    ['', '/items', '/items/not']
    """
    yield pointer, node
    waiting = [(pointer, subschemas(node))]
    while waiting:
        above, inner = waiting[-1]
        token, schema = next(inner, (None, None))
        if token is None:
            waiting.pop()
            continue
        yield above + token, schema
        waiting.append((above + token, subschemas(schema)))


# -- values of the keywords that hold no schemas ----------------------------------------------------------------


def truth_value(value: Any) -> bool | None:
    """A boolean, also one that was written as a string; `None` is neither.

    >>> truth_value("True"), truth_value(False), truth_value("yes")
    (True, False, None)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= 5:
        return {"true": True, "false": False}.get(value.lower())
    return None


def _number(value: Any) -> Any:
    """A number that was written as a string; 64-bit integers travel so in some JSON."""
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,40}(\.[0-9]{1,40})?", value):
        return None
    return float(value) if "." in value else int(value)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (isinstance(value, int) or math.isfinite(value))
    )


class Shape(msgspec.Struct, frozen=True):
    """What a value has to be: a check, a noun, and a way to read what people write instead (`None`: there is none)."""

    fits: Callable[[Any], bool]
    expected: str
    repair: Callable[[Any], Any] = lambda value: None


def _object_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A check of an object by each of its values."""
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def are_schemas(value: Any) -> bool:
    """Whether a value is a list of schemas."""
    return isinstance(value, list) and all(map(is_schema, value))


_STRING = Shape(lambda value: isinstance(value, str), "a string")
_NUMBER = Shape(_is_number, "a number", _number)
_COUNT = Shape(
    lambda value: _is_number(value) and value >= 0 and value == int(value),
    "a whole number that is not negative",
    _number,
)
_FLAG = Shape(lambda value: isinstance(value, bool), "true or false", truth_value)
_NAME = Shape(
    lambda value: isinstance(value, str) and bool(re.fullmatch(r"[A-Za-z_][-A-Za-z0-9._]*", value)),
    "a name of letters, digits, `-`, `.` and `_`",
)
_FLAGS = Shape(_object_of(_FLAG.fits), "an object of true and false")

SHAPES: dict[str, Shape] = {
    "$vocabulary": _FLAGS,
    **dict.fromkeys(("title", "description", "$comment", "format", "pattern"), _STRING),
    **dict.fromkeys(("contentEncoding", "contentMediaType", "$ref", "$dynamicRef"), _STRING),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _COUNT),
    **dict.fromkeys(("minProperties", "maxProperties", "minContains", "maxContains"), _COUNT),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _FLAG),
    **dict.fromkeys(("$anchor", "$dynamicAnchor"), _NAME),
    "multipleOf": Shape(lambda value: _is_number(value) and value > 0, "a number greater than 0", _number),
    "enum": Shape(lambda value: isinstance(value, list), "a list"),
    "examples": Shape(lambda value: isinstance(value, list), "a list", lambda value: [value]),
}

SCHEMA = Shape(is_schema, "a schema: an object, true or false")
_SCHEMAS = Shape(lambda value: are_schemas(value) and bool(value), "a list of schemas with one at least")
_NAMED = Shape(_object_of(is_schema), "an object of schemas")
ALL_SHAPES: dict[str, Shape] = {
    **SHAPES,
    **dict.fromkeys(ONE, SCHEMA),
    **dict.fromkeys(MANY, _SCHEMAS),
    **dict.fromkeys(NAMED, _NAMED),
    "required": Shape(are_different_texts, "a list of different names"),
    "dependentRequired": Shape(_object_of(are_different_texts), "an object of lists of different names"),
}
"""With those of the keywords that hold schemas, or names."""


def is_well_formed(node: JsonSchema) -> bool:
    """Whether the keywords of a schema have values of the types that they should have.

    >>> is_well_formed({"required": ["a"]}), is_well_formed({"required": "a"})
    (True, False)
    """
    return all(ALL_SHAPES[name].fits(value) for name, value in node.items() if name in ALL_SHAPES)
