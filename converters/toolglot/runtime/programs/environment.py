"""What a program that we start finds around it: its variables, and a folder of its own."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SEARCHED = "/usr/bin:/bin"
"""Where it looks for other programs: folders of the system. The user's `PATH` may lead to what anybody put there."""


@contextmanager
def private_folder() -> Iterator[str]:
    """An empty folder that nobody else can look into; it is removed with all that was put there."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="toolglot-run-"))
    try:
        yield folder
    finally:
        _remove_folder(folder)


def closed_environment(folder: str) -> dict[str, str]:
    """All that a program that is asked something learns of where it runs."""
    return {"PATH": SEARCHED, "LANG": "C.UTF-8", "HOME": folder, "TMPDIR": folder}


def _remove_folder(folder: str) -> None:
    """Remove a folder that a program could do to what it liked; no link is followed, even in the folder's own place.

    It may have taken the rights to folders away, and have put a thousand of them into each other, which
    `shutil.rmtree` would go down into until it fails. So each is moved up before it is emptied.
    """
    try:
        _make_accessible(folder)
    except OSError:  # it is gone, or something else has its name
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

    `os.chmod` by path would follow a link that was put in the place of the folder meanwhile.
    """
    handle = os.open(folder, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)
