"""Between a model and a tool: policies, calls and results. `toolglot.compile` and `toolglot.Session` use them all."""

from __future__ import annotations

from toolglot.runtime.bridge.approval import approval_settings
from toolglot.runtime.bridge.calls import ToolCall, ToolCallBuilder, parse_tool_calls, tool_result, tool_results
from toolglot.runtime.bridge.command_line.argv import argv
from toolglot.runtime.bridge.concurrency import Conflict, batches, conflicts
from toolglot.runtime.bridge.delegation import Delegation
from toolglot.runtime.bridge.http_requests.request import HttpRequest, request
from toolglot.runtime.bridge.naming import exposed
from toolglot.runtime.bridge.policy import Policy
from toolglot.runtime.bridge.program_calls import PlannedRun, RunResult, run
from toolglot.runtime.bridge.prompt import safety_prompt
from toolglot.runtime.bridge.result_filter import ResultFilter
from toolglot.runtime.bridge.shared_tool_context import RecentCommand, ToolContext
from toolglot.runtime.bridge.validator import Validator
from toolglot.runtime.bridge.violations import Validation, Violation

__all__ = [
    "Conflict",
    "Delegation",
    "HttpRequest",
    "PlannedRun",
    "Policy",
    "RecentCommand",
    "ResultFilter",
    "RunResult",
    "ToolCall",
    "ToolCallBuilder",
    "ToolContext",
    "Validation",
    "Validator",
    "Violation",
    "approval_settings",
    "argv",
    "batches",
    "conflicts",
    "exposed",
    "parse_tool_calls",
    "request",
    "run",
    "safety_prompt",
    "tool_result",
    "tool_results",
]
