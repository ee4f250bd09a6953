"""A repository of everyday files: check, migrate, hooks and catalog say what is to be said, and no more.

All of it is tried on some hundred files in this process, and the verbs on more, as people call them: with a process
for each core. `make everyday` tries all of it so, on two thousand.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

import everyday
import streams
from everyday import File
from streams import Ran
from systems import needs_git

pytestmark = needs_git
NUMBER = int(os.environ.get("TOOLGLOT_EVERYDAY", "120"))
MANY = max(200, NUMBER)  # enough for four processes
# Each new process costs more than fifty files.
JOBS = () if "TOOLGLOT_EVERYDAY" in os.environ else ("--jobs", "1")
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((Path(__file__).parents[1] / ".pre-commit-hooks.yaml").read_text())
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[File]]:
    root = tmp_path_factory.mktemp("made") / "everyday"
    root.mkdir()
    files = everyday.generate(root, NUMBER)
    assert {file.kind for file in files} == {*everyday.KINDS}
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    return root, files


@pytest.fixture
def files(made: tuple[Path, list[File]]) -> list[File]:
    return made[1]


@pytest.fixture
def root(made: tuple[Path, list[File]], tmp_path: Path) -> Path:
    shutil.copytree(made[0], tmp_path / "everyday")
    return tmp_path / "everyday"


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git/" not in path.as_posix()
    }


def of(files: list[File], *kinds: str) -> set[str]:
    return {file.path for file in files if file.kind in kinds}


def named(text: str, files: list[File]) -> set[str]:
    """The files that lines of a text begin with."""
    paths = {file.path for file in files}
    return paths & {line.split(": ")[0].split(":")[0] for line in text.splitlines()}


def run(root: Path, arguments: list[str], jobs: Sequence[str] = JOBS) -> Ran:
    return streams.run(root, [arguments[0], *jobs, *arguments[1:]])


def hook(root: Path, name: str, paths: list[str], jobs: Sequence[str] = JOBS) -> Ran:
    """What pre-commit runs: it selects by type, and names the files that it found."""
    given = [path for path in paths if re.search(HOOKS[name]["files"], path)]
    return run(root, [*shlex.split(HOOKS[name]["entry"])[1:], *HOOKS[name]["args"], *given], jobs)


def refused_for_a_kind(done: Ran) -> set[str]:
    return {line.split(":")[0] for line in (done.stdout + done.stderr).splitlines() if "[kind-needed]" in line}


def test_many_files(tmp_path: Path) -> None:
    files = everyday.generate(tmp_path, MANY)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    before = contents(tmp_path)
    assert len(before) >= MANY
    assert named(run(tmp_path, ["check"], jobs=()).stdout, files) == of(files, "old tool", "split tool", "unsaid tool")

    migrated = hook(tmp_path, "toolglot-migrate", [*before], jobs=())
    assert (migrated.code, refused_for_a_kind(migrated)) == (1, of(files, "unsaid tool"))
    after = contents(tmp_path)
    assert {path for path in before if after[path] != before[path]} == of(files, *everyday.MIGRATED)
    assert run(tmp_path, ["migrate", "attic", "--kind", "cli", "-q"], jobs=()).code == 0

    catalog = run(tmp_path, ["catalog", ".", "--to", "mcp", "--namespace", "file"], jobs=())
    assert catalog.code == 0
    assert len(json.loads(catalog.stdout)["tools"]) == sum(file.tools for file in files)


def test_check_speaks_of_old_files_and_of_nothing_else(made: tuple[Path, list[File]]) -> None:
    root, files = made
    done = run(root, ["check"])
    assert named(done.stdout, files) == of(files, "old tool", "split tool", "unsaid tool")
    others = of(files, *everyday.NOTED)
    assert len(named(done.stderr, files)) == 10
    assert f"and {len(others) - 10} more that are called like tool descriptions are passed over" in done.stderr
    assert named(done.stderr, files) < others < named(run(root, ["check", "-v"]).stderr, files)
    strict = run(root, ["check", "-q", "--format", "json"])
    assert {found["source"] for found in json.loads(strict.stdout)} == named(done.stdout, files)


def test_what_is_broken_is_found_among_all_the_others(root: Path, files: list[File]) -> None:
    bad = {
        ".tools/bad/TOOL.md": "---\nid: a\nid: b\n---\n",
        ".actions/bad/ACTION.md": "---\nschema: action/v1\nid: 7\n---\n",
        "host/bad.tools.json": '{"toolId": "a", "source": "mcp", "safetyTier": "reed"}',
        "servers/bad.mcp.json": '{"tools": [{"name": "a", "inputSchema": 7}]}',
        "export/bad.jsonl": '{"toolId": "a", "source": "mcp"}\n',
        "servers/merged.yaml": "name: a\ninputSchema: &s {type: object}\noutputSchema:\n  <<: *s\n",
        "servers/twice.yml": "name: a\ninputSchema: {type: object}\nname: b\n",
    }
    for path, text in bad.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    found = run(root, ["check", "-q", "--format", "json"])
    assert found.code == 2
    errors = {item["source"] for item in json.loads(found.stdout) if item["severity"] == "error"}
    assert bad.keys() <= errors
    assert errors - bad.keys() <= of(files, "old tool", "split tool", "unsaid tool")


def test_migrate_rewrites_what_is_old_and_names_what_lacks_a_fact(root: Path, files: list[File]) -> None:
    before = contents(root)
    assert run(root, ["migrate", ".", "--check"]).code == 1
    assert contents(root) == before
    done = run(root, ["migrate", "."])
    assert done.code == 1
    after = contents(root)
    changed = {path for path in before if after[path] != before[path]}
    assert changed == of(files, *everyday.MIGRATED)
    beside = {Path(path).parent / name for path in of(files, "split tool") for name in ("DRIVER.md", "SECRETS.md")}
    assert {Path(path) for path in after.keys() - before.keys()} == beside
    assert refused_for_a_kind(done) == of(files, "unsaid tool")
    [command] = re.findall(r"^new files; to commit them: git add -- (.*)$", done.stderr, re.MULTILINE)
    assert {Path(path) for path in shlex.split(command)} == beside
    assert named(run(root, ["check"]).stdout, files) == of(files, "unsaid tool")
    assert run(root, ["migrate", ".", "--kind", "cli", "-q"]).code == 0
    again = contents(root)
    assert run(root, ["migrate", "."]).code == 0
    assert contents(root) == again
    assert run(root, ["check", "-q", "--fail-on", "warning"]).stdout == ""


def test_hooks_that_are_given_every_file_do_the_same(root: Path, files: list[File]) -> None:
    """A file that is no tool description stops nobody."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True).stdout
    everything = listed.splitlines()
    done = hook(root, "toolglot-migrate", everything)
    assert (done.code, refused_for_a_kind(done)) == (1, of(files, "unsaid tool"))
    diff = subprocess.run(["git", "diff", "--name-only"], cwd=root, check=True, capture_output=True, text=True).stdout
    beside = {f"{Path(path).parent}/{name}" for path in of(files, "split tool") for name in ("DRIVER.md", "SECRETS.md")}
    assert set(diff.splitlines()) == of(files, *everyday.MIGRATED) | beside
    shutil.rmtree(root / "attic")
    everything = [path for path in everything if not path.startswith("attic/")]
    assert hook(root, "toolglot-migrate", everything).code == 0
    assert hook(root, "toolglot-check", everything).code == 0


def test_the_catalog_has_every_tool(root: Path, files: list[File]) -> None:
    """Files of several servers are told apart by `--namespace`; a `TOOL.md` of long ago is refused and named."""
    done = run(root, ["catalog", ".", "--to", "mcp", "--namespace", "file"])
    legacy = of(files, "split tool", "unsaid tool")
    assert done.code == 2
    assert named("\n".join(line for line in done.stderr.splitlines() if "error" in line), files) == legacy
    assert len(json.loads(done.stdout)["tools"]) == sum(file.tools for file in files if file.path not in legacy)
    run(root, ["migrate", ".", "--kind", "cli", "-q"])
    done = run(root, ["catalog", ".", "--to", "mcp", "--namespace", "file"])
    assert done.code == 0
    tools = json.loads(done.stdout)["tools"]
    assert len(tools) == len({tool["name"] for tool in tools}) == sum(file.tools for file in files)
