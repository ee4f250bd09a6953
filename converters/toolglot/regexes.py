"""Regular expressions that are compiled when they are first used: a run of the command line needs few of all."""

from __future__ import annotations

import re
from typing import Any, cast


class _LatePattern:
    """What `compile_later` returns: it has the methods of a compiled pattern, and keeps those that were used."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, method)  # from now on it is found without this call
        return method


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The same as `re.compile`, which is called when the pattern is first used.

    For those at the top of a module that take long to compile (0.1 ms and more) and that many runs do without.

    >>> compile_later("[a-z]+").findall("ab 1 c")
    ['ab', 'c']
    """
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))
