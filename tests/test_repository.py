"""A whole repository: look, compare, write, write again; killed and resumed; and what may not change did not."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import repository
import toolglot
from repository import File
from streams import run
from systems import MAKES_LINKS, needs_git, needs_signals
from toolglot.converter.text import document_reader

MIGRATE = ["migrate", ".", "--kind", "cli", "-j1"]  # a worker is a copy of this large process
NUMBER = 80


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[File]]:
    root = tmp_path_factory.mktemp("made") / "repository"
    files = repository.generate(root, NUMBER, seed=9)
    assert {file.kind for file in files} == {*repository.KINDS, "unreadable"}
    return root, files


def copy(source: Path, target: Path) -> None:
    """A tree without its pipes: to copy one waits until somebody writes to it."""

    def pipes(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if Path(folder, name).is_fifo()]

    shutil.copytree(source, target, symlinks=True, ignore=pipes)
    for pipe in source.rglob("TOOL.md"):
        if pipe.is_fifo():
            os.mkfifo(target / pipe.relative_to(source))


@pytest.fixture
def root(made: tuple[Path, list[File]], tmp_path: Path) -> Path:
    """A fresh copy, with the folder beside it that links lead to."""
    original = made[0]
    for name in (original.name, f"{original.name}-outside"):
        copy(original.parent / name, tmp_path / name)
    if MAKES_LINKS:
        (tmp_path / original.name / "TOOL.md").unlink()
        os.symlink(tmp_path / f"{original.name}-outside" / "TOOL.md", tmp_path / original.name / "TOOL.md")
    return tmp_path / original.name


@pytest.fixture
def files(made: tuple[Path, list[File]]) -> list[File]:
    return made[1]


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git/" not in path.as_posix()
    }


def is_bad(file: File) -> bool:
    return file.kind in ("invalid", "unreadable")


def test_looking_changes_nothing(root: Path) -> None:
    before = contents(root)
    assert run(root, [*MIGRATE, "--check"]).code == 2  # some of the files cannot be read
    assert run(root, [*MIGRATE, "--diff"]).code == 2
    assert run(root, [*MIGRATE, "--check", "--diff"]).code == 2
    assert contents(root) == before


def test_check_says_whether_anything_would_change(root: Path, files: list[File]) -> None:
    for file in files:
        if is_bad(file):
            (root / file.path).unlink()
    assert run(root, [*MIGRATE, "--check"]).code == 1
    assert run(root, [*MIGRATE, "--diff"]).code == 0
    assert run(root, MIGRATE).code == 0
    assert run(root, [*MIGRATE, "--check", "--diff"]) == run(root, [*MIGRATE, "--check"])
    assert run(root, [*MIGRATE, "--check"]).code == 0


@needs_git
def test_the_diff_is_what_is_written(root: Path, tmp_path: Path) -> None:
    printed = run(root, [*MIGRATE, "--diff"]).stdout
    other = tmp_path / "patched"
    copy(root, other)
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path), "GIT_DIR": str(tmp_path / "none")}
    subprocess.run(command, cwd=other, input=printed.encode(), check=True, env=environment)
    run(root, MIGRATE)
    assert contents(other) == contents(root)


def test_only_what_is_old_changes(root: Path, files: list[File]) -> None:
    outside = root.parent / f"{root.name}-outside" / "TOOL.md"
    untouched = outside.read_bytes()
    before = contents(root)
    run(root, MIGRATE)
    assert outside.read_bytes() == untouched
    after = contents(root)
    changed = {
        path for path in after if path in before and after[path] != before[path] and not path.endswith("copy.md")
    }
    assert changed == {file.path for file in files if file.kind in repository.MIGRATED}
    added = {path for path in after if path not in before}
    legacy = [Path(file.path).parent.as_posix() for file in files if file.kind == "legacy"]
    assert added == {f"{folder}/{name}" for folder in legacy for name in ("DRIVER.md", "SECRETS.md")}


def test_renamed_keys_are_the_only_bytes_that_differ(root: Path, files: list[File]) -> None:
    run(root, MIGRATE)
    for file in files:
        if file.kind == "aliased":
            expected = file.data.replace(b"riskLevel:", b"risk_level:").replace(b"timeoutMs:", b"timeout_ms:")
            assert (root / file.path).read_bytes() == expected


def lines_of(data: bytes) -> list[str]:
    return data.decode("utf-8-sig").splitlines()


def test_every_comment_and_every_byte_of_a_body_is_accounted_for(root: Path, files: list[File]) -> None:
    run(root, MIGRATE)
    for file in files:
        if file.kind != "legacy":
            continue
        after = (root / file.path).read_bytes()
        assert after.startswith(b"\xef\xbb\xbf") == file.data.startswith(b"\xef\xbb\xbf")
        assert (b"\r\n" in after) == (b"\r\n" in file.data)
        assert document_reader.load(after).body == document_reader.load(file.data).body
        beside = [(root / file.path).with_name(name).read_bytes() for name in ("DRIVER.md", "SECRETS.md")]
        comments = re.findall(r"# .*", "\n".join(lines_of(document_reader.load(file.data).text.encode())[:40]))
        whole = "\n".join(data.decode("utf-8-sig") for data in (after, *beside))
        for comment in comments:
            assert comment.strip() in whole
        kept = [line for line in lines_of(file.data) if line in lines_of(after)]
        assert [line for line in lines_of(after) if line in kept] == kept  # in their order


def test_migrated_files_have_nothing_left_to_complain_about(root: Path, files: list[File]) -> None:
    run(root, MIGRATE)
    for file in files:
        if file.kind in repository.MIGRATED:
            assert toolglot.check(root / file.path, warnings_as_errors=True) == []


def test_a_second_run_writes_nothing(root: Path) -> None:
    run(root, MIGRATE)
    before = {path: path.lstat().st_mtime_ns for path in root.rglob("*")}
    again = run(root, MIGRATE)
    assert {path: path.lstat().st_mtime_ns for path in root.rglob("*")} == before
    assert "migrated" not in again.stderr


def test_the_number_of_workers_changes_nothing(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / root.name
    copy(root, other)
    assert run(root, MIGRATE) == run(other, [*MIGRATE, "-j", "3"])
    assert contents(root) == contents(other)


@needs_signals
def test_killed_at_any_moment_and_resumed(root: Path, tmp_path: Path) -> None:
    """Whenever it is killed, every file is old or new; the next run finishes the work and leaves nothing behind."""
    done = tmp_path / "done" / root.name
    copy(root, done)
    run(done, MIGRATE)
    old, new = contents(root), contents(done)
    draw = random.Random(0)
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-m", "toolglot", *MIGRATE, "-j2", "-q"], cwd=root, stderr=subprocess.DEVNULL
        ) as process:
            time.sleep(draw.uniform(0.1, 0.8))
            process.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 5
        while _is_busy(root) and time.monotonic() < deadline:
            time.sleep(0.02)
        for path, data in contents(root).items():
            if ".toolglot-" not in path:
                assert data in (old.get(path), new.get(path)), path
    run(root, MIGRATE)
    assert contents(root) == new


def _is_busy(root: Path) -> bool:
    """Whether a worker of a killed run still has its folder open; it ends by itself."""
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if Path(os.readlink(link)) == root:
                return True
        except OSError:
            continue
    return False
