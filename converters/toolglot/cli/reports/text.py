"""The report on a terminal: at most six lines a tool and never more than a screen, or, with `-v`, every change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from toolglot.cli.reports.entries import (
    GUESSED,
    LONGEST_VALUE,
    MARKS,
    MEANINGS,
    RISKIER,
    WIDER,
    ReportEntry,
    entries_of,
)
from toolglot.cli.reports.grouping import Item, ReportLine, Rest, group_entries, is_alarming
from toolglot.cli.reports.headline import headline
from toolglot.cli.terminal import colour_text, count_noun, escape_controls
from toolglot.conversion.report import Change, Report
from toolglot.conversion.report_wording import ACTIONS, CARRIED, LOSSES
from toolglot.errors import location
from toolglot.hub.model import to_json
from toolglot.text.wording import to_short_json

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}  # of severities, the gravest first

_LINES_A_TOOL = 6
_SCREEN = 24  # lines of the whole report

# option of `convert` -> what it is good for
_REMEDIES = {
    "--safety-text full": "To say these dangers",
    "--lossless": "To get back later what is lost",
    "--restore": "To get it all back",
}

_WIDTH = 120  # characters for what happened to fields; the reason comes after it
_NAMES = 150  # characters where only the names of fields are left
_TOOLS = 34  # characters for names of tools


def text_report(report: Report) -> Iterator[str]:
    """The lines of the report: the headline, what happened, the gravest first, and what to do next.

    >>> print(*text_report(Report(origin="a", target="b", tools=1, sources=("x.json",))))
    x.json  a -> b, 1 tool: nothing lost, nothing guessed
    """
    if any(change.command for change in report.changes):
        noun = "command"
    else:
        noun = "tool"
    head = ReportHead(report.origin, report.target, report.tools, report.sources, noun)
    yield from text_of_entries(head, entries_of(report), next_line("-v", remedies_of(report)))


class ReportHead(msgspec.Struct, frozen=True):
    """What a report is about.

    Attributes:
        origin, target: the formats.
        noun: what it calls its tools.
    """

    origin: str
    target: str
    tools: int
    sources: Sequence[str]
    noun: str = "tool"


def text_of_entries(
    head: ReportHead, entries: Sequence[ReportEntry], last: str, is_whole: bool = False
) -> Iterator[str]:
    """The lines of the report of these entries.

    Args:
        last: what to do next; may be empty.
        is_whole: whether all of them are told, however many lines that takes.
    """
    yield _header(head, entries)
    if not entries:
        return
    limit = min(_LINES_A_TOOL * max(head.tools, 1), _SCREEN - 1) - 1  # one for the last line
    if is_whole:
        limit = len(entries)
    rows, rest = group_entries(entries, limit)
    names = [_name_tools(row, head) for row in rows]
    width = max(map(len, names), default=0)
    for name, row in zip(names, rows, strict=True):
        yield _row_line(name.rjust(width), row, len(head.sources) == 1)
    if rest is not None:
        yield _rest_line(rest, width)
    if last:
        yield f"  {last}"


def _header(head: ReportHead, entries: Sequence[ReportEntry]) -> str:
    if len(head.sources) == 1:
        source = escape_controls(head.sources[0])
    else:
        source = f"{len(head.sources)} sources"
    way = f"{head.origin} -> {head.target}, {count_noun(head.tools, 'tool')}"
    colour: str | None = None
    if any(entry.weight == RISKIER for entry in entries):
        colour = "red"
    header = f"{way}: {colour_text(headline(entries), bold=True, fg=colour)}"
    if source:
        return f"{source}  {header}"
    return header


def _name_tools(row: ReportLine, head: ReportHead) -> str:
    """Which tools a row is about; nothing where there is only one."""
    if head.tools == 1:
        return ""
    number = row.tool_count
    names = ", ".join(tool or "the document" for tool in row.tools)
    is_short = number == 1 or (number <= 3 and len(names) <= _TOOLS)
    if is_short and number == len(row.tools):
        return _shorten(escape_controls(names))
    if number == head.tools:
        return f"all {number} {head.noun}s"
    return count_noun(number, head.noun)


def _shorten(text: str) -> str:
    if len(text) <= _TOOLS:
        return text
    return f"{text[: _TOOLS - 1]}…"


def _row_line(name: str, row: ReportLine, has_lines: bool) -> str:
    mark = row.mark
    if row.weight == RISKIER or is_alarming(row):
        colour = "red" if row.weight <= WIDER else "yellow"
        mark = colour_text(mark, fg=colour, bold=True)
    line = f"{mark} {_join_items(row.items, has_lines)}"
    if name:
        line = f"{name} {line}"
    if row.because:
        line += colour_text(f"   {escape_controls(row.because)}", dim=True)
    return f"  {line}"


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
    by_parent: dict[str, list[str]] = {}
    for item in items:
        parent, _, name = item.field.rpartition(".")
        by_parent.setdefault(parent, []).append(escape_controls(name))
    for parent, names in by_parent.items():
        if not parent:
            yield from ((number, name) for name, number in Counter(names).items())
        elif len(names) == 1:
            yield 1, f"{escape_controls(parent)}.{names[0]}"
        else:
            yield len(names), f"{escape_controls(parent)}: {', '.join(names)}"


def _describe_item(item: Item, has_lines: bool, longest: int) -> str:
    text = escape_controls(item.field or "the whole result")
    value = item.value(longest)
    if value:
        text += f": {value}"
    if has_lines and item.line is not None and item.first.mark != GUESSED:
        text += f" :{item.line}"
    elif item.changes > item.tool_bits.bit_count():
        text += f" ({item.changes} places)"
    return text


def _rest_line(rest: Rest, width: int) -> str:
    counts = ", ".join(f"{number} {MEANINGS[mark]}" for mark, number in rest.counts.items())
    line = f"also {counts}"
    if rest.safety:
        line += f" ({rest.safety} about safety)"
    if width:
        line = " " * (width + 1) + line
    return f"  {line}"


def remedies_of(report: Report) -> frozenset[str]:
    """The options under which less would be lost, as keys of `_REMEDIES`."""
    options: set[str] = set()
    if report.has_short_texts and any(change.loses_danger for change in report.losses):
        options.add("--safety-text full")
    if not report.lossless and any(change.fits_remainder for change in report.losses):
        options.add("--lossless")
    if report.lossless:
        options.add("--restore")
    return frozenset(options)


def next_line(whole_list: str | None, remedies: Collection[str]) -> str:
    """What to do next: the option that gives the whole list, if there is one, and those under which less is lost."""
    hints: list[str] = []
    if whole_list is not None:
        hints.append(f"The whole list: {whole_list}.")
    for option, purpose in _REMEDIES.items():
        if option in remedies:
            hints.append(f"{purpose}: {option}.")
    return " ".join(hints)


# -- every change ------------------------------------------------------------------------------------------------------


def whole_text_report(report: Report) -> Iterator[str]:
    """Every change, and one line such as `2 tools converted: 1 lost, 3 guessed`."""
    yield from list_changes(report)
    yield f"{count_noun(report.tools, 'tool')} converted: {headline(entries_of(report))}"


def list_changes(report: Report) -> Iterator[str]:
    """Every change, the gravest first, with its values and where it stands."""
    groups: dict[tuple[str, str, str], dict[str, list[Change]]] = defaultdict(lambda: defaultdict(list))
    for change in sorted(report.changes, key=_gravity):
        groups[change.severity, _word_of(change, report), _explanation_of(change)][change.code].append(change)
    for (severity, word, explanation), by_code in groups.items():
        yield f"{colour_text(f'{severity}: {word}', fg=_COLOURS[severity], bold=True)}: {explanation}"
        for code, changes in by_code.items():
            yield from _lines_of(code, changes, report.tools > 1)


def _gravity(change: Change) -> tuple[int, bool, int]:
    return list(_COLOURS).index(change.severity), bool(change.bookkeeping), list(ACTIONS).index(change.action)


def _word_of(change: Change, report: Report) -> str:
    """What happened, as the short report calls it, which leaves out what is only implied."""
    if change.bookkeeping:
        return "implied"
    if change.action in LOSSES and report.carries(change):
        return CARRIED
    return MEANINGS[MARKS[change.action]]


def _explanation_of(change: Change) -> str:
    if change.bookkeeping:
        return "it follows from other fields, or from how the formats spell things"
    return ACTIONS[change.action]


def _lines_of(code: str, changes: Sequence[Change], names_tools: bool) -> Iterator[str]:
    if len(changes) > 1:
        yield f"  {code} ({len(changes)})"
    else:
        yield f"  {code}"
    for change in changes:
        yield f"    {_describe_change(change, names_tools)}"


def _describe_change(change: Change, names_tools: bool) -> str:
    """Such as `mail.json:3:5: mail.send /effects: "a" -> "b" (riskier)`."""
    text = ""
    if change.source:
        text += escape_controls(location(change.source, change.line, change.column))
    if names_tools and change.tool and not change.command:
        text += f"{escape_controls(change.tool)} "
    if change.path:  # what is true of the whole result stands nowhere
        text += f"{escape_controls(change.place)}: "
    text += _describe_values(change)
    if change.note != ACTIONS[change.action]:
        text += escape_controls(f" ({change.note})")
    if change.direction == "riskier":
        text += colour_text(" (riskier)", fg="red", bold=True)
    elif change.direction != "neutral":
        text += f" ({change.direction})"
    return text


def _describe_values(change: Change) -> str:
    """What became of the value, as JSON: `null` is a value that a source can state."""
    before, after = to_short_json(to_json(change.before)), to_short_json(to_json(change.after))
    if change.after is None:
        return before
    if change.before is None:
        return f"-> {after}"
    return f"{before} -> {after}"
