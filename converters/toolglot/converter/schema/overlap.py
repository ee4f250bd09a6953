"""Whether two schemas share a value: a proof that they do not, or no answer.

A proof goes by the kind of value. Two schemas are disjoint if every kind that both accept is ruled out: by their
members, by their bounds, or, for objects and arrays, by one property or item that has to be there and that they
want differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from toolglot.converter.schema.json_values import equality_key, stated_types, type_of
from toolglot.converter.schema.keywords import APPLICATORS, accepts_anything, walk
from toolglot.converter.schema.validators import validator
from toolglot.converter.text.pointers import mapping_at, texts_at

ReferenceLookup = Callable[[str], Any]
BoundKeywords = Iterable[tuple[str, bool]]  # keywords, and whether the value itself is excluded

# The kinds of values: numbers are whole or not, so that `number` and `integer` are sets like all others.
KINDS = {
    "null": frozenset({"null"}),
    "boolean": frozenset({"boolean"}),
    "integer": frozenset({"integer"}),
    "number": frozenset({"integer", "fraction"}),
    "string": frozenset({"string"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
_ALL = frozenset().union(*KINDS.values())

_STEPS = 2_000  # comparisons in one proof; beyond that there is no answer
_STEPS_OF_ALL = 10_000  # in all proofs about one schema, some 70 us each; those of real ones take tens
_MOST_PAIRS = 1_000  # of schemas that are held against each other
_DEPTH = 6  # properties within properties
_NAMES = 50  # required names, conjuncts and item positions that are looked at
_NODES = 200  # a larger schema is not compiled to test a member by it


class Proofs:
    """Proofs that schemas share no value, with one budget for all: one schema asks for thousands of them.

    Args:
        lookup: the schema that a `$ref` stands for; without it, a reference may stand for anything.
    """

    def __init__(self, lookup: ReferenceLookup | None = None) -> None:
        self.lookup = lookup
        self.left = _STEPS_OF_ALL

    def is_disjoint(self, one: Any, other: Any) -> bool:
        """Whether it is certain that no value is accepted by both schemas; `False` is no answer.

        >>> proofs = Proofs()
        >>> proofs.is_disjoint({"type": "string"}, {"enum": [1, None]})
        True
        >>> proofs.is_disjoint({"type": "integer"}, {"type": "number"})
        False
        >>> cat = {"type": "object", "properties": {"kind": {"const": "cat"}}, "required": ["kind"]}
        >>> proofs.is_disjoint(cat, {**cat, "properties": {"kind": {"const": "dog"}}})
        True
        """
        steps = min(self.left, _STEPS)
        proof = _Proof(self.lookup, steps)
        kinds = proof.overlap(one, other, _DEPTH)
        self.left = max(self.left - steps + proof.left, 0)
        return not kinds

    def are_disjoint(self, schemas: Sequence[Any]) -> bool:
        """Whether it is certain that no value fits two of the schemas, so that "exactly one" is "at least one"."""
        if len(schemas) * (len(schemas) - 1) // 2 > _MOST_PAIRS:
            return False
        return all(self.is_disjoint(other, one) for one, other in combinations(schemas, 2))


def overlap(
    one: Any, other: Any, lookup: ReferenceLookup | None = None, steps: int = _STEPS, depth: int = _DEPTH
) -> frozenset[str]:
    """The kinds of values (see `KINDS`) that both schemas may share; empty if they certainly share none."""
    return _Proof(lookup, steps).overlap(one, other, depth)


class _Proof:
    """One comparison, with a budget for all that it looks at."""

    def __init__(self, lookup: ReferenceLookup | None, steps: int) -> None:
        self.lookup = lookup
        self.left = steps

    def overlap(self, one: Any, other: Any, depth: int) -> frozenset[str]:
        mine, theirs = self.conjuncts(one), self.conjuncts(other)
        kinds = _ALL.intersection(*map(stated_kinds, (*mine, *theirs)))
        self.left -= 1
        if depth == 0 or self.left < 0:
            return kinds
        for conjuncts, opposite, schema in ((mine, theirs, other), (theirs, mine, one)):
            for node in conjuncts:
                members = members_of(node)
                if kinds and members is not None:
                    kinds &= self.kinds_of_members(members, opposite)
                for keyword in ("anyOf", "oneOf"):
                    if kinds and isinstance(node.get(keyword), list):
                        branches = [self.overlap(branch, schema, depth - 1) for branch in node[keyword]]
                        kinds &= frozenset().union(*branches)
        return frozenset(kind for kind in kinds if not self.are_apart(kind, mine, theirs, depth))

    def kinds_of_members(self, members: list[Any], conditions: list[dict[str, Any]]) -> frozenset[str]:
        """The kinds of those values that no condition refuses."""
        self.left -= len(members) // 50
        refusals = [refusal_test(condition)[0] for condition in conditions]
        kinds: set[str] = set()
        for value in members:
            if not any(refuses(value) for refuses in refusals):
                kinds.add(kind_of(value))
        return frozenset(kinds)

    def conjuncts(self, schema: Any) -> list[dict[str, Any]]:
        """The schema and what its `allOf` and its `$ref` ask for besides, as far as that is known."""
        conjuncts: list[dict[str, Any]] = []
        waiting = [schema]
        while waiting and len(conjuncts) < _NAMES:
            node = waiting.pop()
            if node is False:
                node = {"not": {}}
            if not isinstance(node, dict):
                continue
            conjuncts.append(node)
            waiting += node["allOf"] if isinstance(node.get("allOf"), list) else []
            if self.lookup is not None and isinstance(node.get("$ref"), str):
                waiting.append(self.lookup(node["$ref"]))
        return conjuncts

    def are_apart(self, kind: str, mine: list[dict[str, Any]], theirs: list[dict[str, Any]], depth: int) -> bool:
        """Whether no value of this kind fits both."""
        schemas = [*mine, *theirs]
        if any(accepts_anything(node.get("not")) for node in schemas):
            return True
        if kind in _BOUNDS and _is_empty(schemas, *_BOUNDS[kind]):
            return True
        if kind == "object":
            return self.are_objects_apart(mine, theirs, depth)
        if kind == "array":
            return self.are_arrays_apart(mine, theirs, depth)
        return False

    def are_objects_apart(self, mine: list[dict[str, Any]], theirs: list[dict[str, Any]], depth: int) -> bool:
        """Whether some property that has to be there can have no value, or too many have to be there."""
        required: dict[str, None] = {}
        limit: Any = None
        for node in (*mine, *theirs):
            required.update(dict.fromkeys(texts_at(node, "required")))
            most = _number_at(node, "maxProperties")
            if most is not None:
                limit = most if limit is None else min(limit, most)
        if limit is not None and len(required) > limit:
            return True
        names = islice(required, _NAMES)
        return any(self.is_never(_at_name(mine, name), _at_name(theirs, name), depth) for name in names)

    def are_arrays_apart(self, mine: list[dict[str, Any]], theirs: list[dict[str, Any]], depth: int) -> bool:
        """Whether some item that has to be there can have no value."""
        least = max((_number_at(node, "minItems") or 0 for node in (*mine, *theirs)), default=0)
        places = range(int(min(least, _NAMES)))
        return any(self.is_never(_at_index(mine, place), _at_index(theirs, place), depth) for place in places)

    def is_never(self, mine: list[Any], theirs: list[Any], depth: int) -> bool:
        """Whether a place in the value can hold nothing, given what both sides ask of it."""
        return bool(mine or theirs) and not self.overlap({"allOf": mine}, {"allOf": theirs}, depth - 1)


# Kind -> lower bounds and upper bounds of its values, or of their size.
_VALUE: tuple[BoundKeywords, BoundKeywords] = (
    (("minimum", False), ("exclusiveMinimum", True)),
    (("maximum", False), ("exclusiveMaximum", True)),
)
_BOUNDS: dict[str, tuple[BoundKeywords, BoundKeywords]] = {
    "integer": _VALUE,
    "fraction": _VALUE,
    "string": ((("minLength", False),), (("maxLength", False),)),
    "array": ((("minItems", False),), (("maxItems", False),)),
    "object": ((("minProperties", False),), (("maxProperties", False),)),
}


def _is_empty(nodes: list[dict[str, Any]], lower: BoundKeywords, upper: BoundKeywords) -> bool:
    """Whether nothing lies between the highest lower bound and the lowest upper one."""
    least = max(_limits(nodes, lower), default=None)
    most = min(((value, not is_excluded) for value, is_excluded in _limits(nodes, upper)), default=None)
    if least is None or most is None:
        return False
    is_point = least[0] == most[0]
    is_excluded = least[1] or not most[1]
    return bool(least[0] > most[0] or (is_point and is_excluded))


def _limits(nodes: list[dict[str, Any]], keywords: BoundKeywords) -> Iterator[tuple[Any, bool]]:
    for node in nodes:
        for keyword, is_exclusive in keywords:
            limit = _number_at(node, keyword)
            if limit is not None:
                yield limit, is_exclusive


def _at_name(nodes: list[dict[str, Any]], name: str) -> list[Any]:
    """What the schemas ask of the property `name`."""
    schemas = []
    for node in nodes:
        properties = mapping_at(node, "properties")
        if name in properties:
            schemas.append(properties[name])
        elif "patternProperties" not in node:
            schemas.append(node.get("additionalProperties", True))
    return schemas


def _at_index(nodes: list[dict[str, Any]], index: int) -> list[Any]:
    """What the schemas ask of the item at `index`."""
    schemas: list[Any] = []
    for node in nodes:
        prefix = node.get("prefixItems")
        if isinstance(prefix, list) and index < len(prefix):
            schemas.append(prefix[index])
        else:
            schemas.append(node.get("items", True))
    return schemas


# -- values and keywords -----------------------------------------------------------------------------------------


def kind_of(value: Any) -> str:
    """The kind of a JSON value, as in `KINDS`.

    >>> [kind_of(value) for value in (1, 1.0, 1.5, True)]
    ['integer', 'integer', 'fraction', 'boolean']
    """
    own = type_of(value)
    return "fraction" if own == "number" else own


def stated_kinds(node: dict[str, Any]) -> frozenset[str]:
    """The kinds that a schema's `type` admits; all of them without one.

    >>> sorted(stated_kinds({"type": ["number", "null"]}))
    ['fraction', 'integer', 'null']
    """
    types = stated_types(node)
    if types:
        return frozenset().union(*(KINDS.get(name, ()) for name in types))
    return _ALL


def members_of(node: dict[str, Any]) -> list[Any] | None:
    """The values that `enum` and `const` admit; `None` without them.

    >>> members_of({"enum": [1, 2], "const": 2}), members_of({})
    ([2], None)
    """
    members = node["enum"] if isinstance(node.get("enum"), list) else None
    if "const" not in node:
        return members
    constant = node["const"]
    if members is None or equality_key(constant) in map(equality_key, members):
        return [constant]
    return []


def refusal_test(schema: Any) -> tuple[Callable[[Any], bool], bool]:
    """A test whether a schema certainly refuses a value, and whether the test knows about every value.

    >>> refuses, complete = refusal_test({"enum": ["a", "bb"], "minLength": 2})
    >>> refuses("a"), refuses("bb"), complete
    (True, False, True)
    """
    if not isinstance(schema, dict):
        return (lambda value: schema is False), True
    members = members_of(schema)
    keys_of_members = None if members is None else frozenset(map(equality_key, members))
    rest = {name: value for name, value in schema.items() if members is None or name not in ("enum", "const")}
    nodes = [node for _, node in islice(walk(rest), _NODES + 1)]
    complete = len(nodes) <= _NODES and not any("$ref" in node for node in nodes if isinstance(node, dict))
    if not complete:
        # Some keywords of a schema only work together, as `additionalProperties` with `properties`; those that
        # hold no schema each stand for themselves.
        rest = {name: value for name, value in rest.items() if name not in APPLICATORS and name != "$ref"}
    test = _compile(rest)

    def refuses(value: Any) -> bool:
        if keys_of_members is not None and equality_key(value) not in keys_of_members:
            return True
        try:
            return test is not None and not test.is_valid(value)
        except ValueError:  # a pattern that took too many steps
            return False

    return refuses, complete and test is not None


def _compile(schema: dict[str, Any]) -> Any:
    """A validator, or `None` where the schema cannot be compiled."""
    try:
        return validator(schema)
    except (ValueError, TypeError):
        return None


def _number_at(node: dict[str, Any], keyword: str) -> Any:
    """The value of a keyword that should be a number, or `None`."""
    value = node.get(keyword)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value
