"""What functions gave lately. A cache has a bound, and beside it stands what a conversion takes without it.

Of long texts nothing is remembered: a thousand of a megabyte each would stay in memory. What has no hash is known by a
`Same`, never by its `id()` alone, which another object has as soon as the first is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Generic, ParamSpec, TypeVar

_Others = ParamSpec("_Others")
_Result = TypeVar("_Result")
_Object = TypeVar("_Object")
_FunctionOfText = Callable[Concatenate[str, _Others], _Result]

LONGEST = 2_000
"""Characters of a text that is remembered."""


class Same(Generic[_Object]):
    """An object as a key, which equals only itself: to compare two parts of a document would be to read them.

    >>> part = {"type": "string"}
    >>> Same(part) == Same(part), Same(part) == Same(dict(part))
    (True, False)
    """

    __slots__ = ("value",)

    def __init__(self, value: _Object) -> None:
        self.value = value  # which stays alive as long as the key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


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
