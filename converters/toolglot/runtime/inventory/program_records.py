"""What a machine knows about each of its programs, as a record."""

from __future__ import annotations

from typing import NamedTuple

from toolglot.runtime.inventory.dangers import Addition
from toolglot.runtime.inventory.description_files import Description
from toolglot.runtime.inventory.fingerprints import Fingerprint
from toolglot.runtime.inventory.kept_answers import Obtained

OF_OTHERS = frozenset({"other-name", "other-hash", "other-program", "changed-program", "bad-checksum"})
"""Codes of problems with what is about another program, or another file of that name; others are of files."""


class Trust(NamedTuple):
    """What is said about trust, and what is known.

    Attributes:
        declared: the word of the description, or else of a registry; `None` where neither says.
        says_verified: whether the description says of itself that it was verified. Nobody has looked.
        evidence: `"hash"` where the description names the hash that the program's file really has; else `None`. It
            proves which file the description is about, and not that it is true.
    """

    declared: str | None = None
    says_verified: bool = False
    evidence: str | None = None


class ProgramRecord(NamedTuple):
    """A program that the machine knows.

    Attributes:
        name: what it is called.
        version: as its description has it, or else a registry or an index.
        path: where it is said to lie; `None` where nobody says.
        file: the file there; `None` where there is none, or nobody had to look.
        known_from: the files that say so; the first has the description, where there is one.
        obtained: how the description was obtained, or else the rest.
        trust: what is said about trust, and what is known.
        description: what describes it, with the dangers that others say; `None` where nothing does.
        additions: those dangers.
        blocked_by: the policy of an organization that does not allow it; `None` where none forbids it.
    """

    name: str
    version: str | None
    path: str | None
    file: Fingerprint | None
    known_from: tuple[str, ...]
    obtained: Obtained
    trust: Trust
    description: Description | None
    additions: tuple[Addition, ...] = ()
    blocked_by: str | None = None

    @property
    def sha256(self) -> str | None:
        """The hash of its file; `None` where there is none, or nobody had to look."""
        return None if self.file is None else self.file.sha256
