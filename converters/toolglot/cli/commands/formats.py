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

    found = [registry.get(name) for name in registry.names()]
    if as_json:
        print_result(dump_json([_described(item) for item in found]))
        return
    heading = ("name", "reads", "writes", "holds", "files", "title")
    rows = [
        (
            item.name,
            ", ".join(item.versions),
            ", ".join(item.writes),
            container(item),
            ", ".join(item.patterns),
            item.title,
        )
        for item in found
    ]
    widths = [max(len(row[column]) for row in [heading, *rows]) for column in range(len(heading))]
    for row in [heading, *rows]:
        print_result("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n")


def container(found: Format) -> str:
    """What one document of a format holds."""
    if found.one_per_file:
        return "a program" if found.tree else "one tool"
    return "trees" if found.tree else "a list"


def _described(found: Format) -> dict[str, object]:
    return {
        "name": found.name,
        "title": found.title,
        "url": found.url,
        "reads": list(found.versions),
        "writes": list(found.writes),
        "holds": container(found),
        "syntax": found.syntax,
        "files": list(found.patterns),
    }
