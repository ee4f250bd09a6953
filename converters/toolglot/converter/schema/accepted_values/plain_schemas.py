"""The two schemas of a comparison as plain 2020-12, with the size of each."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import UNEVALUATED, subschemas
from toolglot.converter.schema.newest_dialect import is_plain
from toolglot.converter.schema.older_dialects import normalise
from toolglot.converter.schema.references import resolve, units_of
from toolglot.converter.schema.transformation_steps import Step
from toolglot.converter.schema.validators import validator
from toolglot.converter.text.pointers import as_mapping, mapping_at, without_keys

MOST_STEPS = 10_000  # schemas that are looked at in one comparison; what is left then is unclear


class Prepared(NamedTuple):
    """One of the two schemas as plain 2020-12.

    Attributes:
        root: the schema.
        units: reference -> schema, for the schema and its definitions.
        losses: keywords without a meaning, and references out of the schema.
        size: the number of schemas in it.
    """

    root: Any
    units: dict[str, Any]
    losses: frozenset[tuple[str, str, Hashable]]
    size: int


def prepare_schema(schema: Any) -> Prepared:
    """Prepare a schema of any dialect for a comparison.

    Raises:
        FitError: deeper than 100 schemas (`schema-too-deep`) or more than 100,000 (`schema-too-large`).
    """
    if is_plain(schema):  # as most are; without this look a report for Gemini takes a tenth longer
        return Prepared(schema, {"#": schema}, frozenset(), count_schemas(schema))
    plain, steps = normalise(schema)
    more: list[Step] = []
    if isinstance(plain, dict):
        plain, more = resolve(plain)
    lossy = [step for step in (*steps, *more) if step.action == "widened"]
    losses = frozenset((step.pointer, step.keyword, equality_key(step.before)) for step in lossy)
    return Prepared(plain, units_of(plain), losses, count_schemas(plain))


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
    """Whether a validator accepts a schema; it refuses one with a broken pattern.

    >>> is_compilable({"pattern": "a"}), is_compilable({"pattern": "("})
    (True, False)
    """
    try:
        validator(schema)
    except (ValueError, TypeError):
        return False
    return True


def has_own_parts(schema: JsonSchema, side: Prepared) -> bool:
    """Whether each part of a schema means the same by itself: not where it depends on what other keywords looked at.

    >>> [has_own_parts(schema, prepare_schema(schema)) for schema in ({"items": {}}, {"items": {"$ref": "#/a"}})]
    [True, False]
    """
    definitions = mapping_at(schema, "$defs")
    is_plain = without_keys(as_mapping(side.root), "$defs") == without_keys(schema, "$defs")
    are_kept = all(definitions.get(name) == item for name, item in mapping_at(as_mapping(side.root), "$defs").items())
    return is_plain and are_kept and not (side.losses or any(map(speaks_of_the_rest, walk_schemas(side.root))))


def speaks_of_the_rest(schema: Any) -> bool:
    """Whether a schema has rules for what its other keywords leave over, such as `unevaluatedProperties`."""
    return isinstance(schema, dict) and not UNEVALUATED.isdisjoint(schema)


def count_schemas(node: Any) -> int:
    """The number of schemas in a schema, itself included; counting stops at `MOST_STEPS`."""
    return sum(1 for _ in islice(walk_schemas(node), MOST_STEPS))
