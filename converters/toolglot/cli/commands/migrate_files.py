"""`migrate`: plans made over several processes, and carried out by one, in the order of the files.

Only this process writes. Two documents that want the same new file are told so in the same way whatever `--jobs` is,
and a worker that is killed leaves nothing behind.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from toolglot.cli import git_revisions
from toolglot.cli.destinations import refuse_foreign
from toolglot.cli.discovery import SourceFile
from toolglot.cli.discovery.ignoring import Rules
from toolglot.cli.discovery.places import STDIN, repository
from toolglot.cli.exit_codes import Exit
from toolglot.cli.files import temporaries, writing
from toolglot.cli.files.replacement import Replacement, files_to_write, replace_files
from toolglot.cli.progress import Seen, watched
from toolglot.cli.report_output import report_lines
from toolglot.cli.sources import (
    Notes,
    SourceFault,
    SourceRequest,
    each,
    find_sources,
    no_tools_error,
    open_source,
    print_unparsed,
    printable_path,
    source_name,
)
from toolglot.cli.terminal import count_noun, print_lines, print_message, print_result
from toolglot.cli.unified_diffs import patch, show_patch
from toolglot.conversion.report import split_path
from toolglot.diagnostics.checks import Diagnostic, from_error
from toolglot.errors import Error, WriteError
from toolglot.formats import MigrationRequest, parse_target
from toolglot.hub.model import to_json
from toolglot.migration.plans import Migration, migrate_document
from toolglot.schema.canonical import shown
from toolglot.text.serialization import dump_json

_REPORT = "toolglot-migration"  # what a report begins with

MIGRATED, UNCHANGED, REFUSED, PASSED_OVER = "migrated", "left unchanged", "refused", "passed over"
LEFT = "left for want of a fact"

ALREADY = "already migrated by another run"
MOST_NOTES = 10  # of one code; a hundred old files would otherwise say the same a hundred times


class Kinds(NamedTuple):
    """The kinds of files by patterns, as in a `.gitignore`; the last that matches counts.

    Attributes:
        base: the folder that the patterns are relative to, without links.
        table: each pattern with its kind.
    """

    base: str = ""
    table: tuple[tuple[str, str], ...] = ()

    def of(self, real: str) -> str | None:
        """The kind of a file, by its absolute path without links; a pattern for a folder is for all that is in it."""
        if not (self.table and real):
            return None
        rules = Rules([pattern for pattern, _ in self.table])
        parts = os.path.relpath(real, self.base).split(os.sep)
        paths = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
        found = [rule.line for path in paths if (rule := rules.match(path, folder=path != paths[-1]))]
        return self.table[max(found) - 1][1] if found else None


class RewriteOptions(NamedTuple):
    """What is asked for.

    Attributes:
        to: `FORMAT[@VERSION]`; `None` is the newest version of every format.
        kind, fill: as in `migrate`.
        kinds: the kinds of some of the files, which count more.
        check: whether a change is an answer, and nothing is written.
        diff: whether changes are printed, and nothing is written.
        marks_new: whether git is told that new files belong to the repository.
    """

    to: str | None
    kind: str | None
    kinds: Kinds
    fill: Mapping[str, str]
    check: bool
    diff: bool
    marks_new: bool

    @property
    def writes(self) -> bool:
        """Whether files are changed."""
        return not (self.check or self.diff)


class FileMigration(NamedTuple):
    """What becomes of one source.

    Attributes:
        source: its path, for messages.
        state: `migrated`, `left unchanged`, `left for want of a fact`, `refused` or `passed over`.
        migration: how it is migrated.
        changes: the files that are written for it.
        problem: why it was refused.
        reason: why it is left alone, where that is not plain.
        content: what stdin said, where it is left alone.
        unparsed: whether that is because nothing could be parsed.
        noted: whether people are told why without asking.
    """

    source: str
    state: str
    migration: Migration | None = None
    changes: tuple[Replacement, ...] = ()
    problem: Diagnostic | None = None
    reason: str = ""
    content: str = ""
    unparsed: bool = False
    noted: bool = False


def rewrite(request: SourceRequest, how: RewriteOptions, jobs: int | None, report: str | None) -> int:
    """Migrate all sources in place, or say what that would change; the exit code."""
    if report is not None:
        refuse_foreign(report, _REPORT)  # now, not after all the work
    found = find_sources(request)
    states: Counter[str] = Counter()
    unparsed = 0
    kept: list[FileMigration] = []
    made: list[str] = []
    notes: Counter[str] = Counter()
    with watched(len(found), request.quiet or how.diff) as seen:
        passed = Notes(request, seen.print_message)
        for outcome in _outcomes(found, request, how, jobs):
            states[outcome.state] += 1
            unparsed += outcome.unparsed
            made += [change.path for change in outcome.changes if change.old is None]
            _tell(outcome, how, request, seen, notes, passed)
            if report is not None and outcome.state != PASSED_OVER:
                kept.append(outcome)
            seen.one()
        passed.end()
    print_unparsed(unparsed, request)
    if set(states) <= {PASSED_OVER} and not request.skips_others:
        raise no_tools_error(request)
    if not request.quiet:
        for code, number in notes.items():
            if number > MOST_NOTES and not request.verbose:
                print_message(f"and {number - MOST_NOTES} more [{code}]; --report FILE has all of them")
        print_message(_summary(states, how))
    if report is not None:
        writing.write_if_changed(report, dump_json(_to_json(kept, how, states)).encode())
    was_marked = not (how.writes and made) or _show_new(made, how, request)
    answer = Exit.NO if states[LEFT] or (how.check and states[MIGRATED]) else Exit.DONE
    return Exit.FAILED if states[REFUSED] or not was_marked else answer


def _show_new(made: Sequence[str], how: RewriteOptions, request: SourceRequest) -> bool:
    """Name new files with the command that adds them, or mark them; whether that was done.

    A commit of all changed files would take the `TOOL.md` and leave behind what it refers to.
    """
    by_top: dict[str, dict[str, str]] = {}  # of each repository, absolute path -> as messages call it
    for path in made:
        top = repository(os.path.dirname(path))
        if top is not None:
            by_top.setdefault(top, {})[os.path.realpath(path)] = path
    ignored = [paths.pop(real) for top, paths in by_top.items() for real in git_revisions.ignored(top, [*paths])]
    if ignored and not request.quiet:
        print_message(f"new files that git ignores; to commit them: git add -f -- {shlex.join(ignored)}")
    new = shlex.join(path for paths in by_top.values() for path in paths.values())
    if not how.marks_new:
        if new and not request.quiet:
            print_message(f"new files; to commit them: git add -- {new}")
        return True
    marked = [git_revisions.intend_to_add(top, [*paths]) for top, paths in by_top.items() if paths]
    if not all(marked):
        print_message(f"error: git did not mark the new files; add them: git add -- {new}")
    elif new and not request.quiet:
        print_message(f"marked as new: {new}")
    return all(marked)


def _outcomes(
    found: Sequence[SourceFile], request: SourceRequest, how: RewriteOptions, jobs: int | None
) -> Iterator[FileMigration]:
    """What becomes of every source, in their order; the files of one are written before it is yielded."""
    for folder in sorted({os.path.dirname(item.real) for item in found if item.real}) if how.writes else ():
        temporaries.remove_leftovers(folder)
    plans = each(partial(_plan, request=request, how=how), partial(_none, request=request), found, request, jobs)
    settle = _settler(how)
    for item, plan in zip(found, plans, strict=True):
        yield settle(item, plan)


# -- in a worker ------------------------------------------------------------------------------------------------


def _plan(found: SourceFile, request: SourceRequest, how: RewriteOptions) -> FileMigration:
    """What becomes of one source; nothing is written."""
    source = source_name(found.path, request)
    opened = open_source(found, request)
    if found.path.lower().endswith(".gz"):
        return FileMigration(source, PASSED_OVER, reason="it is compressed; unpack it to migrate it", noted=True)
    target, version = parse_target(how.to) if how.to else (opened.format, None)
    if target.name != opened.format.name:
        document = opened.document
        content = ("\ufeff" if document.bom else "") + document.text if found.path == STDIN else ""
        return FileMigration(
            source, UNCHANGED, reason=f"it is {opened.format.name}, not {target.name}", content=content
        )
    migration = migrate_document(
        opened.document, opened.format, MigrationRequest(version, how.kinds.of(found.real) or how.kind, how.fill)
    )
    return FileMigration(source, MIGRATED if migration.changed else UNCHANGED, migration)


def _none(found: SourceFile, fault: SourceFault, request: SourceRequest) -> FileMigration:
    state = PASSED_OVER
    if fault.problem is not None:
        state = LEFT if fault.unsaid else REFUSED
    source = source_name(found.path, request)
    return FileMigration(
        source, state, problem=fault.problem, reason=fault.reason, unparsed=fault.unparsed, noted=fault.noted
    )


# -- in this process --------------------------------------------------------------------------------------------


def _settler(how: RewriteOptions) -> Callable[[SourceFile, FileMigration], FileMigration]:
    """A function that carries a plan out, or finds that it cannot be, and says in the outcome what became of it."""
    claimed: dict[str, str] = {}  # new file -> the document that it belongs to

    def settle(found: SourceFile, outcome: FileMigration) -> FileMigration:
        migration = outcome.migration
        if migration is None:
            if outcome.content and how.writes:
                print_result(outcome.content)
            return outcome
        try:
            if found.path == STDIN:
                return _to_stdout(outcome, migration, how)
            if not migration.changed:
                return outcome
            wanted = list(_replacements(found, migration, claimed))
            changes = replace_files(wanted) if how.writes else files_to_write(wanted)
        except Error as error:
            error.source = error.source or outcome.source
            return FileMigration(outcome.source, REFUSED, problem=from_error(error))
        if how.writes and not changes:
            return FileMigration(outcome.source, UNCHANGED, reason=ALREADY, noted=True)
        return outcome._replace(changes=tuple(changes))

    return settle


def _to_stdout(outcome: FileMigration, migration: Migration, how: RewriteOptions) -> FileMigration:
    (_, content), *beside = migration.files
    if beside:
        names = ", ".join(name for name, _ in beside)
        raise WriteError(f"this becomes several files ({names}); give the path of a file", code="several-files")
    if how.writes:
        print_result(content.decode())
        return outcome
    return outcome._replace(changes=(Replacement(outcome.source, content, migration.before),))


def _replacements(found: SourceFile, migration: Migration, claimed: dict[str, str]) -> Iterator[Replacement]:
    """What to write where.

    Raises:
        WriteError: another document has the same file beside it.
    """
    beside = os.path.dirname(found.real if os.path.islink(found.path) else found.path)
    for name, content in migration.files:
        if not name:
            yield Replacement(found.path, content, migration.before, found.real)
            continue
        target = os.path.join(os.path.dirname(found.real), name)
        if (other := claimed.setdefault(target, found.path)) != found.path:
            raise WriteError(f"{other} becomes {name} too; give each a folder of its own", code="file-exists")
        yield Replacement(os.path.join(beside, name), content, None, target)


def _tell(
    outcome: FileMigration, how: RewriteOptions, request: SourceRequest, seen: Seen, notes: Counter[str], passed: Notes
) -> None:
    """Print what became of a source: diffs on stdout, everything else on stderr; `notes` counts what was noted."""
    changes = [change for change in outcome.changes if change.old != change.data]
    for change in changes if how.diff else ():
        show_patch(patch(change.path, change.old, change.data))
    if outcome.problem is not None:
        seen.print_message(str(outcome.problem))
    elif outcome.reason:
        passed.add(outcome.source, f"{outcome.state}: {outcome.reason}", outcome.noted)
    if request.quiet or outcome.migration is None:
        return
    for note in _notes(outcome.migration):
        notes[note.code] += 1
        if notes[note.code] <= MOST_NOTES or request.verbose:
            seen.print_message(str(note))
    for line in report_lines(outcome.migration.report) if request.verbose else ():
        print_lines(line)
    if changes:
        verb = "migrated" if how.writes else "would migrate"
        made = [os.path.basename(change.path) for change in changes if change.old is None]
        seen.print_message(f"{verb} {outcome.source}{' with ' if made else ''}{', '.join(made)}")


def _notes(migration: Migration) -> Iterator[Diagnostic]:
    """What a person should look at: what the format says, and facts that the document does not state any more.

    What the format only kept as it was is no fact; where it goes, the format says.
    """
    yield from migration.notes
    for change in migration.report.changes:
        if change.action != "dropped" or split_path(change.path)[1] == "extensions":
            continue
        yield Diagnostic(
            code=change.code,
            severity="warning",
            message=f"it is not said any more: {shown(to_json(change.before))}",
            pointer=change.path,
            source=change.source,
            line=change.line,
            column=change.column,
        )


def _summary(states: Counter[str], how: RewriteOptions) -> str:
    would = "" if how.writes else "would be "
    said = [
        f"{count_noun(states[state], 'file')} {would if state in (MIGRATED, UNCHANGED, LEFT) else ''}{state}"
        for state in (MIGRATED, UNCHANGED, LEFT, REFUSED, PASSED_OVER)
        if states[state]
    ]
    return ", ".join(said)


def _to_json(outcomes: Iterable[FileMigration], how: RewriteOptions, states: Counter[str]) -> dict[str, Any]:
    return {
        _REPORT: 1,
        "to": how.to,
        "written": how.writes,
        "summary": {state: states[state] for state in (MIGRATED, UNCHANGED, LEFT, REFUSED, PASSED_OVER)},
        "files": [_entry(outcome) for outcome in outcomes],
    }


def _entry(outcome: FileMigration) -> dict[str, Any]:
    entry: dict[str, Any] = {"source": outcome.source, "state": outcome.state}
    if outcome.problem is not None:
        return {**entry, "problem": outcome.problem.to_json()}
    if outcome.migration is None:
        return {**entry, "reason": outcome.reason}
    migration = outcome.migration
    return {
        **entry,
        "format": migration.format,
        "from": migration.origin,
        "to": migration.target,
        "files": [printable_path(change.path) for change in outcome.changes],
        "notes": [note.to_json() for note in migration.notes],
        "changes": [change.to_json() for change in migration.report.changes],
    }
