"""Explains what went wrong between us and a server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx2
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED

from toolglot.converter.text.wording import to_whole_json
from toolglot.errors import Error, ReadError
from toolglot.runtime.bridge.runner_failures import bound_text
from toolglot.runtime.servers.bounds import Wire

_NO_ADDRESS = (httpx2.UnsupportedProtocol, httpx2.InvalidURL, OverflowError)  # the last one of a port
# The library raises the last one where a stream of events ends before it says where to write to.
_KINDS_OF_FAULTS = (Error, MCPError, httpx2.HTTPError, *_NO_ADDRESS, OSError, RuntimeError)
"""What may go wrong between us and a server; of several at once the first of these is told, for it says the most."""

_OF_NO_ENDPOINT = (404, 405, 410)
# What the library says, in the place of a server, of an answer over HTTP that it cannot read.
_NO_MESSAGE = re.compile(r"Failed to parse (?:JSON response|SSE message)(?=: )|Unexpected content type: .{0,100}")

FAULTS = (ExceptionGroup, *_KINDS_OF_FAULTS)


def explain_fault(fault: Exception, wire: Wire) -> Error:
    """An error in our words, with what was seen beside messages.

    Raises:
        Exception: the fault itself, where no server can cause it.
    """
    faults = [*leaves_of(fault)]
    leaf = next((leaf for kind in _KINDS_OF_FAULTS for leaf in faults if isinstance(leaf, kind)), None)
    if leaf is None:
        raise fault
    error = _in_our_words(leaf)
    if error.code == "server-ended" and wire.fault is not None:
        error = wire.fault
    if error.hint is None:
        error.hint = _seen_beside_messages(wire)
    return error


def _seen_beside_messages(wire: Wire) -> str | None:
    """What was seen beside messages and may explain a missing answer."""
    written = telling_lines(wire.errors.decode("utf-8", "replace"))
    if written:
        return f"it wrote to stderr: {bound_text(written)[:500]}"
    if wire.noise:
        return f"it wrote to stdout, where only messages may be: {wire.noise[0]}"
    if wire.status is not None and wire.status >= 400:
        question = "; is this the URL of its endpoint?" if wire.status in _OF_NO_ENDPOINT else ""
        return f"it answered with HTTP {wire.status}{question}"
    return None


# What a line says that tells what is wrong. The lines of a traceback around it are indented.
_OF_ERRORS = re.compile(
    r"error\b|exception\b|fatal|cannot|failed|missing|required|denied|invalid|no such|not found", re.I
)


def telling_lines(text: str) -> str:
    """Of the lines of a program that say what is wrong the first two and the last; where none does, of all its lines.

    The last line of all is not always the one: Node.js ends with its version, and npm with the place of a log.

    >>> telling_lines("Error: no key\\n    at main (a.js:1)\\n\\nNode.js v20")
    'Error: no key'
    """
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line[0].isspace() and _OF_ERRORS.search(line)]
    once = [*dict.fromkeys(map(str.strip, telling or lines))]
    return " / ".join([*once[:2], *once[2:][-1:]])


def leaves_of(error: BaseException) -> Iterator[BaseException]:
    """The errors in a group of errors; for any other error, itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves_of(inner)
    else:
        yield error


def _in_our_words(fault: BaseException) -> Error:
    if isinstance(fault, Error):
        return fault
    if isinstance(fault, MCPError):
        if is_closed(fault):
            return ReadError("the server ended before it answered", "server-ended")
        if no_message := _NO_MESSAGE.match(fault.message):
            return ReadError(
                f"the server's answer is no message of the protocol: {no_message[0]}",
                "no-message",
                hint="is this the URL of its endpoint?",
            )
        more = "" if fault.data in (None, "") else f": {to_whole_json(fault.data)}"
        return ReadError(f"the server refuses: {fault.message[:500]} ({fault.code}){more}", "server-refusal")
    if isinstance(fault, TimeoutError):
        return late_error()
    reason = str(fault) or type(fault).__name__
    if isinstance(fault, httpx2.HTTPStatusError):  # whose text has the whole URL, and what stands in it
        reason = f"HTTP {fault.response.status_code}"
    elif isinstance(fault, _NO_ADDRESS):  # whose texts have parts of it, which may come from variables
        reason = "its URL is none, or has a scheme or a port that is none"
    elif isinstance(fault, RuntimeError):
        reason = "its stream of events ended too early"
    return ReadError(f"the server cannot be reached: {reason}", "server-unreachable")


def late_error() -> ReadError:
    """The error for a server that did not answer in time."""
    return ReadError("the server did not answer in time", "server-timeout")


def is_closed(error: MCPError) -> bool:
    """Whether an error of the library says that the server has ended. Servers use the same code for refusals."""
    return error.code == CONNECTION_CLOSED and error.message == "Connection closed"
