"""Secrets in tables: a row of a name and its value, or a column under a name.

A line is split at bars, as Markdown, psql and boxes write tables, or else at two blanks and more or at a tab, as
programs print columns. Below a head of nothing but names it is split at what parts them. Every line is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from toolglot.runtime.bridge.redaction.assignments import NAMED_KEYS, NAMING_KEYS
from toolglot.runtime.bridge.redaction.names_in_text import TextMatch, TextSpans, subject_of_line
from toolglot.runtime.bridge.redaction.secret_names import NameKind, is_name_of_secret, judge_name
from toolglot.runtime.bridge.redaction.secret_or_prose import (
    Notation,
    fits_name,
    is_bare_secret,
    is_chosen,
    is_generated,
    is_mixed,
)

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"(?=[\s|+:]*+[-=─-╿])[\s|+:=─-╿-]++")  # what stands between a head and its rows
_BARRED = re.compile(r"(?:^|[|│┃])([^|│┃\n]*+)")
_SPACED = re.compile(r"(\S(?:[^\s]|[ ](?![ ]))*+)")
_BAR = re.compile(r"(?:^|[ \t])[|│┃]")  # with a blank before it, unlike in a regular expression
_SEPARATED = re.compile(
    r"[\"\w ./-]{1,64}(?P<separator>[,;]|(?<![ ])[|])[\"\w ./-]{1,64}(?:(?P=separator)[\"\w ./-]{1,64})*+"
)
_SEPARATORS = {mark: re.compile(rf'(?:^|[{mark}])("[^"\n]*+"|[^{mark}\n]*+)') for mark in ",;|"}
_NAME = re.compile(r"[`*]{0,2}[\w./:$\[\]'\" -]{1,64}?[`*]{0,2}")
_UPPER_NAME = re.compile(r"[A-Z][A-Z_ /-]*")
_SELECT = re.compile(r"\bselect ([\w., ]{3,400}?) from\b", re.IGNORECASE)  # what names the cells of `sqlite3`
_FIELD_NAME = re.compile(r"[A-Za-z_]+")
_COMPOUND = re.compile(r"\S*[A-Za-z][_/.-][A-Za-z]\S*")
_HEAD_LINE = re.compile(r"(?![ ]*-)[A-Za-z_ \t()./#-]+")
_GAP = re.compile("[ ](?=[-=─])")
_MOST_CELLS = 64


class _Cell(NamedTuple):
    word: str
    start: int  # in the text
    left: int  # in the line, or its number among the cells that a mark parts
    right: int

    def is_below(self, other: _Cell) -> bool:
        """Whether it stands where another cell stands in its line."""
        return other.left < self.right and self.left < other.right


_Pairs = Iterator[tuple[str, str, int]]  # names, values, and where each value begins in the text


def secrets_in_tables(text: str) -> TextSpans:
    """The secrets in the tables of a text, and in the rows that SQL inserts below names.

    >>> text = "| user | password |\\n| --- | --- |\\n| bob | hunter2 |\\nuser,token\\nbob,hunter3\\n"
    >>> [text[start:end] for start, end in secrets_in_tables(text)]
    ['hunter2', 'hunter3']
    >>> text = "INSERT INTO users (id, password) VALUES (1, 'hunter2'), (2, 'hunter3')"
    >>> [text[start:end] for start, end in secrets_in_tables(text)]
    ['hunter2', 'hunter3']
    """
    for name, value, start in chain(_pairs_in_lines(text), _pairs_in_inserts(text)):
        if _is_secret(text, name, value, start):
            yield start, start + len(value)


def _pairs_in_lines(text: str) -> _Pairs:
    """The cells of tables, each with its name and with where it begins."""
    head: list[_Cell] = []
    before: TextMatch | None = None
    separator: re.Pattern[str] | None = None
    name = ""  # of a record that has one line for it, and one for its value
    lines = list(_LINE.finditer(text))
    for line, following in zip(lines, [*lines[1:], lines[-1]], strict=True):
        if _RULE.fullmatch(line[0]):
            head, before = head or (_cells_above(line[0], before) if before else []), None
            head = head if sum(bool(cell.word) for cell in head) > 1 else []
            continue
        cells = _cells_of(line[0], line.start(), separator)
        if separator and len(cells) != len(head):
            head, separator = [], None
            cells = _cells_of(line[0], line.start())
        filled = [cell for cell in cells if cell.word]
        selected = _SELECT.search(line[0])
        separated = None if head and len(filled) > 1 else _SEPARATED.fullmatch(line[0])
        if selected:
            separator = _SEPARATORS["|"]
            head, name = _cells_of(selected[1], 0, _SEPARATORS[","]), subject_of_line(line[0])
        elif separated and any(
            judge_name(part) >= NameKind.GENERATED for part in line[0].split(separated["separator"])
        ):
            separator = _SEPARATORS[separated["separator"]]
            head = _cells_of(line[0], line.start(), separator)
        elif len(filled) < 2 or len(cells) > _MOST_CELLS:
            head, name = [], subject_of_line(line[0])
        elif not head and _is_head(line[0], filled, len(cells), following[0]):
            head = cells
        elif head or not _RULE.fullmatch(following[0]) or before:
            yield from _pairs_of_row(head, cells, filled, name)
            name = filled[1].word if filled[0].word.lower() in NAMING_KEYS else name
        before = line


def _cells_above(rule: str, line: TextMatch) -> list[_Cell]:
    """The cells of the line above a rule, whose dashes show where columns begin that only one blank parts."""
    begins = {dashes.start() for dashes in _GAP.finditer(rule)}
    marked = "".join("\n" if number in begins else letter for number, letter in enumerate(line[0]))
    return _cells_of(marked, line.start())


def _cells_of(line: str, line_start: int, separator: re.Pattern[str] | None = None) -> list[_Cell]:
    pattern = separator or (_BARRED if _BAR.search(line) else _SPACED)
    is_placed = pattern is _SPACED
    cells = []
    for number, cell in enumerate(pattern.finditer(line)):
        word = cell[1].removeprefix("#").strip(" \t`\"',;")
        start = cell.start(1) + cell[1].index(word)
        left, right = (start, start + len(word)) if is_placed else (number, number + 1)
        cells.append(_Cell(word, line_start + start, left, right))
    return cells


def _is_head(line: str, cells: list[_Cell], count: int, following: str) -> bool:
    """Whether a line that no rule follows names the columns of a table."""
    names = [cell.word for cell in cells]
    if all(map(_UPPER_NAME.fullmatch, names)) or (line.startswith("#") and len(names) > 2):
        return True
    names_secret = any(judge_name(name) >= NameKind.MIXED for name in names[1:])
    below = _cells_of(following, 0)
    is_aligned = {cell.left for cell in below} <= {cell.left for cell in cells} and _HEAD_LINE.fullmatch(line)
    are_columns = len(below) == count and all(map(_FIELD_NAME.fullmatch, names))
    return names_secret and line != following and bool(is_aligned or are_columns)


def _pairs_of_row(head: list[_Cell], cells: list[_Cell], filled: list[_Cell], name: str) -> _Pairs:
    """The cells of a row, each with its name: that of its column, or the cell before it."""
    own, subject = filled[0].word, name
    if not head and len(filled) > 2:
        yield from _pairs_behind_names(filled)
    name = name if name and own.lower() in NAMED_KEYS else own
    for column, cell in _columns_of(head, cells):
        yield column, cell.word, cell.start
        if column.strip("`*").lower() in (*NAMED_KEYS, "code"):
            yield subject if column == "code" and subject else name, cell.word, cell.start
    if len(filled) == 2:
        yield name, filled[1].word, filled[1].start


def _columns_of(head: list[_Cell], cells: list[_Cell]) -> Iterator[tuple[str, _Cell]]:
    """The cells that stand below just one name, or else have the place of one."""
    for cell in cells:
        above = list(filter(cell.is_below, head))
        if len(above) == 1:
            yield above[0].word, cell


def _pairs_behind_names(filled: list[_Cell]) -> _Pairs:
    """What looks like a secret in a row that names one before it, which no head explains."""
    name = ""
    for cell in filled:
        if name and (is_generated(cell.word) or is_chosen(cell.word)):
            yield name, cell.word, cell.start
        name = cell.word if _COMPOUND.fullmatch(cell.word) and is_name_of_secret(cell.word) else name


_INSERT = re.compile(
    r"\binsert\s+into\s+([\w.`\"]{1,80}?)[`\"]?\s*(?:\(([^()]{1,2000}+)\)\s*)?values\s*(?=\()", re.IGNORECASE
)
_ROW = re.compile(r"\s*+(?:,\s*+)?\(((?:[^()']|'(?:[^'\\]|\\.|'')*+')*+)\)")
_FIELD = re.compile(r"\s*+(?:'((?:[^'\\]|\\.|'')*+)'|([^,']*+))\s*+(?:,|\Z)")


def _pairs_in_inserts(text: str) -> _Pairs:
    for insert in _INSERT.finditer(text):
        position = insert.end()
        while row := _ROW.match(text, position):
            position = row.end()
            fields = list(_FIELD.finditer(text, *row.span(1)))
            names = insert[2].split(",") if insert[2] else [insert[1].removesuffix("s")] * len(fields)
            for name, field in zip(names, fields, strict=False):
                if insert[2] or is_generated(field[1] or ""):
                    yield name.strip(' \t\n`"'), field[1] or "", field.start(1)


def _is_secret(text: str, name: str, value: str, start: int) -> bool:
    """Whether a cell is a secret; not what describes one, nor the name of one."""
    kind = judge_name(name) if _NAME.fullmatch(name) else NameKind.UNKNOWN
    is_fit = " " not in value and fits_name(value, kind) and (kind is not NameKind.TEXT or is_mixed(value))
    return is_fit and is_bare_secret(text, start, start + len(value), name, Notation.CELL)
