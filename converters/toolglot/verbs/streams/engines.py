"""Streams over engines that map a function over batches, such as Spark, Hugging Face datasets or Dask: `convert_batch`.

The processes of this machine (`json_lines`) and Ray (`ray`) have modules of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Unpack

from toolglot.converter.conversion.options import ConvertOptions
from toolglot.converter.text.serialization import Limits, dump_json
from toolglot.errors import Error
from toolglot.verbs.streams.record_stream import Converted, RawRecord, convert_records

COLUMNS = {"index": "bigint", "output": "string", "error": "string", "changes": "string"}
"""The columns of a converted batch, and their types as Spark calls them."""


class RecordOptions(ConvertOptions, total=False):
    """The options of `streams.record_stream.convert_records`, less the number of the first record."""

    format: str | None
    name: str | None
    limits: Limits


def convert_batch(
    records: Iterable[RawRecord], to: str, *, first: int = 0, **options: Unpack[RecordOptions]
) -> dict[str, list[Any]]:
    """Convert a batch; what comes back is columns of one length, as Arrow, pandas and `datasets` take them.

    Args:
        records: as in `streams.record_stream.convert_records`.
        to: `FORMAT` or `FORMAT@VERSION`.
        first: the number of the first record; default 0.
        **options: as in `convert_records`.

    Returns:
        As `columns`.

    Raises:
        UsageError: the call is wrong for every record.

    >>> batch = convert_batch([{"toolId": "a", "source": "mcp", "safetyTier": "read"}, "?"], "atdf")
    >>> batch["index"], batch["output"][1]
    ([0, 1], None)
    >>> batch["error"][1]
    "found '?' where a JSON value was expected [json-syntax]"
    """
    return columns(convert_records(records, to, first=first, **options))


def columns(results: Iterable[Converted]) -> dict[str, list[Any]]:
    """Results as columns: a row for every text that is written, and one for every record that is refused.

    Returns:
        `index`: the number of the record.
        `output`: the text, or `None`.
        `error`: why there is none, or `None`.
        `changes`: how often each code of the report occurs, as a JSON object, on the first row of a record.
    """
    rows: list[tuple[int, str | None, str | None, str | None]] = []
    for result in results:
        if result.error is not None:
            error = result.error  # without its place, which says nothing outside the batch
            sentence = str(Error(error.message, error.code, error.pointer, hint=error.hint))
            rows.append((result.line, None, sentence, None))
        elif result.report is not None:
            counts = Counter(change.code for change in result.report.changes)
            changes: str | None = dump_json(dict(counts), None)[:-1]
            for output in result.texts:
                rows.append((result.line, output, None, changes))
                changes = None  # only the first row of a record says it, so that sums are right
    return {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}
