"""The protocol over the streams of a process, or over HTTP, where tokens, Host and Origin are looked at first."""

from __future__ import annotations

import asyncio
import codecs
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import anyio
import msgspec
from anyio.abc import ObjectSendStream, TaskGroup, TaskStatus
from mcp.server import streamable_http
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCRequest, JSONRPCResponse
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from toolglot.converter.text import json_reader
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.source_text import SourceText
from toolglot.errors import ParseError
from toolglot.runtime.servers.named_servers import is_loopback
from toolglot.runtime.serving import responses
from toolglot.runtime.serving.admission import Gate
from toolglot.runtime.serving.catalog.visible_tools import CatalogVersion
from toolglot.runtime.serving.principals import Principal
from toolglot.runtime.serving.protocol import PATH
from toolglot.runtime.serving.protocol.principal_server import MOST_SESSIONS, PrincipalServer
from toolglot.runtime.serving.reloading import Reloading, keep_looking

_MOST_BYTES = 1 << 20  # of a request
_CHUNK = 1 << 16
_POLL_SECONDS = 0.01
_DEEPEST = 64  # lists and objects inside of one another in a message
_LAST_SECONDS = 5.0  # for what a client asked before it closed its end; the library leaves it without an answer then

_REQUEST = (
    'a message is one object: with `jsonrpc` "2.0", a method, an id that is a text or an integer, and params that are '
    "an object, if it has any"
)

_FOREIGN = responses.refusal(403, "forbidden", "a page of another site asks; this is refused")

MakeServer = Callable[[Principal], PrincipalServer]


async def serve_streams(
    server: PrincipalServer,
    catalog: Reloading[CatalogVersion],
    while_serving: AbstractAsyncContextManager[Any] | None = None,
) -> None:
    """Serve whoever started this process, until its end of the streams is closed.

    Args:
        while_serving: what is there for calls as long as this is served.
    """
    answers = _AnswerStream()
    lines: Any = _stdin_lines(answers)  # the library asks for a file, and reads nothing but lines
    try:
        async with (
            stdio_server(lines) as (incoming, outgoing),  # first: its end waits until the last answer is written
            while_serving or nullcontext(),
            anyio.create_task_group() as tasks,
        ):
            answers.go_to(outgoing)
            tasks.start_soon(keep_looking, catalog, server.tell_of_changes)
            await server.library.run(incoming, answers, server.library.create_initialization_options())
            tasks.cancel_scope.cancel()
    except* (anyio.BrokenResourceError, BrokenPipeError):
        pass  # the library was about to hand on what it had read, and the server had ended, or the client had


class _AnswerStream(ObjectSendStream[SessionMessage]):
    """The stream of all answers: those of the library, and ours to lines that it does not see."""

    def __init__(self) -> None:
        self._is_open = anyio.Event()
        self._outgoing: Any = None
        self._asked: set[str | int | None] = set()

    def go_to(self, outgoing: Any) -> None:
        self._outgoing = outgoing
        self._is_open.set()

    def expect(self, message: Mapping[str, Any]) -> None:
        """Note what a message asks, if it asks anything."""
        if "method" in message and "id" in message:
            self._asked.add(message["id"])

    async def send(self, item: SessionMessage) -> None:
        await self._is_open.wait()
        await self._outgoing.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._asked.discard(item.message.id)

    async def wait(self) -> None:
        """Wait until all that was asked is answered, for `_LAST_SECONDS` at most."""
        with anyio.move_on_after(_LAST_SECONDS):
            while self._asked:
                await anyio.sleep(_POLL_SECONDS)

    async def aclose(self) -> None:
        await self._outgoing.aclose()


async def _stdin_lines(answers: _AnswerStream) -> AsyncIterator[str]:
    """The lines of stdin, but for those that are answered here."""
    async for line in _whole_lines(sys.stdin.fileno()):
        line = line.removeprefix(codecs.BOM_UTF8)  # RFC 8259, section 8.1; some clients write one at the beginning
        message = read_message(line)
        if isinstance(message, JSONRPCError):
            await answers.send(SessionMessage(message))
        else:
            answers.expect(message)
            yield line.decode()
    await answers.wait()


async def _whole_lines(handle: int) -> AsyncIterator[bytes]:
    """The lines of a stream that are not blank; the last one has no end, perhaps."""
    line = bytearray()
    async for chunk in _chunks(handle):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            line += end
            if line.strip():
                yield bytes(line)
            line.clear()
        line += rest
    if line.strip():
        yield bytes(line)


async def _chunks(handle: int) -> AsyncIterator[bytes]:
    """What a stream has, as soon as it has something.

    A thread reads it, as Windows can wait for a pipe in no other way. It is one of ours: those of the library would
    keep the process until the next line comes, whoever wants to end it.
    """
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue()
    turns = threading.Semaphore()  # one chunk waits at a time, however fast a client writes

    def read() -> None:
        while True:
            turns.acquire()
            try:
                chunk = os.read(handle, _CHUNK)
            except OSError:  # it is closed
                chunk = b""
            with suppress(RuntimeError):  # nobody listens any more
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)
            if not chunk:
                return

    threading.Thread(target=read, daemon=True).start()
    while chunk := await chunks.get():
        yield chunk
        turns.release()


class _RunningServer(NamedTuple):
    """The server of one principal, and what ends its sessions and streams."""

    server: PrincipalServer
    manager: StreamableHTTPSessionManager
    scope: anyio.CancelScope


class _Endpoint(msgspec.Struct):
    """The endpoint of all principals, each with a server of its own.

    Args:
        is_local: whether only this machine can reach it, so that requests have to name it.
    """

    _current: Callable[[], CatalogVersion]
    _gate: Gate
    _make_server: MakeServer
    _is_local: bool
    tasks: TaskGroup | None = None
    # By the name and the token: who gets the name with another token takes up no session of the one before.
    _servers: dict[tuple[str, str], _RunningServer] = {}
    _starting: anyio.Lock = msgspec.field(default_factory=anyio.Lock)

    async def tell_of_changes(self) -> None:
        """Tell all clients that the list may be another one, and end what belongs to tokens that are none any more."""
        async with anyio.create_task_group() as tasks:
            for key, running in list(self._servers.items()):
                if self._current().has_token(*key):
                    tasks.start_soon(running.server.tell_of_changes)
                else:
                    del self._servers[key]
                    running.scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        principal: Principal | Response = _FOREIGN
        if not _is_foreign(scope, self._is_local):
            principal = self._gate.admit(scope, self._current())
        if isinstance(principal, Response):
            await principal(scope, receive, send)
            return
        if scope["method"] == "POST":
            body = await _body(receive)
            message = read_message(body) if len(body) <= _MOST_BYTES else None  # the SDK says that it is too long
            if isinstance(message, JSONRPCError):
                fault = message.model_dump_json(exclude_unset=True)  # an id that is `null` is set
                await responses.response(400, fault)(scope, receive, send)
                return
            receive = _replay(body, receive)
        # Nothing is kept that could be resumed, so that such a request is one like any other.
        scope = {**scope, "headers": [header for header in scope["headers"] if header[0] != b"last-event-id"]}
        await (await self._manager(principal)).handle_request(scope, receive, send)

    async def _manager(self, principal: Principal) -> StreamableHTTPSessionManager:
        async with self._starting:
            key = principal.name, principal.digest
            if key not in self._servers:
                server = self._make_server(principal)
                manager = StreamableHTTPSessionManager(
                    server.library, max_request_body_size=_MOST_BYTES, max_sessions=MOST_SESSIONS
                )
                assert self.tasks is not None, "the application runs"
                scope = await self.tasks.start(_keep_running, manager)
                self._servers[key] = _RunningServer(server, manager, scope)
            return self._servers[key].manager


def _replay(body: bytes, receive: Receive) -> Receive:
    """What an application receives whose body was looked at already."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


async def _body(receive: Receive) -> bytes:
    """The body of a request, and one byte more than is taken where it has that many; empty where the client went."""
    body = b""
    while len(body) <= _MOST_BYTES:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    return body


def read_message(text: bytes) -> dict[str, Any] | JSONRPCError:
    """A message, or the answer to one that is no request, which the SDK would misread or pass over.

    No notification and no answer gets one, whatever is wrong with it (JSON-RPC 2.0, section 4.1). A list of messages is
    no request: of the protocol's revisions only 2025-03-26 has such lists, and the SDK takes them in none.

    >>> read_message(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    {'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}
    >>> read_message(b'{"id":1,"method":"ping"}').error.code
    -32600
    """
    try:
        data = json_reader.read(SourceText(text.decode(), None, max_depth=_DEEPEST), text)
    except UnicodeDecodeError:
        return _error_answer(PARSE_ERROR, "the message is not UTF-8")
    except ParseError as error:
        return _error_answer(PARSE_ERROR, error.message.partition(";")[0])  # what follows is for authors of documents
    message = as_mapping(data)
    if not _wants_no_answer(message):
        try:
            JSONRPCRequest.model_validate(data)
        except ValidationError:
            return _error_answer(INVALID_REQUEST, _REQUEST, _id_of(message))
    return message


def _wants_no_answer(message: Mapping[str, Any]) -> bool:
    """Whether a message is an answer itself, or a notification."""
    if "method" not in message:
        return "result" in message or "error" in message
    return "id" not in message and message.get("jsonrpc") == "2.0" and isinstance(message["method"], str)


def _id_of(message: Mapping[str, Any]) -> str | int | None:
    """The id of what was meant as a request, by which its sender knows what the error is about."""
    identifier = message.get("id") if "method" in message else None
    return identifier if isinstance(identifier, str) or type(identifier) is int else None


def _error_answer(code: int, message: str, identifier: str | int | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=identifier, error=ErrorData(code=code, message=message))


async def _keep_running(
    manager: StreamableHTTPSessionManager, *, task_status: TaskStatus[anyio.CancelScope] = anyio.TASK_STATUS_IGNORED
) -> None:
    """A manager has to be begun and ended by one task; it ends when the scope that is told is cancelled."""
    with anyio.CancelScope() as scope:
        async with manager.run():
            task_status.started(scope)
            await anyio.sleep_forever()


def _is_foreign(scope: Scope, is_local: bool) -> bool:
    """Whether a browser asks for a page of another site, or thinks that we are one (DNS rebinding)."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    try:
        if is_local and not is_loopback(urlsplit(f"//{host}").hostname or ""):
            return True
        return any(urlsplit(origin).netloc != host for origin in headers.getlist("origin"))
    except ValueError:  # no browser says such a thing of itself
        return True


class _WithoutDisconnects(logging.Filter):
    """Leaves out that a client went while it was asking, which the SDK reports like a fault of ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))


logging.getLogger(streamable_http.__name__).addFilter(_WithoutDisconnects())


def make_protocol_application(
    catalog: Reloading[CatalogVersion],
    gate: Gate,
    make_server: MakeServer,
    is_local: bool,
    while_serving: AbstractAsyncContextManager[Any] | None = None,
) -> Starlette:
    """The protocol as a web application; while it runs, it looks at its files.

    Args:
        is_local: whether only this machine can reach it, so that requests have to name it.
        while_serving: what is there for calls as long as this is served.
    """

    endpoint = _Endpoint(lambda: catalog.current, gate, make_server, is_local)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with while_serving or nullcontext(), anyio.create_task_group() as tasks:
            endpoint.tasks = tasks
            tasks.start_soon(keep_looking, catalog, endpoint.tell_of_changes)
            yield
            tasks.cancel_scope.cancel()

    return Starlette(routes=[Route(PATH, endpoint)], lifespan=lifespan)
