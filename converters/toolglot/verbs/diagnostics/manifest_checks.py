"""Checks documents that stand beside tools and describe none, such as a DRIVER.md."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.converter.formats import Manifest, Record
from toolglot.converter.formats.detection import manifest
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text import document_reader
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, as_error
from toolglot.verbs.diagnostics.record_checks import from_findings, from_problems
from toolglot.verbs.diagnostics.rule_engine import Engine


def is_manifest(document: document_reader.Document) -> bool:
    """Whether a document describes no tool and can be checked, because it says more about tools beside it."""
    return manifest(document.data, document.body, document.name) is not None


def check_manifest(document: document_reader.Document, companion: Manifest, engine: Engine) -> Iterator[Diagnostic]:
    """The findings of such a document. A break of its schema is an error: no reader tolerates it."""
    record = Record(document.data, document.body)
    findings = list(companion.find_faults(document.data, document.path))
    places = {finding.pointer for finding in findings}
    faults = list(from_findings(findings, record))
    if not canonical.is_valid(document.data, companion.schema):
        problems = find_problems(document.data, companion.schema)
        others = (problem for problem in problems if problem.pointer not in places)
        faults += map(as_error, from_problems(others, record))
    yield from engine.select(faults)
    yield from engine.check_texts(Record(document.data))
