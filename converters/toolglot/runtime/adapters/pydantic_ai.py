"""Pydantic AI's tools: `wrap_tools` makes them, `read_tool` reads them.

A tool of `from_schema` has its arguments validated by nobody; here toolglot does. What a person has to approve is
`requires_approval`, so that the agent's run ends in `DeferredToolRequests`. Facts: pydantic-ai-slim 2.68, tools.py.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

from msgspec import UNSET

from toolglot.converter.hub.calls import Image
from toolglot.converter.hub.model import Tool
from toolglot.errors import ToolFailure
from toolglot.extras import load_package
from toolglot.runtime.adapters.framework_tools import (
    OfferedTool,
    WrapOptions,
    extensions_of,
    failure_text,
    milliseconds,
    offer_tools,
    parts_of,
    tool_of,
)
from toolglot.runtime.bridge.compilation import Compiled
from toolglot.runtime.bridge.runner_and_approve import Runner

if TYPE_CHECKING:
    from pydantic_ai import Tool as PydanticTool


def wrap_tools(
    tools: Tool | Iterable[Tool] | Compiled, provider: str, *, runner: Runner, **options: Unpack[WrapOptions]
) -> list[PydanticTool[Any]]:
    """Tools as Pydantic AI's.

    Args:
        tools, provider, runner: as for `toolglot.Session`; `provider` is that of the model that is told of the tools.
        **options: those of `toolglot.compile`, and `policy`, `approve` and `context` of `Session`. Without `approve`
            the framework asks for approval.

    Returns:
        A `Tool` for each tool that is offered. Arguments that are refused are sent back to the model (`ModelRetry`);
        other failures are told to it (`ToolFailed`). `metadata["toolglot"]` holds the whole tool.

    Raises:
        UsageError: Pydantic AI is not installed (code `missing-extra`), or as of `Session`.
    """
    pydantic_ai: Any = load_package("pydantic_ai", "pydantic-ai", "Pydantic AI's tools need")
    wrapped_tools = []
    for offered_tool in offer_tools(tools, provider, runner, framework_asks=True, **options):
        tool = pydantic_ai.Tool.from_schema(
            _function(offered_tool, pydantic_ai),
            offered_tool.name,
            offered_tool.description,
            offered_tool.schema,
            takes_ctx=True,
        )
        tool.requires_approval = bool(offered_tool.questions)
        tool.metadata = {**offered_tool.metadata, "questions": list(offered_tool.questions)}
        tool.timeout = offered_tool.timeout
        wrapped_tools.append(tool)
    return wrapped_tools


def read_tool(tool: Any) -> Tool:
    """One of Pydantic AI's tools, or a `ToolDefinition`, as a tool of the hub."""
    definition = getattr(tool, "tool_def", tool)
    facts = {"strict": definition.strict, "sequential": definition.sequential, "metadata": definition.metadata}
    approval = "always" if definition.kind == "unapproved" else None
    return tool_of(
        definition.name,
        definition.description,
        definition.parameters_json_schema,
        definition.metadata,
        outputs=definition.return_schema,
        approval=approval,
        timeout_ms=milliseconds(definition.timeout),
        extensions=extensions_of("pydantic-ai", facts, "Pydantic AI's tools need"),
    )


def _function(offered_tool: OfferedTool, pydantic_ai: Any) -> Any:
    def picture(image: Image) -> Any:
        return pydantic_ai.BinaryContent(base64.b64decode(image.data), media_type=image.media_type)

    async def call(ctx: Any, /, **arguments: Any) -> Any:
        if offered_tool.questions and not ctx.tool_call_approved:
            raise pydantic_ai.ApprovalRequired({"questions": list(offered_tool.questions)})
        try:
            content = await offered_tool.call_async(arguments)
        except ToolFailure as failure:
            if failure.code == "input_invalid":
                raise pydantic_ai.ModelRetry(failure_text(failure)) from failure
            raise pydantic_ai.ToolFailed(failure_text(failure)) from failure
        if content.structured is not UNSET and len(content.parts) == 1:  # the part is its JSON
            return content.structured
        return parts_of(content, picture)

    return call
