"""From requests to answers: routes, who asks, how often, and what of it may be kept."""

from __future__ import annotations

import base64
import binascii
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple
from urllib.parse import parse_qs

import anyio
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from toolglot.serving.catalogue import answers
from toolglot.serving.catalogue.answers import Answer
from toolglot.serving.catalogue.descriptors import SOURCES
from toolglot.serving.catalogue.views import Catalogue, View, has_pages
from toolglot.serving.rates import Rate
from toolglot.serving.reloading import Reloading
from toolglot.text.serialization import dump_json

_MOST_QUERY = 2048  # bytes
STRANGERS_PER_SECOND = 10.0
"""Requests without a token that are told so; for more, the answer is that they are too many."""
_SECONDS_BETWEEN_LOOKS = 1.0

_METHODS = ("GET", "HEAD")
_WRONG_METHOD = answers.refusal(
    405, "validation_error", "the catalogue is read only; use GET or HEAD", [(b"allow", b"GET, HEAD")]
)
_WRONG_QUERY = answers.refusal(400, "validation_error", f"the query is longer than {_MOST_QUERY} bytes")
# One answer for what does not exist and for what somebody may not know of.
_NOT_FOUND = answers.refusal(404, "not_found", "there is no such thing here for this token")
_TOO_MANY = answers.refusal(429, "rate_limited", "too many requests; wait a second", [(b"retry-after", b"1")])
_NO_PAGES = answers.refusal(404, "not_found", "pages need packages; run: pip install 'toolglot[pages]'")


def _unauthenticated(scheme: bytes) -> Answer:
    challenge = [(b"www-authenticate", scheme + b' realm="toolglot"')]
    return answers.refusal(401, "unauthenticated", "give a token: Authorization: Bearer TOKEN", challenge)


_NO_TOKEN = _unauthenticated(b"Bearer")
_NO_PASSWORD = _unauthenticated(b"Basic")  # a browser asks for a name, which does not matter, and a password: the token

_DISCOVERY = answers.public_content(
    # All sources that there are, not those of the tools at hand: whoever has no token learns nothing of these.
    dump_json({"toolCatalog": {"supported": True, "sources": list(SOURCES), "compactView": True}}, None).encode()
)


class Request(NamedTuple):
    """What is asked of a view."""

    view: View
    scope: Scope
    source: str | None
    is_compact: bool


async def _list(request: Request) -> Answer:
    return request.view.tools(request.source, request.is_compact)


async def _tool(request: Request) -> Answer:
    tool_id = request.scope["path_params"]["id"]
    return request.view.tool(tool_id, request.is_compact) or _NOT_FOUND


class _Pages:
    """Pages take long to make. One at a time, beside the loop, so that nobody else waits."""

    def __init__(self) -> None:
        self._limiter = anyio.CapacityLimiter(1)
        self._is_possible = has_pages()

    async def __call__(self, request: Request) -> Answer:
        if not self._is_possible:
            return _NO_PAGES
        path = request.scope["path_params"]["path"]
        path += "index.html" if path == "" or path.endswith("/") else ""
        page = await anyio.to_thread.run_sync(request.view.page, path, limiter=self._limiter)
        return page or _NOT_FOUND


class _Guarded:
    """An endpoint for principals: who asks, how often, then the answer."""

    def __init__(
        self,
        current: Callable[[], Catalogue],
        rates: tuple[Rate, Rate],
        answer: Callable[[Request], Awaitable[Answer]],
        no_token: Answer = _NO_TOKEN,
    ) -> None:
        self._current = current
        self._rate, self._strangers = rates
        self._answer = answer
        self._no_token = no_token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer_to(scope)
        names = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
        await _send(answer.unless_kept(names) if names else answer, scope, send)

    async def _answer_to(self, scope: Scope) -> Answer:
        if scope["method"] not in _METHODS:
            return _WRONG_METHOD
        catalogue = self._current()  # once: a request sees one version
        token = _token_in(scope)
        principal = catalogue.principal(token) if token else None
        if principal is None:
            return self._no_token if self._strangers.allows("") else _TOO_MANY
        if not self._rate.allows(principal.name):
            return _TOO_MANY
        query = scope["query_string"]
        if not query:
            return await self._answer(Request(catalogue.view(principal), scope, None, False))
        if len(query) > _MOST_QUERY:
            return _WRONG_QUERY
        values = parse_qs(query.decode("latin-1"), keep_blank_values=True)
        source, is_compact = values.get("source", [None])[-1], values.get("view", [""])[-1] == "compact"
        return await self._answer(Request(catalogue.view(principal), scope, source, is_compact))


class _Discovery:
    """What the server can do, for everybody."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _send(_DISCOVERY if scope["method"] in _METHODS else _WRONG_METHOD, scope, send)


def _token_in(scope: Scope) -> bytes | None:
    """The token of a request; none where two are sent, because it would not be clear who asks."""
    values: list[bytes] = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(values) != 1:
        return None
    scheme, _, credentials = values[0].partition(b" ")
    credentials = credentials.strip()
    if scheme.lower() == b"bearer":
        return credentials
    if scheme.lower() == b"basic":
        try:
            return base64.b64decode(credentials, validate=True).partition(b":")[2]
        except binascii.Error:
            return None
    return None


async def _send(answer: Answer, scope: Scope, send: Send) -> None:
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})


def make_application(
    catalogue: Reloading[Catalogue], per_second: float, strangers_per_second: float = STRANGERS_PER_SECOND
) -> Starlette:
    """The catalogue as a web application; while it runs, it looks at its files.

    Args:
        per_second: how many requests a principal may make.
        strangers_per_second: how many requests without a token, of all together, are told that one is missing.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_look_again, catalogue)
            yield
            tasks.cancel_scope.cancel()

    def current() -> Catalogue:
        return catalogue.current

    rates = Rate(per_second), Rate(strangers_per_second)
    routes = [
        Route("/v1/tools", _Guarded(current, rates, _list)),
        Route("/v1/tools/{id:path}", _Guarded(current, rates, _tool)),
        Route("/.well-known/openwop", _Discovery()),
        Route("/{path:path}", _Guarded(current, rates, _Pages(), _NO_PASSWORD)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.router.redirect_slashes = False
    return app


async def _look_again(catalogue: Reloading[Catalogue]) -> None:
    while True:
        await anyio.sleep(_SECONDS_BETWEEN_LOOKS)
        await anyio.to_thread.run_sync(catalogue.look)
