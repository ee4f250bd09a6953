"""`toolglot show`: the card of a tool."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects


@effects(stdin="optional")
@agent.example("toolglot show tools.json delete_note")
@options.command("show")
@options.source_argument("src")
@options.argument(
    "tool",
    "The name of a tool, or a pattern such as 'gh.pr.*'; a group stands for all commands below it.",
    required=False,
)
@options.output_form("The form of the cards.", "text", "json", "markdown")
@options.assertions
@options.file("--lock", "A lock of servers: say whether it pins the tools as they are here.", exists=True)
@options.from_format
@options.restore
@options.sources
@options.done_by("show_tools")
def show() -> None:
    """Show the card of each tool: what it does, how dangerous it is, and who says so.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. A card has what goes in and comes out, each fact
    about safety with who says it, whether a session would ask a person before a call, and where the tool comes from.
    Without TOOL all tools of the source are shown.
    """
