"""`toolglot rule`: what the rules of `check` mean."""

from __future__ import annotations

from typing import Any

from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.commands import carry_out


@effects()
@options.command("rule", options.GroupedCommand)
@options.argument("code", "The code of a rule, such as hidden-character.", required=False)
@options.output_form("The form of the output.", "markdown", "json")
def rule(**values: Any) -> int:
    """Say what a rule of `check` means: why it is there, what to do, and an example.

    Without CODE the rules are listed.
    """
    return carry_out("print_rules", **values)
