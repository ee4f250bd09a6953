"""The containers in which MCP tools are found: answers, lists, servers, registries.

Source: the public `tools/list` dumps and registries listed in `corpus.md`, section 1.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import NO_CONTAINER, Container, Record, in_namespace, is_short_text
from toolglot.converter.formats.kit.key_order import rename
from toolglot.converter.text.pointers import escape, pointer_below, value_at

# Keys of a container for its tools, or for containers in it. `result` is the envelope of JSON-RPC.
_LISTS = ("tools", "consolidated_tools", "results")
ENVELOPE = "result"
_DEEPEST = 4  # an envelope, a list of servers, a server, its tools; documents nest no deeper

# Keys that tell a tool from a server with tools; a server has a name and arguments, too.
KEYS_OF_A_TOOL = frozenset({"inputSchema", "outputSchema", "annotations"})


def records(data: Any) -> list[Record]:
    """The tools of a document, each with its JSON Pointer: one, a list, an answer, a server or several.

    >>> [record.pointer for record in records({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a"}]}})]
    ['/result/tools/0']
    >>> [record.pointer for record in records([{"tools": {"files": {"tools": [{"name": "a"}]}}}])]
    ['/0/tools/files/tools/0']
    >>> records({"name": "files", "tools": [{"name": "a"}]})[0].container.facts
    {'namespace': 'files'}
    """
    return [replace(record, data=_with_protocol_keys(record.data)) for record in _walk(data, "", _DEEPEST)]


def first_record(data: Any) -> Record | None:
    """The first tool of a document, with the keys that it has there; `None` where there is none."""
    return next(_walk(data, "", _DEEPEST), None)


# Key in the protocol's Python library -> key in the protocol. The library dumps its models with the first by default.
_PYTHON_KEYS = {"input_schema": "inputSchema", "output_schema": "outputSchema", "meta": "_meta"}
_PYTHON_HINTS = {
    "read_only_hint": "readOnlyHint",
    "destructive_hint": "destructiveHint",
    "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
}


def _with_protocol_keys(data: Any) -> Any:
    """A record with the keys of the protocol."""
    if not isinstance(data, dict) or "inputSchema" in data or not _PYTHON_KEYS.keys() <= data.keys():
        return data
    wire_data = _rename_keys(data, _PYTHON_KEYS)
    hints = wire_data.get("annotations")
    if isinstance(hints, dict):
        wire_data["annotations"] = _rename_keys(hints, _PYTHON_HINTS)
    return wire_data


def _rename_keys(data: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The data with new keys. An old key stays if its new key is there already, so that no value is lost."""
    for old, new in names.items():
        if new not in data:
            data = rename(data, old, new)
    return data


def _walk(
    data: Any, pointer: str, depth: int, container: Container = NO_CONTAINER, server: str | None = None
) -> Iterator[Record]:
    """The tools in `data`.

    Args:
        depth: how many more containers may stand one in another.
        container: what the document states about all tools in `data`.
        server: the key of `data` in a mapping of servers; `None` elsewhere.
    """
    key = _key_of_tools(data)
    if isinstance(data, list):
        for index, item in enumerate(data):
            yield from _walk(item, f"{pointer}/{index}", depth, container)
    elif key and depth:
        inside, here = data[key], _container_of(data, pointer, server).within(container)
        if isinstance(inside, dict) and key != ENVELOPE:  # servers by their names
            for name, item in inside.items():
                yield from _walk(item, f"{pointer}/{key}/{escape(name)}", depth - 1, in_namespace(name), name)
        else:
            yield from _walk(inside, f"{pointer}/{key}", depth - 1, here)
    else:
        yield Record(data, None, pointer, container=container)


# Hub field -> where a container states it of its server, as `server.json`, registries and `initialize` spell it.
_SERVER_PLACES = {
    "namespace": ("/name", "/server_name", "/serverInfo/name"),
    "version": ("/version", "/serverInfo/version"),
    "homepage": ("/homepage", "/websiteUrl", "/serverInfo/websiteUrl"),
}

# Where `toolglot pull` keeps how it asked a server. The variables there, which this machine gave to the server, are not
# read as secrets of its tools: they would look like statements of the author, and models would be told of them.
_ORIGIN = "/toolglot/origin"
_SESSION_PLACES = ("/protocolVersion", "/capabilities")  # of the session in which the server listed its tools


def _container_of(data: dict[str, Any], pointer: str, name: str | None) -> Container:
    """What a container states about its tools; no facts if it names no server: its version may be of anything else."""
    facts: dict[str, Any] = dict(in_namespace(name).facts)
    places: dict[str, str] = {}
    for field, known_places in _SERVER_PLACES.items():
        for place in known_places:
            value = value_at(data, place)
            if is_short_text(value) and facts.setdefault(field, value) == value:
                places[pointer + place] = field
    if "namespace" not in facts:
        facts, places = {}, {}
    return Container(facts, places, [pointer + place for place in _places_of_request(data)])


def _places_of_request(data: dict[str, Any]) -> list[str]:
    """Where a document says how its tools were requested, by JSON-RPC or `toolglot pull`. It is no loss of a tool."""
    places: list[str] = []
    if "jsonrpc" in data:
        places += ["/jsonrpc", "/id"]
    origin = value_at(data, _ORIGIN)
    if isinstance(origin, dict):
        places += _SESSION_PLACES
        places += [pointer_below(_ORIGIN, key) for key in origin]
    return places


def _key_of_tools(data: Any) -> str | None:
    """The key of a container for its tools; `None` for a tool."""
    if not isinstance(data, dict) or KEYS_OF_A_TOOL & data.keys():
        return None
    if "jsonrpc" in data and isinstance(data.get(ENVELOPE), dict):
        return ENVELOPE
    return next((key for key in _LISTS if isinstance(data.get(key), list | dict)), None)
