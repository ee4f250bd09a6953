"""Calls of tools as providers send them, and what is sent back: the values that formats and the bridge share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol


class ToolCall(NamedTuple):
    """A model asks for a tool. `id` is what the result is sent back under; `name` is the name that was exposed."""

    id: str
    name: str
    arguments: dict[str, Any]


class Builder(Protocol):
    """Puts a streamed response together."""

    def feed(self, event: Any) -> list[ToolCall]:
        """Take one event or chunk; the calls that it completes, often none."""

    def finish(self) -> list[ToolCall]:
        """The stream has ended: the calls that no event completed, in order."""


class Calls(NamedTuple):
    """How one provider speaks about calls; `version` is that of its format, or `None` where any will do."""

    parse: Callable[[Any], list[ToolCall]]
    builder: Callable[[], Builder]
    result: Callable[[ToolCall, Any, str | None, str | None], Any]  # (call, result, error, version) -> message
