"""A call becomes an argument vector, and whoever parses the vector gets the call back, whatever its values are."""

from __future__ import annotations

import argparse
import getopt
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import click
import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st
from msgspec.structs import replace

import corpus
import toolglot
from rows import for_each
from systems import needs_shell
from toolglot.bridge import Validator, argv, exposed
from toolglot.cli import cli
from toolglot.converter.hub.model import Binding, Example, Leaf, Tool, from_json
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import ArgumentError, FitError, UsageError
from toolglot.runtime.agent.descriptions import read_program
from toolglot.runtime.bridge.naming import NamedCommand
from untyped import untyped

# -- builders -----------------------------------------------------------------------------------------------


def option(name: str, *flags: str, **entry: Any) -> dict[str, Any]:
    return {"name": name, "flags": list(flags), "type": "string", "description": name, **entry}


def argument(name: str, **entry: Any) -> dict[str, Any]:
    return {"name": name, "type": "string", "description": name, **entry}


def program(
    *parameters: dict[str, Any],
    shared: tuple[dict[str, Any], ...] = (),
    grouped: tuple[dict[str, Any], ...] = (),
    path: str = "run",
) -> Tool:
    """A program `app` with one command, read from a description in the format of programs.

    `shared` are the options of the program, `grouped` those of the group above the command.
    """
    node: dict[str, Any] = {
        "description": "Run.",
        "arguments": [entry for entry in parameters if "flags" not in entry],
        "options": [entry for entry in parameters if "flags" in entry],
    }
    *groups, last = path.split(" ")
    node = {"description": "Run.", "commands": {last: node}}
    for word in reversed(groups):
        node = {"description": "Run.", "commands": {word: {**node, "options": list(grouped)}}}
    data = {"atip": {"version": "0.6"}, "name": "app", "version": "1", **node}
    if shared:
        data["globalOptions"] = list(shared)
    return toolglot.read_one(data)


# -- what is written ----------------------------------------------------------------------------------------

STATE = option("state", "-s", "--state")
FORCE = option("force", "-f", "--force", type="boolean")
COLOR = option("color", "--color", "--no-color", type="boolean", default=True)
LABELS = option("label", "-l", "--label", variadic=True)
SHORT = option("name", "-n")
COUNT = option("count", "--count", type="integer")
RATIO = option("ratio", "--ratio", type="number")
WORD = option("out", "-out")
FILE = argument("file")
TO = argument("to", required=False)
FILES = argument("files", variadic=True)
ANY = option("any", "--any", schema={"type": "object"})
WHEN = option("when", "--when", schema={"type": ["boolean", "string"]})
PAIR = argument("pair", variadic=True, schema={"type": "array", "minItems": 2, "maxItems": 2})

WRITTEN: list[tuple[str, tuple[dict[str, Any], ...], dict[str, Any], list[str]]] = [
    ("nothing", (STATE, FORCE, TO), {}, []),
    ("null is absent", (STATE, FORCE, TO), {"state": None, "force": None, "to": None}, []),
    ("the long flag", (STATE,), {"state": "open"}, ["--state", "open"]),
    ("the only flag", (SHORT,), {"name": "x"}, ["-n", "x"]),
    ("an empty text is a value", (STATE, FILE), {"state": "", "file": ""}, ["--state", "", ""]),
    ("true", (FORCE,), {"force": True}, ["--force"]),
    ("false", (FORCE,), {"force": False}, []),
    ("false against a default", (COLOR,), {"color": False}, ["--no-color"]),
    ("true as by default", (COLOR,), {"color": True}, ["--color"]),
    (
        "a flag that begins with no",
        (option("no-pager", "--no-pager", type="boolean"),),
        {"no-pager": True},
        ["--no-pager"],
    ),
    (
        "only the opposite",
        (option("pager", "--no-pager", type="boolean", default=True),),
        {"pager": False},
        ["--no-pager"],
    ),
    ("only the opposite, on", (option("pager", "--no-pager", type="boolean", default=True),), {"pager": True}, []),
    ("several", (LABELS,), {"label": ["a", "b"]}, ["--label", "a", "--label", "b"]),
    ("none of several", (LABELS,), {"label": []}, []),
    ("a list", (option("x", "-x", type="array"),), {"x": ["a", "1"]}, ["-x", "a", "-x", "1"]),
    ("a list of anything", (option("x", "-x", schema={"type": "array"}),), {"x": ["a", 1]}, ["-x", "a", "-x", "1"]),
    ("how often", (option("v", "-v", type="boolean", variadic=True),), {"v": [True, True]}, ["-v", "-v"]),
    ("an integer", (COUNT,), {"count": 7}, ["--count", "7"]),
    ("an integer with a point", (COUNT,), {"count": 8.0}, ["--count", "8"]),
    ("a negative number", (COUNT,), {"count": -7}, ["--count=-7"]),
    ("a large number", (RATIO,), {"ratio": 1e21}, ["--ratio", "1000000000000000000000"]),
    ("a small number", (RATIO,), {"ratio": 1.5e-7}, ["--ratio", "0.00000015"]),
    ("an integer for a number", (RATIO,), {"ratio": 2}, ["--ratio", "2"]),
    ("a large integer", (COUNT,), {"count": 10**30}, ["--count", "1" + "0" * 30]),
    ("an object", (ANY,), {"any": {"a": [1, "é"], "b": None}}, ["--any", '{"a":[1,"é"],"b":null}']),
    ("a boolean argument", (argument("on", type="boolean"),), {"on": False}, ["false"]),
    ("a value that may be left out", (WHEN,), {"when": "always"}, ["--when=always"]),
    ("left out", (WHEN,), {"when": True}, ["--when"]),
    ("a word with one dash", (WORD,), {"out": "plan"}, ["-out", "plan"]),
    ("an option that needs =", (option("dir", "-dir="),), {"dir": "a b"}, ["-dir=a b"]),
    ("help text among the flags", (option("o", "--o <file>", "-o"),), {"o": "x"}, ["-o", "x"]),
    ("a dash, long", (STATE,), {"state": "--force"}, ["--state=--force"]),
    ("a dash, short", (SHORT,), {"name": "-rf"}, ["-n-rf"]),
    ("a dash, word", (WORD,), {"out": "-"}, ["-out=-"]),
    ("a dash, positional", (FILE, FORCE), {"file": "-rf", "force": True}, ["--force", "--", "-rf"]),
    ("a dash, later", (FILE, TO), {"file": "a", "to": "--force"}, ["--", "a", "--force"]),
    ("two dashes", (FILE, STATE), {"file": "--", "state": "--"}, ["--state=--", "--", "--"]),
    ("a dash in an option only", (FILE, STATE), {"file": "a", "state": "-"}, ["--state=-", "a"]),
    ("in order", (FILE, TO), {"to": "2", "file": "1"}, ["1", "2"]),
    ("expanded", (FILE, FILES), {"files": ["a", "b c"], "file": "x"}, ["x", "a", "b c"]),
    ("many, then one", (FILES, FILE), {"files": ["a", "b"], "file": "x"}, ["a", "b", "x"]),
    ("none, then one", (argument("files", variadic=True, required=False), FILE), {"file": "x"}, ["x"]),
    ("no shell", (FILE, STATE), {"file": "$(x)", "state": "~/*\n;"}, ["--state", "~/*\n;", "$(x)"]),
    ("two words, then one", (PAIR, FILE), {"pair": ["a", "b"], "file": "x"}, ["a", "b", "x"]),
    ("two of one name", (FILE, option("file", "--file")), {"file": "a", "file_2": "b"}, ["--file", "b", "a"]),
]


@for_each(("parameters", "arguments", "expected"), [row[1:] for row in WRITTEN], ids=[r[0] for r in WRITTEN])
def test_what_is_written(
    parameters: tuple[dict[str, Any], ...], arguments: dict[str, Any], expected: list[str]
) -> None:
    before = json.dumps(arguments)
    assert argv(program(*parameters), arguments) == ["app", "run", *expected]
    assert json.dumps(arguments) == before


def test_global_options_follow_the_program_and_own_parameters_win() -> None:
    verbose = option("verbose", "-v", "--verbose", type="boolean")
    tool = program(STATE, FILE, shared=(verbose, option("state", "--global-state")), path="pr list")
    arguments = {"state": "s", "file": "f"}
    assert argv(tool, arguments, host={"verbose": True}) == [*("app", "--verbose", "pr", "list", "--state", "s", "f")]
    assert argv(tool, arguments, host={"state": "t"}) == [
        *("app", "--global-state", "t", "pr", "list", "--state", "s", "f")
    ]


REPO, CONFIG = option("repo", "-R", "--repo"), option("config", "-c", "--config")
GROUPED = program(STATE, FILE, shared=(CONFIG,), grouped=(REPO, option("state", "--group-state")), path="pr list")


def test_the_options_of_a_group_stand_behind_its_word() -> None:
    host = {"repo": "r", "config": "c", "state": "t"}
    assert argv(GROUPED, {"file": "f", "state": "s"}, host=host) == [
        *("app", "--config", "c", "pr", "--repo", "r", "--group-state", "t", "list", "--state", "s", "f")
    ]
    compiled = toolglot.compile(GROUPED, "openai", with_globals=True)
    (definition,) = compiled.definitions
    assert set(definition["function"]["parameters"]["properties"]) == {"file", "state", "repo", "config"}
    resolved = compiled.resolve("app_pr_list", {"file": "f", "state": "s", "repo": "r", "config": "c"})
    assert argv(resolved, resolved.arguments) == [
        *("app", "--config", "c", "pr", "--repo", "r", "list", "--state", "s", "f")
    ]
    assert argv(resolved, {"file": "f"}, host={"state": "t"}) == ["app", "pr", "--group-state", "t", "list", "f"]


@pytest.mark.parametrize("key", ["config", "repo", "nope"])
def test_what_was_not_offered_is_refused_everywhere(key: str) -> None:
    arguments = {"file": "f", key: "core.fsmonitor=touch x"}
    compiled = toolglot.compile(GROUPED, "openai")
    with pytest.raises(FitError) as refused:
        compiled.resolve("app_pr_list", arguments)
    assert (refused.value.code, refused.value.pointer) == ("not-offered", f"/{key}")
    (violation,) = Validator(compiled).validate("app_pr_list", arguments).violations
    assert (violation.code, violation.pointer) == ("ARGUMENTS_INVALID", f"/{key}")
    (leaf,) = leaves_of(GROUPED)
    with pytest.raises(ArgumentError) as caught:
        argv(leaf, arguments)
    assert caught.value.code == ("unknown-argument" if key == "nope" else "not-offered")
    assert caught.value.pointer == f"/{key}"


def test_a_command_of_several_takes_no_option_that_another_one_has_of_its_own() -> None:
    data = {"description": "Run.", "options": [CONFIG]}
    tool = toolglot.read_one(
        {
            "atip": {"version": "0.6"},
            "name": "app",
            "version": "1",
            "description": "Run.",
            "globalOptions": [CONFIG],
            "commands": {"own": data, "shared": {"description": "Run.", "options": [STATE]}},
        }
    )
    compiled = toolglot.compile(tool, "openai", flatten="action")
    assert compiled.resolve("app", {"action": "own", "config": "c"}).arguments == {"config": "c"}
    with pytest.raises(FitError, match="config"):
        compiled.resolve("app", {"action": "shared", "config": "c"})


def test_the_host_gives_no_parameter_of_the_command() -> None:
    with pytest.raises(ArgumentError, match="no such parameter"):
        argv(GROUPED, {"file": "f"}, host={"state": "s", "file": "g"})


STRICTER = [
    ("closed", {"properties": {"a": {}}, "additionalProperties": False}, True),
    ("silent", {"properties": {"a": {}}}, True),
    ("open", {"properties": {"a": {}}, "additionalProperties": True}, False),
    ("patterns", {"properties": {"a": {}}, "patternProperties": {"^b": {}}}, False),
    (
        "patterns, else closed",
        {"properties": {"a": {}}, "patternProperties": {"^b": {}}, "additionalProperties": False},
        False,
    ),
    ("no properties named", {"type": "object"}, False),
    ("none at all", {"type": "object", "properties": {}, "additionalProperties": False}, True),
    ("not described", None, False),
]


@for_each(("inputs", "refused"), [row[1:] for row in STRICTER], ids=[row[0] for row in STRICTER])
def test_a_schema_that_names_parameters_is_sent_no_others(inputs: Any, refused: bool) -> None:
    compiled = toolglot.compile(Tool(id="f", inputs=inputs), "anthropic")
    arguments = {"b": 1}
    assert Validator(compiled).validate("f", arguments).valid is not refused
    if refused:
        with pytest.raises(FitError):
            compiled.resolve("f", arguments)
    else:
        assert compiled.resolve("f", arguments).arguments == arguments


def of_group(*behind: Any, path: str = "proj show") -> Tool:
    tool = program(FILE, TO, path=path, shared=(CONFIG,))
    return replaced_leaf(tool, {"behind": list(behind)})


def replaced_leaf(node: Tool, syntax: dict[str, Any]) -> Tool:
    """A program whose last command states how its words are read."""
    if not node.children:
        return replace(node, syntax=syntax)
    return replace(node, children=tuple(replaced_leaf(child, syntax) for child in node.children))


@for_each(
    ("behind", "words"),
    [
        ((), ["app", "--config", "c", "proj", "show", "--", "-a", "b"]),
        ((1,), ["app", "--config", "c", "proj", "--", "-a", "show", "b"]),
        ((0, 0), ["app", "--config", "c", "--", "-a", "b", "proj", "show"]),
        ((0, 1), ["app", "--config", "c", "--", "-a", "proj", "b", "show"]),
    ],
)
def test_the_arguments_of_groups_stand_before_the_command(behind: tuple[Any, ...], words: list[str]) -> None:
    tool = of_group(*behind)
    assert argv(tool, {"file": "-a", "to": "b"}, host={"config": "c"}) == words
    compiled = toolglot.compile(tool, "openai").tools["app_proj_show"]
    assert argv(Exposed(compiled.tool, compiled.path), {"file": "-a", "to": "b"}, host={"config": "c"}) == words


@for_each("fills", ["another rule", None, ["in-order"]])
def test_a_rule_that_nobody_knows_is_none(fills: Any) -> None:
    tool = replaced_leaf(program(TO, FILE), {"fills": fills})
    with pytest.raises(ArgumentError) as caught:
        argv(tool, {"file": "x"})
    assert (caught.value.code, caught.value.pointer) == ("positional-gap", "/file")
    assert argv(replaced_leaf(tool, {"fills": "required-first"}), {"file": "x"}) == ["app", "run", "x"]


MAY, MUST = argument("to", required=False), argument("file", required=True)
MANY = {**MAY, "variadic": True}
ORDERS: list[tuple[tuple[dict[str, Any], ...], dict[str, Any], bool]] = [
    ((MUST, MAY), {}, False),
    ((MAY, MUST), {}, True),
    ((MAY, argument("more", required=False), MUST), {}, True),
    ((MAY, {**MUST, "variadic": True}), {}, True),
    ((MAY, MUST), {"fills": "in-order"}, True),
    ((MAY, MUST), {"fills": "required-first"}, False),
    ((MAY, MUST), {"behind_dashes": ["file"]}, False),
    ((MANY, MUST), {}, False),
    ((MANY, argument("more", required=False), MUST), {}, False),
    ((option("to", "--to"), MUST), {}, False),
]


@for_each(("parameters", "syntax", "is_robbed"), ORDERS)
def test_check_names_an_argument_whose_word_another_one_takes(
    parameters: tuple[dict[str, Any], ...], syntax: dict[str, Any], is_robbed: bool
) -> None:
    tool = replaced_leaf(program(*parameters), syntax)
    found = [one.code for one in toolglot.check(toolglot.write(tool, "hub"))]
    assert ("optional-before-required" in found) is is_robbed
    call = {"file": ["x"] if any(entry.get("variadic") for entry in parameters if entry["name"] == "file") else "x"}
    if is_robbed:
        with pytest.raises(ArgumentError, match="it would be taken for"):
            argv(tool, call)
    else:
        assert argv(tool, call)[-1] == "x"


@for_each("behind", [(3,), (-1,), (1.0,), ("x",), (None,), ([],), (0, 0, 0)])
def test_an_argument_without_a_place_is_refused(behind: tuple[Any, ...]) -> None:
    with pytest.raises(ArgumentError) as caught:
        argv(of_group(*behind), {"file": "a", "to": "b"})
    assert caught.value.code == "no-binding"


def test_the_bare_executable_has_no_empty_word() -> None:
    assert argv(program(FILE, path=""), {"file": "x"}) == ["app", "x"]


def test_a_shim_that_names_only_its_binary() -> None:
    binary = {"hash": "sha256:" + "0" * 64, "name": "curl", "platform": "linux-amd64"}
    (tool,) = toolglot.read({"atip": {"version": "0.6"}, "binary": binary, "commands": {"": {"description": "d"}}})
    assert argv(tool, {}) == ["curl"]


def test_a_leaf_of_several_is_chosen() -> None:
    tool = Tool(id="gh", children=(program(FILE).children or ())[:1] * 2)
    with pytest.raises(ArgumentError) as caught:
        argv(tool, {"file": "x"})
    assert caught.value.code == "several-commands"
    assert argv(next(leaves_of(tool)), {"file": "x"}) == ["gh", "run", "x"]


class Exposed(NamedTuple):
    tool: Tool
    path: tuple[str, ...]


def test_a_tool_with_its_path_will_do() -> None:
    leaf = next(leaves_of(program(FILE)))
    assert argv(Exposed(leaf.tool, leaf.path), {"file": "x"}) == ["app", "run", "x"]
    for wrong in ("app", None, {"id": "app"}, [leaf.tool]):
        with pytest.raises(UsageError) as caught:
            argv(untyped(wrong), {"file": "x"})
        assert caught.value.code == "bad-tools"


def test_the_description_shows_how_a_value_is_joined() -> None:
    tool = program(option("color", "--color"), WORD)
    run = (tool.children or ())[0]
    examples = (Example(command="app run --color=always -out=plan"),)
    shown = Tool(id="app", children=(Tool(id="run", inputs=run.inputs, bindings=run.bindings, examples=examples),))
    assert argv(shown, {"color": "x", "out": "y"}) == ["app", "run", "--color=x", "-out=y"]


# -- what is refused ----------------------------------------------------------------------------------------

MODE = option("mode", "--mode", type="enum", enum=["a", "b"])
REFUSED: list[tuple[str, tuple[dict[str, Any], ...], Any, str, str]] = [
    ("missing", (FILE,), {}, "missing-argument", "/file"),
    ("null, required", (FILE,), {"file": None}, "missing-argument", "/file"),
    ("none of several, required", (FILES,), {"files": []}, "missing-argument", "/files"),
    ("a required option", (option("a/b", "-a", required=True),), {}, "missing-argument", "/a~1b"),
    ("unknown", (FILE,), {"file": "x", "fle": "y"}, "unknown-argument", "/fle"),
    ("unknown null", (), {"x": None}, "unknown-argument", "/x"),
    ("no object", (), ["x"], "not-an-object", ""),
    ("text for an integer", (COUNT,), {"count": "7"}, "wrong-type", "/count"),
    ("a fraction for an integer", (COUNT,), {"count": 7.5}, "wrong-type", "/count"),
    ("true for an integer", (COUNT,), {"count": True}, "wrong-type", "/count"),
    ("an integer for text", (STATE,), {"state": 7}, "wrong-type", "/state"),
    ("text for a boolean", (FORCE,), {"force": "true"}, "wrong-type", "/force"),
    ("one for several", (LABELS,), {"label": "a"}, "wrong-type", "/label"),
    ("several for one", (STATE,), {"state": ["a"]}, "wrong-type", "/state"),
    ("an item", (LABELS,), {"label": ["a", 1]}, "wrong-type", "/label/1"),
    ("a null item", (LABELS,), {"label": [None]}, "wrong-type", "/label/0"),
    (
        "a null item of anything",
        (option("x", "-x", schema={"type": "array"}),),
        {"x": [None]},
        "unwritable-value",
        "/x/0",
    ),
    ("not one of these", (MODE,), {"mode": "c"}, "not-in-enum", "/mode"),
    ("infinity", (RATIO,), {"ratio": float("inf")}, "unwritable-value", "/ratio"),
    ("no number", (RATIO,), {"ratio": float("nan")}, "unwritable-value", "/ratio"),
    ("too many digits", (COUNT,), {"count": 10**5000}, "unwritable-value", "/count"),
    ("not JSON", (ANY,), {"any": {"a": {1}}}, "unwritable-value", "/any"),
    ("NUL", (STATE,), {"state": "a\0b"}, "nul-character", "/state"),
    ("NUL, positional", (FILES,), {"files": ["a", "\0"]}, "nul-character", "/files/1"),
    ("half a character", (FILE,), {"file": "\ud800"}, "lone-surrogate", "/file"),
    ("half a character in JSON", (ANY,), {"any": {"a": "\udfff"}}, "lone-surrogate", "/any"),
    ("a gap", (TO, argument("last", required=False)), {"last": "x"}, "positional-gap", "/last"),
    ("a gap before a required one", (TO, FILE), {"file": "x"}, "positional-gap", "/file"),
    ("many, then perhaps one", (FILES, TO), {"files": ["a"]}, "positional-gap", "/files"),
    ("many, then one more", (FILES, TO), {"files": ["a"], "to": "b"}, "ambiguous-positionals", "/to"),
    (
        "many, then many",
        (FILES, argument("more", variadic=True)),
        {"files": ["a"], "more": ["b"]},
        "ambiguous-positionals",
        "/more",
    ),
    ("one word of two", (PAIR,), {"pair": ["a"]}, "wrong-count", "/pair"),
    ("three words of two", (PAIR, FILE), {"pair": ["a", "b", "c"], "file": "x"}, "wrong-count", "/pair"),
    ("on by default", (option("x", "--x", type="boolean", default=True),), {"x": False}, "no-flag", "/x"),
    ("false among several", (option("v", "-v", type="boolean", variadic=True),), {"v": [False]}, "no-flag", "/v"),
    ("no flag", (option("x"),), {"x": "y"}, "no-flag", "/x"),
    ("no dash", (option("x", "x", "--", "-", "--a b", "-\0"),), {"x": "y"}, "no-flag", "/x"),
    ("no long flag", (option("x", "-x", schema={"type": ["boolean", "string"]}),), {"x": "y"}, "no-flag", "/x"),
    ("a flag or a value", (option("x", "--x", schema={}),), {"x": True}, "unknown-type", "/x"),
]


@for_each(("parameters", "arguments", "code", "pointer"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_refused(parameters: tuple[dict[str, Any], ...], arguments: Any, code: str, pointer: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        argv(program(*parameters), arguments)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)


@for_each("name", ["", "/bin/sh", "../x", "-x", "a b", "a\\b", "\0"])
def test_what_is_no_name_of_a_program(name: str) -> None:
    tool = program(FILE)
    with pytest.raises(ArgumentError):
        argv(Tool(id=name, children=tool.children), {"file": "x"})


def test_deep_values_end_in_an_error() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(ArgumentError) as caught:
        argv(program(ANY), {"any": deep})
    assert caught.value.code == "unwritable-value"
    while deep:  # or the interpreter would free it recursively
        deep = deep.pop("a")


def test_a_tool_without_a_command_line() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    for tool in (Tool(id="add", inputs=schema), Tool(id="add", origin="nobody knows"), Tool(id="add")):
        with pytest.raises(ArgumentError) as caught:
            argv(tool, {"x": "y"})
        assert caught.value.code == "no-command-line"


def test_a_property_without_a_place_on_the_command_line() -> None:
    tool = program(FILE)
    run = (tool.children or ())[0]
    inputs = {"type": "object", "properties": {**(run.inputs or {})["properties"], "x": {}}}
    children = (Tool(id="run", inputs=inputs, bindings=run.bindings),)
    with pytest.raises(ArgumentError) as caught:
        argv(Tool(id="app", children=children), {"file": "a", "x": "b"})
    assert (caught.value.code, caught.value.pointer) == ("no-binding", "/x")


def test_a_value_cannot_name_another_command() -> None:
    data = {
        "atip": {"version": "0.6"}, "name": "app", "version": "1", "description": "d",
        "commands": {
            "": {"description": "d", "arguments": [FILE]},
            "stash": {"description": "d", "arguments": [FILE], "commands": {"drop": {"description": "d"}}},
        },
    }  # fmt: skip
    leaves = {leaf.path: leaf for leaf in leaves_of(toolglot.read_one(data))}
    for path, command in (((("app", "")), "stash"), (("app", "stash"), "drop")):
        with pytest.raises(ArgumentError) as caught:
            argv(leaves[path], {"file": command})
        assert (caught.value.code, caught.value.pointer) == ("names-a-command", "/file")
        assert argv(leaves[path], {"file": "other"})[-1] == "other"


TAKES_A = {
    "inputs": {"type": "object", "properties": {"a": {"type": "string"}}},
    "bindings": {"a": {"kind": "argument"}},
}
DELETE = {"id": "delete", "destructive": True}
TREES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("beside the command without a name", {"id": "p", "children": [{"id": "", **TAKES_A}, DELETE]}, ("p", "")),
    ("below the program", {"id": "p", **TAKES_A, "children": [DELETE]}, ("p",)),
    ("below the program, unnamed", {"id": "p", **TAKES_A, "children": [{"id": "", "children": [DELETE]}]}, ("p",)),
    ("below a command", {"id": "p", "children": [{"id": "x", **TAKES_A, "children": [DELETE]}]}, ("p", "x")),
    (
        "below the command's twin",
        {"id": "p", "children": [{"id": "x", **TAKES_A}, {"id": "", "children": [{"id": "x", "children": [DELETE]}]}]},
        ("p", "x"),
    ),
]


@pytest.mark.parametrize(("data", "path"), [row[1:] for row in TREES], ids=[row[0] for row in TREES])
def test_a_value_cannot_name_another_command_whatever_the_tool_is_given_as(
    data: dict[str, Any], path: tuple[str, ...]
) -> None:
    tool = from_json({"origin": "atip", **data})
    (leaf,) = (leaf for leaf in leaves_of(tool) if leaf.path == path)
    compiled = toolglot.compile(tool, "openai")
    name = next(name for name, entry in compiled.tools.items() if entry.path == path)
    given: list[NamedCommand] = [
        leaf,
        compiled.resolve(name, {"a": "delete"}),
        compiled.tools[name],
        compiled.offers[name],
    ]
    given += [exposed(tools)[name] for tools in (compiled, compiled.tools, compiled.offers, tool, [tool])]
    words = [word for word in path if word]
    for entry in given:
        assert argv(entry, {"a": "other"}) == [*words, "other"]
        with pytest.raises(ArgumentError) as caught:
            argv(entry, {"a": "delete"})
        assert (caught.value.code, caught.value.pointer) == ("names-a-command", "/a")


def test_a_definition_of_several_commands_is_no_command_line() -> None:
    tool = from_json({"origin": "atip", **TREES[0][1]})
    compiled = toolglot.compile(tool, "openai", flatten="action")
    with pytest.raises(ArgumentError):
        argv(compiled.tools["p"], {"action": "delete"})
    assert argv(compiled.resolve("p", {"action": "delete"}), {}) == ["p", "delete"]


def test_hostile_schemas_take_bounded_time() -> None:
    wide = {"anyOf": [{"anyOf": [{"type": "string"}] * 150}] * 150}
    circle = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    for schema in (wide, circle, {"$ref": 1}, {"type": 7, "enum": 8}, {"type": [None]}):
        assert argv(program(option("x", "--x", schema=schema)), {"x": "y"}) == ["app", "run", "--x", "y"]


# -- there and back -----------------------------------------------------------------------------------------

HOSTILE = st.sampled_from([
    "--force", "-rf", "-", "--", "---", "", " ", "a b", "$(x)", "`x`", "\n", "-\n", "--no-flag", "-a", "-a=b", "=",
    "=x", "--opt0", "--opt0=x", "--opt1", "@file", "~", "*", "'", '"', "\\", "%PATH%", "-1", "--help", "-h", "é",
    "🔒", "null",
])  # fmt: skip
TEXT = st.one_of(HOSTILE, st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6))
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
INTEGER = st.integers(-(2**70), 2**70)
VALUES = {"string": TEXT, "integer": INTEGER, "number": NUMBER, "enum": st.sampled_from(["--a", "b", ""])}
READS: dict[str, Any] = {"string": str, "integer": int, "number": float, "enum": str}
ENUM = {"enum": ["--a", "b", ""]}


class Call(NamedTuple):
    """A command, with the options of its program and of its group, and the arguments of a call of it."""

    shared: list[dict[str, Any]]
    grouped: list[dict[str, Any]]
    parameters: list[dict[str, Any]]
    path: list[str]
    arguments: dict[str, Any]


@st.composite
def an_option(draw: st.DrawFn, index: int) -> dict[str, Any]:
    name, short, long = f"p{index}", f"-{'abcdefg'[index]}", f"--opt{index}"
    kind = draw(st.sampled_from([*VALUES, "boolean", "switch"]))
    if kind == "switch":
        return option(name, long, f"--no-opt{index}", type="boolean", default=True)
    flags = draw(st.sampled_from([[short], [long], [short, long], [long, short]]))
    if kind == "boolean":
        return option(name, *flags, type=kind)
    extra = {**(ENUM if kind == "enum" else {}), **({"variadic": True} if draw(st.booleans()) else {})}
    return option(name, *flags, type=kind, required=draw(st.booleans()), **extra)


@st.composite
def positionals(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Positional arguments in an order that can be told apart, and those of them that are given."""
    types = st.sampled_from(["string", "integer", "number"])
    ones = [argument(f"one{index}", type=draw(types)) for index in range(draw(st.integers(0, 2)))]
    many = argument("many", type=draw(types), variadic=True, required=draw(st.booleans()))
    last = argument("last", type=draw(types))
    maybe = [argument(f"maybe{index}", type=draw(types), required=False) for index in range(2)]
    rest, kept = draw(st.sampled_from([([], 0), (maybe, 0), (maybe, 1), (maybe, 2), ([many], 1), ([many, last], 2)]))
    return [*ones, *rest], [*ones, *rest[:kept]]


@st.composite
def calls(draw: st.DrawFn) -> Call:
    shared = [draw(an_option(index)) for index in range(draw(st.integers(0, 2)))]
    path = draw(st.sampled_from([["run"], ["pr", "create"], []]))
    above = len(shared) + (draw(st.integers(0, 2)) if len(path) > 1 else 0)
    grouped = [draw(an_option(index)) for index in range(len(shared), above)]
    own = [draw(an_option(index)) for index in range(above, above + draw(st.integers(0, 3)))]
    declared, kept = draw(positionals())
    arguments: dict[str, Any] = {}
    for entry in [*shared, *grouped, *own, *kept]:
        positional = "flags" not in entry
        if not entry.get("required", positional) and not positional and draw(st.booleans()):
            continue
        value = VALUES.get(entry["type"], st.booleans())
        if positional:  # refused, as `test_what_programs_read_from_a_file_is_refused_or_written_otherwise` has it
            value = value.filter(lambda one: not str(one).startswith("@"))
        if entry.get("variadic"):
            value = st.lists(value, min_size=int(entry.get("required", positional)), max_size=3)
        arguments[entry["name"]] = draw(value)
    keys = draw(st.permutations(list(arguments)))
    parameters = [*declared, *draw(st.permutations(own))]
    return Call(shared, grouped, parameters, path, {key: arguments[key] for key in keys})


def vector_of(call: Call) -> list[str]:
    tool = program(*call.parameters, shared=tuple(call.shared), grouped=tuple(call.grouped), path=" ".join(call.path))
    above = {entry["name"] for entry in [*call.shared, *call.grouped]}
    host = {key: value for key, value in call.arguments.items() if key in above}
    own = {key: value for key, value in call.arguments.items() if key not in above}
    try:
        vector = argv(tool, own, host=host)
    except ArgumentError as error:
        if error.code != "greedy-option":
            raise
        reject()
    offered = next(iter(toolglot.compile(tool, "openai", with_globals=True).tools.values()))
    assert sorted(argv(offered, call.arguments)) == sorted(vector)
    return vector


def is_switch(entry: dict[str, Any]) -> bool:
    return "default" in entry


def given_back(call: Call, found: dict[str, Any]) -> None:
    """Hold what a parser found to the arguments of the call; a flag that is off and an empty list leave no trace."""
    for entry in [*call.shared, *call.grouped, *call.parameters]:
        got, wanted = found.get(entry["name"]), call.arguments.get(entry["name"])
        if isinstance(got, tuple):
            got = list(got)
        if not is_switch(entry) and (wanted is None or wanted is False or wanted == []):
            assert got is None or got is False or got == [], entry
        else:
            assert got == wanted, entry
            assert isinstance(got, bool) == isinstance(wanted, bool)


def click_parameter(entry: dict[str, Any]) -> click.Parameter:
    reads = READS.get(entry["type"])
    many = bool(entry.get("variadic"))
    if "flags" not in entry:
        nargs = -1 if many else 1
        return click.Argument([entry["name"]], type=reads, nargs=nargs, required=entry.get("required", True))
    if is_switch(entry):
        return click.Option([entry["name"], "/".join(entry["flags"])], default=None)
    if reads is None:
        return click.Option([entry["name"], *entry["flags"]], is_flag=True)
    return click.Option([entry["name"], *entry["flags"]], type=reads, multiple=many, required=entry["required"])


def parsed_by_click(call: Call, words: list[str]) -> dict[str, Any]:
    """What a click program of the same parameters is called with."""
    found: dict[str, Any] = {}

    def record(**params: Any) -> None:
        found.update(params)

    shared = [click_parameter(entry) for entry in call.shared]
    own = [click_parameter(entry) for entry in call.parameters]
    names = ["app", *call.path]
    command: click.Command = click.Command(names[-1], params=own, callback=record)
    for name in reversed(names[:-1]):
        command = click.Group(name, commands={command.name or "": command}, callback=record)
        if name == "pr":
            command.params += [click_parameter(entry) for entry in call.grouped]
    command.params += shared
    command.main(args=words, standalone_mode=False)
    return found


def parsed_by_getopt(call: Call, words: list[str]) -> dict[str, Any]:
    """What GNU getopt makes of the words, the positional arguments counted off."""
    found: dict[str, Any] = {}
    rounds: list[tuple[str, list[dict[str, Any]], list[str]]] = []  # a plus: options end at the first other word
    if call.path:
        rounds.append(("+", call.shared, call.path[:1]))
    if call.path[1:]:
        rounds.append(("+", call.grouped, call.path[1:]))
    rounds.append(("", call.parameters, []))
    for order, entries, path in rounds:
        options = {flag: entry for entry in entries for flag in entry.get("flags", ())}
        takes = {flag: entry["type"] != "boolean" for flag, entry in options.items()}
        shorts = "".join(flag[1] + ":" * takes[flag] for flag in options if len(flag) == 2)
        longs = [flag[2:] + "=" * takes[flag] for flag in options if len(flag) > 2]
        pairs, words = getopt.gnu_getopt(words, order + shorts, longs)
        for flag, text in pairs:
            entry = options[flag]
            value = READS[entry["type"]](text) if takes[flag] else not flag.startswith("--no-")
            if entry.get("variadic"):
                found.setdefault(entry["name"], []).append(value)
            else:
                found[entry["name"]] = value
        assert words[: len(path)] == path
        words = words[len(path) :]
    declared = [entry for entry in call.parameters if "flags" not in entry]
    after = sum(entry["name"] == "last" for entry in declared)
    for entry in declared:
        taken = max(len(words) - after, 0) if entry.get("variadic") else 1
        values = [READS[entry["type"]](word) for word in words[:taken]]
        words = words[taken:]
        if entry.get("variadic"):
            found[entry["name"]] = values
        else:
            found[entry["name"]] = next(iter(values), None)
    assert words == []
    return found


@given(calls())
@example(Call([], [], [FILE], ["run"], {"file": "--help"}))
@example(Call([], [], [{**STATE, "required": False}, FILE], ["run"], {"state": "--", "file": "--"}))
def test_click_gives_the_call_back(call: Call) -> None:
    vector = vector_of(call)
    assert vector[0] == "app"
    given_back(call, parsed_by_click(call, vector[1:]))


@given(calls())
def test_getopt_gives_the_call_back(call: Call) -> None:
    if call.path or not call.shared:  # without a command between them, getopt cannot tell the two lists apart
        given_back(call, parsed_by_getopt(call, vector_of(call)[1:]))


@given(calls())
def test_before_the_end_of_options_only_flags_begin_with_a_dash(call: Call) -> None:
    """Not every program takes a word with a dash for the value of the option before it, as the two above do."""
    vector = vector_of(call)
    end = vector.index("--") if "--" in vector else len(vector)
    flags = [flag for entry in [*call.shared, *call.grouped, *call.parameters] for flag in entry.get("flags", ())]
    long, short = [flag for flag in flags if len(flag) > 2], [flag for flag in flags if len(flag) == 2]
    joined = (*(f"{flag}=" for flag in long), *short)
    for word in vector[:end]:
        assert not word.startswith("-") or word in flags or word.startswith(joined)


@needs_shell
@given(st.lists(TEXT, max_size=4), TEXT)
def test_no_value_is_an_option_or_changes_on_its_way(values: list[str], state: str) -> None:
    tool = program(STATE, {**FILES, "required": False})
    values = [value for value in values if not value.startswith("@")]
    vector = argv(tool, {"files": values, "state": state})
    shown = subprocess.run(["sh", "-c", f"printf '%s\\0' {shlex.join(vector)}"], capture_output=True, check=True)
    assert shown.stdout.split(b"\0")[:-1] == [word.encode() for word in vector]


def test_what_programs_read_from_a_file_is_refused_or_written_otherwise() -> None:
    """A parser with response files is given the calls, and has to read in no other place than the call names."""
    parser = argparse.ArgumentParser(prog="app", fromfile_prefix_chars="@")
    parser.add_argument("--to", "-t")
    parser.add_argument("--in", dest="source")
    parser.add_argument("rest", nargs="*")
    to, source = option("to", "--to"), option("in", "--in", type="file")
    rest = argument("rest", type="file", variadic=True)
    vector = argv(program(to, source, rest, path=""), {"to": "@ada", "in": "@x", "rest": ["@y", "a@b"]})
    found = vars(parser.parse_args(vector[1:]))
    assert found == {"to": "@ada", "source": "@x", "rest": ["./@y", "a@b"]}
    vector = argv(program(option("to", "-t"), path=""), {"to": "@ada"})
    assert parser.parse_args(vector[1:]).to == "@ada"
    tool = program(argument("rest", variadic=True))
    with pytest.raises(ArgumentError) as refused:
        argv(tool, {"rest": ["a", "@y"]})
    assert refused.value.code == "names-a-response-file"


def test_an_example_shows_that_a_value_may_begin_with_an_at_sign() -> None:
    tool = Tool(
        id="pm",
        inputs={"type": "object", "properties": {"name": {"type": "string"}}},
        bindings={"name": Binding(kind="argument")},
        examples=(Example(command="pm @scope/other"),),
    )
    assert argv(tool, {"name": "@scope/name"}) == ["pm", "@scope/name"]


def test_a_program_is_given_exactly_the_vector() -> None:
    values = ["--force", "-rf", "-", "--", "", "a b", "$(x)", "\n", "~", "*", "é", '"', "'", "\\"]
    vector = argv(program(STATE, FILES), {"files": values, "state": "$HOME"})
    echo = "import json, sys; print(json.dumps(sys.argv[1:]))"
    shown = subprocess.run([sys.executable, "-c", echo, *vector], capture_output=True, check=True)
    assert json.loads(shown.stdout) == vector == ["app", "run", "--state", "$HOME", "--", *values]


def test_our_own_description_leads_back_to_our_own_command_line() -> None:
    (leaf,) = (leaf for leaf in leaves_of(read_program(cli)) if leaf.path[-1] == "convert")
    arguments = {"src": ["-a.json", "b c"], "to": "hub", "output": "-x", "force": True, "quiet": False}
    vector = argv(leaf, arguments)
    assert vector == ["toolglot", "convert", "--to", "hub", "--output=-x", "--force", "--", "-a.json", "b c"]
    context = cli.commands["convert"].make_context("convert", vector[2:])
    assert context.params["src"] == ("-a.json", "b c")
    assert (context.params["output"], context.params["force"]) == ("-x", True)


def leaves() -> Iterator[Leaf]:
    """What can be called in the real descriptions of programs."""
    for path in corpus.files("atip"):
        try:
            tools = toolglot.read(path)
        except toolglot.Error:
            continue
        yield from (leaf for tool in tools for leaf in leaves_of(tool))


def test_every_command_of_the_corpus_can_be_called() -> None:
    samples = {"string": "-x y", "integer": -1, "number": 0.5, "boolean": True, "array": ["--"], "object": {}}
    found = 0
    for leaf in leaves():
        properties = (leaf.tool.inputs or {}).get("properties", {})
        arguments = {}
        for key, prop in properties.items():
            kind = prop.get("type", "string")
            arguments[key] = prop["enum"][0] if prop.get("enum") else samples[kind]
        vector = argv(leaf, arguments)
        words = [word for word in leaf.path if word]
        assert vector[: len(words)] == words
        found += 1
    assert found >= corpus.at_least(50)


BEHIND_DASHES = 'arg "[files]..."; arg "[-- args]..."'
KEEPS_DASHES = 'arg "<words>..." double_dash="preserve" var=#true; flag "--fast"'
NEGATED = 'flag "--no-cache" negate="--cache"'
ONLY_OFF = 'flag color: negate="--plain" default=#true'
AT_MOST_TWO = 'arg "<files>" var=#true var_max=2; arg "[to]"'


@for_each(
    ("stated", "arguments", "words"),
    [
        (BEHIND_DASHES, {"files": ["a"], "args": ["b", "--"]}, ["a", "--", "b", "--"]),
        (BEHIND_DASHES, {"args": ["b"]}, ["--", "b"]),
        (BEHIND_DASHES, {"args": ["--"]}, ["--", "--"]),
        (BEHIND_DASHES, {"files": ["-b"]}, "for an option here"),
        (BEHIND_DASHES, {"files": ["a", "-b"], "args": ["c"]}, "for an option here at /files/1"),
        (f'arg "<task>"; {BEHIND_DASHES}', {"task": "t", "files": ["-b"]}, "for an option here at /files/0"),
        (KEEPS_DASHES, {"words": ["ls", "--", "-l", "--"]}, ["ls", "--", "-l", "--"]),
        (KEEPS_DASHES, {"words": ["--", "-l"], "fast": True}, ["--fast", "--", "-l"]),
        (KEEPS_DASHES, {"words": ["-l"]}, "for an option here at /words/0"),
        (KEEPS_DASHES, {"words": ["ls", "--fast", "--"]}, "for an option here at /words/1"),
        (AT_MOST_TWO, {"files": ["a"]}, ["a"]),
        (AT_MOST_TWO, {"files": ["a", "b"], "to": "c"}, ["a", "b", "c"]),
        (AT_MOST_TWO, {"files": ["a"], "to": "c"}, "give that all that it takes"),
        (AT_MOST_TWO.replace("[to]", "<to>"), {"files": ["a"], "to": "c"}, "give that all that it takes"),
        (NEGATED, {"no-cache": True}, ["--no-cache"]),
        (NEGATED, {"no-cache": False}, []),
        (f"{NEGATED} default=#true", {"no-cache": False}, ["--cache"]),
        (f'{NEGATED} env="NO_CACHE"', {"no-cache": False}, ["--cache"]),
        (ONLY_OFF, {"plain": True}, ["--plain"]),
        (ONLY_OFF, {"plain": False}, []),
        ('flag "-f --file… <file>"', {"file": ["a", "b"]}, ["--file", "a", "--file", "b"]),
        ('arg "[words]…"', {"words": ["a", "b"]}, ["a", "b"]),
    ],
)
def test_a_specification_says_what_stands_on_the_line(
    stated: str, arguments: dict[str, Any], words: list[str] | str
) -> None:
    source = f'bin "a"\ncmd "run" {{ {stated}; }}\n'
    ((_, in_atip),) = toolglot.convert(source, "atip", format="usage").files
    for tool in (toolglot.read_one(source, format="usage"), toolglot.read_one(in_atip, format="atip")):
        if isinstance(words, str):
            with pytest.raises(ArgumentError, match=words):
                argv(tool, arguments)
        else:
            assert argv(tool, arguments) == ["a", "run", *words]
