"""One of the two schemas of a comparison, with references and `allOf` followed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.equal_schemas import Shapes
from toolglot.converter.schema.accepted_values.plain_schemas import (
    MOST_STEPS,
    Prepared,
    count_schemas,
    speaks_of_the_rest,
    walk_schemas,
)
from toolglot.converter.schema.intersection import merge_all_of
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import (
    IDLE,
)
from toolglot.converter.schema.overlap import Proofs, kind_of, listed_values, stated_kinds
from toolglot.converter.schema.validators import make_acceptor
from toolglot.converter.text.pointers import without_keys

_MERGED = frozenset({"$ref", "allOf", "$defs"})
LISTED = frozenset({"type", "enum", "const"})


class StepBudget:
    """The number of schemas that one comparison may still look at, on both sides together."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    @property
    def is_spent(self) -> bool:
        """Whether the comparison has to end."""
        return self.left < 0


class SchemaSide:
    """The old or the new schema. Flattened schemas are kept, because they are compared again and again."""

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
        """The target of a reference; for one that leads nowhere, a schema that accepts everything."""
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
        """The schema and all schemas that its `$ref` and `allOf` add, each definition once."""
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
        """One schema for all members, and what could not be merged into it."""
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

    # -- values -----------------------------------------------------------------------------------------------------

    def acceptor_of(self, node: JsonSchema) -> Callable[[Any], bool]:
        """A test of values by a schema of this side."""
        if not node.keys() - LISTED - IDLE:
            return _acceptor_of_list(node)
        inner = list(islice(walk_schemas(node), MOST_STEPS))
        if any(isinstance(schema, dict) and "$ref" in schema for schema in inner):
            self.steps.left -= self.size
            return make_acceptor(node, self.units)
        self.steps.left -= len(inner)
        return make_acceptor(node, {})


def _acceptor_of_list(node: JsonSchema) -> Callable[[Any], bool]:
    """A test of values by a schema with nothing but types and listed values."""
    kinds = stated_kinds(node)
    values = listed_values(node)
    if values is None:
        return lambda candidate: kind_of(candidate) in kinds
    keys = frozenset(map(equality_key, values))
    return lambda candidate: kind_of(candidate) in kinds and equality_key(candidate) in keys
