"""Python functions as tools: `tool` states what a signature and a docstring cannot say."""

from __future__ import annotations

from toolglot.runtime.functions.definitions import define_action, define_tool, defineTool, tool
from toolglot.runtime.functions.signatures import Context
from toolglot.runtime.functions.tool_function import ToolFunction, runner

__all__ = ["Context", "ToolFunction", "defineTool", "define_action", "define_tool", "runner", "tool"]
