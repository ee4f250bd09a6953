"""What the values of keywords have to be, and what people write instead."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import msgspec

from toolglot.schema.keywords import MANY, NAMED, ONE, TYPES, is_schema

_LONGEST_NAME = 100  # characters of what may be a name of types
DATA = frozenset({"const", "default", "example", "example_value"})  # their values may be anything, null included

# Names of types in programming languages and in other schema languages, in lower case. None is any type.
_TYPES: dict[str, str | None] = {
    **{name: name for name in TYPES},
    **dict.fromkeys(("str", "text", "char", "character"), "string"),
    **dict.fromkeys(("int", "int32", "int64", "long", "short", "byte", "bigint", "biginteger"), "integer"),
    **dict.fromkeys(("float", "float32", "float64", "double", "decimal", "bigdecimal"), "number"),
    "bool": "boolean",
    **dict.fromkeys(("dict", "map", "hashmap", "hashtable", "mapping", "record", "struct"), "object"),
    **dict.fromkeys(("list", "tuple", "arraylist", "linkedlist", "vector", "queue", "stack", "set"), "array"),
    **dict.fromkeys(("none", "nil", "nonetype"), "null"),
    **dict.fromkeys(("any", "mixed", "unknown", "*"), None),
}


def type_names(names: list[Any]) -> list[str] | None:
    """The types of JSON Schema for names that people write, each once; `None` is any type.

    Returns:
        An empty list where one of them is unknown: then nobody can tell what is accepted.

    >>> type_names(["dict"]), type_names(["STRING", "null | Long"]), type_names(["string", "any"])
    (['object'], ['string', 'null', 'integer'], None)
    >>> type_names(["string", "Customer"])
    []
    """
    types: dict[str, None] = {}
    is_any = False
    for name in names:
        if not isinstance(name, str) or len(name) > _LONGEST_NAME:
            return []
        for part in name.split("|"):
            word = part.strip().lower()
            if word not in _TYPES:
                return []
            type_name = _TYPES[word]
            if type_name is None:
                is_any = True
            else:
                types[type_name] = None
    return None if is_any else list(types)


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


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _nothing(value: Any) -> Any:
    return None


class Shape(msgspec.Struct, frozen=True):
    """What a value has to be: a check, a way to read what people write instead (`None`: there is none), and a noun."""

    fits: Callable[[Any], bool]
    repair: Callable[[Any], Any]
    expected: str


_STRING = Shape(lambda value: isinstance(value, str), _nothing, "a string")
_NUMBER = Shape(_is_number, _number, "a number")
_COUNT = Shape(_is_count, _number, "a whole number that is not negative")
_FLAG = Shape(lambda value: isinstance(value, bool), truth_value, "true or false")
_NAME = Shape(
    lambda value: isinstance(value, str) and bool(re.fullmatch(r"[A-Za-z_][-A-Za-z0-9._]*", value)),
    _nothing,
    "a name of letters, digits, `-`, `.` and `_`",
)

_FLAGS = Shape(
    lambda value: isinstance(value, dict) and all(isinstance(item, bool) for item in value.values()),
    _nothing,
    "an object of true and false",
)

SHAPES: dict[str, Shape] = {
    "$vocabulary": _FLAGS,
    **dict.fromkeys(("title", "description", "$comment", "format", "pattern"), _STRING),
    **dict.fromkeys(("contentEncoding", "contentMediaType", "$dynamicRef"), _STRING),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _COUNT),
    **dict.fromkeys(("minProperties", "maxProperties", "minContains", "maxContains"), _COUNT),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _FLAG),
    **dict.fromkeys(("$anchor", "$dynamicAnchor"), _NAME),
    "multipleOf": Shape(lambda value: _is_number(value) and value > 0, _number, "a number greater than 0"),
    "examples": Shape(lambda value: isinstance(value, list), lambda value: [value], "a list"),
}


def are_names(value: Any) -> bool:
    """Whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


_FITS: dict[str, Callable[[Any], bool]] = {
    **{name: shape.fits for name, shape in SHAPES.items()},
    **dict.fromkeys(ONE, is_schema),
    **dict.fromkeys(MANY, lambda value: isinstance(value, list) and all(map(is_schema, value))),
    **dict.fromkeys(NAMED, lambda value: isinstance(value, dict) and all(map(is_schema, value.values()))),
    "required": are_names,
    "dependentRequired": lambda value: isinstance(value, dict) and all(map(are_names, value.values())),
    "enum": lambda value: isinstance(value, list),
    "$ref": lambda value: isinstance(value, str),
}


def is_well_formed(node: dict[str, Any]) -> bool:
    """Whether the keywords of a schema have values of the types that they should have.

    >>> is_well_formed({"required": ["a"]}), is_well_formed({"required": "a"})
    (True, False)
    """
    return all(_FITS[name](value) for name, value in node.items() if name in _FITS)
