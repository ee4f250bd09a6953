"""Two lists of texts beside each other, however long they are."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import Match, SequenceMatcher

from toolglot.converter.text.sequences import common_ends, longest_rising

_CLOSE = 100  # between two anchors, as many texts are compared one by one
_PATIENCE = 2_000_000  # pairs of texts that are compared so in all


class Matcher(SequenceMatcher[str]):
    """Which texts of two lists, such as the lines of two files, are alike, and in which order.

    Those that stand once in both lists are matched first, and only what lies between them is searched. `difflib` alone
    takes time with the square of the length: 15 s for the lines of a catalog of 3,000 tools.

    >>> [code[0] for code in Matcher(["a", "b", "c"], ["a", "d", "c", "e"]).get_opcodes()]
    ['equal', 'replace', 'equal', 'insert']
    """

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, old, new, autojunk=False)
        self.old, self.new = old, new
        self.anchors = _anchors(old, new)
        self.patience = _PATIENCE

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        """The texts that are alike in two parts of the lists; `difflib` then asks for those before and behind them."""
        old, new = self.old[alo:ahi], self.new[blo:bhi]
        head, tail = common_ends(old, new)
        if head or tail:
            return Match(alo, blo, head) if head else Match(alo + len(old) - tail, blo + len(new) - tail, tail)
        first, last = bisect_left(self.anchors, (alo, 0)), bisect_left(self.anchors, (alo + len(old), 0))
        if first < last:  # the middle one, so that each is asked about a few times only
            return Match(*self.anchors[(first + last) // 2], 1)
        self.patience -= len(old) * len(new)
        if max(len(old), len(new)) > _CLOSE or self.patience < 0:
            return Match(alo, blo, 0)
        inner = SequenceMatcher(None, old, new, autojunk=False).find_longest_match()
        return Match(alo + inner.a, blo + inner.b, inner.size)


def _anchors(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """The longest rising sequence of texts that stand once in each list, as pairs of indices."""
    counts, new_counts = Counter(old), Counter(new)
    new_indices = {text: index for index, text in enumerate(new) if counts[text] == new_counts[text] == 1}
    old_indices = {new_indices[text]: index for index, text in enumerate(old) if text in new_indices}
    return [(old_indices[index], index) for index in longest_rising(list(old_indices))]
