"""The report of a conversion, for people: every change, grouped and counted, each value shortened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from toolglot.cli.reports.entries import MARKS, MEANINGS, entries_of
from toolglot.cli.reports.headline import headline
from toolglot.cli.terminal import colour_text, count_noun, escape_controls
from toolglot.conversion.report import Change, Report
from toolglot.conversion.report_texts import ACTIONS, CARRIED, LOSSES
from toolglot.errors import location
from toolglot.hub.model import to_json
from toolglot.text.wording import to_short_json

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}  # of severities, the gravest first


def report_lines(report: Report) -> Iterator[str]:
    """The text of a report without its summary, the gravest first."""
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


def summary(report: Report) -> str:
    """One line such as `2 tools converted: 1 lost, 3 guessed`."""
    return f"{count_noun(report.tools, 'tool')} converted: {headline(entries_of(report))}"
