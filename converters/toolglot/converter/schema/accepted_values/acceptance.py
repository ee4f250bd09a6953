"""Whether a change of a schema lets it accept less than before, or more."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

import msgspec

from toolglot.converter.schema.keywords import IDLE, keyword_of, subschemas
from toolglot.converter.text.pointers import without_keys

Sense = tuple[bool, bool]
"""Whether less is accepted than before, and whether more is."""

LESS: Sense = (True, False)
MORE: Sense = (False, True)
UNCLEAR: Sense = (True, True)
NEITHER: Sense = (False, False)

CANNOT_TELL = "whether it accepts the same cannot be told"
"""The note of a change of which only presence can be judged."""


def sense_of_sets(old: Set[Any], new: Set[Any]) -> Sense:
    """Whether less is accepted than before, and whether more, where these are the accepted values.

    >>> sense_of_sets({"integer"}, {"integer", "string"}) == MORE
    True
    """
    return bool(old - new), bool(new - old)


class SchemaChange(msgspec.Struct, frozen=True):
    """One change between two schemas.

    Attributes:
        what: `less`, `more`, `changed` (both) or `unclear`, for the accepted values. For a property:
            `property-added`, `property-added-to-closed`, `property-removed`, `required-added`, `made-required`,
            `made-optional`. For properties without a name: `closed`, `opened`.
        pointer: JSON Pointer into the new schema; into the old one for what is gone.
        keyword: the keyword that differs.
        sense: whether fewer values are accepted, and whether more are.
        note: why it cannot be decided, or another remark.
    """

    what: str
    pointer: str
    keyword: str
    before: Any
    after: Any
    sense: Sense
    note: str = ""


def is_less(changes: Iterable[SchemaChange]) -> bool:
    """Whether some value that was accepted may be refused now."""
    return any(change.sense[0] for change in changes)


def is_more(changes: Iterable[SchemaChange]) -> bool:
    """Whether some value that was refused may be accepted now."""
    return any(change.sense[1] for change in changes)


def shorten_schema(schema: Any) -> Any:
    """A schema short enough for a report, without the schemas inside of it.

    >>> shorten_schema({"type": "object", "title": "T", "properties": {"a": {}}})
    {'type': 'object'}
    """
    if not isinstance(schema, dict):
        return schema
    inner = {keyword_of(token) for token, _ in subschemas(schema)}
    return without_keys(schema, *inner, *IDLE)
