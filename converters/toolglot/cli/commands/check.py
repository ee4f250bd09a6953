"""`toolglot check`."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import click

from toolglot.cli import options
from toolglot.cli.exit_codes import Exit
from toolglot.cli.sources import (
    Asked,
    Notes,
    SourceFault,
    called,
    each,
    find_all,
    nothing_found,
    parsed,
    recognised,
    say_unparsed,
)
from toolglot.cli.terminal import counted, data, say
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
def check(asked: Asked, strict: bool, style: str, jobs: int | None) -> int:
    """Say what is wrong or doubtful in tool descriptions.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin; without one, the current folder is walked.
    Findings go to stdout. Exit code 1 means that there is an error, 2 that a document could not be read at all. What
    breaks a rule but could be read is a warning; --strict makes it an error.
    """
    from toolglot.cli.diagnostics_output import RENDERERS
    from toolglot.diagnostics.checks import contradictions, from_error

    sources = find_all(asked)
    results = list(each(partial(_checked, asked=asked, strict=strict), _unread, sources, asked, jobs))
    tools = [result for result in results if not result.reason]
    found = [diagnostic for result in tools for diagnostic in result.found]
    found += contradictions(identity for result in tools for identity in result.identities)
    found_nothing = not (tools or asked.skips_others)
    if found_nothing:
        found.append(from_error(nothing_found(asked)))
    data(RENDERERS[style](found))
    notes = Notes(asked)
    for result in results:
        if result.reason:
            notes.add(result.path, f"passed over: {result.reason}", result.noted)
    notes.end()
    say_unparsed(sum(result.unparsed for result in results), asked)
    if not asked.quiet and style == "text":
        say(_summary(sum(result.was_read for result in tools), found))
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


def _checked(found: SourceFile, asked: Asked, strict: bool) -> _Checked:
    """One file, in a worker."""
    from toolglot.diagnostics.checks import check_document, is_manifest

    try:
        document = parsed(found, asked)
    except ParseError as error:
        if not found.path.lower().endswith(LINED) or (isinstance(error, LimitError) and error.code != "too-large"):
            raise
        return _by_line(found, asked, strict)
    if asked.format is None and is_manifest(document):
        return _Checked(found.path, check_document(document, None, strict=strict).found, True)
    opened = recognised(found, document, asked)
    result = check_document(document, asked.format or opened.format.name, strict=strict)
    return _Checked(found.path, result.found, True, identities=result.identities)


def _by_line(found: SourceFile, asked: Asked, strict: bool) -> _Checked:
    """JSON Lines that cannot be read whole, because one is broken, or because they are many.

    Raises:
        ReadError: the first is no tool description; `is_no_tool` says whether that matters.
    """
    from toolglot.diagnostics.checks import check_lines
    from toolglot.streams.local import chunks
    from toolglot.text import serialization

    name = called(found.path, asked)
    with open(found.path, "rb") as stream:
        lines = (
            pair
            for chunk in chunks(stream, asked.limits.max_bytes, name)
            for pair in zip(chunk.numbers, chunk.lines, strict=True)
        )
        first = next(lines, None)
        if first is not None and not (found.named or found.claimed):
            recognised(found, serialization.load(first[1], "line.jsonl", asked.limits), asked)
        every = chain([] if first is None else [first], lines)
        results = list(check_lines(every, name, asked.format, strict=strict, limits=asked.limits))
    findings = [diagnostic for result in results for diagnostic in result.found]
    identities = tuple(identity for result in results for identity in result.identities)
    return _Checked(found.path, findings, all(result.was_read for result in results), identities=identities)


def _unread(found: SourceFile, fault: SourceFault) -> _Checked:
    faults = [] if fault.problem is None else [fault.problem]
    return _Checked(found.path, faults, reason=fault.reason, unparsed=fault.unparsed, noted=fault.noted)


def _summary(documents: int, found: list[Diagnostic]) -> str:
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    counts = [counted(number, noun) for number, noun in ((errors, "error"), (len(found) - errors, "warning")) if number]
    return f"{counted(documents, 'document')} checked: {', '.join(counts) or 'nothing to complain about'}"
