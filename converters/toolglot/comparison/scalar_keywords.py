"""Whether a keyword that holds no schema accepts less or more with another value.

Each function takes the value before and after, `None` where the keyword is absent, and says whether fewer values are
accepted now, and whether more are; both together mean that nobody can tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from toolglot.hub.model import JsonSchema
from toolglot.schema.exact_numbers import exact_fraction
from toolglot.schema.overlap import KINDS

Sense = tuple[bool, bool]
"""Whether less is accepted than before, and whether more is."""

LESS: Sense = (True, False)
MORE: Sense = (False, True)
UNCLEAR: Sense = (True, True)
NEITHER: Sense = (False, False)
ANY = frozenset().union(*KINDS.values())


def at_least(before: Any, after: Any) -> Sense:
    """For keywords whose larger value accepts less.

    >>> at_least(None, 3), at_least(3, 1)
    ((True, False), (False, True))
    """
    was, now = before or 0, after or 0
    return now > was, now < was


def at_most(before: Any, after: Any) -> Sense:
    """For keywords whose smaller value accepts less.

    >>> at_most(None, 3), at_most(3, 9)
    ((True, False), (False, True))
    """
    was = math.inf if before is None else before
    now = math.inf if after is None else after
    return now < was, now > was


def multiple(before: Any, after: Any) -> Sense:
    """For `multipleOf`.

    >>> multiple(2, 4), multiple(4, 2), multiple(2, 3), multiple(None, 1)
    ((True, False), (False, True), (True, True), (True, False))
    """
    if before is None or after is None:
        return after is not None, before is not None
    was, now = exact_fraction(before), exact_fraction(after)
    return was % now != 0, now % was != 0


def flag(before: Any, after: Any) -> Sense:
    """For keywords that are a constraint where they are true."""
    return bool(after) and not before, bool(before) and not after


def opaque(before: Any, after: Any) -> Sense:
    """For keywords of which only presence can be judged, such as `pattern`.

    >>> opaque(None, "^a"), opaque("^a", "^b")
    ((True, False), (True, True))
    """
    return after is not None, before is not None


class Scalar(NamedTuple):
    """A keyword, the kinds of values that it is about, and how its values compare."""

    keyword: str
    kinds: frozenset[str]
    compare: Callable[[Any, Any], Sense]


SCALARS: tuple[Scalar, ...] = (
    Scalar("minLength", KINDS["string"], at_least),
    Scalar("maxLength", KINDS["string"], at_most),
    Scalar("pattern", KINDS["string"], opaque),
    Scalar("minItems", KINDS["array"], at_least),
    Scalar("maxItems", KINDS["array"], at_most),
    Scalar("uniqueItems", KINDS["array"], flag),
    Scalar("minProperties", KINDS["object"], at_least),
    Scalar("maxProperties", KINDS["object"], at_most),
    Scalar("multipleOf", KINDS["number"], multiple),
    Scalar("format", ANY, opaque),
    Scalar("contentEncoding", KINDS["string"], opaque),
    Scalar("contentMediaType", KINDS["string"], opaque),
    Scalar("contentSchema", KINDS["string"], opaque),
)


def lowest(node: JsonSchema, whole: bool) -> tuple[Any, bool]:
    """The lower bound of a number, and whether the bound itself is refused.

    Args:
        whole: whether only whole numbers are looked at, for which every bound can be an inclusive one.

    >>> lowest({"exclusiveMinimum": 0}, whole=True), lowest({}, whole=False)
    ((1, False), (-inf, False))
    """
    bounds: list[tuple[Any, bool]] = [(-math.inf, False)]
    if "minimum" in node:
        bounds.append((node["minimum"], False))
    if "exclusiveMinimum" in node:
        bounds.append((node["exclusiveMinimum"], True))
    bound, is_exclusive = max(bounds)
    if not whole or _is_endless(bound):
        return bound, is_exclusive
    if is_exclusive:
        return math.floor(bound) + 1, False
    return math.ceil(bound), False


def highest(node: JsonSchema, whole: bool) -> tuple[Any, bool]:
    """The upper bound of a number; as `lowest`, mirrored.

    >>> highest({"exclusiveMaximum": 1.5}, whole=True)
    (1, False)
    """
    mirror: JsonSchema = {}
    if "maximum" in node:
        mirror["minimum"] = -node["maximum"]
    if "exclusiveMaximum" in node:
        mirror["exclusiveMinimum"] = -node["exclusiveMaximum"]
    bound, is_exclusive = lowest(mirror, whole)
    return -bound, is_exclusive


def _is_endless(bound: Any) -> bool:
    return isinstance(bound, float) and math.isinf(bound)


def lower_bound(before: JsonSchema, after: JsonSchema, whole: bool) -> Sense:
    """Whether a number may start higher, or lower, than before."""
    was, now = lowest(before, whole), lowest(after, whole)
    return now > was, now < was


def upper_bound(before: JsonSchema, after: JsonSchema, whole: bool) -> Sense:
    """Whether a number may end lower, or higher, than before."""
    (was, was_open), (now, now_open) = highest(before, whole), highest(after, whole)
    return (now, not now_open) < (was, not was_open), (now, not now_open) > (was, not was_open)
