"""Many files changed one after the other: where the work fails, they are as they were.

What a file held keeps a second name until all is done, so that going back takes no room on a full disk. These names are
all in one folder, where the next run finds and sweeps them if this one is killed.
`replacement` does more for the few files of a document: it waits for the disk, and keeps other runs out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from toolglot.files import writing
from toolglot.files.open_folders import open_folder
from toolglot.files.temporaries import release_name, reserve_name

_OPEN: list[Transaction] = []


class _FileChange(NamedTuple):
    """A change of one file.

    Attributes:
        folder, name: the file, without links.
        data: its new content; `None` where it goes.
        backup: the second name of what it held, in the root; `None` where there was nothing.
    """

    folder: str
    name: str
    data: bytes | None
    backup: str | None


class Transaction:
    """The changes of one piece of work.

    Args:
        root: a folder, absolute and without links, that no change leads out of; second names are in it.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._steps: list[_FileChange] = []

    def write(self, path: str, data: bytes, *, over: bool = True) -> None:
        """`writing.write_file`, with the same errors."""
        with writing.name_file_in_errors(path):
            self._prepare(path, data)
        writing.write_file(path, data, within=self._root, over=over)

    def remove(self, path: str) -> None:
        """Take a file away."""
        with writing.name_file_in_errors(path):
            step = self._prepare(path, None)
            with open_folder(step.folder) as folder:
                folder.unlink(step.name)

    def undo(self) -> None:
        """Go back, step by step, as far as the system allows it: each state on the way is one that a run can be in."""
        with suppress(OSError):
            while self._steps:
                step = self._steps[-1]
                self._undo(step)
                self._forget(step)
                self._remove_empty_folders(step.folder)
                self._steps.pop()
        self.finish()

    def finish(self) -> None:
        """Forget what the files held."""
        steps, self._steps = self._steps, []
        for step in steps:
            self._forget(step)
        for step in steps:
            if step.data is None:
                self._remove_empty_folders(step.folder)

    def _prepare(self, path: str, data: bytes | None) -> _FileChange:
        """Note what will be done, with a second name of what is there."""
        folder_path, name = os.path.split(os.path.realpath(path))
        backup = None
        is_inside = os.path.join(folder_path, "").startswith(os.path.join(self._root, ""))
        if is_inside and os.path.lexists(os.path.join(folder_path, name)):
            backup = reserve_name(self._root)
            with suppress(OSError), open_folder(folder_path) as folder, open_folder(self._root) as root:
                folder.link(name, backup, into=root)  # some systems know no second names
        step = _FileChange(folder_path, name, data, backup)
        self._steps.append(step)
        return step

    def _undo(self, step: _FileChange) -> None:
        """Go one step back, unless it was not done, or somebody else came after it."""
        path = os.path.join(step.folder, step.name)
        if step.data is None:
            is_done = not os.path.lexists(path)
        else:
            is_done = writing.has_content(path, step.data)
        if not is_done:
            return
        with open_folder(step.folder, make=True) as folder, open_folder(self._root) as root:
            if step.backup is not None:
                root.replace(step.backup, step.name, into=folder)
            else:
                folder.unlink(step.name)

    def _forget(self, step: _FileChange) -> None:
        """Take the second name away."""
        if step.backup is not None:
            release_name(os.path.join(self._root, step.backup))

    def _remove_empty_folders(self, folder: str) -> None:
        """Take folders below the root away that hold nothing any more."""
        with suppress(OSError):
            while folder.startswith(os.path.join(self._root, "")):
                os.rmdir(folder)
                folder = os.path.dirname(folder)


@contextmanager
def transaction(root: str) -> Iterator[Transaction]:
    """Files that are changed in the block; where it fails, they are as they were.

    Args:
        root: as for `Transaction`.
    """
    changes = Transaction(root)
    _OPEN.append(changes)
    try:
        yield changes
    except BaseException:
        changes.undo()
        _OPEN.remove(changes)  # not where a second signal came first
        raise
    changes.finish()
    _OPEN.remove(changes)


def undo_unfinished() -> None:
    """Go back where a signal kept a transaction from doing so; see `temporaries.remove_unfinished`."""
    while _OPEN:
        _OPEN.pop().undo()
