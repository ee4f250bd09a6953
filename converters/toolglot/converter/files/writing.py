"""Write files atomically, so that a crash leaves the old file or the new one, never half of one."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from toolglot.converter.files.existing_targets import is_device
from toolglot.converter.files.names import below
from toolglot.converter.files.open_folders import Busy, Folder, open_folder
from toolglot.converter.files.temporaries import finish_temporary, remove_leftovers_once, temporary_file
from toolglot.converter.text.document_reader import Limits, read_file
from toolglot.errors import ReadError, WriteError, system_reason

PIPE_PATIENCE = 10.0
"""Seconds that a pipe waits for whoever reads it: a shell may start both at once."""


def link_into_place(folder: Folder, temporary: str, name: str) -> bool:
    """Give a file its name, unless the name is taken; whether it got it."""
    try:
        folder.link(temporary, name)
    except FileExistsError:
        return False
    except OSError:
        # No hard links here (FAT, some shares). Reserving the name with an empty file would be safe from others,
        # but a killed run would leave it empty; a rename is never half done, and Windows refuses it by itself.
        if folder.status(name) is not None:
            return False
        folder.rename(temporary, name)
    return True


def write_if_changed(path: str, data: bytes) -> bool:
    """`write_file`, unless the file holds exactly `data` already; whether it was written.

    A file that stays untouched keeps its time, and whatever is built from it stays up to date.
    """
    if has_content(path, data):
        return False
    write_file(path, data)
    return True


def write_pieces_if_changed(path: str, pieces: Iterable[bytes]) -> bool:
    """`write_if_changed` for content that does not fit into memory."""
    digest = hashlib.sha256()
    try:
        with open_atomically(path) as stream:
            for piece in pieces:
                digest.update(piece)
                stream.write(piece)
            if has_digest(path, digest.digest()):
                raise Discarded
    except Discarded:
        return False
    return True


class Discarded(Exception):
    """Leaves the block in which a file is written, so that it is not put in its place."""


def has_pieces(path: str, pieces: Iterable[bytes]) -> bool:
    """`has_content` for content that does not fit into memory."""
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return has_digest(path, digest.digest())


def has_digest(path: str, digest: bytes) -> bool:
    """Whether a file is there, and holds what has this digest (SHA-256)."""
    with suppress(OSError), open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest() == digest
    return False


def has_content(path: str, data: bytes) -> bool:
    """Whether a file is there and holds exactly `data`."""
    try:
        return read_file(path, Limits(max_bytes=len(data))) == data
    except ReadError:
        return False


def write_file(path: str, data: bytes, *, over: bool = True) -> None:
    """Write a file as a whole or not at all; folders above it are made.

    A file that is replaced keeps its mode; a link is followed, so the file it names is replaced. Other hard links
    to the old file keep the old content. A device or pipe is written to.

    Args:
        over: whether a file may be replaced.

    Raises:
        WriteError: the system refuses it (code `"unwritable-file"`), there is a file (`"file-exists"`), or the path
            leads elsewhere meanwhile (`"changed-meanwhile"`).
    """
    with open_atomically(path, over=over) as stream:
        stream.write(data)


@contextmanager
def open_atomically(path: str, *, within: str = "", over: bool = True) -> Iterator[BinaryIO]:
    """A stream for content that does not fit into memory; `path` gets it as in `write_file` when the block ends well.

    The folder is held open from the beginning: what its path leads to at the end does not matter.

    Args:
        within: a folder, absolute and without links, that no link may lead out of; empty is anywhere.
        over: whether a file may be replaced.

    Raises:
        WriteError: as `write_file`, for every `OSError` that the block itself raises, and where the path leads out of
            `within` (code `"outside-folder"`).
    """
    target = os.path.realpath(path)
    if within and below(target, within) is None:
        raise WriteError("a link leads out of the folder; nothing was written", "outside-folder", source=path)
    with name_file_in_errors(path):
        if is_device(path):
            with _open_device(path) as device:
                yield device
            return
        folder_path, name = os.path.split(target)
        remove_leftovers_once(folder_path)
        with open_folder(folder_path, make=True) as folder, temporary_file(folder, name) as new:
            yield new.stream
            # What appears is lost with nothing but itself if the power fails; to wait for the disk would make
            # 10,000 new files take a minute.
            finish_temporary(new, folder, name, wait=folder.status(name) is not None)
            if over:
                folder.replace(new.name, name)
            elif not link_into_place(folder, new.name, name):
                message = "the file exists; nothing was written; give --force to replace it"
                raise WriteError(message, "file-exists", source=path)


def _open_device(path: str) -> BinaryIO:
    """A device or a pipe, once somebody reads that.

    Raises:
        WriteError: nobody does within `PIPE_PATIENCE` seconds; code `"unwritable-file"`.
    """
    if not stat.S_ISFIFO(os.stat(path).st_mode):
        return open(path, "wb")
    ends = time.monotonic() + PIPE_PATIENCE
    while True:
        try:
            handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() >= ends:
                raise WriteError("nobody reads this pipe", "unwritable-file", source=path) from None
            time.sleep(0.02)
        else:
            os.set_blocking(handle, True)
            return os.fdopen(handle, "wb")


@contextmanager
def name_file_in_errors(path: str) -> Iterator[None]:
    """Say of which file the system speaks, where it refuses something.

    Raises:
        WriteError: it does.
    """
    try:
        yield
    except Busy as error:
        message = "another run is at work in this folder; nothing was written; run the command again when it is done"
        raise WriteError(message, "busy-folder", source=path) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            message = "the path leads elsewhere than when the run began; nothing was written; run the command again"
            raise WriteError(message, "changed-meanwhile", source=path) from error
        raise WriteError(f"cannot be written: {system_reason(error)}", "unwritable-file", source=path) from error
