"""The examples run: a tool is offered, called, judged, run, and answered, by each vendor's own client."""

from __future__ import annotations

import json
import runpy
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from systems import needs_echo
from toolglot import agent
from toolglot.runtime.agent.named_programs import load_program
from toolglot.verbs.diagnostics import document_checks

pytestmark = pytest.mark.vendors

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
DESCRIBED = sorted((EXAMPLES / "programs").glob("notes_*.py"))
PROGRAMS = sorted(path for path in EXAMPLES.glob("*.py") if path.name != "common.py")


def steps_of(script: Path) -> dict[str, str]:
    """What a script prints of its steps; a process of its own would import the vendor's package once more.

    That package may keep `sys.stderr`, and hand it to programs that later tests start: it stays a file.
    """
    with redirect_stdout(StringIO()) as out:
        runpy.run_path(str(script), run_name="__main__")
    return dict(line.split(": ", 1) for line in out.getvalue().splitlines())


def test_there_is_an_example_for_each_provider() -> None:
    assert [path.stem.partition("_")[0] for path in PROGRAMS] == ["anthropic", "gemini", "mcp", "openai", "openai"]


def test_the_tool_of_the_examples_is_valid() -> None:
    assert list(document_checks.check(EXAMPLES / "echo.atip.json")) == []


@needs_echo
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_an_example_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")  # the example sets it
    steps = steps_of(path)
    assert list(steps)[:4] == ["offered", "call", "ran", "sent back"]
    assert steps["ran"] == '["echo", "-n", "it", "is", "noon"]'
    assert "it is noon" in steps["sent back"]


@pytest.mark.parametrize("path", DESCRIBED, ids=lambda path: path.stem)
def test_a_program_that_describes_itself_is_asked_and_called(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["call.py", str(path)])
    steps = steps_of(EXAMPLES / "programs" / "call.py")
    assert steps["findings"] == "0"
    assert [name.rpartition(".")[2] for name in json.loads(steps["tiers"])] == ["add", "list", "purge"]
    assert json.loads(steps["offered"]) == ["notes_add", "notes_list", "notes_purge"]
    assert (steps["call_notes_add"], steps["call_notes_list"]) == ("added", "buy milk #home")
    assert "destroys data for good" in steps["call_notes_purge"]


def test_the_frameworks_say_the_same_of_one_program() -> None:
    """But for a default: click and typer ask before they delete, and argparse does not know that its function does."""
    documents = []
    for path, name in zip(DESCRIBED, ("build_parser()", "cli", "app"), strict=True):
        loaded = load_program(f"{path}:{name}")
        document = json.loads(agent.document(loaded.program))
        for node in (document, *document["commands"].values()):
            node.pop("x-syntax", None)  # how a parser reads its words is its own
        purge = document["commands"]["purge"]
        purge["effects"].pop("interactive", None)
        purge["options"] = [{**option, "default": None, "required": None} for option in purge["options"]]
        for entry in (*document["commands"]["add"]["arguments"], *document["commands"]["list"]["options"]):
            entry["description"] = entry["description"].partition(" (")[0]
        documents.append(document)
    assert documents[0] == documents[1] == documents[2]
