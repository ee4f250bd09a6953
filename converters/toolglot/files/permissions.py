"""Permissions: a new file has the mode and, where that is allowed, the owner of the file that it replaces."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from toolglot.files.open_folders import Folder

if TYPE_CHECKING:
    from toolglot.files.temporaries import Temporary


def keep_permissions(new: Temporary, folder: Folder, target: str) -> None:
    """Give a temporary the permissions of `target`; nothing happens where there is no such file yet.

    Raises:
        OSError: the system refuses the mode.
    """
    old = folder.status(target)
    if sys.platform == "win32":
        new.stream.close()  # there an open file cannot be renamed, and no lock is lost
        if old is not None:
            os.chmod(os.path.join(folder.path, new.name), stat.S_IMODE(old.st_mode))
        return
    if old is None or not stat.S_ISREG(old.st_mode):
        return
    handle = new.stream.fileno()
    if (old.st_uid, old.st_gid) != (new.status.st_uid, new.status.st_gid):
        with suppress(OSError):
            os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
