"""The examples run: a tool is offered, called, judged, run, and answered, by each vendor's own client."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from toolglot.diagnostics import checks

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
PROGRAMS = sorted(path for path in EXAMPLES.glob("*.py") if path.name != "common.py")


def test_there_is_an_example_for_each_provider() -> None:
    assert [path.stem.partition("_")[0] for path in PROGRAMS] == ["anthropic", "gemini", "mcp", "openai", "openai"]


def test_the_tool_of_the_examples_is_valid() -> None:
    assert list(checks.check(EXAMPLES / "echo.atip.json")) == []


@pytest.mark.skipif(shutil.which("echo") is None, reason="the examples run the program echo, which Windows has not")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_example_runs(path: Path) -> None:
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    steps = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert list(steps)[:4] == ["offered", "call", "ran", "sent back"]
    assert steps["ran"] == '["echo", "-n", "it", "is", "noon"]'
    assert "it is noon" in steps["sent back"]
