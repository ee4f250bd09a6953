"""The repository around a document: which files a reference leads to, and which describe drivers, actions and code.

References are untrusted. Nothing is read outside the repository of the document, no link is followed out of it, and the
number of files and their sizes are bounded. The root of a repository is the nearest folder above that holds `.git`;
without one it is the folder that holds `.tools`, `.drivers` or `.actions`, in which the specifications put the
document; else it is the document's own folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from toolglot.converter.files.names import LONGEST_PATH, folders_upward, path_from
from toolglot.converter.formats.aip14.detection import MARKS
from toolglot.converter.text import document_reader
from toolglot.errors import Error

_MOST_BYTES = 256 * 1024  # of one file; front matter that is longer is no manifest that people wrote
_MOST_FILES = 500  # in all folders of one kind
_LIMITS = document_reader.Limits(max_bytes=_MOST_BYTES, max_depth=32, max_nodes=20_000)
_MOST_FOLDERS = 64  # above a document


class Surroundings:
    """The repository of one document.

    Args:
        path: the document's file.

    Attributes:
        places: the files and folders that were looked at so far, as keys.
        is_whole: whether everything could be read that was looked at so far.
    """

    def __init__(self, path: str) -> None:
        self.places: dict[str, None] = {}
        self.is_whole = True
        self._path = path
        self._folders: dict[str, list[str]] = {}  # kind -> its folders, because a document asks for them twice
        folder = os.path.realpath(os.path.dirname(os.path.abspath(path)))
        self._above = _folders_to_root(folder)

    @cached_property
    def path(self) -> str:
        """The document's file, without links."""
        return os.path.realpath(self._path)

    @property
    def root(self) -> str:
        """The top of the repository, without links."""
        return self._above[-1]

    @property
    def extent(self) -> str:
        """The folders that are searched, in words, seen from the document."""
        if self.root == self._above[0]:
            return "the tool's own folder"
        return f"the tool's folder or those above it, up to {path_from(self._above[0], self.root)}"

    def resolve(self, reference: str) -> str:
        """The file that a path in the document leads to, without links; empty where there is none.

        Paths start at the folder of the document, or at the top: the specifications say "the workspace". They name
        `tools/` and `drivers/` where the folders are called `.tools` and `.drivers`.
        """
        if "\0" in reference or len(reference) > LONGEST_PATH:
            return ""
        plain = reference.removeprefix("./").lstrip("/")
        for here in (self._above[0], self.root):
            for name in (plain, f".{plain}"):
                path = os.path.realpath(os.path.join(here, name))
                self.places[path] = None
                if self._is_inside(path) and os.path.isfile(path):
                    return path
        return ""

    def read(self, path: str) -> dict[str, Any] | str:
        """The front matter of a file of the repository, or why there is none."""
        self.places[path] = None
        try:
            about = os.stat(path)  # before links are resolved: most of these files do not exist
        except (OSError, ValueError):
            return "there is no such file"
        real = os.path.realpath(path)
        data: dict[str, Any] | str = "it lies outside of the repository"
        if self._is_inside(real):
            data = _front_matter(real, about.st_mtime_ns, about.st_size)
        self.is_whole &= not isinstance(data, str)
        return data

    def manifests(self, kind: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The files called `name` in folders below those called `kind` or `.kind`, nearest first, with their data."""
        if kind not in self._folders:
            self._folders[kind] = list(islice(self._folders_of(kind), _MOST_FILES))
            self.is_whole &= len(self._folders[kind]) < _MOST_FILES
        for folder in self._folders[kind]:
            path = os.path.join(folder, name)
            data = self.read(path)
            if isinstance(data, dict):
                yield path, data

    def every(self, kind: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The file of that name beside the document, and then those of `manifests`."""
        path = os.path.join(self._above[0], name)
        data = self.read(path)
        if isinstance(data, dict):
            yield path, data
        yield from self.manifests(kind, name)

    def _folders_of(self, kind: str) -> Iterator[str]:
        """The folders at any depth below those called `kind` or `.kind`."""
        for here in self._above:
            for name in (f".{kind}", kind):
                waiting = [os.path.join(here, name)]
                for folder in waiting:  # the list grows meanwhile
                    self.places[folder] = None
                    below = self._subfolders(folder)
                    waiting += below
                    yield from below

    def _subfolders(self, folder: str) -> list[str]:
        """The folders in a folder, in order; links are not followed."""
        try:
            with os.scandir(folder) as directory:
                entries = list(islice(directory, 2 * _MOST_FILES))
        except OSError:
            self.is_whole &= not os.path.lexists(folder)
            return []
        self.is_whole &= len(entries) < 2 * _MOST_FILES and not any(entry.is_symlink() for entry in entries)
        return sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))

    def _is_inside(self, real: str) -> bool:
        return real.startswith(os.path.join(self.root, ""))


def _folders_to_root(folder: str) -> list[str]:
    """A folder and those above it, up to the root of its repository."""
    folders = list(islice(folders_upward(folder), _MOST_FOLDERS))
    for index, path in enumerate(folders):
        if os.path.lexists(os.path.join(path, ".git")):
            return folders[: index + 1]
    for index, path in enumerate(folders):
        if os.path.basename(path) in MARKS.folders:
            return folders[: index + 2]
    return folders[:1]


@lru_cache(256)  # the tools of a folder share their drivers and actions; to read one again takes 60 us
def _front_matter(real: str, modification_time: int, size: int) -> dict[str, Any] | str:
    """The front matter of a file, or why there is none; callers share the result, and may not change it.

    The time and the size only tell versions of the file apart.
    """
    try:
        document = document_reader.load(document_reader.read_file(real, _LIMITS), None, _LIMITS)
    except Error as error:
        return error.message
    if document.body is not None and isinstance(document.data, dict):
        return document.data
    return "it has no front matter"
