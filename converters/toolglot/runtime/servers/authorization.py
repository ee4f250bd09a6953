"""Why a server behind a URL refuses us, and who gives tokens for it.

We do not sign in: that needs a browser and a person. A token in an environment variable works as well.
Source: RFC 9728 (metadata of protected resources); Model Context Protocol 2025-06-18 and later, authorization.
"""

from __future__ import annotations

import json
import re
import ssl
from functools import cache
from urllib.parse import urljoin, urlsplit

import anyio
import httpx2

from toolglot.converter.text.credentials import public_url
from toolglot.converter.text.pointers import as_mapping, texts_at
from toolglot.errors import ReadError

_PARAMETER = re.compile(r'(?<![A-Za-z_])([A-Za-z_]++)="((?:[^"\\]|\\.)*)"')
_WELL_KNOWN = "/.well-known/oauth-protected-resource"
_MOST_CHARACTERS = 200  # of each word of a challenge, and of an address
_MOST_GIVERS = 3
_METADATA_BYTES, _METADATA_SECONDS = 64 << 10, 5.0


@cache
def trusted_certificates() -> ssl.SSLContext:
    """The certificates that connections trust, read once: each client would take 20 ms to read them."""
    return httpx2.create_ssl_context()


async def refusal_of(response: httpx2.Response, has_sent: bool) -> ReadError:
    """The error for a refusal, in the words of the server, with what can be done.

    Args:
        has_sent: whether a token was sent.
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
    """The servers that give tokens for the server at a URL, by its metadata; empty where it has none.

    Only the server itself is asked, without any header of ours. Otherwise a challenge could make us ask any host that
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
                httpx2.AsyncClient(headers=headers, verify=trusted_certificates()) as client,
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
