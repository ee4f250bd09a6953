"""`formats`: what the registry holds."""

from __future__ import annotations

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import align_columns, print_result
from toolglot.converter import formats
from toolglot.converter.text.serialization import dump_json

READ_ONLY = "read only"  # in the place of versions that are written


def list_formats(style: str) -> int:
    """Print the formats; the exit code."""
    rows = [("name", "reads", "writes (*: by default)", "holds", "files", "title")]
    entries = []
    for listed_format in formats.every():
        holds = "trees" if listed_format.tree else "a list"
        if listed_format.one_per_file:
            holds = "a program" if listed_format.tree else "one tool"
        reads, writes, files = listed_format.versions, listed_format.writes, listed_format.marks.patterns
        entries.append(
            {
                "name": listed_format.name,
                "title": listed_format.title,
                "url": listed_format.url,
                "reads": reads,
                "writes": writes,
                "holds": holds,
                "syntax": listed_format.syntax,
                "files": files,
            }
        )
        written = ", ".join(writes) or READ_ONLY
        if len(writes) > 1:  # somebody can choose
            written += "*"
        rows.append((listed_format.name, ", ".join(reads), written, holds, ", ".join(files), listed_format.title))
    print_result(dump_json(entries) if style == "json" else align_columns(rows))
    return Exit.DONE
