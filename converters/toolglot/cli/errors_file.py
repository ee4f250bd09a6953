"""The file of `--errors`: a row for every source, and every record of JSON Lines, that is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from toolglot.converter.files import existing_targets, writing
from toolglot.converter.files.row_files import WriteRows, check_row_file, rows_into
from toolglot.verbs.streams.record_stream import ERROR_COLUMNS


@contextmanager
def open_errors(path: str) -> Iterator[WriteRows]:
    """What takes rows of errors; the file is there, and whole, when the block ends.

    Raises:
        UsageError: the name is none for rows, or something else is there already.
        WriteError: it cannot be written.
    """
    check_row_file(path)
    existing_targets.refuse_foreign(path, "pointer")
    with writing.open_atomically(path) as stream, rows_into(stream, path, ERROR_COLUMNS) as write:
        yield write
