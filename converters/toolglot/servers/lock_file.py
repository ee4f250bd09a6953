"""What servers offered when somebody looked at it, and what differs from that now.

A description is read by a model each time, and a server may say something else tomorrow. A lock is a document of
pulled servers, its tools in the order of their names, so that it changes only where a server does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from toolglot.comparison.contracts import diff
from toolglot.comparison.difference import Difference, ToolDifference, gravest_first
from toolglot.errors import ReadError, UsageError
from toolglot.schema.canonical import to_short_json, to_whole_json
from toolglot.schema.values import have_same_spelling
from toolglot.servers.pulling import OURS, PulledServer, document_of
from toolglot.text import serialization
from toolglot.text.pointers import as_mapping, escape, list_at, mapping_at, without_keys

MARK = "toolglot-lock"
"""The key that every lock begins with."""

# What a server says beside its tools -> whether another value fails. Models read instructions; the rest tells people
# who answered, and changes with each version.
_BESIDE = {"instructions": True, "serverInfo": False, "protocolVersion": False}


class LockFinding(NamedTuple):
    """What differs from a lock and is no change of a contract.

    Attributes:
        fails: whether it counts; else it is only told.
    """

    server: str
    message: str
    fails: bool = True


class LockText(NamedTuple):
    """What a model reads now where it read something else before, or nothing.

    Attributes:
        tool: the server and the tool, as the difference names it.
        pointer: where it stands in the tool; empty for a whole tool.
        before, after: the text, or the value that holds texts; `None` where there is none.
    """

    tool: str
    pointer: str
    before: Any
    after: Any


class LockComparison(NamedTuple):
    """What differs from a lock: changes of contracts, the texts of the tools that changed, and the rest."""

    difference: Difference
    texts: tuple[LockText, ...]
    findings: tuple[LockFinding, ...]

    @property
    def holds(self) -> bool:
        """Whether everything that counts is as it was."""
        return not self.difference and not any(finding.fails for finding in self.findings)


def dump_lock(servers: Sequence[PulledServer]) -> str:
    """The lock of what servers offer."""
    sorted_servers = [_with_sorted_tools(server) for server in sorted(servers, key=_name_of)]
    return serialization.dump_json({MARK: 1, **document_of(sorted_servers)})


def _name_of(server: PulledServer) -> str:
    return server.name


def _with_sorted_tools(server: PulledServer) -> PulledServer:
    tools = sorted(server.tools, key=lambda tool: str(tool["name"]))
    return server._replace(data={**server.data, "tools": tools})


def read_lock(path: str) -> dict[str, PulledServer]:
    """The servers of a lock by their names.

    Raises:
        ReadError: it cannot be read, or is no lock.
    """
    data = serialization.load(serialization.read_file(path), path).data
    if not isinstance(data, dict) or data.get(MARK) != 1 or not isinstance(data.get("tools"), dict):
        message = "this is no lock of servers; `toolglot pull --lock FILE` writes one"
        raise ReadError(message, "no-lock", source=path)
    servers = {}
    for name, server in data["tools"].items():
        if not _is_locked_server(server):
            raise ReadError(f"the lock says nothing of the tools of {name!r}", "no-lock", source=path)
        servers[name] = PulledServer(name, server)
    return servers


def _is_locked_server(server: Any) -> bool:
    """Whether a server has a list of tools with names."""
    tools = as_mapping(server).get("tools")
    return isinstance(tools, list) and all(isinstance(as_mapping(tool).get("name"), str) for tool in tools)


def renew(
    servers_of_lock: Mapping[str, PulledServer],
    servers: Iterable[PulledServer],
    *,
    is_whole: bool = False,
    force: bool = False,
    source: str | None = None,
) -> list[PulledServer]:
    """The servers of a lock, those that were asked as they are now.

    Args:
        is_whole: whether all were asked that belong to the lock, so that others leave it.
        force: whether another server may take a name. Those of a configuration always may: there it is their name.
        source: what the lock is called in messages.

    Raises:
        UsageError: another server is pinned under a name; code `"other-server"`.
    """
    new_servers: dict[str, PulledServer] = {}
    if not is_whole:
        new_servers.update(servers_of_lock)
    for server in servers:
        earlier = servers_of_lock.get(server.name)
        may_replace = force or _is_configured(server)
        if earlier is not None and not may_replace and not same_origin(earlier, server):
            message = f"another server is pinned as {server.name!r}; give this one a --name, or --force to replace it"
            raise UsageError(message, "other-server", source=source)
        new_servers[server.name] = server
    return list(new_servers.values())


def compare(
    servers_of_lock: Mapping[str, PulledServer],
    servers: Sequence[PulledServer],
    *,
    is_whole: bool = False,
    source: str | None = None,
) -> LockComparison:
    """What servers offer now, against a lock.

    Args:
        servers: those that were asked.
        is_whole: whether all were asked that belong to the lock; else others in it do not matter.
        source: what the lock is called in messages.

    Raises:
        ReadError: the lock holds what is no tool.
    """
    differences: list[ToolDifference] = []
    texts: list[LockText] = []
    findings: list[LockFinding] = []
    tool_count = 0
    for server in servers:
        before = servers_of_lock.get(server.name)
        if before is None:
            findings.append(LockFinding(server.name, "is not in the lock; look at it, then pull it with --lock"))
            continue
        try:
            reading_of_lock = before.reading()
        except ReadError as error:
            error.source = source
            raise
        difference = diff([reading_of_lock], [server.reading()])
        tool_count += difference.compared
        changed_tools = {tool.id for tool in difference.tools}
        differences += [msgspec.structs.replace(tool, id=f"{server.name} {tool.id}") for tool in difference.tools]
        texts += _texts(before, server, changed_tools)
        findings += _findings(before, server, changed_tools)
    if is_whole:
        for name in sorted(servers_of_lock.keys() - set(map(_name_of, servers))):
            findings.append(LockFinding(name, "is in the lock, and was not asked or did not answer"))
    difference = Difference(tools=gravest_first(differences), compared=tool_count)
    return LockComparison(difference, tuple(texts), tuple(findings))


_NOT_READ = frozenset({"_meta", "icons"})  # by models


def _texts(before: PulledServer, after: PulledServer, changed_tools: set[str]) -> Iterator[LockText]:
    """What a model reads now of the tools whose contract differs, a new tool whole.

    The changes of a contract name a new input, and are too short for what it says: an order to the model may be there.
    """
    old_tools = {tool.get("name"): _without_unread(tool) for tool in before.tools}
    for tool in after.tools:
        name = tool["name"]
        if name in changed_tools:
            for pointer, old, new in _changed_texts(old_tools.get(name), _without_unread(tool), ""):
                yield LockText(f"{after.name} {name}", pointer, old, new)


def _without_unread(tool: dict[str, Any]) -> dict[str, Any]:
    return without_keys(tool, *_NOT_READ)


def _changed_texts(old: Any, new: Any, pointer: str) -> Iterator[tuple[str, Any, Any]]:
    """Where two values differ in texts, as far down as both have something there."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            yield from _changed_texts(old.get(key), new.get(key), f"{pointer}/{escape(key)}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from _changed_texts(*pair, f"{pointer}/{index}")
    elif not have_same_spelling(old, new) and (_may_hold_text(old) or _may_hold_text(new)):
        yield pointer, old, new


def _may_hold_text(value: Any) -> bool:
    return isinstance(value, str | dict | list)


def _findings(before: PulledServer, after: PulledServer, changed_tools: set[str]) -> Iterator[LockFinding]:
    """What differs beside the contracts; `changed_tools` are those whose contract differs, which is told elsewhere."""
    for key, fails in _BESIDE.items():
        old, new = before.data.get(key), after.data.get(key)
        if not have_same_spelling(old, new):
            show = to_short_json
            if fails:
                show = to_whole_json
            yield LockFinding(after.name, f"{key}: {show(old)} -> {show(new)}", fails)
    if not same_origin(before, after):
        yield LockFinding(after.name, "is started or reached in another way than when it was locked")
    if not have_same_spelling(_refused_entries(before), _refused_entries(after)):
        yield LockFinding(after.name, "its tools that cannot be read are others than when it was locked")
    old_tools = {tool.get("name"): tool for tool in before.tools}
    for tool in after.tools:
        name = tool["name"]
        if name not in changed_tools and name in old_tools and not have_same_spelling(old_tools[name], tool):
            yield LockFinding(after.name, f"{name} differs in what no rule weighs, such as `_meta` or icons")


def _is_configured(server: PulledServer) -> bool:
    """Whether a configuration names it."""
    origin = _ours(server).get("origin")
    return isinstance(origin, dict) and "configuration" in origin


def _ours(server: PulledServer) -> Mapping[str, Any]:
    return mapping_at(server.data, OURS)


def same_origin(one: PulledServer, other: PulledServer) -> bool:
    """Whether two are started or reached in one way; what a server calls itself proves nothing."""
    return have_same_spelling(_origin(one), _origin(other))


def _origin(server: PulledServer) -> Any:
    """How it is started or reached; where the configuration lies does not matter."""
    origin = _ours(server).get("origin")
    if not isinstance(origin, dict):
        return {}
    return without_keys(origin, "configuration")


def _refused_entries(server: PulledServer) -> Any:
    entries = list_at(_ours(server), "refused")
    return sorted(serialization.dump_json(entry, indent=None) for entry in entries)
