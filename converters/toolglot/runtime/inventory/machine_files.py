"""Reads files about programs once: finds them, tells their kinds by place or content, and keeps what they say.

The folders that tools for agents share are those of the XDG Base Directory Specification, in its order. `PATH` is not
searched: nothing in a program's file says whether it describes itself, so every program would have to be run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from toolglot.converter.conversion.sources import open_document
from toolglot.converter.files.names import is_inside, printable_path
from toolglot.converter.files.system.user_folders import shared_folders, user_folder
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import as_mapping, mapping_at
from toolglot.errors import Error
from toolglot.runtime.inventory.blocked_programs import OrganizationPolicy, read_policy
from toolglot.runtime.inventory.description_files import Description, DescriptionOverride, describe
from toolglot.runtime.inventory.description_registries import (
    IndexEntry,
    RemoteRegistry,
    is_catalog,
    read_catalog,
    read_index,
    read_manifest,
    read_registry_list,
)
from toolglot.runtime.inventory.discovery_settings import Setting, is_configuration, read_configuration
from toolglot.runtime.inventory.file_reader import FileReader, stem_of
from toolglot.runtime.inventory.fingerprints import is_sha256
from toolglot.runtime.inventory.kept_answers import Store
from toolglot.runtime.inventory.program_registries import RegistryEntry, is_registry, read_registry
from toolglot.runtime.inventory.workflows import Workflow, is_workflow, read_workflows

_SHARED = "agent-tools"
_MOST_FOLDERS = 32  # of `XDG_DATA_DIRS`; a longer list is a mistake


class SharedFolder(NamedTuple):
    """A folder that tools for agents share.

    Attributes:
        path: the folder; it need not be there.
        has_overrides: whether overrides and configurations are looked for there.
        has_data: whether registries, caches and shims are looked for there.
    """

    path: str
    has_overrides: bool = True
    has_data: bool = True


def machine_folders(environment: Mapping[str, str]) -> list[SharedFolder]:
    """The shared folders of this user and machine, the one that counts most first.

    >>> [place.path for place in machine_folders({"HOME": "/home/me", "XDG_DATA_DIRS": "share:/opt/share"})]
    ['/home/me/.config/agent-tools', '/home/me/.local/share/agent-tools', '/opt/share/agent-tools']
    """
    config, data = (user_folder(kind, environment, home_folder(environment)) for kind in ("CONFIG", "DATA"))
    folders = (data, *shared_folders(environment)[:_MOST_FOLDERS])
    data_folders = dict.fromkeys(os.path.join(path, _SHARED) for path in folders)
    return [
        SharedFolder(os.path.join(config, _SHARED), has_data=False),
        *(SharedFolder(path, has_overrides=False) for path in data_folders),
    ]


def home_folder(environment: Mapping[str, str]) -> str:
    """The user's home folder, for which `~` stands in paths."""
    return environment.get("HOME") or os.path.expanduser("~")


# -- kinds of files ---------------------------------------------------------------------------------------------------

_INDEX_FILE = "index.json"
_REGISTRY_FILE = "registry.json"
_POLICY_FILE = "policy.json"
_OVERRIDES = "overrides"
_WELL_KNOWN = ".well-known"


class FileFacts(NamedTuple):
    """What files say, each list in the order in which its facts were found."""

    entries: list[RegistryEntry]
    descriptions: list[Description]
    overrides: list[DescriptionOverride]
    index_entries: list[IndexEntry]
    workflows: list[Workflow]
    registries: list[RemoteRegistry]
    settings: list[Setting]
    policies: list[OrganizationPolicy]


class _Kind(NamedTuple):
    """A kind of file.

    Attributes:
        title: its name in messages.
        matches: tells whether data is of this kind.
        read: reads the facts in a file.
        kept_in: the list of `FileFacts` that the facts go to.
    """

    title: str
    matches: Callable[[Any], bool]
    read: Callable[[FileReader, str, Any], Iterable[Any]]
    kept_in: str


def _has(key: str, kind: type) -> Callable[[Any], bool]:
    """A test for a kind of file that is known by one key and the type of its value."""
    return lambda data: isinstance(as_mapping(data).get(key), kind)


_CONFIGURATION = _Kind("a configuration", is_configuration, read_configuration, "settings")
# `config.json` is a configuration whatever stands in it: no specification says what may, and unknown keys are noted.
_NAMED_CONFIGURATION = _CONFIGURATION._replace(matches=lambda data: True)
_REGISTRY_LIST = _Kind("a list of registries", _has("registries", list), read_registry_list, "registries")
_MANIFEST = _Kind("the manifest of a registry", _has("endpoints", dict), read_manifest, "registries")
_INDEX = _Kind("an index of descriptions", _has("shims", dict), read_index, "index_entries")
_CATALOG = _Kind("a catalogue of descriptions", is_catalog, read_catalog, "index_entries")
_REGISTRY = _Kind("a registry of programs", is_registry, read_registry, "entries")
_WORKFLOW = _Kind("a workflow", is_workflow, read_workflows, "workflows")
_POLICY = _Kind("a policy", _has("policy", dict), read_policy, "policies")
# A file is of the first kind that matches its content.
_KINDS = (_POLICY, _MANIFEST, _REGISTRY_LIST, _INDEX, _CATALOG, _REGISTRY, _CONFIGURATION, _WORKFLOW)
# A folder that has one of these is a shared folder; any other is a folder of files.
_LAYOUT = (
    _REGISTRY_FILE,
    _POLICY_FILE,
    "config.json",
    "registries.json",
    "tools",
    "shims",
    _OVERRIDES,
    "patterns",
    _WELL_KNOWN,
)


# -- the search -------------------------------------------------------------------------------------------------------

# Of several descriptions of a program the one of the lowest rank counts. First come overrides, then what the program
# answered to us. Then come the shared folders in their order, and in each: what its registry names, caches, shims by
# hash, shims by name. `_NEXT_PLACE` is the number of ranks of a folder.
_OVERRIDE_BY_HASH, _OVERRIDE, _ANSWER, _PARTIAL_ANSWER, _FIRST_PLACE = range(5)
_NAMED, _CACHED, _SHIM_BY_HASH, _SHIM, _NEXT_PLACE = range(5)


class Search:
    """Reads files about programs, each once, and collects their facts.

    Args:
        home: the folder for which `~` stands in the paths of registries.

    Attributes:
        reader: reads the files, and collects what is wrong with them.
        facts: what the files say.
    """

    def __init__(self, home: str) -> None:
        self._home = home
        self.reader = FileReader()
        self.facts = FileFacts([], [], [], [], [], [], [], [])
        self._roots: list[str] = []
        self._visited_files: set[str] = set()
        self._checksums: dict[str, str] = {}

    def add_answers(self, store: Store) -> None:
        """Add what programs answered to us; an answer counts only while the program's file is the same."""
        try:
            answers = store.answers()
        except Error as error:
            self.reader.refuse(error.code, error.message, store.path)
            return
        for answer in answers:
            path, program = store.document_path(answer), answer.provenance.program
            if program is not None:
                now = self.reader.fingerprint(program.path)
                if now is None or now.sha256 != program.sha256:
                    name = printable_path(program.path)
                    message = f"{name} is another file than the one that was asked; ask it again"
                    self.reader.warn("changed-program", message, path)
                    continue
            try:
                document = open_document(store.read_document(answer), path)
            except Error as error:
                self.reader.refuse(error.code, error.message, path)
                continue
            description = describe(self.reader, document, path, is_partial=answer.partial, stem="")
            if description is None:
                continue
            rank = _PARTIAL_ANSWER if description.is_partial else _ANSWER
            description = description._replace(rank=rank, provenance=answer.provenance)
            if program is not None:  # the answer is about this file, and about no other file of the same name
                description = description._replace(program=program.sha256)
                self.facts.entries.append(RegistryEntry(description.tool.id, program.path, file=path))
            self.facts.descriptions.append(description)

    def add_path(self, path: str, number: int) -> None:
        """Add a file or a folder that somebody names; `number` is its place among all that are named."""
        if not os.path.isdir(path):
            if os.path.lexists(path):  # a person who names a link wants it followed
                self._add_file(path, os.path.dirname(os.path.realpath(path)), number)
            else:
                self.reader.refuse("unreadable", "there is no such file or folder", path)
        elif any(os.path.lexists(os.path.join(path, name)) for name in _LAYOUT):
            self.add_places([SharedFolder(path)], number)
        else:
            for file in self.reader.files_in(path):
                self._add_file(file, path, number)

    def _add_file(self, path: str, root: str, number: int) -> None:
        """Add a file; its content tells the kind."""
        document = self.reader.load(path, root)
        if document is None:
            return
        if self._keep_facts(_KINDS, path, document) is not None:
            return
        # A file that a person names need not be called after its program; but a hash in its name has to fit.
        stem = stem_of(path)
        if not is_sha256(stem.lower()):
            stem = ""
        description = describe(self.reader, document, path, stem=stem)
        self._keep(description, _FIRST_PLACE + _NEXT_PLACE * number)

    def add_places(self, places: Iterable[SharedFolder], number: int = 0) -> None:
        """Add folders that tools for agents share; `number` is the place of the first among all folders."""
        places = list(places)
        self._roots += [place.path for place in places]
        for index, place in enumerate(places, start=number):
            policy = os.path.join(place.path, _POLICY_FILE)
            if not self._load_kind(policy, place.path, _POLICY) and os.path.lexists(policy):
                # The policy cannot be read, so every program is blocked.
                self.facts.policies.append(OrganizationPolicy(None, ("*",), policy))
            if place.has_overrides:
                self._load_kind(os.path.join(place.path, "config.json"), place.path, _NAMED_CONFIGURATION)
                self._load_kind(os.path.join(place.path, "registries.json"), place.path, _REGISTRY_LIST)
                self._add_descriptions(_OVERRIDE_BY_HASH, place.path, _OVERRIDES, "sha256")
                self._add_overrides(place.path)
            if place.has_data:
                self._add_data(place.path, _FIRST_PLACE + _NEXT_PLACE * index)

    def _add_data(self, root: str, rank: int) -> None:
        for file in self.reader.files_in(root, _WELL_KNOWN):
            if file.endswith(f"-{_REGISTRY_FILE}"):
                self._load_kind(file, root, _MANIFEST)
        entries = self._load_kind(os.path.join(root, _REGISTRY_FILE), root, _REGISTRY)
        for entry in entries:
            self._add_named(entry, root, rank + _NAMED)
        self._keep_checksums(self._load_kind(os.path.join(root, "shims", _INDEX_FILE), root, _INDEX, _CATALOG), root)
        is_lossy = any(entry.is_lossy for entry in entries)
        self._add_descriptions(rank + _CACHED, root, "tools", is_lossy=is_lossy)
        self._add_descriptions(rank + _SHIM_BY_HASH, root, "shims", "sha256")
        self._add_descriptions(rank + _SHIM, root, "shims")
        for file in self.reader.files_in(root, "patterns"):
            if os.path.basename(file) != _INDEX_FILE:
                self._load_kind(file, root, _WORKFLOW)

    def _load_kind(self, path: str, root: str, *kinds: _Kind) -> list[Any]:
        """The facts of a file that has to be of one of these kinds; empty where there is no file, or it is refused."""
        document = self.reader.load(path, root)
        if document is None:
            return []
        facts = self._keep_facts(kinds, path, document)
        if facts is None:
            self.reader.refuse("other-kind", f"{kinds[0].title} is expected here", path)
        return facts or []

    def _keep_facts(self, kinds: Iterable[_Kind], path: str, document: Document) -> list[Any] | None:
        """The facts of a file, by the first kind that matches; `None` where none matches."""
        for kind in kinds:
            if kind.matches(document.data):
                facts = list(kind.read(self.reader, path, document.data))
                getattr(self.facts, kind.kept_in).extend(facts)
                return facts
        return None

    def _add_named(self, entry: RegistryEntry, root: str, rank: int) -> None:
        """Add the descriptions that a registry names, but only those in the shared folders."""
        for document_path in entry.documents:
            folder = self._home if document_path.startswith("~/") else root
            path = os.path.join(folder, document_path.removeprefix("~/"))
            own_root = next((shared for shared in self._roots if is_inside(path, shared)), None)
            if own_root is None:
                message = f"the description of {entry.name!r} lies outside of the shared folders; it is not read"
                self.reader.refuse("outside-folder", message, entry.file)
            elif not os.path.lexists(path):
                message = f"there is no description of {entry.name!r} at {document_path!r}"
                self.reader.warn("no-description", message, entry.file)
            elif self._is_new(path):
                document = self.reader.load(path, own_root)
                self._keep(describe(self.reader, document, path, entry.name, entry.is_lossy), rank)

    def _keep_checksums(self, index_entries: Iterable[IndexEntry], root: str) -> None:
        """Remember the hashes that an index states for the descriptions beside it."""
        for item in index_entries:
            if item.path is None or item.checksum is None:
                continue
            path = os.path.join(root, item.path.lstrip("/"))
            if is_inside(path, root):
                self._checksums[os.path.realpath(path)] = item.checksum
            else:
                message = f"the description of {item.name!r} lies outside of the folder; it is not read"
                self.reader.refuse("outside-folder", message, item.file, item.pointer)

    def _add_descriptions(self, rank: int, root: str, *parts: str, is_lossy: bool = False) -> None:
        for path in self.reader.files_in(root, *parts):
            if os.path.basename(path) != _INDEX_FILE and self._is_new(path):
                self._keep(describe(self.reader, self.reader.load(path, root), path, is_lossy=is_lossy), rank)

    def _add_overrides(self, root: str) -> None:
        """Add overrides; one that states the hash of its program is a whole description, and no patch."""
        for path in self.reader.files_in(root, _OVERRIDES):
            document = self.reader.load(path, root) if self._is_new(path) else None
            if document is None:
                continue
            if "hash" in mapping_at(as_mapping(document.data), "binary"):
                self._keep(describe(self.reader, document, path), _OVERRIDE)
            else:
                self.facts.overrides.append(DescriptionOverride(path, document))

    def _is_new(self, path: str) -> bool:
        """Whether a file was not looked at yet: a registry may name a file that also lies in a cache."""
        real_path = os.path.realpath(path)
        is_new = real_path not in self._visited_files
        self._visited_files.add(real_path)
        return is_new

    def _keep(self, description: Description | None, rank: int) -> None:
        if description is None:
            return
        checksum = self._checksums.get(os.path.realpath(description.file))
        if checksum not in (None, description.sha256):
            self.reader.refuse("bad-checksum", "the index has the hash of another file", description.file)
            return
        self.facts.descriptions.append(description._replace(rank=rank))
