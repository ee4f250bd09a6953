"""`describe`: the document of a program that is imported."""

from __future__ import annotations

import os

from toolglot.cli.destinations import Destination, write_results
from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import print_message, print_messages, print_result
from toolglot.runtime.agent.descriptions import read_program, write_part
from toolglot.runtime.agent.named_programs import load_program
from toolglot.runtime.agent.parsed_commands import ParsedNotes
from toolglot.runtime.agent.requests import WHOLE


def describe_program(program: str, name: str | None, output: str | None, force: bool) -> int:
    """Print or write the description; the exit code."""
    loaded_program = load_program(program)
    notes = ParsedNotes()
    tool = read_program(loaded_program.program, name, loaded_program.usual_name, notes)
    print_messages(notes.lines(names_hidden=True))
    text = write_part(tool, WHOLE)
    least_code = Exit.FAILED if notes.broken else Exit.DONE
    if output is None:
        print_result(text)
        return least_code
    if notes.broken and os.path.exists(output):
        print_message(f"{output} stays as it is: a part would take the place of the whole")
        return least_code
    return max(least_code, write_results([Destination(output, text)], force, False))
