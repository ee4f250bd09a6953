"""Where people and programs keep what is theirs."""

from __future__ import annotations

import ntpath
import os
import posixpath
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class UserFolders(NamedTuple):
    """Folders, which need not be there.

    Attributes:
        config: what a person sets.
        data: what programs keep for a person.
        state: what a program remembers between two runs.
        shared: what programs keep for everybody here, those first that count more.
    """

    config: str
    data: str
    state: str
    shared: list[str]


# Where no variable of the XDG Base Directory Specification says another place: variables of the system, then folders.
_POSIX = (["~/.config"], ["~/.local/share"], ["~/.local/state"], ["/usr/local/share", "/usr/share"])
_WINDOWS = (["%APPDATA%", r"~\AppData\Roaming"], *[["%LOCALAPPDATA%", r"~\AppData\Local"]] * 2, ["%PROGRAMDATA%"])


def user_folders(environment: Mapping[str, str], home: str, system: str = os.name) -> UserFolders:
    r"""The folders of a user. A variable that is empty or relative does not count, as the specification has it.

    Args:
        home: the user's folder.
        system: as `os.name` has it.

    >>> found = user_folders({"XDG_STATE_HOME": "here", "XDG_DATA_DIRS": "share:/opt/share"}, "/home/me", "posix")
    >>> print(*found[:3], *found.shared)
    /home/me/.config /home/me/.local/share /home/me/.local/state /opt/share
    >>> variables = {"APPDATA": "C:\\Roaming", "PROGRAMDATA": "C:\\All", "XDG_DATA_HOME": "D:\\data"}
    >>> found = user_folders(variables, "C:\\me", "nt")
    >>> print(*found[:3], *found.shared)
    C:\Roaming D:\data C:\me\AppData\Local C:\All
    """
    is_windows = system == "nt"
    path = ntpath if is_windows else posixpath
    defaults = _WINDOWS if is_windows else _POSIX

    def usable(values: Iterable[str], default: list[str]) -> list[str]:
        named = [value for value in values if path.isabs(value)]
        if named:
            return named
        filled = [environment.get(place.strip("%"), "") if "%" in place else place for place in default]
        return [place.replace("~", home, 1) for place in filled if place]

    config, data, state = (
        usable([environment.get(f"XDG_{name}_HOME", "")], default)[0]
        for name, default in zip(("CONFIG", "DATA", "STATE"), defaults, strict=False)
    )
    shared = usable(environment.get("XDG_DATA_DIRS", "").split(path.pathsep), defaults[3])
    return UserFolders(config, data, state, shared)
