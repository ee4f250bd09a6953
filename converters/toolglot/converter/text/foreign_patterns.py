"""Regular expressions of other people."""

from __future__ import annotations

import re
import warnings
from threading import Lock

_ONE_AT_A_TIME = Lock()


def compile_foreign(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile` without a warning that a later Python may read something otherwise, such as `[[` or `--`.

    >>> compile_foreign("[[a]").findall("a[b")
    ['a', '[']
    """
    # What is ignored here is ignored in all threads, and two that overlap would leave it so for good.
    with _ONE_AT_A_TIME, warnings.catch_warnings(action="ignore"):
        return re.compile(pattern, flags)
