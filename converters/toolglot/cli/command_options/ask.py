"""`toolglot program ask`.

It takes no defaults from a settings file: a file that lies in some folder must not be able to say `--run`.
"""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.option_types import NumberRange

# As in `programs.isolation` and `programs.ask`, whose import `--help` need not wait for.
ISOLATIONS = ("bubblewrap", "namespaces", "none")
LONGEST_SECONDS = 10.0


# What the programs do that are named, nobody knows.
@agent.effects(reads_files=True, writes_files=True, subprocess=True, stdin="none", prompts=False, tty=False)
@options.command("ask", options.GroupedCommand)
@options.argument(
    "program", "The path of a program, such as ./notes, or its name on the allow list.", nargs=-1, required=True
)
@options.flag("--run", "Run them. Without it the command only says what would run.", "may_run")
@options.option(
    "--commands",
    "Ask for these top-level commands only, with commas between several. The answer is then a part.",
    "NAME",
    multiple=True,
    callback=options.take_several,
)
@options.option("--depth", "Ask for this many levels of commands only.", "N", type=click.IntRange(1))
@options.flag("--refresh", "Ask again although the same program has answered already.")
@options.option(
    "--timeout",
    "How long each may take, at most 10.",
    "SECONDS",
    type=NumberRange(0, LONGEST_SECONDS, min_open=True),
    default=2.0,
    show_default=True,
)
@options.option(
    "--isolation",
    "Isolate them in this way and in no weaker one. The default is the best that the system permits.",
    choices=ISOLATIONS,
)
@options.file(
    "--allow-list",
    'Programs that may be named without a path: {"NAME": {"path": "/...", "sha256": "..."}}.',
    exists=True,
)
@options.flag("--any-name", "Accept an answer in which a program has another name.")
@options.flag("--as-root", "Run them although you are root.")
@options.without_sources("Print more about each program.")
@options.done_by("ask_programs")
def ask() -> None:
    """Ask programs to describe themselves: PROGRAM --agent, one after the other.

    PROGRAM is a path, such as ./notes, or a name on the allow list; PATH is not searched. Without --run nothing runs.
    What programs answer is kept by their hash, so that each is asked once, and printed: the document of one program,
    or JSON Lines of several.
    """
