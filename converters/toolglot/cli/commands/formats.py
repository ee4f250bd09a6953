"""`toolglot formats`: what the registry holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.terminal import align_columns, print_result

if TYPE_CHECKING:
    from toolglot.converter.formats import Format


READ_ONLY = "read only"  # in the place of versions that are written


@effects()
@options.command("formats", options.GroupedCommand)
@options.output_form("The form of the output.", "text", "json")
def formats(style: str) -> None:
    """List the formats: versions that are read and written, what one document holds, usual file names."""
    from toolglot.converter import formats as registry  # what `--help` need not wait for
    from toolglot.converter.text.serialization import dump_json

    all_formats = [registry.get(name) for name in registry.names()]
    if style == "json":
        print_result(dump_json([_format_to_json(listed_format) for listed_format in all_formats]))
        return
    rows = [("name", "reads", "writes (*: by default)", "holds", "files", "title")]
    for listed_format in all_formats:
        rows.append(
            (
                listed_format.name,
                ", ".join(listed_format.versions),
                _list_written(listed_format),
                _describe_holding(listed_format),
                ", ".join(listed_format.marks.patterns),
                listed_format.title,
            )
        )
    print_result(align_columns(rows))


def _describe_holding(listed_format: Format) -> str:
    """What one document of a format holds."""
    if listed_format.one_per_file:
        return "a program" if listed_format.tree else "one tool"
    return "trees" if listed_format.tree else "a list"


def _list_written(listed_format: Format) -> str:
    """The versions that are written, with a mark where somebody can choose."""
    if not listed_format.writes:
        return READ_ONLY
    *others, default = listed_format.writes
    if not others:
        return default
    return ", ".join([*others, f"{default}*"])


def _format_to_json(listed_format: Format) -> dict[str, object]:
    return {
        "name": listed_format.name,
        "title": listed_format.title,
        "url": listed_format.url,
        "reads": list(listed_format.versions),
        "writes": list(listed_format.writes),
        "holds": _describe_holding(listed_format),
        "syntax": listed_format.syntax,
        "files": list(listed_format.marks.patterns),
    }
