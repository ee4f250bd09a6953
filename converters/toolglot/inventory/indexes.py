"""What registries say that they hold: indexes of descriptions by name, and catalogues of them by hash."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.inventory.file_reader import MAX_FILES, FileReader, sha256_in, text_in
from toolglot.text.pointers import as_mapping, escape, mapping_at, pointer_of


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


def is_index(data: Any) -> bool:
    """Whether a file lists descriptions by the names of programs."""
    return isinstance(data, dict) and isinstance(data.get("shims"), dict)


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
    for number, (name, entry) in enumerate(data["shims"].items()):
        pointer = f"/shims/{escape(name)}"
        if number == MAX_FILES:
            reader.refuse("too-many-files", f"more than {MAX_FILES} entries; the rest is left out", path)
            return
        if not isinstance(entry, dict) or not name:
            reader.refuse("not-a-program", "an object about a description is expected here", path, pointer)
            continue
        checksum = sha256_in(text_in(entry, "checksum"))
        yield IndexEntry(name, text_in(entry, "version"), None, text_in(entry, "path"), checksum, path, pointer)


def read_catalog(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[IndexEntry]:
    """What a catalogue lists by hash, one a version and platform; what cannot be read is noted and left out."""
    number = 0
    for name, entry in data["tools"].items():
        if not name:
            reader.refuse("not-a-program", "the name of a program is expected here", path, "/tools/")
            continue
        for version, platform, program in _programs_of(as_mapping(entry)):
            number += 1
            if number > MAX_FILES:
                reader.refuse("too-many-files", f"more than {MAX_FILES} entries; the rest is left out", path)
                return
            pointer = pointer_of(["tools", name, "versions", version, platform])
            if program is None:
                reader.warn("bad-hash", "expected sha256: and 64 digits in lower case", path, pointer)
                continue
            yield IndexEntry(name, version, program, None, None, path, pointer)


def _programs_of(entry: dict[str, Any]) -> Iterator[tuple[str, str, str | None]]:
    """Each version and platform of an entry with the hash of its program; `None` where that is no hash."""
    for version, platforms in mapping_at(entry, "versions").items():
        for platform in as_mapping(platforms):
            yield version, platform, sha256_in(text_in(platforms, platform))
