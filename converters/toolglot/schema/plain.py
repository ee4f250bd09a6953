"""A quick look that most schemas pass: nothing of another dialect, nothing odd, no reference.

What passes needs neither `dialects` nor `references`, which would give it back as it is and take three quarters of
the time of fitting. What does not pass may still be plain; it only takes the longer way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolglot.schema.keyword_values import SHAPES, are_names
from toolglot.schema.keywords import TYPES, is_schema

_MAX_NODES = 2_000
_KNOWN_TYPES = frozenset(TYPES)
_SHAPED = (
    "description", "title", "format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
    "uniqueItems", "deprecated", "readOnly", "writeOnly",
)  # fmt: skip


def _are_different_names(value: Any) -> bool:
    return are_names(value) and len(set(value)) == len(value)


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in _KNOWN_TYPES
    return _are_different_names(value) and bool(value) and set(value) <= _KNOWN_TYPES


def _are_words(value: Any) -> bool:
    """Whether it is a list of texts, with null among them where a strict schema lets one be left out."""
    return isinstance(value, list) and bool(value) and all(item is None or isinstance(item, str) for item in value)


# Keyword -> whether its value is as 2020-12 has it; keywords that hold schemas are walked instead.
_ACCEPTS: dict[str, Callable[[Any], bool]] = {
    **{keyword: SHAPES[keyword].fits for keyword in _SHAPED},
    **dict.fromkeys(("default", "const"), lambda value: True),
    "type": _is_type,
    "enum": _are_words,
    "required": _are_different_names,
}


def is_plain(schema: Any) -> bool:
    """Whether a schema is plain 2020-12 without references, as far as a quick look can tell.

    >>> is_plain({"type": "object", "properties": {"$ref": {"type": "string"}}})
    True
    >>> is_plain({"type": "STRING"}), is_plain({"$ref": "#/$defs/a"})
    (False, False)
    """
    waiting = [schema]
    for _ in range(_MAX_NODES):
        if not waiting:
            return True
        node = waiting.pop()
        if not isinstance(node, dict):
            return False
        for keyword, value in node.items():
            if keyword == "properties" and isinstance(value, dict):
                waiting.extend(value.values())
            elif keyword == "items":
                waiting.append(value)
            elif keyword == "anyOf" and isinstance(value, list) and value:
                waiting.extend(value)
            elif keyword == "additionalProperties" and is_schema(value):
                waiting += [value] if isinstance(value, dict) else []
            elif keyword not in _ACCEPTS or not _ACCEPTS[keyword](value):
                return False
        if "required" in node and not node.get("properties", {}).keys() >= set(node["required"]):
            return False
    return False
