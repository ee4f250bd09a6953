"""Brings together what descriptions, registries and indexes say about the same program: one record for each program.

A program is known by its name and its path. A description that states a hash belongs to the program of its name only
where the program's file has that hash: of one name there are many versions.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from toolglot.converter.files.names import printable_path
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.wording import join_first
from toolglot.runtime.inventory.dangers import Addition, add_dangers
from toolglot.runtime.inventory.description_files import Description, DescriptionOverride, lay_over
from toolglot.runtime.inventory.description_registries import IndexEntry
from toolglot.runtime.inventory.file_reader import FileReader, text_in
from toolglot.runtime.inventory.fingerprints import Fingerprint
from toolglot.runtime.inventory.machine_files import FileFacts
from toolglot.runtime.inventory.program_records import ProgramRecord, Trust
from toolglot.runtime.inventory.program_registries import RegistryEntry

MAX_DESCRIPTIONS = 32
"""How many descriptions of one program are looked at."""
MAX_ENTRIES = 64
"""How many entries of registries about programs of one name are looked at; each may name another place."""


class _ProgramFacts(msgspec.Struct):
    """What is known about one program so far.

    Attributes:
        files: hash -> the file at one of its paths.
    """

    name: str
    entries: list[RegistryEntry] = []
    descriptions: list[Description] = []
    overrides: list[DescriptionOverride] = []
    index_entries: list[IndexEntry] = []
    files: dict[str, Fingerprint] = {}

    @property
    def paths(self) -> list[str]:
        """The paths that entries state, without paths that lead to the same file by a link."""
        paths: dict[str, str] = {}  # path without links -> path as the first entry has it
        for entry in self.entries:
            if entry.path is not None:
                paths.setdefault(os.path.realpath(entry.path), entry.path)
        return list(paths.values())

    @property
    def sources(self) -> list[Description | RegistryEntry | IndexEntry]:
        """Everything that speaks about the program, descriptions first."""
        return [*self.descriptions, *self.entries, *self.index_entries]

    def at(self, path: str, reader: FileReader) -> _ProgramFacts:
        """What is known about the program at one of several paths; nobody says that the paths are one program."""
        real_path = os.path.realpath(path)
        file = reader.fingerprint(path) if self.files else None
        files = {} if file is None else {file.sha256: file}
        others = self.files.keys() - files
        return replace(
            self,
            entries=[entry for entry in self.entries if os.path.realpath(entry.path or path) == real_path],
            descriptions=[description for description in self.descriptions if description.program not in others],
            index_entries=[entry for entry in self.index_entries if entry.program not in others],
            files=files,
        )


def match_programs(facts: FileFacts, reader: FileReader) -> list[ProgramRecord]:
    """One record for each program, sorted by name; a description of another file of the name has its own record.

    Args:
        reader: hashes programs where a hash was stated, and collects what is wrong.
    """
    matching = _Matching(facts, reader)
    matching.add_by_name()
    matching.add_files()
    matching.add_by_hash()
    return matching.records()


class _Matching:
    """One run of `match_programs`: what files say, and what is known about each program so far."""

    def __init__(self, facts: FileFacts, reader: FileReader) -> None:
        self._facts = facts
        self._reader = reader
        # Name and "" -> the program of that name; name and hash -> another file of that name.
        self._programs: dict[tuple[str, str], _ProgramFacts] = {}
        self._descriptions_with_hash = [about for about in facts.descriptions if about.program is not None]

    def _facts_of(self, name: str, digits: str = "") -> _ProgramFacts:
        return self._programs.setdefault((name, digits), _ProgramFacts(name))

    def add_by_name(self) -> None:
        """Add everything that states no hash, by the name of its program."""
        for entry in self._facts.entries:
            program = self._facts_of(entry.name)
            if len(program.entries) < MAX_ENTRIES:
                program.entries.append(entry)
            else:
                message = f"there are more than {MAX_ENTRIES} entries about {entry.name!r}; this one is left out"
                self._reader.refuse("too-many-files", message, entry.file)
        for description in self._facts.descriptions:
            if description.program is None:
                self._facts_of(description.tool.id).descriptions.append(description)
        for override in self._facts.overrides:
            self._facts_of(override.program).overrides.append(override)
        for item in self._facts.index_entries:
            if item.program is None:
                self._facts_of(item.name).index_entries.append(item)

    def add_files(self) -> None:
        """Hash the files of the programs for which somebody states a hash; hashing all would take minutes."""
        names = {description.tool.id for description in self._descriptions_with_hash}
        names |= {item.name for item in self._facts.index_entries if item.program is not None}
        for program in list(self._programs.values()):
            for entry in program.entries:
                if entry.path is not None and (entry.sha256 is not None or entry.name in names):
                    self._add_file(entry, entry.path)

    def _add_file(self, entry: RegistryEntry, path: str) -> None:
        file = self._reader.fingerprint(path)
        if file is None:
            return
        self._facts_of(entry.name).files[file.sha256] = file
        if entry.sha256 not in (None, file.sha256):
            where = printable_path(path)
            message = f"{entry.name!r}: {where} has another hash than the registry says; it was changed since"
            self._reader.refuse("changed-program", message, entry.file)

    def add_by_hash(self) -> None:
        """Add everything that states a hash, to the program whose file has it."""
        self._add_hashed_descriptions()
        for item in self._facts.index_entries:
            if item.program is not None:
                is_own = item.program in self._facts_of(item.name).files
                self._facts_of(item.name, "" if is_own else item.program).index_entries.append(item)

    def _add_hashed_descriptions(self) -> None:
        names_of_own_files = {
            description.tool.id
            for description in self._descriptions_with_hash
            if description.program in self._facts_of(description.tool.id).files
        }
        for description in self._descriptions_with_hash:
            name, digits = description.tool.id, description.program or ""
            files = self._facts_of(name).files
            if digits in files or (not files and self._is_meant(description)):
                self._facts_of(name).descriptions.append(description)
            elif not files:
                self._facts_of(name, digits).descriptions.append(description)
            elif not description.is_by_content or name not in names_of_own_files:
                where = " and ".join(map(printable_path, self._facts_of(name).paths))
                message = f"it is about another file than {where}, which has another hash; it is left out"
                self._reader.refuse("other-program", message, description.file)

    def _is_meant(self, description: Description) -> bool:
        """Whether a description with a hash belongs to the program of its name though the program's file is unknown."""
        entries = self._facts_of(description.tool.id).entries
        return not description.is_by_content or any(entry.sha256 == description.program for entry in entries)

    def records(self) -> list[ProgramRecord]:
        """The records of all programs, sorted by name."""
        programs: list[_ProgramFacts] = []
        for _, program in sorted(self._programs.items()):
            if len(program.paths) > 1:
                programs += [program.at(path, self._reader) for path in program.paths]
            else:
                programs.append(program)
        for program in programs:
            program.descriptions.sort(key=lambda description: description.rank)
            for description in program.descriptions[MAX_DESCRIPTIONS:]:
                most = f"there are more than {MAX_DESCRIPTIONS} descriptions of {program.name!r}"
                self._reader.refuse("too-many-files", f"{most}; this one is left out", description.file)
            del program.descriptions[MAX_DESCRIPTIONS:]
            for override in reversed(program.overrides):
                below = program.descriptions[0] if program.descriptions else None
                changed = lay_over(self._reader, override, below)
                if changed is not None:
                    program.descriptions.insert(0, changed)
            self._name_hidden_commands(program)
        return [_record(program) for program in programs if program.sources]

    def _name_hidden_commands(self, program: _ProgramFacts) -> None:
        """Warn of commands that other descriptions have and the first leaves out, unless it says that it is partial."""
        if not program.descriptions:
            return
        first, *others = program.descriptions
        if first.obtained != "file" or first.is_partial:
            return
        shown_paths = {leaf.path for leaf in leaves_of(first.tool)}
        for other in others:
            hidden_names = [" ".join(leaf.path) for leaf in leaves_of(other.tool) if leaf.path not in shown_paths]
            if hidden_names:
                message = f"it counts before {printable_path(other.file)}, and hides {join_first(hidden_names)}"
                self._reader.warn("hidden-commands", message, first.file)


def _record(program: _ProgramFacts) -> ProgramRecord:
    description, additions = _combine(program.descriptions)
    versions = [] if description is None else [description.tool.version]
    versions += [entry.version for entry in program.entries]
    versions += [index_entry.version for index_entry in program.index_entries]
    return ProgramRecord(
        name=program.name,
        version=next(filter(None, versions), None),
        path=next(iter(program.paths), None),
        file=_file_of(program, description),
        known_from=tuple(dict.fromkeys(source.file for source in program.sources)),
        obtained="file" if description is None else description.obtained,
        trust=_trust(program, description),
        description=description,
        additions=additions,
    )


def _combine(descriptions: Sequence[Description]) -> tuple[Description | None, tuple[Addition, ...]]:
    """The first description with the dangers that the others say, and these dangers."""
    if not descriptions:
        return None, ()
    first, *others = descriptions
    with_dangers = add_dangers(first.tool, [(other.file, other.tool) for other in others])
    if not with_dangers.additions:
        return first, ()
    # Without data: for a fact that comes from another file, a report would quote what this file has at its place.
    document = copy.copy(first.reading.document)
    document.data, document.syntax = {}, "data"
    reading = replace(first.reading, document=document, records=[], tools=[with_dangers.tool])
    return first._replace(reading=reading), with_dangers.additions


def _file_of(program: _ProgramFacts, description: Description | None) -> Fingerprint | None:
    """The file of the program: the one that the description is about, or else the first."""
    if description is not None and description.program in program.files:
        return program.files[description.program]
    return next(iter(program.files.values()), None)


def _trust(program: _ProgramFacts, description: Description | None) -> Trust:
    # As the file has it: `_combine` takes "verified" away.
    stated = as_mapping(program.descriptions[0].tool.trust if program.descriptions else None)
    words = [text_in(stated, "source"), *(entry.declared for entry in program.entries)]
    is_same_file = description is not None and description.program in program.files
    evidence = "hash" if is_same_file else None
    return Trust(next(filter(None, words), None), stated.get("verified") is True, evidence)
