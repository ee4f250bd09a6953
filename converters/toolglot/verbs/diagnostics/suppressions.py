"""Comments in YAML that suppress findings: `# toolglot: ignore[code] -- reason`, beside a line or above it.

A text in the document that looks like a comment is none. A comment that suppresses nothing is a finding itself, so that
none outlives its reason.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from toolglot.converter.formats.kit.rule import Rule
from toolglot.converter.text import document_reader
from toolglot.option_checks import split_commas
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rule_selection import RuleSet
from toolglot.verbs.diagnostics.rules import rules

RULES = (
    Rule(
        code="unused-ignore",
        message="a comment ignores what is not found there, or does not exist",
        why="The next finding there would be ignored, though nobody has looked at it.",
        mend="Take the comment, or the code in it, out.",
        citation="ruff's RUF100",
    ),
)

_MARK = "toolglot:"  # most documents have none, and need no search
# It begins with the `#`, for which a search looks far faster than for any place that may stand before one.
_COMMENT = re.compile(r"#(?<![^ \t\n]#)[ \t]*toolglot:[ \t]*ignore\[([^\]\n]{0,400})\][^\n]*")
_OWN_LINE = re.compile(r"[ \t]*(?:#.*)?")


class _Comment(msgspec.Struct, frozen=True):
    """A comment: its place, the line that it is about, and the codes that it names."""

    line: int
    column: int
    target: int
    codes: tuple[str, ...]


def suppress(document: document_reader.Document, diagnostics: list[Diagnostic], rule_set: RuleSet) -> list[Diagnostic]:
    """The findings that no comment suppresses, and findings for comments that suppress none."""
    if _MARK not in document.text or document.syntax not in ("yaml", "front-matter"):
        return diagnostics
    comments = list(_find_comments(document))
    ignored = {(comment.target, code) for comment in comments for code in comment.codes}
    found = {(diagnostic.line, diagnostic.code) for diagnostic in diagnostics}
    remaining_diagnostics = [one for one in diagnostics if (one.line, one.code) not in ignored]
    unused = rule_set.select(_find_unused(comments, found, rule_set))
    return remaining_diagnostics + [replace(warning, source=document.name) for warning in unused]


def _find_comments(document: document_reader.Document) -> Iterator[_Comment]:
    """The comments of a document that name codes, in order."""
    text = document.text
    if document.body is not None:
        text = text[: len(text) - len(document.body)]
    lines = text.split("\n")
    targets = _targets_of_lines(lines)
    spans = list(_spans_of_scalars(text))
    for match in _COMMENT.finditer(text):
        before = bisect(spans, (match.start(),))
        if before and match.start() < spans[before - 1][1]:
            continue  # a part of a text
        number, column = document.where(match.start())
        target = number
        if not lines[number - 1][: column - 1].strip():
            target = targets[number - 1]
        codes = split_commas(match[1])
        yield _Comment(number, column, target, codes)


def _targets_of_lines(lines: list[str]) -> list[int]:
    """For each line, the line that a comment alone on it is about: the next one with content, or itself at the end."""
    targets: list[int] = []
    following: int | None = None
    for number in range(len(lines), 0, -1):
        if not _OWN_LINE.fullmatch(lines[number - 1].rstrip("\r")):
            following = number
        targets.append(following or number)
    return targets[::-1]


def _spans_of_scalars(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each text and key of a YAML document; a block of lines starts below the line that opens it."""
    from yaml import events as yaml  # with the next 14 ms that documents without such comments do not need

    from toolglot.converter.text.yaml_reader import EventParser

    for event in iter(EventParser(text).get_event, None):
        kind = type(event)
        if kind is yaml.DocumentEndEvent:
            return
        if kind is yaml.ScalarEvent:
            start = event.start_mark.index
            if event.style in ("|", ">"):
                line_end = text.find("\n", start)
                start = len(text) if line_end < 0 else line_end
            yield start, event.end_mark.index


def _find_unused(
    comments: Iterable[_Comment], found: set[tuple[int | None, str]], rule_set: RuleSet
) -> Iterator[Diagnostic]:
    for comment in comments:
        for code in comment.codes:
            if code not in rules():
                message = f"there is no rule {code!r} that could be ignored"
            elif (comment.target, code) not in found and code in rule_set.codes:
                message = f"nothing here is {code}; take the comment out"
            else:
                continue
            line, column = comment.line, comment.column
            yield Diagnostic(code="unused-ignore", severity="warning", message=message, line=line, column=column)
