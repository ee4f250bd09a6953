"""Folders that every machine can open, and files in them that appear when they are whole."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from uuid import uuid4

from toolglot.converter.files.row_files import Rows, WriteRows, rows_into
from toolglot.errors import Error, ReadError, UsageError, system_reason
from toolglot.extras import load_package

TEMPORARY = "_temporary"
"""The folder of files that are not whole: what is left there by tasks that were killed can be swept."""


def whole_address(address: str) -> str:
    """An address as other machines can open it: where it is a path, the whole one."""
    return address if "://" in address else os.path.abspath(address)


def open_folder(address: str) -> Any:
    """A folder as a filesystem of pyarrow, whose paths begin there.

    Args:
        address: a whole path, or an address that every node can open (`s3://`, `gs://`, `hdfs://`).

    Raises:
        UsageError: it is a file, or pyarrow is missing.
        ReadError: it cannot be reached.
    """
    fs = load_package("pyarrow.fs", "ray", "a folder of shards needs")
    with no_foreign_errors(address):
        filesystem, root = fs.FileSystem.from_uri(address)
        is_file = filesystem.get_file_info(root).type == fs.FileType.File
    if is_file:
        raise UsageError("this is a file; give the folder that it is in", "not-a-folder", source=address)
    return fs.SubTreeFileSystem(root, filesystem)


@contextmanager
def no_foreign_errors(name: str) -> Iterator[None]:
    """What the system, Arrow, or a package for some addresses says of a file becomes a `ReadError`."""
    try:
        yield
    except Error:
        raise
    except Exception as error:  # each package has its own
        raise ReadError(f"cannot be read or written: {system_reason(error)}", "unreadable", source=name) from error


def files_in(folder: Any, place: str = "") -> dict[str, Any]:
    """What is known of each file of a folder. What begins with a dot or an underscore is no data, and left out.

    Args:
        place: a path in the folder, below which every file counts, whatever its name.
    """
    fs = load_package("pyarrow.fs", "ray", "a folder of shards needs")
    files: dict[str, Any] = {}
    with no_foreign_errors(place or "the folder"):
        found = folder.get_file_info(fs.FileSelector(place, recursive=True, allow_not_found=True))
    for file in found:
        name = posixpath.relpath(file.path, place or ".")
        if file.is_file and (place or not any(part.startswith((".", "_")) for part in name.split("/"))):
            files[name] = file
    return dict(sorted(files.items()))


class NewFiles:
    """Files of a folder that are being written, under names that no two machines share; see `new_files`."""

    def __init__(self, folder: Any) -> None:
        self._folder = folder
        self._streams: dict[str, Any] = {}
        self._writers: dict[str, WriteRows] = {}
        self.opened = ExitStack()
        self.temporaries: dict[str, str] = {}

    def stream(self, name: str) -> Any:
        """A stream into a file, which is new where it is the first time."""
        if name not in self._streams:
            self.temporaries[name] = temporary = f"{TEMPORARY}/{uuid4().hex}"
            self._folder.create_dir(TEMPORARY)
            stream = self._folder.open_output_stream(temporary, compression=None)
            self._streams[name] = self.opened.enter_context(stream)
        return self._streams[name]

    def write_rows(self, name: str, rows: Rows, columns: Mapping[str, str] = {}, beside: Any | None = None) -> None:
        """Write rows into a file, which is new where it is the first time; arguments as for `rows_into`."""
        if name not in self._writers:
            others = None if beside is None else beside.schema
            self._writers[name] = self.opened.enter_context(rows_into(self.stream(name), name, columns, others))
        self._writers[name](rows, beside)


@contextmanager
def new_files(folder: Any) -> Iterator[NewFiles]:
    """Files that appear in their order when the block ends well, in place of earlier ones; else none does.

    Raises:
        ReadError: one cannot be written.
    """
    files = NewFiles(folder)
    try:
        with no_foreign_errors("the results"):
            with files.opened:
                yield files
            for name, temporary in files.temporaries.items():
                folder.create_dir(posixpath.dirname(name) or ".", recursive=True)
                with suppress(OSError):  # HDFS moves nothing over what is there
                    folder.delete_file(name)
                folder.move(temporary, name)
    finally:
        for temporary in files.temporaries.values():
            with suppress(OSError):
                folder.delete_file(temporary)
