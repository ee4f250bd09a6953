"""One finding, as people and programs are told it. Whoever only tells needs nothing of what finds."""

from __future__ import annotations

from typing import Any

import msgspec

from toolglot.errors import Error, escaped
from toolglot.text.digests import hex_digest
from toolglot.text.serialization import Document

_UNSAID = frozenset({"within", "tool", "inner", "body_offset"})


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: a stable code, how grave it is, where, and what to do.

    >>> print(Diagnostic(code="empty", severity="error", message="the document is empty", source="a.json", line=1))
    a.json:1: error: the document is empty [empty]
    """

    code: str
    severity: str
    message: str
    pointer: str = ""
    command: str | None = None  # the words of the command that the pointer leads to, where it is one of a program
    within: str | None = None  # the pointer from there
    tool: str | None = None  # the id of the tool that it is about, and the pointer from there
    inner: str | None = None
    body_offset: int | None = None  # where it is in the Markdown after the data, to which no pointer leads
    source: str | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The finding as JSON data; what is not known is absent."""
        fields = msgspec.to_builtins(self).items()
        return {key: value for key, value in fields if value is not None and key not in _UNSAID}

    @property
    def fingerprint(self) -> str:
        """What it is known by from run to run: its code, its tool and its place there, whatever moves around it.

        >>> Diagnostic(code="a", severity="error", message="b", tool="ls", inner="/x", line=3).fingerprint
        '071f75756436'
        """
        about = self.tool if self.tool is not None else self.source
        pointer = self.inner if self.inner is not None else self.pointer
        parts = "\0".join((self.code, about or "", pointer))
        return hex_digest(
            parts.encode("utf-8", "replace").decode(), 12
        )  # half a pair of surrogates is a `?` in baselines

    @property
    def where(self) -> str:
        """Where in the document, for people: the words of a command, and the pointer from there.

        >>> Diagnostic(code="a", severity="error", message="b", pointer="/x/y", command="gh auth", within="/y").where
        'gh auth /y'
        """
        if self.command is not None:
            return f"{self.command} {self.within}".rstrip()
        return self.pointer

    def __str__(self) -> str:
        place = [self.source or "<text>", *(str(number) for number in (self.line, self.column) if number)]
        where = f" at {self.where}" if self.where else ""
        hint = f"; {self.hint}" if self.hint else ""
        return escaped(f"{':'.join(place)}: {self.severity}: {self.message}{where}{hint} [{self.code}]")


def from_error(error: Error) -> Diagnostic:
    """The diagnostic that says what an exception says."""
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


def with_position(diagnostic: Diagnostic, document: Document) -> Diagnostic:
    """The diagnostic with source, line and column."""
    line, column = document.position(diagnostic.pointer) or (None, None)
    return msgspec.structs.replace(diagnostic, source=document.name, line=line, column=column)
