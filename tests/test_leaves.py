"""What is a tool of a program: what can be called, and whose the options of groups are."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

import corpus
import toolglot
from rows import for_each
from toolglot.converter.hub.model import Binding, Parameters, Tool
from toolglot.converter.hub.trees import cut, join_parameters, merge
from toolglot.converter.safety.inheritance import leaves_of

TEXT = {"type": "string"}
OPTION, ARGUMENT = Binding(kind="option", flags=("--x",)), Binding(kind="argument")


def takes(**bindings: Binding) -> dict[str, Any]:
    inputs = {"type": "object", "properties": dict.fromkeys(bindings, TEXT)}
    return {"inputs": inputs, "bindings": bindings}


LIST = Tool(id="list", **takes(limit=OPTION))
TREES: dict[str, tuple[Tool, dict[str, list[str]]]] = {
    "a tool": (Tool(id="t", **takes(x=OPTION)), {"t": []}),
    "a program": (Tool(id="p", children=(LIST,)), {"p list": []}),
    "a group with options": (
        Tool(id="p", children=(Tool(id="g", **takes(repo=OPTION), children=(LIST,)),)),
        {"p g list": ["repo"]},
    ),
    "a group that takes an argument": (
        Tool(id="p", children=(Tool(id="g", **takes(repo=OPTION, name=ARGUMENT), children=(LIST,)),)),
        {"p g": [], "p g list": ["repo"]},
    ),
    "a group that takes nothing, and says so": (
        Tool(id="p", children=(Tool(id="g", inputs={"type": "object"}, children=(LIST,)),)),
        {"p g": [], "p g list": []},
    ),
    "a command without a name": (
        Tool(id="p", children=(Tool(id="g", **takes(repo=OPTION), children=(Tool(id=""), LIST)),)),
        {"p g ": ["repo"], "p g list": ["repo"]},
    ),
    "groups in groups": (
        Tool(
            id="p",
            global_inputs={"type": "object", "properties": {"config": TEXT, "repo": {"type": "integer"}}},
            global_bindings={"config": OPTION, "repo": OPTION},
            children=(
                Tool(id="g", **takes(repo=OPTION), children=(Tool(id="h", **takes(far=OPTION), children=(LIST,)),)),
            ),
        ),
        {"p g h list": ["config", "far", "repo"]},
    ),
}


@for_each("name", TREES)
def test_what_can_be_called_and_which_options_it_shares(name: str) -> None:
    tree, expected = TREES[name]
    shared = {" ".join(leaf.path): (leaf.tool.global_inputs or {}).get("properties", {}) for leaf in leaves_of(tree)}
    assert {path: sorted(options) for path, options in shared.items()} == expected
    assert all(options.get("repo", TEXT) == TEXT for options in shared.values()), "the nearest group is meant"


@for_each("name", TREES)
def test_a_tree_that_was_cut_into_its_commands_grows_together_again(name: str) -> None:
    tree, _ = TREES[name]
    parts = [cut(tree, [leaf.pointer]).tool for leaf in leaves_of(tree)]
    for part, leaf in zip(parts, leaves_of(tree), strict=True):
        (alone,) = leaves_of(part)
        assert (alone.path, alone.tool) == (leaf.path, leaf.tool)
    assert merge(parts) == [tree]


def test_definitions_of_one_name_stay_apart() -> None:
    def shared(kind: str) -> dict[str, Any]:
        properties = {kind: {"$ref": "#/$defs/a"}}
        return {"type": "object", "properties": properties, "$defs": {"a": {"type": kind}}}

    group = Tool(id="g", inputs=shared("string"), bindings={"string": OPTION}, children=(LIST,))
    tree = Tool(id="p", global_inputs=shared("integer"), global_bindings={"integer": OPTION}, children=(group,))
    (leaf,) = leaves_of(tree)
    inputs = leaf.tool.global_inputs or {}
    for kind in ("string", "integer"):
        name = inputs["properties"][kind]["$ref"].removeprefix("#/$defs/")
        assert inputs["$defs"][name] == {"type": kind}


def test_definitions_of_one_name_stay_apart_at_every_level() -> None:
    def level(parameter: str, point: str) -> Parameters:
        # `At` is the same everywhere, and what it refers to is not; the names need escaping.
        definitions = {"a/b c": {"type": point}, "At": {"$ref": "#/$defs/a~1b%20c"}}
        return Parameters({"properties": {parameter: {"$ref": "#/$defs/At"}}, "$defs": definitions})

    below = join_parameters(level("y", "integer"), level("z", "boolean"))
    inputs = join_parameters(level("x", "string"), below).inputs or {}
    validator = jsonschema.Draft202012Validator(inputs)
    assert validator.is_valid({"x": "a", "y": 1, "z": True})
    assert len(list(validator.iter_errors({"x": 1, "y": True, "z": "a"}))) == 3


def test_definitions_that_python_takes_for_equal_stay_apart() -> None:
    def constant(parameter: str, value: Any) -> Parameters:
        definitions = {"d": {"const": value}}
        return Parameters({"properties": {parameter: {"$ref": "#/$defs/d"}}, "$defs": definitions})

    inputs = join_parameters(constant("x", 1), constant("y", True)).inputs or {}
    assert jsonschema.Draft202012Validator(inputs).is_valid({"x": 1, "y": True})


TOGETHER: list[tuple[dict[str, Any], bool]] = [
    ({"dependentRequired": {"user": ["key"]}}, True),
    ({"if": {"required": ["user"]}, "then": {"properties": {"key": {"const": 1}}, "required": ["key"]}}, True),
    ({"anyOf": [{"not": {"required": ["user"]}}, {"required": ["key"]}]}, True),
    ({"not": {"required": ["own"]}}, False),
    ({"maxProperties": 1}, False),
    ({"allOf": [{"additionalProperties": False}]}, False),
]


@for_each(("rule", "is_said"), TOGETHER)
def test_what_shared_parameters_have_to_be_together_holds_or_stays_with_the_host(
    rule: dict[str, Any], is_said: bool
) -> None:
    shared = {"properties": {"user": TEXT, "key": {}}, **rule}
    tool = Tool(id="p", inputs={"type": "object", "properties": {"own": TEXT}}, global_inputs=shared)
    compiled = toolglot.compile(tool, "mcp", with_globals=True)
    validator = jsonschema.Draft202012Validator(compiled.offers["p"].schema or {})
    assert validator.is_valid({"own": "a", "user": "b", "key": 1})
    assert validator.is_valid({"own": "a", "user": "b"}) is not is_said
    left = [] if is_said else [rule]
    assert [change.before for change in compiled.report.changes if change.path == "/global_inputs"] == left
    group = Tool(id="g", inputs={"properties": {"x": {}}}, bindings={"x": OPTION}, children=(Tool(id="c", inputs={}),))
    compiled = toolglot.compile(Tool(id="p", global_inputs=shared, children=(group,)), "mcp", with_globals=True)
    assert [change.before for change in compiled.report.changes if change.fact == "global_inputs"] == left


@pytest.mark.beside("corpus")
def test_a_real_program_has_as_many_tools_as_commands_without_subcommands() -> None:
    source = corpus.ROOT / "atip" / "lenulus__atip__examples-gh.json"
    (tool,) = toolglot.read(source)
    nodes = [json.loads(source.read_text(encoding="utf-8"))]
    without = 0
    for node in nodes:  # grows on the way
        below = list(node.get("commands", {}).values())
        nodes += below
        without += not below
    assert len(list(leaves_of(tool))) == without == 167


PROGRAM = {
    "atip": {"version": "0.6"},
    "name": "p",
    "version": "1",
    "description": "P.",
    "commands": {
        "g": {
            "description": "G.",
            "options": [{"name": "repo", "flags": ["-R"], "type": "string", "description": "R."}],
            "commands": {"list": {"description": "L."}, "rm": {"description": "D.", "effects": {"destructive": True}}},
        }
    },
}


@pytest.mark.parametrize("target", ["mcp", "tool-descriptor", "hub", "aip14"])
def test_the_options_of_a_group_are_told_and_come_home(target: str) -> None:
    report = toolglot.convert(PROGRAM, target).report
    told = [change for change in report.changes if "repo" in str(change.before)]
    assert bool(told) is (target != "hub")
    assert all("global" in change.code for change in told)
    carried = toolglot.convert(PROGRAM, target, lossless=True)
    if target != "aip14":  # one file a tool
        assert toolglot.convert(carried.text, "atip", restore=True).output.records[0].data == PROGRAM


@pytest.mark.parametrize("target", ["mcp", "openai", "anthropic", "gemini"])
def test_options_that_are_offered_are_not_told_as_lost(target: str) -> None:
    conversion = toolglot.convert(PROGRAM, target, with_globals=True)
    assert not [change for change in conversion.report.changes if "global" in change.code]
    assert all(
        "repo" in (leaf.tool.inputs or {})["properties"]
        for tool in toolglot.read(conversion.text)
        for leaf in leaves_of(tool)
    )
    carried = toolglot.convert(PROGRAM, target, with_globals=True, lossless=True)
    assert toolglot.convert(carried.text, "atip", restore=True).output.records[0].data == PROGRAM


def test_what_a_program_says_for_its_commands_is_told_once() -> None:
    program = {
        "atip": "0.3",
        "name": "a",
        "version": "1",
        "description": "A.",
        "commands": {"b": {"description": "B."}},
    }
    program["trust"] = {"source": "native", "checksum": "sha256:a"}
    paths = [change.path for change in toolglot.convert(program, "atip@0.6").report.changes]
    assert paths.count("/trust") == 1


def test_a_group_with_nothing_but_options_is_not_offered() -> None:
    (tool,) = toolglot.read(PROGRAM)
    assert [leaf.path for leaf in leaves_of(tool)] == [("p", "g", "list"), ("p", "g", "rm")]
    compiled = toolglot.compile(tool, "openai")
    assert list(compiled.tools) == ["p_g_list", "p_g_rm"]
