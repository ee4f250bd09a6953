"""What all readers share: bytes as text, lines and columns in it, numbers, and data that is put together."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from typing import Any, TypeAlias

import msgspec

from toolglot.converter.text.wording import quote_text
from toolglot.errors import LimitError, ParseError
from toolglot.regexes import compile_later

MAX_DIGITS = 4300
"""The longest integer that Python itself prints; one that is longer could be read but never written."""

MAX_BITS = 14_284
"""The bits of the smallest integer that has more than `MAX_DIGITS` digits, less one."""

_BOM = "\ufeff"
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_NEWLINE = re.compile("\n")
_CONTROL = compile_later("[\x00-\x08\x0b\x0c\x0e-\x1f]")

Mark: TypeAlias = "tuple[int, dict[str, Mark] | list[Mark] | None]"
"""Where a value starts, and the same for each of its children."""


class SourceText(msgspec.Struct, eq=False):
    """A text with its name; `start` is where the part that a reader looks at begins.

    Args:
        text: the whole text, so that lines are counted from its top.
        name: name of the file for messages, or `None`.
        first_line: the number of its first line, where it is a part of a file.
        max_depth, max_nodes: as of `Limits`, for whoever reads it.
    """

    text: str
    name: str | None
    first_line: int = 1
    max_depth: int = 64
    max_nodes: int = 1_000_000
    _starts: list[int] = []

    def where(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1.

        Columns count characters and only `\\n` ends a line, as editors do; libyaml also counts U+2028.

        >>> SourceText("ab\\ncd", None).where(4)
        (2, 2)
        """
        if not self._starts:
            self._starts = [0, *(newline.end() for newline in _NEWLINE.finditer(self.text))]
        line = bisect_right(self._starts, offset)
        return self.first_line + line - 1, offset - self._starts[line - 1] + 1

    def wrong(self, code: str, message: str, offset: int) -> ParseError:
        """The `ParseError` to raise for a fault at an offset."""
        line, column = self.where(offset)
        return ParseError(message, code, line=line, column=column, source=self.name)

    def beyond(self, code: str, message: str, offset: int) -> LimitError:
        """The `LimitError` to raise for something too deep, too long or too many at an offset."""
        line, column = self.where(offset)
        return LimitError(message, code, line=line, column=column, source=self.name)

    def integer(self, literal: str, offset: int) -> int:
        """The integer that a decimal literal says; `LimitError` beyond `MAX_DIGITS`, also where Python's own
        limit was lowered."""
        try:
            if len(literal.lstrip("+-")) <= MAX_DIGITS:
                return int(literal)
        except ValueError:
            pass
        raise self.number_too_long(literal, offset)

    def finite_float(self, literal: str, offset: int) -> float:
        """The float that a literal says; `ParseError` where only an infinity is near it."""
        value = float(literal)
        if value in (float("inf"), float("-inf")):
            raise self.not_finite(literal, offset)
        return value

    def refuse_controls(self, raw: bytes) -> None:
        """`ParseError` where a control character other than tab and newline stands in the text.

        `raw` is the same text as UTF-8: deleting from bytes is eight times faster than searching a string.
        """
        if len(raw.translate(None, _CONTROLS)) != len(raw):
            control = _CONTROL.search(self.text)
            assert control is not None
            message = f"the control character {quote_text(control[0])} stands in the text; remove it"
            raise self.wrong("control-character", message, control.start())

    def duplicate(self, key: str, offset: int, first: int) -> ParseError:
        """The error for a key that an object holds twice."""
        line, column = self.where(first)
        message = f"the key {quote_text(key)} is already at line {line}, column {column}; keep one of the two"
        return self.wrong("duplicate-key", message, offset)

    def too_deep(self, offset: int) -> LimitError:
        """The error for a value inside more than `max_depth` lists and objects."""
        return self.beyond("too-deep", too_deep_message(self.max_depth), offset)

    def number_too_long(self, literal: str, offset: int) -> LimitError:
        """The error for an integer that could be read but never be written again."""
        message = f"an integer of {len(literal)} characters; the longest has {MAX_DIGITS}; use a string"
        return self.beyond("number-too-long", message, offset)

    def not_finite(self, literal: str, offset: int) -> ParseError:
        """The error for infinities, for NaN and for numbers that are too large to be anything else."""
        message = f"{quote_text(literal)} is not a finite number, which JSON cannot hold; use null or a string"
        if any(map(str.isdigit, literal)):
            message = f"{quote_text(literal)} is beyond the numbers that can be read, about -1.79e308 to 1.79e308"
        return self.wrong("non-finite-number", message, offset)


class TreeBuilder:
    """Data and where everything in it starts, put together value by value and without recursion.

    Attributes:
        source: the text that it is read from.
        start: where in it the part begins that is read.
        root: the whole, as soon as it has begun.
        container: the innermost list or object that is open, and `places`, the marks of what is in it.
        keys: of an object, with their offsets as far as somebody asks for them.
        key: that of the value which comes next, in an object.
        outer: container, places and keys of what is open around it.
    """

    def __init__(self, source: SourceText, start: int) -> None:
        self.source = source
        self.start = start
        self.root: tuple[Any, Mark] | None = None
        self.container: Any = None
        self.places: Any = None
        self.keys: dict[str, int] = {}
        self.key: str | None = None
        self.outer: list[tuple[Any, Any, dict[str, int]]] = []

    def place(self, value: Any, inner: Any, offset: int) -> None:
        """Put a value where the innermost container expects one; `inner` are the marks of what is in it."""
        mark: Mark = offset, inner
        if self.key is not None:
            self.container[self.key] = value
            self.places[self.key] = mark
            self.key = None
        elif self.container is not None:
            self.container.append(value)
            self.places.append(mark)
        else:
            self.root = value, mark

    def open(self, kind: type, offset: int) -> None:
        """Begin a list or an object, of which the marks are of the same kind."""
        if len(self.outer) >= self.source.max_depth:
            raise self.source.too_deep(offset)
        value, inner = kind(), kind()
        self.place(value, inner, offset)
        self.outer.append((self.container, self.places, self.keys))
        self.container, self.places, self.keys = value, inner, {}

    def close(self, sign: Any) -> None:
        """End the innermost container; `sign` says so."""
        self.container, self.places, self.keys = self.outer.pop()

    def name_next(self, key: str, offset: int) -> None:
        """Say the key of the next value, which must not be there yet."""
        first = self.keys.setdefault(key, offset)
        if first != offset:
            raise self.source.duplicate(key, offset, first)
        self.key = key


def too_deep_message(max_depth: int) -> str:
    """The sentence for data that is nested too deeply, the same wherever it is noticed."""
    return f"nested deeper than {max_depth} levels; flatten it; in Python, Limits.max_depth allows more"


def decode(content: str | bytes, name: str | None, first_line: int = 1) -> tuple[str, bytes, bool]:
    """A text without its byte order mark, the same in UTF-8, and whether it had the mark.

    Args:
        content: of a file, its bytes in UTF-8 or what was read already.
        first_line: as for `SourceText`.

    Raises:
        ParseError: the bytes are something else, or compressed; the text has half of a character (codes `not-utf-8`,
            `compressed`, `lone-surrogate`).

    >>> decode(b"\\xef\\xbb\\xbfid: a", None)
    ('id: a', b'id: a', True)
    """
    if not isinstance(content, str):
        text = _decode_bytes(content, name, first_line)
        return text.removeprefix(_BOM), content.removeprefix(codecs.BOM_UTF8), text.startswith(_BOM)
    text = content.removeprefix(_BOM)
    try:
        return text, text.encode(), content.startswith(_BOM)
    except UnicodeEncodeError as error:
        message = "half of a character (a lone surrogate) stands in the text; remove it"
        raise SourceText(text, name, first_line).wrong("lone-surrogate", message, error.start) from None


def _decode_bytes(raw: bytes, name: str | None, first_line: int) -> str:
    if raw[:2] == b"\x1f\x8b":
        message = "this is compressed with gzip; unpack it (`convert` reads compressed JSON Lines as they are)"
        raise ParseError(message, "compressed", source=name)
    # UTF-16 without a byte order mark is valid UTF-8 with a NUL for every other character.
    if raw[:4].count(0) > 1 or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        offset = 0 if raw[0] > 127 else raw.find(0)
        raise _not_utf8("it looks like UTF-16 or UTF-32", offset, name, first_line)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode().removeprefix(_BOM)
        reason = f"the byte 0x{raw[error.start]:02x} fits nowhere"
        position = SourceText(before, name, first_line).where(len(before))
        raise _not_utf8(reason, error.start, name, *position) from None


def _not_utf8(reason: str, offset: int, name: str | None, line: int = 1, column: int = 1) -> ParseError:
    message = f"not UTF-8 at byte {offset}: {reason}; save the file as UTF-8"
    return ParseError(message, "not-utf-8", line=line, column=column, source=name)
