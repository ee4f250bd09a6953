"""Files of our own state: read as records, and changed by one run at a time.

Every change is one file put in the place of another while the folder is locked: whoever reads needs no lock, and two
runs that write lose nothing of each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import ClassVar, Generic, TypeVar

import msgspec

from toolglot.converter.files.commit import Commit, commit
from toolglot.converter.files.system.user_folders import user_folder
from toolglot.converter.files.writing import name_file_in_errors
from toolglot.converter.text.document_reader import Limits, load, read_file
from toolglot.converter.text.pointers import as_mapping
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import ReadError

VERSION = 1
_LIMITS = Limits(max_bytes=256 << 20)


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file of our own state holds, and in which version."""

    toolglot: int = VERSION


StateT = TypeVar("StateT", bound=State)


class StateFile(Generic[StateT]):
    """A file of our own state; each has a class that says what it is called, and what it holds.

    Args:
        folder: by default `$XDG_STATE_HOME/toolglot`; it is made when something is kept.
    """

    name: ClassVar[str]
    kind: type[StateT]

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        if folder is None:
            folder = default_folder()
        self.folder = os.path.realpath(os.fsdecode(folder))

    @property
    def path(self) -> str:
        """Where it lies."""
        return os.path.join(self.folder, self.name)

    def read(self) -> StateT:
        """What it holds; the defaults where it is missing.

        Raises:
            ReadError: it is damaged, or of a newer toolglot.
        """
        if not os.path.lexists(self.path):
            return self.kind()
        data = load(read_file(self.path, _LIMITS), self.name, _LIMITS).data
        version = as_mapping(data).get("toolglot")
        if isinstance(version, int) and version > VERSION:
            raise ReadError("a newer toolglot wrote this; use that one", "newer-state", source=self.path)
        try:
            return msgspec.convert(data, self.kind)
        except msgspec.ValidationError as error:
            reason = f"our own state is damaged: {error}; move the file away"
            raise ReadError(reason, "damaged-state", source=self.path) from error

    def change(self, change: Callable[[StateT], StateT]) -> None:
        """Put what becomes of its content in its place.

        Raises:
            ReadError: as for `read`.
            WriteError: the system refuses it.
        """
        with self.commit() as files:
            self.put(files, change(self.read()))

    def commit(self) -> AbstractContextManager[Commit]:
        """Changes of files of its folder, in which no other run writes meanwhile."""
        with name_file_in_errors(self.folder):
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
        return commit(os.path.realpath(self.folder), is_private=True)

    def put(self, files: Commit, state: StateT) -> None:
        """Give it new content."""
        files.put(self.path, dump_json(msgspec.to_builtins(state)).encode())


def default_folder() -> str:
    """Where our state lies: below `$XDG_STATE_HOME`, which counts only where it is absolute."""
    return os.path.join(user_folder("STATE", os.environ, os.path.expanduser("~")), "toolglot")
