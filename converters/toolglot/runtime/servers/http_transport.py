"""A server behind a URL: messages over HTTP, and what is refused on the way.

Redirects are followed by the library within the server's own origin only, so that no header reaches another host.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.inbound import MCP_METHOD_HEADER

from toolglot.errors import ReadError
from toolglot.runtime.servers.authorization import refusal_of, trusted_certificates
from toolglot.runtime.servers.bounds import Wire, WireStreams
from toolglot.runtime.servers.named_servers import EVENTS

_SILENT_SECONDS = 300.0  # of a stream of events, as the library has it; then its connection is taken for lost


@asynccontextmanager
async def open_address(url: str, transport: str, headers: Mapping[str, str], wire: Wire) -> AsyncIterator[WireStreams]:
    """The two streams of a server behind a URL.

    Raises:
        ReadError: the server refuses us, or answers in a way that cannot be bounded.
    """

    async def look_at(response: httpx2.Response) -> None:
        fault: ReadError | None = None
        if response.status_code in (401, 403):
            fault = await refusal_of(response, "authorization" in {name.lower() for name in headers})
        elif response.headers.get("content-encoding", "identity") != "identity":
            message = "the server compresses its answer although it was asked not to; nobody knows how long it is"
            fault = ReadError(message, "compressed-answer")
        if response.request.method == "POST" or transport == EVENTS:  # what else is asked for, few servers have
            wire.status, wire.fault = max(response.status_code, wire.status or 0), fault
        if fault is not None:
            raise fault
        response.stream = _CountedBody(response.stream, wire)

    async def leave_time(request: httpx2.Request) -> None:
        """Leave the timeout to whoever sent the request: a stream may be silent for long, and all calls would end."""
        timeout = request.extensions["timeout"]
        if request.method == "GET":
            timeout["read"] = _SILENT_SECONDS
        elif request.method == "DELETE":  # the end of a session; what was asked for is there
            timeout["read"] = wire.bounds.grace_seconds
        elif MCP_METHOD_HEADER in request.headers:
            timeout["read"] = None

    def make_client(*options: Any, **more: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={**headers, "accept-encoding": "identity"},
            timeout=httpx2.Timeout(wire.bounds.page_seconds),
            verify=trusted_certificates(),
            event_hooks={"request": [leave_time], "response": [look_at]},
        )

    httpx2.URL(url)  # raises what is told of an address that is none; the library's own error is a `ValueError`
    if transport == EVENTS:
        async with sse_client(url, httpx_client_factory=make_client) as streams:
            yield streams
        return
    async with (
        make_client() as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=wire.bounds.message_bytes) as streams,
    ):
        yield streams


@dataclass
class _CountedBody(httpx2.AsyncByteStream):
    """A body that is read up to a limit."""

    stream: Any
    wire: Wire

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self.stream:
            self.wire.count(len(chunk))
            yield chunk

    async def aclose(self) -> None:
        await self.stream.aclose()
