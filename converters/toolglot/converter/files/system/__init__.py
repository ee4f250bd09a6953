"""What systems lock, and how they hold folders open; a module for each.

posix      with handles of folders
windows    with paths alone
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from toolglot.converter.files.system.windows import hold_folder, try_lock, unlock
else:
    from toolglot.converter.files.system.posix import hold_folder, try_lock, unlock

__all__ = ["hold_folder", "try_lock", "unlock"]
