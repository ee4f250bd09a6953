"""One function that maps a verb over batches of records, whichever engine has them: `map_batch`.

A batch is columns: one holds the records, all others travel along. What comes back are columns again, as Arrow, pandas,
Spark, Dask, Ray and Hugging Face datasets take them. A record that is refused is a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

from toolglot.errors import Error, ReadError, UsageError
from toolglot.verbs.streams.line_reader import Chunk
from toolglot.verbs.streams.record_stream import RecordTask, id_of, is_blank, problem_of
from toolglot.verbs.streams.tasks import (
    COLUMNS,
    WORK,
    RecordRows,
    catalog_task,
    check_task,
    convert_task,
    named_after,
    refused_row,
    tokens_task,
)


class MappedBatch(NamedTuple):
    """What a batch became.

    Attributes:
        rows: each with `index`, the number of its record; those of refused records have `error`.
        tally: how many records, refused ones, blank ones and rows there are, and how often there is each code that the
            verb counts, and each error.
        others: the columns of the batch that travel along, where there are any.
        first: the number of the record that they begin with.
    """

    rows: list[dict[str, Any]]
    tally: Counter[str]
    others: Any
    first: int


def map_batch(task: RecordTask, batch: Chunk, file: str = "") -> MappedBatch:
    """A task on every record of a batch; no record costs another one anything.

    Args:
        file: what the records come from.
    """
    rows: list[dict[str, Any]] = []
    tally = Counter(records=0, refused=0, rows=0, blank=batch.blank)
    for index, record in batch.records:
        if is_blank(record, task.limits):
            tally["blank"] += 1
            continue
        found, counts = _find(task, record, index, file)
        rows += [{"index": index, **row} for row in found]
        errors = [f"error {row['error']}" for row in found if "error" in row]
        tally.update(errors)
        tally.update(counts, records=1, refused=bool(errors), rows=len(found) - len(errors))
    return MappedBatch(rows, tally, batch.others, batch.records[0][0] if batch.records else 0)


def _find(task: RecordTask, record: Any, index: int, file: str) -> RecordRows:
    """What is said of a record."""
    document = None
    try:
        if not isinstance(record, str | bytes | dict | Error):
            raise ReadError(f"expected a record, found {type(record).__name__}", "no-record")
        document = task.read(record, index, file)
        return WORK[task.verb](document, task.format, file, **task.asked)
    except Exception as error:
        return [refused_row(problem_of(error, file, index), id_of(document))], {}


# -- columns ------------------------------------------------------------------------------------------------------


def map_columns(task: RecordTask, batch: Any) -> dict[str, list[Any]]:
    """A task on every record of a batch, as columns of one length: the others, and `COLUMNS` of its verb.

    Args:
        batch: columns, as a dict, a DataFrame of pandas or a table of Arrow, where the task has a `column`; or the
            records alone. In a column, a field of a dict with `None` or NaN counts as absent, because tables fill up
            what is missing; JSON text says `null` where that is meant.

    Raises:
        UsageError: as in `check_columns`; or nobody says which column has the records (code `"no-column"`), or one is
            longer than another (`"column-length"`).
    """
    others: dict[str, list[Any]] = {}
    names = list(batch.keys() if hasattr(batch, "keys") else getattr(batch, "column_names", ()))
    if task.column is not None:
        check_columns(task, names)
        others = {name: _values_of(batch[name]) for name in names}
        records = others.pop(task.column)
    elif names and not hasattr(batch, "to_list"):  # a Series of pandas has keys, and no columns
        raise UsageError(f"say which column has the records, such as column={names[0]!r}", "no-column")
    else:
        records = _values_of(batch)
    if any(len(column) != len(records) for column in others.values()):
        raise UsageError(f"the columns {', '.join(map(str, names))} are not equally long", "column-length")
    mapped = map_batch(task, Chunk(list(enumerate(records, 1))))
    travelling = {name: [column[row["index"] - 1] for row in mapped.rows] for name, column in others.items()}
    return travelling | {name: [row.get(name) for row in mapped.rows] for name in COLUMNS[task.verb]}


def _values_of(column: Any) -> list[Any]:
    """The values of a column; those of Arrow as Python has them."""
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column)


def check_columns(task: RecordTask, names: Collection[str], *taken: str) -> None:
    """Refuse columns that do not go together with those of a result.

    Raises:
        UsageError: there is none with the records (code `"no-column"`), or another one has a name that is taken
            (`"column-name"`).
    """
    if task.column not in names:
        raise UsageError(
            f"there is no column {task.column!r}; there are {', '.join(sorted(map(str, names)))}", "no-column"
        )
    for name in ({*names} - {task.column}).intersection([*taken, *COLUMNS[task.verb]]):
        raise UsageError(f"a column is called {name!r}, as one of the result; rename it", "column-name")


convert_batch = named_after(convert_task, map_columns, "batch")
check_batch = named_after(check_task, map_columns, "batch")
tokens_batch = named_after(tokens_task, map_columns, "batch")
catalog_batch = named_after(catalog_task, map_columns, "batch")
