"""`migrate` killed at any moment: every file is old or new, and the next run finishes and leaves no litter."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import pytest

from test_transcripts import toolglot
from toolglot import migrate, temporaries

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="signals and forks are those of POSIX")

ROUNDS = 4
TOOL = """\
---
# Number {number}; every comment counts.
name: Tool {number}
id: tool-{number}
version: 1.0.{number}
description: 'Does {number} things.'  # quoted
# how it runs
run: python {number}.py
{extra}approval: always
inputs: {{type: object}}
outputs: {{}}
---
# Body {number}
"""
EXTRAS = ("secrets: [mail/login]   # rotated\n", "network: [example.com]\n", "")


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system keeps what a killed process has written; only a power cut would not."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def plant(root: Path, number: int) -> None:
    """A tree of documents that have to be migrated, of the kinds that matter to the writing of files."""
    for index in range(number):
        path = root / f"group{index % 3}" / f"tool{index}" / "TOOL.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = TOOL.format(number=index, extra=EXTRAS[index % len(EXTRAS)]).encode()
        if index % 4 == 1:
            content = b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")
        path.write_bytes(content)
        if index % 5 == 2:
            path.chmod(0o640)
        if index == 0:
            (root / "shared").mkdir()
            path.rename(root / "shared" / f"{index}.md")
            path.symlink_to(f"../../shared/{index}.md")
            path.parent.joinpath("notes.json").write_text("{}")
    (root / "ls.json").write_text('{"atip": "0.2", "name": "ls", "version": "1.0.0", "description": "List."}')
    (root / "package.json").write_text('{"name": "x"}')


def content_of(root: Path) -> dict[str, bytes]:
    paths = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(paths)}


def modes_of(root: Path) -> dict[str, tuple[bool, int]]:
    return {str(path): (path.is_symlink(), stat.S_IMODE(path.lstat().st_mode)) for path in root.rglob("*")}


def is_litter(name: str) -> bool:
    return temporaries.NAME.fullmatch(os.path.basename(name)) is not None


def migrate_all(root: Path) -> int:
    return toolglot(["migrate", str(root), "--kind", "cli", "-q", "--jobs", "1"], b"").code


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], tuple[dict[str, bytes], dict[str, bytes]]]:
    """The contents of a tree before and after, found without the code that writes files."""

    def contents(number: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
        root = tmp_path_factory.mktemp("expected")
        plant(root, number)
        old = content_of(root)
        new = dict(old)
        for name in old:
            if not name.endswith((".md", "ls.json")):
                continue
            for beside, data in migrate(root / name, kind="cli").files:
                new[os.path.join(os.path.dirname(name), beside) if beside else name] = data
        return old, new

    return contents


def check_state(root: Path, old: dict[str, bytes], new: dict[str, bytes]) -> int:
    """Nothing is half done; how many documents have been migrated."""
    found = content_of(root)
    done = 0
    for name, data in found.items():
        if not is_litter(name):
            assert data in (old.get(name), new.get(name)), name
    for name in old:
        assert name in found
        done += found[name] != old[name]
    for name in set(new) - set(old):  # whoever sees the new document finds what belongs to it
        document = next(other for other in old if os.path.dirname(other) == os.path.dirname(name))
        assert name in found or found[document] == old[document], name
    return done


def finish(root: Path, new: dict[str, bytes]) -> None:
    """One more run completes the work and takes the litter away."""
    assert migrate_all(root) == 0
    assert content_of(root) == new


def rest(root: Path) -> None:
    """Another run has nothing to do."""
    times = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    assert migrate_all(root) == 0
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == times


# -- at every call of the system ----------------------------------------------------------------------------------

SMALL = 3
CALLS = ("open", "fsync", "chmod", "link", "replace", "unlink", "close")


def die_at(number: int, after: bool) -> None:
    """Make this process end at its `number`-th call of the functions that change files, before or after it."""
    calls = count(1)

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **how: Any) -> Any:
            last = next(calls) == number
            if last and not after:
                os._exit(77)
            try:
                return real(*args, **how)
            finally:
                if last:
                    os._exit(77)

        return call

    for name in CALLS:
        setattr(os, name, counting(getattr(os, name)))


def run_until(root: Path, number: int, after: bool) -> int:
    """Migrate in a child that dies at its `number`-th call; its exit code."""
    child = os.fork()
    if child == 0:
        _child(root, number, after)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _child(root: Path, number: int, after: bool) -> NoReturn:
    code = 99
    try:
        die_at(number, after)
        code = migrate_all(root)
    finally:
        os._exit(code)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_at_every_call(tmp_path: Path, expected: Any, after: bool) -> None:
    old, new = expected(SMALL)
    plant(tmp_path / "warm", 1)
    migrate_all(tmp_path / "warm")  # what is imported lazily is imported now, so that every child does the same
    seen: set[int] = set()
    litter = 0
    for number in range(1, 1000):
        root = tmp_path / str(number)
        plant(root, SMALL)
        modes = modes_of(root)
        code = run_until(root, number, after)
        seen.add(check_state(root, old, new))
        litter += any(is_litter(name) for name in content_of(root))
        if code == 0:
            break
        assert code == 77
        finish(root, new)
        assert {path: mode for path, mode in modes_of(root).items() if path in modes} == modes
    rest(root)
    assert code == 0
    assert number > 50  # calls of a whole run
    assert seen == set(range(SMALL + 2))  # killed after every number of migrated documents
    assert litter > 10  # and with temporaries lying about, which the next run took away


# -- at any time ------------------------------------------------------------------------------------------------

LARGE = 60


def killed(root: Path, jobs: int, delay: float) -> None:
    """Start the program, and kill it some time after it has begun to write."""
    command = [sys.executable, "-m", "toolglot", "migrate", str(root), "--kind", "cli", "--jobs", str(jobs)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        while line := process.stderr.readline():
            if line.startswith(b"migrated "):
                break
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)


def delays() -> Iterator[tuple[int, float]]:
    luck = random.Random(14)
    for number in range(ROUNDS):
        yield 1 + number % 2, luck.uniform(0, 0.12)


def test_killed_at_random(tmp_path: Path, expected: Any) -> None:
    old, new = expected(LARGE)
    partly = 0
    for number, (jobs, delay) in enumerate(delays()):
        root = tmp_path / str(number)
        plant(root, LARGE)
        for again in (delay, delay / 2):
            killed(root, jobs, again)
            partly += 0 < check_state(root, old, new) < LARGE + 1
        finish(root, new)
        rest(root)
    assert partly


def test_two_runs_at_once_do_each_document_once(tmp_path: Path, expected: Any) -> None:
    old, new = expected(LARGE)
    plant(tmp_path, LARGE)
    command = [sys.executable, "-m", "toolglot", "migrate", str(tmp_path), "--kind", "cli", "-q", "--jobs", "1"]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    for process in running:
        _, said = process.communicate()
        for line in said.splitlines():  # whoever comes second leaves the file alone, and says so
            assert b"[changed-meanwhile]" in line or b"[file-exists]" in line
    check_state(tmp_path, old, new)
    finish(tmp_path, new)
    rest(tmp_path)
