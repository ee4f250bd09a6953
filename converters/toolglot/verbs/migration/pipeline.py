"""Migrating: a document in another version of its own format, with everything else byte for byte as it was.

document -> records -> Format.migration -> planned data -> edited text -> parsed again -> proved

What a format has to change it says as data. The text is edited in place, and nothing is believed: the result is
parsed, read, compared with what was read before, held to the schema, and migrated once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolglot.converter import formats
from toolglot.converter.conversion.report import Change, Report, split_path
from toolglot.converter.conversion.sources import Source, open_document
from toolglot.converter.formats import Format, MigrationRequest
from toolglot.converter.formats.detection import format_of
from toolglot.converter.hub.model import to_json
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.document_reader import locate_error
from toolglot.converter.text.wording import to_short_json
from toolglot.errors import DetectionError, Error
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.migration.companion_files import write_companion
from toolglot.verbs.migration.edit.edited_text import edit
from toolglot.verbs.migration.notes import note_removed_comments, note_stale_slots, notes_of_records
from toolglot.verbs.migration.plans import Plan, plan_document
from toolglot.verbs.migration.proofs import compare_records, prove_edit, prove_final


class Migration(NamedTuple):
    """What migrating one document gives; nothing was written yet.

    Attributes:
        format: the name of the document's format.
        origin: the version that it had; several versions are joined by a comma.
        target: the version that it has now.
        before: the document as it was.
        files: the result as `(name, content)`: the document itself, whose name is empty, and the files that have to
            appear beside it.
        notes: what a person should look at.
        report: every difference in meaning.
    """

    format: str
    origin: str
    target: str
    before: bytes
    files: list[tuple[str, bytes]]
    notes: list[Diagnostic]
    report: Report

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.files != [("", self.before)]

    @property
    def findings(self) -> list[Diagnostic]:
        """The notes, and a warning for each fact that the document does not state any more.

        What the format only kept as it was is no fact; where it goes, the notes say.
        """
        warnings = [
            Diagnostic(
                code=change.code,
                severity="warning",
                message=f"it is not said any more: {to_short_json(to_json(change.before))}",
                pointer=change.path,
                source=change.source,
                line=change.line,
                column=change.column,
            )
            for change in self.report.changes
            if change.action == "dropped" and split_path(change.path)[1] != "extensions"
        ]
        return self.notes + warnings

    @property
    def text(self) -> str:
        """The document itself as it should be, without a byte order mark."""
        return self.files[0][1].decode().removeprefix("\ufeff")


def migrate(
    source: Source,
    /,
    to: str | None = None,
    *,
    format: str | None = None,
    kind: str | None = None,
    fill: Mapping[str, str] = {},
) -> Migration:
    """Bring a document to the newest version of its format, or to another one.

    Comments, key order, quoting, indentation, line ends and Markdown stay as they are wherever nothing has to change.
    Nothing is written; `files` of the result says what should be.

    Args:
        source: text, a path, or parsed data.
        to: `FORMAT` or `FORMAT@VERSION`; by default the newest version of the format that the document has.
        format: the document's format; by default it is detected from the content.
        kind: how the tool is run, where a file about that has to be made and nothing in the document tells.
        fill: texts for keys that the version needs and the document lacks, such as `description`.

    Raises:
        ReadError: the document cannot be read, or not be understood.
        DetectionError: it has another format than `to`; code `"other-format"`.
        UnsaidError: it needs a `kind`, or a text to `fill` in.
        WriteError: it cannot be migrated without losing or changing what it says.
        SafetyError: the result would make a tool look safer than the document does.

    >>> old = '{"atip": "0.1", "name": "ls", "version": "1.0.0", "description": "List files."}  '
    >>> migration = migrate(old)
    >>> migration.text
    '{"atip": {"version": "0.6"}, "name": "ls", "version": "1.0.0", "description": "List files."}  '
    >>> migrate(migration.text).changed
    False
    """
    document = open_document(source)
    origin = format_of(document, format)
    target, version = formats.parse_target(to) if to else (origin, None)
    if target is not origin:
        message = f"this is {origin.name}, not {target.name}; `convert` goes from one format to another"
        raise DetectionError(message, code="other-format", source=document.name)
    return migrate_document(document, origin, MigrationRequest(version, kind, fill, document.path))


def migrate_document(document: document_reader.Document, origin: Format, request: MigrationRequest) -> Migration:
    """`migrate` for a document that was parsed already; arguments and errors as there."""
    try:
        return _migrate(document, origin, request)
    except Error as error:
        raise locate_error(document, error) from None


def _migrate(document: document_reader.Document, origin: Format, request: MigrationRequest) -> Migration:
    plan = plan_document(document, origin, request)
    before = document.file_content
    files = [("", before)]
    changes: list[Change] = []
    notes = list(notes_of_records(document, plan))
    if plan.changed:
        content = document.encode(_edit_document(document, plan, origin))
        after = prove_edit(document, plan, content)
        changes = compare_records(document, plan, origin, request)
        files = [("", content)]
        documents = [after]
        for old, new in plan.changed:
            for companion in new.companions:
                name, data = write_companion(document, old, companion)
                files.append((name, data))
                documents.append(document_reader.load(data))
        notes += note_removed_comments(document, documents)
        notes += note_stale_slots(document, after, plan, origin)
        prove_final(after, plan, origin, request)
    return Migration(
        format=origin.name,
        origin=_versions(origin, (old.data for old, _ in plan.records)),
        target=_versions(origin, (new.data for _, new in plan.records)),
        before=before,
        files=files,
        notes=notes,
        report=Report(origin=origin.name, target=origin.name, tools=len(plan.records), changes=tuple(changes)),
    )


def _versions(origin: Format, records: Iterable[dict[str, Any]]) -> str:
    return ", ".join(sorted({origin.version_of(data) for data in records}))


def _edit_document(document: document_reader.Document, plan: Plan, origin: Format) -> str:
    if document.syntax == "data":
        if origin.syntax == "front-matter":
            return serialization.dump_front_matter(plan.data, document.body or "")
        return serialization.dump_json(plan.data)
    new_keys = {old.pointer + pointer: key for old, new in plan.changed for pointer, key in new.new_keys.items()}
    companions = [(old, companion) for old, new in plan.changed for companion in new.companions]
    # What moves to another file takes its comments there.
    bare = {old.pointer + place for old, companion in companions for place in companion.origins.values()}
    return edit(document, plan.data, new_keys, bare)
