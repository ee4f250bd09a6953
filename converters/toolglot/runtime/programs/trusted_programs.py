"""Pairs of a program and a document that a user trusts together: calls by the two run without asking again.

The key is the hash of the program and the hash of the document, so a new version of either is asked about again. What a
document says about its own trust never counts.
"""

from __future__ import annotations

import msgspec

from toolglot.converter.files.state_files import State, StateFile, StateT
from toolglot.runtime.programs.ownership import refuse_shared_file


class TrustedPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program and a document that somebody trusts together.

    Attributes:
        program, document: the hashes of the two files.
        path: the path of the program then, for people.
        time: when somebody said so, RFC 3339 in UTC.
    """

    program: str
    document: str
    path: str
    time: str


class _TrustedPairs(State, frozen=True, kw_only=True):
    trusted: tuple[TrustedPair, ...] = ()


class GuardedFile(StateFile[StateT]):
    """A file of our own state that says what may run; it is refused where anybody else can write it."""

    def read(self) -> StateT:
        """The content of the file; the defaults where it is missing.

        Raises:
            ReadError: the file is damaged, or of a newer toolglot.
            ProgramError: somebody else can write it.
        """
        refuse_shared_file(self.path)
        return super().read()


class TrustFile(GuardedFile[_TrustedPairs]):
    """The pairs that are trusted; errors as of `GuardedFile.read`."""

    name = "trust.json"
    kind = _TrustedPairs

    def has(self, program: str, document: str) -> bool:
        """Whether a program and a document, by their hashes, are trusted together."""
        return (program, document) in map(_program_and_document, self.read().trusted)

    def add(self, pair: TrustedPair) -> None:
        """Keep a pair; it replaces an older record of the same pair.

        Raises:
            WriteError: the system refuses it.
        """

        def with_pair(state: _TrustedPairs) -> _TrustedPairs:
            others = [other for other in state.trusted if _program_and_document(other) != _program_and_document(pair)]
            return _TrustedPairs(trusted=(*others, pair))

        self.change(with_pair)


def _program_and_document(pair: TrustedPair) -> tuple[str, str]:
    return pair.program, pair.document
