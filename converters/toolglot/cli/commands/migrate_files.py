"""`migrate`: what it is asked for, plans made over several processes and carried out by one, and the report.

Only this process writes. Two documents that want the same new file are told so in the same way whatever `--jobs` is,
and a worker that is killed leaves nothing behind.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from toolglot.cli import git
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import PASSED_OVER, REFUSED, Outcome, Run, count_states, refuse
from toolglot.cli.opened_sources import SourceFile, find_sources, open_source
from toolglot.cli.options import SourceRequest, patterns_of
from toolglot.cli.reports.report_forms import refuse_other_file, write_report
from toolglot.cli.reports.sheets import Sheet, sheet_of_migrations
from toolglot.cli.reports.unified_diffs import print_diff, unified_diff
from toolglot.cli.reports.verbose_report import list_changes
from toolglot.cli.terminal import print_lines, print_message, print_result
from toolglot.converter.file_search.excluded_folders import STDIN
from toolglot.converter.file_search.file_patterns import FilePatterns
from toolglot.converter.file_search.repositories import repository
from toolglot.converter.files.commit import FileChange, change_files, changes_to_make
from toolglot.converter.files.names import path_in, portable_path, printable_path
from toolglot.converter.files.temporaries import remove_leftovers_beside
from toolglot.converter.formats import MigrationRequest, parse_target
from toolglot.converter.text.compression import PACKED
from toolglot.errors import Error, UnsaidError, WriteError
from toolglot.verbs.migration.pipeline import Migration, migrate_document

_REPORT_KEY = "toolglot-migration"  # what a report begins with

MIGRATED, UNCHANGED, LEFT = "migrated", "left unchanged", "left because a fact is missing"
_PLANNED = (MIGRATED, UNCHANGED, LEFT)  # what is known before anything is written
_STATES = (*_PLANNED, REFUSED, PASSED_OVER)

MOST_NOTES = 10  # of one code; a hundred old files would otherwise say the same a hundred times


class MigrateCommandOptions(NamedTuple):
    """What `migrate` was asked for, apart from its sources.

    Attributes:
        to: `FORMAT[@VERSION]`; `None` is the newest version of every format.
        kind, fill: as in `migrate`.
        kinds: the kinds of some of the files, which count more.
        is_check: whether a change is an answer, and nothing is written.
        is_diff: whether changes are printed, and nothing is written.
        marks_new: whether git is told that new files belong to the repository.
        report: the file of the report, if one is wanted.
        jobs: how many processes.
    """

    to: str | None
    kind: str | None
    kinds: FilePatterns[str]
    fill: Mapping[str, str]
    is_check: bool
    is_diff: bool
    marks_new: bool
    report: str | None
    jobs: int | None

    @property
    def writes(self) -> bool:
        """Whether files are changed."""
        return not (self.is_check or self.is_diff)


class FileMigration(NamedTuple):
    """What becomes of one file.

    Attributes:
        migration: how it is migrated; `None` where it is left alone.
        changes: the files that are written for it.
        content: what stdin said, where it is left alone.
    """

    migration: Migration | None
    changes: tuple[FileChange, ...] = ()
    content: str = ""


def migrate_files(
    request: SourceRequest, kinds: Sequence[tuple[str, str]], fill: Iterable[tuple[str, str]], **values: Any
) -> int:
    """Migrate all sources in place, or say what that would change; the exit code.

    Args:
        values: the other fields of `MigrateCommandOptions`.
    """
    patterns = patterns_of("kinds", [pair for pair in kinds if pair[0]])
    options = MigrateCommandOptions(kind=dict(kinds).get(""), kinds=patterns, fill=dict(fill), **values)
    refuse_other_file(options.report, _REPORT_KEY)
    files = find_sources(request)
    if options.writes:
        remove_leftovers_beside(file.real for file in files)
    run = Run(request, options.jobs, counts_files=not options.is_diff)
    migrator = _Migrator(run, options)
    outcomes: list[Outcome[FileMigration]] = []
    for file, plan in run.perform(partial(_plan_file, options=options), files):
        outcome = migrator.carry_out(file, plan)
        run.add(outcome)
        migrator.print_changes(outcome)
        if options.report is not None and outcome.state != PASSED_OVER:
            outcomes.append(outcome)
    run.finish()
    if not request.verbose:
        for code, number in migrator.notes.items():
            if number > MOST_NOTES:
                run.tell(f"and {number - MOST_NOTES} more [{code}]; --report FILE has all of them")
    total = count_states(run.states, _STATES, () if options.writes else _PLANNED)
    run.tell(total)
    _write_report(outcomes, run.states, total, options)
    if options.writes:
        _settle_new_files(migrator.new_files, run, options)
    return run.exit_code


# -- in a worker ------------------------------------------------------------------------------------------------------


def _plan_file(file: SourceFile, options: MigrateCommandOptions) -> Outcome[FileMigration]:
    """What becomes of one file; nothing is written."""
    source = open_source(file)
    if file.path.lower().endswith(PACKED):
        return Outcome(PASSED_OVER, reason="it is compressed; unpack it to migrate it", is_noted=True)
    target, version = source.format, None
    if options.to:
        target, version = parse_target(options.to)
    if target.name != source.format.name:
        content = source.document.file_content.decode() if file.path == STDIN else ""
        reason = f"it is {source.format.name}, not {target.name}"
        return Outcome(UNCHANGED, FileMigration(None, content=content), reason=reason)
    kinds = options.kinds.values_of(file.real)  # the last pattern that matches counts
    kind = kinds[-1] if kinds else options.kind
    migration_request = MigrationRequest(version, kind, options.fill, source.document.path)
    try:
        migration = migrate_document(source.document, source.format, migration_request)
    except UnsaidError as error:
        outcome = refuse(error, file.name)
        return replace(outcome, state=LEFT, exit_code=Exit.NO)
    if not migration.changed:
        return Outcome(UNCHANGED, FileMigration(migration))
    exit_code = Exit.NO if options.is_check else Exit.DONE
    return Outcome(MIGRATED, FileMigration(migration), exit_code=exit_code)


# -- in this process --------------------------------------------------------------------------------------------------


class _Migrator(msgspec.Struct):
    """Carries plans out, and tells people what that changes.

    Attributes:
        new_files: what was made.
        notes: how many people were told, or would be, of each code.
    """

    _run: Run
    _options: MigrateCommandOptions
    _owners: dict[str, str] = {}  # new file -> the document that it belongs to
    new_files: list[str] = []
    notes: Counter[str] = msgspec.field(default_factory=Counter)

    def carry_out(self, file: SourceFile, plan: Outcome[FileMigration]) -> Outcome[FileMigration]:
        """The outcome of a file when its plan was carried out, or could not be."""
        if plan.result is None:
            return plan
        migration = plan.result.migration
        if migration is None:
            if plan.result.content and self._options.writes:
                print_result(plan.result.content)
            return plan
        try:
            if file.path == STDIN:
                (_, content), *others = migration.files
                if others:
                    names = ", ".join(name for name, _ in others)
                    message = f"this becomes several files ({names}); give the path of a file"
                    raise WriteError(message, code="several-files")
                changes = []
                if self._options.writes:
                    print_result(content.decode())
                else:
                    changes = [FileChange(plan.source, content, migration.before)]
            elif migration.changed:
                planned = list(self._replacements(file, migration))
                changes = change_files(planned) if self._options.writes else changes_to_make(planned)
            else:
                return plan
        except Error as error:
            return refuse(error, plan.source)
        if not changes and file.path != STDIN and self._options.writes:
            return Outcome(UNCHANGED, source=plan.source, reason="already migrated by another run", is_noted=True)
        self.new_files += [change.path for change in changes if change.old is None]
        return replace(plan, result=FileMigration(migration, tuple(changes)))

    def _replacements(self, file: SourceFile, migration: Migration) -> Iterator[FileChange]:
        """What to write where.

        Raises:
            WriteError: another document has the same file beside it.
        """
        folder = os.path.dirname(file.path)
        if os.path.islink(file.path):
            folder = os.path.dirname(file.real)
        for name, content in migration.files:
            if not name:
                yield FileChange(file.path, content, migration.before, file.real)
                continue
            target = os.path.join(os.path.dirname(file.real), name)
            owner = self._owners.setdefault(target, file.path)
            if owner != file.path:
                raise WriteError(f"{owner} becomes {name} too; give each a folder of its own", code="file-exists")
            yield FileChange(path_in(folder, name), content, None, target)

    def print_changes(self, outcome: Outcome[FileMigration]) -> None:
        """Print what became of a file: diffs on stdout, everything else on stderr."""
        result = outcome.result
        if result is None or result.migration is None:
            return
        changes = [change for change in result.changes if change.old != change.data]
        if self._options.is_diff:
            for change in changes:
                print_diff(unified_diff(change.path, change.old, change.data))
        if self._run.request.quiet:
            return
        for note in result.migration.findings:
            self.notes[note.code] += 1
            if self.notes[note.code] <= MOST_NOTES or self._run.request.verbose:
                print_message(str(note))
        if self._run.request.verbose:
            print_lines(list_changes(result.migration.report))
        if changes:
            verb = "migrated" if self._options.writes else "would migrate"
            message = f"{verb} {outcome.source}"
            new_files = [os.path.basename(change.path) for change in changes if change.old is None]
            if new_files:
                message += f" with {', '.join(new_files)}"
            print_message(message)


# -- new files --------------------------------------------------------------------------------------------------------


def _settle_new_files(new_files: Sequence[str], run: Run, options: MigrateCommandOptions) -> None:
    """Name new files with the command that adds them, or mark them.

    A commit of all changed files would take the `TOOL.md` and leave behind what it refers to.
    """
    by_repository: dict[str, dict[str, str]] = {}  # top -> absolute path -> as every shell takes it
    for path in new_files:
        top = repository(os.path.dirname(path))
        if top is not None:
            by_repository.setdefault(top, {})[os.path.realpath(path)] = portable_path(path)
    ignored_paths = []
    for top, paths in by_repository.items():
        ignored_paths += [paths.pop(real) for real in git.find_ignored(top, list(paths))]
    if ignored_paths:
        run.tell(f"new files that git ignores; to commit them: git add -f -- {shlex.join(ignored_paths)}")
    names = shlex.join(chain.from_iterable(paths.values() for paths in by_repository.values()))
    if not names:
        return
    if not options.marks_new:
        run.tell(f"new files; to commit them: git add -- {names}")
        return
    are_marked = [git.intend_to_add(top, list(paths)) for top, paths in by_repository.items() if paths]
    if all(are_marked):
        run.tell(f"marked as new: {names}")
    else:
        run.fail(f"error: git did not mark the new files; add them: git add -- {names}", Exit.FAILED)


# -- the report -------------------------------------------------------------------------------------------------------


def _write_report(
    outcomes: Iterable[Outcome[FileMigration]], states: Counter[str], total: str, options: MigrateCommandOptions
) -> None:
    """Write the report, if one is wanted; `total` says how many files came to each state."""

    def make_sheet(shows_texts: bool) -> Sheet:
        migrations = [outcome.result.migration for outcome in outcomes if outcome.result is not None]
        reports = [migration.report for migration in migrations if migration is not None]
        title = f"Migration to {options.to or 'the newest versions'}"
        return sheet_of_migrations(reports, title, total)

    def make_data() -> dict[str, Any]:
        return {
            _REPORT_KEY: 1,
            "to": options.to,
            "written": options.writes,
            "summary": {state: states[state] for state in _STATES},
            "files": [_file_to_json(outcome) for outcome in outcomes],
        }

    write_report(options.report, make_sheet, make_data)


def _file_to_json(outcome: Outcome[FileMigration]) -> dict[str, Any]:
    entry: dict[str, Any] = {"source": outcome.source, "state": outcome.state}
    if outcome.problem is not None:
        return {**entry, "problem": outcome.problem.to_json()}
    if outcome.result is None or outcome.result.migration is None:
        return {**entry, "reason": outcome.reason}
    migration = outcome.result.migration
    return {
        **entry,
        "format": migration.format,
        "from": migration.origin,
        "to": migration.target,
        "files": [printable_path(change.path) for change in outcome.result.changes],
        "notes": [note.to_json() for note in migration.notes],
        "changes": [change.to_json() for change in migration.report.changes],
    }
