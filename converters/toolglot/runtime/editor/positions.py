"""Offsets in a text as the protocol counts them: lines, and in each the units of UTF-8, UTF-16 or UTF-32.

pygls has lines of its own, by `str.splitlines`: it ends them at U+2028, U+0085 and form feeds too, where the protocol
and our own positions do not, so that every line after one would be off.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, Range

_LINE_END = re.compile(r"\r\n|\n|\r")
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
# A quoted text, an opening bracket, or what stands there up to a comment or the end of its line.
_WORD = re.compile(
    r"""'[^'\r\n]*'|"(?:[^"\\\r\n]|\\.)*"|[\[{]|[^\r\n,:\[\]{}]{1,400}?(?=[ \t]*(?:[,:\[\]{}\r\n]|\Z|[ \t]\#))|"""
)


class TextPositions:
    """Positions in one text.

    Args:
        text: the whole text.
        encoding: what the client and the server agreed on: `"utf-8"`, `"utf-16"` or `"utf-32"`.

    >>> places = TextPositions("a\\u2028\\U0001f4a3b\\r\\nc", "utf-16")
    >>> places.position(3), places.offset(Position(0, 4)), places.offset(Position(1, 9))
    (0:4, 3, 7)
    """

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self._codec, self._size = _CODECS[encoding]
        ends = [end.end() for end in _LINE_END.finditer(text)]
        self._starts = [0, *ends, len(text) + 1]
        self._starts_of_ours = [0, *[end for end in ends if text[end - 1] == "\n"]]

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : offset]
        return Position(line, len(before.encode(self._codec, "replace")) // self._size)

    def offset(self, position: Position) -> int:
        """The offset of a position; the end of the line where it lies behind that, or of the text."""
        if position.line + 1 >= len(self._starts):
            return len(self.text)
        start, end = self._starts[position.line : position.line + 2]
        line = self.text[start:end].rstrip("\r\n")
        units = line.encode(self._codec, "replace")[: position.character * self._size]
        return start + len(units.decode(self._codec, "ignore"))

    def offset_of(self, line: int, column: int) -> int:
        """The offset of a line and a column as `check` counts them: from 1, in characters, and only `\\n` ends a line.

        >>> TextPositions("a\\rb\\nc", "utf-8").offset_of(2, 1)
        4
        """
        starts = self._starts_of_ours
        return min(starts[min(line, len(starts)) - 1] + column - 1, len(self.text))

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets."""
        return Range(self.position(start), self.position(end))

    def word_range(self, offset: int) -> Range:
        """The range of what is written at an offset, or of the character there."""
        word = _WORD.match(self.text, offset)
        return self.range(offset, max(word.end() if word else 0, min(offset + 1, len(self.text))))
