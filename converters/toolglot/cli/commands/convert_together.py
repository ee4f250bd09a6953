"""`convert` of all sources into one result, in which no two tools may have the same id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import click

from toolglot.cli.commands.convert import ConvertCommandOptions
from toolglot.cli.destinations import Destination, arrange_results, leaves_earlier, write_results
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Run, print_unused, read_sources, refuse
from toolglot.cli.options import SourceRequest
from toolglot.cli.source_files import print_credentials
from toolglot.cli.terminal import print_lines, print_message, print_result
from toolglot.converter.conversion.categories import Category, count_failing
from toolglot.converter.conversion.pattern_use import PatternUse
from toolglot.converter.conversion.pipeline import Conversion, convert_writable, find_pattern_use, patterns_of
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.report import Report
from toolglot.converter.conversion.selection import nothing_chosen_error
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.converter.files.existing_targets import is_filled_file, refuse_existing
from toolglot.converter.formats import parse_target
from toolglot.errors import Error


def convert_together(request: SourceRequest, options: ConvertCommandOptions) -> int:
    """Convert, write and report; the exit code. What cannot be read or written is named and left out."""
    results = [path for path in (options.output, options.report_file) if path is not None]
    run, readings = read_sources(request, results)
    return write_together(readings, run, options)


def write_together(readings: Sequence[Reading], run: Run, options: ConvertCommandOptions) -> int:
    """Convert what was read, write and report; the exit code."""
    for reading in readings:
        print_credentials(reading.document, run.request)
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
        results += arrange_results(conversion, options.to, options.output)
        if run.unparsed and any(_lacks_tools(result, options) for result in results):
            run.fail(code=Exit.FAILED)
        # A part never takes the place of a file that holds more; a file of one tool is never a part.
        is_of_one_tool = parse_target(options.to)[0].one_per_file
        results = [
            result
            for result in results
            if (is_of_one_tool and result.path != options.output) or not leaves_earlier(result.path, run.exit_code)
        ]
    paths = [result.path for result in results if result.path is not None]
    refuse_existing([*paths, *filter(None, [options.report_file])], options.force)  # before anything is written
    run.fail(code=write_results(results, options.force, run.request.verbose))
    use = find_pattern_use(readings, options.options)
    render, lines = partial(_render_report, conversion), partial(_report_lines, conversion.report, run.request.verbose)
    return end_conversion(run, options, conversion.report.categories, use, render, lines)


def _render_report(conversion: Conversion, path: str) -> str:
    """The report for a file of this name."""
    from toolglot.cli.reports.report_files import render_report  # what only reports in files need
    from toolglot.cli.reports.sheets import sheet_of_conversion

    return render_report(path, partial(sheet_of_conversion, conversion), conversion.report.to_json)


def _report_lines(report: Report, is_verbose: bool) -> Iterator[str]:
    from toolglot.cli.reports.text import text_report, whole_text_report  # what a quiet run does without

    return whole_text_report(report) if is_verbose else text_report(report)


def end_conversion(
    run: Run,
    options: ConvertCommandOptions,
    categories: Counter[Category],
    use: PatternUse,
    render: Callable[[str], str],
    lines: Callable[[], Iterator[str]],
) -> int:
    """Report a conversion, whichever way it went, and say what did not pass; the exit code.

    Args:
        categories: how many changes there are of each category.
        use: which patterns mean a tool of it.
        render: the report for a file of some name; JSON for an empty one.
        lines: the report in the terminal.
    """
    if options.report_file is not None:
        report = Destination(options.report_file, render(options.report_file))
        run.fail(code=write_results([report], options.force, run.request.verbose))
    elif options.report == "json" and options.output is not None:
        print_result(render(""))
    elif options.report == "json":
        click.echo(render(""), nl=False, err=True)
    elif options.shows_entries(run.request):
        for line in lines():
            print_lines(line)
    print_unused(use, patterns_of(options.options))
    error = options.error_of(categories)
    if error is not None:
        run.fail(error)
    return run.exit_code


def _lacks_tools(result: Destination, options: ConvertCommandOptions) -> bool:
    """Whether the only result is without a tool that its file holds: a missing comma would take it away unseen."""
    if result.path is None or result.path != options.output or not is_filled_file(result.path):
        return False
    from pathlib import Path  # with urllib and ntpath 2 ms that few conversions need

    name = parse_target(options.to)[0].name
    try:
        earlier = read_document(open_document(Path(result.path)), name)
        new = read_document(open_document(result.text, result.path), name)
    except Error:
        return False
    return not {tool.id for tool in earlier.tools} <= {tool.id for tool in new.tools}
