"""A server that is a program: messages over its stdin and stdout, and its end.

The library has such a transport too. It keeps a line of any length in memory, joins its parts in quadratic time, and
lets the program write to our terminal; so the pipes are our own, and everything above them is the library's.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from toolglot.converter.files.system.program_files import find_program
from toolglot.errors import LimitError, ReadError, system_reason
from toolglot.runtime.servers.bounds import Wire, WireStreams
from toolglot.runtime.servers.process_groups import EndGroup, group_of
from toolglot.runtime.servers.visible_commands import without_secrets

_POLL_SECONDS = 0.01
_MOST_NOISE = 3  # lines on stdout that are no messages and are kept for an explanation
_NOISE_CHARACTERS = 200


@asynccontextmanager
async def open_program(
    command: tuple[str, ...], environment: Mapping[str, str], folder: str, wire: Wire
) -> AsyncIterator[WireStreams]:
    """The two streams of a program that is started here, and ended when the block ends.

    Args:
        environment: variables beside the few that every program gets.
        folder: the folder in which it is started.
        wire: records what the program prints beside messages.

    Raises:
        ReadError: it cannot be started.
    """
    variables = get_default_environment() | dict(environment)
    try:
        path = find_program(command[0], variables) or command[0]
        if not os.path.dirname(path):  # the system might look in the current folder
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        process = await anyio.open_process([path, *command[1:]], env=variables, cwd=folder, start_new_session=True)
    except (OSError, ValueError) as error:  # the second of a variable that no system takes
        place = "" if os.path.isdir(folder) else f" in {folder!r}"
        message = f"{without_secrets(command[0])} cannot be started{place}: {system_reason(error)}"
        if " " in command[0] and not place and isinstance(error, FileNotFoundError):  # a whole line, most likely
            message += "; all of it is taken for the name of one program: write its words apart, in `args`"
        raise ReadError(message, "server-not-started") from None
    end_group = group_of(process.pid)
    to_us, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, to_program = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read_messages, process, to_us, wire)
        tasks.start_soon(_write_messages, process, to_program)
        tasks.start_soon(_read_noise, process, wire)
        try:
            yield incoming, outgoing
        finally:
            try:
                with anyio.CancelScope(shield=True):
                    await _end(process, end_group, wire.bounds.grace_seconds)
            finally:
                for stream in (incoming, outgoing, to_us, to_program):
                    stream.close()
                tasks.cancel_scope.cancel()


async def _read_messages(process: anyio.abc.Process, to_us: Any, wire: Wire) -> None:
    """Read every line of stdout as a message; any other line is kept to explain a failure."""
    assert process.stdout is not None
    lines = BufferedByteReceiveStream(process.stdout)
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with to_us:
            while True:
                try:
                    line = await lines.receive_until(b"\n", wire.bounds.message_bytes)
                except anyio.DelimiterNotFound:
                    fault = LimitError(f"a message of more than {wire.bounds.message_bytes} bytes", "too-large")
                    raise wire.keep(fault) from None
                except anyio.IncompleteRead:
                    return
                wire.count(len(line))
                if not line.strip():
                    continue
                try:
                    message = _parse(line)
                except (ValueError, RecursionError):
                    if len(wire.noise) < _MOST_NOISE:
                        wire.noise.append(line[:_NOISE_CHARACTERS].decode("utf-8", "replace").rstrip())
                    continue
                await to_us.send(SessionMessage(message))


def _parse(line: bytes) -> Any:
    """Parse a message. The library's parser is faster, but refuses all tools where one has a lone surrogate."""
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return jsonrpc_message_adapter.validate_python(json.loads(line), by_name=False)


async def _write_messages(process: anyio.abc.Process, to_program: Any) -> None:
    assert process.stdin is not None
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        async with to_program:
            async for message in to_program:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await process.stdin.send(text.encode() + b"\n")


async def _read_noise(process: anyio.abc.Process, wire: Wire) -> None:
    """Keep the end of stderr. All of it is read, so that the program never waits for us."""
    assert process.stderr is not None
    with suppress(anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
        async for chunk in process.stderr:
            wire.errors = (wire.errors + chunk)[-wire.bounds.noise_bytes :]


async def _end(process: anyio.abc.Process, end_group: EndGroup, grace_seconds: float) -> None:
    """End a program and everything that it started: first by closing its stdin, then by signals."""
    assert process.stdin is not None
    try:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.aclose()
        await _wait(process, grace_seconds)
        for is_asked in (True, False):
            if not end_group(is_asked):
                break
            await _wait(process, grace_seconds)
    except BaseException:  # Ctrl-C again: nobody waits any longer, and nothing stays
        end_group(False)
        raise
    finally:
        await process.aclose()


async def _wait(process: anyio.abc.Process, seconds: float) -> None:
    """Wait for the end of a program, but not of its pipes, which programs that it started may keep open."""
    with anyio.move_on_after(seconds):
        while process.returncode is None:
            await anyio.sleep(_POLL_SECONDS)
