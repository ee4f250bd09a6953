"""A server for clients in other languages: `python served_tools.py` serves over stdio."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from toolglot import Tool, ToolFailure
from toolglot.adapters import mcp

HARMLESS: dict[str, Any] = {
    "safety_tier": "read",
    "destructive": False,
    "reversible": True,
    "subprocess": False,
    "billable": False,
    "deletes_files": False,
}
N = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TOOLS = [
    *(Tool(id=name, description=name, outputs=N, **HARMLESS) for name in ("count", "breaks", "fails", "refuses")),
    Tool(id="say", description="say", outputs={"type": "string"}, **HARMLESS),
    Tool(id="erase", description="erase", destructive=True),
]
RESULTS: dict[str, Any] = {
    "count": '{"n": 1}\n',
    "breaks": {"m": 1},
    "refuses": {"content": [], "structuredContent": {"code": "RATE"}, "isError": True},
    "say": "hello",
    "erase": "erased",
}


def run(call: Any) -> Any:
    if call.tool.id not in RESULTS:
        raise ToolFailure("no such file", "not_found")
    return RESULTS[call.tool.id]


def make_server() -> Server[Any]:
    served = mcp.wrap_tools(TOOLS, "mcp", runner=run)
    return Server("tests", on_list_tools=served.list_tools, on_call_tool=served.call_tool)


async def serve_stdio() -> None:
    server = make_server()
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(serve_stdio)
