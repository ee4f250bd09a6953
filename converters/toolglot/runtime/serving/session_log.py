"""A log of tool sessions: one line an event, and nothing of what was asked or answered.

A session holds the calls of one tool, from the first one until the log is closed, or what the host makes one.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from threading import Lock
from typing import Any

import msgspec

from toolglot.converter.formats.tool_descriptor.session_logs import (
    CALLED,
    CANCELLED,
    CLOSED,
    COMPLETED,
    FAILED,
    OPENED,
    REFUSED,
    RETURNED,
    payload_of,
)
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import ReadError, ToolFailure, UsageError, system_reason
from toolglot.option_checks import read_path

_NO_FILE = -1
_SCHEMA_VERSION = 1  # of the events of runs


class SessionLog:
    """A file to which events are appended; several processes may share it.

    Give it to `toolglot.Session` as `log`.

    Raises:
        ReadError: the file cannot be written; code `"unwritable-log"`.
        UsageError: no file can be called so.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        name = read_path("path", path)
        try:
            self._handle = os.open(name, flags, 0o600)
        except OSError as error:
            raise ReadError(system_reason(error), "unwritable-log", source=name) from None
        self._run_id = _new_id()
        self._sequence = count(1)
        self._call_numbers = count(1)
        self._open_sessions: dict[str, _OpenSession] = {}
        self._lock = Lock()

    def __enter__(self) -> SessionLog:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the sessions, then the file; a call that begins afterwards cannot be written down."""
        if self._handle == _NO_FILE:
            return
        try:
            for tool_id in list(self._open_sessions):
                self._close_session(tool_id)
        finally:
            handle, self._handle = self._handle, _NO_FILE  # the system gives the number to the next file
            os.close(handle)

    @contextmanager
    def session(self, tool_id: str) -> Iterator[None]:
        """One session for all calls of a tool in this context; it fails with what is raised in it.

        Args:
            tool_id: what the catalogue calls the tool.

        Raises:
            UsageError: a session of the tool is open already (code `"open-session"`).
        """
        if tool_id in self._open_sessions:
            raise UsageError(f"a session of {tool_id!r} is open already", "open-session")
        session = self._open_session(tool_id)
        try:
            yield
        except BaseException as error:
            session.outcome = _outcome_of(_code_of(error))
            raise
        else:
            session.outcome = COMPLETED
        finally:
            self._close_session(tool_id)

    @contextmanager
    def call(self, tool_id: str) -> Iterator[Callable[[], None]]:
        """Write down one call, and how it ends. The first one of a tool opens its session, unless one is open.

        Args:
            tool_id: what the catalogue calls the tool; never what a model calls it, which may be anything.

        Returns:
            What is to be called before the tool runs; what ends without that was refused.
        """
        with self._lock:  # a call that comes at the same time waits until its session is open
            session = self._open_sessions.get(tool_id) or self._open_session(tool_id)
        call_id, ending, code = str(next(self._call_numbers)), REFUSED, None

        def begin() -> None:
            nonlocal ending
            self._write(CALLED, payload_of(session.id, tool_id, call_id))
            ending = RETURNED

        try:
            yield begin
        except BaseException as error:
            code = _code_of(error)
            raise
        finally:
            session.outcome = _outcome_of(code)
            self._write(ending, payload_of(session.id, tool_id, call_id, code))

    def _open_session(self, tool_id: str) -> _OpenSession:
        session = _OpenSession(_new_id())
        self._write(OPENED, payload_of(session.id, tool_id))
        self._open_sessions[tool_id] = session
        return session

    def _close_session(self, tool_id: str) -> None:
        session = self._open_sessions.pop(tool_id)
        self._write(CLOSED, payload_of(session.id, tool_id, outcome=session.outcome))

    def _write(self, name: str, payload: dict[str, Any]) -> None:
        event = {
            "eventId": _new_id(),
            "runId": self._run_id,
            "type": name,
            "payload": payload,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "sequence": next(self._sequence),
            "schemaVersion": _SCHEMA_VERSION,
        }
        line = dump_json(event, None)
        os.write(self._handle, line.encode("utf-8", "backslashreplace"))  # one write a line, so that none is torn


class _OpenSession(msgspec.Struct):
    """A session that is not closed, and how it ends if no other call comes."""

    id: str
    outcome: str = COMPLETED


def _outcome_of(code: str | None) -> str:
    if code is None:
        return COMPLETED
    return CANCELLED if code == CANCELLED else FAILED


def _code_of(error: BaseException) -> str:
    """Why a call failed; whoever waited for it may have gone."""
    if isinstance(error, ToolFailure):
        return error.code
    return ToolFailure.default_code if isinstance(error, Exception) else CANCELLED


def _new_id() -> str:
    return secrets.token_hex(16)
