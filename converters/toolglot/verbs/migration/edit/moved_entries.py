"""Entries of a YAML text that stand somewhere else afterwards: as they were written, with their comments."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any, NamedTuple

from toolglot.converter.text.pointers import keyed_values, pointer_below
from toolglot.verbs.migration.edit.layout_of_new_values import block_lines, indent_lines, opening_of
from toolglot.verbs.migration.edit.lines_and_comments import Lines
from toolglot.verbs.migration.edit.syntax_tree import TreeNode


class Lifted(NamedTuple):
    """The text of an entry, but for its key or dash; lines are relative to the column where the entry began.

    Attributes:
        above: the comment lines above it.
        value: the value on the line of the key or dash, with the blanks before it.
        beside: the comment beside it, with the blanks before it.
        below: the lines below.
    """

    above: list[str]
    value: str
    beside: str
    below: list[str]

    def lines(self, key: str | None) -> list[str]:
        """The entry with another key; `None` is a list item."""
        return [*self.above, opening_of(key) + self.value + self.beside, *self.below]

    @property
    def inline(self) -> str | None:
        """The value for a place where it has one line to itself and others; `None` where it needs more."""
        if self.above or self.beside or self.below:
            return None
        return self.value.strip() or None


Find = Callable[[str, "str | None", Any], "Lifted | None"]
"""The text that is there already of an entry, given its pointer, key and value."""


def lift(lines: Lines, parent: TreeNode, index: int, with_comments: bool = True) -> Lifted | None:
    """The text of an entry; `None` where it cannot stand elsewhere as it is."""
    entry, text = parent.entries[index], lines.text
    if entry.value.kind == "alias" or (entry.mark is None and parent.style != "flow"):
        return None
    start, end = lines.extent(parent, index)
    column = lines.column(entry.start)
    comment = ""
    if parent.style == "block":
        content = _content(lines, entry.mark or 0, end, with_comments)
    else:
        content = " " + text[entry.value.start : entry.value.end]
        text_beside = text[entry.end : end].strip()
        if text_beside and with_comments:
            comment = f"  {text_beside}"
    value, *below = content.replace("\r\n", "\n").split("\n")
    if any(line[:column].strip(" ") for line in below):
        return None
    above: list[str] = []
    if with_comments:
        above = [line.strip() for line in text[start : entry.start].split("\n")[:-1]]
    return Lifted(above, value.rstrip("\r"), comment, [line[column:] for line in below])


def _content(lines: Lines, start: int, end: int, with_comments: bool) -> str:
    """A part of the text that ends with a line, perhaps without its comments."""
    text = lines.text
    if with_comments:
        return text[start:end]
    parts: list[str] = []
    at = start
    for comment, after in lines.spans(start, end):
        piece = text[at:comment].rstrip(" \t")
        if piece.endswith("\n"):
            piece = piece.removesuffix("\n").removesuffix("\r")
        parts.append(piece)
        at = after
    return "".join((*parts, text[at:end]))


def entry_lines(pointer: str, key: str | None, value: Any, find: Find) -> list[str]:
    """The lines of an entry of a YAML block, with what `find` knows of it and of what is in it.

    >>> kept = Lifted(["# why"], " [x]", "  # so", [])
    >>> print("\\n".join(entry_lines("", "a", {"b": ["x"], "c": 1}, lambda at, k, v: kept if at == "/b" else None)))
    a:
      # why
      b: [x]  # so
      c: 1
    """
    entry_text = find(pointer, key, value)
    if entry_text is not None:
        return entry_text.lines(key)
    if type(value) not in (dict, list) or not value:
        return block_lines(key, value)
    inner: list[str] = []
    for name, item in keyed_values(value):
        inner_key = name if type(value) is dict else None
        inner += indent_lines(entry_lines(pointer_below(pointer, name), inner_key, item, find), "  ")
    if key is not None:
        return [opening_of(key), *inner]
    comments = list(takewhile(lambda line: line.startswith("  #"), inner))
    first, *others = inner[len(comments) :]
    return [*(comment[2:] for comment in comments), f"- {first[2:]}", *others]
