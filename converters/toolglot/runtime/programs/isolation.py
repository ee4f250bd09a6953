"""What a program is kept from while it runs, and how the file that was checked becomes the file that runs.

`bubblewrap`  no network, no other processes, files read-only but for the folder of the run. The bytes that were
              hashed are put over the program's path, so that nothing else can run, a script neither.
`namespaces`  no network and no other processes; files are as they are. The program is run by its path.
`none`        nothing but the bounds of the process. A program is run by its descriptor; a script by its path, because
              the interpreter opens it once more.

Where a program is run by its path, nobody but root and its owner can have changed it since it was checked, and
`OpenProgram.verify` looks once more when it is over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from toolglot.errors import ProgramError, UsageError
from toolglot.runtime.programs.environment import private_folder
from toolglot.runtime.programs.processes import Launch, RunBounds, bounded_run
from toolglot.runtime.programs.resolution import OpenProgram, open_program

_FOLDERS = ("/usr/bin", "/bin")  # where the launchers are looked for; PATH is not searched for them either
_HIDDEN = ("/run", "/tmp", "/var/tmp")  # where sockets of agents and buses lie, to which a program could talk
_NOTHING = "/bin/true"


class Isolation(NamedTuple):
    """A way of keeping a program from things.

    Attributes:
        name: one of `NAMES`.
        words: what it is kept from.
        launcher: the name of the program of the system that does it; empty where none is needed.
        launch: from the launcher's path, the program, its argument vector and the folders of the run to what is run.
    """

    name: str
    words: str
    launcher: str
    launch: Callable[[str, OpenProgram, Sequence[str], Sequence[str]], Launch]

    def __str__(self) -> str:
        return f"{self.name}: {self.words}"


def _launch_bubblewrap(launcher: str, program: OpenProgram, vector: Sequence[str], folders: Sequence[str]) -> Launch:
    os.lseek(program.handle, 0, os.SEEK_SET)
    needed_paths = (program.path, *program.interpreters, *map(os.path.realpath, program.interpreters))
    words = [launcher, "--unshare-all", "--unshare-user", "--die-with-parent", "--ro-bind", "/", "/"]
    words += ["--dev", "/dev", "--proc", "/proc"]
    for path in _HIDDEN:
        is_needed = any(other.startswith(f"{path}/") for other in needed_paths)
        if not is_needed and os.path.isdir(path):
            words += ["--tmpfs", path]
    for path in folders:
        words += ["--bind", path, path]
    words += ["--perms", "0555", "--ro-bind-data", str(program.handle), program.path]
    launch = Launch((*words, "--chdir", folders[0], "--", *vector), launcher, (program.handle,))
    return launch._replace(file_size=max(launch.file_size, program.fingerprint.size))  # the launcher writes a copy


def _launch_namespaces(launcher: str, program: OpenProgram, vector: Sequence[str], folders: Sequence[str]) -> Launch:
    words = (launcher, "--user", "--map-current-user", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--")
    return Launch((*words, *vector), launcher)


def _launch_plainly(launcher: str, program: OpenProgram, vector: Sequence[str], folders: Sequence[str]) -> Launch:
    if program.interpreters:
        return Launch(tuple(vector), program.path)
    return Launch(tuple(vector), f"/proc/self/fd/{program.handle}", (program.handle,))


_NO_NETWORK = "no network, no other processes"
_BUBBLEWRAP = Isolation(
    "bubblewrap", f"{_NO_NETWORK}, files read-only but for the folder of the run", "bwrap", _launch_bubblewrap
)
_NAMESPACES = Isolation("namespaces", f"{_NO_NETWORK}; your files are within its reach", "unshare", _launch_namespaces)
NONE = Isolation("none", "the network and your files are within its reach", "", _launch_plainly)
_WAYS = {way.name: way for way in (_BUBBLEWRAP, _NAMESPACES, NONE)}
NAMES = tuple(_WAYS)
"""The names of all ways, the best first."""


def _find_launcher(name: str) -> str | None:
    """The program of the system that isolates in this way; empty where none is needed, `None` where it is missing.

    Nothing runs: whether the system permits it shows when it is tried.
    """
    launcher = _WAYS[name].launcher
    if not launcher:
        return ""
    for folder in _FOLDERS:
        path = os.path.join(folder, launcher)
        if os.access(path, os.X_OK):
            return path
    return None


def plan_isolation(requirement: str | None = None) -> Isolation:
    """The isolation that would be tried first. Nothing runs.

    Raises:
        ProgramError: the required one is missing (code `"no-isolation"`).
        UsageError: there is no such isolation.
    """
    names = NAMES
    if requirement is not None:
        if requirement not in NAMES:
            raise UsageError(f"an isolation is one of {', '.join(NAMES)}, not {requirement!r}", code="bad-option")
        names = (requirement,)
    for name in names:
        if _find_launcher(name) is not None:
            return _WAYS[name]
    raise _missing_error(names[0], f"{_WAYS[names[0]].launcher} is not installed")


def choose_isolation(requirement: str | None = None) -> Isolation:
    """The isolation to use: the required one, or the best that the system permits. Each is tried once.

    Raises:
        ProgramError: the system does not permit the required one (code `"no-isolation"`). A weaker one is
            never taken in its place.
        UsageError: there is no such isolation.
    """
    if requirement is not None:
        plan_isolation(requirement)
        if not _is_permitted(requirement):
            raise _missing_error(requirement, "the system does not permit it")
        return _WAYS[requirement]
    for name in NAMES:
        if _find_launcher(name) is not None and _is_permitted(name):
            return _WAYS[name]
    return NONE


def _missing_error(name: str, reason: str) -> ProgramError:
    return ProgramError(f"the isolation `{name}` cannot be had: {reason}", "no-isolation")


@cache
def _is_permitted(name: str) -> bool:
    """Whether a program that does nothing runs in this isolation: containers and hardened systems forbid some."""
    if name == NONE.name:
        return True
    try:
        with open_program(_NOTHING) as program, private_folder() as folder:
            launch = launch_of(_WAYS[name], program, [program.path], [folder])
            return bounded_run(launch, folder, {}, RunBounds(seconds=10)).code == 0
    except ProgramError:
        return False


def launch_of(isolation: Isolation, program: OpenProgram, vector: Sequence[str], folders: Sequence[str]) -> Launch:
    """How a program is started with an argument vector.

    Args:
        vector: the first word is what the program is told that it is called.
        folders: where it may write, if files are read-only; it runs in the first.
    """
    return isolation.launch(_find_launcher(isolation.name) or "", program, vector, folders)
