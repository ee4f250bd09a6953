"""JSON Pointers (RFC 6901): their tokens, and what stands where they lead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from toolglot.errors import unescape

_INDEX = re.compile("0|[1-9][0-9]{0,8}", re.ASCII)
_NO_ESCAPE = re.compile("~(?![01])")


def tokens_of(pointer: str) -> list[str] | None:
    """The tokens of a JSON Pointer, or `None` where an escape is not one.

    >>> tokens_of("/a~1b/c"), tokens_of("/a~2")
    (['a/b', 'c'], None)
    """
    if _NO_ESCAPE.search(pointer):
        return None
    return [unescape(token) for token in pointer.split("/")[1:]]


def follow(data: Any, tokens: Iterable[str], default: Any = None) -> Any:
    """What stands in JSON data where tokens lead, or `default` where nothing does.

    >>> follow({"a": [{"b": 1}]}, ["a", "0", "b"]), follow({"a": []}, ["a", "0"])
    (1, None)
    """
    for token in tokens:
        if isinstance(data, dict) and token in data:
            data = data[token]
        elif isinstance(data, list) and _INDEX.fullmatch(token) and int(token) < len(data):
            data = data[int(token)]
        else:
            return default
    return data


def value_at(data: Any, pointer: str, default: Any = None) -> Any:
    """What stands in JSON data at a pointer, or `default` where nothing does.

    >>> value_at({"a/b": 1}, "/a~1b"), value_at([1], "")
    (1, [1])
    """
    tokens = tokens_of(pointer)
    return default if tokens is None else follow(data, tokens, default)
