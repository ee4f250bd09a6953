"""Folders that are held open: what is done in one is done there, whatever its path leads to by then.

The system looks a path up anew at every call. If somebody puts a link in the place of a folder between two calls, the
second goes where the link leads. A folder that is open stays the same folder.

The lock of a folder is freed by the system where a process is killed. A process id in a file would not do: ids are used
again, and mean nothing on another machine that shares the disk.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from toolglot.converter.files.system import hold_folder, lock_folder, patiently, sync
from toolglot.converter.text.document_reader import Limits, read_handle
from toolglot.errors import ReadError

_PLAIN = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


PATIENCE = 60.0
"""Seconds that a run waits for another one that is at work in the same folder; each holds it for a few files."""


class Busy(OSError):
    """Another run did not leave a folder in time."""


class Folder:
    """A folder that is open. Names in it are plain names, and no link is followed.

    Args:
        path: absolute, without links.
        handle: what the system knows it by; `None` where there are no such handles, and the path has to do.
    """

    def __init__(self, path: str, handle: int | None) -> None:
        self.path = path
        self._handle = handle

    def _at(self, name: str) -> str:
        return os.path.join(self.path, name) if self._handle is None else name

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """A handle of a file, as `os.open` gives it."""
        return os.open(self._at(name), flags | _PLAIN, mode, dir_fd=self._handle)

    def status(self, name: str) -> os.stat_result | None:
        """What the system says about an entry, or `None` where there is none."""
        try:
            return os.stat(self._at(name), dir_fd=self._handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def content(self, name: str, size: int) -> bytes | None:
        """What a regular file of at most `size` bytes holds; `None` for anything else, and what cannot be read."""
        try:
            handle = self.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe would wait for its writer
        except OSError:
            return None
        try:
            return read_handle(handle, name, Limits(max_bytes=size))
        except (OSError, ReadError):
            return None
        finally:
            with suppress(OSError):  # of what was only read
                os.close(handle)

    def may_write(self, name: str) -> bool:
        """Whether the owner of a file wants it to be changed, as far as its mode says."""
        return os.access(self._at(name), os.W_OK, dir_fd=self._handle)

    def link(self, name: str, other: str, into: Folder | None = None) -> None:
        """Give a file a second name, which must be free, here or in another folder."""
        folder = into or self
        if not hasattr(os, "link"):
            raise OSError(errno.ENOTSUP, "there are no such names here")
        os.link(self._at(name), folder._at(other), src_dir_fd=self._handle, dst_dir_fd=folder._handle)

    def rename(self, name: str, other: str) -> None:
        """Give a file another name; on Windows it must be free."""
        os.rename(self._at(name), self._at(other), src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def replace(self, name: str, other: str, into: Folder | None = None) -> None:
        """Put a file in the place of another one, if there is one, here or in another folder."""
        folder = into or self
        paths = self._at(name), folder._at(other)
        patiently(partial(os.replace, *paths, src_dir_fd=self._handle, dst_dir_fd=folder._handle))

    def unlink(self, name: str) -> None:
        """Take a name away."""
        os.unlink(self._at(name), dir_fd=self._handle)

    def names(self) -> list[str]:
        """The names of all entries."""
        return os.listdir(self.path if self._handle is None else self._handle)

    def sync(self) -> None:
        """Bring new names to the disk, where that is possible: else a power cut may undo them in any order."""
        with suppress(OSError):
            if self._handle is not None:
                sync(self._handle)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out, where the system can lock folders; first wait for the one that is in it.

        Raises:
            Busy: the other run is still in it after `PATIENCE` seconds.
            OSError: the system refuses it.
        """
        ends, pause = time.monotonic() + PATIENCE, 0.001
        while (unlock := lock_folder(self.path, self._handle)) is None:
            if time.monotonic() >= ends:
                raise Busy(errno.EAGAIN, "another run is at work in this folder")
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        try:
            yield
        finally:
            unlock()


@contextmanager
def open_folder(path: str, make: bool = False) -> Iterator[Folder]:
    """A folder by its path, which is absolute and has no links: one that is there all the same is not followed.

    Args:
        make: whether to make it, and those above it, where they are missing.

    Raises:
        OSError: there is a link on the way (`ELOOP`), or the system refuses it.
    """
    with hold_folder(path, make) as handle:
        yield Folder(path, handle)
