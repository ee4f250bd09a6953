"""`toolglot prompt`: one text about the dangers of the tools that are chosen."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects


@effects(stdin="optional")
@agent.example("toolglot prompt tools/")
@options.command("prompt")
@options.source_paths("src")
@options.from_format
@options.choice
@options.sources
@options.done_by("print_prompt")
def prompt() -> None:
    """Print what a model has to know about the dangers of tools.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The text is Markdown for a system prompt. It
    lists the tools of all sources by their danger, under the names that a model calls them by. A source that cannot be
    read is left out, and the exit code is 2.
    """
