"""Temporaries: new content beside the file that it is for, until it is whole and takes that file's name.

With the name it takes the mode and, where that is allowed, the owner of the file that it replaces.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import BinaryIO

import msgspec

from toolglot.converter.files.open_folders import Folder, open_folder
from toolglot.converter.files.system import keep_permissions, sync, try_lock

NAME = re.compile(r"(?P<owner>\.toolglot-[0-9a-f]{16})(?P<is_second>-[0-9a-f]{16})?\.tmp")
"""The name of a temporary; or a second name of a file, which stands as long as the temporary that it is named after."""

_UNFINISHED: set[str] = set()  # paths of those that this process made and has not seen go
_LONG_AGO = 3600  # seconds; where files cannot be locked, what is older belongs to no run that is still alive


class Temporary(msgspec.Struct, frozen=True):
    """A new file.

    Attributes:
        name: what it is called in its folder.
        stream: what fills it.
        status: its identity.
    """

    name: str
    stream: BinaryIO
    status: os.stat_result


@contextmanager
def temporary_file(folder: Folder, target: str, private: bool = False) -> Iterator[Temporary]:
    """A new file beside `target`, gone when the block ends unless it was renamed.

    It is locked as long as the block lasts, so that `remove_leftovers` can tell it from what a killed run left.

    Args:
        private: whether only its owner may read it, though `target` is not there yet; default false.
    """
    # A new file gets the mode that the umask leaves; a private file is never readable by others meanwhile.
    mode = 0o666 if folder.status(target) is None and not private else 0o600
    name = reserve_name(folder.path)
    try:
        with _create_file(folder, name, mode) as stream:
            yield Temporary(name, stream, os.fstat(stream.fileno()))
    finally:
        with suppress(OSError):
            folder.unlink(name)
        _UNFINISHED.discard(os.path.join(folder.path, name))


def reserve_name(folder: str, owner: str = "") -> str:
    """A name that no file has, and that leaves its folder when this process ends, whatever has taken it by then.

    Args:
        owner: for a second name of a file, the temporary that says for how long the name is needed.
    """
    import secrets  # 5 ms that stdout does not need

    name = f"{owner.removesuffix('.tmp') or '.toolglot'}-{secrets.token_hex(8)}.tmp"
    _UNFINISHED.add(os.path.join(folder, name))
    return name


def release_name(path: str) -> None:
    """Take a name away that was reserved, if anything has it."""
    with suppress(OSError):
        os.unlink(path)
    _UNFINISHED.discard(path)


def remove_unfinished() -> None:
    """Take away what this process made and a signal kept it from taking away.

    A signal becomes an exception between any two steps, also between the end of a block and the first step of its
    `finally`: then nothing there is done.
    """
    for path in sorted(_UNFINISHED):
        release_name(path)


@contextmanager
def _create_file(folder: Folder, name: str, mode: int) -> Iterator[BinaryIO]:
    """A new file that is locked, as long as the block lasts."""
    while True:
        handle = folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        if try_lock(handle) is not False and os.fstat(handle).st_nlink:
            break
        os.close(handle)  # a sweeper came between the two calls and takes it away
    stream = os.fdopen(handle, "wb")
    try:
        yield stream
    finally:
        with suppress(OSError):  # `finish_temporary` has said what there was to say; a full disk fails here once more
            stream.close()


def finish_temporary(new: Temporary, folder: Folder, target: str, wait: bool = True) -> None:
    """Bring a temporary to the disk, with the mode and, where that is allowed, the owner of what it replaces.

    Args:
        wait: whether to wait for the disk.

    Raises:
        OSError: the system refuses it, such as a disk that is full, or the mode.
    """
    new.stream.flush()
    handle = new.stream.fileno()
    if wait:
        sync(handle)
    os.close(os.dup(handle))  # on a share the disk is full only when a file is closed; the lock outlives this
    keep_permissions(new.stream, os.path.join(folder.path, new.name), folder.status(target))


def remove_leftovers(path: str) -> None:
    """Take away the names that killed runs left in a folder; those of runs that are alive stay.

    What only has the name of one (a link, a folder, a pipe) is left alone, and nothing is followed.

    Args:
        path: absolute and without links. A folder that cannot be listed is no error: whoever wants to read or write
            there will be told.
    """
    with suppress(OSError), open_folder(path) as folder:
        for found in filter(None, map(NAME.fullmatch, folder.names())):
            with suppress(OSError):
                if found["is_second"]:
                    _sweep_second_name(folder, found[0], f"{found['owner']}.tmp")
                else:
                    _sweep(folder, found[0])


def remove_leftovers_beside(paths: Iterable[str]) -> None:
    """`remove_leftovers` in the folders of some files; an empty path is none."""
    for folder in sorted({os.path.dirname(path) for path in paths if path}):
        remove_leftovers(folder)


@lru_cache(4096)
def remove_leftovers_once(path: str) -> None:
    """`remove_leftovers`, unless this process did so before: a folder can get thousands of files, one by one."""
    remove_leftovers(path)


def _sweep_second_name(folder: Folder, name: str, owner: str) -> None:
    """Take away the second name of a file, unless the run that gave it is alive.

    The file itself cannot be locked for that: it is somebody's, and there may be more of them than a run can open.
    """
    _sweep(folder, owner)  # it was locked before it had a second name, so that no other run is about to lock it
    status = folder.status(name)
    if folder.status(owner) is None and status is not None and stat.S_ISREG(status.st_mode):
        folder.unlink(name)


def _sweep(folder: Folder, name: str) -> None:
    """Take a temporary away, unless the run that made it is alive."""
    status = folder.status(name)
    if status is None or not stat.S_ISREG(status.st_mode):
        return
    handle = folder.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        has_lock = try_lock(handle)
        if has_lock and os.path.samestat(os.fstat(handle), status):
            folder.unlink(name)  # while it is locked: its maker may have been about to lock it
    finally:
        os.close(handle)
    if has_lock is None and time.time() - status.st_mtime > _LONG_AGO:
        folder.unlink(name)
