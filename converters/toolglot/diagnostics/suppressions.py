"""Comments in YAML that take findings away: `# toolglot: ignore[code] -- reason`, beside a line or above one.

What a document says in a text is no comment, though it may look like one: a comment is what can be taken out without
changing the data. A comment that takes nothing away is a finding itself, so that none outlives its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from toolglot.diagnostics.diagnostic import Diagnostic
from toolglot.diagnostics.rule_selection import RuleSet
from toolglot.diagnostics.rules import rules
from toolglot.errors import ParseError
from toolglot.formats.kit.rule import Rule
from toolglot.text import serialization

RULES = (
    Rule(
        code="unused-ignore",
        family="suppressions",
        message="a comment ignores what is not found there, or does not exist",
        why="The next finding there would be ignored, though nobody has looked at it.",
        mend="Take the comment, or the code in it, out.",
        citation="ruff's RUF100",
    ),
)

MARK = "toolglot: ignore"
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*toolglot:[ \t]*ignore\[([^\]\n]{0,400})\][^\n]*", re.MULTILINE)
_OWN_LINE = re.compile(r"[ \t]*(?:#.*)?")


class _Comment(msgspec.Struct, frozen=True):
    """A comment: where it stands, the line that it is about, and the codes that it names."""

    line: int
    column: int
    target: int
    codes: tuple[str, ...]


def suppress(document: serialization.Document, diagnostics: list[Diagnostic], rule_set: RuleSet) -> list[Diagnostic]:
    """The findings that no comment of the document takes away, and the comments that take none away."""
    if MARK not in document.text or document.syntax not in ("yaml", "front-matter"):
        return diagnostics
    comments = list(_comments_of(document))
    used_comments: set[tuple[int, str]] = set()
    remaining_diagnostics: list[Diagnostic] = []
    for diagnostic in diagnostics:
        places = [one for one in comments if one.target == diagnostic.line and diagnostic.code in one.codes]
        used_comments |= {(one.line, diagnostic.code) for one in places}
        if not places:
            remaining_diagnostics.append(diagnostic)
    for warning in _find_unused(comments, used_comments, rule_set):
        severity = rule_set.severity_of(warning.code, warning.severity)
        if severity is not None:
            remaining_diagnostics.append(msgspec.structs.replace(warning, severity=severity, source=document.name))
    return remaining_diagnostics


def _comments_of(document: serialization.Document) -> Iterator[_Comment]:
    text = document.text
    if document.body is not None:
        text = text[: len(text) - len(document.body)]
    lines = text.split("\n")
    for match in _COMMENT.finditer(text):
        if not _is_comment(document, match.start(), match.end()):
            continue
        number = text.count("\n", 0, match.start()) + 1
        column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
        codes = tuple(code.strip() for code in match[1].split(",") if code.strip())
        yield _Comment(number, column, _target(lines, number, column), codes)


def _target(lines: list[str], number: int, column: int) -> int:
    """The line that a comment is about: its own, or the next with content if it stands alone."""
    if lines[number - 1][: column - 1].strip():
        return number
    following = (index for index in range(number, len(lines)) if not _OWN_LINE.fullmatch(lines[index].rstrip("\r")))
    return next(following, number - 1) + 1


def _is_comment(document: serialization.Document, start: int, end: int) -> bool:
    without = document.text[:start] + document.text[end:]
    try:
        return bool(serialization.load(without, document.name).data == document.data)
    except ParseError:
        return False


def _find_unused(
    comments: Iterable[_Comment], used_comments: set[tuple[int, str]], rule_set: RuleSet
) -> Iterator[Diagnostic]:
    for comment in comments:
        for code in comment.codes:
            if code not in rules():
                message = f"there is no rule {code!r} that could be ignored"
            elif (comment.line, code) not in used_comments and code in rule_set.codes:
                message = f"nothing here is {code}; take the comment out"
            else:
                continue
            line, column = comment.line, comment.column
            yield Diagnostic(code="unused-ignore", severity="warning", message=message, line=line, column=column)
