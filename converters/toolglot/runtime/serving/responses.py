"""Responses as bytes, made once and sent often: their headers, and how long who has one may keep it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from starlette.types import Scope, Send

from toolglot.converter.text.digests import sha256_of

Headers = Sequence[tuple[bytes, bytes]]

JSON = b"application/json"

# What one principal sees, no cache may show to another, and it is asked about each time.
_PRIVATE = [(b"cache-control", b"private, no-cache"), (b"vary", b"authorization")]
_SAFE = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]


class HttpResponse(NamedTuple):
    """A response to a request.

    Attributes:
        etag: what a client that has it already can name; `None` where nothing is kept.
    """

    status: int
    headers: Headers
    body: bytes
    etag: bytes | None = None

    def unless_kept(self, names: bytes) -> HttpResponse:
        """The response, or 304 without a body where a client names it by `If-None-Match` (RFC 9110, 13.1.2)."""
        etags = [name.strip().removeprefix(b"W/") for name in names.split(b",")]
        if self.etag is None or not (self.etag in etags or b"*" in etags):
            return self
        about = [header for header in self.headers if header[0] not in (b"content-type", b"content-length")]
        return HttpResponse(304, about, b"", self.etag)


def content(body: bytes, media_type: bytes = JSON) -> HttpResponse:
    """What a principal asked for."""
    etag = b'"' + sha256_of(body).encode() + b'"'
    return response(200, body, [*_PRIVATE, (b"etag", etag)], media_type, etag)


def refusal(status: int, code: str, message: str, headers: Headers = ()) -> HttpResponse:
    """Why there is none, in the body that the specification has for errors; nobody keeps it."""
    body = json.dumps({"error": code, "message": message}, separators=(",", ":")).encode()
    private = [(b"cache-control", b"no-store"), (b"vary", b"authorization")]
    return response(status, body, [*private, *headers])


async def send_response(response: HttpResponse, scope: Scope, send: Send) -> None:
    """Send a response; to HEAD without its body."""
    await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
    body = response.body
    if scope["method"] == "HEAD":
        body = b""
    await send({"type": "http.response.body", "body": body})


def response(
    status: int, body: bytes, more: Headers = (), media_type: bytes = JSON, etag: bytes | None = None
) -> HttpResponse:
    """Any response, with `more` headers beside those that all have."""
    about = [(b"content-type", media_type), (b"content-length", str(len(body)).encode())]
    return HttpResponse(status, [*about, *_SAFE, *more], body, etag)
