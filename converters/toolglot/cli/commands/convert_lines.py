"""`convert` of JSON Lines into JSON Lines: a record at a time, so that a file may be larger than the memory."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from toolglot.cli.discovery.places import STDIN
from toolglot.cli.exit_codes import ClosedPipe, Exit
from toolglot.cli.files import temporaries, writing
from toolglot.cli.progress import Pace
from toolglot.cli.terminal import count_noun, print_lines, print_message, print_result
from toolglot.errors import ReadError, UsageError, WriteError, system_reason

if TYPE_CHECKING:
    from toolglot.cli.sources import SourceRequest
    from toolglot.diagnostics.checks import Diagnostic
    from toolglot.streams.local import Job
    from toolglot.streams.records import Tally


class _Discarded(Exception):
    """Leaves the block in which the result is written, so that it is not put in its place."""


def is_stream(paths: Sequence[str], stdin_filename: str | None, output: str | None) -> bool:
    """Whether the only source, which is one file, and the output, if there is one, are called like JSON Lines.

    >>> is_stream(["a.jsonl"], None, "b.ndjson.gz"), is_stream(["a.jsonl"], None, "b.json")
    (True, False)
    """
    from toolglot.cli.discovery import is_pattern

    names = [stdin_filename or "" if path == STDIN else path for path in paths]
    names += [output] if output is not None else []
    is_one = len(paths) == 1 and not is_pattern(paths[0])
    return is_one and all(_is_lined(name) and not os.path.isdir(name) for name in names)


def convert_lines(
    request: SourceRequest,
    to: str,
    how: dict[str, Any],
    output: str | None,
    on_loss: str,
    report: str,
    force: bool,
    jobs: int | None,
) -> int:
    """Convert, write and report; the exit code.

    Args:
        how: options of `toolglot.convert`.
        output: a file, compressed where its name ends in `.gz`; `None` is stdout.
        report: `text`, `json`, `none`, or a file: one that is called like JSON Lines gets a line for every record
            that changed or was refused, any other the totals.
    """
    from toolglot import formats
    from toolglot.cli.sources import find_sources, no_tools_error
    from toolglot.streams.records import FAULTS, Tally
    from toolglot.text.serialization import dump_json

    if formats.parse_target(to)[0].syntax != "json":
        message = f"a line cannot hold {to}, which is a document with front matter; give -o FOLDER/"
        raise UsageError(message, "not-a-line")
    if not find_sources(request):
        raise no_tools_error(request)
    told = report if report not in ("text", "json", "none") else None
    paths = [path for path in (output, told) if path is not None]
    writing.refuse_existing(paths, force)
    for folder in {os.path.dirname(os.path.realpath(path)) for path in paths}:
        temporaries.remove_leftovers(folder)  # what a killed run left
    tally = Tally()
    job = _job(request, to, how, output, told)
    fault, refused = _carry_out(job, request, output, told, on_loss == "fail", force, jobs, tally)
    if fault is not None:
        print_message(f"error: {fault}")
    if tally.refused > FAULTS:
        print_message(f"and {count_noun(tally.refused - FAULTS, 'more error')}")
    if told is not None and not _is_lined(told):
        writing.write_file(told, dump_json(_to_json(tally, to)).encode(), over=force)
    _show(tally, to, report, request.quiet, output is not None)
    if refused:
        print_message(f"error: {count_noun(tally.losses, 'loss')} and --on-loss fail: no result was written [loss]")
    return max(Exit.FAILED if tally.refused or fault else Exit.DONE, Exit.NO if refused else Exit.DONE)


def _job(request: SourceRequest, to: str, how: dict[str, Any], output: str | None, told: str | None) -> Job:
    from toolglot.cli.sources import source_name
    from toolglot.streams.local import Job

    name = source_name(request.paths[0], request)
    packed, report_packed = (path is not None and path.lower().endswith(".gz") for path in (output, told))
    lined = told is not None and _is_lined(told)
    return Job(to, how, request.format, name, request.limits, lined, packed, report_packed)


def _carry_out(
    job: Job,
    request: SourceRequest,
    output: str | None,
    told: str | None,
    fails_on_loss: bool,
    force: bool,
    jobs: int | None,
    tally: Tally,
) -> tuple[WriteError | None, bool]:
    """Convert, and write the result, and the report if it has lines.

    Args:
        force: whether files may be replaced; one that appears while this goes on is none of ours either.
        tally: counts what is done.

    Returns:
        Why the result could not be written, and whether there is none because of losses.

    Raises:
        UsageError: none of the tools is chosen; nothing is written.
    """
    from toolglot.conversion.selection import choice_of, nothing_chosen
    from toolglot.streams.local import convert_stream

    pace, began = Pace(request.quiet), time.monotonic()
    fault: WriteError | None = None
    refused = False
    with ExitStack() as stack:
        source = stack.enter_context(_source(request.paths[0], job.name))
        lines = (
            stack.enter_context(writing.open_atomically(told, over=force))
            if told is not None and job.reported
            else None
        )
        stack.callback(pace.clear)
        try:
            with suppress(_Discarded), _destination(output, fails_on_loss, force) as result:
                for part in convert_stream(source, job, jobs):
                    errors, credentials = len(tally.errors), len(tally.credentials)
                    tally.merge(part.tally)
                    for found in (*tally.errors[errors:], *(() if request.quiet else tally.credentials[credentials:])):
                        pace.clear()
                        print_message(str(_in_options(found)))
                    rate = tally.records / max(time.monotonic() - began, 0.001)
                    pace.show(f"{tally.records:,} records, {rate:,.0f}/s")
                    if lines is not None and told is not None:
                        with writing.name_file_in_errors(told):
                            lines.write(part.report)
                    result.write(part.result)
                if choice_of(dict(job.options)) and tally.refused < tally.records and not tally.tools:
                    raise nothing_chosen()
                refused = fails_on_loss and tally.losses > 0
                if refused or (tally.refused and not tally.texts):
                    raise _Discarded
        except WriteError as error:
            if error.source != output:
                raise
            fault = error  # the report is for another file, and may still be written
    if output is not None and request.verbose and not (refused or fault) and (tally.texts or not tally.refused):
        print_message(f"wrote {output}")
    return fault, refused


def _is_lined(path: str) -> bool:
    from toolglot.text.serialization import LINED

    return path.lower().endswith(LINED)


@contextmanager
def _source(path: str, name: str | None) -> Iterator[BinaryIO]:
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "rb"))
        except OSError as error:  # of opening; one of the block is another matter
            raise ReadError(f"cannot be read: {system_reason(error)}", "unreadable", source=name) from error
        yield stream


@contextmanager
def _destination(output: str | None, is_held: bool, force: bool) -> Iterator[BinaryIO]:
    """Where the result goes. What stdout has cannot be taken back; `is_held` keeps it until the block ends well."""
    if output is not None:
        with writing.open_atomically(output, over=force) as stream:
            yield stream
        return
    try:
        if not is_held:
            yield sys.stdout.buffer
        else:
            import shutil
            import tempfile  # 8 ms that nothing else needs

            with tempfile.TemporaryFile() as held:
                yield held
                held.seek(0)
                shutil.copyfileobj(held, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ClosedPipe from None  # as an OSError it would be taken for a fault of the report's file


def _in_options(error: Diagnostic) -> Diagnostic:
    """The error in the words of the command line; the library speaks of its own parameter."""
    import msgspec

    if error.code != "too-large":
        return error
    return msgspec.structs.replace(error, message=error.message.replace("Limits.max_bytes", "--max-size"))


def _show(tally: Tally, to: str, report: str, quiet: bool, to_stdout: bool) -> None:
    from toolglot.cli.report_output import count_lines
    from toolglot.text.serialization import dump_json

    if report == "json":
        dumped = dump_json(_to_json(tally, to))
        if to_stdout:
            print_result(dumped)
        else:
            print_lines(dumped.removesuffix("\n"))
    elif report != "none" and not quiet:
        for line in count_lines(tally.counts):
            print_lines(line)
        print_message(_summary(tally))


def _summary(tally: Tally) -> str:
    said = [
        f"{count_noun(tally.records - tally.refused, 'record')} converted",
        f"{count_noun(tally.refused, 'record')} refused" if tally.refused else "",
        f"{count_noun(tally.blank, 'blank line')}" if tally.blank else "",
    ]
    return f"{', '.join(filter(None, said))}; {count_noun(tally.tools, 'tool')}"


def _to_json(tally: Tally, to: str) -> dict[str, Any]:
    """The totals as a report whose changes are examples."""
    from toolglot.conversion.report import Report
    from toolglot.streams.records import stated

    changes = tuple(change for examples in tally.examples.values() for change in examples)
    origin = ", ".join(tally.origins)
    report = Report(
        origin=origin, target=to, tools=tally.tools, changes=changes, lossless=tally.tools > 0 and tally.lossless
    )
    numbers = report.to_json()
    for action in numbers["summary"]:
        numbers["summary"][action] = sum(number for key, number in tally.counts.items() if key[1] == action)
    codes = Counter[str]()
    for (_, _, code), number in tally.counts.items():
        codes[code] += number
    records = {
        "converted": tally.records - tally.refused,
        "refused": tally.refused,
        "blank": tally.blank,
        "codes": dict(codes),
        "errors": [stated(error) for error in tally.errors],
    }
    return {**numbers, "records": records}
