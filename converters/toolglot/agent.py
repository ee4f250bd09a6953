"""A program describes itself: one line gives a click, typer or argparse program its `--agent`.

    agent.click(cli)        # or @agent.click above the decorator of click
    agent.typer(app)
    agent.argparse(parser)

`PROGRAM --agent` then prints what the program's own parser knows: commands, arguments, options, types, choices,
defaults, environment variables. What a signature cannot say is stated above a command:

    @agent.effects(destructive=True, network=True)
    @agent.example("notes purge --before 2024-01-01")

What nobody states stays unknown, and unknown is never safe. `document` is the same text for a test.
"""

from __future__ import annotations

from toolglot.runtime.agent.decorators import arguments, auth, effects, example
from toolglot.runtime.agent.flag import argparse, click, typer

__all__ = ["argparse", "arguments", "auth", "click", "document", "effects", "example", "typer"]

TYPE_CHECKING = False  # not that of `typing`: each program that uses this would wait for that whenever it starts
if TYPE_CHECKING:
    from toolglot.runtime.agent.descriptions import document
else:  # to a type checker, this would make every misspelled name one of ours

    def __getattr__(name: str) -> object:
        if name != "document":
            raise AttributeError(f"module 'toolglot.agent' has no attribute {name!r}")
        from toolglot.runtime.agent.descriptions import document

        return document
