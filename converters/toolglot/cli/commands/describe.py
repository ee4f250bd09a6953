"""`toolglot program describe`: the document of a program that is imported."""

from __future__ import annotations

import os

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import print_message, print_result


# It writes with -o only; what the import of a module does that the user names, nobody knows.
@agent.effects(reads_files=True, writes_files=True, stdin="none")
@agent.example("toolglot program describe notes.py:app", "toolglot program describe notes.cli:app -o notes.json")
@agent.arguments(program="PROGRAM.py:NAME or package.module:NAME: where the program's first command or parser is.")
@options.command("describe", options.GroupedCommand)
@click.argument("program", metavar="PROGRAM.py:NAME")
@click.option(
    "--name", metavar="NAME", help="The name of the program. The default is that of its file, or its own command."
)
@options.output("Write to this file.", dir_okay=False)
@options.flag("--force", "Replace a file that exists.")
def describe(program: str, name: str | None, output: str | None, force: bool) -> int:
    """Write the description of a click, typer or argparse program in Python, and run none of its commands.

    PROGRAM.py:NAME is a file and the name in it that the program starts with; package.module:NAME is the same for what
    is installed; () behind the name calls a function that makes the program. The module is imported: that runs its
    code, as starting the program would, so name only what you would start. It need not use `toolglot.agent`; with it
    the program itself prints the same on --agent.
    """
    # What `--help` need not wait for.
    from toolglot.cli.destinations import Destination, write_results
    from toolglot.runtime.agent.descriptions import WHOLE, read_program, write_part
    from toolglot.runtime.agent.named_programs import load_program
    from toolglot.runtime.agent.parsed_commands import ParsedNotes

    loaded_program = load_program(program)
    notes = ParsedNotes()
    tool = read_program(loaded_program.program, name, loaded_program.usual_name, notes)
    for note in notes.lines(names_hidden=True):
        print_message(note)
    text = write_part(tool, WHOLE)
    least_code = Exit.FAILED if notes.broken else Exit.DONE
    if output is None:
        print_result(text)
        return least_code
    if notes.broken and os.path.exists(output):
        print_message(f"{output} stays as it is: a part would take the place of the whole")
        return least_code
    return max(least_code, write_results([Destination(output, text)], force, False))
