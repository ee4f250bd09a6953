"""A server behind a URL: messages over HTTP, and what is refused on the way.

Redirects are followed by the library within the server's own origin only, so that no header reaches another host.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from toolglot.errors import ReadError
from toolglot.servers.authorization import refusal_of, trusted_certificates
from toolglot.servers.bounds import Bounds
from toolglot.servers.exchange import Wire, WireStreams
from toolglot.servers.server_entries import EVENTS

_UNAUTHORISED, _FORBIDDEN = 401, 403


@asynccontextmanager
async def open_address(
    url: str, transport: str, headers: Mapping[str, str], bounds: Bounds, wire: Wire
) -> AsyncIterator[WireStreams]:
    """The two streams of a server behind a URL.

    Raises:
        ReadError: it refuses us, or answers in a way that cannot be bounded.
    """

    async def look_at(response: httpx2.Response) -> None:
        wire.status = response.status_code
        if response.status_code in (_UNAUTHORISED, _FORBIDDEN):
            raise await refusal_of(response, "authorization" in {name.lower() for name in headers})
        if response.headers.get("content-encoding", "identity") != "identity":
            message = "the server compresses its answer although it was asked not to; nobody knows how long it is"
            raise ReadError(message, "compressed-answer")
        response.stream = _CountedBody(response.stream, bounds, wire)

    def make_client(*options: Any, **more: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={**headers, "accept-encoding": "identity"},
            timeout=httpx2.Timeout(bounds.page_seconds),
            verify=trusted_certificates(),
            event_hooks={"response": [look_at]},
        )

    if transport == EVENTS:
        async with sse_client(url, httpx_client_factory=make_client) as streams:
            yield streams
        return
    async with (
        make_client() as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=bounds.message_bytes) as streams,
    ):
        yield streams


class _CountedBody(httpx2.AsyncByteStream):
    """A body of which only so much is read."""

    def __init__(self, stream: Any, bounds: Bounds, wire: Wire) -> None:
        self._stream = stream
        self._bounds = bounds
        self._wire = wire

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._wire.count(len(chunk), self._bounds)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
