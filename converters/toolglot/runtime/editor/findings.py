"""What `check` finds, as an editor shows it beside the lines."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol.types import CodeDescription, Diagnostic, DiagnosticSeverity

from toolglot.errors import escape_unseen
from toolglot.runtime.editor.positions import TextPositions
from toolglot.verbs.diagnostics import diagnostic
from toolglot.verbs.diagnostics.rule_pages import rule_address
from toolglot.verbs.diagnostics.rules import rules

_SEVERITIES = {
    "error": DiagnosticSeverity.Error,
    "warning": DiagnosticSeverity.Warning,
    "info": DiagnosticSeverity.Information,
}


ShownFinding = tuple[diagnostic.Diagnostic, Diagnostic]
"""A finding, and what the editor shows of it."""


def show_findings(
    findings: Iterable[diagnostic.Diagnostic], places: TextPositions, base_url: str | None = None
) -> list[ShownFinding]:
    """Findings of `check` for an editor; their codes link to the pages of their rules, where these have an address."""
    return [(finding, _show(finding, places, base_url)) for finding in findings]


def _show(finding: diagnostic.Diagnostic, places: TextPositions, base_url: str | None) -> Diagnostic:
    page = None
    if base_url is not None and finding.code in rules():
        page = CodeDescription(rule_address(finding.code, base_url))
    return Diagnostic(
        range=places.word_range(places.offset_of(finding.line or 1, finding.column or 1)),
        message=escape_unseen(finding.sentence),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=page,
        source="toolglot",
    )
