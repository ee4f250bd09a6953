"""`toolglot formats`."""

from __future__ import annotations

from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.commands import carry_out


@effects()
@options.command("formats", options.GroupedCommand)
@options.output_form("The form of the output.", "text", "json")
def formats(style: str) -> int:
    """List the formats: versions that are read and written, what one document holds, usual file names."""
    return carry_out("list_formats", style)
