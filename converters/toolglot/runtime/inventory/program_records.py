"""What a machine knows about each of its programs, as a record and as JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.converter.files.names import printable_path
from toolglot.converter.hub.model import to_json
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

    def to_json(self) -> dict[str, Any]:
        """The record as JSON data, an entry of `programs` in `schemas/inventory/1.schema.json`."""
        return {
            "name": self.name,
            "version": self.version,
            "path": self.path and printable_path(self.path),
            "sha256": self.sha256,
            "known-from": list(map(printable_path, self.known_from)),
            "obtained": self.obtained,
            "trust": {
                "declared": self.trust.declared,
                "says-verified": self.trust.says_verified,
                "evidence": self.trust.evidence,
            },
            "description": None if self.description is None else _description_to_json(self.description),
            "added": list(map(_addition_to_json, self.additions)),
            "blocked-by": self.blocked_by and printable_path(self.blocked_by),
        }


def _description_to_json(description: Description) -> dict[str, Any]:
    asked = description.provenance
    return {
        "file": printable_path(description.file),
        "format": description.reading.format.name,
        "sha256": description.sha256,
        "partial": description.is_partial,
        "lossy": description.is_lossy,
        "asked": asked and {"time": asked.time, "argv": list(asked.argv), "isolation": asked.isolation},
    }


def _addition_to_json(addition: Addition) -> dict[str, Any]:
    return {
        "command": addition.command,
        "field": addition.field,
        "before": to_json(addition.before),
        "after": to_json(addition.after),
        "file": printable_path(addition.source),
        "loosening-refused": addition.is_loosening,
    }
