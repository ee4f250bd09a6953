"""What a stream came to: counts, the first examples and the first errors; no larger for a million records."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from toolglot.converter.conversion.categories import Category
from toolglot.converter.conversion.pattern_use import PatternUse
from toolglot.converter.conversion.report import Change, Report
from toolglot.converter.conversion.result import ReportDetail
from toolglot.converter.conversion.sums import add_up
from toolglot.verbs.diagnostics.credential_warnings import MOST_CREDENTIALS
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.streams.record_stream import Converted

EXAMPLES = 3  # changes that are kept of each code
FAULTS = 20  # errors that are kept

ChangeKey = tuple[str, str, str]  # severity, action, code


class Tally(msgspec.Struct):
    """What the records of a stream came to.

    Attributes:
        records: those that were converted or refused.
        refused: those that were refused.
        blank: lines that hold no record.
        tools: callable tools that were read.
        texts: records that were written.
        categories: how many changes there are of each category.
        lossless: whether there was none of them because slots travel along.
        origins: the formats that were read, in the order of their first record.
        counts: how many changes there are of each severity, action and code.
        examples: the first of them, with their lines.
        errors: why the first of the refused records were refused.
        credentials: the first places where the records hold credentials, whoever looks for them.
        pattern_use: which patterns mean a tool of the records.

    >>> from toolglot.verbs.streams.record_stream import convert_records
    >>> tally = Tally()
    >>> for found in convert_records(['{"toolId": "a", "source": "mcp", "safetyTier": "read"}', "{}"], "mcp"):
    ...     tally.add(found)
    >>> tally.records, tally.refused, tally.categories[Category.LOST]
    (2, 1, 1)
    """

    detail: ClassVar[ReportDetail | None] = "plain"  # of the reports that it counts

    records: int = 0
    refused: int = 0
    blank: int = 0
    tools: int = 0
    texts: int = 0
    categories: Counter[Category] = msgspec.field(default_factory=Counter)
    lossless: bool = False
    origins: list[str] = []
    counts: Counter[ChangeKey] = msgspec.field(default_factory=Counter)
    examples: dict[ChangeKey, list[Change]] = {}
    errors: list[Diagnostic] = []
    credentials: list[Diagnostic] = []
    pattern_use: PatternUse = msgspec.field(default_factory=PatternUse)

    def add(self, result: Converted) -> None:
        """Count one record."""
        self.records += 1
        self.texts += len(result.texts)
        self.tools += result.tools
        if result.error is not None:
            self.refused += 1
            self.errors += [result.error][: FAULTS - len(self.errors)]
        if result.pattern_use is not None:
            self.pattern_use.merge(result.pattern_use)
        report = result.report
        if report is None:
            return
        self.categories.update(report.categories)
        self.lossless |= report.lossless
        if report.origin not in self.origins:
            self.origins.append(report.origin)
        for change in report.changes:
            key = change.severity, change.action, change.code
            self.counts[key] = count = self.counts.get(key, 0) + 1
            if count <= EXAMPLES:
                self.examples.setdefault(key, []).append(with_line(change, result))

    def merge(self, later: Tally) -> None:
        """Count what another tally counted of later records."""
        add_up(self, later)
        self.origins += [origin for origin in later.origins if origin not in self.origins]
        self.errors += later.errors[: FAULTS - len(self.errors)]
        self.credentials += later.credentials[: MOST_CREDENTIALS - len(self.credentials)]
        for key, examples in later.examples.items():
            own = self.examples.setdefault(key, [])
            own += examples[: EXAMPLES - len(own)]

    def report(self, to: str) -> Report:
        """A report of the first changes of each kind.

        Args:
            to: `FORMAT[@VERSION]` of the results.
        """
        return Report(
            origin=", ".join(self.origins),
            target=to,
            tools=self.tools,
            changes=tuple(change for examples in self.examples.values() for change in examples),
            lossless=self.lossless,
        )

    def to_json(self, to: str) -> dict[str, Any]:
        """The totals as a report whose changes are examples, valid under `schemas/report/1.schema.json`.

        Args:
            to: `FORMAT[@VERSION]` of the results.
        """
        totals = self.report(to).to_json()
        totals["summary"] = dict.fromkeys(totals["summary"], 0)
        codes: Counter[str] = Counter()
        for (_, action, code), number in self.counts.items():
            totals["summary"][action] += number
            codes[code] += number
        totals["records"] = {
            "converted": self.records - self.refused,
            "refused": self.refused,
            "blank": self.blank,
            "codes": dict(codes),
            "errors": [error_to_json(error) for error in self.errors],
        }
        return totals


class RecordTally(Tally):
    """A tally of a stream of which nobody reads a report: losses are not counted, nor changes."""

    detail: ClassVar[ReportDetail | None] = None


def with_line(change: Change, result: Converted) -> Change:
    """A change of a record with the name of the stream and the record's line."""
    return replace(change, source=result.name, line=result.line)


def error_to_json(error: Diagnostic) -> dict[str, Any]:
    """An error as JSON data; what is not known is absent."""
    return {key: value for key, value in error.to_json().items() if value != ""}
