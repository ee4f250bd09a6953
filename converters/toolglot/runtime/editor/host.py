"""What the command that starts the server gives it, which knows the settings of each file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from toolglot.converter.text.document_reader import Document
from toolglot.verbs.diagnostics.diagnostic import Diagnostic


class CheckedText(msgspec.Struct, frozen=True):
    """What `check` says of a text, and whether it is a document of one of the formats at all."""

    diagnostics: Sequence[Diagnostic] = ()
    is_known: bool = False


class ConvertedText(msgspec.Struct, frozen=True):
    """What became of a text in another format.

    Attributes:
        files: their names and texts.
        report: what people are told of the conversion.
        formats: that there are, for who named none.
    """

    files: Sequence[tuple[str, str]]
    report: str
    formats: Sequence[str]


class EditorHost(Protocol):
    """How a text is checked and read, as the commands do with a file of its path."""

    def check(self, path: str, text: str, is_known: bool) -> CheckedText:
        """What is wrong in a text; `is_known`: it was a tool description before its last edit."""

    def parse(self, path: str, text: str) -> Document:
        """A text as a document; it raises `ReadError`."""

    def convert(self, path: str, text: str, to: str) -> ConvertedText:
        """A text in another format; no files, and the reason as the report, where it cannot be converted."""
