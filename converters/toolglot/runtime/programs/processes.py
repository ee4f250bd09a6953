"""One process with bounds: no shell, no stdin, a closed environment, and nothing left over.

The process leads a session and a process group of its own. Whatever happens, the whole group is killed and our ends of
its pipes are closed, so nobody waits for children of the program. A child that leaves the group (`setsid`) ends with
the process namespace, if the isolation has one (see `programs.isolation`).
"""

from __future__ import annotations

import math
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event, current_thread, main_thread
from typing import IO, Any, Literal, NamedTuple, TypeAlias

from toolglot.errors import ProgramError, system_reason
from toolglot.signals import ENDING

_LOOK_SECONDS = 0.05  # between two looks at the `stop` event
_UMASK = 0o077
_CHUNK = 1 << 16  # bytes that are read at once


class RunBounds(NamedTuple):
    """What a run may take.

    Attributes:
        seconds: the most time that it may last.
        stdout: the most bytes of standard output; a program that writes more is killed.
        stderr: how many bytes of standard error are kept; the rest is thrown away.
        strict: whether the system sets limits too: `seconds` of processor time, small files that nobody else can
            read, no core file. For a program that describes itself; one that does some work may need more.
    """

    seconds: float = 2
    stdout: int = 10 << 20
    stderr: int = 64 << 10
    strict: bool = True


class Launch(NamedTuple):
    """What is started.

    Attributes:
        vector: the argument vector.
        executable: the file that is executed.
        handles: the descriptors that the process inherits.
        file_size: the most bytes of a file that it writes, under strict bounds.
    """

    vector: tuple[str, ...]
    executable: str
    handles: tuple[int, ...] = ()
    file_size: int = 1 << 20


EndOfRun: TypeAlias = Literal["exit", "timeout", "flood", "stop"]


class RunOutcome(NamedTuple):
    """How a run went.

    Attributes:
        end: whether the process ended by itself, lasted too long, wrote too much, or was stopped.
        code: the exit code, negative for a signal; of meaning only where `end` is `"exit"`.
        stdout, stderr: the output, up to its bounds.
    """

    end: EndOfRun
    code: int
    stdout: bytes
    stderr: bytes


def bounded_run(
    launch: Launch, folder: str, environment: Mapping[str, str], bounds: RunBounds, stop: Event | None = None
) -> RunOutcome:
    """Run a program; afterwards nothing of its process group is alive.

    Args:
        folder: the working folder.
        environment: the whole environment of the program.
        stop: an event; when another thread sets it, the program is killed.

    Raises:
        ProgramError: the system does not start the program, or cannot watch it (code `"program-not-started"`).
    """
    process: subprocess.Popen[bytes] | None = None
    try:
        with _deferred_signals():
            process = _start_process(launch, folder, environment, bounds)
        streams = _OutputStreams(process, bounds)
        end = _wait(process.pid, streams, time.monotonic() + bounds.seconds, stop)
    except OSError as error:  # `pidfd_open` is from 2019, and some containers forbid newer system calls
        message = f"the system cannot watch it: {system_reason(error)}"
        raise ProgramError(message, "program-not-started", source=launch.executable) from error
    finally:
        if process is not None:
            with process, suppress(ProcessLookupError):  # nobody has waited for it yet, so the number is still its own
                os.killpg(process.pid, signal.SIGKILL)
    return RunOutcome(end, process.returncode, bytes(streams.stdout), bytes(streams.stderr))


def _start_process(
    launch: Launch, folder: str, environment: Mapping[str, str], bounds: RunBounds
) -> subprocess.Popen[bytes]:
    umask = -1  # the umask of this process
    limit = None
    if bounds.strict:
        umask = _UMASK
        # The child sets its limits before it becomes the program: set by us afterwards, they would miss the first
        # children. `preexec_fn` is not safe beside other threads, so only a program that describes itself gets limits.
        limit = partial(_limit, int(bounds.seconds) + 1, launch.file_size)
    try:
        return subprocess.Popen(
            launch.vector,
            executable=launch.executable,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=launch.handles,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
            umask=umask,
            preexec_fn=limit,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        message = f"the system does not start it: {system_reason(error)}"
        raise ProgramError(message, "program-not-started", source=launch.executable) from error


@contextmanager
def _deferred_signals() -> Iterator[None]:
    """Defer Ctrl-C and `kill` to the end of the block: during `Popen` they would leave a process behind."""
    if current_thread() is not main_thread():  # only the main thread handles signals
        yield
        return
    handlers: dict[int, Any] = {}
    signals: list[int] = []
    for number in (signal.SIGINT, *ENDING):
        handler = signal.getsignal(number)
        if callable(handler):  # a signal that is ignored stays so, and the new process inherits that
            handlers[number] = signal.signal(number, lambda number, frame: signals.append(number))
    try:
        yield
    finally:
        for changed_number, handler in handlers.items():
            signal.signal(changed_number, handler)
        for deferred_number in signals:
            signal.raise_signal(deferred_number)


def _limit(seconds: int, file_size: int) -> None:
    """Limit this process, which becomes the program; a limit that is lower already stays."""
    import resource  # Windows does not have it, and starts no programs

    limits = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: file_size,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))


def _wait(pid: int, streams: _OutputStreams, deadline: float, stop: Event | None) -> EndOfRun:
    """Read what a process writes until it ends, is stopped, writes too much, or the time is up."""
    longest_look = math.inf if stop is None else _LOOK_SECONDS
    end_of_process = os.pidfd_open(pid)
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(end_of_process, selectors.EVENT_READ)
            for pipe in streams.pipes:
                selector.register(pipe, selectors.EVENT_READ, pipe)
            while (remaining_seconds := deadline - time.monotonic()) > 0:
                if stop is not None and stop.is_set():
                    return "stop"
                for key, _ in selector.select(min(remaining_seconds, longest_look)):
                    if key.data is None:
                        streams.drain()
                        return "flood" if streams.is_flooded else "exit"
                    if not streams.read(key.data):
                        selector.unregister(key.data)
                    if streams.is_flooded:
                        return "flood"
    finally:
        os.close(end_of_process)
    return "timeout"


class _OutputStreams:
    """The output of a process, up to its bounds."""

    def __init__(self, process: subprocess.Popen[bytes], bounds: RunBounds) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.stdout, self.stderr = bytearray(), bytearray()
        self._bounds = bounds
        self.pipes: dict[IO[bytes], bytearray] = {process.stdout: self.stdout, process.stderr: self.stderr}
        for pipe in self.pipes:
            os.set_blocking(pipe.fileno(), False)

    @property
    def is_flooded(self) -> bool:
        """Whether the process wrote more to stdout than it may."""
        return len(self.stdout) > self._bounds.stdout

    def read(self, pipe: IO[bytes]) -> bool:
        """Read what is in a pipe now.

        Returns:
            Whether more may come.
        """
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        buffer = self.pipes[pipe]
        buffer += data
        if buffer is self.stderr:
            del buffer[self._bounds.stderr :]
        return bool(data)

    def drain(self) -> None:
        """Read what is left in the pipes after the program ended; within bounds, as its children may go on writing."""
        for pipe in self.pipes:
            for _ in range(self._bounds.stdout // _CHUNK + 1):
                size = len(self.pipes[pipe])
                self.read(pipe)
                if len(self.pipes[pipe]) == size or self.is_flooded:
                    break
