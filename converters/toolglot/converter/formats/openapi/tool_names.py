"""Names of operations, as every provider takes them."""

from __future__ import annotations

import re

from toolglot.converter.formats.kit.tool_ids import fit_id

_ALLOWED = "A-Za-z0-9_-"  # in names that every provider takes
_NOT_ALLOWED = re.compile(f"[^{_ALLOWED}]+")
_LONGEST_NAME = 64


def free_name(own_name: str, numbers: dict[str, int]) -> str:
    """A name for an operation, with a number where others would have the same; the first keeps it.

    Numbers are counted before a name is cut, so that no name is longer than allowed.

    Args:
        numbers: of each name that is taken, the last number that it was given with. The new one is added.
    """
    first = name = _fit(own_name, _LONGEST_NAME)
    while name in numbers:
        numbers[first] += 1
        suffix = f"_{numbers[first]}"
        name = _fit(own_name, _LONGEST_NAME - len(suffix)) + suffix
    numbers[name] = 1
    return name


def _fit(text: str, limit: int) -> str:
    """A name of the characters that are allowed.

    >>> _fit("get /pets/{petId}", 64), _fit("pets.list", 64), len(_fit("a" * 99, 62))
    ('get_pets_petId', 'pets_list', 62)
    """
    return fit_id(_NOT_ALLOWED.sub("_", text).strip("_") or text, _ALLOWED, limit)
