"""A card as Markdown, for a repository, an editor or a chat.

What a tool says is put in quotes (`> `), where nothing that it opens can reach what comes after it. Without tags, links
and images it means the same to every reader of Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from toolglot.converter.text.sentences import one_line
from toolglot.verbs.cards.badges import DANGER
from toolglot.verbs.cards.hidden_characters import visible
from toolglot.verbs.cards.tool_card import ToolCard


def card_to_markdown(card: ToolCard) -> str:
    """The card as Markdown without a final newline.

    >>> from toolglot.converter.hub.model import Tool
    >>> from toolglot.verbs.cards.tool_card import CardOrigin
    >>> card_to_markdown(ToolCard(Tool(id="rm"), "rm", CardOrigin("a.json", "hub", ""))).splitlines()[0]
    '## rm'
    """
    return "\n".join(card_lines(card))


def card_lines(card: ToolCard) -> Iterator[str]:
    """The lines of the card."""
    server = f"{cell(card.server)}: " if card.server else ""
    yield from (f"## {server}{cell(card.name)}", "", badge_line(card))
    for label, text in card.texts:
        if label:
            yield from ("", f"**{label}**")
        yield from quote(text)
    for section in card.sections:
        yield from ("", f"**{section.title}**")
        if section.heads and section.rows:
            yield from ("", *table(section.heads, [(_code(row[0]), *map(cell, row[1:])) for row in section.rows]))
        elif section.rows:
            yield from ("", *(f"- {cell(row[0])}: {cell(row[1])}" for row in section.rows))
        if section.text:
            yield from ("", cell(section.text))
    for schema in card.schemas:
        yield from ("", f"<details><summary>{schema.label}</summary>", "", *_fence_code(schema.value), "", "</details>")
    yield from _usages(card)
    for translation in card.translations:
        yield from ("", f"**In {cell(translation.language)}**")
        yield from quote("\n\n".join(filter(None, (translation.description, translation.when_to_use))))


def badge_line(card: ToolCard) -> str:
    """The badges in a line, danger in bold."""
    return " · ".join(f"**{cell(text)}**" if tone == DANGER else cell(text) for text, tone in card.badges)


def _usages(card: ToolCard) -> Iterator[str]:
    if card.usages:
        yield from ("", "**Examples**")
    for usage in card.usages:
        if usage.title:
            yield from ("", cell(usage.title))
        for part in usage.parts:
            yield from ("", f"{part.label}:", "", *_fence_code(part.value))
        if usage.note:
            yield from ("", cell(usage.note))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield from (f"| {' | '.join(heads)} |", f"| {' | '.join('---' for _ in heads)} |")
    yield from (f"| {' | '.join(row)} |" for row in rows)


# -- texts of other people ------------------------------------------------------------------------------------------

_SPECIAL = re.compile(r"[\\`*_\[\]|#~!<]")


def cell(text: str) -> str:
    """A text on one line that means nothing but itself.

    >>> cell("a | *b*\\n![](https://a.example) <script>")
    'a \\\\| \\\\*b\\\\* \\\\!\\\\[\\\\](https://a.example) \\\\<script>'
    """
    return _SPECIAL.sub(r"\\\g<0>", one_line(visible(text)))


def quote(text: str) -> Iterator[str]:
    """A text as a quotation that keeps its paragraphs, lists and code; a link has to show where it leads."""
    yield ""
    for line in visible(text).strip().split("\n"):
        harmless = line.replace("<", "&lt;").replace("](", "]\\(").replace("]:", "]\\:")
        yield f"> {harmless}".rstrip()


def _code(text: str) -> str:
    """A text as code on one line; nothing where it is empty."""
    if not text:
        return ""
    plain = one_line(visible(text)).replace("|", "\\|")
    fence = "`" * (_longest_run(plain) + 1)
    gap = " " if "`" in plain else ""
    return f"{fence}{gap}{plain}{gap}{fence}"


def _fence_code(text: str) -> list[str]:
    """A text as a block of code that it cannot leave."""
    fence = "`" * max(3, _longest_run(text) + 1)
    language = "json" if text[:1] in '{["' else ""
    return [fence + language, *visible(text).split("\n"), fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
