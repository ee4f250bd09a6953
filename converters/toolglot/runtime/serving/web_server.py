"""The socket, the web server behind it, and how long a client's connection may keep a place that others wait for."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any, cast

import h11
import msgspec
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from toolglot.errors import UsageError, system_reason

MOST_CONNECTIONS = 900  # below the 1024 files that a process may usually have open; files and programs need some, too
REQUEST_SECONDS = 10.0
ANSWER_SECONDS = 60.0
_MOST_WAITING = 1000  # to be accepted
_MOST_HEAD = 16 * 1024  # bytes of a request's line and headers
_IDLE_SECONDS = 5


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        UsageError: the system refuses that; code `"no-socket"`.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # `socket.create_server` leaves the protocol open. asyncio then does not know that it is TCP and leaves Nagle's
    # algorithm on, by which each answer waits 40 ms for the acknowledgement of its headers.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_MOST_WAITING)
    except (OSError, TypeError, ValueError) as error:  # the last two where no host can be called so
        listener.close()
        raise UsageError(f"cannot listen on {host} port {port}: {system_reason(error)}", "no-socket") from None
    return listener


def url_of(listener: socket.socket) -> str:
    """Where a socket is reached."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_server(app: Callable[..., Any]) -> uvicorn.Server:
    """A web server that answers by an application; `run(sockets=[...])` runs it until somebody ends the process."""
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",  # where a package for WebSockets is installed, a stranger's would be kept for good
        lifespan="on",  # else one that fails is passed over, and files that change are not looked at
        log_level="error",  # a warning each time somebody sends nonsense would let strangers fill a disk
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nobody's address is asked about
        h11_max_incomplete_event_size=_MOST_HEAD,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_IDLE_SECONDS,
    )
    return _PatientServer(config)


class _PatientServer(uvicorn.Server):
    """uvicorn's ends at a second Ctrl-C without what watches the files, and prints a traceback of that."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.force_exit = False  # the end is bounded, by `timeout_graceful_shutdown`


class BoundedProtocol(H11Protocol):
    """uvicorn's cuts a connection only between requests. One that never asks, asks a letter a minute or never takes its
    answer would be kept for good, and with its `limit_concurrency` everybody is refused when these are many.

    This one closes whoever takes longer than `REQUEST_SECONDS` for a request or `ANSWER_SECONDS` for an answer, and
    whoever comes while `MOST_CONNECTIONS` are open.

    Where the body of a request is none, uvicorn answers that, and the application's own answer fails then, with a
    traceback in the log for each such request of anybody. Here the application is told that the client has gone.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _BoundedConnection(h11.SERVER, _MOST_HEAD)
        self._request_deadline = _Deadline(REQUEST_SECONDS, self._cut)
        self._answer_deadline = _Deadline(ANSWER_SECONDS, self._cut)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))  # a server of sockets gives no other kind
        if len(self.connections) > MOST_CONNECTIONS:
            self.transport.abort()
            return
        self._request_deadline.start()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):  # more has to come
            self._request_deadline.start()
        else:
            self._request_deadline.stop()

    def send_400_response(self, msg: str) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:  # it was answered, and cannot be twice
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._answer_deadline.start()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._answer_deadline.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        self._request_deadline.stop()
        self._answer_deadline.stop()
        super().connection_lost(exc)

    def _cut(self) -> None:
        """Let go at once: closing in order would wait until what is left to send was taken."""
        self.transport.abort()


class _BoundedConnection(h11.Connection):
    """h11's holds the bound of a head only where it does not arrive whole."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            size = len(event.target) + sum(len(name) + len(value) for name, value in event.headers)
            if size > _MOST_HEAD:
                raise h11.RemoteProtocolError("the head is too long", error_status_hint=431)
        return event


class _Deadline(msgspec.Struct):
    """Does something when it was started and not stopped in time."""

    _seconds: float
    _act: Callable[[], object]
    _timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start, unless it runs: what comes bit by bit gets no new time with each bit."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._act)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
