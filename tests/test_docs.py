"""The README and `docs/` claim only what runs: their tables come from the code, their examples are executed.

`test_transcripts.py` runs their commands. `make accept` writes the tables and the outputs anew.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import click
import pytest
import yaml

import docs_site
import links
import man_pages
import pictures
import reference
import toolglot
from command_words import walk_commands
from golden import PAGES, README, copy_example, same_file, same_folder, same_table
from systems import needs_echo, needs_programs, needs_python3
from test_architecture import GROUPS, PACKAGE
from toolglot.cli import cli
from toolglot.cli.commands.list_formats import READ_ONLY
from toolglot.cli.exit_codes import MEANINGS
from toolglot.converter import formats
from toolglot.converter.hub import model
from toolglot.runtime.programs import resolution

ROOT = Path(__file__).resolve().parents[1]
TRANSCRIPTS = ROOT / "fixtures" / "cli"
TRANSCRIPT_PAGES = sorted(TRANSCRIPTS.glob("*.md"))
EXAMPLES = ROOT / "fixtures" / "examples"


HOLDS = {
    ("program", True): "a program",
    ("program", False): "programs",
    ("tool", True): "one tool",
    ("tool", False): "tools",
}


def formats_table() -> str:
    rows = ["| name | format | reads | writes | one document holds | files |", "| --- | --- | --- | --- | --- | --- |"]
    for found in map(formats.get, formats.names()):
        kind = "program" if found.tree else "tool"
        holds = HOLDS[kind, found.one_per_file]
        cells = (
            ", ".join(found.versions),
            ", ".join(found.writes) or READ_ONLY,
            holds,
            ", ".join(f"`{p}`" for p in found.marks.patterns),
        )
        rows.append(f"| `{found.name}` | {found.title} | {' | '.join(cells)} |")
    return "\n".join(rows)


def exit_codes() -> str:
    return "\n".join(
        ["| code | meaning |", "| ---: | --- |", *(f"| {code:d} | {text} |" for code, text in MEANINGS.items())]
    )


def profiles_table() -> str:
    lines = ["| target | profile | mode | names | facts from |", "| --- | --- | --- | --- | --- |"]
    for row in (row for name in formats.names() for row in formats.get(name).provider.profiles):
        names = f"`[{row.name_first}][{row.name_rest}]*`, {row.name_limit}"
        mode = "strict" if row.strict else "loose"
        lines.append(
            f"| `{row.format}@{'`, `@'.join(row.versions)}` | `{row.profile}` | {mode} | {names} | {row.citation} |"
        )
    return "\n".join(lines)


def manual() -> str:
    """The transcripts, each with its title."""
    titles = {path: path.read_text(encoding="utf-8").partition("\n")[0] for path in TRANSCRIPT_PAGES}
    rows = [
        f"| [{path.name}](../fixtures/cli/{path.name}) | {title.removeprefix('# ')} |" for path, title in titles.items()
    ]
    return "\n".join(["| file | about |", "| --- | --- |", *rows])


def folders() -> str:
    """The folders of the package in the order in which they may import each other, each with its own first line."""
    lines = ["| folder | what is in it |", "| --- | --- |"]
    for group, name in (
        (group, name) for group, layers in GROUPS.items() for layer in layers for name in sorted(layer)
    ):
        docstring = (
            ast.get_docstring(ast.parse((PACKAGE / group / name / "__init__.py").read_text(encoding="utf-8"))) or ""
        )
        lines.append(f"| `{group}/{name}/` | {docstring.partition(chr(10))[0]} |")
    return "\n".join(lines)


def action_table() -> str:
    """The inputs of the action for GitHub."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    rows = ["| input | what it says | without it |", "| --- | --- | --- |"]
    for name, entry in action["inputs"].items():
        default = f"`{entry['default']}`" if entry["default"] else "nothing"
        rows.append(f"| `{name}` | {entry['description']} | {default} |")
    return "\n".join(rows)


GENERATED = {
    "action": action_table,
    "folders": folders,
    "manual": manual,
    "formats": formats_table,
    "exit codes": exit_codes,
    "profiles": profiles_table,
    "decided": reference.rules.decided_rules,
    "manipulation": reference.rules.manipulation_rates,
}


@pytest.mark.golden
@pytest.mark.parametrize("name", GENERATED)
def test_a_table_is_what_the_code_says(name: str) -> None:
    same_table(name, GENERATED[name]())


@pytest.mark.golden
@pytest.mark.parametrize("name", reference.PAGES)
def test_a_page_of_the_reference_is_what_the_code_says(name: str) -> None:
    same_file(ROOT / "docs" / name, reference.PAGES[name]())


@pytest.mark.golden
def test_the_manual_pages_are_what_the_code_says() -> None:
    same_folder(ROOT / "share" / "man" / "man1", man_pages.pages())


@pytest.mark.parametrize("record", [model.Tool, model.Binding, model.ErrorCode, model.Example, model.AuthMethod])
def test_every_field_of_the_hub_says_its_meaning_and_its_source(record: type) -> None:
    fields = list(reference.hub.fields_of(record))
    assert [field.name for field in fields] == list(record.__annotations__)
    assert [field.name for field in fields if not (field.meaning.endswith(".") and field.source.endswith("."))] == []


def completion(**message: Any) -> dict[str, Any]:
    """What OpenAI's API answers."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}


@pytest.fixture
def openai_stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A local server in the place of OpenAI's, whose model calls `echo` once."""
    function = {"name": "echo_", "arguments": '{"words": ["it", "is", "noon"], "no-newline": true}'}
    asks = completion(tool_calls=[{"id": "call_1", "type": "function", "function": function}])
    stub_type = runpy.run_path(str(EXAMPLES / "common.py"))["Stub"]
    with stub_type(asks, completion(content="It is noon.")) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield stub


def run_python(page: Path, folder: Path) -> None:
    """Run the examples in Python of a page, in a folder that has the files that the page shows, or is about."""
    text = page.read_text(encoding="utf-8")
    copy_example(page, folder)
    for name, content in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        (folder / name).write_text(content, encoding="utf-8")
    names: dict[str, Any] = {}
    for code in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        exec(compile(code, page.name, "exec"), names)


@needs_echo
@pytest.mark.vendors
def test_the_conversation_with_a_model_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, openai_stub: Any) -> None:
    monkeypatch.chdir(tmp_path)
    run_python(ROOT / "docs" / "calls.md", tmp_path)
    first, second = openai_stub.asked
    assert [tool["function"]["name"] for tool in first["tools"]] == ["echo_"]
    assert second["messages"][-1] == {"role": "tool", "tool_call_id": "call_1", "content": "it is noon"}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (README, ["set_alarm", "{'town': 'Bern'}"]),
        (ROOT / "docs" / "reference" / "python.md", ["inputSchema"]),
        (
            ROOT / "docs" / "http-apis.md",
            [
                "https://garden.example/v1/beds/7?parts=soil,a%2Fb",
                "PUT http://localhost:8000/beds/7",
                'b\'{"name":"Roses"}\'',
            ],
        ),
        (ROOT / "docs" / "describe-your-program.md", ['"NOTES_TOKEN"', '"destructive": true']),
        pytest.param(
            ROOT / "docs" / "reference" / "end-to-end.md",
            ["garden clear_bed True", "garden clear_bed ['safety-weaker'"],
            marks=needs_python3,
        ),
        pytest.param(
            ROOT / "docs" / "reference" / "ask-and-run.md",
            ["('/usr/bin/basename', '/srv/notes/milk.txt')", "milk.txt\n"],
            marks=needs_programs,
        ),
    ],
    ids=lambda value: getattr(value, "stem", ""),
)
def test_the_examples_in_python_run(
    page: Path, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(resolution, "is_root", lambda: False)
    run_python(page, tmp_path)
    printed = capsys.readouterr().out
    assert [word for word in words if word not in printed] == []


def test_no_example_in_python_is_left_out() -> None:
    assert {page.stem for page in PAGES if "```python\n" in page.read_text(encoding="utf-8")} == {
        "README",
        "ask-and-run",
        "adapters",  # make adapters
        "calls",
        "http-apis",
        "describe-your-program",
        "end-to-end",
        "python",
    }


@pytest.mark.golden
@pytest.mark.parametrize("name", pictures.TERMINALS)
def test_a_picture_of_a_terminal_shows_what_the_program_prints(name: str) -> None:
    same_file(ROOT / "docs" / "images" / name, pictures.draw(pictures.TERMINALS[name]))


@pytest.mark.golden
@pytest.mark.parametrize("name", pictures.EDITORS)
def test_a_picture_of_an_editor_shows_what_the_language_server_answers(name: str) -> None:
    pytest.importorskip("pygls", reason="the extra `lsp` is not installed")
    pytest.importorskip("pytest_lsp", reason="the extra `dev` has its client")
    same_file(ROOT / "docs" / "images" / name, pictures.draw_editor(pictures.EDITORS[name]))


def test_every_make_target_that_the_pages_name_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"(?:`|^)make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert named <= targets, page.name


def shown_commands() -> Iterator[tuple[str, list[str]]]:
    """The commands of toolglot that pages show without what they print."""
    for page in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            for part in block.replace(" | ", "\n").splitlines():
                words = shlex.split(part, comments=True)
                if words[:1] == ["toolglot"]:
                    yield page.name, words[1:]


def test_the_commands_that_are_shown_without_their_output_are_commands() -> None:
    commands = list(shown_commands())
    assert commands
    for page, (name, *arguments) in commands:
        command = cli.commands[name]
        if isinstance(command, click.Group):
            command = command.commands[arguments.pop(0)]
        rest = command.make_parser(click.Context(command, **cli.context_settings)).parse_args(arguments)[1]
        assert rest == [], f"{page}: {name} {arguments}"


def test_the_readme_stands_by_itself() -> None:
    """It is the description of the package elsewhere too, where no file of the repository lies beside it."""
    text = README.read_text(encoding="utf-8")
    assert len(text.encode()) <= 10_000
    assert list(links.targets(text))
    description = runpy.run_path(str(ROOT / "hatch_build.py"))["long_description"](text)
    assert list(links.targets(description)) == []


def test_the_walk_through_the_code_is_the_way_a_document_takes() -> None:
    walk = re.findall(
        r"^\| `([\w/]+)\.(\w+)` \|", (ROOT / "docs/internals/architecture.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    calls: list[tuple[str, str]] = []

    def take_down(frame: FrameType, event: str, argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE):
            calls.append((path.relative_to(PACKAGE).with_suffix("").as_posix(), frame.f_code.co_name))

    profiler = sys.getprofile()
    sys.setprofile(take_down)
    try:
        conversion = toolglot.convert(ROOT / "fixtures/demo/TOOL.md", "atip")
        assert conversion.files
        assert conversion.report
    finally:
        sys.setprofile(profiler)
    rest = iter(calls)
    assert [step for step in walk if step not in rest] == []


def test_the_readme_names_commands_that_are_functions() -> None:
    [sentence] = re.findall(r"\. ([^.]*) are functions too", README.read_text(encoding="utf-8"))
    names = set(re.findall(r"`(\w+)`", sentence))
    assert names == {
        name
        for name in (words.split()[-1] for words, _ in walk_commands())
        if inspect.isfunction(getattr(toolglot, name, None))
    }


def test_ci_runs_the_test_command_of_the_readme() -> None:
    assert "make test" in README.read_text(encoding="utf-8")
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_an_editor_understands_the_lines_of_check() -> None:
    text = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    [task] = [
        block for block in re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) if "tasks" in block
    ]
    matcher = re.compile(json.loads(task)["tasks"][0]["problemMatcher"]["pattern"]["regexp"])
    shown = (TRANSCRIPTS / "07-check.md").read_text(encoding="utf-8").splitlines()
    findings = [line for line in shown if re.match(r"\S+\.\w+:\d+:\d+: ", line)]
    assert findings
    assert [line for line in findings if not matcher.match(line)] == []


def test_every_link_leads_somewhere() -> None:
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in docs_site.pages()}
    broken = []
    for page, text in texts.items():
        for target in links.targets(text):
            path = Path(os.path.normpath(page.parent / target.path)) if target.path else page
            if not (ROOT / path).exists() or (target.anchor and target.anchor not in links.anchors(texts[path])):
                broken.append(f"{page}: {target.path}#{target.anchor}")
    assert broken == []


@pytest.mark.golden
def test_the_navigation_has_every_page_once() -> None:
    config = ROOT / "mkdocs.yml"
    text = config.read_text(encoding="utf-8")
    manual = "".join(f"      - fixtures/cli/{path.name}\n" for path in TRANSCRIPT_PAGES)
    same_file(config, re.sub(r"(?<=      # manual\n).*?(?=      # /manual)", manual, text, flags=re.DOTALL))
    named = re.findall(r"- (\S+\.md)$", config.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(path.as_posix() for path in docs_site.pages())


def test_the_site_shows_the_names_of_files() -> None:
    assert docs_site.for_site("```json a/b.json\n{}\n```\n") == "`a/b.json`:\n\n```json\n{}\n```\n"
