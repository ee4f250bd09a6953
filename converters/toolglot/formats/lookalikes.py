"""Documents that people take for tool descriptions, or that stand beside some, and that describe no tool.

Knowing them makes the difference between "unknown format" and a sentence that says what to do. Those that belong to a
format are declared by it (`Marks.look_alikes`); here are those that belong to none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from toolglot.formats.contract import LookAlike, has_keys
from toolglot.formats.registry import marks_of, names

_MOST_LISTS = 2  # around a document; some wrap others twice


def _is_schema(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    return "$schema" in data and ("properties" in data or "$defs" in data or "definitions" in data)


_OF_NO_FORMAT = (
    LookAlike("a JSON Schema", _is_schema, "a schema describes documents; convert a document"),
    LookAlike("an ARDF resource", has_keys("resource_id", "resource_type"), "it describes a resource, not a tool"),
    LookAlike("a report of toolglot", has_keys("toolglot-report"), "it says what a conversion changed"),
)


def recognise(data: Any, body: str | None, file_name: str = "") -> LookAlike | None:
    """The known kind of document that `data` is, or that the first item of its list is.

    Args:
        file_name: the bare name of its file; empty if it has none.

    >>> recognise({"toolglot-report": "1"}, None).name
    'a report of toolglot'
    """
    for candidate in _candidates(data):
        for look_alike in _look_alikes():
            if look_alike.matches(candidate, body, file_name):
                return look_alike
    return None


@cache
def _look_alikes() -> tuple[LookAlike, ...]:
    of_formats = [kind for name in names() for kind in marks_of(name).look_alikes]
    return (*of_formats, *_OF_NO_FORMAT)


def _candidates(data: Any) -> Iterator[dict[str, Any]]:
    """The document, and the first item of each list that it wraps others in."""
    for _ in range(1 + _MOST_LISTS):
        if isinstance(data, dict):
            yield data
            data = data.get("tools")
        if isinstance(data, list):
            data = data[0] if data else None
