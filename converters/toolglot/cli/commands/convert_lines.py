"""`convert` of JSON Lines into JSON Lines: a record at a time, so that a file may be larger than the memory.

This does not go through `Run.perform`, whose unit is a file with one outcome, held until it is written. Here a file is
cut into parts, which `streams.json_lines` hands to the same workers. Each part is written as it comes back; the run
tells what is refused in it, as of any other stream.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import BinaryIO, ClassVar

import msgspec

from toolglot.cli.commands.end_conversion import ConvertCommandOptions, end_conversion
from toolglot.cli.destinations import leaves_earlier
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Run
from toolglot.cli.opened_sources import open_stream, source_name
from toolglot.cli.options import SourceRequest
from toolglot.cli.reports.entry_tally import EntryTally
from toolglot.cli.reports.sheets import Sheet, sheet_of_report
from toolglot.cli.reports.terminal_report import tally_to_text
from toolglot.cli.stops_and_errors import ClosedPipe
from toolglot.cli.terminal import print_message, result_stream
from toolglot.converter import formats
from toolglot.converter.conversion.fail_on import count_failing
from toolglot.converter.conversion.result import ReportDetail
from toolglot.converter.conversion.selection import EVERYTHING, choice_of, nothing_chosen_error
from toolglot.converter.files import existing_targets, writing
from toolglot.converter.files.row_files import WriteRows
from toolglot.converter.text.document_reader import names_lines
from toolglot.converter.text.wording import count_noun
from toolglot.errors import UsageError, WriteError, system_reason
from toolglot.verbs.streams.json_lines import Job, convert_stream
from toolglot.verbs.streams.record_stream import Converted, RecordTask, refuse_bad_call
from toolglot.verbs.streams.tally import RecordTally, Tally


class ExplainedTally(Tally):
    """A tally of a stream that also has the entries of its reports."""

    detail: ClassVar[ReportDetail | None] = "explained"
    entries: EntryTally = msgspec.field(default_factory=EntryTally)

    def add(self, result: Converted) -> None:
        super().add(result)
        if result.report is not None:
            self.entries.add(result.report, result)


def convert_lines(request: SourceRequest, options: ConvertCommandOptions, write_errors: WriteRows | None) -> int:
    """Convert, write and report; the exit code.

    A report file that is called like JSON Lines gets a line for every record that changed or was refused, any other
    the totals. A result is compressed as its name says.
    """
    if formats.target_of(options.to).syntax != "json":
        message = f"a line cannot hold {options.to}, which is a document with front matter; give -o FOLDER/"
        raise UsageError(message, "not-a-line")
    existing_targets.refuse_existing([options.output, options.report_file], options.force)
    run = Run(request, write_errors=write_errors)
    job = job_of(request, options, request.paths[0], options.output or "")
    tally, is_kept = job.tally(), False
    with ExitStack() as stack:
        source = stack.enter_context(open_stream(request.paths[0], request))
        report = None
        if job.report_name:
            report = stack.enter_context(writing.open_atomically(job.report_name, over=options.force))
        try:
            destination = _open_destination(options.output, bool(options.fail_on), options.force)
            with suppress(writing.Discarded), destination as result:
                for part in convert_stream(source, job, options.jobs):
                    tally.merge(part.tally)
                    run.add_part(part)
                    if report is not None:
                        with writing.name_file_in_errors(job.report_name):
                            report.write(part.report)
                    result.write(part.result)
                is_kept = _is_kept(tally, options)
                if not is_kept:
                    raise writing.Discarded
        except WriteError as error:
            if error.source != options.output:
                raise
            run.fail(f"error: {error}", Exit.FAILED)  # the report is for another file, and may still be written
            is_kept = False
    for credential in tally.credentials:
        run.tell(str(credential))
    if is_kept and options.output is not None and request.verbose:
        print_message(f"wrote {options.output}")
    if tally.refused:
        run.fail(code=Exit.FAILED)
    run.tell_of_more_records()
    return _report(tally, run, options, bool(job.report_name))


def job_of(
    request: SourceRequest, options: ConvertCommandOptions, path: str, result_name: str, relative: str | None = None
) -> Job:
    """What is done with the chunks of a source.

    Args:
        result_name: what the file of the result is called.
        relative: the path of the source from the folder that was walked.

    Raises:
        UsageError: the options are wrong for every record.
    """
    asked = {"to": options.to, **options.options}
    task = RecordTask("convert", asked, request.format, request.believes(relative or path), request.limits)
    refuse_bad_call(task)
    report_file = options.report_file or ""
    report_name = report_file if names_lines(report_file) else ""
    return Job(task, source_name(path, request), result_name, report_name, kind_of_tally(request, options))


def kind_of_tally(request: SourceRequest, options: ConvertCommandOptions) -> type[Tally]:
    """What counts no more of the reports than is asked for."""
    if options.shows_entries(request) or options.fail_on:
        return ExplainedTally
    has_assertions = any(options.options.get(name) for name in ("assertions", "safety_tier", "trust_methods"))
    if options.has_all_changes or options.is_lossless or has_assertions:
        return Tally
    return RecordTally


def has_none_chosen(tally: Tally, options: ConvertCommandOptions) -> bool:
    """Whether records could be read, and none of their tools is chosen."""
    return choice_of(options.options) != EVERYTHING and tally.refused < tally.records and not tally.tools


def _is_kept(tally: Tally, options: ConvertCommandOptions) -> bool:
    """Whether there is a result to keep: not where too much was lost, nor a part in the place of a whole.

    Raises:
        UsageError: none of the tools is chosen.
    """
    if has_none_chosen(tally, options):
        raise nothing_chosen_error()
    if count_failing(tally.categories, options.fail_on):
        return False
    if not tally.refused:
        return True
    return bool(tally.texts) and not leaves_earlier(options.output, Exit.FAILED)


def _report(tally: Tally, run: Run, options: ConvertCommandOptions, has_lines: bool) -> int:
    """Report the whole; the exit code."""
    if has_lines:  # they are written
        options = options._replace(report="none")

    lines: Iterable[str] = ()
    if isinstance(tally, ExplainedTally) and tally.tools:
        lines = tally_to_text(tally.entries, options.to, "--report FILE.jsonl", run.request.verbose)

    def make_sheet(shows_texts: bool) -> Sheet:
        return sheet_of_report(tally.report(options.to))

    code = end_conversion(run, options, tally.categories, make_sheet, partial(tally.to_json, options.to), lines)
    if options.report not in ("json", "none") or has_lines:
        counts = [f"{count_noun(tally.records - tally.refused, 'record')} converted"]
        if tally.refused:
            counts.append(f"{count_noun(tally.refused, 'record')} refused")
        if tally.blank:
            counts.append(count_noun(tally.blank, "blank line"))
        run.tell(f"{', '.join(counts)}; {count_noun(tally.tools, 'tool')}")
    return code


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
