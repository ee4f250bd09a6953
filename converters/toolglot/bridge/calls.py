"""From what a model sent to calls, and from results to what it is sent; each format knows its provider's words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from toolglot.calls import Calls, ToolCall
from toolglot.errors import CallError, UsageError
from toolglot.formats import parse_target

__all__ = ["ToolCall", "ToolCallBuilder", "parse_tool_calls", "tool_result"]


def parse_tool_calls(provider: str, response: Any) -> list[ToolCall]:
    """The calls in a whole response of a model, in their order.

    Names and arguments are as the model sent them: `Compiled.decode` and a `Validator` come next. Arguments that
    arrive as data are the response's own; do not modify them.

    Args:
        provider: `FORMAT` or `FORMAT@VERSION`.
        response: the JSON data of the response, or the object of the vendor's client. Of several alternatives
            (choices, candidates) the first counts.

    Returns:
        Often no call. Where a provider gives no id, the name stands in for it.

    Raises:
        UsageError: there is no such format, or it has no calls.
        CallError: the response is not the provider's, or a call in it is damaged or was cut off. Then none of its
            calls is returned, so that nothing is run on half of what the model meant.

    >>> call = {"id": "c1", "type": "function", "function": {"name": "gh_pr_list", "arguments": '{"limit": 5}'}}
    >>> found = parse_tool_calls("openai", {"choices": [{"message": {"tool_calls": [call]}}]})
    >>> found[0].name, found[0].arguments
    ('gh_pr_list', {'limit': 5})
    """
    calls, _ = _calls_of(provider)
    with _told(provider, response):
        return calls.parse(response)


class ToolCallBuilder:
    """Puts the calls of one streamed response together.

    Args:
        provider: `FORMAT` or `FORMAT@VERSION`.

    Raises:
        UsageError: there is no such format, or it has no calls.

    >>> builder = ToolCallBuilder("openai")
    >>> first = {"index": 0, "id": "c1", "function": {"name": "ls", "arguments": "{"}}
    >>> for call in (first, {"index": 0, "function": {"arguments": "}"}}):
    ...     assert builder.feed({"choices": [{"delta": {"tool_calls": [call]}}]}) == []
    >>> builder.finish()[0].arguments
    {}
    """

    __slots__ = ("_builder", "_provider")

    def __init__(self, provider: str) -> None:
        calls, _ = _calls_of(provider)
        self._builder = calls.builder()
        self._provider = provider

    def feed(self, event: Any) -> list[ToolCall]:
        """Take one event or chunk, as JSON data or as the object of the vendor's client.

        Returns:
            The calls that this event completes, each once; events of other kinds complete none.

        Raises:
            CallError: the event does not belong here, or a call is damaged, was cut off or grows too large. What the
                builder returns afterwards means nothing: start again with a new one.
        """
        with _told(self._provider, event):
            return self._builder.feed(event)

    def finish(self) -> list[ToolCall]:
        """Say that the stream has ended.

        Returns:
            The calls that are whole, but that no event completed.

        Raises:
            CallError: the stream ended in the middle of a call.
        """
        with _told(self._provider, None):
            return self._builder.finish()


def tool_result(provider: str, call: ToolCall, result: Any, error: str | None = None) -> Any:
    """What is sent back to the model for a call: a message, an item or a content, as the provider has it.

    Args:
        provider: `FORMAT` or `FORMAT@VERSION`.
        call: the call as it came; its id, and for some providers more of it, addresses the result.
        result: JSON data of any kind, or an object with `model_dump`. Where the provider takes text, it is compact
            JSON with numbers as JavaScript writes them; a text is quoted too.
        error: what went wrong, or `None`; it is marked as an error where the provider has a mark.

    Raises:
        UsageError: there is no such format, it has no calls, `call` is none, or the result is not JSON data.

    >>> tool_result("openai", ToolCall("c1", "ls", {}), {"files": 2.0})
    {'role': 'tool', 'tool_call_id': 'c1', 'content': '{"files":2}'}
    """
    calls, version = _calls_of(provider)
    if not isinstance(call, ToolCall):
        raise UsageError(f"expected a call that was parsed, found {type(call).__name__}", code="bad-call")
    return calls.result(call, result, error, version)


def _calls_of(provider: str) -> tuple[Calls, str | None]:
    if not isinstance(provider, str):
        raise UsageError(f"expected the name of a format, found {type(provider).__name__}", code="unknown-format")
    found, version = parse_target(provider)
    if found.calls is None:
        raise UsageError(f"{found.name} has no calls; name a format that models are given tools in", code="no-calls")
    return found.calls, version


@contextmanager
def _told(provider: str, response: Any) -> Iterator[None]:
    """Formats say what is wrong; who sent it is known here."""
    try:
        yield
    except CallError as error:
        error.provider, error.response = provider, response
        raise
