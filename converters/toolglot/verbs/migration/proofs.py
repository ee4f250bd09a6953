"""The proofs of a migration: it says what was planned, weakens no fact about safety, is valid, and is final."""

from __future__ import annotations

from msgspec.structs import replace

from toolglot.converter.conversion.positions import SourcePlaces
from toolglot.converter.conversion.read_back import ReadBack, changes_of, read_back, refuse_weaker
from toolglot.converter.conversion.reading import Reading, check_shape
from toolglot.converter.conversion.reasons_of_changes import explain_changes
from toolglot.converter.conversion.report import Change
from toolglot.converter.conversion.writing import WrittenRecord, WrittenTool
from toolglot.converter.formats import Format, MigrationRequest, Record
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.schema.json_values import have_same_spelling
from toolglot.converter.text import document_reader
from toolglot.errors import WriteError
from toolglot.verbs.migration.plans import Plan, plan_document


def prove_edit(document: document_reader.Document, plan: Plan, content: bytes) -> document_reader.Document:
    """The edited text, parsed again.

    Raises:
        WriteError: it does not say exactly what was planned, or its body is another.
    """
    after = document_reader.load(content, document.name, document_reader.Limits(max_bytes=len(content)))
    if not have_same_spelling(after.data, plan.data) or (after.body or "") != (document.body or ""):
        message = "the text could not be changed without changing more than was meant; edit it by hand"
        raise WriteError(message, code="unfaithful-edit")
    return after


def compare_records(
    document: document_reader.Document, plan: Plan, origin: Format, request: MigrationRequest
) -> list[Change]:
    """Every difference in meaning.

    Raises:
        SafetyError: a tool would look safer than before (law 3).
        WriteError: the result breaks the schema more than the document did (law 5).
    """
    changes: list[Change] = []
    proven: list[ReadBack] = []
    for old, new in plan.changed:
        before = old.data if new.before is None else new.before
        tool = origin.tool_of(replace(old, data=before))
        record = replace(old, data=new.data)
        check_shape(record, origin)
        _prove_valid(old, record, origin, request)
        back = _read_back(tool, record, origin)
        source = SourcePlaces(Reading(origin, document, [old], [tool], {}), 0)
        changes += explain_changes(changes_of(back), back, source, origin)
        proven.append(back)
    refuse_weaker(proven, origin)
    return changes


def _read_back(tool: Tool, record: Record, own_format: Format) -> ReadBack:
    """The migrated record beside the tool that it was."""
    written = WrittenRecord(tool, record, own_format.tool_of(record))
    return read_back(WrittenTool(tool, list(leaves_of(tool)), [written]), own_format)


def _prove_valid(old: Record, new: Record, origin: Format, request: MigrationRequest) -> None:
    schema = f"{origin.name}/{origin.described_by(request.version or origin.version_of(new.data))}"
    if canonical.is_valid(new.data, schema):
        return
    faults = list(find_problems(new.data, schema))
    old_schema = f"{origin.name}/{origin.described_by(origin.version_of(old.data))}"
    if len(faults) > len(list(find_problems(old.data, old_schema))):
        message = f"the result would break the schema: {faults[0].message}; correct the document first"
        raise WriteError(message, code="invalid-output", pointer=new.pointer + faults[0].pointer, hint=faults[0].hint)


def prove_final(after: document_reader.Document, plan: Plan, origin: Format, request: MigrationRequest) -> None:
    """Migrate the result: nothing may be left to do.

    Raises:
        WriteError: something is.
    """
    second_plan = plan_document(after, origin, request)
    if second_plan.changed or any(new.companions for _, new in second_plan.records):
        message = "migrating the result would change it again, which is a fault of toolglot; please report it"
        pointer = second_plan.changed[0][0].pointer if second_plan.changed else ""
        raise WriteError(message, code="not-final", pointer=pointer)
