"""Intersection, disjointness and union of schemas, case by case; the laws are in `test_merge.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pace import within
from rows import for_each
from toolglot.converter.schema import intersection, overlap, unions
from toolglot.converter.schema.json_values import equality_key

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def an_object(properties: dict[str, Any], *required: str, **others: Any) -> dict[str, Any]:
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed, **others}


INTERSECTIONS: dict[str, tuple[Any, Any, Any, list[Any]]] = {
    "an integer is a number": ({"type": "number"}, WHOLE, WHOLE, []),
    "types in common": (
        {"type": ["string", "number", "null"]},
        {"type": ["integer", "null"]},
        {"type": ["null", "integer"]},
        [],
    ),
    "no type in common": (TEXT, WHOLE, False, []),
    "no member in common": ({"enum": ["a"]}, {"enum": ["b", True]}, False, []),
    "true is not 1": ({"enum": [1, "a"]}, {"enum": [True, "a", "b"]}, {"enum": ["a"]}, []),
    "no members behind a pattern": ({"pattern": "^a"}, {"pattern": "b$"}, {"pattern": "^a"}, [{"pattern": "b$"}]),
    "a constant that is no member": ({"enum": [1], "const": 2}, {"minimum": 0}, False, []),
    "multiples without a number": (
        {"multipleOf": 1e-300},
        {"multipleOf": 7e300},
        {"multipleOf": 1e-300},
        [{"multipleOf": 7e300}],
    ),
    "formats": ({"format": "uri"}, {"format": "date"}, {"format": "uri"}, [{"format": "date"}]),
    "a closed object": (
        an_object({"a": TEXT}, additionalProperties=False),
        an_object({"b": WHOLE}),
        an_object({"a": TEXT}, additionalProperties=False),
        [],
    ),
    "a closed object and a name that it lacks": (
        an_object({"a": TEXT}, additionalProperties=False),
        an_object({}, "b"),
        False,
        [],
    ),
    "a map and a name": (
        {"additionalProperties": {"maxLength": 3}},
        {"properties": {"a": TEXT}},
        {"additionalProperties": {"maxLength": 3}, "properties": {"a": {"maxLength": 3, **TEXT}}},
        [],
    ),
    "patterns that overlap": (
        {"patternProperties": {"a": TEXT}, "additionalProperties": False},
        {"patternProperties": {"b": TEXT}},
        {"patternProperties": {"a": TEXT}, "additionalProperties": False},
        [{"patternProperties": {"b": TEXT}}],
    ),
    "different contains": (
        {"contains": TEXT},
        {"contains": WHOLE, "maxContains": 1},
        {"contains": TEXT},
        [{"contains": WHOLE, "maxContains": 1}],
    ),
    "a count without contains": ({"minContains": 3}, {"contains": TEXT}, {"minContains": 3}, [{"contains": TEXT}]),
    "two oneOf": ({"oneOf": [TEXT, {}]}, {"oneOf": [WHOLE, {}]}, {"oneOf": [TEXT, {}]}, [{"oneOf": [WHOLE, {}]}]),
    "conditions": (
        {"if": TEXT, "then": {"minLength": 1}},
        {"if": WHOLE, "else": {}},
        {"if": TEXT, "then": {"minLength": 1}},
        [{"if": WHOLE, "else": {}}],
    ),
    "a then without an if": ({"then": False}, {"if": TEXT}, {"then": False}, [{"if": TEXT}]),
    "references": ({"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#/$defs/a"}, [{"$ref": "#/$defs/b"}]),
    "one reference": (
        {"$ref": "#/$defs/a"},
        {"$ref": "#/$defs/a", "title": "t"},
        {"$ref": "#/$defs/a", "title": "t"},
        [],
    ),
    "annotations": (
        {"title": "t", "description": "d", "default": 1, "examples": [1, 2], "deprecated": True, "x-a": 1},
        {"title": "u", "default": 2, "examples": [2, 3], "deprecated": False, "x-b": 2},
        {"title": "u", "description": "d", "default": 2, "examples": [1, 2, 3], "deprecated": True, "x-a": 1, "x-b": 2},
        [],
    ),
    "data that is no schema": (
        {"required": "a", "items": 3, "type": 5},
        {"required": ["a"], "items": {}},
        {"required": "a", "items": 3, "type": 5},
        [{"items": {}, "required": ["a"]}],
    ),
}


@for_each("case", INTERSECTIONS.values(), ids=INTERSECTIONS)
def test_intersections(case: tuple[Any, Any, Any, list[Any]]) -> None:
    one, other, expected, left = case
    found, rest = intersection.intersect(one, other)
    assert equality_key(found) == equality_key(expected), found
    assert sorted(map(str, rest)) == sorted(map(str, left))


FOLDED: dict[str, tuple[Any, Any, list[Any]]] = {
    "the site has the last word": (
        {"description": "site", "allOf": [{"description": "inner", **TEXT}, {"allOf": [{"minLength": 1}]}]},
        {"description": "site", **TEXT, "minLength": 1},
        [],
    ),
    "references stay": (
        {"allOf": [{"$ref": "#/$defs/a"}, {"allOf": [{"$ref": "#"}, {"title": "t"}]}], "minLength": 1},
        {"minLength": 1, "title": "t", "allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#"}]},
        [],
    ),
    "what cannot be merged is left": (
        {"allOf": [{"pattern": "a"}, {"pattern": "b"}]},
        {"pattern": "a"},
        [{"pattern": "b"}],
    ),
    "nothing fits": ({"allOf": [TEXT, WHOLE]}, False, []),
    "no allOf": ({"minLength": 1}, {"minLength": 1}, []),
}


@for_each("case", FOLDED.values(), ids=FOLDED)
def test_all_of(case: tuple[Any, Any, list[Any]]) -> None:
    schema, expected, left = case
    found, rest = intersection.merge_all_of(schema)
    assert equality_key(found) == equality_key(expected), found
    assert rest == left


CAT = an_object({"kind": {"const": "cat"}}, "kind")
DOG = an_object({"kind": {"const": "dog"}}, "kind")
DISJOINT: dict[str, tuple[Any, Any, bool]] = {
    "types": (TEXT, {"type": ["integer", "null"]}, True),
    "numbers": (WHOLE, {"type": "number"}, False),
    "an integer and a fraction": (WHOLE, {"enum": [0.5, 1.5]}, True),
    "members": ({"enum": [1, 2]}, {"enum": ["1", True]}, True),
    "discriminants": (CAT, DOG, True),
    "discriminants that may be absent": ({**CAT, "required": []}, {**DOG, "required": []}, False),
    "discriminants that one side requires": (CAT, {**DOG, "required": []}, True),
    "a value that need not be an object": (
        {**CAT, "type": ["object", "null"]},
        {**DOG, "type": ["object", "null"]},
        False,
    ),
    "nested discriminants": (an_object({"x": CAT}, "x"), an_object({"x": DOG}, "x"), True),
    "a name that a closed object lacks": (an_object({}, additionalProperties=False), an_object({}, "a"), True),
    "ranges that touch": ({**WHOLE, "maximum": 3}, {**WHOLE, "minimum": 3}, False),
    "alternatives": ({"anyOf": [TEXT, {"const": 1}]}, {"oneOf": [{"type": "null"}, {"const": 2}]}, True),
    "lists that may be empty": ({"type": "array", "items": TEXT}, {"type": "array", "items": WHOLE}, False),
    "a reference": ({"$ref": "#/$defs/cat"}, {"allOf": [{"$ref": "#/$defs/dog"}]}, True),
    "a reference to nothing known": ({"$ref": "#/$defs/loop"}, CAT, False),
}


@for_each("case", DISJOINT.values(), ids=DISJOINT)
def test_disjoint(case: tuple[Any, Any, bool]) -> None:
    definitions = {"#/$defs/cat": CAT, "#/$defs/dog": DOG, "#/$defs/loop": {"$ref": "#/$defs/loop"}}
    assert overlap.Proofs(definitions.__getitem__).is_disjoint(case[0], case[1]) == case[2]


def test_a_reference_that_nobody_resolves_proves_nothing() -> None:
    assert not overlap.Proofs().is_disjoint({"$ref": "#/$defs/cat"}, {"$ref": "#/$defs/dog"})


GET = an_object({"op": {"const": "get"}, "id": WHOLE}, "op", "id")
LIST = an_object({"op": {"const": "list"}, "limit": WHOLE}, "op")
AB = an_object({"a": TEXT, "b": TEXT})
UNIONS: dict[str, tuple[list[Any], Any, bool, Any, str | None]] = {
    "groups of which one must be there": (
        [{"required": ["a"]}, {"required": ["b"]}],
        AB,
        False,
        AB,
        "At least one of a and b must be given.",
    ),
    "groups of which one may be there": (
        [{"required": ["a"]}, {"required": ["b", "c"]}],
        AB,
        True,
        AB,
        "Exactly one of: a; b and c must be given.",
    ),
    "a group that asks for nothing": ([{"required": ["a"]}, {"required": []}], AB, False, AB, None),
    "variants": (
        [GET, LIST],
        {"type": "object"},
        True,
        an_object({"op": {"type": "string", "enum": ["get", "list"]}, "id": WHOLE, "limit": WHOLE}, "op"),
        "Exactly one of: op=get requires id; op=list allows limit.",
    ),
    "variants with a value of their own": (
        [
            an_object({"op": {"const": 1}, "v": WHOLE}, "op", "v", description="Count.\nOnly that."),
            an_object({"op": {"enum": [2, 0.5]}, "v": TEXT}, "op", "v"),
        ],
        {},
        True,
        an_object({"op": {"type": "number", "enum": [1, 2, 0.5]}, "v": {"anyOf": [WHOLE, TEXT]}}, "op", "v"),
        "Exactly one of: Count. Only that: op=1, v (integer); op=2 or 0.5, v (string).",
    ),
    "only the constant differs": (
        [an_object({"op": {"const": "a"}}, "op"), an_object({"op": {"const": "b"}}, "op")],
        {},
        True,
        an_object({"op": {"type": "string", "enum": ["a", "b"]}}, "op"),
        "Exactly one of: op=a; op=b.",
    ),
    "titles": (
        [an_object({"a": TEXT}, "a", title="By name"), an_object({"b": TEXT}, "b", title="By id", minProperties=2)],
        {},
        False,
        AB,
        "At least one of: By name: requires a; By id: requires b, at least 2 properties.",
    ),
    "all closed": (
        [an_object({"a": TEXT}, additionalProperties=False), an_object({"b": TEXT}, additionalProperties=False)],
        {},
        True,
        {**AB, "additionalProperties": False},
        "Exactly one of: allows a; allows b.",
    ),
    "one closed": (
        [an_object({"a": TEXT}, additionalProperties=False), an_object({"b": TEXT})],
        {},
        False,
        AB,
        "At least one of: allows a, no other properties; allows b.",
    ),
    "a map": (
        [an_object({"a": WHOLE}, additionalProperties=TEXT), an_object({"b": WHOLE}, additionalProperties=TEXT)],
        {},
        False,
        an_object({"a": {"anyOf": [WHOLE, TEXT]}, "b": {"anyOf": [TEXT, WHOLE]}}, additionalProperties=TEXT),
        "At least one of: a (integer) allows a; b (integer) allows b.",
    ),
    "what the base says of it": (
        [GET, {"required": ["limit"]}],
        an_object({"op": TEXT}, description="d"),
        False,
        an_object({"op": TEXT, "id": WHOLE}, description="d"),
        "At least one of: op=get requires op and id; requires limit.",
    ),
    "a property that nobody may give": (
        [an_object({"a": False, "b": TEXT}), an_object({"a": False, "b": WHOLE})],
        {},
        False,
        an_object({"a": False, "b": {"anyOf": [TEXT, WHOLE]}}),
        "At least one of: b (string); b (integer).",
    ),
    "a map of anything": (
        [an_object({"a": TEXT}, additionalProperties={}), an_object({"b": TEXT}, additionalProperties=False)],
        {},
        False,
        AB,
        "At least one of: allows a; allows b, no other properties.",
    ),
    "one alternative": ([GET], {"description": "d"}, True, {**GET, "description": "d"}, None),
    "nothing that is an object": ([TEXT], {"type": "object"}, False, {"type": "object", "not": {}}, None),
}


@for_each("case", UNIONS.values(), ids=UNIONS)
def test_unions(case: tuple[list[Any], Any, bool, Any, str | None]) -> None:
    branches, base, exactly_one, expected, sentence = case
    assert unions.union_of_objects(branches, base, exactly_one) == (expected, sentence)


# -- schemas that would grow without end -------------------------------------------------------------------------------


def _nested(levels: int, around: Callable[[int, Any], Any], n: int = 0) -> Any:
    """A schema in a schema in a schema; `n` tells one such tower from the next."""
    schema: Any = {"type": "integer"}
    for _ in range(levels):
        schema = around(n, schema)
    return schema


def _map_with_own_name(n: int, inner: Any) -> Any:
    return {"properties": {f"{n}": {"title": f"{n}"}}, "additionalProperties": inner}


def _alternatives(n: int, inner: Any) -> Any:
    return {"anyOf": [inner, {"items": {"minItems": n}}]}


def _tuple(n: int, inner: Any) -> Any:
    return {"prefixItems": [inner] * n, "items": inner}


HOSTILE = {
    "deep": [_nested(400, lambda n, inner: {"items": inner}) for _ in range(2)],
    "maps with names of their own": [_nested(8, _map_with_own_name, n) for n in range(12)],
    "alternatives of alternatives": [_nested(6, _alternatives, n) for n in range(10)],
    "tuples": [_nested(7, _tuple, n) for n in range(1, 5)],
    "many members": [{"enum": [f"{n} {value}" for value in range(5_000)] + ["a"]} for n in range(3)],
    "slow patterns": [{"enum": ["a" * 2_000 + "!"] * 80}, {"pattern": "^(a|a)*$"}, {"pattern": "(a+)+$"}],
    "many alternatives": [
        {"oneOf": [an_object({"k": {"const": f"{n}{m}"}}, "k") for m in range(300)]} for n in range(3)
    ],
}


@for_each("members", HOSTILE.values(), ids=HOSTILE)
def test_work_is_bounded(members: list[Any]) -> None:
    with within(4):  # seconds; without bounds it would be hours
        intersection.merge_all_of({"allOf": members})
        overlap.Proofs(lambda reference: {"$ref": reference}).is_disjoint(members[0], members[-1])
        unions.union_of_objects(members, {"type": "object"})
