"""`catalog`: gather the entries of all sources, reuse those of an earlier catalogue, and write one document."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from toolglot.cli.destinations import in_syntax_of
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import REFUSED, Outcome, Run, open_errors, print_unused, refuse_lost
from toolglot.cli.opened_sources import (
    SourceFile,
    find_sources,
    is_one_of,
    load_assertions,
    open_source,
    scope_for,
)
from toolglot.cli.options import SourceRequest, describe_failing, record_of
from toolglot.cli.reports.entry_tally import EntryTally
from toolglot.cli.reports.report_forms import refuse_other_file, write_report
from toolglot.cli.reports.sheets import sheet_of_report
from toolglot.cli.reports.terminal_report import tally_to_text
from toolglot.cli.reports.verbose_report import list_changes
from toolglot.cli.terminal import print_lines, print_message, print_messages, print_result
from toolglot.converter import formats
from toolglot.converter.conversion.fail_on import FailOn, count_failing
from toolglot.converter.conversion.options import assertions_of_every_tool
from toolglot.converter.conversion.report import REPORT_KEY, Report, is_refusal, merge_reports
from toolglot.converter.conversion.selection import EVERYTHING, choice_of, nothing_chosen_error
from toolglot.converter.conversion.sources import open_document
from toolglot.converter.files.existing_targets import is_filled_file, is_folder, refuse_foreign
from toolglot.converter.files.generated_folders import changes_in, find_generated, is_whole, write_changes
from toolglot.converter.files.names import is_inside, portable_path, printable_path
from toolglot.converter.files.spill import Spill
from toolglot.converter.files.writing import has_pieces, write_pieces_if_changed
from toolglot.converter.text import document_reader
from toolglot.converter.text.compression import PACKED
from toolglot.converter.text.wording import count_noun
from toolglot.errors import Error, UsageError
from toolglot.option_checks import refuse, split_commas
from toolglot.verbs import catalogs
from toolglot.verbs.catalogs import CatalogOptions, EntriesOfFiles, Entry, Program, SettledEntries
from toolglot.verbs.catalogs.identities import Locate
from toolglot.verbs.catalogs.pages import RENDERINGS, OutputFile, Rendering
from toolglot.verbs.diagnostics.diagnostic import Diagnostic

GATHERED = "gathered"
_MEND = "mend what is told above"

MAX_EARLIER = 1 << 30
"""Bytes of an earlier catalogue: it holds many files, and is the user's own."""


class CatalogCommandOptions(NamedTuple):
    """The options of `catalog`, apart from its sources.

    Attributes:
        to: `FORMAT[@VERSION]`, or the name of a rendering.
        output: a file, or for some renderings a folder; `None`: stdout.
        is_check: whether nothing is written.
        merge, program_version, program_description: the program for the tools, in a format of programs.
        since: the file of an earlier catalogue.
        is_bare: whether an array is written without anything around it.
        has_provenance: whether the catalogue says where its tools come from.
        language: languages of the texts, separated by commas; the first is shown.
        assertions: the file with assertions.
        scope: the beginning of new ids, as in `--scope`.
        namespace: the rule for namespaces, as in `--namespace`.
        choice: which tools are in the catalogue, as in `conversion.selection.choice_of`.
        jobs: the number of processes.
        errors: the file for refused records and sources; `None`: no file.
        fail_on: the changes for which nothing is written and the exit code is 1. With it, every file is read anew.
        report: the file of the report; `None`: no report. With it, every file is read anew.
    """

    to: str
    output: str | None
    is_check: bool
    merge: str | None
    program_version: str | None
    program_description: str | None
    since: str | None
    is_bare: bool
    has_provenance: bool
    language: str | None
    assertions: str | None
    scope: str | None
    namespace: str | None
    choice: Mapping[str, Any]
    jobs: int | None
    errors: str | None
    fail_on: tuple[FailOn, ...]
    report: str | None

    @property
    def program(self) -> Program | None:
        """The program for the tools."""
        if self.merge is None:
            return None
        return Program(self.merge, self.program_version, self.program_description)

    @property
    def rendering(self) -> Rendering | None:
        """The rendering, if `to` names one."""
        return RENDERINGS.get(self.to)

    @property
    def is_folder(self) -> bool:
        """Whether the catalogue is a folder of files."""
        return self.rendering is not None and self.rendering.is_folder

    @property
    def entry_format(self) -> str:
        """The format of the entries."""
        return catalogs.any_tool_format() if self.rendering else self.to

    @property
    def as_lines(self) -> bool:
        """Whether the catalogue is JSON Lines."""
        return document_reader.names_lines(self.output or "")

    @property
    def has_lines(self) -> bool:
        """Whether it is written line by line, so that it is never in memory as a whole."""
        return self.as_lines and self.rendering is None and self.program is None


class GatheredFile(NamedTuple):
    """The result of gathering one file: its entries, the changes, and notes.

    Attributes:
        report: all changes, if the whole list is requested.
    """

    entries: list[Entry]
    changes: EntryTally
    notes: list[Diagnostic]
    report: Report | None


class GatheredFiles:
    """The results of gathering all files.

    Args:
        run: the run over the files.
        command, options: the options of the command.

    Attributes:
        run, command, options: as they were given.
        earlier: file -> its entries in the earlier catalogue.
        held: file and identity of the entries of the earlier catalogue.
        entries: the entries, which need not fit in memory.
        changes: the changes of the conversions, if they are reported.
        unchanged_count: the number of files whose entries were taken from the earlier catalogue.
        has_refusals: whether an asserted fact does not count.
        reports: the reports of the files, if the whole list is requested.
    """

    def __init__(self, run: Run, command: CatalogCommandOptions, options: CatalogOptions) -> None:
        self.run = run
        self.command = command
        self.options = options
        self.earlier = self._read_catalog(command.since)
        self.held = frozenset((entry.file, entry.identity) for own in self.earlier.values() for entry in own)
        # All tools of what is to be looked at are in memory anyway.
        self.entries = catalogs.spill_for(command.entry_format, stays_in_memory=command.rendering is not None)
        self.changes = EntryTally()
        self.unchanged_count = 0
        self.has_refusals = False
        self.reports: list[Report] = []

    @cached_property
    def _output_files(self) -> Collection[str]:
        """The files with entries in the catalogue that will be replaced, as far as it can be read."""
        if self.command.rendering is not None:
            return ()
        try:
            return self._read_catalog(self.command.output)
        except Error:
            return ()

    def _read_catalog(self, path: str | None) -> EntriesOfFiles:
        """Path of a file -> its entries in an earlier catalogue; empty where there is none."""
        if path is None or not os.path.lexists(path):
            return {}
        limits = document_reader.Limits(max_bytes=max(self.run.request.max_size or 0, MAX_EARLIER))
        return catalogs.read_earlier(open_document(Path(path), path, limits), self.command.to, self.options)

    def find_kept(self, files: Iterable[SourceFile]) -> EntriesOfFiles:
        """The entries of the earlier catalogue for unchanged files."""
        kept: EntriesOfFiles = {}
        if self.command.fail_on or self.command.report is not None:
            return kept  # of what was kept nobody knows what converting it changed
        for file in files:
            entries, format_name = self.earlier.get(catalog_path(file.path), []), file.request.format
            if format_name is not None:
                entries = [entry for entry in entries if entry.provenance["format"] == format_name]
            with suppress(Error):  # reading it again says why
                if entries and catalogs.is_same(entries, document_reader.read_file(file.path, file.request.limits)):
                    kept[file.path] = entries
        return kept

    def gather(self, files: list[SourceFile]) -> None:
        """Read files, add their entries, and print their notes."""
        task = partial(_gather_file, command=self.command, options=self.options)
        for file, outcome in self.run.perform(task, files, by_record=True):
            path = catalog_path(file.path)
            if path in self.earlier or (outcome.is_unparsed and path in self._output_files):
                outcome = refuse_lost(outcome)
            if outcome.result is not None:
                self._add(outcome.result, outcome.line)
            self.run.add(outcome)

    def _add(self, file: GatheredFile, line: int | None) -> None:
        """Add the result of one file, or of the record in one line."""
        self.entries.extend(file.entries)
        self.changes.merge(file.changes)
        if file.report is not None:
            self.reports.append(file.report)
        self.has_refusals = self.has_refusals or any(is_refusal(note.code) for note in file.notes)
        if line is None:
            print_messages(file.notes)
        else:
            self.run.tell_of_records(file.notes, len(file.notes))
        self.run.keep_errors(note for note in file.notes if note.severity == "error")

    def find_ambiguous(self, kept: Mapping[str, list[Entry]]) -> Collection[str]:
        """The files of `kept` that have to be read anyway, after all others are gathered."""
        use, patterns = self.run.pattern_use, self.options.patterns
        takes_all = self.options.choice == EVERYTHING
        # Where nothing was read, nothing changed since a run with the same patterns, which knew what it left out and
        # said which patterns mean no tool.
        if use.tools or takes_all:
            for entry in chain.from_iterable(kept.values()):
                words = entry.identity.partition("@")[0].split(" ")
                use.add_name(entry.namespace, words, patterns)
        if not takes_all and use.unused(patterns):
            return kept.keys()  # a pattern may mean one of their tools that was left out
        if not kept:
            return ()
        # A kept entry may have a name that another file gives too, in another language for example.
        numbers = Counter(entry.name for entry in chain(self.entries, *kept.values()))
        return {path for path, entries in kept.items() if any(numbers[entry.name] > 1 for entry in entries)}

    def keep(self, path: str, entries: Iterable[Entry]) -> None:
        """Take over the entries of a file from the earlier catalogue."""
        self.entries.extend(entries)
        self.run.add(Outcome(GATHERED, source=path))
        self.unchanged_count += 1


def catalog_files(request: SourceRequest, **values: Any) -> int:
    """Gather the tools of all sources, and write the catalogue; gives the exit code.

    Args:
        values: the fields of `CatalogCommandOptions`, and those of its choice.
    """
    command = record_of(CatalogCommandOptions, values, "choice")
    _check_options(command)  # now, not after all the work
    scopes = assertions_of_every_tool(scope_for(command.entry_format, command.scope))
    options = CatalogOptions(
        command.namespace or "auto",
        (*scopes, *load_assertions(command.assertions)),
        split_commas(command.language or ""),
        choice_of(command.choice),
    )
    with open_errors(command.errors) as write_errors:
        run = Run(request, command.jobs, counts_files=True, write_errors=write_errors)
        return _write_gathered(_gather_files(run, command, options))


def _write_gathered(gathered_files: GatheredFiles) -> int:
    """Write the gathered entries as a catalogue; gives the exit code."""
    run, command, options = gathered_files.run, gathered_files.command, gathered_files.options
    run.finish()
    if not gathered_files.entries:
        if options.choice != EVERYTHING and run.exit_code == Exit.DONE:
            raise nothing_chosen_error()
        print_message("nothing was gathered")
        return run.exit_code
    locate = _locator(run.request)
    entries, held = gathered_files.entries, gathered_files.held
    settled_entries = catalogs.settle(entries, command.entry_format, options, locate, held)
    for problem in settled_entries.problems:
        run.fail(f"error: {problem}")
    if not settled_entries.entries:
        print_message("nothing is left to write")
        return run.exit_code
    catalog = _render(gathered_files, settled_entries.entries)
    whole = merge_reports(gathered_files.reports)
    write_report(command.report, lambda _: sheet_of_report(whole), whole.to_json)
    failing = count_failing(gathered_files.changes.categories, command.fail_on)
    output, is_part = command.output, run.exit_code != Exit.DONE
    is_stale = output is not None and command.is_check and catalog.would_change(output)
    if failing:
        run.fail(describe_failing(failing, command.fail_on))
    elif is_stale:
        run.fail()
    elif output is None:
        print_result(catalog.files[0].text)
    elif is_part and not command.is_check and (is_filled_file(output) or is_whole(output)):
        message = "left as it was, because tools or facts would be missing from it"
        print_message(f"{output}: {message}; {_MEND}, or remove it")
    elif not command.is_check:
        catalog.write(output)
    print_unused(run.pattern_use, options.patterns)
    if not run.request.quiet:
        _print_report(gathered_files, settled_entries)
        if is_stale:
            first = f"{_MEND}, then " if is_part else ""
            print_message(f"{output} is out of date; {first}run the command again without --check")
    if gathered_files.has_refusals:
        run.fail()
    return run.exit_code


def _check_options(command: CatalogCommandOptions) -> None:
    """Refuse options that do not fit together.

    Raises:
        UsageError: the catalogue cannot be written with these options.
    """
    output = command.output
    refuse_other_file(command.report, REPORT_KEY)
    rendering = command.rendering
    if rendering is not None:
        rendering.require_packages()
        if not rendering.is_folder and output is not None:
            refuse_foreign(output, catalogs.PROVENANCE)
        if rendering.is_folder and (output is None or (os.path.lexists(output) and not is_folder(output))):
            raise UsageError(f"{rendering.name} is a folder of files; give -o FOLDER/", "bad-option", source=output)
        return
    catalogs.check_target(command.to, command.program)
    refuse(
        (
            command.is_bare and (command.program is not None or command.as_lines),
            "an array holds records, not a program or lines; leave out --bare",
        ),
    )
    if output is not None:
        is_no_file = portable_path(output).lower().endswith(("/", *PACKED))
        refuse((is_no_file, "a catalogue is one file, and not compressed"), source=output)
        if not command.is_check:
            refuse_foreign(output, catalogs.PROVENANCE)


# -- the files --------------------------------------------------------------------------------------------------------


def _gather_files(run: Run, command: CatalogCommandOptions, options: CatalogOptions) -> GatheredFiles:
    """The entries of all files; for unchanged files those of the earlier catalogue."""
    gathered_files = GatheredFiles(run, command, options)
    files = _find_files(run.request, command)
    kept = gathered_files.find_kept(files)
    gathered_files.gather([file for file in files if file.path not in kept])
    ambiguous = gathered_files.find_ambiguous(kept)
    gathered_files.gather([file for file in files if file.path in ambiguous])
    for path, entries in kept.items():
        if path not in ambiguous:
            gathered_files.keep(path, entries)
    return gathered_files


def _find_files(sources: SourceRequest, command: CatalogCommandOptions) -> list[SourceFile]:
    """The source files, without those that the command itself reads or writes."""
    own_files = (command.output, command.since, command.errors, command.report)
    files = [file for file in find_sources(sources) if not is_one_of(file.path, own_files)]
    # Not what is read beside them, unless it is named: a lock may hold the tools, too.
    files = [file for file in files if file.is_named or not is_one_of(file.path, [command.assertions])]
    if command.output is None or not command.is_folder:
        return files
    pages = find_generated([file.path for file in files], command.output)
    return [file for file in files if file.path not in pages]


def _gather_file(file: SourceFile, command: CatalogCommandOptions, options: CatalogOptions) -> Outcome[GatheredFile]:
    """Gather one file, in a worker."""
    path, is_located = catalog_path(file.path), command.rendering is not None
    file_entries = catalogs.FileEntries(open_source(file).read(), command.entry_format, path, options, is_located)
    if file.line is not None:
        file_entries.entries = [entry._replace(line=file.line) for entry in file_entries.entries]
    changes = EntryTally()
    if command.fail_on or not file.request.quiet:
        changes.add(file_entries.report)
    exit_code = exit_code_of(file_entries.notes)
    report = file_entries.report if file.request.verbose or command.report is not None else None
    gathered_file = GatheredFile(file_entries.entries, changes, file_entries.notes, report)
    return Outcome(GATHERED, gathered_file, exit_code=exit_code, pattern_use=file_entries.pattern_use)


def exit_code_of(notes: Iterable[Diagnostic]) -> Exit:
    """The exit code for the notes about files. A tool that must not be shown is missing without a fault."""
    codes = {note.code for note in notes if note.severity == "error" and not is_refusal(note.code)}
    if codes - {"published-credential"}:
        return Exit.FAILED
    return Exit.NO if codes else Exit.DONE


def catalog_path(path: str) -> str:
    """The path of a file in the catalogue: relative if it lies below the current folder, with `/` on every system."""
    if os.path.isabs(path) and is_inside(path, os.curdir):
        path = os.path.relpath(path)
    return portable_path(printable_path(path))


# -- what is written --------------------------------------------------------------------------------------------------


class _RenderedCatalog(NamedTuple):
    """A catalogue, ready to be written.

    Attributes:
        command: the options of the command.
        files: the files of a folder, or the only file; empty for a file of lines.
        lines: makes the lines of such a file one by one.
    """

    command: CatalogCommandOptions
    files: Sequence[OutputFile]
    lines: Callable[[], Iterable[str]]

    def pieces(self) -> Iterator[bytes]:
        """The content of the only file, in pieces."""
        for text in [file.text for file in self.files] or self.lines():
            yield text.encode("utf-8", "backslashreplace")

    def would_change(self, output: str) -> bool:
        """Whether the file or the folder would change."""
        if self.command.is_folder:
            return bool(changes_in(output, self.files))
        return not has_pieces(output, self.pieces())

    def write(self, output: str) -> None:
        """Write what would change."""
        if self.command.is_folder:
            write_changes(changes_in(output, self.files))
        else:
            write_pieces_if_changed(output, self.pieces())


def _render(gathered_files: GatheredFiles, settled: Spill[Entry]) -> _RenderedCatalog:
    """The catalogue of settled entries."""
    command = gathered_files.command
    to, has_provenance = command.to, command.has_provenance
    files: list[OutputFile] = []
    if command.rendering is not None:
        files = command.rendering.render(list(settled), gathered_files.options)
    elif not command.has_lines:
        catalog = catalogs.dump(
            settled,
            to,
            as_lines=command.as_lines,
            is_bare=command.is_bare,
            has_provenance=has_provenance,
            program=command.program,
        )
        files = [OutputFile("", in_syntax_of(command.output, catalog.text, formats.target_of(to)))]
        if catalog.report is not None:
            gathered_files.changes.add(catalog.report)
            gathered_files.reports.append(catalog.report)
    return _RenderedCatalog(command, files, partial(catalogs.dump_lines, settled, to, has_provenance=has_provenance))


# -- what people are told ---------------------------------------------------------------------------------------------


def _print_report(gathered_files: GatheredFiles, settled_entries: SettledEntries) -> None:
    """Print notes, changes, and the number of tools."""
    run, command = gathered_files.run, gathered_files.command
    print_messages(settled_entries.notes)
    if command.is_bare and command.has_provenance and not formats.target_of(command.to).slot.path:
        print_message(f"an array of {command.to} has no place for where its tools come from")
    changes, is_verbose = gathered_files.changes, run.request.verbose
    if command.rendering is not None:  # nothing was converted for it
        changes.tools = len(settled_entries.entries)
    if changes.kinds or command.program is not None:
        whole_list = None if is_verbose or command.report is not None else "-v"
        print_lines(tally_to_text(changes, command.to, whole_list, has_remedies=False))
    if is_verbose:
        print_lines(list_changes(merge_reports(gathered_files.reports)))
    states = run.states
    text = f"{count_noun(len(settled_entries.entries), 'tool')} of {count_noun(states[GATHERED], 'file')}"
    if gathered_files.unchanged_count:
        text += f", {gathered_files.unchanged_count} of them as before"
    if settled_entries.left_out:
        text += f"; {count_noun(settled_entries.left_out, 'tool')} left out"
    if states[REFUSED]:
        text += f"; {count_noun(states[REFUSED], 'file')} refused"
    if run.record_states[REFUSED]:
        text += f"; {count_noun(run.record_states[REFUSED], 'record')} refused"
    print_message(text)


def _locator(sources: SourceRequest) -> Locate:
    """A function that finds the line of an entry, by reading its file once more. It is only called for messages.

    A file is read once for all of its entries: thousands may have the same name.
    """

    @lru_cache(maxsize=4)
    def load(path: str) -> document_reader.Document:
        return document_reader.load(document_reader.read_file(path, sources.limits), path, sources.limits)

    def locate(entry: Entry) -> tuple[int, int] | None:
        if entry.line is not None and document_reader.names_lines(entry.file):
            return entry.line, 1
        try:
            return load(entry.file).position(entry.pointer)
        except (Error, OSError):
            return None

    return locate
