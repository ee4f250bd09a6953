"""Rows in a file, as its name says: JSON Lines, compressed or not, or Parquet. What is written is held no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

import msgspec

from toolglot.converter.text.compression import pack
from toolglot.converter.text.pointers import without_nulls
from toolglot.converter.text.serialization import dump_json_lines, names_lines
from toolglot.errors import UsageError
from toolglot.extras import load_package

WriteRows = Callable[[Sequence[dict[str, Any]]], object]

PARQUET = ".parquet"
_GROUP = 10_000  # rows of a group of Parquet: what a reader takes in at a time


def check_row_file(name: str) -> None:
    """Refuse a name that says nothing of rows, before any work is done.

    Raises:
        UsageError: it ends otherwise (code `"bad-option"`), or its package is not installed (`"missing-extra"`).

    >>> check_row_file("a.csv")
    Traceback (most recent call last):
    toolglot.errors.UsageError: a.csv: rows are JSON Lines or Parquet; call the file .jsonl or .parquet [bad-option]
    """
    if name.lower().endswith(PARQUET):
        load_package("pyarrow.parquet", "parquet", "Parquet needs")
    elif not names_lines(name):
        message = "rows are JSON Lines or Parquet; call the file .jsonl or .parquet"
        raise UsageError(message, "bad-option", source=name)


@contextmanager
def rows_into(stream: BinaryIO, name: str, columns: Mapping[str, Any]) -> Iterator[WriteRows]:
    """What writes rows into a stream that becomes a file of this name; the file is whole when the block ends.

    Args:
        name: one that `check_row_file` lets pass.
        columns: their types, as Spark or Arrow calls them. A row need not have all of them; in JSON Lines `None` is
            left out, dates are texts, and bytes are Base64.
    """
    if not name.lower().endswith(PARQUET):
        yield lambda rows: stream.write(pack(dump_json_lines(map(_as_json, rows)).encode(), name))
        return
    arrow = load_package("pyarrow", "parquet", "Parquet needs")
    parquet = load_package("pyarrow.parquet", "parquet", "Parquet needs")
    kinds = {"bigint": arrow.int64(), "string": arrow.string()}
    schema = arrow.schema([(column, kinds.get(kind, kind)) for column, kind in columns.items()])
    waiting: list[dict[str, Any]] = []
    with parquet.ParquetWriter(stream, schema) as writer:

        def write(rows: Sequence[dict[str, Any]], fewest: int = _GROUP) -> None:
            waiting.extend(rows)
            if len(waiting) >= fewest:
                writer.write_table(arrow.Table.from_pylist(waiting, schema))
                waiting.clear()

        yield write
        write([], fewest=1)


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    return without_nulls(msgspec.to_builtins(row, enc_hook=str))
