"""From the paths on the command line to documents whose format is known."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
from itertools import islice
from typing import BinaryIO

import msgspec

from toolglot.cli import file_search
from toolglot.cli.file_search import STDIN, SourceFile
from toolglot.cli.options import SourceRequest, settings_file
from toolglot.cli.terminal import print_message
from toolglot.converter import formats
from toolglot.converter.conversion import asserted_facts, sources
from toolglot.converter.conversion.asserted_facts import Assertion
from toolglot.converter.files.names import printable_path
from toolglot.converter.formats import Format, detection
from toolglot.converter.text import serialization
from toolglot.converter.text.json_reader import blank_comments
from toolglot.converter.text.serialization import Document, Limits
from toolglot.errors import DetectionError, Error, LimitError, ParseError, ReadError, system_reason
from toolglot.verbs.diagnostics.credential_warnings import MOST_CREDENTIALS, credentials_in
from toolglot.verbs.diagnostics.diagnostic import Diagnostic


class OpenSource(msgspec.Struct, frozen=True):
    """A source that was parsed and has a format."""

    file: SourceFile
    document: Document
    format: Format


def find_sources(request: SourceRequest) -> list[SourceFile]:
    """The files that the paths mean. With `-v` people are told what is left out, and why.

    That hidden folders with tools in them are left out is told always: nobody would miss what nobody sees.
    """
    hidden: list[str] = []

    def print_ignored(path: str, reason: str) -> None:
        if request.verbose:
            print_message(f"{path}: passed over: {reason}")

    def look_into(folder: str, files: Sequence[SourceFile]) -> None:
        for file in files:
            with suppress(Error):  # of what is not plainly a tool description
                document = parse_file(file, request)
                detection.format_of(document)
                hidden.append(folder)
                return

    files = file_search.find_files(
        request.paths, usual_file_names(request), request.path_filter, print_ignored, look_into
    )
    if not request.quiet:
        if hidden:
            pattern = hidden[0].replace(os.sep, "/")
            reason = f"hidden, with tool descriptions inside; --include {pattern} walks it"
            print_message(f"{', '.join(hidden)}: passed over: {reason}")
        for pattern, above, reason in file_search.find_unreached(request.path_filter):
            print_message(f"--include {pattern} lets nothing in: {above} is {reason}")
    if request.skips_others:
        return [msgspec.structs.replace(file, is_named=False) for file in files]
    return files


def is_one_of(path: str, others: Iterable[str]) -> bool:
    """Whether a path leads to one of these files."""
    if not os.path.exists(path):
        return False
    return any(os.path.exists(other) and os.path.samefile(path, other) for other in others)


def usual_file_names(request: SourceRequest) -> list[str]:
    """The file names that formats usually have, as patterns; a format that is named is looked for by all of its own."""
    patterns = [pattern for name in formats.names() for pattern in formats.marks_of(name).searched_patterns]
    if request.format is not None:
        patterns += formats.get(request.format.partition("@")[0]).marks.patterns
    return patterns


def source_name(path: str, request: SourceRequest) -> str:
    """What a source is called in messages and reports."""
    if path == STDIN:
        path = request.stdin_filename or "<stdin>"
    return printable_path(path)


def is_unparsed(error: Error, file: SourceFile) -> bool:
    """Whether a file that is passed over may be a tool with a missing colon."""
    return error.code not in _OF_OTHER_FILES and not file.path.lower().endswith(".md")


def no_tools_error(request: SourceRequest) -> ReadError:
    """The error for sources among which there is no tool description."""
    return ReadError("no tool description was found", code="no-sources", source=" ".join(request.paths))


def open_source(file: SourceFile, request: SourceRequest) -> OpenSource:
    """Parse one file and find out its format.

    Raises:
        ReadError: it cannot be read or parsed, or has no format; `why_other_file` says whether that matters.
    """
    return recognise_source(file, parse_file(file, request), request)


def parse_file(file: SourceFile, request: SourceRequest) -> Document:
    """One file as a document.

    Raises:
        ReadError: it cannot be read or parsed.
    """
    if file.fault is not None:
        raise ReadError(file.fault, "unreadable-folder", source=file.path or os.curdir)
    name = source_name(file.path, request)
    try:
        document = _parse_content(_read_content(file, request.limits), file, name, request.limits)
        document.restore = request.believes(file.relative)
        return document
    except LimitError as error:
        if error.code == "too-large":  # the library speaks of its own parameter
            error.message = f"larger than {request.limits.max_bytes} bytes; split the document, or raise --max-size"
        raise
    except ParseError as error:
        if name.endswith(".py"):
            error.hint = f"`toolglot program describe {name}:NAME` describes a program of click, typer or argparse"
        raise


def with_stdin(file: SourceFile, request: SourceRequest) -> SourceFile:
    """A source with what stdin says, if it is stdin, for whoever reads it twice."""
    if file.path != STDIN:
        return file
    return msgspec.structs.replace(file, content=sys.stdin.buffer.read(request.limits.max_bytes + 1))


def _read_content(file: SourceFile, limits: Limits) -> bytes:
    if isinstance(file.content, Error):
        raise file.content
    if file.content is not None:
        return file.content
    if file.path == STDIN:
        return sys.stdin.buffer.read(limits.max_bytes + 1)
    return serialization.read_file(file.path, limits)


def _parse_content(content: bytes, file: SourceFile, name: str, limits: Limits) -> Document:
    if file.line is not None:
        from toolglot.verbs.streams.record_stream import read_record  # that only JSON Lines need

        return read_record(content, file.line, name, limits)
    if file.path == STDIN:
        return serialization.load(content, name, limits)
    document = sources.open_document(serialization.unpack(content, name, limits), name, limits)
    if file.content is None:
        document.path = file.path
    elif file.real:
        document.path = file.real
    return document


def load_assertions(path: str | None) -> tuple[Assertion, ...]:
    """What the file of `--assert` says; nothing without one."""
    if path is None:
        return ()
    content = serialization.read_file(path, serialization.DEFAULT_LIMITS)
    return asserted_facts.parse_assertions(sources.open_document(content, path))


def scope_for(to: str, scope: str | None) -> str | None:
    """The scope of ids, or none where it comes from the settings and the ids of the target have no scope."""
    if scope is not None and settings_file("scope") is not None and formats.parse_target(to)[0].scoped_ids is None:
        return None
    return scope


def print_credentials(document: Document, request: SourceRequest) -> None:
    """Warn of credentials in a document that is about to be copied."""
    for credential in find_credentials(document, request):
        print_message(str(credential))


def find_credentials(document: Document, request: SourceRequest) -> list[Diagnostic]:
    """The first credentials in a document that is about to be copied; none where nobody wants to hear of them."""
    if request.quiet:
        return []
    return list(islice(credentials_in(document), MOST_CREDENTIALS))


def recognise_source(file: SourceFile, document: Document, request: SourceRequest) -> OpenSource:
    """A document with its format.

    Raises:
        ReadError: it has none; `why_other_file` says whether that matters.
    """
    stated_format = None
    if request.format:
        stated_format = formats.get(request.format.partition("@")[0])
    if stated_format is not None and (file.is_named or file.has_usual_name):
        return OpenSource(file, document, stated_format)
    try:
        source_format = detection.format_of(document)
    except ReadError as error:
        own = None
        if error.code == "unknown-format":
            own = detection.detect_by_name(file.path)
        if own is None or not (file.is_named or detection.resembles(document.data, own)):
            raise sources.locate_error(document, error) from None
        return OpenSource(file, document, own)  # its reader can say what the document lacks
    if stated_format not in (None, source_format):
        raise DetectionError(f"this is {source_format.name}", code="other-format", source=document.name)
    return OpenSource(file, document, source_format)


def why_other_file(error: Error, file: SourceFile, request: SourceRequest) -> Error | None:
    """Why a file of a folder is simply something else: a README.md, a package.json, prose about tools; or `None`.

    What cannot be read is not: nobody knows what it holds, and a run that ends well would lose it. JSON is what can be
    read of it. A fault in the syntax of YAML or Markdown is mostly that of a template, if its name says nothing else.
    """
    if file.is_named:
        return None
    is_json = file.path.lower().endswith((".json", *serialization.LINED))
    if is_json and isinstance(error, ParseError):
        try:
            recognise_source(file, _load_readable_part(error, file, request), request)
        except Error as part_error:
            error = part_error
        else:
            return None
    if error.code in _OF_OTHER_FILES:
        return error
    is_syntax = isinstance(error, ParseError) and not isinstance(error, LimitError) and error.code != "not-utf-8"
    return error if is_syntax and not is_json and not file.has_usual_name else None


def _load_readable_part(error: ParseError, file: SourceFile, request: SourceRequest) -> Document:
    """What can be read of a file of JSON, which shows what it is.

    Of JSON Lines it is the first line that is whole: a bad one says nothing of the thousands around it. Of JSON it is
    all but comments, commas too many, and bytes that are not UTF-8: other programs keep settings with them.

    Args:
        error: why the file cannot be read whole.

    Raises:
        ReadError: nothing can be.
    """
    if not file.path.lower().endswith(serialization.LINED):
        text = _read_content(file, request.limits).decode("utf-8-sig", "replace")
        return serialization.load(blank_comments(text), file.path, request.limits)
    for _, line in read_lines(file, request):
        with suppress(ParseError):
            return serialization.load(line, file.path, request.limits)
    raise error


def read_lines(file: SourceFile, request: SourceRequest) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, read one after the other, with their numbers."""
    from toolglot.verbs.streams.json_lines import numbered_lines  # 4 ms that only JSON Lines need

    with open_lines(file, request) as stream:
        yield from numbered_lines(stream, request.limits.max_bytes, source_name(file.path, request))


@contextmanager
def open_lines(file: SourceFile, request: SourceRequest) -> Iterator[BinaryIO]:
    """As `open_stream`, also of a file that is not on the disk.

    Raises:
        ReadError: it cannot be opened.
    """
    if file.content is None:
        with open_stream(file.path, request) as stream:
            yield stream
    else:
        yield BytesIO(_read_content(file, request.limits))


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


_OF_OTHER_FILES = frozenset({"empty", "no-front-matter", "unknown-format", "foreign-format", "other-format"})
