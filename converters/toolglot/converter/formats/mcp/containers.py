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

# Keys under which lists of tools, and lists of lists, are kept. `result` is the envelope of JSON-RPC.
_LISTS = ("tools", "consolidated_tools", "results")
ENVELOPE = "result"
_DEEPEST = 4  # an envelope, a list of servers, a server, its tools; documents nest no deeper

# What tells a tool from a server that lists tools: a server has a name and arguments too.
OF_A_TOOL = frozenset({"inputSchema", "outputSchema", "annotations"})


def records(data: Any) -> list[Record]:
    """The tools of a document, each with its JSON Pointer: one, a list, an answer, a server or several.

    >>> [record.pointer for record in records({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a"}]}})]
    ['/result/tools/0']
    >>> [record.pointer for record in records([{"tools": {"files": {"tools": [{"name": "a"}]}}}])]
    ['/0/tools/files/tools/0']
    >>> records({"name": "files", "tools": [{"name": "a"}]})[0].container.facts
    {'namespace': 'files'}
    """
    return [replace(record, data=_as_sent(record.data)) for record in _walk(data, "", _DEEPEST)]


def first_record(data: Any) -> Record | None:
    """The first tool of a document as it stands there, by which its format is known; `None` where there is none."""
    return next(_walk(data, "", _DEEPEST), None)


# The names of the protocol's Python library, whose models are dumped in them unless they are told otherwise.
_PYTHON = {"input_schema": "inputSchema", "output_schema": "outputSchema", "meta": "_meta"}
_PYTHON_HINTS = {
    "read_only_hint": "readOnlyHint",
    "destructive_hint": "destructiveHint",
    "idempotent_hint": "idempotentHint",
    "open_world_hint": "openWorldHint",
}


def _as_sent(data: Any) -> Any:
    """A record in the names of the wire."""
    if not isinstance(data, dict) or "inputSchema" in data or not _PYTHON.keys() <= data.keys():
        return data
    wire_data = _rename_keys(data, _PYTHON)
    hints = wire_data.get("annotations")
    if isinstance(hints, dict):
        wire_data["annotations"] = _rename_keys(hints, _PYTHON_HINTS)
    return wire_data


def _rename_keys(data: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The same values under new names; one whose new name is there already keeps its own, so that none is lost."""
    for old, new in names.items():
        if new not in data:
            data = rename(data, old, new)
    return data


def _walk(
    data: Any, pointer: str, depth: int, container: Container = NO_CONTAINER, server: str | None = None
) -> Iterator[Record]:
    """The tools in `data`, which stands in `container` under the name of a server, if it stands under one."""
    key = _holder(data)
    if isinstance(data, list):
        for index, item in enumerate(data):
            yield from _walk(item, f"{pointer}/{index}", depth, container)
    elif key and depth:
        inside, here = data[key], _server(data, pointer, server).within(container)
        if isinstance(inside, dict) and key != ENVELOPE:  # servers by their names
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

# Where `toolglot pull` keeps how it asked a server. The variables there are what this machine gave to the server: as
# secrets of its tools they would seem to be stated by the author, and a model would be told of them.
_ORIGIN = "/toolglot/origin"
_OF_THE_SESSION = ("/protocolVersion", "/capabilities")  # between the server and whoever asked it


def _server(data: dict[str, Any], pointer: str, name: str | None) -> Container:
    """What a container says of its tools; nothing where it is no server, whose version would be of something else."""
    facts: dict[str, Any] = dict(in_namespace(name).facts)
    places: dict[str, str] = {}
    for field, known_places in _OF_A_SERVER.items():
        for place in known_places:
            value = value_at(data, place)
            if is_short_text(value) and facts.setdefault(field, value) == value:
                places[pointer + place] = field
    if "namespace" not in facts:
        facts, places = {}, {}
    return Container(facts, places, [pointer + place for place in _places_of_asking(data)])


def _places_of_asking(data: dict[str, Any]) -> list[str]:
    """Where a document says how its tools were asked for: as JSON-RPC, or by `toolglot pull`. No tool loses by it."""
    places: list[str] = []
    if "jsonrpc" in data:
        places += ["/jsonrpc", "/id"]
    origin = value_at(data, _ORIGIN)
    if isinstance(origin, dict):
        places += _OF_THE_SESSION
        places += [pointer_below(_ORIGIN, key) for key in origin]
    return places


def _holder(data: Any) -> str | None:
    """The key under which a container keeps its tools; `None` for a tool."""
    if not isinstance(data, dict) or OF_A_TOOL & data.keys():
        return None
    if "jsonrpc" in data and isinstance(data.get(ENVELOPE), dict):
        return ENVELOPE
    return next((key for key in _LISTS if isinstance(data.get(key), list | dict)), None)
