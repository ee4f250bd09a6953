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

flag               `--agent` in a program of click, typer or argparse: the one line that gives it
requests           what stands behind `--agent`, and whether the word is ours
answers            what `--agent` prints
descriptions       the description of a program, whole or the part that is asked for
decorators         what people state above a command
    decorator_types   the words for it, as an editor completes them
click_commands     the commands of click and typer as tools
argparse_parsers   the parsers of argparse as tools
    parsed_commands     what a parser of either knows of one command
    parsed_parameters   what it knows of parameters: types, defaults
named_programs     a program that somebody names: its module is imported, and no command runs
"""

from __future__ import annotations

from toolglot.agent.decorators import arguments, auth, effects, example
from toolglot.agent.flag import argparse, click, typer

__all__ = ["argparse", "arguments", "auth", "click", "document", "effects", "example", "typer"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolglot.agent.descriptions import document
else:  # to a type checker, this would make every misspelled name one of ours

    def __getattr__(name: str) -> object:
        if name != "document":
            raise AttributeError(f"module 'toolglot.agent' has no attribute {name!r}")
        from toolglot.agent.descriptions import document

        return document
