"""Names in a text that may be names of secrets, and what the words and lines around them add."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolglot.runtime.bridge.redaction.secret_names import ANCHORS, NameKind, judge_name
from toolglot.runtime.bridge.redaction.word_search import in_small_letters

# Where a secret begins in a text, and where it ends.
TextSpan = tuple[int, int]

TextSpans = Iterator[TextSpan]
TextMatch = re.Match[str]

# What tells a name, and the rest of the name.
_ANCHOR = re.compile(
    rf"(?:{ANCHORS})"
    + r"[\w-]{0,64}+(?:[./]{1,2}[\w-]{1,64}+){0,4}+"
    + r"(?:[ ](?:content|material|value|(?:id|name|type|length)(?=[ ]{0,40}[:=][ ]))\b)?"
)
_LONGEST_PART = 64
_BEFORE = re.compile(r"[\w.$/-]*+")  # read backwards
_WORDS_BEFORE = re.compile(r"[ ]((?:[A-Za-z]{2,20}[ -]){0,2}[A-Za-z]{2,20})\b")  # read backwards
_WINDOW = 400
_VALUES = ("value", "result", "plaintext")
_ENCRYPTED = re.compile("encrypted|sealed", re.IGNORECASE)
_OPENS = re.compile(r"[\"']?[ \t]{0,40}[:=][ \t]{0,40}[{\[]")
_IS_SET = re.compile(r"[\"']?[ \t]{0,40}[:=]")
_PARENT = re.compile(r"^([ ~+-]*)[\"']?(?:\w{1,20}[ ]\")?([\w.-]{1,64})[\"']?(?::|[ =>\w\"-]{0,80}[{\[])", re.MULTILINE)
_INLINE_PARENT = re.compile(r"([\w.-]{1,64}+)[\"']?[ \t]{0,8}[:=][ \t]{0,8}\{[ \t]{0,8}[\"']?\Z")
_STOP_WORDS = re.compile(r"\b(?:is|has|use|no|the|an?|your|my|new|old|this|that|to|of|and|or|for|with|as|by)\b", re.I)


class TextPart(NamedTuple):
    """A name or a value in a text, with its offsets."""

    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The part itself."""
        return self.text[self.start : self.end]

    def has_before(self, *marks: str) -> bool:
        """Whether one of these marks stands directly before the part."""
        return self.text.endswith(marks, 0, self.start)


def names_in(text: str) -> Iterator[TextPart]:
    """The names in a text that may be names of secrets."""
    small = in_small_letters(text)
    position = 0
    while name := next_name(text, small, position):
        position = name.end
        yield name


def next_name(text: str, small: str, position: int) -> TextPart | None:
    """The next whole word that may be the name of a secret; `small` is the text in lower case."""
    anchor = _ANCHOR.search(small, position)
    if anchor is None:
        return None
    start = anchor.start()
    before = _BEFORE.match(text[max(position, start - _LONGEST_PART) : start][::-1])
    return TextPart(text, start - len(before[0] if before else ""), anchor.end())


def judge_name_in_text(name: TextPart) -> NameKind:
    """The kind of a name. Words before it, or the name above it, say which key, code or token it is."""
    own, text = name.word, name.text
    if own == "key" and (name.has_before("?", "&") or text.startswith(" = ", name.end)):
        return NameKind.GENERATED
    kind = judge_name(own.removesuffix("s") if text.startswith("[", name.end) else own)
    if _IS_SET.match(text, name.end):
        kind = _judge_below(name, kind)
    if kind is NameKind.PASSWORD or not own.isalpha() or not name.has_before(" "):
        return kind
    before = _WORDS_BEFORE.match(text[max(0, name.start - 48) : name.start][::-1])
    words = _STOP_WORDS.split(before[1][::-1])[-1] if before else ""
    if not words.strip():
        return kind
    found = judge_name(f"{words} {own}")
    return kind if found is NameKind.GENERATED and own != "cookie" else found  # any key would be one


def _judge_below(name: TextPart, kind: NameKind) -> NameKind:
    """The kind of a name by the line that it is indented below, as in YAML."""
    text = name.text
    earliest = max(0, name.start - _WINDOW)
    above, _, start = text[earliest : name.start].rpartition("\n")
    is_answer = name.word.lower() in _VALUES and above and not _OPENS.match(text, name.end)
    if is_answer and (not start or start.strip().isalpha()):
        return max(kind, judge_name(subject_of_line(above.rpartition("\n")[2])))
    parent = _parent_of(start, above)
    if _ENCRYPTED.search(parent):
        return NameKind.PLAIN
    return max(kind, judge_name(f"{parent} {name.word}"))


def _parent_of(start: str, above: str) -> str:
    """The name that a line is indented below, or the name before an open brace; empty where there is none.

    Args:
        start: the line up to the name.
        above: the lines above it.
    """
    inline = _INLINE_PARENT.search(start[-40:]) if "{" in start[-3:] else None
    if inline:
        return inline[1]
    if start.strip("~+- \"'"):
        return ""
    indent = len(start.rstrip("\"'"))
    return next((parent[2] for parent in reversed([*_PARENT.finditer(above)]) if len(parent[1]) < indent), "")


def subject_of_line(line: str) -> str:
    """The secret that a line is about; empty where it is about none.

    >>> subject_of_line("$ cloud get-secret --name db"), subject_of_line("$ ls")
    ('get-secret', '')
    """
    names = (name for name in names_in(line[:_WINDOW]) if not _IS_SET.match(name.text, name.end))
    subject = next((name.word for name in names if judge_name_in_text(name) >= NameKind.MIXED), "")
    return subject.rpartition("/")[2]
