"""How large a fitted schema is, against the limits of its provider."""

from __future__ import annotations

import json
from typing import Any

from toolglot.errors import FitError
from toolglot.fitting.keywords import subschemas, walk
from toolglot.fitting.rules import Rules


def refuse_too_large(schema: dict[str, Any], rules: Rules) -> None:
    """Refuse a schema that is larger than its provider takes.

    Raises:
        FitError: with the limit, what was found, and the code `too-large`.
    """
    limits = rules.limits
    counted = (
        ("properties", limits.properties, _properties),
        ("levels of objects", limits.depth, _depth),
        ("characters in names and values", limits.characters, _characters),
        ("values of enums", limits.enum_values, _enum_values),
    )
    for what, limit, count in counted:
        if limit is not None and (found := count(schema)) > limit:
            raise FitError(f"the schema has {found} {what}; {rules.profile} takes {limit}", code="too-large")
    if limits.long_enum is not None:
        count_limit, text_limit = limits.long_enum
        for pointer, node in walk(schema):
            members = _members(node)
            length = sum(len(value) for value in members if isinstance(value, str))
            if len(members) > count_limit and length > text_limit:
                message = (
                    f"an enum of {len(members)} values has {length} characters; {rules.profile} takes {text_limit}"
                )
                raise FitError(message, code="too-large", pointer=pointer)


def _members(node: Any) -> list[Any]:
    members = node.get("enum") if isinstance(node, dict) else None
    return members if isinstance(members, list) else []


def _named(node: Any, keyword: str) -> dict[str, Any]:
    found = node.get(keyword) if isinstance(node, dict) else None
    return found if isinstance(found, dict) else {}


def _properties(schema: Any) -> int:
    return sum(len(_named(node, "properties")) for _, node in walk(schema))


def _enum_values(schema: Any) -> int:
    return sum(len(_members(node)) for _, node in walk(schema))


def _characters(schema: Any) -> int:
    total = 0
    for _, node in walk(schema):
        total += sum(map(len, _named(node, "properties"))) + sum(map(len, _named(node, "$defs")))
        constants = [*_members(node), *([node["const"]] if isinstance(node, dict) and "const" in node else [])]
        total += sum(len(value) if isinstance(value, str) else len(json.dumps(value)) for value in constants)
    return total


def _depth(schema: Any) -> int:
    """The most objects inside one another; a definition counts by itself, because references are not followed."""
    deepest = 0
    waiting = [(schema, 0)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, dict):
            depth += "properties" in node
            deepest = max(deepest, depth)
            waiting += [(inner, 0 if pointer.startswith("/$defs/") else depth) for pointer, inner in subschemas(node)]
    return deepest
