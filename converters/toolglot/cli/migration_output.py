"""What `migrate` gives: what becomes of each file, what a person should look at, one line of numbers, the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from toolglot.cli.commands.migrate_options import MigrateCommandOptions
from toolglot.cli.file_batch import PASSED_OVER, REFUSED, Outcome
from toolglot.cli.reports.forms import form_of
from toolglot.cli.reports.sheets import Sheet, sheet_of_migrations
from toolglot.cli.terminal import count_noun
from toolglot.conversion.report import Report
from toolglot.files.names import printable_path
from toolglot.files.replacement import Replacement
from toolglot.migration.pipeline import Migration
from toolglot.text.serialization import dump_json

REPORT_KEY = "toolglot-migration"  # what a report begins with

MIGRATED, UNCHANGED, LEFT = "migrated", "left unchanged", "left because a fact is missing"
STATES = (MIGRATED, UNCHANGED, LEFT, REFUSED, PASSED_OVER)


class FileMigration(NamedTuple):
    """What becomes of one file.

    Attributes:
        migration: how it is migrated; `None` where it is left alone.
        changes: the files that are written for it.
        content: what stdin said, where it is left alone.
    """

    migration: Migration | None
    changes: tuple[Replacement, ...] = ()
    content: str = ""


def count_migrations(states: Counter[str], are_written: bool) -> str:
    """How many files came to each state, or would."""
    counts: list[str] = []
    for state in STATES:
        if not states[state]:
            continue
        files = count_noun(states[state], "file")
        if are_written or state in (REFUSED, PASSED_OVER):
            counts.append(f"{files} {state}")
        else:
            counts.append(f"{files} would be {state}")
    return ", ".join(counts)


def mark_of_report(path: str) -> str:
    """A word of every report in a file of this name."""
    form = form_of(path)
    return REPORT_KEY if form is None else form.mark


def report_migrations(
    outcomes: Iterable[Outcome[FileMigration]], states: Counter[str], options: MigrateCommandOptions
) -> str:
    """The report in the form that the name of its file asks for."""
    form = form_of(options.report or "")
    if form is not None:
        return form.render(_sheet(outcomes, states, options))
    return dump_json(
        {
            REPORT_KEY: 1,
            "to": options.to,
            "written": options.writes,
            "summary": {state: states[state] for state in STATES},
            "files": [_file_to_json(outcome) for outcome in outcomes],
        }
    )


def _sheet(outcomes: Iterable[Outcome[FileMigration]], states: Counter[str], options: MigrateCommandOptions) -> Sheet:
    """What changes in meaning, as a sheet."""
    reports: list[Report] = []
    for outcome in outcomes:
        if outcome.result is not None and outcome.result.migration is not None:
            reports.append(outcome.result.migration.report)
    title = f"Migration to {options.to or 'the newest versions'}"
    return sheet_of_migrations(reports, title, count_migrations(states, options.writes))


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
