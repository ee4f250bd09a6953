"""Ray: a folder of JSON Lines or Parquet files, one task a file. It needs `pip install 'toolglot[ray]'`.

Every file becomes one of the same name, which appears when it is complete, so that a run that was ended can be
resumed. `ray.data.read_text` is not used: it takes U+2028 and its like for the end of a line, and a whole file into
memory.
"""

from __future__ import annotations

import os
import pickle
import posixpath
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple, Unpack

from toolglot.converter.conversion.options import ConvertOptions
from toolglot.converter.text.serialization import LINED
from toolglot.errors import Error, ReadError, UsageError, system_reason
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.verbs.streams.engines import COLUMNS, columns
from toolglot.verbs.streams.json_lines import Job, convert_stream
from toolglot.verbs.streams.record_stream import convert_records
from toolglot.verbs.streams.tally import Tally

SUFFIXES = {"json-lines": LINED, "parquet": (".parquet",)}
ROWS = 1_000  # of a Parquet file that are in memory at a time


class Shard(NamedTuple):
    """What became of one file.

    Attributes:
        name: its path below the folder.
        tally: what its records came to.
        error: why it could not be read or written to its end, or `None`; then it has no result.
    """

    name: str
    tally: Tally
    error: Diagnostic | None = None


def convert_shards(
    source: str,
    output: str,
    to: str,
    /,
    *,
    format: str | None = None,
    column: str | None = None,
    resume: bool = False,
    **options: Unpack[ConvertOptions],
) -> Iterator[Shard]:
    """Convert every file below a folder on the Ray that is running, or else on one that is started here.

    Args:
        source: a folder, as a path or as a URI that every node can read (`s3://`, `gs://`, `hdfs://`).
        output: the folder of the results; JSON Lines, or Parquet (`streams.engines.columns` says which).
        to: `FORMAT` or `FORMAT@VERSION`.
        format: the format of all records; by default that of each is detected from its content.
        column: the column of Parquet files that holds a record as JSON text a row; `None` is JSON Lines.
        resume: pass over files whose result is there.
        **options: as in `toolglot.convert`.

    Returns:
        One outcome a file, as they are done.

    Raises:
        UsageError: the call is wrong for every record, there is no such file, or a result exists.
    """
    import ray.data  # an extra's, as is pyarrow below

    convert_records([], to, format=format, **options)  # says what is wrong with the call
    # As tasks on other machines can name them: a URL, or the whole path.
    source, output = (folder if "://" in folder else os.path.abspath(folder) for folder in (source, output))
    names = _file_names(source, SUFFIXES["parquet" if column else "json-lines"])
    if not names:
        raise UsageError("there is no file to convert; give a folder of .jsonl or .parquet files", "no-sources")
    existing = set(names).intersection(_file_names(output, ("",)))
    if existing and not resume:
        message = "a result exists; give resume=True to pass over what is done, or another folder"
        raise UsageError(message, "file-exists", source=min(existing))
    missing = [name for name in names if name not in existing]
    convert = partial(_convert_row, source=source, output=output, job=Job(to, options, format), column=column)
    shards = ray.data.from_items([{"name": name} for name in missing], override_num_blocks=max(len(missing), 1))
    return (pickle.loads(row["shard"]) for row in shards.map(convert).iter_rows())


def _file_names(folder: str, suffixes: tuple[str, ...]) -> list[str]:
    """Paths of files below a folder, from it, sorted; what begins with a dot or an underscore is the system's."""
    from pyarrow import fs

    filesystem, root = _filesystem_of(folder)
    selector = fs.FileSelector(root, recursive=True, allow_not_found=True)
    names: list[str] = []
    for file in filesystem.get_file_info(selector):
        name = posixpath.relpath(file.path, root)
        is_of_system = any(part.startswith((".", "_")) for part in name.split("/"))
        if file.is_file and name.lower().endswith(suffixes) and not is_of_system:
            names.append(name)
    return sorted(names)


def _filesystem_of(folder: str) -> tuple[Any, str]:
    from pyarrow import fs

    filesystem, root = fs.FileSystem.from_uri(folder)
    return filesystem, root


# -- in a task --------------------------------------------------------------------------------------------------


def _convert_row(row: dict[str, Any], source: str, output: str, job: Job, column: str | None) -> dict[str, bytes]:
    name, tally = row["name"], Tally()
    work = _records_of_lines if column is None else partial(_records_of_rows, column=column)
    try:
        with _input(source, name) as stream, _output(output, name) as result:
            work(stream, result, job._replace(name=name, result_name=name), tally)
    except Error as error:
        return {"shard": pickle.dumps(Shard(name, tally, from_error(error)))}
    return {"shard": pickle.dumps(Shard(name, tally))}


@contextmanager
def _input(folder: str, name: str) -> Iterator[Any]:
    filesystem, root = _filesystem_of(folder)
    with _name_file_in_errors(name, "read"):
        stream = filesystem.open_input_file(posixpath.join(root, name))
    with stream:
        yield stream


@contextmanager
def _output(folder: str, name: str) -> Iterator[Any]:
    """A stream to a file that gets its name when the block ends well; a task that is tried again begins anew."""
    filesystem, root = _filesystem_of(folder)
    path = posixpath.join(root, name)
    place, last = posixpath.split(path)
    temporary = posixpath.join(place, f".{last}.{os.getpid()}.tmp")
    with _name_file_in_errors(name, "written"):
        filesystem.create_dir(place, recursive=True)
        try:
            with filesystem.open_output_stream(temporary, compression=None) as stream:
                yield stream
            filesystem.move(temporary, path)
        except BaseException:
            with suppress(OSError):
                filesystem.delete_file(temporary)
            raise


@contextmanager
def _name_file_in_errors(name: str, verb: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReadError(f"cannot be {verb}: {system_reason(error)}", "unreadable", source=name) from error


def _records_of_lines(stream: Any, result: Any, job: Job, tally: Tally) -> None:
    for part in convert_stream(stream, job, 1):
        result.write(part.result)
        tally.merge(part.tally)


def _records_of_rows(stream: Any, result: Any, job: Job, tally: Tally, column: str) -> None:
    from pyarrow import ArrowException, Table, int64, schema, string
    from pyarrow.parquet import ParquetFile, ParquetWriter

    kinds = {"bigint": int64(), "string": string()}
    types = schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    try:
        file = ParquetFile(stream)
        if column not in file.schema_arrow.names:
            raise UsageError(f"there is no column {column!r}", "no-column", source=job.name)
        with ParquetWriter(result, types) as writer:
            first = 0
            for batch in file.iter_batches(ROWS, columns=[column]):
                records = batch.column(0).to_pylist()
                results = convert_records(records, job.to, format=job.format, name=job.name, first=first, **job.options)
                results_of_batch = list(results)
                first += len(records)
                for item in results_of_batch:
                    tally.add(item)
                writer.write_table(Table.from_pydict(columns(results_of_batch), types))
    except ArrowException as error:
        raise ReadError(f"damaged Parquet: {error}", "damaged-parquet", source=job.name) from error
