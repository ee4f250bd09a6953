"""Bounds: of numbers (two keywords each, and the step), and of lengths and counts (one keyword each)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from operator import index
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import SchemaChange, Sense
from toolglot.converter.schema.accepted_values.compared_schemas import ComparedSchemas
from toolglot.converter.schema.overlap import KINDS, stated_kinds
from toolglot.converter.text.pointers import Path, without_keys


def compare_numbers(
    walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    """Compare the lower and the upper bound, each by the two keywords that can say it, and the step."""
    changes: list[SchemaChange] = []
    for words, compare_bounds in BOUNDS:
        before, after = _first_of(old, words), _first_of(new, words)
        changes += walk.keyword_changes(at, words[0], before, after, compare_bounds(old, new))
    return changes


def _first_of(node: JsonSchema, words: Iterable[str]) -> Any:
    """The value of the first of these keywords that a schema has."""
    for word in words:
        if word in node:
            return node[word]
    return None


def _lowest(node: JsonSchema, whole: bool) -> tuple[Any, bool]:
    """The lower bound of a number, and whether the bound itself is refused.

    Args:
        whole: whether only whole numbers are looked at, for which every bound can be an inclusive one.

    >>> _lowest({"exclusiveMinimum": 0}, whole=True), _lowest({}, whole=False)
    ((1, False), (-inf, False))
    """
    exclusive = node.get("exclusiveMinimum", -math.inf), "exclusiveMinimum" in node
    bound, is_exclusive = max((node.get("minimum", -math.inf), False), exclusive)
    if not whole or abs(bound) == math.inf:
        return bound, is_exclusive
    if is_exclusive:
        return math.floor(bound) + 1, False
    return math.ceil(bound), False


def _are_whole(before: JsonSchema, after: JsonSchema) -> bool:
    """Whether the numbers that both schemas may accept are whole ones."""
    return stated_kinds(before) & stated_kinds(after) & KINDS["number"] == KINDS["integer"]


def _lower_bound(before: JsonSchema, after: JsonSchema) -> Sense:
    """Whether the lower bound is higher than before, and whether it is lower."""
    whole = _are_whole(before, after)
    was, now = _lowest(before, whole), _lowest(after, whole)
    return now > was, now < was


def _upper_bound(before: JsonSchema, after: JsonSchema) -> Sense:
    """The same for the upper bound, which is the lower bound of the numbers with the other sign."""
    return _lower_bound(_mirror(before), _mirror(after))


def _mirror(node: JsonSchema) -> JsonSchema:
    """The schema of the numbers with the other sign, without a bound at its upper end.

    >>> _mirror({"type": "number", "minimum": 0, "exclusiveMaximum": 1.5})
    {'type': 'number', 'exclusiveMinimum': -1.5}
    """
    mirror = without_keys(node, "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
    if "maximum" in node:
        mirror["minimum"] = -node["maximum"]
    if "exclusiveMaximum" in node:
        mirror["exclusiveMinimum"] = -node["exclusiveMaximum"]
    return mirror


def _step(before: JsonSchema, after: JsonSchema) -> Sense:
    """Whether the step refuses numbers that were accepted before, and whether it accepts others.

    >>> _step({"multipleOf": 2}, {"multipleOf": 4}), _step({"multipleOf": 2}, {"multipleOf": 3})
    ((True, False), (True, True))
    """
    whole = _are_whole(before, after)
    was, now = _step_of(before, whole), _step_of(after, whole)
    return not _is_multiple(was, now), not _is_multiple(now, was)


def _step_of(node: JsonSchema, whole: bool) -> Fraction:
    """The exact number of which all accepted numbers are multiples; 0 where there is none.

    >>> _step_of({"multipleOf": 0.1}, whole=False), _step_of({"multipleOf": 1.5}, whole=True)
    (Fraction(1, 10), Fraction(3, 1))
    """
    step = _exact(node.get("multipleOf", 0))
    return Fraction(step.numerator or 1) if whole else step


def _exact(number: int | float) -> Fraction:
    """The exact value of a number as it is written: 0.1 is a tenth, although its binary fraction is not.

    >>> _exact(0.1), _exact(3)
    (Fraction(1, 10), Fraction(3, 1))
    """
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(index(number))


def _is_multiple(number: Fraction, step: Fraction) -> bool:
    return step == 0 or (number != 0 and number % step == 0)


BOUNDS = (
    (("minimum", "exclusiveMinimum"), _lower_bound),
    (("maximum", "exclusiveMaximum"), _upper_bound),
    (("multipleOf",), _step),
)
"""The keywords that say a bound, or the step, together, and how those of two schemas compare."""


# -- of lengths and counts --------------------------------------------------------------------------------------


def at_least(before: Any, after: Any) -> Sense:
    """The sense of a keyword whose larger value accepts less.

    >>> at_least(None, 3), at_least(3, 1)
    ((True, False), (False, True))
    """
    was, now = before or 0, after or 0
    return now > was, now < was


def at_least_one(before: Any, after: Any) -> Sense:
    """The sense of `minContains`, which is 1 where it is absent."""
    return at_least(1 if before is None else before, 1 if after is None else after)


def at_most(before: Any, after: Any) -> Sense:
    """The sense of a keyword whose smaller value accepts less.

    >>> at_most(None, 3), at_most(3, 9)
    ((True, False), (False, True))
    """
    was = math.inf if before is None else before
    now = math.inf if after is None else after
    return now < was, now > was
