"""The report on a terminal: at most six lines a tool, and never more than a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from toolglot.cli.reports.entries import rank_of
from toolglot.cli.reports.entry_tally import TO_KEEP, TO_STATE, TO_TAKE_BACK, EntryTally
from toolglot.cli.reports.entry_texts import LONGEST_VALUE
from toolglot.cli.reports.grouping import Cluster, Item, ReportLine, group_items
from toolglot.cli.reports.headline import header
from toolglot.cli.terminal import colour_text
from toolglot.converter.conversion.categories import UNSTATED, Category
from toolglot.converter.conversion.report import Report
from toolglot.converter.text.sequences import group_by
from toolglot.converter.text.wording import count_noun
from toolglot.errors import escape_unseen

_LINES = 7  # of the whole report

# what to do about a report -> what it is good for; the whole list is named behind the first
_REMEDIES = {TO_STATE: "To state them", TO_KEEP: "To get back later what is lost", TO_TAKE_BACK: "To get it all back"}

_WIDTH = 120  # characters for what happened to fields; the reason comes after it
_NAMES = 150  # characters where only the names of fields are left
_TOOLS = 34  # characters for names of tools
_NAMED = 3  # fields of a cluster that are named


def text_report(report: Report) -> Iterator[str]:
    """The lines of the report: the headline, what happened, the gravest first, and what to do next.

    >>> print(*text_report(Report(origin="a", target="b", tools=1, sources=("x.json",))))
    x.json  a -> b, 1 tool: every danger said, nothing else lost
    """
    tally = EntryTally()
    tally.add(report)
    yield from tally_to_text(tally, report.target, "-v")


def tally_to_text(
    tally: EntryTally, to: str, whole_list: str | None, is_verbose: bool = False, has_remedies: bool = True
) -> Iterator[str]:
    """The lines of a report of several reports.

    Args:
        to: what was written.
        whole_list: the option that tells more; `None` where the command has none.
        is_verbose: whether every kind of change is told, on as many lines as it takes.
        has_remedies: whether the command has the options under which less would be lost.
    """
    items = sorted(tally.kinds.values(), key=lambda item: rank_of(item.first))
    yield header(tally, to, items)
    # One that was left out is no tool of the result.
    names_tools = tally.tools > 1 or len({tool for item in items for tool in item.tools if tool}) > 1
    for row in group_items(items, len(items) if is_verbose else _LINES - 2):  # without the first and the last
        yield f"  {_row_line(row, tally, names_tools)}"
    remedies = tally.remedies if has_remedies else ()
    hints = [f"{purpose}: {remedy}." for remedy, purpose in _REMEDIES.items() if remedy in remedies]
    if whole_list is not None:
        hints.insert(TO_STATE in remedies, f"The whole list: {whole_list}.")
    last = " ".join(hints)
    if items and last:
        yield f"  {last}"


def _name_tools(row: ReportLine, tally: EntryTally) -> str:
    """Which tools a row is about."""
    number = row.tool_count
    names = ", ".join(tool or "the document" for tool in row.tools)
    is_short = number == 1 or (number <= _NAMED and len(names) <= _TOOLS)
    if is_short and number == len(row.tools):
        text = escape_unseen(names)
        if len(text) <= _TOOLS:
            return text
        return f"{text[: _TOOLS - 1]}…"
    if not any(row.tools):
        return count_noun(number, "document")
    return count_noun(number, "command" if tally.has_commands else "tool")


def _row_line(row: ReportLine, tally: EntryTally, names_tools: bool) -> str:
    """A mark, the tools, what happened to their fields, and why.

    Args:
        names_tools: whether a row of one tool says which.
    """
    mark = row.mark
    if row.is_grave or row.is_warning:
        mark = colour_text(mark, fg="red" if row.is_grave else "yellow", bold=True)
    has_lines = len(tally.sources) == 1
    clusters = row.clusters
    is_new_name = len(row.items) == 1 and row.items[0].first.category is Category.SPELLING  # whose example says how
    if row.tool_count > 1 and not is_new_name:
        parts = list(_describe_clusters(row, clusters))
    elif any(cluster.end for cluster in clusters):
        parts = list(_join_clusters(clusters, has_lines))
    else:
        parts = [_join_items(row.items, has_lines)]
    if row.tool_count > 1:
        parts.insert(0, _name_tools(row, tally))
    text = " · ".join(parts)
    if row.tool_count == 1 and names_tools:
        text = f"{_name_tools(row, tally)}: {text}"
    if row.because:
        text += colour_text(f"   {escape_unseen(row.because)}", dim=True)
    return f"{mark} {text}"


def _describe_clusters(row: ReportLine, clusters: Sequence[Cluster]) -> Iterator[str]:
    """The fields of several tools; of each reason how many changes it has, unless that is plain, and what it adds."""
    for cluster in clusters:
        shown = [escape_unseen(name) for name in cluster.names[:_NAMED]]
        if len(cluster.names) > _NAMED:
            shown.append("...")
        if len(clusters) > 1:
            end = f"; {escape_unseen(cluster.end)}" if cluster.end else ""
            yield f"{', '.join(shown)} ({cluster.number}{end})"
        elif cluster.number != row.tool_count * len(cluster.names):
            yield f"{' · '.join(shown)} ({cluster.number} places)"
        else:
            yield from shown


def _join_clusters(clusters: Iterable[Cluster], has_lines: bool) -> Iterator[str]:
    """The fields of one tool; of each reason what it adds."""
    for cluster in clusters:
        text = _join_items(cluster.items, has_lines)
        yield f"{text} ({escape_unseen(cluster.end)})" if cluster.end else text


def _join_items(items: Sequence[Item], has_lines: bool) -> str:
    """What happened to each field, in shorter and shorter words until it fits; in the end some are only counted."""
    for longest in (LONGEST_VALUE, LONGEST_VALUE // 2, LONGEST_VALUE // 4):
        # What a program says of its options is two fields of the hub and one of its document: it is told once.
        text = " · ".join(dict.fromkeys(_describe_item(item, has_lines, longest) for item in items))
        if len(text) <= _WIDTH or len(items) == 1:
            return text
    text, remaining_count = "", len(items)
    for number, names in _names_of(items):
        if not text:
            text = names
        elif len(text) + len(names) > _NAMES:
            return f"{text} · and {remaining_count} more"
        else:
            text += f" · {names}"
        remaining_count -= number
    return text


def _names_of(items: Iterable[Item]) -> Iterator[tuple[int, str]]:
    """The names of fields, those of one object together, and how many they are."""
    fields = (escape_unseen(item.field).rpartition(".") for item in items)
    for similar in group_by(fields, itemgetter(0)).values():
        parent, names = similar[0][0], [name for _, _, name in similar]
        if not parent:
            yield from ((number, name) for name, number in Counter(names).items())
        elif len(names) == 1:
            yield 1, f"{parent}.{names[0]}"
        else:
            yield len(names), f"{parent}: {', '.join(names)}"


def _describe_item(item: Item, has_lines: bool, longest: int) -> str:
    text = escape_unseen(item.field or "the whole result")
    category = item.first.category
    value = "" if category is Category.LOST or item.first.is_marked else item.value(longest)
    if value:
        text += f": {value}"
    if has_lines and item.line is not None and category not in UNSTATED:
        text += f" :{item.line}"
    elif item.number > item.tool_bits.bit_count():
        text += f" ({item.number} places)"
    return text
