"""The findings about one record, by its format, the canonical schema and the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion.extension_slots import SLOT, without_ours
from toolglot.converter.conversion.positions import find_place
from toolglot.converter.conversion.unread_dangers import unread_dangers
from toolglot.converter.formats import Finding, Format, Record
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import walk_nodes
from toolglot.converter.safety.inheritance import is_inherited
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import Problem, find_problems
from toolglot.converter.schema.misspelt_keys import find_misspelt_keys
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import pointer_of, value_at
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, as_error, make_warning
from toolglot.verbs.diagnostics.rule_engine import Engine, ReadTool, SharedChecks
from toolglot.verbs.diagnostics.rules import rules

_MOST_ALIKE = 1_000  # findings of one rule of the canonical schema about one tool that are listed one by one


class RecordChecker:
    """Checks the records of a document by one format, its canonical schema and the rules.

    Args:
        format_name: `FORMAT@VERSION` to check all records by one version; else each is checked by its own.
    """

    def __init__(self, source_format: Format, format_name: str | None, engine: Engine) -> None:
        self.source_format = source_format
        self.stated_version = (format_name or "").partition("@")[2]
        self.engine = engine
        self._shared = SharedChecks()

    def check_record(self, record: Record, tool: Tool | None) -> Iterator[Diagnostic]:
        """The findings about one record; `tool` is the tool that was read from it, if it could be read."""
        if not isinstance(record.data, dict):
            return  # its shape is wrong, and that has been said
        whole, record = record, without_ours(record, self.source_format, SLOT)
        read = None if tool is None else ReadTool(self.source_format, record, tool)
        hits = [] if read is None else list(dict.fromkeys(self.engine.check_tool(read, self._shared)))
        errors = {hit.pointer for hit in hits if hit.severity == "error" and rules()[hit.code].family == "tool-schemas"}
        places: set[str] = set()
        for fault in self.engine.select(self._own_faults(record, read)):
            if fault.pointer in errors and fault.severity == "warning" and rules()[fault.code].family == "schema":
                continue  # the rule says what is wrong with the same value, and how grave it is
            places.add(fault.pointer)
            yield fault
        if not self.source_format.checks.is_of_document:
            place = None
            if self.source_format.provider.is_api:  # has no field for it, so that the description may say READ-ONLY
                place = find_place(self.source_format, record.data, "description", "")
            yield from self.engine.check_texts(whole, place)
        for hit in hits:
            if not (rules()[hit.code].is_last_resort and hit.pointer in places):
                yield hit

    def check_whole(self, document: document_reader.Document) -> Iterator[Diagnostic]:
        """The findings of a format that checks whole documents; empty for any other format."""
        checks = self.source_format.checks
        if not checks.is_of_document:
            return
        record = Record(document.data)
        faults = list(from_problems(self._problems(record), record))
        faults += from_findings(checks.load().find_faults_of_document(document.data), record)
        yield from self.engine.select(faults)
        yield from self.engine.check_texts(record)

    def _own_faults(self, record: Record, read: ReadTool | None) -> Iterator[Diagnostic]:
        """The findings of the format itself, and those of its canonical schema."""
        better: set[str] = set()  # pointers of what is said better than by the schema
        if read is not None:
            of_tool = from_findings(self.source_format.checks.find_faults(read.tool), record)
            for finding in (*_doubts(read), *of_tool):
                better.add(finding.pointer)
                yield finding
        if record.linked_facts is not None:
            of_links = list(from_findings(record.linked_facts.findings, record))
            better.update(finding.pointer for finding in of_links if finding.severity == "error")
            yield from of_links
        if read is not None and read.tool.own is not None:
            record = _with_inherited_facts(record, read)
        if self.source_format.checks.is_of_document:
            return
        others = (problem for problem in self._problems(record) if record.pointer + problem.pointer not in better)
        yield from from_problems(others, record)

    def _problems(self, record: Record) -> Iterator[Problem]:
        version = self.source_format.version_of(record.data)
        if self.stated_version:
            version = self.source_format.described_by(self.stated_version)
        name = f"{self.source_format.name}/{version}"
        places: set[str] = set()
        for problem in () if canonical.is_valid(record.data, name) else find_problems(record.data, name):
            places.add(problem.pointer)
            yield problem
        if not self.source_format.checks.is_of_document:  # the schema of a whole document knows all its keys
            yield from (problem for problem in find_misspelt_keys(record.data, name) if problem.pointer not in places)


def _with_inherited_facts(record: Record, read: ReadTool) -> Record:
    """The record with the facts that its tool inherits, so that the schema does not miss them."""
    inherited = {
        place[1:]: getattr(read.tool, name)
        for name, place in read.format.places.fields.items()
        if is_inherited(read.tool, name) and isinstance(getattr(read.tool, name), str)
    }
    return replace(record, data={**inherited, **record.data})


def _doubts(read: ReadTool) -> Iterator[Diagnostic]:
    """Findings for statements about safety that cannot be read, and for keys that only sound like danger."""
    for pointer, node in walk_nodes(read.tool):
        whole, data = read.place(pointer)
        doubts = {(doubt.code, doubt.pointer): doubt for doubt in read.format.doubts_of(node)}
        for doubt in doubts.values():
            yield as_error(make_warning(doubt.code, doubt.message, whole + doubt.pointer, doubt.hint))
        found = _sounding_keys(read.format, node, data)
        for place, key in dict.fromkeys(found):
            message = f"`{key}` sounds like a danger, and nobody reads it"
            yield make_warning("danger-in-unknown-key", message, whole + place)


def _sounding_keys(source_format: Format, node: Tool, data: Any) -> Iterator[tuple[str, str]]:
    """The keys that sound like danger, among the data that a node's tables left over, in its schema and its parameters.

    Returns:
        Each key with its pointer, or with that of its parameter, whose keys may stand elsewhere in the document.
    """
    for path in unread_dangers(source_format, node):
        yield pointer_of(path), path[-1]
    for path in safety.sounding_keys(node.inputs, source_format.names_below):
        yield find_place(source_format, data, "inputs", pointer_of(path)), path[-1]
    for field, bindings in (("inputs", node.bindings), ("global_inputs", node.global_bindings)):
        for name, binding in (bindings or {}).items():
            for path in safety.sounding_keys(binding.spelling):
                parameter = find_place(source_format, data, field, pointer_of(("properties", name)))
                place = parameter + pointer_of(path)
                yield (parameter if value_at(data, place) is None else place), path[-1]


def from_findings(findings: Iterable[Finding], record: Record) -> Iterator[Diagnostic]:
    """Findings of a format as diagnostics."""
    for finding in findings:
        fault = make_warning(finding.code, finding.message, record.pointer + finding.pointer)
        yield replace(fault, severity=finding.severity or rules()[finding.code].severity)


def from_problems(problems: Iterable[Problem], record: Record) -> Iterator[Diagnostic]:
    """Problems of a canonical schema as diagnostics: for each keyword the first ones, and how many more there are."""
    for problem in _select_first(problems):
        yield make_warning(problem.code, problem.message, record.pointer + problem.pointer, problem.hint)


def _select_first(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first problems of each keyword, and one that says how many more there are.

    Nobody reads 100,000 lines, and to find the place and the hint of each would take a minute.
    """
    numbers: Counter[str] = Counter()
    firsts: dict[str, Problem] = {}  # keyword -> the first problem that is not listed
    for problem in problems:
        numbers[problem.keyword] += 1
        if numbers[problem.keyword] <= _MOST_ALIKE:
            yield problem
        else:
            firsts.setdefault(problem.keyword, problem)
    for keyword, problem in firsts.items():
        more = numbers[keyword] - _MOST_ALIKE - 1
        message = f"{problem.message}, and {more:,} more findings of this rule are not listed"
        yield replace(problem, message=message)
