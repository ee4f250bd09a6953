"""`docs/reference/settings.md`: what a settings file may hold, with the help of the options."""

from __future__ import annotations

from reference.tables import table
from toolglot.cli import settings

HEAD = """# Settings

`[tool.toolglot]` in `pyproject.toml`, or `toolglot.toml` (there the tables have no prefix), holds defaults. The
nearest file at or above the sources counts, no higher than the repository. `--config FILE` names another, and
`--isolated` reads none. Keys are the names of options without the leading dashes. A path starts at the folder of the
file. The command line goes before the file. This page is generated from the code.

A repository may be somebody else's, and so may its settings file. It can say what to read and how. It cannot say
where to write, what to overwrite, what you vouch for, or what you are told of a loss: no option that is not listed here
can be set in it.
"""


def rows_of(name: str) -> list[tuple[str, ...]]:
    """The keys of a table, each with what it may hold and with the help of its option."""
    return [
        (f"`{key}`", settings.KIND_WORDS[settings.kind_of(option)], option.help or "")
        for key, option in settings.settings_in(name).items()
    ]


def page() -> str:
    heads = ("key", "holds", "what it does")
    parts = [HEAD]
    for name in ("", *settings.TABLES):
        parts += [f"## {name or 'For every command'}\n", table(heads, rows_of(name)) + "\n"]
    return "\n".join(parts)
