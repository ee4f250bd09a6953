"""Which programs may run what which documents say, without being asked again.

Trust is keyed to the hash of the program and to that of the document: a new version of either is asked about anew. It
never follows from what a document says of itself.
"""

from __future__ import annotations

import os
from typing import Any

import msgspec

from toolglot.errors import ReadError
from toolglot.inventory.store import default_folder, put_private_file, writable_folder
from toolglot.programs.ownership import refuse_shared_file
from toolglot.text.serialization import dump_json, load, read_file

NAME = "trust.json"
VERSION = 1


class TrustedPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program and a document that somebody trusts together.

    Attributes:
        program, document: hashes of what they hold.
        path: where the program lay; for people.
        time: when, RFC 3339 in UTC.
    """

    program: str
    document: str
    path: str
    time: str


class _TrustState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    toolglot: int = VERSION
    trusted: tuple[TrustedPair, ...] = ()


class TrustFile:
    """What is trusted, in a file of our own state.

    Args:
        folder: by default `$XDG_STATE_HOME/toolglot`; it is made when something is kept.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = os.path.realpath(default_folder() if folder is None else os.fsdecode(folder))

    @property
    def path(self) -> str:
        return os.path.join(self.folder, NAME)

    def has(self, program: str, document: str) -> bool:
        """Whether a program and a document, by their hashes, are trusted together.

        Raises:
            ReadError: the file is damaged, or of a newer toolglot.
            ProgramError: somebody else can write it.
        """
        refuse_shared_file(self.path)
        return any((pair.program, pair.document) == (program, document) for pair in self._read().trusted)

    def add(self, pair: TrustedPair) -> None:
        """Keep a pair.

        Raises:
            ReadError: as for `has`.
            WriteError: the system refuses it.
        """
        with writable_folder(self.folder) as folder:
            others = [known for known in self._read().trusted if _key(known) != _key(pair)]
            state = _TrustState(trusted=(*others, pair))
            put_private_file(folder, NAME, dump_json(msgspec.to_builtins(state)).encode())

    def _read(self) -> _TrustState:
        if not os.path.lexists(self.path):
            return _TrustState()
        data: Any = load(read_file(self.path), NAME).data
        try:
            state = msgspec.convert(data, _TrustState)
        except msgspec.ValidationError as error:
            reason = f"what is trusted cannot be read: {error}; move the file away"
            raise ReadError(reason, "damaged-state", source=self.path) from error
        if state.toolglot != VERSION:
            raise ReadError("another toolglot wrote this; use that one", "newer-state", source=self.path)
        return state


def _key(pair: TrustedPair) -> tuple[str, str]:
    return pair.program, pair.document
