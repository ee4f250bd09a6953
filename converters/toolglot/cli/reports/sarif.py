"""SARIF 2.1.0, which services show beside the lines of the sources: findings of `check`, and the entries of reports."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import toolglot
from toolglot.converter.file_search.repositories import repository
from toolglot.converter.files.names import path_from, portable_path
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import escape_unseen
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.rule_pages import rule_page, rule_summary
from toolglot.verbs.diagnostics.rules import rules

if TYPE_CHECKING:
    from toolglot.cli.reports.sheets import Sheet  # `check` prints no sheets


def diagnostics_to_sarif(diagnostics: Sequence[Diagnostic], fingerprints: Sequence[str]) -> str:
    """One SARIF run.

    Args:
        fingerprints: by which a service knows each finding again.
    """
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    results = [
        _result(diagnostic, codes.index(diagnostic.code)) | {"partialFingerprints": {"toolglot/1": fingerprint}}
        for diagnostic, fingerprint in zip(diagnostics, fingerprints, strict=True)
    ]
    descriptors = list(map(_rule_descriptor, codes))
    run = {
        "tool": {"driver": {"name": "toolglot", "version": toolglot.__version__, "rules": descriptors}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return dump_json({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})


def _rule_descriptor(code: str) -> dict[str, Any]:
    """What SARIF says of a rule; a code of a report is none, and has only its name."""
    rule = rules().get(code)
    if rule is None:
        return {"id": code, "shortDescription": {"text": code.replace("-", " ")}}
    return {
        "id": code,
        "shortDescription": {"text": rule_summary(rule)},
        "fullDescription": {"text": rule.why},
        "help": {"text": rule.mend, "markdown": rule_page(rule)},
        "defaultConfiguration": {"level": _LEVELS.get(rule.severity, rule.severity)},
        "properties": {"tags": [rule.family]},
    }


_LEVELS = {"info": "note"}  # where SARIF has another word for a severity


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": _LEVELS.get(diagnostic.severity, diagnostic.severity),
        "message": {"text": escape_unseen(diagnostic.sentence)},
    }
    if diagnostic.source is None:
        return result
    place: dict[str, Any] = {"artifactLocation": {"uri": uri_of(PurePath(path_from_root(diagnostic.source)))}}
    if diagnostic.line is not None:
        place["region"] = {"startLine": diagnostic.line}
        if diagnostic.column is not None:
            place["region"]["startColumn"] = diagnostic.column
    location: dict[str, Any] = {"physicalLocation": place}
    if diagnostic.short_pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": diagnostic.short_pointer}]
    return {**result, "locations": [location]}


def uri_of(path: PurePath) -> str:
    """A path as a reference: the URI of a whole one, with its drive where it has one, else one that is relative too.

    >>> uri_of(PurePath("a b/c:d.json"))
    'a%20b/c%3Ad.json'
    """
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def sheet_to_sarif(sheet: Sheet) -> str:
    """One run, with a result for each entry."""
    from toolglot.cli.reports.entry_texts import finding_of  # what the findings of `check` do without

    diagnostics = [finding_of(entry) for entry in sheet.entries]
    return diagnostics_to_sarif(diagnostics, [entry.fingerprint for entry in sheet.entries])


def path_from_root(source: str) -> str:
    """A path as whoever shows annotations knows it: from the root of its repository, wherever the command ran."""
    if os.path.exists(source):
        folder, name = os.path.split(source)
        top = repository(folder)
        if top is not None:
            return path_from(top, os.path.join(os.path.realpath(folder), name))
    return portable_path(source)
