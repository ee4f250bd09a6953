"""`diff` of two sides: each is read from the disk or from a revision, and the difference is printed."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable, Iterator
from contextlib import suppress
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from toolglot.cli import git
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import READ, Outcome, Run, open_errors, refuse_lost
from toolglot.cli.git import Revision
from toolglot.cli.opened_sources import SourceFile, find_sources, open_source
from toolglot.cli.options import SourceRequest, describe_failing, refuse_shared_stdin
from toolglot.cli.reports.diff_report import RENDERERS, describe_text, summarize
from toolglot.cli.reports.report_forms import refuse_other_file, write_report
from toolglot.cli.reports.sheets import describe_uncompared, sheet_of_difference
from toolglot.cli.terminal import print_message, print_messages, print_result
from toolglot.converter.conversion.fail_on import FailOn
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import open_document, read_document, usual_file_names
from toolglot.converter.file_search import DETECTED, is_pattern
from toolglot.converter.file_search.excluded_folders import STDIN, FolderReader
from toolglot.converter.file_search.globs import name_matcher
from toolglot.converter.files.names import printable_path
from toolglot.converter.formats import MigrationRequest
from toolglot.converter.formats.detection import format_of
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.wording import count_noun
from toolglot.errors import Error, ReadError
from toolglot.verbs.comparison.comparison_in_parts import Side, diff_many
from toolglot.verbs.diagnostics.diagnostic import from_error
from toolglot.verbs.migration.pipeline import migrate_document

DIFFERENCE_KEY = "toolglot-difference"  # what a difference as JSON begins with

_TELLING_WORDS = frozenset({FailOn.WORDS, FailOn.ANY})
_MOST_COPIED = 64 * 1024 * 1024  # bytes of the Markdown of a revision
_NOTHING = ("not-in-revision", "no-sources")


def diff_sides(
    request: SourceRequest,
    old: str,
    new: str,
    check: bool,
    fail_on: Collection[FailOn],
    style: str,
    report: str | None,
    jobs: int | None,
    errors: str | None,
) -> int:
    """Compare two sides, print the difference, and write it to a file if one is named; the exit code.

    Args:
        check: whether a version that is too low for what changed makes the answer no.
        fail_on: which changes do.
        style: the form of what is printed.
        report: the file.
        jobs: how many processes read a side.
        errors: the file for every record and source that is refused; `None` for none.
    """
    refuse_other_file(report, DIFFERENCE_KEY)
    refuse_shared_stdin(old, new)
    with open_errors(errors) as write_errors:
        run = Run(request, jobs, write_errors=write_errors)
        before = _read_side(old, run, new)
        may_lack_old = run.exit_code == Exit.DONE
        after = _read_side(new, run, places_before=before.places)
    if not after.readings or not (before.readings or may_lack_old):
        return Exit.FAILED

    difference = diff_many(before, after, lambda number, total: run.progress.show(f"{number:,} of {total:,} compared"))
    print_result(RENDERERS[style](difference))
    write_report(report, lambda _: sheet_of_difference(difference), difference.to_json)
    run.tell(summarize(difference))
    if difference.not_comparable:
        run.tell(describe_uncompared(difference))
    lagging = [tool for tool in difference.tools if not tool.follows]
    unshown = sum(tool.given == "unknown" for tool in lagging)
    if unshown:
        run.tell(f"{count_noun(unshown, 'tool')} changed, and no version says so")
    if unshown < len(lagging):
        run.tell(f"{count_noun(len(lagging) - unshown, 'version')} too low for what changed")
    failing = difference.failing(fail_on)
    if _TELLING_WORDS.intersection(fail_on):
        print_messages(map(describe_text, difference.words))
    if failing:
        run.fail(describe_failing(len(failing), fail_on, effect=""))
    if check and not difference.follows:
        run.fail()
    return run.exit_code


# -- sides ------------------------------------------------------------------------------------------------------------


def _read_side(side: str, whole: Run, new_side: str | None = None, places_before: Container[str] = ()) -> Side:
    """What one side describes; what cannot be read is named on stderr.

    Args:
        whole: the comparison that it is for.
        new_side: for the old side, the new one: if that is the same place, there may have been nothing yet. Any other
            place without tools is a slip, and to call every tool new would let all changes pass.
        places_before: for the new side, the files of the old one: such a file is refused if it is passed over now,
            because to call its tools gone would be a guess.
    """
    revision = git.parse_revision(side)
    request = whole.request._replace(paths=(side,))
    run = Run(request, whole.jobs, write_errors=whole.write_errors)
    found = Side()
    try:
        files: Iterable[SourceFile]
        if revision is None:
            if side != STDIN and not os.path.lexists(side) and not is_pattern(side):
                name = printable_path(side)
                hint = f"for a revision of git, write {name}:."  # which whoever knows git may have meant
                raise ReadError("cannot be read: no such file or directory", "unreadable", source=name, hint=hint)
            files = find_sources(request)
        else:
            files = _files_at(revision, request)
        for file, outcome in run.perform(_read_file, files, by_record=True):
            if file.relative in places_before:
                outcome = refuse_lost(outcome)
            if outcome.result is not None:
                found.add(outcome.result, file.relative)
            if outcome.line is None:  # else the run says how many records it has read
                run.progress.show(f"{side}: {count_noun(len(found.readings), 'file')} read")
            run.add(outcome)
        run.finish()
    except ReadError as error:
        if revision and new_side and error.code in _NOTHING and git.place_of(revision) == os.path.abspath(new_side):
            print_message(f"{side}: no tool was there; every tool is new")
        else:
            run.fail(str(from_error(error)), Exit.FAILED)
    whole.fail(code=run.exit_code)
    return found


def _read_file(file: SourceFile) -> Outcome[Reading]:
    """What a file says; one that only a migration can read says what it would say then."""
    source = open_source(file)
    format_name = file.request.format or source.format.name
    try:
        return Outcome(READ, read_document(source.document, format_name, hears_slots=False))
    except ReadError:
        new_bytes = _migrate(source.document)
        if new_bytes is None:
            raise
        migrated = open_document(new_bytes, source.document.name, restore=source.document.restore)
        return Outcome(READ, read_document(migrated, format_name, hears_slots=False))


def _migrate(document: Document) -> str | None:
    """The document in the newest version of its format, if it has one."""
    try:
        document_format = format_of(document)
        kind = next(iter(document_format.migration.kinds), None)  # how it runs is no part of the contract
        return migrate_document(document, document_format, MigrationRequest(kind=kind)).text
    except Error:
        return None


# -- revisions --------------------------------------------------------------------------------------------------------


def _files_at(revision: Revision, request: SourceRequest) -> Iterator[SourceFile]:
    """The files of what is committed, so that no `.gitignore` matters.

    Raises:
        ReadError: there is no such revision, or git cannot read it.
    """
    names = usual_file_names(request.format)
    is_usual_name = name_matcher(names)
    may_be_tool = name_matcher((*names, *DETECTED))
    path_filter = replace(request.path_filter, gitignore=False)
    folder, _ = FolderReader(path_filter, lambda *_: None).read(git.place_of(revision))

    def is_wanted(path: str) -> bool:
        return bool(may_be_tool(os.path.basename(path))) and not folder.is_excluded(path)

    place = os.path.relpath(git.place_of(revision), git.place_of(Revision(revision.revision, "")))
    with TemporaryDirectory(prefix="toolglot-") as copy:
        for blob in git.read_revision(revision, is_wanted, request.limits.max_bytes):
            real = ""
            if _is_markdown(blob.relative) and _has_front_matter(blob.data):
                if not os.listdir(copy):
                    _copy_markdown(revision, copy, request.limits.max_bytes)
                real = os.path.normpath(os.path.join(copy, place, "" if blob.is_named else blob.relative))
            has_usual_name = bool(is_usual_name(os.path.basename(blob.relative)))
            yield SourceFile(
                blob.name,
                blob.relative,
                blob.is_named,
                has_usual_name,
                real=real,
                request=request,
                content=blob.data,
            )


def _copy_markdown(revision: Revision, top: str, max_bytes: int) -> None:
    """Write the Markdown files of a whole revision below a folder, because documents refer to those around them.

    Raises:
        ReadError: git cannot read them.
    """
    os.mkdir(os.path.join(top, ".git"))  # here the repository ends
    room = _MOST_COPIED
    for blob in git.read_revision(Revision(revision.revision, ""), _is_markdown, max_bytes):
        parts = blob.relative.split("/")
        is_inside = {"", ".", "..", ".git"}.isdisjoint(parts)  # a tree of git may hold any name
        if not is_inside or isinstance(blob.data, Error) or not _has_front_matter(blob.data):
            continue
        room -= len(blob.data)
        if room < 0:
            return
        path = os.path.join(top, *parts)
        with suppress(OSError):  # a name that no file can have
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(blob.data)


def _is_markdown(path: str) -> bool:
    return path.endswith(".md")


def _has_front_matter(data: bytes | ReadError) -> bool:
    return isinstance(data, bytes) and b"---" in data[:16]
