"""The entries of any number of reports, put together where they tell the same: what a report of them all is made of.

It grows with the kinds of changes there are, and by a bit for each tool and kind; not with the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import ClassVar

import msgspec

from toolglot.cli.reports.entries import ReportEntry, entries_of
from toolglot.cli.reports.text import ReportHead, next_line, remedies_of, text_of_entries
from toolglot.conversion.pipeline import ReportDetail
from toolglot.conversion.report import Report
from toolglot.streams.record_stream import Converted
from toolglot.streams.tally import Tally

_EXAMPLES = 3  # entries that are kept of each kind
_MOST_KINDS = 1_000  # a stream could make up a reason for every record

_Kind = tuple[tuple[int, int], str, str]  # rank, reason and kind of entries


class EntryTally(msgspec.Struct):
    """The entries of several reports.

    Attributes:
        tools: how many the reports are about.
        next_number: how many bits are in use for them; a document takes one where something is said of it.
        origins, sources: the formats and the documents that were read.
        remedies: the options under which less would be lost.
        has_commands: whether some of the tools are commands.
        kinds: the first entries of each kind, and the first that differs; the first of all stands for the rest too.

    >>> from toolglot.conversion.pipeline import convert
    >>> total = EntryTally()
    >>> for name in "ab":
    ...     total.add(convert({"toolId": name, "source": "mcp", "safetyTier": "write"}, "mcp").report)
    >>> print(*total.text("mcp", "--report FILE"), sep="\\n")
    tool-descriptor -> mcp, 2 tools: 2 lost, 2 guessed; nothing about safety lost
      a, b + annotations.destructiveHint: true   source silent; cautious
      a, b - source: "mcp"   no such field
      The whole list: --report FILE. To get back later what is lost: --lossless.
    """

    tools: int = 0
    next_number: int = 0
    origins: list[str] = []
    sources: dict[str, None] = {}
    remedies: frozenset[str] = frozenset()
    has_commands: bool = False
    kinds: dict[_Kind, list[ReportEntry]] = {}

    def add(self, report: Report, record: Converted | None = None) -> None:
        """Put in the entries of one report, which has its places; of a record those in its stream."""
        line = None
        sources = report.sources
        if record is not None:
            line = record.line
            sources = (record.name or "",)
        numbers: dict[str, int] = {}
        for entry in entries_of(report):
            number = numbers.setdefault(entry.tool, len(numbers))
            tool_bits = 1 << self.next_number + number
            self._keep(msgspec.structs.replace(entry, line=line or entry.line, tool_bits=tool_bits))
        self.tools += report.tools
        self.next_number += max(report.tools, len(numbers))
        self.remedies |= remedies_of(report)
        self.has_commands |= any(change.command for change in report.changes)
        self._name(report.origin.split(", "), sources)

    def merge(self, later: EntryTally) -> None:
        """Put in what another one has of later reports."""
        for entries in later.kinds.values():
            for entry in entries:
                self._keep(msgspec.structs.replace(entry, tool_bits=entry.tool_bits << self.next_number))
        self.tools += later.tools
        self.next_number += later.next_number
        self.remedies |= later.remedies
        self.has_commands |= later.has_commands
        self._name(later.origins, later.sources)

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
        noun = "command" if self.has_commands else "tool"
        head = ReportHead(", ".join(self.origins), to, self.tools, list(self.sources), noun)
        entries = sorted(chain.from_iterable(self.kinds.values()), key=lambda entry: entry.rank)
        remedies = self.remedies if has_remedies else ()
        yield from text_of_entries(head, entries, next_line(whole_list, remedies), is_whole=is_verbose)

    def _keep(self, entry: ReportEntry) -> None:
        kind = (entry.rank, entry.because, entry.kind)
        if kind not in self.kinds and len(self.kinds) >= _MOST_KINDS:
            entry = msgspec.structs.replace(entry, because="", kind="")
            kind = (entry.rank, "", "")
        entries = self.kinds.setdefault(kind, [])
        if len(entries) < _EXAMPLES or (len(entries) == _EXAMPLES and _says_other(entry, entries[0])):
            entries.append(entry)
        else:
            first = entries[0]
            changes, bits = first.changes + entry.changes, first.tool_bits | entry.tool_bits
            entries[0] = msgspec.structs.replace(first, changes=changes, tool_bits=bits)

    def _name(self, origins: Iterable[str], sources: Iterable[str]) -> None:
        self.origins += [origin for origin in origins if origin not in self.origins]
        self.sources |= dict.fromkeys(sources)


def _says_other(entry: ReportEntry, first: ReportEntry) -> bool:
    """Whether an entry says what the first of its kind does not, so that no value can be given for all."""
    return (entry.field, entry.before, entry.after) != (first.field, first.before, first.after)


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
