"""`toolglot program discover`: what it prints and writes, what it ends with, and that nothing runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import toolglot
from inventory_files import DIGITS, Shared, binary, program
from toolglot.cli import main
from toolglot.converter import safety
from toolglot.converter.schema.document_problems import find_problems
from toolglot.runtime.inventory.kept_answers import Store

UNSAFE = {"destructive": True, "network": True}


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shared:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "system"))
    return Shared(tmp_path)


# -- nothing runs ------------------------------------------------------------------------------------------------------

RUNS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "os.system", "os.spawn", "pty.spawn")
_watching: list[list[str]] = []  # where events are kept; empty while nobody asks


def _watch(event: str, _: Any) -> None:
    if not _watching:  # nearly always: it hears of every file that any later test opens
        return
    if event in RUNS or event.startswith(("socket.", "urllib.", "http.", "ctypes.")):
        for events in _watching:
            events.append(event)


@pytest.fixture(scope="session")
def watch() -> None:
    """One hook for all tests: it cannot be taken away, so that it is switched."""
    sys.addaudithook(_watch)


@pytest.fixture
def events(watch: None) -> Iterator[list[str]]:
    """What runs or reaches for the network while a test lasts."""
    _watching.append([])
    yield _watching[-1]
    _watching.clear()


def test_the_watch_sees_what_runs(events: list[str]) -> None:
    subprocess.run([sys.executable, "-c", ""], check=True)
    assert "subprocess.Popen" in events


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--format", "json"],
        ["--verbose", "--write-registry"],
        ["--format", "registry"],
        ["--to", "mcp"],
    ],
    ids=" ".join,
)
def test_nothing_runs_whatever_files_say(
    arguments: list[str], shared: Shared, events: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """1 and 3: canaries stand in `PATH`, where registries lead, and in the folders themselves."""
    traces = shared.folder / "traces"
    canary = f"#!/bin/sh\ntouch {traces}\n"
    shims = shared.root / "shims"
    shims.mkdir()
    for path in (shared.binary, shared.binary.parent / "gh", shims / "demo", shims / "canary.json"):
        path.write_text(canary)
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shared.binary.parent}:{os.environ['PATH']}")
    shared.put_registry("b" * 64, shimRegistry="http://127.0.0.1:9/")
    shared.put("shims/demo.json", program(binary=binary(DIGITS)))
    shared.put("tools/gh.json", program("gh", effects=UNSAFE))
    shared.put("config.json", {"discovery": {"safe_paths": [str(shared.binary.parent)]}})
    shared.put("registries.json", {"registries": [{"name": "r", "url": "http://127.0.0.1:9/"}]})
    assert main(["program", "discover", *arguments]) == 2  # the canary among the shims is no JSON
    assert events == []
    assert not traces.exists()


# -- what it prints ----------------------------------------------------------------------------------------------------


def test_the_list_for_programs_is_valid(shared: Shared, capsys: pytest.CaptureFixture[str]) -> None:
    shared.put_registry(shared.digits)
    shared.put(f"shims/sha256/{shared.digits}.json", program(binary=binary(shared.digits)))
    shared.put("shims/demo.json", program(effects=UNSAFE))
    shared.put("patterns/a.json", {"name": "a", "steps": [{"command": "demo run"}]})
    shared.put("other/x.json", "{}")
    assert main(["program", "discover", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert not list(find_problems(data, "inventory/1"))
    [one] = data["programs"]
    assert (one["sha256"], one["trust"]["evidence"]) == (shared.digits, "hash")
    assert [item["field"] for item in one["added"]] == ["destructive", "network"]
    assert [item["name"] for item in data["workflows"]] == ["a"]


def test_what_a_terminal_would_obey_is_not_repeated(shared: Shared, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "a\x1b[2J\u202e"
    shared.put("registry.json", {"version": "0.1", "tools": {evil: {"path": f"/opt/{evil}", "source": evil}}})
    shared.put("registries.json", {"registries": [{"name": evil, "url": evil}]})
    shared.put("patterns/a.json", {"name": evil, "steps": [{"command": evil}]})
    assert main(["program", "discover", "--verbose", str(shared.root)]) == 0
    out = capsys.readouterr()
    assert all(line.isprintable() for line in (out.out + out.err).splitlines())
    assert "u202e" in out.out


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"tools/demo.json": program()}, 0),
        ({"tools/demo.json": program(), "config.json": {"discovery": {"x": 1}}}, 0),
        ({"tools/other.json": program()}, 1),
        ({"tools/demo.json": "{", "tools/other.json": program()}, 2),
    ],
)
def test_the_exit_code_says_what_was_left_out(files: dict[str, Any], code: int, shared: Shared) -> None:
    for name, data in files.items():
        shared.put(name, data)
    assert main(["program", "discover", "--quiet"]) == code


@pytest.mark.parametrize("arguments", [["--to", "mcp", "--format", "registry"], ["--to", "nothing"], ["--to", "html"]])
def test_options_that_do_not_go_together_are_refused(arguments: list[str], shared: Shared) -> None:
    shared.put("tools/demo.json", program())
    assert main(["program", "discover", *arguments]) == 2


# -- what it writes ----------------------------------------------------------------------------------------------------


def test_our_registry_is_ours_and_theirs_stays(shared: Shared, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = shared.put_registry()
    before = theirs.read_bytes()
    assert main(["program", "discover", "--write-registry", "--quiet"]) == 0
    [known] = Store().programs()
    assert known.program is not None
    assert (known.name, known.program.sha256) == ("demo", shared.digits)
    assert Store().path in capsys.readouterr().err
    assert theirs.read_bytes() == before


def test_a_registry_for_others_has_the_hash_of_every_file(shared: Shared) -> None:
    shared.put_registry()
    shared.put("tools/gone.json", program("gone"))
    output = shared.folder / "registry.json"
    assert main(["program", "discover", "--format", "registry", "-o", str(output)]) == 0
    data = json.loads(output.read_bytes())
    assert data["version"] == "2"
    assert {name: (entry["path"], entry["hash"], entry["source"]) for name, entry in data["tools"].items()} == {
        "demo": (str(shared.binary.resolve()), f"sha256:{shared.digits}", "shim")
    }
    assert main(["program", "discover", "--format", "registry", "-o", str(output)]) == 2, (
        "it exists, and --force is not given"
    )
    assert main(["program", "discover", str(output), "--quiet"]) == 0


def test_a_conversion_has_the_dangers_that_others_say(shared: Shared) -> None:
    shared.put("tools/demo.json", program(effects={"destructive": False}))
    shared.put("shims/demo.json", program(effects=UNSAFE))
    output = shared.folder / "catalog.json"
    assert main(["program", "discover", "--to", "tool-descriptor", "-o", str(output), "--quiet"]) == 0
    [tool] = toolglot.read(output)
    assert tool.flags == ("destructive",)
    assert safety.caution(tool)["network"] == safety.UNSAFE


def test_of_two_versions_a_conversion_has_the_first(shared: Shared) -> None:
    for digits, version in ((DIGITS, "1.0"), ("b" * 64, "2.0")):
        data = program(binary=binary(digits), version=version)
        shared.put(f"shims/sha256/{digits}.json", data)
    output = shared.folder / "all.json"
    assert main(["program", "discover", "--to", "mcp", "-o", str(output), "--quiet"]) == 0
    assert len(toolglot.read(output)) == 1


def test_what_a_policy_blocks_is_not_converted(shared: Shared, capsys: pytest.CaptureFixture[str]) -> None:
    shared.put("tools/demo.json", program())
    shared.put("tools/good.json", program("good"))
    shared.put("policy.json", {"policy": {"toolApprovals": {"blocked": ["demo"]}}})
    assert main(["program", "discover", "--to", "hub"]) == 0
    out = capsys.readouterr()
    assert [tool.id for tool in toolglot.read(out.out)] == ["good"]
    assert "demo: left out" in out.err
