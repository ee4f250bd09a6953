"""Folders that every machine can open, and files in them that appear when they are whole."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from uuid import uuid4

from toolglot.converter.files.row_files import WriteRows, rows_into
from toolglot.errors import Error, ReadError, UsageError, system_reason
from toolglot.extras import load_package

TEMPORARY = "_temporary"
"""The folder of files that are not whole: what is left there by tasks that were killed can be swept."""


def open_folder(address: str) -> Any:
    """A folder as a filesystem of pyarrow, whose paths begin there.

    Args:
        address: a path, or an address that every node can open (`s3://`, `gs://`, `hdfs://`).

    Raises:
        UsageError: it is a file, or pyarrow is missing.
        ReadError: it cannot be reached.
    """
    fs = load_package("pyarrow.fs", "ray", "a folder of shards needs")
    with no_foreign_errors(address):
        filesystem, root = fs.FileSystem.from_uri(address if "://" in address else os.path.abspath(address))
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
    """What is known of each file below a place; what begins with a dot or an underscore is the system's."""
    fs = load_package("pyarrow.fs", "ray", "a folder of shards needs")
    files: dict[str, Any] = {}
    for file in folder.get_file_info(fs.FileSelector(place, recursive=True, allow_not_found=True)):
        name = posixpath.relpath(file.path, place or ".")
        if file.is_file and not any(part.startswith((".", "_")) for part in name.split("/")):
            files[name] = file
    return dict(sorted(files.items()))


class NewFiles:
    """Files of a folder that appear when all of them are whole, in their order; without `appear` none does."""

    def __init__(self, folder: Any) -> None:
        self._folder = folder
        self._open = ExitStack()
        self._temporaries: dict[str, str] = {}
        self._writers: dict[str, WriteRows] = {}

    def __enter__(self) -> NewFiles:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(Exception):
            self._open.close()
        for temporary in self._temporaries.values():
            with suppress(OSError):
                self._folder.delete_file(temporary)

    def stream(self, name: str) -> Any:
        """A stream into a file."""
        # Called by a random number, so that no two machines share one.
        self._temporaries[name] = temporary = f"{TEMPORARY}/{uuid4().hex}"
        self._folder.create_dir(TEMPORARY)
        return self._open.enter_context(self._folder.open_output_stream(temporary, compression=None))

    def write_rows(self, name: str, columns: Mapping[str, Any], rows: Sequence[dict[str, Any]]) -> None:
        """Write rows into a file; it is new where it is the first time."""
        if name not in self._writers:
            self._writers[name] = self._open.enter_context(rows_into(self.stream(name), name, columns))
        self._writers[name](rows)

    def appear(self) -> None:
        """Give the files their names, in place of earlier ones."""
        self._open.close()
        while self._temporaries:
            name, temporary = next(iter(self._temporaries.items()))
            self._folder.create_dir(posixpath.dirname(name) or ".", recursive=True)
            with suppress(OSError):  # HDFS moves nothing over what is there
                self._folder.delete_file(name)
            self._folder.move(temporary, name)
            del self._temporaries[name]
