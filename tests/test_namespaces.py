"""Whose ids they are: namespaces from documents and files, names that take them up, and what a person vouches for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import toolglot
from golden import OF_THE_AUTHOR
from pace import within
from rows import for_each
from streams import run
from toolglot.converter import formats, safety
from toolglot.converter.conversion import vouched_facts
from toolglot.converter.conversion.categories import Category
from toolglot.converter.conversion.namespaces import file_namespace
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import document_reader
from toolglot.errors import UsageError, WriteError

ALL = formats.targets()
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}}


def tool(name: str = "search", description: str = "Search.", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": SCHEMA, **more}


def function(name: str = "search") -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": "Search.", "parameters": SCHEMA}}


# -- what documents say ----------------------------------------------------------------------------------------

INFO = {"name": "github", "version": "1.2.0", "websiteUrl": "https://example.org"}
FACTS = ("github", "1.2.0", "https://example.org")


@for_each(
    ("document", "expected"),
    [
        ({"tools": [tool()]}, (None, None, None)),
        ({"version": "3", "tools": [tool()]}, (None, None, None)),
        ([tool()], (None, None, None)),
        ({**INFO, "tools": [tool()]}, FACTS),
        ({"serverInfo": INFO, "tools": [tool()]}, FACTS),
        ({"jsonrpc": "2.0", "id": 1, "result": {"serverInfo": INFO, "tools": [tool()]}}, FACTS),
        ({"name": "github", "version": "1.2.0", "homepage": FACTS[2], "tools": [tool()]}, FACTS),
        ({"name": "github", "version": 7, "tools": [tool()]}, ("github", None, None)),
        ({"name": "", "tools": [tool()]}, (None, None, None)),
        ({"name": "x" * 257, "version": "1", "tools": [tool()]}, (None, None, None)),
        ({"tools": {"x" * 257: {"tools": [tool()]}}}, (None, None, None)),
        ({"type": "namespace", "name": "x" * 257, "tools": [function()]}, (None, None, None)),
        ({"tools": {"github": {"tools": [tool()]}}}, ("github", None, None)),
        ({"tools": {"github": {**INFO, "name": "The forge", "tools": [tool()]}}}, FACTS),
        ({"name": "all", "version": "9", "tools": {"github": {"tools": [tool()]}}}, ("github", None, None)),
        ([{**INFO, "tools": [tool()]}], FACTS),
        ({"type": "namespace", "name": "crm", "tools": [function()]}, ("crm", None, None)),
        ({"tools": [{"type": "namespace", "name": "crm", "tools": [function()]}]}, ("crm", None, None)),
        ({"crm": {"tools": [function()]}, "shop": {"tools": [function("buy")]}}, ("crm", None, None)),
        ({"17": {"available_tools": [function()]}}, (None, None, None)),
    ],
)  # fmt: skip
def test_what_a_container_says_is_said_of_its_tools(document: Any, expected: tuple[str | None, ...]) -> None:
    found = toolglot.read(document)[0]
    assert (found.namespace, found.version, found.homepage) == expected


def test_what_a_container_says_of_its_tools_is_not_reported_as_left_over() -> None:
    document = json.dumps({**INFO, "title": "The forge", "tools": [tool()]}, indent=1)
    changes = {change.path: change for change in toolglot.convert(document, "openai").report.changes}
    assert changes["/title"].code == "dropped-container-key"
    assert changes["/namespace"].action == "renamed"  # no loss: nothing else is called the same
    assert (changes["/version"].line, changes["/homepage"].line) == (3, 4)
    assert not {change.path for change in toolglot.convert(document, "atdf").report.changes} & {"/name", "/websiteUrl"}


@for_each("origin", [{"transport": "stdio"}, {"transport": "stdio", "variables": ["KEY"]}])
def test_how_a_server_was_asked_is_not_reported_as_left_over(origin: dict[str, Any]) -> None:
    ours = {"origin": origin, "refused": [{"tool": 1, "reason": "it is no tool"}]}
    server = {"protocolVersion": "2025-06-18", "tools": [tool()], "toolglot": ours}
    document = {"toolglot-lock": 1, "tools": {"forge": server}}
    changes = toolglot.convert(document, "aip14", lossless=True).report.changes
    assert [change.path for change in changes if change.code == "dropped-container-key"] == [
        "/tools/forge/toolglot/refused"
    ]
    found = toolglot.convert({"tools": {"forge": {**server, "toolglot": {}}}}, "aip14", lossless=True).report.changes
    assert "/tools/forge/protocolVersion" in [change.path for change in found]


def test_what_a_container_says_of_all_its_tools_is_lost_once() -> None:
    document = json.dumps({**INFO, "tools": [tool(), {**tool(), "name": "other"}]})
    lost = [change.path for change in toolglot.convert(document, "openai").report.changes if change.action == "dropped"]
    assert sorted(lost) == ["/homepage", "/version"]


@for_each(
    ("path", "expected"),
    [
        ("github.json", "github"), ("a/github.mcp.json", "github"), ("github/tools.json", "github"),
        ("github/mcp-tools.json", "github"), ("tools.json", "tools"), ("./tools.json", "tools"),
        ("x/TOOL.md", "x"), ("a/api.github.json", "api.github"), ("<stdin>", None), ("drill", "drill"),
    ],
)  # fmt: skip
def test_files_name_their_tools(path: str, expected: str | None) -> None:
    assert file_namespace(path) == expected


PARAMETERS = {"type": "object", "properties": {"text": {"type": "string", "title": "Text"}}}
FLAT = {"type": "function", "name": "search", "description": "Search.", "parameters": PARAMETERS, "strict": False}
SPACES = [{"type": "namespace", "name": name, "tools": [FLAT]} for name in ("crm", "erp")]
OPEN_API = {"type": "OBJECT", "properties": {"text": {"type": "STRING", "title": "Text"}}}


@for_each(
    ("document", "target", "options", "version"),
    [
        ({"tools": [FLAT, *SPACES]}, "openai", {}, "responses"),
        ({"tools": [FLAT]}, "openai", {"compact": True}, "responses"),
        ({"tools": [{"type": "web_search"}, FLAT]}, "openai", {"strict": True}, "responses"),
        ({"tools": [function()]}, "openai", {"strict": True}, "chat"),
        ({"tools": [FLAT]}, "openai@chat", {"compact": True}, "chat"),
        ([{"name": "search", "parameters": OPEN_API}], "gemini", {"compact": True}, "parameters"),
        ([{"name": "search", "parametersJsonSchema": PARAMETERS}], "gemini", {"compact": True}, "json-schema"),
    ],
)
def test_what_is_written_anew_keeps_the_version_of_its_document(
    document: Any, target: str, options: dict[str, Any], version: str
) -> None:
    data = json.loads(toolglot.convert(document, target, bare=True, **options).text)
    own = formats.get(target.partition("@")[0])
    assert {own.version_of(record) for record in data} == {version}


# -- names -----------------------------------------------------------------------------------------------------

TWO = {"tools": {"github": {"tools": [tool(), tool("merge")]}, "sentry": {"tools": [tool(description="Events.")]}}}
NAMES = {
    "a2a": ["github__search", "merge", "sentry__search"],
    "aip14": ["github.search", "merge", "sentry.search"],
    "anthropic": ["github__search", "merge", "sentry__search"],
    "atdf": ["github.search", "merge", "sentry.search"],
    "atip": ["github-search", "merge", "sentry-search"],
    "gemini": ["github__search", "merge", "sentry__search"],
    "hub": ["search", "merge", "search"],
    "mcp": ["github__search", "merge", "sentry__search"],
    "openai": ["github__search", "merge", "sentry__search"],
    "skill": ["github-search", "merge", "sentry-search"],
    "tool-descriptor": ["mcp:github.search", "mcp:github.merge", "mcp:sentry.search"],
}


@for_each("to", ALL)
def test_a_conversion_writes_namespaces_where_names_would_be_equal(to: str) -> None:
    conversion = toolglot.convert(TWO, to)
    assert conversion.output.names == NAMES[to]
    pairs = {change.before: change.after for change in conversion.report.changes if change.path == "/id"}
    assert to == "hub" or NAMES[to][2] in pairs.values()
    assert not [change for change in conversion.report.losses if change.path.endswith("/namespace")]


@for_each("to", ALL)
def test_names_come_home(to: str) -> None:
    conversion = toolglot.convert(TWO, to, lossless=True)
    back = [found for _, content in conversion.files for found in toolglot.read(content, to, restore=True)]
    if to == "mcp":  # its own records carry no slot, and a name is never taken apart
        assert [(found.namespace, found.id) for found in back] == [(None, name) for name in NAMES[to]]
    else:
        assert back == toolglot.read(TWO)


@for_each("to", [name for name in ALL if name != "hub"])
def test_two_majors_are_two_tools(to: str) -> None:
    versions = [Tool(id="drill", version=version, description="Drills.") for version in ("1.0.0", "2.0.0")]
    document = toolglot.write(versions, "hub")
    names = toolglot.convert(document, to).output.names
    stable = {"tool-descriptor": ["x-host-toolglot:drill", "x-host-toolglot:drill@2"]}  # whatever others there are
    told = "version" in formats.get(to).holds
    assert names == (["drill", "drill"] if told else stable.get(to, ["drill_v1", "drill_v2"]))


def test_what_nothing_tells_apart_is_refused_with_all_names() -> None:
    twice = {"tools": [tool(), tool(description="Other."), tool("a"), tool("a", "Other.")]}
    with pytest.raises(WriteError) as caught:
        toolglot.convert(twice, "atdf")
    assert "'search'" in str(caught.value)
    assert "'a'" in str(caught.value)


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("auto", ["one__search", "two__search"]),
        ("file", ["one__search", "two__search"]),
        ("mine", None),
        ("none", None),
    ],
)
def test_files_tell_equal_names_apart(tmp_path: Path, wanted: str, names: list[str] | None) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"tools": [tool(description=f"{name}.")]}))
    done = run(tmp_path, ["convert", "one.json", "two.json", "--to", "mcp", "--namespace", wanted, "--report", "none"])
    if names is None:
        assert (done.code, "id-collision" in done.stderr) == (2, True)
    else:
        assert [found["name"] for found in json.loads(done.stdout)["tools"]] == names


@for_each(
    ("options", "expected"),
    [
        ({}, ("mcp:github.search", "mcp")),
        ({"namespace": "none"}, ("mcp:search", "mcp")),
        ({"namespace": "gh"}, ("mcp:gh.search", "mcp")),
        ({"scope": "connector"}, ("connector:github.search", "connector")),
        ({"source": "connector"}, ("connector:github.search", "connector")),
        ({"scope": "acme.host"}, ("mcp:github.search", "mcp")),
        ({"source": "host-extension", "scope": "acme.host"}, ("acme.host:github.search", "host-extension")),
        ({"source": "workflow", "scope": "acme.host"}, ("acme.host:github.search", "workflow")),
        ({"safety_tier": "exec"}, ("x-host-toolglot:github.search", "host-extension")),
        ({"scope": "../x"}, "bad-option"),
        ({"scope": ""}, "bad-option"),
        ({"source": "connector", "scope": "mcp"}, "scope-refused"),
        ({"source": "mcp", "scope": "acme.host"}, ("mcp:github.search", "mcp")),
        ({"source": "mcp", "scope": "connector"}, "scope-refused"),
        ({"safety_tier": "exec", "scope": "mcp"}, "scope-refused"),
    ],
)
def test_scopes_and_sources_say_the_same(options: dict[str, Any], expected: tuple[str, str] | str) -> None:
    document = {"name": "github", "tools": [tool()]}
    if isinstance(expected, str):
        with pytest.raises((UsageError, WriteError)) as caught:
            toolglot.convert(document, "tool-descriptor", **options)
        assert caught.value.code == expected
        return
    conversion = toolglot.convert(document, "tool-descriptor", **options)
    [found] = json.loads(conversion.text)["tools"]
    assert (found["toolId"], found["source"]) == expected
    assert not toolglot.check(conversion.text, ignore=OF_THE_AUTHOR)


@for_each("to", [name for name in ALL if formats.get(name).scoped_ids is None])
def test_a_scope_is_refused_where_ids_have_none(to: str) -> None:
    with pytest.raises(UsageError, match="have no scope"):
        toolglot.convert(TWO, to, scope="acme.host")


@for_each("to", [name for name in ALL if not (formats.get(name).one_per_file or formats.get(name).tree)])
def test_an_array_can_be_written(to: str) -> None:
    conversion = toolglot.convert(TWO, to, bare=True)
    data = json.loads(conversion.text)
    assert isinstance(data, list)
    assert [found.id for found in toolglot.read(data, to)] == NAMES[to]


@pytest.mark.parametrize(("to", "lossless"), [("atip", False), ("aip14", False), ("hub", False), ("openai", True)])
def test_an_array_is_refused_where_it_could_not_be_read(to: str, lossless: bool) -> None:
    with pytest.raises(UsageError, match="leave out bare"):
        toolglot.convert(TWO, to, bare=True, lossless=lossless)


# -- what a person vouches for ---------------------------------------------------------------------------------

HINTS = {"readOnlyHint": True, "openWorldHint": False}
SERVER = {"name": "github", "tools": [tool(annotations=HINTS), tool("merge"), tool("wipe", annotations=HINTS)]}


def asserting(said: Any, document: Any = SERVER, to: str = "tool-descriptor") -> toolglot.Conversion:
    return toolglot.convert(document, to, assertions=vouched_facts.parse_assertions(document_reader.from_data(said)))


def test_a_tool_that_is_called_like_one_of_a_server_is_none_of_it() -> None:
    for name in ("github.wipe", "github/wipe", "github wipe"):
        with pytest.warns(UserWarning, match="matches no tool"):
            conversion = asserting({"github/*": {"trusted-hints": True}}, tool(name, annotations=HINTS))
        assert json.loads(conversion.text)["tools"][0]["safetyTier"] == "write"


@pytest.mark.filterwarnings("ignore:.* matches no tool")
@for_each(
    ("said", "tiers"),
    [
        ({}, ["write", "write", "write"]),
        ({"github/search": {"trusted-hints": True}}, ["read", "write", "write"]),
        ({"github/*": {"trusted-hints": True}}, ["read", "write", "read"]),
        ({"github/*": {"trusted-hints": ["readOnlyHint"]}}, ["read", "write", "read"]),
        ({"github/*": {"trusted-hints": ["openWorldHint"]}}, ["write", "write", "write"]),
        ({"github/*": {"trusted-hints": False}}, ["write", "write", "write"]),
        ({"*/*": {"safety-tier": "read"}, "github/wipe": {"safety-tier": "write"}}, ["read", "read", "write"]),
        ({"search": {"safety-tier": "read"}}, ["write", "write", "write"]),  # of which server?
        ({"*/search": {"safety-tier": "read"}}, ["read", "write", "write"]),
        ({"gitlab/*": {"safety-tier": "read"}}, ["write", "write", "write"]),
        ({"github.search": {"safety-tier": "read"}}, ["write", "write", "write"]),
    ],
)
def test_assertions_hold_for_the_tools_that_they_name(said: Any, tiers: list[str]) -> None:
    conversion = asserting(said)
    found = json.loads(conversion.text)["tools"]
    assert [one["safetyTier"] for one in found] == tiers
    told = [change for change in conversion.report.changes if change.code == "vouched-safety-tier"]
    lowered = [tier for tier in tiers if tier == "read"]
    assert len(told) >= len(lowered)  # each that lowers danger is an entry of its own
    assert {change.direction for change in told} <= {"riskier", "neutral"}


def test_a_hint_of_safe_replays_is_believed_when_somebody_vouches_for_it() -> None:
    server = {"name": "github", "tools": [tool(annotations={"idempotentHint": True})]}
    replays = [
        json.loads(asserting(said, server).text)["tools"][0].get("replayPolicy")
        for said in ({}, {"github/*": {"trusted-hints": ["idempotentHint"]}})
    ]
    assert replays == [None, "idempotent"]


def test_a_tool_without_a_server_is_named_by_its_id() -> None:
    found = asserting({"search": {"safety-tier": "read"}}, {"tools": [tool()]})
    assert json.loads(found.text)["tools"][0]["safetyTier"] == "read"


def test_an_assertion_gives_a_scope_and_a_source() -> None:
    found = json.loads(asserting({"*/merge": {"scope": "connector"}, "*/wipe": {"source": "workflow"}}).text)["tools"]
    assert [(one["toolId"], one["source"]) for one in found] == [
        ("mcp:github.search", "mcp"),
        ("connector:github.merge", "connector"),
        ("x-host-toolglot:github.wipe", "workflow"),
    ]


@for_each("to", ALL)
def test_an_assertion_cannot_take_a_stated_danger_away(to: str) -> None:
    danger = {"name": "x", "tools": [tool(description="Search. [⚠️ DESTRUCTIVE]", annotations=HINTS)]}
    for said in ({"trusted-hints": True}, {"trusted-hints": ["readOnlyHint"]}, {"safety-tier": "read"}):
        conversion = asserting({"*/*": said}, danger, to)
        refused = {change.code: change for change in conversion.report.changes if change.code.startswith("refused-")}
        reason = "refused: the source states ⚠️ DESTRUCTIVE, and nobody's word takes that back"
        assert {change.note for change in refused.values()} == {reason}
        assert "refused-safety-tier" in refused
        assert len(refused) == conversion.report.categories[Category.REFUSED]
        [back] = [found for _, content in conversion.files for found in toolglot.read(content, to)]
        levels = safety.caution(next(iter(leaves_of(back))).tool)
        assert (levels["destructive"], levels["changes"]) == (safety.UNSAFE, safety.UNSAFE)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"annotations": {"destructiveHint": True, **HINTS}}, "destructive: true"),
    ({"annotations": {"readOnlyHint": False}}, 'safety_tier: "write"'),
    ({"description": "Search.\n\nSafety: deletes data."}, "deletes data"),
    ({"annotations": {"destructiveHint": "yes"}}, "something about danger that nobody can read"),
]


@for_each(("said", "danger"), REFUSED)
def test_a_refusal_names_the_danger(said: dict[str, Any], danger: str) -> None:
    conversion = asserting({"*/*": {"safety-tier": "read"}}, {"name": "x", "tools": [tool(**said), tool("merge")]})
    [refused] = [change for change in conversion.report.changes if change.code.startswith("refused-")]
    assert refused.note == f"refused: the source states {danger}, and nobody's word takes that back"
    assert [one["safetyTier"] for one in json.loads(conversion.text)["tools"]] == ["write", "read"]


@pytest.mark.parametrize(
    ("source", "output"),
    [("a.json", []), ("a.json", ["-o", "out"]), ("a.json", ["-o", "out.json"]), ("a.jsonl", []),
     ("a.jsonl", ["-o", "out.jsonl"])],
)  # fmt: skip
@pytest.mark.parametrize(
    "word",
    [["--assert", "vouched.json"], ["--safety-tier", "read", "-q"], ["--safety-tier", "read", "--report", "none"]],
)
def test_a_run_with_a_refusal_writes_all_and_ends_with_one(
    tmp_path: Path, source: str, output: list[str], word: list[str]
) -> None:
    records = [tool("wipe", annotations={"readOnlyHint": True, "destructiveHint": True}), tool("merge")]
    servers = [{"name": "x", "tools": [one]} for one in records]
    (tmp_path / "vouched.json").write_text('{"*/*": {"trusted-hints": true}}')
    text = json.dumps({**servers[0], "tools": records}) if source == "a.json" else "\n".join(map(json.dumps, servers))
    (tmp_path / source).write_text(text)
    done = run(tmp_path, ["convert", source, "--to", "tool-descriptor", *word, *output])
    assert (done.code, "[refused]" in done.stderr) == (1, True), done.stderr
    written = done.stdout + "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file() and output)
    assert [name for name in ("wipe", "merge") if f"mcp:x.{name}" in written] == ["wipe", "merge"]


def test_a_later_word_takes_the_place_of_one_that_would_be_refused() -> None:
    wiping = {"name": "github", "tools": [tool("wipe", annotations={"destructiveHint": True})]}
    conversion = asserting({"github/*": {"safety-tier": "read"}, "github/wipe": {"safety-tier": "write"}}, wiping)
    assert conversion.report.categories[Category.REFUSED] == 0


def test_a_text_that_says_read_only_can_be_vouched_for() -> None:
    listing = {"name": "x", "tools": [tool(description="Search. [🔒 READ-ONLY]")]}
    for hints, tier in ((["readOnlyHint"], "write"), (["READ-ONLY"], "read"), (True, "read")):
        [found] = json.loads(asserting({"*/*": {"trusted-hints": hints}}, listing).text)["tools"]
        assert found["safetyTier"] == tier


@for_each(
    ("said", "pointer"),
    [
        ([], ""), ({"a": 1}, "/a"), ({"a": {"safety-tier": "reed"}}, "/a/safety-tier"), ({"a": {"x": 1}}, "/a/x"),
        ({"a": {"source": 7}}, "/a/source"), ({"a": {"scope": ""}}, "/a/scope"),
        *[({"a": {"scope": scope}}, "/a/scope") for scope in ("../x", "-x", "a:b", "a b", "a\n")],
        ({"a": {"trusted-hints": "all"}}, "/a/trusted-hints"), ({"a": {"trusted-hints": [1]}}, "/a/trusted-hints"),
        ({"a": {"trusted-hints": ["readOnlyHint", "readonlyHint"]}}, "/a/trusted-hints/1"),
        ({"a": {"trusted-hint": True}}, "/a/trusted-hint"),
    ],
)  # fmt: skip
def test_what_is_no_assertion_is_named_with_its_line(said: Any, pointer: str) -> None:
    document = document_reader.load(json.dumps(said, indent=1), "vouched.json")
    with pytest.raises(UsageError) as caught:
        vouched_facts.parse_assertions(document)
    assert (caught.value.code, caught.value.source) == ("bad-assertion", "vouched.json")
    assert (caught.value.line, caught.value.column) == document.position(pointer)


@pytest.mark.parametrize(
    ("said", "meant"),
    [({"trusted-hints": ["readonlyHint"]}, "readOnlyHint"), ({"safety_tier": "read"}, "safety-tier")],
    ids=str,
)
def test_a_misspelt_word_of_an_assertion_is_told_with_the_one_that_was_meant(said: Any, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        vouched_facts.parse_assertions(document_reader.from_data({"a": said}))
    assert caught.value.hint == f'did you mean "{meant}"?'


def test_many_assertions_about_many_tools_are_found_soon(no_garbage: None) -> None:
    vouched = vouched_facts.parse_assertions(
        document_reader.from_data({f"github/tool_{number}_*": {} for number in range(400)})
    )
    with within(1):  # about a fifth; each pattern anew for each tool takes two
        meant = [vouched_facts.find_assertions(vouched, "github", (f"tool_{number}_x",)) for number in range(1600)]
    assert [len(found) for found in meant] == [1] * 400 + [0] * 1200


@pytest.mark.parametrize("command", ["convert", "catalog"])
def test_no_settings_file_can_vouch(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(SERVER))
    (tmp_path / "toolglot.toml").write_text(f'[{command}]\nassert = "vouched.json"\n')
    done = run(tmp_path, [command, "a.json", "--to", "tool-descriptor"])
    assert (done.code, "give --assert on the command line" in done.stderr) == (2, True)


# -- what changed ----------------------------------------------------------------------------------------------


@for_each("to", ALL)
def test_tools_are_paired_with_themselves_under_their_new_names(to: str) -> None:
    files = toolglot.convert(TWO, to).files
    after = [found for _, content in files for found in toolglot.read(content, to)]
    found = toolglot.diff(toolglot.read(TWO), after)
    assert found.compared == 3
    assert {changed.status for changed in found.tools} <= {"changed"}


def test_a_server_more_changes_no_tool_of_another() -> None:
    more = {"tools": {"first": {"tools": [tool(description="Mine.")]}, **TWO["tools"]}}
    found = toolglot.diff(TWO, more)
    assert [(changed.id, changed.status) for changed in found.tools] == [("search", "added")]
