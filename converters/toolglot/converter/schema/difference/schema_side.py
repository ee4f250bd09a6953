"""One of the two schemas of a comparison, with references and `allOf` followed, and its alternatives side by side."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.difference.equal_schemas import Shapes
from toolglot.converter.schema.difference.prepared_schemas import (
    MOST_STEPS,
    Prepared,
    count_schemas,
    speaks_of_the_rest,
    walk_schemas,
)
from toolglot.converter.schema.intersection import merge_all_of
from toolglot.converter.schema.json_values import equality_key, unique
from toolglot.converter.schema.keywords import (
    IDLE,
)
from toolglot.converter.schema.overlap import Proofs, kind_of, listed_values, stated_kinds
from toolglot.converter.schema.validators import make_acceptor
from toolglot.converter.text.pointers import without_keys

_MERGED = frozenset({"$ref", "allOf", "$defs"})
_LISTED = frozenset({"type", "enum", "const"})


class StepBudget:
    """How many schemas may still be looked at in one comparison, on both sides together."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

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
        self.proofs = Proofs(self.definition)
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
            return members[0], []
        if any(speaks_of_the_rest(member) for member in members):
            return {"allOf": members, "unevaluatedItems": True}, []  # equal to itself alone, and never looked into
        for member in members:
            self.steps.left -= count_schemas(member)
        if self.steps.is_spent:
            return {}, [{"allOf": members}]
        return merge_all_of({"allOf": members})

    # -- alternatives -----------------------------------------------------------------------------------------------

    def alternatives(self, node: JsonSchema, keyword: str) -> list[Any]:
        """The alternatives of a schema, each with what stands beside them; without any, its types by themselves."""
        if (id(node), keyword) not in self.alternatives_by_node:
            base = without_keys(node, keyword, *IDLE)
            schemas = [schema for item in node.get(keyword, [node]) for schema in self.by_type(item)]
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
        return keyword != "oneOf" or self.proofs.are_disjoint(node[keyword])

    # -- values -----------------------------------------------------------------------------------------------------

    def acceptor_of(self, node: JsonSchema) -> Callable[[Any], bool]:
        """A test of values by a schema of this side."""
        if not node.keys() - _LISTED - IDLE:
            return _acceptor_of_list(node)
        inner = list(islice(walk_schemas(node), MOST_STEPS))
        if any(isinstance(schema, dict) and "$ref" in schema for schema in inner):
            self.steps.left -= self.size
            return make_acceptor(node, self.units)
        self.steps.left -= len(inner)
        return make_acceptor(node, {})


def with_listed_values(node: JsonSchema) -> JsonSchema | None:
    """A schema whose alternatives list values, with one list of them; `None` where some have others.

    >>> with_listed_values({"oneOf": [{"const": 1, "title": "one"}, {"enum": [2, 3]}]})
    {'enum': [1, 2, 3]}
    """
    words = [word for word in ("anyOf", "oneOf") if word in node]
    if not words:
        return node
    if len(words) > 1 or not {"enum", "const"}.isdisjoint(node):
        return None
    values: list[Any] = []
    for schema in node[words[0]]:
        listed = None
        if isinstance(schema, dict) and not schema.keys() - _LISTED - IDLE:
            listed = listed_values(schema)
        if listed is None:
            return None
        values += listed
    if words == ["oneOf"] and len(unique(values)) < len(values):
        return None
    return {**without_keys(node, *words), "enum": values}


def _acceptor_of_list(node: JsonSchema) -> Callable[[Any], bool]:
    """A test of values by a schema with nothing but types and listed values."""
    kinds = stated_kinds(node)
    values = listed_values(node)
    if values is None:
        return lambda candidate: kind_of(candidate) in kinds
    keys = frozenset(map(equality_key, values))
    return lambda candidate: kind_of(candidate) in kinds and equality_key(candidate) in keys
