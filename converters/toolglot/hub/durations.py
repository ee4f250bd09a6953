"""How long a call takes, as descriptions write it: `30s`, `10-30s`, `2m`."""

from __future__ import annotations

import re

_DURATION = re.compile(r"(?:[0-9]{1,6}-)?([0-9]{1,6})([smh])\Z", re.ASCII)
_UNIT_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000}


def longest_ms(duration: str) -> int:
    """The upper end of a duration in milliseconds; 0 for what is none.

    >>> longest_ms("10-30s"), longest_ms("a while")
    (30000, 0)
    """
    match = _DURATION.match(duration)
    return int(match[1]) * _UNIT_MS[match[2]] if match else 0
