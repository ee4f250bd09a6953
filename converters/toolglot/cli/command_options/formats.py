"""`toolglot formats`."""

from __future__ import annotations

from toolglot.cli import options
from toolglot.cli.command_effects import effects


@effects()
@options.command("formats", options.GroupedCommand)
@options.output_form("The form of the output.", "text", "json")
@options.done_by("list_formats")
def formats() -> None:
    """List the formats: versions that are read and written, what one document holds, usual file names."""
