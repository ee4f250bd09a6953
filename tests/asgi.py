"""A web application asked without a socket: one request, and what comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, MutableMapping
from typing import Any, NamedTuple
from urllib.parse import unquote

Application = Callable[..., Coroutine[Any, Any, None]]


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


def ask(app: Application, target: str, token: str | None = None, method: str = "GET", **headers: str) -> Response:
    """Ask for a target, percent-encoded as on the wire; `_` in the name of a header is `-`."""
    path, _, query = target.partition("?")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        named["authorization"] = f"Bearer {token}"
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        raise AssertionError("nobody reads the body of a request")

    asyncio.run(app(scope, receive, send))
    start, *rest = sent
    response_headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return Response(start["status"], response_headers, b"".join(part["body"] for part in rest))
