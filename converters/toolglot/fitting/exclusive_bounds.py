"""Bounds that exclude their own value, for providers that know `minimum` and `maximum` only."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from toolglot.fitting.node import SchemaNode

# Exclusive bound -> the inclusive one, and the step from the bound to the first whole number within it.
EXCLUSIVE_BOUNDS = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}


def fit_exclusive_bound(node: SchemaNode, keyword: str) -> None:
    """An exclusive bound as an inclusive one: exact for integers, one value too many for other numbers."""
    value = node.source[keyword]
    inclusive, step = EXCLUSIVE_BOUNDS[keyword]
    if not node.context.allows(inclusive, node.types):
        node.say(keyword)
        return
    is_whole = set(node.types) - {"null"} == {"integer"}
    bound = _next_integer(value, step) if is_whole else value
    tightest: Callable[[Any, Any], Any] = max if step > 0 else min
    node.out[inclusive] = tightest(bound, node.out.get(inclusive, bound))
    if is_whole:
        node.note(keyword, "renamed", value, note=f"{inclusive} {bound} says the same of integers")
    else:
        node.say(keyword)


def _next_integer(value: float, step: int) -> int:
    """The first whole number beyond a bound, upwards or downwards."""
    if step > 0:
        return math.floor(value) + 1
    return math.ceil(value) - 1
