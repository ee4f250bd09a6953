"""The words that values are written as on a command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from toolglot.converter.schema.json_values import type_of
from toolglot.errors import ArgumentError


def write_word(value: Any, pointer: str) -> str:
    """One value as one element of an argument vector.

    Text stays as it is, numbers are plain decimal digits, lists and objects are compact JSON.

    Raises:
        ArgumentError: no word stands for the value.

    >>> [write_word(value, "") for value in ("a b", "", 8.0, 1e-7, True, {"a": [1, None]})]
    ['a b', '', '8', '0.0000001', 'true', '{"a":[1,null]}']
    """
    spell = _SPELLINGS.get(type(value))
    if spell is None:
        raise ArgumentError(f"{type_of(value)} has no spelling on a command line", "unwritable-value", pointer)
    try:
        return check_word(spell(value), pointer)
    except (ValueError, TypeError, RecursionError):
        message = "the value cannot be written down: not finite, not JSON, too long a number, or nested too deeply"
        raise ArgumentError(message, "unwritable-value", pointer) from None


def _number(value: float) -> str:
    """Plain decimal digits, because few programs read an exponent; 8.0 is 8, which every program reads."""
    if value - value == 0:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return to_compact_json(value)


def to_compact_json(value: Any) -> str:
    """A value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


_SPELLINGS: dict[type, Callable[[Any], str]] = {
    str: str, bool: to_compact_json, int: str, float: _number, list: to_compact_json, dict: to_compact_json,
}  # fmt: skip


def check_word(word: str, pointer: str) -> str:
    """The word, if it can be an element of a vector.

    Raises:
        ArgumentError: it holds a NUL, at which the system would cut it off, or half a character.
    """
    if "\0" in word:
        raise ArgumentError("a value with a NUL character cannot be given to a program", "nul-character", pointer)
    if not word.isascii() and re.search("[\ud800-\udfff]", word):
        raise ArgumentError("a lone surrogate is half a character; give the whole one", "lone-surrogate", pointer)
    return word
