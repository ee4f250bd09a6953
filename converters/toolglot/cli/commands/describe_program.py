"""`describe`: the document of a program that is imported."""

from __future__ import annotations

from toolglot.agent.descriptions import WHOLE, read_program, write_part
from toolglot.agent.named_programs import load_program
from toolglot.cli.destinations import Destination, write_results
from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import print_result


def describe_program(target: str, name: str | None, output: str | None, force: bool) -> int:
    """Print or write the description; the exit code.

    Raises:
        UsageError: there is no such program.
        WriteError: what is stated about it cannot be written.
    """
    loaded_program = load_program(target)
    text = write_part(read_program(loaded_program.program, name, loaded_program.usual_name), WHOLE)
    if output is None:
        print_result(text)
        return Exit.DONE
    return write_results([Destination(output, text)], force, False)
