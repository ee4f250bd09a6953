"""Files of shared folders may hold anything: `discover` names what is wrong with them, and never fails."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from inventory_files import DIGITS, binary, new_shared, program
from rows import THOROUGH, for_each
from toolglot.cli.commands.discover_programs import inventory_to_text
from toolglot.converter.files.names import LONGEST_PATH
from toolglot.converter.schema.document_problems import find_problems
from toolglot.runtime.inventory.discovery import discover
from toolglot.runtime.inventory.program_matching import MAX_ENTRIES

SEEDS = range(40 if THOROUGH else 4)
ROUNDS = 100 if THOROUGH else 10  # of a seed
REGISTRIES = Path(__file__).parents[1] / "fixtures" / "registries"

VALUES: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**30, "", "x", "../x", "/", "a\0b", "\ud800", "\u202e", "~/x", "a" * 300, [], {},
    [[]], {"": {}}, ["*"], {"name": "x"}, {"name": 5}, {"path": "/opt/x"}, f"sha256:{DIGITS}",
]  # fmt: skip
KEYS = ["name", "path", "version", "", "a/b~c", "tool", "partial", "binary", "effects"]
FILES: dict[str, list[Any]] = {
    "registry.json": [json.loads(path.read_bytes()) for path in sorted(REGISTRIES.glob("*.json"))],
    "config.json": [{"discovery": {"safe_paths": ["a"], "scan_timeout": "2s"}, "cache": {"max_age": "1h"}}],
    "registries.json": [{"registries": [{"name": "a", "url": "b", "trust": "c"}]}],
    "policy.json": [{"policy": {"toolApprovals": {"mode": "allowlist", "approved": ["a"], "blocked": ["b"]}}}],
    "tools/demo.json": [
        program(),
        program(trust={"source": "native"}, partial=True, filter={"depth": 1}),
        {"tool": "demo", "metadata": program(), "expiresAt": "2020"},
    ],
    "shims/demo.json": [program(effects={"destructive": True})],
    f"shims/sha256/{DIGITS}.json": [program(binary=binary(DIGITS))],
    "shims/index.json": [
        {"shims": {"demo": {"version": "1", "path": "shims/demo.json", "checksum": f"sha256:{DIGITS}"}}},
        {"tools": {"demo": {"versions": {"1": {"x": f"sha256:{DIGITS}"}}}}, "totalShims": 1},
    ],
    "overrides/demo.json": [program(effects={"destructive": False})],
    "patterns/p.json": [{"name": "p", "steps": [{"command": "x"}]}, {"patterns": [{"name": "p", "steps": []}]}],
    ".well-known/x-registry.json": [{"registry": {"name": "r"}, "endpoints": {}}],
}


def spoiled(data: Any, rng: Random) -> Any:
    """Data with other values here and there, keys that are gone, and keys that are new."""
    if rng.random() < 0.15:
        return rng.choice(VALUES)
    if isinstance(data, list):
        return [spoiled(item, rng) for item in data]
    if not isinstance(data, dict):
        return data
    data = {key: spoiled(value, rng) if rng.random() < 0.5 else value for key, value in data.items()}
    if data and rng.random() < 0.2:
        del data[rng.choice(list(data))]
    if rng.random() < 0.2:
        data[rng.choice(KEYS)] = rng.choice(VALUES)
    return data


@for_each(
    ("entries", "code", "programs"),
    [
        ([{"name": "demo", "path": "/a" * LONGEST_PATH}], "long-path", 1),  # to follow 16 MB of links took hours
        ([{"name": "demo", "path": f"/{index}"} for index in range(MAX_ENTRIES + 1)], "too-many-files", MAX_ENTRIES),
    ],
)
def test_what_would_take_quadratic_time_is_left_out(entries: list[Any], code: str, programs: int) -> None:
    with new_shared() as shared:
        shared.put("registry.json", {"version": "1", "lastScan": None, "tools": entries})
        found = discover([shared.root])
    assert ([problem.code for problem in found.problems], len(found.programs)) == ([code], programs)


@for_each("seed", SEEDS)
def test_nothing_that_files_hold_stops_the_search(seed: int) -> None:
    rng = Random(seed)
    for _ in range(ROUNDS):
        with new_shared() as shared:
            for file, samples in FILES.items():
                if rng.random() < 0.7:
                    shared.put(file, json.dumps(spoiled(rng.choice(samples), rng)))
            paths = [shared.root] if rng.random() < 0.7 else sorted(shared.root.rglob("*.json"))
            found = discover(paths)
        assert list(find_problems(found.to_json(), "inventory/1")) == []
        assert all(line.isprintable() for line in inventory_to_text(found, True).split("\n"))
