"""What a call does: nothing, unless whoever started the server said what may run."""

from __future__ import annotations

from functools import partial
from threading import Event
from typing import Any, ClassVar, NamedTuple

import anyio
import msgspec

from toolglot.errors import ToolFailure
from toolglot.runtime.bridge import program_calls
from toolglot.runtime.bridge.invocations import Invocation
from toolglot.runtime.bridge.runner_and_approve import Runner
from toolglot.runtime.programs.allow_list import AllowList
from toolglot.runtime.servers.server_calls import ServerCalls

_MOST_AT_ONCE = 4  # programs


class RunPermission(NamedTuple):
    """What may run.

    Attributes:
        allow_list: the programs.
        policy: what calls may do.
        root: the folder that arguments which are paths stay in; `None` is any.
        isolation: what programs are kept from, as for `toolglot.bridge.run`.
        as_root: whether programs may run as root.
    """

    allow_list: AllowList
    policy: Any
    root: str | None
    isolation: str
    as_root: bool = False


def refuse_call(invocation: Invocation) -> Any:
    """Carry out nothing.

    Raises:
        ToolFailure: always.
    """
    raise ToolFailure("this server lists tools and carries out nothing; it was started without --run", "not_supported")


class RoutedCalls(msgspec.Struct):
    """Hands a call to the server whose tool it is, and any other to `others`."""

    keeps_time: ClassVar[bool] = True
    _servers: ServerCalls
    _others: Runner

    async def __call__(self, invocation: Invocation) -> Any:
        runner = self._servers if self._servers.has(invocation.tool) else self._others
        return await runner(invocation)


class ProgramRunner:
    """Carries out calls by the programs that are allowed; whoever could be asked about them has been.

    A program ends with its call: where the client cancels that, or goes, nobody waits for it.
    """

    keeps_time = True

    def __init__(self, permission: RunPermission) -> None:
        self._permission = permission
        self._limiter = anyio.CapacityLimiter(_MOST_AT_ONCE)

    async def __call__(self, invocation: Invocation) -> Any:
        stop = Event()
        run = partial(
            program_calls.run,
            invocation.leaf,
            invocation.arguments,
            confirm=lambda plan: True,  # the session has asked whoever could be
            stop=stop,
            **self._permission._asdict(),
        )
        try:
            result = await anyio.to_thread.run_sync(run, limiter=self._limiter, abandon_on_cancel=True)
        finally:
            stop.set()
        return result.value
