"""One connection of a client, and how long it may keep a place that others wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import FrameType
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 900  # below the 1024 files that a process may usually have open; files and programs need some, too
REQUEST_SECONDS = 10.0
ANSWER_SECONDS = 60.0


class _Deadline:
    """Does something when it was started and not stopped in time."""

    def __init__(self, seconds: float, act: Callable[[], object]) -> None:
        self._seconds = seconds
        self._act = act
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start, unless it runs: what comes bit by bit gets no new time with each bit."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._act)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class PatientServer(uvicorn.Server):
    """uvicorn's ends at a second Ctrl-C without what watches the files, and prints a traceback of that."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.force_exit = False  # the end is bounded, by `timeout_graceful_shutdown`


class BoundedProtocol(H11Protocol):
    """uvicorn's cuts a connection only between requests. One that never asks, asks a letter a minute or never takes its
    answer would be kept for good, and with its `limit_concurrency` everybody is refused when these are many.

    This one closes whoever takes longer than `REQUEST_SECONDS` for a request or `ANSWER_SECONDS` for an answer, and
    whoever comes while `MOST_CONNECTIONS` are open.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
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
