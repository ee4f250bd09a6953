"""One Markdown document of all tools, for a repository: a table, and a section for each tool.

Texts of tools are quoted (`> `), so that nothing in them reaches the text behind them. They have no tags, links or
images, so that every Markdown reader shows the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolglot.converter.conversion.extension_slots import PROVENANCE
from toolglot.verbs.cards.markdown import badge_line, card_lines, cell, table
from toolglot.verbs.catalogs.catalog_entries import CatalogOptions, Entry
from toolglot.verbs.catalogs.pages import OutputFile
from toolglot.verbs.catalogs.pages.page_cards import PageCard, cards_of

# By the quoted word a later run knows its own document; see `refuse_foreign`.
_HEAD = (
    f'<!-- Written by `toolglot catalog --to markdown`, with the "{PROVENANCE}" of every tool; edit the sources. -->'
)


def render(entries: Sequence[Entry], options: CatalogOptions) -> list[OutputFile]:
    """The document."""
    cards = cards_of(entries)
    lines = ["# Tools", "", _HEAD, "", *_table_of_contents(cards)]
    for card in cards:
        lines += ["", f'<a id="{card.slug}"></a>', "", *card_lines(card)]
    return [OutputFile("", "\n".join(lines) + "\n")]


def _table_of_contents(cards: Sequence[PageCard]) -> Iterator[str]:
    links = [f"[{cell(card.name)}](#{card.slug})" for card in cards]
    rows = [
        (link, cell(card.server), badge_line(card), f"{card.tokens:,}", cell(card.summary))
        for link, card in zip(links, cards, strict=True)
    ]
    return table(("Tool", "Server", "What to know", "Tokens", "What it does"), rows)
