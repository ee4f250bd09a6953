"""`toolglot rule`: what the rules of `check` mean."""

from __future__ import annotations

from toolglot.cli import options
from toolglot.cli.command_effects import effects


@effects()
@options.command("rule", options.GroupedCommand)
@options.argument("code", "A rule, such as hidden-character, or a family of rules, such as text.", required=False)
@options.output_form("The form of the output.", "markdown", "json")
@options.done_by("print_rules")
def rule() -> None:
    """Say what a rule of `check` means: why it is there, what to do, and an example.

    The rules of a family are listed; without CODE all are.
    """
