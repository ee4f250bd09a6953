"""Between a model and a tool: what the model sent becomes a call that may run, and its result goes back."""

from __future__ import annotations

from toolglot.bridge.calls import ToolCall, ToolCallBuilder, parse_tool_calls, tool_result, tool_results
from toolglot.bridge.command import argv
from toolglot.bridge.conflicts import Conflict, conflicts
from toolglot.bridge.context import RecentCommand, ToolContext
from toolglot.bridge.delegation import Delegation
from toolglot.bridge.naming import exposed
from toolglot.bridge.policy import Policy, Validator
from toolglot.bridge.prompt import safety_prompt
from toolglot.bridge.redaction import ResultFilter
from toolglot.bridge.violations import Validation, Violation

__all__ = [
    "Conflict",
    "Delegation",
    "Policy",
    "RecentCommand",
    "ResultFilter",
    "ToolCall",
    "ToolCallBuilder",
    "ToolContext",
    "Validation",
    "Validator",
    "Violation",
    "argv",
    "conflicts",
    "exposed",
    "parse_tool_calls",
    "safety_prompt",
    "tool_result",
    "tool_results",
]
