"""Secrets in JSON, and in texts that may be JSON: it is JSON afterwards.

Strings are redacted one by one, because a rule for text could run over a quote, and what stands below a name such as
`password` is secret as a whole. The other tokens stay as they are written, down to their blanks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from toolglot.converter.schema.keywords import TYPES
from toolglot.runtime.bridge.redaction.assignments import NAMED_KEYS, NAMING_KEYS
from toolglot.runtime.bridge.redaction.contexts import subject_of_line
from toolglot.runtime.bridge.redaction.free_text import REDACTED, redact_free_text
from toolglot.runtime.bridge.redaction.secret_names import NameKind, is_name_of_secret, judge_name
from toolglot.runtime.bridge.redaction.secret_values import fits_name, is_quoted_secret

_DEEPEST = 3  # texts within texts that are looked at as JSON


def redact(text: str) -> str:
    """`text` with every secret that the built-in rules know replaced by `[REDACTED]`; JSON stays JSON.

    >>> redact('{"note": "me:hunter2 is no URL", "token": "abc"}')
    '{"note": "me:hunter2 is no URL", "token": "[REDACTED]"}'
    """
    return _redact(text, _DEEPEST)


def _redact(text: str, depth: int) -> str:
    if depth and _is_json(text):
        return "".join(_redact_json(text, depth - 1, _NOT_HIDDEN))
    if not depth:
        return redact_free_text(text)
    parts: list[str] = []
    position = 0
    for start, end in _documents_in(text):
        before = text[position:start]
        hidden = _Hidden(path=subject_of_line(before.rstrip().rpartition("\n")[2]))
        parts += [redact_free_text(before), "".join(_redact_json(text[start:end], depth - 1, hidden))]
        position = end
    return "".join((*parts, redact_free_text(text[position:])))


_OPENING = re.compile(r"^[{\[][ \t]*+$", re.MULTILINE)
_MOST_OPENINGS = 20  # of which each may cost a look at the rest of the text


def _documents_in(text: str) -> Iterator[tuple[int, int]]:
    """Where JSON of several lines stands between other lines, such as a command and what it printed."""
    end = 0
    for opening in islice(_OPENING.finditer(text), _MOST_OPENINGS):
        if opening.start() < end:
            continue
        try:
            _, end = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        yield opening.start(), end


_DECODER = json.JSONDecoder(parse_int=str)


def _is_json(text: str) -> bool:
    if text.lstrip(" \t\r\n")[:1] not in ("{", "[", '"'):
        return False
    try:
        json.loads(text, parse_int=str)  # an integer of a million digits is not worth its conversion
    except (ValueError, RecursionError):
        return False
    return True


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}:,]|[^\s"\[\]{}:,]++|\s++')
# What may be a value in an object that describes one; its other keys hold none.
_VALUES = frozenset({"default", "const", "enum", "example", "examples", "value", "key", "data", "content", "plaintext"})
_DESCRIBED_TYPES = frozenset((*TYPES, "apiKey", "http", "oauth2"))  # also of security schemes
_DESCRIBING = frozenset({"description", "integrity", "resolved"})  # a parameter, or a package of a lock file
_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie", "auth", "_auth"})
_KINDS_OF_NUMBERS = (NameKind.PASSWORD, NameKind.CODE)


class _Object(NamedTuple):
    """What an object says of itself by its own texts, wherever in it they stand."""

    names: str = ""  # what it is a pair of
    describes: bool = False
    is_manifest: bool = False
    is_of_text: bool = False  # a token that a language model read or wrote

    def name_of(self, key: str) -> str:
        """The name of the value at `key`."""
        return self.names if self.names and key.lower() in NAMED_KEYS else key


class _Hidden(NamedTuple):
    """What the names above a value say of it."""

    kind: NameKind = NameKind.UNKNOWN
    path: str = ""  # the last names, as far as they belong together

    def below(self, holder: _Object, key: str) -> _Hidden:
        if holder.is_of_text:
            return _NOT_HIDDEN
        name = holder.name_of(key)
        kind = judge_name(name)
        if kind is NameKind.UNKNOWN and self.path:
            kind = judge_name(f"{self.path} {key}")
        if holder.describes and key not in _VALUES:
            return _Hidden(kind if kind >= NameKind.TEXT else NameKind.UNKNOWN, name)
        if holder.is_manifest and key in ("data", "stringData"):
            return _Hidden(NameKind.PASSWORD, name)
        if kind is NameKind.PLAIN and key not in _VALUES:
            return _Hidden(NameKind.PLAIN, "")
        return _Hidden(max(self.kind, kind), name)


_NOT_HIDDEN = _Hidden()


class _Open(NamedTuple):
    """An object or a list that is not closed yet."""

    holder: _Object | None  # `None` for a list
    hidden: _Hidden


def _describe_objects(text: str) -> dict[int, _Object]:
    """What the objects of valid JSON say of themselves, by where they begin; those that say nothing are left out."""
    objects: dict[int, _Object] = {}
    outer: list[tuple[int, dict[str, str]]] = []
    key = ""
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "{[":
            if token == "[" and outer and key == "type" and before == ":":
                outer[-1][1]["type"] = "array"  # a list of types
            outer.append((match.start(), {}))
        elif token in "}]":
            start, fields = outer.pop()
            about = _describe_object(fields)
            if about != _Object():
                objects[start] = about
        elif token == ":":
            outer[-1][1].setdefault(key, "")
        elif token[0] == '"' and before == ":":
            outer[-1][1][key] = outer[-1][1][key] or token[1:-1]
        elif token[0] == '"':
            key = token[1:-1].lower()
        if not token.isspace():
            before = token
    return objects


def _describe_object(fields: dict[str, str]) -> _Object:
    names = [""]
    if any(key in fields for key in NAMED_KEYS):
        names = [fields[key] for key in NAMING_KEYS if fields.get(key)] or names
    name = next(filter(is_name_of_secret, names), names[0])
    describes = not _DESCRIBING.isdisjoint(fields) or fields.get("type") in _DESCRIBED_TYPES
    return _Object(name, describes, fields.get("kind") == "Secret", "logprob" in fields)


def _redact_json(text: str, depth: int, hidden: _Hidden) -> Iterator[str]:
    """Valid JSON token by token: strings are redacted by themselves, and whole where a name says what they are."""
    objects = _describe_objects(text)
    outer: list[_Open] = []
    is_key = False
    name = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "{":
            is_key = True
            outer.append(_Open(objects.get(match.start(), _Object()), hidden))
        elif token == "[":
            is_key = False
            outer.append(_Open(None, hidden))
        elif token in "}]":
            outer.pop()
        elif token == ",":
            holder, hidden = outer[-1]
            is_key = holder is not None
        elif token == ":":
            is_key = False
        elif token.startswith('"'):
            value = json.loads(token)
            holder = outer[-1].holder if outer else None
            if is_key and holder is not None:
                hidden, name = hidden.below(holder, value), holder.name_of(value)
                token = _redact_string(token, value, _redact(value, depth))
            elif fits_name(value, hidden.kind) and is_quoted_secret(value, name) and not _is_json(value):
                token = _redact_string(token, value, REDACTED)
            else:
                token = _redact_string(token, value, _redact_value(value, name, depth))
        elif token[0] in "-0123456789" and hidden.kind in _KINDS_OF_NUMBERS and fits_name(token, hidden.kind):
            token = f'"{REDACTED}"'
        yield token


def _redact_value(value: str, name: str, depth: int) -> str:
    """A text below a key, which says something of it if it is the name of a header."""
    if name.lower() not in _HEADERS:
        return _redact(value, depth)
    return _redact(f"{name}: {value}", depth)[len(name) + 2 :]


def _redact_string(token: str, value: str, new_value: str) -> str:
    return token if new_value == value else json.dumps(new_value, ensure_ascii=token.isascii())
