"""The first line of a report: what a conversion comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from toolglot.cli.reports.entries import entries_of
from toolglot.cli.reports.entry_tally import EntryTally
from toolglot.cli.reports.grouping import Item, gather_items
from toolglot.cli.terminal import colour_text
from toolglot.converter.conversion.categories import Category
from toolglot.converter.conversion.report import Report
from toolglot.converter.text.wording import count_noun
from toolglot.errors import escape_unseen


def header(tally: EntryTally, to: str, items: Sequence[Item]) -> str:
    """The first line of a report about sources: which, what they were and became, and what the conversion comes to."""
    source = f"{len(tally.sources)} sources"
    if len(tally.sources) == 1:
        source = escape_unseen(*tally.sources)
    way = f"{', '.join(tally.origins)} -> {to}, {count_noun(tally.tools, 'tool')}"
    colour: str | None = None
    if any(item.first.direction == "riskier" for item in items):
        colour = "red"
    line = f"{way}: {colour_text(headline(items, tally.tools, tally.silent_tools), bold=True, fg=colour)}"
    if source:
        return f"{source}  {line}"
    return line


def headline_of(report: Report) -> str:
    """What one conversion comes to, as `headline` says it."""
    return headline(gather_items(entries_of(report)), report.tools, report.silent_tools)


def headline(items: Iterable[Item], tools: int, silent_tools: int) -> str:
    """What a conversion comes to, in one sentence: the dangers, what is lost, and what nobody states.

    Args:
        items: of its report, without bookkeeping.
        tools: how many tools it is about.
        silent_tools: of how many of them nobody states the effects.

    >>> headline([], tools=3, silent_tools=2)
    'every danger said, nothing else lost, 2 tools whose effects nobody states'
    """
    counts: Counter[Category] = Counter()
    vouched_dangers = left_out = 0
    for item in items:
        counts[item.first.category] += item.number
        if item.first.category is Category.VOUCHED and item.first.direction == "riskier":
            vouched_dangers += item.number
        if item.first.action == "excluded":
            left_out += item.number
    clauses = ["every danger said"]
    if vouched_dangers:
        clauses = [f"{count_noun(vouched_dangers, 'danger')} on your word"]
    elif counts[Category.NOT_FOUND]:
        clauses = [f"{count_noun(counts[Category.NOT_FOUND], 'danger')} could not be looked up"]
    lost, wider = counts[Category.LOST], counts[Category.WIDER]
    if lost:
        clauses.append(count_noun(lost, "other loss"))
    elif not wider:
        clauses.append("nothing else lost")
    if wider:
        clauses.append(f"{wider} accept{'s' if wider == 1 else ''} more")
    facts = counts[Category.UNSTATED] + counts[Category.FILLED_IN]
    if tools > 1 and silent_tools:
        clauses.append(f"{count_noun(silent_tools, 'tool')} whose effects nobody states")
    elif facts:
        clauses.append(f"{count_noun(facts, 'fact')} that nobody states")
    if left_out:
        clauses.append(f"{count_noun(left_out, 'tool')} left out")
    return ", ".join(clauses)
