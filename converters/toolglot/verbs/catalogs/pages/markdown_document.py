"""One Markdown document of all tools, for a repository: a table of them, and a section of each.

What tools say is put in quotes (`> `), where nothing that it opens can reach what comes after it. Without tags, links
and images it means the same to every reader of Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from toolglot.converter.conversion.extension_slots import PROVENANCE
from toolglot.converter.text.sentences import one_line
from toolglot.verbs.catalogs.catalog_entries import CatalogOptions, Entry
from toolglot.verbs.catalogs.pages import OutputFile
from toolglot.verbs.catalogs.pages.badges import DANGER
from toolglot.verbs.catalogs.pages.hidden_characters import visible
from toolglot.verbs.catalogs.pages.tool_cards import Fact, ToolCard, cards_of

# By the quoted word a later run knows its own document; see `refuse_foreign`.
_HEAD = (
    f'<!-- Written by `toolglot catalog --to markdown`, with the "{PROVENANCE}" of every tool; edit the sources. -->'
)


def render(entries: Sequence[Entry], options: CatalogOptions) -> list[OutputFile]:
    """The document."""
    cards = cards_of(entries)
    lines = ["# Tools", "", _HEAD, "", *_table_of_contents(cards)]
    for card in cards:
        lines += ["", *_section(card)]
    return [OutputFile("", "\n".join(lines) + "\n")]


def _table_of_contents(cards: Sequence[ToolCard]) -> Iterator[str]:
    rows: list[Sequence[str]] = []
    for card in cards:
        link = f"[{_cell(card.name)}](#{card.slug})"
        rows.append((link, _cell(card.server), _badges(card), f"{card.tokens:,}", _cell(card.summary)))
    yield from _table(("Tool", "Server", "What to know", "Tokens", "What it does"), rows)


def _section(card: ToolCard) -> Iterator[str]:
    tool = card.tool
    server = f"{_cell(card.server)}: " if card.server else ""
    yield from (f'<a id="{card.slug}"></a>', "", f"## {server}{_cell(card.name)}", "", _badges(card))
    yield from _quote(tool.description or card.summary or "Nothing says what it does.")
    for title, text in (("When to use it", tool.when_to_use), ("How to use it", tool.guidance)):
        if text:
            yield from ("", f"**{title}**")
            yield from _quote(text)
    yield from _parameters(card)
    if tool.success:
        yield from ("", f"**Result**: {_cell(tool.success)}")
    for schema in card.schemas:
        yield from ("", f"<details><summary>{schema.label}</summary>", "", *_fence_code(schema.value), "", "</details>")
    yield from _usages(card)
    if card.errors:
        rows = [(_code(error.code), _cell(error.description), _cell(error.action)) for error in card.errors]
        yield from ("", "**Errors**", "", *_table(("Code", "When", "What to do"), rows))
    for group in card.groups:
        yield from _facts(group.title, group.facts)
    if card.drivers:
        cells = [(_code(row.id), _cell(row.kind), _cell(row.egress), _yes_no(row.is_default)) for row in card.drivers]
        yield from ("", "**Drivers**", "", *_table(("Driver", "Kind", "Egress", "Default"), cells))
    for translation in card.translations:
        yield from ("", f"**In {_cell(translation.language)}**")
        yield from _quote("\n\n".join(filter(None, (translation.description, translation.when_to_use))))
    source = [Fact("file", card.place), Fact("SHA-256", card.source.sha256), Fact("format", card.source.format)]
    yield from _facts("Origin", [*source, *card.other_origins])


def _badges(card: ToolCard) -> str:
    """The badges in a line, danger in bold."""
    return " · ".join(f"**{_cell(text)}**" if tone == DANGER else _cell(text) for text, tone in card.badges)


def _parameters(card: ToolCard) -> Iterator[str]:
    yield from ("", "**Parameters**", "")
    if not card.parameters:
        yield card.no_parameters
        return
    rows: list[Sequence[str]] = []
    for row in card.parameters:
        names = " ".join(map(_code, (row.path, *row.spellings)))
        required = _yes_no(row.is_required)
        rows.append((names, required, _cell(row.description), _cell(row.accepts), _code(row.default)))
    yield from _table(("Name", "Required", "Meaning", "Accepts", "Default"), rows)


def _usages(card: ToolCard) -> Iterator[str]:
    if card.usages:
        yield from ("", "**Examples**")
    for usage in card.usages:
        if usage.title:
            yield from ("", _cell(usage.title))
        for part in usage.parts:
            yield from ("", f"{part.label}:", "", *_fence_code(part.value))
        if usage.note:
            yield from ("", _cell(usage.note))


def _facts(title: str, facts: Iterable[Fact]) -> Iterator[str]:
    yield from ("", f"**{title}**", "", *(f"- {_cell(fact.label)}: {_cell(fact.value)}" for fact in facts))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield from (f"| {' | '.join(heads)} |", f"| {' | '.join('---' for _ in heads)} |")
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


# -- texts of other people ------------------------------------------------------------------------------------------

_SPECIAL = re.compile(r"[\\`*_\[\]|#~!<]")


def _cell(text: str | None) -> str:
    """A text on one line that means nothing but itself.

    >>> _cell("a | *b*\\n![](https://a.example) <script>")
    'a \\\\| \\\\*b\\\\* \\\\!\\\\[\\\\](https://a.example) \\\\<script>'
    """
    return _SPECIAL.sub(r"\\\g<0>", one_line(visible(text or "")))


def _quote(text: str) -> Iterator[str]:
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
