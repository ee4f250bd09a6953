"""Registries of descriptions: those on other machines that files name, and what their indexes and catalogues list.

None of them is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.converter.text.pointers import as_mapping, mapping_at, pointer_below, pointer_of
from toolglot.runtime.inventory.file_reader import FileReader, sha256_in, text_in

# -- registries on other machines -------------------------------------------------------------------------------------


class RemoteRegistry(NamedTuple):
    """A registry on another machine that a file names. It is never asked.

    Attributes:
        name: what the file calls it.
        url: where it is.
        declared: how far the file trusts it, in its own words.
        file: the file.
    """

    name: str
    url: str | None
    declared: str | None
    file: str


def read_registry_list(reader: FileReader, path: str, data: Any) -> Iterator[RemoteRegistry]:
    """The registries that a file lists, in its order; credentials and how to sign in are not taken over."""
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


# -- what they list ---------------------------------------------------------------------------------------------------


class IndexEntry(NamedTuple):
    """A description that an index lists.

    Attributes:
        name: of the program.
        version: of the program.
        program: the hash of the program's file; `None` where the index lists by name.
        path: of the description, as the index has it; `None` likewise.
        checksum: the hash of that file; `None` where the index does not say.
        file: the index.
        pointer: where it stands there.
    """

    name: str
    version: str | None
    program: str | None
    path: str | None
    checksum: str | None
    file: str
    pointer: str


def is_catalog(data: Any) -> bool:
    """Whether a file lists descriptions by the hashes of programs."""
    if not isinstance(data, dict) or not isinstance(data.get("tools"), dict):
        return False
    if "totalShims" in data:
        return True
    entries = list(data["tools"].values())
    return bool(entries) and all(isinstance(as_mapping(entry).get("versions"), dict) for entry in entries)


def read_index(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[IndexEntry]:
    """What an index lists by name; what cannot be read is noted and left out."""
    for name, entry in reader.first_of(data["shims"].items(), path):
        pointer = pointer_below("/shims", name)
        if not isinstance(entry, dict) or not name:
            reader.refuse("not-a-program", "an object about a description is expected here", path, pointer)
            continue
        checksum = reader.hash_in(entry, "checksum", path, pointer)
        yield IndexEntry(name, text_in(entry, "version"), None, text_in(entry, "path"), checksum, path, pointer)


def read_catalog(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[IndexEntry]:
    """What a catalogue lists by hash, one a version and platform; what cannot be read is noted and left out."""
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
    """Each version and platform of each program, with what is said to be its hash."""
    for name, entry in tools.items():
        for version, platforms in mapping_at(as_mapping(entry), "versions").items():
            for platform in as_mapping(platforms):
                yield name, version, platform, text_in(platforms, platform)
