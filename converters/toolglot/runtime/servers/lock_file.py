"""The lock: what servers offered when somebody looked at it.

A lock is a document of pulled servers, its tools in the order of their names, so that it changes only where a server
does. It may hold what a person vouches for, tool by tool, each with the digest of the text that was looked at: when a
tool is pinned with another text, that ends.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from toolglot.converter.conversion.vouched_facts import (
    LOCK_MARK,
    VOUCHED_KEY,
)
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.pointers import as_mapping
from toolglot.errors import ReadError
from toolglot.runtime.servers.pulled_document import PulledServer, document_of


def dump_lock(servers: Sequence[PulledServer], vouched: Mapping[str, Any] | None = None) -> str:
    """The lock of what servers offer.

    Args:
        vouched: pattern -> what a person vouches for, for the text of a digest.
    """
    sorted_servers = []
    for server in sorted(servers, key=lambda server: server.name):
        tools = sorted(server.tools, key=lambda tool: str(tool["name"]))
        sorted_servers.append(server._replace(data={**server.data, "tools": tools}))
    beside = {VOUCHED_KEY: dict(sorted(vouched.items()))} if vouched else {}
    return serialization.dump_json({LOCK_MARK: 1, **beside, **document_of(sorted_servers)})


def read_lock(path: str) -> dict[str, PulledServer]:
    """The servers of a lock by their names.

    Raises:
        ReadError: it cannot be read, or is no lock.
    """
    data = document_reader.load(document_reader.read_file(path), path).data
    if not isinstance(data, dict) or data.get(LOCK_MARK) != 1 or not isinstance(data.get("tools"), dict):
        message = "this is no lock of servers; `toolglot pull --pin FILE` writes one"
        raise ReadError(message, "no-lock", source=path)
    servers = {}
    for name, server in data["tools"].items():
        tools = as_mapping(server).get("tools")
        if not isinstance(tools, list) or not all(isinstance(as_mapping(tool).get("name"), str) for tool in tools):
            raise ReadError(f"the lock says nothing of the tools of {name!r}", "no-lock", source=path)
        servers[name] = PulledServer(name, server)
    return servers


def read_lock_if_any(path: str) -> dict[str, PulledServer]:
    """What `read_lock` gives; no servers where there is no file."""
    if not os.path.exists(path):
        return {}
    return read_lock(path)
