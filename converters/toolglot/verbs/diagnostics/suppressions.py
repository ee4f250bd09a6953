"""Comments in YAML that take findings away: `# toolglot: ignore[code] -- reason`, beside a line or above one.

What a document says in a text is no comment, though it may look like one: a comment is what can be taken out without
changing the data. A comment that takes nothing away is a finding itself, so that none outlives its reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from toolglot.converter.formats.kit.rule import Rule
from toolglot.converter.text import serialization
from toolglot.errors import ParseError
from toolglot.option_checks import split_commas
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rule_selection import RuleSet
from toolglot.verbs.diagnostics.rules import rules

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

_MARK = "toolglot:"  # most documents have none, and need no search
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[ \t]*toolglot:[ \t]*ignore\[([^\]\n]{0,400})\][^\n]*", re.MULTILINE)
_OWN_LINE = re.compile(r"[ \t]*(?:#.*)?")
_MOST_CHARACTERS = 32 << 20  # that are read again to tell comments from texts; some ten seconds


class _Comment(msgspec.Struct, frozen=True):
    """A comment: where it stands, the line that it is about, and the codes that it names."""

    line: int
    column: int
    target: int
    codes: tuple[str, ...]


def suppress(document: serialization.Document, diagnostics: list[Diagnostic], rule_set: RuleSet) -> list[Diagnostic]:
    """The findings that no comment of the document takes away, and the comments that take none away."""
    if _MARK not in document.text or document.syntax not in ("yaml", "front-matter"):
        return diagnostics
    comments = list(_find_comments(document))
    lines_by_code: dict[tuple[int | None, str], list[int]] = defaultdict(list)
    for comment in comments:
        for code in comment.codes:
            lines_by_code[comment.target, code].append(comment.line)
    used_comments: set[tuple[int, str]] = set()
    remaining_diagnostics: list[Diagnostic] = []
    for diagnostic in diagnostics:
        lines = lines_by_code.get((diagnostic.line, diagnostic.code), ())
        used_comments.update((line, diagnostic.code) for line in lines)
        if not lines:
            remaining_diagnostics.append(diagnostic)
    for warning in _find_unused(comments, used_comments, rule_set):
        severity = rule_set.severity_of(warning.code, warning.severity)
        if severity is not None:
            remaining_diagnostics.append(msgspec.structs.replace(warning, severity=severity, source=document.name))
    return remaining_diagnostics


def _find_comments(document: serialization.Document) -> Iterator[_Comment]:
    """The comments of a document that name codes, in order."""
    text = document.text
    if document.body is not None:
        text = text[: len(text) - len(document.body)]
    lines = text.split("\n")
    targets = _targets_of_lines(lines)
    for match in _select_comments(document, list(_COMMENT.finditer(text))):
        number, column = document.where(match.start())
        target = number
        if not lines[number - 1][: column - 1].strip():
            target = targets[number - 1]
        codes = split_commas(match[1])
        yield _Comment(number, column, target, codes)


def _targets_of_lines(lines: list[str]) -> list[int]:
    """The line that a comment alone on each of these is about: the next with content, or its own where none follows."""
    targets: list[int] = []
    following: int | None = None
    for number in range(len(lines), 0, -1):
        if not _OWN_LINE.fullmatch(lines[number - 1].rstrip("\r")):
            following = number
        targets.append(following or number)
    return targets[::-1]


def _select_comments(document: serialization.Document, places: list[re.Match[str]]) -> list[re.Match[str]]:
    """Those of some places that are comments and no part of a text.

    All at once are tried first, and halves where that fails. An attacker can have each place fail by itself: what
    there is no time for counts as text, and takes no finding away.
    """
    comments: list[re.Match[str]] = []
    waiting = [places]
    characters_left = _MOST_CHARACTERS
    while waiting:
        group = waiting.pop()
        if not group or characters_left < 0:
            continue
        characters_left -= len(document.text)
        if _are_comments(document, group):
            comments += group
        elif len(group) > 1:
            middle = len(group) // 2
            waiting += [group[middle:], group[:middle]]
    return comments


def _are_comments(document: serialization.Document, places: list[re.Match[str]]) -> bool:
    parts: list[str] = []
    at = 0
    for place in places:
        parts.append(document.text[at : place.start()])
        at = place.end()
    text = "".join((*parts, document.text[at:]))
    limits = serialization.Limits(max_bytes=len(text.encode("utf-8", "replace")))  # the document may be a large one
    try:
        without = serialization.load(text, document.name, limits)
    except ParseError:
        return False
    return bool(without.data == document.data)


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
