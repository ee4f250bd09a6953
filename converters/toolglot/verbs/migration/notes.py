"""What a person should look at after a migration: what the format notes, comments that are gone, stale slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from toolglot.converter.conversion.extension_slots import SLOT, ours_in
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.formats import Format
from toolglot.converter.text import document_reader
from toolglot.converter.text.credentials import find_secret
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, make_warning, with_position
from toolglot.verbs.migration.edit.entry_texts import EntryTexts
from toolglot.verbs.migration.plans import Plan

_SHOWN = 120  # characters of a comment in a note


def notes_of_records(document: document_reader.Document, plan: Plan) -> Iterator[Diagnostic]:
    """What the format notes about each record."""
    for record, new_record in plan.records:
        for note in new_record.notes:
            yield with_position(make_warning(note.code, note.message, record.pointer + note.pointer), document)


def note_removed_comments(
    document: document_reader.Document, after: Sequence[document_reader.Document]
) -> Iterator[Diagnostic]:
    """A note for every comment that stands nowhere any more: what it explained is gone."""
    own = EntryTexts(document).comments("")
    old_only = Counter(own)
    for item in after:
        old_only.subtract(EntryTexts(item).comments(""))
    end = 0
    for comment in own:  # in the order of the text
        place = document.text.find(comment, end)
        end = place + len(comment)
        if old_only[comment] <= 0:
            continue
        old_only[comment] -= 1
        if not any(map(str.isalnum, comment)):  # a line that parts others
            continue
        subject = f"the comment `{comment[:_SHOWN]}`"
        if find_secret(comment) is not None:
            subject = "a comment that holds a secret"
        note = make_warning("comment-removed", f"{subject} went with what it stood at", "")
        line, column = document.where(place)
        yield replace(note, source=document.name, line=line, column=column)


def note_stale_slots(
    document: document_reader.Document, after: document_reader.Document, plan: Plan, origin: Format
) -> Iterator[Diagnostic]:
    """A note for every slot whose record the migration changed: `--restore` takes nothing back from it."""
    if not any(SLOT in ours_in(record, origin) for record, _ in plan.changed):
        return
    earlier = read_document(document, origin.name).stale
    for pointer in read_document(after, origin.name).stale:
        if pointer not in earlier:
            message = "this is of the record before the migration; convert from the original again"
            yield with_position(make_warning("stale-slot", message, pointer), document)
