"""Bounds that exclude their own value, for providers that know `minimum` and `maximum` only."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from toolglot.converter.fitting.schema_node import SchemaNode

# Exclusive bound -> the inclusive one, and the first whole number within it.
EXCLUSIVE_BOUNDS: dict[str, tuple[str, Callable[[float], int]]] = {
    "exclusiveMinimum": ("minimum", lambda bound: math.floor(bound) + 1),
    "exclusiveMaximum": ("maximum", lambda bound: math.ceil(bound) - 1),
}

_TIGHTEST: dict[str, Callable[[Any, Any], Any]] = {"minimum": max, "maximum": min}


def fit_exclusive_bound(node: SchemaNode, keyword: str) -> None:
    """An exclusive bound as an inclusive one: exact for integers, one value too many for other numbers."""
    value = node.source[keyword]
    inclusive, first_integer = EXCLUSIVE_BOUNDS[keyword]
    if not node.context.allows(inclusive, node.types):
        node.say(keyword)
        return
    is_whole = set(node.types) - {"null"} == {"integer"}
    bound = first_integer(value) if is_whole else value
    tighten_bound(node, inclusive, bound)
    if is_whole:
        node.note(keyword, "renamed", value, note=f"{inclusive} {bound} says the same of integers")
    else:
        node.say(keyword)


def tighten_bound(node: SchemaNode, keyword: str, bound: float) -> None:
    """Write an inclusive bound, unless a tighter one is written."""
    earlier_bound = node.out.get(keyword, bound)
    node.out[keyword] = _TIGHTEST[keyword](bound, earlier_bound)
    if node.out[keyword] != earlier_bound:
        node.note(keyword, "renamed", earlier_bound, node.out[keyword], "the tighter of two bounds")
