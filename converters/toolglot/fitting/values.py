"""How two values of one keyword become one, for the keywords that hold no other schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any

from toolglot.fitting.keywords import MANY, NAMED, ONE, is_schema
from toolglot.fitting.overlap import key

_EXACT = 10**15  # a least common multiple beyond this is not worth a number


def unique(values: Iterable[Any]) -> list[Any]:
    """Values without repetitions, in order of first appearance.

    >>> unique([1, True, 1.0])
    [1, True]
    """
    found: dict[Any, Any] = {}
    for value in values:
        found.setdefault(key(value), value)
    return list(found.values())


def common_multiple(one: int | float, other: int | float) -> int | float | None:
    """The least common multiple of two decimals as they are written, if a number is written so too.

    >>> common_multiple(4, 6), common_multiple(0.1, 0.25)
    (12, 0.5)
    """
    first, second = (Fraction(Decimal(repr(value))) for value in (one, other))
    if first <= 0 or second <= 0:
        return None
    below = first.denominator * second.denominator
    found = Fraction(lcm(int(first * below), int(second * below)), below)
    if found > _EXACT:
        return None
    if found.denominator == 1:
        return int(found)
    return float(found) if Fraction(Decimal(repr(float(found)))) == found else None


def lower(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The stronger one of lower bounds.

    >>> lower({"minimum": 2}, {"minimum": 0, "exclusiveMinimum": 2})
    {'exclusiveMinimum': 2}
    """
    value, excluded = max((node[name], name == "exclusiveMinimum") for node in (one, other) for name in node)
    return {"exclusiveMinimum" if excluded else "minimum": value}


def upper(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The stronger one of upper bounds.

    >>> upper({"maximum": 2}, {"exclusiveMaximum": 3})
    {'maximum': 2}
    """
    value, included = min((node[name], name == "maximum") for node in (one, other) for name in node)
    return {"maximum" if included else "exclusiveMaximum": value}


def nor(one: Any, other: Any) -> dict[str, Any]:
    """What `not` refuses if it refuses both.

    >>> nor({"anyOf": [{"const": 1}]}, {"const": 2})
    {'anyOf': [{'const': 1}, {'const': 2}]}
    """
    parts = [item["anyOf"] if isinstance(item, dict) and item.keys() == {"anyOf"} else [item] for item in (one, other)]
    return {"anyOf": unique([*parts[0], *parts[1]])}


def lists_by_name(one: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, list[str]]:
    """Lists of names under names, joined without repetitions.

    >>> lists_by_name({"a": ["b"]}, {"a": ["c", "b"]})
    {'a': ['b', 'c']}
    """
    return {name: list(dict.fromkeys((*one.get(name, ()), *other.get(name, ())))) for name in {**one, **other}}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


_SHAPES: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(ONE, is_schema),
    **dict.fromkeys(MANY, lambda value: isinstance(value, list) and all(map(is_schema, value))),
    **dict.fromkeys(NAMED, lambda value: isinstance(value, dict) and all(map(is_schema, value.values()))),
    **dict.fromkeys(("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minProperties", "maxProperties"), _is_number),
    **dict.fromkeys(("minItems", "maxItems", "minContains", "maxContains"), _is_number),
    "required": _are_names,
    "dependentRequired": lambda value: isinstance(value, dict) and all(map(_are_names, value.values())),
    **dict.fromkeys(("examples", "enum"), lambda value: isinstance(value, list)),
    **dict.fromkeys(("$ref", "pattern"), lambda value: isinstance(value, str)),
}


def is_well_formed(node: dict[str, Any]) -> bool:
    """Whether the keywords of a schema have values of the types that merging relies on.

    >>> is_well_formed({"required": ["a"]}), is_well_formed({"required": "a"})
    (True, False)
    """
    return all(_SHAPES[name](value) for name, value in node.items() if name in _SHAPES)
