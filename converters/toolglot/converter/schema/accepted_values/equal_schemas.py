"""Which schemas of the two sides are equal, so that they need no comparison.

A *shape* is a number that two schemas share if they accept the same values by the same keywords. The order of keys, of
`required`, of `enum` and of alternatives does not count, nor do texts for people. A definition that changed anywhere
inside has different shapes on the two sides.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import msgspec

from toolglot.converter.schema.accepted_values.plain_schemas import Prepared
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import (
    IDLE,
    MANY,
    NAMED,
    ONE,
)
from toolglot.converter.schema.references import walk_without_definitions
from toolglot.converter.text.pointers import as_list

_SETS = frozenset({"required", "enum", "type"})


class Shapes(msgspec.Struct, eq=False):
    """The shapes of the schemas of one side.

    Attributes:
        side: the name of the side.
        numbers: content of a schema -> its shape; shared by both sides.
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

    >>> from toolglot.converter.schema.accepted_values.plain_schemas import prepare_schema
    >>> old, new = number_shapes(prepare_schema({"type": "string"}), prepare_schema({"type": "string", "title": "T"}))
    >>> old.of({"type": "string"}) == new.of({"title": "S", "type": "string"})
    True
    """
    numbers: dict[Hashable, int] = {}
    # At first, equal names count as equal schemas.
    shapes_of_both = Shapes("both", numbers, frozenset())
    old_shapes = {name: shapes_of_both.of(unit) for name, unit in old.units.items()}
    new_shapes = {name: shapes_of_both.of(unit) for name, unit in new.units.items()}
    names = old_shapes.keys() | new_shapes.keys()
    different = {name for name in names if old_shapes.get(name) != new_shapes.get(name)}
    affected_names = _find_affected(different, (old, new))
    return Shapes("old", numbers, affected_names), Shapes("new", numbers, affected_names)


def _find_affected(different: set[str], sides: tuple[Prepared, Prepared]) -> frozenset[str]:
    """The definitions from which a different definition can be reached."""
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
