"""Refuses programs that other users could change, and files that may not be run as programs."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.converter.text import document_reader
from toolglot.errors import ProgramError

ROOT = 0
_MOST_LINKS = 40  # the limit of Linux
_LIMITS = document_reader.Limits(max_bytes=1 << 20)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_SETS_ID = stat.S_ISUID | stat.S_ISGID


class PathWalk(NamedTuple):
    """The file that a path leads to, and notes about the folders on the way."""

    real_path: str
    notes: tuple[str, ...]


def walk_path(path: str) -> PathWalk:
    """Follow a path part by part, links included, and check the owner of each folder and link on the way.

    `os.path.realpath` would not tell through which folders the links led; whoever can change one of those links
    decides where the path leads.

    Raises:
        ProgramError: another user could change where the path leads.
        OSError: the system refuses to follow the path.
    """
    notes = list(_check_folder("/", os.lstat("/")))
    parts = path.split("/")[::-1]
    real_path, links = "/", 0
    while parts:
        part = parts.pop()
        if part in ("", "."):
            continue
        if part == "..":
            real_path = os.path.dirname(real_path)
            continue
        here = os.path.join(real_path, part)
        status = os.lstat(here)
        if stat.S_ISLNK(status.st_mode):
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            check_owner("the link", here, status)
            target = os.readlink(here)
            real_path = "/" if os.path.isabs(target) else real_path
            parts += target.split("/")[::-1]
            continue
        if stat.S_ISDIR(status.st_mode):
            notes += _check_folder(here, status)
        real_path = here
    return PathWalk(real_path, tuple(notes))


def check_owner(subject: str, path: str, status: os.stat_result) -> None:
    """Make sure that a file, folder or link belongs to root or to us.

    Raises:
        ProgramError: it belongs to somebody else.
    """
    if status.st_uid not in (ROOT, os.geteuid()):
        message = f"{subject} {path} belongs to user {status.st_uid}, who is neither root nor you"
        raise ProgramError(message, "program-not-ours", source=path)


def _check_folder(path: str, status: os.stat_result) -> Iterator[str]:
    """Refuse a folder in which others can replace files; yield a note where they can only add some.

    Where the sticky bit is set, as in `/tmp`, others can write, but only its owner can rename or remove a file. The
    owners of the files and folders on the path are checked anyway.
    """
    check_owner("the folder", path, status)
    if not status.st_mode & _OTHERS_WRITE:
        return
    if not status.st_mode & stat.S_ISVTX:
        message = f"others can write in the folder {path}; take that away (chmod go-w), or move the program"
        raise ProgramError(message, "program-writable", source=path)
    yield f"others can write in {path}, but not replace what is yours there (sticky bit)"


def check_file_owner(path: str, status: os.stat_result) -> None:
    """Make sure that a file belongs to root or to us, and that nobody else can write into it.

    Raises:
        ProgramError: it belongs to somebody else, or others can write into it.
    """
    check_owner("the file", path, status)
    if status.st_mode & _OTHERS_WRITE:
        message = f"others can write into {path}; take that away (chmod go-w)"
        raise ProgramError(message, "program-writable", source=path)


def check_program_file(status: os.stat_result, handle: int, path: str) -> None:
    """Make sure that an open file may be run: a regular, executable file of ours or root's, without own rights.

    Raises:
        ProgramError: it may not be run; the code says why.
    """
    if not stat.S_ISREG(status.st_mode):
        raise ProgramError("this is no regular file", "program-not-a-file", source=path)
    if status.st_mode & _SETS_ID or "security.capability" in _attributes(handle):
        message = "it runs with rights of its own (setuid, setgid or capabilities), which no bounds here could hold"
        raise ProgramError(message, "program-privileged", source=path)
    if not status.st_mode & 0o111 or not os.access(path, os.X_OK):
        raise ProgramError("it is not executable", "program-not-executable", source=path)
    check_file_owner(path, status)


def _attributes(handle: int) -> list[str]:
    try:
        return os.listxattr(handle)
    except OSError:  # a file system without them
        return []


def read_guarded(path: str | os.PathLike[str]) -> Any:
    """The data of a small file that says what may run, or who may see what.

    Raises:
        ReadError: the file cannot be read, or is neither JSON nor YAML.
        ProgramError: somebody else can write it.
    """
    name = os.fsdecode(path)
    refuse_shared_file(name)
    return document_reader.load(document_reader.read_file(path, _LIMITS), name, _LIMITS).data


def refuse_shared_file(path: str) -> None:
    """Make sure that nobody else can write a file that says what may run; a missing file is accepted.

    Raises:
        ProgramError: somebody else can write it.
    """
    if not hasattr(os, "geteuid"):  # Windows, where no programs are run
        return
    try:
        walk = walk_path(os.path.abspath(path))
        status = os.lstat(walk.real_path)
    except (OSError, ValueError):
        return
    check_file_owner(walk.real_path, status)
