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
        message, _, place = str(error).partition(" (at ")
        line, column = map(int, re.findall(r"\d+", place)) if "line" in place else (None, None)
        problem = message[:1].lower() + message[1:]
        raise ParseError(f"not valid TOML: {problem}", "toml-syntax", "", line, column, source) from None
    except ValueError:  # what Python says of a number that is too long for it
        raise ParseError("not valid TOML: a number is too long", "toml-syntax", source=source) from None
