"""The same as `posix` for Windows, where folders have paths only.

Files are not locked: one that is open can be neither renamed nor taken away there. So whoever is alive keeps its
temporaries as long as it writes to them, and what nobody has open for an hour is swept.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, BinaryIO, TypeVar

_T = TypeVar("_T")

OTHERS = 0
"""Bits of a mode that say what everybody may do: those that there are say nothing of others."""

LOCK = ".toolglot.lock"
"""The file that is there as long as a run is at work in a folder."""

PATIENCE = 1.0
"""Seconds for whoever has a file open for a moment: another run that reads it, or a scanner for viruses."""

_api: Any = import_module("_winapi") if find_spec("_winapi") else None
_WRITE, _NOT_SHARED, _OPEN_OR_MAKE, _DELETE_ON_CLOSE = 0x40000000, 0, 4, 0x04000000
_SHARING_VIOLATION = 32


def try_lock(handle: int) -> bool | None:
    """No file can be locked."""
    return None


def lock_folder(path: str, handle: int | None) -> Callable[[], None] | None:
    """As in `posix`, by a file in the folder that nobody else can open meanwhile.

    The system takes it away with its handle, however the run ends, and does so for another machine on a share as well.
    """
    if _api is None:
        return lambda: None
    make = partial(
        _api.CreateFile, os.path.join(path, LOCK), _WRITE, _NOT_SHARED, 0, _OPEN_OR_MAKE, _DELETE_ON_CLOSE, 0
    )
    try:
        return partial(_api.CloseHandle, patiently(make))
    except OSError as error:
        if getattr(error, "winerror", None) == _SHARING_VIOLATION:
            return None
        raise


@contextmanager
def hold_folder(path: str, make: bool) -> Iterator[int | None]:
    """No handle; arguments and errors as for `open_folder`."""
    if make:
        os.makedirs(path, exist_ok=True)
    if os.path.realpath(path) != path:
        raise OSError(errno.ELOOP, "a link is on the way", path)
    yield None


def patiently(work: Callable[[], _T]) -> _T:
    """Do what fails as long as somebody else has a file open; the last failure counts."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except PermissionError:
            if time.monotonic() >= ends:
                raise
            time.sleep(0.01)


def sync(handle: int) -> None:
    """Bring a file to the disk."""
    os.fsync(handle)


def keep_permissions(stream: BinaryIO, path: str, old: os.stat_result | None) -> None:
    """Of modes there is only whether a file may be written. The stream is closed: else it could not be renamed."""
    stream.close()
    if old is not None:
        os.chmod(path, stat.S_IMODE(old.st_mode))
