"""`toolglot rule`: what the rules of `check` mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolglot import agent
from toolglot.cli.effects import effects
from toolglot.cli.terminal import print_result

if TYPE_CHECKING:
    from toolglot.formats.kit.rule import Rule


@effects()
@agent.arguments(code="The code of a rule, such as hidden-character.")
@click.command(short_help="Say what a rule of check means.")
@click.argument("code", required=False)
@click.option("--all", "every", is_flag=True, help="Print the pages of all rules.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["markdown", "json"]),
    default="markdown",
    show_default=True,
    help="The form of the output.",
)
def rule(code: str | None, every: bool, style: str) -> None:
    """Say what a rule of `check` means: why it is there, what to do, and an example.

    Without CODE the rules are listed.
    """
    from toolglot.diagnostics.pages import rule_page, rule_to_json
    from toolglot.diagnostics.rules import rules
    from toolglot.text.serialization import dump_json

    if code is not None:
        rule_list = [find_rule(code)]
    else:
        rule_list = list(rules().values())
    if style == "json" and code is not None:
        print_result(dump_json(rule_to_json(rule_list[0])))
    elif style == "json":
        print_result(dump_json(list(map(rule_to_json, rule_list))))
    elif code is not None or every:
        print_result("\n".join(map(rule_page, rule_list)))
    else:
        width = max(len(item.code) for item in rule_list)
        print_result("".join(f"{item.code:{width}}  {item.severity:7}  {item.family}\n" for item in rule_list))


def find_rule(code: str) -> Rule:
    """The rule of a code.

    Raises:
        UsageError: there is none; code `"unknown-rule"`.
    """
    from toolglot.diagnostics.rules import rules
    from toolglot.diagnostics.selection import unknown_rule

    if code not in rules():
        raise unknown_rule(code)
    return rules()[code]


def print_rule(code: str) -> None:
    """Print the page of a rule.

    Raises:
        UsageError: there is no such rule.
    """
    from toolglot.diagnostics.pages import rule_page

    print_result(rule_page(find_rule(code)))
