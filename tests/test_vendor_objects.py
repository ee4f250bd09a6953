"""Tools as the vendors' own packages hold them: `read` takes the objects, and what `model_dump` makes of them."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.converter.conversion.offers import Flatten
from toolglot.errors import ParseError
from vendor import gemini_types, mcp_types, openai_chat, openai_responses

pytestmark = pytest.mark.vendors

DEMO = Path(__file__).parents[1] / "fixtures" / "demo" / "purge.json"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def remove() -> Any:
    hints = mcp_types.ToolAnnotations(destructive_hint=True)
    return mcp_types.Tool(name="rm", description="Remove a file.", input_schema=SCHEMA, annotations=hints)


def declaration() -> Any:
    parameters = gemini_types.Schema(
        type=gemini_types.Type.OBJECT, properties={"path": gemini_types.Schema(type=gemini_types.Type.STRING)}
    )
    return gemini_types.FunctionDeclaration(name="rm", description="Remove a file.", parameters=parameters)


def chat_tool() -> Any:
    function = {"name": "rm", "description": "Remove a file.", "parameters": SCHEMA}
    return openai_chat.ChatCompletionFunctionTool.model_validate({"type": "function", "function": function})


def responses_tool() -> Any:
    return openai_responses.FunctionTool(type="function", name="rm", description="Remove a file.", parameters=SCHEMA)


OBJECTS: dict[str, tuple[str, Callable[[], Any]]] = {
    "tool": ("mcp", remove),
    "answer": ("mcp", lambda: mcp_types.ListToolsResult(tools=[remove()])),
    "declaration": ("gemini", declaration),
    "declarations": ("gemini", lambda: gemini_types.Tool(function_declarations=[declaration()])),
    "chat": ("openai", chat_tool),
    "responses": ("openai", responses_tool),
}
DUMPS: dict[str, Callable[[Any], Any]] = {
    "the object": lambda found: found,
    "in a list": lambda found: [found],
    "in a request": lambda found: {"tools": [found]},
    "dumped": lambda found: found.model_dump(),
    "dumped by alias": lambda found: found.model_dump(by_alias=True),
    "dumped as JSON": lambda found: found.model_dump_json(by_alias=True),
    "dumped without nulls": lambda found: found.model_dump(by_alias=True, exclude_none=True),
}


@for_each("dump", DUMPS.values(), ids=DUMPS)
@for_each(("format", "make"), OBJECTS.values(), ids=OBJECTS)
def test_an_object_and_its_dumps_are_one_tool(format: str, make: Callable[[], Any], dump: Callable[[Any], Any]) -> None:
    found = make()
    if make is OBJECTS["answer"][1] and dump is DUMPS["in a request"]:
        dump = DUMPS["the object"]  # an answer is a container already
    tool = toolglot.read_one(dump(found))
    assert (tool.origin, tool.id, tool.description) == (format, "rm", "Remove a file.")
    assert tool.inputs is not None
    assert tool.inputs["properties"] == SCHEMA["properties"]
    assert tool.destructive is (True if format == "mcp" else None)


@pytest.mark.parametrize("dump", [name for name in DUMPS if not name.startswith("in a ")])
def test_the_answer_of_a_server_without_tools_is_read(dump: str) -> None:
    assert toolglot.read(DUMPS[dump](mcp_types.ListToolsResult(tools=[]))) == []


@for_each("dump", DUMPS.values(), ids=DUMPS)
def test_a_dumped_tool_is_written_as_the_protocol_has_it(dump: Callable[[Any], Any]) -> None:
    [written] = json.loads(toolglot.convert(dump(remove()), "mcp").text)["tools"]
    hints = {"destructiveHint": True}
    assert written == {"name": "rm", "description": "Remove a file.", "inputSchema": SCHEMA, "annotations": hints}


def test_an_object_that_cannot_be_dumped_is_named() -> None:
    class Broken:
        def model_dump(self, **options: Any) -> Any:
            raise RuntimeError

    with pytest.raises(ParseError, match="a Broken that raises RuntimeError"):
        toolglot.read([Broken()])


# -- what compile returns ---------------------------------------------------------------------------------------

COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda found: pickle.loads(pickle.dumps(found)),
}


@for_each("copied", COPIES.values(), ids=COPIES)
@for_each("flatten", ["discrete", "group", "action"])
def test_what_compile_returns_is_copied_and_pickled(flatten: Flatten, copied: Callable[[Any], Any]) -> None:
    compiled = toolglot.compile(toolglot.read(DEMO), "openai", strict=True, flatten=flatten)
    again = copied(compiled)
    assert again.definitions == compiled.definitions
    assert again.report == compiled.report
    for name, exposed in compiled.tools.items():
        twin = copied(exposed)
        assert twin == again.tools[name] == exposed
        assert (twin.leaf, twin.chooser) == (exposed.leaf, exposed.chooser)
        path = exposed.members[-1].leaf.path if exposed.members else None
        sent = compiled.encode(name, {"folder": "Trash"} if "purge" in str(path or name) else {}, path)
        assert again.resolve(name, sent) == compiled.resolve(name, sent)


def test_every_tool_that_google_runs_itself_is_known() -> None:
    own = gemini_types.Tool.model_fields.keys() - {"function_declarations", "mcp_servers"}
    tools = toolglot.read({"tools": [{name: {} for name in own}]}, "gemini")
    assert {tool.id for tool in tools} == own
