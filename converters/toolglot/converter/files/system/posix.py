"""Locks, and folders that are held open, where the system has handles of folders: Linux, macOS, BSD."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW
_PASSING = getattr(os, "O_PATH", os.O_RDONLY)  # to pass through a folder one need not be allowed to list it


def try_lock(handle: int) -> bool | None:
    """Lock a file or folder until it is closed: whether that succeeded, `None` where it cannot be locked."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def unlock(handle: int) -> None:
    """Free what `try_lock` locked."""
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
