"""YAML texts as people write them, made at random: every style beside every other, with comments everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
WORDS = ("a", "b1", "two words", "no-thing", "é😀", "http://x.example/y", "v1.0")
PLAIN = (*WORDS, "1", "-2.5", "true", "null", "~", "0x1F", "2026-01-02", "a#b", "it's")
BLOCKS = (
    ("|", ("one", "  two", "", "three")),
    ("|-", ("one # not a comment", "- two")),
    (">", ("folded", "text", "", "  more")),
    ("|+", ("kept", "")),
    ("|2", ("  leading",)),
    (">-", ("k: v",)),
    ("|", ()),
)
MULTI_LINE = (("plain", "in two lines"), ("'single", "  ''quoted'' # no comment'"), ('"double \\', '  quoted\\n"'))


class Choose(Protocol):
    """Picks one of several."""

    def __call__(self, options: Sequence[T], /) -> T: ...


class Writer:
    """Writes one text; `choose` picks one of several, and decides everything.

    Comments are numbered in the order of the text, so that each is unique.
    """

    def __init__(self, choose: Choose) -> None:
        self.choose = choose
        self.comments = 0
        self.anchors: list[str] = []

    def document(self) -> str:
        """A text whose root is a block mapping or a block sequence."""
        start = self.choose((["---"], ["--- # start"], ["%YAML 1.2", "---"], [], [], []))
        lines = start + self.above(0) + self.collection(0, 3)
        # Between a first line of three dashes and a line of three dots would be front matter.
        ends = (["# the end"], ["", "# the end"], [], []) + (() if start == ["---"] else (["..."],))
        end = self.choose(ends)
        last = self.choose(("\n", "\n", "", "\n\n"))
        newline = self.choose(("\n", "\n", "\r\n"))
        return newline.join(lines + end) + last.replace("\n", newline)

    def collection(self, column: int, depth: int) -> list[str]:
        return self.choose((self.mapping, self.mapping, self.sequence))(column, depth)

    def mapping(self, column: int, depth: int) -> list[str]:
        lines: list[str] = []
        for number in range(self.choose((1, 2, 3, 4))):
            key = self.choose(("k{}", "k{}", "'k{}'", '"k{}"', "k {}", "'no{}'")).format(number)
            opening = self.choose((f"{key}:", f"{key}:", f"{key}:", f"{key} :", f"? {key}\n:"))
            first, *others = (" " * column + line for line in opening.split("\n"))
            lines += self.above(column) if number else []
            lines += self.entry([first, *others], column, depth, False)
        return lines

    def sequence(self, column: int, depth: int) -> list[str]:
        lines: list[str] = []
        for number in range(self.choose((1, 2, 3))):
            lines += self.above(column) if number else []
            lines += self.entry([" " * column + "-"], column, depth, True)
        return lines

    def entry(self, opening: list[str], column: int, depth: int, is_item: bool) -> list[str]:
        """The lines of an entry, which begin with those of its key or dash."""
        kinds = ["scalar", "scalar", "scalar", "block", "lines", "flow", "empty", "anchor", "below"]
        kind = self.choose(kinds + ["collection"] * 6 * (depth > 0))
        *before, last = opening
        after: list[str] = []
        if kind == "scalar":
            last += self.choose((" ", "  ")) + self.scalar()
        elif kind == "below":
            last += self.beside()
            after = [" " * (column + 2) + self.scalar()]
        elif kind == "anchor":
            last += self.anchor_or_alias()
        elif kind == "flow":
            first, *after = self.flow(column + 2, 2).split("\n")
            last += " " + first
        elif kind == "lines":
            first, second = self.choose(MULTI_LINE)
            last += " " + first
            after = [" " * (column + 1) + second]
        elif kind == "block":
            header, content = self.choose(BLOCKS)
            pad = " " * (column + 2)
            block = [*before, last + f" {header}" + self.beside()]
            for line in content:
                if line:
                    line = pad + line
                block.append(line)
            return block
        elif kind == "collection":
            return [*before, *self.nested(last, column, depth - 1, is_item)]
        lines = [*before, last, *after]
        lines[-1] += self.beside()
        return lines + self.deeper(column)

    def nested(self, opening: str, column: int, depth: int, is_item: bool) -> list[str]:
        """A collection below its key, or beside its dash."""
        if is_item and self.choose((True, True, False)):
            gap = self.choose((" ", " ", "   "))
            first, *others = self.collection(column + 1 + len(gap), depth)
            return [opening + gap + first.lstrip(" "), *others, *self.deeper(column)]
        first = opening + self.beside()
        indent = column + self.choose((2, 2, 1, 4))
        if not is_item and self.choose((False, True)):
            return [first, *self.sequence(self.choose((column, indent)), depth)]
        return [first, *self.above(indent), *self.collection(indent, depth), *self.deeper(column)]

    def scalar(self) -> str:
        word = self.choose(PLAIN)
        return self.choose((word, word, "'" + word.replace("'", "''") + "'", f'"{word}"'))

    def flow(self, column: int, depth: int) -> str:
        """A collection in brackets, on one line or on several."""
        opening, closing = self.choose((("[", "]"), ("{", "}")))
        entries = []
        for number in range(self.choose((0, 1, 2, 3))):
            word = self.choose(("a", "'b, c'", '"d"', "12", "null"))
            value = self.flow(column + 2, depth - 1) if depth and self.choose((True, False, False)) else word
            if opening == "{":
                value = self.choose((f"f{number}: {value}", f'"f{number}": {value}'))
            entries.append(value)
        if not entries or self.choose((True, True, False)):
            gap = self.choose(("", "", " ")) if entries else ""
            comma = self.choose(("", "", ",")) if entries else ""
            return opening + gap + self.choose((", ", ",")).join(entries) + comma + gap + closing
        pad = " " * column
        lines = [opening]
        for index, entry in enumerate(entries):
            lines += self.above(column)
            comma = "," if index + 1 < len(entries) else self.choose(("", ","))
            lines.append(pad + entry + comma + self.beside())
        return "\n".join([*lines, pad[:-1] + closing])

    def anchor_or_alias(self) -> str:
        is_alias = self.choose((True, False))
        if self.anchors and is_alias:
            return f" *{self.choose(self.anchors)}"
        name = f"x{len(self.anchors)}"
        value = self.choose(("word", "[1, {a: 2}]", "{p: 1, q: [r]}", "'text'"))
        self.anchors.append(name)
        return f" &{name} {value}"

    def comment(self) -> str:
        self.comments += 1
        return f"# comment {self.comments}"

    def above(self, column: int) -> list[str]:
        pad = " " * column
        kind = self.choose(("none", "none", "none", "line", "lines", "blank", "apart"))
        if kind == "line":
            return [pad + self.comment()]
        if kind == "lines":
            return [pad + self.comment(), pad + self.comment()]
        if kind == "apart":
            return ["", pad + self.comment(), "", pad + self.comment()]
        return [""] if kind == "blank" else []

    def beside(self) -> str:
        return self.choose((" ", "  ")) + self.comment() if self.choose((True, False, False)) else ""

    def deeper(self, column: int) -> list[str]:
        return [" " * (column + 3) + self.comment()] if self.choose((True, *[False] * 7)) else []
