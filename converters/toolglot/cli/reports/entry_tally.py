"""The entries of any number of reports, put together where they tell the same: what a report of them all is made of.

It grows with the kinds of changes there are, and by a bit for each tool and kind; not with the changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from toolglot.cli.reports.entries import entries_of
from toolglot.cli.reports.grouping import Item, ReportLine, gather_items, kind_of
from toolglot.converter import formats
from toolglot.converter.conversion.categories import OF_CODES, Category
from toolglot.converter.conversion.report import Change, Report
from toolglot.converter.conversion.sums import add_up

if TYPE_CHECKING:
    from toolglot.verbs.streams.record_stream import Converted  # that only JSON Lines need

TO_STATE, TO_KEEP, TO_TAKE_BACK = "correct the values and take the names out of the mark", "--lossless", "--restore"

_EXAMPLES = 3  # entries that are kept of each kind
_MOST_KINDS = 1_000  # a stream could make up a reason for every record


class EntryTally(msgspec.Struct):
    """The entries of several reports.

    Attributes:
        tools: how many the reports are about.
        silent_tools: of how many of them nobody states the effects.
        next_number: how many bits are in use for them; a document takes one where something is said of it.
        origins, sources: the formats and the documents that were read.
        remedies: the options under which less would be lost.
        has_commands: whether some of the tools are commands.
        kinds: of each kind the first changes, and the first that differs, as one item.

    >>> from toolglot.converter.conversion.pipeline import convert
    >>> total = EntryTally()
    >>> for name in "ab":
    ...     total.add(convert({"toolId": name, "source": "mcp", "safetyTier": "write"}, "mcp").report)
    >>> total.tools, total.categories[Category.LOST]
    (2, 2)
    """

    tools: int = 0
    silent_tools: int = 0
    next_number: int = 0
    origins: list[str] = []
    sources: dict[str, None] = {}
    remedies: frozenset[str] = frozenset()
    has_commands: bool = False
    kinds: dict[Hashable, Item] = {}

    def add(self, report: Report, record: Converted | None = None) -> None:
        """Put in the entries of one report, which has its places; of a record those in its stream."""
        entries = entries_of(report)
        sources = report.sources
        if record is not None:
            entries = [replace(entry, line=record.line or entry.line) for entry in entries]
            sources = (record.name or "",)
        items = gather_items(entries)
        later = EntryTally(
            tools=report.tools,
            silent_tools=report.silent_tools,
            next_number=max([report.tools, *(item.tool_bits.bit_length() for item in items)]),
            origins=report.origin.split(", "),
            sources=dict.fromkeys(sources),
            remedies=_remedies_of(report),
            has_commands=any(change.command for change in report.changes),
            kinds={kind_of(item.first): item for item in items},
        )
        self.merge(later)

    def merge(self, later: EntryTally) -> None:
        """Put in what another one has of later reports, whose tools come after those so far."""
        for kind, item in later.kinds.items():
            if kind not in self.kinds and len(self.kinds) >= _MOST_KINDS:
                item = replace(item, changes=(_without_kind(item.first),))
                kind = kind_of(item.first)
            items: tuple[Item, ...] = (replace(item, tool_bits=item.tool_bits << self.next_number),)
            if kind in self.kinds:
                items = (self.kinds[kind], *items)
            self.kinds[kind] = _some_of(items)
        add_up(self, later)
        self.origins += [origin for origin in later.origins if origin not in self.origins]
        self.sources |= later.sources

    @property
    def categories(self) -> Counter[Category]:
        """How many changes there are of each category."""
        counts: Counter[Category] = Counter()
        for item in self.kinds.values():
            counts[item.first.category] += item.number
        return counts


def _some_of(items: tuple[Item, ...]) -> Item:
    """One item of several, with the first changes, and the first that says something else."""
    changes = [change for item in items for change in item.changes]
    first, shown = changes[0], changes[:_EXAMPLES]
    for change in changes[_EXAMPLES:]:
        if (change.field, change.before, change.after) != (first.field, first.before, first.after):
            shown.append(change)  # so that no value is given for all
            break
    row = ReportLine(items)
    return Item(tuple(shown), row.number, row.tool_bits)


def _without_kind(change: Change) -> Change:
    """A change that stands for every other kind of its category."""
    code = next((start for start in OF_CODES if change.code.startswith(start)), "")
    return replace(change, because="", code=code, path="", field="")


def _remedies_of(report: Report) -> frozenset[str]:
    """What can be done about a report, as options or in words."""
    remedies: set[str] = set()
    if any(change.is_marked and not change.bookkeeping for change in report.changes):
        remedies.add(TO_STATE)
    origins = report.origin.split(", ")  # only these formats are loaded already
    can_go_back = any(name not in formats.names() or formats.get(name).is_written for name in origins)
    if can_go_back and not report.lossless and any(change.fits_slot for change in report.losses):
        remedies.add(TO_KEEP)
    if report.lossless:
        remedies.add(TO_TAKE_BACK)
    return frozenset(remedies)
