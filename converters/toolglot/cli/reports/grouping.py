"""Entries put together for a short report: what is told of several tools is told once, and nothing goes uncounted."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import reduce
from operator import or_

import msgspec

from toolglot.cli.reports.entries import is_grave, is_warning, rank_of
from toolglot.cli.reports.entry_texts import field_of, name_of, tool_of, value_of
from toolglot.converter.conversion.categories import DANGERS, OF_CONTRACTS, Category
from toolglot.converter.conversion.report import Change
from toolglot.converter.conversion.report_wording import CUT, OF_HINT, OF_METHOD, SILENCE_OF_SEVERAL
from toolglot.converter.text.sequences import group_by


class Item(msgspec.Struct, frozen=True):
    """What happened to one field of one tool or of several.

    Attributes:
        changes: the first of its changes.
        number: how many changes it has in all.
        tool_bits: their tools, a bit each.
    """

    changes: tuple[Change, ...]
    number: int
    tool_bits: int

    @property
    def first(self) -> Change:
        return self.changes[0]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools of the first changes."""
        return tuple(sorted(set(map(tool_of, self.changes))))

    @property
    def field(self) -> str:
        """One name for a field that stands in several places: its ends, where only the middle differs."""
        return _common_field([field_of(change) for change in self.changes])

    def value(self, longest: int) -> str:
        """The value, shortened; where it differs from tool to tool an example of a new name, else nothing."""
        values = {value_of(change, longest) for change in self.changes}
        if len(values) == 1:
            return values.pop()
        if self.first.category is not Category.SPELLING:
            return ""
        return f"such as {value_of(self.first, longest)}"

    @property
    def line(self) -> int | None:
        """Where it stands, if it stands in one place."""
        return self.first.line if self.number == 1 else None


class Cluster(msgspec.Struct, frozen=True):
    """What happened for one reason.

    Attributes:
        names: of its fields, those of most tools first.
        number: how many changes it has.
        end: what its reason adds to that of the whole line.
    """

    items: Sequence[Item]
    names: list[str]
    number: int
    end: str


class ReportLine(msgspec.Struct, frozen=True):
    """What happened, to which tools, and why."""

    items: tuple[Item, ...]

    @property
    def mark(self) -> str:
        return self.items[0].first.category.mark

    @property
    def number(self) -> int:
        """How many changes it tells of."""
        return sum(item.number for item in self.items)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that its first changes name."""
        return tuple(sorted({tool for item in self.items for tool in item.tools}))

    @property
    def tool_bits(self) -> int:
        """The tools, a bit each."""
        return reduce(or_, [item.tool_bits for item in self.items])

    @property
    def tool_count(self) -> int:
        """How many tools it is about."""
        return self.tool_bits.bit_count()

    @property
    def is_grave(self) -> bool:
        """Whether a person should decide about it."""
        return any(is_grave(item.first) for item in self.items)

    @property
    def is_warning(self) -> bool:
        """Whether something in it is a loss that has a severity."""
        return any(is_warning(change) for item in self.items for change in item.changes)

    @property
    def clusters(self) -> list[Cluster]:
        """What happened, one reason after the other; together where the line would say the same of both."""
        clusters: dict[Hashable, Cluster] = {}
        because = self.because
        for items in group_by(self.items, _cluster).values():
            reason = items[0].first.because
            end = _end(reason) if because == _head(reason) else ""
            names: dict[str, int] = {}
            for item in items:
                name = name_of(item.first)
                names[name] = names.get(name, 0) | item.tool_bits
            names.pop("", None)
            if names:
                ordered = sorted(names, key=lambda name: -names[name].bit_count())
                alike = clusters.get((end, *ordered))
                items = [*(alike.items if alike else ()), *items]
                clusters[end, *ordered] = Cluster(items, ordered, sum(item.number for item in items), end)
        return [*clusters.values()]

    @property
    def because(self) -> str:
        """Why, for all of its parts: as `common_reason` says; the category where they have nothing in common."""
        first = self.items[0].first
        reasons = dict.fromkeys(item.first.because for item in self.items)
        if first.category is Category.SAID:
            return ", ".join(dict.fromkeys(", ".join(filter(None, reasons)).split(", ")))
        if first.action == "unstated" and self.number > 1:
            text = SILENCE_OF_SEVERAL
            for item in self.items:
                for of_one, of_several, doubt in (OF_METHOD, OF_HINT):
                    if item.first.because.endswith(doubt):
                        verb = of_one if item.number == 1 else of_several
                        text += f"; {item.number} {verb} {item.first.spelled}{doubt}"
            return text
        if len(reasons) > 1:
            reasons = dict.fromkeys(map(_cluster, self.items))
        return common_reason(reasons) or first.category.value


def kind_of(change: Change) -> Hashable:
    """What changes have in common that tell the same of several tools."""
    # Which parameter of a contract is another one now matters to its callers; how a conversion spells them does not.
    place = change.path if change.category in OF_CONTRACTS else change.path.rpartition("/")[2]
    return rank_of(change), change.because, change.code, place


def gather_items(changes: Iterable[Change], kind: Callable[[Change], Hashable] = kind_of) -> list[Item]:
    """The items of the changes of one report, in their order.

    Args:
        kind: what the changes of one item have in common.
    """
    numbers: dict[str, int] = {}
    items: list[Item] = []
    for similar in group_by(changes, kind).values():
        bits = 0
        for change in similar:
            bits |= 1 << numbers.setdefault(tool_of(change), len(numbers))
        items.append(Item(tuple(similar), len(similar), bits))
    return items


def common_reason(reasons: Iterable[str]) -> str:
    """One reason for several: their common beginning with all of the ends; nothing where they begin otherwise.

    Where it is all that one of them says, the ends are of the others alone, and `Cluster.end` has them.

    >>> common_reason(["left out: a", "left out: b"]), common_reason(["a", "b"]), common_reason(["a; b", "a"])
    ('left out: a, b', '', 'a')
    """
    texts = sorted(reasons, key=len, reverse=True)
    heads = {_head(text) for text in texts}
    if len(heads) > 1:
        return ""
    if heads <= {*texts}:
        return texts[-1]
    common, *others = texts
    for text in others:
        if _end(text) not in common:
            common += f", {_end(text)}"
    return common


def _head(reason: str) -> str:
    """How a reason begins, without what only one change adds."""
    return _END.split(reason, maxsplit=1)[0]


def _end(reason: str) -> str:
    """What only one change adds."""
    return reason[len(_head(reason)) :].lstrip(";: ")


_END = re.compile(r"[;:] ")


def group_items(items: Sequence[Item], limit: int) -> list[ReportLine]:
    """Rows, the gravest first; at most `limit` of them, unless there are more categories.

    Rows are made larger, by putting tools and then reasons together, before there are more.
    """
    rows: list[ReportLine] = []
    for key in (_by_reason, _by_head, _by_mark):
        rows = [ReportLine(tuple(similar)) for similar in group_by(items, key).values()]
        # What rows have in common that need not be two.
        alike = group_by(rows, lambda row: (row.mark, row.because, row.tool_bits))
        rows = [ReportLine(tuple(item for row in similar for item in row.items)) for similar in alike.values()]
        if len(rows) <= limit:
            break
    return sorted(rows, key=lambda row: (row.items[0].first.category.rank, -row.number))


def _by_reason(item: Item) -> Hashable:
    """A reason that is a head alone has its own row: beside others it would be that of all, and they mere ends."""
    reason = _cluster(item)
    return _by_head(item), item.tool_bits, reason == _head(reason)


def _by_head(item: Item) -> Hashable:
    return _row_mark(item), _head(_cluster(item))


def _by_mark(item: Item) -> Hashable:
    """What a person should decide about keeps its reason, and so does what was cut off a text."""
    return _by_head(item) if _is_cut(item) or is_grave(item.first) else _row_mark(item)


def _is_cut(item: Item) -> bool:
    return item.first.because.startswith(CUT.format(""))


def _cluster(item: Item) -> str:
    """The reason that fields are told with; what is said in words has its words for one.

    The words that were cut off several texts would fill the screen.
    """
    if item.first.category is Category.SAID:
        return ""
    return _head(item.first.because) if _is_cut(item) else item.first.because


def _row_mark(item: Item) -> Hashable:
    """What no row joins with another; each of the gravest categories, and silence, are told by themselves."""
    category = item.first.category
    if category in DANGERS:
        return category
    return category.mark, item.first.action == "unstated", item.first.is_marked


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
