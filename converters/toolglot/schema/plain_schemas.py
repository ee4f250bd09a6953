"""A quick look that most schemas pass: plain JSON Schema 2020-12, so that nothing has to be restated.

What passes needs no `dialects`, and without references no `references` either: they would give it back as it is and
take three quarters of the time of fitting. What does not pass may still be plain; it only takes the longer way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from toolglot.schema.budget import MAX_DEPTH
from toolglot.schema.keyword_values import SHAPES, are_names
from toolglot.schema.keywords import MANY, NAMED, ONE, TYPES

_MAX_NODES = 2_000
_KNOWN_TYPES = frozenset(TYPES)
_WITH_REFERENCES = frozenset({"$ref", "$defs"})
_is_definition = re.compile(r"#/\$defs/[A-Za-z0-9._-]+").fullmatch


def _are_different_names(value: Any) -> bool:
    return are_names(value) and len(set(value)) == len(value)


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in _KNOWN_TYPES
    return _are_different_names(value) and bool(value) and set(value) <= _KNOWN_TYPES


# Keyword -> whether its value is as 2020-12 has it; keywords that hold schemas are walked instead.
_ACCEPTS: dict[str, Callable[[Any], bool]] = {
    **{keyword: shape.fits for keyword, shape in SHAPES.items() if not keyword.startswith("$")},
    **dict.fromkeys(("default", "const"), lambda value: True),
    "$comment": SHAPES["$comment"].fits,
    "$ref": lambda value: isinstance(value, str) and bool(_is_definition(value)),
    "type": _is_type,
    "enum": lambda value: isinstance(value, list),
    "required": _are_different_names,
    "dependentRequired": lambda value: isinstance(value, dict) and all(map(_are_different_names, value.values())),
}


def is_plain(schema: Any) -> bool:
    """Whether a schema is plain 2020-12 without references, as far as a quick look can tell.

    >>> is_plain({"type": "object", "properties": {"$ref": {"type": "string"}}})
    True
    >>> is_plain({"type": "STRING"}), is_plain({"$ref": "#/$defs/a"})
    (False, False)
    """
    return _is_plain(schema, has_references=False)


def is_plain_with_references(schema: Any) -> bool:
    """The same, or with references to definitions.

    >>> is_plain_with_references({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}})
    True
    """
    return _is_plain(schema, has_references=True)


def _is_plain(schema: Any, has_references: bool) -> bool:
    if not isinstance(schema, dict):
        return False
    waiting: list[tuple[Any, int]] = [(schema, 0)]
    for _ in range(_MAX_NODES):
        if not waiting:
            return True
        node, depth = waiting.pop()
        if depth > MAX_DEPTH:  # whoever walks it recursively says so
            return False
        if not isinstance(node, dict):
            if isinstance(node, bool):
                continue
            return False
        for keyword, value in node.items():
            if keyword in _ACCEPTS:
                if not _ACCEPTS[keyword](value):
                    return False
            elif keyword in NAMED and isinstance(value, dict):
                waiting += [(inner, depth + 1) for inner in value.values()]
            elif keyword in ONE:
                waiting.append((value, depth + 1))
            elif keyword in MANY and isinstance(value, list) and value:
                waiting += [(inner, depth + 1) for inner in value]
            elif not keyword.startswith("x-"):
                return False
        if not has_references and not _WITH_REFERENCES.isdisjoint(node):
            return False
    return False
