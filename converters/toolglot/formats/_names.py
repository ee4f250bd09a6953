"""Ids that a format's pattern allows, made from ids that it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache


def fit(text: str, allowed: str, limit: int, fallback: str = "tool") -> str:
    """`text` with every run of characters outside `allowed` as one `-`, at most `limit` long.

    What is too long is cut and ends in a hash of the whole, so that two long ids stay two ids.

    >>> fit("My Tool!", "a-zA-Z0-9_-", 64), fit("日本", "a-z0-9-", 64)
    ('My-Tool', 'tool-cf2a')
    """
    fitted = _others(allowed).sub("-", text).strip("-")
    if not fitted:
        fitted = f"{fallback}-{digest(text)[:4]}"
    return fitted if len(fitted) <= limit else f"{fitted[: limit - 9]}-{digest(text)[:8]}"


@cache
def _others(allowed: str) -> re.Pattern[str]:
    """Runs of characters that are not allowed; every format has its own few sets."""
    return re.compile(f"[^{allowed}]+")


def digest(text: str) -> str:
    import hashlib  # 3 ms that most ids do not need

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def visible(path: Iterable[str]) -> list[str]:
    """The parts of a path that have a name; the bare executable has the empty one.

    >>> visible(("hello", ""))
    ['hello']
    """
    return [part for part in path if part]
