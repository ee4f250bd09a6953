"""Ranges of versions in npm's syntax, in which AIP-30 has a driver say which versions of a tool it runs."""

from __future__ import annotations

import re
from itertools import takewhile

from toolglot.regexes import compile_later

Version = tuple[int, ...]  # the first numbers of a version; it sorts before every version that begins with them
_VersionSpan = tuple[Version, Version]  # lowest version, which is in the span, and its end, which is not

_PART = compile_later(r"(\^|~>?|>=|<=|>|<|=)?\s*v?(\*|x|X|\d+(?:\.(?:\d+|\*|x|X)){0,2})?(?:[-+][\w.+-]*)?\Z", re.ASCII)
_HYPHEN = compile_later(r"(\S+)\s+-\s+(\S+)")
_GAP = compile_later(r"(\^|~>?|>=|<=|>|<|=)\s+")
_VERSION = compile_later(r"(\d{1,18})\.(\d{1,18})\.(\d{1,18})", re.ASCII)
_LONGEST_RANGE = 200  # characters of a range
_NO_END = (1 << 62,)  # end of a span without an end: `_VERSION` reads no number so large


def allows(range_: str, version: str) -> bool | None:
    """Whether a range holds a version; `None` where one of them cannot be read. Pre-releases count as their release.

    >>> allows("^1.2.0", "1.9.3"), allows("~1.2", "1.3.0"), allows(">=1 <2 || 4.x", "4.1.0"), allows("lots", "1.0.0")
    (True, False, True, None)
    >>> allows("1.2 - 2", "2.9.9"), allows("1.2 - 2", "1.1.0")
    (True, False)
    """
    match = _VERSION.match(version)
    if match is None or len(range_) > _LONGEST_RANGE:
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
    """The spans of one alternative, in all of which a version has to be; `None` where the text is no range."""
    spans = []
    choice = _HYPHEN.sub(r">=\1 <=\2", choice)
    for part in _GAP.sub(r"\1", choice).split() or ["*"]:
        match = _PART.match(part)
        if match is None:
            return None
        spans.append(_span(match[1] or "=", match[2] or ""))
    return spans


def _span(operator: str, text: str) -> _VersionSpan:
    """The versions of one comparison.

    >>> _span("^", "0.2.3"), _span("~", "1.2"), _span("=", "1.x")
    (((0, 2, 3), (0, 3)), ((1, 2), (1, 3)), ((1,), (2,)))
    """
    low = tuple(map(int, takewhile(str.isdigit, text.split("."))))  # the numbers before the first wildcard
    if not low:
        return (low, low if operator in ("<", ">") else _NO_END)
    after = _next_version(low)  # the first version that does not begin with these numbers
    first_nonzero = next((index for index, number in enumerate(low) if number), len(low) - 1)
    same_minor = (low, _next_version(low[:2]))
    spans = {
        "^": (low, _next_version(low[: first_nonzero + 1])),
        "~": same_minor,
        "~>": same_minor,
        ">=": (low, _NO_END),
        ">": (after, _NO_END),
        "<": ((), low),
        "<=": ((), after),
        "=": (low, after),
    }
    return spans[operator]


def _next_version(version: Version) -> Version:
    return (*version[:-1], version[-1] + 1)
