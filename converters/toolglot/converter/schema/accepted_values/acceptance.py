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
    """What it means that other values are accepted than before.

    >>> sense_of_sets({"integer"}, {"integer", "string"}) == MORE
    True
    """
    return bool(old - new), bool(new - old)


class SchemaChange(msgspec.Struct, frozen=True):
    """One change.

    Attributes:
        what: `less`, `more`, `changed` (both) or `unclear`: whether fewer or more values are accepted; or what became
            of a property: `property-added`, `property-added-to-closed`, `property-removed`, `required-added`,
            `made-required`, `made-optional`; or of properties that are not named: `closed`, `opened`.
        pointer: where, as a JSON Pointer into the new schema, or into the old one for what is gone.
        keyword: what differs there.
        sense: whether fewer values are accepted, and whether more are.
        note: why it cannot be told, or what else there is to say.
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
    """A schema short enough for a report: what it says itself, without the schemas inside.

    >>> shorten_schema({"type": "object", "title": "T", "properties": {"a": {}}})
    {'type': 'object'}
    """
    if not isinstance(schema, dict):
        return schema
    inner = {keyword_of(token) for token, _ in subschemas(schema)}
    return without_keys(schema, *inner, *IDLE)
