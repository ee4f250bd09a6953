"""What a machine knows about one of its programs, as a record and as JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.converter.files.names import printable_path
from toolglot.converter.hub.model import to_json
from toolglot.runtime.inventory.dangers import Addition
from toolglot.runtime.inventory.description_files import Description
from toolglot.runtime.inventory.fingerprints import Fingerprint
from toolglot.runtime.inventory.kept_answers import Obtained

OF_OTHERS = frozenset({"other-name", "other-hash", "other-program", "changed-program", "bad-checksum"})
"""Codes of problems with files that are about another program, or about another file of the same name."""


class Trust(NamedTuple):
    """What is claimed about trust, and what is known.

    Attributes:
        declared: the source or trust level that the description states, or else a registry; `None` where neither does.
        says_verified: whether the description claims to be verified. Nobody has checked the claim.
        evidence: `"hash"` where the description states the hash that the program's file really has; else `None`. It
            proves which file the description is about, and not that the description is true.
    """

    declared: str | None = None
    says_verified: bool = False
    evidence: str | None = None


class ProgramRecord(NamedTuple):
    """A program that the machine knows.

    Attributes:
        name: its name.
        version: the version that its description states, or else a registry or an index.
        path: the path that a registry states, or our state; `None` where neither does.
        file: the file of the program; `None` where there is none, or no hash was needed.
        known_from: the files that speak about it; the first has the description, where there is one.
        obtained: how the description was obtained; `"file"` where there is none.
        trust: what is claimed about trust, and what is known.
        description: its description, with the dangers that others say; `None` where there is none.
        additions: the dangers that others say.
        blocked_by: the file of the policy that blocks it; `None` where none does.
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
        """The hash of its file; `None` where there is no file, or no hash was needed."""
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
