"""What an editor offers beside a finding: what leaves no doubt put right, and what a conversion made up confirmed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol.types import CodeAction, CodeActionKind, Diagnostic, TextEdit, WorkspaceEdit

from toolglot.converter.conversion.confirmation import entries_of
from toolglot.converter.text.serialization import Document
from toolglot.runtime.editor.findings import ShownFinding
from toolglot.runtime.editor.positions import TextPositions
from toolglot.verbs.diagnostics import diagnostic
from toolglot.verbs.diagnostics.document_checks import check_document
from toolglot.verbs.diagnostics.fixes import is_fixable
from toolglot.verbs.diagnostics.rule_selection import RuleSelection
from toolglot.verbs.migration.corrections import confirmed_text, fixed_text

KINDS = (CodeActionKind.QuickFix, CodeActionKind.SourceFixAll)
_UNCONFIRMED = "unconfirmed"


def correctable(document: Document, findings: Sequence[diagnostic.Diagnostic]) -> list[diagnostic.Diagnostic]:
    """The findings that something can be done about, and every mark, also of what misleads nobody and is not shown."""
    marks = check_document(document, None, selection=RuleSelection(select=(_UNCONFIRMED,))).diagnostics
    return [*filter(is_fixable, findings), *(mark for mark in marks if mark.code == _UNCONFIRMED)]


def offer_corrections(
    document: Document, findings: Sequence[ShownFinding], uri: str, places: TextPositions
) -> list[CodeAction]:
    """What can be done about the findings in a part of a text."""
    actions = []
    for kind, title, new_text, shown in _new_texts(document, findings):
        if new_text is not None:
            edit = WorkspaceEdit(changes={uri: [_edit_of(places, new_text)]})
            actions.append(CodeAction(title, kind=kind, diagnostics=shown, edit=edit))
    return actions


def _new_texts(
    document: Document, findings: Sequence[ShownFinding]
) -> Iterator[tuple[CodeActionKind, str, str | None, list[Diagnostic]]]:
    """What the whole text becomes by each of the corrections; `None` where it cannot be edited so."""
    fixable = [finding for finding in findings if is_fixable(finding[0])]
    for found, shown in fixable:
        yield (
            CodeActionKind.QuickFix,
            f"Put right {found.code} in line {found.line}",
            fixed_text(document, [found]),
            [shown],
        )
    if fixable:
        found_here = [found for found, _ in fixable]
        all_shown = [shown for _, shown in fixable]
        yield CodeActionKind.SourceFixAll, "Put right what leaves no doubt", fixed_text(document, found_here), all_shown
    unconfirmed = [finding for finding in findings if finding[0].code == _UNCONFIRMED]
    for found, shown in unconfirmed:
        for entry in entries_of(document.data, found.pointer):
            title = f"Confirm {entry.name.partition(':')[0]}: its value is right"
            yield CodeActionKind.QuickFix, title, confirmed_text(document, None, entry), [shown]
    if unconfirmed:
        title = "Confirm all that a conversion made up in this document"
        yield CodeActionKind.QuickFix, title, confirmed_text(document, None), [shown for _, shown in unconfirmed]


def _edit_of(places: TextPositions, new_text: str) -> TextEdit:
    """The edit that makes the text a new one, without what stays at both ends.

    >>> _edit_of(TextPositions("a: 1\\nb: 2\\n", "utf-8"), "a: 1\\nb: 3\\n")
    TextEdit(range=1:3-1:4, new_text='3')
    """
    old_text = places.text
    start = _count_shared(old_text, new_text)
    kept = _count_shared(old_text[start:][::-1], new_text[start:][::-1])
    return TextEdit(places.range(start, len(old_text) - kept), new_text[start : len(new_text) - kept])


def _count_shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
