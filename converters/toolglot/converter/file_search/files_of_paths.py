"""The search for the files that somebody means.

Folders are read without following links to folders, so that a loop ends; what is left out, and why, is told to whoever
asks. Nothing here opens a source: whether a file is a tool description is for its content to say.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.file_search.excluded_folders import (
    BY_DEFAULT,
    STDIN,
    FolderReader,
    IgnoredCallback,
    PathFilter,
    WalkedFolder,
)
from toolglot.converter.file_search.globs import has_magic, matches_glob, name_matcher
from toolglot.converter.files.names import below, path_in, portable_path
from toolglot.converter.text.document_reader import LINED
from toolglot.errors import system_reason

# What is looked into, whatever its name says.
DETECTED = ("*.json", *(f"*{ending}" for ending in LINED), "*.yaml", "*.yml", "*.md")
MAX_DEPTH = 100
"""Folders within folders; a path of more says that something went wrong when the tree was made."""

MAX_PEEKS = 50
"""Hidden folders that are looked into to say that they are passed over: `_PEEKED` folders and `_SHOWN` files each."""

_PEEKED = 100
_SHOWN = 20


def is_pattern(source: str) -> bool:
    """Whether a source is a glob pattern; what exists is no pattern, even if it looks like one."""
    return has_magic(source) and not os.path.lexists(source)


class FoundFile(msgspec.Struct, frozen=True):
    """A file that somebody means.

    Attributes:
        path: the file, or `-`.
        relative: its path from the folder that was walked, with `/`; the bare name where the file was named itself.
        is_named: whether the user named it, so that it must be a tool description.
        has_usual_name: whether its name is one that a format usually has.
        fault: why there is nothing to open, such as a folder that cannot be read; `None` for a file.
        real: its absolute path without links, as it was when it was found; empty for what is no file. Of a file of a
            revision, its place among copies of those around it.
    """

    path: str
    relative: str
    is_named: bool
    has_usual_name: bool
    fault: str | None = None
    real: str = ""


EVERYDAY = PathFilter()

OnHidden = Callable[[str, Sequence[FoundFile]], None]
"""Called with a hidden folder that is passed over because nobody asked for it, and files in it that may be tools."""


def _ignore_silently(path: str, reason: str) -> None:
    """Nobody asks why."""


def find_files(
    sources: Iterable[str],
    patterns: Sequence[str],
    path_filter: PathFilter = EVERYDAY,
    on_ignored: IgnoredCallback = _ignore_silently,
    on_hidden: OnHidden | None = None,
) -> list[FoundFile]:
    """Every file that the sources mean, each once, sorted by the parts of its path; stdin, which may wait, is last.

    Args:
        sources: paths, patterns or `-`. What exists is taken as it is, even if it looks like a pattern.
        patterns: the file names that formats usually have.
        path_filter: what is left out.
        on_ignored: is told about every candidate that is left out, and about patterns that are broken.
        on_hidden: is told about hidden folders that hold candidates and are passed over although git does not ignore
            them; the likeliest tools come first.
    """
    finder = _Finder(patterns, path_filter, on_ignored)
    files: dict[str, FoundFile] = {}  # by their paths without links
    for source in sources:
        for file in finder.look_up(source):
            files[file.real] = _prefer(files[file.real], file, on_ignored) if file.real in files else file
    if on_hidden is not None and finder.hidden:
        for folder, likeliest in _Finder(patterns, path_filter, _ignore_silently).peek(finder.hidden):
            on_hidden(folder, likeliest)
    return sorted(files.values(), key=lambda file: (file.path == STDIN, _parts(file.path)))


def _prefer(first: FoundFile, second: FoundFile, on_ignored: IgnoredCallback) -> FoundFile:
    """Which of two ways to the same file counts: the one that the user named, or the one that is no link.

    The usual name of either counts for both: whoever reads nothing in such a file says so.
    """
    better, worse = sorted((first, second), key=lambda file: (not file.is_named, os.path.islink(file.path)))
    if better.path != worse.path:
        on_ignored(worse.path, f"the same file as {better.path}")
    return replace(better, has_usual_name=better.has_usual_name or worse.has_usual_name)


class _Finder:
    """One search.

    Args:
        patterns, path_filter, on_ignored: as for `find_files`.

    Attributes:
        hidden: folders that were left out because nobody asked for them.
    """

    def __init__(self, patterns: Sequence[str], path_filter: PathFilter, on_ignored: IgnoredCallback) -> None:
        self.hidden: list[WalkedFolder] = []
        self._has_usual_name = name_matcher(patterns)
        self._may_be_tool = name_matcher((*patterns, *DETECTED))  # in folders; a file that is named needs no pattern
        self._excludes_named = path_filter.force_exclude
        self._reader = FolderReader(path_filter, on_ignored)
        self._on_ignored = on_ignored
        self._ignored_count = 0

    def look_up(self, source: str) -> Iterator[FoundFile]:
        """The files that one source means."""
        if source == STDIN:
            yield FoundFile(STDIN, "stdin", is_named=True, has_usual_name=False)
        elif is_pattern(source):
            yield from self._look_up_pattern(source)
        elif os.path.isdir(source):
            yield from self._look_up_folder(source)
        else:
            yield from self._look_up_file(source)

    def peek(self, folders: Iterable[WalkedFolder]) -> Iterator[tuple[str, list[FoundFile]]]:
        """The folders that hold candidates, and some of these; the walk is bounded."""
        for folder in islice(folders, MAX_PEEKS):
            walk = islice(self._walk(folder, self._is_candidate, most=_PEEKED), 10 * _SHOWN)
            files = [file for file, is_folder in walk if not is_folder and file.fault is None]
            if files:
                yield folder.path, sorted(files, key=lambda file: not file.has_usual_name)[:_SHOWN]

    def _look_up_file(self, path: str) -> Iterator[FoundFile]:
        folder_path, name = os.path.split(path)
        if self._excludes_named:
            folder, reason = self._reader.read(folder_path)
            reason = reason or self._reader.with_gitignore(folder).exclusion(name, folder=False)
            if reason:
                self._ignore(path, reason)
                return
        yield replace(self._source_file(path, name, os.path.realpath(path)), is_named=True)

    def _look_up_folder(self, path: str) -> Iterator[FoundFile]:
        folder, reason = self._reader.read(_without_needless_parts(path))
        if self._excludes_named and reason:
            self._ignore(path, reason)
            return
        for file, is_folder in self._walk(folder, self._is_candidate):
            if not is_folder:
                yield file

    def _look_up_pattern(self, pattern: str) -> Iterator[FoundFile]:
        """The files that a pattern names, and those in the folders that it names.

        The standard library would follow links to folders, of which two that lead upwards never end.
        """
        parts = _parts(pattern)
        first_magic = next(index for index, part in enumerate(parts) if has_magic(part))
        root = "/".join((*parts[:first_magic], ""))
        segments = [part for part in parts[first_magic:] if part]
        files: list[FoundFile] = []
        ignored_before = self._ignored_count
        if os.path.isdir(root or os.curdir):
            folder, _ = self._reader.read(_without_needless_parts(root))
            deepest = MAX_DEPTH if "**" in segments else len(segments) - 1
            walk = self._walk(folder, lambda path: matches_glob(path.split("/"), segments), deepest, segments)
            for file, is_folder in walk:
                if not is_folder:
                    files.append(replace(file, relative=os.path.basename(file.path), is_named=True))
                elif segments[-1] != "**":  # which means the files inside already
                    files += self._look_up_folder(file.path)
        if not files and ignored_before == self._ignored_count:
            files += self._look_up_file(pattern)  # there is none; opening it says so
        yield from files

    def _walk(
        self,
        root: WalkedFolder,
        is_wanted: Callable[[str], bool],
        deepest: int = MAX_DEPTH,
        named_entries: Sequence[str] = (),
        most: int | None = None,
    ) -> Iterator[tuple[FoundFile, bool]]:
        """What lies below a folder and is not left out, each with whether it is a folder.

        Args:
            is_wanted: whether a path from the root, with `/`, is one to yield.
            deepest: how many folders down to go.
            named_entries: folders that the user wrote by name, so that no pattern leaves them out.
            most: how many folders to look into at most.
        """
        folders = deque([root])
        folder_count = 0
        while folders and folder_count != most:
            folder = folders.popleft()
            folder_count += 1
            try:
                with os.scandir(folder.path or os.curdir) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except OSError as error:
                fault = f"the folder cannot be read: {system_reason(error)}"
                yield self._faulty(folder.path, folder.path, folder.real, fault), False
                continue
            if any(entry.name == ".gitignore" for entry in entries):
                folder = self._reader.with_gitignore(folder)
            from_root = folder.inner[len(root.inner) :]
            for entry in entries:
                relative = from_root + entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                is_match = is_wanted(relative)
                is_link = entry.is_symlink()
                if not (is_match or is_folder or (is_link and os.path.isdir(entry.path))):
                    continue
                path, real = path_in(folder.path, entry.name), os.path.join(folder.real, entry.name)
                if is_link:
                    real = os.path.realpath(real)
                if entry.name in named_entries:
                    exclusion = None
                else:
                    exclusion = folder.exclusion(entry.name, is_folder)
                reason = exclusion or _oddity(entry, real, root)
                if reason:
                    self._ignore(path, reason)
                    if is_folder and _is_hidden_only(folder, entry.name, exclusion):
                        self.hidden.append(folder.subfolder(entry.name))
                    continue
                if is_match:
                    yield self._source_file(path, relative, real), is_folder
                if is_folder and folder.depth == MAX_DEPTH:
                    yield self._faulty(path, relative, real, f"more than {MAX_DEPTH} folders deep"), False
                elif is_folder and folder.depth < deepest:
                    folders.append(folder.subfolder(entry.name))

    def _faulty(self, path: str, relative: str, real: str, fault: str) -> FoundFile:
        return replace(self._source_file(path, relative, real), fault=fault)

    def _is_candidate(self, path: str) -> bool:
        return bool(self._may_be_tool(path[path.rfind("/") + 1 :]))

    def _source_file(self, path: str, relative: str, real: str) -> FoundFile:
        name = os.path.basename(path)
        # A hidden file is somebody's settings, such as the list of the servers that a client uses.
        has_usual_name = not name.startswith(".") and bool(self._has_usual_name(name))
        return FoundFile(path, relative, is_named=False, has_usual_name=has_usual_name, real=real)

    def _ignore(self, path: str, reason: str) -> None:
        self._ignored_count += 1
        self._on_ignored(path, reason)


def _is_hidden_only(folder: WalkedFolder, name: str, exclusion: str | None) -> bool:
    """Whether a folder is left out for no other reason than that it is hidden."""
    if exclusion is None or not exclusion.startswith(f"excluded by {BY_DEFAULT}:"):
        return False
    return name.startswith(".") and folder.git_exclusion(name, folder=True) is None


def _oddity(entry: os.DirEntry[str], real: str, root: WalkedFolder) -> str | None:
    """Why an entry, whose path without links is `real`, cannot be read as a file or folder of the root, or `None`."""
    if not entry.is_symlink():
        is_plain = entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)
        return None if is_plain else "not a regular file"
    if below(real, root.real) is None:
        return f"a link that leads out of {root.path or os.curdir}"
    try:
        mode = os.stat(real).st_mode
    except OSError as error:
        return None if error.errno == errno.EACCES else "a link that leads nowhere"  # opening it says what is wrong
    if stat.S_ISDIR(mode):
        return "a link to a folder"
    return None if stat.S_ISREG(mode) else "not a regular file"


def _without_needless_parts(folder: str, rules: Any = os.path) -> str:
    r"""A folder without needless parts; `..` stays, because what it leads to after a link is for the system to say.

    Args:
        rules: the module that has those of a system for paths; by default of this one.

    >>> import ntpath
    >>> print(_without_needless_parts("C:\\", ntpath), _without_needless_parts("./a//b/", ntpath))
    C:/ a/b
    """
    drive, path = rules.splitdrive(portable_path(folder, rules.sep))
    parts = [part for part in path.split("/") if part not in ("", os.curdir)]
    root = "/" if path.startswith("/") else ""
    return str(drive + root + "/".join(parts))


def _parts(path: str) -> list[str]:
    return portable_path(path).split("/")
