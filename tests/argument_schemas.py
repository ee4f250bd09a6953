"""Hypothesis strategies of schemas for arguments, with everything that providers know, refuse or read differently."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_KEY = st.sampled_from(["a", "b", "kind", "value", "type", "properties", "$ref", "filter[id]", "a/b", "é"])
_LEAF = st.sampled_from([
    {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}, {}, True,
    {"type": "string", "format": "uri", "maxLength": 30}, {"type": "string", "format": "date-time"},
    {"type": "string", "pattern": "^[a-z]+$", "minLength": 2}, {"type": "string", "pattern": "^(?!a)."},
    {"type": "string", "enum": ["a", "b", ""]}, {"enum": ["a", 1, None]}, {"type": "integer", "enum": [1, 2]},
    {"const": "x"}, {"const": None}, {"type": "boolean", "const": True}, {"enum": [{"a": 1}, [2]]},
    {"type": ["string", "null"], "enum": ["a", None]}, {"type": ["integer", "string"], "minimum": 0, "maxLength": 3},
    {"type": "integer", "exclusiveMinimum": 0, "maximum": 9, "default": 3}, {"type": "number", "multipleOf": 0.5},
    {"type": "array"}, {"type": "object"}, {"type": "object", "additionalProperties": False}, {"not": {"const": 1}},
    {"$ref": "#/$defs/one"}, {"$ref": "#/$defs/one", "description": "here"}, {"$ref": "#/$defs/again"}, {"minimum": 3},
    {"type": "array", "items": {"$ref": "#/$defs/again"}}, {"type": "array", "items": {"$ref": "#"}},
])  # fmt: skip
_AGAIN = {"type": "object", "properties": {"value": {"type": "string"}, "next": {"$ref": "#/$defs/again"}}}


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    properties = draw(st.dictionaries(_KEY, inner, max_size=3))
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if properties:
        schema["required"] = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
    if draw(st.integers(0, 3)) == 0:
        schema["additionalProperties"] = draw(st.booleans() | inner)
    return schema


def _tagged(branches: list[dict[str, Any]]) -> dict[str, Any]:
    """Alternatives that a constant tells apart."""
    tagged = [
        {**branch, "properties": {**branch["properties"], "kind": {"const": f"k{index}"}}, "required": ["kind"]}
        for index, branch in enumerate(branches)
    ]
    return {"oneOf": tagged}


def _deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=2)
    objects = _objects(inner)
    sizes = st.sampled_from([{}, {}, {"minItems": 1}, {"minItems": 2, "maxItems": 2}, {"uniqueItems": True}])
    return st.one_of(
        objects,
        st.builds(lambda item, size: {"type": "array", "items": item, **size}, inner, sizes),
        st.builds(lambda items, size: {"type": "array", "prefixItems": items, **size}, some, sizes),
        st.builds(lambda items: {"type": "array", "prefixItems": items, "items": False}, some),
        st.builds(lambda more: {"type": "object", "additionalProperties": more}, inner),
        st.builds(lambda more: {"type": "object", "patternProperties": {"^x-": more}}, inner),
        st.builds(lambda items: {"anyOf": items, "description": "one of them"}, some),
        st.builds(lambda item: {"anyOf": [item, {"type": "null"}]}, inner),
        st.builds(lambda items: {"oneOf": items}, some),
        st.builds(_tagged, st.lists(objects, min_size=1, max_size=2)),
        st.builds(lambda one, other: {"allOf": [one, other]}, objects, objects),
    )


# Made once: Hypothesis takes longer to prepare a strategy than to draw from it.
_INNER = st.recursive(_LEAF, _deeper, max_leaves=3)
_OBJECTS = _objects(_INNER)
_PLAIN_LEAF = _LEAF.filter(lambda leaf: "$ref" not in repr(leaf))


@st.composite
def schemas(draw: st.DrawFn) -> dict[str, Any]:
    """Schemas of 2020-12 whose root is an object; references lead to `$defs`, to the root, and round in circles."""
    root: dict[str, Any] = draw(_OBJECTS)
    groups = [[{"required": [key]} for key in root["properties"]], [draw(_OBJECTS), draw(_OBJECTS)]]
    for keyword in draw(st.sampled_from([(), (), (), ("anyOf",), ("oneOf",), ("allOf",)])):
        branches = draw(st.sampled_from(groups))
        if branches:
            root[keyword] = branches
    return {**root, "$defs": {"one": draw(_PLAIN_LEAF), "again": _AGAIN}}
