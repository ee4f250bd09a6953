"""The functions of a host: one runs a call, one asks a person about it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from toolglot.converter.safety.reasons_to_ask import ApprovalQuestion
from toolglot.errors import ToolFailure, UsageError
from toolglot.option_checks import require_function
from toolglot.runtime.bridge.approval import ApprovalAnswer, reasons_of
from toolglot.runtime.bridge.invocations import Invocation, with_own_arguments
from toolglot.runtime.bridge.retries import CallAttempts
from toolglot.runtime.bridge.runner_failures import failure_of

ResultT = TypeVar("ResultT")

Runner = Callable[[Invocation], Any]
"""What carries out a call; what it returns, or what comes of it when it is awaited, is the result."""

Approve = Callable[[Invocation, tuple[str, ...]], ApprovalAnswer | Awaitable[ApprovalAnswer]]
"""What asks a person about a call, for the reasons that it is given."""


class HostFunctions:
    """The runner, and `approve` if somebody can be asked. Their exceptions are failures of the call."""

    def __init__(self, runner: Runner, approve: Approve | None) -> None:
        require_function("runner", runner)
        if approve is not None:
            require_function("approve", approve)
        self._runner = runner
        self._approve: Approve = approve or (lambda invocation, reasons: False)
        self.can_ask = approve is not None
        self._keeps_time = getattr(runner, "keeps_time", False) is True

    def refuse_asynchronous(self, alternative: str) -> None:
        """Refuse functions that are declared asynchronous, before anything runs.

        Raises:
            UsageError: one of them is; the message names `alternative`, which would await it.
        """
        if _is_asynchronous(self._runner) or _is_asynchronous(self._approve):
            raise UsageError(f"the runner or `approve` is asynchronous; use {alternative}", code="bad-option")

    async def ask(self, invocation: Invocation, questions: list[ApprovalQuestion], may_wait: bool) -> Any:
        """The answer of `approve`, which may be asynchronous if `may_wait`."""
        try:
            outcome = self._approve(with_own_arguments(invocation), reasons_of(questions))
            if may_wait and inspect.isawaitable(outcome):
                return await outcome
            return _without_waiting(outcome)
        except Exception as error:
            raise ToolFailure(f"approval could not be asked for: {failure_of(error).message}", "internal") from error

    async def run(self, invocation: Invocation, may_wait: bool) -> Any:
        """The result of the runner, which may be asynchronous if `may_wait`."""
        attempts = CallAttempts(invocation.tool, self._keeps_time)
        if may_wait:
            return await attempts.run(lambda: self._runner(invocation), may_wait, _is_asynchronous(self._runner))
        return await attempts.run(lambda: _without_waiting(self._runner(invocation)))


def finish(steps: Coroutine[Any, Any, ResultT]) -> ResultT:
    """The result of a coroutine that never waits."""
    try:
        steps.send(None)
    except StopIteration as end:
        result: ResultT = end.value
        return result
    raise AssertionError("the steps wait for something")


def _is_asynchronous(function: Callable[..., Any]) -> bool:
    """Whether a function is declared asynchronous. A lambda is not, whatever it returns."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def _without_waiting(outcome: Any) -> Any:
    """The result of a function, or a failure where it is an awaitable.

    A usage error here would lose the answers of the calls that already ran.
    """
    if inspect.iscoroutine(outcome):
        outcome.close()
    if inspect.isawaitable(outcome):
        raise ToolFailure(
            "it would have to be awaited; the program that calls tools has to use handle_async", "internal"
        )
    return outcome
