"""From the paths on the command line to documents whose format is known."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
from msgspec.structs import replace

from toolglot.cli.options import SourceRequest, settings_file
from toolglot.cli.terminal import print_message
from toolglot.converter import file_search, formats
from toolglot.converter.conversion import recognition, sources, vouched_facts
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.vouched_facts import Assertion
from toolglot.converter.file_search import STDIN, FoundFile
from toolglot.converter.files.names import printable_path
from toolglot.converter.formats import Format, detection
from toolglot.converter.text import document_reader
from toolglot.converter.text.document_reader import Document
from toolglot.errors import Error, LimitError, ParseError, ReadError, system_reason
from toolglot.verbs.diagnostics.credential_warnings import MOST_CREDENTIALS, credentials_in
from toolglot.verbs.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from toolglot.verbs.streams.line_reader import Chunk


class SourceFile(FoundFile, frozen=True, kw_only=True):
    """A file that a command line means.

    Attributes:
        request: what the command line says about it.
        content: its bytes where they are not on the disk (a file of a revision), or why they cannot be read.
        chunk: the part of it that is meant, of JSON Lines that are read piece by piece.
        line: the number of the line that is meant, which `content` holds.
    """

    request: SourceRequest
    content: bytes | ReadError | None = None
    chunk: Chunk | None = None
    line: int | None = None

    @property
    def name(self) -> str:
        """What it is called in messages and reports."""
        return source_name(self.path, self.request)


class OpenSource(msgspec.Struct, frozen=True):
    """A source that was parsed and has a format."""

    file: SourceFile
    document: Document
    format: Format

    def read(self) -> Reading:
        """Its tools; what cannot be read of it stands there, too."""
        return sources.read_document(self.document, self.format.name, goes_on=True)


def find_sources(request: SourceRequest) -> list[SourceFile]:
    """The files that the paths mean. With `-v` people are told what is left out, and why.

    That hidden folders with tools in them are left out is told always: nobody would miss what nobody sees.
    """
    hidden: list[str] = []

    def print_ignored(path: str, reason: str) -> None:
        if request.verbose:
            print_message(f"{path}: passed over: {reason}")

    def look_into(folder: str, files: Sequence[FoundFile]) -> None:
        for file in files:
            with suppress(Error):  # of what is not plainly a tool description
                detection.format_of(parse_file(_as_source(file, request)))
                hidden.append(folder)
                return

    files = search_files(request, print_ignored, look_into)
    if hidden and not request.quiet:
        reason = f"hidden, with tool descriptions inside; --extend-exclude '!{hidden[0]}' walks it"
        print_message(f"{', '.join(hidden)}: passed over: {reason}")
    if request.skips_others:
        return [replace(file, is_named=False) for file in files]
    return files


def is_one_of(path: str, others: Iterable[str | None]) -> bool:
    """Whether a path leads to one of these files, of which some may not be asked for."""
    if not os.path.exists(path):
        return False
    return any(os.path.exists(other) and os.path.samefile(path, other) for other in filter(None, others))


def search_files(request: SourceRequest, *told: Any) -> list[SourceFile]:
    """The files that the paths mean; `told` are the callbacks of `find_files`."""
    names = sources.usual_file_names(request.format)
    files = file_search.find_files(request.paths, names, request.path_filter, *told)
    return [_as_source(file, request) for file in files]


def _as_source(file: FoundFile, request: SourceRequest) -> SourceFile:
    return SourceFile(**msgspec.structs.asdict(file), request=request)


def source_name(path: str, request: SourceRequest) -> str:
    """What a source is called in messages and reports."""
    if path == STDIN:
        path = request.stdin_filename or "<stdin>"
    return printable_path(path)


def is_unparsed(error: Error, file: SourceFile) -> bool:
    """Whether a file that is passed over may be a tool with a missing colon."""
    return error.code not in recognition.OF_OTHER_FILES and not file.path.lower().endswith(".md")


def no_tools_error(request: SourceRequest) -> ReadError:
    """The error for sources among which there is no tool description."""
    return ReadError("no tool description was found", code="no-sources", source=" ".join(request.paths))


def open_source(file: SourceFile) -> OpenSource:
    """Parse one file and find out its format.

    Raises:
        ReadError: it cannot be read or parsed, or has no format; `why_other_file` says whether that matters.
    """
    document = parse_file(file)
    return OpenSource(file, document, recognition.recognise(file, document, file.request.format))


def parse_file(file: SourceFile) -> Document:
    """One file as a document.

    Raises:
        ReadError: it cannot be read or parsed.
    """
    if file.fault is not None:
        raise ReadError(file.fault, "unreadable-folder", source=file.path or os.curdir)
    limits = file.request.limits
    try:
        document = _parse_content(_read_content(file), file)
        document.restore = file.request.believes(file.relative)
        return document
    except LimitError as error:
        if error.code == "too-large":  # the library speaks of its own parameter
            error.message = f"larger than {limits.max_bytes} bytes; split the document, or raise --max-size"
        raise
    except ParseError as error:
        if file.name.endswith(".py"):
            error.hint = f"`toolglot program describe {file.name}:NAME` describes a program of click, typer or argparse"
        raise


def with_stdin(file: SourceFile) -> SourceFile:
    """A source with what stdin says, if it is stdin, for whoever reads it twice."""
    return replace(file, content=_read_content(file)) if file.path == STDIN else file


def _read_content(file: SourceFile) -> bytes:
    if isinstance(file.content, Error):
        raise file.content
    if file.content is not None:
        return file.content
    if file.path == STDIN:
        return sys.stdin.buffer.read(file.request.limits.max_bytes + 1)
    return document_reader.read_file(file.path, file.request.limits)


def _parse_content(content: bytes, file: SourceFile) -> Document:
    name, limits = file.name, file.request.limits
    if file.line is not None:
        from toolglot.verbs.streams.record_stream import read_record  # that only JSON Lines need

        return read_record(content, file.line, name, limits)
    if file.path == STDIN:
        return document_reader.load(content, name, limits)
    document = sources.open_document(document_reader.unpack(content, name, limits), name, limits)
    if file.content is None:
        document.path = file.path
    elif file.real:
        document.path = file.real
    return document


def load_assertions(path: str | None) -> tuple[Assertion, ...]:
    """What the file of `--assert` says; nothing without one."""
    if path is None:
        return ()
    content = document_reader.read_file(path, document_reader.DEFAULT_LIMITS)
    return vouched_facts.parse_assertions(sources.open_document(content, path))


def scope_for(to: str, scope: str | None) -> str | None:
    """The scope of ids, or none where it comes from the settings and the ids of the target have no scope."""
    if scope is not None and settings_file("scope") is not None and formats.target_of(to).scoped_ids is None:
        return None
    return scope


def find_credentials(document: Document, request: SourceRequest) -> list[Diagnostic]:
    """The first credentials in a document that is about to be copied; none where nobody wants to hear of them."""
    if request.quiet:
        return []
    return list(islice(credentials_in(document), MOST_CREDENTIALS))


def why_other_file(error: Error, file: SourceFile) -> Error | None:
    """As `recognition.why_other_file`, of a file that need not be on the disk."""
    return recognition.why_other_file(error, file, file.request.format, _pieces_of(file), file.request.limits)


def _pieces_of(file: SourceFile) -> Iterator[bytes]:
    """The lines of JSON Lines, which may be many; of anything else the whole content."""
    if document_reader.names_lines(file.path):
        for _, line in read_lines(file):
            yield line
    else:
        yield _read_content(file)


def read_lines(file: SourceFile) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, read one after the other, with their numbers."""
    from toolglot.verbs.streams.line_reader import chunks  # 4 ms that only JSON Lines need

    with open_lines(file) as stream:
        for chunk in chunks(stream, file.request.limits.max_bytes, file.name):
            yield from chunk.records


@contextmanager
def open_lines(file: SourceFile) -> Iterator[BinaryIO]:
    """As `open_stream`, also of a file that is not on the disk.

    Raises:
        ReadError: it cannot be opened.
    """
    if file.content is None:
        with open_stream(file.path, file.request) as stream:
            yield stream
    else:
        yield BytesIO(_read_content(file))


@contextmanager
def open_stream(path: str, request: SourceRequest) -> Iterator[BinaryIO]:
    """The bytes of a source that is read piece by piece.

    Raises:
        ReadError: it cannot be opened.
    """
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "rb"))
        except OSError as error:  # of opening; one of the block is another matter
            message = f"cannot be read: {system_reason(error)}"
            raise ReadError(message, "unreadable", source=source_name(path, request)) from error
        yield stream
