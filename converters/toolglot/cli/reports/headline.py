"""The first line of a report: what a conversion comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from toolglot.cli.reports.entries import (
    DANGER,
    GUESSED,
    LOOSER,
    LOST,
    MEANINGS,
    RENAMED,
    RISKIER,
    SAFETY,
    ReportEntry,
)
from toolglot.cli.terminal import count_noun


def headline(entries: Iterable[ReportEntry]) -> str:
    """What a conversion comes to, in one sentence.

    >>> headline([])
    'nothing lost, nothing guessed'
    """
    entries = [entry for entry in entries if not entry.is_carried]
    counts: Counter[str] = Counter()
    for entry in entries:
        counts[entry.mark] += entry.changes
    clauses: list[str] = []
    if not counts[LOST] and not counts[LOOSER]:
        clauses.append("nothing lost")
    for mark, word in MEANINGS.items():
        if counts[mark] and mark != RENAMED:
            clauses.append(f"{counts[mark]} {word}")
    if not counts[GUESSED]:
        clauses.append("nothing guessed")
    exclusions = _count_changes(entry for entry in entries if entry.code == "excluded-tool")
    if exclusions:
        clauses.append(f"{count_noun(exclusions, 'tool')} left out")
    return ", ".join(clauses) + _safety_clause(entries)


def _safety_clause(entries: Sequence[ReportEntry]) -> str:
    """Whether what happened can make anybody less careful."""
    riskier = _count_changes(entry for entry in entries if entry.weight == RISKIER)
    if riskier:
        return f"; it looks safer than the source in {count_noun(riskier, 'place')}, as you asserted"
    dangers = _count_changes(entry for entry in entries if entry.weight == DANGER)
    if dangers:
        return f"; {count_noun(dangers, 'danger')} no longer said"
    marks = {(entry.weight, entry.mark) for entry in entries}
    if (SAFETY, LOST) in marks:
        return "; no tool looks safer than its source"
    if any(mark in (LOST, LOOSER) for _, mark in marks):
        return "; nothing about safety lost"
    return ""


def _count_changes(entries: Iterable[ReportEntry]) -> int:
    return sum(entry.changes for entry in entries)
