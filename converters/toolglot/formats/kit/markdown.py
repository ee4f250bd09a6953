"""Markdown below front matter, as several formats have it."""

from __future__ import annotations

from toolglot.regexes import compile_later

_HIDDEN = compile_later("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]")  # no document may hold them as they are


def printable(text: str) -> str:
    """A text as a document may hold it, with a mark in the place of every control character.

    >>> printable("a\\x00b") == "a\\ufffdb"
    True
    """
    return _HIDDEN.sub("\ufffd", text)
