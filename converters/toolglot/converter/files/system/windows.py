"""The same as `posix` for Windows, where folders have paths only.

There is no lock: a file that is open can be neither renamed nor taken away there. So whoever is alive keeps its
temporaries as long as it writes to them, and what nobody has open for an hour is swept.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager


def try_lock(handle: int) -> bool | None:
    """Nothing can be locked."""
    return None


def unlock(handle: int) -> None:
    """Nothing was locked."""


@contextmanager
def hold_folder(path: str, make: bool) -> Iterator[int | None]:
    """No handle; arguments and errors as for `open_folder`."""
    if make:
        os.makedirs(path, exist_ok=True)
    if os.path.realpath(path) != path:
        raise OSError(errno.ELOOP, "a link is on the way", path)
    yield None
