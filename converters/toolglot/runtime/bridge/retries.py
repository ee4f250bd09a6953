"""The timeout of a call, and its retries, as the tool states them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, wait
from contextvars import copy_context
from math import inf
from threading import Thread
from time import monotonic, sleep
from typing import Any

from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.caution_before_calls import levels_with_cost
from toolglot.converter.safety.danger_of_stated_facts import SAFE, UNSAFE
from toolglot.errors import ToolFailure
from toolglot.runtime.bridge.runner_failures import failure_in, failure_of

_MOST_ATTEMPTS = 20  # as AIP-14 bounds them
_FIRST_PAUSE_MS = 200
_LONGEST_PAUSE_MS = 60_000
# Codes of what fails the same way again.
_FINAL = frozenset({
    "input_invalid", "input_unsupported", "unauthorised", "auth_required", "not_found", "no_route", "policy_violation",
    "cancelled",
})  # fmt: skip


class CallAttempts:
    """The attempts of one call. All of them together take no longer than the tool's timeout.

    Args:
        keeps_time: whether the runner handles the timeout itself.

    >>> asyncio.run(CallAttempts(Tool(id="ls")).run(lambda: "a.txt"))
    'a.txt'
    """

    def __init__(self, tool: Tool, keeps_time: bool = False) -> None:
        self._seconds = inf if tool.timeout_ms is None or keeps_time else tool.timeout_ms / 1000
        self._end = monotonic() + self._seconds
        self._pauses = _pauses(tool)

    async def run(
        self, attempt: Callable[[], Any | Awaitable[Any]], may_wait: bool = False, is_declared: bool = False
    ) -> Any:
        """The result of the first attempt that succeeds.

        Args:
            may_wait: whether the attempt may return an awaitable; otherwise nothing is awaited.
            is_declared: whether the attempt is declared asynchronous.

        Raises:
            ToolFailure: no attempt succeeds.
        """
        while True:
            try:
                if is_declared or self._end == inf:
                    outcome = attempt()
                elif may_wait:
                    outcome = await asyncio.to_thread(self._within, attempt)
                else:
                    outcome = self._within(attempt)
                if inspect.isawaitable(outcome):
                    outcome = await self._within_async(outcome)
                return _successful(outcome)
            except Exception as error:
                pause = self._pause_after(failure_of(error))
            if may_wait:
                await asyncio.sleep(pause)
            else:
                sleep(pause)

    def _pause_after(self, failure: ToolFailure) -> float:
        """The seconds until the next attempt.

        Raises:
            ToolFailure: there is no further attempt.
        """
        pause = None if failure.retryable is False or failure.code in _FINAL else next(self._pauses, None)
        if pause is None or monotonic() + pause >= self._end:
            raise failure
        return pause

    def _within(self, attempt: Callable[[], Any]) -> Any:
        """The result of a function within the timeout. It runs in a thread, because nothing else ends a wait for it."""
        outcome: Future[Any] = Future()
        context = copy_context()

        def tell_outcome() -> None:
            try:
                outcome.set_result(context.run(attempt))
            except BaseException as error:
                outcome.set_exception(error)

        Thread(target=tell_outcome, daemon=True).start()
        if not wait([outcome], max(0.0, self._end - monotonic())).done:
            raise self._too_late()
        return outcome.result()

    async def _within_async(self, outcome: Awaitable[Any]) -> Any:
        if self._end == inf:
            return await outcome
        try:
            async with asyncio.timeout(self._end - monotonic()) as limit:
                return await outcome
        except TimeoutError:
            if not limit.expired():  # one of the tool's own
                raise
            raise self._too_late() from None

    def _too_late(self) -> ToolFailure:
        return ToolFailure(f"it did not end within {self._seconds:g} s", "timeout", True)


def _pauses(tool: Tool) -> Iterator[float]:
    """The seconds before each further attempt; empty where the tool states no retries, or must not be repeated.

    >>> list(_pauses(Tool(id="ls", idempotent=True, retry={"max_attempts": 3, "backoff": "exponential"})))
    [0.2, 0.4]
    """
    if tool.retry is None or not _may_be_repeated(tool):
        return
    attempts, pause = tool.retry.get("max_attempts"), tool.retry.get("initial_ms", _FIRST_PAUSE_MS)
    if not isinstance(attempts, int) or not isinstance(pause, int | float):
        return
    for _ in range(min(attempts, _MOST_ATTEMPTS) - 1):
        yield min(pause, _LONGEST_PAUSE_MS) / 1000
        if tool.retry.get("backoff") == "exponential":
            pause *= 2


def _may_be_repeated(tool: Tool) -> bool:
    """Whether the tool states that a second call does no more than the first."""
    levels = levels_with_cost(tool)
    return levels["unrepeatable"] == SAFE or (levels["changes"] == SAFE and levels["unrepeatable"] != UNSAFE)


def _successful(outcome: Any) -> Any:
    failure = failure_in(outcome)
    if failure is not None:
        raise failure
    return outcome
