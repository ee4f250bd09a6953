"""Calls as OpenAI's models send them, by Chat Completions and by Responses.

Facts: `openai` 3.52, `types/chat` and `types/responses`. A response tells by its keys which of the two it is, and a
call remembers it in `kind`, so that its result goes back in the same words.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats.kit.call_faults import (
    AGAIN,
    AS_SENT,
    FINISHED_CALL,
    MORE_TOKENS,
    OTHER_PROMPT,
    call_error,
    describe_value,
)
from toolglot.converter.formats.kit.call_results import ResultShape
from toolglot.converter.formats.kit.call_streams import StreamBuilder, StreamEntry, StreamEvents, draft_of, end_of
from toolglot.converter.formats.kit.calls import CallShape, Draft, Ending, ResponsePart, draft_call, mark_cut_off, wire
from toolglot.converter.hub.calls import Calls, ToolCall
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.wording import quote_text

_RESPONSE = "a response with `choices` (Chat Completions) or `output` (Responses)"
_ENDING_OF_CHOICE = Ending("finish_reason", {"length": MORE_TOKENS, "content_filter": OTHER_PROMPT})
_ENDING_OF_OUTPUT = Ending(
    "reason", {"max_output_tokens": MORE_TOKENS, "content_filter": OTHER_PROMPT, "incomplete": AGAIN}
)
_ENDING_OF_ITEM = Ending("status", {"incomplete": AGAIN})
_ONE_RESPONSE = "feed one response at a time"
_UNFINISHED = frozenset({"failed", "cancelled", "queued", "in_progress"})  # `status` of a response without an answer


def _parse(response: Any) -> list[ToolCall]:
    whole = ResponsePart.whole(response, _RESPONSE)
    if isinstance(whole.get("choices"), list):
        return _parse_chat(whole)
    if isinstance(whole.get("output"), list):
        return _parse_output(whole)
    raise call_error(_RESPONSE, f"the keys {quote_text(', '.join(map(str, list(whole.data)[:8])))}", AS_SENT)


# -- Chat Completions ----------------------------------------------------------------------------------------


def _parse_chat(response: ResponsePart) -> list[ToolCall]:
    """The calls of the first choice; the others are alternatives to it."""
    for choice in response.parts("choices"):
        message = choice.part_if_any("message")
        _refuse_legacy(message)
        drafts = [_chat_draft(call, where) for where, call in message.entries("tool_calls")]
        return _ENDING_OF_CHOICE.complete(choice.data, drafts)
    return []


def _refuse_legacy(message: ResponsePart) -> None:
    """The one call of `functions`, which `tools` replaced: it has no id, and its result is another message."""
    if message.get("function_call") is not None:
        action = "send `tools`, not `functions`"
        raise call_error("calls in tool_calls", "the legacy function_call", action, f"{message.pointer}/function_call")


_CHAT = {
    "function": CallShape("arguments", within="function"),
    "custom": CallShape("input", within="custom", kind="custom", is_free=True),
}


def _chat_draft(value: Any, pointer: str) -> Draft:
    """What one entry of `tool_calls` says, in a message or in the first of its deltas."""
    data = as_mapping(wire(value))
    kind = data.get("type") or _kind_by_key(data)
    if isinstance(kind, str) and kind in _CHAT:
        return draft_call(value, _CHAT[kind], pointer)
    draft = draft_call(value, _CHAT["function"], pointer)
    draft.error = call_error("a call of type 'function' or 'custom'", describe_value(kind), AS_SENT, f"{pointer}/type")
    return draft


def _kind_by_key(call: dict[str, Any]) -> str:
    """The type of a call that does not say it, as some servers leave it out."""
    if call.get("custom") is not None:
        return "custom"
    return "function"


# -- Responses -----------------------------------------------------------------------------------------------

_OUTPUT = {
    "function_call": CallShape("arguments", "call_id", "", "namespace", "caller", "function_call"),
    "custom_tool_call": CallShape("input", "call_id", "", "namespace", "caller", "custom_tool_call", is_free=True),
}


def _parse_output(response: ResponsePart) -> list[ToolCall]:
    status = response.word("status")
    if status in _UNFINISHED:
        actual, pointer = f"status {describe_value(status)}", f"{response.pointer}/status"
        raise call_error("a response that was finished", actual, "ask again", pointer, "failed-response")
    drafts = [_output_draft(entry, index) for index, entry in enumerate(response.parts("output"))]
    return _ENDING_OF_OUTPUT.complete(_reason_in(response), drafts)


def _reason_in(response: ResponsePart) -> dict[str, Any]:
    """Why a response is incomplete, which some servers do not say."""
    return {"reason": response.word("status"), **response.part_if_any("incomplete_details").data}


def _output_draft(entry: ResponsePart, index: int | None) -> Draft | None:
    """The call of one item. One without an id gets one that is the same wherever the events repeat the item."""
    shape = _OUTPUT.get(entry.word("type"))
    if shape is None:
        return None
    draft = draft_call(entry.data, shape, entry.pointer, entry.word("id") or f"output_{index}")
    stop = _ENDING_OF_ITEM.stop_in(entry.data)
    if stop:
        mark_cut_off(draft, FINISHED_CALL, stop)
    return draft


# -- streams -------------------------------------------------------------------------------------------------


class _OpenaiBuilder(StreamBuilder):
    """Chunks of Chat Completions or events of Responses, whichever come."""

    def __init__(self) -> None:
        super().__init__(_EVENTS)
        self._names_repeat = False  # whether the server says the name of a call with each of its pieces
        self._returned_ids: set[str] = set()  # call ids of Responses; the last event repeats them all

    def feed(self, event: Any) -> list[ToolCall]:
        chunk = ResponsePart.of(event, "", _EVENTS.expected)
        if not isinstance(chunk.get("choices"), list):
            return super().feed(chunk.data)
        chunk.refuse_failure()
        return self._chunk(chunk)

    def _wrapped_chunk(self, event: ResponsePart) -> list[ToolCall]:
        """A chunk as the stream helper of OpenAI's client wraps it."""
        return self._chunk(event.part("chunk"))

    def _chunk(self, chunk: ResponsePart) -> list[ToolCall]:
        for choice in chunk.parts("choices"):
            if choice.get("index") not in (None, 0):
                continue
            # Some servers end a stream with the whole message.
            delta = choice.part_if_any("message" if choice.get("delta") is None else "delta")
            _refuse_legacy(delta)
            for where, call in delta.entries("tool_calls"):
                self._chat_delta(call, where)
            if choice.get("finish_reason"):
                return _ENDING_OF_CHOICE.complete(choice.data, self._entries.rest())
        return []

    # No table of events has these deltas: nothing in them says that a call begins or ends. Which call one belongs to is
    # found from its index, its id and its name, each of which some servers leave out or repeat.
    def _chat_delta(self, value: Any, at: str) -> None:
        data = wire(value)
        if not isinstance(data, dict):
            self._entries.begin(None, "", _chat_draft(data, at))
            return
        call, kind = ResponsePart(data, at), _kind_by_key(data)
        index = None if call.get("index") is None else call.index_at("index")
        body = ResponsePart.of(call.get(kind) or {}, at)
        entry = self._entries.find(index, call.word("id"))
        if entry is None or self._is_another(entry, call, body):
            if entry is not None and entry.is_only_an_id:
                call, entry.is_open = ResponsePart({**data, "id": entry.identifier}, at), False
            begun = _chat_draft(call.data, at)
            begun.value = None  # the first piece is added below, like the others
            entry = self._entries.begin(index, call.word("id"), begun, is_stray=not begun.call.name)
        draft = draft_of(entry, at)
        if draft is None:
            raise call_error("the chunks of one response", "events before them", _ONE_RESPONSE, at)
        piece = body.get(_CHAT[kind].arguments)
        if isinstance(piece, str):
            self._entries.add(draft, "" if draft.is_said_again(piece) else piece, at)
        elif piece is not None:
            draft.value = piece

    def _is_another(self, entry: StreamEntry, call: ResponsePart, body: ResponsePart) -> bool:
        """Whether a delta begins another call than the open one, which its id does not tell.

        Some servers say the name with each piece; where a call without an id is whole, its name begins the next one.
        """
        name, draft = body.word("name"), entry.draft
        if not name or not entry.is_open or draft is None:
            return False
        if name != draft.call.name:
            return True
        if draft.is_free or call.word("id") or self._names_repeat:
            return False
        if not draft.text or not body.word("arguments").strip():
            return False
        self._names_repeat = draft.complete().error is not None
        return not self._names_repeat

    def _draft(self, event: ResponsePart, entry: ResponsePart) -> Draft | None:
        return _output_draft(entry, self._index(event))

    def _arguments_done(self, event: ResponsePart) -> list[ToolCall]:
        """The whole text, which counts in the place of its pieces; some servers leave it out here."""
        draft = draft_of(self._find(event))
        if draft is None or draft.call.kind not in _OUTPUT:
            raise call_error("the events of one response", describe_value(event.get("type")), _ONE_RESPONSE, "/type")
        whole = event.get(_OUTPUT[draft.call.kind].arguments)
        if whole:
            draft.value, draft.pieces = whole, StringIO()
        return []

    def _item_done(self, event: ResponsePart) -> list[ToolCall]:
        """An item ends, of which everything is repeated; some servers send nothing before."""
        entry = self._entry(event)
        begun = self._find(event)
        open_draft = end_of(begun) if begun is not None and begun.is_open else None
        draft = self._draft(event, entry)
        if draft is None:
            return self._release()
        if open_draft is not None:
            draft.value = draft.value or open_draft.value or open_draft.text
        if draft.call.id in self._returned_ids:
            raise call_error(f"one call {draft.call.id!r}", "a second one", "feed every event once", "/item/call_id")
        self._returned_ids.add(draft.call.id)
        return self._return(draft)

    def _completed(self, event: ResponsePart) -> list[ToolCall]:
        """The last event repeats the whole response; a server that leaves its output out has sent the pieces."""
        response = event.part("response")
        response.refuse_failure()
        reason = _reason_in(response)
        self._cut_off_waiting(_ENDING_OF_OUTPUT.stop_in(reason))
        calls = {call.id: call for call in _parse_output(response)}
        open_drafts = [draft for draft in self._entries.rest() if draft.call.id not in calls]
        calls.update((call.id, call) for call in _ENDING_OF_OUTPUT.complete(reason, open_drafts))
        new = [call for call in calls.values() if call.id not in self._returned_ids]
        self._returned_ids.update(calls)
        return [*self._release(), *new]

    def _error(self, event: ResponsePart) -> list[ToolCall]:
        ResponsePart({"error": event.data}, "").refuse_failure()
        return []


_EVENTS = StreamEvents(
    expected="a chunk with `choices` or an event with a `type`",
    kind="type",
    steps={
        "chunk": _OpenaiBuilder._wrapped_chunk,
        "response.output_item.added": StreamBuilder.begin,
        "response.function_call_arguments.delta": StreamBuilder.add,
        "response.function_call_arguments.done": _OpenaiBuilder._arguments_done,
        "response.custom_tool_call_input.delta": StreamBuilder.add,
        "response.custom_tool_call_input.done": _OpenaiBuilder._arguments_done,
        "response.output_item.done": _OpenaiBuilder._item_done,
        "response.completed": _OpenaiBuilder._completed,
        "response.incomplete": _OpenaiBuilder._completed,
        "response.failed": _OpenaiBuilder._completed,
        "error": _OpenaiBuilder._error,
    },
    shapes=_OUTPUT,
    entry="item",
    index="output_index",
    id="item_id",
    piece="delta",
    ending=_ENDING_OF_OUTPUT,
    may_be_undone=lambda draft: draft.is_free,
)


# -- results -------------------------------------------------------------------------------------------------


_CHAT_RESULT = ResultShape(head={"role": "tool"}, id="tool_call_id", value="content")
_OUTPUT_RESULT = ResultShape(
    head={"type": "function_call_output"},
    id="call_id",
    value="output",
    repeated={"namespace": "namespace", "caller": "caller"},
    text_type="input_text",
    images=frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"}),
    image_block=lambda image: {
        "type": "input_image",
        "detail": "auto",
        "image_url": f"data:{image.media_type};base64,{image.data}",
    },
)
_CUSTOM_RESULT = replace(_OUTPUT_RESULT, head={"type": "custom_tool_call_output"}, repeated={"caller": "caller"})


def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """A tool message of Chat Completions, or an output item of Responses; neither has a mark for errors."""
    if version == "responses" or (version is None and call.kind in _OUTPUT):
        shape = _CUSTOM_RESULT if call.kind.startswith("custom") else _OUTPUT_RESULT
    else:
        shape = _CHAT_RESULT
    return shape.message(call, result, error)


CALLS = Calls(_parse, _OpenaiBuilder, _result_message, text_keys=frozenset({"content", "text", "delta"}))
