"""All findings of `check` in one document.

An error keeps the document from being read. A warning is a break of the canonical schema that a reader can tolerate, or
a text that is not what it looks like. With `warnings_as_errors` it is an error, too.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion.extension_slots import BESIDE
from toolglot.converter.conversion.positions import CommandPlaces, find_place
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import Source, open_document, read_document
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.detection import manifest
from toolglot.converter.formats.kit.suppositions import MARK
from toolglot.converter.hub.trees import walk_nodes
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import pointer_of, unescape, value_at, way_to
from toolglot.converter.text.sequences import group_by
from toolglot.errors import ReadError
from toolglot.option_checks import read_texts, require_flag
from toolglot.verbs.diagnostics.cross_source_checks import (
    FOREIGN_MENTION,
    Identity,
    SourceNames,
    find_identities,
    find_names,
)
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, as_error, from_error, make_warning, with_position
from toolglot.verbs.diagnostics.manifest_checks import check_manifest
from toolglot.verbs.diagnostics.record_checks import RecordChecker
from toolglot.verbs.diagnostics.rule_engine import Engine, ReadTool, SharedChecks, engine_for
from toolglot.verbs.diagnostics.rule_selection import DEFAULT, RuleSelection
from toolglot.verbs.diagnostics.rules import rules, rules_of
from toolglot.verbs.diagnostics.suppressions import suppress
from toolglot.verbs.diagnostics.unreadable_documents import check_unreadable


def check(
    source: Source,
    format: str | None = None,
    *,
    warnings_as_errors: bool = False,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> list[Diagnostic]:
    """Everything that is wrong or doubtful in a source; an empty list means that nothing is.

    Args:
        source: text, a path, or parsed data.
        format: name of its format, `FORMAT@VERSION` to hold it to one version; by default it is detected.
        warnings_as_errors: report what a reader tolerates as errors too.
        select: only these rules: codes, families, patterns of codes such as `schema-*`, or `ALL`; by default those
            that say errors and warnings.
        ignore: not these rules, whatever selects them.

    Raises:
        UsageError: `select` or `ignore` names a rule that does not exist; code `"unknown-rule"`.

    >>> [str(found) for found in check('{"toolId": "a", "source": "mcp", "safetyTier": "reed"}')]
    ['<text>:1:48: error: expected one of "pure", "read", "write", "exec", found "reed" at /safetyTier; \
did you mean \\'read\\'? [schema-enum]']
    """
    try:
        document = open_document(source)
    except ReadError as error:
        return [from_error(error)]
    require_flag("warnings_as_errors", warnings_as_errors)
    selection = read_selection(select, ignore)
    return check_document(document, format, warnings_as_errors=warnings_as_errors, selection=selection).diagnostics


def read_selection(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> RuleSelection:
    """The requested rules; each option is one text or several."""
    return RuleSelection(
        select=read_texts("select", select, "schema-*"), ignore=read_texts("ignore", ignore, "schema-*")
    )


class CheckedDocument(msgspec.Struct, frozen=True):
    """The findings of a document, the identities in it, and whether it could be parsed."""

    diagnostics: list[Diagnostic]
    identities: tuple[Identity, ...] = ()
    names: tuple[SourceNames, ...] = ()
    was_read: bool = True


def check_document(
    document: document_reader.Document,
    format_name: str | None,
    *,
    warnings_as_errors: bool = False,
    selection: RuleSelection = DEFAULT,
) -> CheckedDocument:
    """`check` for a document that was parsed already."""
    engine = engine_for(selection)
    companion = None if format_name else manifest(document.data, document.body, document.name)
    if companion is not None:
        faults = [with_position(fault, document) for fault in check_manifest(document, companion, engine)]
        return CheckedDocument(_sort_diagnostics(suppress(document, faults, engine), warnings_as_errors))
    try:
        reading = read_document(document, format_name)
    except ReadError as error:
        faults = [from_error(error), *check_unreadable(document, format_name, engine)]
        return CheckedDocument(_sort_diagnostics(list(dict.fromkeys(faults)), warnings_as_errors))
    commands, tools = CommandPlaces(reading), _tools_of(reading)
    checker = RecordChecker(reading.format, format_name, engine)
    diagnostics = [
        *_check_tools(tools, checker, commands),
        *_check_around(reading, engine),
        *_check_sets(tools, engine, commands),
    ]
    unsuppressed = _once_each(suppress(document, diagnostics, engine), document.data)
    _add_requirements(unsuppressed, tools, reading.format, engine)
    names = (_names_in(commands),) if FOREIGN_MENTION in engine.codes else ()
    return CheckedDocument(_sort_diagnostics(unsuppressed, warnings_as_errors), tuple(find_identities(reading)), names)


def _check_tools(tools: list[ReadTool], checker: RecordChecker, commands: CommandPlaces) -> Iterator[Diagnostic]:
    """The findings about each tool, and about their document as a whole.

    A finding in something that several tools refer to is reported for the first of them.
    """
    reading = commands.reading
    told: set[tuple[str, str, str]] = set()
    for index, (record, read) in enumerate(zip_longest(reading.records, tools)):
        findings = checker.check_record(record, None if read is None else read.tool)
        unconfirmed = () if read is None else checker.engine.select(_unconfirmed(read))
        for finding in (*findings, *unconfirmed):
            key = finding.code, finding.pointer, finding.message
            if key in told:
                continue
            told.add(key)
            yield _with_tool(finding, commands, index)
    index_of = {record.pointer: index for index, record in enumerate(reading.records)}
    index_of.pop("", None)  # the whole document is around no finding of its own
    for finding in checker.check_whole(reading.document):
        around = next((index_of[place] for place in way_to(finding.pointer) if place in index_of), None)
        yield with_position(finding, reading.document) if around is None else _with_tool(finding, commands, around)


def _check_around(reading: Reading, engine: Engine) -> Iterator[Diagnostic]:
    """The findings about data beside the tools of a document."""
    records = [Record(dict(reading.beside), pointer=f"/{BESIDE}")]
    if not reading.format.checks.is_of_document and not reading.format.provider.is_api:  # whose requests hold talks
        records += _leftovers(reading)
    findings = [make_warning("stale-slot", _STALE, pointer) for pointer in reading.stale]
    findings += _sounding_beside(reading)
    if reading.document.syntax in ("yaml", "front-matter"):
        findings += _cut_texts(reading)
    for finding in (*chain.from_iterable(map(engine.check_texts, records)), *engine.select(findings)):
        yield with_position(finding, reading.document)


def _check_sets(tools: list[ReadTool], engine: Engine, commands: CommandPlaces) -> Iterator[Diagnostic]:
    """The findings about tools that are offered together."""
    for indexes in _sets_in(commands.reading) if tools else ():
        for number, finding in engine.check_set([tools[index] for index in indexes]):
            yield _with_tool(finding, commands, indexes[number])


def _once_each(diagnostics: list[Diagnostic], data: Any) -> list[Diagnostic]:
    """The diagnostics, one for each text: where it stands in several places, the first names the others."""

    def subject_of(diagnostic: Diagnostic) -> Hashable:
        rule = rules().get(diagnostic.code)
        if rule is None or not rule.of_text or diagnostic.body_offset is not None:
            return id(diagnostic)
        text = value_at(data, diagnostic.pointer)
        if not isinstance(text, str):
            text = diagnostic.pointer.rpartition("/")[2]  # it is about a key
        return diagnostic.code, diagnostic.message, text

    once: list[Diagnostic] = []
    for first, *others in group_by(diagnostics, subject_of).values():
        if others:
            places = "another place" if len(others) == 1 else f"{len(others)} other places"
            message = f"{first.message}; the same text stands in {places}"
            first = replace(first, message=message, also=tuple(one.pointer for one in others))
        once.append(first)
    return once


_STALE = "the record was edited since --lossless kept this; --restore takes nothing back from it"


def _add_requirements(
    diagnostics: list[Diagnostic], tools: list[ReadTool], source_format: Format, engine: Engine
) -> None:
    """Name, at the first finding of a rule, the family on request that would say more, unless it was requested."""
    for rule in rules_of(source_format):
        first = next((index for index, found in enumerate(diagnostics) if found.code == rule.extends), None)
        if first is None or rule.code in engine.codes:
            continue
        of_rule = engine_for(RuleSelection(select=(rule.code,)))
        count = sum(any(of_rule.check_tool(read, SharedChecks())) for read in tools)
        if count:
            hint = f"--require {rule.family} finds {count} of {len(tools)} tools: {rule.message}"
            diagnostics[first] = replace(diagnostics[first], hint=hint)


def _sets_in(reading: Reading) -> list[list[int]]:
    """The indexes of the tools that are offered together.

    A line of JSON Lines that holds a list of tools is a set of its own: a question of a data set, or what one server
    answered.
    """
    indexes = [*range(min(len(reading.records), len(reading.tools)))]
    lines: dict[str, list[int]] = {}
    for index in indexes:
        line, _, inner = reading.records[index].pointer[1:].partition("/")
        if reading.document.syntax != "json-lines" or not inner:
            return [indexes]
        lines.setdefault(line, []).append(index)
    return [*lines.values()]


def _tools_of(reading: Reading) -> list[ReadTool]:
    """The tools of a document, each with its record; none of a restored document, whose records say other tools."""
    if reading.is_restored:
        return []
    pairs = zip(reading.records, reading.tools, strict=False)
    return [ReadTool(reading.format, record, tool) for record, tool in pairs]


def _unconfirmed(read: ReadTool) -> Iterator[Diagnostic]:
    """A finding for each node that marks values as made up."""
    for pointer, node in walk_nodes(read.tool):
        if node.assumed:
            names = ", ".join(read.format.places.fields[name][1:] for name in node.assumed)
            message = (
                f"nobody states {names}: a conversion made it up; correct it, and `toolglot check --confirm-assumed`"
            )
            mark = read.place(pointer)[0] + pointer_of((*read.format.slot.path, MARK))
            # A made text or version misleads nobody about danger, and a catalogue has one in every record.
            severity = "warning" if safety.FIELDS_OF_DANGER & {*node.assumed} else "info"
            yield Diagnostic(code="unconfirmed", severity=severity, message=message, pointer=mark)


def _with_tool(diagnostic: Diagnostic, commands: CommandPlaces, index: int) -> Diagnostic:
    """The diagnostic with its position, its tool, and the words of its command."""
    reading = commands.reading
    item = _text_in_list(reading.document.data, diagnostic.pointer)
    diagnostic = with_position(replace(diagnostic, item=item), reading.document)
    place = reading.records[index].pointer
    inner = diagnostic.pointer[len(place) :] if diagnostic.pointer.startswith(place) else diagnostic.pointer
    command, within = commands.words_at(index, inner)
    if command:
        return replace(diagnostic, tool=command, inner=within, is_command=True)
    tool = reading.tools[index].id if index < len(reading.tools) else ""
    return replace(diagnostic, tool=tool, inner=inner)


def _text_in_list(data: Any, pointer: str) -> str | None:
    """The text that a pointer leads to in a list; `None` for everything else."""
    item = value_at(data, pointer)
    is_in_list = isinstance(value_at(data, pointer.rpartition("/")[0]), list)
    return item if is_in_list and isinstance(item, str) else None


def _names_in(commands: CommandPlaces) -> SourceNames:
    mention, reading = Diagnostic(code=FOREIGN_MENTION, severity="info", message=""), commands.reading
    places = [
        _with_tool(replace(mention, pointer=record.pointer), commands, index)
        for index, record in enumerate(reading.records)
    ]
    return find_names(reading.tools, places)


def _sounding_beside(reading: Reading) -> Iterator[Diagnostic]:
    """Findings for keys beside the tools of a document that sound like danger."""
    for record in _leftovers(reading):
        holder = record.pointer.rpartition("/")[2]  # which tells whether the key is one, or a name
        for _, *path in safety.sounding_keys({holder: record.data}, reading.format.names_below):
            if path:
                message = f"`{path[-1]}` sounds like a danger, and nobody reads it beside the tools"
                yield make_warning("danger-in-unknown-key", message, record.pointer + pointer_of(path))


_TEXT_AND_COMMENT = re.compile(r"[^\"'|>&\s].*?\s#(?=\S)")


def _cut_texts(reading: Reading) -> Iterator[Diagnostic]:
    """Findings for descriptions that YAML cuts at a `#`, as in `Reviews PR #5 again.`"""
    lines = reading.document.text.split("\n")
    message, hint = "behind the `#` is a comment, and no text", "put the text in quotes"
    for record in reading.records:
        place = find_place(reading.format, record.data, "description")
        line, column = reading.document.position(record.pointer + place) or (1, 1)
        if place and _TEXT_AND_COMMENT.match(lines[line - 1], column - 1):
            yield make_warning("text-cut", message, record.pointer + place, hint)


def _leftovers(reading: Reading) -> Iterator[Record]:
    """The data beside the tools of a document, such as what a server says of itself, each key as a record."""
    for pointer, value in reading.leftover.items():
        holder, _, key = pointer.rpartition("/")
        yield Record({unescape(key): value}, pointer=holder)


def _sort_diagnostics(diagnostics: list[Diagnostic], warnings_as_errors: bool) -> list[Diagnostic]:
    ordered = sorted(diagnostics, key=lambda one: (one.line or 0, one.column or 0, one.code))
    return [as_error(one) if warnings_as_errors and one.severity == "warning" else one for one in ordered]
