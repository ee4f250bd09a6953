"""`convert` of JSON Lines into JSON Lines: a record at a time, so that a file may be larger than the memory.

This does not go through `cli.file_batch`, whose unit is a file with one outcome, held until it is written. Here a file
is cut into parts, which `streams.json_lines` hands to the same workers. Each part is written and counted as it comes
back.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO

import msgspec

from toolglot.cli.commands.convert import ConvertCommandOptions
from toolglot.cli.destinations import leaves_earlier
from toolglot.cli.exit_codes import ClosedPipe, Exit
from toolglot.cli.file_batch import Run, print_unused
from toolglot.cli.file_search import STDIN
from toolglot.cli.options import SourceRequest
from toolglot.cli.progress import ProgressLine
from toolglot.cli.reports.entry_tally import ExplainedTally
from toolglot.cli.source_files import find_sources, no_tools_error, source_name
from toolglot.cli.terminal import count_noun, print_lines, print_message, print_result, result_stream
from toolglot.converter import formats
from toolglot.converter.conversion.categories import count_failing
from toolglot.converter.conversion.pipeline import patterns_of
from toolglot.converter.conversion.selection import EVERYTHING, choice_of, nothing_chosen_error
from toolglot.converter.files import existing_targets, writing
from toolglot.converter.text.serialization import LINED, dump_json
from toolglot.errors import ReadError, UsageError, WriteError, system_reason
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.streams.json_lines import Job, convert_stream
from toolglot.verbs.streams.tally import FAULTS, RecordTally, Tally


class _Discarded(Exception):
    """Leaves the block in which the result is written, so that it is not put in its place."""


def convert_lines(request: SourceRequest, options: ConvertCommandOptions) -> int:
    """Convert, write and report; the exit code.

    A report file that is called like JSON Lines gets a line for every record that changed or was refused, any other
    the totals. A result that is called `.gz` is compressed.
    """
    if formats.parse_target(options.to)[0].syntax != "json":
        message = f"a line cannot hold {options.to}, which is a document with front matter; give -o FOLDER/"
        raise UsageError(message, "not-a-line")
    if not find_sources(request):
        raise no_tools_error(request)
    paths = [path for path in (options.output, options.report_file) if path is not None]
    existing_targets.refuse_existing(paths, options.force)
    conversion = _LineConversion(request, options)
    conversion.run()
    return conversion.finish()


class _LineConversion:
    """One conversion of JSON Lines: what it is asked for, and what it has done so far."""

    def __init__(self, request: SourceRequest, options: ConvertCommandOptions) -> None:
        self._request = request
        self._options = options
        self._tally = self._kind_of_tally()
        self._write_error: WriteError | None = None
        self._is_refused = False  # because of losses, or because it is only a part
        self._progress = ProgressLine(request.quiet)
        self._began = time.monotonic()
        report_file = options.report_file or ""
        self._job = Job(
            options.to,
            options.options,
            request.format,
            request.believes(request.paths[0]),
            source_name(request.paths[0], request),
            request.limits,
            has_lines_of_report=report_file.lower().endswith(LINED),
            is_packed=(options.output or "").lower().endswith(".gz"),
            is_report_packed=report_file.lower().endswith(".gz"),
            tally=type(self._tally),
        )

    def _kind_of_tally(self) -> Tally:
        """What counts no more of the reports than is asked for."""
        options = self._options
        if options.shows_entries(self._request) or options.fail_on:
            return ExplainedTally()
        counts_changes = options.is_lossless or options.has_assertions
        if options.has_all_changes or counts_changes:
            return Tally()
        return RecordTally()

    def run(self) -> None:
        """Convert, and write the result, and the report if it has lines.

        Raises:
            UsageError: none of the tools is chosen; nothing is written.
            WriteError: the report cannot be written.
        """
        output, force = self._options.output, self._options.force
        with ExitStack() as stack:
            source = stack.enter_context(_open_source(self._request.paths[0], self._job.name))
            report = None
            if self._options.report_file is not None and self._job.has_lines_of_report:
                report = stack.enter_context(writing.open_atomically(self._options.report_file, over=force))
            stack.callback(self._progress.clear)
            try:
                with suppress(_Discarded), _open_destination(output, bool(self._options.fail_on), force) as result:
                    self._convert(source, result, report)
                    self._discard_failure()
            except WriteError as error:
                if error.source != output:
                    raise
                self._write_error = error  # the report is for another file, and may still be written

    def _convert(self, source: BinaryIO, result: BinaryIO, report: BinaryIO | None) -> None:
        for part in convert_stream(source, self._job, self._options.jobs):
            self._count(part.tally)
            if report is not None:
                with writing.name_file_in_errors(self._options.report_file or ""):
                    report.write(part.report)
            result.write(part.result)

    def _count(self, part: Tally) -> None:
        """Count a part; name its errors and credentials, and show how far the run is."""
        tally = self._tally
        errors, credentials = len(tally.errors), len(tally.credentials)
        tally.merge(part)
        diagnostics = tally.errors[errors:]
        if not self._request.quiet:
            diagnostics = [*diagnostics, *tally.credentials[credentials:]]
        for diagnostic in diagnostics:
            self._progress.clear()
            print_message(str(_in_options(diagnostic)))
        rate = tally.records / max(time.monotonic() - self._began, 0.001)
        self._progress.show(f"{tally.records:,} records, {rate:,.0f}/s")

    def _discard_failure(self) -> None:
        """Leave the block of the result where there is none to keep.

        Raises:
            _Discarded: there were losses, no record could be converted, or a part would take the place of a whole.
            UsageError: none of the tools is chosen.
        """
        tally = self._tally
        if choice_of(self._options.options) != EVERYTHING and tally.refused < tally.records and not tally.tools:
            raise nothing_chosen_error()
        self._is_refused = count_failing(tally.categories, self._options.fail_on) > 0
        if tally.refused and tally.texts and not self._is_refused:
            self._progress.clear()
            self._is_refused = leaves_earlier(self._options.output, Exit.FAILED)
        if not self._has_result:
            raise _Discarded

    @property
    def _has_result(self) -> bool:
        """Whether there is a result to keep: none where it is refused, and none where every record was."""
        return not self._is_refused and bool(self._tally.texts or not self._tally.refused)

    def finish(self) -> int:
        """Report, and say what went wrong as a whole; the exit code."""
        tally, options, run = self._tally, self._options, Run(self._request)
        if self._write_error is not None:
            run.fail(f"error: {self._write_error}", Exit.FAILED)
        elif self._has_result and options.output is not None and self._request.verbose:
            print_message(f"wrote {options.output}")
        if tally.refused:
            run.fail(code=Exit.FAILED)
        if tally.refused > FAULTS:
            print_message(f"and {count_noun(tally.refused - FAULTS, 'more error')}")
        self._report(run)
        error = options.error_of(tally.categories)
        if error is not None:
            run.fail(error)
        return run.exit_code

    def _report(self, run: Run) -> None:
        options = self._options
        if options.report_file is not None and not self._job.has_lines_of_report:
            text = _render_report(options.report_file, self._tally, options.to)
            writing.write_file(options.report_file, text.encode(), over=options.force)
        if options.report == "json":
            report_json = dump_json(self._tally.to_json(options.to))
            if options.output is None:
                print_lines(report_json.removesuffix("\n"))
            else:
                print_result(report_json)
        if options.shows_entries(self._request) and isinstance(self._tally, ExplainedTally) and self._tally.tools:
            for line in self._tally.entries.text(options.to, "--report FILE.jsonl", self._request.verbose):
                print_lines(line)
        print_unused(self._tally.pattern_use, patterns_of(options.options))
        if options.report not in ("json", "none"):
            run.tell(_count_records(self._tally))


def _render_report(path: str, tally: Tally, to: str) -> str:
    """The totals for a file of this name; other forms than JSON show the first changes of each kind."""
    from toolglot.cli.reports.report_files import render_report  # what only reports in files need
    from toolglot.cli.reports.sheets import sheet_of_report

    return render_report(path, lambda _: sheet_of_report(tally.report(to)), lambda: tally.to_json(to))


@contextmanager
def _open_source(path: str, name: str | None) -> Iterator[BinaryIO]:
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "rb"))
        except OSError as error:  # of opening; one of the block is another matter
            raise ReadError(f"cannot be read: {system_reason(error)}", "unreadable", source=name) from error
        yield stream


@contextmanager
def _open_destination(output: str | None, is_held: bool, force: bool) -> Iterator[BinaryIO]:
    """Where the result goes. What stdout has cannot be taken back; `is_held` keeps it until the block ends well."""
    if output is not None:
        with writing.open_atomically(output, over=force) as stream:
            yield stream
        return
    try:
        if not is_held:
            yield result_stream()
        else:
            import shutil  # with the next 8 ms that nothing else needs
            import tempfile

            with tempfile.TemporaryFile() as temporary:
                yield temporary
                temporary.seek(0)
                shutil.copyfileobj(temporary, result_stream())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ClosedPipe from None  # as an OSError it would be taken for a fault of the report's file
    except OSError as error:
        raise WriteError(f"the result could not be written: {system_reason(error)}", "unwritable-file") from error


def _in_options(error: Diagnostic) -> Diagnostic:
    """The error in the words of the command line; the library speaks of its own parameter."""
    if error.code != "too-large":
        return error
    return msgspec.structs.replace(error, message=error.message.replace("Limits.max_bytes", "--max-size"))


def _count_records(tally: Tally) -> str:
    counts = [f"{count_noun(tally.records - tally.refused, 'record')} converted"]
    if tally.refused:
        counts.append(f"{count_noun(tally.refused, 'record')} refused")
    if tally.blank:
        counts.append(count_noun(tally.blank, "blank line"))
    return f"{', '.join(counts)}; {count_noun(tally.tools, 'tool')}"
