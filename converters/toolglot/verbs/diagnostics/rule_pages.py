"""The page of a rule in the manual, as Markdown and as data. All of it comes from the rule itself."""

from __future__ import annotations

import json
import re
from typing import Any

from toolglot.converter.formats.kit.rule import Rule


def rule_page(rule: Rule) -> str:
    """The page of a rule."""
    facts = [f"Family `{rule.family}`", rule.severity]
    if rule.fixable:
        facts.append("put right by `toolglot check --fix`")
    if rule.is_on_request:
        facts.append(f"applied with `--require {rule.family}`")
    example = "" if rule.bad is None else _example(rule.bad)
    if rule.good is not None:
        example += f"\n\nPut right:\n\n{_example(rule.good)}"
    sections = {
        "Why": rule.why,
        "What to do": rule.mend,
        "Definition": rule.definition,
        "What it does not catch": rule.definition and rule.misses,
        "Example": example,
        "Source": rule.citation,
    }
    parts = [f"## {heading}\n\n{text}" for heading, text in sections.items() if text]
    return "\n\n".join([f"# {rule.code}", f"{', '.join(facts)}.", rule_summary(rule), *parts]) + "\n"


def rule_address(code: str, base_url: str) -> str:
    """The address of the page of a rule, below that of the documentation.

    >>> rule_address("html-comment", "https://docs.example/")
    'https://docs.example/rules/#html-comment'
    """
    return f"{base_url.rstrip('/')}/rules/#{code}"


def rule_summary(rule: Rule) -> str:
    """The message of a rule, with `...` in place of values."""
    text = re.sub(r"`?\{[^}]*\}`?", "...", rule.message)
    if not text.endswith("..."):
        text += "."
    return text[:1].upper() + text[1:]


_TOLD = (
    "code", "family", "severity", "message", "why", "mend", "citation", "definition", "misses", "fixable",
    "is_on_request", "bad", "good",
)  # fmt: skip
_RENAMED = {"citation": "source", "is_on_request": "on_request"}


def rule_to_json(rule: Rule) -> dict[str, Any]:
    """A rule as data."""
    return {_RENAMED.get(name, name): getattr(rule, name) for name in _TOLD}


_LONGEST = 1_500  # characters of an example; some show that a document is too long


def _example(example: Any) -> str:
    text = example if isinstance(example, str) else json.dumps(example, indent=2)  # with what nobody sees escaped
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}\n..."
    return f"```json\n{text.rstrip()}\n```"
