"""`docs/settings.md`: what a settings file may hold, with the help of the options."""

from __future__ import annotations

from typing import Any

import click

from reference.tables import table
from toolglot.cli import cli, settings

HEAD = """# Settings

`[tool.toolglot]` in `pyproject.toml`, or `toolglot.toml` (there the tables have no prefix), holds defaults. The
nearest file at or above the sources counts, no higher than the repository. `--config FILE` names another, and
`--isolated` reads none. Keys are the names of options without the leading dashes. The command line goes before the
file. This page is generated from the code.

A repository may be somebody else's, and so may its settings file. It can say what to read and what to print. It cannot
say where to write, what to overwrite, or what you vouch for: {never} are refused.
"""


def rows_of(kinds: dict[str, Any], commands: list[str]) -> list[tuple[str, ...]]:
    """The keys of a table, each with what it may hold and with the help of its option."""
    rows: list[tuple[str, ...]] = []
    parameters = [parameter for name in commands for parameter in cli.commands[name].params]
    for key, kind in kinds.items():
        named = (item for item in parameters if f"--{key}" in (*item.opts, *item.secondary_opts))
        option = next((item for item in named if isinstance(item, click.Option)), None)
        meaning = option.help if option else None
        rows.append((f"`{key}`", settings.KIND_WORDS[kind], meaning or ""))
    return rows


def page() -> str:
    heads = ("key", "holds", "what it does")
    never = ", ".join(f"`{name}`" for name in sorted(settings.NEVER))
    parts = [HEAD.format(never=never), "## For every command\n"]
    parts.append(table(heads, rows_of(settings.SHARED, list(cli.commands))) + "\n")
    for name, kinds in settings.TABLES.items():
        parts += [f"## {name}\n", table(heads, rows_of(kinds, [name])) + "\n"]
    return "\n".join(parts)
