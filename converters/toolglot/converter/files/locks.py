"""Locks that keep other runs out of a folder while one is at work in it.

The system frees the lock of a process that is killed. A process id in a file would not do: ids are used again, and
mean nothing on another machine that shares the disk.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager

from toolglot.converter.files.system import lock_folder

PATIENCE = 60.0
"""Seconds that a run waits for another one that is at work in the same folder; each holds it for a few files."""


class Busy(OSError):
    """Another run did not leave a folder in time."""


@contextmanager
def locked(path: str, handle: int | None) -> Iterator[None]:
    """Keep other runs out of a folder, where the system can lock it; first wait for the one that is in it.

    Raises:
        Busy: the other run is still in it after `PATIENCE` seconds.
        OSError: the system refuses it.
    """
    ends, pause = time.monotonic() + PATIENCE, 0.001
    while (unlock := lock_folder(path, handle)) is None:
        if time.monotonic() >= ends:
            raise Busy(errno.EAGAIN, "another run is at work in this folder")
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    try:
        yield
    finally:
        unlock()
