"""The types of JSON values, those that a schema states, and those that its values prove."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolglot.hub.model import JsonSchema

_TYPES: dict[type, str] = {
    str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", list: "array", dict: "object",
}  # fmt: skip


def type_of(value: Any) -> str:
    """The narrowest type of JSON Schema that a value has: a whole number is an integer, however it is written.

    What is not JSON, as a set, is `unknown`.

    >>> [type_of(value) for value in (None, True, 1, 1.0, 0.5, "", [], {})]
    ['null', 'boolean', 'integer', 'integer', 'number', 'string', 'array', 'object']
    """
    if type(value) is float and value.is_integer():
        return "integer"
    return _TYPES.get(type(value), "unknown")


def has_type(value: Any, types: Iterable[str]) -> bool:
    """Whether a value is of one of the types; an integer is a number too.

    >>> has_type(1, ["number"]), has_type(True, ["integer"])
    (True, False)
    """
    own = type_of(value)
    return own in types or (own == "integer" and "number" in types)


def stated_types(schema: JsonSchema) -> tuple[str, ...]:
    """The types that `type` names; none where it is absent or malformed.

    >>> stated_types({"type": "string"}), stated_types({"type": ["string", "null"]}), stated_types({})
    (('string',), ('string', 'null'), ())
    """
    type_value = schema.get("type")
    if isinstance(type_value, str):
        return (type_value,)
    if isinstance(type_value, list):
        return tuple(name for name in type_value if isinstance(name, str))
    return ()


def with_proven_type(schema: JsonSchema) -> JsonSchema:
    """The schema with the one type that all of its values have, where it lists values and states no type.

    >>> with_proven_type({"enum": ["a", "b"]}), with_proven_type({"enum": ["a", 1]})
    ({'type': 'string', 'enum': ['a', 'b']}, {'enum': ['a', 1]})
    """
    if "type" in schema:
        return schema
    types = types_of(schema)
    return {"type": types[0], **schema} if len(types) == 1 else schema


def types_of(schema: JsonSchema) -> tuple[str, ...]:
    """The types that a schema states, or else those of the values that it lists; none where it does neither.

    >>> types_of({"type": ["string", "null"]}), types_of({"enum": [1, 0.5, "a"]}), types_of({"minimum": 1})
    (('string', 'null'), ('number', 'string'), ())
    """
    if "type" in schema:
        return stated_types(schema)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(values, list):
        return ()
    types = dict.fromkeys(map(type_of, values))
    if "number" in types:
        types.pop("integer", None)
    return tuple(types)
