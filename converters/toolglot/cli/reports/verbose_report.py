"""The report on a terminal with `-v`: every change, with its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from toolglot.cli.reports.entry_texts import describe_change, tool_of
from toolglot.cli.reports.headline import headline_of
from toolglot.cli.terminal import colour_text
from toolglot.converter.conversion.categories import ACTIONS
from toolglot.converter.conversion.report import Change, Report, split_path
from toolglot.converter.conversion.report_wording import CARRIED
from toolglot.converter.text.sequences import group_by
from toolglot.converter.text.wording import count_noun, join_names, to_whole_json
from toolglot.errors import escape_unseen

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}  # of severities, the gravest first
_STYLES: dict[str, dict[str, Any]] = {"riskier": {"fg": "red", "bold": True}}  # of directions

_EXCEPTIONS = 3  # tools that are named as those that lack what all others have


def whole_text_report(report: Report) -> Iterator[str]:
    """Every change, and one line such as `2 tools converted: 1 lost, 3 guessed`."""
    yield from list_changes(report)
    yield f"{count_noun(report.tools, 'tool')} converted: {headline_of(report)}"


def list_changes(report: Report) -> Iterator[str]:
    """Every change, the gravest first, with its values and where it stands."""
    names = _names_of_tools(report.changes)
    for similar in group_by(sorted(report.changes, key=_gravity), _heading_of).values():
        severity, word, meaning = _heading_of(similar[0])
        yield f"{colour_text(f'{severity}: {word}', fg=_COLOURS[severity], bold=True)}: {meaning}"
        for changes in group_by(similar, attrgetter("code")).values():
            yield from _lines_of(changes, report.tools, names)


def _names_of_tools(changes: Iterable[Change]) -> set[str]:
    """The tools of the result that some changes are of: not the document, nor a group of commands, nor one left out."""
    names = {f"{tool_of(change)} " for change in changes if tool_of(change) and change.action != "excluded"}
    return {name[:-1] for name, later in pairwise([*sorted(names), ""]) if not later.startswith(name)}


def _gravity(change: Change) -> tuple[int, bool, int]:
    return list(_COLOURS).index(change.severity), bool(change.bookkeeping), list(ACTIONS).index(change.action)


def _heading_of(change: Change) -> tuple[str, str, str]:
    """Severity, what happened, as every report calls it, and its meaning; what the short one leaves out is implied."""
    if change.bookkeeping:
        word, meaning = "implied", "it follows from other fields, or from how the formats spell things"
    else:
        word, meaning = change.category.value, ACTIONS[change.action].meaning
    if change.is_carried:
        word = CARRIED
    return change.severity, word, meaning


def _lines_of(changes: Sequence[Change], tools: int, names: set[str]) -> Iterator[str]:
    """The changes of one kind; what all tools have in common, or all but a few, is told once."""
    number = f" ({len(changes)})" if len(changes) > 1 else ""
    yield f"  {changes[0].code}{number}"
    lines_of_all: dict[str, str] = {}  # what every tool has -> its line
    for said, alike in group_by(changes, _said_of_any_tool).items():
        others = _tools_without(alike, tools, names)
        if others is not None:
            text = describe_change(_without_tool(alike[0]), False)
            exception = f" but {escape_unseen(join_names(others))}" if others else ""
            lines_of_all[said] = f"{text}, of all {tools} tools{exception}"
    lines: dict[str, None] = {}
    for change in changes:
        line = lines_of_all.get(_said_of_any_tool(change)) or describe_change(change, tools > 1)
        if change.direction != "neutral":
            line += colour_text(f" ({change.direction})", **_STYLES.get(change.direction, {}))
        lines[f"    {line}"] = None
    yield from lines


def _tools_without(changes: Sequence[Change], tools: int, names: set[str]) -> list[str] | None:
    """Which of several tools have none of these changes; `None` where these are more than a few.

    The change of a group stands for all commands below it, so beside one of theirs it does not count as a tool's.
    """
    own_names = sorted(f"{tool_of(change)} " for change in changes)
    if tools < 2 or any(later.startswith(name) for name, later in pairwise(own_names)):
        return None
    if len(changes) == tools:
        return []
    others = names.difference(map(tool_of, changes))
    is_of_rest = len(changes) + len(others) == tools and len(others) < min(len(changes), _EXCEPTIONS + 1)
    return sorted(others) if is_of_rest else None


def _said_of_any_tool(change: Change) -> str:
    return describe_change(_without_tool(change), False, to_whole_json)


def _without_tool(change: Change) -> Change:
    """A change as if it were of a tool that nobody names."""
    _, name, rest = split_path(change.path)
    return replace(change, command="", path=f"/{name}{rest}", line=None, column=None)
