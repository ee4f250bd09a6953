"""Clauses of the specifications, each as a document and what has to come of it.

A row of `fixtures/conformance/` names each case. One that a row calls not met has to fail here, so that whoever mends
it corrects the row too.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest

import streams
import toolglot
from conformance import cases_not_met
from golden import ROOT
from toolglot.converter.hub.model import to_json
from toolglot.converter.text import document_reader, serialization
from toolglot.runtime.serving.session_log import SessionLog

Case = Callable[[], None]
Data = Mapping[str, Any]

OPTION = {
    "name": "state",
    "flags": ["-s", "--state"],
    "type": "string",
    "description": "Which ones.",
    "required": True,
    "default": "open",
    "enum": ["open", "closed"],
    "envVar": "FORGE_STATE",
}
ARGUMENT = {
    "name": "title",
    "type": "string",
    "description": "The title.",
    "required": False,
    "default": "Change",
    "enum": ["Change", "Mend"],
}
EFFECTS: dict[str, Any] = {
    "filesystem": {"read": True, "write": True, "delete": True, "paths": ["./out"]},
    "network": True,
    "subprocess": True,
    "idempotent": False,
    "reversible": False,
    "destructive": True,
    "creates": ["review"],
    "modifies": ["review"],
    "deletes": ["review"],
    "interactive": {"stdin": "optional", "prompts": True, "tty": True},
    "cost": {"estimate": "low", "billable": True},
    "duration": {"typical": "1-5s", "timeout": "30s"},
}
PROGRAM: Data = {
    "atip": "0.3",
    "name": "forge",
    "version": "2.1.0",
    "description": "Work with a forge.",
    "homepage": "https://forge.example",
    "globalOptions": [{"name": "host", "flags": ["--host"], "type": "string", "description": "Where."}],
    "authentication": {
        "required": True,
        "methods": [
            {"type": "token", "envVar": "FORGE_TOKEN"},
            {"type": "oauth", "setupCommand": "forge login"},
        ],
        "checkCommand": "forge whoami",
    },
    "effects": {"network": True},
    "patterns": [
        {
            "name": "open-one",
            "description": "Open a review.",
            "steps": [{"command": "forge review open {title}", "description": "Open it."}],
            "variables": {"title": {"type": "string", "description": "The title."}},
        }
    ],
    "partial": True,
    "filter": {"commands": ["review"], "depth": 2},
    "totalCommands": 9,
    "includedCommands": 1,
    "commands": {
        "review": {
            "description": "Work with reviews.",
            "commands": {
                "open": {
                    "description": "Open a review.",
                    "arguments": [ARGUMENT, {**ARGUMENT, "name": "files", "enum": ["a", "b"], "variadic": True}],
                    "options": [OPTION],
                    "effects": EFFECTS,
                    "examples": ["forge review open Mend"],
                }
            },
        }
    },
}
OPEN = "/commands/review/commands/open"

MANIFEST: Data = {
    "name": "Weigh a parcel",
    "id": "post.weigh",
    "description": "Weigh a parcel on the scale of a counter.",
    "version": "1.2.0",
    "inputs": {
        "type": "object",
        "properties": {"shelf": {"type": "string", "description": "Where it lies."}},
        "required": ["shelf"],
    },
    "outputs": {"type": "object", "properties": {"grams": {"type": "number"}}, "required": ["grams"]},
    "idempotent": True,
    "mutates": ["external:scale"],
    "requires": {"network": ["scale.example"], "secrets": ["scale-key"], "tools": ["post.find"]},
    "approval": "policy:scales",
    "risk_level": 2,
    "cost_class": "metered",
    "timeout_ms": 900,
    "retry": {"max_attempts": 2, "backoff": "fixed", "initial_ms": 10},
    "default_implementation": "scale-driver",
    "driver_constraints": {"require_kind": ["http"], "forbid": ["cli"]},
    "tags": ["post"],
    "examples": [{"name": "One", "input": {"shelf": "a"}, "output": {"grams": 3}}],
    "metadata": {"contextSchema": {"type": "object", "properties": {"scale": {"type": "string"}}}, "acme": 1},
}
BODY = "\n## Errors\n\n| Code | Meaning | Caller action |\n| --- | --- | --- |\n| `scale:off` | It is off. | Wait. |\n"

DESCRIPTOR: Data = {
    "toolId": "connector:post.weigh",
    "source": "connector",
    "safetyTier": "write",
    "title": "Weigh",
    "description": "Weigh a parcel on the scale of a counter.",
    "inputSchema": {"type": "object", "properties": {"shelf": {"type": "string", "description": "Where it lies."}}},
    "outputSchema": {"type": "object", "properties": {"grams": {"type": "number"}}},
    "auth": {"scopes": ["post.weigh"], "credentialRef": True},
    "egress": "host-mediated",
    "approval": "conditional",
    "replayPolicy": "non-deterministic",
    "costHint": "low",
    "latencyHint": "low",
}

RECORD: Data = {
    "schema_version": "2.0.0",
    "tool_id": "weigh",
    "description": "Weigh a parcel on the scale of a counter.",
    "when_to_use": "Before a parcel is sent.",
    "how_to_use": {
        "inputs": [
            {
                "name": "shelf",
                "type": "object",
                "description": "Where it lies.",
                "required": True,
                "schema": {"type": "object", "properties": {"row": {"type": "integer"}}, "required": ["row"]},
            }
        ],
        "outputs": {"success": "The weight.", "failure": [{"code": "off", "description": "The scale is off."}]},
    },
    "metadata": {
        "version": "1.2",
        "author": "Post",
        "tags": ["post"],
        "category": "post",
        "created_at": "2025-01-01",
        "updated_at": "2026-01-01",
    },
    "localization": {"de": {"description": "Wiegt ein Paket.", "when_to_use": "Vor dem Versand."}},
    "prerequisites": {"tools": ["find"], "conditions": ["The scale is level."], "permissions": ["counter"]},
    "examples": [{"goal": "Weigh one.", "input_values": {"shelf": {"row": 1}}, "expected_result": "3 g"}],
    "feedback": {"progress_indicators": ["It settles."], "completion_signals": ["A beep."]},
}
DOCUMENTS = {"atip@0.3": PROGRAM, "aip14": MANIFEST, "tool-descriptor": DESCRIPTOR, "atdf": RECORD}


def text_of(data: Data, format: str) -> str:
    if format == "aip14":
        return serialization.dump_front_matter(dict(data), BODY)
    return json.dumps(data)


def edited(data: Data, pointer: str, *value: Any) -> dict[str, Any]:
    """A copy with another value at a pointer, or with none there."""
    copied: dict[str, Any] = copy.deepcopy(dict(data))
    *outer, innermost = pointer.removeprefix("/").split("/")
    node: Any = copied
    for key in outer:
        node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})
    last: Any = int(innermost) if isinstance(node, list) else innermost
    if value:
        node[last] = value[0]
    else:
        del node[last]
    return copied


def meaning_of(data: Data, format: str) -> Any:
    """What is understood of a document, without what is only kept, or the code of the refusal."""
    try:
        [tool] = toolglot.read(text_of(data, format), format.partition("@")[0])
    except toolglot.Error as error:
        return error.code
    return {key: value for key, value in to_json(tool).items() if key not in ("extensions", "body")}


def field(format: str, pointer: str) -> Case:
    """The value at a pointer is understood, and comes back as it was."""

    def case() -> None:
        document = DOCUMENTS[format]
        assert meaning_of(edited(document, pointer), format) != meaning_of(document, format)
        written = toolglot.write(toolglot.read(text_of(document, format), format.partition("@")[0]), format)
        data = document_reader.load(written).data
        record = data.get("tools", [data])[0]
        assert value_at(record, pointer) == value_at(document, pointer)

    return case


def findings_of(data: Data, format: str, at: str) -> list[toolglot.Diagnostic]:
    found = toolglot.check(text_of(data, format), format, select=["ALL"])
    return [one for one in found if (one.pointer or "").startswith(at)]


def finding(code: str, format: str, data: Data, is_found: bool = True, at: str = "") -> Case:
    """`check` finds something in a document that it does not find in a good one, or does not find it."""

    def case() -> None:
        assert any(one.code == code for one in findings_of(data, format, at)) is is_found
        assert not is_found or code not in [one.code for one in findings_of(GOOD[format], format, at)]

    return case


def complaint(format: str, data: Data, at: str, words: str = "") -> Case:
    """`check` says something of a place that it does not say of a good document, by whatever rule."""

    def case() -> None:
        usual = {one.code for one in findings_of(GOOD[format], format, "")}
        said = [f"{one.message} {one.hint}" for one in findings_of(data, format, at) if one.code not in usual]
        assert any(words in text for text in said), said

    return case


def found_on_request(code: str, format: str, data: Data, at: str) -> Case:
    """`check` finds something where the rule is asked for by its name, and nothing in a good document."""

    def case() -> None:
        for document, places in ((data, [at]), (GOOD[format], [])):
            found = toolglot.check(text_of(document, format), format, select=[code])
            assert [(one.code, one.pointer) for one in found] == [(code, place) for place in places]

    return case


def becomes(source: str, data: Data, target: str, expected: Mapping[str, Any]) -> Case:
    """A document has these values at these pointers of the target; None stands for nothing there."""

    def case() -> None:
        result = json.loads(toolglot.convert(text_of(data, source), target, format=source.partition("@")[0]).text)
        found = {pointer: value_at(result, pointer) for pointer in expected}
        assert found == expected

    return case


def value_at(data: Any, pointer: str) -> Any:
    for key in filter(None, pointer.split("/")):
        try:
            data = data[int(key)] if isinstance(data, list) else data[key]
        except (KeyError, IndexError):
            return None
    return data


def offered(data: Data, provider: str, words: Sequence[str], **options: Any) -> Case:
    """The request of a provider has these words."""

    def case() -> None:
        compiled = toolglot.compile(toolglot.read(text_of(data, "atip")), provider, **options)
        request = json.dumps(compiled.request, ensure_ascii=False)
        assert [word for word in words if word not in request] == []

    return case


def withheld(data: Data, provider: str, words: Sequence[str]) -> Case:
    """The request of a provider has none of these words."""

    def case() -> None:
        request = json.dumps(toolglot.compile(toolglot.read(text_of(data, "atip")), provider).request)
        assert [word for word in words if word in request] == []

    return case


def refused(**facts: Any) -> Case:
    """`define_tool` refuses these facts."""
    contract = {"name": "Weigh", "id": "post.weigh", "description": "Weigh a parcel.", "version": "1.0.0"}
    good: Any = {**contract, "input_schema": MANIFEST["inputs"], "output_schema": MANIFEST["outputs"]}

    def case() -> None:
        toolglot.define_tool(**good)
        with pytest.raises(toolglot.Error):
            toolglot.define_tool(**{**good, **facts})

    return case


def program(command: Data, **root: Any) -> dict[str, Any]:
    """A program of one command."""
    head = {"atip": "0.3", "name": "t", "version": "1", "description": "Keep notes in books."}
    return {**head, **root, "commands": {"a": {"description": "Add a note to a book.", **command}}}


GOOD = {"atip": program({"options": [OPTION]}), "aip14": MANIFEST, "tool-descriptor": DESCRIPTOR, "atdf": RECORD}


def record(**changes: Any) -> dict[str, Any]:
    return {**RECORD, **changes}


def mcp(properties: Data, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"tools": [{"name": "find", "description": "Find a person by name.", "inputSchema": schema, **more}]}


def the_root_signs_in_once() -> None:
    data = program(
        {"effects": {"reversible": True}, "options": [{"name": "x", "flags": ["-x"], "type": "string"}]},
        effects={"network": True, "reversible": False},
        authentication={"required": True, "methods": [{"type": "token", "envVar": "T_TOKEN"}]},
    )
    command = json.loads(toolglot.convert(text_of(data, "atip"), "atip@0.3").text)["commands"]["a"]
    assert "authentication" not in command
    assert command["effects"] == {"reversible": True}


def an_unused_key_of_the_filter_is_null() -> None:
    data = {**program({}), "partial": True, "filter": {"commands": None, "depth": 1}}
    assert [one.code for one in toolglot.check(text_of(data, "atip"), "atip")] == []


def the_provider_names_are_told() -> None:
    with pytest.raises(toolglot.Error) as refusal:
        toolglot.compile(toolglot.read(text_of(PROGRAM, "atip")), "nobody")
    assert "the providers are anthropic, gemini, mcp, openai" in str(refusal.value)


def the_canonical_name_is_there() -> None:
    assert toolglot.defineTool is toolglot.define_tool


def run_on(files: Mapping[str, str], *arguments: str) -> streams.Ran:
    """The command, in a folder with these files."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for place, text in files.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return streams.run(folder, arguments)


def answers(arguments: Sequence[str], code: int, has: str, lacks: str = "") -> Case:
    """A program that describes itself says this in UTF-8, wherever it runs, and has no effect."""

    def case() -> None:
        with TemporaryDirectory() as folder:
            script = Path(folder, "notes.py")
            script.write_text(SELF_DESCRIBED, "utf-8")
            places = [str(Path(toolglot.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
            plain = {"LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
            ran = subprocess.run(
                [sys.executable, str(script), *arguments],
                env={**os.environ, **plain, "PYTHONPATH": os.pathsep.join(places)},
                capture_output=True,
                check=False,
                cwd=folder,
                timeout=60,
            )
            assert [path.name for path in Path(folder).iterdir() if path.suffix != ".py"] == []
        assert ran.returncode == code
        told = (ran.stderr if code else ran.stdout).decode("utf-8")
        assert has in told
        assert not (ran.stdout if code else ran.stderr)
        assert not lacks or lacks not in told

    return case


def said_of_files(words: str, *files: Mapping[str, str]) -> Case:
    """`check` has these words about files."""

    def case() -> None:
        for one in files:
            ran = run_on(one, "check", ".", "-v")
            assert words in ran.stdout + ran.stderr, ran

    return case


def catalogue_of(files: Mapping[str, str], *sources: str, to: str = "tool-descriptor") -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(run_on(files, "catalog", *sources, "--to", to, "--bare", "-q").stdout)
    return records


def ids_hold_the_major() -> None:
    [descriptor] = catalogue_of({"b/TOOL.md": SECOND}, "b")
    assert descriptor["toolId"].endswith(":post.weigh@2")


def the_settings_name_the_vendor() -> None:
    settings = {"toolglot.toml": 'scope = "x-host-acme"\n', "TOOL.md": FIRST, "a.mcp.json": json.dumps(mcp({}))}
    ids = [one["toolId"] for one in catalogue_of(settings, ".")]
    assert sorted(ids) == ["mcp:find", "x-host-acme:post.weigh"]
    for target, words in (("tool-descriptor", '"x-host-acme:post.weigh"'), ("mcp", '"post.weigh"')):
        assert words in run_on(settings, "convert", "TOOL.md", "--to", target, "-q").stdout
    assert "have no scope" in run_on(settings, "convert", "TOOL.md", "--to", "mcp", "--scope", "a").stderr


def ids_stay() -> None:
    files = {"a/TOOL.md": FIRST, "b/TOOL.md": SECOND}
    [alone] = catalogue_of(files, "a")
    assert alone["toolId"] in [one["toolId"] for one in catalogue_of(files, "a", "b")]


def two_majors_have_two_ids_in_records() -> None:
    ids = [one["tool_id"] for one in catalogue_of({"a/TOOL.md": FIRST, "b/TOOL.md": SECOND}, "a", "b", to="atdf")]
    assert len(set(ids)) == 2


def drivers_without_egress_have_none() -> None:
    stated = edited(edited(MANIFEST, "/requires", {"network": []}), "/mutates", [])
    driver = dump({**DRIVER, "kind": "builtin", "builtin": {"module": "a", "export": "b"}, "network": {"egress": []}})
    files = {"TOOL.md": text_of(edited(stated, "/driver_constraints"), "aip14"), "DRIVER.md": driver}
    ran = run_on(files, "convert", "TOOL.md", "--to", "tool-descriptor", "-q")
    assert json.loads(ran.stdout)["tools"][0].get("egress") == "none"


def a_secret_is_not_published() -> None:
    secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    text = json.dumps(edited(DESCRIPTOR, "/description", f"Weigh a parcel. The token is {secret}."))
    ran = run_on({"a.tools.json": text}, "catalog", "a.tools.json", "--to", "tool-descriptor", "--bare")
    assert secret not in ran.stdout
    assert ran.code == 1


def a_replay_policy_says_idempotent() -> None:
    text = text_of(MANIFEST, "aip14")
    report = toolglot.convert(text, "tool-descriptor", format="aip14").report
    assert [one for one in report.changes if one.action == "dropped" and one.path == "/idempotent"] == []


def a_part_is_laid_over_what_a_machine_has() -> None:
    whole = program({"effects": {"destructive": True}}, name="notes")
    part = {"name": "notes", "commands": {"a": {"description": "Add a note to the book of the house."}}}
    with TemporaryDirectory() as name:
        folder = Path(name)
        for place, data in {"share/agent-tools/tools": whole, "config/agent-tools/overrides": part}.items():
            (folder / place).mkdir(parents=True)
            (folder / place / "notes.json").write_text(json.dumps(data), "utf-8")
        places = {
            "XDG_CONFIG_HOME": "config",
            "XDG_DATA_HOME": "share",
            "XDG_DATA_DIRS": "out",
            "XDG_STATE_HOME": "out",
        }
        with patch.dict(os.environ, {key: str(folder / place) for key, place in places.items()}):
            ran = streams.run(folder, ["discover", "--to", "openai", "-q"])
    assert "book of the house" in ran.stdout
    assert "DESTRUCTIVE" in ran.stdout


def a_command_reads_delegation() -> None:
    block = {"delegation": {"allowedTools": ["forge"], "deniedCommands": ["forge drop"]}}
    assert run_on({"delegation.json": json.dumps(block)}, "check", "delegation.json").code == 0
    context = {"toolContext": {"availableTools": "forge"}}
    assert "[schema-type]" in run_on({"context.json": json.dumps(context)}, "check", "context.json").stdout


def a_page_maps_the_names_of_the_bridge() -> None:
    names = ("toOpenAI", "createValidator", "generateSafetyPrompt", "createResultFilter", "parseToolCall")
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md") if page.name != "conformance.md"]
    assert any(all(name in page for name in names) for page in pages)


def a_driver_of_mcp_gives_the_source() -> None:
    driver = dump({**DRIVER, "kind": "mcp", "mcp": {"server": "scales", "tool": "weigh"}})
    files = {"TOOL.md": dump(edited(MANIFEST, "/driver_constraints")), "DRIVER.md": driver}
    ran = run_on(files, "convert", "TOOL.md", "--to", "tool-descriptor", "-q")
    assert json.loads(ran.stdout)["tools"][0]["source"] == "mcp"


def a_description_is_one_line() -> None:
    text = toolglot.convert(text_of(MANIFEST, "aip14"), "tool-descriptor", format="aip14").text
    assert "Calls:" not in json.loads(text)["tools"][0]["description"]


def events_of_a_session() -> list[dict[str, Any]]:
    """The log of two calls of one tool."""
    tool = toolglot.read_one({**DESCRIPTOR, "toolId": "x-host-acme:mail.send"})
    with TemporaryDirectory() as name:
        path = Path(name, "log.jsonl")
        with SessionLog(path) as log:
            session = toolglot.Session([tool], "anthropic", runner=lambda call: {"grams": 1}, approve=_allow, log=log)
            for number in ("1", "2"):
                block = {"type": "tool_use", "id": number, "name": session.definitions[0]["name"], "input": {}}
                session.handle({"content": [block]})
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _allow(call: Any, reasons: Any) -> bool:
    return True


def events_name_the_tool() -> None:
    ids = {event["payload"]["toolId"] for event in events_of_a_session()}
    assert ids == {"x-host-acme:mail.send"}


def events_have_the_shape_of_the_wire() -> None:
    assert all({"type", "payload"} <= event.keys() for event in events_of_a_session())


def a_session_has_several_calls() -> None:
    assert len({event["payload"]["sessionId"] for event in events_of_a_session()}) == 1


def a_catalogue_is_a_list() -> None:
    ran = run_on({"a.json": json.dumps(RECORD)}, "catalog", "a.json", "--to", "atdf", "-q")
    assert isinstance(json.loads(ran.stdout), list)


def the_network_is_said_on_request() -> None:
    data = program({"effects": {"network": True}})
    withheld(data, "openai", ["network"])()
    offered(data, "openai", ["network"], safety_text="full")()


def toolglot_answers_for_itself() -> None:
    answer = json.loads(run_on({}, "--agent", "--commands=convert", "--depth=1").stdout)
    assert (answer["partial"], list(answer["commands"])) == (True, ["convert"])


def an_inherited_approval_counts() -> None:
    action = {"id": "scale:use", "approval": "always", "mutates": ["external:scale"]}
    data = edited(edited(MANIFEST, "/approval"), "/implements", {"inline": action})
    assert findings_of(data, "aip14", "/mutates") == []


def what_an_action_says(key: str, own: Any, of_the_action: Any) -> Case:
    action = {"id": "scale:use", "approval": "policy:scales", "mutates": ["external:scale"], key: of_the_action}
    data = edited(edited(MANIFEST, "/implements", {"inline": action}), f"/{key}", own)

    def case() -> None:
        codes = [one.code for one in findings_of(data, "aip14", f"/{key}") if one.severity == "error"]
        assert codes

    return case


def migrated(words: Sequence[str], lacks: Sequence[str] = (), **old: Any) -> Case:
    """The patch and the messages of `migrate` have these words, and not those."""
    text = dump({**edited(MANIFEST, "/default_implementation"), "run": "node pay.js", **old})

    def case() -> None:
        ran = run_on({"TOOL.md": text}, "migrate", "TOOL.md", "--kind", "http", "--diff")
        told = ran.stdout + ran.stderr
        assert [word for word in words if word not in told] == []
        assert [word for word in lacks if word in told] == []

    return case


def driver_found_at(place: str) -> Case:
    def case() -> None:
        ran = run_on({".tools/a/b/c/TOOL.md": FIRST, place: dump(DRIVER), ".git/HEAD": ""}, "check", ".")
        assert "no-implementation" not in ran.stdout + ran.stderr

    return case


def dump(data: Data) -> str:
    return serialization.dump_front_matter(dict(data), "\n# Notes\n")


def driver_says(key: str, value: Any) -> Mapping[str, str]:
    return {"TOOL.md": FIRST, "DRIVER.md": dump({**DRIVER, key: value})}


DRIVER: Data = {
    "name": "Scale driver",
    "id": "scale-driver",
    "description": "Runs the scale of a counter.",
    "version": "1.0.0",
    "kind": "http",
    "implements": [{"tool": "post.weigh", "version": "^1.0.0"}],
}
FIRST = dump(MANIFEST)
SECOND = dump(edited(MANIFEST, "/version", "2.0.0"))
RUN = [
    {"type": "tool.session.opened", "payload": {"sessionId": "s", "toolId": "mcp:a"}, "sequence": 1},
    {"type": "tool.session.closed", "payload": {"sessionId": "s", "toolId": "mcp:a", "outcome": "odd"}, "sequence": 2},
]


API = {
    "openapi": "3.1.0",
    "info": {"title": "Mail", "version": "1"},
    "paths": {"/mail": {"get": {"operationId": "look", "security": [{"key": ["mail.send"]}, {"key": ["mail.read"]}]}}},
    "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
}
UNION = {"type": "object", "oneOf": [{"required": ["shelf"]}, {"required": ["row"]}]}
SELF_DESCRIBED = """
import argparse
import toolglot.agent

parser = argparse.ArgumentParser("notes", description="Keep notes in a caf\u00e9.")
parser.add_argument("--book", type=argparse.FileType("w"), default=None)
toolglot.agent.argparse(parser)
parser.parse_args()
open("effect", "w").close()
"""
ENUM_WITHOUT_VALUES = program({"options": [{"name": "f", "flags": ["-f"], "type": "enum", "description": "Form."}]})
OPTION_OF_A_GROUP = {"name": "all", "flags": ["--all"], "type": "boolean", "description": "Whether all are."}
TWO_OPTIONS = [
    {"name": "output", "flags": ["-o"], "type": "string", "description": "Where to."},
    {"name": "open", "flags": ["-o"], "type": "boolean", "description": "Open it."},
]
URL_IN_WORDS = dict.fromkeys(("openai", "gemini"), "Where. (URL)")
TYPES = ("string", "integer", "number", "boolean", "file", "directory", "url", "array")
JSON_TYPES = {"file": "string", "directory": "string", "url": "string"}
GROUPS = {"commands": {"list": {"description": "List reviews."}, "make": {"description": "Make a review."}}}
CASES: dict[str, Case] = {
    "atip-agent-answers": answers(["--agent"], 0, '"name":"notes"'),
    "atip-agent-effects": answers(["--book", "made", "--agent"], 0, '"name":"notes"'),
    "atip-agent-utf-8": answers(["--agent"], 0, "café"),
    "atip-agent-fails": answers(["--agent", "--depth", "x"], 2, "depth"),
    "atip-agent-of-toolglot": toolglot_answers_for_itself,
    "atip-long-text": offered(program({"description": "Add a note. " * 400}), "anthropic", ["Add a note. " * 400]),
    "atip-root-atip": field("atip@0.3", "/atip"),
    "atip-network-said": the_network_is_said_on_request,
    "atip-agent-only": withheld(PROGRAM, "openai", ["forge.example", "FORGE_STATE", "1-5s", "open-one"]),
    **{f"atip-root-{key}": field("atip@0.3", f"/{key}") for key in ("name", "version", "description", "homepage")},
    **{f"atip-root-{key}": field("atip@0.3", f"/{key}") for key in ("globalOptions", "authentication")},
    **{f"atip-root-{key}": field("atip@0.3", f"/{key}") for key in ("effects", "patterns", "commands", "partial")},
    "atip-root-filter": field("atip@0.3", "/filter"),
    "atip-root-counts": field("atip@0.3", "/totalCommands"),
    "atip-root-counts-included": field("atip@0.3", "/includedCommands"),
    **{
        f"atip-command-{key}": field("atip@0.3", f"{OPEN}/{key}")
        for key in ("description", "arguments", "options", "effects", "examples")
    },
    "atip-command-nested": field("atip@0.3", "/commands/review/commands"),
    **{f"atip-argument-{key}": field("atip@0.3", f"{OPEN}/arguments/0/{key}") for key in ARGUMENT if key != "required"},
    "atip-argument-required": becomes(
        "atip",
        program({"arguments": [{"name": "x", "type": "string", "description": "What."}]}),
        "mcp",
        {"/tools/0/inputSchema/required": ["x"]},
    ),
    "atip-argument-variadic": field("atip@0.3", f"{OPEN}/arguments/1/variadic"),
    **{f"atip-option-{key}": field("atip@0.3", f"{OPEN}/options/0/{key}") for key in OPTION},
    "atip-option-optional": becomes(
        "atip",
        program({"options": [{"name": "x", "flags": ["-x"], "type": "string", "description": "What."}]}),
        "mcp",
        {"/tools/0/inputSchema/required": None},
    ),
    "atip-option-one-flag": finding("shared-flag", "atip", program({"options": TWO_OPTIONS})),
    **{f"atip-effect-{key}": field("atip@0.3", f"{OPEN}/effects/{key}") for key in EFFECTS},
    **{
        f"atip-effect-filesystem-{key}": field("atip@0.3", f"{OPEN}/effects/filesystem/{key}")
        for key in EFFECTS["filesystem"]
    },
    **{
        f"atip-effect-{group}-{key}": field("atip@0.3", f"{OPEN}/effects/{group}/{key}")
        for group in ("interactive", "cost", "duration")
        for key in EFFECTS[group]
    },
    **{
        f"atip-stdin-{word}": becomes(
            "atip",
            program({"effects": {"interactive": {"stdin": word}}}),
            "hub",
            {"/tools/0/children/0/stdin": word},
        )
        for word in ("none", "optional", "required", "password")
    },
    "atip-stdin-other": finding("unclear-safety", "atip", program({"effects": {"interactive": {"stdin": "some"}}})),
    **{
        f"atip-type-{word}": becomes(
            "atip",
            program({"options": [{"name": "x", "flags": ["-x"], "type": word, "description": "What."}]}),
            "mcp",
            {"/tools/0/inputSchema/properties/x/type": JSON_TYPES.get(word, word)},
        )
        for word in TYPES
    },
    "atip-type-enum": becomes(
        "atip",
        program({"options": [{**OPTION, "type": "enum"}]}),
        "mcp",
        {
            "/tools/0/inputSchema/properties/state/type": "string",
            "/tools/0/inputSchema/properties/state/enum": ["open", "closed"],
        },
    ),
    "atip-type-enum-without-values": becomes(
        "atip", ENUM_WITHOUT_VALUES, "mcp", {"/tools/0/inputSchema/properties/f/type": "string"}
    ),
    "atip-type-enum-without-values-found": finding("unlisted-enum", "atip", ENUM_WITHOUT_VALUES),
    **{
        f"atip-authentication-{key}": field("atip@0.3", f"/authentication/{path}")
        for key, path in {
            "required": "required",
            "token": "methods/0",
            "oauth": "methods/1",
            "checkCommand": "checkCommand",
        }.items()
    },
    **{
        f"atip-pattern-{key}": field("atip@0.3", f"/patterns/0/{key}")
        for key in ("name", "description", "steps", "variables")
    },
    "atip-authentication-of-the-root": the_root_signs_in_once,
    "atip-filter-null": an_unused_key_of_the_filter_is_null,
    "atip-description-200": complaint(
        "atip", program({}, description="Keep notes in books. " * 11), "/description", "200"
    ),
    "atip-group-with-options": complaint(
        "atip",
        program({"options": [OPTION_OF_A_GROUP], "commands": {"b": {"description": "Take a note out of its book."}}}),
        "/commands/a",
    ),
    "atip-lint-padded": finding("padded-description", "atip", program({}, description="Keep notes. ")),
    "atip-lint-names": finding(
        "mixed-names",
        "atip",
        program({"options": [{**OPTION, "flags": ["--dry-run"]}, {**OPTION, "name": "b", "flags": ["--maxItems"]}]}),
    ),
    "atip-missing-version": finding("schema-required", "atip", {k: v for k, v in PROGRAM.items() if k != "version"}),
    "atip-flags-destructive": offered(program({"effects": {"destructive": True}}), "openai", ["⚠️ DESTRUCTIVE"]),
    "atip-flags-reversible": offered(program({"effects": {"reversible": False}}), "openai", ["⚠️ NOT REVERSIBLE"]),
    "atip-flags-idempotent": offered(program({"effects": {"idempotent": False}}), "openai", ["⚠️ NOT IDEMPOTENT"]),
    "atip-flags-billable": offered(program({"effects": {"cost": {"billable": True}}}), "openai", ["💰 BILLABLE"]),
    "atip-delete-said": offered(program({"effects": {"filesystem": {"delete": True}}}), "openai", ["deletes files"]),
    "atip-nullable-strict": offered(
        program({"options": [{"name": "x", "flags": ["-x"], "type": "string", "description": "What."}]}),
        "openai",
        ['"null"', '"required": ["x"]'],
        strict=True,
    ),
    "atip-strategy-a": offered(PROGRAM, "openai", ['"forge_review_open"']),
    "atip-strategy-b": offered(
        program(GROUPS, name="forge"), "openai", ['"forge_a"', '"list"', '"make"'], flatten="group"
    ),
    "atip-examples-openai": offered(program({"examples": ["t a x"]}), "openai", ["t a x"], examples=True),
    "atip-examples-gemini": offered(program({"examples": ["t a x"]}), "gemini", ["t a x"], examples=True),
    "atip-examples-anthropic": offered(program({"examples": ["t a x"]}), "anthropic", ["t a x"], examples=True),
    **{
        f"atip-url-{provider}": offered(
            program({"arguments": [{"name": "x", "type": "url", "description": "Where."}]}), provider, [words]
        )
        for provider, words in {**URL_IN_WORDS, "anthropic": '"format": "uri"'}.items()
    },
    "atip-registration-openai": offered(PROGRAM, "openai", ['"type": "function"', '"parameters"']),
    "atip-registration-gemini": offered(PROGRAM, "gemini", ['"functionDeclarations"']),
    "atip-registration-anthropic": offered(PROGRAM, "anthropic", ['"input_schema"']),
    "atip-override": a_part_is_laid_over_what_a_machine_has,
    "atip-delegation-document": a_command_reads_delegation,
    "bridge-names": a_page_maps_the_names_of_the_bridge,
    "bridge-unknown-provider": the_provider_names_are_told,
    **{f"aip14-{key}": field("aip14", f"/{key}") for key in MANIFEST if key not in ("requires", "metadata")},
    **{f"aip14-requires-{key}": field("aip14", f"/requires/{key}") for key in MANIFEST["requires"]},
    **{
        f"aip14-approval-{word}": becomes(
            "aip14", edited(edited(MANIFEST, "/mutates", []), "/approval", word), "hub", {"/tools/0/approval": word}
        )
        for word in ("auto", "always", "on-mutate")
    },
    "aip14-context": field("aip14", "/metadata/contextSchema"),
    "aip14-long-name": finding("schema-max-length", "aip14", edited(MANIFEST, "/name", "x" * 81)),
    "aip14-id-pattern": finding("schema-pattern", "aip14", edited(MANIFEST, "/id", "A_B")),
    "aip14-long-description": finding(
        "schema-max-length", "aip14", edited(MANIFEST, "/description", "Weigh it. " * 201)
    ),
    "aip14-version-pattern": finding("schema-pattern", "aip14", edited(MANIFEST, "/version", "1")),
    "aip14-missing-outputs": finding("schema-required", "aip14", edited(MANIFEST, "/outputs")),
    "aip14-mutates-format": finding("schema-pattern", "aip14", edited(MANIFEST, "/mutates", ["scale"])),
    "aip14-risk-range": complaint("aip14", edited(MANIFEST, "/risk_level", 4), "/risk_level"),
    "aip14-timeout-checked": finding("schema-type", "aip14", edited(MANIFEST, "/timeout_ms", "1s")),
    "aip14-examples-held": finding(
        "example-invalid", "aip14", edited(MANIFEST, "/examples/0/input", {"shelf": 1}), at="/examples"
    ),
    "aip14-removed-keys": finding("legacy-tool-md", "aip14", edited(MANIFEST, "/runner", "./RUNNER.md")),
    "aip14-discouraged-keys": complaint("aip14", edited(MANIFEST, "/model", "m"), "/model", "DRIVER"),
    "aip14-category": what_an_action_says("category", "post", "scales"),
    "aip14-target-kind": what_an_action_says("target_kind", "post", "scale"),
    "aip14-events": what_an_action_says("fires_events", [], ["scale.used"]),
    "aip14-inherited-approval": an_inherited_approval_counts,
    "aip14-egress-none": drivers_without_egress_have_none,
    "aip14-driver-beside": driver_found_at(".tools/a/b/c/DRIVER.md"),
    "aip14-driver-flat": driver_found_at(".drivers/a/DRIVER.md"),
    "aip14-driver-deep": driver_found_at(".drivers/a/b/c/DRIVER.md"),
    "aip14-migrated-value": migrated(["value: eu"], ["legacy"], secrets={"REGION": {"value": "eu"}}),
    "aip14-migrated-driver": migrated(["+id: pay-http"], default_driver="pay-http"),
    "aip14-migrated-keys": migrated(["metadata.http.model"], ["\n model: m\n"], model="m"),
    "aip14-driver-adds-inputs": said_of_files(
        "add_inputs", driver_says("implements", [{"tool": "post.weigh", "schema_narrowing": {"add_inputs": ["x"]}}])
    ),
    "aip14-folder-name": said_of_files("[folder-name]", {".tools/other/TOOL.md": FIRST}),
    "aip14-driver-mutates": said_of_files("[driver-contract]", driver_says("mutates", ["external:other"])),
    "aip14-driver-approval": said_of_files("[driver-contract]", driver_says("approval", "auto")),
    "aip14-driver-egress": said_of_files("[driver-network]", driver_says("network", {"egress": []})),
    "aip14-canonical-name": the_canonical_name_is_there,
    "aip14-defined-id": refused(id="A_B"),
    "aip14-defined-example": refused(examples=[{"name": "x", "input": {"shelf": 1}}]),
    "aip14-errors-in-body": becomes("aip14", MANIFEST, "atdf", {"/how_to_use/outputs/failure/0/code": "scale:off"}),
    **{f"descriptor-{key}": field("tool-descriptor", f"/{key}") for key in DESCRIPTOR},
    "descriptor-auth-scopes": field("tool-descriptor", "/auth/scopes"),
    "descriptor-auth-credentialRef": field("tool-descriptor", "/auth/credentialRef"),
    **{
        f"descriptor-{key}-words": finding("schema-enum", "tool-descriptor", edited(DESCRIPTOR, f"/{key}", "some"))
        for key in ("source", "safetyTier", "egress", "approval", "replayPolicy", "latencyHint")
    },
    "descriptor-costHint-words": complaint("tool-descriptor", edited(DESCRIPTOR, "/costHint", "some"), "/costHint"),
    "descriptor-closed": finding(
        "schema-additional-properties", "tool-descriptor", edited(DESCRIPTOR, "/annotations", {})
    ),
    "descriptor-tier-required": finding("schema-required", "tool-descriptor", edited(DESCRIPTOR, "/safetyTier")),
    "descriptor-tier-1": found_on_request(
        "openwop-tier-one", "tool-descriptor", edited(DESCRIPTOR, "/inputSchema", UNION), "/inputSchema/oneOf"
    ),
    "descriptor-scopes-from-permissions": becomes(
        "atdf", RECORD, "tool-descriptor", {"/tools/0/auth/scopes": ["counter"]}
    ),
    "descriptor-id-of-major-2": ids_hold_the_major,
    "descriptor-id-stable": ids_stay,
    "descriptor-scope-of-settings": the_settings_name_the_vendor,
    "descriptor-egress-none": drivers_without_egress_have_none,
    "descriptor-secret": a_secret_is_not_published,
    "descriptor-tier-cautious": becomes(
        "mcp", mcp({}, annotations={"readOnlyHint": True}), "tool-descriptor", {"/tools/0/safetyTier": "write"}
    ),
    "descriptor-source-of-driver": a_driver_of_mcp_gives_the_source,
    "descriptor-one-line": a_description_is_one_line,
    "session-tool-id": events_name_the_tool,
    "session-wire": events_have_the_shape_of_the_wire,
    "session-several-calls": a_session_has_several_calls,
    "descriptor-idempotent": a_replay_policy_says_idempotent,
    "descriptor-run-log": said_of_files(
        'found "odd" at /1/payload/outcome', {"run.jsonl": "".join(json.dumps(event) + "\n" for event in RUN)}
    ),
    **{f"atdf-{key}": field("atdf", f"/{key}") for key in RECORD if key not in ("schema_version", "how_to_use")},
    **{f"atdf-metadata-{key}": field("atdf", f"/metadata/{key}") for key in RECORD["metadata"]},
    **{f"atdf-prerequisites-{key}": field("atdf", f"/prerequisites/{key}") for key in RECORD["prerequisites"]},
    **{
        f"atdf-input-{key}": field("atdf", f"/how_to_use/inputs/0/{key}")
        for key in ("name", "description", "required", "schema")
    },
    "atdf-input-type": becomes(
        "atdf",
        edited(RECORD, "/how_to_use/inputs/0", {"name": "n", "type": "integer", "description": "How many."}),
        "mcp",
        {"/tools/0/inputSchema/properties/n/type": "integer"},
    ),
    "atdf-success": field("atdf", "/how_to_use/outputs/success"),
    "atdf-failure": field("atdf", "/how_to_use/outputs/failure"),
    "atdf-id-alias": becomes(
        "atdf", edited(edited(RECORD, "/tool_id"), "/id", "scale"), "hub", {"/tools/0/id": "scale"}
    ),
    "atdf-two-ids": finding("two-ids", "atdf", edited(RECORD, "/id", "other")),
    "atdf-catalogue-is-a-list": a_catalogue_is_a_list,
    "atdf-two-majors": two_majors_have_two_ids_in_records,
    "atdf-two-ids-once": finding("schema-one-of", "atdf", edited(RECORD, "/id", "other"), is_found=False),
    "atdf-missing-when": finding("schema-required", "atdf", edited(RECORD, "/when_to_use")),
    "atdf-duplicate-input": finding(
        "duplicate-input", "atdf", edited(RECORD, "/how_to_use/inputs", [{"name": "x", "type": "string"}] * 2)
    ),
    "atdf-unknown-version": complaint("atdf", record(schema_version="3.0.0"), "/schema_version"),
    "atdf-1x-with-2x-fields": complaint("atdf", record(schema_version="1.0.0"), "/schema_version", "`metadata`"),
    "atdf-null-union": becomes(
        "mcp",
        mcp({"city": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}}),
        "atdf",
        {"/how_to_use/inputs/0/type": "string", "/how_to_use/inputs/0/required": False},
    ),
    "atdf-when-in-description": becomes(
        "mcp",
        mcp({}, description="Find a person. Use this tool when the user names somebody."),
        "atdf",
        {"/when_to_use": "Use this tool when the user names somebody."},
    ),
    "atdf-success-in-description": becomes(
        "mcp",
        mcp({}, description="Find a person by name. Returns the number of the person."),
        "atdf",
        {"/how_to_use/outputs/success": "Returns the number of the person."},
    ),
    "atdf-permissions-from-scopes": becomes(
        "tool-descriptor", DESCRIPTOR, "atdf", {"/prerequisites/permissions": ["post.weigh"]}
    ),
    "atdf-permissions-of-openapi": becomes(
        "openapi", API, "atdf", {"/prerequisites/permissions": ["mail.send", "mail.read"]}
    ),
    "descriptor-scopes-of-openapi": becomes(
        "openapi", API, "tool-descriptor", {"/tools/0/auth/scopes": ["mail.send", "mail.read"]}
    ),
    "atdf-output-and-note": becomes(
        "aip14",
        edited(MANIFEST, "/examples/0/note", "The scale was empty before."),
        "atdf",
        {"/examples/0/expected_result": '{"grams":3}', "/examples/0/description": "The scale was empty before."},
    ),
    "atdf-command-lines": becomes(
        "atip",
        program({"arguments": [{**ARGUMENT, "name": "x"}], "examples": ["t a Mend"]}),
        "atdf",
        {"/examples/0/input_values": {"x": "Mend"}, "/examples/0/command": "t a Mend"},
    ),
    "atdf-words-of-the-text": finding(
        "schema-required",
        "atdf",
        record(examples=[{"title": "One", "inputs": {"shelf": {"row": 1}}, "expected_output": "3 g"}]),
        is_found=False,
    ),
}

NOT_MET = cases_not_met()


@pytest.mark.clause
@pytest.mark.parametrize("name", CASES)
def test_a_clause_is_kept(name: str) -> None:
    """The case of a row that is not met has to fail: whoever mends it corrects the row."""
    if name not in NOT_MET:
        CASES[name]()
        return
    with pytest.raises((AssertionError, pytest.fail.Exception, toolglot.Error)):
        CASES[name]()
