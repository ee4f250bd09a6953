"""`rule`: the page of one rule, or the list of all."""

from __future__ import annotations

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import align_columns, print_result
from toolglot.converter.text.serialization import dump_json
from toolglot.verbs.diagnostics.rule_pages import rule_page, rule_to_json
from toolglot.verbs.diagnostics.rule_selection import unknown_rule
from toolglot.verbs.diagnostics.rules import rules


def print_rules(code: str | None, style: str) -> int:
    """Print what a rule means, or the list of all; the exit code.

    Args:
        code: the rule; `None` stands for all.

    Raises:
        UsageError: there is no such rule.
    """
    if code is not None and code not in rules():
        raise unknown_rule(code)
    all_rules = list(rules().values())
    if code is not None and style == "json":
        print_result(dump_json(rule_to_json(rules()[code])))
    elif code is not None:
        print_result(rule_page(rules()[code]))
    elif style == "json":
        print_result(dump_json(list(map(rule_to_json, all_rules))))
    else:
        print_result(align_columns([(one.code, one.severity, one.family) for one in all_rules]))
    return Exit.DONE
