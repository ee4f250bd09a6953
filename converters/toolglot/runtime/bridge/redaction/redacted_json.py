"""Secrets in JSON, and in texts that may be JSON. JSON stays JSON.

Strings are redacted one by one, because a rule for text could run over a quotation mark. Everything below a name such
as `password` is secret. All else stays as it is written, with its blanks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

from toolglot.runtime.bridge.redaction.described_values import NOT_HIDDEN, Hidden, describe_object
from toolglot.runtime.bridge.redaction.redacted_text import REDACTED, redact_free_text
from toolglot.runtime.bridge.redaction.secret_names import NameKind, judge_name, words_of
from toolglot.runtime.bridge.redaction.secret_or_prose import fits_name, is_quoted_secret, is_secret_number
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
        return _redact_json(text, document, depth - 1)
    parts: list[str] = []
    position = 0
    for document, start, end in _documents_in(text):
        parts += [
            redact_free_text(text[position:start]),
            _redact_json(text[start:end], document, depth - 1),
        ]
        position = end
    return "".join((*parts, redact_free_text(text[position:])))


_OPENING = re.compile(r"^[{\[][ \t]*+$", re.MULTILINE)
_MOST_OPENINGS = 20  # of which each may cost a look at the rest of the text


def _documents_in(text: str) -> Iterator[tuple[Any, int, int]]:
    """JSON of several lines between other lines, such as a command with its output: value, start and end."""
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
    """A number in its spelling; it is not converted, because one of a million digits would take long."""


# An object is a tuple of its pairs, because a key may come twice; a list is a list.
_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_int=_Number, parse_float=_Number)


def _parse(text: str) -> Any:
    """The value of a text that is a JSON object, list or string; else `None`."""
    if text.lstrip(" \t\r\n")[:1] not in ("{", "[", '"'):
        return None
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*+"|-?[0-9][0-9.eE+-]*+')
_HEADERS = words_of("authorization proxy-authorization cookie set-cookie auth _auth")


def _redact_json(text: str, document: Any, depth: int) -> str:
    """Redact valid JSON: each string by itself, and as a whole where its name says that it is a secret."""
    new_values: list[str] = []  # of the strings and numbers, in their order
    values = [(document, NOT_HIDDEN, "")]
    while values:
        value, hidden, name = values.pop()
        if isinstance(value, tuple):
            holder = describe_object(value)
            for key, below in reversed(value):
                values += [(below, hidden.below(holder, key), holder.name_of(key)), (key, NOT_HIDDEN, "")]
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


def _hide_items(items: list[Any], hidden: Hidden, name: str) -> Iterator[tuple[Any, Hidden, str]]:
    """The items of a list, each with the names above it, and in arguments of a program with the option before it.

    An option takes nothing back that the names above say, because a secret may begin with a dash, too.
    """
    for before, item in pairwise(["", *items]):
        option = before if str(before).startswith("-") and not str(item).startswith("-") else ""
        kind = judge_name(option)
        yield (item, Hidden(kind, ""), option) if kind > hidden.kind else (item, hidden, name)


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
