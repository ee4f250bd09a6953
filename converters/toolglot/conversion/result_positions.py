"""Where a result says what an entry of a report is about: the other end of `positions`."""

from __future__ import annotations

from collections.abc import Sequence

from toolglot.conversion.leaf_comparison import LeafPair
from toolglot.conversion.positions import find_position
from toolglot.conversion.read_back import ReadBack
from toolglot.conversion.reading import Reading
from toolglot.conversion.sources import open_document, read_document
from toolglot.formats import Format


class WrittenDocuments:
    """The documents of a result, read again for the places of what they say.

    Args:
        files: names and texts.
        target: their format.
        backs: every tool of the conversion, in the order in which their records were written.
    """

    def __init__(self, files: Sequence[tuple[str, str]], target: Format, backs: Sequence[ReadBack]) -> None:
        self._has_tree = target.tree
        self._readings: list[Reading] = []
        for name, text in files:
            self._readings.append(read_document(open_document(text, name), target.name))
        self._first: dict[int, int] = {}  # identity of a tool -> the number of its first record
        number = 0
        for back in backs:
            self._first[id(back)] = number
            number += len(back.result.records)

    def place(self, back: ReadBack, pair: LeafPair, record: int, name: str, rest: str) -> tuple[int, int] | None:
        """Which document, and in which line, says a field of one of the records of a tool."""
        number = self._first[id(back)] + record
        document = number if len(self._readings) > 1 else 0
        index = 0 if len(self._readings) > 1 else number
        node = pair.after.pointer if self._has_tree else ""
        position = find_position(self._readings[document], index, node, name, rest)
        return None if position is None else (document, position[0])
