"""The manual, `fixtures/cli/*.md`, is run, and so are the pages that people read: every command prints what they say.

In a fenced block of language `console` a line `$ command` is run, what follows is its stdout, lines that begin with
`2> ` are its stderr, and a last line `=> N` is its exit code where that is not 0. A fenced block whose info string
has a second word is a file of that name, and a program where it begins with `#!`. `$PWD` is the folder where all this
happens, and the programs run as if nobody were root. A page that is called like a folder of `fixtures/examples` finds
the files of that there, and one that names `fixtures/demo/` finds that folder. `TOOLGLOT_ACCEPT=1` writes what was
printed into the manual instead.
"""

from __future__ import annotations

import io
import os
import re
import runpy
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from golden import ACCEPT, EXAMPLES, FIXTURES, PAGES, copy_example
from streams import Stderr
from systems import needs_git, needs_programs, needs_python3, slashed, with_slashed_paths
from toolglot.cli import main
from toolglot.runtime.programs import ask, resolution

TRANSCRIPTS = sorted((FIXTURES / "cli").glob("*.md"))
VENDORS = ("anthropic", "google.genai", "mcp", "openai")  # whose clients the scripts of examples ask
WITH_COMMANDS = [page for page in PAGES if "```console\n" in page.read_text(encoding="utf-8")]
_FENCE = re.compile(r"(`{3,})(\S*)(?: +(\S+))?")
_NEEDS = (  # what a page shows, and what that needs
    (re.compile(r"^`{3,}\S* +\S+\n#!", re.MULTILINE), needs_programs),
    (re.compile(r"\[no-repository\]"), needs_git),
    (re.compile(r"-- python3 |\"command\": \"python3\""), needs_python3),
)


class Ran(NamedTuple):
    stdout: bytes
    stderr: bytes
    code: int


def run_here(function: Callable[[], int], stdin: bytes) -> Ran:
    """Run a program in this process, its streams apart."""
    saved = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", newline="\n", write_through=True)
    sys.stderr = Stderr(err, encoding="utf-8", newline="\n", write_through=True)
    try:
        code = function()
        return Ran(out.getvalue(), err.getvalue(), code)
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved


def toolglot(arguments: list[str], stdin: bytes) -> Ran:
    return run_here(lambda: main(arguments), stdin)


def python(arguments: list[str], stdin: bytes) -> Ran:
    """`python3 SCRIPT ARGUMENT...`, whose modules and variables go with it; a process would import vendors anew."""

    def run_script() -> int:
        runpy.run_path(arguments[0], run_name="__main__")
        return 0

    here = os.getcwd()
    own = {path.stem for path in Path(here).glob("*.py")}
    with patch.object(sys, "argv", arguments), patch.object(sys, "path", [here, *sys.path]), patch.dict(os.environ):
        try:
            return run_here(run_script, stdin)
        finally:
            for name in own & sys.modules.keys():
                del sys.modules[name]


def cat(arguments: list[str], stdin: bytes) -> Ran:
    missing = [name for name in arguments if not Path(name).is_file()]
    if missing:
        return Ran(b"", f"cat: {missing[0]}: no such file\n".encode(), 1)
    return Ran(b"".join(Path(name).read_bytes() for name in arguments) or stdin, b"", 0)


def ls(arguments: list[str], stdin: bytes) -> Ran:
    names = sorted(os.listdir(arguments[0] if arguments else "."))
    return Ran("".join(f"{name}\n" for name in names).encode(), b"", 0)


def head(arguments: list[str], stdin: bytes) -> Ran:
    return Ran(b"".join(stdin.splitlines(keepends=True)[: int(arguments[1])]), b"", 0)


def grep(arguments: list[str], stdin: bytes) -> Ran:
    """`grep -E PATTERN [FILE]`."""
    text = Path(arguments[2]).read_bytes() if len(arguments) > 2 else stdin
    lines = [line for line in text.splitlines(keepends=True) if re.search(arguments[1].encode(), line)]
    return Ran(b"".join(lines), b"", 0 if lines else 1)


PROGRAMS: dict[str, Callable[[list[str], bytes], Ran]] = {
    "toolglot": toolglot, "python3": python, "cat": cat, "ls": ls, "head": head, "grep": grep,
}  # fmt: skip


def shell(line: str) -> Ran:
    """A line with `|` and `<`; the exit code is that of the last program."""
    lexer = shlex.shlex(line.replace("$PWD", slashed(os.getcwd())), posix=True, punctuation_chars="|<")
    lexer.whitespace_split = True
    words = list(lexer)
    ran, errors = Ran(b"", b"", 0), b""
    while words:
        end = words.index("|") if "|" in words else len(words)
        (name, *arguments), words = words[:end], words[end + 1 :]
        stdin = ran.stdout
        if "<" in arguments:
            at = arguments.index("<")
            stdin = Path(arguments[at + 1]).read_bytes()
            del arguments[at : at + 2]
        ran = PROGRAMS[name](arguments, stdin)
        errors += ran.stderr
    return ran._replace(stderr=errors)


def printed(ran: Ran) -> list[str]:
    """What was printed, as a transcript shows it."""
    here = os.getcwd()
    stdout, stderr = (
        with_slashed_paths(printed_bytes.decode(), here).replace(slashed(here), "$PWD")
        for printed_bytes in (ran.stdout, ran.stderr)
    )
    lines = stdout.splitlines()
    lines += [f"2> {line}".rstrip() for line in stderr.splitlines()]
    return [*lines, f"=> {ran.code}"] if ran.code else lines


def replay(text: str) -> str:
    """Run the commands of a transcript in the current folder; return it with what they printed."""
    lines: list[str] = []
    fence: re.Match[str] | None = None
    block: list[str] = []
    for line in text.splitlines():
        if fence is None:
            fence, block = _FENCE.fullmatch(line), []
            lines.append(line)
        elif line == fence[1]:
            lines += _run(block) if fence[2] == "console" else block
            if fence[3]:
                path = Path(fence[3])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(f"{row}\n" for row in block), encoding="utf-8")
                path.chmod(0o755 if block[:1] and block[0].startswith("#!") else 0o644)
            lines.append(line)
            fence = None
        else:
            block.append(line)
    assert fence is None, "a fenced block has no end"
    return "".join(f"{line}\n" for line in lines)


def _run(block: list[str]) -> list[str]:
    lines: list[str] = []
    for line in block:
        if line.startswith("$ "):
            lines += [line, *printed(shell(line[2:]))]
    return lines


def transcript(path: Path) -> object:
    """A page as a case; where it has an example, the packages of vendors are needed."""
    marks = [pytest.mark.vendors] if (EXAMPLES / path.stem).is_dir() else []
    text = path.read_text(encoding="utf-8")
    marks += [mark for pattern, mark in _NEEDS if pattern.search(text)]
    return pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.golden
@pytest.mark.parametrize("path", [transcript(path) for path in (*TRANSCRIPTS, *WITH_COMMANDS)])
def test_transcript(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (EXAMPLES / path.stem).is_dir():
        for package in VENDORS:
            pytest.importorskip(package, reason=f"the clients of {path.name} need the package {package}")
    copy_example(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, folder in (
        ("STATE_HOME", "state"), ("CONFIG_HOME", "config"), ("DATA_HOME", "share"), ("DATA_DIRS", "system"),
    ):  # fmt: skip
        monkeypatch.setenv(f"XDG_{name}", str(tmp_path / folder))
    monkeypatch.setattr(resolution, "is_root", lambda: False)
    monkeypatch.setattr(ask, "current_time", lambda: "2026-11-22T12:00:00Z")
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "TOOLGLOT_BASE_URL", "TOOLGLOT_DEBUG", "TOOLGLOT_MAX_SIZE", "_TOOLGLOT_COMPLETE"):
        monkeypatch.delenv(name, raising=False)
    expected = path.read_text(encoding="utf-8")
    found = replay(expected)
    if ACCEPT:
        path.write_text(found, encoding="utf-8")
    else:
        assert found == expected


def test_every_command_and_exit_code_is_shown() -> None:
    from toolglot.cli import cli

    text = "".join(path.read_text(encoding="utf-8") for path in TRANSCRIPTS)
    for name, command in cli.commands.items():
        assert f"$ toolglot {name}" in text
        for param in command.params:
            if param.param_type_name == "option":
                assert max(param.opts, key=len) in text, f"the manual does not show {name} {param.opts}"
    for option in ("--version", "--agent", "--help"):
        assert f"$ toolglot {option}" in text
    assert "2> cat:" not in text
    assert "internal error" not in text
    assert "=> 1" in text
    assert "=> 2" in text


def test_a_missing_expectation_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "```console\n$ toolglot --version\n```\n"
    assert replay(text) != text
