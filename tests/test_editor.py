"""`toolglot lsp` as its clients see it, in three processes for all tests: each costs a second."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import toolglot
from rows import for_each, sample
from vendor import Later

if TYPE_CHECKING:
    from editor_client import Editor

pytestmark = [
    pytest.mark.vendors,
    pytest.mark.skipif(find_spec("pygls") is None, reason="the extra `lsp` is not installed"),
    pytest.mark.skipif(find_spec("pytest_lsp") is None, reason="the extra `dev` has its client"),
]
editor_client = Later("editor_client")
exceptions = Later("pygls.exceptions")
positions = Later("toolglot.runtime.editor.positions")
serve_editor = Later("toolglot.cli.commands.serve_editor")
server = Later("toolglot.runtime.editor.server")
types = Later("lsprotocol.types")

TOOL = """\
---
name: Archive a message
id: mail.archive
description: Moves a message to the archive.
version: 1.0.0
mutates: [mailbox:archive]
approval: on-mutate
risk_level: 1
inputs: { type: object }
outputs: { type: object }
---
# Archive a message
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("editor")
    (folder / ".git").mkdir()
    return folder


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    """One that is told of findings, and counts in UTF-16."""
    editor = editor_client.Editor(folder, editor_client.capabilities("utf-16", pulls=False))
    yield editor
    assert editor.end() == 0


@pytest.fixture(scope="module")
def asking_editor(folder: Path) -> Iterator[Editor]:
    """One that asks for findings, and counts in UTF-8."""
    editor = editor_client.Editor(folder, editor_client.capabilities("utf-8", pulls=True))
    yield editor
    assert editor.end() == 0


# -- findings ---------------------------------------------------------------------------------------------------------


def test_findings_follow_what_is_typed(editor: Editor) -> None:
    assert editor.show("a/TOOL.md", TOOL) == []
    (lacking, unknown) = editor.show("a/TOOL.md", TOOL.replace("version:", "versoin:"))
    assert (lacking.code, unknown.code) == ("schema-required", "schema-additional-properties")
    assert unknown.range == types.Range(types.Position(4, 9), types.Position(4, 14))
    assert (unknown.severity, unknown.source) == (types.DiagnosticSeverity.Warning, "toolglot")
    assert unknown.message == "the format has no key `versoin` at /versoin; did you mean `version`?"
    assert unknown.code_description
    assert unknown.code_description.href == "https://docs.example/rules/#schema-additional-properties"
    assert editor.show("a/TOOL.md", TOOL) == []


def test_broken_text_is_a_finding(editor: Editor) -> None:
    editor.show("a/TOOL.md", TOOL)
    (found,) = editor.show("a/TOOL.md", TOOL.replace("version: 1.0.0", "version"))
    assert found.code == "yaml-syntax"
    (found,) = editor.show("a/TOOL.md", TOOL.replace("\n---\n#", "\n#"))
    assert found.code == "front-matter"
    assert [found.code for found in editor.show("a/TOOL.md", "")] == ["no-front-matter"]


OTHERS = {
    "README.md": "# Read me\n",
    "package.json": '{"name": "a", "version": "1"}',
    "broken.yaml": "a: [",
    "empty.json": "",
}


@for_each("name, text", OTHERS.items())
def test_what_describes_no_tool_has_no_findings(editor: Editor, name: str, text: str) -> None:
    assert editor.show(name, text) == []


def test_what_was_a_tool_stays_one(editor: Editor) -> None:
    """Its name says nothing; a brace that is open for a moment does not make it something else."""
    text = '{"tools": [{"name": "a", "description": "Lists days.", "inputSchema": {"type": "object"}}]}'
    assert editor.show("days.yaml", text) == []
    (found,) = editor.show("days.yaml", text[:-1])
    assert found.code == "json-syntax"


def test_settings_count_and_are_read_again(editor: Editor, folder: Path) -> None:
    text = TOOL.replace("version:", "versoin:")
    settings = folder / "configured" / "toolglot.toml"
    settings.parent.mkdir()
    settings.write_text('[check]\nignore = ["schema-additional-properties"]\n', encoding="utf-8")
    assert [found.code for found in editor.show("configured/TOOL.md", text)] == ["schema-required"]
    settings.write_text("[check]\nignor = []\n", encoding="utf-8")
    change = types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    (found,) = editor.next_findings("configured/TOOL.md")
    assert found.code == "settings"
    assert "toolglot.toml:2: the setting `ignor` of `check` is unknown" in found.message
    settings.write_text('exclude = ["TOOL.md"]\n', encoding="utf-8")
    assert editor.show("configured/TOOL.md", text) == []


def test_a_file_that_is_saved_has_others_checked_again(editor: Editor, folder: Path) -> None:
    text = TOOL.replace("outputs:", "default_implementation: post\noutputs:")
    (found,) = editor.show(".tools/mail-archive/TOOL.md", text)
    assert found.code == "no-implementation"
    driver = folder / ".drivers" / "post" / "DRIVER.md"
    driver.parent.mkdir(parents=True)
    driver.write_text("---\nschema: agentproto/driver/v1\nid: post\nkind: cli\n---\n", encoding="utf-8")
    saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(driver.as_uri()))
    editor.client.text_document_did_save(saved)
    assert editor.next_findings(".tools/mail-archive/TOOL.md") == []


def test_a_closed_file_has_no_findings(editor: Editor) -> None:
    editor.show("closed/TOOL.md", TOOL.replace("version:", "versoin:"))
    editor.close("closed/TOOL.md")
    assert editor.next_findings("closed/TOOL.md") == []


def test_a_question_about_a_text_that_is_not_open(editor: Editor) -> None:
    """It may come after the end of the text; an answer with a fault would be shown to whoever closed it."""
    editor.show("closed/TOOL.md", TOOL)
    editor.close("closed/TOOL.md")
    document, position = editor.document("closed/TOOL.md"), types.Position(3, 2)
    assert editor.hover_at("closed/TOOL.md", position) == ""
    asked = types.CompletionParams(document, position)
    assert not editor.wait(editor.client.text_document_completion_async(asked))
    assert not editor.wait(editor.client.text_document_definition_async(types.DefinitionParams(document, position)))
    assert editor.actions("closed/TOOL.md") == {}
    with pytest.raises(exceptions.JsonRpcInvalidParams, match="no text is open as file://"):
        editor.command("toolglot.convert", editor.uri("closed/TOOL.md"), "mcp")


def test_findings_are_told_once(asking_editor: Editor) -> None:
    """A client that asks for findings would show each twice if they were pushed as well."""
    asking_editor.open("b/TOOL.md", TOOL.replace("version:", "versoin:"))
    assert len(asking_editor.ask_findings("b/TOOL.md")) == 2
    assert asking_editor.published.empty()


def test_many_open_files(editor: Editor) -> None:
    for number in range(100):
        editor.open(f"many/{number}/TOOL.md", TOOL)
    assert editor.show("a/TOOL.md", TOOL) == []


def test_a_long_check_holds_up_nothing(editor: Editor) -> None:
    """What is asked meanwhile is answered first, and of the texts that are typed meanwhile only the last one."""
    editor.show("a/TOOL.md", TOOL)
    tools = [{"name": f"a{number}", "inputSchema": {"type": "dict"}, "annotations": {}} for number in range(400)]
    for count in (398, 399, 400):
        text = json.dumps({"tools": tools[:count]})
        (editor.type if "long.json" in editor.versions else editor.open)("long.json", text)
    assert "Who must agree" in editor.hover_at("a/TOOL.md", types.Position(6, 2))
    assert editor.published.empty()
    assert len(editor.next_findings("long.json")) > 400
    assert editor.published.empty()


# -- corrections ------------------------------------------------------------------------------------------------------


def test_a_correction_is_what_fix_does(editor: Editor) -> None:
    text = TOOL.replace("Moves a", "Moves\u200b a").replace("# Archive", "# Arch\u200bive")
    assert [found.code for found in editor.show("a/TOOL.md", text)] == ["hidden-character", "hidden-character"]
    fixed = text.replace("Moves\u200b", "Moves"), text.replace("Arch\u200bive", "Archive")
    assert [*editor.actions("a/TOOL.md").values()] == [*fixed, TOOL]
    line = types.Position(3, 0)
    assert editor.actions("a/TOOL.md", types.Range(line, line)) == {}
    line = types.Position(3, 14)
    assert [*editor.actions("a/TOOL.md", types.Range(line, line)).values()] == [fixed[0], fixed[0]]
    editor.show("a/TOOL.md", text.replace("version:", "version"))
    assert editor.actions("a/TOOL.md") == {}


def test_what_a_conversion_made_up_is_confirmed(editor: Editor) -> None:
    """One name at a time, or all; the last one takes the mark away."""
    source = {"name": "days", "description": "Lists the days of a month.", "inputSchema": {"type": "object"}}
    text = toolglot.convert(source, "aip14").text
    (found,) = editor.show("made/TOOL.md", text)
    assert found.code == "unconfirmed"
    offered = editor.actions("made/TOOL.md")
    names = ["mutates", "approval", "risk_level", "cost_class", "version"]
    assert [title.split()[1].rstrip(":") for title in offered] == [*names, "all"]
    everything = [*offered.values()][-1]
    assert toolglot.read_one(everything).assumed is None
    for name in names:
        text = editor.texts["made/TOOL.md"]
        text = next(now for title, now in editor.actions("made/TOOL.md").items() if f"Confirm {name}:" in title)
        assert name not in (toolglot.read_one(text).assumed or ())
        editor.show("made/TOOL.md", text)
    assert text == everything


# -- hover and completion ---------------------------------------------------------------------------------------------

HOVERS = {
    "a key": ("TOOL.md", TOOL.replace("approval", "appr¦oval"), "**approval** (AIP-14 TOOL.md v1)\n\nWho must agree"),
    "its value": ("TOOL.md", TOOL.replace("on-mutate", "on-mut¦ate"), "Who must agree"),
    "another format": ("TOOL.md", TOOL.replace("approval", "¦approval"), "\n- tool-descriptor: `/approval`\n"),
    "no other": ("TOOL.md", TOOL.replace("risk_level", "¦risk_level"), "the description says there what is dangerous"),
    "an item": ("TOOL.md", TOOL.replace("mailbox:", "mail¦box:"), "What a call changes"),
    "deeper": ("TOOL.md", TOOL.replace("{ type: object }\nout", "{ ty¦pe: object }\nout"), ""),
    "the Markdown": ("TOOL.md", TOOL.replace("# Archive", "# Arch¦ive"), ""),
    "a finding": ("TOOL.md", TOOL.replace("version: 1", "versoin: ¦1"), "**schema-additional-properties**: "),
    "a broken text": ("TOOL.md", TOOL.replace("risk_level: 1", "risk_le¦vel"), "0 reads only, 1 writes within bounds"),
    "a command": (
        "a.atip.json",
        '{"atip": {"version": "0.6"}, "name": "a", "version": "1", "description": "Does a.", "commands": {"b": '
        '{"description": "Does b.", "effects": {"¦destructive": true}}}}',
        "Data is lost for good.",
    ),
    "a list": (
        "days.json",
        '{"tools": [{"name": "a", "description": "Lists days.", "inputSchema": {"type": "object"}, '
        '"annotations": {"¦idempotentHint": true}}]}',
        "\n- aip14: `/idempotent`\n",
    ),
    "the name of a tool": ("TOOL.md", TOOL.replace("id: ", "i¦d: "), "**Before a call**"),
    "the name of one of two": (
        "pair.json",
        '{"tools": [{"name": "a", "inputSchema": {"type": "object"}}, {"¦name": "b", "description": "Drops b.", '
        '"inputSchema": {"type": "object"}, "annotations": {"destructiveHint": true}}]}',
        "> Drops b.",
    ),
    "no type": (
        "a.json",
        '{"toolId": "a", "source": "mcp", "safety¦Tier": "read"}',
        "a call reaches.\n\nrequired; such as",
    ),
    "a driver": ("DRIVER.md", "---\nschema: agentproto/driver/v1\nid: post\nki¦nd: cli\n---\n", "**kind** ("),
}


@for_each("name", sorted(HOVERS))
def test_a_key_is_explained(editor: Editor, name: str) -> None:
    file, text, expected = HOVERS[name]
    told = editor.hover(f"hover/{file}", text)
    assert expected in told
    assert bool(expected) == bool(told)


RECORD = '{"toolId": "a", "source": "mcp", "safetyTier": "read", ¦}'
COMPLETIONS: dict[str, tuple[str, str, dict[str, str | None]]] = {
    "a key": ("TOOL.md", TOOL.replace("version: 1.0.0", "ver¦"), {"version": "version: "}),
    "a line": ("TOOL.md", TOOL.replace("outputs: { type: object }", "¦"), {"outputs": "outputs: ", "tags": "tags: "}),
    "a key that is there": ("TOOL.md", TOOL.replace("version", "ver¦sion"), {"timeout_ms": "timeout_ms: 1.0.0"}),
    "inside": (
        "TOOL.md",
        TOOL.replace("tags", "").replace("risk_level: 1", "retry:\n  ba¦"),
        {"backoff": "  backoff: "},
    ),
    "a word": ("TOOL.md", TOOL.replace("on-mutate", "a¦"), {"auto": "approval: auto", "always": "approval: always"}),
    "no blank": ("TOOL.md", TOOL.replace(" on-mutate", "¦"), {"auto": "approval: auto"}),
    "an item": (
        "TOOL.md",
        TOOL.replace("risk_level: 1", "driver_constraints:\n  forbid:\n    - h¦"),
        {"http": "    - http"},
    ),
    "in brackets": ("TOOL.md", TOOL.replace("risk_level: 1", "driver_constraints: { for¦ }"), {"forbid": None}),
    "truth": ("TOOL.md", TOOL.replace("risk_level: 1", "idempotent: ¦"), {"true": "idempotent: true"}),
    "JSON": ("a.json", RECORD, {"title": RECORD.replace("¦", '"title": ')}),
    "a word of JSON": ("a.json", RECORD.replace(", ¦", "").replace('"read"', "¦"), {"write": None}),
    "half a quote": ("a.json", RECORD.replace("¦", '"ti¦'), {"title": RECORD.replace("¦", '"title": ')}),
    "nothing behind": ("a.json", RECORD.replace("¦}", '"ti¦'), {"title": RECORD.replace("¦}", '"title": ')}),
    "a bracket that is missing": ("b.json", '{"tools": [\n' + RECORD.replace("¦}", '"¦\n]}'), {"title": None}),
    "half a bracket": ("TOOL.md", TOOL.replace("risk_level: 1", "driver_constraints: { for¦"), {"forbid": None}),
}


@for_each("name", sorted(COMPLETIONS))
def test_keys_and_words_are_offered(editor: Editor, name: str) -> None:
    file, text, expected = COMPLETIONS[name]
    editor.show(f"complete/{file}", TOOL if file == "TOOL.md" else RECORD.replace(", ¦", ""))
    offered = editor.complete(f"complete/{file}", text)
    for label, line in expected.items():
        assert label in offered
        assert line in (None, offered[label])


def test_nothing_is_offered_where_nothing_is_known(editor: Editor) -> None:
    assert editor.complete("README.md", "# Read¦") == {}
    assert editor.complete("package.json", '{"na¦": "a"}') == {}
    assert editor.complete("complete/TOOL.md", TOOL.replace("# Archive", "# ¦")) == {}


# -- other files, and other formats -----------------------------------------------------------------------------------

FILES = {
    ".actions/mail-archive/ACTION.md": "id: mail:archive\nverb: archive\ntarget_kind: mail\n",
    ".drivers/mail-cli/DRIVER.md": "id: mail-cli\nkind: cli\nimplements:\n  - tool: linked\n",
    ".tools/linked/TOOL.md": "id: linked\ndescription: Archives a message.\n",
}
LINKED = TOOL.replace("mail.archive", "linked").replace(
    "inputs:", "implements: mail:archive\ndefault_implementation: mail-cli\ninputs:"
)
BY_PATH = TOOL.replace("inputs:", "implements: { file: ../../.actions/mail-archive/ACT¦ION.md }\ninputs:")
PLACES = {
    "an action": (".tools/linked/TOOL.md", LINKED.replace("mail:", "mail¦:"), [".actions/mail-archive/ACTION.md"]),
    "by a path": (".tools/linked/TOOL.md", BY_PATH, [".actions/mail-archive/ACTION.md"]),
    "from the top": (
        ".tools/linked/TOOL.md",
        BY_PATH.replace("../../", "/"),
        [".actions/mail-archive/ACTION.md"],
    ),
    "a driver": (".tools/linked/TOOL.md", LINKED.replace("mail-cli", "mail-¦cli"), [".drivers/mail-cli/DRIVER.md"]),
    "all drivers": (".tools/linked/TOOL.md", LINKED.replace("id: ", "i¦d: "), [".drivers/mail-cli/DRIVER.md"]),
    "no file": (".tools/linked/TOOL.md", LINKED.replace("risk_level", "risk¦_level"), []),
    "a tool": (
        ".drivers/mail-cli/DRIVER.md",
        f"---\n{FILES['.drivers/mail-cli/DRIVER.md']}---\n".replace("linked", "link¦ed"),
        [".tools/linked/TOOL.md"],
    ),
    "of no format": ("delegation.json", '{"dele¦gation": {}}', []),
    "another format": ("defined.json", RECORD.replace('"toolId', '"tool¦Id').replace(", ¦", ""), []),
}


@for_each("name", sorted(PLACES))
def test_a_reference_leads_to_its_file(editor: Editor, folder: Path, name: str) -> None:
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"---\n{text}---\n", encoding="utf-8")
    file, text, expected = PLACES[name]
    assert editor.define(file, text) == expected


def test_a_document_in_another_format(editor: Editor) -> None:
    editor.show("a/TOOL.md", TOOL)
    shown = editor.command("toolglot.convert", editor.uri("a/TOOL.md"), "atip")
    ((name, text),) = shown["files"]
    assert (name, text) == toolglot.convert(TOOL, "atip").files[0]
    file, summary = shown["report"].split("  ", 1)
    assert (Path(file), summary[:22]) == (editor.folder / "a/TOOL.md", "aip14 -> atip, 1 tool:")
    shown = editor.command("toolglot.convert", editor.uri("a/TOOL.md"), "")
    assert (shown["files"], "mcp" in shown["formats"]) == ([], True)
    editor.show("a/TOOL.md", TOOL.replace("version:", "version"))
    assert "not YAML" in editor.command("toolglot.convert", editor.uri("a/TOOL.md"), "atip")["report"]


# -- whatever is typed -------------------------------------------------------------------------------------------------

TYPED = {
    "TOOL.md": LINKED.replace("tool: ", "").replace("\n---\n#", "\nretry:\n  - {a: [b, 'c\U0001f4a3\n---\n#"),
    "a.json": '{"tools": [{"name": "\U0001f4a3\u2028", "inputSchema": {"type": ["object", null]}, "_meta": [[{"a": -1e',
    "b.yaml": "a: &x [1, *x]\n? b\n: |\n  c\n- d: {e: !f g}\n",
    "c.jsonl": '{"toolId": "a", "source": "mcp", "safetyTier": "read"}\n{"toolId": ',
    "d.kdl": 'bin "ls"\nabout "Files\u200b: all"\nflag "-a" help="All: \U0001f4a3"',
}


@for_each("name, whole", TYPED.items())
def test_every_question_is_answered_at_every_character(folder: Path, name: str, whole: str) -> None:
    """In this process: after each character that is typed, and with the rest of the text behind the cursor."""
    uri = (folder / name).as_uri()
    answering = server.EditorServer(serve_editor.FilesOfEditor())
    document = types.TextDocumentIdentifier(uri)
    for end in sample(range(len(whole) + 1), 20):
        for text in (whole[:end], whole):
            places = positions.TextPositions(text, "utf-16")
            answering.texts[uri] = server.OpenText(str(folder / name), places, 1)
            position = places.position(end)
            context = types.CodeActionContext([])
            answering._correct(types.CodeActionParams(document, types.Range(position, position), context))
            answering._hover(types.HoverParams(document, position))
            answering._complete(types.CompletionParams(document, position))
            answering._define(types.DefinitionParams(document, position))


def test_a_client_that_goes_without_a_word_is_no_fault_of_ours() -> None:
    server = [sys.executable, "-m", "toolglot", "lsp"]
    sent = b"Content-Length: 1\r\n\r\n{"
    assert subprocess.run(server, input=sent, capture_output=True, check=False, timeout=60).returncode == 1


def test_no_other_command_imports_it() -> None:
    code = "import sys, toolglot.cli as c; c.main(['check', '-q', '-']); sys.exit('pygls' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], input=b"", check=False, timeout=60).returncode == 0


# -- positions --------------------------------------------------------------------------------------------------------

TEXTS = ("", "a", "ä\U0001f4a3b", "a\u2028b\x85c\x0bd", "a\r\nb\nc\rd", "\U0001f4a3\n\U0001f4a3", "\ud83d")


@for_each("encoding", ("utf-8", "utf-16", "utf-32"))
@for_each("text", TEXTS, ids=ascii)
def test_positions_come_back(text: str, encoding: str) -> None:
    places = positions.TextPositions(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            assert places.offset(places.position(offset)) == offset


def test_a_position_in_a_character_is_in_front_of_it() -> None:
    places = positions.TextPositions("a\U0001f4a3b", "utf-16")
    assert [places.offset(types.Position(0, units)) for units in range(6)] == [0, 1, 1, 2, 3, 3]


def test_only_the_lines_of_the_protocol_count(editor: Editor, asking_editor: Editor) -> None:
    text = TOOL.replace("Moves a", "Moves\u2028 a \U0001f4a3").replace("version: 1", "\U0001f4a3: 1")
    (_, found) = editor.show("a/TOOL.md", text)
    assert found.range == types.Range(types.Position(4, 4), types.Position(4, 9))
    asking_editor.open("c/TOOL.md", text)
    assert asking_editor.ask_findings("c/TOOL.md")[1].range == types.Range(types.Position(4, 6), types.Position(4, 11))
