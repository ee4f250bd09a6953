"""Ranges of versions as npm writes them, which AIP-30 takes over for the versions of a tool that a driver runs."""

from __future__ import annotations

import re
from itertools import takewhile

from toolglot.regexes import compile_later

Version = tuple[int, ...]  # the first numbers of one; it comes before all that begin with them
_VersionSpan = tuple[Version, Version]  # from the first, which is in it, to the second, which is not

_PART = compile_later(r"(\^|~>?|>=|<=|>|<|=)?\s*v?(\*|x|X|\d+(?:\.(?:\d+|\*|x|X)){0,2})?(?:[-+][\w.+-]*)?\Z", re.ASCII)
_HYPHEN = compile_later(r"(\S+)\s+-\s+(\S+)")
_GAP = compile_later(r"(\^|~>?|>=|<=|>|<|=)\s+")
_VERSION = compile_later(r"(\d{1,18})\.(\d{1,18})\.(\d{1,18})", re.ASCII)
_LONGEST = 200
_BEYOND = (1 << 62,)


def allows(range_: str, version: str) -> bool | None:
    """Whether a range holds a version; `None` where one of them cannot be read. Pre-releases count as their release.

    >>> allows("^1.2.0", "1.9.3"), allows("~1.2", "1.3.0"), allows(">=1 <2 || 4.x", "4.1.0"), allows("lots", "1.0.0")
    (True, False, True, None)
    >>> allows("1.2 - 2", "2.9.9"), allows("1.2 - 2", "1.1.0")
    (True, False)
    """
    match = _VERSION.match(version)
    if match is None or len(range_) > _LONGEST:
        return None
    number = tuple(map(int, match.groups()))
    is_held = False
    for choice in range_.split("||"):
        spans = _spans(choice.strip())
        if spans is None:
            return None
        is_held = is_held or all(low <= number < high for low, high in spans)
    return is_held


def _spans(choice: str) -> list[_VersionSpan] | None:
    """The spans of which a version has to be in each."""
    spans = []
    choice = _HYPHEN.sub(r">=\1 <=\2", choice)
    for part in _GAP.sub(r"\1", choice).split() or ["*"]:
        match = _PART.match(part)
        if match is None:
            return None
        spans.append(_span(match[1] or "=", match[2] or ""))
    return spans


def _span(operator: str, text: str) -> _VersionSpan:
    low = tuple(map(int, takewhile(str.isdigit, text.split("."))))  # the numbers before the first wildcard
    if not low:
        return (low, low if operator in ("<", ">") else _BEYOND)
    after = _next(low)  # the first version that does not begin with these numbers
    leading = next((index for index, number in enumerate(low) if number), len(low) - 1)
    near = (low, _next(low[:2]))
    spans = {
        "^": (low, _next(low[: leading + 1])),
        "~": near,
        "~>": near,
        ">=": (low, _BEYOND),
        ">": (after, _BEYOND),
        "<": ((), low),
        "<=": ((), after),
        "=": (low, after),
    }
    return spans[operator]


def _next(version: Version) -> Version:
    return (*version[:-1], version[-1] + 1)
