"""What is wrong with an `inputSchema` that the schema of the protocol does not look at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from toolglot.formats import Finding
from toolglot.hub.model import JsonSchema
from toolglot.text.pointers import escape, keyed_values

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", re.ASCII)  # the name of a header, RFC 9110 section 5.6.2
_HEADER = "x-mcp-header"
_OF_A_HEADER = ("string", "integer", "boolean")


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
            yield Finding("not-a-schema", f"/inputSchema/properties/{escape(key)}", message)
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        yield Finding("bad-required", "/inputSchema/required", "`required` is a list of names")
    elif schema.get("additionalProperties") is False and "patternProperties" not in schema:
        for index, name in enumerate(required):
            if name not in properties:
                message = f"`{name}` is required and not allowed, so that no call is valid"
                yield Finding("impossible-required", f"/inputSchema/required/{index}", message)
    yield from _headers(schema)


def _headers(schema: JsonSchema) -> Iterator[Finding]:
    """Parameters that go into HTTP headers; clients have to drop a tool that breaks these rules (2026-07-28)."""
    names: set[str] = set()
    stack: list[tuple[Any, str, bool, bool]] = [(schema, "/inputSchema", True, False)]
    while stack:
        node, pointer, reachable, inside_map = stack.pop()
        below: list[tuple[Any, str, bool, bool]] = []
        for key, value in keyed_values(node):
            here = f"{pointer}/{escape(str(key))}"
            if key == _HEADER and not inside_map and isinstance(node, dict):
                yield from _header(node, here, reachable, names)
            elif inside_map or key not in ("enum", "const", "default", "examples"):
                into_map = key == "properties" and not inside_map
                below.append((value, here, reachable and (inside_map or into_map), into_map))
        stack += reversed(below)


def _header(node: dict[str, Any], pointer: str, reachable: bool, names: set[str]) -> Iterator[Finding]:
    name = node[_HEADER]
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        message = "the name of a header has letters, digits and a few signs"
    elif name.lower() in names:
        message = f"another parameter goes into the header {name} already"
    elif not reachable:
        message = "only a parameter that is reached through `properties` alone can go into a header"
    elif node.get("type") not in _OF_A_HEADER:
        message = f"only {', '.join(_OF_A_HEADER)} can go into a header"
    else:
        names.add(name.lower())
        return
    yield Finding("bad-header", pointer, message)
