"""Which lines of a text belong to an entry: its own, and the comments directly above, beside and inside it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from operator import attrgetter

import msgspec

from toolglot.verbs.migration.edit.syntax_tree import Span, Tree, TreeEntry, TreeNode

_COMMENT_LINE = re.compile(r"([ \t]*)#[^\n]*")
_BLANK_LINE = re.compile(r"[ \t\r]*(?=\n|\Z)")
_REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\n]*)?\r?(?=\n|\Z)")
_LINE_BREAK = re.compile("\n")
_COMMENT = re.compile(r"#[^\n]*")
_START = attrgetter("start")


class Lines(msgspec.Struct, dict=True, eq=False):
    """The lines of the text of a tree.

    Attributes:
        text: the whole text.
        tree: its nodes.
    """

    text: str
    tree: Tree

    @cached_property
    def _starts(self) -> list[int]:
        """Searching for line breaks from each entry would take quadratic time where all are on one line."""
        return [0, *(line_break.end() for line_break in _LINE_BREAK.finditer(self.text))]

    def start(self, at: int) -> int:
        """Where the line of an offset starts."""
        return self._starts[bisect_right(self._starts, at) - 1]

    def end(self, at: int) -> int:
        """Where the line of an offset ends, before its line break."""
        line = bisect_right(self._starts, at)
        if line == len(self._starts):
            return len(self.text)
        end = self._starts[line] - 1
        if end > at and self.text[end - 1] == "\r":
            return end - 1
        return end

    def next(self, end: int) -> int:
        """Where the line after the end of one starts; the end of the text where there is none."""
        line_break = self.text.find("\n", end)
        if line_break < 0:
            return len(self.text)
        return line_break + 1

    def column(self, at: int) -> int:
        """How many characters stand before an offset in its line."""
        return at - self.start(at)

    def begins(self, at: int) -> bool:
        """Whether only blanks stand before an offset in its line."""
        while at and self.text[at - 1] in " \t":
            at -= 1
        return not at or self.text[at - 1] == "\n"

    def after_blanks(self, at: int, blanks: str = " \t") -> int:
        """The first offset from `at` where no blank stands."""
        while at < len(self.text) and self.text[at] in blanks:
            at += 1
        return at

    def rest(self, at: int) -> int | None:
        """The end of the line where only blanks and a comment follow an offset; `None` where more follows."""
        if _REST_OF_LINE.match(self.text, at):
            return self.end(at)
        return None

    def extent(self, parent: TreeNode, index: int) -> Span:
        """Where an entry starts and ends with the comments that belong to it.

        The start is that of a line where nothing else stands before the entry; the end lies before a line break
        where nothing else follows it.
        """
        entry = parent.entries[index]
        start = entry.start
        if self.begins(start):
            start = self._above(parent, index)
        end = entry.end
        if parent.style == "flow":
            rest = self.rest(end)
            return start, end if rest is None else rest
        return start, self._below(entry, self.end(end))

    def _above(self, parent: TreeNode, index: int) -> int:
        """The start of the first of the comment lines directly above an entry that begins its line."""
        start = self.start(parent.entries[index].start)
        column = parent.entries[index].start - start
        floor = parent.entries[index - 1].end if index else parent.floor
        while start > floor:
            line = self.start(start - 1)
            comment = _COMMENT_LINE.match(self.text, line)
            # A deeper comment after another entry is inside of that one.
            if line < floor or comment is None or (index and parent.style == "block" and len(comment[1]) > column):
                break
            start = line
        return start

    def _below(self, entry: TreeEntry, end: int) -> int:
        """The end of the last of the comment lines after an entry that are deeper than it."""
        column = self.column(entry.start)
        at = end
        while (at := self.text.find("\n", at, self.tree.end) + 1) > 0:
            comment = _COMMENT_LINE.match(self.text, at)
            if comment and len(comment[1]) > column and at < self.tree.end:
                end = self.end(at)
            elif not _BLANK_LINE.match(self.text, at):
                break
        return end

    def comments(self, start: int, end: int) -> list[str]:
        """The comments in a part of the text that cuts no value in two."""
        return [self.text[at:after] for at, after in self.spans(start, end)]

    def spans(self, start: int, end: int) -> list[Span]:
        """Where these comments start and end."""
        spans: list[Span] = []
        at = start
        first = bisect_left(self._leaves, start, key=_START)
        after = bisect_left(self._leaves, end, first, key=_START)
        for leaf in islice(self._leaves, first, after):
            spans += self._spans_between(at, leaf.start)
            at = leaf.end
            if leaf.style in ("|", ">"):
                spans += self._spans_between(leaf.start, self.end(leaf.content))
        return [*spans, *self._spans_between(at, end)]

    @cached_property
    def _leaves(self) -> list[TreeNode]:
        return sorted(_leaves_in(self.tree.root), key=_START)

    def _spans_between(self, start: int, end: int) -> Iterator[Span]:
        for comment in _COMMENT.finditer(self.text, start, end):
            yield comment.start(), comment.start() + len(comment[0].rstrip("\r"))


def _leaves_in(node: TreeNode) -> Iterator[TreeNode]:
    """Keys, scalars and aliases in the order of the text."""
    if node.kind in ("scalar", "alias"):
        yield node
    for entry in node.entries:
        if entry.key is not None:
            yield entry.key
        yield from _leaves_in(entry.value)
