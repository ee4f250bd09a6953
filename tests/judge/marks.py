"""Marks: the names of what a conversion wrote because the target demands a value, beside the record.

A marked value that is still exactly the constant of its field states nothing. Any other value is its author's, and so
is a mark of another shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def assumed(data: Mapping[str, Any], *place: str) -> frozenset[str]:
    """The names in the mark of a record; `place` leads to what is toolglot's in it."""
    holder: Any = data
    for key in place:
        holder = holder.get(key) if isinstance(holder, dict) else None
    names = holder.get("assumed") if isinstance(holder, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return frozenset()
    return frozenset(names)


def stated(data: Mapping[str, Any], names: frozenset[str], constants: Mapping[str, Any]) -> dict[str, Any]:
    """The record without the marked values that are the constants of their fields."""
    return {key: value for key, value in data.items() if key not in names or not is_constant(value, constants.get(key))}


def is_constant(value: Any, constant: Any) -> bool:
    """Whether a value is the constant, as JSON means numbers: 2.0 is 2."""
    return constant is not None and bool(value == constant)
