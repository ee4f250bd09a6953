"""`docs/reference/renamed.tsv`: the words of the command line that were called otherwise."""

from __future__ import annotations

from toolglot.cli.commands import OF_PROGRAMS
from toolglot.cli.renamed_words import RENAMED


def page() -> str:
    rows = [(f"toolglot {name}", f"toolglot program {name}") for name in OF_PROGRAMS]
    for name, options in RENAMED.items():
        words = f"program {name}" if name in OF_PROGRAMS else name
        rows += [(f"toolglot {words} {earlier}", f"toolglot {words} {now}") for earlier, now in options.items()]
    return "".join(f"{earlier}\t{now}\n" for earlier, now in [("was", "is"), *sorted(rows)])
