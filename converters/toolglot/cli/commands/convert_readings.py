"""What was read into one result, in which no two tools may have the same id; and how every conversion ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from toolglot.cli.destinations import Destination, arrange_results, leaves_earlier, write_results
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Run, print_unused, refuse
from toolglot.cli.options import REPORT_STYLES, SourceRequest, describe_failing
from toolglot.cli.reports.terminal_report import text_report
from toolglot.cli.reports.verbose_report import whole_text_report
from toolglot.cli.source_files import find_credentials
from toolglot.cli.terminal import print_lines, print_message, print_messages, print_result, remove_status
from toolglot.converter.conversion.categories import LOSSES, Category
from toolglot.converter.conversion.fail_on import FailOn, count_failing
from toolglot.converter.conversion.options import ConvertOptions
from toolglot.converter.conversion.pipeline import convert_writable, find_pattern_use, patterns_of
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.conversion.selection import nothing_chosen_error
from toolglot.converter.conversion.sources import open_document, open_file, read_document
from toolglot.converter.files.existing_targets import is_filled_file, refuse_existing
from toolglot.converter.formats import target_of
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import count_noun
from toolglot.errors import Error

if TYPE_CHECKING:
    from toolglot.cli.reports.report_forms import MakeData, MakeSheet
    from toolglot.cli.reports.sheets import Sheet


class ConvertCommandOptions(NamedTuple):
    """What `convert` was asked for, apart from its sources.

    Attributes:
        to: `FORMAT[@VERSION]`.
        options: those of `toolglot.convert`.
        output: a file or a folder; `None` is stdout.
        force: whether files that exist are replaced.
        fail_on: what makes the exit code 1, and nothing is written.
        report: `text`, `json`, `none`, or a file.
        jobs: how many processes.
        errors: the file for every record and source that is refused; `None` for none.
    """

    to: str
    options: ConvertOptions
    output: str | None
    force: bool
    fail_on: tuple[FailOn, ...] = ()
    report: str = "text"
    jobs: int | None = 1
    errors: str | None = None

    @property
    def report_file(self) -> str | None:
        """The file that the report goes to, if it is one."""
        return None if self.report in REPORT_STYLES else self.report

    @property
    def has_all_changes(self) -> bool:
        """Whether the report has every change of every source."""
        return self.report == "json" or self.report_file is not None

    def shows_entries(self, request: SourceRequest) -> bool:
        """Whether people see in the terminal what became of the tools."""
        return self.report == "text" and not request.quiet

    @property
    def is_lossless(self) -> bool:
        """Whether converting back is to restore everything."""
        return bool(self.options.get("lossless"))

    def error_of(self, counts: Mapping[Category, int]) -> str | None:
        """What people are told of changes that do not pass, were refused, or that nothing carries; `None` without any.

        Args:
            counts: how many there are of each category.
        """
        failing = count_failing(counts, self.fail_on)
        if failing:
            return describe_failing(failing, self.fail_on)
        refused = counts[Category.REFUSED]
        if refused:
            return f"error: {count_noun(refused, 'fact')} of your word refused; the dangers stand as they are [refused]"
        losses = sum(counts[category] for category in LOSSES)
        if losses and self.is_lossless:
            return (
                f"error: {count_noun(losses, 'loss')} that --lossless cannot keep: converting back does not restore "
                "everything [loss]"
            )
        return None


def convert_readings(readings: Sequence[Reading], run: Run, options: ConvertCommandOptions) -> int:
    """Convert what was read into one result, write and report; the exit code."""
    for reading in readings:
        print_messages(find_credentials(reading.document, run.request))
    conversion = None
    if readings:
        conversion, faults = convert_writable(readings, options.to, options.options)
        for fault in faults:
            run.add(refuse(fault, fault.source or ""))
    if conversion is None:
        print_message("nothing was converted")
        return run.exit_code
    if not conversion.tools and any(reading.tools for reading in readings):
        raise nothing_chosen_error(tool for reading in readings for tool in reading.tools)
    results: list[Destination] = []
    if not count_failing(conversion.report.categories, options.fail_on):
        results = _results_to_write(conversion, run, options)
    paths = [result.path for result in results if result.path is not None]
    refuse_existing([*paths, *filter(None, [options.report_file])], options.force)  # before anything is written
    run.fail(code=write_results(results, options.force, run.request.verbose))
    report = conversion.report
    lines = partial(whole_text_report if run.request.verbose else text_report, report)
    run.pattern_use.merge(find_pattern_use(readings, options.options))
    make_sheet = partial(_make_sheet, conversion)
    return end_conversion(run, options, report.categories, make_sheet, report.to_json, lines)


def _results_to_write(conversion: Conversion, run: Run, options: ConvertCommandOptions) -> list[Destination]:
    """What goes where, without what would take the place of a file that holds more."""
    results = arrange_results(conversion, options.to, options.output)
    if run.unparsed and any(_lacks_tools(result, options) for result in results):
        run.fail(code=Exit.FAILED)
    is_of_one_tool = target_of(options.to).one_per_file  # and no part of anything
    return [
        result
        for result in results
        if (is_of_one_tool and result.path != options.output) or not leaves_earlier(result.path, run.exit_code)
    ]


def end_conversion(
    run: Run,
    options: ConvertCommandOptions,
    categories: Counter[Category],
    make_sheet: MakeSheet,
    data: MakeData,
    lines: Callable[[], Iterator[str]] | None,
) -> int:
    """Report a conversion, whichever way it went, and say what did not pass; the exit code.

    Args:
        categories: how many changes there are of each category.
        make_sheet, data: the report for a file, as `report_forms.render_report` takes it.
        lines: the report in the terminal, if there is anything to tell.
    """
    if options.report_file is not None:
        from toolglot.cli.reports.report_forms import render_report  # 30 ms that only reports in files need

        report = Destination(options.report_file, render_report(options.report_file, make_sheet, data))
        run.fail(code=write_results([report], options.force, run.request.verbose))
    elif options.report == "json" and options.output is not None:
        print_result(dump_json(data()))
    elif options.report == "json":
        remove_status()
        click.echo(dump_json(data()), nl=False, err=True)
    elif lines is not None and options.shows_entries(run.request):
        for line in lines():
            print_lines(line)
    print_unused(run.pattern_use, patterns_of(options.options))
    error = options.error_of(categories)
    if error is not None:
        run.fail(error)
    return run.exit_code


def _make_sheet(conversion: Conversion, shows_texts: bool) -> Sheet:
    from toolglot.cli.reports.sheets import sheet_of_conversion  # 1 ms that only reports in files need

    return sheet_of_conversion(conversion, shows_texts)


def _lacks_tools(result: Destination, options: ConvertCommandOptions) -> bool:
    """Whether the only result is without a tool that its file holds: a missing comma would take it away unseen."""
    if result.path is None or result.path != options.output or not is_filled_file(result.path):
        return False
    name = target_of(options.to).name
    try:
        earlier = read_document(open_file(result.path), name)
        new = read_document(open_document(result.text, result.path), name)
    except Error:
        return False
    return not {tool.id for tool in earlier.tools} <= {tool.id for tool in new.tools}
