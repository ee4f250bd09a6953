"""What a system has that some tests need: where it is missing these are skipped, and say what is missing."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import SkipTest

import pytest


def _makes_links() -> bool:
    """Whether links can be made: Windows wants a right for that, which few people have."""
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "link")
        with suppress(OSError):
            os.symlink(folder, link)
        return os.path.islink(link)


class Missing(OSError, SkipTest):
    """A test, or a fixture, calls what this system has not: for pytest a reason to skip, in its own calls an error."""


def missing(what: str) -> Any:
    """What is called in the place of a function that is not there.

    Args:
        what: is missing, as people are told.
    """

    def refuse(*arguments: Any, **options: Any) -> None:
        raise Missing(what)

    return refuse


def write_text(path: Path, text: str, encoding: str = "utf-8", errors: str | None = None, newline: str = "\n") -> int:
    """In the place of `Path.write_text`: UTF-8 with LF on every system, as the documents of people mostly are."""
    with path.open("w", encoding=encoding, errors=errors, newline=newline) as stream:
        return stream.write(text)


def read_text(path: Path, encoding: str = "utf-8", errors: str | None = None) -> str:
    """In the place of `Path.read_text`: what we write is UTF-8 on every system."""
    with path.open(encoding=encoding, errors=errors) as stream:
        return stream.read()


def slashed(path: str) -> str:
    """A path as tests write it, where the system writes it otherwise."""
    return path.replace(os.sep, "/")


def with_slashed_paths(text: str, folder: str) -> str:
    """What was printed, with the paths that begin with a folder as tests write them, also those in JSON."""
    if os.sep == "/":
        return text
    separators = r"(?:/|\\{1,2})"
    beginning = separators.join(map(re.escape, folder.split(os.sep)))
    return re.sub(rf"{beginning}[^\s\"',:]*", lambda match: re.sub(separators, "/", match[0]), text)


MAKES_LINKS = _makes_links()
MAKES_PIPES = hasattr(os, "mkfifo")
MISSING = {
    **({} if MAKES_LINKS else {"symlink": missing("no symbolic links can be made here")}),
    **({} if MAKES_PIPES else {"mkfifo": missing("pipes have no names in folders here")}),
}
"""Functions of `os` that conftest.py puts in their places, so that each test that needs one says so by calling it."""

TEXTS: dict[str, Any] = {} if os.linesep == "\n" else {"write_text": write_text, "read_text": read_text}
"""Methods of `Path` that mean other bytes here; conftest.py puts these in their places."""

OF_POSIX = frozenset({
    "toolglot.converter.files.names.below",
    "toolglot.converter.files.names.paths_below",
    "toolglot.runtime.bridge.program_calls.run",
    "toolglot.runtime.inventory.machine_files.machine_folders",
    "toolglot.runtime.servers.variables.project_folder",
})  # fmt: skip
"""Examples in docstrings that show paths as POSIX writes them, or run a program; elsewhere conftest.py skips them."""

IS_SUPERUSER = hasattr(os, "geteuid") and os.geteuid() == 0

needs_any_name = pytest.mark.skipif(os.name == "nt", reason="a name here is text, without what moves a cursor")
needs_echo = pytest.mark.skipif(shutil.which("echo") is None, reason="here echo is no program, which an example runs")
needs_folders = pytest.mark.skipif(os.name != "posix", reason="users have other folders here: `user_folders`")
needs_broken_pipes = pytest.mark.skipif(os.name != "posix", reason="there are no pipes that close so")
needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="only forked workers have what this test changes")
needs_full_disk = pytest.mark.skipif(sys.platform != "linux", reason="there is no disk that is always full")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_links = pytest.mark.skipif(not MAKES_LINKS, reason="no symbolic links can be made here")
needs_locks = pytest.mark.skipif(os.name != "posix", reason="files are not locked here: litter goes after an hour")
needs_modes = pytest.mark.skipif(os.name != "posix", reason="permissions here are no bits of a mode")
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="/proc says what is asked here")
needs_programs = pytest.mark.skipif(sys.platform != "linux", reason="programs are run on Linux only")
needs_python3 = pytest.mark.skipif(shutil.which("python3") is None, reason="Python has another name here than python3")
needs_replacing = pytest.mark.skipif(os.name != "posix", reason="a file that is read cannot be replaced here")
needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="there is no POSIX shell here, which reads a line")
needs_signals = pytest.mark.skipif(os.name != "posix", reason="no signal that Python hears ends a program here")
needs_terminal = pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals to make here")
