"""`convert` into a folder: a file for every source, in the same folders, over several processes.

Every source stands for itself: one that cannot be read, or not be written, costs no other its result.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from typing import Any

from msgspec.structs import replace

from toolglot.cli.commands.convert_lines import ExplainedTally, has_none_chosen, job_of, kind_of_tally
from toolglot.cli.commands.end_conversion import ConvertCommandOptions, end_conversion
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import CONVERTED, PASSED_OVER, REFUSED, Outcome, Run, Task, refuse
from toolglot.cli.opened_sources import (
    OpenSource,
    SourceFile,
    find_credentials,
    find_sources,
    open_source,
    with_stdin,
)
from toolglot.cli.options import SourceRequest
from toolglot.cli.reports.entries import entries_of
from toolglot.cli.reports.entry_tally import EntryTally
from toolglot.cli.reports.entry_texts import finding_of, tool_of
from toolglot.cli.reports.report_of_sources import UNCHANGED, UNCHOSEN, FileConversion, SourcesReport
from toolglot.cli.reports.terminal_report import tally_to_text
from toolglot.cli.terminal import print_message, print_messages
from toolglot.converter.conversion.categories import Category
from toolglot.converter.conversion.fail_on import FailOn, count_failing, is_failing
from toolglot.converter.conversion.pipeline import convert_writable, find_pattern_use
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.report import Report
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.conversion.selection import nothing_chosen_error
from toolglot.converter.conversion.slots import join_programs
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.file_search import STDIN, is_pattern
from toolglot.converter.files import existing_targets, temporaries, writing
from toolglot.converter.files.commit import ANYTHING, commit
from toolglot.converter.files.names import is_inside, path_from, paths_below
from toolglot.converter.files.row_files import WriteRows
from toolglot.converter.formats import target_of
from toolglot.converter.text.wording import count_noun
from toolglot.errors import Error, UsageError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.verbs.streams.json_lines import Part, convert_chunk
from toolglot.verbs.streams.tally import Tally

_PART = "part"  # of a program that others of the sources belong to as well


def convert_each(
    request: SourceRequest, options: ConvertCommandOptions, folder: str, write_errors: WriteRows | None
) -> int:
    """Convert every source to files below a folder, and report; the exit code."""
    existing_targets.refuse_existing([options.report_file], options.force)  # now, not after all the work
    files = _find_files(request, folder)
    run = Run(request, options.jobs, counts_files=True, write_errors=write_errors)
    report = SourcesReport(options.to, options.has_all_changes)
    for outcome in _convert_files(run, files, options, _FolderWriter(folder, options, run)):
        if outcome.result is not None:
            print_messages(outcome.result.credentials)
        run.add(outcome)
        report.add(outcome)
    run.finish(nothing_chosen_error() if report.has_unchosen else None)
    lines = tally_to_text(report.entries, options.to, "--report FILE", request.verbose) if report.tools else ()
    end_conversion(run, options, report.categories, report.make_sheet, report.to_json, lines)
    if options.report != "none":
        run.tell(report.last_line(run.states, run.record_states))
    return run.exit_code


# -- sources ----------------------------------------------------------------------------------------------------------


def _find_files(request: SourceRequest, folder: str) -> list[SourceFile]:
    """The sources, and no earlier results in the output folder.

    Raises:
        UsageError: there would be nothing but results.
    """
    all_files = find_sources(request)
    files = [file for file in all_files if file.is_named or not is_inside(file.path, folder)]
    if all_files and not files:
        message = "the results would lie among the sources; name another folder"
        raise UsageError(message, "same-folder", source=folder)
    return _from_one_folder([with_stdin(file) for file in files], request.paths)


def _from_one_folder(files: list[SourceFile], paths: Sequence[str]) -> list[SourceFile]:
    """The sources with their paths from the folder that all of them lie in.

    Paths from each folder that was named would put the tools of `a` and of `b` in the same places.
    """
    if len(paths) == 1 and os.path.lexists(paths[0]):
        return files
    folders = [os.path.abspath(_folder_of(path)) for path in paths if path != STDIN]
    try:
        common = os.path.commonpath(folders)
    except ValueError:  # different drives, or none at all
        return files
    return [file if file.path == STDIN else replace(file, relative=path_from(common, file.path)) for file in files]


def _folder_of(path: str) -> str:
    """The folder that a path names, or the one that a file or the matches of a pattern lie in."""
    while is_pattern(path):
        path = os.path.dirname(path)
    if os.path.isdir(path):
        return path
    return os.path.dirname(path)


# -- conversion -------------------------------------------------------------------------------------------------------


def _convert_files(
    run: Run, files: list[SourceFile], options: ConvertCommandOptions, writer: _FolderWriter
) -> Iterator[Outcome[FileConversion]]:
    """What becomes of every file, which is written; last of parts of a program, which are put together first."""
    parts = []
    task: Task[SourceFile, Any] = partial(_convert_file, options=options)
    of_chunk: Task[SourceFile, Any] | None = None
    if target_of(options.to).syntax == "json":  # a line holds nothing else
        of_chunk = partial(_convert_chunk, options=options)
    results = run.perform(task, files, of_chunk=of_chunk)
    for _, pairs in groupby(results, key=lambda found: found[0].path):  # one that breaks off is the same file
        file, outcome = next(pairs)
        if isinstance(outcome.result, Part):
            yield writer.write_stream(file, chain([outcome], (later for _, later in pairs)))
        elif outcome.state != _PART:
            yield writer.write(outcome)
        else:
            try:
                parts.append(open_source(file))
            except Error as error:  # it was changed meanwhile
                yield refuse(error, outcome.source)
    readings = join_programs([read_document(source.document, source.format.name) for source in parts])
    for source, reading in zip(parts, readings, strict=True):
        joined: Outcome[FileConversion] = Outcome(CONVERTED)
        if reading.tools:  # otherwise another file has the whole program
            joined = _convert_reading(source, reading, options)
        yield writer.write(replace(joined, source=source.file.name))


def _convert_chunk(file: SourceFile, options: ConvertCommandOptions) -> Outcome[Part]:
    """Some lines of a source, in a worker."""
    assert file.chunk is not None
    job = job_of(file.request, options, file.path, file.relative, file.relative)
    return Outcome(CONVERTED, convert_chunk(job._replace(report_name=""), file.chunk))


def _convert_file(file: SourceFile, options: ConvertCommandOptions) -> Outcome[FileConversion]:
    """One source, in a worker."""
    source = open_source(file)
    reading = source.read()
    if reading.is_part and target_of(options.to).tree:
        return Outcome(_PART)
    outcome = _convert_reading(source, reading, options)
    return replace(outcome, faults=[*map(from_error, reading.faults), *outcome.faults])


def _convert_reading(source: OpenSource, reading: Reading, options: ConvertCommandOptions) -> Outcome[FileConversion]:
    """What becomes of a source that was read; what cannot be written has used patterns, too."""
    name = source.file.name
    conversion, errors = convert_writable([reading], options.to, options.options)
    for error in errors:
        error.source = error.source or name
    faults = list(map(from_error, errors))
    if conversion is None:
        outcome: Outcome[FileConversion] = Outcome(REFUSED, problem=faults.pop(), exit_code=Exit.FAILED)
    elif reading.tools and not conversion.tools:
        outcome = Outcome(PASSED_OVER, reason=UNCHOSEN)
    else:
        outcome = _finish_conversion(source, conversion, options)
    return replace(outcome, faults=faults, pattern_use=find_pattern_use([reading], options.options))


def _finish_conversion(
    source: OpenSource, conversion: Conversion, options: ConvertCommandOptions
) -> Outcome[FileConversion]:
    """The outcome of a conversion that nobody has written yet."""
    name = source.file.name
    entries = EntryTally()
    if options.shows_entries(source.file.request):
        entries.add(conversion.report)
    if options.has_all_changes:
        report = conversion.report
    else:
        report = conversion.report_in_detail("explained" if options.fail_on else "plain")
    counts = report.categories
    if count_failing(counts, options.fail_on):
        problem = _problem_of_failing(conversion.report, name, options.fail_on, counts)
        return Outcome(REFUSED, problem=problem, exit_code=Exit.NO)
    if not options.has_all_changes:
        report = replace(report, changes=())
    results = tuple(_name_results(source, conversion, options.to))
    credentials = tuple(find_credentials(source.document, source.file.request))
    return Outcome(CONVERTED, FileConversion(report, counts, entries, results, credentials))


def _problem_of_failing(report: Report, name: str, kinds: Sequence[FailOn], counts: Counter[Category]) -> Diagnostic:
    """How much does not pass, and the gravest of it that the report has."""
    failing = [entry for entry in entries_of(report) if is_failing(entry.category, kinds)]
    first = finding_of(failing[0])
    number = count_noun(count_failing(counts, kinds), "change")
    message = f"{number} at --fail-on {','.join(kinds)}; the first: {first.message}"
    return replace(first, code="fail-on", severity="error", message=message, tool=tool_of(failing[0]), source=name)


def _name_results(source: OpenSource, conversion: Conversion, to: str) -> Iterator[tuple[str, str]]:
    """Every file of a result: its name below the output folder, and its text."""
    target = target_of(to)
    stem = _source_stem(source)
    for name, text in conversion.files:
        if target.one_per_file or conversion.output.is_split:  # what has one file a tool has the tool's name in it
            yield posixpath.join(posixpath.dirname(stem), name), text
        else:
            yield stem + target.suffix, text


def _source_stem(source: OpenSource) -> str:
    """The source's name without what its format adds; below a folder that was walked, with its path, with `/`.

    A format that fixes the file's name, such as `TOOL.md`, leaves the folder's name; in lower case, too.
    """
    path, relative = source.file.path, source.file.relative
    if path == STDIN:
        path = relative = os.path.basename(source.document.name or "").strip("<>") or relative
    folder, name = posixpath.split(relative)
    for pattern in source.format.marks.patterns:
        pattern = pattern.lower()
        if name.lower() == pattern:
            return posixpath.join(posixpath.dirname(folder), os.path.basename(os.path.dirname(os.path.abspath(path))))
        if pattern.startswith("*") and name.lower().endswith(pattern[1:]):
            return posixpath.join(folder, name[: -len(pattern) + 1])
    return posixpath.join(folder, posixpath.splitext(name)[0])


# -- files ------------------------------------------------------------------------------------------------------------


class _FolderWriter:
    """Writes results below a folder."""

    def __init__(self, folder: str, options: ConvertCommandOptions, run: Run) -> None:
        self._folder = folder
        self._root = os.path.realpath(folder)
        self._options = options
        self._force = options.force
        self._has_tool_names = target_of(options.to).one_per_file or bool(options.options.get("one_per_tool"))
        self._run = run
        self._owners: dict[str, str] = {}  # name of a result -> the source that gives it
        self._path_requests = Counter[str]()

    def write(self, outcome: Outcome[FileConversion]) -> Outcome[FileConversion]:
        """The outcome when its results are written, or could not be."""
        if outcome.result is None:
            return outcome
        try:
            contents = self._place(outcome.result, outcome.source)
            # A part never takes the place of a whole.
            changed_paths = self._write_changed(contents, self._force and not outcome.faults)
        except Error as error:
            return refuse(error, outcome.source)
        if self._run.request.verbose:
            for path in changed_paths:
                print_message(f"wrote {path}")
        state = CONVERTED if changed_paths else UNCHANGED
        result = outcome.result._replace(results=(), paths=tuple(contents))
        return replace(outcome, state=state, result=result)

    def write_stream(self, file: SourceFile, outcomes: Iterable[Outcome[Any]]) -> Outcome[FileConversion]:
        """The outcome of a source of JSON Lines, whose parts are written as they come, to a file of its name.

        As with other sources a file that says the same is left untouched, and a part never takes the place of a whole.
        """
        source = file.name
        name = os.path.basename(source) if file.path == STDIN else file.relative
        tally, digest, path = kind_of_tally(self._run.request, self._options)(), hashlib.sha256(), ""
        try:
            [path] = paths_below(self._folder, [name], self._path_requests)
            existing_targets.refuse_existing([path], force=True)
            with writing.open_atomically(path, within=self._root, over=self._force) as stream:
                for outcome in outcomes:
                    part = outcome.result
                    if part is None:
                        raise _LeftOut(outcome)
                    tally.merge(part.tally)
                    self._run.add_part(part)
                    digest.update(part.result)
                    stream.write(part.result)
                self._check_stream(tally, source)
                if writing.has_digest(path, digest.digest()):
                    raise _LeftOut(self._outcome_of_stream(UNCHANGED, tally, source, path))
                if os.path.lexists(path) and self._force and tally.refused:
                    raise UsageError("left as it was, because records would be missing", "file-exists", source=path)
                existing_targets.refuse_existing([path], self._force)
        except _LeftOut as left_out:
            return left_out.outcome
        except Error as error:
            return refuse(error, source)
        if self._run.request.verbose:
            print_message(f"wrote {path}")
        return self._outcome_of_stream(CONVERTED, tally, source, path)

    def _check_stream(self, tally: Tally, source: str) -> None:
        """Leave out a result that is none.

        Raises:
            _LeftOut: no tool is chosen, too much is lost, or all records are refused.
        """
        options = self._options
        if has_none_chosen(tally, options):
            raise _LeftOut(Outcome(PASSED_OVER, source=source, reason=UNCHOSEN))
        if count_failing(tally.categories, options.fail_on):
            problem = _problem_of_failing(tally.report(options.to), source, options.fail_on, tally.categories)
            raise _LeftOut(Outcome(REFUSED, source=source, problem=problem, exit_code=Exit.NO))
        if tally.refused and not tally.texts:
            raise _LeftOut(Outcome(REFUSED, source=source, exit_code=Exit.FAILED))

    def _outcome_of_stream(self, state: str, tally: Tally, source: str, path: str) -> Outcome[FileConversion]:
        self._run.record_states += Counter({CONVERTED: tally.records - tally.refused, REFUSED: tally.refused})
        report = tally.report(self._options.to)
        if not self._options.has_all_changes:
            report = replace(report, changes=())
        entries = tally.entries if isinstance(tally, ExplainedTally) else EntryTally()
        credentials = () if self._run.request.quiet else tuple(tally.credentials)
        result = FileConversion(report, tally.categories, entries, (), credentials, (path,))
        return Outcome(state, result, source, exit_code=Exit.FAILED if tally.refused else Exit.DONE)

    def _place(self, result: FileConversion, source: str) -> dict[str, bytes]:
        """What is to be in which file.

        Raises:
            UsageError: two results of one name are two tools of one id, of which one would go unnoticed under
                another name; or a link leads out of the folder.
        """
        names = [name for name, _ in result.results]
        if self._has_tool_names:
            for name in names:
                owner = self._owners.setdefault(name, source)
                if owner != source:
                    message = f"{owner} gives {name} too; give one of the two tools another id"
                    raise UsageError(message, "id-collision", source=source)
        paths = paths_below(self._folder, names, self._path_requests)
        texts = [text for _, text in result.results]
        return {path: text.encode("utf-8", "backslashreplace") for path, text in zip(paths, texts, strict=True)}

    def _write_changed(self, contents: dict[str, bytes], force: bool) -> list[str]:
        """Write the files whose content changes; which they are.

        Raises:
            UsageError: one exists, says something else, and may not be replaced; nothing was written.
            WriteError: one could not be written; nothing was.
        """
        for folder in {self._root, *map(os.path.dirname, contents)}:
            temporaries.remove_leftovers_once(os.path.realpath(folder))
        new_contents = {path: data for path, data in contents.items() if not writing.has_content(path, data)}
        existing_targets.refuse_existing(new_contents, force=True)
        # Another run may have put the same there since.
        different = [path for path, data in new_contents.items() if not writing.has_content(path, data)]
        existing_targets.refuse_existing(different, force)
        if new_contents:
            with commit(self._root) as files:
                for path, data in new_contents.items():
                    files.put(path, data, old=ANYTHING if force else None)
        return list(new_contents)


class _LeftOut(writing.Discarded):
    """The same, with what became of its source."""

    def __init__(self, outcome: Outcome[Any]) -> None:
        super().__init__(outcome)
        self.outcome = outcome
