"""Calls as Anthropic's models send them: `tool_use` blocks of a message.

Facts: `anthropic` 2.11, `types`. All results of one response belong into one user message.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats.kit.call_results import ResultShape, failure_texts, merge_lists
from toolglot.converter.formats.kit.calls import (
    AS_SENT,
    FINISHED_CALL,
    BlockBuilder,
    BlockEvents,
    CallShape,
    call_error,
    describe_value,
    draft_calls,
    mark_cut_off,
    refuse_failure,
    whole_response,
    word_at,
)
from toolglot.converter.hub.calls import Calls, Image, ToolCall

_MESSAGE = "a message with a list `content`"
_CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded", "refusal"})  # `stop_reason`
_SHAPES = {"tool_use": CallShape("input", namespace="toolset_name")}
_EVENTS = BlockEvents(
    kind="type",
    start="content_block_start",
    block="content_block",
    delta="content_block_delta",
    piece_type="input_json_delta",
    piece="partial_json",
    stop="content_block_stop",
    shapes=_SHAPES,
    end="message_delta",
    cut_off=_CUT_OFF,
)


def _parse(response: Any) -> list[ToolCall]:
    data = whole_response(response, _MESSAGE)
    refuse_failure(data)
    if not isinstance(data.get("content"), list):
        raise call_error(_MESSAGE, describe_value(data.get("content")), AS_SENT, "/content")
    drafts = draft_calls(data, "content", _SHAPES)
    reason = word_at(data, "stop_reason")
    if drafts and drafts[-1] is not None and reason in _CUT_OFF:
        # The input of a block that was cut off is an object too, with less in it than the model meant.
        mark_cut_off(drafts[-1], FINISHED_CALL, f"stop_reason {describe_value(reason)}")
    return [draft.complete() for draft in drafts if draft is not None]


def _image_block(image: Image) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.data}}


_RESULT = ResultShape(
    head={"type": "tool_result"},
    id="tool_use_id",
    value="content",
    repeated={"namespace": "toolset_name"},
    failure=failure_texts,
    mark="is_error",
    images=frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"}),
    image_block=_image_block,
)


def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    return {"role": "user", "content": [_RESULT.message(call, result, error)]}


# The API refuses a message that answers only some calls of a response.
CALLS = Calls(_parse, lambda: BlockBuilder(_EVENTS), _result_message, merge_lists("content"))
