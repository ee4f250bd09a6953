"""Cards of tools for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from toolglot.cli.terminal import align_columns, escape_controls
from toolglot.converter.text.sentences import one_line
from toolglot.verbs.cards.tool_card import ToolCard

_WIDTH = 100  # columns of running text


def cards_to_text(cards: Sequence[ToolCard]) -> str:
    """One card after the other, with a blank line between."""
    return "\n".join("".join(f"{line}\n" for line in _lines(card)) for card in cards)


def _lines(card: ToolCard) -> Iterator[str]:
    yield _clean(": ".join(filter(None, (card.name, card.title))))
    yield from _paragraph(card.tool.description or card.summary or "Nothing says what it does.")
    yield from _paragraph(f"When to use it: {card.tool.when_to_use}" if card.tool.when_to_use else "")
    for section in card.sections:
        yield section.title
        heads = [tuple(map(str.lower, section.heads))] if section.heads and section.rows else []
        cells = [tuple(map(_clean, row)) for row in (*heads, *section.rows)]
        yield from (f"  {line}" for line in (align_columns(cells) if cells else "").splitlines())
        yield from _paragraph(section.text)


def _paragraph(text: str) -> list[str]:
    return [f"  {line}" for line in wrap(_clean(text), _WIDTH, break_long_words=False, break_on_hyphens=False)]


def _clean(text: str) -> str:
    return escape_controls(one_line(text))
