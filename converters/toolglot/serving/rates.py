"""How often somebody may ask: a bucket that fills evenly, from which each request takes one."""

from __future__ import annotations

import time
from collections.abc import Callable


class Rate:
    """A limit of requests, each key with its own; a second's worth may come at once.

    Keys are names of principals, never of strangers: else whoever asks would decide how many buckets there are.

    >>> rate = Rate(2, clock=lambda: 0.0)
    >>> [rate.allows("a"), rate.allows("a"), rate.allows("a"), rate.allows("b")]
    [True, True, False, True]
    """

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._most = max(per_second, 1.0)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}  # key -> what is left, and when that was

    def allows(self, key: str) -> bool:
        """Whether one more request is within the limit; it counts."""
        now = self._clock()
        tokens, before = self._buckets.get(key, (self._most, now))
        tokens = min(self._most, tokens + (now - before) * self._per_second)
        is_within = tokens >= 1
        if is_within:
            tokens -= 1
        self._buckets[key] = (tokens, now)
        return is_within
