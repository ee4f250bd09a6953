"""No override makes a program look safer: held by `tests/judge`, which knows nothing of toolglot, over raw documents.

Each document is a program full of dangers, in every place and spelling; the override denies every one of them.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import judge
from inventory_files import new_shared
from judge import documents
from judged_laws import by_marker
from rows import THOROUGH, for_each
from toolglot.converter import formats
from toolglot.converter.conversion.pipeline import convert_readings
from toolglot.errors import WriteError
from toolglot.runtime.inventory.discovery import discover

PROGRAMS = "atip"  # the format of programs that the judge makes documents of
SEEDS = range(400 if THOROUGH else 8)
TARGETS = [name for name in formats.targets() if name in judge.FORMATS]
DENIALS = {
    "filesystem": {"write": False, "delete": False},
    "network": False,
    "subprocess": False,
    "idempotent": True,
    "reversible": True,
    "destructive": False,
    "creates": [],
    "modifies": [],
    "deletes": [],
    "interactive": {"stdin": "none", "prompts": False, "tty": False},
    "cost": {"estimate": "free", "billable": False},
}


KEPT = ("atip", "name", "version", "arguments", "options")


def denying(node: dict[str, Any], is_command: bool = False) -> dict[str, Any]:
    """The same program, of which every command says that it does no harm, and no text warns."""
    marker = re.search(r"mk\d+x", str(node.get("description")))
    kept: dict[str, Any] = {key: node[key] for key in KEPT if key in node}
    kept["description"] = marker[0] if marker else "It does no harm."
    commands = node.get("commands")
    if isinstance(commands, dict):
        kept["commands"] = {name: denying(command, True) for name, command in commands.items()}
    if is_command and not commands:
        kept["effects"] = DENIALS
    return kept


@for_each("seed", SEEDS)
def test_an_override_that_denies_every_danger_hides_none(seed: int) -> None:
    """29."""
    document = {**json.loads(documents.document(Random(seed), PROGRAMS).content), "name": "demo"}
    document.pop("binary", None)
    first = by_marker(PROGRAMS, [json.dumps(document).encode()])
    with new_shared() as shared:
        shared.put("tools/demo.json", document)
        override = shared.put("overrides/demo.json", denying(document))
        [program] = discover([shared.root]).programs
    assert program.description is not None
    assert program.description.file == str(override)
    for target in TARGETS:
        try:
            files = convert_readings([program.description.reading], target).files
        except WriteError as error:
            if error.code != "id-collision":  # of commands that differ by a blank alone
                raise
            continue
        last = by_marker(target, [text.encode() for _, text in files])
        faults = [fault for name in first for fault in judge.faults(first[name], last[name], (PROGRAMS, target))]
        assert [fault for fault in faults if fault.kind == "faded"] == [], target
