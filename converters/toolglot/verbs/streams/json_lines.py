"""JSON Lines by the processes of this machine: cut into chunks, converted in any order, handed back in their own.

Memory does not grow with the stream: at most a few chunks a process are under way.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple, TypeVar

from msgspec.structs import replace

from toolglot.converter.text import document_reader
from toolglot.converter.text.compression import pack_lines
from toolglot.converter.text.credentials import holds_credential
from toolglot.converter.text.serialization import dump_json_line
from toolglot.errors import Error, ReadError
from toolglot.verbs.diagnostics.credential_warnings import MOST_CREDENTIALS, credentials_in
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.streams import workers
from toolglot.verbs.streams.line_reader import CHUNK_BYTES, Chunk, chunks
from toolglot.verbs.streams.record_stream import Converted, RecordTask, convert_record, error_row
from toolglot.verbs.streams.tally import Tally, error_to_json, with_line

R = TypeVar("R")


class Job(NamedTuple):
    """What is done with every chunk.

    Attributes:
        task: what is done with every record: a conversion.
        name: what the stream is called.
        result_name: what the file of the result is called, for its end says how it is compressed.
        report_name: what the file of the report is called, where it is wanted line by line; else empty.
        tally: what counts the results.
    """

    task: RecordTask
    name: str | None = None
    result_name: str = ""
    report_name: str = ""
    tally: type[Tally] = Tally


class Part(NamedTuple):
    """What became of a chunk: bytes to append to the result and to the report, the counts, and every refused record.

    Attributes:
        errors: as `record_stream.error_row` has them.
    """

    result: bytes
    report: bytes
    tally: Tally
    errors: list[dict[str, Any]]


def convert_stream(stream: BinaryIO, job: Job, jobs: int | None = None) -> Generator[Part, None, None]:
    """Convert JSON Lines, compressed or not, part by part in the order of the lines.

    Args:
        stream: what is read; it has to stay open until the end.
        jobs: number of processes, with any of which the parts are the same; by default all cores, and one process
            for a short stream.

    Raises:
        ReadError: the stream breaks off, because of the system or of damaged compressed data.

    >>> import io
    >>> lines = io.BytesIO(b'{"toolId": "a", "source": "mcp", "safetyTier": "read"}\\n[\\n')
    >>> for part in convert_stream(lines, Job(RecordTask("convert", {"to": "mcp"}))):
    ...     print(part.result.decode(), part.tally.refused)
    {"name":"a","inputSchema":{"type":"object","additionalProperties":true},"annotations":{"readOnlyHint":true,"destructiveHint":false}}
     1
    """
    waiting = chunks(stream, job.task.limits.max_bytes, job.name)
    if jobs is None:
        first = next(waiting)
        waiting = chain([first], waiting)
        jobs = workers.default_jobs() if first.size >= CHUNK_BYTES else 1
    return work_on_chunks(partial(convert_chunk, job), waiting, jobs)


def work_on_chunks(work: Callable[[Chunk], R], waiting: Iterable[Chunk], jobs: int) -> Generator[R, None, None]:
    """What is made of every chunk, in their order, by so many processes; a record that kills its own is lost alone.

    Raises:
        ReadError: as for `chunks`, behind the results of all chunks before.
    """
    faults: list[ReadError] = []
    until_fault = _keep_fault(waiting, faults)
    yield from workers.run(work, until_fault, jobs, lambda chunk: work(chunk.lose()), 1, Chunk.divide)
    for fault in faults:
        raise fault


def _keep_fault(waiting: Iterable[Chunk], faults: list[ReadError]) -> Iterator[Chunk]:
    """The chunks until they break off, and why: raised here, it would end what is under way with others."""
    try:
        yield from waiting
    except ReadError as error:
        faults.append(error)


# -- in a worker ------------------------------------------------------------------------------------------------


def convert_chunk(job: Job, chunk: Chunk) -> Part:
    """Convert the lines of a chunk."""
    tally, lines, report, errors = job.tally(), list[str](), list[str](), list[dict[str, Any]]()
    for number, line in chunk.records:
        result = convert_record(job.task, number, line, job.name, job.tally.detail)
        tally.add(result)
        lines += result.texts
        if result.error is not None:
            errors.append(error_row(result.error, result.id))
        if job.report_name:
            report += _report_lines(result)
    tally.blank = chunk.blank
    tally.credentials = list(islice(_credentials(job, chunk), MOST_CREDENTIALS))
    return Part(pack_lines(lines, job.result_name), pack_lines(report, job.report_name), tally, errors)


def _credentials(job: Job, chunk: Chunk) -> Iterator[Diagnostic]:
    """The places where lines that can be read hold credentials."""
    for number, line in chunk.records:
        # Parsing every line once more would take far longer.
        if isinstance(line, bytes) and holds_credential(line.decode(errors="replace")):
            with suppress(Error):
                for credential in credentials_in(document_reader.load(line, None, job.task.limits)):
                    yield replace(credential, source=job.name, line=number)


def _report_lines(result: Converted) -> Iterator[str]:
    """The line of the report on a record: why it was refused, or what changed; none where nothing did."""
    if result.error is not None:
        yield dump_json_line(error_to_json(result.error))
    elif result.report:
        changes = tuple(with_line(change, result) for change in result.report.changes)
        report = replace(result.report, changes=changes)
        yield dump_json_line(report.to_json())
