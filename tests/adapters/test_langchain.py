"""LangChain's tools: `make adapters` runs this with the real package."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

import pytest

import toolglot
from adapters.shared import ERASE, FIND, RESULTS, TOOLS, AsyncRunner, Runner
from toolglot.adapters import read_tools
from toolglot.runtime.adapters.langchain import wrap_tools

pytest.importorskip("langchain_core.tools", reason="LangChain is not installed; make adapters")

from langchain_core import tools as langchain
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.function_calling import convert_to_openai_tool


def call(tool: Any, **arguments: Any) -> Any:
    return tool.invoke({"type": "tool_call", "id": "c1", "name": tool.name, "args": arguments})


@pytest.mark.parametrize("strict", [None, True])
def test_a_model_is_told_what_toolglot_says(strict: bool | None) -> None:
    wrapped = wrap_tools(TOOLS, "openai", runner=Runner(), strict=strict)
    compiled = toolglot.compile(TOOLS, "openai", strict=strict)
    for tool, definition in zip(wrapped, compiled.definitions, strict=True):
        told = convert_to_openai_tool(tool)["function"]
        expected = {key: value for key, value in definition["function"].items() if key != "strict"}
        assert told == expected
    assert "DESTRUCTIVE" in wrapped[1].description


@pytest.mark.parametrize("name", ["text", "data"])
def test_a_call_comes_home(name: str) -> None:
    runner = Runner()
    [find, _] = wrap_tools(TOOLS, "openai", runner=runner, strict=True)
    message = call(find, config=name, run_manager=None)
    expected = RESULTS[name]
    assert message.content == (expected if isinstance(expected, str) else json.dumps(expected, separators=(",", ":")))
    assert runner.calls[0][0] == "find"
    assert runner.calls[0][1]["config"] == name


def test_a_picture_is_a_block() -> None:
    [find, _] = wrap_tools(TOOLS, "openai", runner=Runner())
    assert [block["type"] for block in call(find, config="picture").content] == ["text", "image"]


REFUSED = {
    "another type": ({"config": 3}, "input_invalid"),
    "a key that is not known": ({"config": "a", "confg": 1}, "input_invalid"),
    "missing": ({}, "input_invalid"),
    "a pattern": ({"config": "-x"}, "input_invalid"),
    "a failure": ({"config": "not-found"}, "not_found"),
}


@pytest.mark.parametrize(("arguments", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_run_is_told_to_the_model(arguments: dict[str, Any], code: str) -> None:
    [find, _] = wrap_tools(TOOLS, "openai", runner=Runner())
    message = call(find, **arguments)
    assert message.status == "error"
    assert json.loads(message.content)["error"]["code"] == code


def test_approval_is_asked_for() -> None:
    runner = Runner()
    [_, erase] = wrap_tools(TOOLS, "openai", runner=runner)
    assert json.loads(call(erase, disk="a").content)["error"]["code"] == "policy_violation"
    [_, erase] = wrap_tools(TOOLS, "openai", runner=runner, approve=lambda invocation, reasons: True)
    assert call(erase, disk="a").content == "done"
    assert runner.calls == [("erase", {"disk": "a"})]


def test_an_asynchronous_runner_is_awaited() -> None:
    runner = AsyncRunner()
    [find, _] = wrap_tools(TOOLS, "openai", runner=runner)
    sent = {"type": "tool_call", "id": "c1", "name": "find", "args": {"config": "text"}}
    assert asyncio.run(find.ainvoke(sent)).content == "a.txt"


def test_a_tool_is_read_back_whole() -> None:
    wrapped = wrap_tools(TOOLS, "openai", runner=Runner())
    assert read_tools(wrapped) == TOOLS


CHANGES = {"description": "Erase a disk, safely.", "name": "wipe"}


@pytest.mark.parametrize(("field", "value"), CHANGES.items())
def test_what_was_changed_since_is_read_as_it_stands(field: str, value: str) -> None:
    [_, erase] = wrap_tools(TOOLS, "openai", runner=Runner())
    setattr(erase, field, value)
    [tool] = read_tools([erase])
    assert (tool.id if field == "name" else tool.description) == value
    assert tool != ERASE


def test_metadata_never_make_a_tool_look_safer() -> None:
    [_, erase] = wrap_tools(TOOLS, "openai", runner=Runner())
    erase.metadata["toolglot"]["tool"] = {"id": "erase", "destructive": False, "approval": "never"}
    [tool] = read_tools([erase])
    assert (tool.destructive, tool.approval) == (None, None)
    assert "destructive" in (tool.flags or ())


def test_a_tool_of_its_own_is_read() -> None:
    def find(text: str, most: int = 3, store: Annotated[Any, langchain.InjectedToolArg] = None) -> str:
        """Find lines. [⚠️ DESTRUCTIVE]

        Args:
            text: what to look for.
            most: how many.
            store: where.
        """
        return text

    [tool] = read_tools([langchain.tool(find, parse_docstring=True)])
    assert (tool.id, tool.description, tool.flags) == ("find", "Find lines.", ("destructive",))
    assert tool.inputs is not None
    assert list(tool.inputs["properties"]) == ["text", "most"]
    assert tool.destructive is None


def test_a_tool_that_is_given_one_text_is_read_as_a_model_is_told_of_it() -> None:
    own = langchain.Tool(name="greet", func=lambda name: f"hello {name}", description="Greet a person by name.")
    [tool] = read_tools([own])
    assert tool.inputs == convert_to_openai_tool(own)["function"]["parameters"]
    assert own.invoke({"__arg1": "Ada"}) == "hello Ada"


def test_its_own_function_is_a_tool_of_ours() -> None:
    def find(text: str, config: RunnableConfig, store: Annotated[Any, langchain.InjectedToolArg]) -> None: ...

    contract = toolglot.tool(find).contract
    assert list((contract.inputs or {})["properties"]) == ["text"]
    assert list((contract.context or {})["properties"]) == ["config", "store"]


def test_the_metadata_hold_the_whole_tool() -> None:
    [find, _] = wrap_tools(TOOLS, "openai", runner=Runner())
    assert find.metadata["toolglot"]["tool"]["safety_tier"] == FIND.safety_tier
    assert find.tags == ["text"]
