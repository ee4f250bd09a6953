"""JSON Lines by the processes of this machine: cut into chunks, converted in any order, handed back in their own.

Memory does not grow with the stream: at most a few chunks a process are under way, and a line that is longer than the
limit is read no further than that.
"""

from __future__ import annotations

import io
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from toolglot.converter.conversion.options import ConvertOptions, without_iterators
from toolglot.converter.text import serialization
from toolglot.converter.text.compression import Unpacked, open_unpacked, pack
from toolglot.converter.text.credentials import holds_credential
from toolglot.errors import Error, ReadError, system_reason
from toolglot.verbs.diagnostics.credential_warnings import MOST_CREDENTIALS, credentials_in
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.streams import workers
from toolglot.verbs.streams.record_stream import Converted, convert_numbered, error_row
from toolglot.verbs.streams.tally import Tally, error_to_json, with_line

CHUNK_BYTES = 256 * 1024  # some 15 ms of work, against less than one to send it to a process and back


DIED = Diagnostic(
    code="worker-died",
    severity="error",
    message="the process that read this was killed; was there too little memory?",
)
"""What is said of a record, or of a part of a file, that kills its process."""


class Job(NamedTuple):
    """What is done with every chunk.

    Attributes:
        to, options, format, restore, name, limits: as in `streams.record_stream.convert_records`.
        has_lines_of_report: whether the report is wanted line by line.
        result_name, report_name: what the files of the result and of the report are called, for their ends say how
            they are compressed.
        tally: what counts the results.
    """

    to: str
    options: ConvertOptions
    format: str | None = None
    restore: bool = False
    name: str | None = None
    limits: serialization.Limits = serialization.DEFAULT_LIMITS
    has_lines_of_report: bool = False
    result_name: str = ""
    report_name: str = ""
    tally: type[Tally] = Tally


class Chunk(NamedTuple):
    """Some lines that are not blank, without their ends; or rows of a table, each a record.

    Attributes:
        numbers: of each line, counted from 1, or of each row.
        lines: the lines, or the records.
        blank: how many blank ones there are among them, and before them.
        first: how many lines that are not blank there are before them.
        others: the columns that the records have beside them, as a table of Arrow, where there are any.
    """

    numbers: Sequence[int]
    lines: Sequence[Any]
    blank: int = 0
    first: int = 0
    others: Any | None = None

    def divide(self) -> list[Chunk]:
        """The lines as chunks of one; the first counts the blank ones.

        >>> [(chunk.lines, chunk.blank, chunk.first) for chunk in Chunk([1, 3], [b"[]", b"{}"], 1).divide()]
        [([b'[]'], 1, 0), ([b'{}'], 0, 1)]
        """
        chunks: list[Chunk] = []
        for index, (number, line) in enumerate(zip(self.numbers, self.lines, strict=True)):
            others = None if self.others is None else self.others.slice(index, 1)
            chunks.append(Chunk([number], [line], 0 if index else self.blank, self.first + index, others))
        return chunks


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
        UsageError: the call is wrong for every record.
        ReadError: the stream breaks off, because of the system or of damaged compressed data.

    >>> lines = io.BytesIO(b'{"toolId": "a", "source": "mcp", "safetyTier": "read"}\\n[\\n')
    >>> for part in convert_stream(lines, Job("mcp", {})):
    ...     print(part.result.decode(), part.tally.refused)
    {"name":"a","inputSchema":{"type":"object","additionalProperties":true},"annotations":{"readOnlyHint":true,"destructiveHint":false}}
     1
    """
    job = job._replace(options=cast(ConvertOptions, without_iterators(job.options)))
    _convert_lines(job, Chunk([], []))  # what is wrong with the call is said before anything is read
    waiting = chunks(stream, job.limits.max_bytes, job.name)
    if jobs is None:
        head = list(islice(waiting, 2))
        waiting = chain(head, waiting)
        jobs = workers.default_jobs() if len(head) > 1 else 1
    work = partial(convert_chunk, job)
    return workers.run(work, waiting, jobs, partial(work, fault=DIED), 1, Chunk.divide)


def chunks(stream: BinaryIO, limit: int, name: str | None = None, above: int = 0) -> Iterator[Chunk]:
    """The lines of a stream, unpacked where it is compressed; at least one chunk.

    Args:
        limit: bytes of a line. A longer one ends one byte after it, so that whoever parses it refuses it.
        name: what the stream is called in errors.
        above: how many lines stand above it, where it is a part of a file, which is not compressed.

    Raises:
        ReadError: the stream breaks off; code `"unreadable"`, `"damaged-gzip"` or `"damaged-zstd"`.
        UsageError: as in `compression.open_unpacked`.

    >>> list(chunks(io.BytesIO(b"[]\\n\\n{}"), 16))
    [Chunk(numbers=[1, 3], lines=[b'[]', b'{}'], blank=1, first=0, others=None)]
    """
    lines = _NumberedLines(stream, limit, name, above)
    numbers, texts, size, offset, first = list[int](), list[bytes](), 0, above, 0
    for number, line in lines:
        numbers.append(number)
        texts.append(line)
        size += len(line) + 1
        if size >= CHUNK_BYTES:
            yield Chunk(numbers, texts, number - offset - len(texts), first)
            numbers, texts, size, offset, first = [], [], 0, number, first + len(texts)
    if texts or lines.line_number > offset or offset == above:
        yield Chunk(numbers, texts, lines.line_number - offset - len(texts), first)


_INK = re.compile(rb"\S")


class _NumberedLines:
    """The lines of a stream that are not blank, with their numbers.

    A gigabyte of blank lines is a megabyte when it is compressed: they are counted, and never looked at one by one.

    Args:
        stream, limit, name, above: as for `chunks`.
    """

    def __init__(self, stream: BinaryIO, limit: int, name: str | None, above: int) -> None:
        self._stream = stream
        self._limit = limit
        self._name = name
        self.line_number = above
        """Lines that were read, blank ones too."""

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        rest = bytearray()  # of a line whose end was not read yet, as far as the limit lets it matter
        for block in self._blocks():
            end = block.rfind(b"\n") + 1
            if end:
                yield from self._lines_in(bytes(rest) + block[:end])
                rest.clear()
            rest += block[end : end + self._limit + 1 - len(rest)]
        if rest:
            yield from self._lines_in(bytes(rest) + b"\n")

    def _lines_in(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The lines of some data that ends with the end of a line."""
        start = 0
        while start < len(data):
            ink = _INK.search(data, start)
            blank_end = ink.start() if ink else len(data)
            begin = data.rfind(b"\n", start, blank_end) + 1 or start
            if begin - start > self._limit:
                yield from self._long_lines(data[start:begin])
            self.line_number += data.count(b"\n", start, begin)
            if ink is None:
                return
            end = data.find(b"\n", begin)
            self.line_number += 1
            yield self.line_number, data[begin : min(end, begin + self._limit + 1)]
            start = end + 1

    def _long_lines(self, blank: bytes) -> Iterator[tuple[int, bytes]]:
        """The lines that are blank as far as they were read, and too long to say that they are."""
        for number, line in enumerate(blank.split(b"\n"), self.line_number + 1):
            if len(line) > self._limit:
                yield number, line[: self._limit + 1]

    def _blocks(self) -> Iterator[bytes]:
        """The stream piece by piece, unpacked where it is compressed."""
        stream = self._stream
        reader = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
        unpacked = Unpacked(reader)
        try:
            if not self.line_number:
                unpacked = open_unpacked(reader)
            read = cast(io.BufferedReader, unpacked.stream).read1
            while block := read(CHUNK_BYTES):
                yield block
        except unpacked.faults as error:
            message = unpacked.describe(error)
            raise ReadError(message, f"damaged-{unpacked.kind}", line=self._next, source=self._name) from error
        except OSError as error:
            message = f"cannot be read: {system_reason(error)}"
            raise ReadError(message, "unreadable", line=self._next, source=self._name) from error

    @property
    def _next(self) -> int:
        return self.line_number + 1


# -- in a worker ------------------------------------------------------------------------------------------------


def convert_chunk(job: Job, chunk: Chunk, fault: Diagnostic | None = None) -> Part:
    """Convert the lines of a chunk.

    Args:
        fault: what all of them are refused for, where that is known.
    """
    tally, lines, report, errors = job.tally(), list[str](), list[str](), list[dict[str, Any]]()
    for result in _convert_lines(job, chunk, fault):
        tally.add(result)
        lines += result.texts
        if result.error is not None:
            errors.append(error_row(result.error, result.id))
        if job.has_lines_of_report:
            report += _report_lines(result)
    tally.blank = chunk.blank
    if fault is None:
        tally.credentials = list(islice(_credentials(job, chunk), MOST_CREDENTIALS))
    return Part(_bytes(lines, job.result_name), _bytes(report, job.report_name), tally, errors)


def _credentials(job: Job, chunk: Chunk) -> Iterator[Diagnostic]:
    """The places where lines that can be read hold credentials."""
    for number, line in zip(chunk.numbers, chunk.lines, strict=True):
        if holds_credential(line.decode(errors="replace")):  # parsing every line once more would take far longer
            with suppress(Error):
                for credential in credentials_in(serialization.load(line, None, job.limits)):
                    yield msgspec.structs.replace(credential, source=job.name, line=number)


def _convert_lines(job: Job, chunk: Chunk, fault: Diagnostic | None = None) -> Iterator[Converted]:
    if fault is not None:
        return (
            Converted(number, error=msgspec.structs.replace(fault, source=job.name, line=number), name=job.name)
            for number in chunk.numbers
        )
    return convert_numbered(
        zip(chunk.numbers, chunk.lines, strict=True),
        job.to,
        format=job.format,
        restore=job.restore,
        name=job.name,
        limits=job.limits,
        detail=job.tally.detail,
        **job.options,
    )


def _bytes(lines: list[str], name: str) -> bytes:
    """The lines, each with its end, as a file of this name has them."""
    return pack("".join(f"{line}\n" for line in lines).encode(), name)


def _report_lines(result: Converted) -> Iterator[str]:
    """The line of the report on a record: why it was refused, or what changed; none where nothing did."""
    if result.error is not None:
        yield serialization.dump_json(error_to_json(result.error), None)[:-1]
    elif result.report:
        changes = tuple(with_line(change, result) for change in result.report.changes)
        report = msgspec.structs.replace(result.report, changes=changes)
        yield serialization.dump_json(report.to_json(), None)[:-1]
