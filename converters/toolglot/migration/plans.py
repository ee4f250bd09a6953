"""Migrating: a document in another version of its own format, with everything else byte for byte as it was.

document -> records -> Format.migration -> planned data -> edited text -> parsed again -> proved

What a format has to change it says as data. The text is edited in place, and nothing is believed: the result is
parsed, read, compared with what was read before, held to the schema, and migrated once more.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolglot import formats
from toolglot.conversion.explanations import explain_changes
from toolglot.conversion.leaf_comparison import compare_leaves, pair_leaves
from toolglot.conversion.messages import LOSSES
from toolglot.conversion.positions import with_positions
from toolglot.conversion.read_back import ReadBack, changes_of, read_back, refuse_weaker
from toolglot.conversion.reading import Reading, check_shape
from toolglot.conversion.report import Change, Report, split_path
from toolglot.conversion.slots import take_slot
from toolglot.conversion.sources import Source, locate_error, open_document, read_document
from toolglot.conversion.writing import Written, WrittenRecord
from toolglot.diagnostics.diagnostic import Diagnostic, with_position
from toolglot.errors import DetectionError, Error, SchemaError, WriteError, escape, unescape
from toolglot.formats import CompanionFile, Format, MigratedRecord, MigrationRequest, Record
from toolglot.formats.detection import detect
from toolglot.hub.model import Tool, to_json
from toolglot.migration.edit import Lifted, comments, edit, entry_lines, excerpt
from toolglot.schema import canonical
from toolglot.text import serialization
from toolglot.text.secrets import find_secret

_SHOWN = 120  # characters of a comment in a note


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
        dropped = [
            Diagnostic(
                code=change.code,
                severity="warning",
                message=f"it is not said any more: {canonical.to_short_json(to_json(change.before))}",
                pointer=change.path,
                source=change.source,
                line=change.line,
                column=change.column,
            )
            for change in self.report.changes
            if change.action == "dropped" and split_path(change.path)[1] != "extensions"
        ]
        return [*self.notes, *dropped]

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
    origin = formats.parse_source(format) if format else detect(document.data, document.body, document.name)
    target, version = formats.parse_target(to) if to else (origin, None)
    if target is not origin:
        message = f"this is {origin.name}, not {target.name}; `convert` goes from one format to another"
        raise DetectionError(message, code="other-format", source=document.name)
    return migrate_document(document, origin, MigrationRequest(version, kind, fill))


def migrate_document(document: serialization.Document, origin: Format, request: MigrationRequest) -> Migration:
    """`migrate` for a document that was parsed already; arguments and errors as there."""
    try:
        return _migrate(document, origin, request)
    except Error as error:
        raise locate_error(document, error) from None


class _Plan(NamedTuple):
    """What has to become of a document: its records, what becomes of each, and the whole of its data."""

    records: list[Record]
    migrated: list[MigratedRecord]
    data: Any

    @property
    def pairs(self) -> list[tuple[Record, MigratedRecord]]:
        """The records that have to change."""
        both = zip(self.records, self.migrated, strict=True)
        return [(old, new) for old, new in both if not _is_same(old.data, new.data)]


def _migrate(document: serialization.Document, origin: Format, request: MigrationRequest) -> Migration:
    plan = _plan(document, origin, request)
    before = _encode(document.text, document)
    files = [("", before)]
    changes: list[Change] = []
    notes = list(_notes(document, plan))
    if plan.pairs:
        edited = _encode(_edit_document(document, plan, origin), document)
        after = _prove_edit(document, plan, edited)
        changes = _compare_records(document, plan, origin, request)
        companions = [_render(document, old, companion) for old, new in plan.pairs for companion in new.companions]
        files = [("", edited), *companions]
        notes += _notes_of_removed_comments(document, [after, *(serialization.load(data) for _, data in companions)])
        notes += _notes_of_stale_remainders(document, after, plan, origin)
        _prove_final(after, plan, origin, request)
    return Migration(
        format=origin.name,
        origin=_versions(origin, (record.data for record in plan.records)),
        target=_versions(origin, (migrated.data for migrated in plan.migrated)),
        before=before,
        files=files,
        notes=notes,
        report=Report(origin=origin.name, target=origin.name, tools=len(plan.records), changes=tuple(changes)),
    )


def _versions(origin: Format, records: Iterable[dict[str, Any]]) -> str:
    return ", ".join(sorted({origin.version_of(data) for data in records}))


# -- planning ---------------------------------------------------------------------------------------------------


def _plan(document: serialization.Document, origin: Format, request: MigrationRequest) -> _Plan:
    try:
        records = [record._replace(body=document.body) for record in origin.records(document.data)]
    except (KeyError, TypeError, AttributeError):
        raise SchemaError(f"this is not a container of {origin.name} records") from None
    for record in records:
        check_shape(record, origin)
    migrated = [_migrate_record(record, origin, request) for record in records]
    plan = _Plan(records, migrated, document.data)
    data = _put_values(document.data, {old.pointer: (old.data, new.data) for old, new in plan.pairs}, origin)
    return plan._replace(data=data)


def _migrate_record(record: Record, origin: Format, request: MigrationRequest) -> MigratedRecord:
    if origin.migration.migrate is not None:
        return origin.migration.migrate(record, request)
    if request.version in (None, origin.version_of(record.data)):
        return MigratedRecord(record.data)
    tool = origin.read(record)
    output = origin.write(tool, request.version)
    back = origin.write(origin.read(output), origin.version_of(record.data))
    changes = compare_leaves(pair_leaves(tool.leaves(), origin.read(back).leaves()))
    valid = canonical.is_valid(output.data, f"{origin.name}/{request.version}")
    if not valid or any(change.action in LOSSES for change in changes):
        # `convert` loses it too, and says so; but here the only copy would lose it.
        message = f"version {request.version} cannot hold all that is said here; `convert` writes a copy of what it can"
        raise WriteError(message, code="would-lose", pointer=record.pointer)
    return MigratedRecord(output.data)


def _put_values(data: Any, values: Mapping[str, tuple[Any, Any]], origin: Format) -> Any:
    """`data` with new values at some JSON Pointers, given with the old ones; what lies elsewhere is shared.

    >>> _put_values({"tools": [1, 2], "a": 3}, {"/tools/1": (2, 5)}, formats.get("atdf"))
    {'tools': [1, 5], 'a': 3}
    """
    if not values:
        return data
    if "" in values:
        old, new = values[""]
        if old != data:
            message = f"here a record of {origin.name} is not written as it is read; edit it by hand"
            raise WriteError(message, code="not-in-place")
        return new
    below: dict[str, dict[str, tuple[Any, Any]]] = {}
    for pointer, value in values.items():
        token, slash, rest = pointer[1:].partition("/")
        below.setdefault(token, {})[slash + rest] = value
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    for token, inner in below.items():
        key = int(token) if isinstance(copy, list) else unescape(token)
        copy[key] = _put_values(copy[key], inner, origin)
    return copy


# -- the text ---------------------------------------------------------------------------------------------------


def _encode(content: str, document: serialization.Document) -> bytes:
    return (("\ufeff" if document.bom else "") + content).encode()


def _edit_document(document: serialization.Document, plan: _Plan, origin: Format) -> str:
    if document.syntax == "data":
        if origin.syntax == "front-matter":
            return serialization.dump_front_matter(plan.data, document.body or "")
        return serialization.dump_json(plan.data)
    renamed = {old.pointer + pointer: key for old, new in plan.pairs for pointer, key in new.renamed.items()}
    # What moves to another file takes its comments there.
    bare: set[str] = set()
    for old, new in plan.pairs:
        for companion in new.companions:
            bare.update(old.pointer + place for place in companion.origins.values())
    return edit(document, plan.data, renamed, bare)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON but for the order of keys; Python takes `1`, `1.0` and `true` for equal."""
    return one is other or (one == other and _spell_value(one) == _spell_value(other))


def _spell_value(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


# -- the files beside it --------------------------------------------------------------------------------------


def _render(document: serialization.Document, record: Record, companion: CompanionFile) -> tuple[str, bytes]:
    """A file that appears: front matter, with the comments of what moved there above its keys, and a body.

    Raises:
        WriteError: reading it gives something else.
    """
    lifted: set[str] = set()

    def find(pointer: str, key: str | None, value: Any) -> Lifted | None:
        origin = companion.origins.get(pointer)
        entry = excerpt(document, record.pointer + origin, value) if origin else None
        if entry is not None:
            lifted.add(pointer)
        return entry

    entries: list[str] = []
    for key, value in companion.data.items():
        entries += entry_lines(f"/{escape(key)}", key, value, find)
    content = "\n".join(("---", *entries, "---", companion.body))
    lines = content.split("\n")
    travelling = _find_travelling_comments(document, record, companion, serialization.load(content), lifted)
    for number, comment in sorted(travelling, reverse=True):
        indent = len(lines[number]) - len(lines[number].lstrip(" "))
        lines[number:number] = [" " * indent + line for line in comment]
    data = "\n".join(lines).replace("\r\n", "\n").replace("\n", document.newline).encode()
    again = serialization.load(data)
    if not _is_same(again.data, companion.data) or (again.body or "").replace("\r\n", "\n") != companion.body:
        raise WriteError(f"{companion.name} cannot be written so that it says what it should", code="unfaithful-edit")
    return companion.name, data


def _find_travelling_comments(
    document: serialization.Document,
    record: Record,
    companion: CompanionFile,
    target: serialization.Document,
    lifted: Collection[str],
) -> Iterator[tuple[int, list[str]]]:
    """Line numbers in a new file, counted from 0, and the comments that belong above them.

    Args:
        lifted: JSON Pointers in the new file, of entries that have their comments already.

    Raises:
        WriteError: a comment holds a secret, which would be copied.
    """
    placed: dict[str, list[str]] = {}
    for pointer, origin in sorted(companion.origins.items(), key=lambda item: -item[1].count("/")):
        own = comments(document, record.pointer + origin)
        inner = [line for other, lines in placed.items() if other.startswith(f"{origin}/") for line in lines]
        # What belongs to an entry also belongs to those around it, and is wanted once.
        fresh = list((Counter(own) - Counter(inner)).elements())
        placed[origin] = own
        if find_secret(own) is not None:
            message = f"a comment here holds a secret, which would go to {companion.name}; take it out, and renew it"
            raise WriteError(message, code="literal-secret", pointer=record.pointer + origin)
        if fresh and pointer not in lifted:
            yield _line_of(target, pointer), fresh


def _line_of(document: serialization.Document, pointer: str) -> int:
    """The line, counted from 0, where the entry at a pointer begins; a block starts below its key."""
    line, column = document.position(pointer) or (2, 1)
    inline = document.text.split("\n")[line - 1][: column - 1].strip()
    return max(line - 1 if inline else line - 2, 1)  # below the line that opens the front matter


def _notes_of_removed_comments(
    document: serialization.Document, after: Sequence[serialization.Document]
) -> Iterator[Diagnostic]:
    """A note for every comment that stands nowhere any more: what it explained is gone."""
    own = comments(document, "")
    gone = Counter(own) - Counter(line for item in after for line in comments(item, ""))
    content = document.text
    line, place, end = 1, 0, 0
    for comment in own:  # in the order of the text, so that no line is counted twice
        before, place = place, content.find(comment, end)
        end = place + len(comment)
        line += content.count("\n", before, place)
        if not gone[comment]:
            continue
        gone[comment] -= 1
        subject = (
            f"the comment `{comment[:_SHOWN]}`" if find_secret(comment) is None else "a comment that holds a secret"
        )
        yield Diagnostic(
            code="comment-removed",
            severity="warning",
            message=f"{subject} went with what it stood at",
            source=document.name,
            line=line,
            column=place - content.rfind("\n", 0, place),
        )


# -- the proof --------------------------------------------------------------------------------------------------


def _prove_edit(document: serialization.Document, plan: _Plan, edited: bytes) -> serialization.Document:
    """The edited text, parsed again.

    Raises:
        WriteError: it does not say exactly what was planned, or its body is another.
    """
    after = serialization.load(edited, document.name, serialization.Limits(max_bytes=len(edited)))
    if not _is_same(after.data, plan.data) or (after.body or "") != (document.body or ""):
        message = "the text could not be changed without changing more than was meant; edit it by hand"
        raise WriteError(message, code="unfaithful-edit")
    return after


def _compare_records(
    document: serialization.Document, plan: _Plan, origin: Format, request: MigrationRequest
) -> list[Change]:
    """Every difference in meaning.

    Raises:
        SafetyError: a tool would look safer than before (law 3).
        WriteError: the result breaks the schema more than the document did (law 5).
    """
    changes: list[Change] = []
    proven: list[ReadBack] = []
    for old, new in plan.pairs:
        tool = origin.read(old if new.before is None else old._replace(data=new.before))
        record = old._replace(data=new.data)
        check_shape(record, origin)
        _prove_valid(old, record, origin, request)
        back = _read_back(tool, record, origin)
        explained = explain_changes(changes_of(back), origin, back)
        changes += with_positions(Reading(origin, document, [old], [tool], {}), 0, explained)
        proven.append(back)
    refuse_weaker(proven, origin)
    return changes


def _read_back(tool: Tool, record: Record, own_format: Format) -> ReadBack:
    """The migrated record beside the tool that it was."""
    leaves, back = list(tool.leaves()), own_format.read(record)
    result = Written(leaves, [WrittenRecord(tool, record, back)], [])
    if own_format.profiles:  # a document of a provider has no offers
        return ReadBack(tool, result, pair_leaves(leaves, back.leaves()))
    return read_back(tool, result, own_format)


def _prove_valid(old: Record, new: Record, origin: Format, request: MigrationRequest) -> None:
    name = f"{origin.name}/{origin.described_by(request.version or origin.version_of(new.data))}"
    if canonical.is_valid(new.data, name):
        return
    faults = [*canonical.problems(new.data, name)]
    if len(faults) > len(
        [*canonical.problems(old.data, f"{origin.name}/{origin.described_by(origin.version_of(old.data))}")]
    ):
        message = f"the result would break the schema: {faults[0].message}; correct the document first"
        raise WriteError(message, code="invalid-output", pointer=new.pointer + faults[0].pointer, hint=faults[0].hint)


def _prove_final(after: serialization.Document, plan: _Plan, origin: Format, request: MigrationRequest) -> None:
    """Migrate the result: nothing may be left to do.

    Raises:
        WriteError: something is.
    """
    again = _plan(after, origin, request)
    if again.pairs or any(migrated.companions for migrated in again.migrated):
        message = "migrating the result would change it again, which is a fault of toolglot; please report it"
        raise WriteError(message, code="not-final", pointer=again.pairs[0][0].pointer if again.pairs else "")


# -- notes ------------------------------------------------------------------------------------------------------


def _notes(document: serialization.Document, plan: _Plan) -> Iterator[Diagnostic]:
    for record, migrated in zip(plan.records, plan.migrated, strict=True):
        for note in migrated.notes:
            severity, pointer = "error" if note.error else "warning", record.pointer + note.pointer
            diagnostic = Diagnostic(code=note.code, severity=severity, message=note.message, pointer=pointer)
            yield with_position(diagnostic, document)


def _notes_of_stale_remainders(
    document: serialization.Document, after: serialization.Document, plan: _Plan, origin: Format
) -> Iterator[Diagnostic]:
    """A note for every lossless remainder that no longer fits the visible fields: readers believe it no more."""
    if not any(take_slot(record, origin)[1] for record, _ in plan.pairs):
        return
    earlier = read_document(document, origin.name).stale
    for pointer in read_document(after, origin.name).stale:
        if pointer not in earlier:
            message = "what a lossless conversion kept here fits no longer; convert from the original again"
            note = Diagnostic(code="stale-remainder", severity="warning", message=message, pointer=pointer)
            yield with_position(note, document)
