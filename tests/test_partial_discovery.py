"""Programs that describe a part of themselves: a group that is cut is no command, and the part never becomes a whole.

Behaviours 21 to 23 of a careful reader of such documents: a cut group is not callable, what is left out is unknown, and
no conversion makes a part look like a whole.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.converter import formats, safety
from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.hub.trees import merge, split_leaves
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import WriteError
from toolglot.runtime.bridge import naming

SAFE = {"network": False, "filesystem": {"write": False, "delete": False}, "destructive": False}
GROUP = {"description": "Manage notes.", "effects": SAFE}
TEXT = {"name": "text", "type": "string", "description": "What it says."}
COMMAND = {"description": "Add a note.", "arguments": [TEXT]}
SWITCH = {"description": "Synchronise.", "options": [{**TEXT, "flags": ["--text"]}]}
FLAT = [name for name in formats.names() if formats.get(name).writes and not formats.get(name).tree]


def program(commands: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "atip": {"version": "0.6"}, "name": "notes", "version": "1.0", "description": "Keep notes.", **more,
        "commands": commands,
    }  # fmt: skip


def cut(depth: Any, **more: Any) -> dict[str, Any]:
    return {"partial": True, "filter": {"depth": depth}, **more}


# What a document says about itself and its commands -> the commands that can be called.
DOCUMENTS: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "whole": ({"a": GROUP, "b": COMMAND}, {}, ["a", "b"]),
    "not partial": ({"a": GROUP}, {"partial": False, "filter": {"depth": 1}}, ["a"]),
    "at the limit": ({"a": GROUP, "b": COMMAND, "c": SWITCH}, cut(1), ["b", "c"]),
    "without effects": ({"a": {"description": "A."}}, cut(1), []),
    "empty lists": ({"a": {**GROUP, "arguments": [], "options": []}}, cut(1), []),
    "empty commands": ({"a": {**GROUP, "commands": {}}}, cut(1), []),
    "above the limit": ({"a": GROUP}, cut(2), ["a"]),
    "below, at the limit": ({"a": {**GROUP, "commands": {"b": GROUP, "c": COMMAND}}}, cut(2), ["a c"]),
    "deeper than it says": ({"a": {**GROUP, "commands": {"b": GROUP, "c": COMMAND}}}, cut(1), ["a c"]),
    "no limit": ({"a": GROUP}, cut(None), ["a"]),
    "no limit, but cut": ({"a": GROUP}, cut(None, omitted={"reason": "depth-limited"}), []),
    "no limit, but too large": ({"a": GROUP}, cut(None, omitted={"reason": "size-limited"}), []),
    "no limit, filtered": ({"a": GROUP}, cut(None, omitted={"reason": "filtered"}), ["a"]),
    "limit not said": ({"a": {**GROUP, "commands": {"b": GROUP}}, "c": COMMAND}, {"partial": True}, ["a b", "c"]),
    "marked as a group": ({"a": {**GROUP, "x-truncated": True}, "b": GROUP}, cut(2), ["b"]),
    "marked as a command": ({"a": {**GROUP, "x-truncated": False}, "b": GROUP}, cut(1), ["a"]),
    "a group that takes options": ({"a": {**SWITCH, "x-truncated": True}}, {}, []),
    "a group that is called itself": ({"a": {**COMMAND, "x-truncated": True}}, {}, ["a"]),
    "nothing is left": ({}, {"partial": True, "filter": {"commands": ["a"], "depth": None}}, []),
}  # fmt: skip


def called(tool: Tool) -> list[str]:
    return [" ".join(leaf.path[1:]) for leaf in leaves_of(tool)]


@for_each(("commands", "more", "expected"), list(DOCUMENTS.values()), ids=list(DOCUMENTS))
def test_21_a_cut_group_is_never_called(commands: dict[str, Any], more: dict[str, Any], expected: list[str]) -> None:
    source = program(commands, **more)
    tool = toolglot.read_one(source)
    assert called(tool) == expected
    assert json.loads(toolglot.convert(source, "atip").text) == source
    assert len(naming.exposed([tool])) == len(expected)
    for target in FLAT:
        assert toolglot.convert(source, target).report.tools == len(expected), target


def test_21_the_report_names_the_group_that_is_gone() -> None:
    conversion = toolglot.convert(program({"a": GROUP, "b": COMMAND}, **cut(1)), "openai")
    assert [change.command for change in conversion.report.changes if change.field == "truncated"] == ["notes a"]


# What says only that its commands are elsewhere -> the fields that are lost with it.
OF_NOBODY: dict[str, tuple[Any, set[str]]] = {
    "a part without commands": (program({}, **cut(None)), {"version", "description", "discovery", "truncated"}),
    "a program that is cut": (program({}, **{"x-truncated": True}), {"version", "description", "truncated"}),
    "a shell tells the commands": ('bin "d"\nmount run="d tasks"\n', {"truncated", "mount"}),
}


@for_each(("source", "lost"), list(OF_NOBODY.values()), ids=list(OF_NOBODY))
@for_each("target", FLAT)
def test_the_report_names_what_is_gone_with_a_program_of_no_commands(source: Any, lost: set[str], target: str) -> None:
    report = toolglot.convert(source, target, format="usage" if isinstance(source, str) else None).report
    assert report.tools == 0
    assert {change.field for change in report.changes if change.action == "dropped"} >= lost


@for_each("assumption", ["unknown", "known-safe", "known-unsafe", "same-as-included"])
def test_22_what_is_left_out_is_unknown_whatever_is_assumed(assumption: str) -> None:
    omitted = {"reason": "filtered", "safetyAssumption": assumption}
    source = program({"b": {**COMMAND, "effects": SAFE}}, partial=True, filter={"depth": None}, omitted=omitted)
    unknown = program({"b": {**COMMAND, "effects": SAFE}}, partial=True, filter={"depth": None})
    for target in FLAT:
        assert toolglot.convert(source, target).files == toolglot.convert(unknown, target).files, target
    (leaf,) = leaves_of(toolglot.read_one(source))
    assert safety.caution(leaf.tool) == safety.caution(next(leaves_of(toolglot.read_one(unknown))).tool)


@for_each("target", formats.names())
def test_23_a_part_stays_a_part(target: str) -> None:
    if not formats.get(target).writes:
        return
    source = program({"a": GROUP, "b": COMMAND, "c": GROUP, "d": SWITCH, "e": GROUP}, **cut(1))
    conversion = toolglot.convert(source, target)
    text = "".join(content for _, content in conversion.files)
    reported = [change.action for change in conversion.report.changes if change.path == "/discovery"]
    if formats.get(target).tree:
        assert '"partial": true' in text
        assert not reported
    elif formats.get(target).provider.profiles:  # what a model is offered is always a selection; the report says it
        assert reported == ["dropped"]
    else:
        assert "leaves other commands out" in text
        assert reported == ["dropped"]
    lossless = toolglot.convert(source, target, lossless=True)
    back = [tool for _, content in lossless.files for tool in toolglot.read(content, target, restore=True)]
    (whole,) = merge(back) if len(back) > 1 else back
    assert json.loads(toolglot.write(whole, "atip")) == source


def test_what_we_write_says_which_nodes_are_groups() -> None:
    nothing: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    below = (Tool(id="d", inputs=nothing),)
    children = (Tool(id="a", truncated=True), Tool(id="b", inputs=nothing), Tool(id="c", children=below))
    tool = Tool(id="notes", discovery={"partial": True, "filter": {"depth": 1}}, children=children)
    document = json.loads(toolglot.write(tool, "atip"))
    assert [node.get("x-truncated") for node in document["commands"].values()] == [True, False, None]
    assert called(toolglot.read_one(document)) == called(tool) == ["b", "c d"]


@for_each("target", [name for name in FLAT if formats.get(name).slot.path or formats.get(name).provider.profiles])
def test_what_no_record_could_carry_is_refused(target: str) -> None:
    with pytest.raises(WriteError, match="no command that can be called"):
        toolglot.convert(program({"a": GROUP}, **cut(1)), target, lossless=True)


def test_parts_of_a_tree_keep_its_cut_groups_in_their_places() -> None:
    groups = [Tool(id=f"g{number}", truncated=True) for number in range(4)]
    inner = Tool(id="inner", children=(groups[0], Tool(id="x"), groups[1]))
    tool = Tool(id="t", children=(inner, groups[2], Tool(id="y"), groups[3]))
    assert [to_json(part) for part in merge(split_leaves(tool).values())] == [to_json(tool)]
    assert list(split_leaves(tool)) == [leaf.pointer for leaf in leaves_of(tool)]
