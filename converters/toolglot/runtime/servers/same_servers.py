"""Whether two servers are the same, to find the server of a lock that was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolglot.converter.schema.json_values import have_same_spelling
from toolglot.converter.text.pointers import mapping_at, without_keys
from toolglot.runtime.servers.pulled_document import OURS, PulledServer


def as_pinned(server: PulledServer, servers_of_lock: Mapping[str, PulledServer]) -> PulledServer:
    """A server with its name in a lock: the one that somebody gave it, else that of the only server like it."""
    is_named = "server" in origin_of(server)
    if is_named or server.name in servers_of_lock or not origin_of(server):
        return server
    alike = [name for name, pinned in servers_of_lock.items() if same_origin(pinned, server)]
    return server._replace(name=alike[0]) if len(alike) == 1 else server


def same_origin(one: PulledServer, other: PulledServer) -> bool:
    """Whether two servers are started or reached in the same way. The name that a server gives itself is no proof."""
    # Neither where the configuration lies nor whether somebody said the name matters.
    origins = [without_keys(origin_of(server), "configuration", "server") for server in (one, other)]
    return have_same_spelling(*origins)


def origin_of(server: PulledServer) -> dict[str, Any]:
    """How a server is started or reached, and the configuration that names it."""
    return mapping_at(mapping_at(server.data, OURS), "origin")
