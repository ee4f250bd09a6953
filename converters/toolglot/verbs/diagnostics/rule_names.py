"""Selectors of rules: codes, families, patterns of codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError
from toolglot.verbs.diagnostics.rules import rules

ALL = "ALL"

_LONGEST = 100
"""Characters of a pattern of codes: one of a million, which may stand in anybody's settings, takes minutes."""


def codes_of(selectors: Iterable[str]) -> Iterator[str]:
    """The codes that match selectors.

    Raises:
        UsageError: a selector matches none; code `"unknown-rule"`.
    """
    for selector in selectors:
        codes = list(codes_meant(selector))
        if not codes:
            families = sorted({rule.family for rule in rules().values()})
            usual_hint = f"the families are {', '.join(families)}"
            hint = suggestion(selector.lower()[:_LONGEST], [*rules(), *families], usual_hint, mark="'")
            raise UsageError(f"there is no rule and no family {selector!r}", code="unknown-rule", hint=hint)
        yield from codes


def codes_meant(selector: str) -> Iterator[str]:
    """The codes that match one selector."""
    for code, rule in rules().items():
        is_pattern_of_it = "*" in selector and len(selector) <= _LONGEST and fnmatchcase(code, selector)
        is_among_many = selector == ALL or is_pattern_of_it
        if selector in (code, rule.family) or (is_among_many and not rule.is_on_request):
            yield code
