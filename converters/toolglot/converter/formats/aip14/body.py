"""The body of a `TOOL.md`: the sections that carry facts, read from it and written into it (AIP-14, body conventions).

`## Description` says how and when to call the tool, and when not, and holds what does not fit the front matter;
`## Examples` has command lines, `## Errors` a table of error codes. A body that says nothing else is not kept: it is
written again from the facts. Any other body is kept as it is, and its facts are read beside it.
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
_HEAD = "| Code | Meaning | Caller action |\n| --- | --- | --- |\n"
FIELDS_OF_BODY = frozenset({"errors", "body", "guidance"})


def parse_body(body: str) -> dict[str, Any]:
    """What a body states: `errors` and `commands`, and the text of its `description` section.

    >>> sorted(parse_body("## Errors\\n\\n| Code | Meaning |\\n|---|---|\\n| `gone` | No such file |\\n"))
    ['commands', 'description', 'errors']
    """
    text = body.replace("\r\n", "\n")
    sections: dict[str, str] = {}
    for title, _, start, end in _heading_spans(text):
        sections.setdefault(title, text[start:end])  # the first of a title counts
    return {
        "errors": _parse_errors(sections.get("errors", "")),
        "commands": _parse_command_lines(sections.get("examples", "")),
        "description": sections.get("description", "").strip(),
    }


def says_more(body: str, sections: Mapping[str, Any]) -> bool:
    """Whether a body says more than what was parsed of it, or says it in another way."""
    return body != _join_sections(**sections)


def repeats_fields(tool: Tool) -> bool:
    """Whether the body has the words of the sections that are read from it and no others, in any order and layout.

    >>> repeats_fields(Tool(id="t", body="## Errors\\n|Code|Meaning|Caller action|\\n|---|---|---|\\n|gone|No file||"))
    True
    """
    body = tool.body or ""
    return _count_words(body) == _count_words(_join_sections(**parse_body(body)))


def _count_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def render_body(tool: Tool, long: str | None) -> str:
    """The body of a tool: its own, or one made of `long`, the command lines and the error codes.

    A section of its own body that says something else than the tool (because that was edited, or came from
    elsewhere) is replaced, so that both say the same.
    """
    if tool.body is not None:
        own, body = parse_body(tool.body), tool.body
        if own["description"] != (long or "").strip():
            body = _with_section(body, "description", _render_description(long))
        if own["errors"] == (tool.errors or ()):
            return body
        return _with_section(body, "errors", _render_errors(tool.errors or ()))
    commands = [example.command for example in tool.examples or () if example.command is not None]
    return _join_sections(long, commands, tool.errors or ())


def _join_sections(description: str | None, commands: Sequence[str], errors: tuple[ErrorCode, ...]) -> str:
    """A body of nothing but these sections."""
    examples = "## Examples\n\n```sh\n" + "\n".join(commands) + "\n```\n" if commands else ""
    parts = [_render_description(description), examples, _render_errors(errors)]
    return printable("".join(f"\n{part}" for part in parts if part))


def _heading_spans(text: str) -> list[tuple[str, int, int, int]]:
    """The level-2 sections: lower-case title, where its heading begins, where its content begins and ends."""
    fences = [match.start() for match in _FENCE.finditer(text)]
    # Of a pair of fences the text between them is code, in which no line is a heading.
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
        code, description, action = map(_cell, (error.code, error.description or "", error.action or ""))
        rows.append(f"| `{code}` | {description} | {action} |\n")
    return "## Errors\n\n" + _HEAD + "".join(rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _with_section(body: str, title: str, section: str) -> str:
    """The body with another section of this title, or without one where `section` is empty; a new one is the last."""
    for name, start, _, end in _heading_spans(body):
        if name == title:
            rest = body[end:]
            gap = "\n" if section and rest else ""
            return f"{body[:start]}{section}{gap}{rest}"
    if not section:
        return body
    return f"{body.rstrip()}\n\n{section}"
