"""Keys that are nearly a key of a specification, values that are not of its type, and keys of others that count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judge.statements import ALWAYS, Statement

_IGNORED = ("x-", "_", "$")  # what a specification reserves for others

# The names of others that count as danger, and nothing else, where a document leaves room: below `x-`, in `_meta` and
# in `metadata`. Case, separators and the owner before a stroke say nothing.
FOREIGN: dict[str, tuple[str, bool]] = {
    "destructive": ("destructive", True),
    "destructivehint": ("destructive", True),
    "dangerous": ("destructive", True),
    "irreversible": ("irreversible", True),
    "reversible": ("irreversible", False),
    "billable": ("billable", True),
    "readonlyhint": ("changes", False),
    "openaiisconsequential": ("approval", True),
    "requireapproval": ("approval", True),
    "requiresapproval": ("approval", True),
    "approvalrequired": ("approval", True),
    "needsapproval": ("approval", True),
    "requiresconfirmation": ("approval", True),
    "requireconfirmation": ("approval", True),
}
_ANSWERS = {
    "true": True,
    "yes": True,
    "always": True,
    "enabled": True,
    "false": False,
    "no": False,
    "never": False,
    "": None,
}


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


def hear_foreign(statement: Statement, data: Mapping[str, Any]) -> None:
    """What the keys of others say of danger in a record; what they say of safety is nothing."""
    for key, value in _foreign(data):
        fact, danger = FOREIGN.get(_fold(key), (None, None))
        value = _ANSWERS.get(value.strip().lower(), value) if isinstance(value, str) else value
        if fact is None or value is None or value is (not danger):
            continue
        if not isinstance(value, bool):
            statement.unclear.add(fact)
        elif fact == "approval":
            statement.ask(ALWAYS)
        else:
            statement.dangers.add(fact)


def _foreign(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(key, str) and key.lower().startswith("x-"):
            yield key[2:], value
        elif key not in ("_meta", "metadata"):
            continue
        if isinstance(value, dict):
            yield from (
                (re.sub("^x-", "", inner.rpartition("/")[2], flags=re.I), said)
                for inner, said in value.items()
                if isinstance(inner, str)
            )


def _fold(key: str) -> str:
    return re.sub(r"[^a-z0-9]", "", key.lower())


def _near(key: str, name: str) -> bool:
    one, other = _fold(key), _fold(name)
    if len(one) < 4:  # a letter less of a short word is another word
        return one == other
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
