"""LangChain's tools: `wrap_tools` makes them, `read_tool` reads them.

LangChain validates nothing against a JSON Schema, and keeps arguments called `config` or `run_manager` to itself; here
they arrive. It has no place for approval: `approve` is asked. Facts: langchain-core 1.7, tools/structured.py, base.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

from toolglot.converter.hub.calls import Content
from toolglot.converter.hub.model import Tool
from toolglot.errors import ToolFailure
from toolglot.extras import load_package
from toolglot.runtime.adapters.framework_tools import (
    WrapOptions,
    extensions_of,
    failure_text,
    offer_tools,
    tool_of,
)
from toolglot.runtime.bridge.compilation import Compiled
from toolglot.runtime.bridge.runner_and_approve import Runner

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_EXTRA = "langchain"
_OF_ONE_TEXT = {"tool_input": {"type": "string"}}  # what LangChain's `Tool` says of a function that is given one text
_TOLD_OF_ONE_TEXT = {
    "type": "object",
    "properties": {"__arg1": {"title": "__arg1", "type": "string"}},
    "required": ["__arg1"],
}
"""The schema that LangChain tells a model of such a function."""


def wrap_tools(
    tools: Tool | Iterable[Tool] | Compiled, provider: str, *, runner: Runner, **options: Unpack[WrapOptions]
) -> list[BaseTool]:
    """Tools as LangChain's.

    Args:
        tools, provider, runner: as for `toolglot.Session`; `provider` is that of the model that is told of the tools.
        **options: those of `toolglot.compile`, and `policy`, `approve` and `context` of `Session`.

    Returns:
        A `BaseTool` for each tool that is offered. What fails is answered with AIP-14's envelope and the status
        `error`. `metadata["toolglot"]` holds the whole tool.

    Raises:
        UsageError: LangChain is not installed (code `missing-extra`), or as of `Session`.
    """
    tool_class = _tool_class()
    return [
        tool_class(
            name=offered_tool.name,
            description=offered_tool.description,
            args_schema=offered_tool.schema,
            metadata=offered_tool.metadata,
            tags=list(offered_tool.tool.tags or ()) or None,
            handle_tool_error=True,
            offered=offered_tool,
        )
        for offered_tool in offer_tools(tools, provider, runner, **options)
    ]


def read_tool(tool: Any) -> Tool:
    """One of LangChain's tools as a tool of the hub."""
    if isinstance(tool.args_schema, dict):
        schema = tool.args_schema
    elif tool.args == _OF_ONE_TEXT:
        schema = _TOLD_OF_ONE_TEXT
    else:
        schema = tool.tool_call_schema.model_json_schema()  # without what LangChain injects
    facts = {"metadata": tool.metadata, "tags": tool.tags, "extras": tool.extras, "return_direct": tool.return_direct}
    extensions = extensions_of(_EXTRA, facts, "LangChain's tools need")
    return tool_of(tool.name, tool.description, schema, tool.metadata, extensions=extensions)


@cache
def _tool_class() -> Any:
    langchain: Any = load_package("langchain_core.tools", _EXTRA, "LangChain's tools need")

    class WrappedLangchainTool(langchain.BaseTool):
        """A tool whose calls toolglot carries out."""

        offered: Any = None

        def _to_args_and_kwargs(self, tool_input: Any, tool_call_id: str | None) -> tuple[tuple[Any], dict[str, Any]]:
            return (tool_input,), {}  # as one argument: no name in it can mean anything to LangChain

        def _run(self, arguments: Any) -> Any:
            try:
                return _blocks(self.offered.call(arguments))
            except ToolFailure as failure:
                raise langchain.ToolException(failure_text(failure)) from failure

        async def _arun(self, arguments: Any) -> Any:
            try:
                return _blocks(await self.offered.call_async(arguments))
            except ToolFailure as failure:
                raise langchain.ToolException(failure_text(failure)) from failure

    return WrappedLangchainTool


def _blocks(content: Content) -> str | list[dict[str, Any]]:
    """A result as the content of a message: a text, or blocks where there are pictures."""
    texts: list[str] = []
    blocks: list[dict[str, Any]] = []
    for part in content.parts:
        if isinstance(part, str):
            texts.append(part)
            blocks.append({"type": "text", "text": part})
        else:
            blocks.append({"type": "image", "base64": part.data, "mime_type": part.media_type})
    return "\n".join(texts) if len(texts) == len(blocks) else blocks
