"""What a machine knows, and its JSON, which `schemas/inventory` describes."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.converter.files.names import printable_path
from toolglot.converter.hub.model import to_json
from toolglot.runtime.inventory.dangers import Addition
from toolglot.runtime.inventory.description_files import Description
from toolglot.runtime.inventory.description_registries import RemoteRegistry
from toolglot.runtime.inventory.discovery_settings import Setting
from toolglot.runtime.inventory.program_records import ProgramRecord
from toolglot.runtime.inventory.workflows import Workflow
from toolglot.verbs.diagnostics.diagnostic import Diagnostic


class Inventory(NamedTuple):
    """What a machine knows.

    Attributes:
        programs: by name.
        workflows: the workflows that were found.
        registries: those on other machines that files name; none was asked.
        settings: what tools for agents are configured with.
        problems: what was left out, and what is doubtful.
    """

    programs: tuple[ProgramRecord, ...]
    workflows: tuple[Workflow, ...]
    registries: tuple[RemoteRegistry, ...]
    settings: tuple[Setting, ...]
    problems: tuple[Diagnostic, ...]

    def to_json(self) -> dict[str, Any]:
        """The inventory as JSON data, valid under `schemas/inventory/1.schema.json`."""
        return {
            "toolglot-inventory": 1,
            "programs": list(map(_program_to_json, self.programs)),
            "workflows": list(map(_fact_to_json, self.workflows)),
            "registries": list(map(_fact_to_json, self.registries)),
            "settings": list(map(_fact_to_json, self.settings)),
            "problems": [problem.to_json() for problem in self.problems],
        }


def _program_to_json(program: ProgramRecord) -> dict[str, Any]:
    return {
        "name": program.name,
        "version": program.version,
        "path": program.path and printable_path(program.path),
        "sha256": program.sha256,
        "known-from": list(map(printable_path, program.known_from)),
        "obtained": program.obtained,
        "trust": {
            "declared": program.trust.declared,
            "says-verified": program.trust.says_verified,
            "evidence": program.trust.evidence,
        },
        "description": None if program.description is None else _description_to_json(program.description),
        "added": list(map(_addition_to_json, program.additions)),
        "blocked-by": program.blocked_by and printable_path(program.blocked_by),
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


def _fact_to_json(fact: Workflow | RemoteRegistry | Setting) -> dict[str, Any]:
    return {**to_json(fact._asdict()), "file": printable_path(fact.file)}
