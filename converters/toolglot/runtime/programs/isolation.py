"""What a program is kept from while it runs, and how the file that was checked becomes the file that runs.

`bubblewrap`  no network, no other processes, files read-only but for the folder of the run. The bytes that were
              hashed are mounted over the program's path, so nothing else can run; this holds for scripts too.
`namespaces`  no network and no other processes; files are as they are. The program is run by its path.
`none`        only the bounds of the process. A program is run by its descriptor; a script by its path, because the
              interpreter opens it once more.

A program that is run by its path could be changed between the check and the run, but only by root and its owner; and
`OpenProgram.verify` checks the file again after the run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from threading import Event
from typing import NamedTuple

from toolglot.errors import ProgramError
from toolglot.option_checks import require_choice
from toolglot.runtime.programs.environment import SEARCHED, private_folder
from toolglot.runtime.programs.processes import Launch, RunBounds, RunOutcome, bounded_run
from toolglot.runtime.programs.resolution import OpenProgram, open_program

_FOLDERS = SEARCHED  # the launchers are looked for there, and not in PATH either
_HIDDEN = ("/run", "/tmp", "/var/tmp")  # they hold sockets of agents and buses, to which a program could talk
_NOTHING = "/bin/true"


class Isolation(NamedTuple):
    """A way to keep a program from networks, processes and files.

    Attributes:
        name: one of `NAMES`.
        words: what the program is kept from, for people.
        launcher: the program of the system that isolates, such as `bwrap`; empty where none is needed.
        launch: path of the launcher, program, argument vector, folders of the run -> what to start.
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


def _launch_plainly(launcher: str, program: OpenProgram, vector: Sequence[str], folders: Sequence[str]) -> Launch:
    if program.interpreters:
        return Launch(tuple(vector), program.path)
    return Launch(tuple(vector), f"/proc/self/fd/{program.handle}", (program.handle,))


_NO_NETWORK = "no network, no other processes"
_BUBBLEWRAP = Isolation(
    "bubblewrap", f"{_NO_NETWORK}, files read-only but for the folder of the run", "bwrap", _launch_bubblewrap
)
_UNSHARING = ("--user", "--map-current-user", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--")
_NAMESPACES = Isolation(
    "namespaces",
    f"{_NO_NETWORK}; your files are within its reach",
    "unshare",
    lambda launcher, program, vector, folders: Launch((launcher, *_UNSHARING, *vector), launcher),
)
NONE = Isolation("none", "the network and your files are within its reach", "", _launch_plainly)
_WAYS = (_BUBBLEWRAP, _NAMESPACES, NONE)
NAMES = tuple(way.name for way in _WAYS)
"""The names of all ways, the best first."""


def _find_launcher(isolation: Isolation) -> str | None:
    """The path of the launcher; empty where none is needed, `None` where it is not installed."""
    return shutil.which(isolation.launcher, path=_FOLDERS) if isolation.launcher else ""


def _installed_isolations(requirement: str | None) -> list[Isolation]:
    """The isolations whose launchers are installed, the best first; only the required one, if one is required.

    Nothing runs, so the system may still forbid them.

    Raises:
        ProgramError: the required one is not installed (code `"no-isolation"`).
        UsageError: there is no such isolation.
    """
    if requirement is not None:
        require_choice("an isolation", requirement, NAMES)
    ways = [way for way in _WAYS if requirement in (None, way.name)]
    installed = [way for way in ways if _find_launcher(way) is not None]
    if not installed:
        raise _missing_error(requirement, f"{ways[0].launcher} is not installed")
    return installed


def plan_isolation(requirement: str | None = None) -> Isolation:
    """The isolation that `choose_isolation` would try first; nothing runs. Errors as there."""
    return _installed_isolations(requirement)[0]


def choose_isolation(requirement: str | None = None) -> Isolation:
    """The isolation to use: the required one, or the best that the system permits. Each is tried once.

    Raises:
        ProgramError: the required one is missing, or the system does not permit it (code `"no-isolation"`); a weaker
            isolation never replaces a required one.
        UsageError: there is no such isolation.
    """
    for way in _installed_isolations(requirement):
        if _is_permitted(way):
            return way
    raise _missing_error(requirement, "the system does not permit it")


def _missing_error(name: str | None, reason: str) -> ProgramError:
    return ProgramError(f"the isolation `{name}` cannot be had: {reason}", "no-isolation")


@cache
def _is_permitted(isolation: Isolation) -> bool:
    """Whether a program that does nothing runs in this isolation: containers and hardened systems forbid some."""
    if isolation is NONE:
        return True
    try:
        with open_program(_NOTHING) as program, private_folder() as folder:
            return run_isolated(isolation, program, [program.path], [folder], {}, RunBounds(seconds=10)).code == 0
    except ProgramError:
        return False


def run_isolated(
    isolation: Isolation,
    program: OpenProgram,
    vector: Sequence[str],
    folders: Sequence[str],
    environment: Mapping[str, str],
    bounds: RunBounds,
    stop: Event | None = None,
) -> RunOutcome:
    """Run a program with an argument vector; other arguments and errors as of `bounded_run`.

    Args:
        vector: the argument vector; its first word is the program's `argv[0]`.
        folders: the folders in which it may write, if files are read-only; the first is its working folder.
    """
    launch = isolation.launch(_find_launcher(isolation) or "", program, vector, folders)
    return bounded_run(launch, folders[0], environment, bounds, stop)
