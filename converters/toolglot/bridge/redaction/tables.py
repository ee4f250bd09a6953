"""Secrets in tables: a row of a name and its value, or a column under a name.

A line is split at bars, as Markdown, psql and boxes write tables, at commas where its words are the names of columns,
or else at two blanks and more or at a tab, as programs print two columns. Every line is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from toolglot.bridge.redaction.kubernetes import TextSpan
from toolglot.bridge.redaction.named_values import PARTS_OF_NAMES, is_name_of_secret, is_quoted_secret

_BARS = "|│┃"
_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(rf"[\s{_BARS}+:=─-╿-]*[-=─-╿][\s{_BARS}+:=─-╿-]*")  # what stands between a head and its rows
_CELL = re.compile(rf"[^{_BARS}\n]+")
_PAIR = re.compile(r"[ \t]*+([\w.-]{1,64})(?:[ ]{2,}|[ ]?\t)\s*+(\S++)[ \t]*+\Z")
_HEAD_OF_COMMAS = re.compile(r"[\w.-]{1,64}(?:,[\w.-]{1,64}){1,100}+\r?")
_NAME = re.compile(r"[\w. -]{1,64}")
_LONGEST_VALUE = 200
# What says something of a secret where it might stand.
_DESCRIBING = frozenset({"value", "type", "description", "default", "example", "key"})


class _TextCell(NamedTuple):
    text: str
    start: int  # in the whole text

    @property
    def span(self) -> TextSpan:
        return self.start, self.start + len(self.text)

    @property
    def is_name(self) -> bool:
        if not any(part in self.text.lower() for part in PARTS_OF_NAMES):
            return False
        return _NAME.fullmatch(self.text) is not None and is_name_of_secret(self.text)

    @property
    def is_secret(self) -> bool:
        """Whether it is a word such as secrets are, and not what describes one."""
        is_word = 0 < len(self.text) <= _LONGEST_VALUE and not re.search(r"\s", self.text)
        is_other = self.text.lower() in _DESCRIBING or self.is_name
        return is_word and not is_other and is_quoted_secret(self.text)


def table_spans(text: str) -> Iterator[TextSpan]:
    """The secrets in the tables of a text, in their order.

    >>> text = "| user | password |\\n| --- | --- |\\n| bob | hunter2 |\\n"
    >>> [text[start:end] for start, end in table_spans(text)]
    ['hunter2']
    """
    head: list[_TextCell] = []  # the last line with bars, which the next one may say to be the head of a table
    columns: list[int] = []  # of secrets, in the table that a line belongs to
    of_commas = 0  # the fields of a table whose columns are parted by commas
    for line in _LINE.finditer(text):
        if _RULE.fullmatch(line[0]):
            columns = _secret_columns(head) or columns
            continue
        found: Iterable[_TextCell] = ()
        if any(bar in line[0] for bar in _BARS):
            if of_commas:
                columns, of_commas = [], 0
            head = _cells(line)
            found = _in_columns(head, columns)
            if not columns and not _is_before_rule(text, line.end()):
                found = [after for before, after in pairwise(head) if before.is_name]
        elif of_commas and len(fields := _fields(line)) == of_commas:
            found = _in_columns(fields, columns)
        else:
            columns, of_commas, head = [], 0, []
            if "," in line[0] and _HEAD_OF_COMMAS.fullmatch(line[0]):
                columns = _secret_columns(_fields(line))
                of_commas = len(_fields(line)) if columns else 0
            if "  " in line[0] or "\t" in line[0]:
                found = _in_pair(line)
        yield from (cell.span for cell in found if cell.is_secret)


def _cells(line: re.Match[str]) -> list[_TextCell]:
    """What stands between the bars of a line; outside of the first and the last bar stands nothing."""
    cells: list[_TextCell] = []
    for cell in _CELL.finditer(line[0]):
        text = cell[0].strip()
        if text or line[0].lstrip()[:1] not in _BARS:
            cells.append(_TextCell(text, line.start() + cell.start() + cell[0].find(text)))
    return cells


def _fields(line: re.Match[str]) -> list[_TextCell]:
    fields: list[_TextCell] = []
    start = line.start()
    for text in line[0].removesuffix("\r").split(","):
        fields.append(_TextCell(text, start))
        start += len(text) + 1
    return fields


def _in_columns(cells: list[_TextCell], columns: list[int]) -> list[_TextCell]:
    return [cells[column] for column in columns if column < len(cells)]


def _secret_columns(head: list[_TextCell]) -> list[int]:
    return [column for column, cell in enumerate(head) if cell.is_name]


def _in_pair(line: re.Match[str]) -> list[_TextCell]:
    pair = _PAIR.match(line[0])
    if pair is None or not _TextCell(pair[1], 0).is_name:
        return []
    return [_TextCell(pair[2], line.start() + pair.start(2))]


def _is_before_rule(text: str, end: int) -> bool:
    """Whether the line that ends there is the head of a table."""
    following = _LINE.match(text, end + 1)
    return following is not None and _RULE.fullmatch(following[0]) is not None
