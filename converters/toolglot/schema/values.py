"""When two JSON values are equal, and how two values of one keyword that holds no schema become one."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from itertools import chain
from typing import Any

_LEVELS = 64  # of a value that is compared


def equality_key(value: Any, depth: int = _LEVELS) -> Hashable:
    """What two JSON values have in common exactly if `are_equal`; for sets and dictionaries of values.

    Values that are nested more than 64 levels deep only equal themselves.

    >>> equality_key([1, {"a": True}]) == equality_key([1.0, {"a": True}]), equality_key(1) == equality_key(True)
    (True, False)
    """
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, list):
        if depth == 0:
            return list, id(value)
        return list, tuple([equality_key(item, depth - 1) for item in value])
    if isinstance(value, dict):
        if depth == 0:
            return dict, id(value)
        return dict, frozenset([(name, equality_key(item, depth - 1)) for name, item in value.items()])
    scalar: Hashable = value
    return scalar


def are_equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true are not. Any depth is compared, without recursion.

    >>> are_equal([1, {"a": True}], [1.0, {"a": True}]), are_equal([1], [True])
    (True, False)
    """
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if one is other:
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            waiting.extend((value, other[name]) for name, value in one.items())
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) or isinstance(other, bool) or one != other:
            return False
    return True


def have_same_spelling(one: Any, other: Any) -> bool:
    """Whether two JSON values are written alike but for the order of keys: 1 and 1.0 are not.

    >>> have_same_spelling({"a": 1, "b": 2}, {"b": 2, "a": 1}), have_same_spelling([1], [1.0])
    (True, False)
    """
    return one is other or (one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


def unique(values: Iterable[Any]) -> list[Any]:
    """Values without repetitions, in order of first appearance.

    >>> unique([1, True, 1.0])
    [1, True]
    """
    first: dict[Any, Any] = {}
    for value in values:
        first.setdefault(equality_key(value), value)
    return list(first.values())


def lower(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The stronger one of lower bounds.

    >>> lower({"minimum": 2}, {"minimum": 0, "exclusiveMinimum": 2})
    {'exclusiveMinimum': 2}
    """
    value, is_exclusive = max((value, name == "exclusiveMinimum") for name, value in chain(one.items(), other.items()))
    return {"exclusiveMinimum" if is_exclusive else "minimum": value}


def upper(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The stronger one of upper bounds.

    >>> upper({"maximum": 2}, {"exclusiveMaximum": 3})
    {'maximum': 2}
    """
    value, is_inclusive = min((value, name == "maximum") for name, value in chain(one.items(), other.items()))
    return {"maximum" if is_inclusive else "exclusiveMaximum": value}


def nor(one: Any, other: Any) -> dict[str, Any]:
    """What `not` refuses if it refuses both.

    >>> nor({"anyOf": [{"const": 1}]}, {"const": 2})
    {'anyOf': [{'const': 1}, {'const': 2}]}
    """
    parts: list[Any] = []
    for item in (one, other):
        if isinstance(item, dict) and item.keys() == {"anyOf"}:
            parts += item["anyOf"]
        else:
            parts.append(item)
    return {"anyOf": unique(parts)}


def lists_by_name(one: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, list[str]]:
    """Lists of names under names, joined without repetitions.

    >>> lists_by_name({"a": ["b"]}, {"a": ["c", "b"]})
    {'a': ['b', 'c']}
    """
    return {name: list(dict.fromkeys((*one.get(name, ()), *other.get(name, ())))) for name in {**one, **other}}
