"""What a machine knows about its programs, and the JSON of that, which `schemas/inventory` describes."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.converter.files.names import printable_path
from toolglot.converter.hub.model import to_json
from toolglot.runtime.inventory.description_registries import RemoteRegistry
from toolglot.runtime.inventory.discovery_settings import Setting
from toolglot.runtime.inventory.program_records import ProgramRecord
from toolglot.runtime.inventory.workflows import Workflow
from toolglot.verbs.diagnostics.diagnostic import Diagnostic


class Inventory(NamedTuple):
    """What a machine knows about its programs.

    Attributes:
        programs: the programs, sorted by name.
        workflows: the workflows that were found.
        registries: the registries on other machines that files name; none was asked.
        settings: the settings of tools for agents.
        problems: errors for what was left out, warnings for what is doubtful.
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
            "programs": [program.to_json() for program in self.programs],
            "workflows": list(map(_fact_to_json, self.workflows)),
            "registries": list(map(_fact_to_json, self.registries)),
            "settings": list(map(_fact_to_json, self.settings)),
            "problems": [problem.to_json() for problem in self.problems],
        }


def _fact_to_json(fact: Workflow | RemoteRegistry | Setting) -> dict[str, Any]:
    return {**to_json(fact._asdict()), "file": printable_path(fact.file)}
