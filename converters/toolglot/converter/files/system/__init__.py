"""What each system does in its own way with files and folders.

program_files  where programs are that are called by their names
user_folders   where people and programs keep what is theirs
posix          with handles of folders and locks: Linux, macOS, BSD
windows        with paths alone: Windows, and whatever else has no such handles
"""

from __future__ import annotations

import os
from importlib.util import find_spec

# With a star, because a list of names would stand here twice; mypy holds the two modules to the same types.
if find_spec("fcntl") and os.open in os.supports_dir_fd:
    from toolglot.converter.files.system.posix import *
else:
    from toolglot.converter.files.system.windows import *
