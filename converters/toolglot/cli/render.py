"""The report of a conversion, for people: grouped, counted, each value shortened."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from toolglot.cli.terminal import clean, counted, style
from toolglot.model import to_json
from toolglot.report import ACTIONS, Change, Report
from toolglot.schemas import shown

Counts = Counter[tuple[str, str, str]]  # severity, action, code

KINDS = 5  # of changes that a line of totals names
EXAMPLES = 3  # places shown of each code; the JSON report has them all

_SEVERITIES = ("error", "warning", "info")
_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def report_lines(report: Report) -> Iterator[str]:
    """The text of a report without its summary, the gravest first."""
    groups: dict[tuple[str, str], dict[str, list[Change]]] = defaultdict(lambda: defaultdict(list))
    for change in report.changes:
        groups[change.severity, change.action][change.code].append(change)
    order = [(severity, action) for severity in _SEVERITIES for action in ACTIONS]
    for severity, action in sorted(groups, key=order.index):
        heading = style(f"{severity}: {action}", fg=_COLOURS[severity], bold=True)
        yield f"{heading}: {ACTIONS[action]}"
        for code, changes in groups[severity, action].items():
            yield from _lines_of(code, changes, report.tools > 1)


def counts_of(report: Report) -> Counts:
    """How many changes there are of each severity, action and code."""
    return Counter((change.severity, change.action, change.code) for change in report.changes)


def count_lines(counts: Counts) -> Iterator[str]:
    """The text of a report of many files: kinds of changes with their numbers, the gravest first."""
    order = [(severity, action) for severity in _SEVERITIES for action in ACTIONS]
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (severity, action, code), number in counts.most_common():
        groups[severity, action].append(f"{code.removeprefix(action + '-')} {number}")
    for severity, action in sorted(groups, key=order.index):
        heading = style(f"{severity}: {action}", fg=_COLOURS[severity], bold=True)
        kinds = groups[severity, action]
        more = f" and {len(kinds) - KINDS} more kinds" if len(kinds) > KINDS + 1 else ""
        yield f"{heading}: {', '.join(kinds[:KINDS] if more else kinds)}{more}"


def _lines_of(code: str, changes: Sequence[Change], several: bool) -> Iterator[str]:
    number = f" ({len(changes)})" if len(changes) > 1 else ""
    yield f"  {code}{number}"
    for change in changes[:EXAMPLES]:
        yield f"    {_place(change)}{_line(change, several)}"
    if len(changes) > EXAMPLES:
        yield f"    and {len(changes) - EXAMPLES} more"


def _place(change: Change) -> str:
    parts = [change.source, *(str(number) for number in (change.line, change.column) if number)]
    return clean(":".join(filter(None, parts))) + ": " if change.source else ""


def _line(change: Change, several: bool) -> str:
    owner = f"{clean(change.tool)} " if several and change.tool else ""
    values = " -> ".join(shown(to_json(value)) for value in (change.before, change.after) if value is not None)
    arrow = "-> " if change.before is None and change.after is not None else ""
    note = f" ({change.note})" if change.note != ACTIONS[change.action] else ""
    direction = f" ({change.direction})" if change.direction != "neutral" else ""
    if change.direction == "riskier":
        direction = style(direction, fg="red", bold=True)
    where = f"{clean(change.path)}: " if change.path else ""  # what is true of the whole result stands nowhere
    return f"{owner}{where}{arrow}{values}{clean(note)}{direction}"


def summary(report: Report) -> str:
    """One line such as `2 tools converted: 1 dropped, 3 assumed`."""
    counts = Counter(change.action for change in report.changes)
    said = ", ".join(f"{counts[action]} {action}" for action in ACTIONS if counts[action])
    return f"{counted(report.tools, 'tool')} converted: {said or 'no difference'}"
