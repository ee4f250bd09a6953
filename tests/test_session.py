"""The loop between a model and tools, with every vendor's own types: what runs, what is asked, what is told."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import httpx2
import msgspec
import pytest

import toolglot
import vendor
from rows import for_each
from toolglot import Session, Tool, ToolFailure, bridge
from toolglot.bridge import Policy, Validator
from toolglot.errors import ArgumentError, CallError, FitError, UsageError
from toolglot.runtime.bridge.invocations import Invocation
from toolglot.runtime.bridge.question_text import question_text
from toolglot.runtime.bridge.runner_failures import failure_of
from vendor import (
    anthropic_client,
    anthropic_types,
    gemini_types,
    mcp_types,
    openai_chat,
    openai_client,
    openai_responses,
    pydantic,
)

pytestmark = pytest.mark.vendors

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
INPUTS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
HARMLESS: dict[str, Any] = {
    "destructive": False,
    "reversible": True,
    "deletes_files": False,
    "writes_files": False,
    "subprocess": False,
    "billable": False,
    "safety_tier": "read",
}
READ = Tool(id="read_file", description="Read a file.", inputs=INPUTS, **HARMLESS)
REMOVE = Tool(id="remove_file", description="Remove a file.", inputs=INPUTS, destructive=True, reversible=False)
CALL = ("c1", "read_file", {"path": "a.txt"})


class Wire(NamedTuple):
    """How a provider's response with calls is made of the vendor's types, and what its answers hold."""

    respond: Callable[..., Any]
    stream: Callable[..., Iterable[Any]] | None
    texts: Callable[[list[Any]], list[str]]


def chat(*calls: tuple[str, str, Any]) -> Any:
    made = [{"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}} for i, n, a in calls]
    choice = {"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": made}}
    return openai_chat.ChatCompletion.model_validate(
        {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    )


def chat_chunks(*calls: tuple[str, str, Any]) -> Iterable[Any]:
    for index, (identifier, name, arguments) in enumerate(calls):
        text = json.dumps(arguments)
        for piece in (
            {"id": identifier, "function": {"name": name, "arguments": ""}},
            {"function": {"arguments": text[:4]}},
            {"function": {"arguments": text[4:]}},
        ):
            choice = {"index": 0, "delta": {"tool_calls": [{"index": index, **piece}]}}
            yield openai_chat.ChatCompletionChunk.model_validate(
                {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
            )


def responses(*calls: tuple[str, str, Any]) -> Any:
    made = [{"type": "function_call", "call_id": i, "name": n, "arguments": json.dumps(a)} for i, n, a in calls]
    fixed = {"id": "r", "object": "response", "created_at": 0, "model": "m", "parallel_tool_calls": True}
    return openai_responses.Response.model_validate({**fixed, "tool_choice": "auto", "tools": [], "output": made})


@cache
def response_event() -> Any:
    return pydantic.TypeAdapter(openai_responses.ResponseStreamEvent)


def response_events(*calls: tuple[str, str, Any]) -> Iterable[Any]:
    for index, (identifier, name, arguments) in enumerate(calls):
        item = {"type": "function_call", "id": "f", "call_id": identifier, "name": name, "arguments": ""}
        whole = {**item, "arguments": json.dumps(arguments), "status": "completed"}
        place = {"output_index": index, "sequence_number": index}
        delta = {"delta": whole["arguments"], "item_id": "f"}
        for event in (
            {"type": "response.output_item.added", "item": item},
            {"type": "response.function_call_arguments.delta", **delta},
            {"type": "response.output_item.done", "item": whole},
        ):
            yield response_event().validate_python({**event, **place})


def message(*calls: tuple[str, str, Any]) -> Any:
    made = [{"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a in calls]
    fixed = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return anthropic_types.Message.model_validate({**fixed, "stop_sequence": None, "usage": usage, "content": made})


@cache
def message_event() -> Any:
    return pydantic.TypeAdapter(anthropic_types.RawMessageStreamEvent)


def message_events(*calls: tuple[str, str, Any]) -> Iterable[Any]:
    for index, (identifier, name, arguments) in enumerate(calls):
        block = {"type": "tool_use", "id": identifier, "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        yield message_event().validate_python({"type": "content_block_start", "index": index, "content_block": block})
        yield message_event().validate_python({"type": "content_block_delta", "index": index, "delta": delta})
        yield message_event().validate_python({"type": "content_block_stop", "index": index})


def content(*calls: tuple[str, str, Any]) -> Any:
    parts = [{"functionCall": {"id": i, "name": n, "args": a}} for i, n, a in calls]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    return gemini_types.GenerateContentResponse.model_validate({"candidates": [candidate]})


def request(*calls: tuple[str, str, Any]) -> Any:
    for _, name, arguments in calls:
        return mcp_types.CallToolRequestParams(name=name, arguments=arguments)
    return {"method": "tools/list"}


def function_texts(answers: list[Any]) -> list[str]:
    parts = [part["functionResponse"]["response"] for answer in answers for part in answer["parts"]]
    return [part["output"] if "output" in part else json.dumps(part) for part in parts]


def block_texts(answers: list[Any]) -> list[str]:
    return [block["content"] for answer in answers for block in answer["content"]]


WIRES = {
    "openai": Wire(chat, chat_chunks, lambda answers: [answer["content"] for answer in answers]),
    "openai@responses": Wire(responses, response_events, lambda answers: [answer["output"] for answer in answers]),
    "anthropic": Wire(message, message_events, block_texts),
    "gemini": Wire(content, lambda *calls: [content(call) for call in calls], function_texts),
    "mcp": Wire(request, None, lambda answers: [block["text"] for answer in answers for block in answer["content"]]),
}
PARALLEL = [provider for provider in WIRES if provider != "mcp"]


def told(provider: str, answers: list[Any]) -> list[dict[str, Any]]:
    """The errors that are told to the model."""
    return [json.loads(text)["error"] for text in WIRES[provider].texts(answers)]


class Log(list[Invocation]):
    """A runner that says what it read."""

    def __call__(self, call: Invocation) -> str:
        self.append(call)
        return f"{call.arguments.get('path')} is empty"


# -- the way of a call ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", WIRES)
def test_a_call_runs_and_its_text_goes_back_as_text(provider: str) -> None:
    log = Log()
    answers = Session(READ, provider, runner=log).handle(WIRES[provider].respond(CALL))
    assert [(call.path, call.arguments, call.tool) for call in log] == [(("read_file",), {"path": "a.txt"}, READ)]
    assert WIRES[provider].texts(answers) == ["a.txt is empty"]


@pytest.mark.parametrize("provider", WIRES)
def test_a_response_without_calls_is_the_end(provider: str) -> None:
    assert Session(READ, provider, runner=Log()).handle(WIRES[provider].respond()) == []


@pytest.mark.parametrize("provider", PARALLEL)
def test_calls_run_in_their_order_and_are_answered_together(provider: str) -> None:
    log = Log()
    calls = [("c1", "read_file", {"path": "a"}), ("c2", "read_file", {}), ("c3", "none", {}), ("c4", *CALL[1:])]
    answers = Session(READ, provider, runner=log).handle(WIRES[provider].respond(*calls))
    first, second, third, fourth = WIRES[provider].texts(answers)
    assert [call.call.id for call in log] == ["c1", "c4"]
    assert (first, fourth) == ("a is empty", "a.txt is empty")
    assert json.loads(second)["error"]["code"] == "input_invalid"
    assert json.loads(third)["error"]["code"] == "not_found"
    assert len(answers) == (1 if provider in ("anthropic", "gemini") else 4)


# The schema of a parameter, what a model sent, what comes home (lidge-jun/opencodex#1611).
WHOLE_NUMBERS: dict[str, tuple[Any, Any, Any]] = {
    "an integer": ({"type": "integer"}, 120000.0, 120000),
    "an exponent": ({"type": "integer"}, 1e16, 10000000000000000),
    "an exponent beyond what floats tell apart": ({"type": "integer"}, 1e23, 10**23),
    "integers": ({"type": "array", "items": {"type": "integer"}}, [1.0, 2], [1, 2]),
    "one of a tuple": (
        {"type": "array", "prefixItems": [{"type": "number"}, {"type": "integer"}]},
        [1.0, 2.0],
        [1.0, 2],
    ),
    "an integer or null": ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 5.0, 5),
    "an integer or a number": ({"type": ["integer", "number"]}, 5.0, 5),
    "a listed integer": ({"enum": [1, 2]}, 1.0, 1),
    "a reference": ({"$ref": "#/properties/q"}, 5.0, 5),
    "of an object": ({"type": "object", "additionalProperties": {"type": "integer"}}, {"a/b": -0.0}, {"a/b": 0}),
    "anything": ({}, {"n": [3.0, 2.5]}, {"n": [3, 2.5]}),
    "a number": ({"type": "number"}, 2.0, 2.0),
    "a number with a fraction": ({"type": "number"}, 2.5, 2.5),
    "a boolean": ({"type": "boolean"}, True, True),
}


@for_each("name", WHOLE_NUMBERS)
@pytest.mark.parametrize("provider", WIRES)
def test_a_whole_number_comes_home_as_an_integer(name: str, provider: str) -> None:
    schema, sent, expected = WHOLE_NUMBERS[name]
    inputs = {"type": "object", "properties": {"p": schema, "q": {"type": "integer"}}}
    session = Session(
        msgspec.structs.replace(READ, inputs=inputs), provider, runner=lambda call: json.dumps(call.arguments)
    )
    answers = session.handle(WIRES[provider].respond(("c1", "read_file", {"p": sent})))
    assert WIRES[provider].texts(answers) == [json.dumps({"p": expected})]


@pytest.mark.parametrize("provider", WIRES)
def test_an_integer_that_has_lost_digits_is_not_guessed(provider: str) -> None:
    inputs = {"type": "object", "properties": {"p": {"type": ["integer", "null"]}}}
    log = Log()
    session = Session(msgspec.structs.replace(READ, inputs=inputs), provider, runner=log)
    (answer,) = WIRES[provider].texts(
        session.handle(WIRES[provider].respond(("c1", "read_file", {"p": 1.2345678901234568e18})))
    )
    assert "has lost digits; send the integer with all of them" in answer
    assert not list(log)


def test_a_long_number_is_taken_where_nobody_asks_for_an_integer() -> None:
    log = Log()
    session = Session(msgspec.structs.replace(READ, inputs={"properties": {"p": {}}}), "anthropic", runner=log)
    session.handle(WIRES["anthropic"].respond(("c1", "read_file", {"p": 9.727837981879871e26})))
    assert [call.arguments for call in log] == [{"p": 9.727837981879871e26}]


NAMELESS = ("c0", "", {"path": "b"})


@pytest.mark.parametrize("provider", PARALLEL)
def test_what_has_no_name_is_not_answered(provider: str) -> None:
    respond, session = WIRES[provider].respond, Session(READ, provider, runner=Log())
    assert session.handle(respond(NAMELESS, CALL)) == session.handle(respond(CALL))
    with pytest.raises(CallError, match="name"):  # no messages would say that the model has finished
        session.handle(respond(NAMELESS))
    calls = bridge.parse_tool_calls(provider, respond(NAMELESS))
    assert bridge.tool_results(provider, calls) == []


def test_an_argument_of_vertex_that_belongs_to_no_call_is_not_answered() -> None:
    call = {"name": "read_file", "args": {"path": "a.txt"}}
    stray = {"partialArgs": [{"jsonPath": "$.path", "stringValue": "b"}], "willContinue": True}
    events = [{"candidates": [{"content": {"parts": [{"functionCall": part}]}}]} for part in (stray, call)]
    session = Session(READ, "gemini", runner=Log())
    assert WIRES["gemini"].texts(session.handle(events)) == ["a.txt is empty"]


STREAMED = [provider for provider, wire in WIRES.items() if wire.stream]


@pytest.mark.parametrize("provider", STREAMED)
def test_a_stream_is_answered_like_the_whole_response(provider: str) -> None:
    stream = WIRES[provider].stream
    assert stream is not None
    calls = [CALL, ("c2", "read_file", {"path": "b"})]
    session = Session(READ, provider, runner=Log())
    assert session.handle(stream(*calls)) == session.handle(WIRES[provider].respond(*calls))


@pytest.mark.parametrize("provider", STREAMED)
def test_asynchronous_streams_runners_and_approval(provider: str) -> None:
    stream = WIRES[provider].stream
    assert stream is not None

    async def events() -> AsyncIterator[Any]:
        for event in stream(("c1", "remove_file", {"path": "a"})):
            await asyncio.sleep(0)
            yield event

    async def approve(call: Invocation, reasons: tuple[str, ...]) -> bool:
        await asyncio.sleep(0)
        return True

    async def run(call: Invocation) -> str:
        await asyncio.sleep(0)
        return "removed"

    session = Session(REMOVE, provider, runner=run, approve=approve)
    answers = asyncio.run(session.handle_async(events()))
    assert WIRES[provider].texts(answers) == ["removed"]
    with pytest.raises(UsageError, match="stream is asynchronous; use handle_async"):
        Session(REMOVE, provider, runner=print).handle(events())


async def run_later(call: Invocation) -> str:
    return f"{call.arguments['path']} is empty"


async def approve_later(call: Invocation, reasons: tuple[str, ...]) -> bool:
    return True


class Later:
    async def __call__(self, call: Invocation) -> str:
        return await run_later(call)


ASYNCHRONOUS = {
    "runner": {"runner": run_later},
    "object": {"runner": Later()},
    "part of a function": {"runner": partial(run_later)},
    "approval": {"runner": print, "approve": approve_later},
}


@for_each("functions", ASYNCHRONOUS.values(), ids=ASYNCHRONOUS)
def test_what_is_declared_asynchronous_is_refused_before_anything_runs(functions: dict[str, Any]) -> None:
    session = Session(READ, "openai", **functions)
    with pytest.raises(UsageError, match="use handle_async"):
        session.handle(chat(CALL))
    with pytest.raises(UsageError, match="use call_async"):
        session.call("read_file", {"path": "a"})


def test_a_call_whose_result_would_have_to_be_awaited_loses_no_other_answer() -> None:
    def run(call: Invocation) -> Any:
        return run_later(call) if call.call.id == "c2" else f"{call.arguments['path']} is full"

    session = Session(READ, "openai", runner=run)
    response = chat(*[(identifier, "read_file", {"path": "a"}) for identifier in ("c1", "c2", "c3")])
    first, second, third = WIRES["openai"].texts(session.handle(response))
    assert (first, third) == ("a is full", "a is full")
    assert json.loads(second)["error"]["code"] == "internal"
    assert "handle_async" in json.loads(second)["error"]["message"]
    assert WIRES["openai"].texts(asyncio.run(session.handle_async(response)))[1] == "a is empty"


def test_an_approval_that_would_have_to_be_awaited_is_none() -> None:
    def approve(call: Invocation, reasons: tuple[str, ...]) -> Any:
        return approve_later(call, reasons)

    log = Log()
    session = Session(REMOVE, "openai", runner=log, approve=approve)
    [error] = told("openai", session.handle(chat(("c1", "remove_file", {"path": "a"}))))
    assert log == []
    assert error["message"].startswith("approval could not be asked for: it would have to be awaited")


def served(events: Iterable[Any], end: str = "") -> httpx2.MockTransport:
    """A transport that answers with server-sent events."""
    content, headers = "", {"content-type": "text/event-stream"}
    for event in events:
        data = event if isinstance(event, dict) else event.model_dump(mode="json", exclude_unset=True)
        content += f"event: {data.get('type', 'message')}\ndata: {json.dumps(data)}\n\n"
    content += end
    return httpx2.MockTransport(lambda request: httpx2.Response(200, headers=headers, content=content))


def chat_stream() -> httpx2.MockTransport:
    return served(chat_chunks(CALL), "data: [DONE]\n\n")


def message_stream() -> httpx2.MockTransport:
    started = {**message().model_dump(mode="json"), "stop_reason": None}
    stopped = {"stop_reason": "tool_use", "stop_sequence": None}
    return served(
        [
            {"type": "message_start", "message": started},
            *message_events(CALL),
            {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
    )


def test_the_streams_of_the_vendors_clients() -> None:
    openai, anthropic = Session(READ, "openai", runner=Log()), Session(READ, "anthropic", runner=Log())
    chat_request = {"model": "m", "messages": [{"role": "user", "content": "?"}], "tools": openai.definitions}
    request = {"model": "m", "max_tokens": 9, "messages": chat_request["messages"], "tools": anthropic.definitions}
    answers = openai.handle(chat(CALL)), anthropic.handle(message(CALL))

    with openai_client.OpenAI(api_key="none", http_client=httpx2.Client(transport=chat_stream())) as client:
        assert openai.handle(client.chat.completions.create(stream=True, **chat_request)) == answers[0]
        with client.chat.completions.stream(**chat_request) as stream:
            assert openai.handle(stream) == answers[0]
    with anthropic_client.Anthropic(api_key="none", http_client=httpx2.Client(transport=message_stream())) as other:
        assert anthropic.handle(other.messages.create(stream=True, **request)) == answers[1]
        with other.messages.stream(**request) as stream:
            assert anthropic.handle(stream) == answers[1]

    async def asynchronous() -> None:
        async with openai_client.AsyncOpenAI(
            api_key="none", http_client=httpx2.AsyncClient(transport=chat_stream())
        ) as client:
            found = await client.chat.completions.create(stream=True, **chat_request)
            assert await openai.handle_async(found) == answers[0]
        other = anthropic_client.AsyncAnthropic(
            api_key="none", http_client=httpx2.AsyncClient(transport=message_stream())
        )
        async with other, other.messages.stream(**request) as found:
            assert await anthropic.handle_async(found) == answers[1]

    asyncio.run(asynchronous())


def test_an_asynchronous_session_takes_what_a_synchronous_one_takes() -> None:
    session = Session(READ, "openai", runner=Log())
    assert asyncio.run(session.handle_async(chat(CALL))) == session.handle(chat(CALL))
    assert asyncio.run(session.handle_async(chat_chunks(CALL))) == session.handle(chat(CALL))


def test_a_response_that_failed_runs_nothing() -> None:
    log = Log()
    with pytest.raises(CallError):
        Session(READ, "openai", runner=log).handle({"error": {"message": "overloaded"}})
    assert log == []


@pytest.mark.parametrize("provider", WIRES)
def test_the_definitions_go_into_the_vendors_client(provider: str) -> None:
    definitions = Session([READ, REMOVE], provider, runner=Log()).definitions
    if provider == "mcp":
        assert [tool.name for tool in mcp_types.ListToolsResult(tools=definitions).tools] == [
            "read_file",
            "remove_file",
        ]
        return
    compiled = toolglot.compile([READ, REMOVE], provider)
    name, _, version = provider.partition("@")
    versions = {"openai": "chat", "anthropic": "messages", "gemini": "json-schema"}
    for definition in definitions:
        assert vendor.vendor_problems(name, version or versions[name], definition) == []
    assert json.dumps(compiled.definitions)[1:-1] in json.dumps(definitions)


def test_tools_that_were_compiled_already() -> None:
    compiled = toolglot.compile(READ, "openai", strict=True)
    assert Session(compiled, "openai", runner=Log()).definitions == compiled.definitions
    with pytest.raises(UsageError, match="compiled for openai"):
        Session(compiled, "anthropic", runner=Log())
    with pytest.raises(UsageError, match="give read_only to compile"):
        Session(compiled, "openai", runner=Log(), read_only=True)


def test_a_command_behind_a_chooser_is_run() -> None:
    program = Tool(id="notes", children=(READ, REMOVE))
    log = Log()
    session = Session(program, "openai", runner=log, flatten="action")
    name = session.definitions[0]["function"]["name"]
    sent = session.compiled.encode(name, {"path": "a"}, ("notes", "read_file"))
    session.handle(chat(("c1", name, sent), ("c2", name, {**sent, session.compiled.tools[name].chooser: "no"})))
    assert [call.path for call in log] == [("notes", "read_file")]


def test_records_of_commands_are_equal_where_all_that_they_say_is() -> None:
    log = Log()
    session = Session(Tool(id="notes", children=(READ, REMOVE)), "openai", runner=log, flatten="action")
    [(name, exposed)] = session.compiled.tools.items()
    sent = session.compiled.encode(name, {"path": "a"}, ("notes", "read_file"))
    session.handle(chat(("c1", name, sent)))
    resolved = session.compiled.resolve(name, sent)
    records: list[tuple[Any, dict[str, Any]]] = [
        (exposed, {"chooser": "a"}),
        (log[0], {"context": 1}),
        (resolved, {"arguments": {}}),
    ]
    for record, change in records:
        assert msgspec.structs.replace(record) == record
        assert pickle.loads(pickle.dumps(record)).path == record.path
        assert msgspec.structs.replace(record, **change) != record
        with pytest.raises(AttributeError):
            record.leaf = None


# -- null for what is not given ------------------------------------------------------------------------------------

TEXT_OR_NULL = {"anyOf": [{"type": "string"}, {"type": "null"}]}
DEEP = {"type": "object", "properties": {"b": {"type": "string"}, "c": {"enum": ["x"]}}, "required": ["b"]}
# The properties of a tool that requires `b`, arguments, and what it gets of them; `None`: the call is refused.
NULLS: dict[str, tuple[dict[str, Any], dict[str, Any], Any]] = {
    "optional": ({"a": {"type": "string"}}, {"b": 1, "a": None}, {"b": 1}),
    "required": ({"b": {"type": "integer"}}, {"b": None}, None),
    "a value": ({"a": TEXT_OR_NULL}, {"b": 1, "a": None}, {"b": 1, "a": None}),
    "anything": ({"a": True}, {"b": 1, "a": None}, {"b": 1, "a": None}),
    "among several": ({"a": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}, {"b": 1, "a": None}, {"b": 1}),
    "below": ({"a": DEEP}, {"b": 1, "a": {"b": "y", "c": None}}, {"b": 1, "a": {"b": "y"}}),
    "required below": ({"a": DEEP}, {"b": 1, "a": {"b": None}}, None),
    "the only member": (
        {"a": {"type": "object", "properties": {"c": {"type": "string"}}}},
        {"b": 1, "a": {"c": None}},
        {"b": 1, "a": {}},
    ),
    "in a list": ({"a": {"type": "array", "items": {"type": "string"}}}, {"b": 1, "a": [None]}, None),
    "in an object of a list": (
        {"a": {"type": "array", "items": DEEP}},
        {"b": 1, "a": [{"b": "y", "c": None}]},
        {"b": 1, "a": [{"b": "y"}]},
    ),
    "beside a fault": ({"a": {"type": "string"}, "c": {"type": "string"}}, {"b": 1, "a": None, "c": 5}, None),
}


@for_each(("properties", "arguments", "expected"), NULLS.values(), ids=NULLS)
def test_a_null_that_a_tool_does_not_accept_is_not_given(
    properties: dict[str, Any], arguments: dict[str, Any], expected: Any
) -> None:
    inputs = {"type": "object", "properties": {"b": {}, **properties}, "required": ["b"]}
    log = Log()
    for provider, wire in WIRES.items():
        Session(Tool(id="t", inputs=inputs, **HARMLESS), provider, runner=log).handle(
            wire.respond(("c", "t", arguments))
        )
    assert [call.arguments for call in log] == ([] if expected is None else [expected] * len(WIRES))


# -- approval ---------------------------------------------------------------------------------------------------

# What a tool states beside being harmless otherwise, the reasons for which a person is asked (without any: nobody is),
# and the policy that answers in their place (none: no policy does).
CHANGED: dict[str, Any] = {"safety_tier": None, "destructive": None, "writes_files": None, "deletes_files": None}
AUTHORS = "it says that it needs approval"
UNSTATED = {"allowUnstated": True}
ASKED: dict[str, tuple[dict[str, Any], tuple[str, ...], dict[str, Any] | None]] = {
    "destructive": ({"destructive": True}, ("it destroys data for good",), {"allowDestructive": True}),
    "irreversible": ({"reversible": False}, ("it cannot be undone",), {"allowNonReversible": True}),
    "deleting files": (
        {"deletes_files": True},
        ("it deletes something", "it deletes files"),
        {"allowFilesystemDelete": True},
    ),
    "deleting": (
        {"deletes": ("mail",)},
        ("it deletes something",),
        {"allowFilesystemDelete": True},
    ),
    "deleting, and whether it can come back is not stated": (
        {"deletes": ("mail",), "destructive": None},
        ("it deletes something", "it may destroy data for good"),
        {"allowFilesystemDelete": True, "allowDestructive": True},
    ),
    "executing": ({"subprocess": True}, ("it runs other programs",), {"allowSubprocess": True}),
    "expensive": ({"cost_class": "expensive", "approval": "auto"}, ("it is expensive",), {"maxCostEstimate": "high"}),
    "a danger, whatever the author says": (
        {"destructive": True, "approval": "never"},
        ("it destroys data for good",),
        {"allowDestructive": True},
    ),
    "several": (
        {"destructive": True, "reversible": False, "approval": "always"},
        ("it destroys data for good", "it cannot be undone", AUTHORS),
        None,
    ),
    "approval": ({"approval": "always"}, (AUTHORS,), None),
    "approval of a policy": ({"approval": "policy:mail"}, (AUTHORS,), None),
    "approval at times": ({"approval": "conditional"}, (AUTHORS,), None),
    "approval that nobody can read": ({"unclear": ("approval",)}, (AUTHORS,), None),
    "on a change": ({**CHANGED, "mutates": ("a",), "approval": "on-mutate"}, ("it changes something",), None),
    "on a change, and there is none": ({**CHANGED, "mutates": (), "approval": "on-mutate"}, (), None),
    "on a change, and nobody states one": (
        {**CHANGED, "approval": "on-mutate"},
        ("nobody states whether it changes anything",),
        UNSTATED,
    ),
    "automatic": ({"approval": "auto"}, (), None),
    "automatic, and metered": ({"approval": "auto", "cost_class": "metered"}, (), None),
    "automatic, with a risk": ({**CHANGED, "mutates": (), "risk_level": 2, "approval": "auto"}, (), None),
    "automatic, with a risk that is a danger": (
        {"mutates": (), "risk_level": 3, "approval": "auto", "destructive": None, "reversible": None},
        ("it destroys data for good", "it cannot be undone"),
        {"allowDestructive": True, "allowNonReversible": True},
    ),
    "automatic, and the rest is not stated": ({**CHANGED, "approval": "auto", "billable": None}, (), None),
    "automatic beside a change": ({**CHANGED, "risk_level": 2, "approval": "auto"}, ("it changes something",), None),
    "a change": (
        {**CHANGED, "safety_tier": "write"},
        ("it changes something, and nobody states when a person is asked",),
        UNSTATED,
    ),
    "billable": (
        {"billable": True},
        ("it may incur costs, and nobody states when a person is asked",),
        {"allowBillable": True},
    ),
    "perhaps a change": (CHANGED, ("nobody states whether it changes anything",), UNSTATED),
    "perhaps billable": ({"billable": None}, ("nobody states whether it incurs costs",), UNSTATED),
    "nothing is stated": (
        dict.fromkeys(HARMLESS),
        ("nobody states whether it changes anything or incurs costs",),
        UNSTATED,
    ),
    "values that were made up": (
        {**dict.fromkeys(HARMLESS), "assumed": ("mutates", "approval", "risk_level", "cost_class")},
        ("nobody states whether it changes anything or incurs costs",),
        UNSTATED,
    ),
    "nothing changes": ({"reversible": None, "subprocess": None}, (), None),
}


def asking(facts: dict[str, Any]) -> Tool:
    return Tool(id="read_file", inputs=INPUTS, **{**HARMLESS, **facts})


@for_each(("facts", "reasons", "policy"), ASKED.values(), ids=ASKED)
def test_a_person_is_asked_for_these_reasons(
    facts: dict[str, Any], reasons: tuple[str, ...], policy: dict[str, Any] | None
) -> None:
    asked: list[tuple[str, ...]] = []

    def approve(call: Invocation, reasons: tuple[str, ...]) -> Any:
        asked.append(reasons)
        return answer

    codes = []
    for answer in (True, "session", False, 1, None, "yes"):
        log = Log()
        answers = Session(asking(facts), "openai", runner=log, approve=approve).handle(chat(CALL))
        assert len(log) == (answer is True or answer == "session" or not reasons)
        codes += [error["code"] for error in told("openai", answers)] if not log else []
    assert asked == [reasons] * (6 if reasons else 0)
    assert codes == ["cancelled"] * (4 if reasons else 0)
    assert Session(asking(facts), "openai", runner=print).questions("read_file") == reasons


@for_each(("facts", "reasons", "policy"), ASKED.values(), ids=ASKED)
def test_where_nobody_can_be_asked_the_refusal_names_the_policy_that_answers(
    facts: dict[str, Any], reasons: tuple[str, ...], policy: dict[str, Any] | None
) -> None:
    log = Log()
    for nothing in (None, {}, {"allowNetwork": True}):
        answers = Session(asking(facts), "openai", runner=log, policy=nothing).handle(chat(CALL))
        if reasons:
            [error] = told("openai", answers)
            answer = f"; a policy with {json.dumps(policy, separators=(',', ':'))} allows it" if policy else ""
            because = "this needs approval, and nobody can be asked: " + "; ".join(reasons) + answer
            assert (error["code"], error["message"]) == ("policy_violation", because)
    assert len(log) == (0 if reasons else 3)
    if policy is not None:
        Session(asking(facts), "openai", runner=log, policy=policy).handle(chat(CALL))
        assert len(log) == 1


# -> how often a person is asked in three calls, if they answer so.
SESSIONS = {
    "a danger": ({"destructive": True}, True, 3),
    "a danger, answered for the session": ({"destructive": True}, "session", 1),
    "the author's word, answered for the session": ({"approval": "always"}, "session", 1),
    "what nobody states": (CHANGED, True, 1),
    "what nobody states, and no": (CHANGED, False, 3),
    "a change": ({**CHANGED, "safety_tier": "write"}, True, 3),
}


@for_each(("facts", "answer", "times"), SESSIONS.values(), ids=SESSIONS)
def test_an_answer_may_hold_for_the_session(facts: dict[str, Any], answer: Any, times: int) -> None:
    asked: list[str] = []
    tools = [asking(facts), msgspec.structs.replace(asking(facts), id="other")]

    def approve(call: Invocation, reasons: tuple[str, ...]) -> Any:
        asked.append(call.tool.id)
        return answer

    session = Session(tools, "openai", runner=Log(), approve=approve)
    for _ in range(3):
        session.handle(chat(CALL))
    session.handle(chat(("c", "other", {"path": "a"})))  # what holds for one tool does not for another
    assert asked == ["read_file"] * times + ["other"]


HINTED: list[dict[str, Any]] = [{}, {"annotations": {"readOnlyHint": True}}, {"annotations": {"readOnlyHint": False}}]


@for_each("hints", HINTED)
def test_values_that_a_conversion_made_up_ask_nobody_else(hints: dict[str, Any]) -> None:
    tool = {"name": "read_file", "description": "Read.", "inputSchema": INPUTS, **hints}
    converted = toolglot.convert(tool, "aip14").text
    first, last = (Session(toolglot.read(document), "openai", runner=print) for document in (tool, converted))
    [name] = last.compiled.offers
    assert first.questions("read_file") == last.questions(name) != ()


def test_what_was_asked_about_is_what_runs() -> None:
    """Neither the owner of the response nor who is asked changes the call while it waits."""
    inputs = {"type": "object", "properties": {"path": {"type": "object"}}}
    call_input = {"path": {"name": "a"}}

    def approve(invocation: Invocation, reasons: tuple[str, ...]) -> bool:
        call_input["path"]["name"] = "b"
        invocation.arguments["path"] = "c"
        return True

    log = Log()
    session = Session(msgspec.structs.replace(REMOVE, inputs=inputs), "anthropic", runner=log, approve=approve)
    session.handle({"content": [{"type": "tool_use", "id": "c", "name": "remove_file", "input": call_input}]})
    assert [invocation.arguments for invocation in log] == [{"path": {"name": "a"}}]


def test_an_approval_that_fails_is_none() -> None:
    def approve(call: Invocation, reasons: tuple[str, ...]) -> bool:
        raise ConnectionError("nobody there, password=hunter2")

    log = Log()
    [error] = told(
        "openai",
        Session(REMOVE, "openai", runner=log, approve=approve).handle(chat(("c", "remove_file", {"path": "a"}))),
    )
    assert log == []
    assert error["code"] == "internal"
    assert "hunter2" not in error["message"]


# -- policies ---------------------------------------------------------------------------------------------------

POLICIES = {
    "forbidden": ({"allowDestructive": False}, None, ["policy_violation"]),
    "forbidden, although somebody would approve": ({"allowDestructive": False}, True, ["policy_violation"]),
    "a policy as an object": (Policy(allow_destructive=False), None, ["policy_violation"]),
    "a validator": (Validator([READ, REMOVE], {"allowNonReversible": False}), None, ["policy_violation"]),
    "a validator without a policy": (Validator([READ, REMOVE], root="."), None, ["cancelled"]),
    "not mentioned": ({}, False, ["cancelled"]),
    "allowed in part": ({"allowDestructive": True}, False, ["cancelled"]),
    "allowed, and nobody is asked": ({"allowDestructive": True, "allowNonReversible": True}, False, []),
    "not forbidden": ({"allowNetwork": False}, True, []),
}


@for_each(("policy", "answer", "codes"), POLICIES.values(), ids=POLICIES)
def test_a_policy_decides(policy: Any, answer: Any, codes: list[str]) -> None:
    log = Log()
    session = Session([READ, REMOVE], "openai", runner=log, policy=policy, approve=lambda call, reasons: answer)
    answers = session.handle(chat(("c1", "remove_file", {"path": "a"}), CALL))
    assert [call.path for call in log] == [("remove_file",)] * (not codes) + [("read_file",)]
    assert [error["code"] for error in told("openai", answers[: len(codes)])] == codes


def test_a_validator_of_other_tools_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        Session(REMOVE, "openai", runner=print, policy=Validator([Tool(id=REMOVE.id)], {"allowDestructive": False}))
    assert caught.value.code == "other-tools"


def test_a_tool_that_needs_approval_needs_it_under_a_policy_too() -> None:
    log = Log()
    tool = Tool(id="read_file", inputs=INPUTS, approval="always", **HARMLESS)
    assert told("openai", Session(tool, "openai", runner=log, policy={}).handle(chat(CALL)))
    Session(tool, "openai", runner=log, policy={}, approve=lambda call, reasons: True).handle(chat(CALL))
    assert len(log) == 1


def test_what_runs_a_call_hears_the_advice() -> None:
    log = Log()
    Session(READ, "openai", runner=log).handle(chat(("c1", "read_file", {"path": "a; rm b"})))
    assert [advice.code for advice in log[0].advice] == ["SHELL_METACHARACTERS"]


# -- context ----------------------------------------------------------------------------------------------------

CONTEXT = {"type": "object", "properties": {"tenant": {"type": "string"}}, "required": ["tenant"]}
WITH_CONTEXT = Tool(id="read_file", inputs=INPUTS, context=CONTEXT, **HARMLESS)


def test_the_context_goes_to_the_tools_that_ask_for_it_and_to_no_model() -> None:
    log = Log()
    session = Session([WITH_CONTEXT, Tool(id="ls", **HARMLESS)], "openai", runner=log, context={"tenant": "t", "n": 1})
    session.handle(chat(CALL, ("c2", "ls", {})))
    assert [call.context for call in log] == [{"tenant": "t", "n": 1}, None]
    assert "tenant" not in json.dumps(session.definitions)


@pytest.mark.parametrize("context", [None, {}, {"tenant": 5}])
def test_a_context_that_a_tool_cannot_use_is_refused_at_once(context: Any) -> None:
    with pytest.raises(UsageError, match="the context is not what 'read_file' asks for") as caught:
        Session(WITH_CONTEXT, "openai", runner=Log(), context=context)
    assert caught.value.code == "bad-context"


@pytest.mark.parametrize("context", [5, [1], "tenant"])
def test_a_context_is_an_object(context: Any) -> None:
    with pytest.raises(UsageError, match="expected a context as an object") as caught:
        Session(WITH_CONTEXT, "openai", runner=Log(), context=context)
    assert caught.value.code == "bad-context"


def test_a_context_that_holds_itself_is_refused_at_once_and_when_it_comes_to_do_so() -> None:
    context: dict[str, Any] = {"tenant": "a"}
    session = Session(WITH_CONTEXT, "openai", runner=Log(), context=context)
    context["self"] = [context]
    (answer,) = session.handle(chat(CALL))
    assert "holds itself" in answer["content"]
    with pytest.raises(UsageError, match="holds itself") as caught:
        Session(WITH_CONTEXT, "openai", runner=Log(), context=context)
    assert caught.value.code == "bad-context"


def test_a_context_may_hold_what_is_no_data() -> None:
    handle = object()
    schema = {"type": "object", "properties": {"db": {"type": "object"}}, "required": ["db"]}
    log = Log()
    tool = Tool(id="read_file", context=schema, **HARMLESS)
    Session(tool, "openai", runner=log, context={"db": handle}).handle(chat(("c1", "read_file", {})))
    assert log[0].context["db"] is handle


def test_a_context_that_changed_is_looked_at_again() -> None:
    context: dict[str, Any] = {"tenant": "t"}
    log = Log()
    session = Session(WITH_CONTEXT, "openai", runner=log, context=context)
    context["tenant"] = 5
    assert [error["code"] for error in told("openai", session.handle(chat(CALL)))] == ["internal"]
    assert log == []


# -- failures ---------------------------------------------------------------------------------------------------


class Dumb(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
NO_TEXTS: dict[str, Any] = {"message": KeyError("x"), "cause": b"\xff"}  # what a careless runner gives for texts
FAILURES = {
    "its own": (ToolFailure("slow down", "rate_limited", True), {"code": "rate_limited", "retryable": True}),
    "its own code": (ToolFailure("no such box", "mail:no_box"), {"code": "mail:no_box", "message": "no such box"}),
    "timeout": (TimeoutError("after 5 s"), {"code": "timeout", "retryable": True, "message": "after 5 s"}),
    "program timeout": (subprocess.TimeoutExpired(["ls"], 5), {"code": "timeout"}),
    "program": (
        subprocess.CalledProcessError(2, ["ls"], stderr=b"no such folder"),
        {"code": "upstream_error", "cause": "no such folder"},
    ),
    "connection": (ConnectionRefusedError("refused"), {"code": "upstream_error", "retryable": True}),
    "permission": (PermissionError(13, "denied"), {"code": "unauthorised"}),
    "missing": (FileNotFoundError(2, "no such file"), {"code": "not_found"}),
    "arguments": (ArgumentError("no flag", "no-flag"), {"code": "input_invalid"}),
    "schema": (FitError("ambiguous"), {"code": "input_invalid"}),
    "unforeseen": (KeyError("x"), {"code": "internal", "message": "KeyError: 'x'"}),
    "silent": (RuntimeError(), {"code": "internal", "message": "the tool failed with RuntimeError and no message"}),
    "dumb": (Dumb(), {"code": "internal", "message": "the tool failed with Dumb and no message"}),
    "an exception as the message": (ToolFailure(**NO_TEXTS), {"message": "'x'", "cause": "b'\\xff'"}),
    "half a character": (ToolFailure("no \ud800"), {"message": "no \ufffd"}),
    "secret": (RuntimeError("password=hunter2Xq9"), {"message": "password=[REDACTED]"}),
}


@for_each("provider", WIRES)
@for_each(("error", "expected"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_told_as_an_envelope(provider: str, error: Exception, expected: dict[str, Any]) -> None:
    def fail(call: Invocation) -> Any:
        raise error

    answers = Session(READ, provider, runner=fail).handle(WIRES[provider].respond(CALL))
    [text] = WIRES[provider].texts(answers)
    envelope = json.loads(text)
    assert envelope["ok"] is False
    assert envelope["error"].items() >= expected.items()
    if provider == "anthropic":
        assert answers[0]["content"][0]["is_error"] is True
    if provider == "mcp":
        assert mcp_types.CallToolResult.model_validate(answers[0]).is_error is True


def test_a_result_that_is_an_envelope_of_a_failure_is_a_failure() -> None:
    envelope = {"ok": False, "error": {"code": "not_found", "message": "no such box"}}
    [answer] = Session(READ, "anthropic", runner=lambda call: envelope).handle(message(CALL))
    assert answer["content"][0]["is_error"] is True
    assert json.loads(answer["content"][0]["content"]) == envelope


@for_each("cause", [ENDLESS, {(1, 2): 3}, [Dumb()]])
def test_an_envelope_whose_cause_is_no_json_is_a_failure_all_the_same(cause: Any) -> None:
    envelope = {"ok": False, "error": {"code": "not_found", "message": cause, "cause": cause}}
    [error] = told("openai", Session(READ, "openai", runner=lambda call: envelope).handle(chat(CALL)))
    assert error["message"] == error["cause"] == f"a {type(cause).__name__} that is no JSON"


@for_each("result", [{1, 2}, SimpleNamespace(model_dump=print)])  # which takes no such options
def test_a_result_that_cannot_be_sent_is_a_failure(result: Any) -> None:
    [error] = told("openai", Session(READ, "openai", runner=lambda call: result).handle(chat(CALL)))
    assert error["code"] == "output_parse_failed"


def test_the_result_of_a_server_goes_on_as_what_it_is() -> None:
    result = mcp_types.CallToolResult.model_validate({"content": [{"type": "text", "text": "no"}], "isError": True})
    [answer] = Session(READ, "anthropic", runner=lambda call: result).handle(message(CALL))
    assert (answer["content"][0]["content"], answer["content"][0]["is_error"]) == ("no", True)


def test_a_block_whose_type_is_no_word_is_data_like_other() -> None:
    result = {"content": [{"type": ["text"], "text": "no"}]}
    [answer] = Session(READ, "anthropic", runner=lambda call: result).handle(message(CALL))
    assert json.loads(answer["content"][0]["content"]) == result


def test_the_model_hears_what_is_wrong_with_its_arguments() -> None:
    response = chat(("c1", "read_file", {"path": 5}))
    [error] = told("openai", Session(READ, "openai", runner=Log()).handle(response))
    assert error["code"] == "input_invalid"
    assert "/path" in error["message"]


def test_damaged_arguments_are_answered() -> None:
    response = chat(CALL).model_dump()
    response["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = '{"path": '
    log = Log()
    [error] = told("openai", Session(READ, "openai", runner=log).handle(response))
    assert (error["code"], log) == ("input_invalid", [])


def test_a_long_name_that_was_never_offered_is_not_repeated() -> None:
    [error] = told("openai", Session(READ, "openai", runner=Log()).handle(chat(("c1", "x" * 10_000, {}))))
    assert error["code"] == "not_found"
    assert len(error["message"]) < 300


def test_an_interruption_is_no_failure_of_a_tool() -> None:
    def interrupt(call: Invocation) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Session(READ, "openai", runner=interrupt).handle(chat(CALL))


def test_a_failure_of_ours_stays_as_it_is() -> None:
    failure = ToolFailure("x", "timeout")
    assert failure_of(failure) is failure


# -- command lines ----------------------------------------------------------------------------------------------


def test_a_call_of_a_command_line_is_an_argument_vector() -> None:
    session = Session(toolglot.read(EXAMPLES / "echo.atip.json"), "openai", runner=lambda call: call.argv())
    name = session.definitions[0]["function"]["name"]
    [answer] = session.handle(chat(("c1", name, {"words": ["-n", "it"]})))
    assert json.loads(answer["content"]) == ["echo", "--", "-n", "it"]


def test_what_a_program_says_when_it_fails_is_told() -> None:
    program = [sys.executable, "-c", "import sys; sys.exit('no such folder')"]

    def run(call: Invocation) -> str:
        return subprocess.run(program, capture_output=True, text=True, check=True).stdout

    [error] = told("openai", Session(READ, "openai", runner=run).handle(chat(CALL)))
    assert (error["code"], error["cause"]) == ("upstream_error", "no such folder")


# -- what the contract says of a call -------------------------------------------------------------------------------


async def _a_minute() -> str:
    await asyncio.sleep(60)
    return ""


@pytest.mark.parametrize(
    ("way", "run"),
    [
        ("handle", lambda call: time.sleep(3)),
        ("handle_async", lambda call: time.sleep(3)),
        ("handle_async", lambda call: _a_minute()),
    ],
)
def test_a_call_ends_when_its_tool_says(way: str, run: Any) -> None:
    session = Session(Tool(id="t", timeout_ms=100, **HARMLESS), "anthropic", runner=run)
    messages = handled(session, way)
    assert "it did not end within 0.1 s" in json.dumps(messages)


def handled(session: Session, way: str) -> list[Any]:
    response = WIRES["anthropic"].respond(("c", "t", {}))
    if way == "handle":
        return session.handle(response)
    start = time.monotonic()
    messages = asyncio.run(session.handle_async(response))
    assert time.monotonic() - start < 2.5
    return messages


@pytest.mark.parametrize("way", ["handle", "handle_async"])
@pytest.mark.parametrize(
    ("facts", "error", "times"),
    [
        ({"idempotent": True}, ConnectionError("gone"), 3),
        ({"idempotent": True}, RuntimeError("gone"), 3),
        ({"idempotent": True}, ToolFailure("no such file", "not_found"), 1),
        ({"idempotent": True}, ToolFailure("no", "upstream_error", retryable=False), 1),
        (
            {
                "idempotent": True,
                "timeout_ms": 1000,
                "retry": {"max_attempts": 3, "backoff": "exponential", "initial_ms": 500},
            },
            ConnectionError("gone"),
            2,
        ),
        ({}, ConnectionError("gone"), 3),
        ({"safety_tier": "write", "approval": "never"}, ConnectionError("gone"), 1),
        ({"idempotent": False}, ConnectionError("gone"), 1),
        ({"retry": None, "idempotent": True}, ConnectionError("gone"), 1),
    ],
)
def test_a_failed_call_is_tried_again_where_the_tool_may_be_repeated(
    way: str, facts: dict[str, Any], error: Exception, times: int
) -> None:
    retry = {"max_attempts": 3, "backoff": "exponential", "initial_ms": 10}
    calls: list[Any] = []

    def run(call: Invocation) -> Any:
        calls.append(call)
        if len(calls) <= 2:
            raise error
        return "done"

    tool = Tool(id="t", **{**HARMLESS, "retry": retry, **facts})
    session = Session(tool, "anthropic", runner=run, policy={"allowUnstated": True})
    messages = handled(session, way)
    assert len(calls) == times
    assert ("done" in json.dumps(messages)) is (times == 3)


@pytest.mark.parametrize(
    ("outputs", "result", "fault"),
    [
        ({"type": "string"}, "x", None),
        ({"type": "integer"}, "7", None),
        ({"type": "object", "required": ["n"]}, '{"n": 1}', None),
        ({"type": "object", "required": ["n"]}, {"n": 1}, None),
        ({"type": "object", "required": ["n"]}, {"content": [], "structuredContent": {"n": 1}}, None),
        ({"type": "object", "required": ["n"]}, {}, "`n` is missing"),
        (
            {"type": "object", "properties": {"n": {"type": "integer"}}},
            '{"n": "x"}',
            'the value is not of type "integer" at /n',
        ),
        ({"type": "object"}, "no", 'the value is not of type "object"'),
        ({"type": "object"}, {"content": [{"type": "text", "text": "no such file"}], "isError": True}, None),
        ({"type": "object"}, lambda: mcp_types.TextContent(type="text", text="an object of a client"), None),
    ],
)
def test_a_result_that_breaks_the_outputs_is_reported_to_the_host(
    outputs: dict[str, Any], result: Any, fault: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    tool = Tool(id="t", outputs=outputs, **HARMLESS)
    session = Session(tool, "anthropic", runner=lambda call: result() if callable(result) else result)
    session.handle(WIRES["anthropic"].respond(("c", "t", {})))
    said = [record.getMessage() for record in caplog.records]
    assert said == ([] if fault is None else [f"the result of 't' is not what its outputs say: {fault}"])


# How each provider sends what a model says, whole and a piece of it.
SAID: dict[str, tuple[Callable[[str], Any], Callable[[str], Any]]] = {
    "openai": (
        lambda text: {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]},
        lambda text: {"choices": [{"index": 0, "delta": {"content": text}}]},
    ),
    "openai@responses": (
        lambda text: {"output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}]},
        lambda text: {"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "delta": text},
    ),
    "anthropic": (
        lambda text: {"role": "assistant", "content": [{"type": "text", "text": text}]},
        lambda text: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
    ),
    "gemini": (
        lambda text: {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]},
        lambda text: {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]},
    ),
}
# What models write where the server that runs them does not read their calls, and texts that are none.
WRITTEN_CALLS = [
    '[TOOL_CALLS]read_file[ARGS]{"path": "a"}',
    '[TOOL_CALLS] [{"name":"read_file","arguments":{"path":"a"}}]',
    '{"name": "read_file", "arguments": {"path": "a"}} {"name": "read_file"}',
    '{"name": "read_file"}',
    '```json\n{"name": "read_file", "arguments": {}}\n```',
    'I look.\n<tool_call>\n{"name": "read_file"}\n</tool_call>',
    "<think>so</think><tool_call>read_file\n<arg_key>path</arg_key>",
    "<function=read_file>\n<parameter=path>",
    '<function_calls>\n<invoke name="read_file">',
    '<|python_tag|>read_file.call(path="a")',
    '[read_file(path="a")]',
    "<|tool_call>call:read_file{path: a}",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{}",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json",
    "<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{}",
]
OTHER_TEXTS = [
    'I would write {"name": "read_file"}.',
    "[read_file](https://files.example)",
    '{"read_file": true}',
    "<read_file>",
    '{"name": "read_files"}',
    '{"name": "Anna", "uses": "read_file"}',
    "- read_file: reads one",
    "",
]


@pytest.mark.parametrize("provider", SAID)
@pytest.mark.parametrize(
    ("text", "warnings"), [*((text, 1) for text in WRITTEN_CALLS), *((text, 0) for text in OTHER_TEXTS)]
)
def test_a_call_that_a_model_wrote_into_its_text_is_reported_to_the_host(
    text: str, warnings: int, provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    log = Log()
    session = Session(READ, provider, runner=log)
    assert session.handle(SAID[provider][0](text)) == []
    assert not list(log)
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == warnings
    assert all("read_file" in message or "wrote a call as text" in message for message in messages)


def test_a_written_call_beside_a_call_is_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    response = WIRES["openai"].respond(CALL).model_dump()
    response["choices"][0]["message"]["content"] = WRITTEN_CALLS[0]
    assert Session(READ, "openai", runner=Log()).handle(response)
    assert not caplog.records


@pytest.mark.parametrize("provider", SAID)
def test_a_written_call_is_found_in_the_pieces_of_a_stream(provider: str, caplog: pytest.LogCaptureFixture) -> None:
    stream = map(SAID[provider][1], ["[TOOL_CALLS]read", '_file[ARGS]{"path"', ': "a"}'])
    assert Session(READ, provider, runner=Log()).handle(stream) == []
    assert len(caplog.records) == 1


N = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.mark.parametrize("provider", ["mcp", "mcp@2025-11-25", "mcp@2025-06-18"])
@pytest.mark.parametrize(
    ("outputs", "result", "data"),
    [
        (N, '{"n": 1}\n', {"n": 1}),
        (N, {"n": 1.0}, {"n": 1}),
        (N, {"content": [{"type": "text", "text": '{"n":1}'}], "isError": False}, {"n": 1}),
        (N, {"content": [{"type": "text", "text": "one"}], "structuredContent": {"n": 1}}, {"n": 1}),
        (N, {"content": [{"type": "text", "text": "no such file"}], "isError": True}, None),
        (N, {"content": [], "structuredContent": {"code": "RATE"}, "isError": True}, None),  # TypeScript's SDK, 1.32
        (N, "plain", None),
        (N, {"m": 1}, None),
        (N, {"content": [], "structuredContent": {"n": "x"}}, None),
        ({"type": "string"}, "hello", "hello"),
        ({"type": ["object", "null"]}, None, None),
    ],
)
def test_a_client_of_the_protocol_is_sent_what_its_schema_says_or_an_error(
    provider: str, outputs: dict[str, Any], result: Any, data: Any
) -> None:
    session = Session(Tool(id="t", outputs=outputs, **HARMLESS), provider, runner=lambda call: result)
    [answer] = session.handle({"name": "t", "arguments": {}})
    mcp_types.CallToolResult.model_validate(answer)
    has_schema = outputs is N or provider == "mcp"  # the older revisions have schemas of objects only
    assert ("outputSchema" in session.definitions[0]) is has_schema
    if not has_schema:
        assert answer["content"][0]["text"] == ("null" if result is None else result)
    elif outputs is N and data is None:
        assert answer["isError"] is True
        assert "structuredContent" not in answer
    else:
        assert "isError" not in answer
        assert answer["structuredContent"] == data


def test_an_answer_for_the_session_is_about_the_tool_of_one_server() -> None:
    asked: list[Any] = []

    def approve(call: Invocation, reasons: tuple[str, ...]) -> Literal["session"]:
        asked.append(call.tool.namespace)
        return "session"

    tools = [Tool(id="erase", namespace=server, destructive=True) for server in ("one", "other")]
    session = Session(tools, "anthropic", runner=lambda call: "done", approve=approve)
    for definition in session.definitions * 2:
        session.call(definition["name"], {})
    assert asked == ["one", "other"]


@pytest.mark.parametrize("command", ["echo  `rm -rf ~` ", "## a\n\x1b[2Kb\u202e\u200b", "x" * 8000 + "; rm -rf /"])
def test_a_person_reads_what_runs(command: str) -> None:
    call, _ = question_text("sh", {"command": command}, ["it deletes files"]).split("\n")
    assert json.loads(call.removeprefix("sh ")) == {"command": command}
    assert call.isprintable()


def test_a_person_is_told_how_much_of_a_call_is_not_shown() -> None:
    beginning, hidden, end, _ = question_text("sh", ["a" * 20_000 + "; rm -rf /"], ["it deletes files"]).split("\n")
    assert hidden == "(10017 characters between these lines are not shown)"
    assert beginning.startswith('sh ["aaa')
    assert end.endswith('; rm -rf /"]')


TEXTS: dict[str, tuple[str, str | None]] = {
    "Qwen": ('I look. <tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>', "<tool_call>"),
    "Llama": ('<|python_tag|>{"name": "ls"}', "<|python_tag|>"),
    "Llama, in words": ("<function=ls>{}</function>", "<function="),
    "Mistral": ('[TOOL_CALLS][{"name": "ls"}]', "[TOOL_CALLS]"),
    "DeepSeek": ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁begin｜>"),
    "Claude": ('<function_calls><invoke name="ls">', "<function_calls>"),
    "Gemma": ("```tool_code\nls()\n```", "```tool_code"),
    "prose": ("The tool call of ls takes <tool> and a function.", None),
}


@pytest.mark.parametrize(("text", "mark"), TEXTS.values(), ids=list(TEXTS))
def test_a_call_in_a_text_does_not_run_and_is_told(
    text: str, mark: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    response = {"content": [{"type": "text", "text": text}]}
    assert Session(Tool(id="ls"), "anthropic", runner=fail_to_run).handle(response) == []
    said = [record.getMessage() for record in caplog.records]
    assert said == [] if mark is None else mark in said[0]


def fail_to_run(call: Invocation) -> Any:
    raise AssertionError
