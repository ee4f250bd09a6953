"""Locks, and folders that are held open, where the system has handles of folders: Linux, macOS, BSD."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import BinaryIO, TypeVar

_T = TypeVar("_T")

OTHERS = 0o007
"""Bits of a mode that say what everybody may do."""

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW
_PASSING = getattr(os, "O_PATH", os.O_RDONLY)  # to pass through a folder one need not be allowed to list it
_FULL_SYNC = getattr(fcntl, "F_FULLFSYNC", None)  # macOS: `fsync` leaves what is new in the cache of the drive


def try_lock(handle: int) -> bool | None:
    """Lock a file or folder until it is closed: whether that succeeded, `None` where it cannot be locked."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def lock_folder(path: str, handle: int | None) -> Callable[[], None] | None:
    """Keep other runs out of a folder, where it can be locked: what lets them in again, `None` while one is in it."""
    assert handle is not None
    return None if try_lock(handle) is False else partial(_unlock, handle)


def _unlock(handle: int) -> None:
    """Free what `try_lock` locked; to close it is not enough where a forked process has it too."""
    with suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_UN)


@contextmanager
def hold_folder(path: str, make: bool) -> Iterator[int | None]:
    """The handle of a folder, by way of all those above it; arguments and errors as for `open_folder`."""
    parts = [part for part in path.split(os.sep) if part]
    access = _PASSING if parts else os.O_RDONLY
    handle = os.open(os.sep, access | _FOLDER)
    for number, part in enumerate(parts, start=1):
        above = handle
        try:
            handle = _step(above, part, number == len(parts), make)
        finally:
            _close(above)
    try:
        yield handle
    finally:
        _close(handle)


def _close(handle: int) -> None:
    """Close what was only read: that cannot fail in a way that matters."""
    with suppress(OSError):
        os.close(handle)


def _step(above: int, name: str, last: bool, make: bool) -> int:
    """The handle of a folder in a folder; of the last one also to list, to lock and to sync it, where that is allowed.

    Raises:
        OSError: it is a link (`ELOOP`), or the system refuses it.
    """
    access = os.O_RDONLY if last else _PASSING
    try:
        return os.open(name, access | _FOLDER, dir_fd=above)
    except PermissionError:
        if not last:
            raise
        return os.open(name, _PASSING | _FOLDER, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=above)
        return _step(above, name, last, make=False)
    except OSError as error:
        if stat.S_ISLNK(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, "a link is on the way", name) from error
        raise


def patiently(work: Callable[[], _T]) -> _T:
    """Do what fails on some systems as long as somebody else has a file open."""
    return work()


def sync(handle: int) -> None:
    """Bring a file or folder to the disk.

    Raises:
        OSError: the system refuses it, such as a disk that is full.
    """
    if _FULL_SYNC is not None:
        with suppress(OSError):  # a share and some file systems have only the other
            fcntl.fcntl(handle, _FULL_SYNC)
            return
    os.fsync(handle)


def keep_permissions(stream: BinaryIO, path: str, old: os.stat_result | None) -> None:
    """Give a file that is open the mode of another one and, where that is allowed, its owner.

    Args:
        old: of the other; nothing happens where there is none.

    Raises:
        OSError: the system refuses the mode.
    """
    if old is None or not stat.S_ISREG(old.st_mode):
        return
    handle = stream.fileno()
    status = os.fstat(handle)
    if (old.st_uid, old.st_gid) != (status.st_uid, status.st_gid):
        with suppress(OSError):
            os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
