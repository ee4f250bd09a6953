"""Things in a row: which belong together, and where two rows are alike."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import takewhile
from operator import eq
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def group_by(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """The things that have a key in common, in the order of the first of each.

    >>> group_by(["a", "b2", "c"], len)
    {1: ['a', 'c'], 2: ['b2']}
    """
    groups: dict[K, list[T]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def common_ends(one: Sequence[Any], other: Sequence[Any]) -> tuple[int, int]:
    """With how many characters, words or lines two texts begin alike, and with how many of the others they end so.

    >>> common_ends("abcde", "abxde"), common_ends("aa", "a")
    ((2, 2), (1, 0))
    """
    start = _count_alike(one, other)
    return start, _count_alike(one[start:][::-1], other[start:][::-1])


def longest_rising(numbers: list[int]) -> list[int]:
    """The longest part of distinct numbers, not necessarily adjacent, that rises.

    >>> longest_rising([2, 0, 1, 3])
    [0, 1, 3]
    """
    ends: list[int] = []  # the smallest last number of a rising part of each length
    before: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(ends, number)
        before[number] = ends[length - 1] if length else None
        ends[length : length + 1] = [number]
    rising: list[int] = []
    last = ends[-1] if ends else None
    while last is not None:
        rising.append(last)
        last = before[last]
    return rising[::-1]


def _count_alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    return sum(takewhile(bool, map(eq, one, other)))
