"""What a transport of ours and a conversation share: two streams, and what was seen on the wire."""

from __future__ import annotations

from typing import Any

from toolglot.errors import LimitError
from toolglot.servers.bounds import Bounds

WireStreams = tuple[Any, Any]
"""What a server says and what it is told, as the library's transports give them."""


class Wire:
    """What was seen on the wire beside messages, for an explanation when there is no answer.

    Attributes:
        bytes: how many came.
        status: the last one of HTTP.
        noise: the first lines on stdout that are no messages.
        errors: the end of stderr.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self.status: int | None = None
        self.noise: list[str] = []
        self.errors = b""

    def count(self, number: int, bounds: Bounds) -> None:
        """Count bytes that came.

        Raises:
            LimitError: they are too many.
        """
        self.bytes += number
        if self.bytes > bounds.bytes:
            raise LimitError(f"the server sent more than {bounds.bytes} bytes", "too-large")

    def explanation(self) -> str | None:
        """What a person should know of why there was no answer."""
        last = self.errors.decode("utf-8", "replace").strip().splitlines()[-1:]
        if last:
            return f"it wrote to stderr: {last[0][:500]}"
        if self.noise:
            return f"it wrote to stdout, where only messages may be: {self.noise[0]}"
        if self.status is not None and self.status >= 400:
            return f"it answered with HTTP {self.status}; is this the URL of its endpoint?"
        return None
