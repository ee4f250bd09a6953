"""Secrets in JSON, and in texts that may be JSON: it is JSON afterwards.

Strings are redacted one by one, because a rule for text could run over a quote, and what stands below a name such as
`password` is secret as a whole. Whatever else there is stays as it is written, down to its blanks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any, NamedTuple

from toolglot.converter.schema.keywords import TYPES
from toolglot.runtime.bridge.redaction.assignments import NAMED_KEYS, NAMING_KEYS
from toolglot.runtime.bridge.redaction.free_text import REDACTED, redact_free_text
from toolglot.runtime.bridge.redaction.secret_names import NameKind, is_name_of_secret, judge_name, words_of
from toolglot.runtime.bridge.redaction.secret_values import fits_name, is_quoted_secret, is_secret_number
from toolglot.runtime.bridge.redaction.suspects import suspicious_words

_DEEPEST = 3  # texts within texts that are looked at as JSON


def redact(text: str) -> str:
    """`text` with every secret that the built-in rules know replaced by `[REDACTED]`; JSON stays JSON.

    >>> redact('{"note": "me:hunter2 is no URL", "token": "abc"}')
    '{"note": "me:hunter2 is no URL", "token": "[REDACTED]"}'
    """
    return _redact(text, _DEEPEST)


def _redact(text: str, depth: int) -> str:
    if not depth:
        return redact_free_text(text)
    document = _parse(text)
    if document is not None:
        return _redact_json(text, document, depth - 1, _NOT_HIDDEN)
    parts: list[str] = []
    position = 0
    for document, start, end in _documents_in(text):
        parts += [
            redact_free_text(text[position:start]),
            _redact_json(text[start:end], document, depth - 1, _NOT_HIDDEN),
        ]
        position = end
    return "".join((*parts, redact_free_text(text[position:])))


_OPENING = re.compile(r"^[{\[][ \t]*+$", re.MULTILINE)
_MOST_OPENINGS = 20  # of which each may cost a look at the rest of the text


def _documents_in(text: str) -> Iterator[tuple[Any, int, int]]:
    """JSON of several lines that stands between other lines, such as a command and what it printed, and where."""
    end = 0
    for opening in islice(_OPENING.finditer(text), _MOST_OPENINGS):
        if opening.start() < end:
            continue
        try:
            document, end = _DECODER.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        yield document, opening.start(), end


class _Number(str):
    """A number as it is written: one of a million digits is not worth its conversion."""


# An object is a tuple of its pairs, because a key may come twice; a list is a list.
_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_int=_Number, parse_float=_Number)


def _parse(text: str) -> Any:
    """What a text is as JSON, if it is an object, a list or a string; else `None`."""
    if text.lstrip(" \t\r\n")[:1] not in ("{", "[", '"'):
        return None
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*+"|-?[0-9][0-9.eE+-]*+')
# What may be a value in an object that describes one; its other keys hold none.
_VALUES = words_of("default const enum example examples value key data content plaintext")
_DESCRIBED_TYPES = frozenset((*TYPES, "apiKey", "http", "oauth2"))  # also of security schemes
_DESCRIBING = words_of("description integrity resolved")  # a parameter, or a package of a lock file
_OF_TEXT = words_of("logprob start_offset lemma")  # of the tokens of language models and of search engines
_KEYS_BESIDE = {
    "username": words_of("key"),
    "kty": words_of("d k p q dp dq qi"),  # of a JSON Web Key
    "httponly": words_of("value"),  # of a cookie
}
_HOLDERS = words_of("attributes values payload")  # of what an object says of itself
_SECRET_TYPES = words_of("SecureString")  # whose `Value` is one
_MOST_BELOW = {"license": NameKind.GENERATED}  # its `key` is `mit` or the key of a program
_HEADERS = words_of("authorization proxy-authorization cookie set-cookie auth _auth")


class _Object(NamedTuple):
    """What an object says of itself by its own texts, wherever in it they stand."""

    name: str = ""  # of the value, if it is a pair of a name and a value
    is_secret: bool = False  # by its type, or by where it is kept
    describes: bool = False
    is_manifest: bool = False
    is_of_text: bool = False  # a token that a language model read or wrote
    secret_keys: frozenset[str] = frozenset()  # that say so only beside others

    def name_of(self, key: str) -> str:
        """The name of the value at `key`."""
        if key.lower() in self.secret_keys:
            return "own key"
        return self.name if self.name and key.lower() in NAMED_KEYS else key


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
            kind = min(kind, _MOST_BELOW.get(self.path, kind))
        if holder.describes and key not in _VALUES:
            return _Hidden(kind if kind >= NameKind.TEXT else NameKind.UNKNOWN, name)
        if holder.is_manifest and key in ("data", "stringData"):
            return _Hidden(NameKind.PASSWORD, name)
        if kind is NameKind.PLAIN and key not in _VALUES:
            return _Hidden(NameKind.PLAIN, "")
        if holder.is_secret and kind is NameKind.UNKNOWN:
            return _Hidden(self.kind, "secret")
        return _Hidden(max(self.kind, kind), self.path if key in _HOLDERS else name)


_NOT_HIDDEN = _Hidden()


def _describe_object(pairs: tuple[tuple[str, Any], ...]) -> _Object:
    fields = {key.lower(): value for key, value in reversed(pairs)}
    names = [fields[key] for key in NAMING_KEYS if type(fields.get(key)) is str]
    name = next(filter(is_name_of_secret, names), "".join(names[:1]))
    secret_keys = frozenset().union(*(_KEYS_BESIDE.get(key, ()) for key in fields))
    kind = fields.get("type")
    is_typed = str(kind) in _SECRET_TYPES or judge_name(str(kind)) is NameKind.PASSWORD
    is_secret = is_typed or fields.get("sensitive") is True or any("/secrets/" in text for text in names)
    name = "secret" if is_secret else name
    describes = isinstance(kind, list) or str(kind) in _DESCRIBED_TYPES or not _DESCRIBING.isdisjoint(fields)
    is_manifest, is_of_text = fields.get("kind") == "Secret", not _OF_TEXT.isdisjoint(fields)
    return _Object(name, is_secret, describes, is_manifest, is_of_text, secret_keys)


def _redact_json(text: str, document: Any, depth: int, hidden: _Hidden) -> str:
    """Valid JSON, in which each string is redacted by itself, and whole where a name says what it is."""
    new_values: list[str] = []  # of the strings and numbers, in their order
    values = [(document, hidden, "")]
    while values:
        value, hidden, name = values.pop()
        if isinstance(value, tuple):
            holder = _describe_object(value)
            for key, below in reversed(value):
                values += [(below, hidden.below(holder, key), holder.name_of(key)), (key, _NOT_HIDDEN, "")]
        elif isinstance(value, list):
            values += reversed(list(_hide_items(value, hidden, name)))
        elif isinstance(value, str):
            new_values.append(_redact_value(value, hidden.kind, name, depth))
    remaining = iter(new_values)
    suspects = {start - 1 for start, end in suspicious_words(text) if text.startswith('"', end)}

    def redact_scalar(scalar: re.Match[str]) -> str:
        new_value = next(remaining)
        return _write(scalar[0], REDACTED if scalar.start() in suspects else new_value)

    return _SCALAR.sub(redact_scalar, text)


def _hide_items(items: list[Any], hidden: _Hidden, name: str) -> Iterator[tuple[Any, _Hidden, str]]:
    """The items of a list with what is above them, or with the option before them, as in the arguments of a program.

    An option takes nothing back that is said above: a secret may begin with a dash too.
    """
    for before, item in pairwise(["", *items]):
        option = before if str(before).startswith("-") and not str(item).startswith("-") else ""
        kind = judge_name(option)
        yield (item, _Hidden(kind, ""), option) if kind > hidden.kind else (item, hidden, name)


def _redact_value(value: str, kind: NameKind, name: str, depth: int) -> str:
    """A string or a number below a name."""
    if isinstance(value, _Number):
        return REDACTED if is_secret_number(value, kind) else value
    if fits_name(value, kind) and is_quoted_secret(value, name) and _parse(value) is None:
        return REDACTED
    if name.lower() in _HEADERS:  # which says something of the text below it
        return _redact(f"{name}: {value}", depth)[len(name) + 2 :]
    return _redact(value, depth)


def _write(token: str, new_value: str) -> str:
    """A string or a number in JSON, as it is written if it is the same."""
    if new_value == (json.loads(token) if token.startswith('"') else token):
        return token
    return json.dumps(new_value, ensure_ascii=token.isascii())
