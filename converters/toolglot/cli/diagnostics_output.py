"""Findings of `check` as text, as JSON, as SARIF 2.1.0, and as GitHub workflow commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

import toolglot
from toolglot.cli.discovery.walked_folders import repository
from toolglot.cli.terminal import escape_controls
from toolglot.diagnostics.diagnostic import Diagnostic
from toolglot.text.serialization import dump_json


def diagnostics_to_text(diagnostics: Sequence[Diagnostic]) -> str:
    """One line a finding."""
    return "".join(f"{escape_controls(str(diagnostic))}\n" for diagnostic in diagnostics)


def diagnostics_to_json(diagnostics: Sequence[Diagnostic]) -> str:
    """A list of objects; what is not known is absent."""
    return dump_json([diagnostic.to_json() for diagnostic in diagnostics])


def diagnostics_to_github(diagnostics: Sequence[Diagnostic]) -> str:
    """Workflow commands, which GitHub shows beside the lines of a change.

    The escapes are those of actions/toolkit, `packages/core/src/command.ts`.
    """
    return "".join(_workflow_command(diagnostic) for diagnostic in diagnostics)


def _workflow_command(diagnostic: Diagnostic) -> str:
    fields: dict[str, str | int | None] = {
        "file": None,
        "line": diagnostic.line,
        "col": diagnostic.column,
        "title": diagnostic.code,
    }
    if diagnostic.source is not None:
        fields["file"] = _from_root(diagnostic.source)
    properties = ",".join(f"{key}={_escape_property(str(value))}" for key, value in fields.items() if value is not None)
    return f"::{diagnostic.severity} {properties}::{_escape(_sentence(diagnostic))}\n"


def _from_root(source: str) -> str:
    """A path as whoever shows annotations knows it: from the root of its repository, wherever the command ran."""
    path = source
    if os.path.exists(source):
        folder, name = os.path.split(source)
        top = repository(folder)
        if top is not None:
            path = os.path.relpath(os.path.join(os.path.realpath(folder), name), top)
    return path.replace(os.sep, "/")


def _escape(text: str) -> str:
    return escape_controls(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")


def _sentence(diagnostic: Diagnostic) -> str:
    text = diagnostic.message
    if diagnostic.where:
        text += f" at {diagnostic.where}"
    if diagnostic.hint:
        text += f"; {diagnostic.hint}"
    return text


def diagnostics_to_sarif(diagnostics: Sequence[Diagnostic], fingerprints: Sequence[str] = ()) -> str:
    """One SARIF run.

    Args:
        fingerprints: by which a service knows each finding again; by default it makes its own.
    """
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    rules = [{"id": code, "shortDescription": {"text": code.replace("-", " ")}} for code in codes]
    results = [_result(diagnostic, codes.index(diagnostic.code)) for diagnostic in diagnostics]
    for result, fingerprint in zip(results, fingerprints, strict=False):
        result["partialFingerprints"] = {"toolglot/1": fingerprint}
    run = {
        "tool": {"driver": {"name": "toolglot", "version": toolglot.__version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return dump_json({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]})


_LEVELS = {"info": "note"}  # where SARIF has another word for a severity


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": _LEVELS.get(diagnostic.severity, diagnostic.severity),
        "message": {"text": escape_controls(_sentence(diagnostic))},
    }
    if diagnostic.source is not None:
        result["locations"] = [_location(diagnostic, diagnostic.source)]
    return result


def _location(diagnostic: Diagnostic, source: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(_from_root(source))}}
    if diagnostic.line is not None:
        place["region"] = {"startLine": diagnostic.line}
        if diagnostic.column is not None:
            place["region"]["startColumn"] = diagnostic.column
    location: dict[str, Any] = {"physicalLocation": place}
    if diagnostic.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": diagnostic.pointer}]
    return location


RENDERERS: dict[str, Callable[[Sequence[Diagnostic]], str]] = {
    "text": diagnostics_to_text,
    "json": diagnostics_to_json,
    "sarif": diagnostics_to_sarif,
    "github": diagnostics_to_github,
}
