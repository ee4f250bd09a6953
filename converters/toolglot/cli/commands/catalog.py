"""`toolglot catalog`."""

from __future__ import annotations

from typing import Any

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.commands import SUMMARIES
from toolglot.cli.option_types import CatalogTarget
from toolglot.conversion.categories import FailOn


@replaces_files(stdin="optional")
@agent.example("toolglot catalog tools/ --to markdown -o tools.md")
@agent.arguments(path="A file, a folder (walked), a glob pattern, or - for stdin.")
@click.command(cls=options.ConfiguredCommand, short_help=SUMMARIES["catalog"])
@click.argument("path", nargs=-1, required=True, type=options.SOURCE)
@click.option(
    "-t",
    "--to",
    required=True,
    type=CatalogTarget(),
    metavar="FORMAT[@VERSION]|html|markdown",
    help="The format of the catalogue; `toolglot formats` lists them. Or pages for people: html is a folder of pages, "
    "markdown is one document.",
)
@options.from_format
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    callback=options.take_output_path,
    help="The file to write; a name in .jsonl means JSON Lines. For html, the folder.",
)
@click.option(
    "--check", is_flag=True, help="Write nothing. The exit code is 1 if the file or folder of -o would change."
)
@click.option(
    "--merge",
    metavar="NAME",
    help="For a format of programs: the name of the program; an id with dots becomes a command of a command.",
)
@click.option("--program-version", metavar="VERSION", help="With --merge: the version of the program.")
@click.option("--program-description", metavar="TEXT", help="With --merge: what the program is for.")
@click.option(
    "--since",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="An earlier catalogue of yours. Files that did not change since are not read again. It need not exist yet.",
)
@click.option("--bare", is_flag=True, help="Write an array of records, and nothing around it.")
@click.option(
    "--provenance/--no-provenance",
    default=True,
    help="Whether the catalogue says which file each tool comes from. Without it a later run takes it for a foreign "
    "file, and writes it nowhere.",
)
@click.option(
    "--language",
    metavar="TAG[,TAG...]",
    help="The languages of the texts, such as es,en. The first that a text has is shown.",
)
@options.fail_on(f"{options.OF_CONVERSIONS} Then nothing is written.")
@options.assertions
@options.namespace
@options.choice
@options.jobs
@options.sources
def catalog(
    request: options.SourceRequest,
    to: str,
    output: str | None,
    check: bool,
    merge: str | None,
    program_version: str | None,
    program_description: str | None,
    since: str | None,
    bare: bool,
    provenance: bool,
    language: str | None,
    fail_on: tuple[FailOn, ...],
    assertions: str | None,
    namespace: str | None,
    jobs: int | None,
    **choice: Any,
) -> int:
    """Gather the tools of many files, of any format, in one document.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin. Every tool is in the catalogue once, in the order
    of servers and ids, with the path and the hash of its file. Copies and translations are one tool. A tool has its
    server in its name, where that is known. Two tools that would still have the same name are left out and named: the
    exit code is 1. An earlier -o stays as it was then, and where a file cannot be read.
    """
    # What `--help` need not wait for.
    from toolglot.cli.commands.catalog_files import CatalogCommandOptions, catalog_files, name_program

    command_options = CatalogCommandOptions(
        to=to,
        output=output,
        is_check=check,
        program=name_program(merge, program_version, program_description),
        since=since,
        is_bare=bare,
        has_provenance=provenance,
        languages=tuple(filter(None, (language or "").split(","))),
        assertions_file=assertions,
        namespace=namespace,
        choice=choice,
        jobs=jobs,
        fail_on=fail_on,
    )
    return catalog_files(request, command_options)
