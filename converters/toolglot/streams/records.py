"""A stream of records: each converted on its own, one after the other, however many there are.

What a record gives depends on nothing but the record and the arguments, so any engine can carry `convert_records`:
arguments and results can be pickled, errors are values, and nothing is kept from one record to the next but caches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple, Unpack

import msgspec

from toolglot import formats
from toolglot.conversion import pipeline
from toolglot.conversion.options import ConvertOptions
from toolglot.conversion.reading import Reading
from toolglot.conversion.report import Change, Report
from toolglot.conversion.sources import read_document
from toolglot.diagnostics.credentials import MOST_CREDENTIALS
from toolglot.diagnostics.diagnostic import Diagnostic, from_error
from toolglot.errors import Error, LossError, ReadError, WriteError
from toolglot.formats import Format
from toolglot.hub.model import Tool
from toolglot.text import serialization

Record = bytes | str | dict[str, Any]


class Converted(NamedTuple):
    """What one record became.

    Attributes:
        line: the number of the record, counted from 1; blank ones count.
        texts: the result, one text without a final newline for every record of the target: JSON on one line, or a
            document with front matter. Empty where there is an error.
        report: every difference, with neither lines nor columns; `None` where there is an error.
        error: why there is no result, or `None`.
        name: what the stream is called.
    """

    line: int
    texts: tuple[str, ...] = ()
    report: Report | None = None
    error: Diagnostic | None = None
    name: str | None = None


def convert_records(
    records: Iterable[Record],
    to: str,
    *,
    format: str | None = None,
    name: str | None = None,
    first: int = 1,
    limits: serialization.Limits = serialization.DEFAULT_LIMITS,
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
        name: what the stream is called in errors; default `None`.
        first: the number of the first record; default 1.
        limits: how much of one record is read; default 16 MiB, 64 levels.
        **options: as in `toolglot.convert`. With `on_loss="fail"` a record that would lose something is an error.

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
    return convert_numbered(enumerate(records, first), to, format=format, name=name, limits=limits, **options)


def convert_numbered(
    records: Iterable[tuple[int, Record]],
    to: str,
    *,
    format: str | None = None,
    name: str | None = None,
    limits: serialization.Limits = serialization.DEFAULT_LIMITS,
    needs_places: bool = False,
    **options: Unpack[ConvertOptions],
) -> Iterator[Converted]:
    """`convert_records` of records that have their numbers already.

    Args:
        needs_places: whether reports say what their entries tell people, and where in the record; default `False`.
    """
    _refuse_bad_call(to, format, options)
    return (
        _convert(record, Converted(line, name=name), to, format, limits, options, needs_places)
        for line, record in records
        if not _is_blank(record, limits)
    )


def _is_blank(record: Record, limits: serialization.Limits) -> bool:
    # A line that is too long was cut by whoever read it, and what follows the blanks is not known.
    return isinstance(record, str | bytes) and len(record) <= limits.max_bytes and not record.strip()


def _refuse_bad_call(to: str, format_name: str | None, options: ConvertOptions) -> None:
    """Convert a tool that says next to nothing, so that what is wrong with the call is said once and at once."""
    if format_name is not None:
        formats.parse_source(format_name)
    target, _ = formats.parse_target(to)
    probe = Reading(target, serialization.from_data({}), [], [Tool(id="probe", description="Probe.")], {})
    with suppress(ReadError, WriteError, LossError):  # these are about the tool
        pipeline.convert_readings([probe], to, **options)


def _convert(
    record: Record,
    place: Converted,
    to: str,
    format_name: str | None,
    limits: serialization.Limits,
    options: ConvertOptions,
    needs_places: bool,
) -> Converted:
    try:
        reading = read_document(_document(record, limits), format_name)
        conversion = pipeline.convert_readings([reading], to, **options)
        report = conversion.report if needs_places else conversion.unlocated
        return Converted(place.line, _texts(conversion), report, None, place.name)
    except Error as error:
        problem = from_error(error)
    except Exception as error:  # a fault of ours that one record in a million finds must not cost the others
        what = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        message = f"internal error: {what}; please report it with the record"
        problem = Diagnostic(code="internal-error", severity="error", message=message)
    return place._replace(error=msgspec.structs.replace(problem, source=place.name, line=place.line))


def _document(record: Record, limits: serialization.Limits) -> serialization.Document:
    if not isinstance(record, str | bytes):
        return serialization.from_data(record, limits)
    line = record.rstrip("\r\n") if isinstance(record, str) else record.rstrip(b"\r\n")  # as files hand them out
    opens = line.lstrip()[:1] in ("{", "[", b"{", b"[")
    # Without such a name a line that was cut in half could pass for YAML.
    return serialization.load(line, None if opens else "record.jsonl", limits)


def _texts(conversion: pipeline.Conversion) -> tuple[str, ...]:
    target, records, _, remainders, _ = conversion.output
    if target.syntax != "json":
        return tuple(content for _, content in conversion.files)
    if remainders:  # the remainder stands beside the records, so they keep their container
        return tuple(_line(serialization.load(content).data) for _, content in conversion.files)
    return tuple(
        _line(record.data if _is_document(record.data, target) else target.wrap([record.data])) for record in records
    )


def _line(data: Any) -> str:
    return serialization.dump_json(data, None)[:-1]


def _is_document(data: Any, target: Format) -> bool:
    """Whether the format can be read without a container."""
    try:
        return bool(target.records(data))
    except (ReadError, KeyError, TypeError, AttributeError):
        return False


# -- totals -----------------------------------------------------------------------------------------------------

EXAMPLES = 3  # changes that are kept of each code
FAULTS = 20  # errors that are kept

Key = tuple[str, str, str]  # severity, action, code


class Tally(msgspec.Struct):
    """What a stream came to: counts, the first examples and the first errors; no larger for a million records.

    Attributes:
        records: those that were converted or refused.
        refused: those that were refused.
        blank: lines that hold no record.
        tools: callable tools that were read.
        texts: records that were written.
        losses: changes that take something away for good; see `Report.losses`.
        lossless: whether there was none of them because remainders travel along.
        origins: the formats that were read, in the order of their first record.
        counts: how many changes there are of each severity, action and code.
        examples: the first of them, with their lines.
        errors: why the first of the refused records were refused.
        credentials: the first places where the records hold credentials, whoever looks for them.

    >>> tally = Tally()
    >>> for found in convert_records(['{"toolId": "a", "source": "mcp", "safetyTier": "read"}', "{}"], "mcp"):
    ...     tally.add(found)
    >>> tally.records, tally.refused, tally.losses
    (2, 1, 1)
    """

    needs_places: ClassVar[bool] = False  # whether it counts what reports say of places

    records: int = 0
    refused: int = 0
    blank: int = 0
    tools: int = 0
    texts: int = 0
    losses: int = 0
    lossless: bool = True
    origins: list[str] = []
    counts: Counter[Key] = msgspec.field(default_factory=Counter)
    examples: dict[Key, list[Change]] = {}
    errors: list[Diagnostic] = []
    credentials: list[Diagnostic] = []

    def add(self, result: Converted) -> None:
        """Count one record."""
        self.records += 1
        self.texts += len(result.texts)
        if result.error is not None:
            self.refused += 1
            self._keep([result.error])
        if result.report is not None:
            self.tools += result.report.tools
            self.losses += len(result.report.losses)
            self.lossless &= result.report.lossless
            self._remember([result.report.origin])
            self._count(result, result.report.changes)

    def merge(self, later: Tally) -> None:
        """Count what another tally counted of later records."""
        self.records += later.records
        self.refused += later.refused
        self.blank += later.blank
        self.tools += later.tools
        self.texts += later.texts
        self.losses += later.losses
        self.lossless &= later.lossless
        self.counts += later.counts
        self._remember(later.origins)
        self._keep(later.errors)
        self.credentials += later.credentials[: MOST_CREDENTIALS - len(self.credentials)]
        for key, examples in later.examples.items():
            own = self.examples.setdefault(key, [])
            own += examples[: EXAMPLES - len(own)]

    def report(self, to: str) -> Report:
        """A report of the first changes of each kind.

        Args:
            to: `FORMAT[@VERSION]` of the results.
        """
        return Report(
            origin=", ".join(self.origins),
            target=to,
            tools=self.tools,
            changes=tuple(change for examples in self.examples.values() for change in examples),
            lossless=self.tools > 0 and self.lossless,
        )

    def to_json(self, to: str) -> dict[str, Any]:
        """The totals as a report whose changes are examples, valid under `schemas/report/1.schema.json`.

        Args:
            to: `FORMAT[@VERSION]` of the results.
        """
        totals = self.report(to).to_json()
        totals["summary"] = dict.fromkeys(totals["summary"], 0)
        codes: Counter[str] = Counter()
        for (_, action, code), number in self.counts.items():
            totals["summary"][action] += number
            codes[code] += number
        totals["records"] = {
            "converted": self.records - self.refused,
            "refused": self.refused,
            "blank": self.blank,
            "codes": dict(codes),
            "errors": [error_to_json(error) for error in self.errors],
        }
        return totals

    def _count(self, result: Converted, changes: Iterable[Change]) -> None:
        counts = self.counts
        for change in changes:
            key = change.severity, change.action, change.code
            counts[key] = count = counts.get(key, 0) + 1
            if count <= EXAMPLES:
                self.examples.setdefault(key, []).append(with_line(change, result))

    def _remember(self, origins: Iterable[str]) -> None:
        self.origins += [origin for origin in origins if origin not in self.origins]

    def _keep(self, errors: list[Diagnostic]) -> None:
        self.errors += errors[: FAULTS - len(self.errors)]


def with_line(change: Change, result: Converted) -> Change:
    """A change of a record with the name of the stream and the record's line."""
    return msgspec.structs.replace(change, source=result.name, line=result.line)


def error_to_json(error: Diagnostic) -> dict[str, Any]:
    """An error as JSON data; what is not known is absent."""
    return {key: value for key, value in msgspec.structs.asdict(error).items() if value not in (None, "")}
