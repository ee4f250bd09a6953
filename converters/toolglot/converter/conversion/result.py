"""The result of a conversion: its files, and its report, which is made only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Literal

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion import report, report_wording, schema_changes
from toolglot.converter.conversion.garbage_collection import gc_paused
from toolglot.converter.conversion.offers import TargetRequest, find_modes
from toolglot.converter.conversion.output import Output, write_files
from toolglot.converter.conversion.positions import SourcePlaces, WrittenDocuments
from toolglot.converter.conversion.read_back import ReadBack, changes_of, find_silence, read_back
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.reasons_of_changes import explain_changes, explain_document
from toolglot.converter.conversion.report import Change, Report
from toolglot.converter.conversion.writing import is_valid_record, may_lose, write_tool
from toolglot.converter.formats import NO_CONTAINER, Format
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.caches import Same
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.wording import count_noun, join_first
from toolglot.errors import Error, UsageError, WriteError


class ConvertedTool(msgspec.Struct, frozen=True):
    """One tool of a conversion.

    Attributes:
        reading: the reading that has the tool.
        number: index of the tool in the reading.
        asserted: the facts that a person asserts, as changes.
        back: the tool with what the target says of it.
    """

    reading: Reading
    number: int
    asserted: Sequence[Change]
    back: ReadBack


ReportDetail = Literal["plain", "explained", "placed"]
"""What the changes of a report say: what changed; also what that tells people; also in which line it stands."""


class Evidence(msgspec.Struct, eq=False, dict=True):  # `dict` holds what is cached
    """What a report is made of, once it is asked for."""

    readings: Sequence[Reading]
    tools: Sequence[ConvertedTool]
    to: str
    lossless: bool

    @cached_property
    def changes(self) -> list[tuple[Reading, ConvertedTool | None, list[Change]]]:
        """The changes beside the tools of each reading (where the tool is `None`), and those of each tool."""
        places_of_losses: set[tuple[Same[Document], str]] = set()
        target = formats.parse_target(self.to)[0]
        changes: list[tuple[Reading, ConvertedTool | None, list[Change]]] = []
        for reading in self.readings:
            changes.append((reading, None, _changes_of_document(reading, target, self.lossless)))
        for item in self.tools:
            of_tool = list(_without_repetitions(changes_of(item.back), item.reading, item.number, places_of_losses))
            if may_lose(item.back.tool, target):
                of_tool += find_silence(item.back)
            else:
                of_tool = [replace(change, is_own=True) for change in of_tool]
            if self.lossless:
                gone = _places_not_given_back(item)
                of_tool = [
                    replace(change, is_carried=change.fits_slot and change.path not in gone) for change in of_tool
                ]
            changes.append((item.reading, item, [*item.asserted, *_not_found(item, target), *of_tool]))
        return changes

    @property
    def leaf_count(self) -> int:
        """How many callable tools were read."""
        return sum([len(item.back.result.leaves) for item in self.tools])

    def report(self, detail: ReportDetail, documents: WrittenDocuments | None = None) -> Report:
        """The report; with the documents of the result, its changes also say their places there."""
        changes: list[Change] = []
        (target, version), has_lines = formats.parse_target(self.to), detail == "placed"
        for reading, item, own_changes in self.changes:
            if detail == "plain":
                changes += own_changes
            elif item is None:
                changes += explain_document(own_changes, reading.document, has_lines)
            else:
                source = SourcePlaces(reading, item.number)
                changes += explain_changes(own_changes, item.back, source, target, has_lines, documents)
        if target.provider.profiles:
            count = sum(len(item.back.result.parts) for item in self.tools)
            limit = find_modes(target, version, None).loose.budget.tools
            changes += schema_changes.changes_of_budget(count, limit)
        return Report(
            origin=", ".join(dict.fromkeys([reading.format.name for reading in self.readings])),
            target=self.to,
            tools=self.leaf_count,
            changes=tuple(changes),
            lossless=self.lossless,
            sources=tuple(dict.fromkeys([reading.document.name or "" for reading in self.readings])),
        )


class Conversion:
    """The result of a conversion.

    Attributes:
        tools: the tools that were read.
        output: the result before it becomes text.
        faults: the errors of tools that were left out, where that was asked for.
    """

    def __init__(self, tools: list[Tool], output: Output, evidence: Evidence) -> None:
        self.tools = tools
        self.output = output
        self.faults: Sequence[Error] = ()
        self._evidence = evidence

    def __repr__(self) -> str:
        """
        >>> from toolglot import convert
        >>> convert({"toolId": "a", "source": "mcp", "safetyTier": "read"}, "atdf")
        <Conversion of 1 tool to atdf: a>
        """
        tools = count_noun(len(self.tools), "tool")
        return f"<Conversion of {tools} to {self._evidence.to}: {join_first(self.output.names)}>"

    @cached_property
    def files(self) -> list[tuple[str, str]]:
        """The result as `(name, text)`: one file, or one for each tool in formats with one file for each tool."""
        return write_files(self.output)

    @cached_property
    @gc_paused
    def report(self) -> Report:
        """Every difference between what was read and what was written.

        It is made when it is first asked for: to find lines and columns, the source is parsed once more.
        """
        return self._evidence.report("placed")

    @property
    def leaf_count(self) -> int:
        """How many callable tools were read: the commands of a program, each by itself."""
        return self._evidence.leaf_count

    @property
    def sources(self) -> list[Document]:
        """The documents that were read."""
        return [reading.document for reading in self._evidence.readings]

    @gc_paused
    def report_with_results(self) -> Report:
        """The report whose changes also have their places in the result, to show source and result side by side."""
        backs = [item.back for item in self._evidence.tools]
        documents = WrittenDocuments(self.files, self.output.target, backs)
        return self._evidence.report("placed", documents)

    @cached_property
    @gc_paused
    def report_without_lines(self) -> Report:
        """The report without lines and columns, which is enough to count changes."""
        return self._evidence.report("plain")

    @gc_paused
    def report_in_detail(self, detail: ReportDetail) -> Report:
        """The report with as much detail as its reader needs."""
        return self._evidence.report(detail)

    @property
    def text(self) -> str:
        """The result, where it is one text.

        Raises:
            UsageError: the target has one file for each tool, and there are several tools.
        """
        if len(self.files) != 1:
            raise UsageError(f"the result is {len(self.files)} files; use .files", code="several-files")
        return self.files[0][1]


def report_of_parts(reading: Reading, parts: Sequence[Conversion], to: str) -> Report:
    """The report of one document whose tools were converted one by one.

    Args:
        parts: the conversions; each of their readings has `reading` as its `whole`.
    """
    tools = [item for part in parts for item in part._evidence.tools]
    return Evidence([reading], tools, to, lossless=False).report("placed")


def _changes_of_document(reading: Reading, target: Format, lossless: bool) -> list[Change]:
    """The losses beside the tools of a document: data outside of them, and slots that are not used.

    A lossless conversion keeps such slots in its own.
    """
    gone = [
        (pointer, "dropped-container-key", report_wording.BESIDE_TOOLS, value)
        for pointer, value in reading.leftover.items()
    ]
    restore = reading.document.restore
    if restore or (target != reading.format and not lossless):
        gone += [(pointer, "stale-slot", report_wording.STALE_SLOT, None) for pointer in reading.stale]
        whole = [pointer for pointer in reading.slots if pointer not in reading.stale]
        if whole and not restore:
            gone.append((whole[0], "dropped-slot", report_wording.UNASKED_SLOT, None))
    return [report.change_beside_tools(*item) for item in gone]


def _without_repetitions(
    changes: Iterable[Change], reading: Reading, index: int, places_of_losses: set[tuple[Same[Document], str]]
) -> Iterator[Change]:
    """The changes of a tool. A loss of what a container says of all its tools is reported once, not for each of them.

    Args:
        places_of_losses: document and JSON Pointer of the losses that are reported already.
    """
    record = reading.record_of(index)
    container = NO_CONTAINER if record is None else record.container
    places = {f"/{field}": place for place, field in container.places.items()}
    for change in changes:
        place = places.get(change.path) if change.action == "dropped" else None
        if place is None:
            yield change
        elif (Same(reading.document), place) not in places_of_losses:
            places_of_losses.add((Same(reading.document), place))
            yield change


def _not_found(item: ConvertedTool, target: Format) -> Iterable[Change]:
    """The changes for an action that was not found; none in the tool's own format, which keeps what it said."""
    if item.reading.format == target:
        return ()
    record = item.reading.record_of(item.number)
    reason = None if record is None or record.linked_facts is None else record.linked_facts.not_found
    return report.changes_of_unknown_actions(item.back.result.leaves, reason)


def _places_not_given_back(item: ConvertedTool) -> set[str]:
    """The paths that are lost even in the tool's own format, because the document breaks the schema there."""
    own, record = item.reading.format, item.reading.record_of(item.number)
    request = TargetRequest(own, include_hidden=True)
    if record is None or not own.is_written or is_valid_record(record, request):
        return set()
    back = item.back  # what the target lost, where nothing at all can be written again
    with suppress(WriteError):
        back = read_back(write_tool(back.tool, request), own)
    return {change.path for change in changes_of(back) if change.fits_slot}
