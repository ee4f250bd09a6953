"""How much of a server is borne: seconds, bytes, pages and tools. A server is as untrusted as a file."""

from __future__ import annotations

from typing import NamedTuple

LONGEST: float = 3600
"""Seconds that a server may be given."""


class Bounds(NamedTuple):
    """How much of a server is borne.

    Attributes:
        seconds: from its start to its last page.
        probe_seconds: for the first question, which servers of older protocols may leave without an answer.
        page_seconds: for each other answer; the first one may have to wait for a download.
        grace_seconds: for a program to end, after its stdin did and after each signal.
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
