"""The size of a fitted schema: against the limits of its provider, and its share of the limits of a request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.fitting.provider_rules import ProviderRules, RuleFault, SchemaLimits
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.json_values import stated_types
from toolglot.converter.schema.keywords import keyword_of, subschemas, walk
from toolglot.converter.schema.references import walk_without_definitions
from toolglot.errors import FitError


def refuse_too_large(schema: JsonSchema, rules: ProviderRules) -> None:
    """Refuse a schema that is larger than its provider accepts.

    Raises:
        FitError: with the limit, what was found, and the code `too-large`.

    >>> limits = SchemaLimits(properties=1)
    >>> rules = ProviderRules(format="x", profile="x", versions=(), strict=True, citation="", limits=limits)
    >>> refuse_too_large({"properties": {"a": {}, "b": {}}}, rules)
    Traceback (most recent call last):
    toolglot.errors.FitError: the schema has 2 properties; x takes 1 [too-large]
    """
    if rules.limits == SchemaLimits() or _is_small(schema, rules.limits):
        return
    for fault in size_faults(schema, rules):
        raise FitError(fault.message, code="too-large", pointer=fault.pointer)


def size_faults(schema: JsonSchema, rules: ProviderRules) -> Iterator[RuleFault]:
    """Every limit of a provider that a schema exceeds."""
    for name, count in size_of(schema)._asdict().items():
        most = getattr(rules.limits, name)
        if most is not None and count > most:
            yield RuleFault(
                "", f"limits.{name}", f"the schema has {count} {_NOUNS[name]}; {rules.profile} takes {most}"
            )
    if rules.limits.long_enum is None:
        return
    value_limit, most = rules.limits.long_enum
    for pointer, node in walk(schema):
        members = node.get("enum", ()) if isinstance(node, dict) else ()
        characters = sum(map(_length, members))
        if len(members) > value_limit and characters > most:
            message = f"an enum of {len(members)} values has {characters} characters; {rules.profile} takes {most}"
            yield RuleFault(pointer, "limits.long_enum", message)


class SchemaSize(NamedTuple):
    """The size of a schema, under the names of `SchemaLimits`."""

    properties: int
    depth: int
    characters: int
    enum_values: int


_NOUNS = {
    "properties": "properties",
    "depth": "levels of objects",
    "characters": "characters in names and values",
    "enum_values": "values of enums",
}


def size_of(schema: JsonSchema) -> SchemaSize:
    """The size of a schema, as providers count it.

    >>> size_of({"type": "object", "properties": {"a": {"enum": ["bc", "d"]}}})
    SchemaSize(properties=1, depth=1, characters=4, enum_values=2)
    """
    properties = enum_values = characters = 0
    for _, node in walk(schema):
        if not isinstance(node, dict):
            continue
        members = node.get("enum", ())
        properties += len(node.get("properties", ()))
        enum_values += len(members)
        characters += sum(map(len, (*node.get("properties", ()), *node.get("$defs", ()))))
        characters += sum(map(_length, members))
        if "const" in node:
            characters += _length(node["const"])
    return SchemaSize(properties, _depth(schema), characters, enum_values)


def _is_small(schema: JsonSchema, limits: SchemaLimits) -> bool:
    """Whether the length of a schema as text shows that it is within the limits. That takes a tenth of counting.

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
    return all(limit is None or count <= limit for limit, count in most)


def _length(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    return len(json.dumps(value))


def _depth(schema: JsonSchema) -> int:
    """The depth of nested objects. A definition counts by itself, because references are not followed."""
    deepest = 0
    waiting: list[tuple[Any, int]] = [(schema, 0)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, dict):
            depth += "properties" in node or "object" in stated_types(node)
            deepest = max(deepest, depth)
            for token, inner in subschemas(node):
                around = 0 if keyword_of(token) == "$defs" else depth
                waiting.append((inner, around))
    return deepest


def budget_of(schema: JsonSchema | None) -> tuple[int, int]:
    """The number of optional parameters and of unions in a strict tool, without following references.

    >>> budget_of({"properties": {"a": {"type": ["string", "null"]}, "b": {}}, "required": ["b"]})
    (1, 1)
    """
    optional = unions = 0
    for node in walk_without_definitions(schema):
        optional += len(node.get("properties", {}).keys() - set(node.get("required", ())))
        unions += "anyOf" in node or isinstance(node.get("type"), list)
    return optional, unions
