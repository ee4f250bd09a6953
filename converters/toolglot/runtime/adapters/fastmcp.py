"""FastMCP's tools, for a server that has others as well: `wrap_tools` makes them, `read_tool` reads them.

FastMCP leaves the validation of arguments to the tool; here toolglot does it. It has no place for approval: `approve`
is asked. Facts: fastmcp 4.1, tools/base.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

from toolglot.converter.conversion.sources import read_one
from toolglot.converter.hub.model import Tool
from toolglot.errors import UsageError
from toolglot.extras import load_package
from toolglot.runtime.adapters.framework_tools import WrapOptions, offer_tools
from toolglot.runtime.bridge.compilation import Compiled
from toolglot.runtime.bridge.runner_and_approve import Runner

if TYPE_CHECKING:
    from fastmcp.tools import Tool as FastMCPTool


def wrap_tools(
    tools: Tool | Iterable[Tool] | Compiled, provider: str, *, runner: Runner, **options: Unpack[WrapOptions]
) -> list[FastMCPTool]:
    """Tools as FastMCP's; `server.add_tool` takes them.

    Args:
        tools, runner: as for `toolglot.Session`.
        provider: the format of the protocol, with a revision if its clients are older ones.
        **options: those of `toolglot.compile`, and `policy`, `approve` and `context` of `Session`.

    Raises:
        UsageError: FastMCP is not installed (code `missing-extra`), `provider` is another one (`bad-option`), or as of
            `Session`.
    """
    tool_class = _tool_class()
    types = load_package("mcp_types", "fastmcp", "FastMCP's tools need")
    wrapped_tools = []
    for offered_tool in offer_tools(tools, provider, runner, **options):
        definition = protocol_tool(types, offered_tool.definition, provider)
        wrapped_tools.append(
            tool_class(
                name=definition.name,
                title=definition.title,
                description=definition.description,
                parameters=definition.input_schema,
                output_schema=definition.output_schema,
                annotations=definition.annotations,
                meta=definition.meta,
                tags=set(offered_tool.tool.tags or ()),
                timeout=offered_tool.timeout,
                offered=offered_tool,
            )
        )
    return wrapped_tools


def read_tool(tool: Any) -> Tool:
    """One of FastMCP's tools as a tool of the hub: what its clients see of it."""
    return read_one(tool.to_mcp_tool())


def protocol_tool(types: Any, definition: dict[str, Any], provider: str) -> Any:
    """A definition as an object of the protocol's package.

    Raises:
        UsageError: it is the definition of another provider; code `bad-option`.
    """
    try:
        return types.Tool.model_validate(definition)
    except ValueError:
        message = f"{provider} is not the format of this protocol, and its tools cannot be told as {provider} has them"
        raise UsageError(message, code="bad-option") from None


def protocol_result(types: Any, message: dict[str, Any]) -> Any:
    """A result as an object of the protocol's package; what a server said that is none is an error."""
    try:
        return types.CallToolResult.model_validate(message)
    except ValueError:
        text = "the tool answered with a result that is not one of the protocol"
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


@cache
def _tool_class() -> Any:
    fastmcp: Any = load_package("fastmcp.tools", "fastmcp", "FastMCP's tools need")
    types: Any = load_package("mcp_types", "fastmcp", "FastMCP's tools need")

    class WrappedFastMcpTool(fastmcp.Tool):
        """A tool whose calls toolglot carries out."""

        offered: Any = None

        async def run(self, arguments: dict[str, Any]) -> Any:
            session = self.offered.session.without_answers()  # the next call may be another user's
            [message] = await session.handle_async({"name": self.offered.name, "arguments": arguments})
            return fastmcp.base.ToolResult.from_mcp_result(protocol_result(types, message))

    return WrappedFastMcpTool
