"""`toolglot program`: the commands about command-line programs."""

from __future__ import annotations

import click

from toolglot.cli.command_options import OF_PROGRAMS, SUMMARIES, CommandGroup, LazyCommands


@click.group(cls=CommandGroup, commands=LazyCommands(OF_PROGRAMS), short_help=SUMMARIES["program"])
def program() -> None:
    """Describe, find and run command-line programs.

    `describe` reads a program in Python, `ask` starts programs and lets them describe themselves, `discover` reads what
    this machine knows about its programs. `argv` prints how a program is called, and `run` calls it.
    """
