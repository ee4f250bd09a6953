"""Responses that are made once and sent often: their headers, and how long who has one may keep it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

from toolglot.converter.text.digests import sha256_of

# What one principal sees, no cache may show to another, and it is asked about each time.
_PRIVATE = {"cache-control": "private, no-cache", "vary": "authorization"}
_SAFE = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}


def content(body: bytes, media_type: str = "application/json") -> Response:
    """What a principal asked for; a client that has it already can name it."""
    return response(200, body, {**_PRIVATE, "etag": f'"{sha256_of(body)}"'}, media_type)


def refusal(status: int, code: str, message: str, headers: Mapping[str, str] = {}) -> Response:
    """Why there is none, in the body that the specification has for errors; nobody keeps it."""
    body = json.dumps({"error": code, "message": message}, separators=(",", ":"))
    return response(status, body, {"cache-control": "no-store", "vary": "authorization", **headers})


def response(
    status: int, body: str | bytes, more: Mapping[str, str] = {}, media_type: str = "application/json"
) -> Response:
    """Any response, with `more` headers beside those that all have. The web server leaves its body out for HEAD."""
    return Response(body, status, {**_SAFE, **more}, media_type)


def unless_kept(response: Response, names: str) -> Response:
    """The response, or 304 without a body where a client names it by `If-None-Match` (RFC 9110, 13.1.2)."""
    etags = {name.strip().removeprefix("W/") for name in names.split(",")}
    if "etag" not in response.headers or etags.isdisjoint((response.headers["etag"], "*")):
        return response
    about = {name: value for name, value in response.headers.items() if name not in ("content-type", "content-length")}
    return Response(None, 304, about)
