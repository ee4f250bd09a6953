"""The types of the values that a schema accepts: whether there are fewer than before, or more."""

from __future__ import annotations

from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import Sense, sense_of_sets
from toolglot.converter.schema.overlap import kind_of, listed_values, stated_kinds


def kinds_of(node: JsonSchema, values: list[Any] | None) -> frozenset[str]:
    """The kinds of values that a schema accepts; `values` are the listed ones, `None` where it lists none."""
    return stated_kinds(node) if values is None else frozenset(map(kind_of, values))


def sense_of_types(old: JsonSchema, new: JsonSchema) -> Sense:
    """Whether a schema accepts values of fewer types than before, and of more; an integer is a number, too.

    >>> sense_of_types({"type": "integer"}, {"type": "number"})
    (False, True)
    """
    return sense_of_sets(kinds_of(old, listed_values(old)), kinds_of(new, listed_values(new)))
