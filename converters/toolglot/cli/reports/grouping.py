"""Entries put together for a short report: what is told of several tools is told once, and nothing goes uncounted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from toolglot.cli.reports.entries import LOST, MEANINGS, RENAMED, SAFETY, WIDER, ReportEntry


class Item(msgspec.Struct, frozen=True):
    """What happened to one field of one tool or of several: a part of a row.

    Attributes:
        tools: the names of those that the entries name.
        tool_bits: all of them, a bit each.
    """

    field: str
    tools: tuple[str, ...]
    tool_bits: int
    entries: tuple[ReportEntry, ...]

    @property
    def first(self) -> ReportEntry:
        return self.entries[0]

    def value(self, longest: int) -> str:
        """The value, shortened; where it differs from tool to tool an example of a new name, else nothing."""
        values = {entry.value(longest) for entry in self.entries}
        if len(values) == 1:
            return values.pop()
        if self.first.mark != RENAMED:
            return ""
        return f"such as {self.first.value(longest)}"

    @property
    def line(self) -> int | None:
        """Where it stands, if it stands in one place."""
        if self.changes > 1:
            return None
        return self.first.line

    @property
    def changes(self) -> int:
        """How many changes it tells of."""
        return sum(entry.changes for entry in self.entries)


class ReportLine(msgspec.Struct, frozen=True):
    """What happened, to which tools, and why; the reason is empty where there are several."""

    mark: str
    weight: int
    tools: tuple[str, ...]
    tool_bits: int
    items: tuple[Item, ...]
    because: str

    @property
    def size(self) -> int:
        """How many changes it tells of."""
        return sum(item.changes for item in self.items)

    @property
    def tool_count(self) -> int:
        """How many tools it is about."""
        return self.tool_bits.bit_count()


class Rest(msgspec.Struct, frozen=True):
    """What did not fit: how many entries there are of each mark, and how many of them are about safety."""

    counts: dict[str, int]
    safety: int


T = TypeVar("T")


def group_entries(entries: Sequence[ReportEntry], limit: int) -> tuple[list[ReportLine], Rest | None]:
    """At most `limit` rows, the gravest first, and what is left of them, which takes one of the rows.

    Rows are made larger, by leaving out the reasons and then the tools, before anything is left out.
    """
    numbers: dict[str, int] = {}
    for entry in entries:
        numbers.setdefault(entry.tool, len(numbers))
    items = [_item(similar_entries, numbers) for similar_entries in _gather(entries, _by_event)]
    rows: list[ReportLine] = []
    for key in (_by_reason, _by_reason_of_safety, _by_tools, _by_grave_reason, _by_rank):
        rows = [_row(similar_items) for similar_items in _gather(items, key)]
        if len(rows) <= limit:
            break
    rows.sort(key=_gravity)
    if len(rows) <= limit:
        return rows, None
    return rows[: limit - 1], _rest(rows[limit - 1 :])


def _gravity(row: ReportLine) -> tuple[int, int, int]:
    return row.weight, list(MEANINGS).index(row.mark), -row.size


def _by_event(entry: ReportEntry) -> Hashable:
    return entry.rank, entry.because, entry.kind


def _by_reason(item: Item) -> Hashable:
    return item.first.rank, item.tool_bits, _reason_head(item)


def _by_reason_of_safety(item: Item) -> Hashable:
    if item.first.weight <= SAFETY:
        return _by_reason(item)
    return _by_tools(item)


def _by_tools(item: Item) -> Hashable:
    return item.first.rank, item.tool_bits


def _by_grave_reason(item: Item) -> Hashable:
    """By rank; what a person should decide about keeps its reason."""
    if item.first.weight <= WIDER:
        return item.first.rank, _reason_head(item)
    return item.first.rank


def _by_rank(item: Item) -> Hashable:
    return item.first.rank


def _reason_head(item: Item) -> str:
    return item.first.because.partition(": ")[0]


def _gather(things: Iterable[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    """The things that have a key in common, in the order of the first of each."""
    groups: dict[Hashable, list[T]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return list(groups.values())


def _item(entries: list[ReportEntry], numbers: Mapping[str, int]) -> Item:
    field = _common_field([entry.field for entry in entries])
    tools: set[str] = set()
    tool_bits = 0
    for entry in entries:
        tools.add(entry.tool)
        tool_bits |= entry.tool_bits or 1 << numbers[entry.tool]
    return Item(field, tuple(sorted(tools)), tool_bits, tuple(entries))


def _common_field(fields: Sequence[str]) -> str:
    """One name for a field that stands in several places: its ends, where only the middle differs.

    >>> _common_field(["inputs.properties.a.format", "inputs.properties.b.format"])
    'inputs…format'
    >>> _common_field(["function.name", "id"])
    'function.name'
    """
    first = fields[0]
    heads = {field.partition(".")[0] for field in fields}
    if len(heads) > 1 or all(field == first for field in fields):
        return first
    head, _, tail = first.partition(".")
    return f"{head}…{tail.rpartition('.')[2]}"


def _row(items: list[Item]) -> ReportLine:
    tools: set[str] = set()
    tool_bits = 0
    reasons: dict[str, None] = {}
    for item in items:
        tools.update(item.tools)
        tool_bits |= item.tool_bits
        reasons.update(dict.fromkeys(entry.because for entry in item.entries))
    first = items[0].first
    return ReportLine(
        mark=first.mark,
        weight=first.weight,
        tools=tuple(sorted(tools)),
        tool_bits=tool_bits,
        items=tuple(items),
        because=_common_reason(reasons),
    )


def _common_reason(reasons: Iterable[str]) -> str:
    """One reason for several: where they only end otherwise, with all of their ends; else nothing.

    >>> _common_reason(["said in the text: A", "said in the text: B"]), _common_reason(["a", "b"])
    ('said in the text: A, B', '')
    """
    heads, ends = set(), []
    for reason in reasons:
        head, _, end = reason.partition(": ")
        heads.add(head)
        if end:
            ends.append(end)
    if len(heads) > 1:
        return ""
    parts = [*heads]
    if ends:
        parts.append(", ".join(ends))
    return ": ".join(parts)


def _rest(rows: Iterable[ReportLine]) -> Rest:
    counts: Counter[str] = Counter()
    safety = 0
    for row in rows:
        counts[row.mark] += row.size
        if row.weight <= SAFETY:
            safety += row.size
    return Rest({mark: counts[mark] for mark in MEANINGS if counts[mark]}, safety)


def is_alarming(row: ReportLine) -> bool:
    """Whether a person should decide about a row."""
    if row.weight <= WIDER:
        return True
    return row.mark == LOST and any(map(_has_warning, row.items))


def _has_warning(item: Item) -> bool:
    return any(entry.severity != "info" for entry in item.entries)
