"""Errors of a record: a code, and one text for what it means and what to do about it."""

from __future__ import annotations

from typing import Any

from toolglot.converter.hub.model import ErrorCode
from toolglot.converter.text.english import is_english
from toolglot.converter.text.pointers import without_keys
from toolglot.converter.text.sentences import end_sentence

_ACTION = " Action: "


def load_errors(entries: list[dict[str, Any]]) -> tuple[ErrorCode, ...]:
    """The errors of a record. A text with the label `Action:` is divided if `dump_errors` would write the same text.

    >>> load_errors([{"code": "busy", "description": "The line is busy. Action: Call again."}])
    (ErrorCode(code='busy', description='The line is busy.', action='Call again.'),)
    """
    errors = []
    for entry in entries:
        rest = without_keys(entry, "code", "description")
        meaning, _, action = entry["description"].rpartition(_ACTION)
        if not (meaning and action and _explain(meaning, action) == entry["description"]):
            meaning, action = entry["description"], None
        errors.append(ErrorCode(code=entry["code"], description=meaning, action=action, extensions=rest or None))
    return tuple(errors)


def dump_errors(errors: tuple[ErrorCode, ...]) -> list[dict[str, Any]]:
    """The entries that `load_errors` reads."""
    entries = []
    for error in errors:
        meaning = _explain(error.description or error.code, error.action)
        entries.append({"code": error.code or "error", "description": meaning, **(error.extensions or {})})
    return entries


def _explain(meaning: str, action: str | None) -> str:
    """The text of an error: its meaning, then the action, with a label in front where both are English."""
    if not action:
        return meaning
    label = " "
    if is_english(f"{meaning}\n{action}"):
        label = _ACTION
    return f"{end_sentence(meaning)}{label}{action}"
