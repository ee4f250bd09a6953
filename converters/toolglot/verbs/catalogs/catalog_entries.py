"""The entries that one file adds to a catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

import toolglot
from toolglot.converter import formats
from toolglot.converter.conversion.namespaces import AUTO, with_namespaces
from toolglot.converter.conversion.pattern_use import Patterns, PatternUse
from toolglot.converter.conversion.pipeline import convert_readings
from toolglot.converter.conversion.positions import SourcePlaces
from toolglot.converter.conversion.reading import Reading, WholeReading
from toolglot.converter.conversion.report import Report, code_of_refusal
from toolglot.converter.conversion.report_wording import HIDDEN
from toolglot.converter.conversion.result import Conversion, report_of_parts
from toolglot.converter.conversion.selection import EVERYTHING, Choice
from toolglot.converter.conversion.vouched_facts import Assertion, Vouched, vouched_of, with_assertions
from toolglot.converter.formats import LinkedDriver, Record
from toolglot.converter.formats.kit.tool_ids import UNQUALIFIED, Naming, Qualifier, qualifier_of
from toolglot.converter.hub.model import Leaf, Tool, to_json
from toolglot.converter.hub.trees import Cut, cut
from toolglot.converter.text import document_reader
from toolglot.converter.text.credentials import holds_credential
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.document_reader import locate_error
from toolglot.converter.text.pointers import without_keys
from toolglot.converter.text.wording import to_short_json
from toolglot.errors import Error, WriteError
from toolglot.verbs.cards.safety_facts import SafetyFact, safety_facts
from toolglot.verbs.catalogs.translations import language_of, translate
from toolglot.verbs.diagnostics.credential_warnings import places_of_credentials
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error


class CatalogOptions(NamedTuple):
    """The options of a catalogue.

    Attributes:
        namespace: the rule for namespaces, as in `conversion.namespaces.with_namespaces`.
        assertions: facts that the person who runs toolglot asserts.
        languages: languages of the texts. The first is shown, the others stand in where it is missing. Empty: texts
            stay as they are.
        choice: which tools are in the catalogue.
        is_for_models: whether models see the catalogue, so that it never has tools that are hidden from them.
    """

    namespace: str = AUTO
    assertions: tuple[Assertion, ...] = ()
    languages: tuple[str, ...] = ()
    choice: Choice = EVERYTHING
    is_for_models: bool = False

    @property
    def patterns(self) -> Patterns:
        """The patterns that are compared with the names of tools."""
        return Patterns(self.choice, self.assertions)


AS_USUAL = CatalogOptions()


class Entry(NamedTuple):
    """One tool of a catalogue.

    Attributes:
        identity: id and major version, such as `mail.archive@1`; the id alone where no version is stated.
        name: its id in the format of the catalogue.
        record: its record in that format; `None` where the format writes a whole program.
        path: the ids from its program to itself; empty where the entry comes from an earlier catalogue.
        tool: the tool as it was read; `None` where the entry comes from an earlier catalogue.
        provenance: where it comes from: `identity`, `namespace` (whose id it is, where that is known), `path`,
            `format`, `sha256` (of the file, or of its line in JSON Lines), `toolglot` (the version that read it),
            `tools` (how many the file, or the line, holds), `asserted`
            (what a person vouched for), and `seal` (of the record and all of this). Where several files are one
            tool, `localised_from` or `also_from` stands instead of the seal.
        groups: for a format that writes a whole program, the program and the groups around the tool.
        pointer: JSON Pointer of its record in the file.
        qualifier: what is added to the path in its id.
        reading: a `Reading` of its file with this tool alone; `None` if not requested. The type is `Any`, because
            entries of batches, which have no reading, are read as JSON, and msgspec would need the types of all parts
            of a `Reading`.
        line: the line of the tool in its file; `None` if not requested, or not known.
        drivers: the drivers in files beside its own that can carry it out.
        safety: what is said about its danger, and by whom; empty if not requested.
    """

    identity: str
    name: str
    record: Record | None
    path: tuple[str, ...]
    tool: Tool | None
    provenance: dict[str, Any]
    groups: tuple[Tool, ...] = ()
    pointer: str = ""
    qualifier: Qualifier = UNQUALIFIED
    reading: Any = None
    line: int | None = None
    drivers: tuple[LinkedDriver, ...] = ()
    safety: tuple[SafetyFact, ...] = ()

    @property
    def file(self) -> str:
        """The path of the file that the entry comes from."""
        return str(self.provenance["path"])

    @property
    def namespace(self) -> str | None:
        """The namespace of the id, where it is known."""
        return self.provenance.get("namespace")


class FileEntries:
    """The entries of one file. Tools that cannot be written are named in the notes.

    Args:
        reading: the file; the errors of records that were left out become notes.
        to: `FORMAT[@VERSION]` of the catalogue.
        file: the path of the file in the catalogue, with `/` on every system.
        is_located: whether entries have their line, their drivers and their reading.

    Attributes:
        entries: the entries of the tools that could be written.
        notes: remarks; those with the severity error are about tools that are missing, or facts that were refused.
        pattern_use: which patterns of the options match a tool of the file.
    """

    def __init__(
        self, reading: Reading, to: str, file: str, options: CatalogOptions = AS_USUAL, is_located: bool = False
    ) -> None:
        self.entries: list[Entry] = []
        self.notes: list[Diagnostic] = []
        self.pattern_use = PatternUse()
        self._conversions: list[Conversion] = []
        self._reading, self._to, self._file, self._options = reading, to, file, options
        self._is_located = is_located
        self._target = formats.target_of(to)
        document = reading.document
        tools = with_namespaces(reading.tools, options.namespace, file)
        self._about_file = {
            "path": file,
            "format": reading.format.name,
            # Of what was parsed, not of what the file holds by now: it may change at any moment.
            "sha256": sha256_of(document.file_content),
            "toolglot": toolglot.__version__,
            "tools": sum(len(self._choose_leaves(index, tool)) for index, tool in enumerate(tools)),
        }
        can_say_it = "hidden" in self._target.holds and not options.is_for_models
        self._hides = not (can_say_it or options.choice.include_hidden)
        self._may_hold_credentials = holds_credential(document.text)  # one look at the whole is faster than many
        self.pattern_use.add(tools, options.patterns)
        for index, tool in enumerate(tools):
            self._add_tool(index, tool)
        for fault in reading.faults:
            fault.source = file
            self.notes.append(from_error(fault))

    @property
    def linked_places(self) -> set[str]:
        """The files and folders beside the file that its entries depend on."""
        linked = [record.linked_facts.places for record in self._reading.records if record.linked_facts is not None]
        return set(chain.from_iterable(linked))

    @cached_property
    def report(self) -> Report:
        """Every difference between the file and its entries."""
        return report_of_parts(self._reading, self._conversions, self._to)

    def _add_tool(self, index: int, tool: Tool) -> None:
        """Add an entry for each command of the tool, or say why there is none.

        Args:
            index: index of the tool in the reading.
        """
        record = self._reading.record_of(index)
        pointer = "" if record is None else record.pointer
        variant, note = translate(tool, self._options.languages, language_of(self._file))
        if note:
            self._note("other-language", "warning", note)
        for leaf in self._choose_leaves(index, variant):
            if leaf.hidden and self._hides:
                self._note("hidden-tool", "warning", f"{' '.join(leaf.path)} is left out: {HIDDEN}")
                continue
            try:
                vouched = vouched_of(leaf, self._options.assertions, record)
                self._note_refusals(leaf, vouched)
                reading = self._reading_of(index, cut(variant, [leaf.pointer]))
                entry = self._entry(reading, leaf, pointer, vouched.facts)
                if self._may_hold_credentials:
                    _refuse_credential(entry)
            except Error as error:
                error.source, error.pointer = self._file, pointer
                self.notes.append(from_error(locate_error(self._reading.document, error)))
            else:
                request = describe_request(self._to, self._options)
                if not vouched.refused:  # else it is read again every time, and what was refused is told every time
                    entry.provenance["seal"] = seal_of(entry.provenance, entry.record, request)
                if self._is_located:
                    entry = self._locate_entry(entry, reading, index, leaf)
                self.entries.append(entry)

    def _note_refusals(self, leaf: Leaf, vouched: Vouched) -> None:
        """Note the assertions about a command that do not count."""
        for field, refusal in vouched.refused.items():
            message = f"{' '.join(leaf.path)}: {field} {to_short_json(refusal.value)} is asserted and {refusal.reason}"
            self._note(code_of_refusal(field), "error", message)

    def _choose_leaves(self, index: int, tool: Tool) -> list[Leaf]:
        """The chosen commands of a tool; assertions count for the choice."""
        record = self._reading.record_of(index)
        return self._options.choice.among(tool, with_assertions(tool, self._options.assertions, record))

    def _reading_of(self, index: int, part: Cut) -> Reading:
        """The reading with a program that is cut down to one command."""
        reading = self._reading
        records = [*filter(None, [reading.record_of(index)])]
        whole = WholeReading(reading, [(index, part.pointers)])
        return Reading(reading.format, reading.document, records, [part.tool], {}, whole=whole)

    def _entry(self, reading: Reading, leaf: Leaf, pointer: str, asserted: Mapping[str, Any]) -> Entry:
        """The entry of one command.

        Args:
            asserted: hub field -> value that a person asserts.

        Raises:
            Error: it cannot be written.
        """
        qualifier, identity = qualifier_of(leaf.tool), _identity_of(leaf)
        record, name = None, leaf.tool.id
        if not self._target.tree:
            try:
                conversion = convert_entry(reading, self._to, qualifier, self._options)
            except WriteError as error:
                if not self._options.assertions or error.code not in ("override-refused", "scope-refused"):
                    raise
                unvouched = self._options._replace(assertions=())
                conversion, asserted = convert_entry(reading, self._to, qualifier, unvouched), {}
                self._note(error.code, "error", f"{' '.join(leaf.path)} is not as asserted: {error.message}")
            self._conversions.append(conversion)
            [record], [name] = conversion.output.records, conversion.output.names
        facts = {"identity": identity, "namespace": leaf.tool.namespace, **self._about_file, "asserted": asserted}
        provenance = {key: value for key, value in facts.items() if value not in (None, {})}
        ancestors = leaf.ancestors if self._target.tree else ()
        groups = tuple(replace(group, children=None) for group in ancestors)
        return Entry(identity, name, record, leaf.path, leaf.tool, provenance, groups, pointer, qualifier)

    def _locate_entry(self, entry: Entry, reading: Reading, index: int, leaf: Leaf) -> Entry:
        """The entry with its reading, its line, its drivers, and the statements about its danger.

        Args:
            reading: the reading with this command alone.
        """
        places = SourcePlaces(self._reading, index)
        line = places.find(leaf.pointer, "", "", would_say=True).line
        asserted = entry.provenance.get("asserted", {})
        tool = replace(leaf.tool, **asserted)
        facts = tuple(safety_facts(tool, reading.format, asserted, places, leaf.pointer))
        record = reading.record_of(0)
        drivers = record.linked_facts.drivers if record is not None and record.linked_facts is not None else ()
        return entry._replace(reading=reading, line=line, drivers=drivers, safety=facts)

    def _note(self, code: str, severity: str, message: str) -> None:
        self.notes.append(Diagnostic(code=code, severity=severity, message=message, source=self._file))


def _refuse_credential(entry: Entry) -> None:
    """Refuse a tool that would publish a credential.

    Raises:
        WriteError: the entry has a credential in it.
    """
    shown = to_json(entry.tool) if entry.record is None else entry.record.data
    place = next(places_of_credentials(shown), None)
    if place is not None:
        message = f"{entry.name} is left out, because {place} holds what looks like a credential; take it out"
        raise WriteError(message, "published-credential")


def any_tool_format() -> str:
    """The format of entries that are gathered to be shown: it has a place for everything."""
    return next(each.name for each in formats.every() if each.holds_everything)


def describe_request(to: str, options: CatalogOptions) -> str:
    """The format and the options of a catalogue as one short text, which is part of the seal of every entry."""
    if options == AS_USUAL:
        return to
    return sha256_of(msgspec.json.encode([to, *options]))


def seal_of(provenance: dict[str, Any], record: Record | None, request: str) -> str:
    """A hash of the content of an entry and of the options. An edited entry does not match it."""
    about = without_keys(provenance, "seal")
    content = [about, record and record.data, record and record.body, request]
    return sha256_of(json.dumps(content, sort_keys=True).encode())[:16]


def convert_tool(
    tool: Tool, to: str, qualifier: Qualifier = UNQUALIFIED, options: CatalogOptions = AS_USUAL
) -> Conversion:
    """Convert one tool that need not come from a document.

    Raises:
        WriteError: the format does not write it as one record, or not at all.
    """
    target = formats.target_of(to)
    return convert_entry(Reading(target, document_reader.from_data({}), [], [tool], {}), to, qualifier, options)


def convert_entry(reading: Reading, to: str, qualifier: Qualifier, options: CatalogOptions) -> Conversion:
    """Convert the only tool of a reading, to make an entry of it.

    Raises:
        WriteError: the format does not write it as one record, or not at all.
    """
    conversion = convert_readings(
        [reading],
        to,
        naming=Naming([qualifier], [qualifier]),
        assertions=options.assertions,
        include_hidden=options.choice.include_hidden,
    )
    if len(conversion.output.records) != 1:
        raise WriteError(_exclusion(conversion), "not-one-record")
    return conversion


def _exclusion(conversion: Conversion) -> str:
    """Why a tool has no record, or more than one."""
    for change in conversion.report_without_lines.changes:
        if change.action == "excluded" and change.note:
            return change.note
    return f"{conversion.output.target.name} does not write one record a tool, which a catalogue needs"


def _identity_of(leaf: Leaf) -> str:
    """The identity of a leaf: id and major version (AIP-14: the key of caches, audits and grants).

    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> _identity_of(next(leaves_of(Tool(id="mail.archive", version="1.4.0"))))
    'mail.archive@1'
    """
    identifier = " ".join(leaf.path)
    if leaf.tool.major:
        identifier += f"@{leaf.tool.major}"
    return identifier


def is_same(entries: Sequence[Entry], raw: bytes) -> bool:
    """Whether a file with these bytes gives the same entries. It does not if it has links: their targets may differ."""
    state = sha256_of(raw), len(entries)
    facts = [entry.provenance for entry in entries]
    return all(formats.get(of["format"]).follow_links is None and (of["sha256"], of["tools"]) == state for of in facts)
