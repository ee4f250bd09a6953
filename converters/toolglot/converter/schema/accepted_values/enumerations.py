"""Listed values: `enum` and `const`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import LESS, MORE, SchemaChange
from toolglot.converter.schema.accepted_values.compared_schemas import ComparedSchemas
from toolglot.converter.schema.accepted_values.json_types import kinds_of
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.overlap import listed_values
from toolglot.converter.text.pointers import Path


def compare_enumerations(walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
    """Compare listed values by trying each on the other side. Where values are listed, other keywords do not matter."""
    accepts_old, accepts_new = walk.old.acceptor_of(old), walk.new.acceptor_of(new)
    old_values = _select_accepted(listed_values(old), accepts_old)
    new_values = _select_accepted(listed_values(new), accepts_new)
    word_of_loss = "enum"
    if kinds_of(old, old_values) - kinds_of(new, new_values):
        word_of_loss = "type"
    changes: list[SchemaChange] = []
    if old_values is None:  # there were more than a list can hold
        changes += walk.keyword_changes(at, word_of_loss, old.get("type"), new_values, LESS)
    else:
        lost_values = find_missing(old_values, new_values, accepts_new)
        if lost_values:
            changes += walk.keyword_changes(at, word_of_loss, lost_values, None, LESS)
    if new_values is None:
        changes += walk.keyword_changes(at, "enum", old_values, new.get("type"), MORE)
    else:
        gained_values = find_missing(new_values, old_values, accepts_old)
        if gained_values:
            changes += walk.keyword_changes(at, "enum", None, gained_values, MORE)
    return changes


def _select_accepted(values: list[Any] | None, accepts: Callable[[Any], bool]) -> list[Any] | None:
    if values is None:
        return None
    return [value for value in values if accepts(value)]


def find_missing(values: list[Any], others: list[Any] | None, accepts: Callable[[Any], bool]) -> list[Any]:
    """The values that the other side does not list, or does not accept."""
    if others is None:
        return [value for value in values if not accepts(value)]
    keys = frozenset(map(equality_key, others))
    return [value for value in values if equality_key(value) not in keys]
