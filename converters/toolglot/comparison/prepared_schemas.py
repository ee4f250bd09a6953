"""Two schemas made ready to be compared: plain 2020-12, references resolved, and a shape for every schema in them.

A *shape* is a number that two schemas share if they accept the same values by the same words: the order of keys, of
`required`, `enum` and of alternatives, and everything that is only said to people, do not count. A definition that
changed anywhere below itself has a shape of its own on each side, so that equal shapes need no second look.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from toolglot.hub.model import JsonSchema
from toolglot.schema.dialects import normalise
from toolglot.schema.fitting_steps import Step
from toolglot.schema.keywords import ANNOTATIONS, MANY, NAMED, ONE, keyword_of, subschemas
from toolglot.schema.references import resolve
from toolglot.schema.validity import validator
from toolglot.schema.values import equality_key
from toolglot.text.pointers import as_list, as_mapping, mapping_at

# Annotations in 2020-12 that readers act upon: a date that is no date any more breaks callers.
CHECKED = frozenset({"format", "contentEncoding", "contentMediaType", "contentSchema"})
IDLE = ANNOTATIONS - CHECKED
_SETS = frozenset({"required", "enum", "type"})


class Prepared(NamedTuple):
    """One side.

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
    return Prepared(plain, units, frozenset(losses), sum(1 for _ in walk_schemas(plain)))


def walk_schemas(node: Any) -> Iterator[Any]:
    """A schema and every schema in it, without their pointers, which could be longer than the schema itself.

    >>> list(walk_schemas({"items": {"not": True}}))
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


class Shapes:
    """The shapes of the schemas of one side.

    Attributes:
        side: its name.
        numbers: by what a schema says, its shape; both sides have it in common.
        affected_names: the references that lead to different schemas on the two sides.
    """

    def __init__(self, side: str, numbers: dict[Hashable, int], affected_names: frozenset[str]) -> None:
        self.side = side
        self.numbers = numbers
        self.affected_names = affected_names
        self.cache: dict[int, tuple[Any, int]] = {}  # a schema that is kept alive keeps its identity

    def of(self, node: Any) -> int:
        """The shape of a schema of this side."""
        entry = self.cache.get(id(node))
        if entry is not None:
            return entry[1]
        content = node
        if isinstance(node, dict):
            content = self._members(node)
        if content is True or content == frozenset():
            content = "anything"
        number = self.numbers.setdefault(content, len(self.numbers))
        self.cache[id(node)] = node, number
        return number

    def _members(self, node: JsonSchema) -> Hashable:
        members: set[tuple[str, Hashable]] = set()
        for keyword, value in node.items():
            if keyword not in IDLE and keyword != "$defs":
                members.add((keyword, self._value(keyword, value)))
        return frozenset(members)

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
            for reference in _references(unit):
                users.setdefault(reference, set()).add(name)
    reaching, waiting = set(different), list(different)
    while waiting:
        for name in users.get(waiting.pop(), ()):
            if name not in reaching:
                reaching.add(name)
                waiting.append(name)
    return frozenset(reaching)


def _references(unit: Any) -> set[str]:
    references: set[str] = set()
    waiting = [unit]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if "$ref" in node:
                references.add(node["$ref"])
            waiting.extend(item for token, item in subschemas(node) if keyword_of(token) != "$defs")
    return references
