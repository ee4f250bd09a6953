"""Reads calls out of the responses of models, and writes results for them; each format knows its provider's keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from toolglot.converter.formats import get, names, parse_provider
from toolglot.converter.hub.calls import Calls, Content, ToolCall, replace_surrogates
from toolglot.errors import CallError, UsageError, wrong_type
from toolglot.runtime.bridge.calls_in_text import warn_of_calls_in_text

__all__ = ["ToolCall", "ToolCallBuilder", "parse_tool_calls", "tool_result", "tool_results"]


def parse_tool_calls(provider: str, response: Any) -> list[ToolCall]:
    """The calls in a whole response of a model, in their order.

    Names and arguments are as the model sent them: `Compiled.decode` and a `Validator` come next. Arguments that
    arrive as data are the response's own; do not modify them.

    Args:
        provider: `FORMAT` or `FORMAT@VERSION`.
        response: the JSON data of the response, or the object of the vendor's client. Of several alternatives
            (choices, candidates) the first counts.

    Returns:
        Often no call; where the model wrote one into its text, the logger `toolglot` is told. A call that is damaged
        or was cut off has an `error` and no arguments; `tool_result` answers it, and the calls beside it can run.
        Arguments that are absent, null or blank are `{}`. A call without an id gets one that is made here; at Gemini,
        which may leave it out, the name stands in for it, from the second call of a name on with a number.

    Raises:
        UsageError: there is no such provider, or it has no calls.
        CallError: the response is not the provider's, or says that it failed.

    >>> call = {"id": "c1", "type": "function", "function": {"name": "gh_pr_list", "arguments": '{"limit": 5}'}}
    >>> found = parse_tool_calls("openai", {"choices": [{"message": {"tool_calls": [call]}}]})
    >>> found[0].name, found[0].arguments
    ('gh_pr_list', {'limit': 5})
    """
    found = calls_in_response(provider, response)
    if not found:
        warn_of_calls_in_text([response], calls_of(provider).text_keys)
    return found


def calls_in_response(provider: str, response: Any) -> list[ToolCall]:
    """The same, without a search for calls that the model wrote into its text."""
    calls = calls_of(provider)
    with _name_sender_in_errors(provider, response):
        return calls.parse(response)


class ToolCallBuilder:
    """Puts the calls of one streamed response together.

    Args:
        provider: `FORMAT` or `FORMAT@VERSION`.

    Raises:
        UsageError: there is no such provider, or it has no calls.

    >>> builder = ToolCallBuilder("openai")
    >>> first = {"index": 0, "id": "c1", "function": {"name": "ls", "arguments": "{"}}
    >>> for call in (first, {"index": 0, "function": {"arguments": "}"}}):
    ...     assert builder.feed({"choices": [{"delta": {"tool_calls": [call]}}]}) == []
    >>> builder.finish()[0].arguments
    {}
    """

    __slots__ = ("_builder", "_provider")

    def __init__(self, provider: str) -> None:
        self._builder = calls_of(provider).builder()
        self._provider = provider

    def feed(self, event: Any) -> list[ToolCall]:
        """Take one event or chunk, as JSON data or as the object of the vendor's client.

        Returns:
            The calls that this event completes, each once; events of other kinds complete none. A damaged call has
            an `error`, as from `parse_tool_calls`.

        Raises:
            CallError: the event does not belong here, or says that the response failed. What the builder returns
                afterwards means nothing: start again with a new one.
        """
        with _name_sender_in_errors(self._provider, event):
            return self._builder.feed(event)

    def finish(self) -> list[ToolCall]:
        """Say that the stream has ended.

        Returns:
            The calls that no event completed; one that the stream ended in the middle of has an `error`.
        """
        with _name_sender_in_errors(self._provider, None):
            return self._builder.finish()


def tool_result(
    provider: str, call: ToolCall, result: Any = None, error: str | None = None, *, text: bool = False
) -> Any:
    """What is sent back to the model for a call: a message, an item or a content, as the provider has it.

    Args:
        provider: `FORMAT` or `FORMAT@VERSION`.
        call: the call as it came; its id, and for some providers more of it, addresses the result.
        result: JSON data of any kind, or an object with `model_dump`. Where the provider takes text, it is compact
            JSON with numbers as JavaScript writes them.
        error: what went wrong, or `None`; it is marked as an error where the provider has a mark. A call that has
            an `error` of its own is answered with that.
        text: whether a text goes as it is, and the result of an MCP tool as its texts, its images where the
            provider takes them, and its mark for errors. Without it both are JSON, as in the reference bridge: a
            text is quoted.

    Raises:
        UsageError: there is no such provider, it has no calls, `call` is none, or the result is not JSON data.
        CallError: the `model_dump` of the result fails.

    >>> tool_result("openai", ToolCall("c1", "ls", {}), {"files": 2.0})
    {'role': 'tool', 'tool_call_id': 'c1', 'content': '{"files":2}'}
    >>> tool_result("openai", ToolCall("c1", "cat", {}), 'He said "no".', text=True)["content"]
    'He said "no".'
    """
    calls, version = _calls_and_version(provider)
    if not isinstance(call, ToolCall):
        raise wrong_type("a call that was parsed", call, "bad-call")
    for field in ("id", "name"):
        value = getattr(call, field)
        if not isinstance(value, str):
            raise wrong_type(f"the {field} of a call as a text", value, "bad-call")
    if error is None and call.error is not None:
        error = str(call.error)
    content = content_of(result) if text else None
    if content is None:
        return calls.result(call, result, error, version)
    if error is not None:
        content = content._replace(parts=(error, *content.parts), failed=True, source=None)
    # UTF-8 cannot hold half of a surrogate pair.
    parts = tuple(replace_surrogates(part) if isinstance(part, str) else part for part in content.parts)
    return calls.result(call, content._replace(parts=parts), None, version)


def tool_results(
    provider: str, answers: Iterable[ToolCall | tuple[ToolCall, Any] | tuple[ToolCall, Any, str | None]]
) -> list[Any]:
    """What is sent back for the calls of one response: messages to append, merged as the provider wants them.

    Args:
        provider: as for `tool_result`.
        answers: for each call, in the order of the calls, `(call, result)`, or `(call, result, error)`; a call that
            has an `error` may stand alone, and one without a name is left out. Texts go as they are, as `tool_result`
            has it with `text`.

    Raises:
        UsageError, CallError: as for `tool_result`.

    >>> first, second = ToolCall("c1", "ls", {}), ToolCall("c2", "cat", {})
    >>> [message] = tool_results("anthropic", [(first, "a.txt"), (second, None, "no such file")])
    >>> [(block["tool_use_id"], block["content"]) for block in message["content"]]
    [('c1', 'a.txt'), ('c2', [{'type': 'text', 'text': 'no such file'}])]
    """
    calls = calls_of(provider)  # a wrong provider is the error, also where there are no answers
    if not isinstance(answers, Iterable):
        raise wrong_type("a list of (call, result)", answers, "bad-call")
    messages: list[Any] = []
    for answer in map(_read_answer, answers):
        message = tool_result(provider, *answer, text=True)
        if answer[0].name:
            messages.append(message)
    return calls.merge(messages)


def _read_answer(answer: Any) -> tuple[Any, ...]:
    if isinstance(answer, ToolCall):
        if answer.error is None:
            raise UsageError(f"the call {answer.id!r} has no result; give (call, result)", code="bad-call")
        return (answer,)
    if not isinstance(answer, tuple) or len(answer) not in (2, 3):
        raise wrong_type("(call, result)", answer, "bad-call")
    return answer


def content_of(result: Any) -> Content | None:
    """A result that is a text, or has the shape of a format with results; `None` for plain JSON data.

    >>> content_of("a.txt").parts, content_of({"files": 1})
    (('a.txt',), None)
    """
    if isinstance(result, Content):
        return result
    if isinstance(result, str):
        return Content((result,))
    for name in names():
        calls = get(name).provider.calls
        if calls is None or calls.content is None:
            continue
        content = calls.content(result)
        if content is not None:
            return content
    return None


def calls_of(provider: str) -> Calls:
    """How the calls and results of a provider are read and written.

    Raises:
        UsageError: there is no such provider, or it has no calls.

    >>> calls_of("mcp").holds_results, calls_of("openai").holds_results
    (True, False)
    """
    return _calls_and_version(provider)[0]


def _calls_and_version(provider: str) -> tuple[Calls, str | None]:
    provider_format, version = parse_provider(provider)
    calls = provider_format.provider.calls
    if calls is None:
        raise UsageError(f"{provider_format.name} has no calls", code="no-calls")
    return calls, version


@contextmanager
def _name_sender_in_errors(provider: str, response: Any) -> Iterator[None]:
    """Add the name of the provider to errors: formats do not know who sent a response."""
    try:
        yield
    except CallError as error:
        error.provider, error.response = provider, response
        raise
