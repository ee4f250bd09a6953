"""`convert` of all sources into one result, in which no two tools may have the same id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from toolglot.cli.destinations import Destination, arrange, store
from toolglot.cli.exit_codes import Exit
from toolglot.cli.reading import complain, read_all
from toolglot.cli.report_output import report_lines, summary
from toolglot.cli.sources import SourceRequest, print_credentials
from toolglot.cli.terminal import count_noun, escape_controls, print_lines, print_message, print_result
from toolglot.conversion.pipeline import Conversion, convert_readings
from toolglot.conversion.reading import Reading
from toolglot.conversion.report import Report
from toolglot.conversion.selection import nothing_chosen
from toolglot.errors import Error
from toolglot.text.serialization import dump_json


def convert_together(
    request: SourceRequest, to: str, how: dict[str, Any], output: str | None, on_loss: str, report: str, force: bool
) -> int:
    """Convert, write and report; the exit code. What cannot be read or written is named and left out."""
    readings, unread = read_all(request)
    for reading in readings:
        print_credentials(reading.document, request)
    conversion, unwritten = _convert(readings, to, how)
    code = max(unread, unwritten)
    if conversion is None:
        print_message("nothing was converted")
        return code
    if not conversion.tools and any(reading.tools for reading in readings):
        raise nothing_chosen()
    found = conversion.report
    refused = on_loss == "fail" and bool(found.losses)
    outputs = [] if refused else arrange(conversion, to, output)
    if report not in ("text", "json", "none"):
        outputs.append(Destination(report, dump_json(found.to_json())))
    code = max(code, store(outputs, force, request.verbose))
    _show_report(found, report, request.quiet, output is not None)
    if refused:
        print_message(
            f"error: {count_noun(len(found.losses), 'loss')} and --on-loss fail: no result was written [loss]"
        )
        code = max(code, Exit.NO)
    return code


def _convert(readings: list[Reading], to: str, how: dict[str, Any]) -> tuple[Conversion | None, int]:
    if not readings:
        return None, Exit.FAILED
    try:
        return convert_readings(readings, to, **how), Exit.DONE
    except Error as error:
        good = list(_writable(readings, to, how))
        if len(good) == len(readings):  # each alone can be written, but not all together
            raise error
    return _convert(good, to, how)[0], Exit.FAILED


def _writable(readings: Iterable[Reading], to: str, how: dict[str, Any]) -> Iterable[Reading]:
    for reading in readings:
        try:
            convert_readings([reading], to, **how)
            yield reading
        except Error as error:
            complain(error, reading.document.name)


def _show_report(found: Report, report: str, quiet: bool, to_stdout: bool) -> None:
    if report == "json":
        dumped = dump_json(found.to_json())
        if to_stdout:
            print_result(dumped)
        else:
            click.echo(dumped, nl=False, err=True)
    elif report == "text" and not quiet:
        for line in report_lines(found):
            print_lines(line)
        print_lines(escape_controls(summary(found)))
