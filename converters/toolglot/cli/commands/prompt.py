"""`toolglot prompt`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from toolglot.cli import options
from toolglot.cli.terminal import print_result

if TYPE_CHECKING:
    from toolglot.cli.sources import SourceRequest


@click.command(cls=options.Configured, short_help="Print what a model has to know about the dangers of tools.")
@click.argument("src", nargs=-1, required=True, type=click.Path(allow_dash=True))
@options.from_format
@options.choice
@options.sources
def prompt(request: SourceRequest, **choice: Any) -> int:
    """Print what a model has to know about the dangers of tools.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The text is Markdown for a system prompt: the
    tools of all sources by the care they need, under the names that a model calls them by. A source that cannot be
    read is left out and makes the exit code 2: a prompt without it says too little.
    """
    from toolglot.bridge import safety_prompt
    from toolglot.cli.reading import read_tools
    from toolglot.conversion.selection import choice_of, nothing_chosen

    tools, code = read_tools(request)
    chosen = choice_of(choice)
    cuts = [cut for cut in map(chosen.cut, tools) if cut is not None]
    if tools and not cuts:
        raise nothing_chosen()
    text = safety_prompt([cut.tool for cut in cuts])
    print_result(f"{text}\n" if text else "")
    return code
