"""The description of a program, for the program itself and for a test."""

from __future__ import annotations

from typing import Any

import msgspec

from toolglot import formats
from toolglot.agent import argparse_parsers, click_commands
from toolglot.agent.partial_descriptions import cut
from toolglot.agent.requests import PartRequest
from toolglot.conversion.pipeline import write
from toolglot.errors import UsageError
from toolglot.formats import Format
from toolglot.hub.model import Tool

WHOLE = PartRequest()


def document(program: Any, *, name: str | None = None) -> str:
    """The description that a program prints; no command runs.

    So a test holds a program to it in one line: `assert toolglot.check(agent.document(app), strict=True) == []`.

    Args:
        program: a command of click, a `typer.Typer`, or a parser of argparse, with or without its `--agent`.
        name: what the program is called by; by default what is stated about it, or what it calls itself.

    Raises:
        UsageError: it is none of these.
        WriteError: what is stated about it cannot be written.
    """
    return write_part(read_program(program, name), WHOLE)


def read_program(program: Any, name: str | None = None, usual_name: str | None = None) -> Tool:
    """The program as a tool; arguments and errors as in `document`.

    Args:
        usual_name: what a program of click or typer is called by where nobody states a name.
    """
    if hasattr(program, "parse_known_args"):
        tool = argparse_parsers.read_program(program)
    else:
        if hasattr(program, "registered_commands"):
            from typer.main import get_command  # of a program of typer, which has imported it

            program = get_command(program)
        if not hasattr(program, "context_class"):
            kinds = "a command of click, a typer.Typer or a parser of argparse"
            raise UsageError(f"expected {kinds}, found {type(program).__name__}", code="bad-program")
        ctx = program.context_class(program, info_name=name or usual_name or program.name, **program.context_settings)
        tool = click_commands.read_program(program, ctx)
    if name is None:
        return tool
    return msgspec.structs.replace(tool, id=name)


def write_part(program: Tool, request: PartRequest) -> str:
    """The part of a program that is asked for, in the format that programs print about themselves."""
    target = format_of_programs()
    return write(cut(program, request, target), target.name)


def format_of_programs() -> Format:
    """The format of a document that is one program."""
    return next(formats.get(name) for name in formats.targets() if formats.get(name).describes_one_program)
