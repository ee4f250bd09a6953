"""`docs/reference/commands.md`: the help of every command."""

from __future__ import annotations

import inspect
import re

import click

from command_words import walk_commands
from reference.tables import table
from toolglot.cli import cli

HEAD = """# Commands

Generated from the program itself (`toolglot COMMAND --help`). [The manual](../README.md#the-manual) shows every command
and every option at work, [settings.md](settings.md) says which options a file may hold, and
[exit-codes.md](exit-codes.md) what the exit codes mean.
"""


def paragraphs(text: str) -> str:
    """A help text of click or a docstring, as Markdown; what click must not wrap stays as it is."""
    text = inspect.cleandoc(text)
    return re.sub(r"\x08\n(.*?)(?=\n\n|\Z)", lambda found: f"```text\n{found[1]}\n```", text, flags=re.DOTALL)


def options_of(command: click.Command) -> list[tuple[str, ...]]:
    context = click.Context(command, info_name=command.name, **cli.context_settings)
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    return [(f"`{record[0]}`", record[1]) for record in records if record and record[1]]  # arguments stand in the usage


def page() -> str:
    parts = [HEAD]
    for name, command in walk_commands():
        context = click.Context(command, info_name=f"toolglot {name}", **cli.context_settings)
        usage = " ".join(command.collect_usage_pieces(context))
        parts += [f"## {name}\n", f"```text\ntoolglot {name} {usage}\n```\n", paragraphs(command.help or "") + "\n"]
        parts.append(table(("option", "what it does"), options_of(command)) + "\n")
    return "\n".join(parts)
