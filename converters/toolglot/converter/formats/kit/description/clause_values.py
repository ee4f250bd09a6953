"""Values in a sentence that can be read back: numbers, JSON, names, and texts without quotation marks.

A bare text ends at `;`, `,`, `|` or a closing bracket. It closes every bracket that it opens.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from toolglot.converter.text.wording import as_json, data_of_text
from toolglot.regexes import compile_later

LONGEST = 4_000  # characters of a value, and of what follows a description
_NAME = compile_later(r"[A-Za-z_$@][\w$@.-]*", re.ASCII)
_NUMBER = compile_later(r"-?[0-9][0-9.eE+-]{0,40}", re.ASCII)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ENDS = frozenset(";,|)]}")
_MARKS = compile_later(r"[()\[\]{};,|]")  # all of these; most texts have few


class Unsayable(ValueError):
    """There are no words for a value, or the words are such that no writer would write."""


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_refuse)


class Cursor:
    """A position in a text, which moves behind whatever is read. A missing part raises `Unsayable`."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.depth = 0  # of schemas within schemas

    def take(self, words: str) -> bool:
        """Whether the text continues with these words; if so, move behind them."""
        if not self.text.startswith(words, self.at):
            return False
        self.at += len(words)
        return True

    def take_match(self, pattern: re.Pattern[str]) -> str:
        """Move behind the match of a pattern at this position, and give it; empty where nothing matches."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def expect(self, words: str) -> None:
        """Move behind these words."""
        if not self.take(words):
            raise Unsayable(words)

    def end(self) -> None:
        """Require that nothing follows."""
        if self.at != len(self.text):
            raise Unsayable("something follows")

    def _match(self, pattern: re.Pattern[str]) -> str:
        words = self.take_match(pattern)
        if not words:
            raise Unsayable("no match")
        return words

    def _bare(self) -> str:
        text = self.text[self.at : _end_of_bare(self.text, self.at)].rstrip()  # the blank before a bar is the bar's
        self.at += len(text)
        return text

    def word(self) -> str:
        """A name without quotation marks."""
        return self._match(_NAME)

    def name(self) -> str:
        """A name; one that is no plain word has quotation marks."""
        if not self.text.startswith('"', self.at):
            return self.word()
        return str(self.value())

    def text_value(self) -> str:
        """A text, with or without quotation marks."""
        if self.text.startswith('"', self.at):
            return str(self.value())
        return self._bare()

    def number(self) -> int | float:
        """A number."""
        try:
            value = _DECODER.decode(self._match(_NUMBER))
        except ValueError as error:
            raise Unsayable("not a number") from error
        if not isinstance(value, int | float) or not math.isfinite(value):
            raise Unsayable("not a number")
        return value

    def value(self) -> Any:
        """A JSON value, or a bare text."""
        if self.text[self.at : self.at + 1] in ('"', "{", "["):
            try:
                value, self.at = _DECODER.raw_decode(self.text, self.at)
            except ValueError as error:
                raise Unsayable("not JSON") from error
            return value
        word = self._bare()
        try:
            return _DECODER.decode(word)
        except ValueError:
            return word

    def json_value(self) -> Any:
        """A JSON value; a text has quotation marks."""
        is_quoted = self.text.startswith('"', self.at)
        value = self.value()
        if isinstance(value, str) and not is_quoted:
            raise Unsayable("not JSON")
        return value


def _end_of_bare(text: str, at: int) -> int:
    open_brackets: list[str] = []
    for mark in _MARKS.finditer(text, at):
        char = mark[0]
        if open_brackets and char == open_brackets[-1]:
            open_brackets.pop()
        elif not open_brackets and char in _ENDS:
            return mark.start()
        elif char in _PAIRS:
            open_brackets.append(_PAIRS[char])
    return len(text)


def _is_bare(text: str) -> bool:
    """Whether a text needs no quotation marks: nothing in it ends it, and it closes every bracket."""
    whole = text != "" and text == text.strip() and text[0] not in '"{[' and text.isprintable()
    return whole and _end_of_bare(f"{text};", 0) == len(text)


def name(value: Any) -> str:
    """A name as `Cursor.name` reads it.

    >>> name("page_size"), name("a b")
    ('page_size', '"a b"')
    """
    if not isinstance(value, str):
        raise Unsayable("not a name")
    return value if _NAME.fullmatch(value) else json_value(value)


def text_value(value: Any) -> str:
    """A text as `Cursor.text_value` reads it.

    >>> text_value("^[a-z]{2,3}$"), text_value("a|b")
    ('^[a-z]{2,3}$', '"a|b"')
    """
    if not isinstance(value, str):
        raise Unsayable("not a text")
    return value if _is_bare(value) else json_value(value)


def number(value: Any) -> str:
    """A number as `Cursor.number` reads it."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Unsayable("not a number")
    text = as_json(value, LONGEST)
    if not _NUMBER.fullmatch(text):
        raise Unsayable("too long a number")
    return text


def any_value(value: Any) -> str:
    """A value as `Cursor.value` reads it.

    >>> any_value("now"), any_value("1"), any_value([1])
    ('now', '"1"', '[1]')
    """
    is_plain = isinstance(value, str) and _is_bare(value) and data_of_text(value) is value
    return str(value) if is_plain else json_value(value)


def json_value(value: Any) -> str:
    """A value as `Cursor.json_value` reads it."""
    text = as_json(value, LONGEST)
    if data_of_text(text) != value:
        raise Unsayable("no JSON, or too long")
    return text
