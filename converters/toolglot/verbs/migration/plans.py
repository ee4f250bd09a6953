"""What has to become of a document, as data: its records, what its format makes of each, and the whole."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from toolglot.converter.conversion.categories import LOSING_ACTIONS
from toolglot.converter.conversion.leaf_comparison import compare_leaves, pair_leaves
from toolglot.converter.conversion.reading import check_shape
from toolglot.converter.formats import Format, MigratedRecord, MigrationRequest, Record
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.schema.json_values import have_same_spelling
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import value_at, with_values
from toolglot.errors import SchemaError, WriteError


class Plan(NamedTuple):
    """What has to become of a document.

    Attributes:
        records: each as it is, and what becomes of it.
        changed: those that differ from what becomes of them.
        data: the whole of what the document is to say.
    """

    records: list[tuple[Record, MigratedRecord]]
    changed: list[tuple[Record, MigratedRecord]]
    data: Any


def plan_document(document: document_reader.Document, origin: Format, request: MigrationRequest) -> Plan:
    try:
        records = [replace(record, body=document.body) for record in origin.records(document.data)]
    except (KeyError, TypeError, AttributeError):
        raise SchemaError(f"this is not a container of {origin.name} records") from None
    for record in records:
        check_shape(record, origin)
    pairs = [(record, _migrate_record(record, origin, request)) for record in records]
    changed = [(old, new) for old, new in pairs if not have_same_spelling(old.data, new.data)]
    if any(value_at(document.data, old.pointer) != old.data for old, _ in changed):
        message = f"here a record of {origin.name} is not written as it is read; edit it by hand"
        raise WriteError(message, code="not-in-place")
    data = with_values(document.data, {old.pointer: new.data for old, new in changed})
    return Plan(pairs, changed, data)


def _migrate_record(record: Record, origin: Format, request: MigrationRequest) -> MigratedRecord:
    migrate = origin.migration.migrate
    if migrate is not None:
        return migrate(record, request)
    if request.version in (None, origin.version_of(record.data)):
        return MigratedRecord(record.data)
    tool = origin.tool_of(record)
    output = origin.write(tool, request.version)
    old_record = origin.write(origin.tool_of(output), origin.version_of(record.data))
    changes = compare_leaves(pair_leaves(leaves_of(tool), leaves_of(origin.tool_of(old_record))))
    valid = canonical.is_valid(output.data, f"{origin.name}/{request.version}")
    if not valid or any(change.action in LOSING_ACTIONS for change in changes):
        # `convert` loses it too, and says so; but here the only copy would lose it.
        message = f"version {request.version} cannot hold all that is said here; `convert` writes a copy of what it can"
        raise WriteError(message, code="would-lose", pointer=record.pointer)
    return MigratedRecord(output.data)
