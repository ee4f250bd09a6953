"""The difference of two contracts as text and as JSON; other forms are those of every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from toolglot.cli.reports.entries import describe_change
from toolglot.cli.reports.markdown import sheet_to_markdown
from toolglot.cli.reports.sheets import (
    count_changes,
    describe_versions,
    notes_of_tool,
    sheet_of_difference,
    shorten_name,
)
from toolglot.cli.terminal import count_noun, escape_controls
from toolglot.converter.conversion.report import Change
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import to_whole_json
from toolglot.errors import without_middles
from toolglot.verbs.comparison.breaking_changes import BREAKING, EDITORIAL, SAFETY, STRICTER, WORDING
from toolglot.verbs.comparison.difference import Difference, ToolDifference

_PLACES = 5  # of wording that are named


def difference_to_text(difference: Difference) -> str:
    """Tools with their changes below them, the gravest first; wording in one line a tool."""
    return "".join(f"{line}\n" for tool in difference.tools for line in _tool_lines(tool))


def _tool_lines(tool: ToolDifference) -> Iterator[str]:
    yield f"{shorten_name(escape_controls(tool.id))}: {escape_controls(describe_versions(tool))}"
    breaking = {change.path for change in tool.changes if change.kind == BREAKING}
    stricter = {change.path for change in tool.changes if change.code == STRICTER}
    wording = []
    for change in tool.changes:
        if change.code == WORDING:
            wording.append(escape_controls(change.path))
            continue
        if change.code == STRICTER and change.path in breaking:
            continue  # the line about what breaks there says both
        kind = change.kind
        if kind == BREAKING and change.path in stricter:
            kind = f"{BREAKING}, {SAFETY}"
        yield f"  {kind}: {without_middles(describe_change(change, names_tool=False))} [{change.code}]"
    if wording:
        more = ""
        if len(wording) > _PLACES:
            more = f" and {len(wording) - _PLACES} more"
        yield f"  {EDITORIAL}: other words at {', '.join(wording[:_PLACES])}{more}"
    for note in notes_of_tool(tool):
        yield f"  note: {escape_controls(note)}"


def describe_text(change: Change) -> str:
    """What a model reads now, to its end, and what it read before: an order to it may stand last.

    >>> from toolglot.verbs.comparison.difference import change_by_rule
    >>> describe_text(change_by_rule("wording-changed", "/description", "Read.", None, tool="notes read"))
    'it is described in other words at notes read /description: "Read." -> nothing'
    """
    return describe_change(change, show=to_whole_json)


def summarize(difference: Difference, other: str = "", no_change: str = "no difference") -> str:
    """Such as `2 tools compared, 1 new, 1 gone: 1 breaking, 1 compatible`.

    Args:
        other: what they are compared with.
        no_change: what is said where nothing changed.
    """
    subject = f"{count_noun(difference.compared, 'tool')} compared"
    if other:
        subject += f" with {other}"
    parts = [subject]
    statuses = Counter(tool.status for tool in difference.tools)
    for status, word in _OF_ONE_SIDE.items():
        if statuses[status]:
            parts.append(f"{statuses[status]} {word}")
    return f"{', '.join(parts)}: {count_changes(difference, no_change)}"


_OF_ONE_SIDE = {"added": "new", "removed": "gone"}


RENDERERS: dict[str, Callable[[Difference], str]] = {
    "text": difference_to_text,
    "json": lambda difference: dump_json(difference.to_json()),  # see `schemas/difference`
    "markdown": lambda difference: sheet_to_markdown(sheet_of_difference(difference)),
}
