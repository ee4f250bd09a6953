"""A folder of static pages: they open from a disk, ask nobody for anything, and can be read without JavaScript.

`index.html` holds all tools, up to `MOST_ON_A_PAGE`; above, it lists the sources, and `sources/` has a page of each.
`tools/<slug>/` has one tool as every format writes it: a file each, and a page to copy them from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from toolglot.converter.text.digests import policy_hash
from toolglot.verbs.cards.badges import DANGER, EFFECTS_NOT_STATED, Badge
from toolglot.verbs.cards.hidden_characters import visible
from toolglot.verbs.cards.tool_card import CardOrigin
from toolglot.verbs.catalogs.catalog_entries import CatalogOptions, Entry
from toolglot.verbs.catalogs.pages import OutputFile
from toolglot.verbs.catalogs.pages.markdown_to_html import is_web_address, markdown_to_html
from toolglot.verbs.catalogs.pages.other_formats import definitions_of
from toolglot.verbs.catalogs.pages.page_addresses import unique_slug
from toolglot.verbs.catalogs.pages.page_cards import PageCard, cards_of, count_facets

MOST_ON_A_PAGE = 2000
"""Tools; with more of them a page takes seconds to load."""

INDEX = "index.html"
_TOOLS = "tools"

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class ListPage:
    """A page that lists tools.

    Attributes:
        path: the path below the output folder.
        root: the relative path from the page to the output folder.
        title: the heading.
    """

    path: str
    root: str
    title: str
    cards: Sequence[PageCard]

    @cached_property
    def source_numbers(self) -> dict[CardOrigin, int]:
        """File of a tool -> its number on the page."""
        sources = dict.fromkeys(card.source for card in self.cards)
        return {source: number for number, source in enumerate(sources, 1)}

    @property
    def dangers(self) -> list[tuple[Badge, int]]:
        """Each stated danger with its number of tools, the most frequent first; last, tools of unknown effects."""
        counts = Counter[Badge]()
        for card in self.cards:
            counts.update(badge for badge in card.badges if badge.tone == DANGER or badge.text == EFFECTS_NOT_STATED)
        return sorted(counts.most_common(), key=lambda item: item[0].text == EFFECTS_NOT_STATED)


def render(entries: Sequence[Entry], options: CatalogOptions) -> list[OutputFile]:
    """The files of the site; a file stands before those that link to it."""
    site = Site(entries, options)
    files = [file for page in site.pages for card in page.cards for file in _tool_files(card, page, options)]
    return [*files, *map(_list_file, site.pages), *site.overview]


class Site:
    """The site, whose files are made when they are requested."""

    def __init__(self, entries: Sequence[Entry], options: CatalogOptions) -> None:
        self._options = options
        self._cards = cards_of(entries)
        self.pages = list(_list_pages(self._cards))

    @property
    def overview(self) -> list[OutputFile]:
        """The page that links to the others; empty where there is only one."""
        if self.pages[0].path == INDEX:
            return []
        return [OutputFile(INDEX, _fill("all_sources.html", pages=self.pages, number=len(self._cards)))]

    def find(self, path: str) -> OutputFile | None:
        """One file by its path; `None` where there is none."""
        for page in self.pages:
            if path == page.path:
                return _list_file(page)
        slug = path.removeprefix(f"{_TOOLS}/").partition("/")[0]
        files: Iterable[OutputFile] = self.overview
        if slug in self._homes:
            files = _tool_files(*self._homes[slug], self._options)
        return next((file for file in files if file.path == path), None)

    @cached_property
    def _homes(self) -> dict[str, tuple[PageCard, ListPage]]:
        """Slug -> tool, and the page that lists it."""
        return {card.slug: (card, page) for page in self.pages for card in page.cards}


def _list_pages(cards: Sequence[PageCard]) -> Iterator[ListPage]:
    """One page with all tools; with too many tools a page for each source, or several for a large source."""
    if len(cards) <= MOST_ON_A_PAGE:
        yield ListPage(INDEX, "", "Tools", cards)
        return
    used_slugs: dict[str, int] = {}
    for group, members in groupby(sorted(cards, key=lambda card: card.group), key=lambda card: card.group):
        own = list(members)
        parts = [own[start : start + MOST_ON_A_PAGE] for start in range(0, len(own), MOST_ON_A_PAGE)]
        for number, part in enumerate(parts, 1):
            title = group if len(parts) == 1 else f"{group} ({number} of {len(parts)})"
            yield ListPage(f"sources/{unique_slug(title, used_slugs)}.html", "../", title, part)


def _list_file(page: ListPage) -> OutputFile:
    facets = count_facets(page.cards)
    numbers = {(facet.key, option.value): option.number for facet in facets for option in facet.options}
    text = _fill("tools.html", page=page, list_page="", facets=facets, numbers=numbers)
    return OutputFile(page.path, text)


def _tool_files(card: PageCard, page: ListPage, options: CatalogOptions) -> Iterator[OutputFile]:
    """The files of one tool."""
    folder = f"{_TOOLS}/{card.slug}"
    definitions = list(definitions_of(card.entry, options))
    for definition in definitions:
        if definition.file:
            yield OutputFile(f"{folder}/{definition.file}", definition.text)
    text = _fill("tool_page.html", card=card, definitions=definitions, page=page, list_page=f"../../{page.path}")
    yield OutputFile(f"{folder}/{INDEX}", text)


# -- templates ----------------------------------------------------------------------------------------------------


@cache
def _environment() -> Environment:
    """The templates. All texts of tools are escaped, and invisible characters are shown."""
    templates = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        finalize=_show_value,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _asset("style.css"), _asset("script.js")
    templates.filters["markdown"] = lambda text: Markup(markdown_to_html(text))
    # Between tags quotes are no danger; to escape them doubles the size of JSON.
    templates.filters["code"] = lambda text: Markup(visible(text).replace("&", "&amp;").replace("<", "&lt;"))
    templates.tests["web_address"] = is_web_address
    # A page may run our script, look like our style sheet, and do nothing else.
    allowed = f"style-src {policy_hash(style)}; script-src {policy_hash(script)}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    templates.globals.update(style=Markup(style), script=Markup(script), policy=policy)
    return templates


def _show_value(value: Any) -> Any:
    """A value for a template: our own markup as it is, untrusted text with its invisible characters shown."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return visible(value)


def _asset(name: str) -> str:
    return (_HERE / "templates" / name).read_text(encoding="utf-8")


def _fill(template: str, **values: Any) -> str:
    text: str = _environment().get_template(template).render(**values)
    return text


# -- Markdown of other people -----------------------------------------------------------------------------------------
