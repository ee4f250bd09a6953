"""A program describes itself: one line gives a click, typer or argparse program its `--agent`.

    agent.click(cli)        # or @agent.click above the decorator of click
    agent.typer(app)
    agent.argparse(parser)

`PROGRAM --agent` then prints what the program's own parser knows: commands, arguments, options, types, choices,
defaults, environment variables. What a signature cannot say is stated above a command:

    @agent.effects(destructive=True, network=True)
    @agent.example("notes purge --before 2024-01-01")

What nobody states stays unknown, and unknown is never safe. `document` is the same text for a test.

Every program that uses this imports it each time it starts, so it imports nothing: no framework, no library.

frameworks         the one line, for each framework
statements         what people state above a command
    decorator_arguments   the words for it, as an editor completes them
requests           what `--agent` is asked for
answers            the answer on standard output
documents          the description of a program, whole or
    partial_descriptions   the part of it that is asked for
click_commands     the commands of click and typer as tools
    typer_types        the annotations of typer's parameters as JSON Schema
argparse_parsers   the parsers of argparse as tools
    commands           what a parser of either knows of one command
    parameters         what it knows of parameters: types, defaults
loading            a program that somebody names: its module is imported, and no command runs
"""

from __future__ import annotations

from toolglot.agent.frameworks import argparse, click, typer
from toolglot.agent.statements import arguments, auth, effects, example

__all__ = ["argparse", "arguments", "auth", "click", "document", "effects", "example", "typer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toolglot.agent.documents import document


def __getattr__(name: str) -> Any:
    if name != "document":
        raise AttributeError(f"module 'toolglot.agent' has no attribute {name!r}")
    from toolglot.agent.documents import document

    return document
