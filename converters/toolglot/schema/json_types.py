"""The types of JSON values, and those that the values of a schema prove."""

from __future__ import annotations

from typing import Any

from toolglot.hub.model import JsonSchema

_KINDS: dict[type, str] = {
    str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", list: "array", dict: "object",
}  # fmt: skip


def type_of(value: Any) -> str:
    """The type of a JSON value."""
    return _KINDS[type(value)]


def with_proven_type(schema: JsonSchema) -> JsonSchema:
    """The schema with the one type that all of its values have, where it lists values and states no type.

    >>> with_proven_type({"enum": ["a", "b"]}), with_proven_type({"enum": ["a", 1]})
    ({'type': 'string', 'enum': ['a', 'b']}, {'enum': ['a', 1]})
    """
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if "type" in schema or not isinstance(values, list):
        return schema
    kinds = {type_of(value) for value in values}
    kinds -= {"integer"} if "number" in kinds else set()
    return {"type": kinds.pop(), **schema} if len(kinds) == 1 else schema
