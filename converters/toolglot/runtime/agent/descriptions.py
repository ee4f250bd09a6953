"""The description of a program: the whole, or the part that is asked for."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion.pipeline import write
from toolglot.converter.formats import Format, Omission
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import as_truncated
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError
from toolglot.runtime.agent import argparse_parsers, click_commands
from toolglot.runtime.agent.parsed_commands import ParsedNotes, blaming_program
from toolglot.runtime.agent.requests import WHOLE, PartRequest


def document(program: Any, *, name: str | None = None) -> str:
    """The description that a program prints; no command runs.

    A test checks a description in one line:
    `assert toolglot.check(agent.document(app), warnings_as_errors=True) == []`.

    Args:
        program: a command of click, a `typer.Typer`, or a parser of argparse, with or without its `--agent`.
        name: the name of the program; by default the one that is stated, else the one that its parser has.

    Raises:
        UsageError: the program is none of these, or its own code raises an error.
        WriteError: what is stated about the program cannot be written.
    """
    return write_part(read_program(program, name), WHOLE)


def read_program(
    program: Any, name: str | None = None, usual_name: str | None = None, notes: ParsedNotes | None = None
) -> Tool:
    """The program as a tool; arguments and errors as in `document`.

    Args:
        usual_name: the name of a program of click or typer where nobody states one.
        notes: collects what the description leaves out.
    """
    if notes is None:
        notes = ParsedNotes()
    if hasattr(program, "parse_known_args"):
        tool = argparse_parsers.read_program(program, notes)
    else:
        if hasattr(program, "registered_commands"):
            from typer.main import get_command  # a program of typer has imported it already

            with blaming_program("typer cannot make a program of it"):
                program = get_command(program)
        if not hasattr(program, "context_class"):
            kinds = "a command of click, a typer.Typer or a parser of argparse"
            hint = "where it makes one, write () behind its name" if inspect.isfunction(program) else None
            raise UsageError(f"expected {kinds}, found {type(program).__name__}", code="bad-program", hint=hint)
        ctx = program.context_class(program, info_name=name or usual_name or program.name, **program.context_settings)
        tool = click_commands.read_program(program, ctx, notes)
    if name is None:
        return tool
    return replace(tool, id=name)


def write_part(program: Tool, request: PartRequest) -> str:
    """The part of a program that is asked for, in the format that programs print about themselves."""
    target = next(formats.get(name) for name in formats.targets() if formats.get(name).describes_one_program)
    return write(_cut(program, request, target), target.name)


# -- a part of it ---------------------------------------------------------------------------------------------


def _cut(program: Tool, request: PartRequest, target: Format) -> Tool:
    """The program with the commands that are asked for, to the depth that is asked for.

    A group whose commands are cut off keeps its description and its effects, and nothing that makes it look like a
    command.

    Raises:
        UsageError: the program has no command of a name that is asked for.
    """
    if not request.is_partial:
        return program
    children = _choose_commands(program.children or (), request.commands)
    if request.depth is not None:
        children = [_cut_below(child, request.depth) for child in children]
    part = replace(program, children=tuple(children) or None)
    known, shown = (len(list(leaves_of(tool))) for tool in (program, part))
    omission = Omission(request.commands or None, request.depth, known, shown)
    return replace(part, discovery=target.omission_facts(omission))


def _choose_commands(children: Sequence[Tool], names: tuple[str, ...]) -> list[Tool]:
    if not names:
        return list(children)
    known_names = [child.id for child in children if child.id]
    for name in names:
        if name not in known_names:
            hint = suggestion(name, known_names, f"it has {', '.join(known_names) or 'none'}", mark="'")
            raise UsageError(f"the program has no command {name!r}; {hint}", code="unknown-command")
    return [child for child in children if child.id in names]


def _cut_below(node: Tool, depth: int) -> Tool:
    """A command with `depth - 1` levels of commands below it."""
    if not node.children:
        return node
    if depth == 1:
        return as_truncated(node)
    return replace(node, children=tuple(_cut_below(child, depth - 1) for child in node.children))
