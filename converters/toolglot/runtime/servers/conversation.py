"""One conversation with a server: the version of the protocol, all pages of its tools, and calls.

The library's own list of tools drops unknown keys, takes "yes" for true, and refuses all tools for one that is wrong.
So answers are taken from its dispatcher, which gives them as they were sent.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import anyio
import msgspec
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    encode_header_value,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    PROTOCOL_VERSION_META_KEY,
    SERVER_INFO_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
)
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    LATEST_MODERN_VERSION,
    MODERN_PROTOCOL_VERSIONS,
)

import toolglot
from toolglot.converter.text.pointers import list_at, mapping_at, without_nulls
from toolglot.errors import LimitError, ReadError
from toolglot.runtime.servers.bounds import Bounds, WireStreams
from toolglot.runtime.servers.server_faults import is_closed, late_error

logging.getLogger("mcp").addHandler(logging.NullHandler())  # else it writes tracebacks of a server's faults to stderr

_CLIENT = {"name": "toolglot", "version": toolglot.__version__}


class ServerAnswer(NamedTuple):
    """The answers of a server.

    Attributes:
        about: the agreed `protocolVersion`, and as they were sent: `serverInfo`, `instructions` for models, and
            `capabilities`. They may have values that JSON does not allow, such as NaN.
        tools: the tools as they were sent, in order and unchecked.
    """

    about: dict[str, Any]
    tools: list[Any]


class Dispatcher(JSONRPCDispatcher[Any]):
    """The dispatcher of the library, which also takes notifications of the server.

    Attributes:
        end: set when the server has ended, or cannot be reached any more.
        has_other_tools: whether the server has said that its tools changed, since it was last asked for them.
    """

    def __init__(self, streams: WireStreams) -> None:
        super().__init__(*streams)
        self.end = anyio.Event()
        self.has_other_tools = False

    async def run(self, *handlers: Any, **options: Any) -> None:
        try:
            await super().run(*handlers, **options)
        finally:
            self.end.set()

    async def notice(self, context: Any, method: str, params: Mapping[str, Any] | None) -> None:
        """Take a notification. Only the one about changed tools matters."""
        if method == "notifications/tools/list_changed":
            self.has_other_tools = True


@asynccontextmanager
async def dispatching(streams: WireStreams) -> AsyncIterator[Dispatcher]:
    """A running dispatcher for a connection, which sends requests and takes notifications."""
    dispatcher = Dispatcher(streams)
    async with anyio.create_task_group() as tasks:
        await tasks.start(dispatcher.run, _answer, dispatcher.notice)
        try:
            yield dispatcher
        finally:
            tasks.cancel_scope.cancel()


async def _answer(context: Any, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    """The answer to a request of the server: we are alive, and offer nothing."""
    if method == "ping":
        return {}
    raise MCPError(METHOD_NOT_FOUND, "this client has nothing to give")


class Conversation(msgspec.Struct):
    """A conversation in one version of the protocol: with a handshake up to 2025-11-25, without one since."""

    dispatcher: Dispatcher
    _bounds: Bounds
    version: str = ""  # while both have not agreed on one
    _hello: Mapping[str, Any] = {}

    async def agree(self) -> None:
        """Begin in the newest version; a server that does not know it is greeted as older ones are."""
        try:
            await self._discover(self._bounds.probe_seconds)
        except (MCPError, ReadError):
            try:
                await self.greet()
            except MCPError as error:
                if error.code != UNSUPPORTED_PROTOCOL_VERSION:
                    raise
                # It speaks the newest version only, and was too slow to say so.
                await self._discover(self._bounds.page_seconds)
        if self.version in MODERN_PROTOCOL_VERSIONS and self.version not in list_at(self._hello, "supportedVersions"):
            await self.greet()

    async def _discover(self, seconds: float) -> None:
        self.version = LATEST_MODERN_VERSION
        self._hello = await self._send("server/discover", {}, seconds)

    async def greet(self) -> None:
        """Begin by the handshake of older versions."""
        self.version = ""
        params = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": _CLIENT}
        self._hello = await self._send("initialize", params, self._bounds.seconds)
        version = self._hello.get("protocolVersion")
        if version not in HANDSHAKE_PROTOCOL_VERSIONS:
            message = f"the server speaks the protocol of {str(version)[:40]!r}, which is not known here"
            raise ReadError(message, "unknown-protocol")
        self.version = version
        headers = {MCP_PROTOCOL_VERSION_HEADER: version}
        await self.dispatcher.notify("notifications/initialized", None, {"headers": headers})

    async def is_answered(self) -> bool:
        """Whether the server still answers; a refusal is an answer."""
        try:
            await self._send("ping", {}, self._bounds.grace_seconds)
        except MCPError as error:
            return not is_closed(error)
        except ReadError:
            return False
        return True

    async def ask(self) -> ServerAnswer:
        """What the server says of itself, and its tools; errors as in `list_tools`."""
        self.dispatcher.has_other_tools = False
        tools = await self.list_tools()
        hello = self._hello
        about = {
            "protocolVersion": self.version,
            "serverInfo": mapping_at(hello, "_meta").get(SERVER_INFO_META_KEY, hello.get("serverInfo")),
            "instructions": hello.get("instructions"),
            "capabilities": hello.get("capabilities"),
        }
        return ServerAnswer(without_nulls(about), tools)

    async def call_tool(self, tool: Mapping[str, Any], arguments: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a call, as it was sent.

        Args:
            tool: the tool as the server listed it: its schema says which arguments are repeated in HTTP headers.

        Raises:
            MCPError: the server refuses, or ends.
            ReadError: it does not answer in time; code `server-timeout`.
        """
        name = str(tool["name"])
        params = {"name": name, "arguments": dict(arguments)}
        headers = {MCP_NAME_HEADER: encode_header_value(name)}
        headers |= mcp_param_headers(x_mcp_header_map(tool.get("inputSchema")), arguments)
        return await self._send("tools/call", params, seconds, headers)

    async def list_tools(self) -> list[Any]:
        """The tools of all pages.

        For some servers an empty cursor leads to a further page. Others mean the end of the list by it, and refuse it
        or begin anew.

        Raises:
            LimitError: the list does not end.
            MCPError: the server refuses.
            ReadError: a page is malformed. The pages before it are not given as if they were the whole list.
        """
        bounds = self._bounds
        tools: list[Any] = []
        params: dict[str, Any] = {}
        earlier_cursors: set[str] = set()
        for _ in range(bounds.pages):
            is_perhaps_over = params == {"cursor": ""}
            try:
                page = await self._send("tools/list", params, bounds.page_seconds)
            except MCPError as error:
                if is_perhaps_over and error.code == INVALID_PARAMS:
                    return tools
                raise
            more, cursor = page.get("tools"), page.get("nextCursor")
            if not isinstance(more, list) or not isinstance(cursor, str | None):
                message = "the server's answer to tools/list holds no list `tools`, or a `nextCursor` that is no text"
                raise ReadError(message, "bad-page")
            if is_perhaps_over and more and more == tools[: len(more)]:
                return tools
            tools += more
            if len(tools) > bounds.tools:
                raise LimitError(f"more than {bounds.tools} tools", "too-many-tools")
            if cursor is None:
                return tools
            if cursor in earlier_cursors:
                raise ReadError("the server's list goes round in circles: a cursor came twice", "endless-list")
            earlier_cursors.add(cursor)
            params = {"cursor": cursor}
        raise LimitError(f"the server's list does not end after {bounds.pages} pages", "endless-list")

    async def _send(
        self, method: str, params: dict[str, Any], seconds: float, more_headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Send one request in the agreed version, and give its answer.

        The timeout of the library begins when a request has been sent, which never happens if a server does not read.

        Raises:
            MCPError: the server refuses, or ends.
            ReadError: it does not answer in time; code `server-timeout`.
        """
        headers = {}
        if self.version:
            headers = {MCP_PROTOCOL_VERSION_HEADER: self.version, MCP_METHOD_HEADER: method}
        if self.version in MODERN_PROTOCOL_VERSIONS:
            about_us = {
                PROTOCOL_VERSION_META_KEY: self.version,
                CLIENT_INFO_META_KEY: _CLIENT,
                CLIENT_CAPABILITIES_META_KEY: {},
            }
            headers |= more_headers or {}
            params = {**params, "_meta": about_us}
        negotiates = method in ("initialize", "server/discover")  # these may not be cancelled
        with anyio.move_on_after(seconds):
            return await self.dispatcher.send_raw_request(
                method, params, {"headers": headers, "cancel_on_abandon": not negotiates}
            )
        raise late_error()
