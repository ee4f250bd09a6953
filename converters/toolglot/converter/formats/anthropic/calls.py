"""Calls as Anthropic's models send them: `tool_use` blocks of a message.

Source: `anthropic` 2.11, `types`.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats.kit.call_faults import AS_SENT, MORE_TOKENS, OTHER_PROMPT, call_error, describe_value
from toolglot.converter.formats.kit.call_results import ResultShape, failure_texts, merge_lists
from toolglot.converter.formats.kit.call_streams import StreamBuilder, StreamEvents
from toolglot.converter.formats.kit.calls import CallShape, Ending, ResponsePart, draft_calls
from toolglot.converter.hub.calls import Calls, ToolCall

_MESSAGE = "a message with a list `content`"
_SHAPES = {"tool_use": CallShape("input", namespace="toolset_name")}
_ENDING = Ending(
    "stop_reason",
    {"max_tokens": MORE_TOKENS, "model_context_window_exceeded": "send less and ask again", "refusal": OTHER_PROMPT},
    True,
)


def _parse(response: Any) -> list[ToolCall]:
    message = ResponsePart.whole(response, _MESSAGE)
    if not isinstance(message.get("content"), list):
        raise call_error(_MESSAGE, describe_value(message.get("content")), AS_SENT, "/content")
    return _ENDING.complete(message.data, draft_calls(message, "content", _SHAPES))


_EVENTS = StreamEvents(
    expected="an event with a `type`",
    kind="type",
    steps={
        "content_block_start": StreamBuilder.begin,
        "content_block_delta": StreamBuilder.add,
        "content_block_stop": StreamBuilder.end,
        "message_delta": StreamBuilder.close,
    },
    shapes=_SHAPES,
    entry="content_block",
    index="index",
    within="delta",
    piece_type="input_json_delta",
    piece="partial_json",
    closing="delta",
    ending=_ENDING,
)


_RESULT = ResultShape(
    head={"type": "tool_result"},
    id="tool_use_id",
    value="content",
    repeated={"namespace": "toolset_name"},
    failure=failure_texts,
    mark="is_error",
    images=frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"}),
    image_block=lambda image: {
        "type": "image",
        "source": {"type": "base64", "media_type": image.media_type, "data": image.data},
    },
)


def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    return {"role": "user", "content": [_RESULT.message(call, result, error)]}


# The results of a response go into one user message: the API refuses a message that answers only some of its calls.
CALLS = Calls(
    _parse, lambda: StreamBuilder(_EVENTS), _result_message, merge_lists("content"), text_keys=frozenset({"text"})
)
