"""The surroundings of a program that we start: its environment variables, and a folder of its own."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SEARCHED = "/usr/bin:/bin"
"""The `PATH` of the program: folders of the system only. The user's `PATH` may have folders that others write in."""


@contextmanager
def private_folder() -> Iterator[str]:
    """An empty folder that no other user can read; it is removed afterwards with everything in it."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="toolglot-run-"))
    try:
        yield folder
    finally:
        _remove_folder(folder)


def closed_environment(folder: str) -> dict[str, str]:
    """The whole environment of a program that is asked to describe itself; nothing of ours is passed on."""
    return {"PATH": SEARCHED, "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder}


def _remove_folder(folder: str) -> None:
    """Remove a folder that an untrusted program could write in; no link is followed, not even in the folder's place.

    The program may have taken away the rights to folders, or nested a thousand of them, and `shutil.rmtree` fails on
    both. So each folder gets its rights back, and is moved to the top before it is emptied.
    """
    try:
        _make_accessible(folder)
    except OSError:  # the folder is gone, or something else has its name
        return
    prefix = secrets.token_hex(8)
    waiting, folders = [folder], []
    while waiting:
        path = waiting.pop()
        folders.append(path)
        with suppress(OSError):
            for entry in list(os.scandir(path)):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                    continue
                new_path = os.path.join(folder, f"{prefix}-{len(folders) + len(waiting)}")
                _make_accessible(entry.path)
                os.rename(entry.path, new_path)
                waiting.append(new_path)
    for path in reversed(folders):
        with suppress(OSError):
            os.rmdir(path)


def _make_accessible(folder: str) -> None:
    """Give us back the rights to a folder.

    By a descriptor: `os.chmod` by path would follow a link that meanwhile took the place of the folder.
    """
    handle = os.open(folder, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)
