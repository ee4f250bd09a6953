"""Begins and ends a conversation with a server: a program that is started, or an address."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial

import anyio
from mcp.shared.exceptions import MCPError

from toolglot.errors import ReadError, UsageError
from toolglot.runtime.servers.bounds import Bounds, Wire, WireStreams
from toolglot.runtime.servers.conversation import Conversation, ServerAnswer, dispatching
from toolglot.runtime.servers.http_transport import open_address
from toolglot.runtime.servers.named_servers import PROGRAM, ServerEntry
from toolglot.runtime.servers.server_faults import FAULTS, explain_fault, is_closed, leaves_of
from toolglot.runtime.servers.stdio_transport import open_program
from toolglot.runtime.servers.variables import VariableSource, fill_in


@asynccontextmanager
async def open_server(entry: ServerEntry, values: VariableSource, wire: Wire) -> AsyncIterator[Conversation]:
    """A conversation with a server, which ends with the block.

    Args:
        wire: records what is seen beside messages, for `explain_fault`.

    Raises:
        UsageError: a variable that the server needs is not set.
        ReadError: the description of the server is wrong.
        Exception: one of `FAULTS`, or a group of them.
    """
    if entry.fault is not None:
        raise ReadError(entry.fault, "bad-server")
    async with AsyncExitStack() as stack:
        try:
            async with AsyncExitStack() as first:
                conversation = await _connect(first, entry, values, wire)
                await conversation.agree()
                stack.push_async_exit(first.pop_all())
        except* MCPError as errors:
            is_ended = any(isinstance(leaf, MCPError) and is_closed(leaf) for leaf in leaves_of(errors))
            if entry.transport != PROGRAM or not is_ended:
                raise
            # It ends at what it does not know. Started again, it is greeted as older ones are.
            conversation = await _connect(stack, entry, values, wire)
            await conversation.greet()
        yield conversation


async def _connect(stack: AsyncExitStack, entry: ServerEntry, values: VariableSource, wire: Wire) -> Conversation:
    streams = await stack.enter_async_context(_transport(entry, values, wire))
    return Conversation(await stack.enter_async_context(dispatching(streams)), wire.bounds)


def ask_server(entry: ServerEntry, values: VariableSource, bounds: Bounds) -> ServerAnswer:
    """Start or reach a server, and ask for all its tools.

    Raises:
        UsageError: a variable that the server needs is not set.
        ReadError: the server cannot be reached, sends something else than answers, or takes too long.
    """
    wire = Wire(bounds)
    try:
        return _run(partial(anyio.run, _ask_in_time, entry, values, wire))
    except FAULTS as error:
        raise explain_fault(error, wire) from None


def _run(ask: Callable[[], ServerAnswer]) -> ServerAnswer:
    """Call a function that runs coroutines; in a thread of its own if this one already runs some, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return ask()
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(ask).result()


def _transport(entry: ServerEntry, values: VariableSource, wire: Wire) -> AbstractAsyncContextManager[WireStreams]:
    """The transport of a server, with variables filled in; nothing is started yet.

    Arguments and headers may name variables that only the server is given: `mcp-remote` and others fill these in
    themselves. The program, its folder and the address may not, because a person sees them before agreeing.
    """

    def fill(text: str, values: VariableSource = values) -> str:
        return fill_in(text, entry.syntax, values)

    given = {name: fill(value) for name, value in entry.environment.items()}
    fill_given = partial(fill, values=values._replace(environment={**given, **values.environment}))
    if entry.transport == PROGRAM:
        environment = given | {name: values.value(name) for name in entry.passed_on}
        folder = os.path.join(values.folder, fill(entry.folder or ""))
        command = (fill(entry.command[0]), *map(fill_given, entry.command[1:]))
        _check_texts(
            {**environment, "the command": " ".join(command), "the folder": folder}, lambda text: "\0" not in text
        )
        return open_program(command, environment, folder, wire)
    headers = {name: fill_given(value) for name, value in entry.headers.items()}
    headers |= {name: values.value(variable) for name, variable in entry.header_variables.items()}
    if entry.bearer_variable:
        headers["Authorization"] = f"Bearer {values.value(entry.bearer_variable)}"
    url = fill(entry.url)
    _check_texts(
        {**headers, "the URL": url}, lambda text: text.isascii() and text.isprintable() and text == text.strip()
    )
    return open_address(url, entry.transport, headers, wire)


def _check_texts(texts: Mapping[str, str], is_allowed: Callable[[str], bool]) -> None:
    """Raise `UsageError` for values that no system accepts. The system's own error would repeat the secret value."""
    for name, text in texts.items():
        if not (is_allowed(name) and is_allowed(text)):
            message = f"{name} has what may not be there, such as a blank or line end behind it; look at its variables"
            raise UsageError(message, "bad-value")


async def _ask_in_time(entry: ServerEntry, values: VariableSource, wire: Wire) -> ServerAnswer:
    with anyio.move_on_after(wire.bounds.seconds):
        async with open_server(entry, values, wire) as conversation:
            return await conversation.ask()
    message = f"the server did not list its tools within {wire.bounds.seconds:g} seconds; --timeout gives it longer"
    raise ReadError(message, "server-timeout")
