"""`toolglot tokens`."""

from __future__ import annotations

from typing import Any

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.commands import HOMES
from toolglot.cli.effects import effects
from toolglot.cli.option_types import FormatNames
from toolglot.cli.source_request import SourceRequest


@effects(stdin="optional")
@agent.example("toolglot tokens tools/")
@agent.arguments(src="A file, a folder (walked), a glob pattern, or - for stdin.")
@click.command(cls=options.ConfiguredCommand, short_help=HOMES["tokens"][1])
@click.argument("src", nargs=-1, required=True, type=options.SOURCE)
@click.option(
    "-t",
    "--to",
    "providers",
    type=FormatNames(for_writing=True),
    metavar="FORMAT[@VERSION],...",
    help="The formats in which a model is offered the tools; without it, all that models are offered tools in.",
)
@click.option(
    "--exact", is_flag=True, help="Count by the vocabulary, which `pip install 'toolglot[tokens]'` brings; no estimate."
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the numbers are printed.",
)
@options.from_format
@options.offering
@options.choice
@options.sources
def tokens(request: SourceRequest, providers: tuple[str, ...] | None, exact: bool, style: str, **offering: Any) -> int:
    """Say how many tokens the definitions of tools cost in every request to a model.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The numbers are those of the definitions as
    compact JSON in the encoding o200k, by a formula that needs no vocabulary; a provider shows its models the
    definitions in a form of its own. A source that cannot be read is left out and makes the exit code 2.
    """
    from toolglot.cli.commands.tokens_sources import print_tokens  # what `--help` need not wait for

    return print_tokens(request, providers, exact, style, offering)
