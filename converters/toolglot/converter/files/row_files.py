"""Rows in a file, as its name says: JSON Lines, compressed or not, or Parquet. What is written is held no longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any, BinaryIO, Protocol

import msgspec

from toolglot.converter.text.compression import pack
from toolglot.converter.text.document_reader import names_lines
from toolglot.converter.text.plain_data import plain_value
from toolglot.converter.text.serialization import dump_json_lines
from toolglot.errors import UsageError
from toolglot.extras import load_package

Rows = Sequence[dict[str, Any]]


class WriteRows(Protocol):
    """What writes rows into a file; see `rows_into`."""

    def __call__(self, rows: Rows, beside: Any | None = None) -> None: ...


PARQUET = ".parquet"
_GROUP = 10_000  # rows of a group of Parquet: what a reader takes in at a time


def load_arrow() -> Any:
    """The package `pyarrow`, with its module `parquet`."""
    load_package("pyarrow.parquet", "parquet", "Parquet needs")
    return load_package("pyarrow", "parquet", "Parquet needs")


def check_row_file(name: str) -> None:
    """Refuse a name that says nothing of rows, before any work is done.

    Raises:
        UsageError: it ends otherwise (code `"bad-option"`), or its package is not installed (`"missing-extra"`).

    >>> check_row_file("a.csv")
    Traceback (most recent call last):
    toolglot.errors.UsageError: a.csv: rows are JSON Lines or Parquet; call the file .jsonl or .parquet [bad-option]
    """
    if name.lower().endswith(PARQUET):
        load_arrow()
    elif not names_lines(name):
        message = "rows are JSON Lines or Parquet; call the file .jsonl or .parquet"
        raise UsageError(message, "bad-option", source=name)


@contextmanager
def rows_into(
    stream: BinaryIO, name: str, columns: Mapping[str, str], others: Any | None = None
) -> Iterator[WriteRows]:
    """What writes rows into a stream that becomes a file of this name; the file is whole when the block ends.

    It takes rows, and a table of Arrow with as many rows of the columns that travel along, where there are any. A row
    need not have all columns. In JSON Lines what has no value (`None`, NaN) is left out, bytes are Base64, and what
    else JSON does not have is text: dates, infinities.

    Args:
        name: one that `check_row_file` lets pass.
        columns: the types of those of the rows, as Spark calls them.
        others: the schema of those that travel along. They never become objects of Python on their way to Parquet,
            which has types that Python cannot hold.
    """
    if not name.lower().endswith(PARQUET):

        def write_lines(rows: Rows, beside: Any | None = None) -> None:
            if beside is not None:
                rows = [{**first, **row} for first, row in zip(_as_texts(beside).to_pylist(), rows, strict=True)]
            # A row at once: value by value, `to_builtins` takes far longer.
            lines = dump_json_lines(plain_value(msgspec.to_builtins(row, enc_hook=str), _as_finite) for row in rows)
            stream.write(pack(lines.encode(), name))

        yield write_lines
        return
    arrow = load_arrow()
    kinds = {"bigint": arrow.int64(), "string": arrow.string()}
    own = arrow.schema([(column, kinds[kind]) for column, kind in columns.items()])
    schema = arrow.schema([*(others or ()), *own])
    waiting: list[dict[str, Any]] = []
    tables: list[Any] = []
    with arrow.parquet.ParquetWriter(stream, schema) as writer:

        def write(rows: Rows, beside: Any | None = None, fewest: int = _GROUP) -> None:
            waiting.extend(rows)
            if beside is not None:
                tables.append(beside)
            if len(waiting) >= fewest:
                group = arrow.Table.from_pylist(waiting, own).columns
                if tables:
                    group = [*arrow.concat_tables(tables).columns, *group]
                writer.write_table(arrow.Table.from_arrays(group, schema=schema))
                waiting.clear()
                tables.clear()

        yield write
        write([], fewest=1)


def _as_texts(table: Any) -> Any:
    """A table of Arrow whose dates and times are texts: Python knows no nanoseconds, and no year after 9999."""
    arrow = load_arrow()
    tests = (arrow.types.is_timestamp, arrow.types.is_date, arrow.types.is_time)
    fields = [
        field.with_type(arrow.string()) if any(is_one(field.type) for is_one in tests) else field
        for field in table.schema
    ]
    return table.cast(arrow.schema(fields))


def _as_finite(value: Any) -> Any:
    return str(value) if value in (inf, -inf) else value
