"""Tools for a server of the Model Context Protocol that is made with the low-level API of its SDK.

The SDK validates no arguments; here toolglot does. What a revision cannot carry is left out for the clients that speak
it: one output schema that is no object would make an older client refuse the whole list. Facts: mcp 2.3,
server/lowlevel.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from toolglot.adapters.fastmcp import protocol_tool
from toolglot.adapters.framework_tools import WrapOptions
from toolglot.bridge.session import Runner, Session
from toolglot.errors import CallError
from toolglot.extras import load_package
from toolglot.formats import parse_target
from toolglot.hub.model import Tool
from toolglot.hub.trees import list_tools


class ServedTools:
    """Tools as a server lists and calls them.

    `Server("name", on_list_tools=served.list_tools, on_call_tool=served.call_tool)` is the server.
    """

    def __init__(self, tools: list[Tool], provider: str, runner: Runner, options: dict[str, Any]) -> None:
        self._types = load_package("mcp_types", "mcp", "a server's tools need")
        self._format, self._newest = parse_target(provider)
        self._tools = tools
        self._runner = runner
        self._options = options
        self._sessions: dict[str, Session] = {}
        self.tools: list[Any] = self._protocol_tools(self._session(self._newest))

    async def list_tools(self, ctx: Any, params: Any) -> Any:
        """Answer `tools/list` on one page: some clients ignore the others."""
        return self._types.ListToolsResult(tools=self._protocol_tools(self._session_of(ctx)))

    async def call_tool(self, ctx: Any, params: Any) -> Any:
        """Answer `tools/call`; what is wrong with the call, or fails, is a result that says so."""
        request = {"name": params.name, "arguments": params.arguments}
        try:
            [message] = await self._session_of(ctx).handle_async(request)
        except CallError as error:  # it has no name
            message = {"content": [{"type": "text", "text": str(error)}], "isError": True}
        return self._types.CallToolResult.model_validate(message)

    def _session_of(self, ctx: Any) -> Session:
        return self._session(getattr(ctx, "protocol_version", None))

    def _session(self, version: str | None) -> Session:
        """The session of a revision; of one that is not known that of the newest."""
        if version not in self._format.writes:
            version = self._format.writes[-1]
        if version not in self._sessions:
            provider = f"{self._format.name}@{version}"
            self._sessions[version] = Session(self._tools, provider, runner=self._runner, **self._options)
        return self._sessions[version]

    def _protocol_tools(self, session: Session) -> list[Any]:
        provider = session.compiled.provider
        return [protocol_tool(self._types, definition, provider) for definition in session.compiled.definitions]


def wrap_tools(
    tools: Tool | Iterable[Tool], provider: str, *, runner: Runner, **options: Unpack[WrapOptions]
) -> ServedTools:
    """Tools as a server of the protocol lists and calls them.

    Args:
        tools, runner: as for `toolglot.Session`.
        provider: the format of the protocol; each client gets what the revision that it speaks can carry.
        **options: those of `toolglot.compile`, and `policy`, `approve` and `context` of `Session`.

    Raises:
        UsageError: the package `mcp-types` is not installed (code `missing-extra`), `provider` is another one
            (`bad-option`), or as of `Session`.
    """
    return ServedTools(list_tools(tools), provider, runner, dict(options))
