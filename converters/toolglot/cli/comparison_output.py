"""The difference of two contracts as text, as JSON, and as Markdown for a pull request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from toolglot.cli.terminal import escape_controls
from toolglot.comparison.contracts import ContractChange, Difference, ToolDifference
from toolglot.comparison.rules import BREAKING, EDITORIAL, SAFETY, STRICTER
from toolglot.errors import location
from toolglot.schema.canonical import shown
from toolglot.text.serialization import dump_json

MAX_MARKDOWN = 65_536
"""Characters that a comment of GitHub may have."""

_ID_LIMIT = 120
_PLACES = 5  # of wording that are named


def as_text(found: Difference) -> str:
    """Tools with their changes below them, the gravest first; wording in one line a tool."""
    return "".join(f"{line}\n" for tool in found.tools for line in _tool_lines(tool))


def as_json(found: Difference) -> str:
    """The whole difference; see `schemas/difference`."""
    return dump_json(found.to_json())


def _tool_lines(tool: ToolDifference) -> Iterator[str]:
    yield f"{_clipped(escape_controls(tool.id))}: {_versions(tool, escape_controls)}"
    breaking = {change.pointer for change in tool.changes if change.kind == BREAKING}
    careful = {change.pointer for change in tool.changes if change.rule == STRICTER}
    for change in tool.changes:
        if change.kind == EDITORIAL or (change.rule == STRICTER and change.pointer in breaking):
            continue  # wording follows in one line; what is said of the same place already needs no second one
        both = change.kind == BREAKING and change.pointer in careful
        kinds = f"{BREAKING}, {SAFETY}" if both else change.kind
        yield f"  {kinds}: {_place(change)}{_what(change)} [{change.rule}]"
    wording = [escape_controls(change.pointer) for change in tool.changes if change.kind == EDITORIAL]
    if wording:
        more = f" and {len(wording) - _PLACES} more" if len(wording) > _PLACES else ""
        yield f"  {EDITORIAL}: other words at {', '.join(wording[:_PLACES])}{more}"
    yield from (f"  note: {note}" for note in _notes(tool, escape_controls))


def _notes(tool: ToolDifference, text: Callable[[str], str]) -> Iterator[str]:
    if tool.looks_like:
        other = text(_clipped(tool.looks_like))
        what = f"{other} is new and has" if tool.status == "removed" else f"{other} is gone and had"
        yield f"{what} the same contract; perhaps the tool was renamed"
    if tool.warning:
        yield text(tool.warning)


def _versions(tool: ToolDifference, text: Callable[[str], str]) -> str:
    """Such as `1.0.0 -> 1.1.0, needs major, got minor`."""
    versions = [text(_clipped(version)) for version in (tool.old_version, tool.new_version) if version]
    said = " -> ".join(dict.fromkeys(versions)) or "no version"
    got = "which no version shows" if tool.given == "unknown" else f"got {tool.given}"
    return f"{said}, needs {tool.needs}" + ("" if tool.follows else f", {got}")


def _place(change: ContractChange) -> str:
    return escape_controls(location(change.source, change.line, change.column)) if change.source else ""


def _what(change: ContractChange) -> str:
    at = f" at {escape_controls(change.pointer)}" if change.pointer else ""
    values = [change.before, change.after]
    said = " -> ".join("nothing" if value is None else shown(value) for value in values)
    note = f" ({escape_controls(_clipped(change.note))})" if change.note else ""
    return f"{change.meaning}{note}{at}" + ("" if values == [None, None] else f": {escape_controls(said)}")


def _clipped(text: str) -> str:
    return text if len(text) <= _ID_LIMIT else text[: _ID_LIMIT - 3] + "..."


# -- markdown ---------------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[\w ./:,\[\]{}\"'()=+*#~^$!?;%@-]+", re.ASCII)
_OTHER = re.compile(r"[^\w ]", re.ASCII)


def _code(text: str) -> str:
    """Untrusted text as code: it can neither end the code, nor the cell of a table, nor call anybody by name.

    >>> _code("a.b"), _code("`|<b>")
    ('`a.b`', '<code>&#96;&#124;&#60;b&#62;</code>')
    """
    text = escape_controls(text)
    if _PLAIN.fullmatch(text) and text == text.strip():
        return f"`{text}`"
    return "<code>" + _OTHER.sub(lambda found: f"&#{ord(found[0])};", text) + "</code>"


def as_markdown(found: Difference) -> str:
    """A table a tool, at most 65,536 characters; what fails and what is grave comes first; the rest is counted."""
    counts = ", ".join(f"{number} {kind}" for kind, number in found.counts().items())
    lines = [f"**Contracts:** {counts or 'no difference'}; needs **{found.needs}**{_verdict(found.follows)}", ""]
    if found.not_comparable:
        lines += [f"Not compared, because one of the formats cannot say it: {', '.join(found.not_comparable)}.", ""]
    left = MAX_MARKDOWN - len("\n".join(lines)) - 100  # for the line that says what is left out
    blocks = [_block(tool) for tool in found.tools]
    for number, block in enumerate(blocks):
        for line in block:
            left -= len(line) + 1
            if left < 0:
                lines += ["", f"This and {len(blocks) - number - 1} more tools do not fit here."]
                return "\n".join(lines) + "\n"
            lines.append(line)
    return "\n".join(lines) + "\n"


def _verdict(follows: bool) -> str:
    return "" if follows else ", and a version **does not follow**"


def _block(tool: ToolDifference) -> list[str]:
    notes = [f"- {note}" for note in _notes(tool, _code)]
    return [
        f"#### {_code(_clipped(tool.id))}",
        "",
        _versions(tool, _code),
        "",
        "| class | what | where | from | to | rule |",
        "| --- | --- | --- | --- | --- | --- |",
        *map(_row, tool.changes),
        "",
        *([*notes, ""] if notes else []),
    ]


def _row(change: ContractChange) -> str:
    where = _code(_clipped(change.pointer)) if change.pointer else ""
    before, after = (_code(shown(value)) if value is not None else "" for value in (change.before, change.after))
    note = f" {_code(_clipped(change.note))}" if change.note else ""
    grave = "**" if change.bump == "major" or change.direction == "riskier" else ""
    kind = f"{grave}{change.kind}{grave}"
    return f"| {kind} | {change.meaning}{note} | {where} | {before} | {after} | {change.rule} |"


RENDERERS: dict[str, Callable[[Difference], str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}
