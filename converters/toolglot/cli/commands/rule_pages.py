"""What `toolglot rule` prints: the page of a rule, those of all rules, or a list of them."""

from __future__ import annotations

from toolglot.cli.terminal import print_result
from toolglot.diagnostics.rule_pages import rule_page, rule_to_json
from toolglot.diagnostics.rule_selection import unknown_rule
from toolglot.diagnostics.rules import rules
from toolglot.formats.kit.rule import Rule
from toolglot.text.serialization import dump_json


def print_rule(code: str, style: str = "markdown") -> None:
    """Print the page of a rule, or what it says as JSON.

    Raises:
        UsageError: there is no such rule; code `"unknown-rule"`.
    """
    rule = _find_rule(code)
    if style == "json":
        print_result(dump_json(rule_to_json(rule)))
    else:
        print_result(rule_page(rule))


def print_rules(style: str, has_pages: bool) -> None:
    """Print all rules: their pages, as JSON, or a line for each."""
    rule_list = list(rules().values())
    if style == "json":
        print_result(dump_json(list(map(rule_to_json, rule_list))))
    elif has_pages:
        print_result("\n".join(map(rule_page, rule_list)))
    else:
        width = max(len(rule.code) for rule in rule_list)
        print_result("".join(f"{rule.code:{width}}  {rule.severity:7}  {rule.family}\n" for rule in rule_list))


def _find_rule(code: str) -> Rule:
    if code not in rules():
        raise unknown_rule(code)
    return rules()[code]
