"""The lines of JSON Lines, read in chunks, compressed or not.

A line that is longer than the limit is read no further than that.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO, NamedTuple, cast

from toolglot.converter.text.compression import Unpacked, open_unpacked
from toolglot.errors import ReadError, system_reason
from toolglot.verbs.streams import workers

CHUNK_BYTES = 256 * 1024  # some 15 ms of work, against less than one to send it to a process and back


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
