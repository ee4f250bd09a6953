"""What `check` writes in the place of a document: what leaves no doubt put right, or what was made up confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from toolglot.converter.conversion.confirmation import MarkEntry, confirmed_data
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.text import document_reader
from toolglot.converter.text.document_reader import Document, Limits
from toolglot.errors import Error
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.fixes import fix_body, fix_data
from toolglot.verbs.migration.edit.edited_text import edit
from toolglot.verbs.migration.notes import note_removed_comments


def fixed_text(document: Document, diagnostics: Sequence[Diagnostic]) -> str | None:
    """The text of a document in which what leaves no doubt is put right; `None` where nothing is to be done."""
    text = document.text
    data = fix_data(document.data, diagnostics)
    if data != document.data:
        try:
            text = edit(document, data)
        except Error:
            return None  # the finding stays, and is said
    if document.body:
        text = text.removesuffix(document.body) + fix_body(document.body, diagnostics)
    return text if text != document.text else None


def confirmed_text(document: Document, format_name: str | None, only: MarkEntry | None = None) -> str | None:
    """The text of a document whose made-up values are its author's; `None` where nobody made anything up.

    Args:
        only: the one value that is; by default all of them are.
    """
    try:
        data = confirmed_data(read_document(document, format_name), only)
        return None if data == document.data else edit(document, data)
    except Error:
        return None  # what cannot be read is a finding


def read_corrected(document: Document, content: str, limits: Limits) -> tuple[Document, tuple[Diagnostic, ...]]:
    """The document with another text, and the comments that stand nowhere in it."""
    corrected_document = document_reader.load(content, document.name, limits)
    notes = tuple(note_removed_comments(document, [corrected_document]))
    corrected_document.path = document.path
    return corrected_document, notes
