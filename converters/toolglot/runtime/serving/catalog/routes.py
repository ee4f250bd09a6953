"""The routes of the catalogue: from requests to responses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple
from urllib.parse import parse_qs

import anyio
import msgspec
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from toolglot.converter.text.serialization import dump_json
from toolglot.extras import how_to_install
from toolglot.runtime.serving import responses
from toolglot.runtime.serving.admission import NO_PASSWORD, NO_TOKEN, Gate
from toolglot.runtime.serving.catalog.descriptors import SOURCES
from toolglot.runtime.serving.catalog.visible_tools import CatalogVersion, View, has_pages
from toolglot.runtime.serving.reloading import Reloading, keep_looking

_MOST_QUERY = 2048  # bytes

_TOOLS_OF_V2 = "tools/"  # version 1 has them below /v1
_METHODS = ("GET", "HEAD")
_WRONG_METHOD = responses.refusal(
    405, "validation_error", "the catalogue is read only; use GET or HEAD", {"allow": "GET, HEAD"}
)
_LONG_QUERY = responses.refusal(400, "validation_error", f"the query is longer than {_MOST_QUERY} bytes")
_PARAMETERS = frozenset({"source", "view"})
_UNKNOWN_PARAMETER = responses.refusal(400, "validation_error", "a query can have the parameters source and view")
# One response for what does not exist and for what somebody may not know of.
_NOT_FOUND = responses.refusal(404, "not_found", "there is no such thing here for this token")
_NO_PAGES = responses.refusal(404, "not_found", f"pages need packages; {how_to_install('pages')}")


_VERSION = "1.0"  # of the protocol
# Nothing runs here, so that a run has no limits; but clients of version 1 read no document without them.
_LIMITS = {"clarificationRounds": 0, "schemaRounds": 0, "envelopesPerTurn": 0}
_CAPABILITIES = {
    "protocolVersion": _VERSION,
    "protocolVersions": [_VERSION],  # what clients of version 2 ask for
    "preferredVersion": _VERSION,
    "supportedEnvelopes": [],
    "schemaVersions": {},
    "limits": _LIMITS,
    # All sources that there are, not those of the tools at hand: whoever has no token learns nothing of these.
    "toolCatalog": {"supported": True, "sources": list(SOURCES), "compactView": True},
}
_FOR_EVERYBODY = {"cache-control": "public, max-age=300"}
_DISCOVERY = responses.response(200, dump_json(_CAPABILITIES, None), _FOR_EVERYBODY)


class ViewRequest(NamedTuple):
    """A request for a view."""

    view: View
    scope: Scope
    source: str | None
    is_compact: bool


async def _list(request: ViewRequest) -> Response:
    return request.view.tools(request.source, request.is_compact)


async def _tool(request: ViewRequest) -> Response:
    tool_id = request.scope["path_params"]["id"]
    return request.view.tool(tool_id, request.is_compact) or _NOT_FOUND


class _Pages:
    """The endpoint of pages, and of the tools for clients of version 2.

    Pages take long to make. They are made one at a time, in a thread, so that nobody else waits.
    """

    def __init__(self) -> None:
        self._limiter = anyio.CapacityLimiter(1)
        self._is_possible = has_pages()

    async def __call__(self, request: ViewRequest) -> Response:
        path = request.scope["path_params"]["path"]
        if path.startswith(_TOOLS_OF_V2):  # where the pages of tools stand, too
            tool = request.view.tool(path.removeprefix(_TOOLS_OF_V2), request.is_compact)
            if tool is not None:
                return tool
        if not self._is_possible:
            return _NO_PAGES
        if path == "" or path.endswith("/"):
            path += "index.html"
        page = await anyio.to_thread.run_sync(request.view.page, path, limiter=self._limiter)
        return page or _NOT_FOUND


class _Guarded(msgspec.Struct):
    """An endpoint for principals, which checks token and rate before it responds."""

    current: Callable[[], CatalogVersion]
    gate: Gate
    respond: Callable[[ViewRequest], Awaitable[Response]]
    no_token: Response = NO_TOKEN
    takes_anything: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._response_to(scope)
        names = b",".join(value for name, value in scope["headers"] if name == b"if-none-match")
        if names:
            response = responses.unless_kept(response, names.decode("latin-1"))
        await response(scope, receive, send)

    async def _response_to(self, scope: Scope) -> Response:
        if scope["method"] not in _METHODS:
            return _WRONG_METHOD
        catalog = self.current()  # once: a request sees one version
        principal = self.gate.admit(scope, catalog, self.no_token)
        if isinstance(principal, Response):
            return principal
        query = scope["query_string"]
        if len(query) > _MOST_QUERY:
            return _LONG_QUERY
        values = parse_qs(query.decode("latin-1"), keep_blank_values=True)
        if not (self.takes_anything or values.keys() <= _PARAMETERS):
            return _UNKNOWN_PARAMETER
        source = values.get("source", [None])[-1]
        is_compact = values.get("view", [""])[-1] == "compact"
        return await self.respond(ViewRequest(catalog.view(principal), scope, source, is_compact))


class _Discovery:
    """The discovery document, which everybody may read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = _DISCOVERY if scope["method"] in _METHODS else _WRONG_METHOD
        await response(scope, receive, send)


def make_application(catalog: Reloading[CatalogVersion], gate: Gate) -> Starlette:
    """The catalogue as a web application, which watches its files while it runs."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(keep_looking, catalog)
            yield
            tasks.cancel_scope.cancel()

    guarded = partial(_Guarded, lambda: catalog.current, gate)
    routes = [
        Route("/v1/tools", guarded(_list)),
        Route("/tools", guarded(_list)),
        Route("/v1/tools/{id:path}", guarded(_tool)),
        Route("/.well-known/openwop", _Discovery()),
        Route("/{path:path}", guarded(_Pages(), NO_PASSWORD, takes_anything=True)),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.router.redirect_slashes = False
    return app
