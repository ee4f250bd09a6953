"""Markdown below front matter, as several formats have it."""

from __future__ import annotations

# What stands in the place of characters that no document may hold as they are.
_HIDDEN = dict.fromkeys((*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xFEFF), "\ufffd")


def printable(text: str) -> str:
    """A text as a document may hold it, with a mark in the place of every control character.

    >>> printable("a\\x00b") == "a\\ufffdb"
    True
    """
    return text.translate(_HIDDEN)
