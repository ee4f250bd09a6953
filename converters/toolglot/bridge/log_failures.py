"""The log of a host: what cannot be written down does not run, and what ran is answered whatever becomes of the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from toolglot.bridge.failures import failure_of
from toolglot.errors import ToolFailure

_LOGGER = logging.getLogger("toolglot")


class CallLog(Protocol):
    """What writes calls down, such as `toolglot.serving.session_log.SessionLog`."""

    def call(self, tool_id: str) -> AbstractContextManager[None]:
        """A context in which a tool is called; what is raised in it is how the call failed."""


@contextmanager
def logged_call(log: CallLog, tool_id: str) -> Iterator[None]:
    """The context of one call.

    Raises:
        ToolFailure: the log cannot begin, so that the call does not run; code `"internal"`.
    """
    try:
        entry = log.call(tool_id)
        entry.__enter__()
    except Exception as error:
        _LOGGER.exception("a call of %r was not carried out, because it could not be logged", tool_id)
        message = f"the call was not carried out, because it could not be logged: {failure_of(error).message}"
        raise ToolFailure(message, "internal") from error
    try:
        yield
    except BaseException as error:
        _end_entry(entry, tool_id, error)
        raise
    _end_entry(entry, tool_id, None)


def _end_entry(entry: AbstractContextManager[None], tool_id: str, error: BaseException | None) -> None:
    """Tell the log how a call ended; a fault of its own would lose the answers of the calls that already ran."""
    try:
        if error is None:
            entry.__exit__(None, None, None)
        else:
            entry.__exit__(type(error), error, error.__traceback__)
    except Exception:
        _LOGGER.exception("how a call of %r ended could not be logged", tool_id)
