"""What a system has that some tests need: where it is missing these are skipped, and say what is missing."""

from __future__ import annotations

import os
import sys
import tempfile

import pytest


def _makes_links() -> bool:
    """Whether links can be made: Windows wants a right for that, which few people have."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            os.symlink(folder, os.path.join(folder, "link"))
        except OSError:
            return False
    return True


IS_SUPERUSER = hasattr(os, "geteuid") and os.geteuid() == 0

needs_links = pytest.mark.skipif(not _makes_links(), reason="no symbolic links can be made here")
needs_modes = pytest.mark.skipif(os.name != "posix", reason="permissions here are no bits of a mode")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names in folders here")
needs_programs = pytest.mark.skipif(sys.platform != "linux", reason="programs are run on Linux only")
needs_signals = pytest.mark.skipif(os.name != "posix", reason="no signal that Python hears ends a program here")
needs_terminal = pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals to make here")
