"""What one file gives to a catalogue."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

import toolglot
from toolglot import formats, text
from toolglot.errors import WriteError
from toolglot.formats import Format, Record
from toolglot.model import Leaf, Tool
from toolglot.pipeline import Conversion, convert_readings
from toolglot.reading import Reading, read_document


class Entry(NamedTuple):
    """One tool of a catalogue.

    Attributes:
        identity: id and major version, such as `mail.archive@1`; the id alone where no version is stated.
        name: its id in the catalogue's format.
        record: as that format writes it; `None` where the format writes a whole program.
        path: the ids from its program to itself; empty where the entry comes from an earlier catalogue.
        tool: as it was read; `None` likewise.
        groups: for a format that writes a whole program, the program and the groups that it stands in.
        provenance: where it comes from: `identity`, `path`, `format`, `sha256`, `toolglot` (the version that read
            it), `tools` (how many its file holds), and `seal` (of the record and all of this); where several files
            are one tool in several languages, `localised_from` instead of the seal.
    """

    identity: str
    name: str
    record: Record | None
    path: tuple[str, ...]
    tool: Tool | None
    provenance: dict[str, Any]
    groups: tuple[Tool, ...] = ()

    @property
    def file(self) -> str:
        """The path of the file that it comes from."""
        return str(self.provenance["path"])


class Gathered(NamedTuple):
    """The entries of one file, and how many changes of each severity, action and code converting them took."""

    entries: list[Entry]
    counts: Counter[tuple[str, str, str]]


def gather(document: text.Document, found: Format, to: str, file: str) -> Gathered:
    """The entries of one file.

    Args:
        document: the parsed file.
        found: its format.
        to: `FORMAT[@VERSION]` of the catalogue.
        file: what the file is called in the catalogue, with `/` on every system.

    Raises:
        Error: the file cannot be read, or not be written as `to`.
    """
    target, _ = formats.parse_target(to)
    tools = read_document(document, found.name).tools
    leaves = [leaf for tool in tools for leaf in tool.leaves()]
    # What was parsed, not what the file holds by now: it may change at any moment.
    raw = (("\ufeff" if document.bom else "") + document.text).encode()
    about = {
        "path": file,
        "format": found.name,
        "sha256": digest(raw),
        "toolglot": toolglot.__version__,
        "tools": len(leaves),
    }
    records: Sequence[Record | None] = [None] * len(leaves)
    names = [leaf.tool.id for leaf in leaves]
    counts: Counter[tuple[str, str, str]] = Counter()
    if not target.tree:
        conversion = convert_tools(tools, to)
        records, names = conversion.output.records, conversion.output.names
        counts = conversion.unlocated.counts()
    if len(records) != len(leaves):
        message = f"{target.name} does not write one record a tool, which a catalogue needs"
        raise WriteError(message, "not-one-record", source=document.name)
    entries = []
    for leaf, record, name in zip(leaves, records, names, strict=True):
        identity = identity_of(leaf)
        groups = tuple(msgspec.structs.replace(group, children=None) for group in leaf.ancestors if target.tree)
        origin = {"identity": identity, **about}
        origin["seal"] = seal(origin, record, to)
        entries.append(Entry(identity, name, record, leaf.path, leaf.tool, origin, groups))
    return Gathered(entries, counts)


def seal(provenance: dict[str, Any], record: Record | None, to: str) -> str:
    """A hash of everything that an entry says, and of what was asked for; an entry that was edited does not fit it."""
    about = {key: value for key, value in provenance.items() if key != "seal"}
    said = [about, record and record.data, record and record.body, to]
    return digest(json.dumps(said, sort_keys=True).encode())[:16]


def convert_tools(tools: Sequence[Tool], to: str) -> Conversion:
    """Convert tools that need not come from one document, or from any."""
    target, _ = formats.parse_target(to)
    return convert_readings([Reading(target, text.from_data({}), [], list(tools), False, {}, [])], to)


def identity_of(leaf: Leaf) -> str:
    """Id and major version (AIP-14: the key of caches, audits and grants).

    >>> identity_of(next(Tool(id="mail.archive", version="1.4.0").leaves()))
    'mail.archive@1'
    """
    major = re.match(r"[0-9]{1,9}(?=\.|\Z)", leaf.tool.version or "")
    return " ".join(leaf.path) + (f"@{int(major[0])}" if major else "")


def is_same(entries: Sequence[Entry], raw: bytes) -> bool:
    """Whether a file of these bytes is the one that the entries were made from."""
    return all(entry.provenance["sha256"] == digest(raw) for entry in entries)


def digest(raw: bytes) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()
