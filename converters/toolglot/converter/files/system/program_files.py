"""Where the file of a program is."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping


def find_program(name: str, environment: Mapping[str, str], system: str = os.name) -> str | None:
    """The file of a program: a name alone is one in a folder of `PATH`, and nowhere else; `None` where there is none.

    On Windows `shutil.which` and the system itself look in the current folder first. In a checkout of somebody else,
    `git` would be whatever program is called so there.

    Args:
        name: with or without a folder; on Windows also without its ending, which is one of `PATHEXT`.
        system: as `os.name` has it.
    """
    separator = ":"
    names = [name]
    if system == "nt":
        separator = ";"
        endings = tuple(filter(None, environment.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").lower().split(separator)))
        if not name.lower().endswith(endings):
            names = [name + ending for ending in endings]
    folders = [""]
    if not os.path.dirname(name):
        folders = list(filter(None, environment.get("PATH", posixpath.defpath).split(separator)))
    for folder in folders:
        for file_name in names:
            path = os.path.join(folder, file_name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return None
