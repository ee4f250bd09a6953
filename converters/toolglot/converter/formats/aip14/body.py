"""The body of a `TOOL.md`: the sections that carry facts, read from it and written into it (AIP-14, body conventions).

`## Description` says how and when to call the tool, and when not, and holds what does not fit the front matter;
`## Examples` has command lines, `## Errors` a table of error codes. A body of only these sections is not kept, but
written again from the facts. Any other body is kept as it is, and the facts of its sections are read as well.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from toolglot.converter.hub.model import ErrorCode, Tool
from toolglot.converter.text.serialization import printable

_SECTION = re.compile(r"^## +(.*)$\n?", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")
_ERRORS_HEAD = "| Code | Meaning | Caller action |\n| --- | --- | --- |\n"
FIELDS_OF_BODY = frozenset({"errors", "body", "guidance"})


def parse_body(body: str) -> dict[str, Any]:
    """The facts in the sections of a body: `errors`, `commands`, and the text of `description`.

    >>> parse_body("## Description\\n\\nFor old files.\\n\\n## Examples\\n\\n```sh\\npurge old\\n```\\n")
    {'errors': (), 'commands': ['purge old'], 'description': 'For old files.'}
    """
    text = body.replace("\r\n", "\n")
    sections: dict[str, str] = {}
    for title, _, start, end in _heading_spans(text):
        sections.setdefault(title, text[start:end])  # of several sections with one title the first counts
    return {
        "errors": _parse_errors(sections.get("errors", "")),
        "commands": _parse_command_lines(sections.get("examples", "")),
        "description": sections.get("description", "").strip(),
    }


def differs_from_sections(body: str, sections: Mapping[str, Any]) -> bool:
    """Whether a body differs from the one that would be written from its parsed sections."""
    return body != _join_sections(**sections)


def repeats_fields(tool: Tool) -> bool:
    """Whether the body has exactly the words of its parsed sections, in any order and layout.

    >>> repeats_fields(Tool(id="t", body="## Errors\\n|Code|Meaning|Caller action|\\n|---|---|---|\\n|gone|No file||"))
    True
    """
    body = tool.body or ""
    return _count_words(body) == _count_words(_join_sections(**parse_body(body)))


def _count_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def render_body(tool: Tool, description: str | None) -> str:
    """The body of a tool: its own, or one of the description, the command lines and the error codes.

    The sections `Description` and `Errors` of its own body are replaced where they differ from the tool: the tool may
    have been edited, or have its body from another format.

    Args:
        description: the text of the section `Description`.
    """
    if tool.body is not None:
        sections, body = parse_body(tool.body), tool.body
        if sections["description"] != (description or "").strip():
            body = _with_section(body, "description", _render_description(description))
        if sections["errors"] == (tool.errors or ()):
            return body
        return _with_section(body, "errors", _render_errors(tool.errors or ()))
    commands = [example.command for example in tool.examples or () if example.command is not None]
    return _join_sections(description, commands, tool.errors or ())


def _join_sections(description: str | None, commands: Sequence[str], errors: tuple[ErrorCode, ...]) -> str:
    """A body of only these sections."""
    examples = "## Examples\n\n```sh\n" + "\n".join(commands) + "\n```\n" if commands else ""
    parts = [_render_description(description), examples, _render_errors(errors)]
    return printable("".join(f"\n{part}" for part in parts if part))


def _heading_spans(text: str) -> list[tuple[str, int, int, int]]:
    """The level-2 sections: title in lower case, start of the heading, start and end of the content."""
    fences = [match.start() for match in _FENCE.finditer(text)]
    # After an odd number of fences a line is code, and no heading.
    matches = [match for match in _SECTION.finditer(text) if bisect(fences, match.start()) % 2 == 0]
    ends = [match.start() for match in matches[1:]]
    if matches:
        ends.append(len(text))
    spans = []
    for match, end in zip(matches, ends, strict=True):
        title = match.group(1).strip(" #\r").lower()
        spans.append((title, match.start(), match.end(), end))
    return spans


def _parse_command_lines(section: str) -> list[str]:
    """The lines of the ```sh blocks."""
    lines: list[str] = []
    inside = False
    for line in section.split("\n"):
        if line == "```sh" and not inside:
            inside = True
        elif line == "```":
            inside = False
        elif inside and line.strip():
            lines.append(line)
    return lines


def _parse_errors(section: str) -> tuple[ErrorCode, ...]:
    """The rows of the table; its first two lines are the head."""
    errors = []
    lines = [line.strip() for line in section.splitlines() if line.strip().startswith("|")]
    for line in lines[2:]:
        cells = [cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip("|"))]
        code = cells[0].strip("`").strip()
        if code:
            description, action = [*cells[1:], "", ""][:2]
            errors.append(ErrorCode(code=code, description=description or None, action=action or None))
    return tuple(errors)


def _render_description(text: str | None) -> str:
    return f"## Description\n\n{text}\n" if text else ""


def _render_errors(errors: tuple[ErrorCode, ...]) -> str:
    if not errors:
        return ""
    rows = []
    for error in errors:
        code, description, action = map(_to_cell, (error.code, error.description or "", error.action or ""))
        rows.append(f"| `{code}` | {description} | {action} |\n")
    return "## Errors\n\n" + _ERRORS_HEAD + "".join(rows)


def _to_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _with_section(body: str, title: str, section: str) -> str:
    """The body with the section of this title replaced, or removed where `section` is empty; a new one comes last."""
    for name, start, _, end in _heading_spans(body):
        if name == title:
            rest = body[end:]
            gap = "\n" if section and rest else ""
            return f"{body[:start]}{section}{gap}{rest}"
    if not section:
        return body
    return f"{body.rstrip()}\n\n{section}"
