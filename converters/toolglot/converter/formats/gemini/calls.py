"""Calls as Gemini's models send them: parts of generateContent, whole or streamed, and steps of Interactions.

Source: `google-genai` 3.4, `types` and `_gaos/types/interactions`. A part may carry a `thoughtSignature` beside its
call. It belongs to the history, not to the result: send the model's whole `content` back before the results, as it
came. All results of one response belong into one `content`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from toolglot.converter.formats.gemini.partial_args import PartialArgs, camel_or_snake
from toolglot.converter.formats.kit.call_faults import (
    AGAIN,
    AS_SENT,
    MORE_TOKENS,
    OTHER_PROMPT,
    call_error,
    describe_value,
)
from toolglot.converter.formats.kit.call_results import (
    ResultShape,
    compact_json,
    content_parts,
    content_text,
    failure,
    merge_lists,
    to_plain_data,
)
from toolglot.converter.formats.kit.call_streams import StreamBuilder, StreamEvents
from toolglot.converter.formats.kit.calls import (
    END_OF_STREAM,
    CallShape,
    Draft,
    Ending,
    ResponsePart,
    Stop,
    draft_call,
    draft_calls,
    mark_cut_off,
)
from toolglot.converter.hub.calls import Calls, Content, Image, ToolCall
from toolglot.converter.text.pointers import as_mapping, keyed_values
from toolglot.converter.text.wording import quote_text
from toolglot.errors import CallError

_RESPONSE = "a response with `candidates` (generateContent) or `steps` (Interactions)"
# Keys of chunks that need no candidates.
_WITHOUT_CANDIDATES = ("promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata")
# `finishReason` of a candidate whose calls are lost.
_MALFORMED = frozenset({
    "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
    "MALFORMED_RESPONSE",
})  # fmt: skip
_IMAGES = frozenset({"image/png", "image/jpeg", "image/webp"})
_STEP = "function_call"  # the type of a step of Interactions, and the kind of its call
_STEP_SHAPES = {_STEP: CallShape("arguments", kind=_STEP)}
_ENDING = Ending(
    "status",
    {
        "incomplete": MORE_TOKENS,
        "budget_exceeded": MORE_TOKENS,
        "requires_continuation": AGAIN,
        "cancelled": AGAIN,
        "failed": AGAIN,
    },
    True,
)
_ENDING_OF_CANDIDATE = Ending(
    "finishReason",
    {
        "MAX_TOKENS": MORE_TOKENS,
        "OTHER": AGAIN,
        **dict.fromkeys(("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"), OTHER_PROMPT),
    },
    True,
)
_STEP_EVENTS = StreamEvents(
    expected="an event with an `event_type`",
    kind="event_type",
    steps={
        "step.start": StreamBuilder.begin,
        "step.delta": StreamBuilder.add,
        "step.stop": StreamBuilder.end,
        "interaction.completed": StreamBuilder.close,
    },
    shapes=_STEP_SHAPES,
    entry="step",
    index="index",
    within="delta",
    piece_type="arguments_delta",
    piece="arguments",
    closing="interaction",
    ending=_ENDING,
)
_PART_SHAPE = CallShape("args")


def _parse(response: Any) -> list[ToolCall]:
    whole = ResponsePart.whole(response, _RESPONSE)
    if isinstance(whole.get("steps"), list):
        return _ENDING.complete(whole.data, draft_calls(whole, "steps", _STEP_SHAPES))
    builder = _GeminiBuilder()
    return [*builder.feed(whole.data), *builder.finish()]


class _GeminiBuilder:
    """Makes calls of the chunks of generateContent, or of the events of Interactions."""

    def __init__(self) -> None:
        self._steps = StreamBuilder(_STEP_EVENTS)
        self._draft: Draft | None = None  # the open call of generateContent, which has at most one
        self._parts = PartialArgs()  # its arguments, where they come in parts
        self._counts_by_name = Counter[str]()  # name -> number of calls without an id
        self._has_calls = False  # generateContent has sent calls, which a malformed one does not take back
        self._ends_in_call = False  # the last part was a call, which may be cut off if the response stops here
        self._waiting: list[Draft] = []  # that call, until more comes or the reason to stop is known

    def feed(self, event: Any) -> list[ToolCall]:
        chunk = ResponsePart.of(event, "", _RESPONSE)
        chunk.refuse_failure()
        if isinstance(chunk.get("event_type"), str):
            return self._steps.feed(chunk.data)
        candidates = chunk.get("candidates")
        if not candidates:
            reason = camel_or_snake(as_mapping(camel_or_snake(chunk.data, "promptFeedback")), "blockReason")
            if reason:  # 0 is no reason
                block, place = f"blockReason {describe_value(reason)}", "/promptFeedback/blockReason"
                raise call_error("an answer", block, OTHER_PROMPT, place, "failed-response")
        if isinstance(candidates, list):
            return self._chunk(chunk)
        if candidates is None and any(key in chunk.data for key in _WITHOUT_CANDIDATES):
            return []  # a last chunk with nothing but the usage
        raise call_error(_RESPONSE, describe_value(candidates), AS_SENT, "/candidates")

    def finish(self) -> list[ToolCall]:
        drafts = [*self._waiting, *self._cut_off(END_OF_STREAM)]
        return [*_ENDING_OF_CANDIDATE.complete({}, drafts), *self._steps.finish()]

    def _chunk(self, chunk: ResponsePart) -> list[ToolCall]:
        """The calls that the first candidate completes; the others are alternatives to it."""
        for candidate in list(chunk.parts("candidates"))[:1]:
            if candidate.get("index") not in (None, 0):
                break
            content = candidate.part_if_any("content")
            drafts, self._waiting = self._waiting, []
            for part in content.parts("parts"):
                function_call = camel_or_snake(part.data, "functionCall")
                if function_call is not None:
                    drafts += self._function_call(ResponsePart.of(function_call, f"{part.pointer}/functionCall"))
                    self._ends_in_call = self._draft is None
                elif part.get("text"):
                    self._ends_in_call = False
            self._has_calls = self._has_calls or bool(drafts)
            reason = camel_or_snake(candidate.data, "finishReason")
            if isinstance(reason, str) and reason in _MALFORMED and not self._has_calls:
                raise _malformed(reason, candidate)
            return self._release(drafts, reason)
        return []

    def _release(self, drafts: list[Draft], reason: Any) -> list[ToolCall]:
        """The calls that no later chunk can change. A reason to stop, unless it is a normal end, concerns the last."""
        if not reason and self._ends_in_call:
            drafts, self._waiting = drafts[:-1], drafts[-1:]
        return _ENDING_OF_CANDIDATE.complete({"finishReason": reason if self._ends_in_call else None}, drafts)

    # `StreamEvents` cannot describe these parts: each is a call or a piece of one, with a mark if more of it follows,
    # and arguments come as values at paths, not as pieces of one text.
    def _function_call(self, call_part: ResponsePart) -> list[Draft]:
        """Add one part, and take out the calls that end with it."""
        cut_off = self._begin(call_part)
        draft = self._draft
        assert draft is not None
        goes_on = camel_or_snake(call_part.data, "willContinue") is True
        if draft.error is None:
            try:
                self._add_arguments(draft, call_part)
            except CallError as error:
                draft.error = error
        if goes_on:
            return cut_off
        return [*cut_off, *self._end()]

    def _begin(self, call_part: ResponsePart) -> list[Draft]:
        """Open the call that `call_part` begins, unless it continues the open call. Of two the first is cut off."""
        identifier, name = call_part.word("id"), call_part.word("name")
        cut_off: list[Draft] = []
        if self._draft is not None:
            call = self._draft.call
            if name not in ("", call.name) or identifier not in ("", call.id):
                cut_off = self._cut_off(Stop(f"one of {quote_text(name or identifier)}"))
        if self._draft is None:
            stand_in = "" if identifier else self._stand_in_id(name)
            self._draft = draft_call(call_part.data, _PART_SHAPE, call_part.pointer, stand_in)
            self._draft.value = None  # the first arguments are added below, like the others
        return cut_off

    def _add_arguments(self, draft: Draft, call_part: ResponsePart) -> None:
        """Add the arguments of one part of a call: all of them, or some in parts."""
        for part in call_part.parts("partialArgs" if "partialArgs" in call_part.data else "partial_args"):
            self._parts.add(part.data, part.pointer)
        whole = call_part.get("args")
        if (whole is not None) + bool(draft.value) + bool(self._parts) > 1:
            raise call_error("arguments whole or in parts", "both", AGAIN, f"{call_part.pointer}/args")
        if whole is not None:
            draft.value = whole

    def _end(self) -> list[Draft]:
        """Take out the open call, if there is one."""
        draft, parts = self._draft, self._parts
        self._draft, self._parts = None, PartialArgs()
        if draft is None:
            return []
        if parts:
            draft.value = parts.value()
        return [draft]

    def _cut_off(self, stop: Stop) -> list[Draft]:
        """Take out the open call, if there is one, marked as cut off."""
        if self._draft is not None:
            mark_cut_off(self._draft, f"the last part of a call of {quote_text(self._draft.call.name)}", stop)
        return self._end()

    def _stand_in_id(self, name: str) -> str:
        """The id of a call without one: its name, and from the second call of that name on a number after it."""
        self._counts_by_name[name] += 1
        number = self._counts_by_name[name]
        if number == 1 and name:
            return name
        return f"{name}{_NUMBER}{number}"


def _malformed(reason: str, candidate: ResponsePart) -> CallError:
    """The error for a candidate whose calls are lost."""
    finish = f"finishReason {reason}"
    message = camel_or_snake(candidate.data, "finishMessage")
    if isinstance(message, str):
        finish += f": {quote_text(message)}"
    return call_error("a call of a tool", finish, AGAIN, f"{candidate.pointer}/finishReason")


_NUMBER = "#"  # before the number in a stand-in id; no name of a function holds it


# `ResultShape` cannot describe a `functionResponse`: its images stand beside the response, and it has no id where the
# model gave none. Steps have the usual shape.
def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """A content with one `functionResponse`, or a `function_result` step of Interactions.

    The API accepts only an object, so any other result stands under `output`. An id is repeated only if the model gave
    it, and not if the name stood in (`_stand_in_id`).
    """
    if call.kind == _STEP:
        return _STEP_RESULT.message(call, result, error)
    function_response: dict[str, Any] = {}
    if call.id.partition(_NUMBER)[0] != call.name:
        function_response["id"] = call.id
    function_response["name"] = call.name
    if isinstance(result, Content):
        function_response.update(_content_data(result))
    else:
        response = _without_references(result)
        if error is not None:
            response = to_plain_data(failure(error, response))
        if not isinstance(response, dict):
            response = {"output": response}
        function_response["response"] = response
    return {"role": "user", "parts": [{"functionResponse": function_response}]}


def _without_references(result: Any) -> Any:
    """A result as data, or as JSON text if it holds a `$ref`, for which the API would look for a part beside it."""
    data = to_plain_data(result)
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict) and "$ref" in value:
            return compact_json(result)
        waiting += [inner for _, inner in keyed_values(value)]
    return data


def _content_data(content: Content) -> dict[str, Any]:
    """The `response` of a content: its texts, and under `parts` its images."""
    if content.failed:
        return {"response": to_plain_data(content.envelope or failure(content_text(content), None))}
    parts = content_parts(content, _IMAGES)
    texts = Content(tuple(part for part in parts if isinstance(part, str)))
    images = [part for part in parts if isinstance(part, Image)]
    data: dict[str, Any] = {"response": {"output": content_text(texts)}}
    if images:
        data["parts"] = [{"inlineData": {"mimeType": image.media_type, "data": image.data}} for image in images]
    return data


def _step_data(result: Any) -> Any:
    """The result of a step: an object or a text; any other value as JSON text."""
    data = _without_references(result)
    if isinstance(data, dict | str):
        return data
    return compact_json(result)


_STEP_RESULT = ResultShape(
    head={"type": "function_result"},
    id="call_id",
    name="name",
    value="result",
    data=_step_data,
    failure=lambda error, result: to_plain_data(failure(error, _without_references(result))),
    mark="is_error",
    images=_IMAGES,
    failure_images=_IMAGES,
    image_block=lambda image: {"type": "image", "data": image.data, "mime_type": image.media_type},
)

# All results go into one content, in the order of the calls, which tells calls without ids apart; steps are not merged.
CALLS = Calls(_parse, _GeminiBuilder, _result_message, merge_lists("parts"), text_keys=frozenset({"text"}))
