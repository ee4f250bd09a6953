"""`toolglot rule`: what the rules of `check` mean."""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.terminal import print_result


@effects()
@agent.arguments(code="The code of a rule, such as hidden-character.")
@options.command("rule", options.GroupedCommand)
@click.argument("code", required=False)
@options.flag("--all", "Print the pages of all rules.", "every")
@options.output_form("The form of the output.", "markdown", "json")
@options.together(("--all", "excludes", "code"))
def rule(code: str | None, every: bool, style: str) -> None:
    """Say what a rule of `check` means: why it is there, what to do, and an example.

    Without CODE the rules are listed.
    """
    # What `--help` need not wait for.
    from toolglot.converter.text.serialization import dump_json
    from toolglot.verbs.diagnostics.rule_pages import rule_page, rule_to_json
    from toolglot.verbs.diagnostics.rule_selection import unknown_rule
    from toolglot.verbs.diagnostics.rules import rules

    if code is not None and code not in rules():
        raise unknown_rule(code)
    all_rules = list(rules().values())
    if code is not None and style == "json":
        print_result(dump_json(rule_to_json(rules()[code])))
    elif code is not None:
        print_result(rule_page(rules()[code]))
    elif style == "json":
        print_result(dump_json(list(map(rule_to_json, all_rules))))
    elif every:
        print_result("\n".join(map(rule_page, all_rules)))
    else:
        width = max(len(one.code) for one in all_rules)
        print_result("".join(f"{one.code:{width}}  {one.severity:7}  {one.family}\n" for one in all_rules))
