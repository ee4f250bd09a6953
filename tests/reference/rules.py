"""`docs/reference/rules.md`: the rules of `check`, each with what it costs in false alarms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from golden import ROOT
from rule_rates import GROUPS, PATH
from toolglot.converter.formats.kit.rule import Rule
from toolglot.verbs.diagnostics.rule_pages import rule_summary
from toolglot.verbs.diagnostics.rules import rules

RATES = ROOT / "tests/data/manipulation-rates.json"

HEAD = """# Rules of check

This page is generated from the rules. `toolglot rule CODE` prints the page of one, with an example. `--select`,
`--ignore` and `--extend-select` take codes, families, patterns such as `schema-*`, and `ALL`. Rules of severity
*info* are printed with `-v`, or when they are selected. `*` marks rules that `--fix` corrects. The families at the
end are requirements of a directory or a provider, which `--require NAME` applies.

The numbers are tools of real documents, presumed harmless, in which the rule finds something: {groups}. Of the tools
of MCP servers, the rules of the family `text` warn of {suspected} ({share:.2%}). A blank is none. Of two numbers the
second is that of notes.

Of {tools:,} tools of public servers that no rule and no weight has seen, the rules of the family `text` warn of
{warning}, and name {info} on request. [manipulation.md](../internals/manipulation.md) says which of them
decide and which one guesses, how many poisoned descriptions they find, and which findings were read by hand.
"""

NOT_BUILT = """## What is no rule

Measured, and more often wrong than right, or true and harmless: words such as *important* or *critical* (8 % of the
tools of agents, none of them hostile), praise (*best for*, *official*), any address, hyphens and capitals in names,
the number of verbs, missing limits of time or rate, similar names, a quoted value that no enum has, *required when*
beside a parameter that is not required.
"""

_FAMILIES = {
    "text": "What hides in texts",
    "safety": "Facts and hints about danger",
    "meaning": "What a model is told",
    "tool-schemas": "Schemas that contradict themselves",
    "identity": "Names",
    "size": "What definitions cost",
    "suppressions": "Comments that ignore findings",
    "syntax": "Whether a document can be read",
    "schema": "The canonical schemas",
    "provider": "What providers refuse of their own definitions",
}


def page() -> str:
    """The whole page."""
    rates = json.loads(PATH.read_text(encoding="utf-8"))
    groups = ", ".join(f"{rates['tools'][name]:,} of {title}" for name, title in GROUPS.items())
    suspected = rates["suspected"]["mcp"]
    share = suspected / rates["tools"]["mcp"]
    unseen = json.loads(RATES.read_text(encoding="utf-8"))["public servers, unseen"]
    parts = [HEAD.format(groups=groups, suspected=suspected, share=share, **unseen)]
    by_family: dict[str, list[Rule]] = {}
    for rule in rules().values():
        by_family.setdefault(rule.family, []).append(rule)
    own = [name for name in by_family if name not in _FAMILIES]
    for family in (*_FAMILIES, *sorted(own, key=lambda name: (by_family[name][0].is_on_request, name))):
        title = _FAMILIES.get(family) or (
            f"Requirements of {family}" if by_family[family][0].is_on_request else f"Format {family}"
        )
        parts.append(f"## {title}: `{family}`\n\n{_table(by_family[family], rates['hits'])}\n")
    return "\n".join([*parts, NOT_BUILT])


def decided_rules() -> str:
    """The rules that warn of texts, each with what it finds and misses, for `docs/internals/manipulation.md`."""
    lines = ["| code |  | finds exactly | does not catch |", "| --- | --- | --- | --- |"]
    for rule in rules().values():
        if rule.definition:
            cells = (f"`{rule.code}`", rule.severity, rule.definition, rule.misses)
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


def manipulation_rates() -> str:
    """What the rules about texts say of tools that no weight was made of, for `docs/internals/manipulation.md`."""
    rates = json.loads(RATES.read_text(encoding="utf-8"))
    lines = ["| tools | how many | warning or above | info or above |", "| --- | ---: | ---: | ---: |"]
    for name, rate in rates.items():
        shares = " | ".join(f"{rate[level]} ({rate[level] / rate['tools']:.1%})" for level in ("warning", "info"))
        lines.append(f"| {name} | {rate['tools']:,} | {shares} |")
    return "\n".join(lines)


def _table(family: Sequence[Rule], hits: Mapping[str, Any]) -> str:
    is_measured = any(rule.code in hits for rule in family)
    heads = ["code", "", "finds", "what to do", *(GROUPS.values() if is_measured else ())]
    lines = [f"| {' | '.join(heads)} |", "| --- " * 4 + "| ---: " * (len(heads) - 4) + "|"]
    for rule in family:
        mark = f"{rule.severity}{' *' if rule.fixable else ''}"
        cells = [f"`{rule.code}`", mark, rule_summary(rule), rule.mend]
        if is_measured:
            cells += [_rate(rule, group, hits.get(rule.code, {})) for group in GROUPS]
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


def _rate(rule: Rule, group: str, of_rule: Mapping[str, Mapping[str, int]]) -> str:
    graver = sum(counts.get(group, 0) for severity, counts in of_rule.items() if severity != "info")
    info = of_rule.get("info", {}).get(group, 0)
    if rule.severity == "info":
        return f"{info:,}" if info else ""
    if info:
        return f"{graver:,} + {info:,}"
    return f"{graver:,}" if graver else ""
