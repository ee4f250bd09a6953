"""The tools of files that are served: read, and read again when they change."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from toolglot import catalogs
from toolglot.catalogs import CatalogOptions, Entry, FileEntries
from toolglot.cli import discovery
from toolglot.cli.commands.catalog_files import catalog_path
from toolglot.cli.discovery import SourceFile
from toolglot.cli.source_request import SourceRequest
from toolglot.cli.sources import (
    find_sources,
    is_other_file,
    load_assertions,
    no_tools_error,
    open_source,
    usual_file_names,
)
from toolglot.cli.terminal import count_noun, print_message
from toolglot.conversion.selection import EVERYTHING, nothing_chosen_error
from toolglot.diagnostics.diagnostic import Diagnostic
from toolglot.errors import Error

Stamp = tuple[int, int, int, int]
"""Of a file: device, number, size and time; another content has another one."""


class _ServedFile(NamedTuple):
    """What a file gave, and what that depends on."""

    stamp: Stamp | None
    options: CatalogOptions
    content: FileEntries


class ServedFiles:
    """The files of the sources.

    Args:
        to: the format that their tools are gathered for.
        options: without what a person vouches for, which is read with the files.
        assertions_file: what says that.
    """

    def __init__(
        self, sources: SourceRequest, to: str, options: CatalogOptions, assertions_file: str | None = None
    ) -> None:
        self._sources = sources
        self._to = to
        self._options = options
        self._assertions_file = assertions_file
        self._files_by_path: dict[str, _ServedFile] = {}
        self._notes: frozenset[str] = frozenset()

    def stamp(self, *others: str | None) -> Hashable:
        """What differs when a file changes, comes or goes, or one of the others does."""
        request = self._sources
        files = discovery.find_files(request.paths, usual_file_names(request), request.path_filter)
        paths = [file.path for file in files] + [path for path in (self._assertions_file, *others) if path]
        return tuple((path, _stamp_of(path)) for path in paths)

    def entries(self) -> list[Entry]:
        """The tools, settled. Files that are as they were are not read again.

        Raises:
            Error: a file cannot be read that is a tool description, or was one before: a missing comma must not take
                a tool out of the catalogue unseen. Or there is no tool.
        """
        options = self._options._replace(assertions=load_assertions(self._assertions_file))
        files_by_path: dict[str, _ServedFile] = {}
        entries: list[Entry] = []
        notes: list[Diagnostic] = []
        faults: list[Error] = []
        for file in find_sources(self._sources):
            try:
                served_file = self._gather(file, options)
            except Error as error:
                faults.append(error)
                continue
            if served_file is not None:
                files_by_path[file.path] = served_file
                entries += served_file.content.entries
                notes += served_file.content.notes
        if faults:
            raise _first_fault(faults)
        self._files_by_path = files_by_path
        if not files_by_path:
            raise no_tools_error(self._sources)
        if not entries and options.choice != EVERYTHING:
            raise nothing_chosen_error()
        settled_entries = catalogs.settle(entries, self._to, options)
        notes += settled_entries.notes
        self._say(map(str, notes), [f"error: {problem}" for problem in settled_entries.problems])
        return settled_entries.entries

    def _gather(self, file: SourceFile, options: CatalogOptions) -> _ServedFile | None:
        """What a file gives; `None` where it is no tool description, and nobody named it.

        Raises:
            Error: it cannot be read.
        """
        stamp = _stamp_of(file.path)
        earlier = self._files_by_path.get(file.path)
        if earlier is not None and (earlier.stamp, earlier.options) == (stamp, options):
            return earlier
        try:
            source = open_source(file, self._sources)
        except Error as error:
            if earlier is None and is_other_file(error, file):
                return None
            raise
        path = catalog_path(file.path)
        file_entries = catalogs.gather(source.document, source.format, self._to, path, options, is_located=True)
        return _ServedFile(stamp, options, file_entries)

    def _say(self, notes: Iterable[str], problems: Iterable[str]) -> None:
        """Print what was not said the last time."""
        lines = set(problems)
        if not self._sources.quiet:
            lines.update(notes)
        for line in sorted(lines - self._notes):
            print_message(line)
        self._notes = frozenset(lines)


def _first_fault(faults: Sequence[Error]) -> Error:
    """The first of several, with how many there are: nobody starts a server once for each."""
    first = faults[0]
    if len(faults) > 1:
        others = f"{count_noun(len(faults) - 1, 'other file')} cannot be read; toolglot check names all"
        first.hint = "; ".join(filter(None, (first.hint, others)))
    return first


def _stamp_of(path: str) -> Stamp | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
