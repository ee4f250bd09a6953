"""Tools on a server that the SDK's low-level API makes, with the SDK's client: `make adapters` runs this, too."""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec
from typing import Any

import pytest

import toolglot
from adapters.shared import FIND, RESULTS, TOOLS, AsyncRunner, Runner
from toolglot.adapters import read_tools
from toolglot.converter.hub.model import Tool
from toolglot.errors import UsageError
from toolglot.runtime.adapters.mcp import ServedTools, wrap_tools
from vendor import Later

mcp = Later("mcp")
lowlevel = Later("mcp.server.lowlevel")
pytestmark = [
    pytest.mark.vendors,
    pytest.mark.skipif(find_spec("mcp") is None, reason="the SDK is not installed; make adapters"),
]
MODES = {"the newest revision": "auto", "an older one": "legacy"}
LISTING = Tool(id="list", description="List.", outputs={"type": "array", "items": {"type": "string"}})


async def with_client(served: ServedTools, mode: str, use: Any) -> Any:
    server = lowlevel.Server("tests", on_list_tools=served.list_tools, on_call_tool=served.call_tool)
    async with mcp.Client(server, mode=mode) as client:
        return await use(client)


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_a_client_is_told_what_toolglot_says(mode: str) -> None:
    async def use(client: Any) -> None:
        listed = (await client.list_tools()).tools
        definitions = toolglot.compile([*TOOLS, LISTING], f"mcp@{client.protocol_version}").definitions
        for tool, definition in zip(listed, definitions, strict=True):
            assert tool.model_dump(by_alias=True, exclude_none=True) == definition
        assert ("outputSchema" in definitions[-1]) == (mode == "auto")

    asyncio.run(with_client(wrap_tools([*TOOLS, LISTING], "mcp", runner=Runner()), mode, use))


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
@pytest.mark.parametrize("kind", [Runner, AsyncRunner])
def test_calls_come_home(mode: str, kind: type[Runner]) -> None:
    runner = kind()

    async def use(client: Any) -> None:
        result = await client.call_tool("find", {"config": "data"})
        assert result.structured_content == RESULTS["data"]
        refused = await client.call_tool("find", {"config": 3})
        assert refused.is_error
        assert json.loads(refused.content[0].text)["error"]["code"] == "input_invalid"
        unknown = await client.call_tool("fnd", {})
        assert unknown.is_error
        assert "did you mean" in unknown.content[0].text
        asked = await client.call_tool("erase", {"disk": "a"})
        assert json.loads(asked.content[0].text)["error"]["code"] == "policy_violation"

    asyncio.run(with_client(wrap_tools(TOOLS, "mcp", runner=runner), mode, use))
    assert runner.calls == [("find", {"config": "data"})]


def test_the_definitions_of_another_provider_are_refused() -> None:
    with pytest.raises(UsageError, match="is not the format of this protocol"):
        wrap_tools(TOOLS, "openai", runner=Runner())


def test_a_tool_is_read() -> None:
    [find, erase] = read_tools(wrap_tools(TOOLS, "mcp", runner=Runner()).tools)
    assert (find.id, find.description, find.inputs) == ("find", FIND.description, FIND.inputs)
    assert erase.destructive is True
