"""The cards of a catalogue, each with its own address and the facets that it is found by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from toolglot.converter.safety import states_nothing
from toolglot.verbs.cards.badges import EFFECTS_NOT_STATED, NOT_STATED, approval_of, dangers_of
from toolglot.verbs.cards.safety_facts import NOBODY, SPEAKERS
from toolglot.verbs.cards.tool_card import CardOrigin, ToolCard, phrase
from toolglot.verbs.catalogs.catalog_entries import Entry
from toolglot.verbs.catalogs.identities import command_words
from toolglot.verbs.catalogs.pages.page_addresses import unique_slug


class PageCard(ToolCard, kw_only=True):
    """One tool of a catalogue.

    Attributes:
        entry: the entry, gathered to be shown.
        slug: the name of the tool in addresses and paths.
    """

    entry: Entry
    slug: str

    @property
    def group(self) -> str:
        """The server or the file that the tool belongs to."""
        return self.server or self.entry.file

    @property
    def source(self) -> CardOrigin:
        """The file that the tool comes from."""
        return replace(self.origin, line=None, server="")

    @property
    def origin_facts(self) -> list[tuple[str, str]]:
        """The origin of the tool, further files with their hashes, and asserted facts."""
        provenance = self.entry.provenance
        rows = super().origin_facts
        for key, label in (("localised_from", "translation"), ("also_from", "also in")):
            rows += [(label, f"{other['path']} (SHA-256 {other['sha256']})") for other in provenance.get(key, ())]
        if "asserted" in provenance:
            rows.append(("asserted", phrase(provenance["asserted"])))
        return rows

    @cached_property
    def facets(self) -> dict[str, list[str]]:
        """Key of `FACETS` -> the values by which the tool is found."""
        dangers = [badge.text for badge in dangers_of(self.tool)]
        speakers = dict.fromkeys(fact.by for fact in self.said_facts) or [NOBODY]
        if states_nothing(self.tool):  # which is no absence of danger
            dangers.append(EFFECTS_NOT_STATED)
        return {
            "danger": dangers or ["no danger stated"],
            "tier": [self.tool.safety_tier or NOT_STATED],
            "approval": [approval_of(self.tool) or NOT_STATED],
            "egress": [self.tool.egress or NOT_STATED],
            "format": [self.origin.format_title],
            "server": [self.server or NOT_STATED],
            "tag": list(dict.fromkeys(self.tool.tags or ())),
            "says": [SPEAKERS[key] for key in speakers],
            "source": [self.entry.file],
        }


FACETS = {
    "danger": "Danger",
    "tier": "Safety tier",
    "approval": "Approval",
    "egress": "Egress",
    "format": "Format",
    "server": "Server",
    "tag": "Tag",
    "says": "Who says what of its danger",
    "source": "Source",
}
"""What tools are found by: key in addresses -> heading."""


class FacetOption(NamedTuple):
    """One value of a facet: its number on the page, and how many tools have it."""

    value: str
    number: int
    tools: int


class Facet(NamedTuple):
    """Values of one kind, the most frequent first."""

    key: str
    label: str
    options: list[FacetOption]


def count_facets(cards: Iterable[PageCard]) -> list[Facet]:
    """The facets in which tools differ."""
    counts: dict[str, Counter[str]] = {key: Counter() for key in FACETS}
    for card in cards:
        for key, values in card.facets.items():
            counts[key].update(values)
    facets: list[Facet] = []
    numbers = count()
    for key, label in FACETS.items():
        if len(counts[key]) > 1:
            ordered = sorted(counts[key].items(), key=lambda item: (-item[1], item[0]))
            facets.append(Facet(key, label, [FacetOption(value, next(numbers), tools) for value, tools in ordered]))
    return facets


def cards_of(entries: Sequence[Entry]) -> list[PageCard]:
    """The cards of settled entries, each with an address of its own."""
    used_slugs = dict.fromkeys(("tools", "none", "finder", "query", "count"), 1)  # what pages call parts of themselves
    return [_card_of(entry, unique_slug(" ".join(command_words(entry)), used_slugs)) for entry in entries]


def _card_of(entry: Entry, slug: str) -> PageCard:
    assert entry.tool is not None
    about = entry.provenance
    tool = replace(entry.tool, **about.get("asserted", {}))
    name = " ".join(filter(None, entry.path)) or entry.name
    origin = CardOrigin(entry.file, about["format"], about["sha256"], entry.line, entry.namespace or "")
    return PageCard(tool, name, origin, entry.safety, entry.drivers, entry=entry, slug=slug)
