"""Secrets in tables: a row of a name and its value, or a column under a name.

A line is split at bars, as Markdown, psql and boxes write tables, or else at two blanks and more or at a tab, as
programs print columns. Below a head of nothing but names it is split at what parts them. Every line is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolglot.runtime.bridge.redaction.assignments import NAMED_KEYS, NAMING_KEYS
from toolglot.runtime.bridge.redaction.names_in_text import TextSpan
from toolglot.runtime.bridge.redaction.secret_names import NameKind, is_name_of_secret, judge_name
from toolglot.runtime.bridge.redaction.secret_values import (
    Notation,
    fits_name,
    is_bare_secret,
    is_mixed,
    is_quoted_secret,
)

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"(?=[\s|+:]*+[-=─-╿])[\s|+:=─-╿-]++")  # what stands between a head and its rows
_BARRED = re.compile(r"[^|│┃\n]++")
_SPACED = re.compile(r"\S(?:[^\s]|[ ](?![ ]))*+")
_BAR = re.compile(r"(?:^|[ \t])[|│┃]")  # with a blank before it, unlike in a regular expression
_SEPARATED = re.compile(r"[\w -]{1,64}(?P<separator>[,;|])[\w -]{1,64}(?:(?P=separator)[\w -]{1,64})*+")
_NAME = re.compile(r"[`*]{0,2}[\w./: -]{1,64}?[`*]{0,2}")
_UPPER_NAME = re.compile(r"[A-Z][A-Z_ /-]*")
_FIELD_NAME = re.compile(r"[A-Za-z_]+")
_MOST_CELLS = 64

_Cells = list[tuple[str, int]]  # of a line, each with where it begins in the text


def secrets_in_tables(text: str) -> Iterator[TextSpan]:
    """The secrets in the tables of a text.

    >>> text = "| user | password |\\n| --- | --- |\\n| bob | hunter2 |\\n"
    >>> [text[start:end] for start, end in secrets_in_tables(text)]
    ['hunter2']
    """
    head: list[str] = []
    before: _Cells = []
    name = ""  # of a record that has one line for it, and one for its value
    lines = list(_LINE.finditer(text))
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        if _RULE.fullmatch(line[0]):
            head = [cell for cell, _ in before] or head
            before = []
            continue
        cells = _cells_of(line)
        is_head = following is not None and _RULE.fullmatch(following[0]) is not None
        if not 2 <= len(cells) <= _MOST_CELLS:
            head, name = [], ""
        elif not head and _is_head(line[0], cells, following):
            head = [cell for cell, _ in cells]
        elif head or not is_head:
            for key, (value, start) in _pairs_of_row(head, cells):
                key = name if name and key.lower() in NAMED_KEYS else key
                if _is_secret(text, key, value, start):
                    yield start, start + len(value)
            name = cells[1][0] if cells[0][0].lower() in NAMING_KEYS else name
        before = cells


def _is_head(line: str, cells: _Cells, following: re.Match[str] | None) -> bool:
    """Whether a line that no rule follows names the columns of a table."""
    names = [name for name, _ in cells]
    if all(map(_UPPER_NAME.fullmatch, names)) or (line.startswith("#") and "\t" in line):
        return True
    has_secret = any(map(is_name_of_secret, names[1:])) and all(map(_FIELD_NAME.fullmatch, names))
    return has_secret and following is not None and len(_cells_of(following)) == len(cells)


def secrets_in_separated_values(text: str) -> Iterator[TextSpan]:
    """The secrets below heads such as `user,password`.

    >>> text = "user,password,role\\nbob,hunter2,admin\\n"
    >>> [text[start:end] for start, end in secrets_in_separated_values(text)]
    ['hunter2']
    """
    columns: dict[int, str] = {}  # of secrets, in the table that a line belongs to
    separator, separator_count = "", 0
    for line in _LINE.finditer(text):
        if columns and line[0].count(separator) == separator_count:
            start = line.start()
            for number, value in enumerate(line[0].split(separator)):
                word = value.strip("\"' ")
                begin = start + value.index(word)
                if number in columns and _is_secret(text, columns[number], word, begin):
                    yield begin, begin + len(word)
                start += len(value) + 1
            continue
        columns = {}
        head = _SEPARATED.fullmatch(line[0])
        if head:
            separator = head["separator"]
            separator_count = line[0].count(separator)
            names = enumerate(line[0].split(separator))
            columns = {number: name for number, name in names if judge_name(name) >= NameKind.GENERATED}


_INSERT = re.compile(r"\binsert\s+into\s+[\w.`\"]{1,80}\s*\(([^()]{1,2000}+)\)\s*values\s*(?=\()", re.IGNORECASE)
_ROW = re.compile(r"\s*+(?:,\s*+)?\(((?:[^()']|'(?:[^'\\]|\\.|'')*+')*+)\)")
_FIELD = re.compile(r"\s*+(?:'((?:[^'\\]|\\.|'')*+)'|([^,']*+))\s*+(?:,|\Z)")


def secrets_in_inserted_rows(text: str) -> Iterator[TextSpan]:
    """The secrets in rows that SQL inserts below names.

    >>> text = "INSERT INTO users (id, password) VALUES (1, 'hunter2'), (2, 'hunter3')"
    >>> [text[start:end] for start, end in secrets_in_inserted_rows(text)]
    ['hunter2', 'hunter3']
    """
    for insert in _INSERT.finditer(text):
        names = [name.strip(' \t\n`"') for name in insert[1].split(",")]
        position = insert.end()
        while row := _ROW.match(text, position):
            position = row.end()
            start, end = row.span(1)
            for name in names:
                field = _FIELD.match(text, start, end)
                if field is None:
                    break
                start = field.end()
                if field[1] and _is_secret(text, name, field[1], field.start(1)):
                    yield field.span(1)


def _cells_of(line: re.Match[str]) -> _Cells:
    pattern = _BARRED if _BAR.search(line[0]) else _SPACED
    cells = []
    for cell in pattern.finditer(line[0]):
        word = cell[0].removeprefix("#").strip(" \t`\"',;")
        if word:
            cells.append((word, line.start() + cell.start() + cell[0].index(word)))
    return cells


def _pairs_of_row(head: list[str], cells: _Cells) -> Iterator[tuple[str, tuple[str, int]]]:
    """The cells of a row, each with its name: that of its column, or the cell before it."""
    small = [name.strip("`*").lower() for name in head]
    values = [number for number, name in enumerate(small) if name in NAMED_KEYS]
    if len(head) == len(cells):
        yield from zip(head, cells, strict=True)
        if values:
            yield from ((cells[0][0], cells[number]) for number in values)
    if len(cells) == 2:
        yield cells[0][0], cells[1]


def _is_secret(text: str, name: str, value: str, start: int) -> bool:
    """Whether a cell is a secret; not what describes one, nor the name of one."""
    kind = judge_name(name) if _NAME.fullmatch(name) else NameKind.UNKNOWN
    if kind is NameKind.TEXT and not is_mixed(value):
        return False
    if kind < NameKind.GENERATED or " " in value or not value or (value.isidentifier() and is_name_of_secret(value)):
        return False
    if not fits_name(value, kind) or not is_quoted_secret(value, name):
        return False
    return is_bare_secret(text, start, start + len(value), name, Notation.CELL)
