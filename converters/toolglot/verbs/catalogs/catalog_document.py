"""Writes settled entries as one document, and reads an earlier document as entries again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

import toolglot
from toolglot.converter import formats
from toolglot.converter.conversion.extension_slots import BESIDE, PROVENANCE, ours_in, put_ours, without_ours
from toolglot.converter.conversion.reading import check_shape
from toolglot.converter.conversion.report import Report
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.kit.tool_ids import Qualifier
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import all_parameters
from toolglot.converter.text import document_reader, serialization
from toolglot.converter.text.pointers import as_mapping, mapping_at, without_nulls
from toolglot.converter.text.wording import to_short_json
from toolglot.errors import UsageError
from toolglot.option_checks import refuse
from toolglot.verbs.catalogs.catalog_entries import (
    AS_USUAL,
    CatalogOptions,
    Entry,
    convert_tool,
    describe_request,
    seal_of,
)
from toolglot.verbs.catalogs.identities import command_words, words_between_dots


class Catalog(NamedTuple):
    """The text of a catalogue, and the changes where its tools became one program."""

    text: str
    report: Report | None = None


class Program(NamedTuple):
    """The program of a catalogue in a format whose documents are programs."""

    name: str
    version: str | None = None
    description: str | None = None


def check_target(to: str, program: Program | None) -> Format:
    """The format of a catalogue.

    Raises:
        UsageError: the format has one file for each tool; or its documents are programs and no program is named, or the
            other way round.
    """
    target = formats.target_of(to)
    name, is_program = target.name, target.tree
    refuse(
        (is_program and program is None, f"a document of {name} is one program; name it with --as-program NAME"),
        (
            not is_program and program is not None,
            f"a document of {name} holds many tools; leave out the name of a program",
        ),
        (target.one_per_file and not is_program, f"{name} has one file for each tool; convert to a folder instead"),
    )
    return target


def dump(
    entries: Iterable[Entry],
    to: str,
    *,
    as_lines: bool = False,
    is_bare: bool = False,
    has_provenance: bool = True,
    program: Program | None = None,
) -> Catalog:
    """Write a catalogue.

    Args:
        entries: the entries from `identities.settle`.
        to: `FORMAT[@VERSION]`.
        as_lines: write a program as one line; for records there is `dump_lines`.
        is_bare: write an array of records without anything around it. A format without a place in a record then has no
            provenance.
        has_provenance: whether it says where its tools come from, so that a later run knows them again.
        program: the program, for a format whose documents are programs.

    Raises:
        UsageError: as `check_target`; or the format cannot write a name, or two ids lead to one command.
        WriteError: the program cannot be written.
    """
    target = check_target(to, program)
    if program is not None:
        data, report = _build_program(entries, to, program, has_provenance)
        return Catalog(serialization.dump_json(data, None if as_lines else 2), report)
    pairs = (_with_note(entry, target, has_provenance) for entry in entries)
    if is_bare:
        return Catalog(serialization.dump_json([record for record, _ in pairs]))
    return Catalog(serialization.dump_json(_wrap_records(pairs, target)))


def dump_lines(entries: Iterable[Entry], to: str, *, has_provenance: bool = True) -> Iterator[str]:
    """The lines of a catalogue as JSON Lines; arguments and errors as in `dump`."""
    target = check_target(to, None)
    for entry in entries:
        record, note = _with_note(entry, target, has_provenance)
        yield serialization.dump_json(_wrap_records([(record, note)], target) if note else record, None)


_Note = dict[str, dict[str, Any]]
"""Name of a tool -> what stands beside its record; empty where nothing does."""


def _wrap_records(pairs: Iterable[tuple[dict[str, Any], _Note]], target: Format) -> Any:
    """The records in the container of the format for several, with the notes that stand beside them."""
    records: list[dict[str, Any]] = []
    notes: _Note = {}
    for record, note in pairs:
        records.append(record)
        notes |= note
    data = target.wrap(records)
    if len(records) == 1 and data is records[0]:
        data = records  # a catalogue of one is still a catalogue
    if not notes:
        return data
    if not isinstance(data, dict):
        data = {"tools": data}  # a list has no room for notes
    return {**data, BESIDE: notes}


def _with_note(entry: Entry, target: Format, has_provenance: bool) -> tuple[dict[str, Any], _Note]:
    """The record with its provenance in it; or the record without it, and the note that stands beside the records."""
    assert entry.record is not None
    data = entry.record.data
    if not has_provenance:
        return data, {}
    if target.slot.path:
        record = put_ours(entry.record, target, PROVENANCE, entry.provenance)
        if target.version_of(record.data) == target.version_of(data):  # else this version has no slot
            return record.data, {}
    return data, {entry.name: {PROVENANCE: entry.provenance}}


# -- programs ---------------------------------------------------------------------------------------------------


def _build_program(entries: Iterable[Entry], to: str, program: Program, has_provenance: bool) -> tuple[Any, Report]:
    """The entries as one program of nested commands, with the words of `identities.command_words`."""
    target = formats.target_of(to)
    entries = list(entries)
    root = _CommandNode()
    for entry in entries:
        _add_command(root, entry)
    about = {"version": program.version, "description": program.description}
    stated = without_nulls(about)
    whole = replace(root.grow(program.name), **stated)
    conversion = convert_tool(whole, to)
    [record] = conversion.output.records
    if target.read(record).id != program.name or program.name.startswith("-"):  # which every shell takes for an option
        characters = "letters, digits and _, and - behind the first"
        message = f"a program of {target.name} cannot be called {to_short_json(program.name)}; use {characters}"
        raise UsageError(message, "bad-option")
    if has_provenance and target.slot.path:
        record = put_ours(record, target, PROVENANCE, [entry.provenance for entry in entries])
    origins = dict.fromkeys(entry.provenance["format"] for entry in entries)
    return target.wrap([record.data]), replace(conversion.report, origin=", ".join(origins))


def _add_command(root: _CommandNode, entry: Entry) -> None:
    words = command_words(entry)
    depth = 1 if entry.qualifier.namespace else 0
    for step, group in zip(entry.path, entry.groups, strict=False):
        depth += len(words_between_dots(step))
        node = root.at(words[:depth])
        if node is not root and node.about is None:
            node.about = group
    root.at(words).entry = entry


class _CommandNode(msgspec.Struct):
    """A command under construction: its own tool, and the commands below it."""

    entry: Entry | None = None
    about: Tool | None = None  # the program or group that it was
    children: dict[str, _CommandNode] = {}

    def at(self, parts: Sequence[str]) -> _CommandNode:
        node = self
        for part in parts:
            node = node.children.setdefault(part, _CommandNode())
        return node

    def grow(self, name: str) -> Tool:
        own: Tool | None = None
        if self.entry is not None and self.entry.tool is not None:
            asserted_facts = self.entry.provenance.get("asserted", {})
            own = _command(replace(self.entry.tool, **asserted_facts))
        if own is not None and not self.children:
            return replace(own, id=name)
        children = [child.grow(part) for part, child in self.children.items()]
        if own is not None:
            # As a command without a name: what it says of itself would otherwise hold for those below it too.
            children.insert(0, replace(own, id=""))
        about = self.about or Tool(id=name)
        return Tool(
            id=name, title=about.title, summary=about.summary, description=about.description, children=tuple(children)
        )


def _command(tool: Tool) -> Tool:
    """A tool as a command of another program. The options of its old program become its own."""
    inputs, bindings = all_parameters(tool)
    return replace(tool, origin=None, inputs=inputs, bindings=bindings, global_inputs=None, global_bindings=None)


EntriesOfFiles = dict[str, list[Entry]]
"""Path of a file -> its entries."""

# -- earlier catalogues -----------------------------------------------------------------------------------------


def read_earlier(document: document_reader.Document, to: str, options: CatalogOptions = AS_USUAL) -> EntriesOfFiles:
    """The entries of an earlier catalogue: path of a file -> entries.

    Entries are left out, and made anew, if another version of toolglot made them, if they were made for another format,
    if several files were joined in them, or if they were edited.

    Raises:
        UsageError: the document is no catalogue of the format; code `"not-a-catalogue"`.
    """
    target = formats.target_of(to)
    if target.tree:
        return {}
    parts = document.data if document.syntax == "json-lines" else [document.data]
    records = [pair for part in parts for pair in _with_provenance(part, target)]
    if records and not any(about for _, about in records):
        raise _no_catalog_error(target)
    by_file: EntriesOfFiles = defaultdict(list)
    request = describe_request(to, options)
    for record, about in records:
        if _is_usable(about, record, request):
            check_shape(record, target)
            qualifier = Qualifier(about.get("namespace"))
            name = target.read(record).id
            entry = Entry(about["identity"], name, record, (), None, about, qualifier=qualifier)
            by_file[entry.file].append(entry)
    return by_file


def _with_provenance(data: Any, target: Format) -> Iterator[tuple[Record, dict[str, Any]]]:
    """The records of a catalogue, each with its provenance, which is empty where there is none."""
    notes = mapping_at(as_mapping(data), BESIDE)
    try:
        for record in target.records(data):
            ours = ours_in(record, target) or (notes and as_mapping(notes.get(target.tool_of(record).id)))
            about = mapping_at(ours, PROVENANCE)
            yield replace(without_ours(record, target, PROVENANCE), pointer=""), about
    except (KeyError, TypeError, AttributeError):
        raise _no_catalog_error(target) from None


def _no_catalog_error(target: Format) -> UsageError:
    return UsageError(f"this is not a catalogue of {target.name} that toolglot wrote", "not-a-catalogue")


class _EntryOrigin(msgspec.Struct):
    """The provenance that an entry needs to be taken over. It is checked, because anybody can write a seal."""

    identity: str
    path: str
    format: str
    sha256: str
    toolglot: str
    tools: int
    seal: str
    namespace: str | None = None
    asserted: dict[str, Any] = {}


def _is_usable(about: dict[str, Any], record: Record, request: str) -> bool:
    try:
        provenance = msgspec.convert(about, _EntryOrigin)
    except msgspec.ValidationError:
        return False
    return provenance.toolglot == toolglot.__version__ and provenance.seal == seal_of(about, record, request)
