"""Which file a program is: its path without links, its size, its time, and the hash of its content.

The hash decides: a time alone would miss a file that was changed and then given its old time.
"""

from __future__ import annotations

import hashlib
import os
import stat

import msgspec

from toolglot.errors import LimitError, ParseError, ReadError, system_reason

MAX_BYTES = 1 << 30
"""The largest program that is hashed; it takes about a second."""

_CHUNK = 1 << 20
DIGITS = frozenset("0123456789abcdef")


class Fingerprint(msgspec.Struct, frozen=True):
    """Which file a program is.

    Attributes:
        path: the absolute path, links followed.
        size: the number of bytes.
        mtime_ns: the time of the last change, in nanoseconds.
        sha256: the hash of the content, 64 digits in lower case, without a prefix.
    """

    path: str
    size: int
    mtime_ns: int
    sha256: str


def fingerprint_of(path: str | os.PathLike[str]) -> Fingerprint:
    """The fingerprint of a regular file. Hashing is reading: nothing runs.

    Args:
        path: the file; links are followed.

    Raises:
        ReadError: the system refuses to read the file (code `"unreadable"`), or it changed meanwhile
            (`"changed-meanwhile"`).
        ParseError: the path is a folder, pipe, socket or device; code `"not-a-file"`.
        LimitError: the file is larger than 1 GiB.
    """
    name = os.fsdecode(path)
    try:
        real_path = os.path.realpath(name)
        _refuse_special(os.stat(real_path), real_path)  # before opening it: opening a device may already do something
        handle = os.open(real_path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            return fingerprint_of_handle(handle, real_path)
        finally:
            os.close(handle)
    except ValueError as error:  # a path with a NUL
        raise ReadError(f"cannot be read: {error}", "unreadable", source=name) from error
    except OSError as error:
        raise ReadError(f"cannot be read: {system_reason(error)}", "unreadable", source=name) from error


def fingerprint_of_handle(handle: int, path: str) -> Fingerprint:
    """`fingerprint_of` for a file that is open for reading; it is read from its current position, and stays open.

    Args:
        path: the path for the fingerprint and for messages.

    Raises:
        OSError: the system refuses it.
        ReadError, ParseError, LimitError: as for `fingerprint_of`.
    """
    before = os.fstat(handle)
    _refuse_special(before, path)
    _refuse_large(before.st_size, path)  # before reading: every entry of a registry may name such a file
    digest = hashlib.sha256()
    size = 0
    while size <= MAX_BYTES:
        chunk = os.read(handle, _CHUNK)
        if not chunk:
            break
        digest.update(chunk)
        size += len(chunk)
    _refuse_large(size, path)
    after = os.fstat(handle)
    if (size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise ReadError("it changed while it was read; try again", "changed-meanwhile", source=path)
    return Fingerprint(path, size, after.st_mtime_ns, digest.hexdigest())


def _refuse_large(size: int, path: str) -> None:
    if size > MAX_BYTES:
        raise LimitError(f"larger than {MAX_BYTES} bytes; it is not hashed", "too-large", source=path)


def _refuse_special(status: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ParseError("a directory, pipe or device; a program is a regular file", "not-a-file", source=path)


def is_sha256(text: str) -> bool:
    """Whether a text is a SHA-256 hash in lower case."""
    return len(text) == 64 and set(text) <= DIGITS
