"""Cards of tools for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from toolglot.cli.terminal import align_columns
from toolglot.converter.text.sentences import one_line
from toolglot.errors import escape_unseen
from toolglot.verbs.cards.tool_card import ToolCard

_WIDTH = 100  # columns of running text


def cards_to_text(cards: Sequence[ToolCard]) -> str:
    """One card after the other, with a blank line between."""
    return "\n".join("".join(f"{line}\n" for line in _lines(card)) for card in cards)


def _lines(card: ToolCard) -> Iterator[str]:
    yield _clean(": ".join(filter(None, (card.name, card.title))))
    for fact in card.texts:
        yield from _paragraph(": ".join(filter(None, fact)))
    for section in card.sections:
        yield section.title
        rows = [[_clean(cell) for cell in row] for row in section.rows]
        if section.heads and rows:
            rows.insert(0, [head.lower() for head in section.heads])
        yield from (f"  {line}" for line in align_columns(rows).splitlines())
        yield from _paragraph(section.text)


def _paragraph(text: str) -> list[str]:
    return [f"  {line}" for line in wrap(_clean(text), _WIDTH, break_long_words=False, break_on_hyphens=False)]


def _clean(text: str) -> str:
    return escape_unseen(one_line(text))
