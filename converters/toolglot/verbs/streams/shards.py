"""A file, or a part of one, as a shard: its records in batches, a task on each, and the files that come of it.

Ray Data reads and writes too. It is not used, because its readers take apart what is one line (U+2028), or end at the
first line that is no JSON; because none of them knows the row of a record in its file; because its writers have one
output and call files by blocks; and because it tries a block whose process dies for ever.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from toolglot.converter.files.row_files import PARQUET, load_arrow
from toolglot.converter.files.shared_folders import NewFiles, new_files, no_foreign_errors, open_folder
from toolglot.converter.text.compression import pack_lines
from toolglot.converter.text.digests import sha256_of
from toolglot.errors import Error
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.verbs.streams.batches import MappedBatch, check_columns, map_batch
from toolglot.verbs.streams.json_lines import work_on_chunks
from toolglot.verbs.streams.line_reader import Chunk, chunks
from toolglot.verbs.streams.record_stream import RecordTask, is_blank
from toolglot.verbs.streams.tasks import REFUSED_COLUMNS, RESULT_COLUMNS

ERRORS, DIGESTS, ENTRIES, FINISHED = "_errors", "_digests", "_entries", "_finished"
"""Folders of the output: refused records, digests of all, entries of a catalogue, and what each shard came to."""

LINES = ".jsonl"
INNOCENT_DEATHS = 2
"""How often the process of a piece may die that a machine may have ended; then the guilty record is sought."""

_ROWS = 1_000  # of a Parquet file that are in memory at a time


class Shards(NamedTuple):
    """Folders of files: what is read, what is written, and how.

    Attributes:
        source: a folder, as a path or as an address that every node can read (`s3://`, `gs://`, `hdfs://`).
        output: the folder of the results, which is empty, or that of a run to go on with.
        ending: of the names of the results, `".jsonl"`, `".jsonl.gz"` or `".parquet"`; by default that of the source.
        partition_errors: whether refused records lie in folders such as `_errors/error=json-syntax`.
        doubles: whether records that occur more than once, byte for byte, are listed.
        resume: whether to go on with a run that ended.
        piece_bytes: about how much of a file is one piece; by default what gives all machines work, and 64 MiB at most.
    """

    source: str
    output: str
    ending: str = ""
    partition_errors: bool = False
    doubles: bool = False
    resume: bool = False
    piece_bytes: int | None = None


class Shard(msgspec.Struct):
    """What became of a file, or of a part of one.

    Attributes:
        name: of its result, below the folder of the output.
        file: what was read, below the folder of the source.
        state: its size and time.
        tally: what its records came to, as `batches.MappedBatch` has it.
        error: why it could not be read or written to its end, or `None`; then it has no result.
    """

    name: str
    file: str
    state: str = ""
    tally: dict[str, int] = {}
    error: Diagnostic | None = None


class Piece(NamedTuple):
    """A file that is read, or a part of one.

    Attributes:
        shard: what becomes of it, as yet without records.
        start: where it begins, in bytes, or in row groups of Parquet.
        end: where it ends; `None` is the end of the file.
        first: how many lines or rows stand above it.
        deaths: how often the process died that worked on it. After `INNOCENT_DEATHS`, processes of its own do the work,
            so that a record that kills its process is found, and costs no other one.
    """

    shard: Shard
    start: int = 0
    end: int | None = None
    first: int = 0
    deaths: int = 0


def are_lines(shards: Shards, task: RecordTask) -> bool:
    """Whether lines become lines, which hold results alone. A row says more, and is what any other verb has to say."""
    return task.verb == "convert" and task.column is None and not shards.ending.lower().endswith(PARQUET)


def map_piece(shards: Shards, task: RecordTask, piece: Piece) -> Shard:
    """A task on every record of a piece; what comes of it appears when all of it is whole."""
    shard, tally = piece.shard, Counter[str]()
    try:
        with (
            no_foreign_errors(shard.file),
            open_folder(shards.source).open_input_file(shard.file) as stream,
            new_files(open_folder(shards.output)) as files,
        ):
            batches = (_lines if task.column is None else _rows)(task, piece, stream)
            if shards.doubles:
                batches = _note_digests(batches, task, shard.name, files)
            jobs = 1 if piece.deaths < INNOCENT_DEATHS else 2
            for mapped in work_on_chunks(partial(map_batch, task, file=shard.file), batches, jobs):
                _write(mapped, shards, task, shard.name, files)
                tally.update(mapped.tally)
            shard.tally = dict(tally)
            files.stream(f"{FINISHED}/{shard.name}.json").write(msgspec.json.encode(shard))
    except Error as error:
        shard.error = replace(from_error(error), source=shard.file)
    return shard


# -- reading: at least one batch, so that what has no records has a result, too ---------------------------------------


def _lines(task: RecordTask, piece: Piece, stream: Any) -> Iterator[Chunk]:
    if piece.end is not None:
        stream = stream.get_stream(piece.start, piece.end - piece.start)
    else:
        stream.seek(piece.start)
    return chunks(stream, task.limits.max_bytes, piece.shard.file, piece.first)


def _rows(task: RecordTask, piece: Piece, stream: Any) -> Iterator[Chunk]:
    arrow = load_arrow()
    file = arrow.parquet.ParquetFile(stream)
    check_columns(task, file.schema_arrow.names, "index")
    groups = range(file.num_row_groups)[piece.start : piece.end]
    tables = (arrow.Table.from_batches([batch]) for batch in file.iter_batches(_ROWS, row_groups=[*groups]))
    first = piece.first
    for table in chain([file.schema_arrow.empty_table()], tables):
        records = table[task.column]
        if arrow.types.is_string(records.type) or arrow.types.is_large_string(records.type):
            records = records.cast(arrow.large_binary())  # a text that is not UTF-8 is refused alone
        others = table.drop_columns([task.column]) if table.num_columns > 1 else None
        yield Chunk(list(enumerate(records.to_pylist(), first)), others=others)
        first += table.num_rows


def _note_digests(batches: Iterable[Chunk], task: RecordTask, name: str, files: NewFiles) -> Iterator[Chunk]:
    """The batches; of each a digest of every record is written, as it stands but for the blanks around it."""
    for batch in batches:
        rows: list[dict[str, Any]] = []
        for index, record in batch.records:
            if record is not None and not is_blank(record, task.limits):
                text = record.encode() if isinstance(record, str) else record
                data = text if isinstance(text, bytes) else msgspec.json.encode(text, enc_hook=str)
                rows.append({"digest": sha256_of(data.strip()), "shard": name, "index": index})
        files.write_rows(f"{DIGESTS}/{name}{LINES}", rows)
        yield batch


# -- writing ------------------------------------------------------------------------------------------------------


def _write(mapped: MappedBatch, shards: Shards, task: RecordTask, name: str, files: NewFiles) -> None:
    """Write a batch into the files of a shard: results and errors."""
    rows_of_files = defaultdict[str, list[dict[str, Any]]](list, {name: []})
    for row in mapped.rows:
        file = name
        if "error" in row:
            folder = f"{ERRORS}/error={row['error']}" if shards.partition_errors else ERRORS
            file = f"{folder}/{name}"
        rows_of_files[file].append(row)
    if are_lines(shards, task):
        files.stream(name).write(pack_lines([row["output"] for row in rows_of_files.pop(name)], name))
    for file, rows in rows_of_files.items():
        columns = RESULT_COLUMNS[task.verb] if file == name else REFUSED_COLUMNS
        beside = None
        if mapped.others is not None:
            arrow = load_arrow()
            beside = mapped.others.take(arrow.array([row["index"] - mapped.first for row in rows], arrow.int64()))
        files.write_rows(file, rows, {"index": "bigint", **columns}, beside)
