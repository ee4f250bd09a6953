"""Intersection, disjointness and union of schemas, against what a validator accepts."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import jsonschema_rs
from hypothesis import given
from hypothesis import strategies as st

from toolglot.converter.schema import intersection, overlap, unions

# -- generators: few names, few values and small bounds, so that constraints meet -----------------------------------

NAMES = st.sampled_from(["a", "b", "xa"])
SCALARS: list[Any] = [None, True, False, -1, 0, 1, 1.0, 1.5, 2, 2.5, 3, 6, "", "a", "b", "ab", "abc", "xa", "bbbb"]
VALUES = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "xa", "c"]), inner, max_size=3)
    ),
    max_leaves=8,
)
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
_SIZE = st.integers(0, 3)
_BOUND = st.sampled_from([-1, 0, 1, 1.5, 2, 2.5, 3])
_PATTERN = st.sampled_from(["^a", "b", "^x", "a$"])
_NAMED = st.lists(NAMES, max_size=2, unique=True)

_PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
    "enum": st.lists(VALUES, max_size=5),
    "const": VALUES,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _BOUND),
    "multipleOf": st.sampled_from([0.5, 1, 1.5, 2, 3]),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _SIZE),
    "pattern": _PATTERN,
    "format": st.sampled_from(["uri", "date"]),
    "required": _NAMED,
    "uniqueItems": st.booleans(),
    "dependentRequired": st.dictionaries(NAMES, _NAMED, max_size=2),
    "title": st.sampled_from(["t", "u"]),
    "description": st.sampled_from(["d", "e"]),
    "examples": st.lists(st.sampled_from(SCALARS), max_size=2),
    "deprecated": st.booleans(),
    "x-own": st.integers(0, 1),
}
_GROUPS = {
    "bounds": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "text": ("minLength", "maxLength", "pattern", "format"),
    "list": ("minItems", "maxItems", "uniqueItems"),
    "map": ("required", "minProperties", "maxProperties", "dependentRequired"),
    "notes": ("title", "description", "examples", "deprecated", "x-own"),
    "members": ("enum", "const"),
    "type": ("type",),
}


def _deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inner = inner | st.booleans()
    few = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=2)
    parts = [st.fixed_dictionaries({}, optional={name: _PLAIN[name] for name in names}) for names in _GROUPS.values()]
    parts += [
        st.fixed_dictionaries(
            {},
            optional={
                "properties": named,
                "additionalProperties": inner | st.just(False),
                "patternProperties": st.dictionaries(_PATTERN, inner, max_size=2),
                "required": _NAMED,
                "type": st.just("object"),
            },
        ),
        st.fixed_dictionaries({}, optional={"items": inner, "prefixItems": few, "minItems": _SIZE}),
        st.fixed_dictionaries({"contains": inner}, optional={"minContains": _SIZE, "maxContains": _SIZE}),
        st.fixed_dictionaries({}, optional={"minContains": _SIZE, "then": inner}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
        *(st.fixed_dictionaries({name: few}) for name in ("anyOf", "oneOf", "allOf")),
        *(st.fixed_dictionaries({name: inner}) for name in ("not", "propertyNames")),
        st.fixed_dictionaries({"dependentSchemas": named}),
    ]
    return st.lists(st.one_of(parts), min_size=1, max_size=4).map(
        lambda found: {k: v for part in found for k, v in part.items()}
    )


_LEAF = st.fixed_dictionaries(
    {}, optional={"type": _PLAIN["type"], "minimum": _BOUND, "minLength": _SIZE, "required": _NAMED}
)
SCHEMAS = st.recursive(_LEAF | st.fixed_dictionaries({"const": VALUES}), _deeper, max_leaves=6)

_SMALL = st.booleans() | st.sampled_from(
    [{}, {"type": "integer"}, {"type": "string"}, {"minimum": 1}, {"const": "a"}, {"enum": [1, "a"]}, {"maxLength": 1}]
)
_MAPS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.just("object"),
        "properties": st.dictionaries(NAMES, _SMALL, max_size=3),
        "additionalProperties": _SMALL | st.just(False),
        "patternProperties": st.dictionaries(_PATTERN, _SMALL, max_size=2),
        "required": _NAMED,
        "anyOf": st.lists(
            st.fixed_dictionaries({"properties": st.dictionaries(NAMES, _SMALL)}), min_size=1, max_size=3
        ),
    },
)
_LISTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["array", ["array", "null"]]),
        "prefixItems": st.lists(_SMALL, min_size=1, max_size=3),
        "items": _SMALL,
        "contains": _SMALL,
        "minContains": _SIZE,
        "maxContains": _SIZE,
        "minItems": _SIZE,
        "maxItems": _SIZE,
    },
)
SOME_MAPS = [{}, *({name: value} for name in ("a", "xa", "c") for value in (0, 1, "a", "ab")), {"a": 1, "b": "a"}]
SOME_LISTS = [[], *([value] for value in (0, 1, "a", "ab")), [1, "a"], ["a", 1], [1, 1, 1], ["a", "ab", 1, 1]]
PAIRS = st.one_of(st.tuples(SCHEMAS, SCHEMAS), st.tuples(_MAPS, _MAPS), st.tuples(_LISTS, _LISTS))


def judge(schema: Any) -> Callable[[Any], bool]:
    return jsonschema_rs.Draft202012Validator(schema).is_valid


def beside(merged: Any, left: list[Any]) -> Any:
    """The merged schema with its leftovers as its `allOf`, as `intersect` promises that it is exact."""
    return {**merged, "allOf": [*merged.get("allOf", ()), *left]} if left else merged


def parts_of(*schemas: Any) -> list[Any]:
    """Values that the schemas mention, and values beside them: where bounds and members are."""
    found: list[Any] = []

    def visit(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("enum"), list):
                found.extend(node["enum"])
            if "const" in node:
                found.append(node["const"])
            if isinstance(node.get("properties"), dict):
                found.append({name: next(iter(_members(item)), 1) for name, item in node["properties"].items()})
            for value in node.values():
                visit(value)
        elif isinstance(node, list):
            for item in node:
                visit(item)

    for schema in schemas:
        visit(schema)
    return found


def _members(schema: Any) -> list[Any]:
    return [schema["const"]] if isinstance(schema, dict) and "const" in schema else []


def probes(values: list[Any], *schemas: Any) -> list[Any]:
    found = [*values, *SCALARS, *parts_of(*schemas)]
    small = found[:6]
    return [*found, *SOME_MAPS, *SOME_LISTS, *([value] for value in small), {"a": small[0], "b": small[-1]}]


# -- laws ------------------------------------------------------------------------------------------------------------


@given(PAIRS, st.lists(VALUES, min_size=6, max_size=12))
def test_an_intersection_accepts_what_both_accept(pair: tuple[Any, Any], values: list[Any]) -> None:
    one, other = pair
    before = copy.deepcopy((one, other))
    merged, left = intersection.intersect(one, other)
    assert (one, other) == before
    jsonschema_rs.meta.validate(merged)
    first, second, whole = judge(one), judge(other), judge(beside(merged, left))
    apart = [judge(schema) for schema in (merged, *left)]
    for value in probes(values, one, other):
        both = first(value) and second(value)
        assert whole(value) == both, value
        assert all(accepts(value) for accepts in apart) == both, value


def _families(some: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(lambda base, members: {**base, "allOf": members}, some, st.lists(some, min_size=1, max_size=4))


_FAMILIES = _families(SCHEMAS) | _families(_MAPS) | _families(_LISTS)


@given(_FAMILIES, st.lists(VALUES, min_size=6, max_size=12))
def test_folding_all_of_changes_nothing(schema: Any, values: list[Any]) -> None:
    before = copy.deepcopy(schema)
    merged, left = intersection.merge_all_of(schema)
    assert schema == before
    whole, source = judge(beside(merged, left)), judge(schema)
    for value in probes(values, schema):
        assert whole(value) == source(value), value


@given(PAIRS, st.lists(VALUES, min_size=6, max_size=12))
def test_disjoint_schemas_share_no_value(pair: tuple[Any, Any], values: list[Any]) -> None:
    one, other = pair
    before = copy.deepcopy((one, other))
    found = overlap.Proofs().is_disjoint(one, other)
    assert (one, other) == before
    assert overlap.Proofs().is_disjoint(other, one) == found
    first, second = judge(one), judge(other)
    if found:
        assert not [value for value in probes(values, one, other) if first(value) and second(value)]


_OBJECT = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(NAMES, SCHEMAS, max_size=3)},
    optional={"required": _NAMED, "minProperties": st.integers(0, 2), "title": st.just("t")},
)
_CLOSED = _OBJECT.map(lambda schema: {**schema, "additionalProperties": False})
_ALIKE = st.lists(SCHEMAS, min_size=2, max_size=3).map(
    lambda found: [{"properties": {"a": schema, "b": found[0]}, "required": ["a"]} for schema in found]
)


@given(
    st.lists(_CLOSED, min_size=1, max_size=3) | _ALIKE,
    st.just({}) | _OBJECT,
    st.booleans(),
    st.lists(st.dictionaries(st.sampled_from(["a", "b", "xa", "c"]), VALUES, max_size=3), min_size=10, max_size=20),
)
def test_a_union_accepts_what_an_alternative_accepts(
    branches: list[Any], base: Any, exactly_one: bool, values: list[Any]
) -> None:
    before = copy.deepcopy((branches, base))
    union, sentence = unions.union_of_objects(branches, base, exactly_one)
    assert (branches, base) == before
    jsonschema_rs.meta.validate(union)
    assert union["type"] == "object"
    keyword = "oneOf" if exactly_one else "anyOf"
    combined = judge({"allOf": [base], "type": "object", keyword: branches})
    accepts = judge(union)
    for value in [*values, *(part for part in parts_of(branches) if isinstance(part, dict))]:
        if combined(value):
            assert accepts(value), value
        elif sentence is None:
            assert not accepts(value), value
