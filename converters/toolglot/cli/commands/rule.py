"""`toolglot rule`: what the rules of `check` mean."""

from __future__ import annotations

from typing import Any

from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.commands import carry_out


@effects()
@options.command("rule", options.GroupedCommand)
@options.argument("code", "A rule, such as hidden-character, or a family of rules, such as text.", required=False)
@options.output_form("The form of the output.", "markdown", "json")
def rule(**values: Any) -> int:
    """Say what a rule of `check` means: why it is there, what to do, and an example.

    The rules of a family are listed; without CODE all are.
    """
    return carry_out("print_rules", **values)
