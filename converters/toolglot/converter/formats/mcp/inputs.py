"""The parameters of a tool: its `inputSchema` with its faults, and what some servers write instead.

They write lists of arguments, bare maps of properties, and the key `input_schema`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats import Finding
from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.keywords import NAMED, ONE, TYPES, walk
from toolglot.converter.text.pointers import (
    as_mapping,
    escape,
    is_texts,
    pointer_below,
    texts_of,
    without_empty,
    without_keys,
)

# Keywords of JSON Schema whose values are objects, so that they could be mistaken for parameters.
_MAPS = ONE | NAMED | {"definitions"}
_NOT_SCHEMA = frozenset({"name", "desc", "description", "optional", "required", "type"})  # of a listed argument


def inputs_of(data: dict[str, Any]) -> JsonSchema | None:
    """The schema of the parameters, wherever the tool states it; `None` where it states none.

    >>> inputs_of({"inputSchema": {"path": {"type": "string"}}, "required": ["path"]})
    {'type': 'object', 'properties': {'path': {'type': 'string'}}, 'required': ['path']}
    >>> inputs_of({"arguments": [{"name": "path", "type": "string", "desc": "Where."}]})
    {'type': 'object', 'properties': {'path': {'type': 'string', 'description': 'Where.'}}, 'required': ['path']}
    """
    for key in ("inputSchema", "input_schema"):
        schema = data.get(key)
        if isinstance(schema, dict):
            if is_property_map(data, key):
                return _schema_of_properties(schema, data.get("required"))
            return schema
    return _schema_of_list(data.get("arguments"))


def is_property_map(data: dict[str, Any], key: str = "inputSchema") -> bool:
    """Whether a schema is only the map of its properties, as some registries have it.

    >>> is_property_map({"inputSchema": {"path": {"type": "string"}}})
    True
    >>> is_property_map({"inputSchema": {"type": "object"}})
    False
    """
    schema, required = data.get(key), data.get("required")
    if not isinstance(schema, dict) or not schema or not all(isinstance(member, dict) for member in schema.values()):
        return False
    if isinstance(required, list) and required and schema.keys() >= set(map(str, required)):
        return True
    return _MAPS.isdisjoint(schema)


def _schema_of_properties(properties: dict[str, Any], required: Any) -> JsonSchema:
    return {"type": "object", "properties": properties, **without_empty({"required": texts_of(required)})}


def _schema_of_list(entries: Any) -> JsonSchema | None:
    """The schema of a list of arguments, as catalogues of servers write it. All are required but the optional ones."""
    if not isinstance(entries, list):
        return None
    properties: dict[str, JsonSchema] = {}
    required: list[str] = []
    for entry in entries:
        name = stated_text(as_mapping(entry), "name")
        if name is None or name in properties:
            return None  # if one of two with one name won, the dangerous one could be hidden
        properties[name] = _schema_of_argument(entry)
        if entry.get("optional") is not True and entry.get("required") is not False:
            required.append(name)
    return _schema_of_properties(properties, required)


def _schema_of_argument(entry: dict[str, Any]) -> JsonSchema:
    schema: JsonSchema = {}
    if isinstance(entry.get("type"), str) and entry["type"] in TYPES:
        schema["type"] = entry["type"]
    words = entry.get("desc", entry.get("description"))
    if isinstance(words, str):
        schema["description"] = words
    return {**schema, **without_keys(entry, *_NOT_SCHEMA)}


def input_echoes(rest: dict[str, Any], schema: JsonSchema | None) -> Iterator[str]:
    """JSON Pointers of what was written instead of an `inputSchema`, and is stated by the schema read from it.

    >>> rest = {"arguments": [{"name": "a", "type": "Any", "optional": True}]}
    >>> list(input_echoes(rest, {"type": "object", "properties": {"a": {}}}))
    ['/arguments/0/name', '/arguments/0/optional']
    """
    if schema is None:
        return
    entries, required = rest.get("arguments"), rest.get("required")
    if isinstance(rest.get("input_schema"), dict) and inputs_of({**rest, "arguments": None}) == schema:
        yield "/input_schema"
    if isinstance(required, list) and sorted(map(str, required)) == sorted(map(str, schema.get("required", []))):
        yield "/required"
    if entries and isinstance(entries, list) and _schema_of_list(entries) == schema:
        for index, entry in enumerate(entries):
            yield from (f"/arguments/{index}/{escape(key)}" for key in entry if _is_read(entry, key))
    elif entries == [] and not schema.get("properties"):
        yield "/arguments"


def _is_read(entry: dict[str, Any], key: str) -> bool:
    """Whether the schema that is read from an entry states the value of a key."""
    value = entry[key]
    match key:
        case "type":
            return isinstance(value, str) and value in TYPES
        case "desc":
            return isinstance(value, str)
        case "description":
            return isinstance(value, str) and bool(entry.get("desc", value) == value)
        case "required" | "optional":
            return isinstance(value, bool)
        case _:
            return True


# -- faults of an `inputSchema` that the schema of the protocol lets pass ---------------------------------------------

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", re.ASCII)  # the name of a header, RFC 9110 section 5.6.2
_HEADER = "x-mcp-header"
_REACHABLE = re.compile(r"/inputSchema(?:/properties/[^/]*)*")  # through `properties` alone
_HEADER_TYPES = ("string", "integer", "boolean")


def input_faults(schema: JsonSchema) -> Iterator[Finding]:
    """What makes a tool impossible to call although the protocol's schema accepts its `inputSchema`.

    >>> [fault.code for fault in input_faults({"properties": {"size": "integer"}, "required": "size"})]
    ['not-a-schema', 'bad-required']
    """
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict):
        yield Finding("not-a-schema", "/inputSchema/properties", "`properties` maps names to schemas")
        return
    for key, value in properties.items():
        if not isinstance(value, dict | bool):
            message = f"`{key}` is described by something that is not a schema"
            yield Finding("not-a-schema", pointer_below("/inputSchema/properties", key), message)
    if not is_texts(required):
        yield Finding("bad-required", "/inputSchema/required", "`required` is a list of names")
    elif schema.get("additionalProperties") is False and "patternProperties" not in schema:
        for index, name in enumerate(required):
            if name not in properties:
                message = f"`{name}` is required and not allowed, so that no call is valid"
                yield Finding("impossible-required", f"/inputSchema/required/{index}", message)
    yield from _header_faults(schema)


def _header_faults(schema: JsonSchema) -> Iterator[Finding]:
    """Faults of parameters that go into HTTP headers; clients have to drop such a tool (2026-07-28)."""
    names: set[str] = set()
    for pointer, node in walk(schema, "/inputSchema"):
        if not isinstance(node, dict) or _HEADER not in node:
            continue
        name = node[_HEADER]
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            message = "the name of a header has letters, digits and a few signs"
        elif name.lower() in names:
            message = f"another parameter goes into the header {name} already"
        elif not _REACHABLE.fullmatch(pointer):
            message = "only a parameter that is reached through `properties` alone can go into a header"
        elif node.get("type") not in _HEADER_TYPES:
            message = f"only {', '.join(_HEADER_TYPES)} can go into a header"
        else:
            names.add(name.lower())
            continue
        yield Finding("bad-header", f"{pointer}/{_HEADER}", message)
