"""What one file gives to a catalogue."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

import toolglot
from toolglot import formats
from toolglot.catalogs.languages import Translation, language_of, translate
from toolglot.catalogs.options import AS_USUAL, CatalogueOptions
from toolglot.conversion.assertions import claim_of
from toolglot.conversion.namespaces import with_namespaces
from toolglot.conversion.pipeline import Conversion, convert_readings
from toolglot.conversion.reading import Reading
from toolglot.conversion.sources import at, read_document
from toolglot.diagnostics.checks import Diagnostic, from_error
from toolglot.errors import Error, WriteError
from toolglot.formats import Format, Record
from toolglot.formats.kit.names import UNQUALIFIED, Naming, Qualifier
from toolglot.hub.model import Leaf, Tool, prune
from toolglot.text import serialization


class Entry(NamedTuple):
    """One tool of a catalogue.

    Attributes:
        identity: id and major version, such as `mail.archive@1`; the id alone where no version is stated.
        name: its id in the catalogue's format.
        record: as that format writes it; `None` where the format writes a whole program.
        path: the ids from its program to itself; empty where the entry comes from an earlier catalogue.
        tool: as it was read; `None` likewise.
        provenance: where it comes from: `identity`, `namespace` (whose id it is, where that is known), `path`,
            `format`, `sha256`, `toolglot` (the version that read it), `tools` (how many its file holds), `asserted`
            (what a person vouched for), and `seal` (of the record and all of this). Where several files are one
            tool, `localised_from` or `also_from` stands instead of the seal.
        groups: for a format that writes a whole program, the program and the groups that it stands in.
        tree: its program, cut down to it; `None` where the entry comes from an earlier catalogue.
        pointer: where its record stands in the file.
        qualifier: what its id takes up beside the path.
    """

    identity: str
    name: str
    record: Record | None
    path: tuple[str, ...]
    tool: Tool | None
    provenance: dict[str, Any]
    groups: tuple[Tool, ...] = ()
    tree: Tool | None = None
    pointer: str = ""
    qualifier: Qualifier = UNQUALIFIED

    @property
    def file(self) -> str:
        """The path of the file that it comes from."""
        return str(self.provenance["path"])

    @property
    def namespace(self) -> str | None:
        """Whose id it is, where that is known."""
        return self.provenance.get("namespace")


class Gathered(NamedTuple):
    """The entries of one file, and how many changes of each severity, action and code converting them took.

    Attributes:
        notes: what is worth a look; those of severity error are tools that are missing, or facts that were refused.
    """

    entries: list[Entry]
    counts: Counter[tuple[str, str, str]]
    notes: list[Diagnostic]


def gather(
    document: serialization.Document, origin: Format, to: str, file: str, options: CatalogueOptions = AS_USUAL
) -> Gathered:
    """The entries of one file; what cannot be written is named in the notes and costs no other tool anything.

    Args:
        document: the parsed file.
        origin: its format.
        to: `FORMAT[@VERSION]` of the catalogue.
        file: what the file is called in the catalogue, with `/` on every system.

    Raises:
        Error: the file cannot be read.
    """
    reading = read_document(document, origin.name)
    tools = with_namespaces(reading.tools, options.namespace, file).tools
    pointers = [record.pointer for record in reading.records]
    if len(pointers) != len(tools):  # what several records were put together to stands at none of them
        pointers = [""] * len(tools)
    # What was parsed, not what the file holds by now: it may change at any moment.
    raw = (("\ufeff" if document.bom else "") + document.text).encode()
    about = {
        "path": file,
        "format": origin.name,
        "sha256": digest(raw),
        "toolglot": toolglot.__version__,
        "tools": sum(len(options.choice.among(tool)) for tool in tools),
    }
    gathered, request = Gathered([], Counter(), []), asked(to, options)
    for tool, pointer in zip(tools, pointers, strict=True):
        variant, note = _translated(tool, options.languages, file)
        if note:
            gathered.notes.append(Diagnostic(code="other-language", severity="warning", message=note, source=file))
        for leaf in options.choice.among(variant):
            try:
                entry = _entry(leaf, prune(variant, leaf), about, pointer, to, options, gathered)
            except Error as error:
                error.source, error.pointer = file, pointer
                gathered.notes.append(from_error(at(document, error)))
            else:
                entry.provenance["seal"] = seal(entry.provenance, entry.record, request)
                gathered.entries.append(entry)
    return gathered


def _translated(tool: Tool, languages: Sequence[str], file: str) -> Translation:
    """The tool in the languages that are asked for, where it has several; files that translate it come later."""
    if not (languages and tool.localizations):
        return Translation(tool)
    return translate(tool, languages, language_of(file))


def _entry(
    leaf: Leaf,
    tree: Tool,
    about: dict[str, Any],
    pointer: str,
    to: str,
    options: CatalogueOptions,
    gathered: Gathered,
) -> Entry:
    target, _ = formats.parse_target(to)
    qualifier, identity = Qualifier(leaf.tool.namespace), identity_of(leaf)
    asserted = claim_of(leaf, options.assertions).facts
    record, name = None, leaf.tool.id
    if not target.tree:
        try:
            conversion = convert_tool(tree, to, qualifier, options)
        except WriteError as error:
            if not options.assertions or error.code not in ("override-refused", "scope-refused"):
                raise
            conversion, asserted = convert_tool(tree, to, qualifier, AS_USUAL), {}
            message = f"{' '.join(leaf.path)} is not as asserted: {error.message}"
            gathered.notes.append(Diagnostic(code=error.code, severity="error", message=message, source=about["path"]))
        gathered.counts.update(conversion.unlocated.counts())
        [record], [name] = conversion.output.records, conversion.output.names
    origin = {"identity": identity, "namespace": leaf.tool.namespace, **about, "asserted": asserted}
    origin = {key: value for key, value in origin.items() if value not in (None, {})}
    groups = tuple(msgspec.structs.replace(group, children=None) for group in leaf.ancestors if target.tree)
    return Entry(identity, name, record, leaf.path, leaf.tool, origin, groups, tree, pointer, qualifier)


def asked(to: str, options: CatalogueOptions) -> str:
    """What a catalogue is asked for, in one short text; it is sealed with every entry."""
    return digest(json.dumps([to, *options]).encode()) if options != AS_USUAL else to


def seal(provenance: dict[str, Any], record: Record | None, request: str) -> str:
    """A hash of everything that an entry says, and of what was asked for; an entry that was edited does not fit it."""
    about = {key: value for key, value in provenance.items() if key != "seal"}
    content = [about, record and record.data, record and record.body, request]
    return digest(json.dumps(content, sort_keys=True).encode())[:16]


def convert_tool(
    tool: Tool, to: str, qualifier: Qualifier = UNQUALIFIED, options: CatalogueOptions = AS_USUAL
) -> Conversion:
    """Convert one tool that need not come from a document.

    Raises:
        WriteError: the format does not write it as one record, or not at all.
    """
    target, _ = formats.parse_target(to)
    reading = Reading(target, serialization.from_data({}), [], [tool], {})
    naming = Naming([qualifier], [qualifier])
    conversion = convert_readings([reading], to, naming=naming, assertions=options.assertions)
    if len(conversion.output.records) != 1:
        reason = next((change.note for change in conversion.unlocated.changes if change.action == "excluded"), "")
        message = f"{target.name} does not write one record a tool, which a catalogue needs"
        raise WriteError(reason or message, "not-one-record")
    return conversion


def identity_of(leaf: Leaf) -> str:
    """Id and major version (AIP-14: the key of caches, audits and grants).

    >>> identity_of(next(Tool(id="mail.archive", version="1.4.0").leaves()))
    'mail.archive@1'
    """
    return " ".join(leaf.path) + (f"@{leaf.tool.major}" if leaf.tool.major else "")


def is_same(entries: Sequence[Entry], raw: bytes) -> bool:
    """Whether a file of these bytes is the one that the entries were made from."""
    return all(entry.provenance["sha256"] == digest(raw) for entry in entries)


def digest(raw: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()
