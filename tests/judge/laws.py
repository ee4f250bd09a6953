"""Law 3 by the judge: what the last document of a chain says about each tool, held against what the first one says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from judge.statements import DANGER, FACETS, NEVER, SAID_BY_ALL, UNKNOWN, Statement
from judge.words import hear

PROVIDERS = frozenset({"openai", "anthropic", "gemini"})
_OPEN = ("hub",)  # a document of it keeps which format it came from, and goes back there unchanged


class Fault(NamedTuple):
    """One tool that came out looking safer: how, on which facet, and which one."""

    kind: str
    facet: str
    tool: str


def faults(first: Statement, last: Statement, chain: Sequence[str]) -> list[Fault]:
    """Where a tool looks safer at the end of a chain of formats than at its beginning, or is warned of more often.

    A danger may fade to unknown only on a facet that a provider on the way leaves out, and never to a safe statement.
    """
    found = [Fault("faded", facet, first.name) for facet in _faded(first, last, chain)]
    found += [Fault("twice", words, first.name) for words in _repeated(first, last)]
    if not set(chain) <= {chain[0], *_OPEN}:  # what stays in its format says what it said
        found += [Fault("denied", facet, first.name) for facet in _denied(first, last)]
    return found


def _faded(first: Statement, last: Statement, chain: Sequence[str]) -> list[str]:
    silent = PROVIDERS & set(chain[1:])
    found = []
    for facet in FACETS:
        if silent and facet not in SAID_BY_ALL:
            continue
        if facet == "approval":
            asked = first.approval()
            if asked > UNKNOWN and last.approval() < asked:
                found.append(facet)
        elif first.level(facet) == DANGER and not _is_said(last, facet):
            found.append(facet)
    return found


def _repeated(first: Statement, last: Statement) -> list[str]:
    """Warnings that the last description has more than once, and more often than all the first texts together."""
    description = Statement(last.name)
    hear(description, *last.texts[:1])
    said, whole = Counter(first.warnings), " ".join(first.texts).lower()
    return [
        words
        for words, count in Counter(description.warnings).items()
        if count > max(1, said[words], whole.count(words.lower()))
    ]


def _is_said(last: Statement, facet: str) -> bool:
    if facet == "removes" and last.level("destructive") == DANGER:
        return True  # whoever is told that data is destroyed is told that it is deleted
    return last.level(facet) == DANGER


def _denied(first: Statement, last: Statement) -> list[str]:
    """Safe statements of the last document that the first one does not make."""
    safe = first.safe()
    found = [facet for facet in FACETS if facet in last.claims and facet not in safe]
    if "additive" in last.claims and not first.additive:
        found.append("additive")
    if "replay" in last.claims - first.claims and "unrepeatable" not in safe:
        found.append("replay")
    if "closed" in last.claims and first.level("executes") == DANGER:
        found.append("closed")
    never = NEVER in (last.asks, last.asks_by_default if last.asks is None else None)
    if never and first.approval() != NEVER and "approval" not in found:
        found.append("approval")
    if last.says_read_only and not first.says_read_only and not {"network", "writes"} <= safe:
        found.append("read-only")
    return found
