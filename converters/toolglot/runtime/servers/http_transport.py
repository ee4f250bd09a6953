"""A server behind a URL: messages over HTTP, what is refused on the way, and what a server says that lets nobody in.

Redirects are followed by the library within the server's own origin only, so that no header reaches another host.
Nothing is signed in to: that needs a browser and a person, and a token that somebody puts into a variable does as well.
Source: RFC 9728 (metadata of protected resources); Model Context Protocol 2025-06-18 and later, authorization.
"""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any
from urllib.parse import urljoin, urlsplit

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.inbound import MCP_METHOD_HEADER

from toolglot.converter.text.pointers import as_mapping, texts_at
from toolglot.errors import ReadError
from toolglot.runtime.servers.bounds import Bounds, Wire, WireStreams
from toolglot.runtime.servers.named_servers import EVENTS, public_url

_PARAMETER = re.compile(r'(?<![A-Za-z_])([A-Za-z_]++)="((?:[^"\\]|\\.)*)"')
_WELL_KNOWN = "/.well-known/oauth-protected-resource"
_MOST_CHARACTERS = 200  # of each word of a challenge, and of an address
_MOST_GIVERS = 3
_SILENT_SECONDS = 300.0  # of a stream of events, as the library has it; then its connection is taken for lost
_METADATA_BYTES, _METADATA_SECONDS = 64 << 10, 5.0


@asynccontextmanager
async def open_address(
    url: str, transport: str, headers: Mapping[str, str], bounds: Bounds, wire: Wire
) -> AsyncIterator[WireStreams]:
    """The two streams of a server behind a URL.

    Raises:
        ReadError: it refuses us, or answers in a way that cannot be bounded.
    """

    async def look_at(response: httpx2.Response) -> None:
        fault: ReadError | None = None
        if response.status_code in (401, 403):
            fault = await _refusal_of(response, "authorization" in {name.lower() for name in headers})
        elif response.headers.get("content-encoding", "identity") != "identity":
            message = "the server compresses its answer although it was asked not to; nobody knows how long it is"
            fault = ReadError(message, "compressed-answer")
        if response.request.method == "POST" or transport == EVENTS:  # what else is asked for, few servers have
            wire.status, wire.fault = max(response.status_code, wire.status or 0), fault
        if fault is not None:
            raise fault
        response.stream = _CountedBody(response.stream, bounds, wire)

    async def leave_time(request: httpx2.Request) -> None:
        """Let whoever asked say when an answer is late, and events be rare: else all calls would end."""
        timeout = request.extensions["timeout"]
        if request.method == "GET":
            timeout["read"] = _SILENT_SECONDS
        elif request.method == "DELETE":  # the end of a session; what was asked for is there
            timeout["read"] = bounds.grace_seconds
        elif MCP_METHOD_HEADER in request.headers:
            timeout["read"] = None

    def make_client(*options: Any, **more: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={**headers, "accept-encoding": "identity"},
            timeout=httpx2.Timeout(bounds.page_seconds),
            verify=_trusted_certificates(),
            event_hooks={"request": [leave_time], "response": [look_at]},
        )

    httpx2.URL(url)  # raises what is told of an address that is none; the library's own error is a `ValueError`
    if transport == EVENTS:
        async with sse_client(url, httpx_client_factory=make_client) as streams:
            yield streams
        return
    async with (
        make_client() as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=bounds.message_bytes) as streams,
    ):
        yield streams


@cache
def _trusted_certificates() -> ssl.SSLContext:
    """What connections trust. Every client of ours would read the certificates anew, which takes 20 ms."""
    return httpx2.create_ssl_context()


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


# -- authorization ----------------------------------------------------------------------------------------------


async def _refusal_of(response: httpx2.Response, has_sent: bool) -> ReadError:
    """Why a server lets nobody in, in its own words, and what can be done.

    Args:
        has_sent: whether it was sent a token.
    """
    challenge = response.headers.get("www-authenticate", "")
    scheme = challenge.split(" ")[0]
    parameters = dict(_PARAMETER.findall(challenge))
    asks = [f"HTTP {response.status_code}"]
    if scheme:
        asks.append(f"it asks for {scheme[:_MOST_CHARACTERS]}")
    if "scope" in parameters:
        asks.append(f"scope {parameters['scope'][:_MOST_CHARACTERS]!r}")
    if "error" in parameters:
        asks.append(f"it says {parameters['error'][:_MOST_CHARACTERS]!r}")
    givers = await _token_givers(str(response.request.url), parameters.get("resource_metadata"))
    if givers:
        asks.append(f"tokens are given by {' or '.join(givers)}")
    elif "resource_metadata" in parameters:
        asks.append(f"who gives tokens is said at {public_url(parameters['resource_metadata'])[:_MOST_CHARACTERS]}")
    advice = "put a token into an environment variable, as in TOKEN='Bearer ...', and give --header Authorization=TOKEN"
    if has_sent:
        advice = "the header Authorization was sent and is not enough; get a token for this server and these scopes"
    message = f"the server asks for authorization ({', '.join(asks)})"
    return ReadError(message, "unauthorised", hint=advice)


async def _token_givers(url: str, metadata_url: str | None) -> list[str]:
    """The servers that give tokens for the one at a URL, by its metadata; none where it has no such document.

    Only the server itself is asked, and it gets no header of ours: else a challenge could have us ask any host that
    this machine reaches.
    """
    parts = urlsplit(url)
    if metadata_url is None:
        path = "" if parts.path == "/" else parts.path
        metadata_url = _WELL_KNOWN + path
    try:
        address = urljoin(url, metadata_url)
        if urlsplit(address)[:2] != parts[:2]:
            return []
        body = bytearray()
        headers = {"accept": "application/json", "accept-encoding": "identity"}
        with anyio.move_on_after(_METADATA_SECONDS):
            async with (
                httpx2.AsyncClient(headers=headers, verify=_trusted_certificates()) as client,
                client.stream("GET", address) as response,
            ):
                async for chunk in response.aiter_raw():
                    body += chunk
                    if response.status_code != 200 or len(body) > _METADATA_BYTES:
                        return []
        metadata = json.loads(body)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, RecursionError):
        return []
    givers = texts_at(as_mapping(metadata), "authorization_servers")
    return [public_url(giver)[:_MOST_CHARACTERS] for giver in givers[:_MOST_GIVERS]]
