"""Glob patterns as a shell has them, held to paths part by part: in bounded time, whatever they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase, translate


def has_magic(path: str) -> bool:
    """Whether a path may be a pattern; as `glob.has_magic`, whose module takes 1 ms to load.

    >>> has_magic("tools/*.json"), has_magic("TOOL.md")
    (True, False)
    """
    return not _MAGIC.isdisjoint(path)


_MAGIC = frozenset("*?[")


def name_matcher(patterns: Iterable[str]) -> Callable[[str], object]:
    """What tells whether a name is one that a pattern of file names means, in whatever case it is written.

    >>> is_meant = name_matcher(["TOOL.md", "*.mcp.json", "a[0-9].json"])
    >>> [bool(is_meant(name)) for name in ("TOOL.md", "X.MCP.JSON", "a1.json", "TOOL.txt")]
    [True, True, True, False]
    """
    return re.compile("|".join(map(translate, patterns)) or "(?!)", re.IGNORECASE).match


def matches_glob(parts: Sequence[str], segments: Sequence[str]) -> bool:
    """Whether a path is one that a shell would put in place of a pattern; `**` is any number of folders."""
    indexes = _skip_stars({0}, segments)
    for part in parts:
        following = set()
        for index in indexes - {len(segments)}:
            segment = segments[index]
            if part.startswith(".") and not segment.startswith("."):
                continue  # a hidden one is meant only where the dot is written
            if segment == "**":
                following.add(index)
            elif fnmatchcase(part, segment):
                following.add(index + 1)
        indexes = _skip_stars(following, segments)
    return len(segments) in indexes


def _skip_stars(indexes: set[int], segments: Sequence[str]) -> set[int]:
    """The places in a pattern, and those behind every `**` that begins at one of them: it may be nothing at all."""
    out = set(indexes)
    for index in sorted(indexes):
        while index < len(segments) and segments[index] == "**":
            index += 1
            out.add(index)
    return out
