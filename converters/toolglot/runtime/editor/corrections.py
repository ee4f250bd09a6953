"""What an editor offers beside a finding: what leaves no doubt put right, and what a conversion made up confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol.types import CodeAction, CodeActionKind, TextEdit, WorkspaceEdit

from toolglot.converter.conversion.confirmation import entries_of
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.sequences import common_ends
from toolglot.runtime.editor.positions import TextPositions
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.document_checks import check_document
from toolglot.verbs.diagnostics.fixes import is_fixable
from toolglot.verbs.diagnostics.rule_selection import RuleSelection
from toolglot.verbs.migration.corrections import confirmed_text, fixed_text

KINDS = (CodeActionKind.QuickFix, CodeActionKind.SourceFixAll)


def find_marks(document: Document) -> list[Diagnostic]:
    """Every mark of what a conversion made up, also of what misleads nobody and is no finding by itself."""
    return check_document(document, None, selection=RuleSelection(select=("unconfirmed",))).diagnostics


def offer_corrections(
    document: Document, findings: Sequence[Diagnostic], marks: Sequence[Diagnostic], uri: str, places: TextPositions
) -> list[CodeAction]:
    """What can be done about the findings and marks in a part of a text."""
    quick, whole = KINDS
    offers = [
        (quick, f"Put right {found.code} in line {found.line}", fixed_text(document, [found]))
        for found in filter(is_fixable, findings)
    ]
    if offers:
        offers.append((whole, "Put right what leaves no doubt", fixed_text(document, findings)))
    for entry in [entry for mark in marks for entry in entries_of(document.data, mark.pointer)]:
        title = f"Confirm {entry.name.partition(':')[0]}: its value is right"
        offers.append((quick, title, confirmed_text(document, None, entry)))
    if marks:
        offers.append((quick, "Confirm all that a conversion made up in this document", confirmed_text(document, None)))
    return [
        CodeAction(title, kind=kind, edit=WorkspaceEdit(changes={uri: [_edit_of(places, new_text)]}))
        for kind, title, new_text in offers
        if new_text is not None
    ]


def _edit_of(places: TextPositions, new_text: str) -> TextEdit:
    """The edit that makes the text a new one, without what stays at both ends.

    >>> _edit_of(TextPositions("a: 1\\nb: 2\\n", "utf-8"), "a: 1\\nb: 3\\n")
    TextEdit(range=1:3-1:4, new_text='3')
    """
    old_text = places.text
    start, kept = common_ends(old_text, new_text)
    return TextEdit(places.range(start, len(old_text) - kept), new_text[start : len(new_text) - kept])
