"""The dialect of OpenAPI 3.0 that Gemini's `Schema` speaks, to JSON Schema 2020-12 and back, keyword by keyword.

A keyword that one of the two lacks passes unchanged; before a schema is written, fitting has removed such keywords.
`to_openapi(from_openapi(schema))` means the same as `schema`; it may be spelled in another way.

Source: `Schema` of the Gemini API reference; the keys in snake case are those of the vendor's Python library.
"""

from __future__ import annotations

import re
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.keywords import TYPES, rebuild
from toolglot.converter.schema.newest_dialect import newest

_LOWER = {kind.upper(): kind for kind in TYPES}  # type of the dialect -> type of JSON Schema
_UPPER = {kind: word for word, kind in _LOWER.items()}

_CAMEL = {
    "any_of": "anyOf", "min_items": "minItems", "max_items": "maxItems", "min_length": "minLength",
    "max_length": "maxLength", "min_properties": "minProperties", "max_properties": "maxProperties",
    "property_ordering": "propertyOrdering", "additional_properties": "additionalProperties",
    "defs": "$defs", "ref": "$ref",
}  # fmt: skip
_SNAKE = {"$defs": "defs", "$ref": "ref"}
# Keys whose null is a value. If other keys are null too, it means an absent field, as the Python library dumps it.
_NULLABLE = frozenset({"default", "example"})
_WHOLE = re.compile("-?[0-9]{1,18}", re.ASCII)  # numbers of so many digits all fit into an int64
_NUMBER = re.compile(r"-?[0-9]{1,300}(\.[0-9]{1,300})?", re.ASCII)


def from_openapi(schema: JsonSchema) -> JsonSchema:
    """A schema of the dialect as JSON Schema.

    >>> from_openapi({"type": "STRING", "enum": ["a"], "format": "enum", "nullable": True})
    {'type': ['string', 'null'], 'enum': ['a', None]}
    >>> from_openapi({"type": "ARRAY", "items": {"ref": "#/defs/a"}, "minItems": "2"})
    {'type': 'array', 'items': {'$ref': '#/$defs/a'}, 'minItems': 2}
    """
    return newest(_without_own_words(schema))


def _without_own_words(schema: Any, pointer: str = "") -> Any:
    """A schema in words that `newest` knows: it also reads `nullable`, and counts that are texts."""
    if not isinstance(schema, dict):
        return schema
    out: JsonSchema = {}
    null_is_absent = any(schema[key] is None for key in schema.keys() - _NULLABLE)
    for key, value in schema.items():
        if value is not None or (key in _NULLABLE and not null_is_absent):
            out.setdefault(str(_CAMEL.get(key, key)), value)
    out = rebuild(out, _without_own_words)
    kind, reference = out.get("type"), out.get("$ref")
    if isinstance(kind, str):
        out["type"] = _LOWER.get(kind, kind)
    if isinstance(reference, str) and reference.startswith("#/defs/"):
        out["$ref"] = f"#/$defs/{reference.removeprefix('#/defs/')}"
    if isinstance(out.get("enum"), list):
        out["enum"] = [_member_of_type(member, out.get("type")) for member in out["enum"]]
        if out.get("format") == "enum":
            del out["format"]
    return out


def to_openapi(schema: Any, pointer: str = "") -> Any:
    """A JSON Schema in the words of the dialect, as far as it has any.

    >>> to_openapi({"type": ["string", "null"], "enum": ["a", None]})
    {'type': 'STRING', 'nullable': True, 'enum': ['a']}
    >>> to_openapi({"anyOf": [{"const": "a"}, {"type": "null"}]})
    {'anyOf': [{'type': 'STRING', 'enum': ['a']}], 'nullable': True}
    """
    if not isinstance(schema, dict):
        return schema
    out: JsonSchema = {}
    for key, value in _without_null(rebuild(schema, to_openapi)).items():
        if key == "type":
            out["type"] = _types_in_openapi(value)
        elif key == "const" and isinstance(value, str) and "enum" not in schema:
            if "type" not in schema:
                out["type"] = "STRING"
            out["enum"] = [value]
        elif key == "examples" and isinstance(value, list) and len(value) == 1 and "example" not in schema:
            out["example"] = value[0]
        elif key == "$ref" and isinstance(value, str) and value.startswith("#/$defs/"):
            out["ref"] = f"#/defs/{value.removeprefix('#/$defs/')}"
        else:
            out[_SNAKE.get(key, key)] = value
    return out


def _member_of_type(member: Any, kind: Any) -> Any:
    """A member of `enum`, which is a text for numbers too: `{"type": "INTEGER", "enum": ["101"]}`."""
    if not isinstance(member, str):
        return member
    if kind == "integer" and _WHOLE.fullmatch(member):
        return int(member)
    if kind == "number" and _NUMBER.fullmatch(member):
        return float(member)
    return member


# -- null -----------------------------------------------------------------------------------------------------


_NULLS: tuple[tuple[str, Any], ...] = (("type", "null"), ("anyOf", {"type": "NULL"}))


def _without_null(schema: JsonSchema) -> JsonSchema:
    """The schema with `nullable` instead of null beside other types; a schema of nothing but null stays."""
    without_null: JsonSchema = {}
    for keyword, null in _NULLS:
        stated = schema.get(keyword)
        if isinstance(stated, list) and null in stated:
            others = [item for item in stated if item != null]
            if others:
                without_null[keyword] = others[0] if keyword == "type" and len(others) == 1 else others
    if not without_null:
        return schema
    out: JsonSchema = {}
    for key, value in schema.items():
        out[key] = without_null.get(key, value)
        if key in without_null:
            out["nullable"] = True
        elif key == "enum" and isinstance(value, list):
            out["enum"] = [item for item in value if item is not None] or value
    return out


def _types_in_openapi(kind: Any) -> Any:
    if isinstance(kind, list):
        return [_types_in_openapi(item) for item in kind]
    return _UPPER.get(kind, kind)
