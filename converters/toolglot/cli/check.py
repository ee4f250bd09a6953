"""`toolglot check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolglot.cli import options
from toolglot.cli.exits import Exit
from toolglot.cli.sources import Asked, open_all
from toolglot.cli.terminal import counted, data, say
from toolglot.errors import Error

if TYPE_CHECKING:
    from toolglot.diagnostics import Diagnostic


@click.command(short_help="Say what is wrong or doubtful in tool descriptions.")
@click.argument("path", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--from",
    "format_name",
    type=options.FormatName(written=False),
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
@options.sources
@options.loudness
def check(
    path: tuple[str, ...],
    format_name: str | None,
    strict: bool,
    style: str,
    max_size: int | None,
    stdin_filename: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Say what is wrong or doubtful in tool descriptions.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin. Findings go to stdout. Exit code 1 means that
    a document breaks the rules of its format, 2 that one could not be read at all.
    """
    from toolglot.cli.findings import RENDERERS
    from toolglot.diagnostics import check_document, from_error

    found: list[Diagnostic] = []
    documents = 0
    code: int = Exit.DONE
    for item in open_all(Asked(path, format_name, max_size, stdin_filename, quiet, verbose)):
        if isinstance(item, Error):
            found.append(from_error(item))
            code = Exit.FAILED
            continue
        documents += 1
        found += check_document(item.document, format_name or item.format.name, strict=strict)
    if code == Exit.DONE and any(diagnostic.severity == "error" for diagnostic in found):
        code = Exit.NO
    data(RENDERERS[style](found))
    if not quiet and style == "text":
        say(_summary(documents, found))
    return code


def _summary(documents: int, found: list[Diagnostic]) -> str:
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    counts = [counted(number, noun) for number, noun in ((errors, "error"), (len(found) - errors, "warning")) if number]
    return f"{counted(documents, 'document')} checked: {', '.join(counts) or 'nothing to complain about'}"
