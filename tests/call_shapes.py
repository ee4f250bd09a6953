"""Responses, streams and their calls as each provider sends them: the tables of `test_calls.py` and its neighbours."""

from __future__ import annotations

import json
from typing import Any

from toolglot.converter.formats.anthropic import calls as anthropic_calls
from toolglot.converter.formats.gemini import calls as gemini_calls
from toolglot.converter.formats.mcp import calls as mcp_calls
from toolglot.converter.formats.openai import calls as openai_calls
from toolglot.converter.hub.calls import Calls, ToolCall

ANTHROPIC = anthropic_calls.CALLS
GEMINI = gemini_calls.CALLS
MCP = mcp_calls.CALLS
OPENAI = openai_calls.CALLS
PROVIDERS = {"openai": OPENAI, "anthropic": ANTHROPIC, "gemini": GEMINI, "mcp": MCP}


def streamed(calls: Calls, events: list[Any]) -> list[ToolCall]:
    builder = calls.builder()
    return [*(call for event in events for call in builder.feed(event)), *builder.finish()]


# -- shapes --------------------------------------------------------------------------------------------------


def chat_call(identifier: Any, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}


def chat_custom(identifier: str, name: str, text: Any) -> dict[str, Any]:
    return {"id": identifier, "type": "custom", "custom": {"name": name, "input": text}}


def chat_message(*calls: Any, **choice: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": None, "tool_calls": list(calls)}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls", **choice}]}


def chat_chunk(*calls: Any, finish_reason: str | None = None) -> dict[str, Any]:
    delta = {"tool_calls": list(calls)} if calls else {}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def function_call(identifier: str, name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": identifier, "name": name, "arguments": arguments, **more}


def tool_use(identifier: str, name: str, given: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identifier, "name": name, "input": given, **more}


def message(*blocks: Any, stop_reason: str | None = "tool_use") -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks), "stop_reason": stop_reason}


def candidate(*parts: Any, **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, **more}]}


def part(name: str | None = None, **more: Any) -> dict[str, Any]:
    return {"functionCall": {**({} if name is None else {"name": name}), **more}}


def parts_of(*parts: Any) -> list[dict[str, Any]]:
    """A call of Vertex whose arguments arrive in these parts, one a chunk."""
    pieces = [candidate(part(partialArgs=[found], willContinue=True)) for found in parts]
    return [candidate(part("f", willContinue=True)), *pieces, candidate(part())]


def string(path: str, value: str, **more: Any) -> dict[str, Any]:
    return {"jsonPath": path, "stringValue": value, **more}


SOME = {"a": None, "b": [1, {"c": "é"}]}
TEXT = json.dumps(SOME)
TOOL_CALL = ToolCall("c1", "f", SOME)

WHOLE: dict[str, tuple[Calls, Any, list[ToolCall]]] = {
    "chat": (OPENAI, chat_message(chat_call("c1", "f", TEXT)), [TOOL_CALL]),
    "chat, two": (
        OPENAI,
        chat_message(chat_call("c1", "f", TEXT), chat_call("c2", "g", "{}")),
        [TOOL_CALL, ToolCall("c2", "g", {})],
    ),
    "chat, arguments as data": (OPENAI, chat_message(chat_call("c1", "f", SOME)), [TOOL_CALL]),
    "chat, custom": (
        OPENAI,
        chat_message(chat_custom("c1", "f", "a\nb")),
        [ToolCall("c1", "f", {"input": "a\nb"}, kind="custom")],
    ),
    "chat, custom with an empty text": (
        OPENAI,
        chat_message(chat_custom("c1", "f", "")),
        [ToolCall("c1", "f", {"input": ""}, kind="custom")],
    ),
    "chat, without a type": (
        OPENAI,
        chat_message({"id": "c1", "function": {"name": "f", "arguments": TEXT}}),
        [TOOL_CALL],
    ),
    "chat, only the first choice": (
        OPENAI,
        {
            "choices": [
                *chat_message(chat_call("c1", "f", TEXT))["choices"],
                *chat_message(chat_call("x", "g", "{}"))["choices"],
            ]
        },
        [TOOL_CALL],
    ),
    "chat, no calls": (OPENAI, {"choices": [{"message": {"content": "hello"}}]}, []),
    "chat, null calls": (OPENAI, {"choices": [{"message": {"content": "hello", "tool_calls": None}}]}, []),
    "chat, empty message": (OPENAI, {"choices": [{"message": {}}]}, []),
    "chat, no choices": (OPENAI, {"choices": []}, []),
    "responses": (
        OPENAI,
        {"output": [{"type": "reasoning", "id": "r"}, function_call("c1", "f", TEXT, id="fc_1", status="completed")]},
        [ToolCall("c1", "f", SOME, kind="function_call")],
    ),
    "responses, custom": (
        OPENAI,
        {"output": [{"type": "custom_tool_call", "call_id": "c1", "name": "f", "input": "rm"}]},
        [ToolCall("c1", "f", {"input": "rm"}, kind="custom_tool_call")],
    ),
    "responses, namespace and caller": (
        OPENAI,
        {"output": [function_call("c1", "f", TEXT, namespace="n", caller={"type": "program", "caller_id": "p"})]},
        [ToolCall("c1", "f", SOME, "n", "function_call", {"type": "program", "caller_id": "p"})],
    ),
    "responses, no calls": (OPENAI, {"output": [{"type": "message", "content": []}]}, []),
    "anthropic": (
        ANTHROPIC,
        message({"type": "text", "text": "t"}, tool_use("c1", "f", SOME), {"type": "text", "text": "u"}),
        [TOOL_CALL],
    ),
    "anthropic, two": (
        ANTHROPIC,
        message(tool_use("c1", "f", SOME), tool_use("c2", "g", {})),
        [TOOL_CALL, ToolCall("c2", "g", {})],
    ),
    "anthropic, toolset": (
        ANTHROPIC,
        message(tool_use("c1", "f", SOME, toolset_name="n")),
        [TOOL_CALL._replace(namespace="n")],
    ),
    "anthropic, run by the server": (ANTHROPIC, message({**tool_use("c1", "f", SOME), "type": "server_tool_use"}), []),
    "anthropic, cut off in a text": (
        ANTHROPIC,
        message(tool_use("c1", "f", SOME), {"type": "text", "text": "t"}, stop_reason="max_tokens"),
        [TOOL_CALL],
    ),
    "gemini": (GEMINI, candidate({"text": "t"}, part("f", id="c1", args=SOME)), [TOOL_CALL]),
    "gemini, the name stands in for the id": (GEMINI, candidate(part("f", args=SOME)), [ToolCall("f", "f", SOME)]),
    "gemini, no arguments": (GEMINI, candidate(part("f")), [ToolCall("f", "f", {})]),
    "gemini, snake case": (
        GEMINI,
        candidate({"function_call": {"name": "f", "args": SOME}}),
        [ToolCall("f", "f", SOME)],
    ),
    "gemini, absent as null": (
        GEMINI,
        candidate({"functionCall": {"name": "f", "id": None, "args": None}, "text": None}),
        [ToolCall("f", "f", {})],
    ),
    "gemini, only text": (GEMINI, candidate({"text": "t"}), []),
    "gemini, no parts": (GEMINI, {"candidates": [{"content": {}}]}, []),
    "gemini, no content": (GEMINI, {"candidates": [{"finishReason": "STOP"}]}, []),
    "gemini, no candidates": (GEMINI, {"candidates": []}, []),
    "gemini, two of one name": (
        GEMINI,
        candidate(part("f", args={}), part("g", args={}), part("f", args=SOME)),
        [ToolCall("f", "f", {}), ToolCall("g", "g", {}), ToolCall("f#2", "f", SOME)],
    ),
    "interactions": (
        GEMINI,
        {"steps": [{"type": "thought"}, {"type": "function_call", "id": "c1", "name": "f", "arguments": SOME}]},
        [TOOL_CALL._replace(kind="function_call")],
    ),
    "mcp": (
        MCP,
        {"jsonrpc": "2.0", "id": "c1", "method": "tools/call", "params": {"name": "f", "arguments": SOME}},
        [TOOL_CALL],
    ),
    "mcp, a number for the id": (
        MCP,
        {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "f"}},
        [ToolCall("7", "f", {})],
    ),
    "mcp, params alone": (MCP, {"name": "f", "arguments": SOME}, [ToolCall("f", "f", SOME)]),
    "mcp, another method": (MCP, {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}, []),
}


def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    return value


# -- streams -------------------------------------------------------------------------------------------------


def added(item: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "response.output_item.added", "item": item, "output_index": index, "sequence_number": 1}


def done(item: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {**added(item, index), "type": "response.output_item.done"}


def arguments_delta(text: Any, index: int = 0) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.delta", "delta": text, "item_id": "fc", "output_index": index}


def arguments_done(text: str, index: int = 0) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.done", "arguments": text, "item_id": "fc", "output_index": index}


def ended(*output: Any, kind: str = "completed") -> dict[str, Any]:
    return {"type": f"response.{kind}", "response": {"output": list(output), "status": kind}}


def start(block: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def json_delta(text: Any, index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": text}}


def stop(index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def message_delta(reason: str) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}}


def step_start(step: dict[str, Any], index: int = 0) -> dict[str, Any]:
    return {"event_type": "step.start", "index": index, "step": step}


def step_delta(text: Any, index: int = 0) -> dict[str, Any]:
    return {"event_type": "step.delta", "index": index, "delta": {"type": "arguments_delta", "arguments": text}}


STEP = {"type": "function_call", "id": "c1", "name": "f", "arguments": {}}
CUSTOM = {"type": "custom_tool_call", "call_id": "c1", "name": "f", "input": ""}
RESPONSES_CALL = TOOL_CALL._replace(kind="function_call")
CUSTOM_CALL = ToolCall("c1", "f", {"input": "ls"}, kind="custom_tool_call")
CUSTOM_DELTA = {"type": "response.custom_tool_call_input.delta", "delta": "ls", "output_index": 0}

STREAMS: dict[str, tuple[Calls, list[Any], list[ToolCall]]] = {
    "chat, the whole message at the end": (
        OPENAI,
        [chat_chunk(), chat_message(chat_call("c1", "f", TEXT))],
        [TOOL_CALL],
    ),
    "chat": (
        OPENAI,
        [
            chat_chunk({"index": 0, **chat_call("c1", "f", "")}),
            chat_chunk({"index": 0, "function": {"arguments": TEXT[:3]}}),
            chat_chunk({"index": 0, "function": {"arguments": TEXT[3:]}}),
            chat_chunk(finish_reason="tool_calls"),
            {"choices": [], "usage": {}},
        ],
        [TOOL_CALL],
    ),
    "chat, interleaved": (
        OPENAI,
        [
            chat_chunk({"index": 1, **chat_call("c2", "g", "{")}, {"index": 0, **chat_call("c1", "f", TEXT[:3])}),
            chat_chunk({"index": 0, "function": {"arguments": TEXT[3:]}}, {"index": 1, "function": {"arguments": "}"}}),
        ],
        [TOOL_CALL, ToolCall("c2", "g", {})],
    ),
    "chat, id and name repeated": (
        OPENAI,
        [
            chat_chunk({"index": 0, **chat_call("c1", "f", TEXT[:3])}),
            chat_chunk({"index": 0, **chat_call("c1", "f", TEXT[3:])}),
        ],
        [TOOL_CALL],
    ),
    "chat, all arguments once more": (  # and as JSON of JSON text, as BerriAI/litellm#20480 has it
        OPENAI,
        [
            chat_chunk({"index": 0, **chat_call("c1", "f", TEXT[:3])}),
            chat_chunk({"index": 0, **chat_call("c1", "f", TEXT[3:])}),
            chat_chunk({"index": 0, **chat_call("c1", "f", TEXT)}),
            chat_chunk({"index": 0, **chat_call("c1", "f", json.dumps(TEXT))}),
        ],
        [TOOL_CALL],
    ),
    "chat, a piece like all before it": (
        OPENAI,
        [
            chat_chunk({"index": 0, **chat_call("c1", "f", '{"a":')}),
            chat_chunk({"index": 0, "function": {"arguments": '{"a":'}}),
            chat_chunk({"index": 0, "function": {"arguments": "1}}"}}),
        ],
        [ToolCall("c1", "f", {"a": {"a": 1}})],
    ),
    "chat, an empty reason": (  # before the end, as ollama/ollama#4357 and sgl-project/sglang#3912 have it
        OPENAI,
        [
            chat_chunk({"index": 0, **chat_call("c1", "f", TEXT[:3])}, finish_reason=""),
            chat_chunk({"index": 0, "function": {"arguments": TEXT[3:]}}, finish_reason=""),
        ],
        [TOOL_CALL],
    ),
    "chat, as the client's helper wraps it": (
        OPENAI,
        [
            {"type": "chunk", "chunk": chat_chunk({"index": 0, **chat_call("c1", "f", TEXT)}), "snapshot": {}},
            {"type": "content.done"},
        ],
        [TOOL_CALL],
    ),
    "chat, custom": (
        OPENAI,
        [
            chat_chunk({"index": 0, **chat_custom("c1", "f", "l")}),
            chat_chunk({"index": 0, "custom": {"input": "s"}}),
            chat_chunk(finish_reason="tool_calls"),
        ],
        [ToolCall("c1", "f", {"input": "ls"}, kind="custom")],
    ),
    "chat, another choice": (
        OPENAI,
        [{"choices": [{"index": 1, "delta": {"tool_calls": [{"index": 0, **chat_call("c1", "f", "{}")}]}}]}],
        [],
    ),
    "responses": (
        OPENAI,
        [
            {"type": "response.created", "response": {}},
            added({"type": "message"}),
            done({"type": "message"}),
            added(function_call("c1", "f", ""), 1),
            arguments_delta(TEXT[:3], 1),
            arguments_delta(TEXT[3:], 1),
            arguments_done(TEXT, 1),
            done(function_call("c1", "f", TEXT), 1),
            ended({"type": "message"}, function_call("c1", "f", TEXT)),
        ],
        [RESPONSES_CALL],
    ),
    "responses, the item ends without its text": (
        OPENAI,
        [added(function_call("c1", "f", "")), arguments_delta(TEXT), done(function_call("c1", "f", ""))],
        [RESPONSES_CALL],
    ),
    "responses, without deltas": (
        OPENAI,
        [added(function_call("c1", "f", "")), arguments_done(TEXT)],
        [RESPONSES_CALL],
    ),
    "responses, no last piece": (
        OPENAI,
        [added(function_call("c1", "f", "")), arguments_delta(TEXT[:2]), arguments_done(TEXT), ended()],
        [RESPONSES_CALL],
    ),
    "responses, only ends": (OPENAI, [done(function_call("c1", "f", TEXT))], [RESPONSES_CALL]),
    "responses, only the last event": (OPENAI, [ended(function_call("c1", "f", TEXT))], [RESPONSES_CALL]),
    "responses, the last event is empty": (
        OPENAI,
        [added(function_call("c1", "f", "")), arguments_delta(TEXT), ended()],
        [RESPONSES_CALL],
    ),
    "responses, custom": (
        OPENAI,
        [added(CUSTOM), CUSTOM_DELTA, done({**CUSTOM, "input": "ls"}), ended({**CUSTOM, "input": "ls"})],
        [CUSTOM_CALL],
    ),
    "responses, custom and no more events": (OPENAI, [added(CUSTOM), CUSTOM_DELTA, done(CUSTOM)], [CUSTOM_CALL]),
    "anthropic": (
        ANTHROPIC,
        [
            {"type": "message_start", "message": {"content": []}},
            start({"type": "text", "text": ""}),
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "t"}},
            stop(),
            start(tool_use("c1", "f", {}), 1),
            json_delta("", 1),
            json_delta(TEXT[:3], 1),
            {"type": "ping"},
            json_delta(TEXT[3:], 1),
            stop(1),
            message_delta("tool_use"),
            {"type": "message_stop"},
        ],
        [TOOL_CALL],
    ),
    "anthropic, no input": (
        ANTHROPIC,
        [start(tool_use("c1", "f", {})), stop(), message_delta("tool_use")],
        [ToolCall("c1", "f", {})],
    ),
    "anthropic, no input and no more events": (
        ANTHROPIC,
        [start(tool_use("c1", "f", {})), stop()],
        [ToolCall("c1", "f", {})],
    ),
    "anthropic, no input, then another": (
        ANTHROPIC,
        [start(tool_use("c1", "g", {})), stop(), start(tool_use("c2", "g", {}), 1), json_delta("{}", 1), stop(1)],
        [ToolCall("c1", "g", {}), ToolCall("c2", "g", {})],
    ),
    "anthropic, input at once": (ANTHROPIC, [start(tool_use("c1", "f", SOME)), stop()], [TOOL_CALL]),
    "anthropic, run by the server": (
        ANTHROPIC,
        [start({**tool_use("c1", "f", {}), "type": "server_tool_use"}), json_delta("{"), stop()],
        [],
    ),
    "gemini, whole calls": (
        GEMINI,
        [candidate(part("f", id="c1", args=SOME)), {"usageMetadata": {}}, candidate(part("f"))],
        [TOOL_CALL, ToolCall("f", "f", {})],
    ),
    "gemini, parts": (
        GEMINI,
        parts_of(
            string("$.a.b[0]", "x", willContinue=True),
            string("$.a.b[0]", "y"),
            {"jsonPath": "$.a.b[1]", "numberValue": 3.0},
            {"jsonPath": "$.n", "numberValue": 0.5},
            {"jsonPath": "$.t", "boolValue": False},
            {"jsonPath": "$.z", "nullValue": None},
            {"jsonPath": "$.y", "nullValue": "NULL_VALUE"},
            {"jsonPath": "$['q.r'][0]['s']", "boolValue": True},
            {"jsonPath": "$.w", "willContinue": True},
            string('$["it\'s"]', ""),
            string("$['\\'\"']", "q"),
        ),
        [
            ToolCall(
                "f",
                "f",
                {
                    "a": {"b": ["xy", 3]},
                    "n": 0.5,
                    "t": False,
                    "z": None,
                    "y": None,
                    "q.r": [{"s": True}],
                    "it's": "",
                    "'\"": "q",
                },
            )
        ],
    ),
    "gemini, parts in one chunk": (
        GEMINI,
        [candidate(part("f", id="c1", partialArgs=[string("$.a", "x")]))],
        [ToolCall("c1", "f", {"a": "x"})],
    ),
    "gemini, parts in snake case": (
        GEMINI,
        [
            candidate(
                {
                    "function_call": {
                        "name": "f",
                        "partial_args": [{"json_path": "$.a", "string_value": "x"}],
                        "will_continue": False,
                    }
                }
            )
        ],
        [ToolCall("f", "f", {"a": "x"})],
    ),
    "gemini, two calls of one tool": (
        GEMINI,
        [*parts_of(string("$.a", "x")), *parts_of(string("$.a", "y"))],
        [ToolCall("f", "f", {"a": "x"}), ToolCall("f#2", "f", {"a": "y"})],
    ),
    "gemini, whole arguments before the end": (
        GEMINI,
        [candidate(part("f", args=SOME, willContinue=True)), candidate(part())],
        [ToolCall("f", "f", SOME)],
    ),
    "interactions": (
        GEMINI,
        [
            step_start({"type": "thought"}),
            step_start(STEP, 1),
            step_delta(TEXT[:3], 1),
            step_delta(TEXT[3:], 1),
            {"event_type": "step.stop", "index": 1},
        ],
        [TOOL_CALL._replace(kind="function_call")],
    ),
    "interactions, no arguments": (
        GEMINI,
        [step_start(STEP), {"event_type": "step.stop", "index": 0}],
        [ToolCall("c1", "f", {}, kind="function_call")],
    ),
    "mcp": (
        MCP,
        [{"id": 1, "method": "tools/call", "params": {"name": "f"}}, {"method": "notifications/cancelled"}],
        [ToolCall("1", "f", {})],
    ),
}
