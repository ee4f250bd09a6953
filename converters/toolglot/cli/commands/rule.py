"""`toolglot rule`: what the rules of `check` mean."""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.effects import effects


@effects()
@agent.arguments(code="The code of a rule, such as hidden-character.")
@click.command(short_help="Say what a rule of check means.")
@click.argument("code", required=False)
@click.option("--all", "every", is_flag=True, help="Print the pages of all rules.")
@options.output_form("The form of the output.", "markdown", "json")
def rule(code: str | None, every: bool, style: str) -> None:
    """Say what a rule of `check` means: why it is there, what to do, and an example.

    Without CODE the rules are listed.
    """
    from toolglot.cli.commands.rule_pages import print_rule, print_rules  # what `--help` need not wait for

    if code is not None:
        print_rule(code, style)
    else:
        print_rules(style, has_pages=every)
