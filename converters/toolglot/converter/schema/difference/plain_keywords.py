"""Keywords that hold no schema, or of which only presence can be judged."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from operator import index
from typing import Any

import msgspec

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.difference.acceptance import CANNOT_TELL, SchemaChange, Sense, shorten_schema
from toolglot.converter.schema.difference.compared_schemas import ComparedSchemas
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.overlap import KINDS
from toolglot.converter.text.pointers import Path

_ANY = frozenset().union(*KINDS.values())


def _at_least(before: Any, after: Any) -> Sense:
    """For keywords whose larger value accepts less.

    >>> _at_least(None, 3), _at_least(3, 1)
    ((True, False), (False, True))
    """
    was, now = before or 0, after or 0
    return now > was, now < was


def _at_least_one(before: Any, after: Any) -> Sense:
    """For `minContains`, which is 1 where it is not there."""
    return _at_least(1 if before is None else before, 1 if after is None else after)


def _at_most(before: Any, after: Any) -> Sense:
    """For keywords whose smaller value accepts less.

    >>> _at_most(None, 3), _at_most(3, 9)
    ((True, False), (False, True))
    """
    was = math.inf if before is None else before
    now = math.inf if after is None else after
    return now < was, now > was


def _multiple(before: Any, after: Any) -> Sense:
    """For `multipleOf`.

    >>> _multiple(2, 4), _multiple(4, 2), _multiple(2, 3), _multiple(None, 1)
    ((True, False), (False, True), (True, True), (True, False))
    """
    if before is None or after is None:
        return after is not None, before is not None
    (was, parts_of_was), (now, parts_of_now) = _exact_ratio(before), _exact_ratio(after)
    was, now = was * parts_of_now, now * parts_of_was
    return was % now != 0, now % was != 0


def _exact_ratio(number: int | float) -> tuple[int, int]:
    """A number as it is written, as two whole ones: 0.1 is a tenth, although no binary fraction is.

    >>> _exact_ratio(0.1), _exact_ratio(3)
    ((1, 10), (3, 1))
    """
    if isinstance(number, float):
        return Decimal(repr(number)).as_integer_ratio()
    return index(number), 1


def _flag(before: Any, after: Any) -> Sense:
    """For keywords that are a constraint where they are true."""
    return bool(after) and not before, bool(before) and not after


def compare_presence(before: Any, after: Any) -> Sense:
    """For keywords of which only presence can be judged, such as `pattern`.

    >>> compare_presence(None, "^a"), compare_presence("^a", "^b")
    ((True, False), (True, True))
    """
    return after is not None, before is not None


class PlainKeyword(msgspec.Struct, frozen=True):
    """A keyword, the kinds of values that it is about, and how its values compare."""

    keyword: str
    kinds: frozenset[str]
    compare: Callable[[Any, Any], Sense]


PLAIN_KEYWORDS: tuple[PlainKeyword, ...] = (
    PlainKeyword("minLength", KINDS["string"], _at_least),
    PlainKeyword("maxLength", KINDS["string"], _at_most),
    PlainKeyword("pattern", KINDS["string"], compare_presence),
    PlainKeyword("minItems", KINDS["array"], _at_least),
    PlainKeyword("maxItems", KINDS["array"], _at_most),
    PlainKeyword("uniqueItems", KINDS["array"], _flag),
    PlainKeyword("minProperties", KINDS["object"], _at_least),
    PlainKeyword("maxProperties", KINDS["object"], _at_most),
    PlainKeyword("multipleOf", KINDS["number"], _multiple),
    PlainKeyword("format", _ANY, compare_presence),
    PlainKeyword("contentEncoding", KINDS["string"], compare_presence),
    PlainKeyword("contentMediaType", KINDS["string"], compare_presence),
    PlainKeyword("contentSchema", KINDS["string"], compare_presence),
    PlainKeyword("contains", KINDS["array"], compare_presence),
    PlainKeyword("minContains", KINDS["array"], _at_least_one),
    PlainKeyword("maxContains", KINDS["array"], compare_presence),
    *(
        PlainKeyword(keyword, KINDS["object"], compare_presence)
        for keyword in ("dependentRequired", "dependentSchemas")
    ),
    *(PlainKeyword(keyword, _ANY, compare_presence) for keyword in ("not", "if", "then", "else")),
)
"""Every keyword that is compared by its own value, whatever stands beside it."""


def compare_plain_keyword(
    walk: ComparedSchemas, plain: PlainKeyword, old: JsonSchema, new: JsonSchema, at: Path
) -> list[SchemaChange]:
    """The change of a keyword that holds no schema."""
    before, after = old.get(plain.keyword), new.get(plain.keyword)
    are_given = before is not None and after is not None
    if equality_key(before) == equality_key(after):
        return []
    if are_given and walk.same({plain.keyword: before}, {plain.keyword: after}):
        return []
    shown = shorten_schema(before), shorten_schema(after)
    if plain.compare is compare_presence and are_given:
        return walk.unclear(at, plain.keyword, *shown, CANNOT_TELL)
    return walk.keyword_changes(at, plain.keyword, *shown, plain.compare(before, after))


OPAQUE = frozenset(plain.keyword for plain in PLAIN_KEYWORDS if plain.compare is compare_presence)
"""The keywords of which only presence can be judged: few schemas have them, and nearly none change."""
