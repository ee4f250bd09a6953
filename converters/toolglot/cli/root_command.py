"""The command `toolglot` itself: its help, its version, and how it describes itself; `main` of the package calls it."""

from __future__ import annotations

from functools import partial

import click

import toolglot
from toolglot import agent
from toolglot.cli.command_options import SUMMARIES, CommandGroup, LazyCommands


@partial(agent.click, name="toolglot", version=toolglot.__version__)
@click.group(
    cls=CommandGroup, commands=LazyCommands(SUMMARIES), context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(toolglot.__version__, "-V", "--version", prog_name="toolglot", message="%(prog)s %(version)s")
def cli() -> None:
    """Convert, migrate and check descriptions of agent tools, and report every difference.

    Exit codes: 0 done; 1 the answer is no, `docs/reference/exit-codes.md` says when; 2 it could not be done (usage,
    unreadable, malformed, unknown format). Over several sources the highest counts.
    """
