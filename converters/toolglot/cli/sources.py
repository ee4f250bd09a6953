"""From the paths on the command line to documents whose format is known."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from toolglot.cli.discovery.places import STDIN
from toolglot.cli.terminal import count_noun, describe_internal_error, print_message
from toolglot.errors import DetectionError, Error, LimitError, ParseError, ReadError, UnsaidError

if TYPE_CHECKING:
    from toolglot.cli.discovery import Selection, SourceFile
    from toolglot.diagnostics.checks import Diagnostic
    from toolglot.formats import Format
    from toolglot.text.serialization import Document, Limits


class SourceRequest(NamedTuple):
    """What the user said about sources; `options.sources` makes it.

    Attributes:
        paths: files, folders, glob patterns or `-`.
        format: what `--from` says, `NAME` or `NAME@VERSION`.
        max_size: in bytes.
        stdin_filename: what `-` is called in messages.
        quiet, verbose: how much people are told.
        skips_others: whether named files, too, are passed over where they are no tool descriptions.
        selection: what is left out of folders.
    """

    paths: tuple[str, ...]
    format: str | None
    max_size: int | None
    stdin_filename: str | None
    quiet: bool
    verbose: bool
    skips_others: bool
    selection: Selection

    @property
    def limits(self) -> Limits:
        """How much of one source is read."""
        from toolglot.text import serialization

        return serialization.Limits(max_bytes=self.max_size) if self.max_size else serialization.DEFAULT_LIMITS


class OpenSource(NamedTuple):
    """A source that was parsed and has a format."""

    found: SourceFile
    document: Document
    format: Format


def find_sources(request: SourceRequest) -> list[SourceFile]:
    """The files that the paths mean. With `-v` people are told what is left out, and why.

    That hidden folders with tools in them are left out is told always: nobody would miss what nobody sees.
    """
    from toolglot.cli import discovery

    hidden: list[str] = []

    def look_into(folder: str, files: Sequence[SourceFile]) -> None:
        if any(_is_tool(found, request) for found in files):
            hidden.append(folder)

    told = print_passed_over if request.verbose else lambda path, reason: None
    found = discovery.find(request.paths, usual_file_names(), request.selection, told, look_into)
    if hidden and not request.quiet:
        print_message(
            f"{', '.join(hidden)}: passed over: hidden, with tool descriptions inside; --include {hidden[0]} walks it"
        )
    for pattern, above, reason in () if request.quiet else discovery.unreached(request.selection):
        print_message(f"--include {pattern} lets nothing in: {above} is {reason}")
    return [item._replace(named=False) for item in found] if request.skips_others else found


def _is_tool(found: SourceFile, request: SourceRequest) -> bool:
    """Whether a file is plainly a tool description."""
    from toolglot.formats import detection

    try:
        document = parse_source(found, request)
        detection.detect(document.data, document.body, document.name)
    except Error:
        return False
    return True


def usual_file_names() -> list[str]:
    """The file names that formats usually have, as patterns."""
    from toolglot import formats

    return [pattern for name in formats.names() for pattern in formats.get(name).patterns]


def print_passed_over(path: str, reason: str) -> None:
    """Say that a path is left out."""
    print_message(f"{path}: passed over: {reason}")


# -- every source by itself -------------------------------------------------------------------------------------

IN_PROCESS = 48  # files that one process is done with before a second one has been made

R = TypeVar("R")


class SourceFault(NamedTuple):
    """Why a source gives nothing.

    Attributes:
        problem: what is wrong with it; `None` where it is simply no tool description.
        reason: why it is passed over then.
        unparsed: whether it is because nothing could be parsed.
        noted: whether people are told without asking, because its name is that of a tool description.
        unsaid: whether the problem is a fact that nobody stated.
    """

    problem: Diagnostic | None
    reason: str = ""
    unparsed: bool = False
    noted: bool = False
    unsaid: bool = False


def each(
    work: Callable[[SourceFile], R],
    instead: Callable[[SourceFile, SourceFault], R],
    sources: Sequence[SourceFile],
    request: SourceRequest,
    jobs: int | None,
) -> Iterator[R]:
    """What `work` makes of every source, in their order.

    Where it raises, or where its process dies, what `instead` makes of the reason stands for it: one bad file, or a
    fault of ours, costs no other file anything.

    Args:
        work, instead: functions that can be pickled.
        jobs: how many processes; `None` is one a core, and for a few files none but this one.
    """
    from toolglot.streams import workers

    count = jobs or (1 if len(sources) < IN_PROCESS else workers.default_jobs())
    if any(found.path == STDIN for found in sources):
        count = 1  # a worker has no stdin
    safely = partial(_safely, work=work, instead=instead, request=request)
    return workers.run(safely, sources, count, partial(_died, instead=instead, request=request))


def _safely(
    found: SourceFile,
    work: Callable[[SourceFile], R],
    instead: Callable[[SourceFile, SourceFault], R],
    request: SourceRequest,
) -> R:
    from toolglot.diagnostics.checks import from_error

    try:
        return work(found)
    except Error as error:
        if is_other_file(error, found):
            return instead(found, SourceFault(None, error.message, is_unparsed(error, found), found.claimed))
        error.source = error.source or source_name(found.path, request)
        return instead(found, SourceFault(from_error(error), unsaid=isinstance(error, UnsaidError)))
    except Exception as error:
        what = f"{describe_internal_error(error)}; please report it with the file"
        return instead(found, SourceFault(_problem("internal-error", what, source_name(found.path, request))))


def _died(found: SourceFile, instead: Callable[[SourceFile, SourceFault], R], request: SourceRequest) -> R:
    message = "the process that read it was killed or ran out of memory; look at it alone, or lower --max-size"
    return instead(found, SourceFault(_problem("worker-died", message, source_name(found.path, request))))


def _problem(code: str, message: str, source: str) -> Diagnostic:
    from toolglot.diagnostics.checks import Diagnostic

    return Diagnostic(code=code, severity="error", message=message, source=source)


def source_name(path: str, request: SourceRequest) -> str:
    """What a source is called in messages and reports."""

    return printable_path((request.stdin_filename or "<stdin>") if path == STDIN else path)


def printable_path(path: str) -> str:
    """The path for messages and reports: names that are not UTF-8 would be half characters in JSON."""
    return os.fsencode(path).decode("utf-8", "replace")


# -- one by one -------------------------------------------------------------------------------------------------


def open_all(request: SourceRequest) -> Iterator[OpenSource | Error]:
    """Every source, or why it is none; one bad source does not stop the rest."""
    empty = True
    unparsed = 0
    notes = Notes(request)
    for found in find_sources(request):
        try:
            yield open_source(found, request)
            empty = False
        except Error as error:
            if is_other_file(error, found):
                unparsed += is_unparsed(error, found)
                notes.add(found.path, f"passed over: {error.message}", found.claimed)
                continue
            empty = False
            yield error
    notes.end()
    print_unparsed(unparsed, request)
    if empty:
        yield no_tools_error(request)


def is_unparsed(error: Error, found: SourceFile) -> bool:
    """Whether a file that is passed over may be a tool with a missing comma."""
    return isinstance(error, ParseError) and not found.path.lower().endswith(".md")


MOST_NOTED = 10  # a folder of prose says the same a hundred times


class Notes:
    """Says which files are passed over: with `-v` all, else the first of those that are called like tool descriptions.

    Args:
        request: how much people want to hear.
        tell: prints a line.
    """

    def __init__(self, request: SourceRequest, tell: Callable[[str], None] = print_message) -> None:
        self._request = request
        self._tell = tell
        self._number = 0

    def add(self, path: str, what: str, noted: bool) -> None:
        """Take a file, what becomes of it and why, and whether people are told without asking."""
        if self._request.verbose:
            self._tell(f"{path}: {what}")
        elif noted and not self._request.quiet:
            self._number += 1
            if self._number <= MOST_NOTED:
                self._tell(f"{path}: {what}")

    def end(self) -> None:
        """Say how many were not named."""
        if self._number > MOST_NOTED:
            more = self._number - MOST_NOTED
            self._tell(f"and {more} more that are called like tool descriptions are passed over; -v names them")


def print_unparsed(number: int, request: SourceRequest) -> None:
    """Say how many files nothing could be made of: nobody should lose a tool without a word."""
    if number and not (request.verbose or request.quiet):
        print_message(f"{count_noun(number, 'file')} passed over because nothing could be parsed; -v says which")


def no_tools_error(request: SourceRequest) -> ReadError:
    """The error for sources among which there is no tool description."""
    return ReadError("no tool description was found", code="no-sources", source=" ".join(request.paths))


def open_source(found: SourceFile, request: SourceRequest) -> OpenSource:
    """Parse one file and find out its format.

    Raises:
        ReadError: it cannot be read or parsed, or has no format; `is_other_file` says whether that matters.
    """
    return recognise_source(found, parse_source(found, request), request)


def parse_source(found: SourceFile, request: SourceRequest) -> Document:
    """One file as a document.

    Raises:
        ReadError: it cannot be read or parsed.
    """
    from toolglot.conversion import sources
    from toolglot.text import serialization

    if found.fault is not None:
        raise ReadError(found.fault, "unreadable-folder", source=found.path or os.curdir)
    limits = request.limits
    try:
        name = source_name(found.path, request)
        if found.path == STDIN:
            document = serialization.load(sys.stdin.buffer.read(limits.max_bytes + 1), name, limits)
        else:
            raw = serialization.read_file(found.path, limits)
            document = sources.open_document(serialization.unpacked(raw, name, limits), name, limits)
            document.path = found.path
    except LimitError as error:
        if error.code == "too-large":  # the library speaks of its own parameter
            error.message = f"larger than {limits.max_bytes} bytes; split the document, or raise --max-size"
        raise
    return document


def print_credentials(document: Document, request: SourceRequest) -> None:
    """Warn of credentials in a document that is about to be copied."""
    for found in find_credentials(document, request):
        print_message(str(found))


def find_credentials(document: Document, request: SourceRequest) -> list[Diagnostic]:
    """The first credentials in a document that is about to be copied; none where nobody wants to hear of them."""
    from itertools import islice

    from toolglot.diagnostics.checks import MOST_CREDENTIALS, credentials_in

    return [] if request.quiet else list(islice(credentials_in(document), MOST_CREDENTIALS))


def recognise_source(found: SourceFile, document: Document, request: SourceRequest) -> OpenSource:
    """A document with its format.

    Raises:
        ReadError: it has none; `is_other_file` says whether that matters.
    """
    from toolglot import formats
    from toolglot.conversion import sources
    from toolglot.formats import detection

    named = formats.get(request.format.partition("@")[0]) if request.format else None
    if named is not None and (found.named or found.claimed):
        return OpenSource(found, document, named)
    try:
        detected = detection.detect(document.data, document.body, document.name)
    except ReadError as error:
        own = _by_name(found.path) if error.code == "unknown-format" else None
        if own is None or not (found.named or _resembles(document, own)):
            raise sources.at(document, error) from None
        return OpenSource(found, document, own)  # its reader can say what the document lacks
    if named not in (None, detected):
        raise DetectionError(f"this is {detected.name}", code="other-format", source=document.name)
    return OpenSource(found, document, detected)


def _by_name(path: str) -> Format | None:
    """The format that files called so usually have, if it is one."""
    from fnmatch import fnmatchcase

    from toolglot import formats

    name = os.path.basename(path)
    every = [formats.get(known) for known in formats.names()]
    claiming = [found for found in every if any(fnmatchcase(name, pattern) for pattern in found.patterns)]
    return claiming[0] if len(claiming) == 1 and not name.startswith(".") else None


def _resembles(document: Document, own: Format) -> bool:
    """Whether a document that is called like those of a format is one with faults, and not something else.

    Half of the keys of its records have to be known; a format whose schema lists none is believed.
    """
    from toolglot.schema import canonical

    try:
        records = [record.data for record in own.records(document.data)]
    except (ReadError, KeyError, TypeError, AttributeError):
        return False
    known = canonical.load(f"{own.name}/{own.versions[-1]}").get("properties")
    keys = [key for record in records for key in record]
    return not records or known is None or 2 * sum(key in known for key in keys) >= len(keys) > 0


def is_other_file(error: Error, found: SourceFile) -> bool:
    """Whether a file of a folder is simply something else: a README.md, a package.json, prose about tools."""
    if found.named:
        return False
    return error.code in _OF_OTHER_FILES or (isinstance(error, ParseError) and not found.claimed)


_OF_OTHER_FILES = frozenset({"empty", "no-front-matter", "unknown-format", "foreign-format", "other-format"})
