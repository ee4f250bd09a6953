"""The functions by which a host takes part in a call: `approve`, and the runner of tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from toolglot.bridge.failures import failure_of
from toolglot.errors import ToolFailure, UsageError
from toolglot.option_checks import require_function


class HostFunctions:
    """A runner, and `approve` where somebody can be asked; what they raise is a failure of the call.

    Args:
        runner, approve: as for `toolglot.Session`.
    """

    def __init__(self, runner: Callable[..., Any], approve: Callable[..., Any] | None) -> None:
        require_function("runner", runner)
        if approve is not None:
            require_function("approve", approve)
        self.runner = runner
        self._approve = approve or _refuse_to_approve
        self.can_ask = approve is not None

    def refuse_asynchronous(self, alternative: str) -> None:
        """Raise before anything runs, if one of the functions is declared asynchronous.

        Raises:
            UsageError: it is; `alternative` is what awaits it.
        """
        if _is_asynchronous(self.runner) or _is_asynchronous(self._approve):
            raise UsageError(f"the runner or `approve` is asynchronous; use {alternative}", code="bad-option")

    def ask(self, *arguments: Any) -> Any:
        """What `approve` answers."""
        with _approval_failures(), _failures():
            return _without_waiting(self._approve(*arguments))

    async def ask_async(self, *arguments: Any) -> Any:
        """The same where it may have to be awaited."""
        with _approval_failures(), _failures():
            return await _waiting(self._approve(*arguments))

    def run(self, *arguments: Any) -> Any:
        """What the runner returns."""
        with _failures():
            return _without_waiting(self.runner(*arguments))

    async def run_async(self, *arguments: Any) -> Any:
        """The same where it may have to be awaited."""
        with _failures():
            return await _waiting(self.runner(*arguments))


def _refuse_to_approve(*arguments: Any) -> bool:
    return False


def _is_asynchronous(function: Callable[..., Any]) -> bool:
    """Whether a function is declared so; what a lambda gives is known when it was called."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise failure_of(error) from error


@contextmanager
def _approval_failures() -> Iterator[None]:
    try:
        yield
    except ToolFailure as failure:
        raise ToolFailure(f"approval could not be asked for: {failure.message}", "internal") from failure


def _without_waiting(outcome: Any) -> Any:
    """What a function gave. An error of usage in its place would lose the answers of the calls that already ran."""
    if inspect.iscoroutine(outcome):
        outcome.close()
    if inspect.isawaitable(outcome):
        raise ToolFailure(
            "it would have to be awaited; the program that calls tools has to use handle_async", "internal"
        )
    return outcome


async def _waiting(outcome: Any) -> Any:
    if inspect.isawaitable(outcome):
        return await outcome
    return outcome
