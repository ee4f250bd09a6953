"""`toolglot migrate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolglot.cli import options

if TYPE_CHECKING:
    from toolglot.cli.sources import Asked


@click.command(
    cls=options.Configured, short_help="Bring tool descriptions to the newest version of their format, in place."
)
@click.argument("path", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--to",
    type=options.FormatName(written=True),
    metavar="FORMAT[@VERSION]",
    help="Only documents of this format, to this version of it.",
)
@click.option(
    "--kind",
    type=options.Kind(),
    metavar="KIND",
    help="How the tools are run (cli, http, ...), where a file about that has to be made; no document tells.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if anything would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change as a unified diff.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write what changes, and why, to this file as JSON.",
)
@options.jobs
@options.sources
def migrate(
    asked: Asked, to: str | None, kind: str | None, check: bool, diff: bool, report: str | None, jobs: int | None
) -> int:
    """Bring tool descriptions to the newest version of their format, in place.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin, whose result goes to stdout. Comments, quoting,
    key order and Markdown stay as they are. Every file is replaced as a whole, after what it says was proved.
    """
    from toolglot.cli.rewriting import How, rewrite

    if report == "-":  # stdout is for results and diffs
        raise click.BadParameter("give the name of a file", param_hint="'--report'")
    return rewrite(asked, How(to, kind, check, diff), jobs, report)
