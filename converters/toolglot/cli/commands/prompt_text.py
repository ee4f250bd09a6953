"""`prompt` over all sources: one text about the dangers of the tools that are chosen."""

from __future__ import annotations

from typing import Any

from toolglot.bridge import safety_prompt
from toolglot.cli.readings import read_tools
from toolglot.cli.source_request import SourceRequest
from toolglot.cli.terminal import print_result
from toolglot.conversion.selection import choice_of, nothing_chosen_error


def print_prompt(request: SourceRequest, choice: dict[str, Any]) -> int:
    """Print the prompt; the exit code.

    Args:
        choice: which tools, as `toolglot.conversion.selection.choice_of` takes it.

    Raises:
        UsageError: none of the tools is chosen.
    """
    tools, code = read_tools(request)
    selection = choice_of(choice)
    cuts = [part for part in map(selection.cut, tools) if part is not None]
    if tools and not cuts:
        raise nothing_chosen_error(tools)
    text = safety_prompt([part.tool for part in cuts])
    if text:
        print_result(f"{text}\n")
    return code
