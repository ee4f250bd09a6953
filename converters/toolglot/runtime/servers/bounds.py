"""The limits for a server, which is as untrusted as a file, and what was seen of it, to explain a failure."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from toolglot.errors import LimitError, ReadError

LONGEST_SECONDS: float = 3600
"""How long a server may be given."""

WireStreams = tuple[Any, Any]
"""What a server says and what it is told, as the library's transports give them."""


class Bounds(NamedTuple):
    """The limits for a server.

    Attributes:
        seconds: the time from its start to its last page.
        probe_seconds: the time for the first question, which servers of older protocols may not answer.
        page_seconds: the time for each other answer; the first one may have to wait for a download.
        grace_seconds: the time for a program to end, after its stdin ended and after each signal; also for the answer
            to a farewell.
        message_bytes: the size of one message.
        bytes: the size of everything that it sends.
        pages: the pages of one list.
        tools: the tools in one list.
        noise_bytes: the end of the program's output for people, which is kept.
    """

    seconds: float = 120
    probe_seconds: float = 15
    page_seconds: float = 60
    grace_seconds: float = 2
    message_bytes: int = 16 << 20
    bytes: int = 64 << 20
    pages: int = 1000
    tools: int = 20_000
    noise_bytes: int = 8 << 10


USUAL_BOUNDS = Bounds()


def bounds_within(seconds: float | None) -> Bounds:
    """The usual limits with another time for a server; `None` keeps the usual time.

    >>> bounds_within(6).probe_seconds
    2.0
    """
    if seconds is None:
        return USUAL_BOUNDS
    return USUAL_BOUNDS._replace(seconds=seconds, probe_seconds=min(USUAL_BOUNDS.probe_seconds, seconds / 3))


class Wire(msgspec.Struct):
    """The limits of a connection, and what was seen on it beside messages, to explain a missing answer.

    Attributes:
        bounds: the limits.
        received: the number of bytes so far.
        status: the highest status of HTTP; the first one could belong to another request than the failed one.
        fault: why we ended the conversation; a waiting request only hears that it ended.
        noise: the first lines on stdout that are no messages.
        errors: the end of stderr.
    """

    bounds: Bounds
    received: int = 0
    status: int | None = None
    fault: ReadError | None = None
    noise: list[str] = []
    errors: bytes = b""

    def count(self, number: int) -> None:
        """Count received bytes.

        Raises:
            LimitError: there are too many.
        """
        self.received += number
        if self.received > self.bounds.bytes:
            raise self.keep(LimitError(f"the server sent more than {self.bounds.bytes} bytes", "too-large"))

    def keep(self, fault: ReadError) -> ReadError:
        """Keep the error for which we end the conversation, and return it, to be raised."""
        self.fault = fault
        return fault
