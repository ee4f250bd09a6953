"""The report of a conversion of many sources: what each became, and all of them together."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from toolglot.cli.file_batch import CONVERTED, PASSED_OVER, REFUSED, Outcome, count_states
from toolglot.cli.reports.entry_tally import EntryTally
from toolglot.cli.reports.sheets import Sheet, sheet_of_report
from toolglot.converter.conversion.categories import Category
from toolglot.converter.conversion.report import Report, merge_reports
from toolglot.converter.text.wording import count_noun
from toolglot.verbs.diagnostics.diagnostic import Diagnostic

UNCHANGED = "unchanged"
"""The state of a source whose files hold its results already."""

UNCHOSEN = "none of its tools is chosen"
"""Why a source is passed over that has tools."""


class FileConversion(NamedTuple):
    """What one source became.

    Attributes:
        report: of the conversion; its changes only if the report has all of them.
        categories: how many changes there are of each category.
        entries: what the report in the terminal is made of, if it is wanted.
        results: name below the output folder and text of every file, until they are written.
        credentials: where the source holds some, which are in the result too.
        paths: the files that hold the results.
    """

    report: Report
    categories: Counter[Category]
    entries: EntryTally
    results: tuple[tuple[str, str], ...]
    credentials: tuple[Diagnostic, ...]
    paths: tuple[str, ...] = ()


class SourcesReport(msgspec.Struct):
    """What all sources became.

    Attributes:
        tools: how many of them there are in the results.
        categories, entries: as of `FileConversion`, of all of them.
        has_unchosen: whether a source has tools, and none of them is chosen.
    """

    _to: str
    _has_all_changes: bool
    _outcomes: list[Outcome[FileConversion]] = []  # of all but those passed over, where all have to be told
    tools: int = 0
    categories: Counter[Category] = msgspec.field(default_factory=Counter)
    entries: EntryTally = msgspec.field(default_factory=EntryTally)
    has_unchosen: bool = False

    def add(self, outcome: Outcome[FileConversion]) -> None:
        """Take in what one source became."""
        self.has_unchosen = self.has_unchosen or outcome.reason == UNCHOSEN
        if outcome.result is not None:
            self.tools += outcome.result.report.tools
            self.categories += outcome.result.categories
            self.entries.merge(outcome.result.entries)
        if self._has_all_changes and outcome.state != PASSED_OVER:
            self._outcomes.append(outcome)

    def last_line(self, states: Counter[str], record_states: Counter[str]) -> str:
        """How many files and records came to what, and how many tools there are."""
        files = count_states(states, (CONVERTED, UNCHANGED, REFUSED, PASSED_OVER)) or "no file"
        records = count_states(record_states, (CONVERTED, REFUSED), noun="record")
        return "; ".join(filter(None, (files, records, count_noun(self.tools, "tool"))))

    def _merge(self) -> Report:
        whole = merge_reports(outcome.result.report for outcome in self._outcomes if outcome.result is not None)
        return replace(whole, target=self._to)

    def make_sheet(self, shows_texts: bool) -> Sheet:
        """The report as a table."""
        return sheet_of_report(self._merge())

    def to_json(self) -> dict[str, Any]:
        """The report as data, with the files of every source."""
        files = []
        for outcome in self._outcomes:
            entry: dict[str, Any] = {"source": outcome.source, "state": outcome.state}
            if outcome.problem is not None:
                entry.update(code=outcome.problem.code, message=outcome.problem.message)
            else:
                entry["files"] = outcome.result.paths if outcome.result is not None else ()
            files.append(entry)
        return {**self._merge().to_json(), "to": self._to, "files": files}
