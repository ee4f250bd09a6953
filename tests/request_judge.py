"""Whether the tools of a request keep to its budget, judged apart from the planning of a request.

Only tests ask: the program spends a budget as it goes, and never exceeds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolglot.converter.fitting.provider_rules import ProviderRules, RuleFault
from toolglot.converter.schema.keywords import walk


def request_violations(tools: Sequence[tuple[dict[str, Any] | None, bool]], rules: ProviderRules) -> list[RuleFault]:
    """What is wrong with the tools of one request together.

    Args:
        tools: the schema of each tool, and whether it is strict.
        rules: a row of the table of profiles.
    """
    budget = rules.budget
    strict = [schema for schema, is_strict in tools if is_strict]
    spent = []
    if budget.optional is not None or budget.unions is not None:
        spent = [spends(schema) for schema in strict]
    counts = (
        ("tools", "tools", budget.tools, len(tools)),
        ("strict_tools", "strict tools", budget.strict_tools, len(strict)),
        ("optional", "optional parameters in strict tools", budget.optional, sum(count for count, _ in spent)),
        ("unions", "parameters with alternatives in strict tools", budget.unions, sum(count for _, count in spent)),
    )
    return [
        RuleFault("", f"budget.{name}", f"a request has at most {limit} {what}, not {count}")
        for name, what, limit, count in counts
        if limit is not None and count > limit
    ]


def spends(schema: dict[str, Any] | None) -> tuple[int, int]:
    """Optional parameters and unions that are reached without following a reference."""
    optional = unions = 0
    for _, node in walk({key: value for key, value in (schema or {}).items() if key != "$defs"}):
        if isinstance(node, dict):
            optional += len(node.get("properties", {}).keys() - set(node.get("required", ())))
            unions += "anyOf" in node or isinstance(node.get("type"), list)
    return optional, unions
