"""Registries of descriptions on other machines, which files here name, and the indexes and catalogues that list them.

No registry is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.converter.text.pointers import as_mapping, mapping_at, pointer_below, pointer_of
from toolglot.runtime.inventory.file_reader import FileReader, sha256_in, text_in

# -- registries on other machines -------------------------------------------------------------------------------------


class RemoteRegistry(NamedTuple):
    """A registry on another machine that a file names. The registry is never asked.

    Attributes:
        name: the name that the file gives it.
        url: its address; `None` where the file does not say.
        declared: how far the file trusts the registry, or what type it is, in the words of the file.
        file: the file.
    """

    name: str
    url: str | None
    declared: str | None
    file: str


def read_registry_list(reader: FileReader, path: str, data: Any) -> Iterator[RemoteRegistry]:
    """The registries that a file lists, in its order; its credentials and ways to sign in are not read."""
    for index, entry in enumerate(reader.first_of(data["registries"], path)):
        name = text_in(entry, "name") or text_in(entry, "url")
        if name is None:
            pointer = f"/registries/{index}"
            reader.warn("not-a-registry", "an object with a name and a url is expected here", path, pointer)
        elif entry.get("enabled") is not False:
            yield RemoteRegistry(name, text_in(entry, "url"), text_in(entry, "trust"), path)


def read_manifest(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[RemoteRegistry]:
    """The registry that a manifest is about."""
    about = data.get("registry")
    name = text_in(about, "name") or text_in(about, "url")
    if name is None:
        reader.warn("not-a-registry", "the manifest does not say what its registry is called", path, "/registry")
        return
    yield RemoteRegistry(name, text_in(about, "url"), text_in(about, "type"), path)


# -- indexes and catalogues --------------------------------------------------------------------------------------------


class IndexEntry(NamedTuple):
    """A description that an index lists.

    Attributes:
        name: the name of the program.
        version: the version of the program.
        program: the hash of the program's file; `None` in an index, which lists by name.
        path: the path of the description, as the index has it; `None` in a catalogue, which lists by hash.
        checksum: the hash of the description's file; `None` where the index does not say.
        file: the index.
        pointer: the place of the entry in the index.
    """

    name: str
    version: str | None
    program: str | None
    path: str | None
    checksum: str | None
    file: str
    pointer: str


def is_catalog(data: Any) -> bool:
    """Whether a file is a catalogue: it lists descriptions by the hashes of programs."""
    if not isinstance(data, dict) or not isinstance(data.get("tools"), dict):
        return False
    if "totalShims" in data:
        return True
    entries = list(data["tools"].values())
    return bool(entries) and all(isinstance(as_mapping(entry).get("versions"), dict) for entry in entries)


def read_index(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[IndexEntry]:
    """The entries of an index, by name; an entry that cannot be read is noted and left out."""
    for name, entry in reader.first_of(data["shims"].items(), path):
        pointer = pointer_below("/shims", name)
        if not isinstance(entry, dict) or not name:
            reader.refuse("not-a-program", "an object about a description is expected here", path, pointer)
            continue
        checksum = reader.hash_in(entry, "checksum", path, pointer)
        yield IndexEntry(name, text_in(entry, "version"), None, text_in(entry, "path"), checksum, path, pointer)


def read_catalog(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[IndexEntry]:
    """The entries of a catalogue, one for each version and platform; one that cannot be read is noted and left out."""
    for name, version, platform, hash_text in reader.first_of(_programs_in(data["tools"]), path):
        pointer = pointer_of(["tools", name, "versions", version, platform])
        program = sha256_in(hash_text)
        if not name:
            reader.refuse("not-a-program", "the name of a program is expected here", path, pointer)
        elif program is None:
            reader.warn("bad-hash", "expected sha256: and 64 digits in lower case", path, pointer)
        else:
            yield IndexEntry(name, version, program, None, None, path, pointer)


def _programs_in(tools: dict[str, Any]) -> Iterator[tuple[str, str, str, str | None]]:
    """Name, version, platform and stated hash of each program in a catalogue."""
    for name, entry in tools.items():
        for version, platforms in mapping_at(as_mapping(entry), "versions").items():
            for platform in as_mapping(platforms):
                yield name, version, platform, text_in(platforms, platform)
