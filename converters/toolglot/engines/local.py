"""JSON Lines by the processes of this machine: cut into chunks, converted in any order, handed back in their own.

Memory does not grow with the stream: at most a few chunks a process are under way, and a line that is longer than the
limit is read no further than that.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from toolglot import batch, text
from toolglot.diagnostics import Diagnostic
from toolglot.errors import ReadError, system_reason
from toolglot.streaming import Converted, Tally, convert_records, located, stated

CHUNK = 256 * 1024  # bytes; some 15 ms of work, against less than one to send it to a process and back
_LEVEL = 6  # the default of gzip itself; 9 takes twice the time for a hundredth of the size
_MAGIC = b"\x1f\x8b"


class Job(NamedTuple):
    """What is done with every chunk.

    Attributes:
        to, options, format, name, limits: as in `toolglot.streaming.convert_records`.
        reported: whether the report is wanted line by line.
        packed, report_packed: whether the result and the report are compressed.
    """

    to: str
    options: dict[str, Any]
    format: str | None = None
    name: str | None = None
    limits: text.Limits = text.DEFAULT_LIMITS
    reported: bool = False
    packed: bool = False
    report_packed: bool = False


class Chunk(NamedTuple):
    """Some lines without their ends, and the number of the first."""

    first: int
    lines: list[bytes]


class Part(NamedTuple):
    """What became of a chunk: bytes to append to the result and to the report, and the counts."""

    result: bytes
    report: bytes
    tally: Tally


def convert_stream(stream: BinaryIO, job: Job, jobs: int | None = None) -> Iterator[Part]:
    """Convert JSON Lines, compressed with gzip or not, part by part in the order of the lines.

    Args:
        stream: what is read; it has to stay open until the end.
        jobs: number of processes, with any of which the parts are the same; by default all cores, and one process
            for a short stream.

    Raises:
        UsageError: the call is wrong for every record.
        ReadError: the stream breaks off, because of the system or of damaged gzip data.

    >>> lines = io.BytesIO(b'{"toolId": "a", "source": "mcp", "safetyTier": "read"}\\n[\\n')
    >>> for part in convert_stream(lines, Job("mcp", {})):
    ...     print(part.result.decode(), part.tally.refused)
    {"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":false}}
     1
    """
    _converted(job, Chunk(1, []))  # what is wrong with the call is said before anything is read
    some = chunks(stream, job.limits.max_bytes, job.name)
    if jobs is None:
        head = list(islice(some, 2))
        some = chain(head, some)
        jobs = batch.default_jobs() if len(head) > 1 else 1
    return batch.run(partial(convert_chunk, job), some, jobs, partial(_one_by_one, job), chunk=1)


def chunks(stream: BinaryIO, limit: int, name: str | None = None) -> Iterator[Chunk]:
    """The lines of a stream, unpacked where it is compressed; at least one chunk.

    Args:
        limit: bytes of a line. A longer one ends one byte after it, so that whoever parses it refuses it.
        name: what the stream is called in errors.

    Raises:
        ReadError: the stream breaks off; code `"unreadable"` or `"damaged-gzip"`.

    >>> list(chunks(io.BytesIO(b"[]\\n{}"), 16))
    [Chunk(first=1, lines=[b'[]', b'{}'])]
    """
    first, lines, size = 1, list[bytes](), 0
    plain = _unpacked(stream)
    while (line := _line(plain, limit, name, first + len(lines))) is not None:
        lines.append(line)
        size += len(line) + 1
        if size >= CHUNK:
            yield Chunk(first, lines)
            first, lines, size = first + len(lines), [], 0
    if lines or first == 1:
        yield Chunk(first, lines)


def _unpacked(stream: BinaryIO) -> BinaryIO | gzip.GzipFile:
    """The stream, or what is compressed in it. The first bytes tell, because stdin has no name that could."""
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
    return gzip.GzipFile(fileobj=buffered) if buffered.peek(2)[:2] == _MAGIC else buffered


def _line(stream: BinaryIO | gzip.GzipFile, limit: int, name: str | None, number: int) -> bytes | None:
    """The next line without its end; `None` where there is none."""
    try:
        line = stream.readline(limit + 2)
        rest = line
        while len(rest) > limit and rest[-1:] != b"\n":
            rest = stream.readline(limit + 2)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        message = f"the gzip data is damaged: {str(error).lower()}; fetch the file again"
        raise ReadError(message, "damaged-gzip", line=number, source=name) from error
    except OSError as error:
        raise ReadError(f"cannot be read: {system_reason(error)}", "unreadable", line=number, source=name) from error
    return line.removesuffix(b"\n") if line else None


# -- in a worker ------------------------------------------------------------------------------------------------


def convert_chunk(job: Job, chunk: Chunk) -> Part:
    """Convert the lines of a chunk."""
    part = _part(job, _converted(job, chunk))
    part.tally.blank = len(chunk.lines) - part.tally.records
    return part


def _converted(job: Job, chunk: Chunk) -> Iterator[Converted]:
    return convert_records(
        chunk.lines, job.to, format=job.format, name=job.name, first=chunk.first, limits=job.limits, **job.options
    )


def _part(job: Job, results: Iterable[Converted]) -> Part:
    tally, lines, report = Tally(), list[str](), list[str]()
    for found in results:
        tally.add(found)
        lines += found.texts
        if job.reported:
            report += _said(found)
    return Part(_bytes(lines, job.packed), _bytes(report, job.report_packed), tally)


def _bytes(lines: list[str], packed: bool) -> bytes:
    """The lines, each with its end. Compressed they are a gzip member, and members one after the other are a file."""
    data = "".join(f"{line}\n" for line in lines).encode()
    return gzip.compress(data, _LEVEL, mtime=0) if packed else data


def _said(found: Converted) -> Iterator[str]:
    """The line of the report on a record: why it was refused, or what changed; none where nothing did."""
    if found.error is not None:
        yield text.dump_json(stated(found.error), None)[:-1]
    elif found.report:
        changes = tuple(located(change, found) for change in found.report.changes)
        report = msgspec.structs.replace(found.report, changes=changes)
        yield text.dump_json(report.to_json(), None)[:-1]


# -- when a worker dies -----------------------------------------------------------------------------------------


def _one_by_one(job: Job, chunk: Chunk) -> Part:
    """A chunk that killed its process once more, in processes of its own, to lose the guilty line and no other."""
    lines = [Chunk(chunk.first + index, [line]) for index, line in enumerate(chunk.lines)]
    parts = list(batch.run(partial(convert_chunk, job), lines, 2, partial(_lost, job)))
    tally = Tally()
    for part in parts:
        tally.merge(part.tally)
    return Part(b"".join(part.result for part in parts), b"".join(part.report for part in parts), tally)


def _lost(job: Job, chunk: Chunk) -> Part:
    message = "the process that converted this record was killed; was there too little memory?"
    error = Diagnostic(code="worker-died", severity="error", message=message, source=job.name, line=chunk.first)
    return _part(job, [Converted(chunk.first, error=error, name=job.name)])
