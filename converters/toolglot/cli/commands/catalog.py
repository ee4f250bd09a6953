"""`toolglot catalog`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from toolglot.cli import options
from toolglot.cli.exit_codes import Exit
from toolglot.cli.sources import Notes, printable_path
from toolglot.cli.terminal import count_noun, print_lines, print_message, print_result
from toolglot.errors import Error, LimitError, UsageError

if TYPE_CHECKING:
    from toolglot.catalogs import CatalogueOptions, Entry, Program
    from toolglot.cli.discovery import SourceFile
    from toolglot.cli.report_output import Counts
    from toolglot.cli.sources import SourceFault, SourceRequest
    from toolglot.diagnostics.checks import Diagnostic


@click.command(cls=options.Configured, short_help="Gather the tools of many files in one document.")
@click.argument("path", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--to",
    required=True,
    type=options.FormatName(written=True),
    metavar="FORMAT[@VERSION]",
    help="The format of the catalogue; `toolglot formats` lists them.",
)
@options.from_format
@click.option(
    "-o", "--output", type=click.Path(allow_dash=True), help="Write to this file; a name in .jsonl means JSON Lines."
)
@click.option(
    "--merge",
    metavar="NAME",
    help="For a format of programs: the name of the program; an id with dots becomes a command of a command.",
)
@click.option("--program-version", metavar="VERSION", help="With --merge: the version of the program.")
@click.option("--program-description", metavar="TEXT", help="With --merge: what the program is for.")
@click.option(
    "--since",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="An earlier catalogue of your own: what it says of files that are still the same is taken over unread. "
    "It need not be there yet.",
)
@click.option("--bare", is_flag=True, help="Write an array of records, and nothing around it.")
@click.option(
    "--language",
    metavar="TAG[,TAG...]",
    help="The languages of the texts, such as es,en: the first is shown, and the others where it is missing.",
)
@options.assertions
@options.namespace
@options.choice
@options.jobs
@options.sources
def catalog(
    request: SourceRequest,
    to: str,
    output: str | None,
    merge: str | None,
    program_version: str | None,
    program_description: str | None,
    since: str | None,
    bare: bool,
    language: str | None,
    assertions: str | None,
    namespace: str | None,
    jobs: int | None,
    **choice: Any,
) -> int:
    """Gather the tools of many files, of any format, in one document.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin. Every tool stands in the catalogue once, in the
    order of servers and ids, with the path and the hash of the file that it comes from. Its name holds its server,
    where that is known, so that a server more changes no other name; copies and translations are one tool. What would
    have one name even so is left out and named, and the exit code is 1.
    """
    from toolglot import catalogs
    from toolglot.cli.destinations import refuse_foreign
    from toolglot.cli.sources import no_tools_error
    from toolglot.conversion.selection import choice_of, nothing_chosen

    output = None if output == "-" else output
    program = _program(merge, program_version, program_description)
    target = catalogs.check_target(to, program)  # this and the next now, not after all the work
    as_lines = (output or "").lower().endswith((".jsonl", ".ndjson"))
    if bare and (program is not None or as_lines):
        raise UsageError("an array holds records, not a program or lines; leave out --bare", "bad-option")
    languages = tuple(filter(None, (language or "").split(",")))
    how = catalogs.CatalogueOptions(
        namespace or "auto", options.load_assertions(assertions), languages, choice_of(choice)
    )
    if output is not None:
        if output.lower().endswith(("/", os.sep, ".gz")):
            raise UsageError("a catalogue is one file, and not compressed", "bad-option", source=output)
        refuse_foreign(output, catalogs.PROVENANCE)
    known = _earlier(since, to, how, request)
    own = [path for path in (output, since, assertions) if path is not None]
    entries, total = _gather(request, to, how, known, jobs, own)
    if not total.files + total.refused:
        raise no_tools_error(request)
    if not entries and how.choice and not total.code:
        raise nothing_chosen()
    if not entries:
        print_message("nothing was gathered")
        return total.code
    settled, notes, problems = catalogs.settle(entries, to, how, _locator(request))
    for problem in problems:
        print_message(f"error: {problem}")
    code = max(total.code, Exit.NO if problems else Exit.DONE)
    if not settled:
        print_message("nothing is left to write")
        return code
    catalogue = catalogs.dump(settled, to, as_lines=as_lines, is_bare=bare, program=program)
    total.counts.update(catalogue.counts)
    _put(output, catalogue.text)
    _say_unmatched(how, settled)
    if not request.quiet:
        for note in notes:
            print_message(str(note))
        if bare and target.slot is None:
            print_message(f"an array of {target.name} has no place for where its tools come from")
        _say(settled, total)
    return code


def _program(name: str | None, version: str | None, description: str | None) -> Program | None:
    from toolglot.catalogs import Program

    if name is None and (version is not None or description is not None):
        raise UsageError("a version and a description are those of a program; name it with --merge", "bad-option")
    return None if name is None else Program(name, version, description)


def _locator(request: SourceRequest) -> Callable[[Entry], tuple[int, int] | None]:
    """Where an entry stands in its file, which is read once more: nobody asks unless something is wrong.

    A file can hold thousands of entries of one name, so that reading it for each would take minutes.
    """
    from toolglot.text import serialization

    @lru_cache(maxsize=4)
    def document(path: str) -> serialization.Document:
        return serialization.load(serialization.read_file(path, request.limits), path, request.limits)

    def locate(entry: Entry) -> tuple[int, int] | None:
        try:
            return document(entry.file).position(entry.pointer)
        except (Error, OSError):
            return None

    return locate


def _say_unmatched(how: CatalogueOptions, settled: list[Entry]) -> None:
    """Name the assertions that no tool was meant by: a slip of the pen would be taken for a promise."""
    from toolglot.conversion.assertions import matching

    names = [(entry.namespace, entry.identity.partition("@")[0].split(" ")) for entry in settled]
    meant = {assertion.pattern for name in names for assertion in matching(how.assertions, *name)}
    for assertion in how.assertions:
        if assertion.pattern not in meant:
            print_message(
                f"warning: no tool is called {assertion.pattern!r}, so that what is asserted of it means nothing"
            )


class _Outcome(NamedTuple):
    """What one file gave."""

    path: str
    entries: list[Entry]
    counts: Counts
    notes: Sequence[Diagnostic] = ()
    fault: SourceFault | None = None


class _Total:
    def __init__(self) -> None:
        self.counts: Counts = Counter()
        self.files = self.kept = self.refused = self.unparsed = 0
        self.code: int = Exit.DONE

    def add(self, found: _Outcome, passed: Notes) -> None:
        self.counts.update(found.counts)
        for note in found.notes:
            print_message(str(note))
        if any(note.severity == "error" for note in found.notes):
            self.code = Exit.FAILED
        if found.fault is None:
            self.files += 1
        elif found.fault.problem is None:
            self.unparsed += found.fault.unparsed
            passed.add(found.path, f"passed over: {found.fault.reason}", found.fault.noted)
        else:
            print_message(str(found.fault.problem))
            self.refused += 1
            self.code = Exit.FAILED


def _earlier(since: str | None, to: str, how: CatalogueOptions, request: SourceRequest) -> dict[str, list[Entry]]:
    from pathlib import Path

    from toolglot import catalogs
    from toolglot.conversion import sources
    from toolglot.text import serialization

    if since is None or not os.path.lexists(since):
        return {}
    limits = serialization.Limits(
        max_bytes=max(request.max_size or 0, 1 << 30)
    )  # it holds many files, and is the user's own
    return catalogs.earlier(sources.open_document(Path(since), since, limits), to, how)


def _gather(
    request: SourceRequest,
    to: str,
    how: CatalogueOptions,
    known: dict[str, list[Entry]],
    jobs: int | None,
    own: Sequence[str],
) -> tuple[list[Entry], _Total]:
    """The entries of all files but the catalogue itself, `own`, which may lie among them."""
    from toolglot.cli.progress import watched
    from toolglot.cli.sources import each, find_sources, print_unparsed

    sources = [found for found in find_sources(request) if not any(_is_same_file(found.path, path) for path in own)]
    kept: dict[str, list[Entry]] = {}
    for found in sources:
        same = _unchanged(found, request, known)
        if same is not None:
            kept[found.path] = same
    work = partial(_of_file, request=request, to=to, how=how)
    with watched(len(sources) - len(kept), request.quiet) as seen:
        of_files = []
        for of_file in each(work, _none, [found for found in sources if found.path not in kept], request, jobs):
            of_files.append(of_file)
            seen.one()
    # A file that was taken over unread may have a name that another has too, in another language for example.
    number = Counter(entry.name for of_file in of_files for entry in of_file.entries)
    number.update(entry.name for same in kept.values() for entry in same)
    unread = [found for found in sources if any(number[entry.name] > 1 for entry in kept.get(found.path, ()))]
    of_files += each(work, _none, unread, request, jobs)
    again = {found.path for found in unread}
    of_files += (_Outcome(path, same, Counter()) for path, same in kept.items() if path not in again)
    total = _Total()
    passed = Notes(request)
    total.kept = len(kept) - len(unread)
    for of_file in of_files:
        total.add(_not_lost(of_file) if _portable(of_file.path) in known else of_file, passed)
    passed.end()
    print_unparsed(total.unparsed, request)
    return [entry for of_file in of_files for entry in of_file.entries], total


def _is_same_file(path: str, other: str) -> bool:
    return os.path.exists(other) and os.path.exists(path) and os.path.samefile(path, other)


def _unchanged(found: SourceFile, request: SourceRequest, known: dict[str, list[Entry]]) -> list[Entry] | None:
    """What the earlier catalogue says of a file, where that still holds."""
    from toolglot import catalogs
    from toolglot.text import serialization

    same = known.get(_portable(found.path))
    try:
        return same if same and catalogs.is_same(same, serialization.read_file(found.path, request.limits)) else None
    except Error:
        return None  # reading it again says why


def _of_file(found: SourceFile, request: SourceRequest, to: str, how: CatalogueOptions) -> _Outcome:
    """One file, in a worker."""
    from toolglot import catalogs
    from toolglot.cli.sources import open_source
    from toolglot.text.serialization import LINED

    try:
        opened = open_source(found, request)
    except LimitError as error:
        if error.code != "too-large" or not found.path.lower().endswith(LINED):
            raise
        # A catalogue is in memory as a whole anyway; what is limited is a record, as in `convert`.
        opened = open_source(found, request._replace(max_size=_largest(found, request)))
    gathered = catalogs.gather(opened.document, opened.format, to, _portable(found.path), how)
    return _Outcome(found.path, *gathered)


def _largest(found: SourceFile, request: SourceRequest) -> int:
    """The size of JSON Lines, unpacked.

    Raises:
        LimitError: one of them is too large.
    """
    from toolglot.streams.local import chunks

    size = 0
    with open(found.path, "rb") as stream:
        for chunk in chunks(stream, request.limits.max_bytes, found.path):
            size += sum(len(line) + 1 for line in chunk.lines) + chunk.blank
            if any(len(line) > request.limits.max_bytes for line in chunk.lines):
                message = f"a line of more than {request.limits.max_bytes} bytes; raise --max-size"
                raise LimitError(message, "too-large", source=found.path)
    return max(size + os.path.getsize(found.path), 1)


def _none(found: SourceFile, fault: SourceFault) -> _Outcome:
    return _Outcome(found.path, [], Counter(), (), fault)


def _not_lost(of_file: _Outcome) -> _Outcome:
    """What a file gave that held a tool before: a missing comma must not take the tool out of the catalogue unseen."""
    from toolglot.diagnostics.checks import Diagnostic

    if of_file.fault is None or of_file.fault.problem is not None:
        return of_file
    message = f"it held a tool before, and now {of_file.fault.reason}"
    problem = Diagnostic(code="no-tool-any-more", severity="error", message=message, source=of_file.path)
    return of_file._replace(fault=of_file.fault._replace(problem=problem))


def _portable(path: str) -> str:
    """The path as the catalogue names it: from here where it lies below, with `/` on every system."""

    from toolglot.cli.files.names import is_inside

    below = os.path.relpath(path) if os.path.isabs(path) and is_inside(path, os.curdir) else path
    return printable_path(below).replace(os.sep, "/")


def _put(output: str | None, text: str) -> None:
    from toolglot.cli.files import temporaries, writing

    if output is None:
        print_result(text)
    else:
        temporaries.remove_leftovers(os.path.dirname(os.path.realpath(output)))
        writing.write_if_changed(output, text.encode("utf-8", "backslashreplace"))


def _say(settled: list[Entry], total: _Total) -> None:
    from toolglot.cli.report_output import count_lines

    for line in count_lines(total.counts):
        print_lines(line)
    kept = f", {total.kept} of them as before" if total.kept else ""
    refused = f"; {count_noun(total.refused, 'file')} refused" if total.refused else ""
    print_message(f"{count_noun(len(settled), 'tool')} of {count_noun(total.files, 'file')}{kept}{refused}")
