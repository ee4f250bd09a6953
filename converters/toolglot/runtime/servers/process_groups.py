"""Ends a program together with everything that it started."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

EndGroup = Callable[[bool], bool]
"""Ends the processes that are left, or only asks them to where that is true; whether any may be left."""

_MAY_JOIN = 0x0101  # a job: PROCESS_TERMINATE and PROCESS_SET_QUOTA


def group_of(process: int) -> EndGroup:
    """A function that ends the group of a process that was just started; on POSIX as the first of its session."""
    return partial(_end_session, process) if hasattr(os, "killpg") else _join_job(process)


def _end_session(process: int, is_asked: bool) -> bool:
    try:
        os.killpg(process, signal.SIGTERM if is_asked else signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _join_job(process: int) -> EndGroup:
    """Put a process into a job object of Windows. A process that it starts in the moment before that stays outside."""
    api: Any = import_module("win32api")  # pywin32, which the library of the protocol needs there
    jobs: Any = import_module("win32job")
    job = jobs.CreateJobObject(None, "")
    with suppress(jobs.error):  # it has ended already
        jobs.AssignProcessToJobObject(job, api.OpenProcess(_MAY_JOIN, False, process))

    def end(is_asked: bool) -> bool:
        with suppress(jobs.error):
            jobs.TerminateJobObject(job, 1)
        return False

    return end
