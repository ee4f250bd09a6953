"""`toolglot formats`: what the registry holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.terminal import align_columns, print_result

if TYPE_CHECKING:
    pass


READ_ONLY = "read only"  # in the place of versions that are written


@effects()
@options.command("formats", options.GroupedCommand)
@options.output_form("The form of the output.", "text", "json")
def formats(style: str) -> None:
    """List the formats: versions that are read and written, what one document holds, usual file names."""
    from toolglot.converter import formats as registry  # what `--help` need not wait for
    from toolglot.converter.text.serialization import dump_json

    rows = [("name", "reads", "writes (*: by default)", "holds", "files", "title")]
    entries = []
    for name in registry.names():
        listed_format = registry.get(name)
        holds = "trees" if listed_format.tree else "a list"
        if listed_format.one_per_file:
            holds = "a program" if listed_format.tree else "one tool"
        entries.append(
            {
                "name": name,
                "title": listed_format.title,
                "url": listed_format.url,
                "reads": list(listed_format.versions),
                "writes": list(listed_format.writes),
                "holds": holds,
                "syntax": listed_format.syntax,
                "files": list(listed_format.marks.patterns),
            }
        )
        writes = ", ".join(listed_format.writes)
        if len(listed_format.writes) > 1:  # somebody can choose
            writes += "*"
        reads, files = ", ".join(listed_format.versions), ", ".join(listed_format.marks.patterns)
        rows.append((name, reads, writes or READ_ONLY, holds, files, listed_format.title))
    print_result(dump_json(entries) if style == "json" else align_columns(rows))
