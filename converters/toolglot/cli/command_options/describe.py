"""`toolglot program describe`."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options


# It writes with -o only; what the import of a module does that the user names, nobody knows.
@agent.effects(reads_files=True, writes_files=True, stdin="none")
@agent.example("toolglot program describe notes.py:app", "toolglot program describe notes.cli:app -o notes.json")
@options.command("describe", options.GroupedCommand)
@options.argument(
    "program",
    "PROGRAM.py:NAME or package.module:NAME: where the program's first command or parser is.",
    metavar="PROGRAM.py:NAME",
)
@options.option("--name", "The name of the program. The default is that of its file, or its own command.", "NAME")
@options.output("Write to this file.", dir_okay=False)
@options.flag("--force", "Replace a file that exists.")
@options.done_by("describe_program")
def describe() -> None:
    """Write the description of a click, typer or argparse program in Python, and run none of its commands.

    PROGRAM.py:NAME is a file and the name in it that the program starts with; package.module:NAME is the same for what
    is installed; () behind the name calls a function that makes the program. The module is imported: that runs its
    code, as starting the program would, so name only what you would start. It need not use `toolglot.agent`; with it
    the program itself prints the same on --agent.
    """
