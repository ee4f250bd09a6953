"""`toolglot formats`: what the registry holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolglot.cli.terminal import print_result

if TYPE_CHECKING:
    from toolglot.formats import Format


@click.command(short_help="List the formats.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list instead of a table.")
def formats(as_json: bool) -> None:
    """List the formats: versions that are read and written, what one document holds, usual file names."""
    from toolglot import formats as registry
    from toolglot.text.serialization import dump_json

    every = [registry.get(name) for name in registry.names()]
    if as_json:
        print_result(dump_json([_format_to_json(known) for known in every]))
        return
    rows = [("name", "reads", "writes", "holds", "files", "title")]
    for known in every:
        versions = ", ".join(known.versions), ", ".join(known.writes)
        rows.append((known.name, *versions, describe_holding(known), ", ".join(known.patterns), known.title))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print_result("  ".join(cells).rstrip() + "\n")


def describe_holding(known: Format) -> str:
    """What one document of a format holds."""
    if known.one_per_file:
        return "a program" if known.tree else "one tool"
    return "trees" if known.tree else "a list"


def _format_to_json(known: Format) -> dict[str, object]:
    return {
        "name": known.name,
        "title": known.title,
        "url": known.url,
        "reads": list(known.versions),
        "writes": list(known.writes),
        "holds": describe_holding(known),
        "syntax": known.syntax,
        "files": list(known.patterns),
    }
