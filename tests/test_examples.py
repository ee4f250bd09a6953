"""The examples run: a tool is offered, called, judged, run, and answered, by each vendor's own client."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import pytest

from toolglot.diagnostics import checks

pytestmark = pytest.mark.vendors

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
PROGRAMS = sorted(path for path in EXAMPLES.glob("*.py") if path.name != "common.py")


def test_there_is_an_example_for_each_provider() -> None:
    assert [path.stem.partition("_")[0] for path in PROGRAMS] == ["anthropic", "gemini", "mcp", "openai", "openai"]


def test_the_tool_of_the_examples_is_valid() -> None:
    assert list(checks.check(EXAMPLES / "echo.atip.json")) == []


@pytest.mark.skipif(shutil.which("echo") is None, reason="the examples run the program echo, which Windows has not")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_example_runs(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")  # the example sets it
    runpy.run_path(str(path), run_name="__main__")  # a process of its own would import the vendor's package once more
    steps = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert list(steps)[:4] == ["offered", "call", "ran", "sent back"]
    assert steps["ran"] == '["echo", "-n", "it", "is", "noon"]'
    assert "it is noon" in steps["sent back"]
