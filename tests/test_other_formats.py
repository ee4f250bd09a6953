"""A format of another distribution: installed beside toolglot, found by its entry point, and held to the same laws."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from golden import FIXTURES
from toolglot.converter.formats import registry

TESTS = Path(__file__).parent
EXAMPLE = FIXTURES / "examples" / "tool-card"
CARD = EXAMPLE / "cards" / "post-letter.card.yaml"
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


# Several runs of the command line in one process, which looks for formats once, as each run of its own would.
RUNS = (
    "import json, sys; from toolglot.cli import main; sys.exit(any([main(each) for each in json.loads(sys.argv[1])]))"
)


def run(
    *arguments: object,
    path: tuple[Path, ...] = (),
    folder: Path = TESTS.parent,
    settings: tuple[tuple[str, str], ...] = (),
) -> str:
    """What Python prints, with more folders to import from, and settings in its environment."""
    folders = os.pathsep.join([*map(str, path), *sys.path])
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, **dict(settings), "PYTHONPATH": folders},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_installed_format_is_one_of_them(tmp_path: Path) -> None:
    # What pip does with a distribution of Python alone: it has the wheel built, and unpacks it.
    wheel = run("-c", BUILD, tmp_path, folder=EXAMPLE).strip()
    with zipfile.ZipFile(tmp_path / wheel) as packed:
        packed.extractall(tmp_path)

    (mcp, card) = (str(tmp_path / name) for name in ("post-letter.mcp.json", "post-letter.card.json"))
    runs = (
        ["formats"],
        ["check", "--fail-on", "warning", str(CARD)],
        ["convert", str(CARD), "--to", "mcp", "-o", mcp],
        ["convert", mcp, "--to", "tool-card@1", "-o", card],
    )
    assert "tool-card" in run("-c", RUNS, json.dumps(runs), path=(tmp_path,))

    (there,) = json.loads(Path(mcp).read_text("utf-8"))["tools"]
    assert there["annotations"]["readOnlyHint"] is False
    assert there["inputSchema"]["required"] == ["address"]

    back = json.loads(Path(card).read_text("utf-8"))
    assert (back["card"], back["danger"]) == (1, "changes")
    assert back["parameters"][0]["values"] == {"type": "string", "minLength": 1}

    # Each test of the laws that has the name of the format, with records that the distribution brings for it.
    laws = ("-q", "-p", "no:cacheprovider", "-p", "tool_card_records", TESTS / "test_laws.py", "-k", "tool-card")
    folders = (tmp_path, EXAMPLE / "tests", TESTS)
    settings = (("TOOLGLOT_EACH", "1"), ("TOOLGLOT_LAWS", "2"), ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"))
    passed = run("-m", "pytest", *laws, path=folders, settings=settings)
    assert "10 passed" in passed


def test_a_folder_that_may_not_be_read_offers_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert not registry._has_formats(str(tmp_path))
