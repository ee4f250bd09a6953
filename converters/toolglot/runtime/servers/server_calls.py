"""Carries out calls with the servers that tools were pulled from, as long as these offer what was pinned.

This module imports the protocol's library, so it is imported only for a call.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio
from anyio.abc import TaskStatus
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import only_keys
from toolglot.converter.text.similar_names import letters_of
from toolglot.errors import TO_RESTORE, Error, ToolFailure
from toolglot.runtime.bridge.invocations import Invocation
from toolglot.runtime.bridge.runner_failures import bound_text
from toolglot.runtime.servers.bounds import USUAL_BOUNDS, Bounds, Wire
from toolglot.runtime.servers.connection import open_server
from toolglot.runtime.servers.conversation import Conversation
from toolglot.runtime.servers.lock_comparison import compare_with_lock
from toolglot.runtime.servers.named_servers import ServerEntry
from toolglot.runtime.servers.pulled_document import PulledServer, pulled_server
from toolglot.runtime.servers.server_faults import FAULTS, explain_fault
from toolglot.runtime.servers.variables import VariableSource

T = TypeVar("T")

FRESH_SECONDS = 60.0
"""How long what a server said of its tools is taken to hold; clients of 2026 are told of changes only if they ask."""

# Faults after which a conversation ends.
_OVER = ("server-ended", "server-unreachable", "too-large", "unauthorised", "compressed-answer", "policy_violation")
# What a server answers that has forgotten a session: the first as the specification has it (2025-11-25, transports,
# session management), the other as many do.
_FORGOTTEN = (404, 400)
_SAY_ENOUGH = frozenset({"structuredContent", "isError"})  # without a `content`
_RESULT = ("content", "structuredContent", "isError", "_meta")  # what a result says to whoever called


@dataclass
class _OpenServer:
    """A server with an open conversation.

    Attributes:
        end: ends the conversation.
        looked_at: when its tools were last compared with the lock.
        calls: the number of calls under way.
    """

    conversation: Conversation
    wire: Wire
    end: Callable[[], None]
    looked_at: float = field(default_factory=time.monotonic)
    calls: int = 0


class ServerCalls:
    """A runner for a `Session` that calls servers; it is an asynchronous context.

    A call goes to the server whose name is the namespace of the tool, under the id of the tool. A server is started or
    reached at its first call, and stays until the end. Before the first call, a minute after the last comparison, and
    after the server said that its tools changed, its tools are compared with the lock. So only reviewed tools are
    called.

    Args:
        entries: the servers, each with its name.
        values: the source of their variables.
        servers_of_lock: name -> pinned server.
    """

    keeps_time = True

    def __init__(
        self,
        entries: Iterable[ServerEntry],
        values: VariableSource,
        servers_of_lock: Mapping[str, PulledServer],
        bounds: Bounds = USUAL_BOUNDS,
    ) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._values = values
        self._servers_of_lock = servers_of_lock
        self._bounds = bounds
        self._open: dict[str, _OpenServer] = {}

    async def __aenter__(self) -> ServerCalls:
        self._opening = {name: anyio.Lock() for name in self._entries}
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> bool | None:
        self._tasks.cancel_scope.cancel()
        return await self._tasks.__aexit__(*raised)

    @property
    def entries(self) -> list[ServerEntry]:
        """The servers, in the order in which they were named."""
        return list(self._entries.values())

    def has(self, tool: Tool) -> bool:
        """Whether a server is known for a tool."""
        return self._server_of(tool) is not None

    async def __call__(self, invocation: Invocation) -> Any:
        """Carry out a call.

        Returns:
            The result as the server sends it, with `isError` in any case.

        Raises:
            ToolFailure: no server is known for the tool, it does not offer what was pinned, or it fails.
        """
        tool = invocation.tool
        server = self._server_of(tool)
        if server is None:
            raise ToolFailure(f"no server is known for {tool.id!r}; {TO_RESTORE}", "no_route")
        pinned_tool = self._pinned_tool(server, tool.id)
        if pinned_tool is None:
            reason = f"{tool.id!r} is not among the pinned tools of {server!r}; {TO_RESTORE}"
            raise ToolFailure(reason, "no_route")
        active_server = await self._open_conversation(server)
        active_server.wire.received = 0  # the bound is for one call
        seconds = min(self._bounds.page_seconds, (tool.timeout_ms or float("inf")) / 1000)
        active_server.calls += 1
        try:
            is_old = time.monotonic() - active_server.looked_at > FRESH_SECONDS
            if is_old or active_server.conversation.dispatcher.has_other_tools:
                await self._hold_to_lock(server, active_server.conversation)
                active_server.looked_at = time.monotonic()
            result = await active_server.conversation.call_tool(pinned_tool, invocation.arguments, seconds)
        except FAULTS as fault:
            error = explain_fault(fault, active_server.wire)
            if await _is_over(error, active_server):
                self._forget(server, active_server)  # the next call begins anew
                active_server.end()
            raise _failure_of(error) from None
        finally:
            active_server.calls -= 1
        content = result.get("content")
        if content is None and not _SAY_ENOUGH.isdisjoint(result):
            content = []  # as clients in TypeScript take it, and as Go writes a list that was never made
        if not isinstance(content, list):
            raise ToolFailure(f"the server {server!r} answers with no result", "output_parse_failed")
        # An empty `content` alone could be a tool's own data; `isError` marks it as the protocol's.
        return {"isError": False, **only_keys(result, _RESULT), "content": content}

    def _server_of(self, tool: Tool) -> str | None:
        """The server in the namespace of a tool; for a tool without one, the only server with a tool of this id.

        A `TOOL.md` that was edited has no namespace: its slot, with the server in it, is not believed any more.
        """
        if tool.namespace in self._entries:
            return tool.namespace
        if tool.namespace is not None:
            return None
        return _only([server for server in self._entries if self._pinned_tool(server, tool.id) is not None])

    def _pinned_tool(self, server: str, name: str) -> Mapping[str, Any] | None:
        """The pinned tool with a name, or else the only one whose name another format spells in this way."""
        server_of_lock = self._servers_of_lock.get(server)
        if server_of_lock is None:
            return None
        tools = server_of_lock.tools
        for tool in tools:
            if tool["name"] == name:
                return tool
        return _only([tool for tool in tools if letters_of(tool["name"]) == letters_of(name)])

    async def _open_conversation(self, server: str) -> _OpenServer:
        """The open conversation with a server; a new one is begun where there is none."""
        async with self._opening[server]:
            if server in self._open:
                return self._open[server]
            wire = Wire(self._bounds)
            try:
                active_server: _OpenServer = await self._tasks.start(self._keep_open, server, wire)
            except FAULTS as fault:
                raise _failure_of(explain_fault(fault, wire)) from None
            return active_server

    async def _keep_open(self, server: str, wire: Wire, *, task_status: TaskStatus[_OpenServer]) -> None:
        """Compare a server with the lock, and keep it open until it ends, or all servers do."""
        active_server: _OpenServer | None = None
        try:
            with anyio.move_on_after(self._bounds.seconds) as scope:
                async with open_server(self._entries[server], self._values, wire) as conversation:
                    await self._hold_to_lock(server, conversation)
                    scope.deadline = math.inf
                    active_server = self._open[server] = _OpenServer(conversation, wire, scope.cancel)
                    try:
                        task_status.started(active_server)
                        await conversation.dispatcher.end.wait()
                    finally:  # before it is closed, which takes seconds
                        self._forget(server, active_server)
        except FAULTS:
            if active_server is None:
                raise
        if active_server is None:
            raise TimeoutError

    def _forget(self, server: str, ended: _OpenServer) -> None:
        """Let the next call begin a new conversation, unless one has begun already."""
        if self._open.get(server) is ended:
            del self._open[server]

    async def _hold_to_lock(self, server: str, conversation: Conversation) -> None:
        """Ask a server for its tools again, and compare them with the lock.

        Raises:
            ToolFailure: it offers something else than was pinned.
        """
        with anyio.fail_after(self._bounds.seconds):
            answer = await conversation.ask()
        offered = pulled_server(self._entries[server], answer)
        if not compare_with_lock({server: self._servers_of_lock[server]}, [offered]).holds:
            message = f"the server {server!r} offers something else than was pinned; pull --check says what"
            raise ToolFailure(message, "policy_violation")


def _only(found: Sequence[T]) -> T | None:
    return found[0] if len(found) == 1 else None


async def _is_over(error: Error, server: _OpenServer) -> bool:
    """Whether a fault ends the conversation. Over HTTP, one of an older version ends with its session."""
    if error.code == "server-refusal":
        return server.conversation.version in HANDSHAKE_PROTOCOL_VERSIONS and server.wire.status in _FORGOTTEN
    if error.code == "server-timeout":  # the call takes too long, or the server hangs; another call is not disturbed
        return server.calls == 1 and not await server.conversation.is_answered()
    return error.code in _OVER


def _failure_of(error: Error) -> ToolFailure:
    if isinstance(error, ToolFailure):
        return error
    message = "; ".join(filter(None, (error.message, error.hint)))
    code = "timeout" if error.code == "server-timeout" else "upstream_error"
    return ToolFailure(bound_text(message), code)
