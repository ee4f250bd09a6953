"""`toolglot check`."""

from __future__ import annotations

import click

from toolglot.cli import options
from toolglot.cli.option_types import FormatName
from toolglot.cli.source_request import SourceRequest


@click.command(cls=options.ConfiguredCommand, short_help="Say what is wrong or doubtful in tool descriptions.")
@click.argument("path", nargs=-1, default=(".",), type=click.Path(allow_dash=True))
@click.option(
    "--from",
    "format_name",
    type=FormatName(for_writing=False),
    metavar="FORMAT[@VERSION]",
    help="The format, and the version to hold the documents to; detected from their content without it.",
)
@click.option("--strict", is_flag=True, help="Take warnings for errors.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@options.jobs
@options.sources
def check(request: SourceRequest, strict: bool, style: str, jobs: int | None) -> int:
    """Say what is wrong or doubtful in tool descriptions.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin; without one, the current folder is walked.
    Findings go to stdout. Exit code 1 means that there is an error, 2 that a document could not be read at all. What
    breaks a rule but could be read is a warning; --strict makes it an error.
    """
    from toolglot.cli.commands.check_files import check_files  # what `--help` need not wait for

    return check_files(request, strict, style, jobs)
