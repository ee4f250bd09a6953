"""Calls as Gemini's models send them: parts of generateContent, whole or in pieces, and steps of Interactions.

Facts: `google-genai` 3.4, `types` and `_gaos/types/interactions`. A part may carry a `thoughtSignature` beside its
call. It belongs to the history, not to the result: send the model's whole `content` back before the results, as it
came. All results of one response belong into one `content`: join the `parts` of those that `result` makes.
"""

from __future__ import annotations

from typing import Any

from toolglot.calls import Calls, ToolCall
from toolglot.formats._call_results import compact, failure, plain
from toolglot.formats._calls import (
    AGAIN,
    AS_SENT,
    Draft,
    Drafts,
    arguments_of,
    described,
    either,
    index_at,
    item,
    items,
    optional_at,
    piece_at,
    refuse,
    text_at,
    word_at,
)
from toolglot.formats._partial_args import PartialArgs

_RESPONSE = "a response with `candidates` (generateContent) or `steps` (Interactions)"
_WITHOUT_CANDIDATES = ("promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata")
_MALFORMED = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"})
_STEP = "function_call"  # the type of a step of Interactions, and the kind of its call


def _parse(response: Any) -> list[ToolCall]:
    data = item(response, "", _RESPONSE)
    if isinstance(data.get("steps"), list):
        steps = [(at, step) for at, step in items(data, "steps", "") if step.get("type") == _STEP]
        return [_step_draft(step, at).complete() for at, step in steps]
    builder = _Builder()
    return [*builder.feed(data), *builder.finish()]


def _step_draft(step: dict[str, Any], pointer: str) -> Draft:
    made = ToolCall(text_at(step, "id", pointer), text_at(step, "name", pointer), {}, kind=_STEP)
    return Draft(made, f"{pointer}/arguments", given=step.get("arguments"))


class _Builder:
    """Chunks of generateContent or events of Interactions, whichever come."""

    def __init__(self) -> None:
        self._drafts = Drafts()
        self._call: ToolCall | None = None  # of generateContent; it has at most one open call
        self._parts = PartialArgs()

    def feed(self, event: Any) -> list[ToolCall]:
        data = item(event, "", _RESPONSE)
        kind = data.get("event_type")
        if isinstance(kind, str):
            handle = _EVENTS.get(kind)
            return handle(self, data) if handle else []
        if isinstance(data.get("candidates"), list):
            return self._chunk(data)
        if data.get("candidates") is None and any(key in data for key in _WITHOUT_CANDIDATES):
            return []  # a prompt that was blocked, or the last words about usage
        raise refuse(_RESPONSE, described(data.get("candidates")), AS_SENT, "/candidates")

    def finish(self) -> list[ToolCall]:
        if self._call is not None:
            raise refuse(f"the last part of a call of {described(self._call.name)}", "the end of the stream", AGAIN)
        return self._drafts.finish()

    def _chunk(self, data: dict[str, Any]) -> list[ToolCall]:
        """The calls that the first candidate completes; the others are alternatives to it."""
        calls: list[ToolCall] = []
        for at, candidate in list(items(data, "candidates", ""))[:1]:
            if candidate.get("index") not in (None, 0):
                break
            content = item(candidate.get("content") or {}, f"{at}/content")
            for where, part in items(content, "parts", f"{at}/content"):
                found = either(part, "functionCall", "function_call")
                if found is not None:
                    calls += self._function_call(item(found, f"{where}/functionCall"), f"{where}/functionCall")
            reason = word_at(candidate, "finishReason") or word_at(candidate, "finish_reason")
            if reason in _MALFORMED:
                raise refuse("a call of a tool", f"finishReason {described(reason)}", AGAIN, f"{at}/finishReason")
        return calls

    def _function_call(self, found: dict[str, Any], at: str) -> list[ToolCall]:
        self._begin(found, at)
        call = self._call
        assert call is not None
        key = "partialArgs" if "partialArgs" in found else "partial_args"
        for where, part in items(found, key, at):
            self._parts.add(part, where)
        whole = found.get("args")
        if whole is not None:
            if self._parts or call.arguments:
                raise refuse("arguments whole or in parts", "both", AGAIN, f"{at}/args")
            self._call = call = call._replace(arguments=arguments_of(whole, call.name, f"{at}/args"))
        if either(found, "willContinue", "will_continue") is True:
            return []
        arguments = call.arguments
        if self._parts:
            arguments = arguments_of(self._parts.value(), call.name, f"{at}/partialArgs")
        self._call, self._parts = None, PartialArgs()
        return [call._replace(arguments=arguments)]

    def _begin(self, found: dict[str, Any], at: str) -> None:
        """Open the call that `found` begins, or see that it goes on with the one that is open."""
        identifier, name = optional_at(found, "id", at), optional_at(found, "name", at)
        if self._call is None:
            name = text_at(found, "name", at)
            self._call = ToolCall(identifier or name, name, {})
        elif name not in (None, self._call.name) or identifier not in (None, self._call.id):
            got = f"one of {described(name or identifier)}"
            raise refuse(f"more of the call of {described(self._call.name)}", got, "feed one response at a time", at)

    def _start(self, event: dict[str, Any]) -> list[ToolCall]:
        step = item(event.get("step"), "/step")
        draft = _step_draft({"arguments": {}, **step}, "/step") if step.get("type") == _STEP else None
        self._drafts.begin(index_at(event, "index"), draft)
        return []

    def _delta(self, event: dict[str, Any]) -> list[ToolCall]:
        delta = item(event.get("delta"), "/delta")
        if delta.get("type") == "arguments_delta":
            self._drafts.add(index_at(event, "index"), piece_at(delta, "arguments", "/delta"))
        return []

    def _stop(self, event: dict[str, Any]) -> list[ToolCall]:
        draft = self._drafts.end(index_at(event, "index"))
        return [] if draft is None else [draft.complete()]


_EVENTS = {"step.start": _Builder._start, "step.delta": _Builder._delta, "step.stop": _Builder._stop}


def _result(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """A content with one `functionResponse`, or a `function_result` step of Interactions.

    The API takes an object only, so any other result stands under `output`. The id is repeated where the model gave
    one; where it gave none, the name stood in.
    """
    if call.kind == _STEP:
        return _step_result(call, result, error)
    response = plain(result) if error is None else plain(failure(error, result))
    said: dict[str, Any] = {} if call.id == call.name else {"id": call.id}
    said["name"] = call.name
    said["response"] = response if isinstance(response, dict) else {"output": response}
    return {"role": "user", "parts": [{"functionResponse": said}]}


def _step_result(call: ToolCall, result: Any, error: str | None) -> dict[str, Any]:
    said = {"type": "function_result", "call_id": call.id, "name": call.name}
    if error is not None:
        return {**said, "result": plain(failure(error, result)), "is_error": True}
    value = plain(result)
    return {**said, "result": value if isinstance(value, dict | str) else compact(result)}


CALLS = Calls(_parse, _Builder, _result)
