"""TOML, read by the standard library, within bounds that it does not have."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from toolglot.errors import LimitError, ParseError
from toolglot.regexes import compile_later

MAX_CHARACTERS = 1 << 20
"""Of a text; `tomllib` takes seconds for more."""

# `tomllib` takes time with the square of the parts of a key: a minute for 100,000 of them.
_LONG_KEY = compile_later(
    r"""(?:^|[\[{,])[ \t]*+(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""", re.MULTILINE
)


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The data of a text.

    Args:
        source: what messages call it.

    Raises:
        ParseError: it is not TOML; code `"toml-syntax"`.
        LimitError: it is too long, nested too deeply, or a key has more than 100 parts.

    >>> parse_toml("a.b = 1", "a.toml")
    {'a': {'b': 1}}
    """
    if len(text) > MAX_CHARACTERS:
        raise LimitError(f"TOML of more than {MAX_CHARACTERS} characters", "too-large", source=source)
    long_key = _LONG_KEY.search(text)
    if long_key is not None:
        above = text.count("\n", 0, long_key.start())
        raise LimitError("a key of more than 100 parts", "too-deep", "", above + 1, None, source)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise LimitError("nested too deeply", "too-deep", source=source) from None
    except tomllib.TOMLDecodeError as error:
        message, line, column = _split_position(str(error))
        raise ParseError(f"not valid TOML: {message}", "toml-syntax", "", line, column, source) from None
    except ValueError:  # what Python says of a number that is too long for it
        raise ParseError("not valid TOML: a number is too long", "toml-syntax", source=source) from None


def _split_position(message: str) -> tuple[str, int | None, int | None]:
    """tomllib's message, its line and its column.

    >>> _split_position("Invalid value (at line 2, column 5)")
    ('invalid value', 2, 5)
    """
    text, _, place = message.partition(" (at ")
    numbers = [int(number) for number in re.findall(r"\d+", place)]
    line, column = numbers if len(numbers) == 2 else (None, None)
    return text[:1].lower() + text[1:], line, column
