"""Responses and streams from strangers: every fault is a `CallError`, and nothing takes long or grows large."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from call_shapes import (
    ANTHROPIC,
    CUSTOM,
    GEMINI,
    MCP,
    OPENAI,
    PROVIDERS,
    STEP,
    added,
    arguments_delta,
    candidate,
    chat_call,
    chat_chunk,
    chat_custom,
    chat_message,
    done,
    ended,
    function_call,
    json_delta,
    message,
    message_delta,
    nested,
    part,
    parts_of,
    start,
    step_delta,
    step_start,
    stop,
    streamed,
    string,
    tool_use,
)
from rows import for_each
from toolglot.converter.formats.kit.call_arguments import LIMITS
from toolglot.converter.formats.kit.calls import MAX_ITEMS
from toolglot.converter.hub.calls import Calls, ToolCall
from toolglot.errors import CallError

# -- strangers -----------------------------------------------------------------------------------------------

DEEP = "[" * 100_000
BAD_ARGUMENTS = {
    "not JSON": "{oops",
    "cut off": '{"a": 1',
    "a list": "[1]",
    "a number": "1",
    "a text": '"x"',
    "a key twice": '{"a": 1, "a": 2}',
    "deep": '{"a":' * 65 + "1" + "}" * 65,
    "very deep": '{"a":' + DEEP,
    "NaN": '{"a": NaN}',
    "infinite": '{"a": 1e999}',
    "half a character": '{"a": "\\ud800"}',
    "half a character as it is": '{"a": "\ud800"}',
    "more after it": "{} {}",
    "YAML": "a: 1",
    "too long a number": '{"a": ' + "9" * 5000 + "}",
    "too long": '{"a": "' + "x" * LIMITS.max_bytes + '"}',
    "data, a list": [1],
    "data, NaN": {"a": math.nan},
    "data, a set": {"a": {1}},
    "data, a key": {1: 2},
    "data, half a character": {"a": "\ud800"},
}
AROUND: dict[str, tuple[Calls, Callable[[Any], Any]]] = {
    "chat": (OPENAI, lambda arguments: chat_message(chat_call("c1", "f", arguments))),
    "responses": (OPENAI, lambda arguments: {"output": [function_call("c1", "f", arguments)]}),
    "anthropic": (ANTHROPIC, lambda arguments: message(tool_use("c1", "f", arguments))),
    "gemini": (GEMINI, lambda arguments: candidate(part("f", args=arguments))),
    "interactions": (GEMINI, lambda arguments: {"steps": [{**STEP, "arguments": arguments}]}),
    "mcp": (MCP, lambda arguments: {"name": "f", "arguments": arguments}),
}


@for_each("bad", BAD_ARGUMENTS)
@for_each("shape", AROUND)
def test_bad_arguments_are_said(shape: str, bad: str) -> None:
    calls, around = AROUND[shape]
    (call,) = calls.parse(around(BAD_ARGUMENTS[bad]))
    assert call.name == "f"
    said_of(call)


@pytest.mark.parametrize("nothing", [None, "", " \n", "null", " null "])
@for_each("shape", AROUND)
def test_arguments_that_say_nothing_are_none(shape: str, nothing: Any) -> None:
    calls, around = AROUND[shape]
    (call,) = calls.parse(around(nothing))
    assert (call.arguments, call.error) == ({}, None)


def said_of(call: ToolCall) -> str:
    """What a damaged call says, which is all that it has beside its id and its name."""
    assert call.id
    assert call.arguments is None
    assert call.error is not None
    words = str(call.error)
    assert re.match(r"expected .*, found .*; ", words)
    assert "Limits" not in words  # a model reads this, and knows nothing of our parameters
    assert len(words) < 500
    return words


CUT_CHAT = chat_message(chat_custom("c1", "f", "ls"), finish_reason="length")
# What an API sends when it failed, and what it sent in former times: no calls, but not for lack of any.
API_ERROR = {"error": {"message": "overloaded", "type": "overloaded_error"}}
LEGACY = {"choices": [{"message": {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}}]}
REFUSED: dict[str, tuple[Calls, Any]] = {
    "chat, legacy": (OPENAI, LEGACY),
    "chat, failed": (OPENAI, API_ERROR),
    "responses, failed": (OPENAI, {"output": [], "status": "failed", **API_ERROR}),
    "responses, cancelled": (OPENAI, {"output": [], "status": "cancelled", "error": None}),
    "responses, not done": (OPENAI, {"output": [], "status": "in_progress"}),
    "anthropic, failed": (ANTHROPIC, {"type": "error", **API_ERROR}),
    "gemini, failed": (GEMINI, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}),
    "gemini, blocked": (GEMINI, {"promptFeedback": {"blockReason": "SAFETY"}}),
    "gemini, blocked, with a list": (GEMINI, {"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}}),
    "gemini, malformed, with the reason": (
        GEMINI,
        candidate(finishReason="MALFORMED_FUNCTION_CALL", finishMessage="print(f())"),
    ),
    "chat, calls an object": (OPENAI, {"choices": [{"message": {"tool_calls": {}}}]}),
    "chat, message a list": (OPENAI, {"choices": [{"message": [1]}]}),
    "chat, choice a number": (OPENAI, {"choices": [1]}),
    "chat, choices an object": (OPENAI, {"choices": {}}),
    "responses, item null": (OPENAI, {"output": [None]}),
    "anthropic, content a text": (ANTHROPIC, {"content": "hello"}),
    "gemini, parts a text": (GEMINI, {"candidates": [{"content": {"parts": "x"}}]}),
    "gemini, malformed call": (GEMINI, candidate(finishReason="MALFORMED_FUNCTION_CALL")),
    "mcp, params a list": (MCP, {"method": "tools/call", "params": []}),
    "mcp, params missing": (MCP, {"method": "tools/call"}),
    "mcp, id a list": (MCP, {"id": [], "method": "tools/call", "params": {"name": "f"}}),
    "mcp, a batch": (MCP, [{"method": "tools/call", "params": {"name": "f"}}]),
}
NULLS = {"choices": None, "content": None, "name": None}
NO_RESPONSES: list[Any] = [{}, {"invalid": 1}, [], None, "x", 1, b"{}", object, NULLS]
for provider, calls in PROVIDERS.items():
    REFUSED.update({f"{provider}, {response!r}": (calls, response) for response in NO_RESPONSES})


@for_each("name", REFUSED)
def test_a_response_that_is_none_is_refused(name: str) -> None:
    calls, response = REFUSED[name]
    with pytest.raises(CallError, match=r"^expected .*, found .*; "):
        calls.parse(response)


@pytest.mark.parametrize("name", PROVIDERS)
def test_an_empty_response_is_told_as_one(name: str) -> None:
    with pytest.raises(CallError, match="found an empty object; pass the response"):
        PROVIDERS[name].parse({})


BROKEN: dict[str, tuple[Calls, Any]] = {
    "chat, call a text": (OPENAI, chat_message("f")),
    "gemini, name missing": (GEMINI, candidate(part(args={}))),
    "chat, name missing": (OPENAI, chat_message({"id": "c1", "type": "function", "function": {"arguments": "{}"}})),
    "chat, function missing": (OPENAI, chat_message({"id": "c1", "type": "function"})),
    "chat, unknown type": (OPENAI, chat_message({"id": "c1", "type": "magic", "magic": {}})),
    "chat, type a list": (OPENAI, chat_message({"id": "c1", "type": ["function"]})),
    "chat, text cut off": (OPENAI, CUT_CHAT),
    "chat, held back": (OPENAI, chat_message(chat_call("c1", "f", "{}"), finish_reason="content_filter")),
    "responses, held back": (
        OPENAI,
        {
            "output": [function_call("c1", "f", "{}")],
            "status": "incomplete",
            "incomplete_details": {"reason": "content_filter"},
        },
    ),
    "chat, input a number": (OPENAI, chat_message(chat_custom("c1", "f", 1))),
    "responses, incomplete": (OPENAI, {"output": [function_call("c1", "f", "{}", status="incomplete")]}),
    "responses, text cut off": (OPENAI, {"output": [{**CUSTOM, "input": "l"}], "status": "incomplete"}),
    "responses, caller a text": (OPENAI, {"output": [function_call("c1", "f", "{}", caller="x")]}),
    "anthropic, cut off": (ANTHROPIC, message(tool_use("c1", "f", {"path": "/"}), stop_reason="max_tokens")),
    "interactions, cut off": (GEMINI, {"steps": [{**STEP, "arguments": {"path": "/"}}], "status": "incomplete"}),
    "gemini, args a text": (GEMINI, candidate(part("f", args="x"))),
    "gemini, a call that goes on": (GEMINI, candidate(part("f", willContinue=True))),
    "gemini, cut off": (GEMINI, candidate(part("f", args={}), finishReason="MAX_TOKENS")),
    "deep": (ANTHROPIC, message(tool_use("c1", "f", nested(100_000)))),
}


@for_each("name", BROKEN)
def test_a_damaged_call_is_an_entry_that_says_so(name: str) -> None:
    calls, response = BROKEN[name]
    (call,) = calls.parse(response)
    said_of(call)


FIRST = chat_chunk({"index": 0, **chat_call("c1", "f", "{")})
REFUSED_STREAMS: dict[str, tuple[Calls, list[Any]]] = {
    "chat, legacy": (OPENAI, [{"choices": [{"delta": LEGACY["choices"][0]["message"]}]}]),
    "chat, failed": (OPENAI, [API_ERROR]),
    "responses, failed": (OPENAI, [{"type": "response.failed", "response": {"status": "failed", **API_ERROR}}]),
    "responses, an error": (OPENAI, [{"type": "error", "code": "server_error", "message": "overloaded"}]),
    "anthropic, failed": (ANTHROPIC, [{"type": "error", **API_ERROR}]),
    "gemini, blocked": (GEMINI, [{"promptFeedback": {"blockReason": "SAFETY"}}]),
    "interactions, failed": (GEMINI, [{"event_type": "error", **API_ERROR}]),
    "chat, huge index": (OPENAI, [chat_chunk({"index": 10**30, **chat_call("c1", "f", "{}")})]),
    "chat, index beyond the limit": (OPENAI, [chat_chunk({"index": MAX_ITEMS, **chat_call("c1", "f", "{}")})]),
    "chat, negative index": (OPENAI, [chat_chunk({"index": -1, **chat_call("c1", "f", "{}")})]),
    "chat, index a boolean": (OPENAI, [chat_chunk({"index": True, **chat_call("c1", "f", "{}")})]),
    "chat, more after the end": (
        OPENAI,
        [
            chat_chunk({"index": 0, **chat_call("c1", "f", "{}")}, finish_reason="tool_calls"),
            chat_chunk({"index": 0, "function": {"arguments": "x"}}),
        ],
    ),
    "chat, the end of a call of Responses": (
        OPENAI,
        [FIRST, {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{}"}],
    ),
    "responses, unknown index": (OPENAI, [arguments_delta("{}", 3)]),
    "responses, negative index": (OPENAI, [added(function_call("c1", "f", ""), -1)]),
    "responses, delta a number": (OPENAI, [added(function_call("c1", "f", "")), arguments_delta(1)]),
    "responses, one item twice": (OPENAI, [done(function_call("c1", "f", "{}"))] * 2),
    "responses, one index twice": (OPENAI, [added(function_call("c1", "f", ""))] * 2),
    "responses, item missing": (OPENAI, [{"type": "response.output_item.done", "output_index": 0}]),
    "responses, response missing": (OPENAI, [{"type": "response.completed"}]),
    "anthropic, unknown index": (ANTHROPIC, [json_delta("{}", 1)]),
    "anthropic, end of an unknown index": (ANTHROPIC, [stop(1)]),
    "anthropic, huge index": (ANTHROPIC, [start(tool_use("c1", "f", {}), 10**9)]),
    "anthropic, negative index": (ANTHROPIC, [start(tool_use("c1", "f", {}), -1)]),
    "anthropic, one index twice": (ANTHROPIC, [start(tool_use("c1", "f", {}))] * 2),
    "anthropic, more after the end": (ANTHROPIC, [start(tool_use("c1", "f", {})), stop(), json_delta("{}")]),
    "anthropic, ended twice": (ANTHROPIC, [start(tool_use("c1", "f", {})), stop(), stop()]),
    "anthropic, delta missing": (ANTHROPIC, [{"type": "content_block_delta", "index": 0}]),
    "anthropic, delta a number": (ANTHROPIC, [start(tool_use("c1", "f", {})), json_delta(1)]),
    "interactions, unknown index": (GEMINI, [step_delta("{}", 1)]),
    "mcp, no name": (MCP, [{"method": "tools/call", "params": {}}]),
}
NO_EVENTS: list[Any] = [{}, [], None, "[DONE]", 1, {"type": 1}, {"event_type": []}]
for provider, calls in PROVIDERS.items():
    REFUSED_STREAMS.update({f"{provider}, {event!r}": (calls, [event]) for event in NO_EVENTS})


@for_each("name", REFUSED_STREAMS)
def test_a_stream_that_is_none_is_refused(name: str) -> None:
    calls, events = REFUSED_STREAMS[name]
    with pytest.raises(CallError, match=r"^expected .*, found .*; "):
        streamed(calls, events)


BROKEN_STREAMS: dict[str, tuple[Calls, list[Any]]] = {
    "chat, too long": (OPENAI, [FIRST, *[chat_chunk({"index": 0, "function": {"arguments": "x" * 2**20}})] * 5]),
    "gemini, nothing goes on": (GEMINI, [candidate(part())]),
    "chat, cut off": (OPENAI, [FIRST]),
    "chat, never began": (OPENAI, [chat_chunk({"index": 0, **chat_call("c1", "f", "")})]),
    "chat, text cut off": (OPENAI, [chat_chunk({"index": 0, **chat_custom("c1", "f", "l")}, finish_reason="length")]),
    "chat, text without an end": (OPENAI, [chat_chunk({"index": 0, **chat_custom("c1", "f", "l")})]),
    "responses, cut off": (OPENAI, [added(function_call("c1", "f", "")), arguments_delta("{")]),
    "responses, never began": (OPENAI, [added(function_call("c1", "f", ""))]),
    "responses, never began, and an end without it": (
        OPENAI,
        [added(function_call("c1", "f", "")), ended(kind="incomplete")],
    ),
    "chat, held back": (
        OPENAI,
        [chat_chunk({"index": 0, **chat_call("c1", "f", "{}")}, finish_reason="content_filter")],
    ),
    "responses, held back": (
        OPENAI,
        [
            done(function_call("c1", "f", "{}")),
            {
                "type": "response.incomplete",
                "response": {
                    "output": [],
                    "status": "incomplete",
                    "incomplete_details": {"reason": "content_filter"},
                },
            },
        ],
    ),
    "anthropic, held back": (
        ANTHROPIC,
        [start(tool_use("c1", "f", {})), json_delta("{}"), stop(), message_delta("refusal")],
    ),
    "gemini, stopped": (GEMINI, [candidate(part("f", args={"a": 1})), candidate(finishReason="SAFETY")]),
    "anthropic, cut off": (ANTHROPIC, [start(tool_use("c1", "f", {})), json_delta('{"a"')]),
    "anthropic, cut off before its input": (ANTHROPIC, [start(tool_use("c1", "f", {}))]),
    "anthropic, not JSON": (ANTHROPIC, [start(tool_use("c1", "f", {})), json_delta("oops"), stop()]),
    "gemini, never ends": (GEMINI, parts_of(string("$.a", "x"))[:-1]),
    "gemini, whole and in parts": (GEMINI, [candidate(part("f", args={"a": 1}, partialArgs=[string("$.b", "x")]))]),
    "gemini, whole, then in parts": (
        GEMINI,
        [
            candidate(part("f", args={"a": 1}, willContinue=True)),
            candidate(part("f", partialArgs=[string("$.b", "x")])),
        ],
    ),
    "gemini, parts a text": (GEMINI, [candidate(part("f", partialArgs="x"))]),
    "interactions, cut off": (GEMINI, [step_start(STEP)]),
    "interactions, cut off before its arguments": (
        GEMINI,
        [
            step_start(STEP),
            {"event_type": "step.stop", "index": 0},
            {"event_type": "interaction.completed", "interaction": {"status": "incomplete"}},
        ],
    ),
}
BAD_PATHS: list[Any] = [
    "", "a", "$", "$.", "$..a", "$[0]", "$.a[-1]", "$.a[1]", "$.a[99999999]", "$.a[*]", "$.*[?]", "$.a['b", "$.a[b]",
    "$.a" * 2, "$" + ".a" * 65, "$.a b", "$['\\q']", None, 7, ["$"],
]  # fmt: skip
BAD_PARTS: list[list[Any]] = [
    [{"jsonPath": "$.a"}],
    [{"jsonPath": "$.a", "stringValue": "x", "boolValue": True}],
    [{"jsonPath": "$.a", "stringValue": 1}],
    [{"jsonPath": "$.a", "numberValue": True}],
    [{"jsonPath": "$.a", "numberValue": math.inf}],
    [{"jsonPath": "$.a", "boolValue": 1}],
    [{"jsonPath": "$.a", "nullValue": "x"}],
    [string("$.a", "x"), string("$.a.b", "x")],
    [string("$.a.b", "x"), string("$.a", "x")],
    [string("$.a[0]", "x"), string("$.a.b", "x")],
    [string("$.a", "x"), {"jsonPath": "$.a", "boolValue": True}],
    [{"jsonPath": "$.a", "boolValue": True}] * 2,
    [string("$.a", "x" * 2**20)] * 5,
    ["x"],
    [string("$.a", "\ud800")],
]
for path in BAD_PATHS:
    BROKEN_STREAMS[f"gemini, path {path!r}"] = (GEMINI, parts_of(string(path, "x")))
for index, parts in enumerate(BAD_PARTS):
    BROKEN_STREAMS[f"gemini, part {index}"] = (GEMINI, parts_of(*parts))


@for_each("name", BROKEN_STREAMS)
def test_a_call_that_arrives_damaged_is_an_entry_that_says_so(name: str) -> None:
    calls, events = BROKEN_STREAMS[name]
    (call,) = streamed(calls, events)
    said_of(call)


@for_each(
    ("calls", "events"),
    [
        (OPENAI, [chat_chunk({"index": 0, **chat_call("c1", "f", '{"a": "x')}, finish_reason="length")]),
        (ANTHROPIC, [start(tool_use("c1", "f", {})), json_delta('{"a": "x'), stop(), message_delta("max_tokens")]),
    ],
    ids=["chat", "anthropic"],
)
def test_arguments_that_the_limit_of_tokens_cut_off_are_told_by_it(calls: Calls, events: list[Any]) -> None:
    (call,) = streamed(calls, events)
    assert "allow more tokens" in said_of(call)


def test_ten_thousand_parts_of_a_path_stay_in_bounds() -> None:
    chunk = candidate(part(partialArgs=[string("$.a", "x", willContinue=True)] * 1000, willContinue=True))
    events = [candidate(part("f", willContinue=True)), *[chunk] * 101]
    (call,) = streamed(GEMINI, events)
    assert "at most 100000 parts" in said_of(call)


FIELDS = [
    "choices", "message", "delta", "tool_calls", "index", "id", "type", "function", "custom", "name", "arguments",
    "input", "output", "item", "output_index", "response", "status", "content", "content_block", "partial_json",
    "stop_reason", "candidates", "parts", "functionCall", "args", "partialArgs", "jsonPath", "willContinue", "steps",
    "step", "event_type", "method", "params", "finish_reason", "caller", "namespace", "toolset_name", "finishReason",
]  # fmt: skip
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just("tool_use") | st.just(0),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=6),
    max_leaves=20,
)  # fmt: skip
TYPES = st.sampled_from([
    "chunk", "response.output_item.added", "response.function_call_arguments.delta",
    "response.function_call_arguments.done", "response.output_item.done", "response.completed", "response.incomplete",
    "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "tool_use", "function_call",
    "custom_tool_call",
])  # fmt: skip


@pytest.mark.parametrize("name", PROVIDERS)
@given(data=ANYTHING, kind=TYPES, step=st.sampled_from(["step.start", "step.delta", "step.stop", None]))
def test_nothing_but_call_errors_comes_of_anything(name: str, data: Any, kind: str, step: str | None) -> None:
    calls = PROVIDERS[name]
    events = [data, {"type": kind, **(data if isinstance(data, dict) else {}), "event_type": step}]
    for event in [*events, {"choices": [data]}, {"output": [events[1]]}, {"content": [data]}, candidate(data)]:
        for use in (calls.parse, calls.builder().feed):
            try:
                found = use(event)
            except CallError:
                continue
            for call in found:
                assert isinstance(call, ToolCall)
                assert (type(call.arguments) is dict) is (call.error is None)
