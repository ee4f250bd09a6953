"""`toolglot prompt`: one text about the dangers of the tools that are chosen."""

from __future__ import annotations

from typing import Any

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.terminal import print_result


@effects(stdin="optional")
@agent.example("toolglot prompt tools/")
@agent.arguments(src="A file, a folder (walked), a glob pattern, or - for stdin.")
@options.command("prompt")
@options.source_paths("src")
@options.from_format
@options.choice
@options.sources
def prompt(request: options.SourceRequest, **choice: Any) -> int:
    """Print what a model has to know about the dangers of tools.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The text is Markdown for a system prompt. It
    lists the tools of all sources by their danger, under the names that a model calls them by. A source that cannot be
    read is left out, and the exit code is 2.
    """
    # What `--help` need not wait for.
    from toolglot.cli.file_batch import print_unused, read_tools
    from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
    from toolglot.converter.conversion.selection import choice_of, nothing_chosen_error
    from toolglot.runtime.bridge.prompt import safety_prompt

    tools, code = read_tools(request)
    selection = choice_of(choice)
    cuts = [part for part in map(selection.visible, tools) if part is not None]
    if tools and not cuts:
        raise nothing_chosen_error(tools)
    patterns = Patterns(selection)
    print_unused(PatternUse.of(tools, patterns), patterns)
    text = safety_prompt([part.tool for part in cuts])
    if text:
        print_result(f"{text}\n")
    return code
