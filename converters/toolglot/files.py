"""Files: which ones a command line means, what the results may be called, and how they are written.

Names made from ids are untrusted: an id can be `../../.bashrc`. Files are replaced atomically, so that a crash
leaves the old file or the new one, never half of one.
"""

from __future__ import annotations

import errno
import glob
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from toolglot.errors import UsageError, WriteError

STDIN = "-"
SKIPPED = frozenset({"node_modules", "__pycache__", "venv"})  # folders, beside the hidden ones
DETECTED = ("*.json", "*.jsonl", "*.ndjson", "*.yaml", "*.yml", "*.md")  # looked into, whatever their name says
NAME_LIMIT = 100


class Found(NamedTuple):
    """A file that a command line means.

    Attributes:
        path: the file, or `-`.
        relative: its path from the folder that was walked; the bare name where the file was named itself.
        named: whether the user named it, so that it must be a tool description.
        claimed: whether its name is one that a format usually has.
    """

    path: str
    relative: str
    named: bool
    claimed: bool


def find(sources: Iterable[str], patterns: Sequence[str]) -> list[Found]:
    """Every file that the sources mean, each once: files as given, folders walked, glob patterns expanded.

    Args:
        sources: paths, patterns or `-`. What exists is taken as it is, even if it looks like a pattern.
        patterns: the file names that formats usually have.
    """
    found: dict[str, Found] = {}
    for source in sources:
        for path in _expand(source):
            for item in _at(path, patterns):
                key = item.path if item.path == STDIN else os.path.realpath(item.path)
                known = found.get(key)
                if known is None or (item.named and not known.named):
                    found[key] = item
    return list(found.values())


def _expand(source: str) -> list[str]:
    if source == STDIN or os.path.lexists(source) or not glob.has_magic(source):
        return [source]
    asked = set(_parts(source))
    matches = [path for path in glob.glob(source, recursive=True) if not (SKIPPED - asked) & set(_parts(path))]
    return sorted(matches) or [source]


def _at(path: str, patterns: Sequence[str]) -> Iterator[Found]:
    if path == STDIN:
        yield Found(STDIN, "stdin", named=True, claimed=False)
    elif os.path.isdir(path):
        for inner in _walk(path, patterns):
            relative = os.path.relpath(inner, path)
            yield Found(inner, relative, named=False, claimed=_matches(inner, patterns))
    else:
        yield Found(path, os.path.basename(path), named=True, claimed=_matches(path, patterns))


def _walk(folder: str, patterns: Sequence[str]) -> list[str]:
    root = os.path.realpath(folder)
    links: list[str] = []
    files: list[str] = []
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED]
        for name in names:
            path = os.path.normpath(os.path.join(here, name))
            if not _matches(name, (*patterns, *DETECTED)) or not _is_regular(path):
                continue
            if not os.path.islink(path):
                files.append(path)
            elif is_inside(path, root):
                links.append(path)
    # A link to a file of the same folder would be the same tool twice.
    reals = {os.path.realpath(path) for path in files}
    return sorted([*files, *(path for path in links if os.path.realpath(path) not in reals)], key=_parts)


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError as error:
        return error.errno == errno.EACCES  # to be read, and reported then


def _matches(path: str, patterns: Iterable[str]) -> bool:
    name = os.path.basename(path)
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _parts(path: str) -> list[str]:
    return re.split(r"[/\\]" if os.sep == "\\" else "/", path)


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


def place(folder: str, names: Iterable[str]) -> list[str]:
    """Paths below `folder` for relative names that nobody checked; two names never share a path.

    Raises:
        UsageError: a link in the folder leads out of it.

    >>> [os.path.relpath(path, "/out") for path in place("/out", ["../a/TOOL.md", "a:b", "a-b"])]
    ['_/a/TOOL.md', 'a-b', 'a-b-3cef4a88']
    """
    taken: set[str] = set()
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
    reals = [os.path.realpath(path) for path in paths]
    for index, (path, real) in enumerate(zip(paths, reals, strict=True)):
        if real in reals[:index]:
            raise UsageError("two results would be written here; nothing was written", "same-file", source=path)
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


def write(path: str, data: bytes) -> None:
    """Write a file as a whole or not at all; folders above it are made.

    A file that is replaced keeps its mode; a link is followed, so the file it names is replaced. Other hard links
    to the old file keep the old content. A device or pipe is written to.

    Raises:
        WriteError: the system refuses it; code `"unwritable-file"`.
    """
    target = os.path.realpath(path)
    try:
        if _is_device(path):
            with open(path, "wb") as stream:
                stream.write(data)
            return
        os.makedirs(os.path.dirname(target), exist_ok=True)
        _replace(target, data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise WriteError(f"cannot be written: {reason}", "unwritable-file", source=path) from error


def _replace(target: str, data: bytes) -> None:
    import secrets
    import shutil

    exists = os.path.lexists(target)
    temporary = os.path.join(os.path.dirname(target), f".toolglot-{secrets.token_hex(8)}.tmp")
    # A new file gets the mode that the umask leaves; a private file is never readable by others meanwhile.
    handle = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600 if exists else 0o666
    )
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if exists:
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
