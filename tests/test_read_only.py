"""Formats that are read and never written: sources of every conversion, and targets of none.

`fixtures/sources/<format>/` has documents of ours beside what they are read as (`<name>.hub.json`) and what writing
that as ATIP loses (`<name>.losses.json`).
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

import read_only_records
import toolglot
from golden import FIXTURES, same_file
from judge.documents import Document
from judge.laws import PROVIDERS
from judged_laws import Tally, by_marker, law_3, told
from rows import THOROUGH, for_each, sample
from test_laws import convert, laws_2_3_5_hold, read, valid, written_back
from toolglot.bridge import argv
from toolglot.converter import formats, safety
from toolglot.converter.conversion import sources
from toolglot.converter.formats import Format, Record
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text import document_reader, serialization
from toolglot.errors import ArgumentError, Error, ParseError, ReadError, UsageError

READ_ONLY = [name for name in formats.names() if name not in formats.targets()]
TARGETS = formats.targets()
GOLDEN = (".hub.json", ".losses.json")
DOCUMENTS = sorted(
    path for path in (FIXTURES / "sources").glob("*/*") if path.is_file() and not path.name.endswith(GOLDEN)
)
NO_EFFECTS = [path for path in DOCUMENTS if "effects" not in path.name]
every_document = for_each("path", DOCUMENTS, ids=lambda path: path.name)
every_format = pytest.mark.parametrize("name", READ_ONLY)


def test_a_format_without_versions_to_write_is_no_target(monkeypatch: pytest.MonkeyPatch) -> None:
    only_read = msgspec.structs.replace(formats.get("atdf"), writes=())
    for version in (None, "0.2"):
        with pytest.raises(UsageError, match="atdf can be read, not written"):
            only_read.version(version)
    known = {**{name: formats.get(name) for name in formats.names()}, "atdf": only_read}
    monkeypatch.setattr(formats.registry, "get", known.__getitem__)
    assert "atdf" not in formats.targets()


@every_format
def test_asking_for_one_as_a_target_says_that_it_is_read(name: str) -> None:
    for target in (name, f"{name}@{formats.get(name).versions[0]}"):
        with pytest.raises(UsageError, match=f"{name} can be read, not written"):
            toolglot.convert(DOCUMENTS[0], target)


def test_each_has_documents_and_records() -> None:
    assert {path.parent.name for path in DOCUMENTS} == set(READ_ONLY) == read_only_records.RECORDS.keys()


# -- documents ----------------------------------------------------------------------------------------------


def stem(path: Path) -> str:
    return path.name.partition(".")[0]


@pytest.mark.golden
@every_document
def test_a_document_is_read_as_this(path: Path) -> None:
    document = sources.open_document(path)
    before = copy.deepcopy(document.data)
    source = formats.get(path.parent.name)
    assert toolglot.detect(path) == source.name
    whole = Record(document.data)
    assert valid(whole, source), list(find_problems(whole.data, f"{source.name}/{source.versions[-1]}"))
    same_file(path.with_name(f"{stem(path)}.hub.json"), toolglot.convert(path, "hub").text)
    losses = toolglot.convert(path.read_bytes(), "atip").report.to_json()  # without the path of this checkout
    same_file(path.with_name(f"{stem(path)}.losses.json"), serialization.dump_json(losses))
    assert document.data == before, "reading modified its argument"


@every_document
def test_every_target_is_held_to_the_laws(path: Path) -> None:
    source = formats.get(path.parent.name)
    for tool in sources.read_document(sources.open_document(path)).tools:
        for target in sample(TARGETS, 3, DOCUMENTS.index(path)):
            laws_2_3_5_hold(tool, source.name, target)
            files = convert(tool, source, target, lossless=True).files
            assert written_back(files, formats.get(target), restore=True) == [tool]


@every_document
def test_every_entry_of_a_report_has_a_line(path: Path) -> None:
    lines = path.read_text("utf-8").split("\n")
    for change in toolglot.convert(path, "openai").report.changes:
        assert change.line is not None
        assert change.line <= len(lines), change


@every_document
def test_every_part_of_a_document_is_read(path: Path) -> None:
    """What law 1 says of formats that are written: who leaves something out reads something else."""
    every_part_is_read(sources.open_document(path).data, formats.get(path.parent.name))


def every_part_is_read(data: Any, source: Format) -> None:
    whole = tools_and_rest(data, source)
    for shorter, pointer in sample(list(without_a_part(data)), 3):
        with suppress(ReadError):
            assert tools_and_rest(shorter, source) != whole, pointer


def is_empty(value: Any) -> bool:
    """Whether a value is a container of nothing, or of such containers."""
    items = value.values() if isinstance(value, dict) else value
    return isinstance(value, dict | list) and all(map(is_empty, items))


def tools_and_rest(data: Any, source: Format) -> tuple[list[Tool], dict[str, Any]]:
    reading = sources.read_document(document_reader.from_data(data), source.name)
    return reading.tools, reading.leftover


DEFAULTS = [("strict", True), ("openapi", "3.1.0"), ("explode", False)]  # what saying nothing says too


def without_a_part(value: Any, pointer: str = "") -> Iterator[tuple[Any, str]]:
    """A document without one of its parts, for each that says something, with the place of that part."""
    items = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, item in items:
        here = f"{pointer}/{key}"
        is_repeated = key in ("name", "id") and pointer.endswith(f"/{item}")
        is_implied = key == "required" and isinstance(value, dict) and value.get("in") == "path"
        if not is_empty(item) and not (is_repeated or is_implied) and (key, item) not in DEFAULTS:
            rest = [pair for pair in items if pair[0] != key]
            yield dict(rest) if isinstance(value, dict) else [value for _, value in rest], here
        if isinstance(item, dict | list):
            for shorter, place in without_a_part(item, here):
                if isinstance(value, dict):
                    yield {**value, key: shorter}, place
                else:
                    yield [*value[:key], shorter, *value[key + 1 :]], place


# -- laws ---------------------------------------------------------------------------------------------------


@every_format
@given(data=st.data())
def test_law_1_every_part_of_a_record_is_read(name: str, data: st.DataObject) -> None:
    source = formats.get(name)
    record = data.draw(read_only_records.RECORDS[name])
    assert valid(record, source), list(find_problems(record.data, f"{name}/{source.version_of(record.data)}"))
    before = json.dumps(record.data)
    every_part_is_read(record.data, source)
    assert json.dumps(record.data) == before, "the argument was modified"


@every_format
@given(data=st.data())
def test_laws_2_3_4_5(name: str, data: st.DataObject) -> None:
    source = formats.get(name)
    tool = read(data.draw(read_only_records.RECORDS[name]), source)
    for target in sample(TARGETS, 4, data.draw(st.integers(0, 3))):
        note(f"to {target}")
        with suppress(UnsatisfiedAssumption):  # names that the target cannot tell apart
            laws_2_3_5_hold(tool, name, target)
            files = convert(tool, source, target, lossless=True).files
            assert written_back(files, formats.get(target), restore=True) == [tool]


def leaves(tool: Tool) -> Iterator[Tool]:
    return (leaf.tool for leaf in leaves_of(tool))


@for_each(("path", "target"), [(path, target) for path in NO_EFFECTS for target in TARGETS])
def test_silence_about_effects_is_never_said_to_be_safe(path: Path, target: str) -> None:
    for _, content in toolglot.convert(path, target).files:
        assert "READ-ONLY" not in content
        for found in (leaf for tool in toolglot.read(content, target) for leaf in leaves(tool)):
            levels = safety.caution(found)
            assert levels["destructive"] != safety.SAFE
            assert levels["network"] != safety.SAFE
            assert found.idempotent is not True


# -- what a parameter demands of others ---------------------------------------------------------------------


def tool_of_oclif(flag: dict[str, Any]) -> Tool:
    """A command of oclif with one flag, `to`."""
    command = {"id": "go", "pluginName": "app", "flags": {"to": {"name": "to", **flag}}}
    (tool,) = leaves(toolglot.read_one({"version": "1.0.0", "commands": {"go": command}}))
    return tool


def related(kind: str, *flags: Any) -> dict[str, Any]:
    return {"relationships": [{"type": kind, "flags": [*flags]}]}


@for_each(
    ("stated", "words", "excludes"),
    [
        ({"dependsOn": ["a", "b"]}, "Where. Needs a and b.", None),
        (related("all", "a", "b"), "Where. Needs a and b.", None),
        (related("all", "a", {"name": "b"}), "Where. Needs a.", None),  # of b only the program knows when
        (related("some", "a", "b"), "Where. Needs a or b.", None),
        (related("only", "a"), "Where. Can be given only together with a.", None),
        ({"combinable": ["a"]}, "Where. Can be given only together with a.", None),
        ({**related("none", "a", "b"), "exclusive": ["a"]}, "Where.", ("a", "b")),
        ({"relationships": [3, {"type": ["all"], "flags": "a"}]}, "Where.", None),
    ],
)
def test_a_flag_of_oclif_says_what_it_demands_of_others(
    stated: dict[str, Any], words: str, excludes: tuple[str, ...] | None
) -> None:
    tool = tool_of_oclif({"type": "option", "description": "Where.", **stated})
    assert (tool.inputs or {})["properties"]["to"]["description"] == words
    assert (tool.bindings or {})["to"].excludes == excludes


# -- command lines ------------------------------------------------------------------------------------------

FELL = ("opencli/orchard.opencli.json", "orchard tree fell")
CLOSE = ("oclif/ledger.json", "@ledger/cli book close")
SOW = ("carapace/nursery.carapace.yaml", "nursery sow")
LIST, MOVE, DROP, FEED = (
    ("usage/aviary-effects.usage.kdl", f"aviary {words}") for words in ("list", "move", "cage drop", "feed")
)
COMMAND_LINES: list[tuple[tuple[str, str], dict[str, Any], dict[str, Any], str]] = [
    (FELL, {"TREE": ["1", "2"], "reason": "age", "log": True}, {}, "orchard tree fell --reason age --log 1 2"),
    (
        FELL,
        {"TREE": ["1"], "reason": "age", "log": "a"},
        {"row": "3"},
        "orchard tree --row 3 fell --reason age --log=a 1",
    ),
    (
        FELL,
        {"TREE": ["1"], "reason": "age", "between": ["1", "2"]},
        {},
        "orchard tree fell --reason age --between 1 2 1",
    ),
    (FELL, {"TREE": ["1"], "reason": "age", "between": ["1"]}, {}, "wrong-count"),
    (CLOSE, {"book": "1", "token": "t"}, {}, "bad-program"),
    (SOW, {"argument1": "b", "depth": "1", "tag": ["x", "y"]}, {}, "nursery sow --depth 1 -tag x -tag y b"),
    (
        SOW,
        {"depth": "1", "light": "5"},
        {"verbose": [True, True]},
        "nursery --verbose --verbose sow --depth 1 --light=5",
    ),
    (SOW, {"depth": "1", "range": ["1", "2"]}, {}, "nursery sow --depth 1 --range 1 2"),
    (SOW, {"depth": "1", "range": ["1"]}, {}, "wrong-count"),
    (LIST, {"cage": "3", "sort": True}, {"home": "/x"}, "aviary --home /x list --cage 3 --sort"),
    (DROP, {"cage": "c"}, {"force": True}, "aviary cage --force drop c"),
    (MOVE, {"bird": ["a", "b"], "cage": "c"}, {}, "aviary move a b -- c"),
    (FEED, {"grain": "rye", "bird": "b"}, {}, "aviary feed --grain=rye b"),
    (FEED, {"grain": "tin"}, {}, "not-in-enum"),
]


@for_each(("command", "arguments", "host", "expected"), COMMAND_LINES)
def test_a_command_line_is_written_as_its_description_says_or_refused(
    command: tuple[str, str], arguments: dict[str, Any], host: dict[str, Any], expected: str
) -> None:
    [tool] = toolglot.read(FIXTURES / "sources" / command[0])
    [leaf] = [leaf for leaf in leaves_of(tool) if " ".join(leaf.path) == command[1]]
    if " " in expected:
        assert " ".join(argv(leaf, arguments, host=host)) == expected
        return
    with pytest.raises(ArgumentError) as caught:
        argv(leaf, arguments, host=host)
    assert caught.value.code == expected


# -- effects, judged ----------------------------------------------------------------------------------------


def specification(rng: Random) -> str:
    """A usage specification with effects in every place where one can stand; each command has a marker in its help."""
    numbers = count(1)

    def effect(node: bool) -> str:
        word = rng.choice(["", "", "read", "write", "destructive", "destructive", "harmless"])
        if not word:
            return ""
        return f'effect "{word}"\n' if node else f' effect={rng.choice(["", "/* so */ "])}"{word}"'

    def command(depth: int) -> str:
        warning = rng.choice(["", "", " [⚠️ DESTRUCTIVE]", " Safety: uses the network.", " [🔒 READ-ONLY]"])
        lines = [f'help #"mk{next(numbers)}x Does "it".{warning}"#', effect(node=True)]
        lines += [f'flag "--f{number} <v>"{effect(node=False)}' for number in range(rng.randint(0, 1))]
        lines += [f'flag "--v{number}" {{ arg "<v>"{effect(node=False)} }}' for number in range(rng.randint(0, 1))]
        lines += [f'arg "<a{number}>"{effect(node=False)}' for number in range(rng.randint(0, 1))]
        lines += [rng.choice(["", '/- effect "destructive"', 'mount run="ls"', "// no more"])]
        if depth:
            lines += [f'cmd "c{number}" {command(depth - 1)}' for number in range(rng.randint(0, 2))]
        return "{\n" + "\n".join(lines) + "\n}"

    commands = [f'cmd "top{number}"{effect(node=False)} {command(2)}' for number in range(rng.randint(1, 3))]
    flags = [f'flag "--all{number}" global=#true{effect(node=False)}' for number in range(rng.randint(0, 1))]
    return "\n".join(['bin "judged"', *flags, *commands, ""])


def test_effects_reach_every_target_by_an_independent_judge() -> None:
    rng, commands = Random(5), 0
    for _ in range(400 if THOROUGH else 5):
        document = Document("usage", specification(rng).encode())
        first = by_marker("usage", [document.content])
        commands += len(first)
        for target in TARGETS:
            broken = [*law_3(document, ("usage", target), first, Tally())]
            broken += told(document, target, first) if target in PROVIDERS else ()
            assert not broken, document.content.decode()
    assert commands > 25


@for_each(
    "where",
    [
        'flag "--x" efect="read"', 'flag "--x" Effect="read"', 'flag "--x" { effects "read" }', "effects read",
        'flag "--x" effect=#null', 'flag "--x" effect=#true', 'effect "read" "write"',
        "effect read; effect Destructive",
        'flagset "x" { flag "--y" effect="destructive" }', 'group "x" { flag "--y" effect="destroys" }',
        'arg "<x>" { effect "destructive" }', 'flag "--y" { arg "<x>" { effect "destructive" } }',
    ],
)  # fmt: skip
def test_what_may_state_an_effect_is_never_passed_over(where: str) -> None:
    [tool] = toolglot.read(f'bin "p"\ncmd "c" help="Does it." effect="read" {{\n{where}\n}}\n', "usage")
    [leaf] = leaves(tool)
    levels = safety.caution(leaf)
    assert "read" in where or levels["destructive"] == safety.UNSAFE
    assert levels["unrepeatable"] != safety.SAFE
    assert levels["changes"] == safety.UNSAFE


def test_a_command_may_be_called_by_blanks_that_are_no_ascii() -> None:
    (program,) = toolglot.read({"name": "nursery [flags]", "commands": [{"name": "\u00a0"}]}, "carapace")
    assert [leaf.path for leaf in leaves_of(program)] == [("nursery", "\u00a0")]


def test_a_flag_that_nobody_can_read_has_its_own_place() -> None:
    """It is called like a positional argument, with a number that is too long for Python."""
    flags = {"--size=": "Inches.", f"argument{'1' * 5_000}": "Odd."}
    text = json.dumps({"name": "nursery", "flags": flags, "run": "[sow]"}, indent=0)
    changes = toolglot.convert(text, "anthropic", format="carapace").report.changes  # the key gets another name
    assert 5 in {change.line for change in changes}


def test_flags_of_a_group_exclude_each_other_unless_they_are_very_many() -> None:
    names = [f"f{number}" for number in range(101)]
    flags = dict.fromkeys([f"--{name}" for name in names], "Odd.")
    tool = toolglot.read_one({"name": "nursery", "flags": flags, "exclusiveflags": [names, names[:2]]}, "carapace")
    assert (tool.bindings or {})["f0"].excludes == ("f1",)
    assert tool.extension("carapace")["exclusiveflags"] == [names]


def test_kdl_names_the_extra_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ckdl", None)
    [path] = [path for path in DOCUMENTS if path.suffix == ".kdl"]
    with pytest.raises(ParseError, match=r"pip install '\.\[usage\]'") as caught:
        toolglot.read(path)
    assert (caught.value.code, caught.value.line) == ("missing-extra", 1)
    with pytest.raises(ParseError, match="toolglot"):  # without a name that says so
        toolglot.read(path.read_bytes())
    assert [item.code for item in toolglot.check(path)] == ["missing-extra"]


# -- hostile documents --------------------------------------------------------------------------------------


@every_format
@given(data=st.data())
def test_a_document_of_any_shape_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """A part of a valid document that is something else: the reader refuses it by name, or keeps it."""
    source = formats.get(name)
    record = data.draw(read_only_records.RECORDS[name])
    wrong = data.draw(st.sampled_from([None, True, 7, "text", [], [1], {}, {"name": 1}, [{"name": ["a"]}]]))
    for changed in sample(list(with_another_part(record.data, wrong)), 20):
        with suppress(Error):
            assert toolglot.read(changed, name) or source.checks.is_of_document  # of an API nothing may be left
            toolglot.check(changed, name)


def with_another_part(value: Any, other: Any) -> Iterator[Any]:
    """A document with something else in the place of each of its parts."""
    for key, item in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
        insides = [other, *(with_another_part(item, other) if isinstance(item, dict | list) else ())]
        for inside in insides:
            if isinstance(value, dict):
                yield {**value, key: inside}
            else:
                yield [*value[:key], inside, *value[key + 1 :]]


@pytest.mark.parametrize(
    ("flag", "line"),
    [
        ('flag "--size <w> <h>"', "box --size 3 4"),
        ('flag "--size <w> [h]"', None),  # one value or two
        ('flag "--size <w> <h>" var=#true', None),  # several pairs
    ],
)
def test_values_behind_one_flag_are_written_where_their_number_is_known(flag: str, line: str | None) -> None:
    [leaf] = leaves_of(toolglot.read_one(f'name "box"\nbin "box"\n{flag}\n', "usage"))
    if line is None:
        with pytest.raises(ArgumentError, match="no-flag"):
            argv(leaf, {"size": ["3", "4"]})
    else:
        assert " ".join(argv(leaf, {"size": ["3", "4"]})) == line


@pytest.mark.parametrize(
    ("flag", "line"),
    [
        ('flag "--in... <p>"', "box --in a --in b file"),
        ('flag "--in <p>" var=#true', "box --in a --in b file"),
        ('flag "--in <p>..."', "box --in a b -- file"),
        ('flag "--in [p]…"', "box --in a b -- file"),
        ('flag "--in" { arg "<p>…"; }', "box --in a b -- file"),
        ('flag "--in" { arg "<p>" var=#true; }', "box --in a b -- file"),
        ('flag "--in" { arg "<p>…" var_min=2 var_max=3; }', "box --in a b -- file"),
        ('flag "--in" { arg "<p>…" var_min=3; }', None),
        ('flag "--in" { arg "<p>…" var_max=1; }', None),
    ],
)
def test_values_behind_one_flag_do_not_take_what_follows(flag: str, line: str | None) -> None:
    [leaf] = leaves_of(toolglot.read_one(f'name "box"\nbin "box"\n{flag}\narg "<file>"\n', "usage"))
    arguments = {"in": ["a", "b"], "file": "file"}
    if line is None:
        with pytest.raises(ArgumentError, match="wrong-count"):
            argv(leaf, arguments)
    else:
        assert " ".join(argv(leaf, arguments)) == line


SWITCHES = {"type": "array", "items": {"type": "boolean"}}
TEXTS = {"type": "array", "items": {"type": "string"}}
SEVERAL_KINDS = {"type": "array", "items": {"type": ["string", "integer", "number"]}}
ONE_OF = {"type": "string", "enum": ["a", "b"]}


@pytest.mark.parametrize(
    ("stated", "schema"),
    [
        ('flag "-x" count=#true default="0"', {**SWITCHES, "default": []}),
        ('flag "-x" count=#true default=2', {**SWITCHES, "default": [True, True]}),
        ('flag "-x" var=#true default="false"', {**SWITCHES, "default": []}),
        ('flag "-x <x>" var=#true default="0"', {**TEXTS, "default": ["0"]}),
        ('flag "-x <x>" var=#true { default { "a"; "b"; }; }', {**TEXTS, "default": ["a", "b"]}),
        ('arg "[x]..." { default "a"; default "b"; }', {**TEXTS, "default": ["a", "b"]}),
        ('flag "-x <x>" { default { "a"; "b"; }; }', {"type": "string", "default": "a"}),  # it takes one
        ('flag "-x" { arg "<x>" default="a"; }', {"type": "string", "default": "a"}),
        ('flag "-x" { default #true; }', {"type": "boolean", "default": True}),
        ('arg "<x>" { choices "a" "b"; }', ONE_OF),
        ('arg "<x>" { choices "a" "b" ignore_case=#true; }', ONE_OF),
        ('arg "<x>" { choices { choice "a" help="An a."; choice "b" { alias "c"; }; }; }', ONE_OF),
        ('flag "-x" { arg "<x>" { choices "a" { choice "b"; }; }; }', ONE_OF),
        ('arg "<x>" { choices "a" env="MORE"; }', {"type": "string"}),  # nobody knows which others
        ('arg "<x>" { choices "a"; choices "b"; }', {"type": "string"}),
    ],
)
def test_what_a_specification_says_of_values_is_in_the_schema(stated: str, schema: dict[str, Any]) -> None:
    [leaf] = leaves_of(toolglot.read_one(f'bin "p"\n{stated}\n', "usage"))
    assert (leaf.tool.inputs or {})["properties"] == {"x": schema}


@pytest.mark.parametrize(
    ("stated", "schema"),
    [
        ({"default": "a"}, {"type": "string", "default": "a"}),
        ({"default": 3}, {"type": ["string", "integer"], "default": 3}),
        ({"multiple": True}, TEXTS),
        ({"multiple": True, "default": None}, TEXTS),
        ({"multiple": True, "default": "a"}, {**TEXTS, "default": ["a"]}),
        ({"multiple": True, "default": []}, {**TEXTS, "default": []}),
        ({"multiple": True, "default": [1, 2.5]}, {**SEVERAL_KINDS, "default": [1, 2.5]}),
        ({"multiple": True, "options": ["a", "b"], "default": "b"}, {**TEXTS, "items": ONE_OF, "default": ["b"]}),
        ({"type": "boolean", "multiple": True, "default": True}, {"type": "boolean", "default": True}),
    ],
)
def test_a_default_of_oclif_is_a_value_of_its_schema(stated: dict[str, Any], schema: dict[str, Any]) -> None:
    assert (tool_of_oclif({"type": "option", **stated}).inputs or {})["properties"] == {"to": schema}
