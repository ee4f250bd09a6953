"""One process with bounds: no shell, no stdin, a closed environment, and nothing left over.

It is the leader of a session and of a process group of its own. Whatever happens, the whole group is killed and our
ends of its pipes are closed: nobody waits for what the program started. What leaves the group (`setsid`) ends with its
process namespace, where there is one; `programs.isolation` says where.
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

_LOOK_SECONDS = 0.05  # between looks at whether a run is stopped
_UMASK = 0o077
_CHUNK = 1 << 16  # bytes that are read at once


class RunBounds(NamedTuple):
    """What a run may take.

    Attributes:
        seconds: how long it may last.
        stdout: most bytes of standard output; what writes more is killed.
        stderr: how many bytes of standard error are kept; what is behind is thrown away.
        strict: whether the system limits it as well: `seconds` of a processor, small files that nobody else can
            read, no core file. What was asked to do some work may take and make more.
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
        handles: the descriptors that it inherits.
        file_size: most bytes of a file that it writes, under strict bounds.
    """

    vector: tuple[str, ...]
    executable: str
    handles: tuple[int, ...] = ()
    file_size: int = 1 << 20


EndOfRun: TypeAlias = Literal["exit", "timeout", "flood", "stop"]


class RunOutcome(NamedTuple):
    """How a run went.

    Attributes:
        end: whether it ended by itself, lasted too long, wrote too much, or was stopped.
        code: its exit code, negative for a signal; what it means depends on `end`.
        stdout, stderr: what it wrote, as far as it was kept.
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
        folder: where it runs.
        environment: all of its environment.
        stop: when another thread sets it, the program is killed.

    Raises:
        ProgramError: the system does not start it, or cannot watch it (code `"program-not-started"`).
    """
    process: subprocess.Popen[bytes] | None = None
    try:
        with _deferred_signals():
            process = _start_process(launch, folder, environment, bounds)
        streams = _OutputStreams(process, bounds)
        end = _wait(process.pid, streams, time.monotonic() + bounds.seconds, stop)
    except OSError as error:  # `pidfd_open` is from 2019, and some containers forbid what they do not know
        message = f"the system cannot watch it: {system_reason(error)}"
        raise ProgramError(message, "program-not-started", source=launch.executable) from error
    finally:
        if process is not None:
            with process, suppress(ProcessLookupError):  # not waited for yet: nobody else can have got its number
                os.killpg(process.pid, signal.SIGKILL)
    return RunOutcome(end, process.returncode, bytes(streams.stdout), bytes(streams.stderr))


def _start_process(
    launch: Launch, folder: str, environment: Mapping[str, str], bounds: RunBounds
) -> subprocess.Popen[bytes]:
    umask = -1  # as this process has it
    limit = None
    if bounds.strict:
        umask = _UMASK
        # Limits that the parent sets afterwards would come too late for what the program starts first. Not to be had
        # beside other threads, which is why only a program that is asked something gets them.
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
    """Ctrl-C and what `kill` sends wait for the end of the block: within `Popen` they would leave a process behind."""
    if current_thread() is not main_thread():  # no other thread is told of signals
        yield
        return
    handlers: dict[int, Any] = {}
    signals: list[int] = []
    for number in (signal.SIGINT, *ENDING):
        handler = signal.getsignal(number)
        if callable(handler):  # what is ignored here is ignored by the process, too
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
    import resource  # it is not there on Windows, where nothing comes so far

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
    """What a process writes to its two streams, as far as it is kept."""

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
        """Whether it wrote too much."""
        return len(self.stdout) > self._bounds.stdout

    def read(self, pipe: IO[bytes]) -> bool:
        """Take what stands in a pipe now; whether more may come."""
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
        """Take what stands in the pipes when the program has ended; what it started may go on writing."""
        for pipe in self.pipes:
            for _ in range(self._bounds.stdout // _CHUNK + 1):
                size = len(self.pipes[pipe])
                self.read(pipe)
                if len(self.pipes[pipe]) == size or self.is_flooded:
                    break
