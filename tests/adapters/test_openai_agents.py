"""Tools of the OpenAI Agents SDK in runs with a model of ours: `make adapters` runs this with the real package."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import toolglot
from adapters.shared import RESULTS, TOOLS, Runner
from toolglot.adapters import read_tools

pytest.importorskip("agents", reason="the OpenAI Agents SDK is not installed; make adapters")

import agents
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from toolglot.runtime.adapters.openai_agents import wrap_tools

agents.set_tracing_disabled(True)


class Model(agents.Model):
    """Calls a tool once and then says that it is done."""

    def __init__(self, name: str, arguments: str) -> None:
        self.name = name
        self.arguments = arguments
        self.told: list[Any] = []
        self.answers: list[Any] = []

    async def get_response(self, *args: Any, **kwargs: Any) -> Any:
        self.told = kwargs.get("tools") or args[3]
        history = kwargs.get("input") or args[1]
        results = [item["output"] for item in history if item.get("type") == "function_call_output"]
        self.answers += results
        output: Any
        if results:
            text = ResponseOutputText(text="done", type="output_text", annotations=[])
            output = ResponseOutputMessage(
                id="m1", content=[text], role="assistant", status="completed", type="message"
            )
        else:
            output = ResponseFunctionToolCall(
                arguments=self.arguments, call_id="c1", name=self.name, type="function_call", id="f1"
            )
        return agents.ModelResponse(output=[output], usage=agents.Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("these tests ask for whole answers; the framework demands that a model has this method")

    def run(self, tools: list[Any]) -> Any:
        return asyncio.run(agents.Runner.run(agents.Agent(name="a", model=self, tools=tools), "go"))


@pytest.mark.parametrize("strict", [None, True])
def test_a_model_is_told_what_toolglot_says(strict: bool | None) -> None:
    model = Model("find", '{"config": "text"}')
    wrapped = wrap_tools(TOOLS, "openai", runner=Runner(), strict=strict)
    model.run(wrapped)
    compiled = toolglot.compile(TOOLS, "openai", strict=strict)
    for told, definition in zip(model.told, compiled.definitions, strict=True):
        function = definition["function"]
        assert told.name == function["name"]
        assert told.description == function["description"]
        assert told.params_json_schema == function["parameters"]
        assert told.strict_json_schema is function.get("strict", False)
    assert [tool.needs_approval for tool in wrapped] == [False, True]
    assert [tool.timeout_seconds for tool in wrapped] == [5, None]


@pytest.mark.parametrize("name", ["text", "data"])
def test_a_call_comes_home(name: str) -> None:
    runner, model = Runner(), Model("find", json.dumps({"config": name}))
    assert model.run(wrap_tools(TOOLS, "openai", runner=runner)).final_output == "done"
    expected = RESULTS[name]
    assert model.answers == [expected if isinstance(expected, str) else json.dumps(expected, separators=(",", ":"))]
    assert runner.calls == [("find", {"config": name})]


def test_a_picture_reaches_the_model() -> None:
    model = Model("find", '{"config": "picture"}')
    model.run(wrap_tools(TOOLS, "openai", runner=Runner()))
    assert "data:image/png;base64,iVBORw0KGgo=" in repr(model.answers)


REFUSED = {
    "another type": ('{"config": 3}', "input_invalid"),
    "no JSON": ('{"config"', "input_invalid"),
    "a list": ("[]", "input_invalid"),
    "nothing": ("", "input_invalid"),
    "a failure": ('{"config": "not-found"}', "not_found"),
}


@pytest.mark.parametrize(("arguments", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_run_is_told_to_the_model(arguments: str, code: str) -> None:
    runner, model = Runner(), Model("find", arguments)
    model.run(wrap_tools(TOOLS, "openai", runner=runner))
    [answer] = model.answers
    assert json.loads(answer)["error"]["code"] == code


def test_the_framework_asks_for_approval() -> None:
    runner, model = Runner(), Model("erase", '{"disk": "a"}')
    agent = agents.Agent(name="a", model=model, tools=wrap_tools(TOOLS, "openai", runner=runner))

    async def run() -> None:
        stopped = await agents.Runner.run(agent, "go")
        [question] = stopped.interruptions
        assert question.tool_name == "erase"
        assert runner.calls == []
        state = stopped.to_state()
        state.approve(question)
        await agents.Runner.run(agent, state)

    asyncio.run(run())
    assert runner.calls == [("erase", {"disk": "a"})]


def test_no_call_runs_that_the_framework_did_not_ask_about() -> None:
    runner, model = Runner(), Model("erase", '{"disk": "a"}')
    [_, erase] = wrap_tools(TOOLS, "openai", runner=runner)
    erase.needs_approval = False  # whoever takes the mark away does not take the question away
    model.run([erase])
    assert json.loads(model.answers[0])["error"]["code"] == "cancelled"
    assert runner.calls == []


def test_who_gives_approve_is_asked_instead() -> None:
    runner, model = Runner(), Model("erase", '{"disk": "a"}')
    model.run(wrap_tools(TOOLS, "openai", runner=runner, approve=lambda invocation, reasons: True))
    assert runner.calls == [("erase", {"disk": "a"})]


def test_a_tool_is_read() -> None:
    [find, erase] = read_tools(wrap_tools(TOOLS, "openai", runner=Runner()))
    assert (find.id, find.timeout_ms, find.approval, erase.approval) == ("find", 5000, None, "always")
    assert "destructive" in (erase.flags or ())


def test_a_tool_of_its_own_is_read() -> None:
    def find(text: str, most: int = 3) -> str:
        """Find lines."""
        return text

    [tool] = read_tools([agents.function_tool(find, needs_approval=lambda ctx, arguments, call_id: True)])
    assert (tool.id, tool.description, tool.approval) == ("find", "Find lines.", "conditional")
    assert tool.inputs is not None
    assert list(tool.inputs["properties"]) == ["text", "most"]


def test_its_own_function_is_a_tool_of_ours() -> None:
    def find(ctx: agents.RunContextWrapper[int], text: str) -> None: ...

    assert list((toolglot.tool(find).contract.context or {})["properties"]) == ["ctx"]
