"""A report as SARIF 2.1.0, which services show beside the lines of the sources."""

from __future__ import annotations

from toolglot.cli.diagnostics_output import diagnostics_to_sarif
from toolglot.cli.reports.entries import ReportEntry
from toolglot.cli.reports.sheets import Sheet
from toolglot.diagnostics.diagnostic import Diagnostic


def sheet_to_sarif(sheet: Sheet) -> str:
    """One run, with a result for each entry."""
    diagnostics = [_diagnostic(entry, sheet) for entry in sheet.entries]
    return diagnostics_to_sarif(diagnostics, [entry.fingerprint for entry in sheet.entries])


def _diagnostic(entry: ReportEntry, sheet: Sheet) -> Diagnostic:
    message = f"{entry.tool} {entry.field}".strip()
    value = entry.value()
    if value:
        message += f": {value}"
    message += f" is {sheet.meanings[entry.mark]}"
    return Diagnostic(
        code=entry.code,
        severity=entry.severity,
        message=f"{message} ({entry.because})" if entry.because else message,
        source=entry.source,
        line=entry.line,
        column=entry.column,
    )
