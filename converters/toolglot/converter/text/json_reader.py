"""JSON, read exactly.

Two readers. `read` is fast: msgspec decodes, and two counts prove that it dropped no duplicate key and
went not too deep. Where the proof fails, or msgspec refuses, `read_carefully` decides: it is
fourteen times slower, never recurses, and knows where every value stands, so it also says what is wrong.

jiter refuses duplicate keys by itself, in six tenths of the time of decoding and counting. But it takes 200 levels
whatever is asked, so that the depth would have to be counted after all, it reads 1e999 as an infinity, and importing
it takes 3 ms, more than it saves on a text of 500 kB.

JSON with comments becomes plain JSON by `blank_comments`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import msgspec

from toolglot.converter.text.source_text import Mark, SourceText, TreeBuilder
from toolglot.converter.text.wording import quote_text
from toolglot.errors import ParseError
from toolglot.regexes import compile_later

scan_string: Callable[[str, int], tuple[str, int]] = json.JSONDecoder().raw_decode
"""A JSON string from its first quote on: its value, and the offset after its last."""

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
_REFUSALS = (msgspec.MsgspecError, RecursionError)
_SPACES = b" \t\r"
_BLANKS = b" \t\r\n"
_BLANK = compile_later(r"[ \t\r\n]*")
_LINE = compile_later(r"^[ \t\r]*+[^ \t\r\n][^\n]*+", re.MULTILINE)  # one that is not blank
TOKEN = compile_later(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s,:{}\[\]"]+', re.DOTALL)
"""A string, a bracket, or a literal; nothing between them means anything in JSON but commas and colons."""
_NUMBER = compile_later(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = compile_later(r"-?[A-Za-z]+")
_WORDS = {"true": True, "false": False, "null": None}
_STRING_FAULTS = {"Invalid control character at": r"a line break or a tab stands there as it is, and not as \n or \t"}
_SURROGATE = compile_later("[\ud800-\udfff]")
_ESCAPE = compile_later(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<lone>u[dD][89a-fA-F]..)|.)", re.DOTALL)


def read(source: SourceText, raw: bytes) -> Any:
    """The data of a text that is one JSON value.

    Args:
        source: the text.
        raw: the same text as UTF-8 without BOM.

    Raises:
        ParseError: not JSON, a duplicate key, NaN, a lone surrogate.
        LimitError: nested too deeply, an integer too long.
    """
    try:
        data = _decode(raw)
    except _REFUSALS:
        pass
    else:
        if _is_faithful(data, raw, source.max_depth):
            return data
    source.refuse_controls(raw)
    return read_carefully(source, 0, len(source.text))[0]


def read_lines(source: SourceText, raw: bytes) -> list[Any]:
    """The data of a text whose non-blank lines are one JSON value each; arguments and errors as `read`."""
    try:
        data = [_decode(line) for line in raw.split(b"\n") if line.strip(_SPACES)]
    except _REFUSALS:
        pass
    else:
        if _is_faithful(data, raw, source.max_depth + 1):
            return data
    source.refuse_controls(raw)
    return [read_carefully(source, start, end)[0] for start, end in spans_of_lines(source.text)]


def marks(source: SourceText, are_lines: bool) -> Mark:
    """Where every value of a JSON text that was read without errors starts; of lines, they are the children of it."""
    if not are_lines:
        return _marks(source.text, 0, len(source.text))
    return 0, [_marks(source.text, start, end) for start, end in spans_of_lines(source.text)]


def _marks(text: str, start: int, end: int) -> Mark:
    top: list[Mark] = []
    # The open list or object: the marks of its children, and in an object the key that waits for its value.
    stack: list[tuple[Any, str | None]] = []
    children: Any = top
    key: str | None = None
    for token in TOKEN.finditer(text, start, end):
        at = token.start()
        first = text[at]
        if first == "}" or first == "]":
            children, key = stack.pop()
            continue
        if first == '"' and key is None and type(children) is dict:
            key = scan_string(text, at)[0]
            continue
        inner: Any = None
        if first == "{":
            inner = {}
        elif first == "[":
            inner = []
        if key is None:
            children.append((at, inner))
        else:
            children[key] = at, inner
            key = None
        if inner is not None:
            stack.append((children, key))
            children = inner
    return top[0]


def spans_of_lines(text: str) -> Iterator[tuple[int, int]]:
    """Where each line that is not blank begins and ends."""
    return (line.span() for line in _LINE.finditer(text))


def _is_faithful(data: Any, raw: bytes, max_depth: int) -> bool:
    """Whether msgspec's data is certainly all that the text says.

    msgspec keeps the last of two duplicate keys without a word. Every key of the text ends in a quote
    followed, blanks aside, by a colon, so the occurrences of `":` are at least as many as the keys; as many
    occurrences as keys in the data then mean that none was dropped. The alternative, the standard library
    with a hook per object, takes twice as long.
    """
    dense = raw.translate(None, _BLANKS)
    if raw.count(b"{") + raw.count(b"[") <= max_depth and _is_written_again(data, dense):
        return True
    keys = 0
    values: list[Any] = [data]
    for _ in range(max_depth + 1):
        # Most values are strings: one pass without them makes the next two short.
        others = [value for value in values if type(value) is not str]
        objects = [value for value in others if type(value) is dict]
        lists = [value for value in others if type(value) is list]
        if not objects and not lists:
            break
        keys += sum(map(len, objects))
        values = [*chain.from_iterable(map(dict.values, objects)), *chain.from_iterable(lists)]
    else:
        return False
    ends = dense.count(b'":')
    if ends == keys:
        return True
    # `\":` is a quote inside a string, unless the backslash is itself escaped; prose that shows JSON has it.
    return ends - dense.count(b'\\":') + dense.count(b'\\\\":') == keys


def _is_written_again(data: Any, dense: bytes) -> bool:
    """Whether the data is written with the very tokens that it was read from; a dropped key would be missing.

    Blanks count nowhere, not even in strings, because they separate no two tokens of JSON. It takes a third of the
    time of the counts, and holds for texts without escapes and unusual numbers.
    """
    try:
        return _encode(data).translate(None, _BLANKS) == dense
    except (OverflowError, UnicodeEncodeError):  # what msgspec reads and cannot write
        return False


def read_carefully(source: SourceText, start: int, end: int) -> tuple[Any, Mark]:
    """The JSON value in a part of the text, and where everything in it starts; errors as `read`."""
    return _CarefulReader(source, start, end).read()


_END: dict[type, str] = {dict: "}", list: "]"}


class _CarefulReader(TreeBuilder):
    """One value, read token by token."""

    def __init__(self, source: SourceText, start: int, end: int) -> None:
        super().__init__(source, start)
        self.text = source.text[start:end]
        self.at = 0

    def read(self) -> tuple[Any, Mark]:
        self.go_to(0)
        while self.read_value() or self.reach_next_value():
            pass
        if self.at < len(self.text):
            message = (
                f"the JSON value ends before {quote_text(self.text[self.at : self.at + 20])}; keep one value per file"
            )
            raise self.source.wrong("json-extra-data", message, self.start + self.at)
        assert self.root is not None
        return self.root

    def next(self) -> str:
        """The next character; empty at the end."""
        return self.text[self.at : self.at + 1]

    def go_to(self, at: int) -> None:
        """Go on at an offset, or behind the blanks there."""
        blank = _BLANK.match(self.text, at)
        self.at = blank.end() if blank else at

    def wrong(self, code: str, message: str, offset: int) -> ParseError:
        return self.source.wrong(code, message, self.start + offset)

    def unexpected(self, expected: str) -> ParseError:
        rest = self.text[self.at : self.at + 2]
        if not rest:
            problem = "the JSON text ends"
        elif rest in ("//", "/*") or rest[0] == "#":
            problem = "JSON has no comments: remove this one;"
        elif rest[0] == "'":
            problem = "JSON strings stand in double quotes, not single ones:"
        elif rest[0] in "]}," and self.text[: self.at].rstrip(" \t\r\n")[-1:] == ",":
            problem = f"a comma too many before {rest[0]!r}:"
        else:
            word = _WORD.match(self.text, self.at)
            actual = word[0] if word else rest[0]
            problem = f"found {quote_text(actual)}"
        return self.wrong("json-syntax", f"{problem} where {expected} was expected", self.at)

    def read_value(self) -> bool:
        """Read a scalar, or the beginning of a list or an object; whether a value inside it comes next."""
        sign = self.next()
        if sign == "{":
            return self.open_container(dict)
        if sign == "[":
            return self.open_container(list)
        value, after = self.string() if sign == '"' else self.literal()
        self.place(value, None, self.start + self.at)
        self.go_to(after)
        return False

    def open_container(self, kind: type) -> bool:
        self.open(kind, self.start + self.at)
        self.go_to(self.at + 1)
        return self.next() != _END[kind] and self.reach_member()

    def reach_member(self) -> bool:
        """Go past the key of an object's next value."""
        if type(self.container) is dict:
            self.read_key()
        return True

    def reach_next_value(self) -> bool:
        """Go past what ends here; whether another value follows."""
        while self.outer:
            sign = self.next()
            if sign == ",":
                self.go_to(self.at + 1)
                return self.reach_member()
            end = _END[type(self.container)]
            if sign != end:
                raise self.unexpected(f"a comma or {end}")
            self.close(sign)
            self.go_to(self.at + 1)
        return False

    def read_key(self) -> None:
        if self.next() != '"':
            raise self.unexpected("a key in double quotes")
        key, after = self.string()
        self.name_next(key, self.start + self.at)
        self.go_to(after)
        if self.next() != ":":
            raise self.unexpected("a colon after the key")
        self.go_to(self.at + 1)

    def string(self) -> tuple[str, int]:
        """A string, and where it ends."""
        try:
            value, after = scan_string(self.text, self.at)
        except json.JSONDecodeError as error:
            fault = _STRING_FAULTS.get(error.msg, f"{error.msg[0].lower()}{error.msg[1:].removesuffix(' at')}")
            raise self.wrong("json-syntax", f"in a JSON string: {fault}", error.pos) from None
        for escape in _ESCAPE.finditer(self.text, self.at, after) if _SURROGATE.search(value) else ():
            if escape["lone"]:
                message = f"{escape[0]} is half of a character; write both halves, or the character itself"
                raise self.wrong("lone-surrogate", message, escape.start())
        return value, after

    def literal(self) -> tuple[Any, int]:
        """A number or a word, and where it ends."""
        offset = self.start + self.at
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            is_whole = number[1] is None and number[2] is None
            return (self.source.integer if is_whole else self.source.finite_float)(number[0], offset), number.end()
        word = _WORD.match(self.text, self.at)
        if word and word[0] in _WORDS:
            return _WORDS[word[0]], word.end()
        if word and word[0].lstrip("-") in ("NaN", "Infinity"):
            raise self.source.not_finite(word[0], offset)
        raise self.unexpected("a JSON value")


def dump(data: Any, indent: int | None) -> bytes:
    """JSON as UTF-8, without a final newline.

    Raises:
        ValueError: NaN, an infinity or an integer that Python refuses to print.
        RecursionError: nested too deeply.
    """
    try:
        raw = msgspec.json.encode(data)
        # msgspec writes NaN and infinities as null; a text without null had none.
        exact = b"null" not in raw or not _has_non_finite(data)
    except (OverflowError, UnicodeEncodeError):
        exact = False
    if not exact:
        # The slow path knows integers of any size, and raises on NaN.
        compact = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        raw = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", compact).encode()
    return raw if indent is None else msgspec.json.format(raw, indent=indent)


def _has_non_finite(data: Any) -> bool:
    values = [data]
    while values:
        if any(type(value) is float and value - value != 0 for value in values):
            return True
        objects = (value.values() for value in values if type(value) is dict)
        lists = (value for value in values if type(value) is list)
        values = [*chain.from_iterable(objects), *chain.from_iterable(lists)]
    return False


# Strings are stepped over, so that nothing in one is taken for a comment. What has no end goes to the end.
_TOKEN_OR_COMMENT = compile_later(r'"(?:[^"\\]++|\\.)*+"?|//[^\n]*|/\*(?:.*?\*/|.*)|[^\s"/,\]}]++|[,\]}/]', re.DOTALL)
_VISIBLE = compile_later(r"[^\r\n]")


def blank_comments(text: str) -> str:
    r"""JSON with comments, as editors keep their settings, as plain JSON: lines and columns stay.

    Blanks stand in place of comments, and of commas before a closing bracket.

    >>> blank_comments('{"a": 1, // one\n}')
    '{"a": 1        \n}'
    """
    parts: list[str] = []
    end, comma = 0, None  # the place of a comma among the parts, while nothing but blanks and comments followed
    for token in _TOKEN_OR_COMMENT.finditer(text):
        parts.append(text[end : token.start()])
        end, word = token.end(), token[0]
        if word.startswith(("//", "/*")):
            parts.append(_VISIBLE.sub(" ", word))
            continue
        if word in "]}" and comma is not None:
            parts[comma] = " "
        comma = len(parts) if word == "," else None
        parts.append(word)
    return "".join([*parts, text[end:]])
