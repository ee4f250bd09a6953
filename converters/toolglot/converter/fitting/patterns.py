"""Regular expressions within what `ProviderRules.pattern` allows.

There are two questions, because there are doubtful patterns. A fitted schema keeps only a pattern that is certainly
accepted; `check` reports only one that is certainly refused.
"""

from __future__ import annotations

import re

from toolglot.converter.text.foreign_patterns import compile_foreign

# Signs that stand for more than a simple pattern has, wherever they stand.
_NOT_SIMPLE = re.compile(r"\(\?|\\[1-9kbBAZzGpPuxc]|\{[0-9]{4,}|\{[0-9]*,[0-9]{4,}")

# What Python warns of, because a later one may read it otherwise.
_MAY_WARN = re.compile(r"\[\[|--|&&|~~|\|\||\(\?\(")

_LONGEST = 10_000  # characters; Python keeps the last 500 that it compiled, each ten times as large

_LOOKAROUND_GROUPS = frozenset({"(?=", "(?!", "(?<=", "(?<!"})
# A part that surely is more than a simple pattern has: such a group, a back reference, a count of four digits.
_BEYOND_SIMPLE = re.compile(r"\(\?[^:]|\\[1-9bB]|\{.*[0-9]{4}", re.DOTALL)


def is_accepted(pattern: str, dialect: str) -> bool:
    """Whether `ProviderRules.pattern` certainly allows a pattern.

    >>> is_accepted("^(?!a)", "python"), is_accepted("^(?!a)", "no-lookaround"), is_accepted("[(?!]", "no-lookaround")
    (True, False, True)
    """
    if dialect == "any":
        return True
    if len(pattern) > _LONGEST or not _compiles(pattern):
        return False
    if dialect == "python":
        return True
    if dialect == "no-lookaround":
        return _LOOKAROUND_GROUPS.isdisjoint(_parts(pattern))
    return not _NOT_SIMPLE.search(pattern)


def is_refused(pattern: str, dialect: str) -> bool:
    """Whether `ProviderRules.pattern` certainly forbids a pattern; signs in a character class do not count.

    >>> is_refused("^(?!a)", "no-lookaround"), is_refused("[(?!]", "no-lookaround")
    (True, False)
    """
    if len(pattern) > _LONGEST:
        return False
    if dialect != "simple" or not _compiles(pattern):  # where there is no doubt
        return not is_accepted(pattern, dialect)
    return any(map(_BEYOND_SIMPLE.match, _parts(pattern)))


def _compiles(pattern: str) -> bool:
    compile_pattern = compile_foreign if _MAY_WARN.search(pattern) else re.compile
    try:
        compile_pattern(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _parts(pattern: str) -> set[str]:
    """The special parts of a pattern outside of its character classes: escapes, openings of groups, counts."""
    text = re.sub(r"(\\.)|\[\^?\]?(?:\\.|[^\]\\])*\]", r"\1", pattern, flags=re.DOTALL)
    return set(re.findall(r"\\.|\(\?<?.|\{[0-9,]+\}", text, flags=re.DOTALL))
