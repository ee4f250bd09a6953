"""Pydantic AI's tools in an agent with a model that is a function: `make adapters` runs this with the real package."""

from __future__ import annotations

import json
from typing import Any

import pytest

import toolglot
from adapters.shared import FIND, RESULTS, TOOLS, Runner
from toolglot.adapters import read_tools
from toolglot.runtime.bridge.invocations import Invocation

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed; make adapters")

import pydantic_ai
from pydantic_ai import messages
from pydantic_ai.models.function import FunctionModel

from toolglot.runtime.adapters.pydantic_ai import wrap_tools


class Model:
    """Calls a tool once and then says what came of it."""

    def __init__(self, name: str, arguments: Any) -> None:
        self.name = name
        self.arguments = arguments
        self.told: list[Any] = []
        self.answers: list[Any] = []

    def __call__(self, history: list[Any], info: Any) -> Any:
        self.told = info.function_tools
        parts = history[-1].parts
        if any(part.part_kind == "user-prompt" for part in parts):
            return messages.ModelResponse([messages.ToolCallPart(self.name, self.arguments, "c1")])
        self.answers = parts
        return messages.ModelResponse([messages.TextPart("done")])

    def agent(self, tools: list[Any]) -> Any:
        outputs = [str, pydantic_ai.DeferredToolRequests]
        return pydantic_ai.Agent(FunctionModel(self), tools=tools, output_type=outputs)


def test_a_model_is_told_what_toolglot_says() -> None:
    model = Model("find", {"config": "text"})
    model.agent(wrap_tools(TOOLS, "openai", runner=Runner())).run_sync("go")
    for told, definition in zip(model.told, toolglot.compile(TOOLS, "openai").definitions, strict=True):
        function = definition["function"]
        assert told.name == function["name"]
        assert told.description == function["description"]
        assert told.parameters_json_schema == function["parameters"]
    assert [told.timeout for told in model.told] == [5, None]
    assert [told.kind for told in model.told] == ["function", "unapproved"]


@pytest.mark.parametrize("name", ["text", "data"])
def test_a_call_comes_home(name: str) -> None:
    runner, model = Runner(), Model("find", {"config": name})
    model.agent(wrap_tools(TOOLS, "openai", runner=runner)).run_sync("go")
    assert model.answers[0].content == RESULTS[name]
    assert runner.calls == [("find", {"config": name})]


def test_a_picture_reaches_the_model() -> None:
    model = Model("find", {"config": "picture"})
    model.agent(wrap_tools(TOOLS, "openai", runner=Runner())).run_sync("go")
    assert "image/png" in repr(model.answers)


REFUSED = {
    "another type": ({"config": 3}, "retried", "input_invalid"),
    "a key that is not known": ({"config": "a", "x": 1}, "retried", "input_invalid"),
    "a failure": ({"config": "not-found"}, "failed", "not_found"),
}


@pytest.mark.parametrize(("arguments", "outcome", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_run_is_told_to_the_model(arguments: dict[str, Any], outcome: str, code: str) -> None:
    model = Model("find", arguments)
    model.agent(wrap_tools(TOOLS, "openai", runner=Runner())).run_sync("go")
    [answer] = model.answers
    assert answer.outcome == outcome
    assert json.loads(answer.content)["error"]["code"] == code


def test_the_framework_asks_for_approval() -> None:
    runner, model = Runner(), Model("erase", {"disk": "a"})
    agent = model.agent(wrap_tools(TOOLS, "openai", runner=runner))
    stopped = agent.run_sync("go")
    assert [call.tool_name for call in stopped.output.approvals] == ["erase"]
    assert runner.calls == []
    decided = pydantic_ai.DeferredToolResults(approvals={"c1": True})
    agent.run_sync(message_history=stopped.all_messages(), deferred_tool_results=decided)
    assert runner.calls == [("erase", {"disk": "a"})]


def test_who_gives_approve_is_asked_instead() -> None:
    runner, model = Runner(), Model("erase", {"disk": "a"})
    asked: list[str] = []

    def approve(call: Invocation, reasons: tuple[str, ...]) -> bool:
        asked.append(call.tool.id)
        return True

    tools = wrap_tools(TOOLS, "openai", runner=runner, approve=approve)
    assert model.agent(tools).run_sync("go").output == "done"
    assert asked == ["erase"]


def test_no_call_runs_that_the_framework_did_not_ask_about() -> None:
    runner, model = Runner(), Model("erase", {"disk": "a"})
    [_, erase] = wrap_tools(TOOLS, "openai", runner=runner)
    erase.requires_approval = False  # whoever takes the mark away does not take the question away
    stopped = model.agent([erase]).run_sync("go")
    assert [call.tool_name for call in stopped.output.approvals] == ["erase"]
    assert runner.calls == []


def test_a_tool_is_read_back_whole() -> None:
    wrapped = wrap_tools(TOOLS, "openai", runner=Runner())
    assert read_tools(wrapped) == TOOLS
    assert read_tools([tool.tool_def for tool in wrapped]) == TOOLS


def test_a_tool_of_its_own_is_read() -> None:
    def find(text: str, most: int = 3) -> str:
        """Find lines."""
        return text

    [tool] = read_tools([pydantic_ai.Tool(find, requires_approval=True, timeout=2.5)])
    assert (tool.id, tool.description, tool.approval, tool.timeout_ms) == ("find", "Find lines.", "always", 2500)
    assert tool.inputs is not None
    assert list(tool.inputs["properties"]) == ["text", "most"]


def test_its_own_function_is_a_tool_of_ours() -> None:
    def find(ctx: pydantic_ai.RunContext[int], text: str) -> str:
        return text

    assert list((toolglot.tool(find).contract.context or {})["properties"]) == ["ctx"]


def test_the_metadata_hold_the_whole_tool() -> None:
    [find, erase] = wrap_tools(TOOLS, "openai", runner=Runner())
    assert find.metadata["toolglot"]["tool"]["safety_tier"] == FIND.safety_tier
    assert erase.metadata["questions"] != []
