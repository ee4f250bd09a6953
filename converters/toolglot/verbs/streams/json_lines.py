"""JSON Lines by the processes of this machine: cut into chunks, converted in any order, handed back in their own.

Memory does not grow with the stream: at most a few chunks a process are under way, and a line that is longer than the
limit is read no further than that.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.compression import Unpacked, open_unpacked, pack_lines
from toolglot.converter.text.credentials import holds_credential
from toolglot.errors import Error, ReadError, system_reason
from toolglot.verbs.diagnostics.credential_warnings import MOST_CREDENTIALS, credentials_in
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.streams import workers
from toolglot.verbs.streams.record_stream import Converted, RecordTask, convert_record, error_row
from toolglot.verbs.streams.tally import Tally, error_to_json, with_line

R = TypeVar("R")

CHUNK_BYTES = 256 * 1024  # some 15 ms of work, against less than one to send it to a process and back


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


class Chunk(NamedTuple):
    """Some records: lines that are not blank, without their ends, or rows of a table.

    Attributes:
        records: each with its number: of the line, counted from 1, or of the row. In the place of one that is lost
            stands an error, which says why.
        blank: how many blank lines there are among them, and before them.
        first: how many lines that are not blank there are before them.
        others: the columns that the records have beside them, as a table of Arrow, where there are any.
    """

    records: Sequence[tuple[int, Any]]
    blank: int = 0
    first: int = 0
    others: Any | None = None

    @property
    def size(self) -> int:
        """How many bytes its lines are that are not blank, with their ends."""
        return sum(len(line) + 1 for _, line in self.records)

    def divide(self) -> list[Chunk]:
        """The records as chunks of one; the first counts the blank lines.

        >>> [(chunk.records, chunk.blank, chunk.first) for chunk in Chunk([(1, b"[]"), (3, b"{}")], 1).divide()]
        [([(1, b'[]')], 1, 0), ([(3, b'{}')], 0, 1)]
        """
        return [
            Chunk(
                [record],
                blank=0 if index else self.blank,
                first=self.first + index,
                others=None if self.others is None else self.others.slice(index, 1),
            )
            for index, record in enumerate(self.records)
        ]

    def lose(self) -> Chunk:
        """The chunk when its records have killed their process."""
        return self._replace(records=[(number, workers.death()) for number, _ in self.records])


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


def chunks(stream: BinaryIO, limit: int, name: str | None = None, above: int = 0) -> Iterator[Chunk]:
    """The lines of a stream, unpacked where it is compressed; at least one chunk.

    A gigabyte of blank lines is a megabyte when it is compressed: they are counted, and never looked at one by one.

    Args:
        limit: bytes of a line. A longer one ends one byte after it, so that whoever parses it refuses it.
        name: what the stream is called in errors.
        above: how many lines stand above it, where it is a part of a file, which is not compressed.

    Raises:
        ReadError: the stream breaks off; code `"unreadable"`, `"damaged-gzip"` or `"damaged-zstd"`.
        UsageError: as in `compression.open_unpacked`.

    >>> list(chunks(io.BytesIO(b"[]\\n\\n{}"), 16))
    [Chunk(records=[(1, b'[]'), (3, b'{}')], blank=1, first=0, others=None)]
    """
    # Blank lines, each within the limit, or one that is not; nothing is tried twice, however long it is.
    lines = re.compile(rb"((?:\n++|[^\S\n]{0,%d}+\n)++)|([^\n]++)\n" % min(limit, 1 << 31))
    records, size, blank, first, number = list[tuple[int, bytes]](), 0, 0, 0, above
    try:
        for text in _whole_lines(stream, limit, above > 0):
            for line in lines.finditer(text):
                if line[1]:
                    blank += line[1].count(b"\n")
                    number += line[1].count(b"\n")
                    continue
                number += 1
                records.append((number, line[2][: limit + 1]))
                size += len(line[2]) + 1
                if size >= CHUNK_BYTES:
                    yield Chunk(records, blank, first)
                    first += len(records)
                    records, size, blank = [], 0, 0
    except ReadError as error:
        if records:
            yield Chunk(records, blank, first)  # whole lines, as those of the chunks before
        error.source, error.line = name, number + 1
        raise
    if records or blank or not first:
        yield Chunk(records, blank, first)


def _whole_lines(stream: BinaryIO, limit: int, is_part: bool) -> Iterator[bytes]:
    """The stream in pieces that end where a line does; of a line that is too long not much more than the limit."""
    rest = bytearray()
    for block in _blocks(stream, is_part):
        end = block.rfind(b"\n") + 1
        if end:
            yield bytes(rest) + block[:end]
            rest.clear()
        rest += block[end : end + limit + 1 - len(rest)]
    if rest:
        yield bytes(rest) + b"\n"


def _blocks(stream: BinaryIO, is_part: bool) -> Iterator[bytes]:
    """The stream piece by piece, unpacked where it is compressed; a part of a file is not."""
    reader = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
    unpacked = Unpacked(reader)
    try:
        if not is_part:
            unpacked = open_unpacked(reader)
        yield from iter(partial(cast(io.BufferedReader, unpacked.stream).read1, CHUNK_BYTES), b"")
    except unpacked.faults as error:
        raise ReadError(unpacked.describe(error), f"damaged-{unpacked.kind}") from error
    except OSError as error:
        raise ReadError(f"cannot be read: {system_reason(error)}", "unreadable") from error


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
        yield serialization.dump_json(error_to_json(result.error), None)[:-1]
    elif result.report:
        changes = tuple(with_line(change, result) for change in result.report.changes)
        report = replace(result.report, changes=changes)
        yield serialization.dump_json(report.to_json(), None)[:-1]
