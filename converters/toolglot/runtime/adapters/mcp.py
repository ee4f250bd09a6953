"""Tools for a server of the Model Context Protocol that is made with the low-level API of its SDK.

The SDK validates no arguments; here toolglot does. What a revision cannot carry is left out for the clients that speak
it: one output schema that is no object would make an older client refuse the whole list. Facts: mcp 2.3,
server/lowlevel.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from toolglot.converter.formats import parse_target
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import list_tools
from toolglot.errors import CallError
from toolglot.extras import load_package
from toolglot.runtime.adapters.fastmcp import protocol_result, protocol_tool
from toolglot.runtime.adapters.framework_tools import WrapOptions
from toolglot.runtime.adapters.mcp_approval_questions import CallQuestions, ask_client, asking
from toolglot.runtime.bridge.runner_and_approve import Runner
from toolglot.runtime.bridge.session import Session


class ServedTools:
    """Tools as a server lists and calls them.

    `Server("name", on_list_tools=served.list_tools, on_call_tool=served.call_tool)` is the server.

    Args:
        has_one_user: whether all of its clients are those of one person, so that an answer may hold for later calls.
    """

    def __init__(
        self, tools: list[Tool], provider: str, runner: Runner, options: dict[str, Any], has_one_user: bool = False
    ) -> None:
        self._has_one_user = has_one_user
        self._types = load_package("mcp_types", "mcp", "a server's tools need")
        self._format, newest = parse_target(provider)
        self._tools = tools
        self._runner = runner
        self._options = options
        self._sessions: dict[tuple[str, bool], Session] = {}
        self.tools: list[Any] = self._protocol_tools(self._session(newest))

    async def list_tools(self, ctx: Any, params: Any) -> Any:
        """Answer `tools/list` on one page: some clients ignore the others. So no cursor is one of ours."""
        if getattr(params, "cursor", None) is not None:
            error = load_package("mcp.shared.exceptions", "mcp", "a server's tools need").MCPError
            raise error(self._types.INVALID_PARAMS, "this cursor is none of this server's")
        return self._types.ListToolsResult(
            tools=self._protocol_tools(self._session(getattr(ctx, "protocol_version", None)))
        )

    async def call_tool(self, ctx: Any, params: Any) -> Any:
        """Answer `tools/call`; what is wrong with the call, or fails, is a result that says so."""
        request = {"name": params.name, "arguments": params.arguments}
        questions = CallQuestions(self._types, ctx, params)
        asks_client = self._options.get("approve") is None and questions.can_be_asked
        session = self._session(getattr(ctx, "protocol_version", None), asks_client)
        if not self._has_one_user:
            session = session.without_answers()
        try:
            with asking(questions):
                [message] = await session.handle_async(request)
        except CallError as error:  # it has no name
            message = {"content": [{"type": "text", "text": str(error)}], "isError": True}
        if questions.unanswered is not None:
            return self._types.InputRequiredResult(input_requests=questions.unanswered)
        return protocol_result(self._types, message)

    def _session(self, version: str | None, asks_client: bool = False) -> Session:
        """The session of a revision; of one that is not written that of the last before it, or of the first."""
        written = self._format.writes
        earlier = [known for known in written if version is None or known <= version]
        version = earlier[-1] if earlier else written[0]
        key = version, asks_client
        if key not in self._sessions:
            provider = f"{self._format.name}@{version}"
            options = {**self._options, "approve": ask_client} if asks_client else self._options
            self._sessions[key] = Session(self._tools, provider, runner=self._runner, **options)
        return self._sessions[key]

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
        **options: those of `toolglot.compile`, and `policy`, `approve` and `context` of `Session`. Without `approve`
            the user of the client is asked, if it can show questions (elicitation).

    Raises:
        UsageError: the package `mcp-types` is not installed (code `missing-extra`), `provider` is another one
            (`bad-option`), or as of `Session`.
    """
    return ServedTools(list_tools(tools), provider, runner, dict(options))
