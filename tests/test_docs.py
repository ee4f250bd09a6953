"""The README claims only what runs: its tables come from the code, its commands are executed.

`make accept` writes the tables and the outputs anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import corpus
import provider_corpus
from toolglot import formats
from toolglot.cli import cli
from toolglot.cli.exits import MEANINGS

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
ACCEPT = os.environ.get("TOOLGLOT_ACCEPT") == "1"


def formats_table() -> str:
    rows = ["| name | format | reads | writes | one document holds | files |", "| --- | --- | --- | --- | --- | --- |"]
    for found in map(formats.get, formats.names()):
        holds = ("a program" if found.one_per_file else "programs") if found.tree else "one tool"
        holds = holds if found.one_per_file or found.tree else "tools"
        cells = (", ".join(found.reads), ", ".join(found.writes), holds, ", ".join(f"`{p}`" for p in found.patterns))
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


GENERATED = {"formats": formats_table, "exit codes": exit_codes, "profiles": profiles_table}


def settle(found: str) -> None:
    if ACCEPT:
        README.write_text(found, encoding="utf-8")
    assert found == README.read_text(encoding="utf-8"), "README.md is out of date: run `make accept` and read the diff"


def with_block(text: str, name: str, content: str) -> str:
    return re.sub(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", rf"\g<1>\n{content}\n\n\g<2>", text, flags=re.DOTALL)


@pytest.mark.parametrize("name", GENERATED)
def test_a_table_is_what_the_code_says(name: str) -> None:
    settle(with_block(README.read_text(encoding="utf-8"), name, GENERATED[name]()))


@pytest.mark.skipif(not corpus.ROOT.is_dir(), reason="the corpus of real documents is not beside the checkout")
def test_the_corpus_table_is_what_a_run_gives_and_no_law_is_broken() -> None:
    results = corpus.run_all()
    faults = [f"{item.path.name}: {fault}" for items in results.values() for item in items for fault in item.broken]
    faults += [f"{item.path.name}: {fault}" for items in results.values() for item in items for fault in item.crashes]
    assert not faults
    settle(with_block(README.read_text(encoding="utf-8"), "corpus", corpus.table(results)))


@pytest.mark.skipif(not corpus.ROOT.is_dir(), reason="the corpus of real documents is not beside the checkout")
def test_the_providers_table_is_what_a_run_gives_and_no_definition_is_wrong() -> None:
    results = provider_corpus.run_all()
    assert not provider_corpus.faults(results)
    settle(with_block(README.read_text(encoding="utf-8"), "providers", provider_corpus.table(results)))


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
    settle(re.sub(r"(?<=```console\n).*?(?=```)", lambda found: replay(found.group()), text, flags=re.DOTALL))


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    for code in re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, "README.md", "exec"), {})
    assert "toolId" in capsys.readouterr().out


def test_every_make_target_that_the_readme_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)", README.read_text(encoding="utf-8")))
    assert named <= targets


def test_every_transcript_is_linked() -> None:
    text = README.read_text(encoding="utf-8")
    assert [path.name for path in sorted((ROOT / "fixtures" / "cli").glob("*.md")) if path.name not in text] == []
