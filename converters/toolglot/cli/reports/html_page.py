"""A report as one page that loads nothing: every change, and where it stands in the source and in the result.

What tools have in common is one row, which says of how many changes it tells: these add up to the headline.

The page has no script, and its policy forbids any. What it shows comes from untrusted documents, so that every text is
escaped where it enters the page, and nothing is told by a colour alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template

from toolglot.cli.reports.entries import is_gone, is_grave, is_warning
from toolglot.cli.reports.entry_texts import field_of, place_of, value_of
from toolglot.cli.reports.grouping import Item, gather_items, kind_of
from toolglot.cli.reports.sheets import Pane, Sheet
from toolglot.converter.conversion.categories import UNSTATED, Category
from toolglot.converter.conversion.report import Change
from toolglot.converter.text.digests import policy_hash
from toolglot.converter.text.wording import count_noun
from toolglot.errors import escape_unseen

_ROUTINE = (Category.FILLED_IN, Category.SPELLING)  # what nobody has to look at
_LONGEST_VALUE = 300  # characters
_AROUND = 4  # lines shown around a line that an entry leads to, where a text is too long to be shown whole
_WHOLE = 2_000  # lines of a text that is shown whole
_SHOWN = 3  # tools, and places, of a row; more are folded

NumberedEntry = tuple[int, Change]
EntriesOfLines = dict[tuple[int, int], list[NumberedEntry]]
"""Number of a text and line -> the entries that lead there, with the numbers of their rows."""


def sheet_to_html(sheet: Sheet) -> str:
    """The page, complete."""
    style = _load("page.css")
    items = gather_items(sheet.entries, _row_of)
    panes = {pane.name: number for number, pane in enumerate(sheet.sources)}
    return Template(_load("page.html")).substitute(
        title=_text(sheet.title),
        headline=_text(f"{sheet.opening}."),
        hash=policy_hash(style),
        style=style,
        changes=_changes(sheet, items, panes),
        panes=_panes(sheet, items, panes),
    )


def _row_of(entry: Change) -> Hashable:
    """What entries have in common that are one row."""
    return kind_of(entry), field_of(entry), value_of(entry, _LONGEST_VALUE)


def _load(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _text(text: str) -> str:
    """Untrusted text, none of whose signs mean anything to a browser, or reorder what is read."""
    return escape(escape_unseen(text))


# -- the table --------------------------------------------------------------------------------------------------------


def _changes(sheet: Sheet, items: Sequence[Item], panes: dict[str, int]) -> str:
    if not items:
        return ""
    columns = ["what", "tool", "field", "value", "why", "where"]
    if not sheet.names_tools:
        columns.remove("tool")
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    rows: list[str] = []
    routine_rows: list[str] = []
    routine_count = 0
    # What a person should decide about comes first, then what has a severity.
    for number, item in sorted(
        enumerate(items), key=lambda row: (not is_grave(row[1].first), not is_warning(row[1].first))
    ):
        row = _change(number, item, sheet, panes)
        if item.first.category in _ROUTINE:
            routine_rows.append(row)
            routine_count += item.number
        else:
            rows.append(row)
    tables = _table(head, rows, "Changes") if rows else ""
    if routine_rows:
        summary = f"{count_noun(routine_count, 'routine difference')}: {', '.join(_ROUTINE)}"
        tables += f"<details><summary>{summary}</summary>{_table(head, routine_rows, 'Routine')}</details>"
    return tables + _notes(sheet)


def _notes(sheet: Sheet) -> str:
    notes = "".join(f"<li>{_text(f'{tool}: {text}' if tool else text)}</li>\n" for tool, text in sheet.notes)
    return f"<ul>\n{notes}</ul>" if notes else ""


def _table(head: str, rows: Sequence[str], label: str) -> str:
    lines = "\n".join(rows)
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>"
    return f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">{table}</div>'


def _change(number: int, item: Item, sheet: Sheet, panes: dict[str, int]) -> str:
    entry = item.first
    grave = ' class="grave"' if is_grave(entry) else ""
    mark = f"{entry.category.mark} {entry.category}" + f" ({item.number})" * (item.number > 1)
    cells = [f'<td class="mark {_class_of(entry)}">{_text(mark)}</td>']
    if sheet.names_tools:
        cells.append(f"<td>{_folded([*map(_text, item.tools)], ', ', 'tool')}</td>")
    cells += [
        f"<td><code>{_text(field_of(entry))}</code></td>",
        f"<td><code>{_text(value_of(entry, _LONGEST_VALUE))}</code></td>",
        f"<td>{_text(entry.because)}</td>",
        f"<td>{_folded([*dict.fromkeys(_links(item, panes))], ' ', 'place')}</td>",
    ]
    return f'<tr id="c{number}"{grave}>{"".join(cells)}</tr>'


def _class_of(entry: Change) -> str:
    return entry.category.name.lower().replace("_", "-")


def _folded(texts: Sequence[str], separator: str, noun: str) -> str:
    """Some texts, of many only how many there are until somebody unfolds them."""
    text = separator.join(texts)
    if len(texts) <= _SHOWN:
        return text
    return f"<details><summary>{count_noun(len(texts), noun)}</summary>{text}</details>"


def _links(item: Item, panes: dict[str, int]) -> Iterator[str]:
    for entry in item.changes:
        pane = panes.get(entry.source or "")
        if entry.line is not None and pane is not None:
            yield f'<a href="#s{pane}-{entry.line}">source:{entry.line}</a>'
        elif entry.source is not None:
            yield _text(place_of(entry))
        if entry.result is not None:
            document, line = entry.result
            yield f'<a href="#r{document}-{line}">result:{line}</a>'


# -- the texts --------------------------------------------------------------------------------------------------------


def _panes(sheet: Sheet, items: Sequence[Item], panes: dict[str, int]) -> str:
    """The sources on the left, the results on the right, each line with links to what happened to it."""
    if not sheet.sources:
        return ""
    left_lines: EntriesOfLines = defaultdict(list)
    right_lines: EntriesOfLines = defaultdict(list)
    for number, item in enumerate(items):
        for entry in item.changes:
            pane = panes.get(entry.source or "")
            if pane is not None and entry.line is not None:
                entries = left_lines[pane, entry.line]
                if entry.category not in (*UNSTATED, Category.NEW):  # that line only says which tool it is
                    entries.append((number, entry))
            if entry.result is not None:
                right_lines[entry.result].append((number, entry))
    sides = _side("s", "Source", sheet.sources, left_lines) + _side("r", "Result", sheet.results, right_lines)
    return f'<div class="panes">\n{sides}</div>'


def _side(prefix: str, word: str, panes: Sequence[Pane], lines: EntriesOfLines) -> str:
    texts = []
    for number, pane in enumerate(panes):
        text = "".join(_render_lines(f"{prefix}{number}", number, pane.text, lines))
        texts.append(f'<h2>{word}: {_text(pane.name)}</h2>\n<ol class="text">\n{text}</ol>\n')
    return f'<section aria-label="{word}">\n{"".join(texts)}</section>\n'


def _render_lines(prefix: str, pane: int, text: str, lines: EntriesOfLines) -> Iterator[str]:
    """The lines of a text; of a long one only those that entries lead to, and a few around them."""
    content = text.replace("\r\n", "\n").removesuffix("\n").split("\n")  # as positions count them
    line_numbers = set(range(1, len(content) + 1))
    if len(content) > _WHOLE:
        surroundings: set[int] = set()
        for number, line in lines:
            if number == pane:
                surroundings.update(range(line - _AROUND, line + _AROUND + 1))
        line_numbers &= surroundings
    last = 0
    for line in sorted(line_numbers):
        if line > last + 1:
            yield f'<li class="gap">{line - last - 1} lines</li>\n'
        last = line
        yield _render_line(f"{prefix}-{line}", line, content[line - 1], lines.get((pane, line), []))
    if last < len(content):
        yield f'<li class="gap">{len(content) - last} lines</li>\n'


def _render_line(anchor: str, number: int, text: str, entries: Sequence[NumberedEntry]) -> str:
    """One line: struck through where all of it is lost, outlined where it was written without the source."""
    markup = _text(text.replace("\t", "    "))
    categories = {entry.category for _, entry in entries}
    if entries and all(is_gone(entry) for _, entry in entries):
        markup = f"<del>{markup}</del>"
    elif not categories.isdisjoint(UNSTATED):
        markup = f"<ins>{markup}</ins>"
    return f'<li id="{anchor}"><span class="number">{number}</span>{markup}{_render_notes(entries)}</li>\n'


def _render_notes(entries: Iterable[NumberedEntry]) -> str:
    notes: dict[str, None] = {}
    for number, entry in entries:
        label = f"{entry.category}: {field_of(entry).rpartition('.')[2]}"
        notes[f'<a class="{_class_of(entry)}" href="#c{number}">{_text(label)}</a>'] = None
    if not notes:
        return ""
    return f'<span class="notes">{"".join(notes)}</span>'
