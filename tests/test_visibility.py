"""A model sees what it may see: what is hidden stays away from it, what is named otherwise says so, and one bad tool
costs no other one anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.cli import main
from toolglot.cli.reports.terminal_report import text_report
from toolglot.converter.conversion import pipeline
from toolglot.converter.conversion.report_wording import HIDDEN
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.converter.formats import every
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import LossError, WriteError
from toolglot.runtime.bridge import compilation
from toolglot.runtime.bridge.session import Session
from toolglot.runtime.bridge.validator import Validator
from toolglot.verbs.catalogs.catalog_entries import CatalogOptions, Entry, FileEntries
from toolglot.verbs.catalogs.identities import settle

SHOWN = {"name": "show", "inputSchema": {"type": "object"}}
APP = {**SHOWN, "name": "refresh", "_meta": {"ui": {"visibility": ["app"]}}}
BOTH = {**SHOWN, "name": "both", "_meta": {"ui": {"visibility": ["model", "app"]}}}
PRIVATE = {**SHOWN, "name": "old", "_meta": {"openai/visibility": "private"}}
TWICE = {**SHOWN, "name": "twice", "_meta": {"ui": {"visibility": ["app"]}, "openai/visibility": "private"}}
SERVER: dict[str, Any] = {"tools": [SHOWN, APP, BOTH, PRIVATE, TWICE]}


def names_in(text: str) -> set[str]:
    return {name for name in ("show", "refresh", "both", "old", "twice") if f'"{name}"' in text or f"\n{name}:" in text}


def test_who_may_see_a_tool_is_one_fact() -> None:
    assert [tool.hidden for tool in toolglot.read(SERVER)] == [None, True, None, True, True]
    assert json.loads(toolglot.convert(SERVER, "mcp").text)["tools"] == SERVER["tools"]


@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini", "tool-descriptor", "a2a"])
def test_what_is_hidden_is_left_out_and_named(target: str) -> None:
    conversion = toolglot.convert(SERVER, target)
    assert not {"refresh", "old"} & names_in(conversion.text)
    left_out = [change.tool for change in conversion.report.changes if change.action == "excluded"]
    assert left_out == ["refresh", "old", "twice"]
    whole = toolglot.convert(SERVER, target, include_hidden=True)
    assert [change for change in whole.report.changes if change.action == "excluded"] == []


def test_a_tool_that_was_left_out_is_named_beside_the_only_other_one() -> None:
    tool = {"description": "Goes.", "inputSchema": {"type": "object"}}
    hidden_tool = {**tool, "name": "run", "_meta": {"ui": {"visibility": ["app"]}}}
    report = toolglot.convert({"tools": [{**tool, "name": "go"}, hidden_tool]}, "openai").report
    [line] = [line for line in text_report(report) if "hidden" in line]
    assert line.startswith("  - run: ")


@pytest.mark.parametrize("name", ["refresh", "refersh"])
def test_a_model_is_told_of_no_hidden_name(name: str) -> None:
    offered = toolglot.compile([Tool(id="search"), Tool(id="refresh", hidden=True)], "openai")
    with pytest.raises(toolglot.Error) as caught:
        offered.resolve(name, {})
    assert str(caught.value) == f"no tool is called {name!r} [unknown-tool]"


def test_a_hidden_command_says_so_where_it_can() -> None:
    program = Tool(id="app", children=(Tool(id="run", hidden=True), Tool(id="go")))
    assert leaves_of(toolglot.read_one(toolglot.write(program, "atip"))).__next__().hidden
    meta = json.loads(toolglot.convert(toolglot.write(program, "atip"), "mcp").text)["tools"][0]["_meta"]
    assert meta["ui"] == {"visibility": ["app"]}


@pytest.mark.parametrize("provider", ["openai", "mcp"])
def test_no_session_offers_it(provider: str) -> None:
    session = Session(toolglot.read(SERVER), provider, runner=print)
    assert {name for name, offer in session.compiled.offers.items() if offer.mode != "excluded"} == {"show", "both"}


@for_each(
    ("source", "hidden"),
    [
        ({"atip": {"version": "0.6"}, "name": "a", "version": "1", "description": "A.", "commands": {"run": {
            "description": "R.", "options": [
                {"name": "deep", "flags": ["--deep"], "type": "boolean", "description": "D.", "hidden": True}
            ]}}}, "deep"),
        ({"version": "1.0.0", "commands": {"run": {"id": "run", "args": {}, "flags": {
            "deep": {"name": "deep", "type": "boolean", "hidden": True}}}}}, "deep"),
        ({"opencli": "0.1", "info": {"title": "a", "version": "1"}, "commands": [{
            "name": "run", "options": [{"name": "--deep", "hidden": True}]}]}, "deep"),
        ({"opencli": "0.1", "info": {"title": "a", "version": "1"}, "commands": [{
            "name": "run", "arguments": [{"name": "DEEP", "hidden": True}]}]}, "DEEP"),
    ],
)  # fmt: skip
def test_hidden_flags_are_offered_to_nobody(source: dict[str, Any], hidden: str) -> None:
    for target in ("openai", "mcp", "aip14", "atdf", "tool-descriptor"):
        conversion = toolglot.convert(source, target)
        assert hidden not in conversion.text
        assert any(change.because == HIDDEN for change in conversion.report.changes)
        assert hidden in toolglot.convert(source, target, include_hidden=True).text
        assert hidden in toolglot.convert(source, target, lossless=True).text


DEEP = {"atip": {"version": "0.6"}, "name": "a", "version": "1", "description": "A.", "commands": {"run": {
    "description": "R.", "options": [
        {"name": "deep", "flags": ["--deep"], "type": "boolean", "description": "D.", "hidden": True}
    ]}}}  # fmt: skip


def test_only_offered_flags_are_taken() -> None:
    tools = toolglot.read(DEEP)
    offered = toolglot.compile(tools, "openai", include_hidden=True)
    verdicts = [Validator(given).validate("a_run", {"deep": True}) for given in (tools, offered)]
    assert [[(fault.code, fault.pointer) for fault in verdict.violations] for verdict in verdicts] == [
        [("ARGUMENTS_INVALID", "/deep")],
        [],
    ]


def test_a_served_catalogue_has_no_hidden_flags() -> None:
    gathered = FileEntries(
        read_document(open_document(json.dumps(DEEP), "a.json"), "atip"), "tool-descriptor", "a.json"
    )
    assert "deep" not in str([entry.record for entry in gathered.entries])


def test_a_name_in_another_script_is_said() -> None:
    schema = {"type": "object", "properties": {"城市": {"type": "string", "description": "Where."}}}
    tool = {"name": "查询天气", "description": "Ask.", "inputSchema": schema}
    (definition,) = json.loads(toolglot.convert({"tools": [tool]}, "anthropic").text)["tools"]
    assert definition["description"] == "查询天气: Ask."
    (parameter,) = definition["input_schema"]["properties"].values()
    assert parameter["description"] == "城市: Where."


def test_compile_goes_on_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    write_all = pipeline.write_all

    def picky(tools: Any, request: Any) -> Any:
        if any(tool.id == "refresh" for tool in tools):
            raise WriteError("no room")
        return write_all(tools, request)

    monkeypatch.setattr(compilation, "write_all", picky)
    for _ in range(2):  # what was compiled lately is remembered, and the next caller warned all the same
        with pytest.warns(UserWarning, match="a tool is left out: refresh: no room"):
            compiled = toolglot.compile(toolglot.read({"tools": [SHOWN, APP]}), "openai")
        assert list(compiled.tools) == ["show"]
        assert [fault.code for fault in compiled.faults] == ["unwritable"]
    with pytest.raises(WriteError, match="no room"):
        toolglot.compile(toolglot.read({"tools": [APP]}), "openai")


def test_no_prompt_speaks_of_it(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(source).write_text(json.dumps(SERVER))
    assert main(["prompt", source]) == 0
    assert "refresh" not in capsys.readouterr().out
    assert main(["prompt", source, "--include-hidden"]) == 0
    assert "refresh" in capsys.readouterr().out


# -- one bad tool ---------------------------------------------------------------------------------------------------

NAMELESS = {"description": "No name.", "inputSchema": {"type": "object"}}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("a.mcp.json").write_text(json.dumps({"tools": [SHOWN, NAMELESS, {**SHOWN, "name": "both"}]}))
    return "a.mcp.json"


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("convert", "--to", "openai"), {"show", "both"}),
        (("catalog", "--to", "atdf", "--bare"), {"show", "both"}),
        (("tokens", "--to", "openai"), set()),
    ],
)
def test_one_bad_tool_stops_nobody(
    arguments: tuple[str, ...], names: set[str], source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    verb, *options = arguments
    assert main([verb, source, *options]) == 2
    printed = capsys.readouterr()
    assert names_in(printed.out) >= names
    assert "`name` is missing at /tools/1" in printed.err


def test_python_goes_on_where_that_is_asked_for() -> None:
    data: dict[str, Any] = {"tools": [SHOWN, NAMELESS, {**SHOWN, "name": "both"}]}
    with pytest.raises(toolglot.Error, match="`name` is missing"):
        toolglot.convert(data, "openai")
    with pytest.warns(UserWarning, match="a tool is left out: `name` is missing at /tools/1"):
        assert [tool.id for tool in toolglot.read(data, skip_bad=True)] == ["show", "both"]
    with pytest.warns(UserWarning, match="a tool is left out: `name` is missing at /tools/1"):
        conversion = toolglot.convert(data, "openai", skip_bad=True)
    assert names_in(conversion.text) == {"show", "both"}
    assert [fault.code for fault in conversion.faults] == ["schema-required"]
    with pytest.raises(toolglot.Error, match="`name` is missing"):
        toolglot.convert({"tools": [NAMELESS]}, "openai", format="mcp", skip_bad=True)


def test_python_goes_on_without_what_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    write_all = pipeline.write_all

    def picky(tools: Any, *rest: Any) -> Any:
        if any(tool.id == "both" for tool in tools):
            raise WriteError("no room")
        return write_all(tools, *rest)

    monkeypatch.setattr(pipeline, "write_all", picky)
    with pytest.warns(UserWarning, match="no room"):
        conversion = toolglot.convert({"tools": [SHOWN, BOTH]}, "openai", skip_bad=True)
    assert names_in(conversion.text) == {"show"}
    with pytest.raises(LossError):  # what is left has to pass all the same
        toolglot.convert({"tools": [SHOWN, BOTH]}, "openai", skip_bad=True, fail_on="any")
    with pytest.raises(WriteError, match="no room"):
        toolglot.convert({"tools": [BOTH]}, "openai", skip_bad=True)


# A file name -> a program with three commands, of which the second is broken, and the place that is named.
BROKEN_PROGRAMS = {
    "p.atip.json": (
        """{"atip": {"version": "0.6"}, "name": "p", "version": "1", "description": "A program.", "commands": {
"a": {"description": "A."},
"b": {"description": "B.", "options": 4},
"c": {"description": "C."}}}""",
        "/commands/b/options",
    ),
    "oclif.manifest.json": (
        """{"version": "1.0.0", "commands": {
"a": {"id": "a", "pluginName": "p", "description": "A."},
"b": {"id": "b", "pluginName": "p", "flags": 7},
"c": {"id": "c", "pluginName": "p", "description": "C."}}}""",
        "/commands/b/flags",
    ),
    "p.carapace.yaml": (
        "name: p\ncommands:\n- {name: a, description: A.}\n- {name: b, flags: 7}\n- {name: c, description: C.}\n",
        "/commands/1/flags",
    ),
    "p.usage.kdl": ('name "p"\nbin "p"\ncmd "a" help="A."\ncmd 7\ncmd "c" help="C."\n', "/nodes/3/arguments/0"),
    "p.opencli.json": (
        """{"opencli": "0.1", "info": {"title": "p", "version": "1"}, "commands": [
{"name": "a", "description": "A."},
{"name": "b", "options": 7},
{"name": "c", "description": "C."}]}""",
        "/commands/1/options",
    ),
    "p.hub.json": (
        """{"toolglot": 1, "tools": [{"id": "p", "children": [
{"id": "a", "description": "A."},
{"id": 7},
{"id": "c", "description": "C."}]}]}""",
        "/tools/0/children/1/id",
    ),
}


def test_every_format_of_programs_has_a_broken_one() -> None:
    documents = [open_document(text, name) for name, (text, _) in BROKEN_PROGRAMS.items()]
    read = {read_document(document, goes_on=True).format.name for document in documents}
    assert read == {known.name for known in every() if known.tree}


@pytest.mark.parametrize("name", BROKEN_PROGRAMS)
def test_one_bad_command_stops_no_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text, place = BROKEN_PROGRAMS[name]
    Path(name).write_text(text)
    with pytest.raises(toolglot.Error) as caught:
        toolglot.read(Path(name))
    assert caught.value.pointer == place
    with pytest.warns(UserWarning, match=f"left out: .* at {place} "):
        conversion = toolglot.convert(Path(name), "openai", skip_bad=True)
    names = [tool["function"]["name"].rpartition("_")[2] for tool in json.loads(conversion.text)["tools"]]
    assert names == ["a", "c"]
    reading = read_document(open_document(Path(name)), goes_on=True)
    [record] = reading.records
    last = record.pointer + reading.format.places.child(record.data, "", "c", 1)
    line, _ = reading.document.position(last) or (0, 0)
    assert "C." in text.splitlines()[line - 1]
    assert main(["catalog", name, "--to", "atdf", "--bare"]) == 2
    printed = capsys.readouterr()
    assert place in printed.err
    assert printed.out.count('"description"') >= 2


def test_a_group_goes_with_the_last_of_its_commands() -> None:
    """Without any it could be called itself."""
    program = json.loads(BROKEN_PROGRAMS["p.atip.json"][0])
    program["commands"] = {"a": {"description": "A."}, "g": {"description": "G.", "commands": {"b": 7, "c": 7}}}
    with pytest.warns(UserWarning, match="at /commands/g/commands/") as warned:
        [tool] = toolglot.read(program, skip_bad=True)
    assert len(warned) == 2
    assert [leaf.path for leaf in leaves_of(tool)] == [("p", "a")]
    del program["commands"]["a"]
    with pytest.raises(toolglot.Error):
        toolglot.read(program, skip_bad=True)


def _hub_program(name: str, broken_count: int) -> str:
    broken = '{"id": 7},\n' * broken_count
    return f'{{"id": "{name}", "children": [{{"id": "a"}},\n{broken}{{"id": "c"}}]}}'


def test_commands_are_left_out_of_many_programs_and_named_in_their_order() -> None:
    """A fault in one program costs the others nothing; one with eleven broken commands is left out, and said once."""
    programs = [_hub_program("one", 10), _hub_program("two", 11), *(_hub_program(f"p{at}", 1) for at in range(12))]
    text = f'{{"toolglot": 1, "tools": [{",".join(programs)}]}}'
    reading = read_document(open_document(text), goes_on=True)
    assert [tool.id for tool in reading.tools] == ["one", *(f"p{at}" for at in range(12))]
    assert [leaf.path[1] for tool in reading.tools for leaf in leaves_of(tool)] == ["a", "c"] * 13
    lines = [fault.line or 0 for fault in reading.faults]
    assert lines == sorted(lines)
    places = [fault.pointer for fault in reading.faults]
    assert places[:12] == [
        *(f"/tools/0/children/{at}/id" for at in range(1, 11)),
        "/tools/1/children/1/id",
        "/tools/2/children/1/id",
    ]
    assert len(places) == 10 + 1 + 12


@pytest.mark.parametrize("output", ["out.json", "out/"])
def test_a_part_takes_no_place_of_a_whole(source: str, output: str) -> None:
    assert main(["convert", source, "--to", "openai", "-o", output]) == 2
    (path,) = [path for path in Path().rglob("*.json") if path.name != source]
    assert names_in(path.read_text()) == {"show", "both"}
    path.write_text("whole")
    assert main(["convert", source, "--to", "openai", "-o", output, "--force"]) == 2
    assert path.read_text() == "whole"


def entries_of(file: str, description: str) -> list[Entry]:
    data = {"tools": [{**SHOWN, "description": description}]}
    document = open_document(json.dumps(data), file)
    return FileEntries(read_document(document, "mcp"), "hub", file).entries


def test_a_newcomer_takes_the_place_of_nobody() -> None:
    first, second = entries_of("a.json", "One."), entries_of("b.json", "Two.")
    options = CatalogOptions(namespace="none")
    assert list(settle([*first, *second], "hub", options).entries) == []
    held = [(entry.file, entry.identity) for entry in first]
    assert list(settle([*first, *second], "hub", options, held=held).entries) == first


def test_a_served_catalogue_never_holds_what_is_hidden() -> None:
    document = open_document(json.dumps(SERVER), "a.json")
    gathered = FileEntries(read_document(document, "mcp"), "hub", "a.json", CatalogOptions(is_for_models=True))
    assert [entry.identity for entry in gathered.entries] == ["show", "both"]
    assert [note.code for note in gathered.notes] == ["hidden-tool"] * 3
