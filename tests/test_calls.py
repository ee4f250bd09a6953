"""Calls come in, whole, in pieces and as the vendors' own objects; any split of a stream gives the same."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from call_shapes import (
    ANTHROPIC,
    CUSTOM,
    CUSTOM_DELTA,
    GEMINI,
    MCP,
    OPENAI,
    PROVIDERS,
    RESPONSES_CALL,
    SOME,
    STEP,
    STREAMS,
    TEXT,
    TOOL_CALL,
    WHOLE,
    added,
    arguments_delta,
    arguments_done,
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
from pace import within
from rows import for_each
from toolglot.bridge import ToolCallBuilder, parse_tool_calls, tool_result
from toolglot.converter import formats
from toolglot.converter.hub.calls import Calls, ToolCall
from toolglot.errors import CallError, Error, UsageError
from vendor import (
    anthropic_types,
    gemini_interactions,
    gemini_types,
    mcp_types,
    openai_chat,
    openai_responses,
    pydantic,
)

pytestmark = pytest.mark.vendors


@for_each("name", WHOLE)
def test_a_whole_response_gives_its_calls(name: str) -> None:
    calls, response, expected = WHOLE[name]
    before = json.dumps(response)
    assert calls.parse(response) == expected
    assert json.dumps(response) == before


@for_each("name", STREAMS)
def test_a_stream_gives_its_calls(name: str) -> None:
    calls, events, expected = STREAMS[name]
    before = json.dumps(events)
    assert streamed(calls, events) == expected
    assert json.dumps(events) == before


def test_a_call_is_returned_by_the_event_that_completes_it() -> None:
    builder = ANTHROPIC.builder()
    assert builder.feed(start(tool_use("c1", "f", {}))) == []
    assert builder.feed(json_delta(TEXT)) == []
    assert builder.feed(stop()) == []  # it may still be held back
    assert builder.feed(message_delta("tool_use")) == [TOOL_CALL]
    assert builder.finish() == []


@pytest.mark.parametrize("kind", ["max_tokens", "refusal", "model_context_window_exceeded"])
def test_a_call_without_input_is_not_returned_before_its_message_is_known_to_be_whole(kind: str) -> None:
    builder = ANTHROPIC.builder()
    assert [*builder.feed(start(tool_use("c1", "f", {}))), *builder.feed(stop())] == []
    (call,) = builder.feed(message_delta(kind))
    assert "finished" in str(call.error)


def test_a_free_text_is_not_returned_before_its_response_is_known_to_be_whole() -> None:
    builder = OPENAI.builder()
    assert [call for event in (added(CUSTOM), CUSTOM_DELTA, done(CUSTOM)) for call in builder.feed(event)] == []
    (call,) = builder.feed(ended(CUSTOM, kind="incomplete"))
    assert "finished" in str(call.error)


# -- any split gives the same --------------------------------------------------------------------------------

KEYS = st.text(st.characters(codec="utf-8"), max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(KEYS, JSON, max_size=4)
NAMES = st.sampled_from(["f", "g_h", "list-files"])
MADE = st.lists(st.tuples(NAMES, ARGUMENTS), min_size=1, max_size=4)


def pieces(draw: st.DrawFn, text: str) -> list[str]:
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=5)))
    return [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def interleaved(draw: st.DrawFn, columns: list[list[Any]]) -> list[Any]:
    """The events of several calls mixed, each call's own in their order."""
    left = [list(column) for column in columns]
    out = []
    while any(left):
        column = draw(st.sampled_from([column for column in left if column]))
        out.append(column.pop(0))
    return out


def chat_split(draw: st.DrawFn, made: list[tuple[str, dict[str, Any]]]) -> tuple[Any, list[Any]]:
    texts = [json.dumps(arguments) for _, arguments in made]
    whole = chat_message(*(chat_call(f"c{i}", made[i][0], text) for i, text in enumerate(texts)))
    columns = []
    for index, text in enumerate(texts):
        first, *rest = pieces(draw, text)
        later = [{"index": index, "function": {"arguments": piece}} for piece in rest]
        columns.append([{"index": index, **chat_call(f"c{index}", made[index][0], first)}, *later])
    return whole, [chat_chunk(delta) for delta in interleaved(draw, columns)]


def responses_split(draw: st.DrawFn, made: list[tuple[str, dict[str, Any]]]) -> tuple[Any, list[Any]]:
    texts = [json.dumps(arguments) for _, arguments in made]
    items = [function_call(f"c{i}", made[i][0], text) for i, text in enumerate(texts)]
    events = []
    for index, item in enumerate(items):
        deltas = [arguments_delta(piece, index) for piece in pieces(draw, texts[index])]
        events += [
            added({**item, "arguments": ""}, index),
            *deltas,
            arguments_done(texts[index], index),
            done(item, index),
        ]
    return {"output": items}, [*events, ended(*items)]


def anthropic_split(draw: st.DrawFn, made: list[tuple[str, dict[str, Any]]]) -> tuple[Any, list[Any]]:
    events = []
    for index, (name, arguments) in enumerate(made):
        is_written = draw(st.booleans())
        text = json.dumps(arguments) if arguments or is_written else ""
        deltas = [json_delta(piece, index) for piece in pieces(draw, text)]
        events += [start(tool_use(f"c{index}", name, {}), index), *deltas, stop(index)]
    return message(*(tool_use(f"c{i}", name, arguments) for i, (name, arguments) in enumerate(made))), events


def interactions_split(draw: st.DrawFn, made: list[tuple[str, dict[str, Any]]]) -> tuple[Any, list[Any]]:
    steps = [{**STEP, "id": f"c{i}", "name": name, "arguments": arguments} for i, (name, arguments) in enumerate(made)]
    events = []
    for index, step in enumerate(steps):
        deltas = [step_delta(piece, index) for piece in pieces(draw, json.dumps(step["arguments"]))]
        events += [step_start({**step, "arguments": {}}, index), *deltas, {"event_type": "step.stop", "index": index}]
    return {"steps": steps}, events


def gemini_split(draw: st.DrawFn, made: list[tuple[str, dict[str, Any]]]) -> tuple[Any, list[Any]]:
    calls = [part(name, id=f"c{index}", args=arguments) for index, (name, arguments) in enumerate(made)]
    at = draw(st.integers(0, len(calls)))
    return candidate(*calls), [candidate(*calls[:at]), candidate(*calls[at:])]


def leaves(value: Any, path: str = "$") -> Iterator[tuple[str, Any]]:
    """Every value that is no container, with its path; an empty container has none, so there must be none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}[{json.dumps(key)}]")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{index}]")
    else:
        yield path, value


def without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_empty(inner) for key, inner in value.items() if inner not in ({}, [])} or None
    if isinstance(value, list):
        return [without_empty(inner) for inner in value] or None
    return value


def vertex_split(draw: st.DrawFn, made: list[tuple[str, dict[str, Any]]]) -> tuple[Any, list[Any]]:
    words = {bool: "boolValue", int: "numberValue", float: "numberValue", type(None): "nullValue"}
    made = [(name, {"k": without_empty(arguments)}) for name, arguments in made]
    events = []
    for index, (name, arguments) in enumerate(made):
        events.append(candidate(part(name, id=f"c{index}", willContinue=True)))
        for path, value in leaves(arguments):
            if isinstance(value, str):
                found = [string(path, piece, willContinue=True) for piece in pieces(draw, value)]
            else:
                found = [{"jsonPath": path, words[type(value)]: value}]
            events += [candidate(part(partialArgs=[one], willContinue=True)) for one in found]
        events.append(candidate(part()))
    return candidate(*(part(name, id=f"c{i}", args=args) for i, (name, args) in enumerate(made))), events


SPLITS: dict[str, tuple[Calls, Callable[..., tuple[Any, list[Any]]]]] = {
    "chat": (OPENAI, chat_split),
    "responses": (OPENAI, responses_split),
    "anthropic": (ANTHROPIC, anthropic_split),
    "gemini": (GEMINI, gemini_split),
    "vertex": (GEMINI, vertex_split),
    "interactions": (GEMINI, interactions_split),
}


@for_each("name", SPLITS)
@given(data=st.data())
def test_any_split_gives_what_the_whole_gives(name: str, data: st.DataObject) -> None:
    calls, split = SPLITS[name]
    made = data.draw(MADE)
    whole, events = split(data.draw, made)
    expected = calls.parse(whole)
    assert [call.name for call in expected] == [name for name, _ in made]
    assert name == "vertex" or [call.arguments for call in expected] == [arguments for _, arguments in made]
    assert streamed(calls, events) == expected


# -- the vendors' own objects --------------------------------------------------------------------------------

USAGE = {"input_tokens": 1, "output_tokens": 1}
CHAT_ENVELOPE = {"id": "x", "created": 1, "model": "m"}
RESPONSE_ENVELOPE = {
    "id": "x",
    "created_at": 1,
    "model": "m",
    "object": "response",
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}
MESSAGE_ENVELOPE = {"id": "x", "type": "message", "model": "m", "stop_sequence": None, "usage": USAGE}


def test_objects_of_the_openai_client_are_read() -> None:
    data = chat_message(chat_call("c1", "f", TEXT), chat_custom("c2", "g", "t"))
    whole = openai_chat.ChatCompletion.model_validate({**CHAT_ENVELOPE, "object": "chat.completion", **data})
    assert OPENAI.parse(whole) == [TOOL_CALL, ToolCall("c2", "g", {"input": "t"}, kind="custom")]
    chunks = [{**CHAT_ENVELOPE, "object": "chat.completion.chunk", **chunk} for chunk in STREAMS["chat"][1][:-1]]
    assert streamed(OPENAI, [openai_chat.ChatCompletionChunk.model_validate(chunk) for chunk in chunks]) == [TOOL_CALL]

    output = WHOLE["responses, namespace and caller"]
    assert OPENAI.parse(openai_responses.Response.model_validate({**RESPONSE_ENVELOPE, **output[1]})) == output[2]
    events = STREAMS["responses"][1][3:-1]
    adapter = pydantic.TypeAdapter(openai_responses.ResponseStreamEvent)
    events = [adapter.validate_python({"sequence_number": 1, "item_id": "i", **event}) for event in events]
    assert streamed(OPENAI, events) == [RESPONSES_CALL]


def test_objects_of_the_anthropic_client_are_read() -> None:
    data = {**MESSAGE_ENVELOPE, **message({"type": "text", "text": "t"}, tool_use("c1", "f", SOME))}
    assert ANTHROPIC.parse(anthropic_types.Message.model_validate(data)) == [TOOL_CALL]
    events = STREAMS["anthropic"][1][1:-2]
    adapter = pydantic.TypeAdapter(anthropic_types.RawMessageStreamEvent)
    events = [adapter.validate_python(event) for event in events if event["type"] != "ping"]
    assert streamed(ANTHROPIC, events) == [TOOL_CALL]


def test_objects_of_the_gemini_client_are_read() -> None:
    signed = {**part("f", args=SOME), "thoughtSignature": "AAEC"}
    whole = gemini_types.GenerateContentResponse.model_validate(candidate(signed, part("g", id="c1")))
    assert GEMINI.parse(whole) == [ToolCall("f", "f", SOME), ToolCall("c1", "g", {})]
    assert GEMINI.parse({"candidates": whole.candidates}) == GEMINI.parse(whole)
    _, chunks, expected = STREAMS["gemini, parts"]
    found = [gemini_types.GenerateContentResponse.model_validate(chunk) for chunk in chunks]
    assert streamed(GEMINI, found) == expected

    start_event = gemini_interactions.StepStart.model_validate(step_start(STEP))
    delta_event = gemini_interactions.StepDelta.model_validate(step_delta(TEXT))
    stop_event = gemini_interactions.StepStop.model_validate({"event_type": "step.stop", "index": 0})
    expected = [TOOL_CALL._replace(kind="function_call")]
    assert streamed(GEMINI, [start_event, delta_event, stop_event]) == expected


def test_objects_of_the_mcp_client_are_read() -> None:
    params = mcp_types.CallToolRequestParams(name="f", arguments=SOME)
    assert MCP.parse(params) == MCP.parse(mcp_types.CallToolRequest(params=params)) == [ToolCall("f", "f", SOME)]
    request = mcp_types.JSONRPCRequest(jsonrpc="2.0", id=1, method="tools/call", params={"name": "f"})
    assert MCP.parse(request) == [ToolCall("1", "f", {})]


def a_completion(*calls: Any, **message: Any) -> Any:
    words = {"role": "assistant", "content": None, **message}
    if calls:
        words["tool_calls"] = list(calls)
    choice = {"index": 0, "finish_reason": "tool_calls", "message": words}
    return openai_chat.ChatCompletion.model_validate(
        {**CHAT_ENVELOPE, "object": "chat.completion", "choices": [choice]}
    )


def a_response(*output: Any, **more: Any) -> Any:
    return openai_responses.Response.model_validate({**RESPONSE_ENVELOPE, "output": list(output), **more})


def a_message(*blocks: Any, stop_reason: str = "tool_use") -> Any:
    return anthropic_types.Message.model_validate({**MESSAGE_ENVELOPE, **message(*blocks, stop_reason=stop_reason)})


def a_generation(data: Any) -> Any:
    return gemini_types.GenerateContentResponse.model_validate(data)


# What makes a vendor's own object -> for each call its id, its name, and whether it can run; `None`: no response.
VENDOR_OBJECTS: dict[str, tuple[Calls, Callable[[], Any], list[tuple[str, str, bool]] | None]] = {
    "chat, damaged": (
        OPENAI,
        lambda: a_completion(chat_call("c1", "f", '{"a": '), chat_call("c2", "g", TEXT)),
        [("c1", "f", False), ("c2", "g", True)],
    ),
    "chat, nothing": (OPENAI, lambda: a_completion(chat_call("c1", "f", "")), [("c1", "f", True)]),
    "chat, legacy": (OPENAI, lambda: a_completion(function_call={"name": "f", "arguments": "{}"}), None),
    "responses, cut off": (
        OPENAI,
        lambda: a_response(
            function_call("c1", "f", TEXT, status="completed"),
            function_call("c2", "f", TEXT, status="incomplete"),
            status="incomplete",
        ),
        [("c1", "f", True), ("c2", "f", False)],
    ),
    "responses, failed": (
        OPENAI,
        lambda: a_response(status="failed", error={"code": "server_error", "message": "overloaded"}),
        None,
    ),
    "anthropic, cut off": (
        ANTHROPIC,
        lambda: a_message(tool_use("c1", "f", SOME), tool_use("c2", "f", {"a": 1}), stop_reason="max_tokens"),
        [("c1", "f", True), ("c2", "f", False)],
    ),
    "anthropic, failed": (
        ANTHROPIC,
        lambda: anthropic_types.ErrorResponse.model_validate(
            {"type": "error", "request_id": "r", "error": {"type": "overloaded_error", "message": "overloaded"}}
        ),
        None,
    ),
    "gemini, parallel": (
        GEMINI,
        lambda: a_generation(candidate(part("f", args=SOME), part("f", args={}), part("g", id="c3"))),
        [("f", "f", True), ("f#2", "f", True), ("c3", "g", True)],
    ),
    "gemini, blocked": (GEMINI, lambda: a_generation({"promptFeedback": {"blockReason": "SAFETY"}}), None),
    "gemini, malformed": (GEMINI, lambda: a_generation(candidate(finishReason="MALFORMED_FUNCTION_CALL")), None),
    "mcp, damaged": (
        MCP,
        lambda: mcp_types.JSONRPCRequest(
            jsonrpc="2.0", id=1, method="tools/call", params={"name": "f", "arguments": [1]}
        ),
        [("1", "f", False)],
    ),
}


@for_each("name", VENDOR_OBJECTS)
def test_the_vendors_own_objects_are_read_call_by_call(name: str) -> None:
    calls, make, expected = VENDOR_OBJECTS[name]
    found = make()
    if expected is None:
        with pytest.raises(CallError):
            calls.parse(found)
        return
    assert [(call.id, call.name, call.error is None) for call in calls.parse(found)] == expected


# -- the bridge ----------------------------------------------------------------------------------------------

ONE = {
    "openai": (WHOLE["chat"][1], STREAMS["chat"][1]),
    "openai@chat": (WHOLE["chat"][1], STREAMS["chat"][1]),
    "openai@responses": (WHOLE["responses"][1], STREAMS["responses"][1]),
    "anthropic": (WHOLE["anthropic"][1], STREAMS["anthropic"][1]),
    "gemini": (WHOLE["gemini"][1], [WHOLE["gemini"][1]]),
    "mcp": (WHOLE["mcp"][1], [WHOLE["mcp"][1]]),
    "mcp@2025-06-18": (WHOLE["mcp"][1], [WHOLE["mcp"][1]]),
}


@for_each("provider", ONE)
def test_a_call_goes_there_and_back(provider: str) -> None:
    whole, events = ONE[provider]
    builder = ToolCallBuilder(provider)
    found = [*(call for event in events for call in builder.feed(event)), *builder.finish()]
    assert found == parse_tool_calls(provider, whole)
    assert [(call.id, call.name, call.arguments) for call in found] == [("c1", "f", SOME)]
    assert "c1" in json.dumps(tool_result(provider, found[0], {"a": 1})) or provider.startswith("mcp")


def test_every_provider_of_this_test_is_one_of_the_formats() -> None:
    with_calls = {name for name in formats.names() if formats.get(name).provider.calls is not None}
    assert with_calls == set(PROVIDERS)
    for name, calls in PROVIDERS.items():
        assert formats.get(name).provider.calls is calls


def test_an_error_says_who_sent_what() -> None:
    response = {"invalid": 1}
    for provider in PROVIDERS:
        with pytest.raises(CallError) as caught:
            parse_tool_calls(provider, response)
        assert (caught.value.provider, caught.value.response) == (provider, response)
        with pytest.raises(CallError) as caught:
            ToolCallBuilder(provider).feed("x")
        assert (caught.value.provider, caught.value.response) == (provider, "x")
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.provider, again.response) == (str(caught.value), provider, "x")
    builder = ToolCallBuilder("anthropic")
    builder.feed(start(tool_use("c1", "f", {})))
    (call,) = builder.finish()
    assert "the end of the stream" in str(call.error)


@pytest.mark.parametrize("provider", ["atdf", "magic", "openai@9", 7])
def test_a_provider_that_is_none_is_refused(provider: Any) -> None:
    for use in (
        lambda: parse_tool_calls(provider, {}),
        lambda: ToolCallBuilder(provider),
        lambda: tool_result(provider, TOOL_CALL, 1),
    ):
        with pytest.raises(UsageError):
            use()


def test_the_error_is_one_of_ours() -> None:
    assert issubclass(CallError, Error)
    assert CallError("x").code == "bad-call"


# -- one by one ----------------------------------------------------------------------------------------------

BESIDE: dict[str, Any] = {
    "openai": chat_message(chat_call("c1", "f", "{oops"), chat_call("c2", "f", "{}")),
    "openai@responses": {"output": [function_call("c1", "f", "{oops"), function_call("c2", "f", "{}")]},
    "anthropic": message(tool_use("c1", "f", "{oops"), tool_use("c2", "f", {})),
    "gemini": candidate(part("f", id="c1", args="{oops"), part("f", id="c2")),
}


@pytest.mark.parametrize("provider", BESIDE)
def test_the_calls_beside_a_damaged_one_live(provider: str) -> None:
    bad, good = parse_tool_calls(provider, BESIDE[provider])
    assert (bad.id, bad.name, bad.arguments) == ("c1", "f", None)
    assert isinstance(bad.error, CallError)
    assert (good.id, good.name, good.arguments, good.error) == ("c2", "f", {}, None)


@pytest.mark.parametrize("identifier", ["", None, 7])
@pytest.mark.parametrize("provider", ["openai", "openai@responses", "anthropic", "gemini"])
def test_calls_without_ids_get_some(provider: str, identifier: Any) -> None:
    around: dict[str, Any] = {
        "openai": chat_message(chat_call(identifier, "f", "{}"), chat_call(identifier, "g", "{}")),
        "openai@responses": {"output": [function_call(identifier, name, "{}") for name in "fg"]},
        "anthropic": message(tool_use(identifier, "f", {}), tool_use(identifier, "g", {})),
        "gemini": candidate(part("f", id=identifier), part("g", id=identifier)),
    }
    first, second = parse_tool_calls(provider, around[provider])
    assert (first.name, first.error, second.name, second.error) == ("f", None, "g", None)
    assert len({first.id, second.id, ""}) == 3
    assert tool_result(provider, first, 1)


@pytest.mark.parametrize(("identifier", "count"), [("c1", 1), ("", 2), (None, 2)])
@pytest.mark.parametrize("provider", ["openai", "openai@responses", "anthropic"])
def test_a_call_that_is_said_twice_with_its_id_is_one(provider: str, identifier: Any, count: int) -> None:
    around: dict[str, Any] = {
        "openai": chat_message(*[chat_call(identifier, "f", '{"a": 1}')] * 2),
        "openai@responses": {"output": [function_call(identifier, "f", '{"a": 1}')] * 2},
        "anthropic": message(*[tool_use(identifier, "f", {"a": 1})] * 2),
    }
    assert len(parse_tool_calls(provider, around[provider])) == count


def deltas(*calls: Any) -> list[Any]:
    return [*map(chat_chunk, calls), chat_chunk(finish_reason="tool_calls")]


def piece(text: Any, **more: Any) -> dict[str, Any]:
    """A delta: `name` belongs to the function, anything else to the call."""
    function = {"name": more.pop("name")} if "name" in more else {}
    return {**more, "function": {**function, "arguments": text}}


LAX_STREAMS: dict[str, tuple[list[Any], list[Any]]] = {
    "one index, whole": (
        deltas(piece('{"p":1}', index=0, id="a", name="f"), piece('{"p":2}', index=0, id="b", name="f")),
        [{"p": 1}, {"p": 2}],
    ),
    "one index, by turns": (
        deltas(
            piece("", index=0, id="a", name="f"),
            piece("", index=0, id="b", name="g"),
            piece('{"p":', index=0, id="a"),
            piece('{"p":', index=0, id="b"),
            piece("1}", index=0, id="a"),
            piece("2}", index=0, id="b"),
        ),
        [{"p": 1}, {"p": 2}],
    ),
    "one index, the id only at the beginning": (
        deltas(
            piece('{"p":', index=0, id="a", name="f"),
            piece("1}", index=0),
            piece('{"p":', index=0, id="b", name="f"),
            piece("2}", index=0),
        ),
        [{"p": 1}, {"p": 2}],
    ),
    "no index": (
        deltas(piece('{"p":', id="a", name="f"), piece("1}"), piece('{"p":2}', id="b", name="f")),
        [{"p": 1}, {"p": 2}],
    ),
    "null as the index": (
        deltas(piece('{"p":1}', index=None, id="a", name="f"), piece('{"p":2}', index=None, id="b", name="f")),
        [{"p": 1}, {"p": 2}],
    ),
    "an index only at the beginning": (deltas(piece('{"p":', index=0, id="a", name="f"), piece("1}")), [{"p": 1}]),
    "id and name with each piece": (
        deltas(piece('{"p":', index=0, id="a", name="f"), piece("1}", index=0, id="a", name="f")),
        [{"p": 1}],
    ),
    "the name with each piece and no id": (
        deltas(piece('{"p":{}', index=0, name="f"), piece("}", index=0, name="f"), piece("", index=0, name="f")),
        [{"p": {}}],
    ),
    "the id before the name": (
        deltas(
            {"index": 0, "id": "a", "function": None},
            piece('{"p":', index=0, name="f"),
            {"index": 0, "function": None},
            piece("1}", index=0),
            {"index": 1, "id": "b", "function": None},
            piece('{"p":2}', index=1, id="b", name="f"),
        ),
        [{"p": 1}, {"p": 2}],
    ),
    "no id and no index": (
        deltas(piece('{"p":1}', id="", name="f"), piece('{"p":2}', id="", name="f"), piece("{}", name="g")),
        [{"p": 1}, {"p": 2}, {}],
    ),
    "one id for two indexes": (
        deltas(piece('{"p":1}', index=0, id="a", name="f"), piece('{"p":2}', index=1, id="a", name="f")),
        [{"p": 1}, {"p": 2}],
    ),
    "data as arguments": (deltas(piece({"p": 1}, index=0, id="a", name="f")), [{"p": 1}]),
    "null as arguments": (deltas(piece("null", index=0, id="a", name="f")), [{}]),
    "one that is broken": (
        deltas(None, piece("{oops", index=1, id="b", name="f"), piece('{"p":2}', index=2, id="c", name="f")),
        [None, None, {"p": 2}],
    ),
    "pieces of none": (
        deltas(piece('{"p":1}', index=0, id="a", name="f"), piece("{}", index=1)),
        [{"p": 1}, None],
    ),
    "an index for each piece": (  # dirac-run/dirac#215
        deltas(piece("", index=0, id="a", name="f"), piece('{"p":', index=1), piece("1}", index=2)),
        [{"p": 1}],
    ),
    "an index for each piece of two calls": (
        deltas(
            piece("", index=0, id="a", name="f"),
            piece('{"p":1}', index=1),
            piece('{"p":', index=2, id="b", name="f"),
            piece("2}", index=3),
        ),
        [{"p": 1}, {"p": 2}],
    ),
    "an id for each piece": (
        deltas(piece('{"p":', index=0, id="a", name="f"), piece("1}", index=0, id="b"), piece(" ", index=0, id="c")),
        [{"p": 1}],
    ),
    "an index for each piece of a text": (
        deltas(
            {"index": 0, **chat_custom("a", "f", "l")},
            {"index": 1, "custom": {"input": "s"}},
        ),
        [None],  # nothing tells whether a text is whole
    ),
    "data at an index of its own": (
        deltas(piece("", index=0, id="a", name="f"), piece({"p": 1}, index=1)),
        [{"p": 1}],
    ),
    "pieces of one of two": (
        deltas(
            piece("", index=0, id="a", name="f"),
            piece("", index=1, id="b", name="f"),
            piece('{"p":1}', index=2),
            piece('{"p":3}', index=3, id="c", name="f"),
        ),
        [None, None, {"p": 3}],
    ),
    "pieces of one of two, where one had some": (
        deltas(
            piece("", index=0, id="a", name="f"),
            piece('{"p":', index=1),
            piece("{}", index=2, id="b", name="f"),
            piece("1}", index=3),
        ),
        [None, {}],
    ),
    "halves of a character": (
        deltas(piece('{"p": "\ud83c', index=0, id="a", name="f"), piece('\udf78"}', index=0)),
        [{"p": "\U0001f378"}],
    ),
    "Responses, one index": (
        [
            added({**function_call("a", "f", ""), "id": "x"}),
            added({**function_call("b", "f", ""), "id": "y"}),
            {**arguments_delta('{"p":1}'), "item_id": "x"},
            {**arguments_delta('{"p":2}'), "item_id": "y"},
            done({**function_call("a", "f", ""), "id": "x"}),
            done({**function_call("b", "f", ""), "id": "y"}),
        ],
        [{"p": 1}, {"p": 2}],
    ),
    "Responses, no call_id": (
        [done(function_call("", "f", '{"p":1}')), ended(function_call("", "f", '{"p":1}'))],
        [{"p": 1}],
    ),
}


@for_each("name", LAX_STREAMS)
def test_streams_of_lax_servers_give_their_calls(name: str) -> None:
    events, expected = LAX_STREAMS[name]
    calls = streamed(OPENAI, events)
    assert [call.arguments for call in calls] == expected
    assert all(call.id and (call.arguments is not None or call.error) for call in calls)


def test_an_id_that_comes_before_the_name_is_that_of_the_call() -> None:
    events, _ = LAX_STREAMS["the id before the name"]
    assert [call.id for call in streamed(OPENAI, events)] == ["a", "b"]


def test_strays_of_many_calls_are_joined_in_linear_time() -> None:
    text = json.dumps({"p": "}" * 1_000_000})
    pieces_of_calls = [piece(text[:-1], index=0, id="a", name="f"), piece("}x", index=1)]
    for index in range(2, 2000, 2):
        pieces_of_calls += [piece("{}", index=index, id=f"c{index}", name="f"), piece("}", index=index + 1)]
    with within(2):
        calls = streamed(OPENAI, deltas(*pieces_of_calls))
    assert [call.name for call in calls if call.arguments == {}] == ["f"] * 999
    assert calls[0].error is not None


STEP_STOP = {"event_type": "step.stop", "index": 0}
HALVES: dict[str, tuple[Calls, list[Any]]] = {
    "anthropic": (
        ANTHROPIC,
        [start(tool_use("c1", "f", {})), json_delta('{"p": "\ud83c'), json_delta('\udf78"}'), stop()],
    ),
    "gemini": (GEMINI, [*parts_of(string("$.p", "\ud83c"), string("$.p", "\udf78"))]),
    "interactions": (GEMINI, [step_start(STEP), step_delta('{"p": "\ud83c'), step_delta('\udf78"}'), STEP_STOP]),
}


@for_each("name", HALVES)
def test_halves_of_a_character_are_joined(name: str) -> None:
    calls, events = HALVES[name]
    (call,) = streamed(calls, events)
    assert call.arguments == {"p": "\U0001f378"}


@for_each("arguments", ["", '{"a": "x'], ids=["before its arguments", "in its arguments"])
def test_a_call_that_breaks_off_is_told_by_what_cut_it_off(arguments: str) -> None:
    (call,) = parse_tool_calls("openai", chat_message(chat_call("c1", "f", arguments), finish_reason="length"))
    assert call.error is not None
    assert "found finish_reason length; allow more tokens" in call.error.message


AFTER_A_CALL = {
    "a text": [candidate({"text": "Now"}), candidate({"text": " the"}, finishReason="MAX_TOKENS")],
    "the beginning of another call": [candidate(part("g", willContinue=True)), candidate(finishReason="MAX_TOKENS")],
}


@for_each("later_chunks", AFTER_A_CALL.values(), ids=list(AFTER_A_CALL))
def test_a_call_that_more_follows_was_not_cut_off(later_chunks: list[Any]) -> None:
    assert streamed(GEMINI, [candidate(part("f", args=SOME)), *later_chunks])[0] == ToolCall("f", "f", SOME)


def test_calls_of_gemini_beside_broken_ones_live() -> None:
    parts = [part("f"), part(args={}), part("g", willContinue=True), part("h")]
    calls = parse_tool_calls("gemini", candidate(*parts, finishReason="MALFORMED_FUNCTION_CALL"))
    assert [(call.name, call.arguments) for call in calls] == [("f", {}), ("", None), ("g", None), ("h", {})]
