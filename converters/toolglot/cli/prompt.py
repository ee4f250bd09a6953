"""`toolglot prompt`."""

from __future__ import annotations

import click

from toolglot.cli import options
from toolglot.cli.sources import Asked
from toolglot.cli.terminal import data


@click.command(cls=options.Configured, short_help="Print what a model has to know about the dangers of tools.")
@click.argument("src", nargs=-1, required=True, type=click.Path(allow_dash=True))
@options.from_format
@options.sources
def prompt(asked: Asked) -> int:
    """Print what a model has to know about the dangers of tools.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The text is Markdown for a system prompt: the
    tools of all sources by the care they need, under the names that a model calls them by. A source that cannot be
    read is left out and makes the exit code 2: a prompt without it says too little.
    """
    from toolglot.bridge import safety_prompt
    from toolglot.cli.tools import read_tools

    tools, code = read_tools(asked)
    text = safety_prompt(tools)
    data(f"{text}\n" if text else "")
    return code
