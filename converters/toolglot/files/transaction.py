"""Many files changed one after the other: where the work fails, they are as they were.

What a file held keeps a second name until all is done, so that going back takes no room on a full disk. These names are
all in one folder, where the next run finds and sweeps them if this one is killed. An empty temporary, the owner, is
locked as long as they are needed, so that no other run sweeps them.
`replacement` does more for the few files of a document: it waits for the disk, and keeps other runs out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple

from toolglot.errors import WriteError
from toolglot.files import writing
from toolglot.files.open_folders import open_folder
from toolglot.files.temporaries import release_name, reserve_name, temporary_file
from toolglot.text.digests import sha256_of

_OPEN: list[Transaction] = []


class _FileChange(NamedTuple):
    """A change of one file.

    Attributes:
        folder, name: the file, without links.
        size, digest: of its new content, which stays in memory no longer; no digest where the file goes.
        backup: the second name of what it held, in the root; `None` where there was nothing.
    """

    folder: str
    name: str
    size: int
    digest: str
    backup: str | None


class Transaction:
    """The changes of one piece of work.

    Args:
        root: a folder, absolute and without links, that no change leads out of; second names are in it.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._lasting_folder = root  # the last on the way to the root that was there before
        while not os.path.isdir(self._lasting_folder):
            self._lasting_folder = os.path.dirname(self._lasting_folder)
        self._changes: list[_FileChange] = []
        self._owner = ""
        self._owner_stack = ExitStack()

    def write(self, path: str, data: bytes, *, over: bool = True) -> None:
        """`writing.write_file`, with the same errors; that another run has just put the same there is none."""
        with writing.name_file_in_errors(path):
            self._prepare(path, data)
        try:
            writing.write_file(path, data, within=self._root, over=over)
        except WriteError as error:
            if error.code in ("file-exists", "outside-folder"):  # what is there may hold the same, and is not ours
                self._forget(self._changes.pop())
            if error.code != "file-exists" or not writing.has_content(path, data):
                raise

    def remove(self, path: str) -> None:
        """Take a file away."""
        with writing.name_file_in_errors(path):
            change = self._prepare(path, None)
            with open_folder(change.folder) as folder:
                folder.unlink(change.name)

    def undo(self) -> None:
        """Undo the last change first, as far as the system allows: every state on the way is one a run can be in."""
        with suppress(OSError):
            while self._changes:
                change = self._changes[-1]
                self._undo(change)
                self._forget(change)
                self._remove_empty_folders(change.folder)
                self._changes.pop()
        self.finish()
        self._remove_empty_folders(self._root)  # where the owner stood until now

    def finish(self) -> None:
        """Forget what the files held."""
        changes, self._changes = self._changes, []
        for change in changes:
            self._forget(change)
        self._owner_stack.close()
        for change in changes:
            if not change.digest:
                self._remove_empty_folders(change.folder)

    def _prepare(self, path: str, data: bytes | None) -> _FileChange:
        """Note what will be done, with a second name of what is there."""
        folder_path, name = os.path.split(os.path.realpath(path))
        backup = None
        is_inside = os.path.join(folder_path, "").startswith(os.path.join(self._root, ""))
        if is_inside and os.path.lexists(os.path.join(folder_path, name)):
            backup = self._give_second_name(folder_path, name)
        size, digest = 0, ""
        if data is not None:
            size, digest = len(data), sha256_of(data)
        change = _FileChange(folder_path, name, size, digest, backup)
        self._changes.append(change)
        return change

    def _give_second_name(self, folder_path: str, name: str) -> str:
        """Give a file a second name in the root, which it keeps for as long as the owner stands."""
        if not self._owner:
            with suppress(OSError):
                root = self._owner_stack.enter_context(open_folder(self._root))
                self._owner = self._owner_stack.enter_context(temporary_file(root, "", private=True)).name
        second_name = reserve_name(self._root, self._owner)
        with suppress(OSError), open_folder(folder_path) as folder, open_folder(self._root) as root:
            folder.link(name, second_name, into=root)  # some systems know no second names
        return second_name

    def _undo(self, change: _FileChange) -> None:
        """Undo one change, unless it was not done, or somebody else came after it."""
        path = os.path.join(change.folder, change.name)
        if change.digest:
            is_done = writing.has_digest(path, change.size, change.digest)
        else:
            is_done = not os.path.lexists(path)
        if not is_done:
            return
        with open_folder(change.folder, make=True) as folder, open_folder(self._root) as root:
            if change.backup is not None:
                root.replace(change.backup, change.name, into=folder)
            else:
                folder.unlink(change.name)

    def _forget(self, change: _FileChange) -> None:
        """Take the second name away."""
        if change.backup is not None:
            release_name(os.path.join(self._root, change.backup))

    def _remove_empty_folders(self, folder: str) -> None:
        """Take folders away that hold nothing any more: those below the root, and the root if it was made."""
        with suppress(OSError):
            while folder.startswith(os.path.join(self._lasting_folder, "")):
                with suppress(FileNotFoundError):  # the disk may have been full before it was made
                    os.rmdir(folder)
                folder = os.path.dirname(folder)


@contextmanager
def transaction(root: str) -> Iterator[Transaction]:
    """Files that are changed in the block; where it fails, they are as they were.

    Args:
        root: as for `Transaction`.
    """
    files = Transaction(root)
    _OPEN.append(files)
    try:
        yield files
    except BaseException:
        files.undo()
        _OPEN.remove(files)  # not where a second signal came first
        raise
    files.finish()
    _OPEN.remove(files)


def undo_unfinished() -> None:
    """Go back where a signal kept a transaction from doing so; see `temporaries.remove_unfinished`."""
    while _OPEN:
        _OPEN.pop().undo()
