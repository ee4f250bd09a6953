"""The README claims only what runs: its tables come from the code, its commands are executed.

`make accept` writes the tables and the outputs anew.
"""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import hub_reference
import secret_texts
from golden import README, same_file, same_readme, same_table
from test_architecture import LAYERS, PACKAGE
from toolglot import formats
from toolglot.cli import cli
from toolglot.cli.exit_codes import MEANINGS
from toolglot.hub import model

ROOT = Path(__file__).resolve().parents[1]
TRANSCRIPTS = ROOT / "fixtures" / "cli"
EXAMPLES = ROOT / "fixtures" / "examples"


def formats_table() -> str:
    rows = ["| name | format | reads | writes | one document holds | files |", "| --- | --- | --- | --- | --- | --- |"]
    for found in map(formats.get, formats.names()):
        holds = ("a program" if found.one_per_file else "programs") if found.tree else "one tool"
        holds = holds if found.one_per_file or found.tree else "tools"
        cells = (", ".join(found.versions), ", ".join(found.writes), holds, ", ".join(f"`{p}`" for p in found.patterns))
        rows.append(f"| `{found.name}` | {found.title} | {' | '.join(cells)} |")
    return "\n".join(rows)


def exit_codes() -> str:
    return "\n".join(
        ["| code | meaning |", "| ---: | --- |", *(f"| {code:d} | {text} |" for code, text in MEANINGS.items())]
    )


def profiles_table() -> str:
    lines = ["| target | profile | mode | names | facts from |", "| --- | --- | --- | --- | --- |"]
    for row in (row for name in formats.names() for row in formats.get(name).profiles):
        names = f"`[{row.name_first}][{row.name_rest}]*`, {row.name_limit}"
        mode = "strict" if row.strict else "loose"
        lines.append(
            f"| `{row.format}@{'`, `@'.join(row.versions)}` | `{row.profile}` | {mode} | {names} | {row.source} |"
        )
    return "\n".join(lines)


def manual() -> str:
    """The transcripts, each with its title."""
    titles = {path: path.read_text(encoding="utf-8").partition("\n")[0] for path in sorted(TRANSCRIPTS.glob("*.md"))}
    rows = [f"| `{path.name}` | {title.removeprefix('# ')} |" for path, title in titles.items()]
    return "\n".join(["| file | about |", "| --- | --- |", *rows])


def rooms() -> str:
    """The folders of the package in the order in which they may import each other, each with its own first line."""
    lines = ["| folder | what is in it |", "| --- | --- |"]
    for name in (name for layer in LAYERS for name in sorted(layer)):
        module = PACKAGE / name / "__init__.py"
        if module.is_file():
            docstring = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
            lines.append(f"| `{name}/` | {docstring.partition(chr(10))[0]} |")
    return "\n".join(lines)


GENERATED = {
    "rooms": rooms,
    "manual": manual,
    "formats": formats_table,
    "exit codes": exit_codes,
    "profiles": profiles_table,
    "secrets": secret_texts.table,
}


@pytest.mark.parametrize("name", GENERATED)
def test_a_table_is_what_the_code_says(name: str) -> None:
    same_table(name, GENERATED[name]())


def test_the_reference_of_the_hub_is_what_the_code_says() -> None:
    same_file(hub_reference.PATH, hub_reference.page())


@pytest.mark.parametrize("record", [model.Tool, model.Binding, model.ErrorCode, model.Example, model.AuthMethod])
def test_every_field_of_the_hub_says_its_meaning_and_its_source(record: type) -> None:
    fields = list(hub_reference.fields_of(record))
    assert [field.name for field in fields] == list(record.__annotations__)
    assert [field.name for field in fields if not (field.meaning.endswith(".") and field.source.endswith("."))] == []


def replay(block: str) -> str:
    lines = []
    for command in (line for line in block.splitlines() if line.startswith("$ ")):
        words = command[2:].split()
        lines.append(command)
        if words[0] == "cat":
            lines.append((ROOT / words[1]).read_text(encoding="utf-8").rstrip("\n"))
        else:
            result = CliRunner().invoke(cli, words[1:], prog_name="toolglot")
            lines.append(result.stdout.rstrip("\n"))
            lines += [f"2> {line}" for line in result.stderr.splitlines()]
    return "\n".join(lines) + "\n"


def test_the_examples_print_what_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = README.read_text(encoding="utf-8")
    same_readme(re.sub(r"(?<=```console\n).*?(?=```)", lambda found: replay(found.group()), text, flags=re.DOTALL))


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


def test_the_python_example_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], openai_stub: Any
) -> None:
    monkeypatch.chdir(ROOT)
    for code in re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, "README.md", "exec"), {})
    assert "toolId" in capsys.readouterr().out
    first, second = openai_stub.asked
    assert [tool["function"]["name"] for tool in first["tools"]] == ["echo_"]
    assert second["messages"][-1] == {"role": "tool", "tool_call_id": "call_1", "content": "it is noon"}


def test_every_make_target_that_the_readme_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)", README.read_text(encoding="utf-8")))
    assert named <= targets
