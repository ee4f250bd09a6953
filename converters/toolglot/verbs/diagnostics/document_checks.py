"""What is wrong or doubtful in a document: everything that `check` says.

An error keeps the document from being read. A warning is a rule of the format's canonical schema that a practical
reader can do without, or a text that is not what it looks like, unless `warnings_as_errors` is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product, zip_longest
from typing import Any

import msgspec

from toolglot.converter import safety
from toolglot.converter.conversion.extension_slots import BESIDE, SLOT, without_ours
from toolglot.converter.conversion.positions import CommandPlaces, find_place
from toolglot.converter.conversion.reading import Reading, records_of
from toolglot.converter.conversion.sources import Source, locate_error, open_document, read_document
from toolglot.converter.conversion.unread_dangers import unread_dangers
from toolglot.converter.formats import Finding, Format, Manifest, Record
from toolglot.converter.formats.detection import format_of, manifest
from toolglot.converter.formats.kit.suppositions import MARK
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import walk_nodes, with_fields
from toolglot.converter.safety.inheritance import is_inherited
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import Problem, find_problems
from toolglot.converter.text import serialization
from toolglot.converter.text.pointers import NOTHING, escape, pointer_of, unescape, value_at, way_to, with_values
from toolglot.errors import ReadError
from toolglot.option_checks import read_texts, require_flag
from toolglot.verbs.diagnostics.cross_source_checks import (
    FOREIGN_MENTION,
    Identity,
    SourceNames,
    find_identities,
    find_names,
)
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error, with_position
from toolglot.verbs.diagnostics.rule_engine import Engine, ReadTool, SharedChecks
from toolglot.verbs.diagnostics.rule_selection import DEFAULT, RuleSelection, RuleSet
from toolglot.verbs.diagnostics.rules import rules, rules_of
from toolglot.verbs.diagnostics.suppressions import suppress

_MOST_ALIKE = 1_000  # findings of one rule of the canonical schema about one tool that are listed one by one


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
    """The rules that `check` is asked for; each option is a text or several."""
    return RuleSelection(
        select=read_texts("select", select, "schema-*"), ignore=read_texts("ignore", ignore, "schema-*")
    )


class CheckedDocument(msgspec.Struct, frozen=True):
    """What is wrong in a document, whom it describes, and whether it could be parsed."""

    diagnostics: list[Diagnostic]
    identities: tuple[Identity, ...] = ()
    names: SourceNames | None = None
    was_read: bool = True


def check_document(
    document: serialization.Document,
    format_name: str | None,
    *,
    warnings_as_errors: bool = False,
    selection: RuleSelection = DEFAULT,
) -> CheckedDocument:
    """`check` for a document that was parsed already."""
    engine = engine_for(selection)
    companion = None if format_name else manifest(document.data, document.body, document.name)
    if companion is not None:
        faults = [with_position(fault, document) for fault in _check_manifest(document, companion, engine)]
        return CheckedDocument(_sort_diagnostics(suppress(document, faults, engine.rule_set), warnings_as_errors))
    try:
        reading = read_document(document, format_name)
    except ReadError as error:
        faults = [from_error(error), *_check_unreadable(document, format_name, engine)]
        return CheckedDocument(_sort_diagnostics(list(dict.fromkeys(faults)), warnings_as_errors))
    checker = _FormatChecker(reading.format, format_name, engine)
    commands = CommandPlaces(reading)
    tools = _tools_of(reading)
    diagnostics: list[Diagnostic] = []
    for index, (record, read) in enumerate(zip_longest(reading.records, tools)):
        findings = checker.check_record(record, None if read is None else read.tool)
        unconfirmed = () if read is None else _select_diagnostics(_unconfirmed(read), engine)
        for finding in (*findings, *unconfirmed):
            diagnostics.append(_with_tool(_with_place(finding, document), reading, commands, index))
    if reading.format.checks.of_document is not None:
        index_of = {record.pointer: index for index, record in enumerate(reading.records)}
        for diagnostic in checker.check_whole(document):
            diagnostics.append(_with_tool_around(with_position(diagnostic, document), reading, commands, index_of))
    beside = engine.check_texts(Record(dict(reading.beside), pointer=f"/{BESIDE}"))
    around = [_warning("stale-slot", _STALE, pointer) for pointer in reading.stale]
    around += _sounding_beside(reading)
    diagnostics += [with_position(finding, document) for finding in (*beside, *_select_diagnostics(around, engine))]
    for indexes in _sets_in(reading) if tools else ():
        for number, finding in engine.check_set([tools[index] for index in indexes]):
            diagnostics.append(_with_tool(with_position(finding, document), reading, commands, indexes[number]))
    unsuppressed = suppress(document, diagnostics, engine.rule_set)
    remaining_diagnostics = _with_requirements(_once_each(unsuppressed, document.data), reading, engine)
    names = None
    if FOREIGN_MENTION in engine.rule_set.codes:
        names = _names_in(reading, commands)
    return CheckedDocument(
        _sort_diagnostics(remaining_diagnostics, warnings_as_errors), tuple(find_identities(reading)), names
    )


def _once_each(diagnostics: Iterable[Diagnostic], data: Any) -> list[Diagnostic]:
    """The diagnostics; of those about one text that stands in several places the first, which names the others."""
    remaining_diagnostics: list[Diagnostic] = []
    places: dict[tuple[str, str, str], list[str]] = {}
    for diagnostic in diagnostics:
        rule = rules().get(diagnostic.code)
        if rule is not None and rule.of_text and diagnostic.body_offset is None:
            text = value_at(data, diagnostic.pointer)
            if not isinstance(text, str):
                text = diagnostic.pointer.rpartition("/")[2]  # it is about a key
            same = places.setdefault((diagnostic.code, diagnostic.message, text), [])
            same.append(diagnostic.pointer)
            if len(same) > 1:
                continue
        remaining_diagnostics.append(diagnostic)
    also = {(code, first): tuple(others) for (code, _, _), (first, *others) in places.items() if others}
    for index, diagnostic in enumerate(remaining_diagnostics):
        others = also.get((diagnostic.code, diagnostic.pointer))
        if others and diagnostic.body_offset is None:
            number = "another place" if len(others) == 1 else f"{len(others)} other places"
            message = f"{diagnostic.message}; the same text stands in {number}"
            remaining_diagnostics[index] = msgspec.structs.replace(diagnostic, message=message, also=tuple(others))
    return remaining_diagnostics


_STALE = "the record was edited since --lossless kept this; --restore takes nothing back from it"


def _with_requirements(diagnostics: Iterable[Diagnostic], reading: Reading, engine: Engine) -> list[Diagnostic]:
    """The diagnostics, the first of its rule with the requirement that goes on from there, if nobody asked for it."""
    remaining_diagnostics = list(diagnostics)
    for rule in rules_of(reading.format):
        first = next((index for index, found in enumerate(remaining_diagnostics) if found.code == rule.extends), None)
        if first is None or rule.code in engine.rule_set.codes:
            continue
        of_rule = engine_for(RuleSelection(select=(rule.code,)))
        count = sum(any(of_rule.check_tool(read, SharedChecks())) for read in _tools_of(reading))
        if count:
            hint = f"--require {rule.family} finds {count} of {len(reading.tools)} tools: {rule.message}"
            remaining_diagnostics[first] = msgspec.structs.replace(remaining_diagnostics[first], hint=hint)
    return remaining_diagnostics


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


@lru_cache(16)  # without it a check of many files of one record takes a quarter longer
def engine_for(selection: RuleSelection) -> Engine:
    """The rules that a selection means, ready to work.

    Raises:
        UsageError: it names a rule that does not exist.
    """
    return Engine(RuleSet(selection))


def _tools_of(reading: Reading) -> list[ReadTool]:
    """The tools of a document, each with its record; of a restored one none, for the records do not say these."""
    if reading.is_restored:
        return []
    pairs = zip(reading.records, reading.tools, strict=False)
    return [ReadTool(reading.format, record, tool) for record, tool in pairs]


def _unconfirmed(read: ReadTool) -> Iterator[Diagnostic]:
    """What a conversion made up in a record, a finding for each node that names it."""
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


def _with_tool_around(
    diagnostic: Diagnostic, reading: Reading, commands: CommandPlaces, index_of: Mapping[str, int]
) -> Diagnostic:
    """A diagnostic about a document with the tool in whose record it stands, if it stands in one."""
    index = next((index_of[place] for place in way_to(diagnostic.pointer) if place and place in index_of), None)
    return diagnostic if index is None else _with_tool(diagnostic, reading, commands, index)


def _with_tool(diagnostic: Diagnostic, reading: Reading, commands: CommandPlaces, index: int) -> Diagnostic:
    """The diagnostic with the tool, and the words of the command, that it is about."""
    inner = diagnostic.pointer[len(reading.records[index].pointer) :]
    command, within = commands.words_at(index, inner)
    if command:
        return msgspec.structs.replace(diagnostic, tool=command, inner=within, is_command=True)
    tool = reading.tools[index].id if index < len(reading.tools) else ""
    return msgspec.structs.replace(diagnostic, tool=tool, inner=inner)


def _names_in(reading: Reading, commands: CommandPlaces) -> SourceNames:
    places = []
    for index, record in enumerate(reading.records):
        diagnostic = Diagnostic(code=FOREIGN_MENTION, severity="info", message="", pointer=record.pointer)
        places.append(_with_tool(with_position(diagnostic, reading.document), reading, commands, index))
    return find_names(reading.tools, places)


# -- JSON Lines -------------------------------------------------------------------------------------------------------


def check_lines(
    lines: Iterable[tuple[int, bytes | ReadError]],
    name: str,
    format_name: str | None,
    *,
    warnings_as_errors: bool = False,
    limits: serialization.Limits = serialization.DEFAULT_LIMITS,
    selection: RuleSelection = DEFAULT,
    first: int = 0,
) -> Iterator[CheckedDocument]:
    """`check` for numbered JSON Lines, every line by itself: one hides no other, and memory holds one at a time.

    Args:
        lines: in the place of one that is lost stands why.
        first: how many records there are before them, by which pointers tell the first one.

    >>> [result.diagnostics[0].line for result in check_lines([(1, b'{"a":'), (3, b"[}")], "a.jsonl", None)]
    [1, 3]
    """
    for index, (number, line) in enumerate(lines, first):
        try:
            if isinstance(line, ReadError):
                raise line
            document = serialization.load(line, "line.json", limits, number)
            result = check_document(document, format_name, warnings_as_errors=warnings_as_errors, selection=selection)
        except ReadError as error:
            result = CheckedDocument([from_error(error)], was_read=False)
        above = f"/{index}" if result.was_read else ""
        diagnostics = [_of_line(diagnostic, name, number, above) for diagnostic in result.diagnostics]
        identities = tuple(
            msgspec.structs.replace(one, place=_of_line(one.place, name, number, above)) for one in result.identities
        )
        names = result.names
        if names is not None:
            mentions = tuple((word, _of_line(place, name, number, above)) for word, place in names.mentions)
            names = msgspec.structs.replace(names, mentions=mentions)
        yield CheckedDocument(diagnostics, identities, names, result.was_read)


def _of_line(diagnostic: Diagnostic, name: str, number: int, above: str) -> Diagnostic:
    return msgspec.structs.replace(diagnostic, source=name, line=number, pointer=above + diagnostic.pointer)


# -- one record, by its format, the canonical schema and the rules ----------------------------------------------------


class _FormatChecker:
    """What one format, its canonical schema and the rules say of the records of a document.

    Args:
        format_name: `FORMAT@VERSION` where the records are held to a version; otherwise to the one that each says.
    """

    def __init__(self, source_format: Format, format_name: str | None, engine: Engine) -> None:
        self.source_format = source_format
        self.stated_version = (format_name or "").partition("@")[2]
        self.engine = engine
        self._shared = SharedChecks()

    def check_record(self, record: Record, tool: Tool | None) -> Iterator[Diagnostic]:
        """What is wrong with one record; `tool` is what was read from it, if anything was."""
        if not isinstance(record.data, dict):
            return  # its shape is wrong, and that has been said
        whole, record = record, without_ours(record, self.source_format, SLOT)
        read = None if tool is None else ReadTool(self.source_format, record, tool)
        hits = [] if read is None else list(self.engine.check_tool(read, self._shared))
        errors = {hit.pointer for hit in hits if hit.severity == "error" and rules()[hit.code].family == "tool-schemas"}
        places: set[str] = set()
        for fault in _select_diagnostics(self._own_faults(record, read), self.engine):
            if fault.pointer in errors and fault.severity == "warning" and rules()[fault.code].family == "schema":
                continue  # the rule says what is wrong with the same value, and how grave it is
            places.add(fault.pointer)
            yield fault
        if self.source_format.checks.of_document is None:
            place = None
            if self.source_format.provider.is_api:  # has no field for it, so that the description may say READ-ONLY
                place = find_place(self.source_format, record.data, "description", "")
            yield from self.engine.check_texts(whole, place)
        for hit in hits:
            if not (rules()[hit.code].is_last_resort and hit.pointer in places):
                yield hit

    def check_whole(self, document: serialization.Document) -> Iterator[Diagnostic]:
        """What the schema and the rules about texts say of a document whose records are only parts of it."""
        record = Record(document.data)
        faults = [_of_problem(problem, record) for problem in _select_first_problems(self._problems(record))]
        if self.source_format.checks.of_document is not None:
            faults += [_of_finding(finding, record) for finding in self.source_format.checks.of_document(document.data)]
        yield from _select_diagnostics(faults, self.engine)
        yield from self.engine.check_texts(record)

    def _own_faults(self, record: Record, read: ReadTool | None) -> Iterator[Diagnostic]:
        """What the format itself says of a record, and its canonical schema."""
        better: set[str] = set()  # pointers of what is said better than by the schema
        if read is not None:
            of_tool = (_of_finding(finding, record) for finding in self.source_format.checks.of_tool(read.tool))
            for finding in (*_doubts(read), *of_tool):
                better.add(finding.pointer)
                yield finding
        if record.linked_facts is not None:
            of_links = [_of_finding(finding, record) for finding in record.linked_facts.findings]
            better.update(finding.pointer for finding in of_links if finding.severity == "error")
            yield from of_links
        if read is not None and read.tool.own is not None:
            record = _with_inherited_facts(record, read)
        if self.source_format.checks.of_document is not None:
            return
        others = (problem for problem in self._problems(record) if record.pointer + problem.pointer not in better)
        for problem in _select_first_problems(others):
            yield _of_problem(problem, record)

    def _problems(self, record: Record) -> Iterator[Problem]:
        version = self.source_format.version_of(record.data)
        if self.stated_version:
            version = self.source_format.described_by(self.stated_version)
        name = f"{self.source_format.name}/{version}"
        if not canonical.is_valid(record.data, name):
            yield from find_problems(record.data, name)


def _with_inherited_facts(record: Record, read: ReadTool) -> Record:
    """The record with what its tool has from elsewhere, so that a schema finds that said where it asks for it."""
    inherited = {
        place[1:]: getattr(read.tool, name)
        for name, place in read.format.places.fields.items()
        if is_inherited(read.tool, name) and isinstance(getattr(read.tool, name), str)
    }
    return msgspec.structs.replace(record, data={**inherited, **record.data})


# -- facts that nobody can read ---------------------------------------------------------------------------------------


def _doubts(read: ReadTool) -> Iterator[Diagnostic]:
    """What the nodes of a tool state about safety in a way that nobody can read, and what only sounds like danger."""
    for pointer, node in walk_nodes(read.tool):
        whole, data = read.place(pointer)
        doubts = {(doubt.code, doubt.pointer): doubt for doubt in read.format.doubts_of(node)}
        for doubt in doubts.values():
            yield _as_error(_warning(doubt.code, doubt.message, whole + doubt.pointer, doubt.hint))
        found = _sounding_keys(read.format, node, data)
        for place, key in dict.fromkeys(found):
            message = f"`{key}` sounds like a danger, and nobody reads it"
            yield _warning("danger-in-unknown-key", message, whole + place)


def _sounding_keys(source_format: Format, node: Tool, data: Any) -> Iterator[tuple[str, str]]:
    """The keys that sound like danger in what a node's tables left over, in its schema and at its parameters.

    Returns:
        Each with its pointer, or that of its parameter, whose keys may have other places than in the document.
    """
    for path in unread_dangers(source_format, node):
        yield pointer_of(path), path[-1]
    for path in safety.sounding_keys(node.inputs):
        yield find_place(source_format, data, "inputs", pointer_of(path)), path[-1]
    for field, bindings in (("inputs", node.bindings), ("global_inputs", node.global_bindings)):
        for name, binding in (bindings or {}).items():
            for path in safety.sounding_keys(binding.spelling):
                parameter = find_place(source_format, data, field, pointer_of(("properties", name)))
                place = parameter + pointer_of(path)
                yield (parameter if value_at(data, place) is None else place), path[-1]


def _sounding_beside(reading: Reading) -> Iterator[Diagnostic]:
    """What sounds like danger beside the tools of a document."""
    for pointer, value in reading.leftover.items():
        holder, _, key = pointer.rpartition("/")
        for path in safety.sounding_keys({unescape(key): value}):
            message = f"`{path[-1]}` sounds like a danger, and nobody reads it beside the tools"
            yield _warning("danger-in-unknown-key", message, holder + pointer_of(path))


# -- documents that cannot be read ------------------------------------------------------------------------------------


def _check_unreadable(
    document: serialization.Document, format_name: str | None, engine: Engine
) -> Iterator[Diagnostic]:
    """What is wrong in a document that cannot be read: one fault hides no other, in its record or in the others."""
    try:
        source_format = format_of(document, format_name)
        records, _ = records_of(document, source_format)
    except ReadError:
        return
    checker = _FormatChecker(source_format, format_name, engine)
    faulty_places: set[tuple[str, str]] = set()
    for record in records:
        findings = list(_shape_faults(record, source_format))
        places = {_place(fault) for fault in findings}
        faulty_places |= places
        stand_ins = _find_stand_ins(record, [fault.pointer for fault in findings], source_format)
        if stand_ins is not None:
            readable_record = msgspec.structs.replace(record, data=with_values(record.data, stand_ins))
            tool = None
            try:
                tool = source_format.tool_of(without_ours(readable_record, source_format, SLOT))
                tool = _with_unclear_fields(ReadTool(source_format, readable_record, tool), stand_ins)
            except ReadError as error:
                refusal = from_error(locate_error(document, error))
                yield refusal
                places.add(_place(refusal))
                places |= {(f"{record.pointer}/{key}", "") for key in source_format.checks.older_keys}
            hushed_places = places.union(*(_places_of(pointer, record) for pointer in stand_ins))
            findings += [
                other for other in checker.check_record(readable_record, tool) if _place(other) not in hushed_places
            ]
            places.update(map(_place, findings))
        if stand_ins != {}:  # the values that were stood in for have faults of their own
            findings += [other for other in checker.check_record(record, None) if _place(other) not in places]
        yield from (_with_place(diagnostic, document) for diagnostic in findings)
    if source_format.checks.of_document is not None:
        for fault in checker.check_whole(document):
            if _place(fault) not in faulty_places:
                yield with_position(fault, document)


def _place(fault: Diagnostic) -> tuple[str, str]:
    """What a fault is about: a value, or a key that is missing in one."""
    key = fault.message if fault.code == "schema-required" else ""
    return fault.pointer, key


def _places_of(pointer: str, record: Record) -> set[tuple[str, str]]:
    """What is about a place in a record: its value, or that it is missing."""
    holder, _, key = pointer.rpartition("/")
    return {(record.pointer + pointer, ""), (record.pointer + holder, f"`{unescape(key)}` is missing")}


def _shape_faults(record: Record, source_format: Format) -> Iterator[Diagnostic]:
    name = f"{source_format.name}/{canonical.READING}"
    if not canonical.is_valid(record.data, name):
        for problem in _select_first_problems(find_problems(record.data, name)):
            yield _as_error(_of_problem(problem, record))


# -- stand-ins: what takes the place of a faulty value or a missing key, so that the rest of its record can be read ---

_StandIns = dict[str, Any]  # JSON Pointer in the record -> its value; `NOTHING` leaves it out
_STAND_INS = ("unnamed", "0.0.0", NOTHING)  # a name or another text, a version
_MOST_TRIES = 81  # all stand-ins of four keys
_MOST_FAULTY = 64  # values; each of those deep in a record takes a copy of what is around it


def _find_stand_ins(record: Record, fault_pointers: Iterable[str], source_format: Format) -> _StandIns | None:
    """Values with which the reader accepts a record that has shape faults at these places; `None` for none.

    A value deep in a record, such as the arguments of one command of many, is left out.
    """
    schema = f"{source_format.name}/{canonical.READING}"
    if not isinstance(record.data, dict):
        return None
    pointers = [f"/{escape(key)}" for key in canonical.load(schema).get("required", ()) if key not in record.data]
    deep_pointers: dict[str, None] = {}
    for pointer in fault_pointers:
        inner = pointer[len(record.pointer) :]
        key, slash, _ = inner[1:].partition("/")
        if key and (not slash or f"/{key}" in source_format.places.fields.values()):
            pointers.append(f"/{key}")
        elif key:
            deep_pointers[_place_among_keys(record.data, inner)] = None
    pointers = list(dict.fromkeys(pointers))
    is_beyond_repair = len(pointers) + len(deep_pointers) > _MOST_FAULTY
    if is_beyond_repair or any(pointer.count("/") < 2 for pointer in deep_pointers):
        return None
    left_out = dict.fromkeys(deep_pointers, NOTHING)
    rest = with_values(record.data, left_out)
    choices = [_possible_stand_ins(schema, pointer) for pointer in pointers]
    for values in islice(product(*choices), _MOST_TRIES):
        stand_ins = dict(zip(pointers, values, strict=True))
        if canonical.is_valid(with_values(rest, stand_ins), schema):
            return left_out | stand_ins
    return None


@lru_cache(256)  # to try what never fits took half of the time of a list of unreadable records
def _possible_stand_ins(schema: str, pointer: str) -> list[Any]:
    """The stand-ins that a schema does not refuse at a key, whatever else stands in a record.

    >>> _possible_stand_ins("tool-descriptor/reading", "/safetyTier")
    []
    """
    key = unescape(pointer[1:])
    validator = canonical.careful_validator(schema)
    possible: list[Any] = []
    for value in _STAND_INS:
        data = {} if value is NOTHING else {key: value}
        if not any(_is_about_key(error, key) for error in validator.iter_errors(data)):
            possible.append(value)
    return possible


def _is_about_key(error: Any, key: str) -> bool:
    """Whether an error would be there in every record with the same value, or without one, at a key."""
    if error.validator == "required" and len(error.absolute_schema_path) == 1:
        return key in error.validator_value and key not in error.instance
    return [*error.absolute_path][:1] == [key] and error.absolute_schema_path[0] == "properties"


def _place_among_keys(data: Any, pointer: str) -> str:
    """The pointer as far as it leads through mappings: what is left out of a list would move what follows.

    >>> _place_among_keys({"commands": {"add": {"options": [{}]}}}, "/commands/add/options/0/name")
    '/commands/add/options'
    """
    place = ""
    for token in pointer[1:].split("/"):
        if not isinstance(data, dict):
            break
        place += f"/{token}"
        data = data.get(unescape(token))
    return place


def _with_unclear_fields(read: ReadTool, stand_ins: _StandIns) -> Tool:
    """The tool with the fields about danger as unclear that stand-ins took the place of: a rule shall not miss them."""
    fields_of_nodes: dict[str, dict[str, Any]] = {}
    for pointer, node in walk_nodes(read.tool):
        place = read.place(pointer)[0].removeprefix(read.record.pointer)
        below = [stand_in.removeprefix(place) for stand_in in stand_ins if stand_in.startswith(f"{place}/")]
        if not below:
            continue
        unclear = set(node.unclear or ())
        for field in safety.FIELDS_OF_DANGER & read.format.places.fields.keys():
            inner = read.format.places.fields[field]
            if any(f"{inner}/".startswith(f"{stand_in}/") for stand_in in below):
                unclear.add(field)
        fields_of_nodes[pointer] = {"unclear": tuple(sorted(unclear)) or None}
    return with_fields(read.tool, fields_of_nodes)


# -- companions: documents that are no tool, and stand beside some ----------------------------------------------------


def is_manifest(document: serialization.Document) -> bool:
    """Whether a document is no tool description but can be checked: it stands beside some and says more about them."""
    return manifest(document.data, document.body, document.name) is not None


def _check_manifest(document: serialization.Document, companion: Manifest, engine: Engine) -> Iterator[Diagnostic]:
    """What is wrong with a document that is no tool; it has no readers that could do without what is missing."""
    record = Record(document.data, document.body)
    findings = list(companion.find_faults(document.data, document.path))
    places = {finding.pointer for finding in findings}
    faults = [_of_finding(finding, record) for finding in findings]
    if not canonical.is_valid(document.data, companion.schema):
        problems = find_problems(document.data, companion.schema)
        others = (problem for problem in problems if problem.pointer not in places)
        faults += [_as_error(_of_problem(problem, record)) for problem in _select_first_problems(others)]
    yield from _select_diagnostics(faults, engine)
    yield from engine.check_texts(Record(document.data))


# -- diagnostics ------------------------------------------------------------------------------------------------------


def _of_finding(finding: Finding, record: Record) -> Diagnostic:
    fault = _warning(finding.code, finding.message, record.pointer + finding.pointer)
    if rules()[finding.code].severity == "info":
        return msgspec.structs.replace(fault, severity="info")
    return _as_error(fault) if finding.error else fault


def _of_problem(problem: Problem, record: Record) -> Diagnostic:
    """What a canonical schema says against a record."""
    return _warning(problem.code, problem.message, record.pointer + problem.pointer, problem.hint)


def _warning(code: str, message: str, pointer: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code=code, severity="warning", message=message, pointer=pointer, hint=hint)


def _as_error(diagnostic: Diagnostic) -> Diagnostic:
    return msgspec.structs.replace(diagnostic, severity="error")


def _with_place(diagnostic: Diagnostic, document: serialization.Document) -> Diagnostic:
    if diagnostic.body_offset is None:
        return with_position(diagnostic, document)
    line, column = document.body_position(diagnostic.body_offset)
    return msgspec.structs.replace(diagnostic, source=document.name, line=line, column=column)


def _select_first_problems(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first problems of each keyword, and then one that says how many more there are.

    Nobody reads 100,000 lines, and to find the place of each and what was meant takes a minute.
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
        yield problem._replace(message=message)


def _select_diagnostics(diagnostics: Iterable[Diagnostic], engine: Engine) -> Iterator[Diagnostic]:
    """What formats and schemas say, as far as it is to be said, and as grave as it is to be."""
    for diagnostic in diagnostics:
        severity = engine.rule_set.severity_of(diagnostic.code, diagnostic.severity)
        if severity == diagnostic.severity:
            yield diagnostic
        elif severity is not None:
            yield msgspec.structs.replace(diagnostic, severity=severity)


def _sort_diagnostics(diagnostics: list[Diagnostic], warnings_as_errors: bool) -> list[Diagnostic]:
    ordered = sorted(diagnostics, key=lambda one: (one.line or 0, one.column or 0, one.code))
    return [_as_error(one) if warnings_as_errors and one.severity == "warning" else one for one in ordered]
