"""The order of keys in a document: people read it, so new and renamed keys have their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def insert(data: dict[str, Any], key: str, value: Any, after: Iterable[str]) -> dict[str, Any]:
    """`data` with one more entry, behind the last of the keys `after`; at the front where it has none of them.

    >>> insert({"name": "a", "enum": []}, "type", "string", ["name", "flags"])
    {'name': 'a', 'type': 'string', 'enum': []}
    """
    keys = list(data)
    place = max((keys.index(other) + 1 for other in after if other in data), default=0)
    items = list(data.items())
    return dict([*items[:place], (key, value), *items[place:]])


def rename(data: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """`data` with one key renamed in its place.

    >>> rename({"id": "a", "description": "b"}, "id", "tool_id")
    {'tool_id': 'a', 'description': 'b'}
    """
    return {new if key == old else key: value for key, value in data.items()}
