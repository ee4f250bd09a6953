"""Comparison of more tools than fit in memory: in parts, each of the tools whose ids have the same letters and digits.

What `pairing.pair_entries` takes for one tool has such ids, but for a program whose commands are tools of their own
elsewhere: where there are programs, and documents of very many tools, everything is compared together.
"""

from __future__ import annotations

import re

import msgspec

from toolglot.converter.conversion.reading import Reading
from toolglot.converter.files.spill import Spill
from toolglot.converter.text.digests import hex_digest
from toolglot.verbs.comparison.contract_comparison import Watch, diff
from toolglot.verbs.comparison.difference import Difference, gravest_first

_DIGITS = 3  # of a digest that tells the part, so that of a million tools some 250 are in each
_PARTS = 16**_DIGITS
_MOST_SPLIT = 100  # tools of a document that is divided; each part of it holds its whole text
_NOT_LETTERS = re.compile(r"[\W_]+")


class Side:
    """What the sources of one side of a comparison say, in memory or on disk.

    >>> from toolglot.converter.conversion.sources import open_document, read_document
    >>> side = Side()
    >>> side.add(read_document(open_document({"tools": [{"name": name, "inputSchema": {}} for name in "ab"]})))
    >>> len(side.readings), side.is_divisible
    (2, True)
    """

    def __init__(self) -> None:
        self.readings = Spill[Reading](lambda reading: ((_part_of(reading.tools[0].id if reading.tools else ""),),))
        self.is_divisible = True

    def add(self, reading: Reading) -> None:
        """Put in what one more source says."""
        can_split = not reading.is_restored and len(reading.records) == len(reading.tools) <= _MOST_SPLIT
        if any(tool.children for tool in reading.tools) or (len(reading.tools) > 1 and not can_split):
            self.is_divisible = False
        if len(reading.tools) < 2 or not self.is_divisible:
            self.readings.extend([reading])
            return
        for record, tool in zip(reading.records, reading.tools, strict=True):
            self.readings.extend([msgspec.structs.replace(reading, records=[record], tools=[tool])])


def diff_many(old: Side, new: Side, watch: Watch) -> Difference:
    """`diff` of what many sources say; a tool with another id that looks the same is sought in its part only.

    Args:
        watch: is told how far it is.
    """
    sides = old.readings, new.readings
    is_divided = old.is_divisible and new.is_divisible and any(side.is_on_disk for side in sides)
    if not is_divided:
        return diff(list(old.readings.as_added()), list(new.readings.as_added()), watch=watch)
    parts: list[Difference] = []
    for number in range(_PARTS):
        before, after = (side.of_key(str(number)) for side in sides)
        parts.append(diff(before, after))
        watch(number, _PARTS)
    return Difference(
        tools=gravest_first(tool for part in parts for tool in part.tools),
        compared=sum(part.compared for part in parts),
        not_comparable=tuple(sorted({field for part in parts for field in part.not_comparable})),
    )


def _part_of(identifier: str) -> str:
    """The number of the part in which a tool of this id is compared, however formats spell it.

    >>> _part_of("gh pr list") == _part_of("gh_pr_LIST"), _part_of("gh pr list") == _part_of("gh pr view")
    (True, False)
    """
    return str(int(hex_digest("".join(_NOT_LETTERS.split(identifier.lower())), _DIGITS), 16))
