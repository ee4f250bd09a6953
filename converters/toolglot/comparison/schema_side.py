"""One of two schemas that are compared: without `$ref` and `allOf`, by alternatives, and as a test of values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, islice
from typing import Any

from toolglot.comparison.prepared_schemas import IDLE, Prepared, Shapes, walk_schemas
from toolglot.hub.model import JsonSchema
from toolglot.schema.intersection import merge_all_of
from toolglot.schema.keywords import UNEVALUATED, without_unevaluated
from toolglot.schema.overlap import kind_of, members_of, overlap, stated_kinds
from toolglot.schema.validity import make_acceptor
from toolglot.schema.values import equality_key, unique
from toolglot.text.pointers import without_keys

_STEPS = 10_000  # schemas that are looked at in one comparison; what is left then is unclear
_BRANCHES = 16  # alternatives of a `oneOf` that are proved to exclude each other
_MERGED = frozenset({"$ref", "allOf", "$defs"})
_LISTED = frozenset({"type", "enum", "const"})
_FINITE: dict[str, tuple[Any, ...]] = {"boolean": (False, True), "null": (None,)}


class StepBudget:
    """How many schemas may still be looked at in one comparison, on both sides together."""

    def __init__(self) -> None:
        self.left = _STEPS

    @property
    def is_spent(self) -> bool:
        """Whether there were too many."""
        return self.left < 0


class SchemaSide:
    """The old or the new schema; what was flattened once is kept, because it is compared again and again."""

    def __init__(self, prepared: Prepared, shapes: Shapes, steps: StepBudget) -> None:
        self.root = prepared.root
        self.units = prepared.units
        self.size = prepared.size
        self.shape = shapes.of
        self.steps = steps
        # By the identity of a schema; the schema stands beside its result, so that no other takes its identity.
        self.flat: dict[int, tuple[Any, Any, list[Any]]] = {}
        self.alternatives_by_node: dict[tuple[int, str], tuple[Any, list[Any]]] = {}

    # -- without references and `allOf` ---------------------------------------------------------------------------

    def definition(self, reference: str) -> Any:
        """What a reference leads to; one that leads nowhere asks for nothing."""
        return self.units.get(reference, True)

    def flatten(self, node: Any) -> tuple[Any, list[Any]]:
        """A schema without `$ref` and `allOf`, and what could not be merged into it."""
        if id(node) not in self.flat:
            schema, rest = self.merge(self.members(node))
            if schema is True:
                schema = {}
            self.flat[id(node)] = node, schema, [member for member in rest if member]
        _, schema, rest = self.flat[id(node)]
        return schema, rest

    def members(self, node: Any) -> list[Any]:
        """The schema, and all that its `$ref` and `allOf` ask for besides, each definition once."""
        members: list[Any] = []
        references: set[str] = set()
        waiting = [node]
        while waiting:
            member = waiting.pop()
            if isinstance(member, dict):
                reference = member.get("$ref", "")
                if reference and reference not in references:
                    references.add(reference)
                    waiting.append(self.definition(reference))
                waiting.extend(member.get("allOf", ()))
                member = without_keys(member, *IDLE, *_MERGED)
            if member not in (True, {}):
                members.append(member)
        return members

    def merge(self, members: list[Any]) -> tuple[Any, list[Any]]:
        """One schema for all of these, and what could not be merged into it."""
        if not members:
            return {}, []
        if len(members) == 1:
            (only,) = members
            if isinstance(only, dict):
                only = without_unevaluated(only)
            return only, []
        if any(_speaks_of_the_rest(member) for member in members):
            return {"allOf": members, "unevaluatedItems": True}, []  # equal to itself alone, and never looked into
        for member in members:
            self.steps.left -= _count_schemas(member)
        if self.steps.is_spent:
            return {}, [{"allOf": members}]
        return merge_all_of({"allOf": members})

    # -- alternatives -----------------------------------------------------------------------------------------------

    def alternatives(self, node: JsonSchema, keyword: str) -> list[Any]:
        """The alternatives of a schema, each with what stands beside them; without any, its types by themselves."""
        if (id(node), keyword) not in self.alternatives_by_node:
            base = without_keys(node, keyword, *IDLE)
            schemas: list[Any] = []
            for alternative in node.get(keyword, [node]):
                schemas += self.by_type(alternative)
            if base and keyword:
                schemas = [{"allOf": [base, schema]} for schema in schemas]
            self.alternatives_by_node[id(node), keyword] = node, schemas
        _, schemas = self.alternatives_by_node[id(node), keyword]
        return schemas

    def by_type(self, schema: Any) -> list[Any]:
        """A schema of several types as one a type, because `[string, null]` is an alternative, too."""
        flat, rest = self.flatten(schema)
        if not isinstance(flat, dict) or rest or not isinstance(flat.get("type"), list):
            return [schema]
        return [{**flat, "type": name} for name in flat["type"]]

    def are_exclusive(self, node: JsonSchema, keyword: str) -> bool:
        """Whether no value fits two alternatives, as `oneOf` wants it."""
        if keyword != "oneOf":
            return True
        alternatives = node[keyword]
        values = _values_of_all(alternatives)
        if values is not None and len(unique(values)) == len(values):
            return True
        self.steps.left -= 4 * len(alternatives) ** 2
        if len(alternatives) > _BRANCHES:
            return False
        for one, other in combinations(alternatives, 2):
            if overlap(other, one, self.definition, steps=200, depth=3):
                return False
        return True

    # -- values -----------------------------------------------------------------------------------------------------

    def acceptor_of(self, node: JsonSchema) -> Callable[[Any], bool]:
        """A test of values by a schema of this side."""
        if not node.keys() - _LISTED - IDLE:
            return _acceptor_of_list(node)
        inner = list(islice(walk_schemas(node), _STEPS))
        if any(isinstance(schema, dict) and "$ref" in schema for schema in inner):
            self.steps.left -= self.size
            return make_acceptor(node, self.units)
        self.steps.left -= len(inner)
        return make_acceptor(node, {})


def _speaks_of_the_rest(schema: Any) -> bool:
    return isinstance(schema, dict) and not UNEVALUATED.isdisjoint(schema)


def _count_schemas(node: Any) -> int:
    return sum(1 for _ in islice(walk_schemas(node), _STEPS))


def _values_of_all(schemas: list[Any]) -> list[Any] | None:
    """The values that schemas list; `None` where one of them has others."""
    values: list[Any] = []
    for schema in schemas:
        members = None
        if isinstance(schema, dict):
            members = members_of(schema)
        if members is None:
            return None
        values += members
    return values


def _acceptor_of_list(node: JsonSchema) -> Callable[[Any], bool]:
    """A test of values by a schema with nothing but types and listed values."""
    kinds = stated_kinds(node)
    values = listed_values(node)
    if values is None:
        return lambda candidate: kind_of(candidate) in kinds
    keys = frozenset(map(equality_key, values))
    return lambda candidate: kind_of(candidate) in kinds and equality_key(candidate) in keys


def listed_values(node: JsonSchema) -> list[Any] | None:
    """The values of a schema that has only so many, as far as its type and its list say.

    >>> listed_values({"type": "boolean"}), listed_values({"type": "string", "enum": ["a", 1]})
    ([False, True], ['a'])
    """
    members, kinds = members_of(node), stated_kinds(node)
    if members is not None:
        return [member for member in members if kind_of(member) in kinds]
    if not kinds <= _FINITE.keys():
        return None
    values: list[Any] = []
    for kind in sorted(kinds):
        values += _FINITE[kind]
    return values
