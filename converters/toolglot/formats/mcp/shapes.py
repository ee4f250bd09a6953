"""The shapes in which MCP tools are found: the containers around them, and what stands in place of an `inputSchema`.

Source: the public `tools/list` dumps and registries listed in `corpus.md`, section 1.5. What a tool means is in
`mcp.py`; here is only where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from toolglot.errors import escape
from toolglot.formats import NO_CONTAINER, Container, Finding, Record, in_namespace, is_short_text
from toolglot.hub.model import JsonSchema
from toolglot.schema.keywords import NAMED, ONE, TYPES
from toolglot.text.pointers import value_at

# Keys under which lists of tools, and lists of lists, are kept. `result` is the envelope of JSON-RPC.
_LISTS = ("tools", "consolidated_tools", "results")
_ENVELOPE = "result"
_DEEPEST = 4  # an envelope, a list of servers, a server, its tools; documents nest no deeper

# What tells a tool from a server that lists tools: a server has a name and arguments too.
_OF_A_TOOL = frozenset({"inputSchema", "outputSchema", "annotations"})
# What only the answer to `tools/list` has beside its tools, so that an empty answer is known as one too; also in the
# names of the protocol's Python library.
_OF_AN_ANSWER = frozenset(
    {"nextCursor", "resultType", "ttlMs", "cacheScope", "next_cursor", "result_type", "ttl_ms", "cache_scope"}
)
# What belongs to other kinds of tool descriptions; a name and a description alone are no evidence against it.
_FOREIGN = frozenset(
    {"parameters", "parametersJsonSchema", "input_schema", "function", "type", "toolId", "tool_id", "how_to_use",
     "commands", "atip", "id"}
)  # fmt: skip
# What a bare list may hold beside a name and a description and still be a list of tools rather than of anything.
_PLAIN = frozenset({"name", "title", "description", "arguments", "category", "tags", "prompt", "returns", "_meta"})


def records(data: Any) -> list[Record]:
    """The tools of a document, each with its JSON Pointer: one, a list, an answer, a server or several.

    >>> [record.pointer for record in records({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a"}]}})]
    ['/result/tools/0']
    >>> [record.pointer for record in records([{"tools": {"files": {"tools": [{"name": "a"}]}}}])]
    ['/0/tools/files/tools/0']
    >>> records({"name": "files", "tools": [{"name": "a"}]})[0].container.facts
    {'namespace': 'files'}
    """
    return [record._replace(data=_as_sent(record.data)) for record in _walk(data, "", _DEEPEST)]


# The names of the protocol's Python library, whose models are dumped in them unless they are told otherwise.
_PYTHON = {"input_schema": "inputSchema", "output_schema": "outputSchema", "meta": "_meta"}
_PYTHON_HINTS = {
    "read_only_hint": "readOnlyHint",
    "destructive_hint": "destructiveHint",
    "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
}


def _is_dumped(data: Any) -> bool:
    return isinstance(data, dict) and "inputSchema" not in data and _PYTHON.keys() <= data.keys()


def _as_sent(data: Any) -> Any:
    """A record in the names of the wire."""
    if not _is_dumped(data):
        return data
    sent = {_PYTHON.get(key, key): value for key, value in data.items()}
    hints = sent.get("annotations")
    if isinstance(hints, dict):
        sent["annotations"] = {_PYTHON_HINTS.get(key, key): value for key, value in hints.items()}
    return sent


def _walk(
    data: Any, pointer: str, depth: int, container: Container = NO_CONTAINER, server: str | None = None
) -> Iterator[Record]:
    """The tools in `data`, which stands in `container` under the name of a server, if it stands under one."""
    if isinstance(data, list):
        for index, item in enumerate(data):
            yield from _walk(item, f"{pointer}/{index}", depth, container)
    elif (key := _holder(data)) and depth:
        inside, here = data[key], _server(data, pointer, server).within(container)
        if isinstance(inside, dict) and key != _ENVELOPE:  # servers by their names
            for name, item in inside.items():
                yield from _walk(item, f"{pointer}/{key}/{escape(name)}", depth - 1, in_namespace(name), name)
        else:
            yield from _walk(inside, f"{pointer}/{key}", depth - 1, here)
    else:
        yield Record(data, None, pointer, container=container)


# Where a server beside its tools says what it is: in the words of `server.json`, of registries, of `initialize`.
_OF_A_SERVER = {
    "namespace": ("/name", "/server_name", "/serverInfo/name"),
    "version": ("/version", "/serverInfo/version"),
    "homepage": ("/homepage", "/websiteUrl", "/serverInfo/websiteUrl"),
}


def _server(data: dict[str, Any], pointer: str, name: str | None) -> Container:
    """What a container says of its tools; nothing where it is no server, whose version would be of something else."""
    facts = dict(in_namespace(name).facts)
    places: dict[str, str] = {}
    for field, known in _OF_A_SERVER.items():
        for place in known:
            value = value_at(data, place)
            if is_short_text(value) and facts.setdefault(field, value) == value:
                places[pointer + place] = field
    return Container(facts, places) if "namespace" in facts else NO_CONTAINER


def _holder(data: Any) -> str | None:
    """The key under which a container keeps its tools; `None` for a tool."""
    if not isinstance(data, dict) or _OF_A_TOOL & data.keys():
        return None
    if "jsonrpc" in data and isinstance(data.get(_ENVELOPE), dict):
        return _ENVELOPE
    return next((key for key in _LISTS if isinstance(data.get(key), list | dict)), None)


def sniff(data: Any, body: str | None, file_name: str) -> bool:
    """Whether a document holds MCP tools, by its first one.

    >>> sniff({"name": "ls", "inputSchema": {"type": "object"}}, None, ""), sniff({"name": "ls"}, None, "")
    (True, False)
    """
    if body is not None or not isinstance(data, dict | list):
        return False
    record = next(_walk(data, "", _DEEPEST), None)
    if record is None:
        return _is_answer(data)
    tool = record.data
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        return False
    if _OF_A_TOOL & tool.keys():
        return "toolId" not in tool
    if not record.pointer or not isinstance(tool.get("description"), str) or _FOREIGN & tool.keys():
        return False
    return isinstance(data, dict) or tool.keys() <= _PLAIN


def _is_answer(data: Any) -> bool:
    result = data.get(_ENVELOPE, data) if isinstance(data, dict) else {}
    return isinstance(result, dict) and "tools" in result and bool(result is not data or _OF_AN_ANSWER & result.keys())


# -- in place of an inputSchema -------------------------------------------------------------------------------

# Keywords of JSON Schema whose values are objects, so that they could be mistaken for parameters.
_MAPS = ONE | NAMED | {"definitions"}
_NOT_SCHEMA = frozenset({"name", "desc", "description", "optional", "required", "type"})


def inputs(data: dict[str, Any]) -> JsonSchema | None:
    """What a tool says about its parameters, wherever it says it; `None` where it says nothing.

    >>> inputs({"inputSchema": {"path": {"type": "string"}}, "required": ["path"]})
    {'type': 'object', 'properties': {'path': {'type': 'string'}}, 'required': ['path']}
    >>> inputs({"arguments": [{"name": "path", "type": "string", "desc": "Where."}]})
    {'type': 'object', 'properties': {'path': {'type': 'string', 'description': 'Where.'}}, 'required': ['path']}
    """
    for key in ("inputSchema", "input_schema"):
        schema = data.get(key)
        if isinstance(schema, dict):
            return _of_properties(schema, data.get("required")) if is_property_map(data, key) else schema
    return _of_list(data.get("arguments"))


def is_property_map(data: dict[str, Any], key: str = "inputSchema") -> bool:
    """Whether a schema is only the map of its properties, as some registries have it.

    >>> is_property_map({"inputSchema": {"path": {"type": "string"}}})
    True
    >>> is_property_map({"inputSchema": {"type": "object"}})
    False
    """
    schema, required = data.get(key), data.get("required")
    if not isinstance(schema, dict) or not schema or not all(isinstance(value, dict) for value in schema.values()):
        return False
    named = isinstance(required, list) and bool(required) and all(item in schema for item in map(str, required))
    return named or not _MAPS & schema.keys()


def _of_properties(properties: dict[str, Any], required: Any) -> JsonSchema:
    schema: JsonSchema = {"type": "object", "properties": properties}
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    return {**schema, "required": names} if names else schema


def _of_list(entries: Any) -> JsonSchema | None:
    """The list of arguments that catalogues of servers write; every one is required that is not marked optional."""
    if not isinstance(entries, list):
        return None
    properties: dict[str, JsonSchema] = {}
    required: list[str] = []
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            return None
        name = entry["name"]
        if name in properties:
            return None  # letting the second of one name win could hide the dangerous one
        properties[name] = _property(entry)
        if entry.get("optional") is not True and entry.get("required") is not False:
            required.append(name)
    return _of_properties(properties, required)


def _property(entry: dict[str, Any]) -> JsonSchema:
    schema: JsonSchema = {}
    if isinstance(entry.get("type"), str) and entry["type"] in TYPES:
        schema["type"] = entry["type"]
    words = entry.get("desc", entry.get("description"))
    if isinstance(words, str):
        schema["description"] = words
    return {**schema, **{key: value for key, value in entry.items() if key not in _NOT_SCHEMA}}


def input_echoes(rest: dict[str, Any], schema: JsonSchema | None) -> Iterator[str]:
    """JSON Pointers of what stands in place of an `inputSchema` and is said by the schema that was read from it.

    >>> rest = {"arguments": [{"name": "a", "type": "Any", "optional": True}]}
    >>> list(input_echoes(rest, {"type": "object", "properties": {"a": {}}}))
    ['/arguments/0/name', '/arguments/0/optional']
    """
    if schema is None:
        return
    entries, required = rest.get("arguments"), rest.get("required")
    if isinstance(rest.get("input_schema"), dict) and inputs({**rest, "arguments": None}) == schema:
        yield "/input_schema"
    if isinstance(required, list) and sorted(map(str, required)) == sorted(map(str, schema.get("required", []))):
        yield "/required"
    if entries and isinstance(entries, list) and _of_list(entries) == schema:
        for index, entry in enumerate(entries):
            yield from (f"/arguments/{index}/{escape(key)}" for key in entry if _is_read(entry, key))
    elif entries == [] and not schema.get("properties"):
        yield "/arguments"


def _is_read(entry: dict[str, Any], key: str) -> bool:
    """Whether `_property`, or the list of required names, says what an entry says under a key."""
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


# -- what is wrong with a schema that the protocol's own does not look at -------------------------------------

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", re.ASCII)  # the name of a header, RFC 9110 section 5.6.2
_HEADER = "x-mcp-header"
_OF_A_HEADER = ("string", "integer", "boolean")


def faults(schema: JsonSchema) -> Iterator[Finding]:
    """What makes a tool impossible to call although the protocol's schema accepts its `inputSchema`.

    >>> [found.code for found in faults({"properties": {"size": "integer"}, "required": "size"})]
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
    seen: set[str] = set()
    stack: list[tuple[Any, str, bool, bool]] = [(schema, "/inputSchema", True, False)]
    while stack:
        node, pointer, reachable, inside_map = stack.pop()
        children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        below: list[tuple[Any, str, bool, bool]] = []
        for key, value in children:
            here = f"{pointer}/{escape(str(key))}"
            if key == _HEADER and not inside_map and isinstance(node, dict):
                yield from _header(node, here, reachable, seen)
            elif inside_map or key not in ("enum", "const", "default", "examples"):
                into_map = key == "properties" and not inside_map
                below.append((value, here, reachable and (inside_map or into_map), into_map))
        stack += reversed(below)


def _header(node: dict[str, Any], pointer: str, reachable: bool, seen: set[str]) -> Iterator[Finding]:
    name = node[_HEADER]
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        message = "the name of a header has letters, digits and a few signs"
    elif name.lower() in seen:
        message = f"another parameter goes into the header {name} already"
    elif not reachable:
        message = "only a parameter that is reached through `properties` alone can go into a header"
    elif node.get("type") not in _OF_A_HEADER:
        message = f"only {', '.join(_OF_A_HEADER)} can go into a header"
    else:
        seen.add(name.lower())
        return
    yield Finding("bad-header", pointer, message)
