"""One finding, for people and programs. This module needs nothing of the code that finds."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import pointer_of, without_nulls
from toolglot.errors import Error, describe_finding, escape_unseen, location, without_middles

_LONGEST_POINTER = 10_000  # characters
_IN_JSON = ("code", "severity", "message", "pointer", "command", "source", "line", "column", "hint", "also")


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: a stable code, its severity, its place, and what to do.

    >>> print(Diagnostic(code="empty", severity="error", message="the document is empty", source="a.json", line=1))
    a.json:1: error: the document is empty [empty]
    """

    code: str
    severity: str
    message: str
    pointer: str = ""
    tool: str | None = None  # the tool that it is about: its id, or the words of a command of a program
    inner: str | None = None  # the pointer from there
    is_command: bool = False
    item: str | None = None  # the text there, where it stands in a list
    body_offset: int | None = None  # where it is in the Markdown after the data, to which no pointer leads
    source: str | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    also: tuple[str, ...] | None = None  # pointers of the other places where the same text stands

    def __post_init__(self) -> None:
        for name in ("message", "hint"):
            text = getattr(self, name)
            if text is not None and len(text) > len(without_middles(text)):
                msgspec.structs.force_setattr(self, name, without_middles(text))

    def to_json(self) -> dict[str, Any]:
        """The finding as JSON data, without what is not known."""
        fields = {name: getattr(self, name) for name in _IN_JSON} | {"pointer": self.short_pointer}
        return without_nulls(fields)

    @property
    def command(self) -> str | None:
        """The words of the command that the pointer leads to; `None` where it leads to none."""
        if self.is_command and self.tool is not None:
            return without_middles(self.tool)
        return None

    @property
    def short_pointer(self) -> str:
        """The pointer; a very long one only as far as it leads to a value around the place.

        A thousand findings may be below one key of megabytes, and each would repeat that key. The pointer is not cut in
        the middle of a key, because programs follow it. Line and column stay exact.
        """
        if len(self.pointer) <= _LONGEST_POINTER:
            return self.pointer
        return self.pointer[: self.pointer.rindex("/", 0, _LONGEST_POINTER)]

    @property
    def fingerprint(self) -> str:
        """What identifies the finding from run to run: its code, its tool and its place in the tool.

        In a list of texts the text itself counts, because its index changes when another text is removed.

        >>> Diagnostic(code="a", severity="error", message="b", tool="ls", inner="/x", line=3).fingerprint
        '071f75756436'
        """
        about, pointer = known_place(self)
        if self.item is not None:
            pointer = pointer.rpartition("/")[0] + pointer_of([self.item])
        parts = "\0".join((self.code, about, pointer))
        text = parts.encode("utf-8", "replace").decode()  # half a pair of surrogates is a `?` in baselines
        return hex_digest(text, 12)

    @property
    def where(self) -> str:
        """The place for people: the words of the command, and the pointer from there.

        >>> found = Diagnostic(code="a", severity="error", message="b", pointer="/x/y", tool="gh auth", inner="/y")
        >>> found.where, replace(found, is_command=True).where
        ('/x/y', 'gh auth /y')
        """
        if self.is_command:
            return without_middles(f"{self.command} {self.inner}".rstrip())
        return without_middles(self.pointer)

    @property
    def sentence(self) -> str:
        """The finding as a sentence: what was found, where, and what helps."""
        return describe_finding(self.message, self.where, self.hint)

    def __str__(self) -> str:
        place = location(self.source or "<text>", self.line, self.column)
        return escape_unseen(f"{place}{self.severity}: {self.sentence} [{self.code}]")


def known_place(diagnostic: Diagnostic) -> tuple[str, str]:
    """The tool of a finding (or else its source), and the pointer from there."""
    about = diagnostic.source if diagnostic.tool is None else diagnostic.tool
    return about or "", diagnostic.pointer if diagnostic.inner is None else diagnostic.inner


def from_error(error: Error) -> Diagnostic:
    """An exception as a diagnostic."""
    return Diagnostic(
        code=error.code,
        severity="error",
        message=error.message,
        pointer=error.pointer,
        source=error.source,
        line=error.line,
        column=error.column,
        hint=error.hint,
    )


def make_warning(code: str, message: str, pointer: str, hint: str | None = None) -> Diagnostic:
    """A warning with only a pointer as its place."""
    return Diagnostic(code=code, severity="warning", message=message, pointer=pointer, hint=hint)


def as_error(diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic with the severity error."""
    return replace(diagnostic, severity="error")


def with_position(diagnostic: Diagnostic, document: Document) -> Diagnostic:
    """The diagnostic with source, line and column, in the data or in the Markdown after it."""
    if diagnostic.body_offset is None:
        line, column = document.position(diagnostic.pointer) or (None, None)
    else:
        line, column = document.body_position(diagnostic.body_offset)
    return replace(diagnostic, source=document.name, line=line, column=column)
