"""`toolglot diff`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from toolglot.cli import options
from toolglot.cli.exit_codes import Exit
from toolglot.cli.sources import (
    Notes,
    SourceRequest,
    is_other_file,
    is_unparsed,
    no_tools_error,
    open_all,
    print_unparsed,
    usual_file_names,
)
from toolglot.cli.terminal import count_noun, print_message, print_result
from toolglot.errors import DetectionError, Error, ReadError, UsageError

if TYPE_CHECKING:
    from toolglot.cli.discovery import Selection, SourceFile
    from toolglot.cli.git_revisions import Blob, Revision
    from toolglot.cli.progress import Pace
    from toolglot.comparison.contracts import Difference
    from toolglot.conversion.reading import Reading
    from toolglot.text.serialization import Document


@click.command(
    cls=options.Configured, short_help="Say what changed between two contracts, and whether it breaks callers."
)
@click.argument("old", type=click.Path(allow_dash=True))
@click.argument("new", type=click.Path(allow_dash=True))
@options.from_format
@click.option("--check", is_flag=True, help="Exit with 1 when a version does not follow what changed.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How the difference is printed; markdown is for a pull request.",
)
@options.sources
def diff(request: SourceRequest, old: str, new: str, check: bool, style: str) -> int:
    """Say what changed between two contracts, and whether it breaks callers.

    OLD and NEW are files, folders, - for stdin (once), or REV:PATH for a file or folder at a git revision; their
    formats may differ. The difference goes to stdout. Exit code 2 means that a side could not be read.
    """
    from toolglot.cli.comparison_output import RENDERERS
    from toolglot.cli.progress import Pace
    from toolglot.comparison.contracts import diff as compare

    if old == new == "-":
        raise UsageError("stdin can be read once; name a file for one of the two sides", "usage")
    pace = Pace(request.quiet)
    before, unread = _read(old, request, pace, new)
    after, code = _read(new, request, pace)
    code = max(code, unread)
    if not after or (unread and not before):
        return Exit.FAILED
    found = compare(before, after, watch=lambda done, total: pace.show(f"{done:,} of {total:,} compared"))
    pace.clear()
    print_result(RENDERERS[style](found))
    if not request.quiet:
        for line in _summary(found):
            print_message(line)
    return max(code, Exit.NO) if check and not found.follows else code


def _summary(found: Difference) -> Iterator[str]:
    counts = ", ".join(f"{number} {kind}" for kind, number in found.counts().items())
    yield f"{count_noun(found.compared, 'tool')} compared: {counts or 'no difference'}"
    if found.not_comparable:
        yield f"not compared, because one of the formats cannot say it: {', '.join(found.not_comparable)}"
    if not found.follows:
        behind = sum(not tool.follows for tool in found.tools)
        yield f"{count_noun(behind, 'version')} should have grown further"


# -- sources ----------------------------------------------------------------------------------------------------------


def _read(source: str, request: SourceRequest, pace: Pace, now: str | None = None) -> tuple[list[Reading], int]:
    """What one side describes, and the exit code so far; what cannot be read is named on stderr.

    Args:
        now: for the old side, the new one: if that is the same place, there may have been nothing yet. Any other
            place without tools is a slip, and to call every tool new would let all changes pass.
    """
    from toolglot.cli import git_revisions
    from toolglot.diagnostics.checks import from_error

    revision = git_revisions.parse(source)
    is_old = now is not None
    found = (
        _at_revision(revision, request, is_old) if revision else _in_files(request._replace(paths=(source,)), is_old)
    )
    readings: list[Reading] = []
    code: int = Exit.DONE
    for item in found:
        if not isinstance(item, Error):
            readings.append(item)
            pace.show(f"{source}: {count_noun(len(readings), 'file')} read")
            continue
        pace.clear()
        if revision and now and item.code in _NOTHING and git_revisions.is_at(revision, now):
            print_message(f"{source}: no tool was there; every tool is new")
        else:
            print_message(str(from_error(item)))
            code = Exit.FAILED
    pace.clear()
    return readings, code


_NOTHING = ("not-in-revision", "no-sources")


def _in_files(request: SourceRequest, is_old: bool) -> Iterator[Reading | Error]:
    for item in open_all(request):
        try:
            yield (
                item if isinstance(item, Error) else _reading(item.document, request.format or item.format.name, is_old)
            )
        except Error as error:
            yield error


def _reading(document: Document, format_name: str | None, is_old: bool) -> Reading:
    """What a document says. One that only a migration can read is an old side too: it says what the new one says."""
    from toolglot.conversion.sources import open_document, read_document

    try:
        return read_document(document, format_name)
    except ReadError:
        if not is_old:
            raise
        migrated = _migrated(document)
        if migrated is None:
            raise
        return read_document(open_document(migrated, document.name), format_name)


def _migrated(document: Document) -> str | None:
    from toolglot.formats import MigrationRequest
    from toolglot.formats.detection import detect
    from toolglot.migration.plans import migrate_document

    try:
        found = detect(document.data, document.body, document.name)
        kind = next(iter(found.migration.kinds), None)  # how it runs is no part of the contract
        return migrate_document(document, found, MigrationRequest(kind=kind)).text
    except Error:
        return None


def _at_revision(revision: Revision, request: SourceRequest, is_old: bool) -> Iterator[Reading | Error]:
    """As `_in_files`, of what is committed, so that no `.gitignore` matters."""
    from toolglot.cli import discovery, git_revisions

    names = usual_file_names()
    wanted = _wanted((*names, *discovery.DETECTED), request.selection)
    empty = True
    unparsed = 0
    notes = Notes(request)
    try:
        for blob in git_revisions.read(revision, wanted, request.limits.max_bytes):
            claimed = any(fnmatchcase(os.path.basename(blob.relative), pattern) for pattern in names)
            found = discovery.SourceFile(blob.name, blob.relative, blob.named, claimed)
            item = _opened(found, blob, request, is_old)
            if isinstance(item, Error) and is_other_file(item, found):
                unparsed += is_unparsed(item, found)
                notes.add(blob.name, f"passed over: {item.message}", claimed)
                continue
            empty = False
            yield item
    except Error as error:
        yield error
        return
    notes.end()
    print_unparsed(unparsed, request)
    if empty:
        yield no_tools_error(request._replace(paths=(str(revision),)))


def _opened(found: SourceFile, blob: Blob, request: SourceRequest, is_old: bool) -> Reading | Error:
    from toolglot.conversion.sources import open_document

    if isinstance(blob.data, Error):
        return blob.data
    try:
        document = open_document(blob.data, found.path, request.limits)
        reading = _reading(document, request.format if found.named or found.claimed else None, is_old)
        if request.format and reading.format.name != request.format.partition("@")[0]:
            return DetectionError(f"this is {reading.format.name}", code="other-format", source=found.path)
        return reading
    except Error as error:
        error.source = error.source or found.path
        return error


def _wanted(patterns: Sequence[str], selection: Selection) -> Callable[[str], bool]:
    """Whether a committed file is looked into, by its path from the folder that was named."""
    from toolglot.cli.discovery.ignoring import Rules

    rules = Rules((*selection.exclude, *(f"!{kept}" for kept in selection.include), *selection.extend_exclude))

    def is_out(path: str, folder: bool) -> bool:
        rule = rules.match(path, folder)
        return rule is not None and not rule.negated

    def wanted(path: str) -> bool:
        parts = path.split("/")
        if not any(fnmatchcase(parts[-1], pattern) for pattern in patterns) or is_out(path, folder=False):
            return False
        return not any(is_out("/".join(parts[:depth]), folder=True) for depth in range(1, len(parts)))

    return wanted
