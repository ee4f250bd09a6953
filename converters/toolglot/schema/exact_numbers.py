"""Numbers as they are written: a tenth, which no binary fraction is."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import lcm

_EXACT = 10**15  # a least common multiple beyond this is not worth a number


def exact_fraction(number: int | float) -> Fraction:
    """A number as it is written: 0.1 is a tenth, although no binary fraction is.

    >>> exact_fraction(0.1), exact_fraction(3)
    (Fraction(1, 10), Fraction(3, 1))
    """
    if isinstance(number, float):
        return Fraction(Decimal(repr(number)))
    return Fraction(number)


def common_multiple(one: int | float, other: int | float) -> int | float | None:
    """The least common multiple of two decimals as they are written, if a number is written so too.

    >>> common_multiple(4, 6), common_multiple(0.1, 0.25)
    (12, 0.5)
    """
    first, second = exact_fraction(one), exact_fraction(other)
    if first <= 0 or second <= 0:
        return None
    below = first.denominator * second.denominator
    multiple = Fraction(lcm(int(first * below), int(second * below)), below)
    if multiple > _EXACT:
        return None
    if multiple.denominator == 1:
        return int(multiple)
    decimal = float(multiple)
    if exact_fraction(decimal) != multiple:
        return None
    return decimal
