"""The commands by their names, each imported when it is asked for: `--help` takes a tenth less time."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module

import click

# Name -> the module of this package that has it, and what the list of commands says of it.
HOMES = {
    "convert": ("convert", "Convert tool descriptions to another format."),
    "check": ("check", "Say what is wrong or doubtful in tool descriptions."),
    "catalog": ("catalog", "Gather the tools of many files in one document."),
    "diff": ("diff", "Say what changed between two contracts, and whether it breaks callers."),
    "migrate": ("migrate", "Bring tool descriptions to the newest version of their format, in place."),
    "prompt": ("prompt", "Print what a model has to know about the dangers of tools."),
    "argv": ("argv", "Print the argument vector that carries out a call."),
    "formats": ("listing", "List the formats."),
    "schema": ("listing", "Print a JSON Schema, or list them."),
}


# What people try -> the command that does it.
SYNONYMS = {
    "catalogue": "catalog",
    "compare": "diff",
    "lint": "check",
    "list": "formats",
    "schemas": "schema",
    "translate": "convert",
    "upgrade": "migrate",
    "validate": "check",
    "verify": "check",
}
OPTIONS = {"help": "--help", "version": "--version"}


class LazyCommands(MutableMapping[str, click.Command]):
    """What `click.Group` looks its commands up in.

    >>> LazyCommands()["formats"].get_short_help_str()
    'List the formats.'
    """

    def __init__(self) -> None:
        self._more: dict[str, click.Command] = {}  # that were added by hand

    def __getitem__(self, name: str) -> click.Command:
        if name in self._more:
            return self._more[name]
        found: click.Command = getattr(import_module(f"{__package__}.{HOMES[name][0]}"), name)
        return found

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._more[name] = command

    def __delitem__(self, name: str) -> None:
        del self._more[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**HOMES, **self._more})

    def __len__(self) -> int:
        return len({**HOMES, **self._more})

    def line(self, name: str) -> str:
        """What the list of commands says of one."""
        return self._more[name].get_short_help_str(200) if name in self._more else HOMES[name][1]
