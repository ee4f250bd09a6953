"""`convert` into a folder: a file for every source, in the same folders, over several processes.

Every source stands for itself: one that cannot be read, or not be written, costs no other its result.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from toolglot.cli.destinations import stem
from toolglot.cli.discovery import SourceFile, is_pattern
from toolglot.cli.discovery.places import STDIN
from toolglot.cli.exit_codes import Exit
from toolglot.cli.files import temporaries, writing
from toolglot.cli.files.names import is_inside, paths_below
from toolglot.cli.progress import watched
from toolglot.cli.report_output import Counts, count_lines
from toolglot.cli.sources import (
    Notes,
    OpenSource,
    SourceFault,
    SourceRequest,
    each,
    find_credentials,
    find_sources,
    no_tools_error,
    open_source,
    print_unparsed,
    source_name,
)
from toolglot.cli.terminal import count_noun, print_lines, print_message
from toolglot.conversion.pipeline import Conversion, convert_readings
from toolglot.conversion.remainder import join_programs
from toolglot.conversion.report import Report, merge
from toolglot.conversion.selection import nothing_chosen
from toolglot.conversion.sources import read_document
from toolglot.diagnostics.checks import Diagnostic, from_error
from toolglot.errors import Error, UsageError
from toolglot.formats import parse_target

CONVERTED, UNCHANGED, REFUSED, PASSED_OVER = "converted", "unchanged", "refused", "passed over"
UNCHOSEN = "none of its tools is chosen"
PART = "part"  # of a program that others of the sources belong to as well


class MirrorOptions(NamedTuple):
    """How every source is converted.

    Attributes:
        to: `FORMAT[@VERSION]`.
        options: further arguments of `convert_readings`.
        fails_on_loss: whether a source that would lose something is refused.
        placed: whether changes are wanted with their lines and columns, which takes a second look at the source.
    """

    to: str
    options: dict[str, Any]
    fails_on_loss: bool
    placed: bool


class FileConversion(NamedTuple):
    """What became of one source.

    Attributes:
        source: its path.
        state: `converted`, `unchanged`, `refused` or `passed over`.
        results: name below the output folder and text of every file, until they are written.
        paths: the files that hold them.
        problem: why it was refused.
        reason: why it was passed over.
        credentials: where the source holds some, which are in the result too.
        unparsed: whether that is because nothing could be parsed.
        noted: whether people are told without asking.
        lost: whether it was refused because something would be lost.
        report: of what was converted; its changes only if they were asked for.
        counts: how many changes there are of each severity, action and code.
    """

    source: str
    state: str
    results: tuple[tuple[str, str], ...] = ()
    paths: tuple[str, ...] = ()
    problem: Diagnostic | None = None
    reason: str = ""
    credentials: tuple[Diagnostic, ...] = ()
    unparsed: bool = False
    noted: bool = False
    lost: bool = False
    report: Report | None = None
    counts: Counts | None = None


class Total:
    """What became of all sources."""

    def __init__(self) -> None:
        self.states: Counter[str] = Counter()
        self.counts: Counts = Counter()
        self.outcomes: list[FileConversion] = []
        self.tools = self.unparsed = self.unchosen = 0
        self.code: int = Exit.DONE

    def add(self, outcome: FileConversion, keep: bool) -> None:
        self.states[outcome.state] += 1
        self.counts.update(outcome.counts or {})
        self.unparsed += outcome.unparsed
        self.unchosen += outcome.reason == UNCHOSEN
        if outcome.report is not None and outcome.state != REFUSED:
            self.tools += outcome.report.tools
        if outcome.problem is not None:
            self.code = max(self.code, Exit.NO if outcome.lost else Exit.FAILED)
        if keep and outcome.state != PASSED_OVER:
            self.outcomes.append(outcome)


def mirror(request: SourceRequest, how: MirrorOptions, output: str, force: bool, jobs: int | None) -> Total:
    """Convert every source to files below `output`; what was done is said on stderr."""
    target, _ = parse_target(how.to)
    everything = find_sources(request)
    sources = [found for found in everything if found.named or not is_inside(found.path, output)]
    if everything and not sources:
        raise UsageError("the results would lie among the sources; name another folder", "same-folder", source=output)
    sources = _from_one_folder(sources, request.paths)
    outcomes = each(
        partial(_convert, request=request, how=how), partial(_none, request=request), sources, request, jobs
    )
    total = Total()
    write = _writer(output, force, target.one_per_file, request.verbose)
    with watched(len(sources), request.quiet) as seen:
        notes = Notes(request, seen.print_message)
        for outcome in _with_programs(zip(sources, outcomes, strict=True), request, how):
            outcome = write(outcome)
            for credential in outcome.credentials:
                seen.print_message(str(credential))
            if outcome.problem is not None:
                seen.print_message(str(outcome.problem))
            elif outcome.state == PASSED_OVER:
                notes.add(outcome.source, f"passed over: {outcome.reason}", outcome.noted)
            total.add(outcome, how.placed)
            seen.one()
        notes.end()
    print_unparsed(total.unparsed, request)
    if not total.states.keys() - {PASSED_OVER}:
        raise nothing_chosen() if total.unchosen else no_tools_error(request)
    return total


def _with_programs(
    outcomes: Iterable[tuple[SourceFile, FileConversion]], request: SourceRequest, how: MirrorOptions
) -> Iterator[FileConversion]:
    """The outcomes, and after them those of programs whose commands lie in files of their own."""
    parts = []
    for found, outcome in outcomes:
        if outcome.state == PART:
            parts.append(found)
        else:
            yield outcome
    opened = [open_source(found, request) for found in parts]
    readings = join_programs([read_document(item.document, item.format.name) for item in opened])
    for item, reading in zip(opened, readings, strict=True):
        source = item.document.name or item.found.path
        if not reading.tools:  # another file has the whole program
            yield FileConversion(source, CONVERTED)
            continue
        try:
            yield _converted(item, convert_readings([reading], how.to, **how.options), how)
        except Error as error:
            error.source = error.source or source
            yield FileConversion(source, REFUSED, problem=from_error(error))


def _from_one_folder(sources: list[SourceFile], paths: Sequence[str]) -> list[SourceFile]:
    """The sources with their paths from the folder that all of them lie in.

    Paths from each folder that was named would put the tools of `a` and of `b` in the same places.
    """
    if len(paths) == 1 and os.path.lexists(paths[0]):
        return sources
    folders = [os.path.abspath(_folder_of(path)) for path in paths if path != STDIN]
    try:
        common = os.path.commonpath(folders)
    except ValueError:  # different drives, or none at all
        return sources
    return [
        found if found.path == STDIN else found._replace(relative=os.path.relpath(found.path, common))
        for found in sources
    ]


def _folder_of(path: str) -> str:
    """The folder that a path names, or the one that a file or the matches of a pattern lie in."""
    if os.path.isdir(path):
        return path
    while is_pattern(path):
        path = os.path.dirname(path)
    return path if os.path.isdir(path) else os.path.dirname(path)


def _convert(found: SourceFile, request: SourceRequest, how: MirrorOptions) -> FileConversion:
    """One source, in a worker."""
    opened = open_source(found, request)
    reading = read_document(opened.document, opened.format.name)
    if reading.is_part and parse_target(how.to)[0].tree:
        return FileConversion(opened.document.name or found.path, PART)
    conversion = convert_readings([reading], how.to, **how.options)
    if reading.tools and not conversion.tools:
        return FileConversion(source_name(found.path, request), PASSED_OVER, reason=UNCHOSEN)
    converted = _converted(opened, conversion, how)
    return converted._replace(credentials=tuple(find_credentials(opened.document, request)))


def _none(found: SourceFile, fault: SourceFault, request: SourceRequest) -> FileConversion:
    state = PASSED_OVER if fault.problem is None else REFUSED
    source = source_name(found.path, request)
    return FileConversion(
        source, state, problem=fault.problem, reason=fault.reason, unparsed=fault.unparsed, noted=fault.noted
    )


def _converted(opened: OpenSource, conversion: Conversion, how: MirrorOptions) -> FileConversion:
    report = conversion.report if how.placed else conversion.unlocated
    source = opened.document.name or opened.found.path
    if how.fails_on_loss and report.losses:
        first = conversion.report.losses[0]  # with the words of its command
        message = f"{count_noun(len(report.losses), 'loss')} and --on-loss fail; the first: {first.place}: {first.note}"
        problem = Diagnostic(code="loss", severity="error", message=message, source=source)
        return FileConversion(source, REFUSED, problem=problem, lost=True, report=report)
    kept = report if how.placed else Report(origin=report.origin, target=report.target, tools=report.tools)
    return FileConversion(
        source, CONVERTED, tuple(_results(opened, conversion, how)), report=kept, counts=report.counts()
    )


def _results(opened: OpenSource, conversion: Conversion, how: MirrorOptions) -> Iterator[tuple[str, str]]:
    target, _ = parse_target(how.to)
    base = stem(opened)
    for name, text in conversion.files:
        # What has one file a tool has the tool's name in it; the rest is called after the source.
        yield os.path.join(os.path.dirname(base), name) if target.one_per_file else base + target.suffix, text


def _writer(output: str, force: bool, unique: bool, verbose: bool) -> Callable[[FileConversion], FileConversion]:
    """A function that writes what an outcome holds, and says in it what became of that.

    `unique`: two results of one name are two tools of one id, of which one would go unnoticed under another name.
    """
    root = os.path.realpath(output)
    taken: dict[str, str] = {}
    places: set[str] = set()
    swept: set[str] = set()

    def write(outcome: FileConversion) -> FileConversion:
        if outcome.state != CONVERTED or not outcome.results:
            return outcome
        try:
            names = [name for name, _ in outcome.results]
            for name in names if unique else ():
                if (other := taken.setdefault(name, outcome.source)) != outcome.source:
                    message = f"{other} gives {name} too; two tools of one folder have the same id"
                    raise UsageError(message, "id-collision", source=outcome.source)
            placed = dict(zip(paths_below(output, names, places), (text for _, text in outcome.results), strict=True))
            for folder in {os.path.dirname(path) for path in placed} - swept:
                swept.add(folder)
                temporaries.remove_leftovers(os.path.realpath(folder))
            written = _store(placed, force, root)
        except Error as error:
            error.source = error.source or outcome.source
            return outcome._replace(state=REFUSED, results=(), problem=from_error(error))
        for path in written if verbose else ():
            print_message(f"wrote {path}")
        return outcome._replace(state=CONVERTED if written else UNCHANGED, results=(), paths=tuple(placed))

    return write


def _store(placed: dict[str, str], force: bool, root: str) -> list[str]:
    """Write the files whose content changes; which they are.

    Args:
        root: the folder that they lie in, without links.

    Raises:
        UsageError: one exists, says something else, and `force` is not given; nothing was written.
        WriteError: one could not be written.
    """
    changed = {path: text.encode("utf-8", "backslashreplace") for path, text in placed.items()}
    changed = {path: data for path, data in changed.items() if not writing.has_content(path, data)}
    writing.refuse_existing(list(changed), force)
    for path, data in changed.items():
        writing.write_file(path, data, within=root, over=force)
    return list(changed)


def say_total(total: Total, quiet: bool) -> None:
    """The summary: how many files, and what kinds of changes."""
    if quiet:
        return
    for line in count_lines(total.counts):
        print_lines(line)
    order = (CONVERTED, UNCHANGED, REFUSED, PASSED_OVER)
    said = [f"{count_noun(total.states[state], 'file')} {state}" for state in order if total.states[state]]
    print_message(f"{', '.join(said) or 'no file'}; {count_noun(total.tools, 'tool')}")


def to_json(total: Total, how: MirrorOptions) -> dict[str, Any]:
    """The report of all sources, valid under `schemas/report/1.schema.json`."""
    reports = [outcome.report for outcome in total.outcomes if outcome.report and outcome.state != REFUSED]
    merged = merge(reports).to_json() if reports else Report(origin="", target=how.to, tools=0).to_json()
    return {**merged, "to": how.to, "files": list(_files(total.outcomes))}


def _files(outcomes: Iterable[FileConversion]) -> Iterator[dict[str, Any]]:
    for outcome in outcomes:
        entry: dict[str, Any] = {"source": outcome.source, "state": outcome.state}
        if outcome.problem is not None:
            entry["code"], entry["message"] = outcome.problem.code, outcome.problem.message
        else:
            entry["files"] = list(outcome.paths)
        yield entry
