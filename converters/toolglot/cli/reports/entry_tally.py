"""The entries of any number of reports, put together where they tell the same: what a report of them all is made of.

It grows with the kinds of changes there are, and by a bit for each tool and kind; not with the changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import ClassVar

import msgspec

from toolglot.cli.reports.entries import entries_of, rank_of
from toolglot.cli.reports.grouping import Item, gather_items, kind_of
from toolglot.cli.reports.text import ReportHead, names_commands, next_line, remedies_of, text_of_items
from toolglot.converter.conversion.categories import OF_CODES, Category
from toolglot.converter.conversion.pipeline import ReportDetail
from toolglot.converter.conversion.report import Change, Report
from toolglot.verbs.streams.record_stream import Converted
from toolglot.verbs.streams.tally import Tally

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
    >>> print(*total.text("mcp", "--report FILE"), sep="\\n")
    tool-descriptor -> mcp, 2 tools: every danger said, 2 other losses
      - a, b · source   no such field
      The whole list: --report FILE. To get back later what is lost: --lossless.
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
            entries = [msgspec.structs.replace(entry, line=record.line or entry.line) for entry in entries]
            sources = (record.name or "",)
        items = gather_items(entries)
        later = EntryTally(
            tools=report.tools,
            silent_tools=report.silent_tools,
            next_number=max([report.tools, *(item.tool_bits.bit_length() for item in items)]),
            origins=report.origin.split(", "),
            sources=dict.fromkeys(sources),
            remedies=remedies_of(report),
            has_commands=names_commands(report),
            kinds={kind_of(item.first): item for item in items},
        )
        self.merge(later)

    def merge(self, later: EntryTally) -> None:
        """Put in what another one has of later reports."""
        self._keep(later.kinds)
        self.tools += later.tools
        self.silent_tools += later.silent_tools
        self.next_number += later.next_number
        self.origins += [origin for origin in later.origins if origin not in self.origins]
        self.sources |= later.sources
        self.remedies |= later.remedies
        self.has_commands |= later.has_commands

    def text(
        self, to: str, whole_list: str | None, is_verbose: bool = False, has_remedies: bool = True
    ) -> Iterator[str]:
        """The lines of a report of them all.

        Args:
            to: what was written.
            whole_list: the option that tells more; `None` where the command has none.
            is_verbose: whether every kind of change is told, on as many lines as it takes.
            has_remedies: whether the command has the options under which less would be lost.
        """
        origin, sources = ", ".join(self.origins), list(self.sources)
        head = ReportHead(origin, to, self.tools, sources, self.has_commands, self.silent_tools)
        items = sorted(self.kinds.values(), key=lambda item: rank_of(item.first))
        remedies = self.remedies if has_remedies else ()
        yield from text_of_items(head, items, next_line(whole_list, remedies), is_whole=is_verbose)

    @property
    def categories(self) -> Counter[Category]:
        """How many changes there are of each category."""
        counts: Counter[Category] = Counter()
        for item in self.kinds.values():
            counts[item.first.category] += item.number
        return counts

    def _keep(self, kinds: Mapping[Hashable, Item]) -> None:
        """Put in items whose tools come after those so far."""
        for kind, item in kinds.items():
            if kind not in self.kinds and len(self.kinds) >= _MOST_KINDS:
                item = msgspec.structs.replace(item, changes=(_without_kind(item.first),))
                kind = kind_of(item.first)
            later = msgspec.structs.replace(item, tool_bits=item.tool_bits << self.next_number)
            earlier = self.kinds.get(kind)
            self.kinds[kind] = _some_of(later) if earlier is None else _some_of(earlier, later)


def _some_of(*items: Item) -> Item:
    """One item of several, with the first changes, and the first that says something else."""
    changes = [change for item in items for change in item.changes]
    shown = changes[:_EXAMPLES]
    shown += next(([change] for change in changes[_EXAMPLES:] if _says_other(change, shown[0])), [])
    bits = 0
    for item in items:
        bits |= item.tool_bits
    return Item(tuple(shown), sum(item.number for item in items), bits)


def _says_other(change: Change, first: Change) -> bool:
    """Whether a change says what the first of its kind does not, so that no value can be given for all."""
    return (change.field, change.before, change.after) != (first.field, first.before, first.after)


def _without_kind(change: Change) -> Change:
    """A change that stands for every other kind of its category."""
    code = next((start for start in OF_CODES if change.code.startswith(start)), "")
    return msgspec.structs.replace(change, because="", code=code, path="", field="")


class ExplainedTally(Tally):
    """A tally of a stream that also has the entries of its reports."""

    detail: ClassVar[ReportDetail | None] = "explained"
    entries: EntryTally = msgspec.field(default_factory=EntryTally)

    def add(self, result: Converted) -> None:
        super().add(result)
        if result.report is not None:
            self.entries.add(result.report, result)

    def merge(self, later: Tally) -> None:
        super().merge(later)
        if isinstance(later, ExplainedTally):
            self.entries.merge(later.entries)
