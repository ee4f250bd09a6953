"""Files that describe one program: as the program printed it, wrapped by a cache, or shortened by a lossy cache."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.files.names import printable_path
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.document_reader import Document, from_data
from toolglot.converter.text.pointers import as_mapping
from toolglot.errors import Error, ReadError
from toolglot.runtime.inventory.dangers import with_trust_of
from toolglot.runtime.inventory.file_reader import FileReader, sha256_in, stem_of, text_in
from toolglot.runtime.inventory.fingerprints import DIGITS, is_sha256
from toolglot.runtime.inventory.kept_answers import Obtained, Provenance


class Description(NamedTuple):
    """A file that describes a program.

    Attributes:
        file: its path.
        reading: what the file says; exactly one tool.
        rank: the place among several descriptions of one program; the lowest counts.
        provenance: how the file was obtained, whatever it says itself; `None` for a file that was found.
        program: the hash of the program that the file says it is about; `None` where it does not say.
        is_by_content: whether the file is called after that hash.
        is_lossy: whether a lossy cache wrote it, which leaves out facts.
    """

    file: str
    reading: Reading
    rank: int = 0
    provenance: Provenance | None = None
    program: str | None = None
    is_by_content: bool = False
    is_lossy: bool = False

    @property
    def obtained(self) -> Obtained:
        """How the file was obtained."""
        return "file" if self.provenance is None else self.provenance.obtained

    @property
    def tool(self) -> Tool:
        """The program that the file describes."""
        return self.reading.tools[0]

    @property
    def sha256(self) -> str:
        """The hash of the file's content."""
        document = self.reading.document
        return sha256_of(document.file_content)

    @property
    def is_partial(self) -> bool:
        """Whether the description leaves out commands."""
        return bool((self.tool.discovery or {}).get("partial"))


class DescriptionOverride(NamedTuple):
    """A file in which a person changes what a program says about itself, whole or in part."""

    file: str
    document: Document

    @property
    def program(self) -> str:
        """The name of the program, after which the file is called."""
        return stem_of(self.file)


def lay_over(reader: FileReader, override: DescriptionOverride, below: Description | None) -> Description | None:
    """A description with the changes of an override; `None` where the result was refused.

    The override is a JSON Merge Patch (RFC 7396): commands are found by their names, a list replaces a list, and null
    removes. It cannot make the description below it more trusted or less partial.

    Args:
        below: the description that is changed; `None` where the override has to be a whole description.
    """
    if below is None:
        return describe(reader, override.document, override.file)
    document = copy.copy(override.document)
    document.data, document.syntax = _merge(below.reading.document.data, document.data), "data"
    description = describe(reader, document, override.file, override.program, is_partial=below.is_partial)
    if description is None:
        return None
    tool = with_trust_of(description.tool, below.tool)
    reading = replace(description.reading, tools=[tool])
    return description._replace(reading=reading, program=below.program, is_lossy=below.is_lossy)


def _merge(data: Any, patch: Any) -> Any:
    """Data with a JSON Merge Patch applied.

    >>> _merge({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None, "e": 3}, "d": [2]})
    {'a': {'c': 2, 'e': 3}, 'd': [2]}
    """
    if not isinstance(patch, dict):
        return patch
    merged = dict(as_mapping(data))
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merge(merged.get(key), value)
    return merged


# The keys that a lossy cache keeps, beside the one that marks the format.
_KEPT = frozenset({"name", "version", "description", "commands"})


def describe(
    reader: FileReader,
    document: Document | None,
    path: str,
    name: str | None = None,
    is_lossy: bool = False,
    is_partial: bool = False,
    stem: str | None = None,
) -> Description | None:
    """A document as a description; `None` where there is no document, or it was refused.

    Args:
        name: the program that it has to be about; by default the one that the file is called after.
        is_lossy: whether a lossy cache writes the files of this folder.
        is_partial: whether it is known to leave out commands, whatever it says.
        stem: the name of the file, which has to fit its program; by default that of its path, and empty to check none.
    """
    if document is None:
        return None
    stem = stem_of(path) if stem is None else stem
    try:
        keys = as_mapping(document.data).keys()
        is_lossy = is_lossy and bool(keys) and len(keys - _KEPT) <= 1
        reading = read_document(_unwrap(reader, document, path, is_lossy or is_partial))
        if not reading.format.describes_one_program or len(reading.tools) != 1 or not reading.tools[0].id:
            raise ReadError("this does not describe a program", "not-a-program")
        digits = _check_identity(reading.tools[0], stem, name)
    except Error as error:
        if error.code == "unknown-format":  # the usual message advises --from, which `discover` does not have
            error = ReadError("this does not describe a program", "not-a-program")
        reader.refuse(error.code, error.message, path, error.pointer)
        return None
    if is_lossy:
        message = "whoever wrote this cache leaves out effects of the whole program, and whether commands are missing"
        reader.warn("lossy-cache", f"{message}; it is read as partial", path)
    is_by_content = digits is not None and stem.endswith(digits)
    return Description(path, reading, program=digits, is_by_content=is_by_content, is_lossy=is_lossy)


def _unwrap(reader: FileReader, document: Document, path: str, is_partial: bool) -> Document:
    """The description in a document: the document itself, or what a cache wrapped.

    Raises:
        ReadError: the wrapping names another program than the description in it.
    """
    data = document.data
    if "tool" in as_mapping(data) and isinstance(data.get("metadata"), dict):  # wrapped by a cache
        inner, name = data["metadata"], text_in(data, "tool")
        if text_in(inner, "name") not in (None, name):
            raise ReadError(f"the cache is about {name!r}, and the description in it about another", "other-name")
        if (text_in(data, "expiresAt") or "9") < datetime.now(UTC).isoformat():
            reader.warn("expired", "the cache says that this is out of date", path, "/expiresAt")
        document, data = from_data(inner), inner
        document.name = printable_path(path)
    if is_partial and isinstance(data, dict):
        document = copy.copy(document)
        document.data = {**data, "partial": True}
    return document


def _check_identity(tool: Tool, stem: str, name: str | None) -> str | None:
    """The hash of the program that a description is about; `None` where neither the file nor its name states one.

    Raises:
        ReadError: the name of the file, the hash or the name of the program contradict one another.
    """
    hash_text = text_in(tool.binary, "hash")
    digits = sha256_in(hash_text)
    if hash_text is not None and digits is None:
        raise ReadError("the hash of the program is not sha256: and 64 digits in lower case", "bad-hash")
    in_name = _digits_in(stem)
    if digits is None and stem != in_name:
        digits = in_name  # a cache names the file after the hash of the program, and the description need not have it
    if in_name not in (None, digits):
        reason = "it does not say which" if digits is None else "it says another"
        raise ReadError(f"the file is called after the hash of its program, and {reason}", "other-hash")
    if name is None and not _is_called(stem, tool.id):
        raise ReadError(f"the file is called {stem!r}, and describes {tool.id!r}", "other-name")
    if name not in (None, tool.id):
        raise ReadError(f"expected a description of {name!r}, found one of {tool.id!r}", "other-name")
    inner = text_in(tool.binary, "name")
    if inner not in (None, tool.id):
        raise ReadError(f"it describes {tool.id!r}, and its file is {inner!r}", "other-name")
    return digits


def _digits_in(stem: str) -> str | None:
    """The hash that a file is called after: `HASH`, `sha256-HASH` or `NAME-HASH`.

    Raises:
        ReadError: the hash is in upper case; registries look for it in lower case.
    """
    digits = stem[-64:] if stem[-65:-64] in ("", "-") else ""
    if not is_sha256(digits) and is_sha256(digits.lower()):
        raise ReadError("the file is called after a hash in upper case; write it in lower case", "bad-hash")
    return digits if is_sha256(digits) else None


def _is_called(stem: str, name: str) -> bool:
    """Whether a file is called after a program, after a hash, or both; an empty name fits every program.

    >>> _is_called("gh", "gh"), _is_called("gh-0a1b2c3d", "gh"), _is_called("gh-extra", "gh")
    (True, True, False)
    """
    if stem in ("", name):
        return True
    head, _, tail = stem.rpartition("-")
    if len(tail) < 6 or not set(tail) <= DIGITS:
        return False
    return head == name or (len(tail) == 64 and head in ("", "sha256"))
