"""The commands by name. The options and the help of a command are imported when the command is requested.

So `--help` takes a tenth less time. The code of a command stands in a module of `commands`, which `options.done_by`
names.
"""

from __future__ import annotations

from collections import UserDict
from importlib import import_module
from typing import Any

import click

from toolglot.cli.stops_and_errors import ClosedPipe

# Name of a command and of its module -> what the list of commands says of it.
SUMMARIES = {
    "convert": "Convert tool descriptions to another format.",
    "check": "Say what is wrong or doubtful in tool descriptions.",
    "catalog": "Gather the tools of many files in one document.",
    "show": "Show what a tool does, how dangerous it is, and who says so.",
    "diff": "Say what changed between two contracts, and whether it breaks callers.",
    "pull": "Ask servers for their tools, pin them, and say what they changed.",
    "serve": "Serve the tools of many files as a catalogue over HTTP.",
    "lsp": "Answer an editor, as a language server.",
    "migrate": "Bring tool descriptions to the newest version of their format, in place.",
    "prompt": "Print what a model has to know about the dangers of tools.",
    "tokens": "Say how many tokens the definitions of tools cost in every request to a model.",
    "program": "Describe, find and run command-line programs.",
    "formats": "List the formats.",
    "rule": "Say what a rule of check means.",
    "schema": "Print a JSON Schema, or list them.",
}

OF_PROGRAMS = {
    "describe": "Write the description of a program in Python.",
    "ask": "Ask programs that you name to describe themselves.",
    "discover": "Say what this machine knows about its programs, from files alone.",
    "argv": "Print the argument vector that carries out a call.",
    "run": "Run a program that you name for one call.",
}
"""The same for the commands of `program`."""

# What people try -> the command that does it.
_SYNONYMS = {
    "catalogue": "catalog",
    "compare": "diff",
    "inspect": "show",
    "lint": "check",
    "list": "formats",
    "schemas": "schema",
    "translate": "convert",
    "upgrade": "migrate",
    "validate": "check",
    "verify": "check",
}
OPTIONS = {"help": "--help", "version": "--version"}


class LazyCommands(UserDict[str, Any]):
    """The mapping in which `click.Group` looks up commands: summaries, which become commands on request.

    >>> LazyCommands(SUMMARIES)["formats"].get_short_help_str()
    'List the formats.'
    """

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.data:
            raise KeyError(name)
        command: click.Command = getattr(import_module(f"{__package__}.{name}"), name)
        return command


class CommandGroup(click.Group):
    """A group of commands that handles a closed pipe, and understands other names that people try."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] in OPTIONS:  # `help check` is `check --help`
            args = [*args[1:], OPTIONS[args[0]]]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = _SYNONYMS.get(args[0], args[0])
        words = [name] if name in self.commands or name not in OF_PROGRAMS else ["program", name]
        return super().resolve_command(ctx, [*words, *args[1:]])

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            raise ClosedPipe from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ClosedPipe from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from our own tables. click would import every command for its one line."""
        summaries = {**SUMMARIES, **OF_PROGRAMS}
        with formatter.section("Commands"):
            formatter.write_dl([(name, summaries[name]) for name in self.list_commands(ctx)])
