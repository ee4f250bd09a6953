"""Which tools of many: the same choice in a request, in documents, and in a prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.cli import main
from toolglot.converter.conversion.selection import EVERYTHING, Choice, choice_of
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.conversion.vouched_facts import Assertion
from toolglot.converter.hub.model import Binding, Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import document_reader
from toolglot.errors import UsageError
from toolglot.verbs.catalogs import CatalogOptions, FileEntries

READS: dict[str, Any] = {"network": False, "writes_files": False, "deletes_files": False}
INPUTS = {"type": "object", "properties": {"x": {}}}


def a_program() -> Tool:
    pr = Tool(id="pr", children=(Tool(id="list", description="L.", **READS), Tool(id="close", destructive=True)))
    closing = Tool(id="close", modifies=("issue",))
    reading = Tool(id="list", description="L.", network=True, safety_tier="read")
    argument = Binding(kind="argument")
    issue = Tool(id="issue", inputs=INPUTS, bindings={"x": argument}, children=(reading, closing))
    return Tool(id="gh", version="1", description="P.", children=(Tool(id=""), pr, issue, Tool(id="project")))


ALL = ["gh", "gh.pr.list", "gh.pr.close", "gh.issue", "gh.issue.list", "gh.issue.close", "gh.project"]
CHOICES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ALL),
    ({"only": ["gh.pr.*"]}, ["gh.pr.list", "gh.pr.close"]),
    ({"only": ["gh pr"]}, ["gh.pr.list", "gh.pr.close"]),
    ({"only": "gh.pr"}, ["gh.pr.list", "gh.pr.close"]),
    ({"only": ["gh pr*"]}, ["gh.pr.list", "gh.pr.close", "gh.project"]),
    ({"only": ["*.list"]}, ["gh.pr.list", "gh.issue.list"]),
    ({"only": ["gh.issue"]}, ["gh.issue", "gh.issue.list", "gh.issue.close"]),
    ({"only": ["*.list", "gh.project"]}, ["gh.pr.list", "gh.issue.list", "gh.project"]),
    ({"without": ["*.close"]}, ["gh", "gh.pr.list", "gh.issue", "gh.issue.list", "gh.project"]),
    ({"without": ["gh.pr", "gh.issue"]}, ["gh", "gh.project"]),
    ({"only": ["*.close"], "without": ["gh issue"]}, ["gh.pr.close"]),
    ({"depth": 0}, ["gh"]),
    ({"depth": 1}, ["gh", "gh.issue", "gh.project"]),
    ({"depth": 2}, ALL),
    ({"read_only": True}, ["gh.pr.list", "gh.issue.list"]),
    ({"without_effects": ["destructive"]}, [name for name in ALL if name != "gh.pr.close"]),
    ({"without_effects": "changes"}, [name for name in ALL if not name.endswith(".close")]),
    ({"without_effects": ["network"]}, [name for name in ALL if name != "gh.issue.list"]),
    ({"read_only": False}, ALL),
    ({"depth": 1, "only": ["gh.p*"]}, ["gh.project"]),
]
IDS = [str(options) for options, _ in CHOICES]


def names_of(tools: list[Tool]) -> list[str]:
    return [".".join(filter(None, leaf.path)) for tool in tools for leaf in leaves_of(tool)]


@for_each(("options", "expected"), CHOICES, ids=IDS)
def test_a_request_offers_what_is_chosen(options: dict[str, Any], expected: list[str]) -> None:
    compiled = toolglot.compile(a_program(), "openai", **options)
    assert [".".join(filter(None, exposed.path)) for exposed in compiled.tools.values()] == expected
    # The leaves still know the commands that were not chosen, so that no positional value can run one.
    by_path = {exposed.path: exposed.leaf.commands for exposed in compiled.tools.values()}
    assert by_path.get(("gh", "issue"), ("list", "close")) == ("list", "close")


@for_each(
    "pattern", ["Delete all", "Delete.all", "My Server.Delete all", "My Server.*", "My Server/Delete all", "My*/*"]
)
def test_an_id_with_blanks_is_named_as_it_is(pattern: str) -> None:
    [leaf] = leaves_of(Tool(id="Delete all", namespace="My Server"))
    assert not Choice(without=(pattern,)).takes(leaf)


@for_each("target", ["atip", "hub", "mcp", "tool-descriptor", "anthropic"])
@for_each(("options", "expected"), CHOICES, ids=IDS)
def test_a_document_holds_what_is_chosen(target: str, options: dict[str, Any], expected: list[str]) -> None:
    source = toolglot.write(a_program(), "hub")
    conversion = toolglot.convert(source, target, **options)
    back = toolglot.read(conversion.text)
    assert len(names_of(back)) == len(expected)
    if target in ("atip", "hub"):
        assert names_of(back) == expected
        assert [bool((tool.discovery or {}).get("partial")) for tool in back] == [expected != ALL]
    for change in conversion.report.changes:
        if change.path.startswith("/children/"):
            node = toolglot.read_one(source)
            for step in change.path.split("/children/")[1:]:
                node = (node.children or ())[int(step.partition("/")[0])]
            assert change.command.split(" ")[-1] == (node.id or "gh")


@pytest.mark.parametrize("target", ["mcp", "anthropic", "hub"])
def test_a_report_names_the_lines_of_what_is_chosen(target: str) -> None:
    source = Path(__file__).parent.parent / "fixtures" / "demo" / "purge.json"
    everything = toolglot.convert(source, target).report.changes
    chosen = toolglot.convert(source, target, only=["mailbox purge"]).report.changes
    about = {(change.path, change.line, change.command) for change in everything}
    assert {(change.path, change.line, change.command) for change in chosen} <= about


WRONG: list[dict[str, Any]] = [
    {"only": ["nothing.like.it"]},
    {"depth": -1},
    {"depth": "1"},
    {"only": [1]},
    {"without": [" "]},
    {"onyl": ["gh"]},
    {"without_effects": ["fun"]},
]


@for_each("wrong", WRONG, ids=str)
def test_a_choice_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    for use in (
        lambda: toolglot.compile(a_program(), "openai", **wrong),
        lambda: toolglot.convert(toolglot.write(a_program(), "hub"), "mcp", **wrong),
    ):
        with pytest.raises(UsageError):
            use()


SOURCES: dict[str, tuple[list[str], list[str]]] = {
    "a document": (["tools.json"], []),
    "lines": (["tools.jsonl"], []),
    "several to a folder": (["tools.json", "tools.jsonl"], ["-o", "out"]),
    "lines to lines": (["tools.jsonl"], ["-o", "out.jsonl"]),
}
LISTED: list[tuple[list[str], int]] = [  # options, and how many of two tools they choose
    (["--only", "a*,b"], 2),
    (["--only", "a*", "--only", "b"], 2),
    (["--only", "zz,a*"], 1),
    (["--without", "a*,zz"], 1),
    (["--without", "ba"], 2),
    (["--assert", "vouched/ac.json"], 2),
    (["--without", "a*,b"], 0),
    (["--only", "zz"], 0),
    (["--read-only"], 0),
    (["--read-only", "--assert", "vouched/ab.json"], 1),
]


@pytest.mark.parametrize(("given", "number"), LISTED, ids=str)
@pytest.mark.parametrize("name", SOURCES)
def test_every_kind_of_source_is_chosen_from(
    name: str,
    given: list[str],
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sources, to = SOURCES[name]
    monkeypatch.chdir(tmp_path)
    hints = {"readOnlyHint": True}
    records = [
        {"name": tool, "description": "D.", "inputSchema": {"type": "object"}, "annotations": hints}
        for tool in ("ab", "b")
    ]
    Path("tools.json").write_text(json.dumps(records), encoding="utf-8")
    Path("tools.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    Path("vouched").mkdir()
    for tool in ("ab", "ac"):
        Path(f"vouched/{tool}.json").write_text(f'{{"{tool}": {{"trusted-hints": true}}}}', encoding="utf-8")
    code = main(["convert", *sources, *to, "--to", "mcp", *given])
    out, err = capsys.readouterr()
    assert ("[nothing-chosen]" in err, code) == ((False, 0) if number else (True, 2))
    unused = {pattern for pattern in ("zz", "ba", "ac") if pattern in " ".join(given)}
    assert set(re.findall("warning: --[a-z]+ '(.*)' matches no tool", err)) == (unused if number else set())
    made = [path for path in tmp_path.rglob("*.json*") if not (path.match("tools.js*") or path.match("vouched/*"))]
    if to and number:
        assert all(path.read_text("utf-8").count('"name"') == number for path in made)
        assert made
    else:
        assert not made
        assert out.count('"name"') == number


@pytest.mark.parametrize("command", [["tokens"], ["prompt"], ["catalog", "--to", "mcp"]], ids=str)
def test_every_command_names_a_pattern_that_matches_no_tool(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("drop", "list"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": name, "inputSchema": {"type": "object"}}))
    assert main([*command, str(tmp_path), "-q", "--without", "drp,list"]) == 0
    assert capsys.readouterr().err == "warning: --without 'drp' matches no tool; did you mean \"drop\"?\n"


def test_nothing_is_served_where_what_is_to_be_left_out_does_not_exist(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "drop.json").write_text(json.dumps({"name": "drop", "inputSchema": {"type": "object"}}))
    assert main(["serve", str(tmp_path), "--mcp", "stdio", "--without", "drp"]) == 2
    expected = "error: nothing is served: --without 'drp' matches no tool; did you mean \"drop\"? [unknown-tool]\n"
    assert capsys.readouterr().err == expected


def convert_tool(tool: Tool, to: str, **options: Any) -> None:
    toolglot.convert(toolglot.write(tool, "hub"), to, **options)


@pytest.mark.parametrize("verb", [toolglot.compile, toolglot.count_tokens, convert_tool])
def test_a_pattern_that_matches_no_tool_is_a_warning_in_python(verb: Callable[..., Any]) -> None:
    with pytest.warns(UserWarning, match=r"^without 'gh\.pr\.clse' matches no tool; did you mean") as caught:
        verb(a_program(), "openai", without=iter(["gh.pr.clse"]))
    assert [warning.filename for warning in caught] == [__file__]


def test_a_catalogue_is_chosen_from_by_what_the_user_vouches_for() -> None:
    tool = {"name": "ab", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    choice, vouched = Choice(read_only=True), (Assertion("ab", {}, hints=None),)
    document = document_reader.from_data([tool])
    for assertions, number in (((), 0), (vouched, 1)):
        wanted = CatalogOptions(assertions=assertions, choice=choice)
        assert len(FileEntries(read_document(document, "mcp"), "mcp", "tools.json", wanted).entries) == number


def test_no_choice_is_everything() -> None:
    assert choice_of({}) == EVERYTHING
    assert choice_of({"depth": 0}) != EVERYTHING


UNKNOWN: list[dict[str, Any]] = [
    {"onyl": "a"},
    {"onyl": None},
    {"onyl": "a", "depth": -1},
    {"strcit": True},
    {"choice": EVERYTHING},
]
MEANT = {"onyl": "only", "strcit": "strict"}


@for_each("given", UNKNOWN)
def test_an_option_that_does_not_exist_is_found_before_values_are_read(given: dict[str, Any]) -> None:
    name = next(iter(given))
    message = f"unknown option '{name}'"
    if name in MEANT:
        message += f'; did you mean "{MEANT[name]}"'
    with pytest.raises(UsageError, match=message):
        toolglot.compile(a_program(), "openai", **given)
    with pytest.raises(UsageError, match=message):
        toolglot.convert({"name": "a", "inputSchema": {"type": "object"}}, "openai", **given)


def test_parameters_beside_the_options_are_suggested_too() -> None:
    unknown: dict[str, Any] = {"failon": "lost"}
    with pytest.raises(UsageError, match='did you mean "fail_on"'):
        toolglot.convert({"name": "a"}, "openai", **unknown)
