"""Files: what results may be called, and how they are written.

Names made from ids are untrusted: an id can be `../../.bashrc`. Files are replaced atomically, so that a crash
leaves the old file or the new one, never half of one.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO, NamedTuple

from toolglot.cli.folders import Busy, Folder, Moved, opened
from toolglot.cli.temporaries import Temporary, finish, temporary
from toolglot.errors import ReadError, UsageError, WriteError, system_reason

STDIN = "-"
NAME_LIMIT = 100


def is_inside(path: str, folder: str) -> bool:
    """Whether `path`, its links followed, lies in `folder`."""
    root, real = os.path.realpath(folder), os.path.realpath(path)
    try:
        return os.path.commonpath([root, real]) == root
    except ValueError:  # different drives
        return False


# -- names ----------------------------------------------------------------------------------------------------

_BAD = re.compile(r'[<>:"|?*\\/]+')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)


def safe_part(name: str) -> str:
    """One part of a path that every system takes for a plain name; at most 100 characters.

    >>> safe_part(".."), safe_part("mcp:fs.rm"), safe_part("nul.txt"), safe_part(".bashrc")
    ('_', 'mcp-fs.rm', '_nul.txt', '_bashrc')
    """
    plain = "".join(char if char.isprintable() else "-" for char in name)
    plain = _BAD.sub("-", plain).rstrip(" .")
    if plain != (visible := plain.lstrip(" .")) or not plain:
        plain = f"_{visible}"
    if _RESERVED.fullmatch(plain):
        plain = f"_{plain}"
    # Most systems count bytes, and stop at 255.
    if len(plain) <= NAME_LIMIT and len(plain.encode("utf-8", "replace")) <= 2 * NAME_LIMIT:
        return plain
    head, extension = os.path.splitext(plain)
    extension = extension if len(extension) <= 8 else ""
    room = NAME_LIMIT - len(extension) - 9
    head = head[:room].encode("utf-8", "replace")[: 2 * room].decode("utf-8", "ignore")
    return f"{head.rstrip(' .')}-{_digest(name)}{extension}"


def _digest(text: str) -> str:
    import hashlib  # with secrets and shutil 5 ms that stdout does not need

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def place(folder: str, names: Iterable[str], taken: set[str] | None = None) -> list[str]:
    """Paths below `folder` for relative names that nobody checked; two names never share a path.

    Args:
        taken: paths that earlier calls gave away, in lower case; those of this call are added.

    Raises:
        UsageError: a link in the folder leads out of it.

    >>> [os.path.relpath(path, "/out") for path in place("/out", ["../a/TOOL.md", "a:b", "a-b"])]
    ['_/a/TOOL.md', 'a-b', 'a-b-3cef4a88']
    """
    taken = set() if taken is None else taken
    placed = []
    for name in names:
        parts = [safe_part(part) for part in name.split("/") if part] or ["_"]
        while os.path.join(*parts).casefold() in taken:
            index = 0 if len(parts) > 1 else -1  # `<id>/TOOL.md` keeps its file name
            head, extension = os.path.splitext(parts[index]) if index else (parts[index], "")
            parts[index] = f"{head}-{_digest(name + str(len(taken)))}{extension}"
        taken.add(os.path.join(*parts).casefold())
        path = os.path.join(folder, *parts)
        if not is_inside(path, folder):
            raise UsageError("a link leads out of the folder; nothing was written", "outside-folder", source=path)
        placed.append(path)
    return placed


# -- writing ----------------------------------------------------------------------------------------------------


def is_folder(path: str) -> bool:
    """Whether a result at `path` goes below it: an existing folder, or a path that ends like one."""
    return os.path.isdir(path) or path.endswith(("/", os.sep))


def refuse_existing(paths: Sequence[str], force: bool = False) -> None:
    """Make sure that writing `paths` destroys nothing.

    Raises:
        UsageError: a file exists and `force` is not given, a folder is in the way, or two results share a path.
    """
    taken: set[str] = set()
    for path in paths:
        if (real := os.path.realpath(path)) in taken:
            raise UsageError("two results would be written here; nothing was written", "same-file", source=path)
        taken.add(real)
        if os.path.isdir(path):
            raise UsageError("a folder is in the way; nothing was written", "file-exists", source=path)
    existing = [path for path in paths if os.path.lexists(path) and not _is_device(path)]
    if existing and not force:
        more = f" (and {len(existing) - 1} more)" if len(existing) > 1 else ""
        message = f"the file exists{more}; nothing was written; give --force to replace it"
        raise UsageError(message, "file-exists", source=existing[0])


def _is_device(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


class Replacement(NamedTuple):
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


def replace(files: Sequence[Replacement]) -> list[Replacement]:
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
    ordered = sorted(files, key=lambda item: (item.old is not None, item.old != item.data))
    places = [os.path.split(item.target or _target(item)) for item in ordered]
    with ExitStack() as stack:
        folders: dict[str, Folder] = {}
        for path in sorted({path for path, _ in places}):  # in one order, so that no two runs wait for each other
            with naming(ordered[-1].path):
                folders[path] = stack.enter_context(opened(path))
                stack.enter_context(folders[path].locked())
        staged = [_Staged(item, folders[path], name) for item, (path, name) in zip(ordered, places, strict=True)]
        if all(each.is_done() for each in staged):
            return []
        for each in staged:
            each.stage(stack, last=each is staged[-1])
        for each in staged:  # before the first is put, so that there is nothing to undo in the usual case
            each.check()
        try:
            for each in staged:
                each.check()
                each.put()
        except BaseException:
            if not all(each.is_done() for each in staged):  # else what is there needs all the others
                for each in reversed(staged):
                    each.undo()
            raise
        written = {each.item.path for each in staged if each.new is not None}
        return [item for item in files if item.path in written]


def _target(item: Replacement) -> str:
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

    def stage(self, stack: ExitStack, last: bool) -> None:
        """Bring the content to the disk, where there is anything to write."""
        if self.item.data == self.item.old or (self.item.old is None and self.is_done()):
            return
        with naming(self.item.path):
            self.new = _stage(self.folder, self.name, self.item.data, stack)
            if self.item.old is not None and not last:  # now, because the disk may be full when it is needed
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
            with naming(self.item.path):
                if self.folder.status(self.name) is not None:
                    raise _occupied(self.item.path)
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
        with naming(self.item.path):
            if self.item.old is not None:
                self.folder.replace(self.new.name, self.name)
            elif not _appear(self.folder, self.new.name, self.name):
                raise _occupied(self.item.path)
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


def missing(files: Sequence[Replacement]) -> list[Replacement]:
    """What `replace` would write, as far as that can be said without writing.

    Raises:
        WriteError: a file that should appear is there and says something else; code `"file-exists"`.
    """
    wanted = [item for item in files if not holds(item.path, item.data)]
    for item in wanted:
        if item.old is None and os.path.lexists(item.path):
            raise _occupied(item.path)
    return wanted


def _stage(folder: Folder, target: str, data: bytes, stack: ExitStack) -> Temporary:
    new = stack.enter_context(temporary(folder, target))
    new.stream.write(data)
    finish(new, folder, target)
    return new


def _occupied(path: str) -> WriteError:
    """The error for a file that should appear; whoever wants it to says which document it belongs to."""
    name = os.path.basename(path)
    message = f"{name} is there already and says something else; move it away, or put into it what belongs there"
    return WriteError(message, "file-exists")


def _appear(folder: Folder, temporary: str, name: str) -> bool:
    """Give a file its name, unless the name is taken; whether it got it."""
    try:
        folder.link(temporary, name)
    except FileExistsError:
        return False
    except OSError:
        # No hard links here (FAT, some shares). Reserving the name with an empty file would be safe from others,
        # but a killed run would leave it empty; a rename is never half done, and Windows refuses it by itself.
        if folder.status(name) is not None:
            return False
        folder.rename(temporary, name)
    return True


def store(path: str, data: bytes) -> bool:
    """`write`, unless the file holds exactly `data` already; whether it was written.

    A file that stays untouched keeps its time, and whatever is built from it stays up to date.
    """
    if holds(path, data):
        return False
    write(path, data)
    return True


def holds(path: str, data: bytes) -> bool:
    """Whether a file is there and holds exactly `data`."""
    return _content(path, len(data)) == data


def _content(path: str, size: int) -> bytes | None:
    """What a regular file of at most `size` bytes holds; `None` for anything else, and what cannot be read."""
    from toolglot.text.serialization import Limits, read_file

    try:
        return read_file(path, Limits(max_bytes=size))
    except ReadError:
        return None


def write(path: str, data: bytes, *, within: str = "", over: bool = True) -> None:
    """Write a file as a whole or not at all; folders above it are made.

    A file that is replaced keeps its mode; a link is followed, so the file it names is replaced. Other hard links
    to the old file keep the old content. A device or pipe is written to.

    Args:
        within: a folder, absolute and without links, that no link may lead out of; empty is anywhere.
        over: whether a file may be replaced.

    Raises:
        WriteError: the system refuses it (code `"unwritable-file"`), there is a file (`"file-exists"`), or the path
            leads elsewhere (`"outside-folder"`, `"changed-meanwhile"`).
    """
    with replacing(path, within=within, over=over) as stream:
        stream.write(data)


@contextmanager
def replacing(path: str, *, within: str = "", over: bool = True) -> Iterator[BinaryIO]:
    """A stream for content that does not fit into memory; `path` gets it as in `write` when the block ends well.

    The folder is held open from the beginning: what its path leads to at the end does not matter.

    Raises:
        WriteError: as `write`, and for every `OSError` that the block itself raises.
    """
    target = os.path.realpath(path)
    if within and not target.startswith(os.path.join(within, "")):
        raise WriteError("a link leads out of the folder; nothing was written", "outside-folder", source=path)
    with naming(path):
        if _is_device(path):
            with open(path, "wb") as device:
                yield device
            return
        folder_path, name = os.path.split(target)
        with opened(folder_path, make=True) as folder, temporary(folder, name) as new:
            yield new.stream
            # What appears is lost with nothing but itself if the power fails; to wait for the disk would make
            # 10,000 new files take a minute.
            finish(new, folder, name, sync=folder.status(name) is not None)
            if over:
                folder.replace(new.name, name)
            elif not _appear(folder, new.name, name):
                message = "the file exists; nothing was written; give --force to replace it"
                raise WriteError(message, "file-exists", source=path)


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Say of which file the system speaks, where it refuses something.

    Raises:
        WriteError: it does.
    """
    try:
        yield
    except Moved as error:
        message = "the path leads elsewhere than when the run began; nothing was written; run the command again"
        raise WriteError(message, "changed-meanwhile", source=path) from error
    except Busy as error:
        message = "another run is at work in this folder; nothing was written; run the command again when it is done"
        raise WriteError(message, "busy-folder", source=path) from error
    except OSError as error:
        raise WriteError(f"cannot be written: {system_reason(error)}", "unwritable-file", source=path) from error
