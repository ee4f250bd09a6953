"""What `convert`, `diff` and `migrate` report, in the one shape that every form of a report is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from toolglot.cli.reports.entries import (
    DANGER,
    GUESSED,
    LOST,
    MEANINGS,
    OTHER,
    RENAMED,
    RISKIER,
    SAFETY,
    ReportEntry,
    entries_of,
)
from toolglot.cli.reports.headline import headline
from toolglot.cli.terminal import count_noun
from toolglot.comparison.breaking_changes import BREAKING
from toolglot.comparison.breaking_changes import SAFETY as SAFETY_CLASS
from toolglot.comparison.difference import ContractChange, Difference
from toolglot.conversion.pipeline import Conversion
from toolglot.conversion.report import Report


class Pane(NamedTuple):
    """A text that entries lead into."""

    name: str
    text: str


class Sheet(NamedTuple):
    """A report before it has a form.

    Attributes:
        title: what was done.
        headline: what it comes to.
        entries: what happened, the gravest first.
        sources, results: texts to show side by side, where there are some.
        names_tools: whether entries are about several tools.
        meanings: of the marks of entries.
    """

    title: str
    headline: str
    entries: Sequence[ReportEntry]
    sources: Sequence[Pane] = ()
    results: Sequence[Pane] = ()
    names_tools: bool = True
    meanings: Mapping[str, str] = MEANINGS


def sheet_of_report(report: Report, sources: Sequence[Pane] = (), results: Sequence[Pane] = ()) -> Sheet:
    """The sheet of a conversion.

    >>> sheet_of_report(Report(origin="a", target="b", tools=2, sources=("x.json",))).title
    'x.json: a to b, 2 tools'
    """
    entries = entries_of(report)
    title = f"{report.origin} to {report.target}, {count_noun(report.tools, 'tool')}"
    name = count_noun(len(report.sources), "source")
    if len(report.sources) == 1:
        name = report.sources[0]
    if name:
        title = f"{name}: {title}"
    return Sheet(title, headline(entries), entries, sources, results, report.tools > 1)


def sheet_of_conversion(conversion: Conversion) -> Sheet:
    """The sheet of a conversion with the texts on both sides."""
    sources = [Pane(document.name or "source", document.text) for document in conversion.sources]
    results = [Pane(name, text) for name, text in conversion.files]
    return sheet_of_report(conversion.report_with_results(), sources, results)


def sheet_of_difference(difference: Difference) -> Sheet:
    """The sheet of a comparison."""
    entries: list[ReportEntry] = []
    for tool in difference.tools:
        entries += [_entry_of_contract(change, tool.id) for change in tool.changes]
    entries.sort(key=lambda entry: entry.weight)
    counts = [f"{number} {kind}" for kind, number in difference.counts().items()]
    text = f"{', '.join(counts) or 'no difference'}; needs {difference.needs}"
    if not difference.follows:
        text += ", and a version does not follow"
    title = f"Contracts: {count_noun(difference.compared, 'tool')} compared"
    return Sheet(title, text, entries, meanings=_OF_CONTRACTS)


_OF_CONTRACTS = {LOST: "gone", GUESSED: "new", RENAMED: "changed"}


def _entry_of_contract(change: ContractChange, tool: str) -> ReportEntry:
    reason = change.meaning
    if change.note:
        reason += f" ({change.note})"
    severity = "info"
    if change.kind in (BREAKING, SAFETY_CLASS):
        severity = "warning"
    return ReportEntry(
        weight=_weight_of_contract(change),
        mark=_mark_of_contract(change),
        kind=change.rule,
        tool=tool,
        field=change.pointer[1:].replace("/", "."),
        before=change.before,
        after=change.after,
        because=f"{change.kind}: {reason}",
        severity=severity,
        code=change.rule,
        identity=(change.rule, tool, change.pointer, change.before, change.after),
        source=change.source,
        line=change.line,
        column=change.column,
    )


def _mark_of_contract(change: ContractChange) -> str:
    if change.after is None and change.before is not None:
        return LOST
    if change.before is None:
        return GUESSED
    return RENAMED


def _weight_of_contract(change: ContractChange) -> int:
    if change.direction == "riskier":
        return RISKIER
    if change.kind == BREAKING:
        return DANGER
    if change.kind == SAFETY_CLASS:
        return SAFETY
    return OTHER


def sheet_of_migrations(reports: Iterable[Report], title: str, text: str) -> Sheet:
    """The sheet of a migration; `text` is what it comes to."""
    entries: list[ReportEntry] = []
    for report in reports:
        entries += entries_of(report)
    return Sheet(title, text, sorted(entries, key=lambda entry: entry.rank))
