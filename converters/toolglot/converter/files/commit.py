"""Files changed at once: all of them or none.

    with commit(folder) as files:
        files.put(path, data, old=before)
        files.remove(other)

The block only says what is to be done. Leaving it carries that out in this order, while other runs are kept out of the
folder; where it fails, the files are as they were. The last change completes the work: put what appears first, and the
document that needs it last. A run that is killed before leaves what is whole, and the same run done again finishes.

What a file held keeps a second name until all is done, so that going back takes no room on a full disk. These names
are in the folder of the commit, where the next run finds and sweeps them if this one is killed. An empty temporary, the
owner, is locked as long as they are needed, so that no other run sweeps them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final

import msgspec

from toolglot.converter.files.names import below
from toolglot.converter.files.open_folders import Folder, open_folder
from toolglot.converter.files.temporaries import (
    finish_temporary,
    release_name,
    remove_leftovers_once,
    reserve_name,
    temporary_file,
)
from toolglot.converter.files.writing import has_content, link_into_place, name_file_in_errors
from toolglot.errors import WriteError

ANYTHING: Final = object()
"""What a file may hold that is replaced, whatever it holds."""

_OPEN: list[Commit] = []


class _PlacedChange(msgspec.Struct):
    """A change of one file.

    Attributes:
        folder, name: the file, without links.
        named: what messages call it.
        data: its new content; `None` where it goes.
        old: as in `Commit.put`.
        status: the identity of the new content.
        backup: the second name of what was there, in the folder of the commit; `None` where there was nothing.
    """

    folder: str
    name: str
    named: str
    data: bytes | None
    old: Any
    status: os.stat_result | None = None
    backup: str | None = None

    def is_done(self, folder: Folder) -> bool:
        """Whether it needs nothing more, whoever did it."""
        if self.data is None:
            return folder.status(self.name) is None
        return folder.content(self.name, len(self.data)) == self.data

    def check(self, folder: Folder) -> None:
        """Whether the file is what the new content was made from; comparing times would miss a quick edit.

        Raises:
            WriteError: it is not, or may not be written.
        """
        if self.old is ANYTHING:
            return
        if self.old is None:
            if folder.status(self.name) is not None and not self.is_done(folder):
                raise occupied_error(self.named)
            return
        if folder.content(self.name, len(self.old)) != self.old:
            message = "the file was changed meanwhile; nothing was written; run the command again"
            raise WriteError(message, "changed-meanwhile", source=self.named)
        if not folder.may_write(self.name):
            # A rename needs no permission on the file, but who took it away did not want the file changed.
            raise WriteError("cannot be written: it is read-only", "unwritable-file", source=self.named)


class Commit:
    """Changes of files below a folder.

    Attributes:
        written: what was changed, as messages call it; nothing where all files hold their new content already.
    """

    def __init__(self, root: str, is_private: bool) -> None:
        self.written: list[str] = []
        self._root = root
        self._lasting_folder = root  # the last on the way to the root that was there before
        while not os.path.isdir(self._lasting_folder):
            self._lasting_folder = os.path.dirname(self._lasting_folder)
        self._is_private = is_private
        self._is_needed = is_private  # whether what appears has to survive a power cut as well
        self._changes: list[_PlacedChange] = []
        self._pending: list[_PlacedChange] = []
        self._last: _PlacedChange | None = None
        self._owner = ""
        self._owner_stack = ExitStack()

    def put(self, path: str, data: bytes, *, old: Any = ANYTHING, named: str = "") -> None:
        """Give a file new content, its mode as it was; a link that stays in the folder is followed.

        Args:
            old: its content as it was read, which it must hold still. `None`: there must be no such file yet, unless
                it holds `data` already. `ANYTHING` is the default.
            named: what messages call it.

        Raises:
            WriteError: a link leads out of the folder; code `"outside-folder"`.
        """
        self._add(path, named or path, data, old)

    def remove(self, path: str) -> None:
        """Take a file away, and folders below that of the commit which hold nothing any more; errors as for `put`."""
        self._add(path, path, None, ANYTHING)

    def _add(self, path: str, named: str, data: bytes | None, old: Any) -> None:
        folder, name = os.path.split(os.path.realpath(path))
        if old is None:  # what should appear does not appear behind a link that leads nowhere
            folder, name = os.path.realpath(os.path.dirname(path)), os.path.basename(path)
        if below(folder, self._root) is None:
            raise WriteError("a link leads out of the folder; nothing was written", "outside-folder", source=named)
        self._is_needed = self._is_needed or isinstance(old, bytes)
        self._changes.append(_PlacedChange(folder, name, named, data, old))

    def carry_out(self) -> None:
        """Make all changes, or none.

        Raises:
            WriteError: none was made, because a file does not hold its `old` content any more (code
                `"changed-meanwhile"`), one that should appear is there (`"file-exists"`), or the system refuses.
        """
        try:
            for change in self._changes:  # before the first is made, so that there is nothing to undo in the usual case
                with name_file_in_errors(change.named), open_folder(change.folder, make=True) as folder:
                    if not change.is_done(folder):
                        change.check(folder)
                        self._pending.append(change)
            if self._pending:
                self._last = self._pending[-1]
            for change in self._pending:
                with name_file_in_errors(change.named), open_folder(change.folder, make=True) as folder:
                    self._make(change, folder)
        except BaseException:
            self.undo()
            raise
        self.written = [change.named for change in self._pending]
        self.finish()

    def _make(self, change: _PlacedChange, folder: Folder) -> None:
        if change.data is None:
            self._keep(change, folder)
            folder.unlink(change.name)
            return
        remove_leftovers_once(change.folder)
        with temporary_file(folder, change.name, self._is_private) as new:
            change.status = new.status
            new.stream.write(change.data)
            # What appears is lost with nothing but itself if the power fails; to wait for the disk would make
            # 10,000 new files take a minute.
            wait = self._is_needed or folder.status(change.name) is not None
            finish_temporary(new, folder, change.name, wait=wait)
            self._keep(change, folder)
            change.check(folder)
            if change.old is not None:
                folder.replace(new.name, change.name)
            elif not link_into_place(folder, new.name, change.name) and not change.is_done(folder):
                raise occupied_error(change.named)
            if wait:
                folder.sync()

    def _keep(self, change: _PlacedChange, folder: Folder) -> None:
        """Give what a file holds a second name, or a copy where the system knows none; the last is never undone."""
        if folder.status(change.name) is None:
            return
        change.backup = ""
        if change is self._last:
            return
        with open_folder(self._root) as root:
            if not self._owner:
                owner_folder = self._owner_stack.enter_context(open_folder(self._root))
                self._owner = self._owner_stack.enter_context(temporary_file(owner_folder, "", private=True)).name
            change.backup = reserve_name(self._root, self._owner)
            try:
                folder.link(change.name, change.backup, into=root)
            except OSError:
                if isinstance(change.old, bytes):
                    copy = self._owner_stack.enter_context(temporary_file(folder, change.name, private=True))
                    copy.stream.write(change.old)
                    finish_temporary(copy, folder, change.name)
                    folder.replace(copy.name, change.backup, into=root)

    def undo(self) -> None:
        """Undo the last change first, as far as the system allows: every state on the way is one a run can be in.

        Where the last one was made, what is there needs all the others.
        """
        with suppress(OSError):
            if self._last is not None:
                with open_folder(self._last.folder) as folder:
                    if self._last.is_done(folder):
                        self._last = None
                        self._pending.clear()
            while self._pending:
                self._undo(self._pending[-1])
                self._forget(self._pending[-1])
                self._pending.pop()
        self.finish()
        for change in self._changes:
            self._remove_empty_folders(change.folder)
        self._remove_empty_folders(self._root)

    def _undo(self, change: _PlacedChange) -> None:
        """Undo one change, unless it was not made, or somebody else came after it."""
        with open_folder(change.folder, make=True) as folder, open_folder(self._root) as root:
            status = folder.status(change.name)
            if change.data is None:
                is_made = status is None and change.backup is not None
            else:
                is_made = status is not None and change.status is not None and os.path.samestat(status, change.status)
            if is_made and change.backup is not None:
                root.replace(change.backup, change.name, into=folder)
            elif is_made:
                folder.unlink(change.name)

    def finish(self) -> None:
        """Forget what the files held."""
        for change in self._changes:
            self._forget(change)
        self._owner_stack.close()
        for change in self._changes:
            if change.data is None:
                self._remove_empty_folders(change.folder)

    def _forget(self, change: _PlacedChange) -> None:
        if change.backup:
            release_name(os.path.join(self._root, change.backup))

    def _remove_empty_folders(self, folder: str) -> None:
        """Take folders away that hold nothing any more: those below the root, and the root if it was made."""
        with suppress(OSError):
            while folder.startswith(os.path.join(self._lasting_folder, "")):
                with suppress(FileNotFoundError):  # the disk may have been full before it was made
                    os.rmdir(folder)
                folder = os.path.dirname(folder)


@contextmanager
def commit(root: str, *, named: str = "", is_private: bool = False) -> Iterator[Commit]:
    """Changes that are made when the block ends well, all or none; other runs are kept out of the folder meanwhile.

    Args:
        root: a folder, absolute and without links, that no change leads out of. It is made where it is missing.
        named: what messages call it, if it is refused as a whole.
        is_private: whether only the owner may read what is new.

    Raises:
        WriteError: the system refuses it (code `"unwritable-file"`), another run does not leave the folder
            (`"busy-folder"`), its path leads elsewhere by now (`"changed-meanwhile"`), or as for `Commit.carry_out`.
    """
    files = Commit(root, is_private)
    _OPEN.append(files)
    try:
        with name_file_in_errors(named or root), open_folder(root, make=True) as folder, folder.locked():
            remove_leftovers_once(root)
            yield files
            files.carry_out()
    except BaseException:
        files.undo()  # what a signal kept from being undone, and folders that were made for nothing
        _OPEN.remove(files)  # not where a second signal came first
        raise
    _OPEN.remove(files)


class FileChange(msgspec.Struct, frozen=True):
    """A change of a file that is planned in one place and made in another.

    Attributes:
        path: the file, as messages call it.
        data, old: as in `Commit.put`.
        target: where the path led when it was looked up, absolute and without links.
    """

    path: str
    data: bytes
    old: bytes | None
    target: str = ""


def change_files(changes: Sequence[FileChange]) -> list[FileChange]:
    """Change a document, which comes first, and files beside it; what was written, and errors as for `commit`."""
    document = changes[0]
    with commit(os.path.dirname(document.target), named=document.path) as files:
        for change in sorted(changes, key=lambda change: change.old is not None):
            files.put(change.target, change.data, old=change.old, named=change.path)
    return [change for change in changes if change.path in files.written]


def changes_to_make(changes: Sequence[FileChange]) -> list[FileChange]:
    """What `change_files` would write, as far as that can be said without writing.

    Raises:
        WriteError: a file that should appear is there and says something else; code `"file-exists"`.
    """
    needed = [change for change in changes if not has_content(change.path, change.data)]
    for change in needed:
        if change.old is None and os.path.lexists(change.path):
            raise occupied_error(change.path)
    return needed


def undo_unfinished() -> None:
    """Go back where a signal kept a commit from doing so; see `temporaries.remove_unfinished`."""
    while _OPEN:
        _OPEN.pop().undo()


def occupied_error(path: str) -> WriteError:
    """The error for a file that should appear; whoever wants it to says which document it belongs to."""
    name = os.path.basename(path)
    message = f"{name} is there already and says something else; move it away, or put into it what belongs there"
    return WriteError(message, "file-exists")
