"""What was read into one result, in which no two tools may have the same id."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from toolglot.cli.commands.end_conversion import ConvertCommandOptions, end_conversion
from toolglot.cli.destinations import Destination, arrange_results, leaves_earlier, write_results
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Run, refuse
from toolglot.cli.opened_sources import find_credentials
from toolglot.cli.reports.terminal_report import text_report
from toolglot.cli.reports.verbose_report import whole_text_report
from toolglot.cli.terminal import print_message, print_messages
from toolglot.converter.conversion.fail_on import count_failing
from toolglot.converter.conversion.pipeline import convert_writable, find_pattern_use
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.conversion.selection import nothing_chosen_error
from toolglot.converter.conversion.sources import open_document, open_file, read_document
from toolglot.converter.files.existing_targets import is_filled_file
from toolglot.converter.formats import target_of
from toolglot.errors import Error

if TYPE_CHECKING:
    from toolglot.cli.reports.sheets import Sheet


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
    run.fail(code=write_results(results, options.force, run.request.verbose, options.report_file))
    report = conversion.report
    lines = (whole_text_report if run.request.verbose else text_report)(report)
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
