"""What callers in Python may give by mistake: every option of every verb refuses it with an error of ours."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toolglot
from rows import for_each, sample
from toolglot import Tool, bridge
from toolglot.adapters import read_tools
from toolglot.converter.conversion.options import CompileOptions, ConvertOptions
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.functions import runner
from toolglot.runtime.functions.definitions import ActionFacts, Facts
from toolglot.runtime.servers.pull import Pulled, ServerOptions
from toolglot.runtime.serving.session_log import SessionLog

RM = Tool(id="rm", description="Remove a file.", destructive=True)
RECORD = {"toolId": "a", "source": "mcp", "safetyTier": "read"}
OLD = {"atip": {"version": "0.4"}, "name": "ls", "version": "1", "description": "L."}
NOWHERE = Path("/nonexistent/file")
COMPILED = toolglot.compile(RM, "openai")
_MAP = {"type": "object", "additionalProperties": {"type": "string"}}
OF_MAP = toolglot.compile(toolglot.Tool(id="ls", inputs={"type": "object", "properties": {"b": _MAP}}), "openai")
SESSION = toolglot.Session(RM, "openai", runner=print)
WRONG_VALUES: list[Any] = [
    None, 5, -1, 0.5, float("nan"), 10**400, "", " ", "zz", "\ud800", "a\0b", b"\xff", [], [None], ["zz"], [[]],
    {}, {"a": 1}, {1: 2}, set(), object(),
]  # fmt: skip


def go_through_records(**arguments: Any) -> None:
    list(toolglot.convert_records(**arguments))


def convert_source(source: Any, **arguments: Any) -> None:
    toolglot.convert(source, **arguments)


def migrate_source(source: Any, **arguments: Any) -> None:
    toolglot.migrate(source, **arguments)


def call_servers(**arguments: Any) -> None:
    async def enter() -> None:
        async with toolglot.call_servers(**arguments):
            pass

    asyncio.run(enter())


def function_to_tool(**arguments: Any) -> None:
    def touch(path: str) -> None:
        """Make a file."""

    toolglot.tool(arguments.pop("function", touch), **arguments)


LEAF = next(leaves_of(RM))
CALL = bridge.ToolCall("c1", "rm", {})
TRUE = Tool(id="true", origin="atip", safety_tier="read")
API = toolglot.read_one({
    "openapi": "3.1.0", "info": {}, "servers": [{"url": "https://{a}.example"}], "paths": {"/a": {"get": {}}}
})  # fmt: skip
# A verb, arguments that it takes, and the options that it has beside its parameters.
CALLS: list[tuple[Callable[..., Any], dict[str, Any], Any]] = [
    (toolglot.read, {"source": RECORD}, ()),
    (toolglot.read_one, {"source": RECORD}, ()),
    (toolglot.detect, {"source": RECORD}, ()),
    (toolglot.check, {"source": RECORD}, ()),
    (toolglot.diff, {"old": RECORD, "new": RM}, ()),
    (toolglot.write, {"tools": RM, "to": "mcp"}, ()),
    (convert_source, {"source": RECORD, "to": "openai"}, ["format", *ConvertOptions.__annotations__]),
    (convert_source, {"source": RECORD, "to": "aip14"}, ["format", *ConvertOptions.__annotations__]),
    (migrate_source, {"source": OLD}, ["to", "format", "kind", "fill"]),
    (
        go_through_records,
        {"records": [RECORD], "to": "mcp"},
        ["format", "name", "first", "limits", *ConvertOptions.__annotations__],
    ),
    (toolglot.compile, {"tools": RM, "provider": "openai"}, CompileOptions.__annotations__),
    (toolglot.count_tokens, {"tools": RM, "provider": "openai"}, CompileOptions.__annotations__),
    (toolglot.Session, {"tools": RM, "provider": "openai", "runner": print}, CompileOptions.__annotations__),
    (SESSION.handle, {"response": {}}, ()),
    (SESSION.call, {"name": "rm", "arguments": {}}, ()),
    (COMPILED.resolve, {"name": "rm", "arguments": {}}, ()),
    (COMPILED.encode, {"name": "rm", "arguments": {}}, ()),
    (lambda b: OF_MAP.resolve("ls", {"b": b}), {"b": {}}, ()),
    (lambda b: OF_MAP.encode("ls", {"b": b}), {"b": {}}, ()),
    (OF_MAP.resolve, {"name": "ls", "arguments": {}}, ()),
    (function_to_tool, {}, ["function", "input_schema", "context_schema"]),
    (toolglot.define_tool, {"id": "a", "description": "A."}, Facts.__annotations__),
    (toolglot.define_action, {"id": "a:b", "description": "A."}, ActionFacts.__annotations__),
    (toolglot.discover, {"paths": [NOWHERE]}, ()),
    (toolglot.pull, {"target": NOWHERE}, ServerOptions.__annotations__),
    (toolglot.pull, {"target": "http://127.0.0.1:1/mcp", "timeout": 0.1}, ServerOptions.__annotations__),
    (call_servers, {"target": NOWHERE, "lock": NOWHERE}, ["target", "lock", *ServerOptions.__annotations__]),
    (bridge.approval_settings, {"served": COMPILED, "provider": "openai"}, ()),
    (bridge.argv, {"tool": TRUE, "arguments": {}}, ()),
    (bridge.batches, {"calls": [LEAF]}, ()),
    (bridge.conflicts, {"calls": [LEAF]}, ()),
    (bridge.Delegation, {"rules": {}}, ()),
    (bridge.exposed, {"tools": [RM]}, ()),
    (bridge.parse_tool_calls, {"provider": "openai", "response": {}}, ()),
    (bridge.Policy.from_json, {"data": {}}, ()),
    (bridge.request, {"tool": API, "arguments": {}}, ()),
    (bridge.ResultFilter, {}, ()),
    (bridge.ResultFilter().filter, {"text": "a"}, ()),
    (bridge.run, {"tool": TRUE, "arguments": {}, "program": "/bin/true", "confirm": print, "as_root": True}, ()),
    (bridge.safety_prompt, {"tools": [RM]}, ()),
    (bridge.tool_result, {"provider": "openai", "call": CALL, "result": 1}, ()),
    (bridge.tool_results, {"provider": "openai", "answers": [(CALL, 1)]}, ()),
    (bridge.ToolContext.from_json, {"data": {}}, ()),
    (bridge.ToolContext().available, {"tools": [RM]}, ()),
    (bridge.Validator, {"tools": [RM]}, ()),
    (bridge.Validator([RM]).validate, {"name": "rm", "arguments": {}}, ()),
    (read_tools, {"objects": []}, ()),
    (runner, {"functions": []}, ()),
]


@pytest.mark.filterwarnings("ignore:.* matches no tool")
@for_each("call, arguments, options", CALLS)
def test_no_error_comes_from_inside(call: Callable[..., Any], arguments: dict[str, Any], options: Any) -> None:
    parameters = inspect.signature(call).parameters.values()
    names = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    for number, name in enumerate(dict.fromkeys([*names, *options])):
        for value in sample(WRONG_VALUES, 2, number):
            try:
                call(**{**arguments, name: value})
            except toolglot.Error:
                continue
            except Exception as error:
                raise AssertionError(f"{name}={value!r}") from error


# A text would count as true, and each letter of it as a text of its own.
REFUSED: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (convert_source, {"source": RECORD, "to": "mcp", "only": 5}),
    (convert_source, {"source": RECORD, "to": "mcp", "lossless": "no"}),
    (toolglot.compile, {"tools": RM, "provider": "openai", "strict": "no"}),
    (toolglot.compile, {"tools": RM, "provider": "openai", "read_only": "no"}),
    (toolglot.check, {"source": RECORD, "select": None}),
    (toolglot.pull, {"target": NOWHERE, "yes": "no"}),
    (toolglot.pull, {"target": "http://127.0.0.1:1/", "headers": "Bearer abc"}),
    (go_through_records, {"records": "one text", "to": "mcp"}),
    (toolglot.Session, {"tools": RM, "provider": "openai", "runner": print, "log": print}),
    (bridge.request, {"tool": API, "arguments": {}, "variables": {"a": 8080}}),
    (bridge.run, {"tool": TRUE, "arguments": {}, "confirm": print, "as_root": "no"}),
    (SessionLog, {"path": "a\0b"}),
    (SessionLog, {"path": None}),
    (Pulled(()).pin, {"path": "a\0b"}),
    (Pulled(()).compare, {"path": None}),
]


@for_each("call, arguments", REFUSED)
def test_a_value_of_another_type_is_refused(call: Callable[..., Any], arguments: dict[str, Any]) -> None:
    with pytest.raises(toolglot.Error) as caught:
        call(**arguments)
    assert caught.value.code == "bad-option"
    assert "Bearer" not in str(caught.value), "it may be a secret"


def test_a_path_and_a_rule_may_stand_alone() -> None:
    assert toolglot.discover("/nonexistent/file").problems[0].source == "/nonexistent/file"
    assert toolglot.check(RECORD, select="schema-*") == []
