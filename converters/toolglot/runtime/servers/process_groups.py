"""A program and all that it starts, which end together."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from importlib import import_module
from typing import Any, Protocol

_MAY_JOIN = 0x0101  # a job: PROCESS_TERMINATE and PROCESS_SET_QUOTA


class ProcessGroup(Protocol):
    """The processes, whichever of them are left."""

    def end(self, is_asked: bool) -> bool:
        """End them, or only ask them to; whether any may be left."""


class _PosixSession:
    """The group of a process that was started as the first of a session."""

    def __init__(self, process: int) -> None:
        self._process = process

    def end(self, is_asked: bool) -> bool:
        try:
            os.killpg(self._process, signal.SIGTERM if is_asked else signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return False
        return True


class _WindowsJob:
    """A job object of Windows. With its last handle, which is ours, the system ends all that is in it.

    What a program starts in the moment before it is put into the job stays outside.
    """

    def __init__(self, process: int) -> None:
        api: Any = import_module("win32api")  # pywin32, which the library of the protocol needs there
        self._jobs: Any = import_module("win32job")
        self._job = self._jobs.CreateJobObject(None, "")
        kind = self._jobs.JobObjectExtendedLimitInformation
        limits = self._jobs.QueryInformationJobObject(self._job, kind)
        limits["BasicLimitInformation"]["LimitFlags"] |= self._jobs.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        self._jobs.SetInformationJobObject(self._job, kind, limits)
        with suppress(self._jobs.error):  # it has ended already
            self._jobs.AssignProcessToJobObject(self._job, api.OpenProcess(_MAY_JOIN, False, process))

    def end(self, is_asked: bool) -> bool:
        with suppress(self._jobs.error):
            self._jobs.TerminateJobObject(self._job, 1)
        return False


def group_of(process: int) -> ProcessGroup:
    """The group of a process that has just been started."""
    return _PosixSession(process) if hasattr(os, "killpg") else _WindowsJob(process)
