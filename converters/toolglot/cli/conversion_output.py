"""The report of a conversion, for people: every change, grouped and counted, each value shortened."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from toolglot.cli.terminal import colour_text, count_noun, escape_controls
from toolglot.conversion.report import Change, Report
from toolglot.conversion.report_texts import ACTIONS
from toolglot.errors import location
from toolglot.hub.model import to_json
from toolglot.schema.canonical import to_short_json

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}  # of severities, the gravest first


def report_lines(report: Report) -> Iterator[str]:
    """The text of a report without its summary, the gravest first."""
    groups: dict[tuple[str, str], dict[str, list[Change]]] = defaultdict(lambda: defaultdict(list))
    for change in report.changes:
        groups[change.severity, change.action][change.code].append(change)
    order = [(severity, action) for severity in _COLOURS for action in ACTIONS]
    for severity, action in sorted(groups, key=order.index):
        heading = colour_text(f"{severity}: {action}", fg=_COLOURS[severity], bold=True)
        yield f"{heading}: {ACTIONS[action]}"
        for code, changes in groups[severity, action].items():
            yield from _lines_of(code, changes, report.tools > 1)


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
    """One line such as `2 tools converted: 1 dropped, 3 assumed (1 guessed)`."""
    numbers = Counter(change.action for change in report.changes)
    words = {action: f"{numbers[action]} {action}" for action in ACTIONS if numbers[action]}
    if "assumed" in words:  # the short report leaves out what follows from other fields of the source
        guesses = [change for change in report.changes if change.action == "assumed" and not change.bookkeeping]
        words["assumed"] += f" ({len(guesses)} guessed)"
    return f"{count_noun(report.tools, 'tool')} converted: {', '.join(words.values()) or 'no difference'}"
