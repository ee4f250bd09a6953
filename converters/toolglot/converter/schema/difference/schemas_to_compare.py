"""The two schemas of a comparison: plain 2020-12 with references and `allOf` followed, and shapes to compare them by.

A *shape* is a number that two schemas share if they accept the same values by the same words: the order of keys, of
`required`, `enum` and of alternatives, and everything that is only said to people, do not count. A definition that
changed anywhere below itself has a shape of its own on each side, so that equal shapes need no second look.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.intersection import merge_all_of
from toolglot.converter.schema.json_values import equality_key, unique
from toolglot.converter.schema.keywords import (
    IDLE,
    MANY,
    NAMED,
    ONE,
    UNEVALUATED,
    subschemas,
)
from toolglot.converter.schema.newest_dialect import is_plain
from toolglot.converter.schema.older_dialects import normalise
from toolglot.converter.schema.overlap import Proofs, kind_of, listed_values, stated_kinds
from toolglot.converter.schema.references import resolve, walk_without_definitions
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.schema.validators import make_acceptor, validator
from toolglot.converter.text.pointers import as_list, as_mapping, mapping_at, without_keys

# -- plain schemas ----------------------------------------------------------------------------------------------------


class Prepared(NamedTuple):
    """One of the two schemas, plain.

    Attributes:
        root: the schema.
        units: it and its definitions, by the references that lead to them.
        losses: what has no meaning, or stands outside of the schema.
        size: how many schemas it has.
    """

    root: Any
    units: dict[str, Any]
    losses: frozenset[tuple[str, str, Hashable]]
    size: int


def prepare_schema(schema: Any) -> Prepared:
    """A schema of any dialect, ready.

    Raises:
        FitError: deeper than 100 schemas (`schema-too-deep`) or more than 100,000 (`schema-too-large`).
    """
    if is_plain(schema):  # as most are; without this look a report for Gemini takes a tenth longer
        return Prepared(schema, {"#": schema}, frozenset(), _count_schemas(schema))
    plain, steps = normalise(schema)
    more: list[Step] = []
    if isinstance(plain, dict):
        plain, more = resolve(plain)
    units = {"#": plain}
    for name, definition in mapping_at(as_mapping(plain), "$defs").items():
        units[f"#/$defs/{name}"] = definition
    losses: set[tuple[str, str, Hashable]] = set()
    for step in (*steps, *more):
        if step.action == "widened":
            losses.add((step.pointer, step.keyword, equality_key(step.before)))
    return Prepared(plain, units, frozenset(losses), _count_schemas(plain))


def _walk_schemas(node: Any) -> Iterator[Any]:
    """A schema and every schema in it, without their pointers, which could be longer than the schema itself.

    >>> list(_walk_schemas({"items": {"not": True}}))
    [{'items': {'not': True}}, {'not': True}, True]
    """
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [schema for _, schema in subschemas(node)]


def is_compilable(schema: Any) -> bool:
    """Whether a validator takes a schema; one with a broken pattern it does not.

    >>> is_compilable({"pattern": "a"}), is_compilable({"pattern": "("})
    (True, False)
    """
    try:
        validator(schema)
    except (ValueError, TypeError):
        return False
    return True


def has_own_parts(schema: JsonSchema, side: Prepared) -> bool:
    """Whether each part of a schema means the same by itself: it was plain, and none speaks of what others looked at.

    >>> [has_own_parts(schema, prepare_schema(schema)) for schema in ({"items": {}}, {"items": {"$ref": "#/a"}})]
    [True, False]
    """
    definitions = mapping_at(schema, "$defs")
    is_plain = without_keys(as_mapping(side.root), "$defs") == without_keys(schema, "$defs")
    are_kept = all(definitions.get(name) == item for name, item in mapping_at(as_mapping(side.root), "$defs").items())
    return is_plain and are_kept and not (side.losses or any(map(_speaks_of_the_rest, _walk_schemas(side.root))))


# -- shapes -----------------------------------------------------------------------------------------------------------

_SETS = frozenset({"required", "enum", "type"})


class Shapes(msgspec.Struct, eq=False):
    """The shapes of the schemas of one side.

    Attributes:
        side: its name.
        numbers: by what a schema says, its shape; both sides have it in common.
        affected_names: the references that lead to different schemas on the two sides.
    """

    side: str
    numbers: dict[Hashable, int]
    affected_names: frozenset[str]
    # By the id() of a schema that is kept beside it: by `Same`, a diff of large schemas takes 12 % longer.
    cache: dict[int, tuple[Any, int]] = {}

    def of(self, node: Any) -> int:
        """The shape of a schema of this side."""
        entry = self.cache.get(id(node))
        if entry is not None:
            return entry[1]
        content = node
        if isinstance(node, dict):
            content = frozenset(
                (keyword, self._value(keyword, value))
                for keyword, value in node.items()
                if keyword not in IDLE and keyword != "$defs"
            )
        if content is True or content == frozenset():
            content = "anything"
        elif content == {("not", self.numbers.get("anything"))}:
            content = False
        number = self.numbers.setdefault(content, len(self.numbers))
        self.cache[id(node)] = node, number
        return number

    def _value(self, keyword: str, value: Any) -> Hashable:
        if keyword == "$ref":
            return (value, self.side) if value in self.affected_names else value
        if keyword in ONE:
            return self.of(value)
        if keyword in MANY:
            shapes = [self.of(schema) for schema in value]
            if keyword != "prefixItems":
                shapes.sort()
            return tuple(shapes)
        if keyword in NAMED:
            return frozenset((name, self.of(schema)) for name, schema in value.items())
        if keyword in _SETS:
            return frozenset(map(equality_key, as_list(value)))
        return equality_key(value)


def number_shapes(old: Prepared, new: Prepared) -> tuple[Shapes, Shapes]:
    """The shapes of both sides, in numbers that can be compared.

    >>> old, new = number_shapes(prepare_schema({"type": "string"}), prepare_schema({"type": "string", "title": "T"}))
    >>> old.of({"type": "string"}) == new.of({"title": "S", "type": "string"})
    True
    """
    numbers: dict[Hashable, int] = {}
    # For a start as if equal names meant equal schemas.
    shapes_of_both = Shapes("both", numbers, frozenset())
    old_shapes = {name: shapes_of_both.of(unit) for name, unit in old.units.items()}
    new_shapes = {name: shapes_of_both.of(unit) for name, unit in new.units.items()}
    names = old_shapes.keys() | new_shapes.keys()
    different = {name for name in names if old_shapes.get(name) != new_shapes.get(name)}
    affected_names = _find_affected(different, (old, new))
    return Shapes("old", numbers, affected_names), Shapes("new", numbers, affected_names)


def _find_affected(different: set[str], sides: tuple[Prepared, Prepared]) -> frozenset[str]:
    """The definitions from which one that is different can be reached."""
    users: dict[str, set[str]] = {}
    for side in sides:
        for name, unit in side.units.items():
            for node in walk_without_definitions(unit):
                if "$ref" in node:
                    users.setdefault(node["$ref"], set()).add(name)
    reaching, waiting = set(different), list(different)
    while waiting:
        for name in users.get(waiting.pop(), ()):
            if name not in reaching:
                reaching.add(name)
                waiting.append(name)
    return frozenset(reaching)


# -- one side ---------------------------------------------------------------------------------------------------------

_STEPS = 10_000  # schemas that are looked at in one comparison; what is left then is unclear
_MERGED = frozenset({"$ref", "allOf", "$defs"})
_LISTED = frozenset({"type", "enum", "const"})


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
        return keyword != "oneOf" or self.proofs.are_disjoint(node[keyword])

    # -- values -----------------------------------------------------------------------------------------------------

    def acceptor_of(self, node: JsonSchema) -> Callable[[Any], bool]:
        """A test of values by a schema of this side."""
        if not node.keys() - _LISTED - IDLE:
            return _acceptor_of_list(node)
        inner = list(islice(_walk_schemas(node), _STEPS))
        if any(isinstance(schema, dict) and "$ref" in schema for schema in inner):
            self.steps.left -= self.size
            return make_acceptor(node, self.units)
        self.steps.left -= len(inner)
        return make_acceptor(node, {})


def _speaks_of_the_rest(schema: Any) -> bool:
    return isinstance(schema, dict) and not UNEVALUATED.isdisjoint(schema)


def _count_schemas(node: Any) -> int:
    return sum(1 for _ in islice(_walk_schemas(node), _STEPS))


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
