"""Lossless for sets: what a slot is bound to, whatever became of the other definitions."""

from __future__ import annotations

import itertools
import json
from typing import Any

import msgspec
import pytest

import toolglot
from rows import for_each
from toolglot.converter import formats, safety
from toolglot.converter.conversion import pipeline, sources
from toolglot.converter.hub import model
from toolglot.converter.safety.inheritance import leaves_of

PROGRAM: dict[str, Any] = {
    "atip": {"version": "0.6"},
    "name": "gh",
    "version": "2.0.0",
    "description": "Work with repositories.",
    "homepage": "https://example.invalid/gh",
    "globalOptions": [{"name": "repo", "flags": ["-R"], "type": "string", "description": "Which."}],
    "commands": {
        "auth": {
            "description": "Sign in and out.",
            "commands": {"login": {"description": "Sign in."}, "logout": {"description": "Sign out."}},
        },
        "list": {"description": "List them.", "examples": ["gh list"]},
        "delete": {"description": "Delete one.", "effects": {"destructive": True, "deletes": ["repository"]}},
    },
}
SLOTLESS = [name for name in formats.targets() if not formats.get(name).slot.path and name != "hub"]
SLOTTED = [name for name in formats.targets() if formats.get(name).slot.path and name != "atip"]


def home(files: list[tuple[str, str]]) -> list[model.Tool]:
    return pipeline.convert_readings(
        [sources.read_document(sources.open_document(content, name, restore=True)) for name, content in files], "atip"
    ).tools


def program() -> list[model.Tool]:
    return toolglot.read(PROGRAM)


def beside(target: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(toolglot.convert(PROGRAM, target, lossless=True).text)
    return found


def ids(document: dict[str, Any]) -> list[str]:
    (found,) = {document["x-toolglot"].__class__}
    assert found is dict
    return list(document["x-toolglot"])


def definitions(document: dict[str, Any]) -> list[Any]:
    """The list of definitions, wherever a provider's container has it."""
    tools = next(value for value in document.values() if isinstance(value, list))
    held: list[Any] = tools[0].get("functionDeclarations", tools) if isinstance(tools[0], dict) else tools
    return held


@for_each("order", list(itertools.permutations(range(4)))[::3])
def test_a_program_that_became_a_folder_comes_home_in_any_order_of_files(order: tuple[int, ...]) -> None:
    files = toolglot.convert(PROGRAM, "aip14", lossless=True).files
    assert len(files) == 4
    assert home([files[index] for index in order]) == program()


def test_a_folder_that_lacks_a_file_is_the_program_without_that_command() -> None:
    files = toolglot.convert(PROGRAM, "aip14", lossless=True).files
    (tool,) = home(files[::-1][:2])
    assert [leaf.path for leaf in leaves_of(tool)] == [("gh", "list"), ("gh", "delete")]


def test_parts_of_other_programs_stay_apart() -> None:
    other = json.loads(json.dumps(PROGRAM).replace('"gh"', '"hg"'))
    files = [file for source in (PROGRAM, other) for file in toolglot.convert(source, "aip14", lossless=True).files]
    parts = [sources.open_document(content, name, restore=True) for name, content in files[::2] + files[1::2]]
    found = list(map(sources.read_document, parts))
    assert pipeline.convert_readings(found, "hub").tools == [*program(), *toolglot.read(other)]


@pytest.mark.parametrize("target", SLOTLESS)
def test_a_slot_is_bound_to_an_id(target: str) -> None:
    document = beside(target)
    bare = {key: value for key, value in document.items() if key != "x-toolglot"}
    read = [tool.id for tool in toolglot.read(json.dumps(bare), target)]
    assert ids(document) == read


@for_each("target", SLOTLESS)
@for_each("gone", range(4))
def test_removing_a_definition_leaves_the_others_whole(target: str, gone: int) -> None:
    document = beside(target)
    removed = definitions(document).pop(gone)
    (tool,) = toolglot.read(json.dumps(document), target, restore=True)
    kept = list(leaves_of(program()[0]))
    del kept[gone]
    assert list(leaves_of(tool)) == [
        msgspec.structs.replace(leaf, pointer=now.pointer, ancestors=now.ancestors)
        for leaf, now in zip(kept, leaves_of(tool), strict=True)
    ]
    changes = toolglot.convert(json.dumps(document), "atip", format=target, restore=True).report.changes
    assert [change.code for change in changes].count("stale-slot") == 1, removed


@pytest.mark.parametrize("target", SLOTLESS)
def test_moving_definitions_changes_nothing(target: str) -> None:
    document = beside(target)
    definitions(document).reverse()
    assert toolglot.read(json.dumps(document), target, restore=True) == program()


@for_each("target", [*SLOTTED, *SLOTLESS])
def test_what_was_edited_stays_and_the_report_says_why(target: str) -> None:
    source = {**PROGRAM, "commands": {"list": PROGRAM["commands"]["list"]}}
    conversion = toolglot.convert(source, target, lossless=True)
    edited = conversion.text.replace("List them.", "List all of them.", 1)
    assert edited != conversion.text
    back = toolglot.convert(edited, "atip", format=target, restore=True)
    assert any("List all of them." in (leaf.tool.description or "") for tool in back.tools for leaf in leaves_of(tool))
    (stale,) = [change for change in back.report.changes if change.code == "stale-slot"]
    assert stale.line is not None
    assert back.report.losses


@for_each("target", [*SLOTTED, *SLOTLESS])
def test_a_danger_that_was_added_stays(target: str) -> None:
    source = {**PROGRAM, "commands": {"list": PROGRAM["commands"]["list"]}}
    text_of = toolglot.convert(source, target, lossless=True).text
    edited = text_of.replace("List them.", "List them. [⚠️ DESTRUCTIVE]", 1)
    back = toolglot.convert(edited, "atip", format=target, restore=True)
    (leaf,) = [leaf for tool in back.tools for leaf in leaves_of(tool)]
    assert safety.caution(leaf.tool)["destructive"] == safety.UNSAFE
    assert "stale-slot" in [change.code for change in back.report.changes]


@pytest.mark.parametrize("content", [5, {}, {"tool": 5}, {"tool": {"id": "ls", "origin": "mcp"}}, {"digest": "0"}])
def test_what_is_no_slot_is_said(content: Any) -> None:
    record = {"name": "ls", "inputSchema": {"type": "object"}, "_meta": {"dev.toolglot/record": {"slot": content}}}
    assert toolglot.read_one(record, restore=True).title is None
    codes = [change.code for change in toolglot.convert(record, "hub", restore=True).report.changes]
    assert codes.count("stale-slot") == 1
    assert "stale-slot" in [finding.code for finding in toolglot.check(record)]
