"""How much of a server is borne, and what was seen of it, for an explanation: a server is as untrusted as a file."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from toolglot.errors import LimitError, ReadError

LONGEST_SECONDS: float = 3600
"""How long a server may be given."""

WireStreams = tuple[Any, Any]
"""What a server says and what it is told, as the library's transports give them."""


class Bounds(NamedTuple):
    """How much of a server is borne.

    Attributes:
        seconds: from its start to its last page.
        probe_seconds: for the first question, which servers of older protocols may leave without an answer.
        page_seconds: for each other answer; the first one may have to wait for a download.
        grace_seconds: for a program to end, after its stdin did and after each signal; for the answer to a farewell.
        message_bytes: of one message.
        bytes: of everything that it sends.
        pages: of one list.
        tools: in one list.
        noise_bytes: of what a program prints for people, of which the end is kept.
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
    """The usual bounds, but for how long a server may take; `None` leaves that too.

    >>> bounds_within(6).probe_seconds
    2.0
    """
    if seconds is None:
        return USUAL_BOUNDS
    return USUAL_BOUNDS._replace(seconds=seconds, probe_seconds=min(USUAL_BOUNDS.probe_seconds, seconds / 3))


class Wire(msgspec.Struct):
    """What is borne on the wire, and what was seen there beside messages, for when there is no answer.

    Attributes:
        bounds: how much is borne.
        received: how many bytes came.
        status: the highest one of HTTP: who asks why a call failed may hear of another one's answer first.
        fault: why the conversation is ended here; whoever waits for an answer only hears that it ended.
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
        """Count bytes that came.

        Raises:
            LimitError: they are too many.
        """
        self.received += number
        if self.received > self.bounds.bytes:
            raise self.keep(LimitError(f"the server sent more than {self.bounds.bytes} bytes", "too-large"))

    def keep(self, fault: ReadError) -> ReadError:
        """Keep why the conversation is ended here, and give it back to be raised."""
        self.fault = fault
        return fault
