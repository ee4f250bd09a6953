"""`rule`: the page of one rule, or a list."""

from __future__ import annotations

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import align_columns, print_result
from toolglot.converter.text.serialization import dump_json
from toolglot.verbs.diagnostics.rule_names import codes_of
from toolglot.verbs.diagnostics.rule_pages import rule_page, rule_to_json
from toolglot.verbs.diagnostics.rules import rules


def print_rules(code: str | None, style: str) -> int:
    """Print what a rule means, or a list of several; the exit code.

    Args:
        code: a rule, or a family or a pattern of several; `None` stands for all.

    Raises:
        UsageError: there is no such rule, and no such family.
    """
    rule = rules().get(code or "")
    if rule is not None:
        print_result(dump_json(rule_to_json(rule)) if style == "json" else rule_page(rule))
        return Exit.DONE
    several = [rules()[one] for one in (rules() if code is None else codes_of([code]))]
    if style == "json":
        print_result(dump_json(list(map(rule_to_json, several))))
    else:
        print_result(align_columns([(one.code, one.severity, one.family) for one in several]))
    return Exit.DONE
