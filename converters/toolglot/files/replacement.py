"""Replace several files at once: all of them or none, as `migrate` needs it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress

import msgspec

from toolglot.errors import WriteError
from toolglot.files.open_folders import Folder, open_folder
from toolglot.files.temporaries import Temporary, finish_temporary, temporary_file
from toolglot.files.writing import has_content, link_into_place, name_file_in_errors


class Replacement(msgspec.Struct, frozen=True):
    """A file and what it is to hold.

    Attributes:
        path: the file, as messages call it; a link is followed.
        data: its new content.
        old: its content as it was read. Where it equals `data`, the file is not written; it only has to be there
            still. `None`: there must be no such file yet, unless it holds `data` already.
        target: where the path led when it was looked up, absolute and without links; empty is where it leads now.
    """

    path: str
    data: bytes
    old: bytes | None
    target: str = ""


def replace_files(files: Sequence[Replacement]) -> list[Replacement]:
    """Give files new content: all of them or none, each as a whole.

    What appears is put in its place first, and the last file that is replaced completes the work: a run that is
    killed before leaves files that were not there, and the same run done again finds them as it wants them. Other
    runs are kept out of the folders meanwhile: one that took over what this one takes back would lose it for good.
    Modes are kept, links followed. Other hard links to a file keep the old content.

    Returns:
        What was written, in the order given; nothing where all files hold their new content already.

    Raises:
        WriteError: nothing was changed, because a file does not hold its `old` content any more (code
            `"changed-meanwhile"`), one that should appear is there (`"file-exists"`), another run does not leave the
            folder (`"busy-folder"`), or the system refuses (`"unwritable-file"`).
    """
    # What appears comes first, then what stays as it is, then what is replaced.
    last_changes_last = sorted(files, key=lambda item: (item.old is not None, item.old != item.data))
    with ExitStack() as stack:
        stages = [_Staged(item, folder, name) for item, folder, name in _open_folders(last_changes_last, stack)]
        if all(file.is_done() for file in stages):
            return []
        for file in stages:
            file.stage(stack, is_last=file is stages[-1])
        for file in stages:  # before the first is put, so that there is nothing to undo in the usual case
            file.check()
        _put_all(stages)
        paths = {file.item.path for file in stages if file.new is not None}
        return [item for item in files if item.path in paths]


def _open_folders(items: Sequence[Replacement], stack: ExitStack) -> list[tuple[Replacement, Folder, str]]:
    """Each file with its folder and its name there; the folders are locked as long as the stack lasts."""
    places = [os.path.split(item.target or _real_path_of(item)) for item in items]
    folders: dict[str, Folder] = {}
    for path in sorted({path for path, _ in places}):  # in one order, so that no two runs wait for each other
        with name_file_in_errors(items[-1].path):
            folders[path] = stack.enter_context(open_folder(path))
            stack.enter_context(folders[path].locked())
    return [(item, folders[path], name) for item, (path, name) in zip(items, places, strict=True)]


def _put_all(stages: Sequence[_Staged]) -> None:
    """Give all targets their new content, or none."""
    try:
        for file in stages:
            file.check()
            file.put()
    except BaseException:
        if not all(file.is_done() for file in stages):  # else what is there needs all the others
            for file in reversed(stages):
                file.undo()
        raise


def _real_path_of(item: Replacement) -> str:
    """Where a file lies, without links; what should appear does not appear behind a link that leads nowhere."""
    if item.old is not None:
        return os.path.realpath(item.path)
    folder, name = os.path.split(item.path)
    return os.path.join(os.path.realpath(folder), name)


class _Staged:
    """A replacement, and its content in a temporary beside its target."""

    def __init__(self, item: Replacement, folder: Folder, name: str) -> None:
        self.item = item
        self.folder = folder
        self.name = name
        self.new: Temporary | None = None
        self.backup: Temporary | None = None

    def is_done(self) -> bool:
        """Whether the target holds the new content, whoever put it there."""
        return self.folder.content(self.name, len(self.item.data)) == self.item.data

    def stage(self, stack: ExitStack, is_last: bool) -> None:
        """Bring the content to the disk, where there is anything to write."""
        if self.item.data == self.item.old or (self.item.old is None and self.is_done()):
            return
        with name_file_in_errors(self.item.path):
            self.new = _stage(self.folder, self.name, self.item.data, stack)
            if self.item.old is not None and not is_last:  # now, because the disk may be full when it is needed
                self.backup = _stage(self.folder, self.name, self.item.old, stack)

    def check(self) -> None:
        """Whether the target is still what the new content was made from; comparing times would miss a quick edit.

        Raises:
            WriteError: it is not, or may not be written.
        """
        before = self.item.old
        if self.new is None:
            before = self.item.data
        if before is None:
            with name_file_in_errors(self.item.path):
                if self.folder.status(self.name) is not None:
                    raise _occupied_error(self.item.path)
            return
        if self.folder.content(self.name, len(before)) != before:
            message = "the file was changed meanwhile; nothing was written; run the command again"
            raise WriteError(message, "changed-meanwhile", source=self.item.path)
        if self.new is not None and not self.folder.may_write(self.name):
            # A rename needs no permission on the file, but who took it away did not want the file changed.
            raise WriteError("cannot be written: it is read-only", "unwritable-file", source=self.item.path)

    def put(self) -> None:
        """Give the target its new content."""
        if self.new is None:
            return
        with name_file_in_errors(self.item.path):
            if self.item.old is not None:
                self.folder.replace(self.new.name, self.name)
            elif not link_into_place(self.folder, self.new.name, self.name):
                raise _occupied_error(self.item.path)
            self.folder.sync()

    def undo(self) -> None:
        """Take the new content away, unless somebody else has put something there."""
        with suppress(OSError):  # the error that led here says more
            status = self.folder.status(self.name)
            if self.new is None or status is None or not os.path.samestat(status, self.new.status):
                return
            if self.item.old is None:
                self.folder.unlink(self.name)
            elif self.backup is not None:
                self.folder.replace(self.backup.name, self.name)


def files_to_write(files: Sequence[Replacement]) -> list[Replacement]:
    """What `replace_files` would write, as far as that can be said without writing.

    Raises:
        WriteError: a file that should appear is there and says something else; code `"file-exists"`.
    """
    changes = [item for item in files if not has_content(item.path, item.data)]
    for item in changes:
        if item.old is None and os.path.lexists(item.path):
            raise _occupied_error(item.path)
    return changes


def _stage(folder: Folder, target: str, data: bytes, stack: ExitStack) -> Temporary:
    new = stack.enter_context(temporary_file(folder, target))
    new.stream.write(data)
    finish_temporary(new, folder, target)
    return new


def _occupied_error(path: str) -> WriteError:
    """The error for a file that should appear; whoever wants it to says which document it belongs to."""
    name = os.path.basename(path)
    message = f"{name} is there already and says something else; move it away, or put into it what belongs there"
    return WriteError(message, "file-exists")
