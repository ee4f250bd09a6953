"""`docs/settings.md`: what a settings file may hold, with the help of the options."""

from __future__ import annotations

import click

from reference.tables import table
from toolglot.cli import cli, settings

HEAD = """# Settings

`[tool.toolglot]` in `pyproject.toml`, or `toolglot.toml` (there the tables have no prefix), holds defaults. The nearest
file above the current folder counts; `--config FILE` names another, `--isolated` takes none. Keys are the names of
options without the dashes in front, and what is typed goes first. Generated from the code.

A settings file comes with a repository, which may be anybody's. It can say what to read and what to print, and never
where to write, what to overwrite, or what a person vouches for: {never} are refused.
"""


def rows_of(kinds: dict[str, settings.SettingKind], commands: list[str]) -> list[tuple[str, ...]]:
    """The keys of a table, each with what it may hold and with the help of its option."""
    rows: list[tuple[str, ...]] = []
    parameters = [parameter for name in commands for parameter in cli.commands[name].params]
    for key, kind in kinds.items():
        named = (item for item in parameters if f"--{key}" in (*item.opts, *item.secondary_opts))
        option = next((item for item in named if isinstance(item, click.Option)), None)
        meaning = option.help if option else None
        rows.append((f"`{key}`", kind.words, meaning or ""))
    return rows


def page() -> str:
    heads = ("key", "holds", "what it does")
    never = ", ".join(f"`{name}`" for name in sorted(settings.NEVER))
    parts = [HEAD.format(never=never), "## For every command\n"]
    parts.append(table(heads, rows_of(settings.SHARED, list(cli.commands))) + "\n")
    for name, kinds in settings.TABLES.items():
        parts += [f"## {name}\n", table(heads, rows_of(kinds, [name])) + "\n"]
    return "\n".join(parts)
