"""A stream of records: each converted on its own, one after the other, however many there are.

What a record gives depends on nothing but the record and the arguments, so any engine can carry `convert_records`:
arguments and results can be pickled, errors are values, and nothing is kept from one record to the next but caches. A
record is known by its number in its file, a line or a row, which whoever reads the file counts: never by its place in a
batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, Unpack

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion import pipeline
from toolglot.converter.conversion.options import ConvertOptions, without_iterators
from toolglot.converter.conversion.pattern_use import PatternUse
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.report import Report
from toolglot.converter.conversion.result import Conversion, ReportDetail
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.files.names import portable_path
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import document_reader
from toolglot.converter.text.plain_data import plain_value
from toolglot.converter.text.pointers import value_at
from toolglot.converter.text.serialization import dump_json_line
from toolglot.errors import Error, LossError, ReadError, UsageError, WriteError, reportable_error
from toolglot.option_checks import require, require_flag, require_items
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error

RawRecord = bytes | str | dict[str, Any]

ERROR_COLUMNS = {
    "source": "string",
    "line": "bigint",
    "id": "string",
    "code": "string",
    "pointer": "string",
    "message": "string",
}
"""What is kept of a record that is refused, whichever verb refuses it, and the types of it as Spark calls them."""


class Converted(NamedTuple):
    """What one record became.

    Attributes:
        line: the number of the record, counted from 1; blank ones count.
        texts: the result, one text without a final newline for every record of the target: JSON on one line, or a
            document with front matter. Empty where there is an error.
        report: every difference, with neither lines nor columns; `None` where there is an error, or nobody asks.
        error: why there is no result, or `None`.
        name: what the stream is called.
        tools: how many callable tools the record holds.
        pattern_use: which patterns of `only`, `without` and `assertions` mean one of them; `None` where there are none.
        id: what a refused record calls itself, as far as that can be read.
    """

    line: int
    texts: tuple[str, ...] = ()
    report: Report | None = None
    error: Diagnostic | None = None
    name: str | None = None
    tools: int = 0
    pattern_use: PatternUse | None = None
    id: str | None = None


class RecordTask(msgspec.Struct, frozen=True):
    """What is done with every record.

    Attributes:
        verb: a key of `tasks.COLUMNS`.
        asked: what the verb is asked for.
        format, restore, limits: how records are read: as by `toolglot.convert_records`.
        column: the one that has the records, as JSON text or as dicts; all others travel along. A field of such a dict
            that has no value counts as absent, because tables fill up what is missing. `None` is no column.
    """

    verb: str
    asked: dict[str, Any]
    format: str | None = None
    restore: bool = False
    limits: document_reader.Limits = document_reader.DEFAULT_LIMITS
    column: str | None = None

    def __post_init__(self) -> None:
        """Refuse what is wrong for every record, whatever the verb.

        Raises:
            UsageError: an option is of another kind, or there is no such format.
        """
        require_flag("restore", self.restore)
        require("limits", self.limits, document_reader.Limits, "a `Limits`")
        if self.format is not None:
            formats.parse_source(self.format)

    def read(self, record: Any, number: int, name: str | None) -> document_reader.Document:
        """A record as a document.

        Raises:
            Error: it cannot be parsed, or it is why the record is lost.
        """
        if isinstance(record, Error):
            raise record
        if self.column is not None and isinstance(record, dict):
            record = plain_value(record, depth=self.limits.max_depth)
        return read_record(record, number, name, self.limits, self.restore)


# -- one record --------------------------------------------------------------------------------------------------------


def is_blank(record: RawRecord, limits: document_reader.Limits) -> bool:
    """Whether there is no record: nothing but what `bytes` calls blank, in a `str` too.

    What follows the blanks of a line that is too long, and was cut, is not known.
    """
    if isinstance(record, str):
        return len(record) <= limits.max_bytes and not record.strip(" \t\n\r\v\f")
    return isinstance(record, bytes) and len(record) <= limits.max_bytes and not record.strip()


def read_record(
    record: RawRecord, line: int, name: str | None, limits: document_reader.Limits, restore: bool = False
) -> document_reader.Document:
    """One record as a document whose places are those of its file.

    Raises:
        ParseError: it cannot be parsed.
    """
    if not isinstance(record, str | bytes):
        document = document_reader.from_data(record, limits)
    else:
        text = record.rstrip("\r\n") if isinstance(record, str) else record.rstrip(b"\r\n")  # as files hand them out
        syntax = None
        if text.lstrip()[:1] not in ("{", "[", b"{", b"["):
            syntax = "record.jsonl"  # without such a name a line that was cut in half could pass for YAML
        try:
            document = document_reader.load(text, syntax, limits, line)
        except ReadError as error:
            error.source = name
            raise
        document.name = name
    document.restore = restore
    return document


def problem_of(error: Exception, name: str | None, line: int) -> Diagnostic:
    """Why a record is refused."""
    return replace(from_error(reportable_error(error, "record")), source=name, line=line)


def id_of(document: document_reader.Document | None) -> str | None:
    """What a record calls itself where formats have ids, whether or not it is valid; `None` where it says nothing.

    >>> id_of(document_reader.load('{"toolId": "mail", "safetyTier": "reed"}'))
    'mail'
    """
    if document is None:
        return None
    ids = (value_at(document.data, place) for place in _places_of_ids())
    return next((found for found in ids if isinstance(found, str)), None)


@cache
def _places_of_ids() -> tuple[str, ...]:
    places = (each.places.fields.get("id") for each in formats.every())
    return tuple(sorted({place for place in places if place}, key=lambda place: (-len(place), place)))


def error_row(error: Diagnostic, identifier: str | None) -> dict[str, Any]:
    """A refused record as `ERROR_COLUMNS` has it; rows of several systems may come together, so their paths have `/`.

    Args:
        identifier: what the record is known by: its column, or what it calls itself.
    """
    source = None if error.source is None else portable_path(error.source)
    values = (source, error.line, identifier, error.code, error.short_pointer, error.message)
    return dict(zip(ERROR_COLUMNS, values, strict=True))


# -- conversions ------------------------------------------------------------------------------------------------------


def convert_records(
    records: Iterable[RawRecord],
    to: str,
    *,
    format: str | None = None,
    restore: bool = False,
    name: str | None = None,
    first: int = 1,
    limits: document_reader.Limits = document_reader.DEFAULT_LIMITS,
    **options: Unpack[ConvertOptions],
) -> Iterator[Converted]:
    """Convert records lazily and in order, each as `toolglot.convert` would: validated, read back and reported.

    That no two tools of the whole stream get the same id is not checked, because it would take memory that grows
    with the stream. Within one record it is.

    Args:
        records: JSON objects, as text of one line (`str`, `bytes`) or parsed (`dict`). A line may also hold a
            container of several tools, or a program. Blank lines are skipped.
        to: `FORMAT` or `FORMAT@VERSION`.
        format: the format of all records; by default that of each is detected from its content.
        restore: as in `toolglot.read`; default `False`.
        name: what the stream is called in errors; default `None`.
        first: the number of the first record; default 1.
        limits: how much of one record is read; default 16 MiB, 64 levels.
        **options: as in `toolglot.convert`. A record that does not pass `fail_on` is an error.

    Returns:
        One result for every record that is not blank. A record that cannot be converted stops nothing.

    Raises:
        UsageError: the call is wrong for every record: an unknown format, an option that does not fit.

    >>> lines = ['{"toolId": "mcp:a", "source": "mcp", "safetyTier": "read"}', "", '{"toolId": 7, "source": "mcp"}']
    >>> for found in convert_records(lines, "mcp"):
    ...     print(found.line, found.texts[0][:39] if found.texts else found.error.code)
    1 {"name":"mcp_a","inputSchema":{"type":"
    3 schema-required
    """
    require_items("records", records, "a list of records, or something else to go through")
    require("first", first, int, "a number")
    task = RecordTask("convert", {"to": to, **without_iterators(options)}, format, restore, limits)
    refuse_bad_call(task)
    numbered = enumerate(records, first)
    return (convert_record(task, line, record, name) for line, record in numbered if not is_blank(record, limits))


def refuse_bad_call(task: RecordTask) -> None:
    """Convert a tool that says next to nothing, so that what is wrong with the call is said once and at once.

    Raises:
        UsageError: it is wrong for every record.
    """
    if task.asked.get("bare"):
        raise UsageError("records are written one by one, and not as an array; leave out bare", "bad-option")
    target = formats.target_of(task.asked["to"])
    probe = Reading(target, document_reader.from_data({}), [], [Tool(id="probe", description="Probe.")], {})
    with suppress(ReadError, WriteError, LossError):  # these are about the tool
        pipeline.convert_readings([probe], **task.asked)


def convert_record(
    task: RecordTask, line: int, record: Any, name: str | None, detail: ReportDetail | None = "plain"
) -> Converted:
    """What a record becomes.

    Args:
        detail: of the report; `None` makes none, which saves a quarter of the time.
    """
    document, pattern_use = None, None
    try:
        document = task.read(record, line, name)
        reading = read_document(document, task.format)
        if len(task.asked) > 1:
            pattern_use = pipeline.find_pattern_use([reading], task.asked)
        conversion = pipeline.convert_readings([reading], **task.asked)
        texts = texts_of_records(conversion)
        report = None if detail is None else conversion.report_in_detail(detail)
        return Converted(line, texts, report, None, name, conversion.leaf_count, pattern_use)
    except Exception as error:
        problem = problem_of(error, name, line)
        return Converted(line, error=problem, name=name, pattern_use=pattern_use, id=id_of(document))


def texts_of_records(conversion: Conversion) -> tuple[str, ...]:
    """The results one by one, each without a final newline: JSON on one line, or a document with front matter.

    >>> texts_of_records(pipeline.convert({"toolId": "a", "source": "mcp", "safetyTier": "read"}, "hub"))
    ('{"toolglot":1,"tools":[{"id":"a","origin":"tool-descriptor","safety_tier":"read","source":"mcp"}]}',)
    """
    output, target = conversion.output, conversion.output.target
    if target.syntax != "json":
        return tuple(content for _, content in conversion.files)
    if output.beside:  # what is ours stands beside the records, so they keep their container
        return tuple(dump_json_line(document_reader.load(content).data) for _, content in conversion.files)
    lines: list[str] = []
    for record in output.records:
        data: Any = record.data
        try:
            is_document = bool(target.records(data))  # without a container
        except (ReadError, KeyError, TypeError, AttributeError):
            is_document = False
        lines.append(dump_json_line(data if is_document else target.wrap([data])))
    return tuple(lines)
