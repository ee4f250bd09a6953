"""Keywords without schemas inside, and keywords of which only the presence can be compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import CANNOT_TELL, SchemaChange, Sense, shorten_schema
from toolglot.converter.schema.accepted_values.bounds import at_least, at_least_one, at_most
from toolglot.converter.schema.accepted_values.compared_schemas import ComparedSchemas
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import APPLIES, OF_A_TYPE, TYPES
from toolglot.converter.schema.overlap import KINDS
from toolglot.converter.text.pointers import Path


def _flag(before: Any, after: Any) -> Sense:
    """The sense of a keyword that is a constraint where it is true."""
    return bool(after) and not before, bool(before) and not after


def compare_presence(before: Any, after: Any) -> Sense:
    """The sense of a keyword of which only the presence can be compared, such as `pattern`.

    >>> compare_presence(None, "^a"), compare_presence("^a", "^b")
    ((True, False), (True, True))
    """
    return after is not None, before is not None


COMPARE: dict[str, Callable[[Any, Any], Sense]] = {
    **dict.fromkeys(("minLength", "minItems", "minProperties"), at_least),
    **dict.fromkeys(("maxLength", "maxItems", "maxProperties"), at_most),
    "uniqueItems": _flag,
    "minContains": at_least_one,
    **dict.fromkeys(
        (
            "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema", "contains", "maxContains",
            "dependentRequired", "dependentSchemas", "not", "if", "then", "else",
        ),
        compare_presence,
    ),
}  # fmt: skip
"""Every keyword that is compared by its own value, whatever stands beside it, and how its values compare."""

KINDS_OF_KEYWORD: dict[str, frozenset[str]] = {
    keyword: frozenset().union(*(KINDS[name] for name in TYPES if keyword in APPLIES[name] or keyword not in OF_A_TYPE))
    for keyword in COMPARE
}
"""The kinds of values that each of them is about."""


def compare_plain_keyword(
    walk: ComparedSchemas, keyword: str, old: JsonSchema, new: JsonSchema, at: Path
) -> list[SchemaChange]:
    """The change of a keyword without schemas inside."""
    before, after = old.get(keyword), new.get(keyword)
    are_given = before is not None and after is not None
    if equality_key(before) == equality_key(after):
        return []
    if are_given and walk.same({keyword: before}, {keyword: after}):
        return []
    shown = shorten_schema(before), shorten_schema(after)
    if COMPARE[keyword] is compare_presence and are_given:
        return walk.unclear(at, keyword, *shown, CANNOT_TELL)
    return walk.keyword_changes(at, keyword, *shown, COMPARE[keyword](before, after))


OPAQUE = frozenset(keyword for keyword, compare in COMPARE.items() if compare is compare_presence)
"""The keywords of which only presence can be judged: few schemas have them, and nearly none change."""
