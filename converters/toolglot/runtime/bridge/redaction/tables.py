"""Secrets in tables: a row of a name and its value, or a column under a name.

A line is split at bars, as Markdown, psql and boxes write tables, or else at two blanks and more or at a tab, as
programs print two columns. Below a head of nothing but names it is split at what parts them. Every line is looked at
once for either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from toolglot.runtime.bridge.redaction.kubernetes import TextSpan
from toolglot.runtime.bridge.redaction.named_values import (
    PARTS_OF_NAMES,
    Notation,
    is_bare_secret,
    is_name_of_secret,
    is_quoted_secret,
)

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"[\s|+:=─-╿-]*[-=─-╿][\s|+:=─-╿-]*")  # what stands between a head and its rows
_CELL = re.compile(r"[^|│┃\n]++")
_BAR = re.compile(r"(?:^|[ \t])[|│┃]", re.MULTILINE)  # with a blank before it, unlike in a regular expression
_HEAD = re.compile(r"[\w-]{1,64}(?P<separator>[,;|])[\w-]{1,64}(?:(?P=separator)[\w-]{1,64})*+")
_PAIR = re.compile(r"[ \t]*+([\w.-]{1,64})(?:[ ]{2,}|[ ]?\t)\s*+(\S++)[ \t]*+\Z")
_NAME = re.compile(r"\s*[\w. -]{1,64}")
_WORD = re.compile(r"(?!(?:value|type|description|default|example|key)\s*\Z)\S{1,200}", re.IGNORECASE)


def table_spans(text: str) -> Iterator[TextSpan]:
    """The secrets in the tables of a text, in their order.

    >>> text = "| user | password |\\n| --- | --- |\\n| bob | hunter2 |\\n"
    >>> [text[start:end] for start, end in table_spans(text)]
    ['hunter2']
    """
    lines = [(line, _RULE.fullmatch(line[0]) is not None) for line in _LINE.finditer(text)]
    has_bars = _BAR.search(text) is not None
    columns: list[int] = []  # of secrets, in the table that a line belongs to
    cells: list[TextSpan] = []
    for (line, is_rule), (_, is_head) in zip(lines, [*lines[1:], (None, False)], strict=True):
        if is_rule:
            columns = [column for column, cell in enumerate(cells) if _is_name(text, cell)] or columns
            continue
        cells = []
        if has_bars:
            cells = [cell.span() for cell in _CELL.finditer(text, *line.span()) if not cell[0].isspace()]
        if len(cells) < 2:
            pair, columns = _PAIR.match(line[0]), []
            cells = [] if pair is None else [(line.start() + start, line.start() + end) for start, end in pair.regs[1:]]
        if columns:
            found = [cells[column] for column in columns if column < len(cells)]
        elif not is_head:
            found = [after for before, after in pairwise(cells) if _is_name(text, before)]
        else:
            found = []  # it is the head of a table
        yield from filter(None, (_span_of_secret(text, cell) for cell in found))


def separated_spans(text: str) -> Iterator[TextSpan]:
    """The secrets below heads such as `user,password`, in their order.

    >>> text = "user,password,role\\nbob,hunter2,admin\\n"
    >>> [text[start:end] for start, end in separated_spans(text)]
    ['hunter2']
    """
    columns: list[int] = []  # of secrets, in the table that a line belongs to
    separator, separator_count = "", 0
    for line in _LINE.finditer(text):
        if columns and line[0].count(separator) == separator_count:
            cells = list(_spans_of_values(line[0].split(separator), line.start()))
            yield from filter(None, (_span_of_secret(text, cells[column]) for column in columns))
            continue
        columns = []
        head = _HEAD.fullmatch(line[0])
        if head:
            separator = head["separator"]
            separator_count = line[0].count(separator)
            columns = [column for column, name in enumerate(line[0].split(separator)) if is_name_of_secret(name)]


def _spans_of_values(values: Iterable[str], start: int) -> Iterator[TextSpan]:
    """Where values stand in a text that are parted by one character each."""
    for value in values:
        yield start, start + len(value)
        start += len(value) + 1


def _is_name(text: str, cell: TextSpan) -> bool:
    name = text[slice(*cell)].strip()
    if not any(part in name.lower() for part in PARTS_OF_NAMES):
        return False
    return _NAME.fullmatch(name) is not None and is_name_of_secret(name)


def _span_of_secret(text: str, cell: TextSpan) -> TextSpan | None:
    """The word in a cell, if it is one such as secrets are; not what describes one, nor the name of one."""
    value = text[slice(*cell)].strip()
    if not _WORD.fullmatch(value) or is_name_of_secret(value) or not is_quoted_secret(value):
        return None
    start = text.index(value, *cell)
    end = start + len(value)
    return (start, end) if is_bare_secret(text, start, end, "", Notation.ANY) else None
