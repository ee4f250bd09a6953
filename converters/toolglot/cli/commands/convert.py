"""`toolglot convert`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from toolglot.cli import options

if TYPE_CHECKING:
    from toolglot.cli.sources import SourceRequest


@click.command(cls=options.Configured, short_help="Convert tool descriptions to another format.")
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
    help="Write to this file; several sources, or a folder, go below this folder unless it is called like a document "
    "(.json, .md, ...).",
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
@click.option(
    "--examples/--no-examples",
    default=None,
    help="Definitions of a provider: tell the examples in the description, where it has no field for them.",
)
@click.option(
    "--safety-text",
    type=click.Choice(options.SAFETY_TEXTS),
    help="Definitions of a provider: the flags of the RFC and few words, or words for every danger.",
)
@click.option(
    "--with-globals",
    is_flag=True,
    default=None,
    help="Definitions of a provider: offer the options of the program and of groups with every command.",
)
@click.option("--scope", metavar="NAME", help="Put NAME: before every id that is made.")
@click.option("--bare", is_flag=True, default=None, help="Write an array of records, and nothing around it.")
@options.assertions
@options.namespace
@options.choice
@options.jobs
@options.sources
def convert(
    request: SourceRequest,
    to: str,
    output: str | None,
    jobs: int | None,
    force: bool,
    lossless: bool,
    on_loss: str,
    report: str,
    assertions: str | None,
    **asserted: Any,
) -> int:
    """Convert tool descriptions to another format.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The result goes to stdout, or to --output;
    what changed on the way is reported on stderr. Several sources, or a folder, go to a folder one by one: each gets
    files of its own, in the same folders as the sources. JSON Lines (.jsonl, .ndjson, also with .gz) become JSON
    Lines, a record at a time.
    """
    from toolglot.cli.commands.convert_lines import convert_lines, is_stream

    output = None if output == "-" else output
    _check_report(report)
    how = {"lossless": lossless, "assertions": options.load_assertions(assertions) or None, **asserted}
    if is_stream(request.paths, request.stdin_filename, output):
        return convert_lines(request, to, how, output, on_loss, report, force, jobs)
    if output is not None and _goes_one_by_one(request.paths, output):
        return _mirror(request, to, how, output, on_loss, report, force, jobs)
    from toolglot.cli.commands.convert_together import convert_together

    return convert_together(request, to, how, output, on_loss, report, force)


def _goes_one_by_one(paths: Sequence[str], output: str) -> bool:
    """Whether every source gets files of its own: several, or a folder, to what is not called like a document.

    A folder of tools that goes to `all.json` is one document; one that goes to `out` is a folder of documents.
    """
    from toolglot.cli.files import writing

    several = len(paths) > 1 or os.path.isdir(paths[0]) or not os.path.lexists(paths[0])  # a pattern
    return several and (writing.is_folder(output) or not (output.endswith(_DOCUMENTS) or os.path.isfile(output)))


_DOCUMENTS = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".md", ".gz")


def _mirror(
    request: SourceRequest,
    to: str,
    how: dict[str, Any],
    output: str,
    on_loss: str,
    report: str,
    force: bool,
    jobs: int | None,
) -> int:
    from toolglot.cli.commands import convert_each
    from toolglot.cli.destinations import Destination, store
    from toolglot.cli.files import writing
    from toolglot.text.serialization import dump_json

    wanted = convert_each.MirrorOptions(to, how, on_loss == "fail", placed=report == "json" or _is_path(report))
    writing.refuse_existing([report] if _is_path(report) else [], force)  # now, not after all the work
    total = convert_each.mirror(request, wanted, output, force, jobs)
    code = total.code
    if wanted.placed:
        path = report if _is_path(report) else None
        code = max(
            code, store([Destination(path, dump_json(convert_each.to_json(total, wanted)))], force, verbose=False)
        )
    if report != "none":
        convert_each.say_total(total, request.quiet)
    return code


def _is_path(report: str) -> bool:
    return "." in report or "/" in report or "\\" in report


def _check_report(report: str) -> None:
    if report not in ("text", "json", "none") and not _is_path(report):
        message = f"{report!r} is not text, json, none or a path (a path has a dot or a slash)"
        raise click.BadParameter(message, param_hint="'--report'")
