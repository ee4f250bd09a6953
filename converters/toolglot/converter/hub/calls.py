"""Calls of tools as providers send them, and what is sent back: the values that formats and the bridge share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from msgspec import UNSET

from toolglot.errors import CallError


class ToolCall(NamedTuple):
    """A model asks for a tool.

    `namespace`, `kind` and `caller` say how the result has to be addressed where a provider has more than one way;
    they stay at their defaults for the usual one. A call that is damaged or was cut off is a call too, because it
    has to be answered: `error` says why it cannot run, and there are no arguments, for `{}` would run the tool with
    its defaults.

    >>> ToolCall("call_1", "gh_pr_list", {"limit": 5}).arguments
    {'limit': 5}
    """

    id: str  # what the result is sent back under
    name: str  # as it was exposed to the model
    arguments: Any  # an object; `None` where `error` says why there is none
    namespace: str | None = None  # the group that the name belongs to: OpenAI's namespace, Anthropic's toolset
    kind: str = ""  # the provider's own word for a call that is answered in another way than usual
    caller: Mapping[str, Any] | None = None  # what called, where the result has to repeat it
    error: CallError | None = None


class Image(NamedTuple):
    """A picture that a tool returned."""

    media_type: str
    data: str  # in base64


class Content(NamedTuple):
    """The result of a tool as texts and pictures for a model, as opposed to JSON data."""

    parts: tuple[str | Image, ...]
    failed: bool = False
    structured: Any = UNSET  # what the tool gave as JSON data, which `parts` say in words of their own or as JSON
    envelope: Mapping[str, Any] | None = None  # AIP-14's, of a call that failed; `parts` hold it as a text
    source: Mapping[str, Any] | None = None  # all of it in the words of the protocol that it came in


class Builder(Protocol):
    """Puts a streamed response together."""

    def feed(self, event: Any) -> list[ToolCall]:
        """Take one event or chunk, and give the calls that it completes, often none."""

    def finish(self) -> list[ToolCall]:
        """At the end of the stream: the calls that no event completed, in order."""


class Calls(NamedTuple):
    """How the calls and results of one provider are read and written.

    `parse` and the builder raise `CallError` where the input is no response of the provider; the bridge adds the name
    of the provider to the error. `result` raises `UsageError` where the result is not JSON data.

    Attributes:
        parse: whole response -> its calls.
        builder: makes what puts a streamed response together.
        result: (call, result, error, version of the format) -> message; without a version, any will do.
        merge: messages of several results -> the messages that the provider wants as the answer to one response.
        content: reads a result that has the shape of the format; `None` for any other.
        holds_results: whether clients refuse a result that breaks the output schema of its tool.
        text_keys: the keys of a response under which the model's text stands, whole or in pieces.
    """

    parse: Callable[[Any], list[ToolCall]]
    builder: Callable[[], Builder]
    result: Callable[[ToolCall, Any, str | None, str | None], Any]
    merge: Callable[[list[Any]], list[Any]] = list
    content: Callable[[Any], Content | None] | None = None
    holds_results: bool = False
    text_keys: frozenset[str] = frozenset()


def join_surrogates(text: str) -> str:
    """The text with each pair of surrogates joined to the character that they encode."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def replace_surrogates(text: str) -> str:
    """The text with a question mark for each lone surrogate, which no request can carry."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
