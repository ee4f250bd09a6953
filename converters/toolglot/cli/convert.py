"""`toolglot convert`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from toolglot.cli import options
from toolglot.cli.exits import Exit
from toolglot.cli.sources import Asked, Opened, open_all
from toolglot.cli.terminal import clean, counted, data, say, show
from toolglot.errors import Error

if TYPE_CHECKING:
    from toolglot.cli.output import Output
    from toolglot.pipeline import Conversion
    from toolglot.reading import Reading
    from toolglot.report import Report


@click.command(short_help="Convert tool descriptions to another format.")
@click.argument("src", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--to",
    required=True,
    type=options.FormatName(written=True),
    metavar="FORMAT[@VERSION]",
    help="The format to write; `toolglot formats` lists them.",
)
@options.from_format
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    help="Write to this file, or below this folder (an existing one, or a path that ends in /).",
)
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("--lossless", is_flag=True, help="Carry what the target has no field for in its extension slot.")
@click.option(
    "--on-loss",
    type=click.Choice(["report", "fail"]),
    default="report",
    show_default=True,
    help="What to do when something would be dropped, widened or narrowed; `fail` writes nothing and exits 1.",
)
@click.option(
    "--report",
    default="text",
    show_default=True,
    metavar="text|json|none|FILE",
    help="How to report differences: on stderr, or as JSON in a file (a path with a dot or a slash). "
    "JSON goes to stdout when the result does not.",
)
@click.option(
    "--safety-tier",
    type=options.HubWord("safety_tier"),
    help="How far a call reaches, asserted by you instead of the source; the report says so.",
)
@click.option(
    "--source",
    type=options.HubWord("source"),
    help="What stands behind the tools, asserted by you.",
)
@click.option(
    "--strict/--no-strict",
    default=None,
    help="Definitions of a provider: ask it to hold its models to the schema; what has no strict schema stays loose.",
)
@click.option("--profile", metavar="NAME", help="Definitions of a provider: a variant of its rules, such as azure.")
@click.option(
    "--flatten",
    type=click.Choice(options.FLATTEN),
    help="Definitions of a provider: one a command, or one a program with the command as a parameter.",
)
@click.option("--scope", metavar="NAME", help="Put NAME: before every id that is made.")
@options.sources
@options.loudness
def convert(
    src: tuple[str, ...],
    to: str,
    format_name: str | None,
    output: str | None,
    force: bool,
    lossless: bool,
    on_loss: str,
    report: str,
    max_size: int | None,
    stdin_filename: str | None,
    quiet: bool,
    verbose: bool,
    **asserted: str | bool | None,
) -> int:
    """Convert tool descriptions to another format.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The result goes to stdout, or to --output;
    what changed on the way is reported on stderr.
    """
    from toolglot.cli.output import arrange, report_file, store
    from toolglot.report import merge

    output = None if output == "-" else output
    _check_report(report)
    opened, tried, code = _open(Asked(src, format_name, max_size, stdin_filename, quiet, verbose))
    readings, failed = _read(opened)
    code = max(code, failed)
    singly = output is not None and _is_one_each(opened, tried, to, output)
    conversions, failed = _convert(readings, to, {"lossless": lossless, **asserted}, singly)
    code = max(code, failed)
    if not conversions:
        say("nothing was converted")
        return code
    merged = merge([conversion.report for _, conversion in conversions])
    refused = on_loss == "fail" and bool(merged.losses)
    outputs: list[Output] = [] if refused else arrange(conversions, to, output, singly)
    if _is_path(report):
        outputs.append(report_file(report, merged))
    code = max(code, store(outputs, force, verbose))
    _show_report(merged, report, quiet, output is not None)
    if refused:
        say(f"error: {counted(len(merged.losses), 'loss')} and --on-loss fail: no result was written [loss]")
        code = max(code, Exit.NO)
    return code


def _is_path(report: str) -> bool:
    return "." in report or "/" in report or "\\" in report


def _check_report(report: str) -> None:
    if report not in ("text", "json", "none") and not _is_path(report):
        message = f"{report!r} is not text, json, none or a path (a path has a dot or a slash)"
        raise click.BadParameter(message, param_hint="'--report'")


def _open(asked: Asked) -> tuple[list[Opened], int, int]:
    opened: list[Opened] = []
    tried = 0
    code: int = Exit.DONE
    for item in open_all(asked):
        tried += 1
        if isinstance(item, Opened):
            opened.append(item)
        else:
            code = _complain(item)
    return opened, tried, code


def _complain(error: Error, source: str | None = None) -> int:
    from toolglot.diagnostics import from_error

    error.source = error.source or source
    say(str(from_error(error)))
    return Exit.FAILED


def _read(opened: Iterable[Opened]) -> tuple[list[tuple[Opened, Reading]], int]:
    from toolglot.reading import read_document

    readings: list[tuple[Opened, Reading]] = []
    code: int = Exit.DONE
    for item in opened:
        try:
            readings.append((item, read_document(item.document, item.format.name)))
        except Error as error:
            code = _complain(error, item.document.name)
    return readings, code


def _is_one_each(opened: Sequence[Opened], tried: int, to: str, output: str) -> bool:
    """Whether every source gets a file of its own: several, to a folder, in a format that can hold lists.

    A source that cannot be read counts too; the others would otherwise get other names because of it.
    """
    from toolglot import files, formats

    several = tried > 1 or any(not item.found.named for item in opened)
    return several and files.is_folder(output) and not formats.parse_target(to)[0].one_per_file


def _convert(
    readings: list[tuple[Opened, Reading]], to: str, how: dict[str, Any], singly: bool
) -> tuple[list[tuple[Opened, Conversion]], int]:
    """The conversions, one of all sources or one a source; a source that cannot be written is left out."""
    from toolglot.pipeline import convert_readings

    if not readings:
        return [], Exit.FAILED
    together: Error | None = None
    if not singly:
        try:
            return [(readings[0][0], convert_readings([reading for _, reading in readings], to, **how))], Exit.DONE
        except Error as error:
            together = error
    one_each: list[tuple[Opened, Conversion]] = []
    good: list[tuple[Opened, Reading]] = []
    code: int = Exit.DONE
    for item, reading in readings:
        try:
            one_each.append((item, convert_readings([reading], to, **how)))
            good.append((item, reading))
        except Error as error:
            code = _complain(error, reading.document.name)
    if singly:
        return one_each, code
    if together is not None and len(good) == len(readings):  # each alone can be written, but not all together
        raise together
    return _convert(good, to, how, singly)[0], code


def _show_report(merged: Report, report: str, quiet: bool, to_stdout: bool) -> None:
    from toolglot.cli.render import report_lines, summary
    from toolglot.text import dump_json

    if report == "json":
        dumped = dump_json(merged.to_json())
        if to_stdout:
            data(dumped)
        else:
            click.echo(dumped, nl=False, err=True)
    elif report == "text" and not quiet:
        for line in report_lines(merged):
            show(line)
        show(clean(summary(merged)))
