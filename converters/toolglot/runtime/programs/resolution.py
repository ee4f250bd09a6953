"""From the name or path of a program to one open file that may be run.

A program is named by its path. `PATH` is not searched: whoever can write into one of its folders, or add a folder to
it, would decide what runs. Every folder and link on the path belongs to root or to us, and nobody else can write there
(`programs.ownership`); the same holds for the file, and for the interpreter in its first line.

The file is opened once. That open file is checked, hashed and, where the system allows it, run (`programs.isolation`).
`OpenProgram.verify` tells afterwards whether the path still leads to it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from toolglot.converter import formats
from toolglot.converter.formats.kit.tool_ids import Name
from toolglot.errors import Error, ProgramError, system_reason
from toolglot.runtime.inventory.fingerprints import Fingerprint, fingerprint_of_handle
from toolglot.runtime.programs.allow_list import AllowList
from toolglot.runtime.programs.ownership import ROOT, check_program_file, walk_path

HINT_OF_NAME = "give --any-name if that is meant"
_MOST_INTERPRETERS = 4  # the limit of Linux
_LONGEST_FIRST_LINE = 256  # the limit of Linux, which ignores the rest of the line


class OpenProgram(NamedTuple):
    """A program that may be run.

    Attributes:
        given_name: the path or the name that was given.
        fingerprint: which file it is, with its real path.
        handle: the descriptor of the file, open for reading.
        status: the status of the file when it was opened.
        interpreters: for a script, the interpreter in its first line, then the interpreter of that one.
        notes: sentences for whoever runs it.
    """

    given_name: str
    fingerprint: Fingerprint
    handle: int
    status: os.stat_result
    interpreters: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return self.fingerprint.path

    @property
    def names(self) -> tuple[str, ...]:
        """Its names: the one that somebody gave, and the one of the file."""
        return tuple(dict.fromkeys((os.path.basename(self.given_name), os.path.basename(self.path))))

    def other_names(self, name: str) -> str:
        """The names that a description should have used, for messages; empty where it used one of them.

        A name also fits without its ending, and as a format spells it: `notes.py` may call itself `notes`, or
        `notes-py` where the names of a format have no dots.
        """
        spellings = {spelling for name in self.names for spelling in (name, os.path.splitext(name)[0])}
        for described_format in formats.every():
            if described_format.describes_one_program:
                spellings.update(described_format.identify(Name((own_name,))) for own_name in self.names)
        return "" if name in spellings else " or ".join(map(repr, self.names))

    def verify(self) -> None:
        """Make sure that the path still leads to the file that was checked, and that nobody wrote into it.

        Raises:
            ProgramError: the file was changed or replaced (code `"program-changed"`).
        """
        try:
            now = os.stat(self.path, follow_symlinks=False)
        except OSError:
            now = None
        if now is None or _identity(now) != _identity(self.status):
            raise ProgramError(
                "the file was changed or replaced since it was checked", "program-changed", source=self.path
            )


@contextmanager
def open_program(program_name: str, allow_list: AllowList | None = None) -> Iterator[OpenProgram]:
    """The program that somebody named, open as long as the block lasts; nothing runs.

    Args:
        program_name: a path, or a name on the allow list.
        allow_list: names with their paths and hashes.

    Raises:
        ProgramError: the program may not be run or read; the code says why.
    """
    if not sys.platform.startswith("linux"):  # only Linux has namespaces, and descriptors as paths
        raise ProgramError(
            f"programs are run on Linux only; this is {sys.platform}", "unsupported-system", source=program_name
        )
    entry = None
    if os.sep not in program_name:
        entry = (allow_list or {}).get(program_name)
        if entry is None:
            raise ProgramError(
                "expected a path such as /usr/bin/git or ./notes, or a name on the allow list; PATH is not searched",
                "program-not-named",
                source=program_name,
            )
    with _open_file(os.path.abspath(program_name) if entry is None else entry.path) as program:
        if entry is not None and entry.sha256 != program.fingerprint.sha256:
            message = f"expected the hash {entry.sha256} of the allow list, found {program.fingerprint.sha256}"
            raise ProgramError(message, "program-changed", source=program.path)
        yield program._replace(given_name=program_name)


def is_root() -> bool:
    return os.geteuid() == ROOT


def refuse_root(is_allowed: bool) -> None:
    """Make sure that nobody runs a program as root unawares.

    Raises:
        ProgramError: we are root, and that was not allowed (code `"as-root"`).
    """
    if is_root() and not is_allowed:
        message = "you are root, and so would the program be; give --as-root if that is meant"
        raise ProgramError(message, "as-root")


def _open_real(real_path: str) -> int:
    """Open a file whose path has no links; without `O_NONBLOCK` a pipe without a writer would block for ever."""
    return os.open(real_path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)


@contextmanager
def _open_file(path: str) -> Iterator[OpenProgram]:
    try:
        walk = walk_path(path)
        handle = _open_real(walk.real_path)
    except FileNotFoundError:
        raise ProgramError("there is no such file", "program-missing", source=path) from None
    except (OSError, ValueError) as error:
        message = f"cannot be read, so that nobody can tell what it is: {system_reason(error)}"
        raise ProgramError(message, "program-unreadable", source=path) from error
    try:
        status = os.fstat(handle)
        check_program_file(status, handle, walk.real_path)
        try:
            fingerprint = fingerprint_of_handle(handle, walk.real_path)
        except Error as error:
            raise ProgramError(error.message, "program-unreadable", source=walk.real_path) from error
        interpreters, notes = _interpreters(handle, walk.real_path)
        yield OpenProgram(path, fingerprint, handle, status, interpreters, tuple(dict.fromkeys((*walk.notes, *notes))))
    finally:
        os.close(handle)


def _interpreters(handle: int, path: str, depth: int = 1) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The interpreter in the first line of a script and the interpreter of that one, and notes about their paths.

    Raises:
        ProgramError: one of them may not be run.
    """
    first_line = os.pread(handle, _LONGEST_FIRST_LINE, 0).split(b"\n", 1)[0]
    if not first_line.startswith(b"#!"):
        return (), ()
    words = first_line[2:].split()
    interpreter = os.fsdecode(words[0]) if words else ""
    if not os.path.isabs(interpreter) or depth > _MOST_INTERPRETERS:
        message = f"its first line names {interpreter!r}; an interpreter is named by its absolute path"
        raise ProgramError(message, "program-interpreter", source=path)
    try:
        walk = walk_path(interpreter)
        inner = _open_real(walk.real_path)
    except (OSError, ValueError) as error:
        message = f"its interpreter {interpreter} cannot be read: {system_reason(error)}"
        raise ProgramError(message, "program-interpreter", source=path) from error
    try:
        check_program_file(os.fstat(inner), inner, walk.real_path)
        below, notes = _interpreters(inner, walk.real_path, depth + 1)
    finally:
        os.close(inner)
    return (interpreter, *below), (*walk.notes, *notes)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
