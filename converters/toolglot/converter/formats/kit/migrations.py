"""What migrations share: documents that stay as they are, and the refusal of invalid results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.formats import Finding, MigratedRecord, Record
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import Problem, find_problems
from toolglot.converter.text.wording import to_short_json
from toolglot.errors import WriteError


def leave_alone(data: dict[str, Any], key: str) -> MigratedRecord:
    """The result for a record of an unknown version: it is not changed, because its keys may mean something else.

    Args:
        key: the key of the version.

    >>> [note.message for note in leave_alone({"version": "9"}, "version").notes]
    ['"9" is no version that is known; nothing was changed']
    """
    message = f"{to_short_json(data.get(key))} is no version that is known; nothing was changed"
    return MigratedRecord(data, notes=(Finding("unknown-version", f"/{key}", message),))


def refuse_new_faults(record: Record, data: dict[str, Any], before: str, after: str) -> None:
    """Refuse a migration after which a document breaks a rule that it kept before.

    Older faults are left to `check`: a document need not be perfect to be migrated.

    Args:
        record: the old record.
        data: the migrated data.
        before, after: the names of the schemas for old and new, such as `"atdf/0.1"`.

    Raises:
        WriteError: the new version cannot say what the old one said; the message names the first such place.
    """
    if canonical.is_valid(data, after):
        return
    places_before = {place for place, _ in _faults(record.data, before)}
    for place, problem in _faults(data, after):
        if place not in places_before:
            raise WriteError(
                f"{problem.message}, which {after.replace('/', ' ')} refuses; change it and migrate again",
                code="unfit-for-version",
                pointer=record.pointer + problem.pointer,
                hint=problem.hint,
            )


def _faults(data: dict[str, Any], name: str) -> Iterator[tuple[tuple[str, str], Problem]]:
    """The faults of a document, each behind what identifies it in both versions: its place and the missing key."""
    for problem in find_problems(data, name):
        missing = problem.message if problem.keyword == "required" else ""
        yield (problem.pointer, missing), problem
