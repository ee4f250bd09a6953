"""Files: what results may be called, and how they are written.

Names made from ids are untrusted: an id can be `../../.bashrc`. Files are replaced atomically, so that a crash
leaves the old file or the new one, never half of one.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO, NamedTuple

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
        path: the file; a link is followed.
        data: its new content.
        old: its content as it was read, `None` where there must be no such file yet. Where it equals `data`, the
            file is not written; it only has to be there still.
    """

    path: str
    data: bytes
    old: bytes | None


def replace(files: Sequence[Replacement]) -> None:
    """Give files new content: all of them or none, each as a whole.

    What appears is put in its place first, and the last file that is replaced completes the work: a run that is
    killed before leaves files that were not there, and the same run done again finds them as it wants them. Modes
    are kept, links followed. Other hard links to a file keep the old content.

    Raises:
        WriteError: nothing was changed, because a file does not hold its `old` content any more (code
            `"changed-meanwhile"`), one that should appear is there (`"file-exists"`), or the system refuses
            (`"unwritable-file"`).
    """
    ordered = sorted(files, key=lambda item: (item.old is not None, item.old != item.data))
    with ExitStack() as stack:
        staged = [_Staged(item, stack, last=item is ordered[-1]) for item in ordered]
        for each in staged:  # before the first is put, so that there is nothing to undo in the usual case
            each.check()
        try:
            for each in staged:
                each.check()
                each.put()
        except BaseException:
            if not staged[-1].is_in_place():
                for each in reversed(staged):
                    each.undo()
            raise


class _Staged:
    """A replacement whose content is on the disk already, in a temporary beside its target."""

    def __init__(self, item: Replacement, stack: ExitStack, last: bool) -> None:
        self.item = item
        self.target = os.path.realpath(item.path)
        with _told(item.path):
            self.new = None if item.data == item.old else _stage(self.target, item.data, stack)
            # Staged now, because the disk may be full when it is needed.
            backed = self.new is not None and item.old is not None and not last
            self.backup = _stage(self.target, item.old or b"", stack) if backed else None

    def check(self) -> None:
        """Whether the target is still what the new content was made from; comparing times would miss a quick edit.

        Raises:
            WriteError: it is not, or may not be written.
        """
        if self.item.old is None:
            if os.path.lexists(self.item.path):
                raise self.exists()
            return
        if _content(self.target, len(self.item.old)) != self.item.old:
            message = "the file was changed meanwhile; nothing was written; run the command again"
            raise WriteError(message, "changed-meanwhile", source=self.item.path)
        if self.new is not None and not os.access(self.target, os.W_OK):
            # A rename needs no permission on the file, but who took it away did not want the file changed.
            raise WriteError("cannot be written: it is read-only", "unwritable-file", source=self.item.path)

    def put(self) -> None:
        if self.new is None:
            return
        with _told(self.item.path):
            if self.item.old is not None:
                os.replace(self.new.path, self.target)
            elif not _appear(self.new.path, self.target):
                raise self.exists()
            _sync_folder(os.path.dirname(self.target))

    def exists(self) -> WriteError:
        message = "the file exists; nothing was written; move it away, or make it say the same"
        return WriteError(message, "file-exists", source=self.item.path)

    def is_in_place(self) -> bool:
        """Whether the target is the new file, put there by `put` and by nobody else."""
        with suppress(OSError):
            return self.new is not None and os.path.samestat(os.lstat(self.target), self.new.status)
        return False

    def undo(self) -> None:
        if not self.is_in_place():
            return
        with suppress(OSError):  # the error that led here says more
            if self.item.old is None:
                os.unlink(self.target)
            elif self.backup is not None:
                os.replace(self.backup.path, self.target)


def _appear(temporary: str, target: str) -> bool:
    """Give a file its name, unless the name is taken; whether it got it."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        return False
    except OSError:
        # No hard links here (FAT, some shares). Reserving the name with an empty file would be safe from others,
        # but a killed run would leave it empty; a rename is never half done, and Windows refuses it by itself.
        if os.path.lexists(target):
            return False
        os.rename(temporary, target)
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
    from toolglot.text import Limits, read_file

    try:
        return read_file(path, Limits(max_bytes=size))
    except ReadError:
        return None


def write(path: str, data: bytes) -> None:
    """Write a file as a whole or not at all; folders above it are made.

    A file that is replaced keeps its mode; a link is followed, so the file it names is replaced. Other hard links
    to the old file keep the old content. A device or pipe is written to.

    Raises:
        WriteError: the system refuses it; code `"unwritable-file"`.
    """
    with replacing(path) as stream:
        stream.write(data)


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A stream for content that does not fit into memory; `path` gets it as in `write` when the block ends well.

    Raises:
        WriteError: as `write`, and for every `OSError` that the block itself raises.
    """
    target = os.path.realpath(path)
    with _told(path):
        if _is_device(path):
            with open(path, "wb") as device:
                yield device
            return
        with _temporary(target) as new:
            yield new.stream
            # What appears is lost with nothing but itself if the power fails; to wait for the disk would make
            # 10,000 new files take a minute.
            _finish(new, target, sync=os.path.lexists(target))
            os.replace(new.path, target)


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(f"cannot be written: {system_reason(error)}", "unwritable-file", source=path) from error


# -- temporaries ------------------------------------------------------------------------------------------------

_TEMPORARY = re.compile(r"\.toolglot-[0-9a-f]{16}\.tmp")
_LONG_AGO = 3600  # seconds; where files cannot be locked, what is older belongs to no run that is still alive
_PLAIN = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


class _New(NamedTuple):
    """A temporary: its name, the stream that fills it, and its identity."""

    path: str
    stream: BinaryIO
    status: os.stat_result


@contextmanager
def _temporary(target: str) -> Iterator[_New]:
    """A new file beside `target`, gone when the block ends unless it was renamed.

    It is locked as long as the block lasts, so that `sweep` can tell it from what a killed run left.
    """
    import secrets  # 5 ms that stdout does not need

    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    # A new file gets the mode that the umask leaves; a private file is never readable by others meanwhile.
    mode = 0o600 if os.path.lexists(target) else 0o666
    while True:
        path = os.path.join(folder, f".toolglot-{secrets.token_hex(8)}.tmp")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, mode)
        if _lock(handle) is not False and os.fstat(handle).st_nlink:
            break
        os.close(handle)  # a sweeper came between the two calls and takes it away
    try:
        with os.fdopen(handle, "wb") as stream:
            yield _New(path, stream, os.fstat(handle))
    finally:
        with suppress(OSError):
            os.unlink(path)


def _stage(target: str, data: bytes, stack: ExitStack) -> _New:
    new = stack.enter_context(_temporary(target))
    new.stream.write(data)
    _finish(new, target)
    return new


def _finish(new: _New, target: str, sync: bool = True) -> None:
    """Bring a temporary to the disk, with the mode and, where that is allowed, the owner of what it replaces."""
    new.stream.flush()
    if sync:
        os.fsync(new.stream.fileno())
    if sys.platform == "win32":
        new.stream.close()  # there an open file cannot be renamed, and no lock is lost
    if not os.path.lexists(target):
        return
    old = os.stat(target)
    if sys.platform != "win32" and (old.st_uid, old.st_gid) != (new.status.st_uid, new.status.st_gid):
        with suppress(OSError):
            os.chown(new.path, old.st_uid, old.st_gid)
    os.chmod(new.path, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: str) -> None:
    """Bring new names to the disk, where folders can be opened: without it a power cut may undo them in any order."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sweep(folder: str) -> None:
    """Take away the temporaries that killed runs left in a folder; those of runs that are alive stay.

    What only has the name of one (a link, a folder, a pipe) is left alone, and nothing is followed.
    """
    try:
        names = [name for name in os.listdir(folder) if _TEMPORARY.fullmatch(name)]
    except OSError:
        return  # whoever wants to read or write there will be told
    for name in names:
        with suppress(OSError):
            _sweep(os.path.join(folder, name))


def _sweep(path: str) -> None:
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode):
        return
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _PLAIN)
    try:
        locked = _lock(handle)
        if locked and os.path.samestat(os.fstat(handle), status):
            os.unlink(path)  # while it is locked: its maker may have been about to lock it
    finally:
        os.close(handle)
    if locked is None and time.time() - status.st_mtime > _LONG_AGO:
        os.unlink(path)


def _lock(handle: int) -> bool | None:
    """Lock a file until it is closed: whether that succeeded, `None` where files cannot be locked.

    The system frees the lock of a process that is killed. A process id in the name would not do: ids are used
    again, and mean nothing on another machine that shares the folder.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
