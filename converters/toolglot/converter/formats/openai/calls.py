"""Calls as OpenAI's models send them, by Chat Completions and by Responses.

Facts: `openai` 3.52, `types/chat` and `types/responses`. A response tells by its keys which of the two it is, and a
call remembers it in `kind`, so that its result goes back in the same words.
"""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats.kit.call_results import compact_json, content_parts, content_text, failure
from toolglot.converter.formats.kit.calls import (
    AS_SENT,
    MAX_ITEMS,
    MORE_TOKENS,
    CallPlaces,
    Draft,
    Drafts,
    call_error,
    describe_value,
    draft_call,
    entries,
    index_at,
    item,
    items,
    mark_cut_off,
    optional_at,
    piece_at,
    refuse_failure,
    text_at,
    whole_response,
    wire,
    word_at,
)
from toolglot.converter.hub.calls import Calls, Content, Image, ToolCall
from toolglot.converter.text.wording import quote_text

_RESPONSE = "a response with `choices` (Chat Completions) or `output` (Responses)"
_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
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


def _chat_draft(call: Any, pointer: str) -> Draft:
    """What one entry of `tool_calls` says, in a message or in the first of its deltas."""
    return draft_call(call, "id", pointer, _chat_body)


def _chat_body(call: dict[str, Any], new_call: ToolCall, pointer: str) -> Draft:
    kind = call.get("type") or _kind_by_key(call)
    if not isinstance(kind, str) or kind not in _TEXT_IN_CHAT:
        raise call_error("a call of type 'function' or 'custom'", describe_value(kind), AS_SENT, f"{pointer}/type")
    at = f"{pointer}/{kind}"
    body = item(call.get(kind), at)
    new_call = new_call._replace(name=text_at(body, "name", at))
    is_free = kind == "custom"
    if is_free:
        new_call = new_call._replace(kind=kind)
    key = _TEXT_IN_CHAT[kind]
    return Draft(new_call, f"{at}/{key}", value=body.get(key), free=is_free)


_TEXT_IN_CHAT = {"function": "arguments", "custom": "input"}  # type of a call -> where its text is


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

_TEXT_OF = {"function_call": "arguments", "custom_tool_call": "input"}  # type of an item -> where its text is


def _parse_output(data: dict[str, Any], pointer: str) -> list[ToolCall]:
    status = word_at(data, "status")
    if status in _UNFINISHED:
        actual = f"status {describe_value(status)}"
        raise call_error("a response that was finished", actual, "ask again", f"{pointer}/status", "failed-response")
    drafts: list[Draft] = []
    ends_in_call = False
    for index, (at, entry) in enumerate(items(data, "output", pointer)):
        ends_in_call = word_at(entry, "type") in _TEXT_OF
        if ends_in_call:
            drafts.append(_output_draft(entry, at, index))
    if status == "incomplete" and ends_in_call and drafts[-1].may_be_cut_off:
        mark_cut_off(drafts[-1], _FINISHED, _CUT_TEXT)
    return [draft.complete() for draft in drafts]


_FINISHED, _CUT_TEXT = "a response that was finished", "status 'incomplete' after a free text"


def _output_draft(entry: dict[str, Any], pointer: str, index: int | None, is_finished: bool = True) -> Draft:
    """The call of one item. One without an id gets one that is the same wherever the events repeat the item."""
    identifier = word_at(entry, "call_id") or word_at(entry, "id") or f"output_{index}"
    draft = draft_call({**entry, "call_id": identifier}, "call_id", pointer, _output_body, entry["type"])
    if is_finished and entry.get("status") == "incomplete":
        mark_cut_off(draft, "a call that was finished", "status 'incomplete'")
    return draft


def _output_body(entry: dict[str, Any], call: ToolCall, pointer: str) -> Draft:
    call = call._replace(name=text_at(entry, "name", pointer), namespace=optional_at(entry, "namespace", pointer))
    if entry.get("caller") is not None:
        call = call._replace(caller=item(entry["caller"], f"{pointer}/caller"))
    key = _TEXT_OF[call.kind]
    return Draft(call, f"{pointer}/{key}", value=entry.get(key), free=call.kind == "custom_tool_call")


# -- streams -------------------------------------------------------------------------------------------------


_NOWHERE = (MAX_ITEMS, 0)  # the place of no call


class _OpenaiBuilder:
    """Chunks of Chat Completions or events of Responses, whichever come."""

    def __init__(self) -> None:
        self._drafts = Drafts[tuple[int, int]]()
        self._places = CallPlaces()
        self._names_repeat = False  # whether the server says the name of a call with each of its pieces
        self._returned_ids: set[str] = set()  # call ids of Responses; the last event repeats them all
        self._waiting_calls: list[ToolCall] = []  # free texts that the next event may declare cut off

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

    def finish(self) -> list[ToolCall]:
        return [*self._release(), *self._drafts.finish()]

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
        piece = body.get(_TEXT_IN_CHAT["custom" if draft.free else "function"])
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
        if draft.free or word_at(call, "id") or self._names_repeat:
            return False
        if not draft.text or not word_at(body, "arguments").strip():
            return False
        self._names_repeat = draft.complete().error is not None
        return not self._names_repeat

    def _added(self, event: dict[str, Any]) -> list[ToolCall]:
        entry, index = item(event.get("item"), "/item"), _index_of(event, "output_index")
        draft: Draft | None = None
        if word_at(entry, "type") in _TEXT_OF:
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
        if draft.call.kind not in _TEXT_OF:
            action = "feed one response at a time"
            raise call_error("a chunk, as before", describe_value(event["type"]), action, "/type")
        draft.value = event.get(_TEXT_OF[draft.call.kind]) or draft.value
        return []

    def _item_done(self, event: dict[str, Any]) -> list[ToolCall]:
        entry = item(event.get("item"), "/item")
        place = self._place(event, word_at(entry, "id") or word_at(entry, "call_id"))
        open_draft: Draft | None = None
        if self._drafts.has(place):
            open_draft = self._drafts.end(place)
        if word_at(entry, "type") not in _TEXT_OF:
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
        if not draft.free:
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
        error = call_error(_FINISHED, _CUT_TEXT, MORE_TOKENS)
        self._waiting_calls = [call._replace(arguments=None, error=error) for call in self._waiting_calls]
        return self._completed(event)

    def _error(self, event: dict[str, Any]) -> list[ToolCall]:
        refuse_failure({"error": event})
        return []

    def _release(self) -> list[ToolCall]:
        calls, self._waiting_calls = self._waiting_calls, []
        return calls


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


def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """A tool message of Chat Completions, or an output item of Responses; neither has a mark for errors."""
    is_of_responses = version == "responses"
    if version is None:
        is_of_responses = call.kind in _TEXT_OF
    if not is_of_responses:
        return {"role": "tool", "tool_call_id": call.id, "content": _output_text(result, error)}
    kind = "function_call_output"
    if call.kind.startswith("custom"):
        kind = "custom_tool_call_output"
    message: dict[str, Any] = {"type": kind, "call_id": call.id, "output": _output(result, error)}
    if call.namespace is not None and kind == "function_call_output":
        message["namespace"] = call.namespace
    if call.caller is not None:
        message["caller"] = dict(call.caller)
    return message


def _output_text(result: Any, error: str | None) -> str:
    if not isinstance(result, Content):
        if error is not None:
            result = failure(error, result)
        return compact_json(result)
    if result.failed and result.envelope is None:
        return compact_json(failure(content_text(result), None))
    return content_text(result)


def _output(result: Any, error: str | None) -> str | list[dict[str, Any]]:
    """A text, or a list of parts where there are images among them, which only Responses takes."""
    if isinstance(result, Content) and not result.failed:
        parts = content_parts(result, _IMAGES)
        if any(isinstance(part, Image) for part in parts):
            return [_input_part(part) for part in parts]
    return _output_text(result, error)


def _input_part(part: str | Image) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    return {"type": "input_image", "detail": "auto", "image_url": f"data:{part.media_type};base64,{part.data}"}


CALLS = Calls(_parse, _OpenaiBuilder, _result_message)
