"""Servers of the protocol's own library: as a program, and over HTTP in a thread of the test's process."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
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


App = Callable[..., Awaitable[None]]


@contextlib.contextmanager
def serving(app: App) -> Iterator[str]:
    """The address of an application that is served until the block ends."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)


if __name__ == "__main__":
    import anyio
    from mcp.server.stdio import stdio_server

    async def main() -> None:
        server = make_server()
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(main)
