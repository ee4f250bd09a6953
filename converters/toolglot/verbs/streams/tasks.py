"""What is done with each record of a batch: what a verb says of one document, as rows of a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, TypedDict, TypeVar, Unpack

import msgspec
from msgspec.structs import replace

from toolglot.converter.conversion import pipeline
from toolglot.converter.conversion.options import CompileOptions, ConvertOptions, without_iterators
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.text.document_reader import Document, Limits
from toolglot.converter.text.pointers import only_keys, without_keys
from toolglot.converter.text.serialization import dump_json_line
from toolglot.verbs import catalogs
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.document_checks import check, check_document, read_selection
from toolglot.verbs.streams.record_stream import RecordTask, refuse_bad_call, texts_of_records
from toolglot.verbs.tokens.costs import tally_tokens
from toolglot.verbs.tokens.definitions import PARTS

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

_NUMBERS = dict.fromkeys(("tokens", *PARTS), "bigint")

RESULT_COLUMNS: dict[str, dict[str, str]] = {
    "convert": dict.fromkeys(("output", "changes"), "string"),
    "check": dict.fromkeys(("severity", "code", "tool", "pointer", "message"), "string"),
    "tokens": {"definition": "string", **_NUMBERS, "message": "string"},
    "catalog": dict.fromkeys(("namespace", "identity", "entry"), "string"),
}
"""What each verb says of records that are not refused, and the types of it as Spark calls them."""

REFUSED_COLUMNS = dict.fromkeys(("error", "pointer", "message", "record_id"), "string")
"""What every verb says of a record that is refused: the code of its error first, and last what it calls itself."""

COLUMNS = {verb: {**columns, **REFUSED_COLUMNS} for verb, columns in RESULT_COLUMNS.items()}
"""The columns that each verb gives beside those of the records."""


RecordRows = tuple[list[dict[str, Any]], Mapping[str, int]]
"""What a verb says of one record: rows with some of the columns, and how often each code occurs, or what it adds up.

Tools of it may be missing, although the others are there: why is a row with an `error`, too.
"""


class RecordOptions(TypedDict, total=False):
    """How records are read: fields of `RecordTask`."""

    format: str | None
    restore: bool
    limits: Limits
    column: str | None


class ConvertTaskOptions(ConvertOptions, RecordOptions, total=False):
    """As in `toolglot.convert_records`; `report` asks how often each of its codes occurs, which takes longer."""

    report: bool


class CheckTaskOptions(RecordOptions, total=False):
    """As in `toolglot.check`."""

    warnings_as_errors: bool
    select: Sequence[str]
    ignore: Sequence[str]


class TokensTaskOptions(CompileOptions, RecordOptions, total=False):
    """As in `toolglot.count_tokens`."""

    exact: bool


def refused_row(error: Diagnostic, identifier: str | None = None) -> dict[str, Any]:
    """A refused record as `REFUSED_COLUMNS` has it.

    Args:
        identifier: what it calls itself.
    """
    return {
        "error": error.code,
        "pointer": error.short_pointer,
        "message": error.message,
        "record_id": identifier,
    }


def named_after(
    task_of: Callable[P, RecordTask], do: Callable[[RecordTask, T], R], kind: str
) -> Callable[Concatenate[T, P], R]:
    """What does something with a task, as a function of that and of what the task is made of.

    Args:
        do: in whose module the function stands.
        kind: what its name says in the place of `task`.
    """

    def form(what: T, /, *args: P.args, **options: P.kwargs) -> R:
        return do(task_of(*args, **options), what)

    form.__doc__ = (
        f"{task_of.__doc__}\n\n    The first argument, the result and what is raised are those of `{do.__name__}`."
    )
    form.__name__ = form.__qualname__ = task_of.__name__.replace("task", kind)
    form.__module__ = do.__module__  # by these names it is pickled
    return form


def _task(verb: str, options: Mapping[str, Any]) -> RecordTask:
    asked, names = without_iterators(options), RecordOptions.__annotations__
    return RecordTask(verb, without_keys(asked, *names), **only_keys(asked, names))


def convert_task(to: str, **options: Unpack[ConvertTaskOptions]) -> RecordTask:
    """Conversion to `FORMAT[@VERSION]`: a row for every text that is written.

    Raises:
        UsageError: the call is wrong for every record.
    """
    task = _task("convert", {"to": to, **options})
    refuse_bad_call(replace(task, asked=without_keys(task.asked, "report")))
    return task


def _convert(
    document: Document, format_name: str | None, file: str, *, to: str, report: bool = False, **options: Any
) -> RecordRows:
    conversion = pipeline.convert_readings([read_document(document, format_name)], to, **options)
    rows = [{"output": text} for text in texts_of_records(conversion)]
    if not report or not rows:
        return rows, {}
    counts = Counter(change.code for change in conversion.report_in_detail("plain").changes)
    rows[0]["changes"] = dump_json_line(dict(counts))  # only the first row says it, so that sums are right
    return rows, counts


def check_task(**options: Unpack[CheckTaskOptions]) -> RecordTask:
    """What `toolglot.check` says of every record by itself: a row for every finding."""
    task = _task("check", options)
    check("{}", **task.asked)  # says what is wrong with them
    return task


def _check(
    document: Document, format_name: str | None, file: str, *, warnings_as_errors: bool = False, **rules: Any
) -> RecordRows:
    selection = read_selection(**rules)
    found = check_document(document, format_name, warnings_as_errors=warnings_as_errors, selection=selection)
    rows = [{name: getattr(one, name) for name in RESULT_COLUMNS["check"]} for one in found.diagnostics]
    return rows, Counter(one.code for one in found.diagnostics)


def tokens_task(provider: str, **options: Unpack[TokensTaskOptions]) -> RecordTask:
    """What every definition costs a provider: a row each, also for what it cannot be offered."""
    task = _task("tokens", {"provider": provider, **options})
    tally_tokens([], **task.asked)  # says what is wrong with them
    return task


def _count_tokens(document: Document, format_name: str | None, file: str, **options: Any) -> RecordRows:
    tally = tally_tokens(read_document(document, format_name).tools, **options)
    rows = [{"definition": cost.name, "tokens": cost.tokens, **cost.parts} for cost in tally.definitions]
    rows += [{"definition": name, "message": reason} for name, reason in tally.excluded.items()]
    return rows, tally.parts


def catalog_task(to: str, **options: Unpack[RecordOptions]) -> RecordTask:
    """The entries of a catalogue: a row for every tool."""
    catalogs.check_target(to, None)
    return _task("catalog", {"to": to, **options})


def _gather(document: Document, format_name: str | None, file: str, *, to: str) -> RecordRows:
    found = catalogs.FileEntries(read_document(document, format_name), to, file)
    errors = [refused_row(note) for note in found.notes if note.severity == "error"]
    # Not pickled, because what many machines wrote is read by another one, which must run nothing of it.
    rows = [
        {"namespace": entry.namespace, "identity": entry.identity, "entry": json.dumps(msgspec.to_builtins(entry))}
        for entry in found.entries
    ]
    return [*errors, *rows], {}


WORK: dict[str, Callable[..., RecordRows]] = {
    "convert": _convert, "check": _check, "tokens": _count_tokens, "catalog": _gather,
}  # fmt: skip
"""Verb -> what it says of a document, of which the format may be known, of a file, given what is asked of it."""
