"""Files that earlier versions wrote are read as they were, and what is written today holds all that they hold.

`fixtures/stability/N` has the files of version N of each form as they were written first. They are never written anew:
a change that breaks one of these tests breaks somebody's pipeline, and needs the next number, as
docs/reference/stability.md says.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from streams import run
from toolglot.converter.schema import canonical

ROOT = Path(__file__).parents[1]
FILES = ROOT / "fixtures" / "stability"
PAGE = (ROOT / "docs" / "reference" / "stability.md").read_text(encoding="utf-8")

# What is written -> the arguments that write it to standard output, or to the file NEW.
WRITTEN = {
    "report.json": ("convert", "tool.mcp.json", "--to", "atip", "--report", "NEW"),
    "difference.json": ("diff", "tool.mcp.json", "newer.mcp.json", "--format", "json"),
    "tokens.json": ("tokens", "tool.mcp.json", "--format", "json"),
    "inventory.json": ("program", "discover", "old.atip.json", "--format", "json"),
    "migration.json": ("migrate", "--check", "old.atip.json", "--report", "NEW"),
    "baseline.json": ("check", "tool.mcp.json", "--baseline", "NEW", "--update-baseline"),
    "cards.json": ("show", "tool.mcp.json", "--format", "json"),
    "findings.json": ("check", "tool.mcp.json", "--format", "json"),
    "rule.json": ("rule", "enum-empty", "--format", "json"),
    "formats.json": ("formats", "--format", "json"),
    "lossless.atip.json": ("convert", "tool.mcp.json", "--to", "atip", "--lossless"),
}
WITH_SCHEMA = {
    "report": "report",
    "difference": "difference",
    "tokens": "tokens",
    "inventory": "inventory",
    "cards": "card",
}
WITHOUT_MARK = ("check tool.mcp.json", "rule", "formats")  # they print lists


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FILES, tmp_path / "stability"))


def keys_of(data: Any, path: str = "") -> Iterator[str]:
    """Each key with the keys above it, the same for every item of a list."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield f"{path}/{key}"
            yield from keys_of(value, f"{path}/{key}")
    elif isinstance(data, list):
        for item in data:
            yield from keys_of(item, f"{path}/*")


def mark_of(data: Any) -> tuple[str, Any]:
    if not isinstance(data, dict):
        return "", None
    return next(((key, value) for key, value in data.items() if key.startswith("toolglot-")), ("", None))


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_of_today_holds_what_the_first_of_its_version_held(name: str, folder: Path) -> None:
    done = run(folder, [argument.replace("NEW", "new.json") for argument in WRITTEN[name]])
    new = folder / "new.json"
    today = json.loads(new.read_text(encoding="utf-8") if new.exists() else done.stdout)
    first = json.loads((folder / "1" / name).read_text(encoding="utf-8"))
    assert mark_of(today) == mark_of(first)
    assert not {*keys_of(first)} - {*keys_of(today)}


@pytest.mark.parametrize("name", WITH_SCHEMA)
def test_the_schema_of_a_version_accepts_its_first_file(name: str) -> None:
    data = json.loads((FILES / "1" / f"{name}.json").read_text(encoding="utf-8"))
    assert canonical.is_valid(data, f"{WITH_SCHEMA[name]}/1")
    assert mark_of(data) == (f"toolglot-{name}", 1)


def test_the_page_says_which_outputs_are_lists(folder: Path) -> None:
    for command in WITHOUT_MARK:
        listed = json.loads(run(folder, [*command.split(), "--format", "json"]).stdout)
        assert {type(item) for item in listed} == {dict}
        assert f"`{command.split()[0]} --format json`" in PAGE
    assert {*json.loads((folder / "1" / "rule.json").read_text(encoding="utf-8"))} <= {
        *json.loads(run(folder, ["rule", "--format", "json"]).stdout)[0]
    }


def test_a_baseline_still_leaves_out_its_findings(folder: Path) -> None:
    assert run(folder, ["check", "--fail-on", "warning", "tool.mcp.json"]).code == 1
    done = run(folder, ["check", "--fail-on", "warning", "tool.mcp.json", "--baseline", "1/baseline.json"])
    assert done.code == 0, done.stdout


def test_a_lossless_document_still_comes_back(folder: Path) -> None:
    back = run(folder, ["convert", "1/lossless.atip.json", "--to", "mcp", "--restore"])
    assert json.loads(back.stdout)["tools"] == [json.loads((folder / "tool.mcp.json").read_text(encoding="utf-8"))]


def test_a_lock_still_holds_its_server(folder: Path) -> None:
    lock = folder / "1" / "lock.json"
    assert "no change of a contract" in compare_with(lock)
    lock.write_text(lock.read_text(encoding="utf-8").replace("Delete one note", "Delete a note"), encoding="utf-8")
    assert "Delete a note" in compare_with(lock)


def compare_with(lock: Path) -> str:
    """What `pull --check` says of the server; its command is another one than in the lock, which it says too."""
    server = str(ROOT / "fixtures" / "demo" / "notes_server.py")
    configuration = {"mcpServers": {"notes": {"command": sys.executable, "args": [server]}}}
    (lock.parent / "mcp.json").write_text(json.dumps(configuration), encoding="utf-8")
    done = run(lock.parent, ["pull", "--config", "mcp.json", "--yes", "--check", lock.name])
    return done.stdout + done.stderr


def test_the_page_names_each_mark() -> None:
    marks = {mark_of(json.loads(file.read_text(encoding="utf-8")))[0] for file in (FILES / "1").iterdir()} - {""}
    assert marks == {*re.findall(r"`(toolglot-[a-z]+)`", PAGE)}
