"""The difference of two contracts as text and as JSON; other forms are those of every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from toolglot.cli.reports.entry_texts import describe_change
from toolglot.cli.reports.markdown import sheet_to_markdown
from toolglot.cli.reports.sheets import (
    count_changes,
    describe_versions,
    notes_of_tool,
    sheet_of_difference,
    shorten_name,
)
from toolglot.converter.conversion.report import Change
from toolglot.converter.text.sequences import common_ends
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import count_noun, describe_replacement, to_whole_json
from toolglot.errors import escape_unseen, without_middles
from toolglot.verbs.comparison.breaking_changes import BREAKING, EDITORIAL, SAFETY, STRICTER, WORDING
from toolglot.verbs.comparison.difference import Difference, ToolDifference

_PLACES = 5  # of wording that are shown


def difference_to_text(difference: Difference) -> str:
    """Tools with their changes below them, the gravest first; wording in one line a tool."""
    return "".join(f"{line}\n" for tool in difference.tools for line in _tool_lines(tool))


def _tool_lines(tool: ToolDifference) -> Iterator[str]:
    yield f"{shorten_name(escape_unseen(tool.id))}: {escape_unseen(describe_versions(tool))}"
    breaking = {change.path for change in tool.changes if change.kind == BREAKING}
    stricter = {change.path for change in tool.changes if change.code == STRICTER}
    wording = [change for change in tool.changes if change.code == WORDING]
    for change in tool.changes:
        if change.code == WORDING:
            continue
        if change.code == STRICTER and change.path in breaking:
            continue  # the line about what breaks there says both
        kind = change.kind
        if kind == BREAKING and change.path in stricter:
            kind = f"{BREAKING}, {SAFETY}"
        yield f"  {kind}: {without_middles(describe_change(change, names_tool=False))} [{change.code}]"
    for change in wording[:_PLACES]:
        before, after = changed_words(change.before, change.after)
        changed = describe_replacement(before, after, to_whole_json)
        yield f"  {EDITORIAL}: other words at {escape_unseen(change.path)}: {changed}"
    if len(wording) > _PLACES:
        places = [escape_unseen(change.path) for change in wording[_PLACES : 2 * _PLACES]]
        yield f"  {EDITORIAL}: other words at {', '.join(places)}; {len(wording)} in all"
    for note in notes_of_tool(tool):
        yield f"  note: {escape_unseen(note)}"


def changed_words(before: Any, after: Any) -> tuple[Any, Any]:
    """The parts of two texts in which they differ, with a few words around.

    >>> changed_words("List all files of one folder, newest first.", "List all files of one tree, newest first.")
    ('…files of one folder, newest first.', '…files of one tree, newest first.')
    """
    if not (isinstance(before, str) and isinstance(after, str)):
        return before, after
    old, new = before.split(" "), after.split(" ")
    start, end = common_ends(old, new)
    return _part(old, start, end), _part(new, start, end)


def _part(words: list[str], start: int, end: int) -> str:
    """Some words of a text, with those around them."""
    first, last = max(start - _AROUND, 0), len(words) - end + _AROUND
    text = " ".join(words[first:last])
    if first > 0:
        text = f"…{text}"
    return text if last >= len(words) else f"{text}…"


_AROUND = 3  # words beside those that changed


def texts_beside(texts: Iterable[Change], shown: str) -> Iterator[str]:
    """What changed texts say now, and said before, where that is not shown in full already."""
    for change in texts:
        if describe_replacement(change.before, change.after, to_whole_json) not in shown:
            yield describe_text(change)


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
