"""What others copy or name: the hooks know the files of the registry, and the workflow's commands run."""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import repository
from rows import for_each
from streams import run
from systems import needs_git
from toolglot.converter import formats
from toolglot.converter.file_search import DETECTED

ROOT = Path(__file__).parents[1]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / "fixtures" / "examples" / "github-workflow.yml").read_text())
STEPS = [step for step in WORKFLOW["jobs"]["tools"]["steps"] if step.get("run", "").startswith("toolglot")]
PATTERNS = [pattern for name in formats.names() for pattern in formats.marks_of(name).searched_patterns]


def test_the_workflow_installs_toolglot_in_a_way_that_the_readme_knows() -> None:
    [install] = [step["run"] for step in WORKFLOW["jobs"]["tools"]["steps"] if "pip install" in step.get("run", "")]
    has_release = "No package index has a release yet" not in (ROOT / "README.md").read_text(encoding="utf-8")
    assert install.endswith(" toolglot") is has_release
    assert ("git+" in install) is not has_release


def arguments_of(hook: dict[str, Any]) -> list[str]:
    program, *arguments = shlex.split(hook["entry"])
    assert program == "toolglot"
    return [*arguments, *hook["args"]]


@for_each("hook", HOOKS, ids=lambda hook: hook["id"])
@for_each("pattern", [*PATTERNS, *DETECTED])
def test_a_hook_looks_at_every_file_that_a_walk_looks_at(hook: dict[str, Any], pattern: str) -> None:
    name = pattern.replace("*", "some.tool")
    plain = name.removesuffix(".gz").removesuffix(".zst")  # which pre-commit has no word for
    assert bool(re.search(hook["files"], name)) == (name == plain or (name.endswith(".gz") and "check" in hook["id"]))
    assert re.search(hook["files"], f"deep/.tools/{plain.upper()}")
    assert not re.search(hook["files"], f"{name}.bak")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_leaves_other_files_alone(hook: dict[str, Any], tmp_path: Path) -> None:
    others = {
        "README.md": "# Text\n",
        "package.json": '{"name": "part"}',
        "docs/TOOL.md": "# How to hold it\n",
        "tools.yaml": "on: push\n",
        ".mcp.json": '{"mcpServers": {}}',
        "list.tools.json": '{"groups": []}',
        "settings.json": '{"size": 7} // of the window',
        "latin.json": '{"author": "Ren\xe9"}',
        "chart.yaml": "image: {{ .Values.image }}: [",
        "compose.yaml": "x-log: &log {driver: none}\nweb:\n  <<: *log\n",
        "SKILL.md": "---\nname: sail\ndescription: Sail.\n---\n",
    }
    for name, content in others.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, "latin-1")
    assert run(tmp_path, [*arguments_of(hook), *others]).code == 0
    assert {name: (tmp_path / name).read_text("latin-1") for name in others} == others


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_and_obeys_the_settings(hook: dict[str, Any], tmp_path: Path) -> None:
    arguments = arguments_of(hook)
    (tmp_path / "toolglot.toml").write_text('extend-exclude = ["vendor"]\n')
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor" / "TOOL.md").write_text("---\nid: [\n---\n")
    (tmp_path / "TOOL.md").write_text(repository.tool_md(1, random.Random(0)))
    (tmp_path / "--diff.atdf.json").write_text(repository.record(1, random.Random(0)).replace('"id"', '"tool_id"'))
    done = run(tmp_path, [*arguments, "TOOL.md", "vendor/TOOL.md", "--diff.atdf.json"])
    assert (done.code, done.stdout.startswith("---")) == (0, False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository whose branch `main` has one tool; the working tree has its next minor version."""
    draw = random.Random(0)
    who = ["-c", "user.name=scratch", "-c", "user.email=scratch@example.org"]
    tool = tmp_path / "tools" / "archive" / "TOOL.md"
    tool.parent.mkdir(parents=True)
    tool.write_text(repository.tool_md(1, draw))
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "tools"]):
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True)
    subprocess.run(["git", "update-ref", "refs/remotes/origin/main", "main"], cwd=tmp_path, check=True)
    text = tool.read_text()
    tool.write_text(
        re.sub(r"version: 1\.\d", "version: 1.9", text).replace("limit: {", "order: {type: string}, limit: {")
    )
    return tmp_path


@needs_git
@pytest.mark.parametrize("step", STEPS, ids=lambda step: " ".join(step["run"].split()[:2]))
def test_a_step_of_the_workflow_runs(step: dict[str, Any], checkout: Path) -> None:
    summary = checkout / "summary.md"
    programs = os.path.dirname(sys.executable)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_BASE_REF": "main",
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    command = ["bash", "-ec", step["run"]]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if "summary" in step["run"].lower():
        assert "1 compatible" in summary.read_text()
