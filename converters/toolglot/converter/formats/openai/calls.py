"""Calls as OpenAI's models send them, by Chat Completions and by Responses.

Facts: `openai` 3.52, `types/chat` and `types/responses`. A response tells by its keys which of the two it is, and a
call remembers it in `kind`, so that its result goes back in the same words.
"""

from __future__ import annotations

from typing import Any

import msgspec

from toolglot.converter.formats.kit.call_results import ResultShape
from toolglot.converter.formats.kit.calls import (
    AS_SENT,
    FINISHED_CALL,
    MAX_ITEMS,
    MORE_TOKENS,
    CallPlaces,
    CallShape,
    Draft,
    StreamBuilder,
    call_error,
    describe_value,
    draft_call,
    entries,
    index_at,
    item,
    items,
    mark_cut_off,
    piece_at,
    refuse_failure,
    whole_response,
    wire,
    word_at,
)
from toolglot.converter.hub.calls import Calls, Image, ToolCall
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.wording import quote_text

_RESPONSE = "a response with `choices` (Chat Completions) or `output` (Responses)"
_CUT_OFF = frozenset({"length", "content_filter"})  # `finish_reason` of a message that stopped in the middle
_UNFINISHED = frozenset({"failed", "cancelled", "queued", "in_progress"})  # `status` of a response without an answer


def _parse(response: Any) -> list[ToolCall]:
    data = whole_response(response, _RESPONSE)
    refuse_failure(data)
    if isinstance(data.get("choices"), list):
        return _parse_chat(data)
    if isinstance(data.get("output"), list):
        return _parse_output(data, "")
    raise call_error(_RESPONSE, f"the keys {quote_text(', '.join(map(str, list(data)[:8])))}", AS_SENT)


# -- Chat Completions ----------------------------------------------------------------------------------------


def _parse_chat(data: dict[str, Any]) -> list[ToolCall]:
    """The calls of the first choice; the others are alternatives to it."""
    for at, choice in items(data, "choices", ""):
        message = item(choice.get("message") or {}, f"{at}/message")
        _refuse_legacy(message, f"{at}/message")
        drafts = [_chat_draft(call, where) for where, call in entries(message, "tool_calls", f"{at}/message")]
        _mark_cut_text(drafts, choice)
        return [draft.complete() for draft in drafts]
    return []


def _refuse_legacy(message: dict[str, Any], pointer: str) -> None:
    """The one call of `functions`, which `tools` replaced: it has no id, and its result is another message."""
    if message.get("function_call") is not None:
        action = "send `tools`, not `functions`"
        raise call_error("calls in tool_calls", "the legacy function_call", action, f"{pointer}/function_call")


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


def _mark_cut_text(drafts: list[Draft], choice: dict[str, Any]) -> None:
    """JSON that was cut off does not parse; a free text does, and nothing too, so its end has to be looked at."""
    reason = word_at(choice, "finish_reason")
    if drafts and drafts[-1].may_be_cut_off and reason in _CUT_OFF:
        mark_cut_off(drafts[-1], "a message that was finished", f"finish_reason {describe_value(reason)}")


# -- Responses -----------------------------------------------------------------------------------------------

_OUTPUT = {
    "function_call": CallShape("arguments", "call_id", "", "namespace", "caller", "function_call"),
    "custom_tool_call": CallShape("input", "call_id", "", "namespace", "caller", "custom_tool_call", is_free=True),
}


def _parse_output(data: dict[str, Any], pointer: str) -> list[ToolCall]:
    status = word_at(data, "status")
    if status in _UNFINISHED:
        actual = f"status {describe_value(status)}"
        raise call_error("a response that was finished", actual, "ask again", f"{pointer}/status", "failed-response")
    drafts: list[Draft] = []
    ends_in_call = False
    for index, (at, entry) in enumerate(items(data, "output", pointer)):
        ends_in_call = word_at(entry, "type") in _OUTPUT
        if ends_in_call:
            drafts.append(_output_draft(entry, at, index))
    if status == "incomplete" and ends_in_call and drafts[-1].may_be_cut_off:
        mark_cut_off(drafts[-1], _FINISHED, _CUT_TEXT)
    return [draft.complete() for draft in drafts]


_FINISHED, _CUT_TEXT = "a response that was finished", "status 'incomplete' after a free text"


def _output_draft(entry: dict[str, Any], pointer: str, index: int | None, is_finished: bool = True) -> Draft:
    """The call of one item. One without an id gets one that is the same wherever the events repeat the item."""
    identifier = word_at(entry, "call_id") or word_at(entry, "id") or f"output_{index}"
    draft = draft_call({**entry, "call_id": identifier}, _OUTPUT[entry["type"]], pointer)
    if is_finished and entry.get("status") == "incomplete":
        mark_cut_off(draft, FINISHED_CALL, "status 'incomplete'")
    return draft


# -- streams -------------------------------------------------------------------------------------------------


_NOWHERE = (MAX_ITEMS, 0)  # the place of no call


class _OpenaiBuilder(StreamBuilder[tuple[int, int]]):
    """Chunks of Chat Completions or events of Responses, whichever come."""

    def __init__(self) -> None:
        super().__init__()
        self._places = CallPlaces()
        self._names_repeat = False  # whether the server says the name of a call with each of its pieces
        self._returned_ids: set[str] = set()  # call ids of Responses; the last event repeats them all

    def feed(self, event: Any) -> list[ToolCall]:
        data = item(event, "", "a chunk or an event")
        refuse_failure(data)
        kind = data.get("type")
        if isinstance(data.get("choices"), list):
            return self._chunk(data)
        if kind == "chunk":  # as the stream helper of OpenAI's client wraps it
            return self._chunk(item(data.get("chunk"), "/chunk"))
        if not isinstance(kind, str):
            raise call_error("a chunk with `choices` or an event with a `type`", describe_value(kind), AS_SENT, "/type")
        handle = _EVENTS.get(kind)
        if handle is None:
            return []
        return handle(self, data)

    def _chunk(self, data: dict[str, Any]) -> list[ToolCall]:
        for at, choice in items(data, "choices", ""):
            if choice.get("index") not in (None, 0):
                continue
            delta = item(choice.get("delta") or {}, f"{at}/delta")
            _refuse_legacy(delta, f"{at}/delta")
            for where, call in entries(delta, "tool_calls", f"{at}/delta"):
                self._chat_delta(call, where)
            if choice.get("finish_reason"):
                drafts = self._drafts.rest()
                _mark_cut_text(drafts, choice)
                return [draft.complete() for draft in drafts]
        return []

    def _chat_delta(self, value: Any, at: str) -> None:
        call = wire(value)
        if not isinstance(call, dict):
            self._drafts.begin(self._places.begin(None, ""), _chat_draft(call, at), at)
            return
        index = _index_of(call, "index", at)
        body = item(call.get(_kind_by_key(call)) or {}, at)
        place = self._places.find(index, word_at(call, "id"))
        if place is None or self._is_another(place, call, body):
            place = self._places.begin(index, word_at(call, "id"))
            draft = _chat_draft(call, at)
            draft.value = None  # the first piece is added below, like the others
            self._drafts.begin(place, draft, at)
        draft = self._drafts.at(place, at)
        piece = body.get(_CHAT["custom" if draft.is_free else "function"].arguments)
        if isinstance(piece, str):
            self._drafts.add(place, piece, at)
        elif piece is not None:
            draft.value = piece

    def _is_another(self, place: tuple[int, int], call: dict[str, Any], body: dict[str, Any]) -> bool:
        """Whether a delta begins another call than the open one at a place, which its id does not tell.

        Some servers say the name with each piece; where a call without an id is whole, its name begins the next one.
        """
        name = word_at(body, "name")
        if not name or not self._drafts.has(place):
            return False
        draft = self._drafts.at(place)
        if name != draft.call.name:
            return True
        if draft.is_free or word_at(call, "id") or self._names_repeat:
            return False
        if not draft.text or not word_at(body, "arguments").strip():
            return False
        self._names_repeat = draft.complete().error is not None
        return not self._names_repeat

    def _added(self, event: dict[str, Any]) -> list[ToolCall]:
        entry, index = item(event.get("item"), "/item"), _index_of(event, "output_index")
        draft: Draft | None = None
        if word_at(entry, "type") in _OUTPUT:
            draft = _output_draft(entry, "/item", index, is_finished=False)
        identifier = word_at(entry, "id") or word_at(entry, "call_id")
        place = self._places.find(index, identifier)
        if place is None:
            place = self._places.begin(index, identifier)
        self._drafts.begin(place, draft)
        return self._release()

    def _place(self, event: dict[str, Any], identifier: str) -> tuple[int, int]:
        """The place of the item that an event goes on with; where nothing began there, none that is known."""
        index = _index_of(event, "output_index")
        place = self._places.find(index, identifier)
        if place is None:
            place = self._places.find(index)
        return place or _NOWHERE

    def _delta(self, event: dict[str, Any]) -> list[ToolCall]:
        self._drafts.add(self._place(event, word_at(event, "item_id")), piece_at(event, "delta", ""))
        return []

    def _arguments_done(self, event: dict[str, Any]) -> list[ToolCall]:
        """The whole text; it replaces the pieces when the item ends without one."""
        draft = self._drafts.at(self._place(event, word_at(event, "item_id")))
        if draft.call.kind not in _OUTPUT:
            action = "feed one response at a time"
            raise call_error("a chunk, as before", describe_value(event["type"]), action, "/type")
        draft.value = event.get(_OUTPUT[draft.call.kind].arguments) or draft.value
        return []

    def _item_done(self, event: dict[str, Any]) -> list[ToolCall]:
        entry = item(event.get("item"), "/item")
        place = self._place(event, word_at(entry, "id") or word_at(entry, "call_id"))
        open_draft: Draft | None = None
        if self._drafts.has(place):
            open_draft = self._drafts.end(place)
        if word_at(entry, "type") not in _OUTPUT:
            return self._release()
        draft = _output_draft(entry, "/item", _index_of(event, "output_index"))
        if open_draft is not None:
            draft.value = draft.value or open_draft.value or open_draft.text
        return self._return(draft)

    def _return(self, draft: Draft) -> list[ToolCall]:
        call = draft.complete()
        if call.id in self._returned_ids:
            raise call_error(f"one call {call.id!r}", "a second one", "feed every event once", "/item/call_id")
        self._returned_ids.add(call.id)
        before = self._release()
        if not draft.is_free:
            return [*before, call]
        self._waiting_calls = [call]
        return before

    def _completed(self, event: dict[str, Any]) -> list[ToolCall]:
        """The last event repeats the whole response; a server that leaves its output out has sent the pieces."""
        response = item(event.get("response"), "/response")
        refuse_failure(response, "/response")
        calls = {call.id: call for call in _parse_output(response, "/response")}
        for draft in self._drafts.rest():
            if draft.call.id not in calls:
                calls[draft.call.id] = draft.complete()
        new = [call for call in calls.values() if call.id not in self._returned_ids]
        self._returned_ids.update(calls)
        return [*self._release(), *new]

    def _incomplete(self, event: dict[str, Any]) -> list[ToolCall]:
        self._cut_off_waiting(call_error(_FINISHED, _CUT_TEXT, MORE_TOKENS))
        return self._completed(event)

    def _error(self, event: dict[str, Any]) -> list[ToolCall]:
        refuse_failure({"error": event})
        return []


def _index_of(event: dict[str, Any], key: str, pointer: str = "") -> int | None:
    """The index at `key`, which some servers leave out."""
    return None if event.get(key) is None else index_at(event, key, pointer)


_EVENTS = {
    "response.output_item.added": _OpenaiBuilder._added,
    "response.function_call_arguments.delta": _OpenaiBuilder._delta,
    "response.function_call_arguments.done": _OpenaiBuilder._arguments_done,
    "response.custom_tool_call_input.delta": _OpenaiBuilder._delta,
    "response.custom_tool_call_input.done": _OpenaiBuilder._arguments_done,
    "response.output_item.done": _OpenaiBuilder._item_done,
    "response.completed": _OpenaiBuilder._completed,
    "response.incomplete": _OpenaiBuilder._incomplete,
    "response.failed": _OpenaiBuilder._completed,
    "error": _OpenaiBuilder._error,
}


# -- results -------------------------------------------------------------------------------------------------


def _image_part(image: Image) -> dict[str, Any]:
    return {"type": "input_image", "detail": "auto", "image_url": f"data:{image.media_type};base64,{image.data}"}


_CHAT_RESULT = ResultShape(head={"role": "tool"}, id="tool_call_id", value="content")
_OUTPUT_RESULT = ResultShape(
    head={"type": "function_call_output"},
    id="call_id",
    value="output",
    repeated={"namespace": "namespace", "caller": "caller"},
    text_type="input_text",
    images=frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"}),
    image_block=_image_part,
)
_CUSTOM_RESULT = msgspec.structs.replace(
    _OUTPUT_RESULT, head={"type": "custom_tool_call_output"}, repeated={"caller": "caller"}
)


def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """A tool message of Chat Completions, or an output item of Responses; neither has a mark for errors."""
    if version == "responses" or (version is None and call.kind in _OUTPUT):
        shape = _CUSTOM_RESULT if call.kind.startswith("custom") else _OUTPUT_RESULT
    else:
        shape = _CHAT_RESULT
    return shape.message(call, result, error)


CALLS = Calls(_parse, _OpenaiBuilder, _result_message)
