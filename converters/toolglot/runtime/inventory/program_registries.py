"""The registries of programs that tools for agents keep: five shapes at one path, three of them with one version.

They are told apart by whether the tools are an object or an array, and by the keys of their entries. They are only
read: several tools write them, each in its own shape. `upstream_registry` makes a new one on request.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from toolglot.converter.files.names import LONGEST_PATH
from toolglot.converter.text.pointers import as_mapping, escape, keyed_values
from toolglot.runtime.inventory.file_reader import FileReader, text_in
from toolglot.runtime.inventory.fingerprints import Fingerprint

_TOOLS = "tools"


class RegistryEntry(NamedTuple):
    """What a registry says of a program.

    Attributes:
        name: what it is called.
        path: where it lies, absolute; `None` where the registry does not say.
        file: the registry.
        version: of the program.
        sha256: the hash that its file is said to have.
        declared: where the registry has it from, or how far it trusts it, in its own words.
        documents: paths of files that describe it, as the registry has them.
        is_lossy: whether those who write this shape leave out facts of the descriptions beside it.
    """

    name: str
    path: str | None
    file: str
    version: str | None = None
    sha256: str | None = None
    declared: str | None = None
    documents: tuple[str, ...] = ()
    is_lossy: bool = False


class RegistryShape(NamedTuple):
    """One shape of a registry.

    Attributes:
        version: what its files say.
        container: the type of its list of tools.
        marks: keys of the file and of entries that only this shape has.
        keys: field of `RegistryEntry` -> the keys that may hold it, in order.
        is_lossy: see `RegistryEntry`.
    """

    version: str
    container: type
    marks: frozenset[str]
    keys: Mapping[str, tuple[str, ...]]
    is_lossy: bool = False


_COMMON = {"path": ("path",), "version": ("version",), "declared": ("source",)}
SHAPES = (
    RegistryShape(
        "0.1",
        dict,
        frozenset({"metadataPath", "shimPath", "updated"}),
        {**_COMMON, "documents": ("metadataPath", "shimPath")},
    ),
    RegistryShape(
        "1",
        dict,
        frozenset({"agent", "trustLevel", "shimSource", "checksum", "statistics"}),
        {**_COMMON, "declared": ("trustLevel", "source"), "documents": ("metadataPath", "shimPath")},
    ),
    RegistryShape("2", dict, frozenset({"hash", "shimRegistry"}), _COMMON),
    RegistryShape(
        "1",
        list,
        frozenset({"lastScan", "discoveredAt", "metadataFile", "modTime"}),
        {**_COMMON, "documents": ("metadataFile",)},
    ),
    RegistryShape(
        "1",
        list,
        frozenset({"last_scan", "discovered_at", "metadata_file", "mod_time"}),
        {**_COMMON, "documents": ("metadata_file",)},
        is_lossy=True,
    ),
)
_LOOKED_AT = 100  # entries, to tell the shape


def is_registry(data: Any) -> bool:
    """Whether a file is a registry of programs, and no other list of tools."""
    if not isinstance(data, dict) or not isinstance(data.get(_TOOLS), dict | list):
        return False
    keys = _some_keys(data)
    if "path" in keys or any(keys & shape.marks for shape in SHAPES):
        return True
    return not data[_TOOLS] and "name" not in data


def _some_keys(data: dict[str, Any]) -> set[str]:
    """The keys of a registry and of its first entries."""
    entries = data[_TOOLS]
    if isinstance(entries, dict):
        entries = entries.values()
    keys = set(data)
    for entry in islice(entries, _LOOKED_AT):
        keys.update(as_mapping(entry))
    return keys


def shape_of(data: dict[str, Any]) -> RegistryShape:
    """The shape of a registry: the one most of whose marks it has, and where that does not tell, its version.

    >>> shape_of({"version": "1", "tools": [{"name": "a", "mod_time": "2026-02-01T00:00:00Z"}]}).is_lossy
    True
    """
    keys = _some_keys(data)
    shapes = _shapes_of_container(data)
    return max(shapes, key=lambda shape: (len(shape.marks & keys), shape.version == data.get("version")))


def _shapes_of_container(data: dict[str, Any]) -> list[RegistryShape]:
    """The shapes whose programs stand in an object, or those with a list, as in this registry."""
    return [shape for shape in SHAPES if isinstance(data[_TOOLS], shape.container)]


def read_registry(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[RegistryEntry]:
    """The programs of a registry; what cannot be read is noted and left out.

    Args:
        path: the file, for messages.
        data: what it holds.
    """
    shape = shape_of(data)
    version = data.get("version")
    if version not in [known_shape.version for known_shape in _shapes_of_container(data)]:
        message = f"the version {version!r} of a registry is not known; read like version {shape.version}"
        reader.warn("unknown-registry-version", message, path, "/version")
    tools = data[_TOOLS]
    for key, entry in reader.first_of(keyed_values(tools), path):
        pointer = f"/{_TOOLS}/{escape(str(key))}"
        name = text_in(entry, "name") if isinstance(tools, list) else key
        if not isinstance(entry, dict) or not name:
            reader.refuse("not-a-program", "an object with the name of a program is expected here", path, pointer)
            continue
        yield _read_entry(reader, path, pointer, shape, name, entry)


def _read_entry(
    reader: FileReader, path: str, pointer: str, shape: RegistryShape, name: str, entry: dict[str, Any]
) -> RegistryEntry:
    def values(field: str) -> list[str]:
        texts = (text_in(entry, key) for key in shape.keys.get(field, ()))
        return [text for text in texts if text is not None]

    def first(field: str) -> str | None:
        return next(iter(values(field)), None)

    program = first("path")
    fault = None
    if program is not None and not os.path.isabs(program):
        fault = "relative-path", "relative, so that it leads anywhere"
    elif program is not None and len(program) > LONGEST_PATH:
        fault = "long-path", "longer than a system takes"
    if fault is not None:
        code, reason = fault
        reader.warn(code, f"the path of the program is {reason}; it is not believed", path, f"{pointer}/path")
        program = None
    return RegistryEntry(
        name=name,
        path=program,
        file=path,
        version=first("version"),
        sha256=reader.hash_in(entry, "hash", path, pointer),
        declared=first("declared"),
        documents=tuple(values("documents")),
        is_lossy=shape.is_lossy,
    )


def upstream_registry(programs: Sequence[tuple[str, Fingerprint, bool]], time: str) -> dict[str, Any]:
    """A registry of version 2, which alone says which file a program is.

    Args:
        programs: for each its name, its file, and whether it was asked itself for its description; of several with one
            name the first stands in it.
        time: when it was looked at last, RFC 3339 in UTC.

    >>> upstream_registry([("ls", Fingerprint("/bin/ls", 1, 1, "a" * 64), False)], "2026")["tools"]["ls"]["source"]
    'shim'
    """
    tools: dict[str, dict[str, str]] = {}
    for name, file, was_asked in programs:
        source = "native" if was_asked else "shim"
        entry = {"path": file.path, "hash": f"sha256:{file.sha256}", "source": source, "lastChecked": time}
        tools.setdefault(name, entry)
    return {"version": "2", "updated": time, _TOOLS: dict(sorted(tools.items()))}
