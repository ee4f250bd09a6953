"""Between a model and a tool: `compilation.compile` offers tools, and `session.Session` answers calls.

compilation    tools as one request offers them, and the way of a call back to the tool
    naming         the names under which they are offered
    compilation_cache   what was compiled lately, by content
session        the whole loop: offer, judge, run, answer; and the functions and the log by which a host takes part
call_contract  how long a call may last, whether it is tried again, and what its result has to be
calls          from what a model sent to calls, and from results to what it is sent
    failures       why a call came to nothing
violations     what speaks against a call, as the three below say it
    call_policy    what a host allows; it judges arguments and paths, too
    delegation     what a lead agent allows another one
    approval       what a person is asked first
concurrency    which calls must not run at the same time
command_line   a call as the argument vector of a command line
http_requests  a call as an HTTP request, of tools that stand for operations of an API
program_runs   a call carried out by the program that it is for
redaction      secrets out of what a tool returned
prompt         what a model has to know about the dangers of its tools
shared_tool_context  what one agent tells another about its tools
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolglot.bridge.approval import approval_settings
    from toolglot.bridge.call_policy import Policy, Validator
    from toolglot.bridge.calls import ToolCall, ToolCallBuilder, parse_tool_calls, tool_result, tool_results
    from toolglot.bridge.command_line import argv
    from toolglot.bridge.concurrency import Conflict, batches, conflicts
    from toolglot.bridge.delegation import Delegation
    from toolglot.bridge.http_requests import HttpRequest, request
    from toolglot.bridge.naming import exposed
    from toolglot.bridge.program_runs import PlannedRun, RunResult, run
    from toolglot.bridge.prompt import safety_prompt
    from toolglot.bridge.redaction.result_filter import ResultFilter
    from toolglot.bridge.shared_tool_context import RecentCommand, ToolContext
    from toolglot.bridge.violations import Validation, Violation

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

# Imported on first use: to compile a request needs none of them.
_HOME = {
    **dict.fromkeys(("ToolCall", "ToolCallBuilder", "parse_tool_calls", "tool_result", "tool_results"), "calls"),
    "approval_settings": "approval",
    "argv": "command_line",
    **dict.fromkeys(("Conflict", "batches", "conflicts"), "concurrency"),
    **dict.fromkeys(("RecentCommand", "ToolContext"), "shared_tool_context"),
    "Delegation": "delegation",
    "exposed": "naming",
    **dict.fromkeys(("Policy", "Validator"), "call_policy"),
    "safety_prompt": "prompt",
    **dict.fromkeys(("PlannedRun", "RunResult", "run"), "program_runs"),
    "ResultFilter": "redaction.result_filter",
    **dict.fromkeys(("HttpRequest", "request"), "http_requests"),
    **dict.fromkeys(("Validation", "Violation"), "violations"),
}

if not TYPE_CHECKING:  # to a type checker, this would make every misspelled name one of ours

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
