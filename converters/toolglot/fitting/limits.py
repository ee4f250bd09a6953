"""How large a fitted schema is, against the limits of its provider, and what it takes of a request's budget."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from toolglot.errors import FitError
from toolglot.fitting.rules import Rules, SchemaLimits
from toolglot.hub.model import JsonSchema
from toolglot.schema.keywords import APPLICATORS, subschemas, walk


def refuse_too_large(schema: JsonSchema, rules: Rules) -> None:
    """Refuse a schema that is larger than its provider takes.

    Raises:
        FitError: with the limit, what was found, and the code `too-large`.

    >>> rules = Rules(format="x", profile="x", versions=(), strict=True, source="", limits=SchemaLimits(properties=1))
    >>> refuse_too_large({"properties": {"a": {}, "b": {}}}, rules)
    Traceback (most recent call last):
    toolglot.errors.FitError: the schema has 2 properties; x takes 1 [too-large]
    """
    limits = rules.limits
    if limits == SchemaLimits() or _is_small(schema, limits):
        return
    nodes = [(pointer, node) for pointer, node in walk(schema) if isinstance(node, dict)]
    names = [name for _, node in nodes for keyword in ("properties", "$defs") for name in node.get(keyword, ())]
    members = [value for _, node in nodes for value in node.get("enum", ())]
    constants = [node["const"] for _, node in nodes if "const" in node]
    counted = (
        ("properties", limits.properties, sum(len(node.get("properties", ())) for _, node in nodes)),
        ("levels of objects", limits.depth, _depth(schema)),
        ("characters in names and values", limits.characters, sum(map(_length, [*names, *members, *constants]))),
        ("values of enums", limits.enum_values, len(members)),
    )
    for what, limit, found in counted:
        if limit is not None and found > limit:
            raise FitError(f"the schema has {found} {what}; {rules.profile} takes {limit}", code="too-large")
    if limits.long_enum is None:
        return
    many, most = limits.long_enum
    for pointer, node in nodes:
        listed = node.get("enum", ())
        if len(listed) > many and (length := sum(map(_length, listed))) > most:
            message = f"an enum of {len(listed)} values has {length} characters; {rules.profile} takes {most}"
            raise FitError(message, code="too-large", pointer=pointer)


def _is_small(schema: JsonSchema, limits: SchemaLimits) -> bool:
    """Whether the mere size of a schema as text shows that it keeps to the limits; a tenth of the time of counting.

    A property takes four bytes at least, a value of an enum two, and every object one of two words; a character that
    is counted as its escape is counted three times its bytes.
    """
    try:
        raw = msgspec.json.encode(schema)
    except (OverflowError, UnicodeEncodeError, RecursionError, TypeError, ValueError):
        return False
    members = len(raw) // 2 if b'"enum"' in raw else 0
    most = (
        (limits.properties, len(raw) // 4),
        (limits.depth, raw.count(b'"properties"') + raw.count(b'"object"')),
        (limits.characters, 3 * len(raw)),
        (limits.enum_values, members),
        (limits.long_enum and limits.long_enum[0], members),
    )
    return all(limit is None or found <= limit for limit, found in most)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str) else len(json.dumps(value))


def _depth(schema: JsonSchema) -> int:
    """The most objects inside one another; a definition counts by itself, because references are not followed."""
    deepest = 0
    waiting: list[tuple[Any, int]] = [(schema, 0)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, dict):
            depth += "properties" in node or "object" in _types(node)
            deepest = max(deepest, depth)
            waiting += [(inner, 0 if pointer.startswith("/$defs/") else depth) for pointer, inner in subschemas(node)]
    return deepest


def _types(node: JsonSchema) -> list[str]:
    stated = node.get("type", [])
    return stated if isinstance(stated, list) else [stated]


def spending(schema: JsonSchema | None) -> tuple[int, int]:
    """What a strict tool takes of a request's budget: optional parameters and unions, references not followed.

    >>> spending({"properties": {"a": {"type": ["string", "null"]}, "b": {}}, "required": ["b"]})
    (1, 1)
    """
    optional = unions = 0
    waiting: list[Any] = [{key: value for key, value in (schema or {}).items() if key != "$defs"}]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            optional += len(node.get("properties", {}).keys() - set(node.get("required", ())))
            unions += "anyOf" in node or isinstance(node.get("type"), list)
            if not APPLICATORS.isdisjoint(node):
                waiting += [inner for _, inner in subschemas(node)]
    return optional, unions
