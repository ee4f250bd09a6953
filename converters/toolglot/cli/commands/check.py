"""`toolglot check`."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import click

from toolglot.cli import options
from toolglot.cli.exit_codes import Exit
from toolglot.cli.sources import (
    Notes,
    SourceFault,
    SourceRequest,
    each,
    find_sources,
    no_tools_error,
    parse_source,
    print_unparsed,
    recognise_source,
    source_name,
)
from toolglot.cli.terminal import count_noun, print_message, print_result
from toolglot.errors import LimitError, ParseError
from toolglot.text.serialization import LINED

if TYPE_CHECKING:
    from toolglot.cli.discovery import SourceFile
    from toolglot.diagnostics.checks import Diagnostic, Identity


@click.command(cls=options.Configured, short_help="Say what is wrong or doubtful in tool descriptions.")
@click.argument("path", nargs=-1, default=(".",), type=click.Path(allow_dash=True))
@click.option(
    "--from",
    "format_name",
    type=options.FormatName(written=False),
    metavar="FORMAT[@VERSION]",
    help="The format, and the version to hold the documents to; detected from their content without it.",
)
@click.option("--strict", is_flag=True, help="Take warnings for errors.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How findings are printed.",
)
@options.jobs
@options.sources
def check(request: SourceRequest, strict: bool, style: str, jobs: int | None) -> int:
    """Say what is wrong or doubtful in tool descriptions.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin; without one, the current folder is walked.
    Findings go to stdout. Exit code 1 means that there is an error, 2 that a document could not be read at all. What
    breaks a rule but could be read is a warning; --strict makes it an error.
    """
    from toolglot.cli.diagnostics_output import RENDERERS
    from toolglot.diagnostics.checks import contradictions, from_error

    sources = find_sources(request)
    results = list(each(partial(_checked, request=request, strict=strict), _unread, sources, request, jobs))
    tools = [result for result in results if not result.reason]
    found = [diagnostic for result in tools for diagnostic in result.found]
    found += contradictions(identity for result in tools for identity in result.identities)
    found_nothing = not (tools or request.skips_others)
    if found_nothing:
        found.append(from_error(no_tools_error(request)))
    print_result(RENDERERS[style](found))
    notes = Notes(request)
    for result in results:
        if result.reason:
            notes.add(result.path, f"passed over: {result.reason}", result.noted)
    notes.end()
    print_unparsed(sum(result.unparsed for result in results), request)
    if not request.quiet and style == "text":
        print_message(_summary(sum(result.was_read for result in tools), found))
    if found_nothing or not all(result.was_read for result in tools):
        return Exit.FAILED
    return Exit.NO if any(diagnostic.severity == "error" for diagnostic in found) else Exit.DONE


class _Checked(NamedTuple):
    """What one file gave: findings, and whom it describes; or why it is passed over, as in `SourceFault`."""

    path: str
    found: list[Diagnostic]
    was_read: bool = False
    reason: str = ""
    unparsed: bool = False
    noted: bool = False
    identities: tuple[Identity, ...] = ()


def _checked(found: SourceFile, request: SourceRequest, strict: bool) -> _Checked:
    """One file, in a worker."""
    from toolglot.diagnostics.checks import check_document, is_manifest

    try:
        document = parse_source(found, request)
    except ParseError as error:
        if not found.path.lower().endswith(LINED) or (isinstance(error, LimitError) and error.code != "too-large"):
            raise
        return _by_line(found, request, strict)
    if request.format is None and is_manifest(document):
        return _Checked(found.path, check_document(document, None, strict=strict).found, True)
    opened = recognise_source(found, document, request)
    result = check_document(document, request.format or opened.format.name, strict=strict)
    return _Checked(found.path, result.found, True, identities=result.identities)


def _by_line(found: SourceFile, request: SourceRequest, strict: bool) -> _Checked:
    """JSON Lines that cannot be read whole, because one is broken, or because they are many.

    Raises:
        ReadError: the first is no tool description; `is_other_file` says whether that matters.
    """
    from toolglot.diagnostics.checks import check_lines
    from toolglot.streams.local import chunks
    from toolglot.text import serialization

    name = source_name(found.path, request)
    with open(found.path, "rb") as stream:
        lines = (
            pair
            for chunk in chunks(stream, request.limits.max_bytes, name)
            for pair in zip(chunk.numbers, chunk.lines, strict=True)
        )
        first = next(lines, None)
        if first is not None and not (found.named or found.claimed):
            recognise_source(found, serialization.load(first[1], "line.jsonl", request.limits), request)
        every = chain([] if first is None else [first], lines)
        results = list(check_lines(every, name, request.format, strict=strict, limits=request.limits))
    findings = [diagnostic for result in results for diagnostic in result.found]
    identities = tuple(identity for result in results for identity in result.identities)
    return _Checked(found.path, findings, all(result.was_read for result in results), identities=identities)


def _unread(found: SourceFile, fault: SourceFault) -> _Checked:
    faults = [] if fault.problem is None else [fault.problem]
    return _Checked(found.path, faults, reason=fault.reason, unparsed=fault.unparsed, noted=fault.noted)


def _summary(documents: int, found: list[Diagnostic]) -> str:
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    counts = [
        count_noun(number, noun) for number, noun in ((errors, "error"), (len(found) - errors, "warning")) if number
    ]
    return f"{count_noun(documents, 'document')} checked: {', '.join(counts) or 'nothing to complain about'}"
