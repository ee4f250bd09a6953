"""A format of another distribution: installed beside toolglot, found by its entry point, and held to the same laws."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from golden import FIXTURES

TESTS = Path(__file__).parent
EXAMPLE = FIXTURES / "examples" / "tool-card"
CARD = EXAMPLE / "cards" / "post-letter.card.yaml"
INSTALL = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--no-compile", "--disable-pip-version-check")


def run(module: str, *arguments: object, path: tuple[Path, ...] = (), **environment: str) -> str:
    """What a module of Python prints, with more folders to import from."""
    folders = os.pathsep.join([*map(str, path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env={**os.environ, **environment, "PYTHONPATH": folders},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_installed_format_is_one_of_them(tmp_path: Path) -> None:
    run("pip", "install", *INSTALL, "--target", tmp_path, EXAMPLE)

    assert "tool-card" in run("toolglot", "formats", path=(tmp_path,))
    assert run("toolglot", "check", "--strict", CARD, path=(tmp_path,)) == ""

    (there,) = json.loads(run("toolglot", "convert", CARD, "--to", "mcp", path=(tmp_path,)))["tools"]
    assert there["annotations"]["readOnlyHint"] is False
    assert there["inputSchema"]["required"] == ["address"]

    written = tmp_path / "post-letter.mcp.json"
    written.write_text(json.dumps(there), encoding="utf-8")
    back = json.loads(run("toolglot", "convert", written, "--to", "tool-card@1", path=(tmp_path,)))
    assert (back["card"], back["danger"]) == (1, "changes")
    assert back["parameters"][0]["values"] == {"type": "string", "minLength": 1}

    # Each test of the laws that has the format's name, with records that the distribution brings for it.
    laws = ("-q", "-p", "no:cacheprovider", "-p", "tool_card_records", TESTS / "test_laws.py", "-k", "tool-card")
    folders = (tmp_path, EXAMPLE / "tests", TESTS)
    passed = run("pytest", *laws, path=folders, TOOLGLOT_EACH="1", TOOLGLOT_LAWS="5")
    assert "5 passed" in passed
