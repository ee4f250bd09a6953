"""Reads the configuration files in which clients name servers. Nothing is started.

Sources: the documentation of the clients; each shape says which.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from toolglot.converter.formats.detection import find_look_alike
from toolglot.converter.text import document_reader
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.json_reader import blank_comments
from toolglot.converter.text.pointers import as_mapping, mapping_at
from toolglot.converter.text.source_text import decode
from toolglot.converter.text.toml_reader import parse_toml
from toolglot.errors import LimitError, ReadError, UsageError
from toolglot.runtime.servers import variables
from toolglot.runtime.servers.named_servers import EVENTS, HTTP, PROGRAM, ServerEntry, transport_of

_MOST_SERVERS = 1000


class ConfigurationShape(NamedTuple):
    """The shape of one kind of configuration file.

    Attributes:
        holder: the keys that lead to the servers; empty where these are the whole document.
        folder: the folder of such a file, where only that distinguishes it from another shape.
        syntax: the syntax of variables.
        transport: the transport of a server with `url` and without `type`; `None`: the URL shows it.
    """

    holder: tuple[str, ...]
    folder: str | None = None
    syntax: re.Pattern[str] = variables.BRACED
    transport: str | None = None


_SHAPES = (
    ConfigurationShape(("mcpServers",), ".gemini", variables.DOLLAR, EVENTS),  # Gemini CLI
    ConfigurationShape(("mcpServers",)),  # Claude, Cursor and others
    ConfigurationShape(("servers",)),  # VS Code
    ConfigurationShape(("mcp", "servers")),  # VS Code, in its settings
    ConfigurationShape(("mcp_servers",), syntax=variables.PLAIN, transport=HTTP),  # Codex
    ConfigurationShape(("mcp",), syntax=variables.CURLY, transport=HTTP),  # opencode
    ConfigurationShape(("context_servers",), syntax=variables.PLAIN, transport=HTTP),  # Zed
    ConfigurationShape(()),  # FastMCP
)
"""The shapes; the first that fits is the one."""

_TYPES = {
    "stdio": PROGRAM, "local": PROGRAM, "http": HTTP, "streamable-http": HTTP, "streamableHttp": HTTP, "remote": HTTP,
    "sse": EVENTS,
}  # fmt: skip
_URL_KEYS = ("httpUrl", "serverUrl", "url", "baseUrl")  # as clients call the address of a server; the first counts
_OFF = {"enabled": False, "isActive": False, "disabled": True}  # what switches a server off
# Of all else nothing is done, and that is said: what a user allows the clients, what they would run, and slips.
_READ = (
    *_URL_KEYS, *_OFF, "type", "transport", "headers", "http_headers", "env_http_headers",
    "bearer_token_env_var", "command", "args", "env", "environment", "env_vars", "cwd",
)  # fmt: skip


class Configuration(NamedTuple):
    """A configuration file: its servers in order, and the hash of its bytes."""

    path: str
    entries: list[ServerEntry]
    sha256: str


def read_client_configuration(path: str) -> Configuration:
    """The servers that a configuration file names.

    A server with a wrong description is among them, with its fault, so that it does not stop the others.

    Raises:
        ReadError: the file cannot be read, or has the shape of no client.
    """
    raw = document_reader.read_file(path)
    data = _parse(raw, path)
    if not isinstance(data, dict):
        raise ReadError("a configuration is an object that names servers", "no-servers", source=path)
    shape = _shape_of(data, path)
    entries: list[ServerEntry] = []
    for folder, servers in _servers_by_folder(data, shape):
        for name, server in servers.items():
            full_name = name if folder is None else f"{folder}:{name}"
            base = ServerEntry(name=full_name, configuration=path, syntax=shape.syntax, folder=folder)
            try:
                entries.append(_entry_of_server(base, server, shape))
            except _Fault as fault:
                entries.append(base._replace(fault=str(fault)))
    if len(entries) > _MOST_SERVERS:
        raise LimitError(f"more than {_MOST_SERVERS} servers; split the file", "too-many-servers", source=path)
    return Configuration(path, entries, sha256_of(raw))


def choose_entries(configuration: Configuration, names: tuple[str, ...]) -> list[ServerEntry]:
    """The entries with these names; without names, all that are not switched off.

    Raises:
        UsageError: the configuration does not name one of them.
    """
    entries = configuration.entries
    names_of_entries = {entry.name for entry in entries}
    for name in names:
        if name not in names_of_entries:
            message = f"there is no server {name!r}; there are {', '.join(sorted(names_of_entries)) or 'none'}"
            raise UsageError(message, "unknown-server", source=configuration.path)
    if names:
        return [entry for entry in entries if entry.name in names]
    return [entry for entry in entries if not entry.is_off]


def _parse(raw: bytes, path: str) -> Any:
    """The data of a file: TOML by its name, else JSON, with comments or without."""
    text, _, _ = decode(raw, path)
    if path.endswith(".toml"):
        return parse_toml(text, path)
    return document_reader.load(blank_comments(text), path).data


def _shape_of(data: dict[str, Any], path: str) -> ConfigurationShape:
    """The shape of a file, or of one of its projects.

    Raises:
        ReadError: it has no known shape.
    """
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    for shape in _SHAPES:
        if shape.folder in (None, folder) and any(_servers_by_folder(data, shape)):
            return shape
    message = "no client's way to name servers is in this file; look for mcpServers, servers or [mcp_servers.NAME]"
    look_alike = find_look_alike(data, None, os.path.basename(path))
    has_holder = any(shape.holder and shape.holder[0] in data for shape in _SHAPES)
    if look_alike is not None and not has_holder:
        message = f"this is {look_alike.name}; {look_alike.advice}"
    raise ReadError(message, "no-servers", source=path)


def _servers_by_folder(data: dict[str, Any], shape: ConfigurationShape) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """The servers of a file and of the projects in it, each behind the folder that it is started in."""
    for folder, servers in ((None, data), *mapping_at(data, "projects").items()):
        for key in shape.holder:
            servers = as_mapping(servers).get(key)
        if isinstance(servers, dict) and (shape.holder or (servers and all(map(_is_server, servers.values())))):
            yield folder, servers


def _is_server(entry: Any) -> bool:
    return isinstance(entry, dict) and not entry.keys().isdisjoint(("command", *_URL_KEYS))


class _Fault(Exception):
    """A fault in the description of one server."""


def _entry_of_server(base: ServerEntry, server: Any, shape: ConfigurationShape) -> ServerEntry:
    if not isinstance(server, dict):
        raise _Fault("it is no object")
    if "envFile" in server:  # which cannot be done as the client would
        raise _Fault("its variables stand in a file, which is not read; set them, and leave `envFile` out")
    base = base._replace(
        ignored_keys=tuple(key for key in server if key not in _READ),
        is_off=any(server.get(key) is value for key, value in _OFF.items()),
        environment=_map_of_texts(server.get("env", server.get("environment", {})), "env"),
    )
    ways = [key for key in ("command", *_URL_KEYS) if server.get(key) not in (None, "")]  # one of both may be empty
    url = next((server[key] for key in ways if key != "command"), None)
    if (url is None) == ("command" not in ways):
        raise _Fault("a server has either `command` or `url`")
    transport = _transport(server, shape, url)
    if url is None:
        return _program(base, server)
    return base._replace(
        transport=transport,
        url=_text(url, "url"),
        headers=_map_of_texts(server.get("headers", server.get("http_headers", {})), "headers"),
        header_variables=_map_of_texts(server.get("env_http_headers", {}), "env_http_headers"),
        bearer_variable=_optional_text(server, "bearer_token_env_var"),
    )


def _transport(server: Mapping[str, Any], shape: ConfigurationShape, url: Any) -> str:
    transport_type = server.get("type", server.get("transport"))
    if transport_type is not None:
        if not isinstance(transport_type, str) or transport_type not in _TYPES:
            raise _Fault(f"`type` is one of {', '.join(_TYPES)}")
        return _TYPES[transport_type]
    if server.get("httpUrl"):
        return HTTP
    if isinstance(url, str):
        return shape.transport or transport_of(url)
    return PROGRAM


def _program(base: ServerEntry, server: Mapping[str, Any]) -> ServerEntry:
    command = server["command"]
    program = _list(command, "command") if isinstance(command, list) else (_text(command, "command"),)
    words = (*program, *_list(server.get("args", []), "args"))
    if not words or not words[0]:
        raise _Fault("`command` is empty")
    if any("\0" in word for word in words):
        raise _Fault("a command holds no NUL character")
    passed_on = server.get("env_vars", [])
    if isinstance(passed_on, list):  # some write each name as an object
        passed_on = [entry.get("name") if isinstance(entry, dict) else entry for entry in passed_on]
    return base._replace(
        transport=PROGRAM,
        command=words,
        passed_on=_list(passed_on, "env_vars"),
        folder=_optional_text(server, "cwd") or base.folder,
    )


_KINDS = {bool: "a boolean", int: "a number", float: "a number", list: "a list", dict: "an object"}


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise _Fault(f"`{key}` is {_KINDS.get(type(value), 'null')}; expected a text")
    return value


def _optional_text(server: Mapping[str, Any], key: str) -> str | None:
    if server.get(key) is None:
        return None
    return _text(server[key], key)


def _list(value: Any, key: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _Fault(f"`{key}` is a list of texts")
    return tuple(_text(item, f"{key}[{index}]") for index, item in enumerate(value))


def _map_of_texts(value: Any, key: str) -> dict[str, str]:
    """A map of texts. Numbers and booleans are written as in JSON, as clients do."""
    if not isinstance(value, dict):
        raise _Fault(f"`{key}` is an object of texts")
    texts: dict[str, str] = {}
    for name, scalar in value.items():
        if isinstance(scalar, int):
            scalar = json.dumps(scalar)
        texts[name] = _text(scalar, f"{key}.{name}")
    return texts
