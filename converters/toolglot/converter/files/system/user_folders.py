"""Where people and programs keep what is theirs: folders, which need not be there."""

from __future__ import annotations

import ntpath
import os
import posixpath
from collections.abc import Mapping

# What the XDG Base Directory Specification calls a folder -> the system's own variable for it, a folder below the home.
_LOCAL = ("LOCALAPPDATA", r"AppData\Local")
_WINDOWS = {"CONFIG": ("APPDATA", r"AppData\Roaming"), "DATA": _LOCAL, "STATE": _LOCAL}
_POSIX = {"CONFIG": ("", ".config"), "DATA": ("", ".local/share"), "STATE": ("", ".local/state")}


def user_folder(kind: str, environment: Mapping[str, str], home: str, system: str = os.name) -> str:
    r"""A folder of a user. A variable that is empty or relative does not count, as the specification has it.

    Args:
        kind: `CONFIG`, what a person sets; `DATA`, what programs keep; `STATE`, what one remembers between two runs.
        home: the user's folder.
        system: as `os.name` has it.

    >>> user_folder("STATE", {"XDG_STATE_HOME": "here"}, "/home/me", "posix")
    '/home/me/.local/state'
    >>> variables = {"APPDATA": "C:\\Roaming", "XDG_DATA_HOME": "D:\\data"}
    >>> print(*(user_folder(kind, variables, "C:\\me", "nt") for kind in ("CONFIG", "DATA", "STATE")))
    C:\Roaming D:\data C:\me\AppData\Local
    """
    rules = ntpath if system == "nt" else posixpath
    variable, below_home = (_WINDOWS if system == "nt" else _POSIX)[kind]
    for name in (f"XDG_{kind}_HOME", variable):
        path = environment.get(name, "")
        if rules.isabs(path):
            return path
    return str(rules.join(home, below_home))


def shared_folders(environment: Mapping[str, str], system: str = os.name) -> list[str]:
    r"""The folders of everybody here, those first that count more.

    >>> shared_folders({"XDG_DATA_DIRS": "share:/opt/share"}, "posix")
    ['/opt/share']
    >>> for variables in ({"XDG_DATA_DIRS": "C:\\a;D:\\b"}, {"PROGRAMDATA": "C:\\All"}):
    ...     print(*shared_folders(variables, "nt"))
    C:\a D:\b
    C:\All
    """
    rules = ntpath if system == "nt" else posixpath
    paths = environment.get("XDG_DATA_DIRS", "").split(rules.pathsep)
    defaults = [environment.get("PROGRAMDATA", "")] if system == "nt" else ["/usr/local/share", "/usr/share"]
    return list(filter(rules.isabs, paths)) or defaults
