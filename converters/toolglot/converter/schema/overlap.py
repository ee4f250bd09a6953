"""Whether two schemas share a value: a proof that they do not, or no answer.

A proof goes by the kind of value. Two schemas are disjoint if every kind that both accept is ruled out: by their
members, or, for objects, by one property that has to be there and that they want differently. So alternatives of real
tools are told apart; bounds, patterns and the items of lists prove nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import combinations, islice
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.json_values import equality_key, stated_types, type_of
from toolglot.converter.schema.keywords import accepts_anything
from toolglot.converter.text.pointers import mapping_at, texts_at

ReferenceLookup = Callable[[str], Any]

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

_FINITE = [False, True, None]
_FINITE_KINDS = KINDS["boolean"] | KINDS["null"]

_STEPS = 10_000  # in all proofs about one schema, some 70 us each; those of real ones take tens
_MOST_PAIRS = 1_000  # of schemas that are held against each other
_DEPTH = 6  # properties within properties
_NAMES = 50  # required names and conjuncts that are looked at


class Proofs:
    """Proofs that schemas share no value, with one budget for all: one schema asks for thousands of them.

    Args:
        lookup: the schema that a `$ref` stands for; without it, a reference may stand for anything.
        steps: how many comparisons there may be; beyond that there is no answer.
    """

    def __init__(self, lookup: ReferenceLookup | None = None, steps: int = _STEPS) -> None:
        self.lookup = lookup
        self.left = steps

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
        return not self.overlap(one, other)

    def are_disjoint(self, schemas: Sequence[Any]) -> bool:
        """Whether it is certain that no value fits two of the schemas, so that "exactly one" is "at least one"."""
        if len(schemas) * (len(schemas) - 1) // 2 > _MOST_PAIRS:
            return False
        return all(self.is_disjoint(other, one) for one, other in combinations(schemas, 2))

    def overlap(self, one: Any, other: Any, depth: int = _DEPTH) -> frozenset[str]:
        """The kinds of values (see `KINDS`) that both schemas may share; empty if they certainly share none."""
        mine, theirs = self.conjuncts(one), self.conjuncts(other)
        nodes = [*mine, *theirs]
        kinds = _ALL.intersection(*map(stated_kinds, nodes))
        self.left -= 1
        if not kinds or depth == 0 or self.left < 0:
            return kinds
        if any(accepts_anything(node.get("not")) for node in nodes):
            return frozenset()
        kinds &= self.kinds_of_members(nodes)
        for conjuncts, schema in ((mine, other), (theirs, one)):
            for keyword in ("anyOf", "oneOf"):
                for node in conjuncts:
                    if kinds and isinstance(node.get(keyword), list):
                        branches = [self.overlap(branch, schema, depth - 1) for branch in node[keyword]]
                        kinds &= frozenset().union(*branches)
        if "object" in kinds and self.are_objects_apart(mine, theirs, depth):
            kinds -= {"object"}
        return kinds

    def kinds_of_members(self, nodes: list[JsonSchema]) -> frozenset[str]:
        """The kinds of the values that all schemas list which list values."""
        common: dict[Hashable, Any] | None = None
        for node in nodes:
            members = members_of(node)
            if members is not None:
                self.left -= len(members) // 50
                by_key = {equality_key(value): value for value in members}
                common = by_key if common is None else {key: by_key[key] for key in common.keys() & by_key.keys()}
        return _ALL if common is None else frozenset(map(kind_of, common.values()))

    def conjuncts(self, schema: Any) -> list[JsonSchema]:
        """The schema and what its `allOf` and its `$ref` ask for besides, as far as that is known."""
        conjuncts: list[JsonSchema] = []
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

    def are_objects_apart(self, mine: list[JsonSchema], theirs: list[JsonSchema], depth: int) -> bool:
        """Whether some property that has to be there can have no value."""
        required = dict.fromkeys(name for node in (*mine, *theirs) for name in texts_at(node, "required"))
        for name in islice(required, _NAMES):
            one, other = _at_name(mine, name), _at_name(theirs, name)
            if not self.overlap({"allOf": one}, {"allOf": other}, depth - 1):
                return True
        return False


def _at_name(nodes: list[JsonSchema], name: str) -> list[Any]:
    """What the schemas ask of the property `name`."""
    schemas = []
    for node in nodes:
        properties = mapping_at(node, "properties")
        if name in properties:
            schemas.append(properties[name])
        elif "patternProperties" not in node:
            schemas.append(node.get("additionalProperties", True))
    return schemas


# -- values and keywords -----------------------------------------------------------------------------------------


def kind_of(value: Any) -> str:
    """The kind of a JSON value, as in `KINDS`.

    >>> [kind_of(value) for value in (1, 1.0, 1.5, True)]
    ['integer', 'integer', 'fraction', 'boolean']
    """
    own = type_of(value)
    return "fraction" if own == "number" else own


def stated_kinds(node: JsonSchema) -> frozenset[str]:
    """The kinds that a schema's `type` admits; all of them without one.

    >>> sorted(stated_kinds({"type": ["number", "null"]}))
    ['fraction', 'integer', 'null']
    """
    types = stated_types(node)
    if types:
        return frozenset().union(*[KINDS.get(name, ()) for name in types])
    return _ALL


def members_of(node: JsonSchema) -> list[Any] | None:
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


def listed_values(node: JsonSchema) -> list[Any] | None:
    """The values of a schema that has only so many, as far as its type and its list say.

    >>> listed_values({"type": "boolean"}), listed_values({"type": "string", "enum": ["a", 1]})
    ([False, True], ['a'])
    """
    members, kinds = members_of(node), stated_kinds(node)
    if members is None and kinds <= _FINITE_KINDS:
        members = _FINITE
    return None if members is None else [member for member in members if kind_of(member) in kinds]
