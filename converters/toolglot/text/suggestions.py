"""The name that was probably meant, where a name is none that is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_LONGEST_NAME = 500  # characters; nobody means a name by more, and to compare millions of them takes seconds


def suggestion(unknown: Any, names: Iterable[str], otherwise: str | None = None, mark: str = '"') -> str | None:
    """A hint at the name that is most like an unknown one.

    Args:
        unknown: what was given; what is no text, or a very long one, is like no name.
        names: those that are known.
        otherwise: the hint where none of them is like it.
        mark: what stands around the name.

    >>> suggestion("atff", ["atdf", "mcp"]), suggestion("x", ["atdf", "mcp"], "known are atdf, mcp")
    ('did you mean "atdf"?', 'known are atdf, mcp')
    """
    from difflib import get_close_matches  # 1 ms that only a mistake pays

    if not isinstance(unknown, str) or len(unknown) > _LONGEST_NAME:
        return otherwise
    nearest = get_close_matches(unknown, list(names), 1)
    if not nearest:
        return otherwise
    return f"did you mean {mark}{nearest[0]}{mark}?"
