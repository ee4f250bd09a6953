"""One function that maps a verb over batches of records, whichever engine has them: `map_batch`.

A batch is columns: one holds the records, all others travel along. What comes back are columns again, as Arrow, pandas,
Spark, Dask, Ray and Hugging Face datasets take them. A record that is refused is a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from toolglot.errors import ReadError, UsageError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.streams.json_lines import Chunk
from toolglot.verbs.streams.record_stream import RawRecord, id_of, is_blank, problem_of, read_record
from toolglot.verbs.streams.tasks import (
    COLUMNS,
    ERROR_COLUMNS,
    RecordRows,
    RecordTask,
    catalog_task,
    check_task,
    convert_task,
    named_after,
    tokens_task,
)

Columns = Mapping[str, Sequence[Any]]


class MappedBatch(NamedTuple):
    """What a batch became.

    Attributes:
        rows: each with `index`, the number of its record, and the columns that travel along; those of refused records
            have `error`.
        tally: how many records, refused ones, blank ones and rows there are, and how often there is each code that the
            verb counts, and each error.
    """

    rows: list[dict[str, Any]]
    tally: Counter[str]


def map_batch(task: RecordTask, batch: Chunk, file: str = "", fault: Diagnostic | None = None) -> MappedBatch:
    """A task on every record of a batch; no record costs another one anything.

    Args:
        file: what the records come from.
        fault: what all of them are refused for, where that is known.
    """
    rows: list[dict[str, Any]] = []
    tally = Counter(records=0, refused=0, rows=0, blank=batch.blank)
    for at, (index, record) in enumerate(zip(batch.numbers, batch.lines, strict=True)):
        if is_blank(record, task.limits):
            tally["blank"] += 1
            continue
        others = {"index": index, **{name: column[at] for name, column in batch.others.items()}}
        if fault is None:
            found, name = _find(task, record, index, file)
        else:
            found, name = RecordRows(errors=[fault]), None
        for error in found.errors:
            about = (error.code, error.short_pointer, error.message, name)
            rows.append({**others, **dict(zip(ERROR_COLUMNS, about, strict=True))})
            tally[f"error {error.code}"] += 1
        rows.extend({**others, **row} for row in found.rows)
        tally.update(found.counts, records=1, refused=bool(found.errors), rows=len(found.rows))
    return MappedBatch(rows, tally)


def _find(task: RecordTask, record: RawRecord | None, index: int, file: str) -> tuple[RecordRows, str | None]:
    """What is said of a record, and what a refused one calls itself."""
    document = None
    try:
        if not isinstance(record, str | bytes | dict):
            raise ReadError(f"expected a record, found {type(record).__name__}", "no-record")
        document = read_record(record, index, file, task.limits, task.restore)
        return task.work(document, file), None
    except Exception as error:
        return RecordRows(errors=[problem_of(error, file, index)]), id_of(document)


# -- columns ------------------------------------------------------------------------------------------------------


def map_columns(task: RecordTask, batch: Columns | Iterable[RawRecord]) -> dict[str, list[Any]]:
    """A task on every record of a batch, as columns of one length: the others, and `COLUMNS` of its verb.

    Args:
        batch: columns, as a dict or a DataFrame of pandas, where the task has a `column`; or the records alone.

    Raises:
        UsageError: as in `check_columns`.
    """
    others: dict[str, Any] = {}
    if task.column is not None:
        table = cast(Columns, batch)
        others = {name: list(table[name]) for name in table}
        check_columns(task, others)
        batch = others.pop(task.column)
    records = list(cast(Iterable[Any], batch))
    rows = map_batch(task, Chunk(range(1, len(records) + 1), records, others=others)).rows
    return {name: [row.get(name) for row in rows] for name in [*others, *COLUMNS[task.verb]]}


def check_columns(task: RecordTask, names: Collection[str], *taken: str) -> None:
    """Refuse columns that do not go together with those of a result.

    Raises:
        UsageError: there is none with the records (code `"no-column"`), or another one has a name that is taken
            (`"column-name"`).
    """
    if task.column not in names:
        raise UsageError(f"there is no column {task.column!r}; there are {', '.join(sorted(names))}", "no-column")
    for name in ({*names} - {task.column}).intersection([*taken, *COLUMNS[task.verb]]):
        raise UsageError(f"a column is called {name!r}, as one of the result; rename it", "column-name")


convert_batch = named_after(convert_task, map_columns, "batch")
check_batch = named_after(check_task, map_columns, "batch")
tokens_batch = named_after(tokens_task, map_columns, "batch")
catalog_batch = named_after(catalog_task, map_columns, "batch")
