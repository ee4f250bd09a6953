"""A server of the protocol's own library, as a program or an object of the test's process."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server

PAGE = 2
_SCHEMA = {"type": "object", "properties": {"n": {"type": "integer", "default": None}}}
_HINTS = types.ToolAnnotations(destructive_hint=True)
TOOLS = [
    types.Tool(name=f"tool_{number}", description="Count.", input_schema=_SCHEMA, annotations=_HINTS)
    for number in range(5)
]


async def list_tools(context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    start = int(params.cursor) if params and params.cursor else 0
    more = str(start + PAGE) if start + PAGE < len(TOOLS) else None
    return types.ListToolsResult(tools=TOOLS[start : start + PAGE], next_cursor=more)


def make_server() -> Server[Any]:
    return Server("typical", version="3.1", instructions="Count with care.", on_list_tools=list_tools)


if __name__ == "__main__":
    import anyio
    from mcp.server.stdio import stdio_server

    async def main() -> None:
        server = make_server()
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(main)
