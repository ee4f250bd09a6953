"""`docs/reference/commands.md`: the help of every command."""

from __future__ import annotations

import inspect
import re
from collections import Counter

import click

from command_words import walk_commands
from reference.tables import table
from toolglot.cli import cli

HEAD = """# Commands

Generated from the program itself (`toolglot COMMAND --help`). [The manual](../README.md#the-manual) shows every command
and every option at work, [settings.md](settings.md) says which options a file may hold, and
[exit-codes.md](exit-codes.md) what the exit codes mean.
"""
SHARED = 3  # an option that so many commands have in the same words stands once


def paragraphs(text: str) -> str:
    """A help text of click or a docstring, as Markdown; what click must not wrap stays as it is."""
    text = inspect.cleandoc(text)
    return re.sub(r"\x08\n(.*?)(?=\n\n|\Z)", lambda found: f"```text\n{found[1]}\n```", text, flags=re.DOTALL)


def options_of(command: click.Command) -> list[tuple[str, ...]]:
    context = click.Context(command, info_name=command.name, **cli.context_settings)
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    return [(f"`{record[0]}`", record[1]) for record in records if record and record[1]]  # arguments stand in the usage


def first_word(words: str) -> str:
    """The first long spelling of an option, without what it takes.

    >>> first_word("`-q, --quiet`"), first_word("`--config FILE`")
    ('`--quiet`', '`--config`')
    """
    return f"`{re.findall('--[a-z-]+', words)[0]}`"


def page() -> str:
    commands = {name: (command, options_of(command)) for name, command in walk_commands()}
    counts = Counter(option for _, options in commands.values() for option in options)
    shared = sorted(option for option, count in counts.items() if count >= SHARED)
    parts = [HEAD, "## Options of several commands\n", table(("option", "what it does"), shared) + "\n"]
    for name, (command, options) in commands.items():
        context = click.Context(command, info_name=f"toolglot {name}", **cli.context_settings)
        usage = " ".join(command.collect_usage_pieces(context))
        parts += [f"## {name}\n", f"```text\ntoolglot {name} {usage}\n```\n", paragraphs(command.help or "") + "\n"]
        own = [option for option in options if option not in shared]
        parts += [table(("option", "what it does"), own) + "\n"] if own else []
        also = ", ".join(first_word(option[0]) for option in options if option in shared)
        parts.append(f"As above: {also}.\n")
    return "\n".join(parts)
