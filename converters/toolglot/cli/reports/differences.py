"""The difference of two contracts as text, as JSON, and as Markdown for a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from toolglot.cli.reports.markdown import MARKER, MAX_MARKDOWN, code_span, shorten_name
from toolglot.cli.terminal import count_noun, escape_controls
from toolglot.comparison.breaking_changes import BREAKING, EDITORIAL, SAFETY, STRICTER, WORDING
from toolglot.comparison.difference import ContractChange, Difference, ToolDifference
from toolglot.errors import location
from toolglot.text.serialization import dump_json
from toolglot.text.wording import to_short_json, to_whole_json

_PLACES = 5  # of wording that are named


Escape = Callable[[str], str]
"""What makes an untrusted text harmless: on a terminal, or in Markdown."""


def difference_to_text(difference: Difference) -> str:
    """Tools with their changes below them, the gravest first; wording in one line a tool."""
    return "".join(f"{line}\n" for tool in difference.tools for line in _tool_lines(tool))


def difference_to_json(difference: Difference) -> str:
    """The whole difference; see `schemas/difference`."""
    return dump_json(difference.to_json())


def _tool_lines(tool: ToolDifference) -> Iterator[str]:
    yield f"{shorten_name(escape_controls(tool.id))}: {_describe_versions(tool, escape_controls)}"
    breaking = {change.pointer for change in tool.changes if change.kind == BREAKING}
    stricter = {change.pointer for change in tool.changes if change.rule == STRICTER}
    wording = []
    for change in tool.changes:
        if change.rule == WORDING:
            wording.append(escape_controls(change.pointer))
            continue
        if change.rule == STRICTER and change.pointer in breaking:
            continue  # the line about what breaks there says both
        kind = change.kind
        if kind == BREAKING and change.pointer in stricter:
            kind = f"{BREAKING}, {SAFETY}"
        yield f"  {kind}: {_describe_change(change)} [{change.rule}]"
    if wording:
        more = ""
        if len(wording) > _PLACES:
            more = f" and {len(wording) - _PLACES} more"
        yield f"  {EDITORIAL}: other words at {', '.join(wording[:_PLACES])}{more}"
    for note in _notes_of_tool(tool, escape_controls):
        yield f"  note: {note}"


def _notes_of_tool(tool: ToolDifference, escape: Escape) -> Iterator[str]:
    if tool.looks_like:
        other = escape(shorten_name(tool.looks_like))
        if tool.status == "removed":
            yield f"{other} is new and has the same contract; perhaps the tool was renamed"
        else:
            yield f"{other} is gone and had the same contract; perhaps the tool was renamed"
    if tool.warning:
        yield escape(tool.warning)


def _describe_versions(tool: ToolDifference, escape: Escape) -> str:
    """Such as `1.0.0 -> 1.1.0, needs major, got minor`."""
    versions = [escape(shorten_name(version)) for version in (tool.old_version, tool.new_version) if version]
    text = " -> ".join(dict.fromkeys(versions)) or "no version"
    text += f", needs {tool.needs}"
    if tool.follows:
        return text
    if tool.given == "unknown":
        return f"{text}, and no version says so"
    return f"{text}, got {tool.given}"


def _describe_change(change: ContractChange) -> str:
    """Such as `mail.json:3:5: a parameter is required at /inputs/required: nothing -> "a"`."""
    text = change.meaning
    if change.source:
        text = escape_controls(location(change.source, change.line, change.column)) + text
    if change.note:
        text += f" ({escape_controls(shorten_name(change.note))})"
    if change.pointer:
        text += f" at {escape_controls(change.pointer)}"
    if change.before is None and change.after is None:
        return text
    return f"{text}: {_describe_value(change.before)} -> {_describe_value(change.after)}"


def _describe_value(value: Any) -> str:
    if value is None:
        return "nothing"
    return escape_controls(to_short_json(value))


def describe_text(tool: str, pointer: str, before: Any, after: Any) -> str:
    """What a model reads now, to its end, and what it read before: an order to it may stand last.

    >>> describe_text("notes read", "/description", "Read.", None)
    'notes read: /description: "Read." -> null'
    """
    where = ": ".join(filter(None, (tool, pointer)))
    return f"{where}: {to_whole_json(before)} -> {to_whole_json(after)}"


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
    counts = ", ".join(f"{number} {kind}" for kind, number in difference.counts().items())
    return f"{', '.join(parts)}: {counts or no_change}"


_OF_ONE_SIDE = {"added": "new", "removed": "gone"}


# -- markdown ---------------------------------------------------------------------------------------------------------


def difference_to_markdown(difference: Difference) -> str:
    """A table a tool, at most 65,536 characters; what fails and what is grave comes first; the rest is counted."""
    lines = [MARKER, _headline(difference), ""]
    if difference.not_comparable:
        fields = ", ".join(difference.not_comparable)
        lines += [f"Not compared, because one of the formats cannot say it: {fields}.", ""]
    room = MAX_MARKDOWN - len("\n".join(lines)) - 100  # for the line that says what is left out
    for number, tool in enumerate(difference.tools, start=1):
        for line in _table_lines(tool):
            room -= len(line) + 1
            if room < 0:
                lines += ["", f"This and {len(difference.tools) - number} more tools do not fit here."]
                return "\n".join(lines) + "\n"
            lines.append(line)
    return "\n".join(lines) + "\n"


def _headline(difference: Difference) -> str:
    counts = ", ".join(f"{number} {kind}" for kind, number in difference.counts().items())
    text = f"**Contracts:** {counts or 'no difference'}; needs **{difference.needs}**"
    if not difference.follows:
        text += ", and a version **does not follow**"
    return text


def _table_lines(tool: ToolDifference) -> Iterator[str]:
    yield f"#### {code_span(shorten_name(tool.id))}"
    yield ""
    yield _describe_versions(tool, code_span)
    yield ""
    yield "| class | what | where | from | to | rule |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from map(_row, tool.changes)
    yield ""
    notes = list(_notes_of_tool(tool, code_span))
    if notes:
        yield from (f"- {note}" for note in notes)
        yield ""


def _row(change: ContractChange) -> str:
    kind = change.kind
    if change.bump == "major" or change.direction == "riskier":
        kind = f"**{kind}**"
    meaning = change.meaning
    if change.note:
        meaning += f" {code_span(shorten_name(change.note))}"
    where = code_span(shorten_name(change.pointer)) if change.pointer else ""
    return f"| {kind} | {meaning} | {where} | {_cell(change.before)} | {_cell(change.after)} | {change.rule} |"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return code_span(to_short_json(value))


RENDERERS: dict[str, Callable[[Difference], str]] = {
    "text": difference_to_text,
    "json": difference_to_json,
    "markdown": difference_to_markdown,
}
