"""Results go back in words that the vendors' own types take."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from call_shapes import (
    ANTHROPIC,
    GEMINI,
    MCP,
    OPENAI,
    PROVIDERS,
    RESPONSES_CALL,
    TOOL_CALL,
    nested,
)
from rows import for_each
from toolglot.bridge import tool_result, tool_results
from toolglot.converter.formats.kit.call_results import compact_json
from toolglot.converter.hub.calls import Calls, ToolCall
from toolglot.errors import CallError, UsageError
from untyped import untyped
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

# -- results -------------------------------------------------------------------------------------------------


Size = Enum("Size", {"SMALL": "small"}, type=str)

JAVASCRIPT = [
    ({"a": [1, 2], "b": {"c": None}}, '{"a":[1,2],"b":{"c":null}}'),
    ("success", '"success"'),
    (None, "null"),
    ([1, 2, 3], "[1,2,3]"),
    ((1, "a"), '[1,"a"]'),
    (42, "42"),
    (True, "true"),
    (8.0, "8"),
    (-8.5, "-8.5"),
    (0.1, "0.1"),
    (-0.0, "0"),
    (1e20, "100000000000000000000"),
    (123456789012345680000.0, "123456789012345680000"),
    (1e21, "1e+21"),
    (-1.5e300, "-1.5e+300"),
    (0.0001, "0.0001"),
    (0.00001, "0.00001"),
    (0.000001, "0.000001"),
    (1.5e-6, "0.0000015"),
    (9.5e-7, "9.5e-7"),
    (1e-7, "1e-7"),
    (1.5e-10, "1.5e-10"),
    (5e-324, "5e-324"),
    (123.456, "123.456"),
    (2**70, "1180591620717411303424"),
    (math.nan, '"NaN"'),
    ([math.inf, -math.inf], '["Infinity","-Infinity"]'),
    ('né\n\u2028\x7f\x01"\\', '"né\\n\u2028\x7f\\u0001\\"\\\\"'),
    ("\ud800", '"\\ud800"'),
    ({Size.SMALL: [Size.SMALL]}, '{"small":["small"]}'),
]


@for_each(("value", "text"), JAVASCRIPT, ids=lambda value: repr(value)[:30])
def test_text_is_what_javascript_writes(value: Any, text: str) -> None:
    assert compact_json(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_as_itself(value: float) -> None:
    assert float(compact_json(value)) == value


@for_each("value", [{1: 2}, {"a": {1}}, object(), b"x", nested(100), 10**5000], ids=lambda v: type(v).__name__)
def test_a_result_that_is_not_json_data_is_refused(value: Any) -> None:
    for calls in PROVIDERS.values():
        with pytest.raises(UsageError):
            calls.result(TOOL_CALL, value, None, None)


@pytest.mark.parametrize("error", [1, [], ValueError("x")])
def test_an_error_is_a_text(error: Any) -> None:
    for calls in PROVIDERS.values():
        with pytest.raises(UsageError):
            calls.result(TOOL_CALL, None, error, None)


CUSTOM_RESULT = ToolCall("c1", "f", {"input": ""}, None, "custom_tool_call")
NAMED = RESPONSES_CALL._replace(namespace="n", caller={"type": "direct"})
STEP_CALL = TOOL_CALL._replace(kind="function_call")
TEXT_BLOCK = {"type": "text", "text": '{"a":1}'}

# (calls, call, result, error, version) -> message
RESULTS: dict[str, tuple[Calls, ToolCall, Any, str | None, str | None, Any]] = {
    "chat": (OPENAI, TOOL_CALL, {"a": 1.0}, None, None, {"role": "tool", "tool_call_id": "c1", "content": '{"a":1}'}),
    "chat, text": (
        OPENAI,
        TOOL_CALL,
        "success",
        None,
        "chat",
        {"role": "tool", "tool_call_id": "c1", "content": '"success"'},
    ),
    "chat, error": (
        OPENAI,
        TOOL_CALL,
        None,
        "no",
        None,
        {"role": "tool", "tool_call_id": "c1", "content": '{"error":"no"}'},
    ),
    "chat, both": (
        OPENAI,
        TOOL_CALL,
        1,
        "no",
        None,
        {"role": "tool", "tool_call_id": "c1", "content": '{"error":"no","output":1}'},
    ),
    "chat, asked for": (
        OPENAI,
        RESPONSES_CALL,
        1,
        None,
        "chat",
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
    ),
    "responses, as it came": (
        OPENAI,
        RESPONSES_CALL,
        1,
        None,
        None,
        {"type": "function_call_output", "call_id": "c1", "output": "1"},
    ),
    "responses, asked for": (
        OPENAI,
        TOOL_CALL,
        1,
        None,
        "responses",
        {"type": "function_call_output", "call_id": "c1", "output": "1"},
    ),
    "responses, custom": (
        OPENAI,
        CUSTOM_RESULT,
        1,
        None,
        None,
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "1"},
    ),
    "responses, namespace": (
        OPENAI,
        NAMED,
        1,
        None,
        None,
        {
            "type": "function_call_output",
            "call_id": "c1",
            "output": "1",
            "namespace": "n",
            "caller": {"type": "direct"},
        },
    ),
    "anthropic": (
        ANTHROPIC,
        TOOL_CALL,
        {"a": 1},
        None,
        None,
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": '{"a":1}'}]},
    ),
    "anthropic, error": (
        ANTHROPIC,
        TOOL_CALL,
        None,
        "no",
        None,
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": [{"type": "text", "text": "no"}],
                    "is_error": True,
                }
            ],
        },
    ),
    "anthropic, empty error": (
        ANTHROPIC,
        TOOL_CALL,
        {"a": 1},
        "",
        None,
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": [{"type": "text", "text": "the tool failed without a message"}, TEXT_BLOCK],
                    "is_error": True,
                }
            ],
        },
    ),
    "anthropic, toolset": (
        ANTHROPIC,
        TOOL_CALL._replace(namespace="n"),
        1,
        None,
        None,
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "toolset_name": "n", "content": "1"}],
        },
    ),
    "gemini": (
        GEMINI,
        TOOL_CALL,
        {"a": 1.0},
        None,
        None,
        {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": {"a": 1}}}]},
    ),
    "gemini, no id": (
        GEMINI,
        ToolCall("f", "f", {}),
        {"a": 1},
        None,
        None,
        {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"a": 1}}}]},
    ),
    "gemini, primitive": (
        GEMINI,
        TOOL_CALL,
        "x",
        None,
        None,
        {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": {"output": "x"}}}]},
    ),
    "gemini, a reference": (
        GEMINI,
        TOOL_CALL,
        {"a": [{"$ref": "#/b"}]},
        None,
        None,
        {
            "role": "user",
            "parts": [
                {
                    "functionResponse": {
                        "id": "c1",
                        "name": "f",
                        "response": {"output": '{"a":[{"$ref":"#/b"}]}'},
                    }
                }
            ],
        },
    ),
    "gemini, an error with a reference": (
        GEMINI,
        TOOL_CALL,
        {"$ref": "#/b"},
        "no",
        None,
        {
            "role": "user",
            "parts": [
                {
                    "functionResponse": {
                        "id": "c1",
                        "name": "f",
                        "response": {"error": "no", "output": '{"$ref":"#/b"}'},
                    }
                }
            ],
        },
    ),
    "interactions, a reference": (
        GEMINI,
        STEP_CALL,
        {"$ref": "#/b"},
        None,
        None,
        {"type": "function_result", "call_id": "c1", "name": "f", "result": '{"$ref":"#/b"}'},
    ),
    "gemini, error": (
        GEMINI,
        TOOL_CALL,
        None,
        "no",
        None,
        {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": {"error": "no"}}}]},
    ),
    "interactions": (
        GEMINI,
        STEP_CALL,
        {"a": 1},
        None,
        None,
        {"type": "function_result", "call_id": "c1", "name": "f", "result": {"a": 1}},
    ),
    "interactions, list": (
        GEMINI,
        STEP_CALL,
        [1],
        None,
        None,
        {"type": "function_result", "call_id": "c1", "name": "f", "result": "[1]"},
    ),
    "interactions, error": (
        GEMINI,
        STEP_CALL,
        None,
        "no",
        None,
        {"type": "function_result", "call_id": "c1", "name": "f", "result": {"error": "no"}, "is_error": True},
    ),
    "mcp": (
        MCP,
        TOOL_CALL,
        {"a": 1.0},
        None,
        None,
        {"resultType": "complete", "content": [TEXT_BLOCK], "structuredContent": {"a": 1}},
    ),
    "mcp, list": (
        MCP,
        TOOL_CALL,
        [1],
        None,
        "2026-07-28",
        {"resultType": "complete", "content": [{"type": "text", "text": "[1]"}], "structuredContent": [1]},
    ),
    "mcp, list before": (MCP, TOOL_CALL, [1], None, "2025-11-25", {"content": [{"type": "text", "text": "[1]"}]}),
    "mcp, object before": (
        MCP,
        TOOL_CALL,
        {"a": 1},
        None,
        "2025-06-18",
        {"content": [TEXT_BLOCK], "structuredContent": {"a": 1}},
    ),
    "mcp, nothing": (
        MCP,
        TOOL_CALL,
        None,
        None,
        None,
        {"resultType": "complete", "content": [{"type": "text", "text": "null"}]},
    ),
    "mcp, error": (
        MCP,
        TOOL_CALL,
        {"a": 1},
        "no",
        "2025-06-18",
        {"content": [{"type": "text", "text": "no"}, TEXT_BLOCK], "isError": True},
    ),
}


PNG, WAV = "iVBORw0KGgo=", "UklGRg=="


@cache
def shown() -> Any:
    parts = [
        mcp_types.TextContent(type="text", text='Two "files".'),
        mcp_types.ImageContent(type="image", data=PNG, mimeType="image/png"),
        mcp_types.AudioContent(type="audio", data=WAV, mimeType="audio/wav"),
        mcp_types.EmbeddedResource(
            type="resource", resource=mcp_types.TextResourceContents(uri="file:///a.txt", text="inside")
        ),
        mcp_types.ResourceLink(type="resource_link", name="b", uri="file:///b.txt"),
    ]
    return mcp_types.CallToolResult(content=parts)


def parted() -> Any:
    return mcp_types.CallToolResult(content=[], structuredContent={"a": 1.0})


def broken() -> Any:
    return mcp_types.CallToolResult(content=[mcp_types.TextContent(type="text", text="no such file")], isError=True)


AFTER = ["(audio, audio/wav, which cannot be passed on)", "inside", "b: file:///b.txt"]
IN_WORDS = "\n".join(['Two "files".', "(an image, image/png, which cannot be passed on)", *AFTER])
CHAT, OUTPUT = {"role": "tool", "tool_call_id": "c1"}, {"type": "function_call_output", "call_id": "c1"}
BLOCK = {"type": "tool_result", "tool_use_id": "c1"}
STEP_RESULT = {"type": "function_result", "call_id": "c1", "name": "f"}


def user(block: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": [{**BLOCK, **block}]}


def function_response(**said: Any) -> dict[str, Any]:
    return {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", **said}}]}


def texts(kind: str, image: dict[str, Any]) -> list[dict[str, Any]]:
    first, *rest = [{"type": kind, "text": text} for text in ('Two "files".', *AFTER)]
    return [first, image, *rest]


COUNTED: dict[str, Any] = {
    "content": [{"type": "text", "text": "2 issues listed"}],
    "structuredContent": {"issues": [7, 9]},
}
# Texts that say what the data beside them say; the last two as Python's SDK makes them.
SAID_TWICE: tuple[tuple[list[str], Any], ...] = (
    (['{ "issues": [7.0, 9] }'], {"issues": [7, 9]}),
    (["Found:", '{"n": 1}'], {"n": 1}),
    (["sunny"], {"result": "sunny"}),
    (["sunny\n"], {"content": "sunny\n"}),
    (['[{"wind": 3}]'], {"days": [{"wind": 3}]}),
    (["sunny", "22", '{"wind": 3}'], {"result": ["sunny", 22, {"wind": 3}]}),
)
# What those that take images are told of one that they would refuse.
EMPTY_PICTURES: dict[str, Callable[[str], Any]] = {
    "anthropic": lambda words: user({"content": words}),
    "gemini": lambda words: function_response(response={"output": words}),
    "openai@responses": lambda words: {**OUTPUT, "output": words},
}
# An embedded resource, and what a model is told of it.
RESOURCES: dict[str, tuple[dict[str, Any], str]] = {
    "text in base64": ({"uri": "a:b", "mimeType": "text/x-csharp", "blob": "R3LDvMOfZQ=="}, "Grüße"),
    "json in base64": ({"uri": "a:b", "mimeType": "application/json; charset=utf-8", "blob": "77u/e30="}, "{}"),
    "yaml": ({"uri": "a:b", "mimeType": "application/yaml", "blob": "YTog\nMQ=="}, "a: 1"),
    "text of another encoding": (
        {"uri": "a:b", "mimeType": "text/plain", "blob": "/w=="},
        "(resource, text/plain, a:b, which cannot be passed on)",
    ),
    "bytes": (
        {"uri": "a:b", "mimeType": "application/pdf", "blob": "JVBERg=="},
        "(resource, application/pdf, a:b, which cannot be passed on)",
    ),
    "nothing": ({"uri": "a:b", "text": ""}, "(resource, a:b, which is empty)"),
}
# A tool's own data, which a model is sent whole although MCP has a `content` too.
LIKE_RESULTS = (
    '{"content":[]}',
    '{"content":[{"type":"text","value":"a"}]}',
    '{"content":[{"type":"image","url":"https://a.example/b.png"}]}',
    '{"content":[{"type":"resource","id":5}]}',
    '{"content":[{"name":"a","type":"resource_link"}]}',
    '{"content":[{"text":"a","type":"paragraph"}]}',
    '{"content":[{"text":"a","type":"text"}],"page":1}',
)
# (provider, call, result or what makes it, error) -> message, as `tool_results` has it
TEXTS: dict[str, tuple[str, ToolCall, Any, str | None, Any]] = {
    "chat, text": ("openai", TOOL_CALL, 'a "b"', None, {**CHAT, "content": 'a "b"'}),
    "chat, empty": ("openai", TOOL_CALL, "", None, {**CHAT, "content": ""}),
    "chat, half a character": ("openai", TOOL_CALL, "a\ud800", None, {**CHAT, "content": "a\ufffd"}),
    "gemini, half a character": (
        "gemini",
        TOOL_CALL,
        {"a\ud800": ["\ud83d\ude00", "\udfff"]},
        None,
        function_response(response={"a\ufffd": ["\U0001f600", "\ufffd"]}),
    ),
    "chat, data": ("openai", TOOL_CALL, {"a": 1.0}, None, {**CHAT, "content": '{"a":1}'}),
    **{
        f"chat, mcp {name}": (
            "openai",
            TOOL_CALL,
            {"content": [{"type": "resource", "resource": resource}]},
            None,
            {**CHAT, "content": said},
        )
        for name, (resource, said) in RESOURCES.items()
    },
    "chat, content of its own": (
        "openai",
        TOOL_CALL,
        {"content": ["x"]},
        None,
        {**CHAT, "content": '{"content":["x"]}'},
    ),
    **{
        f"chat, data like a result, {text}": ("openai", TOOL_CALL, json.loads(text), None, {**CHAT, "content": text})
        for text in LIKE_RESULTS
    },
    "chat, no block and a mark": (
        "openai",
        TOOL_CALL,
        {"content": [], "isError": False},
        None,
        {**CHAT, "content": ""},
    ),
    "chat, no block in the client's object": (
        "openai",
        TOOL_CALL,
        lambda: mcp_types.CallToolResult(content=[]),
        None,
        {**CHAT, "content": ""},
    ),
    "chat, mcp": ("openai", TOOL_CALL, shown, None, {**CHAT, "content": IN_WORDS}),
    "chat, mcp as data": (
        "openai",
        TOOL_CALL,
        lambda: shown().model_dump(mode="json", by_alias=True, exclude_unset=True),
        None,
        {**CHAT, "content": IN_WORDS},
    ),
    **{
        f"{provider.removeprefix('openai@')}, an empty picture": (
            provider,
            TOOL_CALL,
            {"content": [{"type": "image", "data": "", "mimeType": "image/png"}]},
            None,
            told("(an image, image/png, which cannot be passed on)"),
        )
        for provider, told in EMPTY_PICTURES.items()
    },
    "chat, mcp data": ("openai", TOOL_CALL, parted, None, {**CHAT, "content": '{"a":1}'}),
    "chat, mcp words and data": (
        "openai",
        TOOL_CALL,
        COUNTED,
        None,
        {**CHAT, "content": '2 issues listed\n{"issues":[7,9]}'},
    ),
    "chat, mcp no text and an empty list": (
        "openai",
        TOOL_CALL,
        {"content": [], "structuredContent": {"result": []}},
        None,
        {**CHAT, "content": '{"result":[]}'},
    ),
    "chat, mcp error with words and data": (
        "openai",
        TOOL_CALL,
        {**COUNTED, "isError": True},
        None,
        {**CHAT, "content": '{"error":"2 issues listed\\n{\\"issues\\":[7,9]}"}'},
    ),
    "chat, mcp an empty text and data": (
        "openai",
        TOOL_CALL,
        {**COUNTED, "content": [{"type": "text", "text": ""}]},
        None,
        {**CHAT, "content": '{"issues":[7,9]}'},
    ),
    **{
        f"chat, mcp the same twice, {structured}": (
            "openai",
            TOOL_CALL,
            {"content": [{"type": "text", "text": text} for text in said], "structuredContent": structured},
            None,
            {**CHAT, "content": "\n".join(said)},
        )
        for said, structured in SAID_TWICE
    },
    "chat, mcp error": ("openai", TOOL_CALL, broken, None, {**CHAT, "content": '{"error":"no such file"}'}),
    "chat, error": ("openai", TOOL_CALL, "so far", "stopped", {**CHAT, "content": '{"error":"stopped\\nso far"}'}),
    "responses, text": ("openai@responses", TOOL_CALL, "a", None, {**OUTPUT, "output": "a"}),
    "responses, mcp": (
        "openai@responses",
        TOOL_CALL,
        shown,
        None,
        {
            **OUTPUT,
            "output": texts(
                "input_text",
                {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{PNG}"},
            ),
        },
    ),
    "anthropic, text": ("anthropic", TOOL_CALL, 'a "b"', None, user({"content": 'a "b"'})),
    "anthropic, mcp": (
        "anthropic",
        TOOL_CALL,
        shown,
        None,
        user(
            {
                "content": texts(
                    "text",
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                )
            }
        ),
    ),
    "anthropic, mcp error": ("anthropic", TOOL_CALL, broken, None, user({"content": "no such file", "is_error": True})),
    "anthropic, mcp error that says nothing": (
        "anthropic",
        TOOL_CALL,
        lambda: mcp_types.CallToolResult(content=[], isError=True),
        None,
        user({"content": "the tool failed without a message", "is_error": True}),
    ),
    "anthropic, mcp error of blanks": (
        "anthropic",
        TOOL_CALL,
        lambda: mcp_types.CallToolResult(content=[mcp_types.TextContent(type="text", text=" \n")], isError=True),
        None,
        user({"content": "the tool failed without a message", "is_error": True}),
    ),
    "gemini, text": ("gemini", TOOL_CALL, "a", None, function_response(response={"output": "a"})),
    "gemini, data": ("gemini", TOOL_CALL, {"a": 1}, None, function_response(response={"a": 1})),
    "gemini, mcp": (
        "gemini",
        TOOL_CALL,
        shown,
        None,
        function_response(
            response={"output": "\n".join(['Two "files".', *AFTER])},
            parts=[{"inlineData": {"mimeType": "image/png", "data": PNG}}],
        ),
    ),
    "gemini, mcp error": ("gemini", TOOL_CALL, broken, None, function_response(response={"error": "no such file"})),
    "interactions, text": ("gemini", STEP_CALL, "a", None, {**STEP_RESULT, "result": "a"}),
    "interactions, mcp": (
        "gemini",
        STEP_CALL,
        shown,
        None,
        {**STEP_RESULT, "result": texts("text", {"type": "image", "data": PNG, "mime_type": "image/png"})},
    ),
    "interactions, mcp error": (
        "gemini",
        STEP_CALL,
        broken,
        None,
        {**STEP_RESULT, "result": "no such file", "is_error": True},
    ),
    "mcp, text": ("mcp", TOOL_CALL, "a", None, {"resultType": "complete", "content": [{"type": "text", "text": "a"}]}),
    "mcp, mcp": (
        "mcp@2025-06-18",
        TOOL_CALL,
        shown,
        None,
        {
            "content": [
                {"type": "text", "text": 'Two "files".'},
                {"type": "image", "data": PNG, "mimeType": "image/png"},
                {"type": "audio", "data": WAV, "mimeType": "audio/wav"},
                {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "inside"}},
                {"type": "resource_link", "name": "b", "uri": "file:///b.txt"},
            ]
        },
    ),
    "mcp, mcp words and data": (
        "mcp",
        TOOL_CALL,
        {
            **COUNTED,
            "_meta": {
                "example.com/trace": "t1",
                "progressToken": 5,
                "io.modelcontextprotocol/serverInfo": {"name": "s"},
                "dev.mcp/x/y": 1,
            },
        },
        None,
        {"resultType": "complete", **COUNTED, "_meta": {"example.com/trace": "t1"}},
    ),
    "mcp, mcp words and a list, for a revision without lists": (
        "mcp@2025-11-25",
        TOOL_CALL,
        {"content": [{"type": "text", "text": "2 listed"}], "structuredContent": [7, 9], "_meta": {"trace": "t1"}},
        None,
        {
            "content": [{"type": "text", "text": "2 listed"}, {"type": "text", "text": "[7,9]"}],
            "_meta": {"trace": "t1"},
        },
    ),
    "mcp, mcp and an error": (
        "mcp@2025-11-25",
        TOOL_CALL,
        {"content": [{"type": "text", "text": "so far"}], "isError": False},
        "stopped",
        {
            "content": [{"type": "text", "text": "stopped"}, {"type": "text", "text": "so far"}],
            "isError": True,
        },
    ),
    "mcp, mcp data": (
        "mcp",
        TOOL_CALL,
        parted,
        None,
        {"resultType": "complete", "content": [TEXT_BLOCK], "structuredContent": {"a": 1}},
    ),
    "mcp, mcp error": (
        "mcp@2025-11-25",
        TOOL_CALL,
        broken,
        None,
        {"content": [{"type": "text", "text": "no such file"}], "isError": True},
    ),
}


@for_each("name", TEXTS)
def test_a_text_goes_as_it_is_and_a_result_of_mcp_is_understood(name: str) -> None:
    provider, call, result, error, expected = TEXTS[name]
    if callable(result):
        result = result()
    assert tool_results(provider, [(call, result, error)]) == [expected]
    assert tool_result(provider, call, result, error, text=True) == expected
    assert json.loads(json.dumps(expected)) == expected
    vendor_takes(name, expected)


SECOND = ToolCall("c2", "g", {})
CUT = ToolCall("c3", "h", None, error=CallError("expected the end"))
MERGED: dict[str, list[list[str]]] = {
    "openai": [["c1"], ["c2"], ["c3"]],
    "openai@responses": [["c1"], ["c2"], ["c3"]],
    "anthropic": [["c1", "c2", "c3"]],
    "gemini": [["c1", "c2", "c3"]],
    "mcp": [[], [], []],
}


@pytest.mark.parametrize("provider", MERGED)
def test_the_results_of_one_response_are_merged_as_the_provider_wants_them(provider: str) -> None:
    messages = tool_results(provider, [(TOOL_CALL, "one"), (SECOND, {"a": 2}), CUT])
    texts = [json.dumps(message) for message in messages]
    assert [[key for key in ("c1", "c2", "c3") if f'"{key}"' in text] for text in texts] == MERGED[provider]
    assert "expected the end" in texts[-1]
    assert tool_results(provider, []) == []
    for message in messages if provider != "mcp" else ():
        vendor_takes({"openai": "chat", "openai@responses": "responses"}.get(provider, provider), message)


@for_each("provider", MERGED)
@for_each(
    "answers",
    [
        *([one] for one in (TOOL_CALL, (TOOL_CALL,), (TOOL_CALL, 1, None, 2), ("c1", 1), "x", None)),
        [(TOOL_CALL._replace(id=untyped(None)), 1)],
        [(TOOL_CALL._replace(name=untyped(7)), 1)],
        None,
        7,
    ],
)
def test_an_answer_that_is_none_is_refused(provider: str, answers: Any) -> None:
    with pytest.raises(UsageError, match="call") as caught:
        tool_results(provider, answers)
    assert caught.value.code == "bad-call"


def strictly(kind: Any, data: Any) -> None:
    pydantic.TypeAdapter(kind).validate_python(data, strict=True, extra="forbid")


def vendor_takes(name: str, data: Any) -> None:
    """Hold a message to the vendor's own type; unknown keys are refused where pydantic lets us ask for that."""
    if name.startswith("chat"):
        strictly(openai_chat.ChatCompletionToolMessageParam, data)
    elif name == "responses, custom":
        strictly(openai_responses.ResponseCustomToolCallOutputParam, data)
    elif name.startswith("responses"):
        strictly(openai_responses.response_input_item_param.FunctionCallOutput, data)
    elif name.startswith("anthropic"):
        pydantic.TypeAdapter(anthropic_types.MessageParam).validate_python(data, extra="forbid")
        adapter = pydantic.TypeAdapter(anthropic_types.ToolResultBlockParam)
        block = adapter.validate_python(data["content"][0], extra="forbid")
        list(block["content"])  # an Iterable is validated as it is walked, by an adapter that must still exist then
    elif name.startswith("gemini"):
        found = gemini_types.Content.model_validate(data)
        assert found.parts
        assert isinstance(found.parts[0].function_response, gemini_types.FunctionResponse)
    elif name.startswith("interactions"):
        gemini_interactions.FunctionResultStep.model_validate(data)
    else:
        found = mcp_types.CallToolResult.model_validate(data)
        assert bool(data.get("isError")) is bool(found.is_error)


@for_each("name", RESULTS)
def test_a_result_is_what_the_vendor_takes(name: str) -> None:
    calls, call, result, error, version, expected = RESULTS[name]
    made = calls.result(call, result, error, version)
    assert made == expected
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    vendor_takes(name, made)


def test_an_object_of_a_client_can_be_a_result() -> None:
    block = mcp_types.TextContent(type="text", text="hi")
    assert json.loads(OPENAI.result(TOOL_CALL, [block], None, None)["content"])[0]["text"] == "hi"


def test_a_result_shares_nothing_with_what_was_given() -> None:
    result = {"a": [1]}
    made = GEMINI.result(TOOL_CALL, result, None, None)
    made["parts"][0]["functionResponse"]["response"]["a"].append(2)
    assert result == {"a": [1]}
