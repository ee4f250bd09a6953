"""The registries of programs that tools for agents keep: five shapes at one path, three of them with one version.

A key means the same in every shape, so the shapes need not be told apart. These files are only read: several tools
write them, each in its own shape. `upstream_registry` makes a new registry on request.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from toolglot.converter.files.names import LONGEST_PATH
from toolglot.converter.text.pointers import as_mapping, escape, keyed_values
from toolglot.runtime.inventory.file_reader import FileReader, text_in
from toolglot.runtime.inventory.fingerprints import Fingerprint

_TOOLS = "tools"


class RegistryEntry(NamedTuple):
    """What a registry says about a program.

    Attributes:
        name: the name of the program.
        path: its absolute path; `None` where the registry does not say.
        file: the registry.
        version: the version of the program.
        sha256: the hash that the registry states for the program's file.
        declared: the trust level or the source that the registry states, in its words.
        documents: the paths of files that describe the program, as the registry has them.
        is_lossy: whether whoever writes such a registry leaves out facts of the descriptions beside it.
    """

    name: str
    path: str | None
    file: str
    version: str | None = None
    sha256: str | None = None
    declared: str | None = None
    documents: tuple[str, ...] = ()
    is_lossy: bool = False


_DOCUMENTS = ("metadataPath", "shimPath", "metadataFile", "metadata_file")
# Type of the value of `tools` -> the versions that are known.
_VERSIONS: dict[type, tuple[str, ...]] = {dict: ("0.1", "1", "2"), list: ("1",)}
# Keys of the registries whose writers leave out facts of the descriptions beside them.
_LOSSY_MARKS = frozenset({"last_scan", "discovered_at", "metadata_file", "mod_time"})
# Keys of registries and their entries that no other list of tools has.
_MARKS = _LOSSY_MARKS | {
    "metadataPath", "shimPath", "updated", "agent", "trustLevel", "shimSource", "checksum", "statistics", "hash",
    "shimRegistry", "lastScan", "discoveredAt", "metadataFile", "modTime",
}  # fmt: skip
_LOOKED_AT = 100  # how many entries are looked at to tell whether a file is a registry


def is_registry(data: Any) -> bool:
    """Whether data is a registry of programs, and no other list of tools."""
    if not isinstance(data, dict) or not isinstance(data.get(_TOOLS), dict | list):
        return False
    keys = _some_keys(data)
    if "path" in keys or keys & _MARKS:
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


def read_registry(reader: FileReader, path: str, data: dict[str, Any]) -> Iterator[RegistryEntry]:
    """The entries of a registry; an entry that cannot be read is noted and left out.

    Args:
        path: the path of the registry.
        data: the content of the registry.
    """
    tools, version = data[_TOOLS], data.get("version")
    if version not in _VERSIONS[type(tools)]:
        message = f"the version {version!r} of a registry is not known; it is read like those that are"
        reader.warn("unknown-registry-version", message, path, "/version")
    is_lossy = isinstance(tools, list) and not _LOSSY_MARKS.isdisjoint(_some_keys(data))
    for key, entry in reader.first_of(keyed_values(tools), path):
        pointer = f"/{_TOOLS}/{escape(str(key))}"
        name = text_in(entry, "name") if isinstance(tools, list) else key
        if not isinstance(entry, dict) or not name:
            reader.refuse("not-a-program", "an object with the name of a program is expected here", path, pointer)
            continue
        yield RegistryEntry(
            name=name,
            path=_path_in(reader, path, pointer, entry),
            file=path,
            version=text_in(entry, "version"),
            sha256=reader.hash_in(entry, "hash", path, pointer),
            declared=text_in(entry, "trustLevel") or text_in(entry, "source"),
            documents=tuple(filter(None, (text_in(entry, key) for key in _DOCUMENTS))),
            is_lossy=is_lossy,
        )


def _path_in(reader: FileReader, path: str, pointer: str, entry: dict[str, Any]) -> str | None:
    """The path that an entry states for its program; `None` where it states none, or an impossible one."""
    program = text_in(entry, "path")
    if program is None:
        return None
    if not os.path.isabs(program):
        code, reason = "relative-path", "relative, so that it leads anywhere"
    elif len(program) > LONGEST_PATH:
        code, reason = "long-path", "longer than a system takes"
    else:
        return program
    reader.warn(code, f"the path of the program is {reason}; it is not believed", path, f"{pointer}/path")
    return None


def upstream_registry(programs: Sequence[tuple[str, Fingerprint, bool]], time: str) -> dict[str, Any]:
    """A registry of version 2, the only version with the hash of each program.

    Args:
        programs: name, file, and whether the program itself was asked for its description; of several with one name
            the first is taken.
        time: when the programs were looked at last, RFC 3339 in UTC.

    >>> upstream_registry([("ls", Fingerprint("/bin/ls", 1, 1, "a" * 64), False)], "2026")["tools"]["ls"]["source"]
    'shim'
    """
    tools: dict[str, dict[str, str]] = {}
    for name, file, was_asked in programs:
        source = "native" if was_asked else "shim"
        entry = {"path": file.path, "hash": f"sha256:{file.sha256}", "source": source, "lastChecked": time}
        tools.setdefault(name, entry)
    return {"version": "2", "updated": time, _TOOLS: dict(sorted(tools.items()))}
