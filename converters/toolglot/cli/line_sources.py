"""Files of JSON Lines as sources: cut into chunks, which workers take apart into lines, each a source of its own.

    file -> chunks_of (here) -> a file with a chunk -> lines_of (in a worker) -> files with one line each

So what a command does with a file it does with every record, over several processes, and no file is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from toolglot.cli.late_modules import line_reader, record_stream
from toolglot.cli.opened_sources import SourceFile, open_lines, parse_file
from toolglot.converter.conversion import recognition
from toolglot.converter.file_search import STDIN
from toolglot.converter.text.document_reader import names_lines
from toolglot.errors import ParseError, ReadError

if TYPE_CHECKING:
    from toolglot.verbs.streams.line_reader import Chunk

S = TypeVar("S", bound=SourceFile)

IsStream = Callable[[SourceFile], bool]


def is_lined(file: SourceFile) -> bool:
    """Whether a file is called like JSON Lines, and there is something to read."""
    return file.fault is None and names_lines(file.name)


def is_large(file: SourceFile) -> bool:
    """Whether it is JSON Lines, and too large to be read whole; stdin may be, and cannot be looked at twice."""
    if not is_lined(file):
        return False
    return file.path == STDIN or _is_larger(file, file.request.limits.max_bytes)


def has_several_chunks(file: SourceFile) -> bool:
    """Whether a file of JSON Lines holds work for several processes, as far as can be told before it is read."""
    return file.path != STDIN and is_lined(file) and _is_larger(file, line_reader.CHUNK_BYTES)


def _is_larger(file: SourceFile, size: int) -> bool:
    """Whether a file has more bytes than this, unpacked."""
    with suppress(ReadError), open_lines(file) as stream:
        for chunk in line_reader.chunks(stream, file.request.limits.max_bytes):
            size -= chunk.size + chunk.blank
            if size < 0:
                return True
    return False


def with_chunks(files: Iterable[S], is_stream: IsStream) -> Iterator[S]:
    """The files, in place of each that is a stream one for every chunk of it."""
    for file in files:
        if is_stream(file):
            yield from _chunks_of(file)
        else:
            yield file


def _chunks_of(file: S) -> Iterator[S]:
    """A file once for every chunk; as it is where it has no lines, or with the error where it cannot be read on."""
    try:
        with open_lines(file) as stream:
            waiting = line_reader.chunks(stream, file.request.limits.max_bytes, file.name)
            first = next(waiting)
            if not first.records:
                yield replace(file, content=b"")
                return
            if not file.is_named:
                _check_first(file, first)
            for chunk in chain([first], waiting):
                yield replace(file, chunk=chunk)
    except ReadError as error:
        yield replace(file, content=error)


def _check_first(file: SourceFile, chunk: Chunk) -> None:
    """Look at the first line that can be parsed: a bad one says nothing of the thousands around it.

    Raises:
        ReadError: it is no tool description, and neither is the file, which nobody named.
    """
    for line in lines_of(replace(file, chunk=chunk)):
        try:
            document = parse_file(line)
        except ParseError:
            continue
        recognition.recognise(file, document, file.request.format)
        return


def lines_of(file: S) -> list[S]:
    """The lines of a chunk; each has to be a tool description, whether or not somebody named the file."""
    chunk = file.chunk
    assert chunk is not None
    return [replace(file, is_named=True, chunk=None, line=number, content=line) for number, line in chunk.records]


def divide(file: S) -> list[S]:
    """A file with a chunk as one for each line of it; another file has no parts."""
    if file.chunk is None:
        return [file]
    return [replace(file, chunk=chunk) for chunk in file.chunk.divide()]


def id_of_line(line: SourceFile) -> str | None:
    """What a line calls itself, as far as it can be read."""
    with suppress(ReadError):
        return record_stream.id_of(parse_file(line))
    return None
