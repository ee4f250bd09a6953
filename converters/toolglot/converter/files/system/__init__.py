"""What each system does in its own way with files and folders.

user_folders   where people and programs keep what is theirs
posix          with handles of folders and locks: Linux, macOS, BSD
windows        with paths alone: Windows, and whatever else has no such handles
"""

from __future__ import annotations

import os
from importlib.util import find_spec

if find_spec("fcntl") and os.open in os.supports_dir_fd:
    from toolglot.converter.files.system.posix import (
        OTHERS,
        hold_folder,
        keep_permissions,
        lock_folder,
        patiently,
        sync,
        try_lock,
    )
else:
    from toolglot.converter.files.system.windows import (
        OTHERS,
        hold_folder,
        keep_permissions,
        lock_folder,
        patiently,
        sync,
        try_lock,
    )

__all__ = ["OTHERS", "hold_folder", "keep_permissions", "lock_folder", "patiently", "sync", "try_lock"]
