"""FastMCP's tools on a server with a client: `make adapters` runs this with the real package."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest

import toolglot
from adapters.shared import ERASE, FIND, RESULTS, TOOLS, AsyncRunner, Runner
from toolglot.adapters import read_tools
from toolglot.errors import UsageError
from toolglot.runtime.adapters.fastmcp import wrap_tools

pytest.importorskip("fastmcp", reason="FastMCP is not installed; make adapters")

import fastmcp


async def with_client(tools: list[Any], use: Any) -> Any:
    server = fastmcp.FastMCP("tests")
    for tool in tools:
        server.add_tool(tool)
    async with fastmcp.Client(server) as client:
        return await use(client)


def call(tools: list[Any], name: str, arguments: dict[str, Any]) -> Any:
    return asyncio.run(with_client(tools, lambda client: client.call_tool(name, arguments, raise_on_error=False)))


def test_a_client_is_told_what_toolglot_says() -> None:
    wrapped = wrap_tools(TOOLS, "mcp", runner=Runner())
    listed = asyncio.run(with_client(wrapped, lambda client: client.list_tools()))
    shown = {tool.name: tool for tool in listed}
    for definition in toolglot.compile(TOOLS, "mcp").definitions:
        tool = shown.pop(definition["name"])
        told = tool.model_dump(by_alias=True, exclude_none=True)
        assert {key: value for key, value in told.items() if key in definition} == definition
    assert shown == {}


@pytest.mark.parametrize("runner", [Runner(), AsyncRunner()], ids=["at once", "asynchronous"])
@pytest.mark.parametrize("name", ["data"])
def test_a_call_comes_home(name: str, runner: Runner) -> None:
    result = call(wrap_tools(TOOLS, "mcp", runner=runner), "find", {"config": name})
    assert result.structured_content == RESULTS[name]
    assert runner.calls[-1] == ("find", {"config": name})


def test_a_picture_reaches_the_client() -> None:
    plain = msgspec.structs.replace(FIND, outputs=None)
    result = call(wrap_tools(plain, "mcp", runner=Runner()), "find", {"config": "picture"})
    assert [block.type for block in result.content] == ["text", "image"]


REFUSED = {
    "another type": ({"config": 3}, "input_invalid"),
    "a key that is not known": ({"config": "a", "x": 1}, "input_invalid"),
    "a failure": ({"config": "not-found"}, "not_found"),
}


@pytest.mark.parametrize(("arguments", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_run_is_an_error_of_the_tool(arguments: dict[str, Any], code: str) -> None:
    result = call(wrap_tools(TOOLS, "mcp", runner=Runner()), "find", arguments)
    assert result.is_error
    assert json.loads(result.content[0].text)["error"]["code"] == code


def test_approval_is_asked_for() -> None:
    runner = Runner()
    assert call(wrap_tools(TOOLS, "mcp", runner=runner), "erase", {"disk": "a"}).is_error
    approving = wrap_tools(TOOLS, "mcp", runner=runner, approve=lambda invocation, reasons: True)
    assert not call(approving, "erase", {"disk": "a"}).is_error
    assert runner.calls == [("erase", {"disk": "a"})]


def test_the_definitions_of_another_provider_are_refused() -> None:
    with pytest.raises(UsageError, match="openai is not the format of this protocol"):
        wrap_tools(TOOLS, "openai", runner=Runner())


def test_a_tool_is_read() -> None:
    [find, erase] = read_tools(wrap_tools(TOOLS, "mcp", runner=Runner()))
    assert (find.id, find.description, find.inputs) == ("find", FIND.description, FIND.inputs)
    assert erase.destructive is ERASE.destructive


def test_a_tool_of_its_own_is_read() -> None:
    def find(text: str, context: fastmcp.Context) -> str:
        """Find lines."""
        return text

    [tool] = read_tools([fastmcp.tools.Tool.from_function(find, annotations={"destructiveHint": True})])
    assert (tool.id, tool.description, tool.destructive) == ("find", "Find lines.", True)
    assert list((toolglot.tool(find).contract.context or {})["properties"]) == ["context"]
