"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable


def row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join([row(*heads), row(*["---"] * len(heads)), *(row(*cells) for cells in rows)])
