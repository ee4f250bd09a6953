"""Reads files that anybody may have written: within bounds; a file that is refused is named and left out.

One bad file never hides the others. Only regular files are opened, and a link that leads out of its folder is not
followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from toolglot.converter.files.names import is_inside, printable_path
from toolglot.converter.files.system import OTHERS
from toolglot.converter.text.document_reader import Document, Limits, load, read_file
from toolglot.converter.text.pointers import as_mapping
from toolglot.errors import Error, ReadError, system_reason
from toolglot.runtime.inventory.fingerprints import Fingerprint, fingerprint_of, is_sha256
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, from_error

T = TypeVar("T")

_SUFFIX = ".json"
MAX_FILES = 20_000
"""How many entries of one folder, and of one file, are looked at."""
MAX_BYTES = 16 << 20
"""How large a file may be."""
MAX_TOTAL = 1 << 30
"""How many bytes of files are read in all."""
MAX_HASHED = 8 << 30
"""How many bytes of programs are hashed in all."""


class FileReader(msgspec.Struct):
    """Reads files, and collects what is wrong with them.

    Attributes:
        problems: errors for what was left out, warnings for what is doubtful.
    """

    problems: list[Diagnostic] = []
    _bytes_left: int = MAX_TOTAL
    _hashing_left: int = MAX_HASHED
    _fingerprints: dict[str, Fingerprint | None] = {}

    def files_in(self, root: str, *parts: str) -> list[str]:
        """The paths of the JSON files in a folder, sorted; none where there is no such folder.

        Args:
            root: the folder that no link may lead out of.
            parts: the names of the folders on the way from the root to the folder.
        """
        folder = os.path.join(root, *parts)
        if not os.path.lexists(folder):
            return []
        if not is_inside(folder, root):
            self.refuse("outside-folder", "a link leads out of the folder; it is not followed", folder)
            return []
        names: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in self.first_of(entries, folder):
                    if entry.name.endswith(_SUFFIX) and not entry.name.startswith("."):
                        names.append(entry.name)
        except NotADirectoryError:
            self.refuse("not-a-folder", "a folder is expected here", folder)
        except OSError as error:
            self.refuse("unreadable-folder", f"cannot be listed: {system_reason(error)}", folder)
        return [os.path.join(folder, name) for name in sorted(names)]

    def load(self, path: str, root: str) -> Document | None:
        """A JSON file; `None` where there is no such file, or it was refused.

        Args:
            root: the folder that no link may lead out of.
        """
        if not os.path.lexists(path):
            return None
        try:
            if not is_inside(path, root):
                raise ReadError("a link leads out of the folder; it is not followed", "outside-folder")
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                raise ReadError("no regular file; it is not opened", "not-a-file")
            if self._bytes_left <= 0:
                raise ReadError(f"more than {MAX_TOTAL} bytes of files; the rest is left out", "too-many-files")
            limits = Limits(max_bytes=MAX_BYTES)
            content = read_file(path, limits)
            self._bytes_left -= len(content)
            document = load(content, printable_path(path), limits)
            if document.syntax != "json":
                raise ReadError("JSON is expected here", "not-json")
        except OSError as error:
            self.refuse("unreadable", f"cannot be read: {system_reason(error)}", path)
            return None
        except Error as error:
            error.source = printable_path(path)
            self.problems.append(from_error(error))
            return None
        document.path = path
        if status.st_mode & stat.S_IWOTH & OTHERS:
            self.warn("others-may-write", "everybody on this machine may write this file", path)
        return document

    def fingerprint(self, path: str) -> Fingerprint | None:
        """The fingerprint of a program's file; `None` where there is no file, or it cannot be hashed."""
        if path in self._fingerprints or not os.path.exists(path):
            return self._fingerprints.get(path)
        self._fingerprints[path] = None
        if self._hashing_left <= 0:
            self.warn("too-much-to-hash", f"more than {MAX_HASHED} bytes of programs; this one is not hashed", path)
            return None
        try:
            fingerprint = fingerprint_of(path)
        except Error as error:
            self.warn(error.code, f"this program is not hashed: {error.message}", path)
            return None
        self._hashing_left -= fingerprint.size
        self._fingerprints[path] = fingerprint
        return fingerprint

    def first_of(self, entries: Iterable[T], path: str) -> Iterator[T]:
        """The first `MAX_FILES` entries of a folder or a file; if there are more, that is noted."""
        for number, entry in enumerate(entries):
            if number == MAX_FILES:
                self.refuse("too-many-files", f"more than {MAX_FILES} entries; the rest is left out", path)
                return
            yield entry

    def hash_in(self, data: dict[str, Any], key: str, path: str, pointer: str) -> str | None:
        """The digits of the SHA-256 hash under a key; a value that is no hash is noted."""
        digits = sha256_in(text_in(data, key))
        if digits is None and data.get(key) is not None:
            self.warn("bad-hash", "expected sha256: and 64 digits in lower case", path, f"{pointer}/{key}")
        return digits

    def refuse(self, code: str, message: str, path: str, pointer: str = "") -> None:
        """Note an error: something was left out."""
        self._note(code, "error", message, path, pointer)

    def warn(self, code: str, message: str, path: str, pointer: str = "") -> None:
        """Note a warning: something is doubtful."""
        self._note(code, "warning", message, path, pointer)

    def _note(self, code: str, severity: str, message: str, path: str, pointer: str) -> None:
        source = printable_path(path)
        self.problems.append(Diagnostic(code=code, severity=severity, message=message, pointer=pointer, source=source))


def stem_of(path: str) -> str:
    """The name of a file, without its folder and its ending."""
    return os.path.splitext(os.path.basename(path))[0]


def text_in(data: Any, key: str) -> str | None:
    """The text under a key; `None` where data is no object, or the text is empty or has a NUL, as no path may.

    >>> text_in({"a": "b", "c": 1}, "a"), text_in({"c": 1}, "c"), text_in([], "a")
    ('b', None, None)
    """
    value = as_mapping(data).get(key)
    return value if isinstance(value, str) and value and "\0" not in value else None


def sha256_in(text: str | None) -> str | None:
    """The digits of `sha256:HEX`; `None` for any other text, such as one in upper case.

    >>> sha256_in("sha256:" + "a" * 64) == "a" * 64, sha256_in("sha256:AB"), sha256_in(None)
    (True, None, None)
    """
    algorithm, _, digits = (text or "").partition(":")
    return digits if algorithm == "sha256" and is_sha256(digits) else None
