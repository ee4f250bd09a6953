"""How long a call takes, as descriptions write it: `30s`, `10-30s`, `2m`."""

from __future__ import annotations

import re

_DURATION = re.compile(r"(?:[0-9]{1,6}-)?([0-9]{1,6})([smh])\Z", re.ASCII)

MILLISECONDS = {
    **dict.fromkeys(("ms", "msec", "milliseconds"), 1),
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1_000),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60_000),
    **dict.fromkeys(("h", "hour", "hours"), 3_600_000),
    **dict.fromkeys(("d", "day", "days"), 86_400_000),
}
"""A unit, as descriptions spell it -> its milliseconds."""


def longest_ms(duration: str) -> int:
    """The upper end of a duration in milliseconds; 0 for what is none.

    >>> longest_ms("10-30s"), longest_ms("a while")
    (30000, 0)
    """
    match = _DURATION.match(duration)
    return int(match[1]) * MILLISECONDS[match[2]] if match else 0
