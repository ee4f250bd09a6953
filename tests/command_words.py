"""The commands of the program by their words: `convert`, `program run`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from toolglot.cli import cli


def walk_commands(group: click.Group = cli, above: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command below a group, behind the group that it stands in."""
    for name, command in group.commands.items():
        words = f"{above}{name}"
        yield words, command
        if isinstance(command, click.Group):
            yield from walk_commands(command, f"{words} ")
