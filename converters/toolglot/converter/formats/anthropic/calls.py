"""Calls as Anthropic's models send them: `tool_use` blocks of a message.

Facts: `anthropic` 2.11, `types`. All results of one response belong into one user message.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats.kit.call_results import compact_json, content_parts, content_text, failure_texts
from toolglot.converter.formats.kit.calls import (
    AS_SENT,
    MORE_TOKENS,
    Draft,
    Drafts,
    call_error,
    describe_value,
    draft_call,
    index_at,
    item,
    items,
    mark_cut_off,
    optional_at,
    piece_at,
    refuse_failure,
    text_at,
    whole_response,
    word_at,
)
from toolglot.converter.hub.calls import Calls, Content, Image, ToolCall

_MESSAGE = "a message with a list `content`"
_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded", "refusal"})  # `stop_reason`


def _parse(response: Any) -> list[ToolCall]:
    data = whole_response(response, _MESSAGE)
    refuse_failure(data)
    if not isinstance(data.get("content"), list):
        raise call_error(_MESSAGE, describe_value(data.get("content")), AS_SENT, "/content")
    blocks = list(items(data, "content", ""))
    drafts = [_draft(block, at) for at, block in blocks if block.get("type") == "tool_use"]
    reason = word_at(data, "stop_reason")
    if blocks and blocks[-1][1].get("type") == "tool_use" and reason in _CUT_OFF:
        # The input of a block that was cut off is an object too, with less in it than the model meant.
        mark_cut_off(drafts[-1], _FINISHED, f"stop_reason {describe_value(reason)}")
    return [draft.complete() for draft in drafts]


_FINISHED = "a call that was finished"


def _draft(block: dict[str, Any], pointer: str) -> Draft:
    return draft_call(block, "id", pointer, _with_input)


def _with_input(block: dict[str, Any], call: ToolCall, pointer: str) -> Draft:
    call = call._replace(name=text_at(block, "name", pointer), namespace=optional_at(block, "toolset_name", pointer))
    return Draft(call, f"{pointer}/input", value=block.get("input"))


class _AnthropicBuilder:
    """Events of a stream. A call without any piece of input waits for the block or the message to go on.

    Its input is `{}`, unless the message was cut off there, which only the next events say.
    """

    def __init__(self) -> None:
        self._drafts = Drafts[int]()
        self._waiting_calls: list[ToolCall] = []

    def feed(self, event: Any) -> list[ToolCall]:
        data = item(event, "", "an event with a `type`")
        refuse_failure(data)
        kind = data.get("type")
        if not isinstance(kind, str):
            raise call_error("an event with a `type`", describe_value(kind), AS_SENT, "/type")
        handle = _EVENTS.get(kind)
        if handle is None:
            return []
        return handle(self, data)

    def finish(self) -> list[ToolCall]:
        return [*self._release(), *self._drafts.finish()]

    def _start(self, event: dict[str, Any]) -> list[ToolCall]:
        block = item(event.get("content_block"), "/content_block")
        if block.get("type") == "tool_use":
            draft = _draft({"input": {}, **block}, "/content_block")
        else:
            draft = None
        self._drafts.begin(index_at(event, "index"), draft)
        return self._release()

    def _delta(self, event: dict[str, Any]) -> list[ToolCall]:
        delta = item(event.get("delta"), "/delta")
        if delta.get("type") == "input_json_delta":
            self._drafts.add(index_at(event, "index"), piece_at(delta, "partial_json", "/delta"))
        return []

    def _stop(self, event: dict[str, Any]) -> list[ToolCall]:
        draft = self._drafts.end(index_at(event, "index"))
        if draft is None:
            return []
        call = draft.complete()
        if draft.text:
            return [*self._release(), call]
        self._waiting_calls.append(call)
        return []

    def _message(self, event: dict[str, Any]) -> list[ToolCall]:
        reason = word_at(item(event.get("delta") or {}, "/delta"), "stop_reason")
        if reason in _CUT_OFF:
            error = call_error(_FINISHED, f"stop_reason {describe_value(reason)}", MORE_TOKENS, "/delta/stop_reason")
            self._waiting_calls = [call._replace(arguments=None, error=error) for call in self._waiting_calls]
        return self._release() if reason else []

    def _release(self) -> list[ToolCall]:
        calls, self._waiting_calls = self._waiting_calls, []
        return calls


_EVENTS = {
    "content_block_start": _AnthropicBuilder._start,
    "content_block_delta": _AnthropicBuilder._delta,
    "content_block_stop": _AnthropicBuilder._stop,
    "message_delta": _AnthropicBuilder._message,
}


def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call.id}
    if call.namespace is not None:
        block["toolset_name"] = call.namespace
    if isinstance(result, Content):
        block.update(_content_data(result))
    elif error is None:
        block["content"] = compact_json(result)
    else:
        block.update(content=failure_texts(error, result), is_error=True)
    return {"role": "user", "content": [block]}


def _content_data(content: Content) -> dict[str, Any]:
    """A text, or blocks where there are images among them; an error takes none."""
    if content.failed:
        return {"content": content_text(content), "is_error": True}
    parts = content_parts(content, _IMAGES)
    if not any(isinstance(part, Image) for part in parts):
        return {"content": content_text(content)}
    return {"content": [_content_block(part) for part in parts if part]}


def _content_block(part: str | Image) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": part.data}}


def _merge_messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One user message with all results: the API refuses a message that answers only some calls of a response."""
    blocks: list[dict[str, Any]] = []
    for message in messages:
        blocks += message["content"]
    if not blocks:
        return []
    return [{"role": "user", "content": blocks}]


CALLS = Calls(_parse, _AnthropicBuilder, _result_message, _merge_messages)
