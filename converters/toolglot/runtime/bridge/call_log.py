"""The log of a host, in which every call begins before it runs and ends however it ends."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from toolglot.errors import ToolFailure
from toolglot.runtime.bridge.runner_failures import failure_of

_LOGGER = logging.getLogger("toolglot")


class CallLog(Protocol):
    """What writes calls down, such as `serving.session_log.SessionLog`."""

    def call(self, tool_id: str) -> AbstractContextManager[Callable[[], None] | None]:
        """A context in which a tool is called; what is raised in it is how the call failed.

        What it gives, if anything, is called just before the tool runs; a call that ends without that was refused.
        """


@contextmanager
def logged_call(log: CallLog, tool_id: str) -> Iterator[Callable[[], None]]:
    """The context of one call, and what tells the log that it runs.

    Raises:
        ToolFailure: the log cannot begin, so that the call does not run; code `"internal"`.
    """
    with _begins_logged(tool_id):
        entry = log.call(tool_id)
        tell = entry.__enter__()

    def begin() -> None:
        if tell is not None:
            with _begins_logged(tool_id):
                tell()

    try:
        yield begin
    except BaseException as error:
        _end_entry(entry, tool_id, type(error), error, error.__traceback__)
        raise
    _end_entry(entry, tool_id, None, None, None)


@contextmanager
def _begins_logged(tool_id: str) -> Iterator[None]:
    """Refuse a call that cannot be written down.

    Raises:
        ToolFailure: it cannot; code `"internal"`.
    """
    try:
        yield
    except Exception as error:
        _LOGGER.exception("a call of %r was not carried out, because it could not be logged", tool_id)
        message = f"the call was not carried out, because it could not be logged: {failure_of(error).message}"
        raise ToolFailure(message, "internal") from error


def _end_entry(entry: AbstractContextManager[Any], tool_id: str, *raised: Any) -> None:
    """Tell the log how a call ended; a fault of its own would lose the answers of the calls that already ran."""
    try:
        entry.__exit__(*raised)
    except Exception:
        _LOGGER.exception("how a call of %r ended could not be logged", tool_id)
