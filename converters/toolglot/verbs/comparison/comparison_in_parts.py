"""Compares more tools than fit in memory: in parts, in the order of the letters of their ids.

`pairing.pair_entries` pairs tools whose ids have the same letters and digits, or a tool with a command of a program
whose id begins with the letters of the program. So all candidates for a pair are in one part.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from operator import itemgetter

from msgspec.structs import replace

from toolglot.converter.conversion.reading import Reading
from toolglot.converter.files.spill import Spill
from toolglot.converter.text.similar_names import letters_of
from toolglot.verbs.comparison.contract_comparison import Watch, diff
from toolglot.verbs.comparison.difference import Difference, gravest_first

_PART = 500  # readings that are compared together, at least
_MOST_SPLIT = 100  # tools of a document that is divided; each part of it holds its whole text


class Side:
    """The readings of one side of a comparison, in memory or on disk.

    Attributes:
        places: the paths of the files from the folder of the side.

    >>> from toolglot.converter.conversion.sources import open_document, read_document
    >>> side = Side()
    >>> side.add(read_document(open_document({"tools": [{"name": name, "inputSchema": {}} for name in "ab"]})))
    >>> len(side.readings), side.is_divisible
    (2, True)
    """

    def __init__(self) -> None:
        self.readings = Spill[Reading](lambda reading: ((_letters_of(reading),),))
        self.is_divisible = True
        self.places: set[str] = set()

    def add(self, reading: Reading, place: str = "") -> None:
        """Add the reading of one more source."""
        self.places.add(place)
        can_split = not reading.is_restored and len(reading.records) == len(reading.tools) <= _MOST_SPLIT
        if len(reading.tools) > 1 and not can_split:
            self.is_divisible = False
        if len(reading.tools) < 2 or not self.is_divisible:
            self.readings.extend([reading])
            return
        for record, tool in zip(reading.records, reading.tools, strict=True):
            self.readings.extend([replace(reading, records=[record], tools=[tool])])


def diff_many(old: Side, new: Side, watch: Watch) -> Difference:
    """`diff` of many sources. A similar tool with another id is only looked for in the same part.

    Args:
        watch: called with the progress.
    """
    sides = old.readings, new.readings
    is_divided = old.is_divisible and new.is_divisible and any(side.is_on_disk for side in sides)
    if not is_divided:
        return diff(list(old.readings.as_added()), list(new.readings.as_added()), watch=watch)
    parts: list[Difference] = []
    compared = 0
    for before, after in _parts(*sides):
        parts.append(diff(before, after))
        compared += len(before) + len(after)
        watch(compared, sum(map(len, sides)))
    return Difference(
        tools=gravest_first(tool for part in parts for tool in part.tools),
        compared=sum(part.compared for part in parts),
        not_comparable=tuple(sorted({field for part in parts for field in part.not_comparable})),
    )


def _parts(old: Spill[Reading], new: Spill[Reading]) -> Iterator[tuple[list[Reading], list[Reading]]]:
    """The readings of both sides in parts, in the order of their letters. A program is in one part with all tools whose
    letters begin with its own."""
    part = list[Reading](), list[Reading]()
    last, program = "", None
    for letters, number, reading in merge(_in_order(old, 0), _in_order(new, 1), key=itemgetter(0)):
        if program is not None and not letters.startswith(program):
            program = None
        if program is None and letters != last and sum(map(len, part)) >= _PART:
            yield part
            part = [], []
        if program is None and any(tool.children for tool in reading.tools):
            program = letters
        part[number].append(reading)
        last = letters
    yield part


def _in_order(side: Spill[Reading], number: int) -> Iterator[tuple[str, int, Reading]]:
    """The readings of a side in the order of their letters, each with its letters and the number of the side."""
    for reading in side:
        yield _letters_of(reading), number, reading


def _letters_of(reading: Reading) -> str:
    """The letters and digits of the id, which are the same in every format.

    >>> from toolglot.converter.conversion.sources import open_document, read_document
    >>> _letters_of(read_document(open_document({"name": "gh_pr_LIST", "inputSchema": {}})))
    'ghprlist'
    """
    return letters_of(reading.tools[0].id) if reading.tools else ""
