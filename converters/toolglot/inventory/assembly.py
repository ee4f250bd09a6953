"""From what files say to one record a program.

A program is known by its name and its path. A description that says which file it is about, by a hash, belongs to the
program of its name only where the program is that file: of one name there are many versions.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence

import msgspec

from toolglot.files.names import printable_path
from toolglot.inventory.dangers import Addition, add_dangers
from toolglot.inventory.descriptions import Description
from toolglot.inventory.file_reader import FileReader, text_in
from toolglot.inventory.fingerprints import Fingerprint
from toolglot.inventory.indexes import IndexEntry
from toolglot.inventory.program_records import ProgramRecord, Trust
from toolglot.inventory.registries import RegistryEntry
from toolglot.inventory.search import FileFacts
from toolglot.inventory.store import Obtained
from toolglot.text.pointers import as_mapping

MAX_DESCRIPTIONS = 32
"""How many descriptions of one program are looked at."""


class _ProgramFacts:
    """What is known of one program so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries: list[RegistryEntry] = []
        self.descriptions: list[Description] = []
        self.index_entries: list[IndexEntry] = []
        self.files: dict[str, Fingerprint] = {}  # of its paths, by hash

    @property
    def paths(self) -> list[str]:
        """Where it is said to lie, each place once, whatever links lead there."""
        paths: dict[str, str] = {}  # without links -> as the first entry has it
        for entry in self.entries:
            if entry.path is not None:
                paths.setdefault(os.path.realpath(entry.path), entry.path)
        return list(paths.values())

    def at(self, path: str, reader: FileReader) -> _ProgramFacts:
        """What is known of the program at one of several paths, of which nobody says that they are one program."""
        here = _ProgramFacts(self.name)
        real_path = os.path.realpath(path)
        here.entries = [entry for entry in self.entries if os.path.realpath(entry.path or path) == real_path]
        here.descriptions = list(self.descriptions)
        here.index_entries = list(self.index_entries)
        if self.files:
            file = reader.fingerprint(path)
            hashes: set[str | None] = {None}
            if file is not None:
                here.files = {file.sha256: file}
                hashes.add(file.sha256)
            here.descriptions = [item for item in self.descriptions if item.program in hashes]
            here.index_entries = [item for item in self.index_entries if item.program in hashes]
        return here


def assemble(facts: FileFacts, reader: FileReader) -> list[ProgramRecord]:
    """One record for each program, by name; descriptions of other files of that name have records of their own.

    Args:
        reader: hashes programs where a hash was stated, and keeps what is wrong.
    """
    assembly = _Assembly(facts, reader)
    assembly.add_by_name()
    assembly.add_files()
    assembly.add_by_hash()
    return assembly.records()


class _Assembly:
    def __init__(self, facts: FileFacts, reader: FileReader) -> None:
        self._facts = facts
        self._reader = reader
        self._known: dict[tuple[str, str], _ProgramFacts] = {}
        self._hashed = [description for description in facts.descriptions if description.program is not None]

    def _facts_of(self, name: str, digits: str = "") -> _ProgramFacts:
        return self._known.setdefault((name, digits), _ProgramFacts(name))

    def add_by_name(self) -> None:
        """What says no hash."""
        for entry in self._facts.entries:
            self._facts_of(entry.name).entries.append(entry)
        for description in self._facts.descriptions:
            if description.program is None:
                self._facts_of(description.tool.id).descriptions.append(description)
        for item in self._facts.index_entries:
            if item.program is None:
                self._facts_of(item.name).index_entries.append(item)

    def add_files(self) -> None:
        """Which files the programs are, where a hash is stated of one: to hash all of them would take minutes."""
        asked = {description.tool.id for description in self._hashed}
        asked |= {item.name for item in self._facts.index_entries if item.program is not None}
        for entry in self._facts.entries:
            if entry.path is None or (entry.sha256 is None and entry.name not in asked):
                continue
            file = self._reader.fingerprint(entry.path)
            if file is None:
                continue
            self._facts_of(entry.name).files[file.sha256] = file
            if entry.sha256 not in (None, file.sha256):
                where = printable_path(entry.path)
                message = f"{entry.name!r}: {where} has another hash than the registry says; it was changed since"
                self._reader.refuse("changed-program", message, entry.file)

    def add_by_hash(self) -> None:
        """What says a hash."""
        matching = {item.tool.id for item in self._hashed if item.program in self._files_of(item.tool.id)}
        for description in self._hashed:
            name, digits = description.tool.id, description.program or ""
            files = self._files_of(name)
            if digits in files or (not files and self._is_meant(description)):
                self._facts_of(name).descriptions.append(description)
            elif not files:
                self._facts_of(name, digits).descriptions.append(description)
            elif not description.is_by_content or name not in matching:
                where = " and ".join(map(printable_path, self._facts_of(name).paths))
                message = f"it is about another file than {where}, which has another hash; it is left out"
                self._reader.refuse("other-program", message, description.file)
        for item in self._facts.index_entries:
            if item.program is None:
                continue
            if item.program in self._files_of(item.name):
                self._facts_of(item.name).index_entries.append(item)
            else:
                self._facts_of(item.name, item.program).index_entries.append(item)

    def _files_of(self, name: str) -> dict[str, Fingerprint]:
        known = self._known.get((name, ""))
        return known.files if known is not None else {}

    def _is_meant(self, description: Description) -> bool:
        """Whether a description belongs to the program of its name though nobody has the program's file."""
        if not description.is_by_content:
            return True
        known = self._known.get((description.tool.id, ""))
        return known is not None and any(entry.sha256 == description.program for entry in known.entries)

    def records(self) -> list[ProgramRecord]:
        """The programs, by name."""
        every: list[_ProgramFacts] = []
        for _, known in sorted(self._known.items()):
            paths = known.paths
            if len(paths) > 1:
                every += [known.at(path, self._reader) for path in paths]
            else:
                every.append(known)
        for known in every:
            known.descriptions.sort(key=lambda description: description.rank)
            for description in known.descriptions[MAX_DESCRIPTIONS:]:
                message = f"there are more than {MAX_DESCRIPTIONS} descriptions of {known.name!r}; this one is left out"
                self._reader.refuse("too-many-files", message, description.file)
            del known.descriptions[MAX_DESCRIPTIONS:]
        return [_record(known) for known in every if known.entries or known.descriptions or known.index_entries]


def _record(known: _ProgramFacts) -> ProgramRecord:
    ordered = known.descriptions
    description: Description | None = None
    additions: tuple[Addition, ...] = ()
    versions: list[str | None] = []
    obtained: Obtained = "file"
    if ordered:
        description, additions = _combine(ordered)
        versions.append(description.tool.version)
        obtained = description.obtained
    versions += [entry.version for entry in known.entries] + [item.version for item in known.index_entries]
    files = [description.file for description in ordered]
    files += [entry.file for entry in known.entries] + [item.file for item in known.index_entries]
    return ProgramRecord(
        name=known.name,
        version=next(filter(None, versions), None),
        path=next(iter(known.paths), None),
        file=_file_of(known, description),
        known_from=tuple(dict.fromkeys(files)),
        obtained=obtained,
        trust=_trust(known, description, ordered),
        description=description,
        additions=additions,
    )


def _combine(ordered: Sequence[Description]) -> tuple[Description, tuple[Addition, ...]]:
    """The first description with the dangers that the others say, and these dangers."""
    first, *others = ordered
    combined = add_dangers(first.tool, [(other.file, other.tool) for other in others])
    if not combined.additions:
        return first, ()
    # A report would show what stands in the file at the place of a fact that comes from another file.
    document = copy.copy(first.reading.document)
    document.data, document.syntax = {}, "data"
    reading = msgspec.structs.replace(first.reading, document=document, records=[], tools=[combined.tool])
    return first._replace(reading=reading), combined.additions


def _file_of(known: _ProgramFacts, description: Description | None) -> Fingerprint | None:
    """The file that is meant: the one that the description is about, or else the first."""
    if description is not None and description.program in known.files:
        return known.files[description.program]
    return next(iter(known.files.values()), None)


def _trust(known: _ProgramFacts, description: Description | None, ordered: Sequence[Description]) -> Trust:
    stated = ordered[0].reading.tools[0].trust if ordered else None
    declared = [text_in(stated, "source"), *(entry.declared for entry in known.entries)]
    evidence = None
    if description is not None and description.program in known.files:
        evidence = "hash"
    is_verified = as_mapping(stated).get("verified") is True
    return Trust(next(filter(None, declared), None), is_verified, evidence)
