"""The pages of a server's list of tools, as one list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from toolglot.errors import LimitError, ReadError
from toolglot.runtime.servers.bounds import Bounds


async def read_tool_pages(ask_page: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]], bounds: Bounds) -> list[Any]:
    """Every tool of every page.

    An empty cursor is a page to some servers, and the end of the list to others: these refuse it, or begin anew.

    Args:
        ask_page: the answer to `tools/list` with these parameters.

    Raises:
        LimitError: the list does not end.
        MCPError: the server refuses.
        ReadError: a page is none. What came before it is not handed on as if it were the whole list.
    """
    tools: list[Any] = []
    params: dict[str, Any] = {}
    earlier_cursors: set[str] = set()
    for _ in range(bounds.pages):
        is_perhaps_over = params == {"cursor": ""}
        try:
            page = await ask_page(params)
        except MCPError as error:
            if is_perhaps_over and error.code == INVALID_PARAMS:
                return tools
            raise
        more, cursor = page.get("tools"), page.get("nextCursor")
        if not isinstance(more, list) or not isinstance(cursor, str | None):
            message = "the server's answer to tools/list holds no list `tools`, or a `nextCursor` that is no text"
            raise ReadError(message, "bad-page")
        if is_perhaps_over and more and more == tools[: len(more)]:
            return tools
        tools += more
        if len(tools) > bounds.tools:
            raise LimitError(f"more than {bounds.tools} tools", "too-many-tools")
        if cursor is None:
            return tools
        if cursor in earlier_cursors:
            raise ReadError("the server's list goes round in circles: a cursor came twice", "endless-list")
        earlier_cursors.add(cursor)
        params = {"cursor": cursor}
    raise LimitError(f"the server's list does not end after {bounds.pages} pages", "endless-list")
