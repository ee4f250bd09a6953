"""Calls that are carried out by the servers that tools were pulled from, as long as these offer what was pinned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from toolglot.bridge.session import Invocation
from toolglot.errors import Error, ToolFailure
from toolglot.servers.bounds import USUAL_BOUNDS, Bounds
from toolglot.servers.entries import ServerEntry
from toolglot.servers.exchange import Wire
from toolglot.servers.lock_file import compare
from toolglot.servers.pulling import PulledServer, load_connection, pulled_server
from toolglot.servers.variables import VariableSource

if TYPE_CHECKING:
    from toolglot.servers.connection import Conversation

_GONE = ("server-ended", "server-unreachable")  # codes of faults after which a conversation is over
_RESULT = ("content", "structuredContent", "isError")  # what a result says to whoever called


class _OpenServer(NamedTuple):
    """A server that is there, and what ends it."""

    conversation: Conversation
    wire: Wire
    scope: Any


class ServerCalls:
    """What carries out the calls of a `Session`, as an asynchronous context.

    A call goes to the server whose name is the namespace of its tool, under the tool's own id. A server is started or
    reached when it is called first, and stays until the end. Before its first call its list is held to the lock: what
    was looked at is what is called, or nothing is.

    Args:
        entries: the servers, each with its name.
        values: what their variables are filled in from.
        locked: what was pinned of each, by its name.

    Raises:
        UsageError: the library of the protocol is missing; code `"missing-extra"`.
    """

    def __init__(
        self,
        entries: Iterable[ServerEntry],
        values: VariableSource,
        locked: Mapping[str, PulledServer],
        bounds: Bounds = USUAL_BOUNDS,
    ) -> None:
        self._entries = {entry.name: entry for entry in entries}
        self._values = values
        self._locked = locked
        self._bounds = bounds
        self._connection = load_connection()
        self._open: dict[str, _OpenServer] = {}

    async def __aenter__(self) -> ServerCalls:
        import anyio  # comes with the library

        self._opening = anyio.Lock()
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._tasks.cancel_scope.cancel()
        return await self._tasks.__aexit__(kind, error, trace)

    @property
    def entries(self) -> list[ServerEntry]:
        """The servers, in the order in which they were named."""
        return list(self._entries.values())

    def has(self, namespace: str | None) -> bool:
        """Whether one of the servers has this name."""
        return namespace in self._entries

    async def __call__(self, invocation: Invocation) -> Any:
        """Carry out a call.

        Returns:
            The result as the server sends it.

        Raises:
            ToolFailure: no server is known for the tool, it does not offer what was pinned, or it fails.
        """
        tool = invocation.tool
        server, name = tool.namespace, tool.id
        if server is None or server not in self._entries:
            reason = f"no server is known for {name!r}; what is converted with --lossless keeps its server and its name"
            raise ToolFailure(reason, "no_route")
        pinned = self._pinned_tools(server).get(name)
        if pinned is None:
            raise ToolFailure(f"{name!r} is not among the pinned tools of {server!r}", "no_route")
        opened = await self._opened(server)
        opened.wire.bytes = 0  # the bound is for one answer
        seconds = min(self._bounds.page_seconds, (tool.timeout_ms or float("inf")) / 1000)
        try:
            result = await opened.conversation.call_tool(pinned, invocation.arguments, seconds)
        except self._connection.FAULTS as fault:
            error = self._connection.explained(fault, opened.wire)
            if error.code in _GONE:
                self._open.pop(server, None)  # the next call begins anew
                opened.scope.cancel()
            raise _failure_of(error) from None
        if not isinstance(result.get("content"), list):
            raise ToolFailure(f"the server {server!r} answers with no result", "output_parse_failed")
        return {key: result[key] for key in _RESULT if key in result}

    def _pinned_tools(self, server: str) -> dict[str, Mapping[str, Any]]:
        locked = self._locked.get(server)
        return {tool["name"]: tool for tool in locked.tools} if locked is not None else {}

    async def _opened(self, server: str) -> _OpenServer:
        """The conversation with a server, which is begun where there is none, or none any more."""
        async with self._opening:
            if server not in self._open:
                wire = Wire()
                try:
                    await self._tasks.start(self._keep_open, server, wire)
                except self._connection.FAULTS as fault:
                    raise _failure_of(self._connection.explained(fault, wire)) from None
            return self._open[server]

    async def _keep_open(self, server: str, wire: Wire, *, task_status: Any) -> None:
        """Hold a server to what was pinned, and keep it until it ends, or all do."""
        import anyio

        entry = self._entries[server]
        opened = None
        try:
            with anyio.CancelScope() as scope:
                async with self._connection.open_server(entry, self._values, self._bounds, wire) as conversation:
                    with anyio.fail_after(self._bounds.seconds):
                        answer = pulled_server(entry, await conversation.ask())
                    if not compare({server: self._locked[server]}, [answer]).holds:
                        message = f"the server {server!r} offers something else than was pinned; pull --check says what"
                        raise ToolFailure(message, "policy_violation")
                    opened = self._open[server] = _OpenServer(conversation, wire, scope)
                    task_status.started()
                    await anyio.sleep_forever()
        except self._connection.FAULTS:
            if opened is None:
                raise
        if self._open.get(server) is opened:
            del self._open[server]


def _failure_of(error: Error) -> ToolFailure:
    if isinstance(error, ToolFailure):
        return error
    return ToolFailure(str(error), "timeout" if error.code == "server-timeout" else "upstream_error")
