"""One MCP server for each principal: it lists the tools that the principal sees, and passes calls to a `Session`.

Servers of different principals share nothing, so that none can take up a session of another.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
from mcp.server import NotificationOptions, Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types.version import LATEST_HANDSHAKE_VERSION

import toolglot
from toolglot.converter.text.caches import Same
from toolglot.runtime.adapters.mcp import ServedTools
from toolglot.runtime.bridge.call_log import CallLog
from toolglot.runtime.bridge.runner_and_approve import Runner
from toolglot.runtime.serving.catalog.visible_tools import CatalogVersion
from toolglot.runtime.serving.principals import Principal
from toolglot.runtime.serving.protocol import FORMAT
from toolglot.runtime.serving.protocol.runners import refuse_call

MOST_SESSIONS = 1000
"""Of a principal, at one time."""

_SECONDS_TO_TELL = 5.0  # a client that does not read is not waited for


class _Library(Server[Any]):
    """The SDK's server, which also tells clients of the handshake that lists change."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *rest: Any, **more: Any
    ) -> Any:
        changes = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(changes, *rest, **more)


class PrincipalServer:
    """The server of one principal.

    Args:
        current: gives the current catalogue.
        runner: carries out a call; `None`: calls are refused.
        policy: as in `toolglot.Session`.
        log: the log of calls.
    """

    def __init__(
        self,
        current: Callable[[], CatalogVersion],
        principal: Principal,
        runner: Runner | None = None,
        policy: Any = None,
        log: CallLog | None = None,
    ) -> None:
        self._current = current
        self._principal = principal
        self._runner = runner or refuse_call
        self._options: dict[str, Any] = {"policy": policy, "log": log}
        if runner is None:
            # Nobody has to be asked about a call that is refused.
            self._options["approve"] = lambda invocation, reasons: True
        self._current_tools: tuple[CatalogVersion, ServedTools] | None = None
        self._sessions: dict[Same[Any], Any] = {}
        self._bus = InMemorySubscriptionBus()
        self.library = _Library(
            "toolglot",
            version=toolglot.__version__,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_subscriptions_listen=ListenHandler(self._bus),
        )

    async def tell_of_changes(self) -> None:
        """Tell clients that the list of tools may have changed."""
        self._current_tools = None  # else whoever asks for nothing any more would keep an old catalogue in memory
        await self._bus.publish(ToolsListChanged())
        async with anyio.create_task_group() as tasks:
            for session in list(self._sessions.values()):
                tasks.start_soon(_tell, session)

    async def _list_tools(self, ctx: Any, params: Any) -> Any:
        return await (await self._served_tools(ctx)).list_tools(ctx, params)

    async def _call_tool(self, ctx: Any, params: Any) -> Any:
        return await (await self._served_tools(ctx)).call_tool(ctx, params)

    def _keep_session(self, ctx: Any) -> None:
        """Keep the newest session of each connection with a handshake, to tell the client of changes.

        The SDK makes a session for each request, and says neither which belong together nor when a connection ends. But
        what a client said of itself in the handshake is one object for each connection. The least recently used session
        is dropped first.
        """
        handshake = ctx.session.client_params
        if handshake is None or ctx.protocol_version > LATEST_HANDSHAKE_VERSION:  # such clients subscribe
            return
        self._sessions.pop(Same(handshake), None)
        self._sessions[Same(handshake)] = ctx.session
        if len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]

    async def _served_tools(self, ctx: Any) -> ServedTools:
        """The current tools; those of an earlier catalogue are neither listed nor called."""
        self._keep_session(ctx)
        catalog = self._current()
        if self._current_tools is None or self._current_tools[0] is not catalog:
            self._current_tools = catalog, await anyio.to_thread.run_sync(self._make, catalog)
        return self._current_tools[1]

    def _make(self, catalog: CatalogVersion) -> ServedTools:
        entries = [descriptor.entry for descriptor in catalog.visible(self._principal.name)]
        tools = [tool for entry in entries for tool in entry.reading.tools]
        return ServedTools(tools, FORMAT, self._runner, self._options, has_one_user=True)


async def _tell(session: Any) -> None:
    with suppress(Exception), anyio.move_on_after(_SECONDS_TO_TELL):  # some clients have gone
        await session.send_tool_list_changed()
