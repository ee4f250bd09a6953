"""YAML text that every reader takes for the same data.

PyYAML's emitter is not used: it escapes every emoji, and cannot say which strings other readers would take for
numbers.
"""

from __future__ import annotations

import json
import re
from typing import Any

from toolglot.converter.text.source_text import too_deep_message
from toolglot.errors import LimitError

_MAX_DEPTH = 200
_CONTAINERS = (dict, list)
# A reader looks for the colon of a key only this far; libyaml stops at 1024 characters.
_LONGEST_KEY = 1000
# Without what reorders or hides text where somebody reads it: bidirectional controls and tags.
_VISIBLE = (
    "\x20-\x7e\xa0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    "\U00010000-\U000dffff\U000e0080-\U0010ffff"
)
_SINGLE_LINE = re.compile(f"[{_VISIBLE}]*").fullmatch
_MANY_LINES = re.compile(f"[{_VISIBLE}\t\n]*").fullmatch
_NOT_PLAIN = re.compile(r"[-?:,\[\]{}#&*!|>'\"%@` ]|\.\.\.|.*(?:: | #)|.*[: ]\Z|\Z").match
_WORDS_OF_ANY_READER = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<"))
# What YAML 1.1 or 1.2 takes for an integer, a float, a sexagesimal number or a date.
_NUMBER_OF_ANY_READER = re.compile(
    r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*(?::[0-9_]+)*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?"
    r"|\.[0-9_]+(?:e[-+]?[0-9]+)?|\.inf|\.nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE,
).fullmatch
_SPACE_AT_LINE_END = re.compile(r"[ \t](?:\n|\Z)").search
_START_OF_FULL_LINE = re.compile("^(?!$)", re.MULTILINE)
_TO_ESCAPE = re.compile(f"[^{_VISIBLE}]")


def dump(data: Any) -> str:
    """YAML that every reader takes for the same data, with a final newline.

    Raises:
        ValueError: NaN, an infinity or an integer that Python refuses to print.
        TypeError: something that JSON has no form for.
        LimitError: nested deeper than 200 levels.
    """
    parts: list[str] = []
    if type(data) in _CONTAINERS and data:
        _write(data, 0, "", parts)
    else:
        parts += _scalar(data, 0), "\n"
    return "".join(parts)


def _write(data: Any, depth: int, lead: str, parts: list[str]) -> None:
    """Append a list or mapping that is not empty; `lead` stands before its first line instead of blanks."""
    if depth > _MAX_DEPTH:
        raise LimitError(too_deep_message(_MAX_DEPTH), "too-deep")
    pad = "  " * depth
    if type(data) is dict:
        for key, value in data.items():
            name = _write_key(key)
            if len(name) > _LONGEST_KEY:
                parts += lead, "? ", name, "\n", pad, ":"
            else:
                parts += lead, name, ":"
            lead = pad
            if type(value) in _CONTAINERS and value:
                parts.append("\n")
                _write(value, depth + 1, pad + "  ", parts)
            else:
                parts += " ", _scalar(value, depth + 1), "\n"
        return
    for value in data:
        if type(value) in _CONTAINERS and value:
            _write(value, depth + 1, lead + "- ", parts)
        else:
            parts += lead, "- ", _scalar(value, depth + 1), "\n"
        lead = pad


def _write_key(key: Any) -> str:
    if type(key) is not str:
        raise TypeError(f"a key of type {type(key).__name__}")
    return _write_on_one_line(key)


def _scalar(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return _block(value, depth) if "\n" in value else _write_on_one_line(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind in _CONTAINERS:  # which are empty here
        return str(value)
    if kind is float:
        if value - value != 0:
            raise ValueError("not a finite number")
        literal = repr(value)
        # `1e+16` is a float in YAML 1.2 but a string in 1.1.
        return literal if "." in literal else literal.replace("e", ".0e")
    raise TypeError(f"a value of type {kind.__name__}")


def _write_on_one_line(text: str) -> str:
    """A string on one line: plain where nobody can take it for anything else."""
    if not _SINGLE_LINE(text):
        return _quote_as_json(text)
    if _NOT_PLAIN(text) or text.lower() in _WORDS_OF_ANY_READER or _NUMBER_OF_ANY_READER(text):
        if "'" in text and '"' not in text and "\\" not in text:
            return _quote_as_json(text)
        return "'" + text.replace("'", "''") + "'"
    return text


def _block(text: str, depth: int) -> str:
    """A string of several lines: as a block of lines where that is exact, escaped elsewhere."""
    if text[0] in " \n\t" or not _MANY_LINES(text) or _SPACE_AT_LINE_END(text):
        return _quote_as_json(text)
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    indicator = ("-", "")[ends] if ends < 2 else "+"
    block = _START_OF_FULL_LINE.sub("  " * max(depth, 1), body)
    return f"|{indicator}\n" + block + "\n" * (ends - 1)


def _quote_as_json(text: str) -> str:
    """The JSON form, which is YAML too once the characters that only YAML minds are escaped."""
    literal = json.dumps(text, ensure_ascii=False)
    return _TO_ESCAPE.sub(_escape, literal)


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
