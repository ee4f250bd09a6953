"""Documents that are no tool, and stand beside some."""

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
    """Whether a document is no tool description but can be checked: it stands beside some and says more about them."""
    return manifest(document.data, document.body, document.name) is not None


def check_manifest(document: document_reader.Document, companion: Manifest, engine: Engine) -> Iterator[Diagnostic]:
    """What is wrong with a document that is no tool; it has no readers that could do without what is missing."""
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
