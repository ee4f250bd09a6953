"""Calls as Gemini's models send them: parts of generateContent, whole or in pieces, and steps of Interactions.

Facts: `google-genai` 3.4, `types` and `_gaos/types/interactions`. A part may carry a `thoughtSignature` beside its
call. It belongs to the history, not to the result: send the model's whole `content` back before the results, as it
came. All results of one response belong into one `content`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from toolglot.converter.formats.gemini.partial_args import PartialArgs, camel_or_snake
from toolglot.converter.formats.kit.call_results import (
    ResultShape,
    compact_json,
    content_parts,
    content_text,
    failure,
    merge_lists,
    to_plain_data,
)
from toolglot.converter.formats.kit.calls import (
    AGAIN,
    AS_SENT,
    MORE_TOKENS,
    BlockBuilder,
    BlockEvents,
    CallShape,
    arguments_of,
    call_error,
    describe_value,
    draft_calls,
    item,
    items,
    refuse_failure,
    whole_response,
    word_at,
)
from toolglot.converter.hub.calls import Calls, Content, Image, ToolCall
from toolglot.converter.text.pointers import as_mapping, keyed_values
from toolglot.converter.text.wording import quote_text
from toolglot.errors import CallError

_RESPONSE = "a response with `candidates` (generateContent) or `steps` (Interactions)"
_WITHOUT_CANDIDATES = ("promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata")
# `finishReason` of a candidate whose calls are not to be had.
_MALFORMED = frozenset({
    "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
    "MALFORMED_RESPONSE",
})  # fmt: skip
_IMAGES = frozenset({"image/png", "image/jpeg", "image/webp"})
_STEP = "function_call"  # the type of a step of Interactions, and the kind of its call
_STEPS = {_STEP: CallShape("arguments", kind=_STEP)}
_STEP_EVENTS = BlockEvents(
    kind="event_type",
    start="step.start",
    block="step",
    delta="step.delta",
    piece_type="arguments_delta",
    piece="arguments",
    stop="step.stop",
    shapes=_STEPS,
)


def _parse(response: Any) -> list[ToolCall]:
    data = whole_response(response, _RESPONSE)
    refuse_failure(data)
    if isinstance(data.get("steps"), list):
        return [draft.complete() for draft in draft_calls(data, "steps", _STEPS) if draft is not None]
    builder = _GeminiBuilder()
    return [*builder.feed(data), *builder.finish()]


class _GeminiBuilder:
    """Chunks of generateContent or events of Interactions, whichever come."""

    def __init__(self) -> None:
        self._steps = BlockBuilder(_STEP_EVENTS)
        self._call: ToolCall | None = None  # of generateContent; it has at most one open call
        self._parts = PartialArgs()
        self._counts_by_name = Counter[str]()  # calls without an id, by their name
        self._found = 0  # calls of generateContent, which a malformed one beside them does not lose

    def feed(self, event: Any) -> list[ToolCall]:
        data = item(event, "", _RESPONSE)
        refuse_failure(data)
        if isinstance(data.get("event_type"), str):
            return self._steps.feed(data)
        candidates = data.get("candidates")
        if not candidates:
            _refuse_blocked(data)
        if isinstance(candidates, list):
            return self._chunk(data)
        if candidates is None and any(key in data for key in _WITHOUT_CANDIDATES):
            return []  # the last words about usage
        raise call_error(_RESPONSE, describe_value(candidates), AS_SENT, "/candidates")

    def finish(self) -> list[ToolCall]:
        return [*self._cut_off("the end of the stream"), *self._steps.finish()]

    def _chunk(self, data: dict[str, Any]) -> list[ToolCall]:
        """The calls that the first candidate completes; the others are alternatives to it."""
        calls: list[ToolCall] = []
        for at, candidate in list(items(data, "candidates", ""))[:1]:
            if candidate.get("index") not in (None, 0):
                break
            content = item(candidate.get("content") or {}, f"{at}/content")
            for where, part in items(content, "parts", f"{at}/content"):
                function_call = camel_or_snake(part, "functionCall")
                if function_call is not None:
                    calls += self._function_call(item(function_call, f"{where}/functionCall"), f"{where}/functionCall")
            self._found += len(calls)
            reason = camel_or_snake(candidate, "finishReason")
            if isinstance(reason, str) and reason in _MALFORMED and not self._found:
                finish_message = camel_or_snake(candidate, "finishMessage")
                finish = f"finishReason {reason}"
                if isinstance(finish_message, str):
                    finish += f": {quote_text(finish_message)}"
                raise call_error("a call of a tool", finish, AGAIN, f"{at}/finishReason")
        return calls

    def _function_call(self, call_part: dict[str, Any], at: str) -> list[ToolCall]:
        before = self._begin(call_part, at)
        call = self._call
        assert call is not None
        goes_on = camel_or_snake(call_part, "willContinue") is True
        try:
            if call.error is None:
                call = self._with_arguments(call, call_part, at, goes_on)
        except CallError as error:
            call = call._replace(arguments=None, error=error)
        self._call = call
        if goes_on:
            return before
        self._call, self._parts = None, PartialArgs()
        return [*before, call]

    def _with_arguments(self, call: ToolCall, call_part: dict[str, Any], at: str, goes_on: bool) -> ToolCall:
        """The call with the arguments that one of its pieces adds."""
        key = "partialArgs" if "partialArgs" in call_part else "partial_args"
        for where, part in items(call_part, key, at):
            self._parts.add(part, where)
        whole = call_part.get("args")
        if whole is not None:
            if self._parts or call.arguments:
                raise call_error("arguments whole or in parts", "both", AGAIN, f"{at}/args")
            call = call._replace(arguments=arguments_of(whole, call.name, f"{at}/args"))
        if goes_on or not self._parts:
            return call
        return call._replace(arguments=arguments_of(self._parts.value(), call.name, f"{at}/partialArgs"))

    def _begin(self, call_part: dict[str, Any], at: str) -> list[ToolCall]:
        """Open the call that `call_part` begins, if it does not go on with the open one, which has no end then."""
        identifier, name = word_at(call_part, "id"), word_at(call_part, "name")
        cut_off: list[ToolCall] = []
        if self._call is not None and (name not in ("", self._call.name) or identifier not in ("", self._call.id)):
            cut_off = self._cut_off(f"one of {describe_value(name or identifier)}")
        if self._call is None:
            self._call = ToolCall(identifier or self._stand_in_id(name), name, {})
            if not name:
                error = call_error("a text at 'name'", describe_value(call_part.get("name")), AGAIN, f"{at}/name")
                self._call = self._call._replace(arguments=None, error=error)
        return cut_off

    def _cut_off(self, actual: str) -> list[ToolCall]:
        """Take out the open call, if there is one, as one that was cut off."""
        open_call, self._call, self._parts = self._call, None, PartialArgs()
        if open_call is None:
            return []
        expected = f"the last part of a call of {describe_value(open_call.name)}"
        error = open_call.error or call_error(expected, actual, MORE_TOKENS)
        return [open_call._replace(arguments=None, error=error)]

    def _stand_in_id(self, name: str) -> str:
        """What stands in for the id of a call: its name, and from the second call of that name on a number."""
        self._counts_by_name[name] += 1
        number = self._counts_by_name[name]
        if number == 1 and name:
            return name
        return f"{name}{_NUMBER}{number}"


_NUMBER = "#"  # which no name of a function holds


def _refuse_blocked(data: dict[str, Any]) -> None:
    feedback = as_mapping(camel_or_snake(data, "promptFeedback"))
    reason = camel_or_snake(feedback, "blockReason")
    if reason:  # 0 is no reason
        block = f"blockReason {describe_value(reason)}"
        raise call_error("an answer", block, "change the prompt", "/promptFeedback/blockReason", "failed-response")


def _result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """A content with one `functionResponse`, or a `function_result` step of Interactions.

    The API takes an object only, so any other result stands under `output`. The id is repeated where the model gave
    one; where it gave none, the name stood in.
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
    """A result as data, or as JSON text where it holds `$ref`, by which the API looks for a part beside it."""
    data = to_plain_data(result)
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict) and "$ref" in value:
            return compact_json(result)
        waiting += [inner for _, inner in keyed_values(value)]
    return data


def _content_data(content: Content) -> dict[str, Any]:
    """The texts as the response, and the images beside it."""
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

# One content with all results, in the order of the calls, which tells those without ids apart; steps stay.
CALLS = Calls(_parse, _GeminiBuilder, _result_message, merge_lists("parts"))
