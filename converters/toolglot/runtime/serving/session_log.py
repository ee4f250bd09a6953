"""A log of tool sessions: one line an event, and nothing of what was asked or answered.

Each call is a session of its own, so that a log is in order whenever its host ends.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType

from toolglot.converter.formats.tool_descriptor.session_logs import (
    CALLED,
    CANCELLED,
    CLOSED,
    COMPLETED,
    FAILED,
    OPENED,
    RETURNED,
    event,
)
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import ReadError, ToolFailure, system_reason
from toolglot.option_checks import read_path

_NO_FILE = -1


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

    def __enter__(self) -> SessionLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a call that begins afterwards cannot be written down."""
        handle, self._handle = self._handle, _NO_FILE  # the system gives the number to the next file
        if handle != _NO_FILE:
            os.close(handle)

    @contextmanager
    def call(self, tool_id: str) -> Iterator[None]:
        """Write down one call, and how it ends.

        Args:
            tool_id: what the tool was offered as; never what a model calls it, which may be anything.
        """
        session_id = secrets.token_hex(16)
        self._write(OPENED, session_id, tool_id)
        self._write(CALLED, session_id, tool_id, call_id="1")
        code, outcome = None, COMPLETED
        try:
            yield
        except ToolFailure as failure:
            code = failure.code
            outcome = CANCELLED if code == CANCELLED else FAILED
            raise
        except Exception:
            code, outcome = ToolFailure.default_code, FAILED
            raise
        except BaseException:  # whoever waited for the call has gone
            code, outcome = CANCELLED, CANCELLED
            raise
        finally:
            self._write(RETURNED, session_id, tool_id, call_id="1", code=code)
            self._write(CLOSED, session_id, tool_id, outcome=outcome)

    def _write(self, name: str, session_id: str, tool_id: str, **more: str | None) -> None:
        time = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = dump_json(event(name, time, session_id, tool_id, **more), None)
        os.write(self._handle, line.encode("utf-8", "backslashreplace"))  # one write a line, so that none is torn
