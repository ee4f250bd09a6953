"""Tools of the OpenAI Agents SDK: `wrap_tools` makes them, `read_tool` reads them.

The SDK would rewrite a schema as strict by itself; it is fitted here, and left alone there. With an output schema it
would fail the whole run where a tool answers with a text, as every failure is; it is told none. What a person has to
approve is `needs_approval`, so that a run stops with an interruption. Facts: openai-agents 0.24, tool.py, items.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from toolglot.converter.formats.kit.call_arguments import arguments_of
from toolglot.converter.hub.calls import Image
from toolglot.converter.hub.model import Tool
from toolglot.errors import CallError, ToolFailure
from toolglot.extras import load_package
from toolglot.runtime.adapters.framework_tools import (
    OfferedTool,
    WrapOptions,
    failure_text,
    milliseconds,
    offer_tools,
    parts_of,
    tool_of,
)
from toolglot.runtime.bridge.compilation import Compiled
from toolglot.runtime.bridge.runner_and_approve import Runner


def wrap_tools(
    tools: Tool | Iterable[Tool] | Compiled, provider: str, *, runner: Runner, **options: Unpack[WrapOptions]
) -> list[Any]:
    """Tools as the OpenAI Agents SDK has them.

    Args:
        tools, provider, runner: as for `toolglot.Session`; `provider` is that of the model that is told of the tools.
        **options: those of `toolglot.compile`, and `policy`, `approve` and `context` of `Session`. Without `approve`
            the framework asks for approval.

    Returns:
        A `FunctionTool` for each tool that is offered. What fails is answered with AIP-14's envelope.

    Raises:
        UsageError: the SDK is not installed (code `missing-extra`), or as of `Session`.
    """
    agents = load_package("agents", "openai-agents", "the tools of the OpenAI Agents SDK need")
    wrapped_tools = []
    for offered_tool in offer_tools(tools, provider, runner, framework_asks=True, **options):
        tool = agents.FunctionTool(
            name=offered_tool.name,
            description=offered_tool.description,
            params_json_schema=offered_tool.schema,
            on_invoke_tool=_invoker(offered_tool, agents),
            strict_json_schema=False,
            needs_approval=bool(offered_tool.questions),
            timeout_seconds=offered_tool.timeout,
        )
        tool.strict_json_schema = offered_tool.is_strict  # after it was made, so that the fitted schema stays as it is
        wrapped_tools.append(tool)
    return wrapped_tools


def read_tool(tool: Any) -> Tool:
    """A `FunctionTool` as a tool of the hub."""
    approval = {True: "always", False: None}.get(tool.needs_approval, "conditional")
    extensions = {"agents": {"strict": True}} if tool.strict_json_schema else None
    return tool_of(
        tool.name,
        tool.description,
        tool.params_json_schema,
        None,
        outputs=tool.output_json_schema,
        approval=approval,
        timeout_ms=milliseconds(tool.timeout_seconds),
        extensions=extensions,
    )


def _invoker(offered_tool: OfferedTool, agents: Any) -> Any:
    def picture(image: Image) -> Any:
        return agents.ToolOutputImage(image_url=f"data:{image.media_type};base64,{image.data}")

    async def invoke(ctx: Any, text: str) -> Any:
        try:
            if offered_tool.questions and ctx.is_tool_approved(offered_tool.name, ctx.tool_call_id) is not True:
                raise ToolFailure("this was not approved", "cancelled")
            arguments = arguments_of(text or "{}", offered_tool.name, "")
            return parts_of(await offered_tool.call_async(arguments), picture)
        except CallError as error:
            return failure_text(ToolFailure(str(error), "input_invalid"))
        except ToolFailure as failure:
            return failure_text(failure)

    return invoke
