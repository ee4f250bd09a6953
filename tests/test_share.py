"""What a wheel puts under `share`: manual pages, and completions that complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import man_pages
from golden import ROOT
from toolglot.cli import cli

SHARE = ROOT / "share"
COMPLETIONS = {
    "bash": SHARE / "bash-completion" / "completions" / "toolglot",
    "fish": SHARE / "fish" / "vendor_completions.d" / "toolglot.fish",
    "zsh": SHARE / "zsh" / "site-functions" / "_toolglot",
}


@pytest.mark.parametrize(
    ("text", "roff"),
    [("a --b", "a \\-\\-b"), (".x\n'y", "\\&.x\n\\&'y"), ("a\\b", "a\\eb")],
    ids=["hyphens", "requests", "backslash"],
)
def test_no_text_is_taken_for_a_request(text: str, roff: str) -> None:
    assert man_pages.escaped(text) == roff


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is what reads manual pages, and is not here")
def test_groff_has_nothing_to_say_of_a_page() -> None:
    for page in (SHARE / "man" / "man1").iterdir():
        done = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), page.name


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_a_completion_asks_the_program(shell: str) -> None:
    text = COMPLETIONS[shell].read_text(encoding="utf-8")
    assert f"_TOOLGLOT_COMPLETE={shell}_complete" in text


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    program = tmp_path / "toolglot"
    code = "from toolglot.cli import cli; cli(prog_name='toolglot')"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    program.chmod(0o755)
    script = """
        source "$1"
        COMP_WORDS=(toolglot c); COMP_CWORD=1; _toolglot_completion toolglot; echo "${COMPREPLY[*]}"
        COMPREPLY=()
        COMP_WORDS=(toolglot check --stat); COMP_CWORD=2; _toolglot_completion toolglot; echo "${COMPREPLY[*]}"
    """
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = ["bash", "--norc", "-c", script, "bash", str(COMPLETIONS["bash"])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    commands, options = done.stdout.splitlines()
    assert commands.split() == sorted(name for name in cli.commands if name.startswith("c"))
    assert options == "--statistics"
