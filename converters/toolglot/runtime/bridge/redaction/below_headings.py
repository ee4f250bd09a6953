"""Secrets without a name of their own: below a heading, a command or a question that speaks of a secret."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from toolglot.runtime.bridge.redaction.names_in_text import TextMatch, TextSpan, TextSpans, judge_name_in_text, names_in
from toolglot.runtime.bridge.redaction.secret_names import NameKind, is_name_of_secret, judge_name
from toolglot.runtime.bridge.redaction.secret_or_prose import (
    is_chosen,
    is_mixed,
    is_object_name,
    is_other,
    is_scrambled,
    stands_elsewhere,
)

_LINE = re.compile(r"^[^\S\n]*+\S[^\n]*", re.MULTILINE)  # not a blank one, however long
_LONGEST_LINE = 300
_COMMAND = re.compile(r"\s*(?:\S{0,80}[$#>%]|\(\w+\)|PS \S{0,80}>|➜|\+)[ ]")
_LISTS = re.compile(r"\b(?:secrets? create|ls|list|rm|delete|metadata|\w*sum|digest|fingerprint)\b")
_IS_PUBLIC = re.compile(r"\bpub(?:lic)?[_-]?key\b[^|;&]*\Z")  # what the last of several commands prints
_LOGGED = r"(?:[\w.-]{1,60} {0,40}\|(?!\|))?"  # whose line it is, in a log of several programs
_MARK = re.compile(_LOGGED + r"[ \t]*+(?:(?:[-*•>]|=>|\$[0-9]+ =(?: 0x\w+)?)[ ]|\(?[0-9]{1,2}[.)][ ])?[ \t]*+")
_CELL = re.compile(
    r"(?!<)(?:[0-9]{1,2}[.)][ ]{1,2})?[\"'`]?([0-9]{3,5} [0-9]{3,5}(?=  |\t|\s*\Z)|[^\s\"'`,|]{5,2000}+)[\"'`]?"
    r"(?=[ ]{2,}|\t|\s*\Z)[ \t]*"
)
_ASKS = re.compile(r"^(?!.*\b(?:[Hh]ow|[Ww]hy)\b).*\?\s*\Z|\b(?:what'?s|who has|anyone|send me)\b")
_WORD = re.compile(r"(?<=\s)[\"'`(]?([^\s\"'`,;:()\[\]]{4,40})(?=[\"'`.,;)!]*(?:\s|\Z))")
_ONE_WORD = re.compile(r"(?:[0-9]+\) )?\"?[\w.@-]+\"?:?")
_SENTENCE = re.compile(r"[ \t]*[A-Z][a-z]+ [^\n]{8,200}[a-z][.]\s*")
_RULE = re.compile(_LOGGED + r"[\s=─-]*")
_PRINTS_PASSWORD = re.compile(
    r"\s(?:go)?pass\s(?!insert|ls|list|find|git|init|rm|mv|cp|generate -)"
    r"|\skeyring get\b|\spwgen\b|\bopenssl rand\b|\bkeygen\b(?! -)"
)
_FILE_ENDING = re.compile(r"\.(?:txt|client|conf|env|pw|pass|key|ini)\b")
_ASKED = re.compile(r"[a-z]{3,12}(?:-[a-z]{3,12}){2,8}|[0-9]{6,8}")  # a passphrase or a code
_CODE = re.compile(r"(?=\S*[0-9])[A-Za-z0-9]{3,24}(?:[ -][A-Za-z0-9]{3,12}){0,7}")
_PAIR = re.compile(
    r"(?:[A-Z][A-Z0-9_]*|[a-z_.][a-z0-9_.-]*|[A-Za-z_.-]+)=(?!=|\Z)|[A-Z0-9]+(?:_[A-Z0-9]+)+\Z|\S+:\Z|\[.*\]\Z"
)  # or a constant, a heading, or what has its value below
_MOST_COLONS = 3  # more are the fields of a line of /etc/passwd
_SHORTEST = 8


def secrets_below_headings(text: str, found: Iterable[TextSpan]) -> TextSpans:
    """The output of a command that prints a secret, and the lines below a heading that speaks of one.

    Args:
        text: the whole text.
        found: the secrets that were found before, in their order; a line with one of them is no heading.

    >>> text = "Your recovery codes:\\n  6bd77-5377a  c9b47-c7967\\nKeep them."
    >>> [text[start:end] for start, end in secrets_below_headings(text, [])]
    ['6bd77-5377a', 'c9b47-c7967']
    """
    starts = [start for start, _ in found]
    heading: TextMatch | None = None
    for line in _LINE.finditer(text):
        is_known = bisect_left(starts, line.start()) < bisect_left(starts, line.end()) or "[REDACTED]" in line[0]
        cells = [] if is_known or heading is None else _cells_of(line) or _answers_in(line, heading[0])
        if cells and heading and _are_secrets([cell[1] for cell in cells], heading[0]):
            yield from (cell.span(1) for cell in cells)
        elif is_known:
            heading = line if _COMMAND.match(line[0]) else None
        elif not (
            (heading and _SENTENCE.fullmatch(line[0]) and _kind_of_heading(line[0]) < NameKind.GENERATED)
            or _RULE.fullmatch(line[0])
            or (heading and _COMMAND.match(heading[0]) and _ONE_WORD.fullmatch(line[0]))
        ):
            heading = line  # one word, such as a user, may stand between a command and the secret


def _cells_of(line: TextMatch) -> list[TextMatch]:
    """The cells of a line; empty where it has a word that cannot be a secret."""
    text, end = line.string, line.end()
    mark = _MARK.match(text, line.start(), end)
    position = mark.end() if mark else line.start()
    cells = []
    while position < end:
        cell = _CELL.match(text, position, end)
        if cell is None:
            return []
        cells.append(cell)
        position = cell.end()
    return cells


def _answers_in(line: TextMatch, question: str) -> list[TextMatch]:
    """The words of a line that may answer a question for a secret."""
    if not _ASKS.search(question):
        return []
    kind = _kind_of_heading(question)
    return [word for word in _WORD.finditer(line.string, *line.span()) if _is_answer(word[1], kind, is_asked=True)]


def _are_secrets(words: list[str], heading: str) -> bool:
    """Whether all the words of a line look like the secrets that the line above it speaks of."""
    kind = _kind_of_heading(heading)
    is_asked = heading.rstrip().endswith(":") or _COMMAND.match(heading) is not None
    return kind >= NameKind.GENERATED and all(_is_answer(word, kind, is_asked) for word in words)


def _is_answer(word: str, kind: NameKind, is_asked: bool) -> bool:
    """Whether a word is a secret of the kind that the line above speaks of; `is_asked`: that line is a question."""
    if kind is NameKind.CODE:
        return _CODE.fullmatch(word) is not None
    is_harmless = is_other(word) and not (is_asked and kind is NameKind.PASSWORD and is_chosen(word))
    if _PAIR.match(word) or is_harmless or word.count(":") > _MOST_COLONS or stands_elsewhere(word):
        return False
    if word.isidentifier() and is_name_of_secret(word):
        return False
    if is_asked and _ASKED.fullmatch(word):
        return True
    is_name = is_object_name(word) and (kind is not NameKind.PASSWORD or "/" in word)
    return not is_name and len(word) >= _SHORTEST and (is_mixed(word) or is_scrambled(word))


@lru_cache(64)  # a line is judged as what stands below another, and then as a heading: 0.2 of 1.1 s for a megabyte
def _kind_of_heading(line: str) -> NameKind:
    is_code = line.rstrip().endswith((";", "{", "(", ",", "\\")) or _PAIR.match(line)
    is_listing = _COMMAND.match(line) and (_LISTS.search(line) or _IS_PUBLIC.search(line))
    if len(line) > _LONGEST_LINE or is_code or is_listing:
        return NameKind.UNKNOWN
    if _COMMAND.match(line) and _PRINTS_PASSWORD.search(line):
        return NameKind.PASSWORD
    names = chain.from_iterable(map(names_in, {line, _FILE_ENDING.sub("", line)}))
    parts = re.split("[-.: ]", line) if _COMMAND.match(line) else ()
    return max((*map(judge_name_in_text, names), *map(judge_name, parts)), default=NameKind.UNKNOWN)
