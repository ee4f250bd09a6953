"""The log of a host: an entry for a call begins before the call runs, and ends when the call ends, in whatever way."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from toolglot.errors import ToolFailure
from toolglot.runtime.bridge.runner_failures import failure_of

_LOGGER = logging.getLogger("toolglot")


class CallLog(Protocol):
    """A log of calls, such as `serving.session_log.SessionLog`."""

    def call(self, tool_id: str) -> AbstractContextManager[Callable[[], None] | None]:
        """A context for the call of a tool; an exception in it says how the call failed.

        The context may give a function, which is called just before the tool runs. A call that ends without that was
        refused.
        """


@contextmanager
def logged_call(log: CallLog, tool_id: str) -> Iterator[Callable[[], None]]:
    """The context of one call; it gives the function that tells the log that the tool runs.

    Raises:
        ToolFailure: the log cannot begin an entry, so the call does not run; code `"internal"`.
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
    """Refuse a call that cannot be logged.

    Raises:
        ToolFailure: the log failed; code `"internal"`.
    """
    try:
        yield
    except Exception as error:
        _LOGGER.exception("a call of %r was not carried out, because it could not be logged", tool_id)
        message = f"the call was not carried out, because it could not be logged: {failure_of(error).message}"
        raise ToolFailure(message, "internal") from error


def _end_entry(entry: AbstractContextManager[Any], tool_id: str, *raised: Any) -> None:
    """Tell the log how a call ended. A fault of the log is passed over: it would lose the answers of other calls."""
    try:
        entry.__exit__(*raised)
    except Exception:
        _LOGGER.exception("how a call of %r ended could not be logged", tool_id)
