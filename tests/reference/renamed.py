"""`docs/reference/renamed.tsv`: the words of the command line that were called otherwise, or are gone."""

from __future__ import annotations

from toolglot.cli.command_options import OF_PROGRAMS
from toolglot.cli.renamed_words import REMOVED, RENAMED


def page() -> str:
    rows = [(f"toolglot {name}", f"toolglot program {name}") for name in OF_PROGRAMS]
    for name, renamed in RENAMED.items():
        rows += [(f"{_command(name)} {earlier}", f"{_command(name)} {now}") for earlier, now in renamed.items()]
    for name, removed in REMOVED.items():
        rows += [(f"{_command(name)} {earlier}", now.replace("`", "")) for earlier, now in removed.items()]
    return "".join(f"{earlier}\t{now}\n" for earlier, now in [("was", "is"), *sorted(rows)])


def _command(name: str) -> str:
    return f"toolglot program {name}" if name in OF_PROGRAMS else f"toolglot {name or 'COMMAND'}"
