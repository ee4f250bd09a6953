"""Glob patterns as a shell has them, held to paths part by part: in bounded time, whatever they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase


def has_magic(path: str) -> bool:
    """Whether a path may be a pattern; as `glob.has_magic`, whose module takes 1 ms to load.

    >>> has_magic("tools/*.json"), has_magic("TOOL.md")
    (True, False)
    """
    return not _MAGIC.isdisjoint(path)


_MAGIC = frozenset("*?[")


class NamePatterns:
    """Patterns of file names. Most are a name or an ending, which need no regular expression.

    >>> patterns = NamePatterns(["TOOL.md", "*.mcp.json", "a[0-9].json"])
    >>> [patterns.match(name) for name in ("TOOL.md", "x.mcp.json", "a1.json", "tool.md")]
    [True, True, True, False]
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._names: set[str] = set()
        self._endings: tuple[str, ...] = ()
        self._others: list[str] = []
        for pattern in patterns:
            ending = pattern.removeprefix("*")
            if has_magic(ending):
                self._others.append(pattern)
            elif ending == pattern:
                self._names.add(pattern)
            else:
                self._endings += (ending,)

    def match(self, name: str) -> bool:
        """Whether one of them is a pattern of this name."""
        if name in self._names or name.endswith(self._endings):
            return True
        return any(fnmatchcase(name, pattern) for pattern in self._others)


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
