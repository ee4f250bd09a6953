"""What `convert`, `diff` and `migrate` report, in the one shape that every form of a report is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from toolglot.cli.reports.entries import entries_of, rank_of
from toolglot.cli.reports.headline import headline_of
from toolglot.converter.conversion.report import Change, Report
from toolglot.converter.conversion.result import Conversion
from toolglot.converter.text.wording import count_noun, cut_text

if TYPE_CHECKING:
    from toolglot.verbs.comparison.difference import Difference, ToolDifference  # that conversions do without


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
        notes: what else is to be known of a tool, or, without a name, of them all.
    """

    title: str
    headline: str
    entries: Sequence[Change]
    sources: Sequence[Pane] = ()
    results: Sequence[Pane] = ()
    names_tools: bool = True
    notes: Sequence[tuple[str, str]] = ()

    @property
    def opening(self) -> str:
        """The headline as a sentence of its own."""
        return self.headline[:1].upper() + self.headline[1:]


def sheet_of_report(report: Report, sources: Sequence[Pane] = (), results: Sequence[Pane] = ()) -> Sheet:
    """The sheet of a conversion.

    >>> sheet_of_report(Report(origin="a", target="b", tools=2, sources=("x.json",))).title
    'x.json: a to b, 2 tools'
    """
    title = f"{report.origin} to {report.target}, {count_noun(report.tools, 'tool')}"
    name = count_noun(len(report.sources), "source")
    if len(report.sources) == 1:
        name = report.sources[0]
    if name:
        title = f"{name}: {title}"
    return Sheet(title, headline_of(report), entries_of(report), sources, results, report.tools > 1)


def sheet_of_conversion(conversion: Conversion, shows_texts: bool = True) -> Sheet:
    """The sheet of a conversion, with the texts on both sides if it shows them."""
    if not shows_texts:
        return sheet_of_report(conversion.report)
    sources = [Pane(document.name or "source", document.text) for document in conversion.sources]
    results = [Pane(name, text) for name, text in conversion.files]
    return sheet_of_report(conversion.report_with_results(), sources, results)


def sheet_of_difference(difference: Difference) -> Sheet:
    """The sheet of a comparison."""
    entries: list[Change] = []
    notes = [("", f"{describe_uncompared(difference)}.")] if difference.not_comparable else []
    for tool in difference.tools:
        entries += sorted(tool.changes, key=lambda change: change.direction != "riskier")  # then the gravest class
        notes += [(tool.id, note) for note in (describe_versions(tool), *notes_of_tool(tool))]
    text = f"{count_changes(difference)}; needs {difference.needs}"
    if not difference.follows:
        text += ", and a version does not follow"
    title = f"Contracts: {count_noun(difference.compared, 'tool')} compared"
    return Sheet(title, text, entries, notes=notes)


def count_changes(difference: Difference, no_change: str = "no difference") -> str:
    """Such as `1 breaking, 2 compatible`."""
    return ", ".join(f"{number} {kind}" for kind, number in difference.counts().items()) or no_change


def describe_uncompared(difference: Difference) -> str:
    """Which fields only one of the two formats has."""
    return f"not compared, because one of the formats cannot say it: {', '.join(difference.not_comparable)}"


def describe_versions(tool: ToolDifference) -> str:
    """Such as `1.0.0 -> 1.1.0, needs major, got minor`."""
    versions = [shorten_name(version) for version in (tool.old_version, tool.new_version) if version]
    text = " -> ".join(dict.fromkeys(versions)) or "no version"
    text += f", needs {tool.needs}"
    if tool.follows:
        return text
    if tool.given == "unknown":
        return f"{text}, and no version says so"
    return f"{text}, got {tool.given}"


def notes_of_tool(tool: ToolDifference) -> Iterator[str]:
    """What else there is to know of a tool."""
    if tool.looks_like:
        is_there = "is new and has" if tool.status == "removed" else "is gone and had"
        yield f"{shorten_name(tool.looks_like)} {is_there} the same contract; perhaps the tool was renamed"
    if tool.warning:
        yield tool.warning


_LONGEST_NAME = 120  # characters of a tool's name


def shorten_name(text: str) -> str:
    """A name, or the beginning of a long one."""
    return cut_text(text, _LONGEST_NAME)


def sheet_of_migrations(reports: Iterable[Report], title: str, text: str) -> Sheet:
    """The sheet of a migration; `text` is what it comes to."""
    entries = [entry for report in reports for entry in entries_of(report)]
    return Sheet(title, text, sorted(entries, key=rank_of))
