"""The report of a conversion, for people: grouped, counted, each value shortened."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from toolglot.cli.terminal import colour_text, count_noun, escape_controls
from toolglot.conversion.messages import ACTIONS
from toolglot.conversion.report import Change, Report
from toolglot.errors import location
from toolglot.hub.model import to_json
from toolglot.schema.canonical import shown

Counts = Counter[tuple[str, str, str]]  # severity, action, code

KINDS = 5  # of changes that a line of totals names
EXAMPLES = 3  # places shown of each code; the JSON report has them all

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}  # of severities, the gravest first


def report_lines(report: Report) -> Iterator[str]:
    """The text of a report without its summary, the gravest first."""
    groups: dict[tuple[str, str], dict[str, list[Change]]] = defaultdict(lambda: defaultdict(list))
    for change in report.changes:
        groups[change.severity, change.action][change.code].append(change)
    for group, heading in _headings(groups):
        yield f"{heading}: {ACTIONS[group[1]]}"
        for code, changes in groups[group].items():
            yield from _lines_of(code, changes, report.tools > 1)


def count_lines(counts: Counts) -> Iterator[str]:
    """The text of a report of many files: kinds of changes with their numbers, the gravest first."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (severity, action, code), number in counts.most_common():
        groups[severity, action].append(f"{code.removeprefix(action + '-')} {number}")
    for group, heading in _headings(groups):
        kinds = groups[group]
        more = f" and {len(kinds) - KINDS} more kinds" if len(kinds) > KINDS + 1 else ""
        yield f"{heading}: {', '.join(kinds[:KINDS] if more else kinds)}{more}"


def _headings(groups: Iterable[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], str]]:
    """Pairs of severity and action, the gravest first, and the words above what belongs to each."""
    order = [(severity, action) for severity in _COLOURS for action in ACTIONS]
    for severity, action in sorted(groups, key=order.index):
        yield (severity, action), colour_text(f"{severity}: {action}", fg=_COLOURS[severity], bold=True)


def _lines_of(code: str, changes: Sequence[Change], several: bool) -> Iterator[str]:
    number = f" ({len(changes)})" if len(changes) > 1 else ""
    yield f"  {code}{number}"
    for change in changes[:EXAMPLES]:
        place = escape_controls(location(change.source, change.line, change.column)) if change.source else ""
        yield f"    {place}{_line(change, several)}"
    if len(changes) > EXAMPLES:
        yield f"    and {len(changes) - EXAMPLES} more"


def _line(change: Change, several: bool) -> str:
    owner = f"{escape_controls(change.tool)} " if several and change.tool and not change.command else ""
    note = f" ({change.note})" if change.note != ACTIONS[change.action] else ""
    direction = f" ({change.direction})" if change.direction != "neutral" else ""
    if change.direction == "riskier":
        direction = colour_text(direction, fg="red", bold=True)
    where = (
        f"{escape_controls(change.place)}: " if change.path else ""
    )  # what is true of the whole result stands nowhere
    return f"{owner}{where}{_values(change)}{escape_controls(note)}{direction}"


def _values(change: Change) -> str:
    """What became of the value, as JSON: `null` is a value that a source can state."""
    before, after = (shown(to_json(value)) for value in (change.before, change.after))
    if change.before is None and change.after is not None:
        return f"-> {after}"
    return before if change.after is None else f"{before} -> {after}"


def summary(report: Report) -> str:
    """One line such as `2 tools converted: 1 dropped, 3 assumed`."""
    counts = Counter(change.action for change in report.changes)
    said = ", ".join(f"{counts[action]} {action}" for action in ACTIONS if counts[action])
    return f"{count_noun(report.tools, 'tool')} converted: {said or 'no difference'}"
