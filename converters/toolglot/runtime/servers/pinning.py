"""The lock: what servers offered when somebody looked at it.

A lock is a document of pulled servers, its tools in the order of their names, so that it changes only where a server
does. It may hold what a person vouches for, tool by tool, each with the digest of the text that was looked at: when a
tool is pinned with another text, that ends.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolglot.converter.conversion.vouched_facts import (
    LOCK_MARK,
    VOUCHED_KEY,
    Assertion,
    digest_of_text,
    find_assertions,
    parse_assertions,
    to_json,
)
from toolglot.converter.files.commit import commit
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.pointers import as_mapping, mapping_at
from toolglot.errors import ReadError, UsageError
from toolglot.runtime.servers.pulled_document import PulledServer, document_of
from toolglot.runtime.servers.same_servers import as_pinned, origin_of, same_origin


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


def pin(
    path: str, servers: Sequence[PulledServer], *, is_whole: bool, force: bool, assertions: Sequence[Assertion] = ()
) -> list[str]:
    """Write the lock of servers that were asked; others in it stay as they are.

    Its folder is locked while the file is read and written: another run may pin its servers in the same moment.

    Args:
        is_whole: whether all were asked that belong to the lock, so that others leave it.
        force: whether another server may take a name. Those of a configuration always may: there it is their name.
        assertions: what a person vouches for of the tools as they are now; the lock keeps it.

    Returns:
        the patterns of what was vouched for in the lock, and ended with the text that it was about.

    Raises:
        UsageError: another server is pinned under a name, code `"other-server"`; or what is vouched for in the lock
            says something else than that, code `"bad-assertion"`.
        ReadError: something else is there that is no lock.
        WriteError: the system refuses it.
    """
    with commit(os.path.dirname(os.path.realpath(path)), named=path) as files:
        servers_of_lock = read_lock_if_any(path)
        servers = [_as_renewed(server, servers_of_lock) for server in servers]
        new_servers = _renew(servers_of_lock, servers, is_whole, force, path)
        entries = {**_read_vouched(path), **_vouch_for(servers, assertions)}
        digests = {digest_of_text(tool) for server in new_servers for tool in server.tools}
        vouched = {pattern: entry for pattern, entry in entries.items() if entry["sha256"] in digests}
        files.put(path, dump_lock(new_servers, vouched).encode("utf-8", "backslashreplace"))
    return sorted(entries.keys() - vouched.keys())


def _read_vouched(path: str) -> dict[str, dict[str, Any]]:
    """What a person vouches for in a lock, by its patterns; nothing where there is no lock."""
    if not os.path.exists(path):
        return {}
    assertions = parse_assertions(document_reader.load(document_reader.read_file(path), path))
    return {assertion.pattern: to_json(assertion, assertion.digest or "") for assertion in assertions}


def _vouch_for(servers: Iterable[PulledServer], assertions: Sequence[Assertion]) -> dict[str, dict[str, Any]]:
    """What assertions say of the tools of servers, each by itself and with the digest of its text."""
    entries: dict[str, dict[str, Any]] = {}
    for server in servers:
        for tool in server.tools:
            for assertion in find_assertions(assertions, server.name, (tool["name"],)):
                name = glob.escape(tool["name"]).replace("/", "?")  # what is before a slash names the server
                entry = entries.setdefault(f"{glob.escape(server.name)}/{name}", {})
                entry.update(to_json(assertion, digest_of_text(tool)))
    return entries


def _renew(
    servers_of_lock: Mapping[str, PulledServer], servers: Iterable[PulledServer], is_whole: bool, force: bool, path: str
) -> list[PulledServer]:
    """The servers of a lock, those that were asked as they are now; arguments and errors as of `pin`."""
    new_servers: dict[str, PulledServer] = {}
    if not is_whole:
        new_servers.update(servers_of_lock)
    for server in servers:
        earlier = servers_of_lock.get(server.name)
        may_replace = force or "configuration" in origin_of(server)
        if earlier is not None and not may_replace and not same_origin(earlier, server):
            message = f"another server is pinned as {server.name!r}; give this one a --name, or --force to replace it"
            raise UsageError(message, "other-server", source=path)
        new_servers[server.name] = server
    return list(new_servers.values())


def _as_renewed(server: PulledServer, servers_of_lock: Mapping[str, PulledServer]) -> PulledServer:
    """The same where the lock is written: many servers are started by one program, and none takes another's place."""
    own_name = _own_name(server)
    return as_pinned(
        server, {name: pinned for name, pinned in servers_of_lock.items() if _own_name(pinned) == own_name}
    )


def _own_name(server: PulledServer) -> Any:
    return mapping_at(server.data, "serverInfo").get("name")
