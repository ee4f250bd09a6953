"""Which programs may run what which documents say, without being asked again.

Trust is keyed to the hash of the program and to that of the document: a new version of either is asked about anew. It
never follows from what a document says of itself.
"""

from __future__ import annotations

import msgspec

from toolglot.converter.files.state_files import State, StateFile, StateT
from toolglot.runtime.programs.ownership import refuse_shared_file


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


class _TrustedPairs(State, frozen=True, kw_only=True):
    trusted: tuple[TrustedPair, ...] = ()


class GuardedFile(StateFile[StateT]):
    """A file of our own state that says what may run, so that nobody else may be able to write it."""

    def read(self) -> StateT:
        """What it holds; the defaults where it is missing.

        Raises:
            ReadError: the file is damaged, or of a newer toolglot.
            ProgramError: somebody else can write it.
        """
        refuse_shared_file(self.path)
        return super().read()


class TrustFile(GuardedFile[_TrustedPairs]):
    """What is trusted; errors as of `GuardedFile.read`."""

    name = "trust.json"
    kind = _TrustedPairs

    def has(self, program: str, document: str) -> bool:
        """Whether a program and a document, by their hashes, are trusted together."""
        return (program, document) in map(_program_and_document, self.read().trusted)

    def add(self, pair: TrustedPair) -> None:
        """Keep a pair.

        Raises:
            WriteError: the system refuses it.
        """

        def with_pair(state: _TrustedPairs) -> _TrustedPairs:
            others = [other for other in state.trusted if _program_and_document(other) != _program_and_document(pair)]
            return _TrustedPairs(trusted=(*others, pair))

        self.change(with_pair)


def _program_and_document(pair: TrustedPair) -> tuple[str, str]:
    return pair.program, pair.document
