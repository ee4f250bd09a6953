"""`prompt` of all sources: the tools that are chosen, by their danger."""

from __future__ import annotations

from typing import Any

from toolglot.cli.file_batch import Run, print_unused, read_sources
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import print_result
from toolglot.converter.conversion.namespaces import with_file_namespace
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.selection import choice_of, nothing_chosen_error
from toolglot.converter.hub.model import Tool
from toolglot.runtime.bridge.prompt import safety_prompt


def print_prompt(request: SourceRequest, **choice: Any) -> int:
    """Print the text; the exit code.

    Args:
        choice: which tools it is about, as `conversion.selection.choice_of` takes them.
    """
    run = Run(request)
    selection = choice_of(choice)
    tools: list[Tool] = []
    chosen: list[Tool] = []
    for reading in read_sources(run):
        tools += reading.tools
        cuts = filter(None, map(selection.visible, reading.tools))
        chosen += [
            with_file_namespace(cut.tool, reading.document.name) for cut in cuts
        ]  # names as `convert` gives them
    if tools and not chosen:
        raise nothing_chosen_error(tools)
    patterns = Patterns(selection)
    print_unused(PatternUse.of(tools, patterns), patterns)
    text = safety_prompt(chosen)
    if text:
        print_result(f"{text}\n")
    return run.exit_code
