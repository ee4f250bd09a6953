"""The lock: what servers offered when somebody reviewed it.

A lock is a document of pulled servers with sorted tools, so that it changes only where a server does. It may have
assertions of a person about tools, each with the digest of the text that was reviewed. An assertion ends when the tool
is pinned with another text.
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
    """The text of a lock.

    Args:
        vouched: pattern -> assertion of a person, with the digest of the text that it is about.
    """
    sorted_servers = []
    for server in sorted(servers, key=lambda server: server.name):
        tools = sorted(server.tools, key=lambda tool: str(tool["name"]))
        sorted_servers.append(server._replace(data={**server.data, "tools": tools}))
    beside = {VOUCHED_KEY: dict(sorted(vouched.items()))} if vouched else {}
    return serialization.dump_json({LOCK_MARK: 1, **beside, **document_of(sorted_servers)})


def read_lock(path: str) -> dict[str, PulledServer]:
    """Name -> server of a lock.

    Raises:
        ReadError: the file cannot be read, or is no lock.
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
    """The same as `read_lock`; empty where there is no file."""
    if not os.path.exists(path):
        return {}
    return read_lock(path)


def pin(
    path: str, servers: Sequence[PulledServer], *, is_whole: bool, force: bool, assertions: Sequence[Assertion] = ()
) -> list[str]:
    """Write the servers that were asked into the lock; other servers in it stay.

    Its folder is locked while the file is read and written, because another run may pin servers at the same time.

    Args:
        is_whole: whether all servers of the lock were asked, so that others are removed.
        force: whether a server may replace another one with the same name. Those of a configuration always may,
            because the configuration gives the name.
        assertions: assertions of a person about the tools as they are now, which the lock keeps.

    Returns:
        the patterns of assertions in the lock that ended, because the text that they were about changed.

    Raises:
        UsageError: another server is pinned under a name, code `"other-server"`; or an assertion in the lock is
            malformed, code `"bad-assertion"`.
        ReadError: the file exists and is no lock.
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
    """Pattern -> assertion in a lock; empty where there is no lock."""
    if not os.path.exists(path):
        return {}
    assertions = parse_assertions(document_reader.load(document_reader.read_file(path), path))
    return {assertion.pattern: to_json(assertion, assertion.digest or "") for assertion in assertions}


def _vouch_for(servers: Iterable[PulledServer], assertions: Sequence[Assertion]) -> dict[str, dict[str, Any]]:
    """Pattern of a single tool -> assertion about it, with the digest of its text."""
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
    """The servers for the new lock: the asked ones as they are now; arguments and errors as in `pin`."""
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
    """The server with the name that it has in the lock. Several servers may be started by the same program."""
    own_name = _own_name(server)
    return as_pinned(
        server, {name: pinned for name, pinned in servers_of_lock.items() if _own_name(pinned) == own_name}
    )


def _own_name(server: PulledServer) -> Any:
    return mapping_at(server.data, "serverInfo").get("name")
