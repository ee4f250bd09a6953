"""What functions of texts gave lately, but of no long texts: a thousand of a megabyte each would stay in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

_Others = ParamSpec("_Others")
_Result = TypeVar("_Result")
_FunctionOfText = Callable[Concatenate[str, _Others], _Result]

LONGEST = 2_000
"""Characters of a text that is remembered."""


def cache_short(most: int) -> Callable[[_FunctionOfText[_Others, _Result]], _FunctionOfText[_Others, _Result]]:
    """`lru_cache` for a function whose first argument is a text; of a long one the result is found anew.

    Args:
        most: results that are remembered.

    >>> @cache_short(8)
    ... def lines_of(text: str) -> list[str]:
    ...     return text.splitlines()
    >>> lines_of("a") is lines_of("a"), lines_of("a" * 2_001) is lines_of("a" * 2_001)
    (True, False)
    """

    def decorate(function: _FunctionOfText[_Others, _Result]) -> _FunctionOfText[_Others, _Result]:
        remembered: _FunctionOfText[_Others, _Result] = lru_cache(most)(function)

        @wraps(function)
        def run(text: str, /, *others: _Others.args, **named: _Others.kwargs) -> _Result:
            if len(text) > LONGEST:
                return function(text, *others, **named)
            return remembered(text, *others, **named)

        return run

    return decorate
