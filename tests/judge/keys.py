"""Keys that are nearly a key of a specification, and values that are not of its type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from judge.statements import Statement

_IGNORED = ("x-", "_", "$")  # what a specification reserves for others


def respelled(data: Mapping[str, Any], known: Mapping[str, tuple[str, ...]], statement: Statement) -> dict[str, Any]:
    """The entries under the keys of a specification; whatever is nearly such a key makes its facts unclear.

    The camelCase spelling of a key in snake_case is read as the key: many writers convert all of theirs.
    """
    entries = {key: value for key, value in data.items() if key in known}
    for key, value in data.items():
        if key in known or not isinstance(key, str) or key.lower().startswith(_IGNORED) or value in (None, {}):
            continue
        meant = next((name for name in known if _near(key, name)), None)
        if meant is None:
            continue
        snake = re.sub(r"(?<=[a-z])([A-Z])", lambda found: "_" + found[1].lower(), key)
        if snake == meant and "_" in meant and meant not in data:
            entries[meant] = value
        else:
            statement.unclear.update(known[meant])
    return entries


def _near(key: str, name: str) -> bool:
    one, other = (re.sub(r"[^a-z0-9]", "", text.lower()) for text in (key, name))
    return one == other or _distance(one, other) <= (1 if len(other) < 9 else 2)


def _distance(one: str, other: str) -> int:
    """How many letters to insert, leave out, replace or exchange with their neighbour."""
    if abs(len(one) - len(other)) > 2:
        return 9
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        older, above, row = above, row, [i]
        for j, right in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def texts_of(statement: Statement, value: Any, *facts: str) -> list[str]:
    """The texts of a list; anything else in it, or instead of it, makes the facts unclear."""
    if value is None:
        return []
    if not isinstance(value, list):
        statement.unclear.update(facts)
        return []
    some = [item for item in value if isinstance(item, str)]
    if len(some) != len(value):
        statement.unclear.update(facts)
    return some


def mapping_of(statement: Statement, value: Any, *facts: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if value is not None:
        statement.unclear.update(facts)
    return {}
