"""A report as Markdown for a pull request: a table of what matters, and the rest folded."""

from __future__ import annotations

import re

from toolglot.cli.reports.entry_texts import place_of
from toolglot.cli.reports.grouping import Item, gather_items
from toolglot.cli.reports.sheets import Sheet, shorten_name
from toolglot.converter.text.wording import count_noun, join_first
from toolglot.errors import escape_unseen

MARKER = '<!-- "toolglot report" -->'
"""What a report begins with and nobody sees, so that a later run can replace the comment of an earlier one."""

MAX_MARKDOWN = 65_536
"""Characters that a comment of GitHub may have."""

ROWS = 20  # of the table that is not folded
_FRAME = 300  # characters of the lines around the rows
_VALUE = 80  # characters of a value
_NAMED = 3  # tools, and lines, that a row names

_PLAIN = re.compile(r"[\w ./:,\[\]{}\"'()=+*#~^$!?;%>-]+", re.ASCII)
_OTHER = re.compile(r"[^\w ]", re.ASCII)


def code_span(text: str) -> str:
    """Untrusted text as code: it can neither end the code, nor the cell of a table, nor call anybody by name.

    >>> code_span("a.b"), code_span("`|<b>"), code_span("@all")
    ('`a.b`', '<code>&#96;&#124;&#60;b&#62;</code>', '<code>&#64;all</code>')
    """
    text = escape_unseen(text)
    if _PLAIN.fullmatch(text) and text == text.strip():
        return f"`{text}`"
    return f"<code>{_OTHER.sub(_to_entity, text)}</code>"


def _plain_text(text: str) -> str:
    """Untrusted text as text, every sign of which stands for itself.

    >>> _plain_text("as *b*: <i>")
    'as &#42;b&#42;: &#60;i&#62;'
    """
    return re.sub(r"[^\w ,.;:()'-]", _to_entity, escape_unseen(text), flags=re.ASCII)


def _to_entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def sheet_to_markdown(sheet: Sheet) -> str:
    """At most 65,536 characters; the gravest come first, and what does not fit is counted."""
    lines = [MARKER, f"**{_plain_text(sheet.title)}**", "", _plain_text(sheet.opening)]
    cells = list(map(_table_row, gather_items(sheet.entries)))
    head = ["", "| what | tools | field | value | why | where |", "| --- | --- | --- | --- | --- | --- |"]
    fitting = _select_fitting(cells, MAX_MARKDOWN - len("\n".join([*lines, *head, *head])) - _FRAME)
    if cells:
        lines += [*head, *fitting[:ROWS]]
    if len(fitting) > ROWS:
        lines += ["", f"<details><summary>{count_noun(len(cells) - ROWS, 'more row')}</summary>"]
        lines += [*head, *fitting[ROWS:]]
    lines += _count_missing(fitting, cells, "row")
    if len(fitting) > ROWS:
        lines += ["", "</details>"]
    notes = [f"- {code_span(shorten_name(tool) or 'all tools')}: {code_span(text)}" for tool, text in sheet.notes]
    shown_notes = _select_fitting(notes, MAX_MARKDOWN - len("\n".join(lines)) - _FRAME)
    if shown_notes:
        lines += ["", *shown_notes]
    lines += _count_missing(shown_notes, notes, "note")
    return "\n".join(lines) + "\n"


def _count_missing(shown: list[str], lines: list[str], noun: str) -> list[str]:
    """How many lines there would be beside those that are shown, if there are more."""
    number = len(lines) - len(shown)
    return ["", f"{count_noun(number, noun)} do not fit here."] if number else []


def _select_fitting(cells: list[str], room: int) -> list[str]:
    """The first of some lines, as many as fit into so many characters."""
    for number, cell in enumerate(cells):
        room -= len(cell) + 1
        if room < 0:
            return cells[:number]
    return cells


def _table_row(item: Item) -> str:
    category, reason = item.first.category, item.first.because
    tools = dict.fromkeys(code_span(shorten_name(tool)) for tool in item.tools if tool)
    places = dict.fromkeys(code_span(place_of(entry)) for entry in item.changes if entry.source is not None)
    cells = [
        f"{category.mark} {category}",
        join_first(list(tools), _NAMED),
        _code_cell(item.field),
        _code_cell(item.value(_VALUE)),
        # A sign that calls people or issues does so however it is written, except in code.
        code_span(reason) if {"@", "#"} & {*reason} else _plain_text(reason),
        join_first(list(places), _NAMED),
    ]
    return f"| {' | '.join(cells)} |"


def _code_cell(text: str) -> str:
    """A text as code; an empty cell where there is none."""
    if not text:
        return ""
    return code_span(text)
