"""How long a call takes, as descriptions write it: `30s`, `10-30s`, `2m`."""

from __future__ import annotations

import re
from typing import Any

from toolglot.regexes import compile_later

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,3})?"
_DURATION = compile_later(r"(?:[0-9]{1,6}-)?([0-9]{1,6})([smh])\Z", re.ASCII)
_SPAN = compile_later(rf"(?:({_NUMBER}) ?([a-z]*) ?- ?)?({_NUMBER}) ?([a-z]+)\Z")

MILLISECONDS = {
    **dict.fromkeys(("ms", "msec", "milliseconds"), 1),
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1_000),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60_000),
    **dict.fromkeys(("h", "hour", "hours"), 3_600_000),
    **dict.fromkeys(("d", "day", "days"), 86_400_000),
}
"""A unit, as descriptions spell it -> its milliseconds."""


def longest_ms(duration: str) -> int:
    """The upper end of a duration in milliseconds; 0 for a text that is no duration.

    >>> longest_ms("10-30s"), longest_ms("a while")
    (30000, 0)
    """
    match = _DURATION.match(duration)
    return int(match[1]) * MILLISECONDS[match[2]] if match else 0


def parse_time_limit(value: Any) -> int | None:
    """A single duration in milliseconds; `None` for a span, and for a text that is no duration.

    >>> parse_time_limit("2m"), parse_time_limit("1.5 min"), parse_time_limit("1-2m")
    (120000, 90000, None)
    """
    span = parse_span(value)
    return span[0] if span is not None and span[0] == span[1] else None


def format_time_limit(milliseconds: int) -> str:
    """A time limit in whole seconds, rounded down so that it stays within the limit, but not below one second.

    >>> format_time_limit(1_900), format_time_limit(500), format_time_limit(0)
    ('1s', '1s', '0s')
    """
    return f"{max(milliseconds // 1_000, 1)}s" if milliseconds else "0s"


def parse_span(value: Any) -> tuple[int, int] | None:
    """Both ends of a duration in milliseconds; `None` for a text that is no duration, or an ambiguous one.

    >>> parse_span("100-500ms"), parse_span("5s"), parse_span("1.5 min"), parse_span("a while")
    ((100, 500), (5000, 5000), (90000, 90000), None)
    """
    match = _SPAN.match(value.strip().lower()) if isinstance(value, str) else None
    if match is None:
        return None
    low, low_unit, high, unit = match.groups()
    first_unit = low_unit or unit
    if first_unit not in MILLISECONDS or unit not in MILLISECONDS:
        return None
    first, last = round(float(low or high) * MILLISECONDS[first_unit]), round(float(high) * MILLISECONDS[unit])
    return (first, last) if first <= last else None


def format_span(first: int, last: int) -> str:
    """A span in milliseconds, written as two whole numbers and a unit. Fractions of a second widen the span.

    >>> format_span(5_000, 5_000), format_span(100, 1_500), format_span(60_000, 120_000)
    ('5-5s', '0-2s', '1-2m')
    """
    unit = (largest_unit(first, last) if last else None) or "s"
    factor = MILLISECONDS[unit]
    return f"{first // factor}-{-(-last // factor)}{unit}"


def largest_unit(first: int, last: int) -> str | None:
    """The largest unit in which both ends of a span are whole numbers; both are given in milliseconds."""
    for unit in "hms":
        if first % MILLISECONDS[unit] == 0 and last % MILLISECONDS[unit] == 0:
            return unit
    return None
