"""Calls of tools as providers send them, and what is sent back: the values that formats and the bridge share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol


class ToolCall(NamedTuple):
    """A model asks for a tool.

    The last three say how the result has to be addressed where a provider has more than one way; they stay at
    their defaults for the usual one.

    >>> ToolCall("call_1", "gh_pr_list", {"limit": 5}).arguments
    {'limit': 5}
    """

    id: str  # what the result is sent back under
    name: str  # as it was exposed to the model
    arguments: dict[str, Any]
    namespace: str | None = None  # the group that the name belongs to: OpenAI's namespace, Anthropic's toolset
    kind: str = ""  # the provider's own word for a call that is answered in another way than usual
    caller: Mapping[str, Any] | None = None  # what called, where the result has to repeat it


class Builder(Protocol):
    """Puts a streamed response together."""

    def feed(self, event: Any) -> list[ToolCall]:
        """Take one event or chunk; the calls that it completes, often none."""

    def finish(self) -> list[ToolCall]:
        """The stream has ended: the calls that no event completed, in order."""


class Calls(NamedTuple):
    """How one provider speaks about calls; `version` is that of its format, or `None` where any will do.

    `parse` and the builder raise `CallError`, whose provider and response the bridge fills in; `result` raises
    `UsageError` where the result is not JSON data.
    """

    parse: Callable[[Any], list[ToolCall]]
    builder: Callable[[], Builder]
    result: Callable[[ToolCall, Any, str | None, str | None], Any]  # (call, result, error, version) -> message
