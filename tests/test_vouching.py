"""What a person vouches for, however it is said: it holds, or is refused, and the run says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import streams

CLAIMS = {"readOnlyHint": True}
WIPE = {"name": "wipe", "inputSchema": {"type": "object"}, "annotations": {**CLAIMS, "destructiveHint": True}}
READ = {"name": "look", "inputSchema": {"type": "object"}, "annotations": CLAIMS}
VOUCHED = {"hints": {"*": {"trusted-hints": True}}, "tier": {"*": {"safety-tier": "read"}}}
# how it is said -> the options
WAYS = {
    "a claim": ["--assert", "hints.json"],
    "a tier of some tools": ["--assert", "tier.json"],
    "a tier of all tools": ["--safety-tier", "read"],
}
# where the results go -> the options, and where they are found
RESULTS: dict[str, tuple[list[str], str]] = {
    "one document": (["convert", "all.json"], ""),
    "a file for each": (["convert", "all.json", "other.json", "-o", "out/"], "out/all.tools.json"),
    "lines": (["convert", "all.jsonl"], ""),
    "a catalogue": (["catalog", "all.json"], ""),
}


def write_sources(folder: Path) -> None:
    (folder / "all.json").write_text(json.dumps({"tools": [READ, WIPE]}))
    (folder / "all.jsonl").write_text("".join(json.dumps(tool) + "\n" for tool in (READ, WIPE)))
    (folder / "other.json").write_text(json.dumps({"tools": [{**READ, "name": "peek"}]}))
    for name, statement in VOUCHED.items():
        (folder / f"{name}.json").write_text(json.dumps(statement))


def tiers_in(text: str) -> dict[str, str]:
    """Name -> tier of the tools of a document, or of one in each line."""
    documents: list[dict[str, Any]] = (
        [json.loads(text)] if text.startswith("{\n") else [*map(json.loads, text.splitlines())]
    )
    tools = [tool for document in documents for tool in document.get("tools", [document])]
    return {tool["toolId"].rpartition(":")[2]: tool["safetyTier"] for tool in tools}


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("way", WAYS)
def test_no_word_takes_back_a_danger_and_the_rest_is_written(tmp_path: Path, way: str, result: str) -> None:
    write_sources(tmp_path)
    line, place = RESULTS[result]
    if line[0] == "catalog" and WAYS[way][0] == "--safety-tier":
        return  # it has no such option
    ran = streams.run(tmp_path, (*line, "--to", "tool-descriptor", *WAYS[way]))
    text = (tmp_path / place).read_text() if place else ran.stdout
    assert tiers_in(text) == {"look": "read", "wipe": "write"}
    assert (ran.code, "refused" in ran.stderr) == (1, True), ran.stderr
    assert "DESTRUCTIVE" in text


@pytest.mark.parametrize("way", WAYS)
def test_a_word_that_nothing_contradicts_holds(tmp_path: Path, way: str) -> None:
    write_sources(tmp_path)
    ran = streams.run(tmp_path, ("convert", "other.json", "--to", "tool-descriptor", *WAYS[way]))
    assert (ran.code, tiers_in(ran.stdout), "refused" in ran.stderr) == (0, {"peek": "read"}, False)


def test_a_method_is_a_claim_like_others(tmp_path: Path) -> None:
    operations: dict[str, dict[str, Any]] = {"get": {"operationId": "look"}, "put": {"operationId": "put"}}
    dangerous: dict[str, dict[str, Any]] = {"get": {"operationId": "wipe", "x-destructive": True}}
    answer = {"responses": {"200": {"description": "Done."}}}
    paths = {
        path: {method: {**operation, **answer} for method, operation in methods.items()}
        for path, methods in {"/a": operations, "/b": dangerous}.items()
    }
    api = {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": paths}
    (tmp_path / "api.json").write_text(json.dumps(api))
    ran = streams.run(tmp_path, ("convert", "api.json", "--to", "tool-descriptor", "--trust-methods"))
    found = {name.rpartition(".")[2]: tier for name, tier in tiers_in(ran.stdout).items()}
    assert (ran.code, found) == (1, {"look": "read", "put": "write", "wipe": "write"})
