"""Where the files lie that tools for agents share: the folders of the XDG Base Directory Specification, in its order.

`PATH` is none of them. To look for programs there would mean to run every one, as nothing in a program's file says
whether it describes itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

SHARED = "agent-tools"
_MOST_FOLDERS = 32  # of a list of folders; a longer one is a mistake


class SharedFolder(NamedTuple):
    """A folder that tools for agents share.

    Attributes:
        path: the folder; it need not be there.
        has_overrides: whether what a person wants to say instead of a program lies there.
        has_data: whether registries, caches and shims lie there.
    """

    path: str
    has_overrides: bool = True
    has_data: bool = True


def machine_folders(environment: Mapping[str, str]) -> list[SharedFolder]:
    """The folders of this machine and user, those first that count more.

    A variable that is empty or relative does not count, as the specification has it.

    >>> [place.path for place in machine_folders({"HOME": "/home/me", "XDG_DATA_DIRS": "share:/opt/share"})]
    ['/home/me/.config/agent-tools', '/home/me/.local/share/agent-tools', '/opt/share/agent-tools']
    """
    home = environment.get("HOME") or os.path.expanduser("~")
    config = _absolute(environment.get("XDG_CONFIG_HOME", "")) or os.path.join(home, ".config")
    data = _absolute(environment.get("XDG_DATA_HOME", "")) or os.path.join(home, ".local", "share")
    folders = environment.get("XDG_DATA_DIRS", "").split(":")[:_MOST_FOLDERS]
    shared_folders = [path for path in folders if _absolute(path)] or ["/usr/local/share", "/usr/share"]
    data_folders = dict.fromkeys(os.path.join(path, SHARED) for path in (data, *shared_folders))
    return [
        SharedFolder(os.path.join(config, SHARED), has_data=False),
        *(SharedFolder(path, has_overrides=False) for path in data_folders),
    ]


def _absolute(path: str) -> str | None:
    return path if os.path.isabs(path) else None
