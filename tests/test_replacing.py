"""Replacing several files at once, whatever goes wrong; and taking away what killed runs leave."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from systems import IS_SUPERUSER, needs_any_name, needs_locks, needs_modes
from toolglot.converter.files import open_folders, system, temporaries, writing
from toolglot.converter.files.commit import FileChange, _PlacedChange, commit
from toolglot.errors import WriteError


def replace_files(changes: list[FileChange]) -> list[str]:
    """Change files of one folder at once: what appears first, the last of the list last."""
    folder = os.path.dirname(changes[0].path)
    with commit(os.path.realpath(folder)) as files:
        for change in sorted(changes, key=lambda change: change.old is not None):
            files.put(change.path, change.data, old=change.old)
    return files.written


CALLS = [  # of `os`; on Windows what is open cannot be taken away, and there is no mode
    "open", "fsync", "link", "replace", "stat", "dup",
    *(pytest.param(call, marks=needs_locks) for call in ("fchmod", "close", "unlink")),
]  # fmt: skip
Tree = dict[str, bytes | None]


def contents(folder: Path) -> Tree:
    """Everything in a folder by its name; what is no regular file has no content."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    (tmp_path / "TOOL.md").write_bytes(b"old")
    (tmp_path / "other.md").write_bytes(b"other")
    return tmp_path


def plan(folder: Path) -> list[FileChange]:
    """A document that is split: one file changes and another appears, which a third change depends on."""
    return [
        FileChange(str(folder / "other.md"), b"OTHER", b"other"),
        FileChange(str(folder / "TOOL.md"), b"new", b"old"),
        FileChange(str(folder / "DRIVER.md"), b"driver", None),
    ]


OLD: Tree = {"TOOL.md": b"old", "other.md": b"other"}
NEW: Tree = {"DRIVER.md": b"driver", "TOOL.md": b"new", "other.md": b"OTHER"}


def test_all_files_are_replaced(tool: Path) -> None:
    replace_files(plan(tool))
    assert contents(tool) == NEW


def test_nothing_is_a_plan_too(tmp_path: Path) -> None:
    with commit(os.path.realpath(tmp_path / "new")) as files:
        pass
    assert files.written == []


class Failing:
    """Stands for one function of `os`, and raises at its n-th call."""

    def __init__(self, real: Callable[..., Any], number: int, error: BaseException) -> None:
        self.real, self.left, self.error = real, number, error

    def __call__(self, *args: Any, **how: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise self.error
        return self.real(*args, **how)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=type)
@pytest.mark.parametrize("call", CALLS)
def test_a_failure_at_any_call_leaves_all_or_nothing(
    tool: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: BaseException
) -> None:
    reached = 0
    for number in range(1, 200):
        failing = Failing(getattr(os, call), number, error)
        with monkeypatch.context() as patch:
            patch.setattr(os, call, failing)
            try:
                replace_files(plan(tool))
                raised = False
            except (WriteError, KeyboardInterrupt):
                raised = True
        temporaries.remove_leftovers(str(tool))  # unlinking is one of the calls that fail
        assert contents(tool) in ((OLD,) if raised and isinstance(error, OSError) else (OLD, NEW))
        for name in NEW:
            (tool / name).unlink(missing_ok=True)
        for name, data in OLD.items():
            (tool / name).write_bytes(data or b"")
        if failing.left > 0:
            break
        reached = number
    assert reached, f"os.{call} is never called"
    assert reached < 190


DIES = """
import os, sys
from toolglot.converter.files.commit import commit

left = int(sys.argv[2])

def dying(function):
    def call(*arguments, **options):
        global left
        left -= 1
        if left == 0:
            os._exit(9)
        return function(*arguments, **options)
    return call

for name in ("link", "replace", "unlink"):
    setattr(os, name, dying(getattr(os, name)))
with commit(sys.argv[1]) as files:
    for name in ("DRIVER.md", "other.md", "TOOL.md"):
        files.put(os.path.join(sys.argv[1], name), sys.argv[3].encode())
"""


def test_a_program_that_dies_leaves_whole_files_and_the_next_one_finishes(tmp_path: Path) -> None:
    """On every system; `test_killed` has each call, where processes fork."""
    folder = os.path.realpath(tmp_path)

    def run(left: int, content: str) -> tuple[int, Tree]:
        ran = subprocess.run([sys.executable, "-c", DIES, folder, str(left), content], check=False, timeout=60)
        found = contents(tmp_path)
        return ran.returncode, {name: data for name, data in found.items() if not temporaries.NAME.fullmatch(name)}

    before: Tree = {}
    for number in range(1, 100):
        code, found = run(number, str(number))
        new = str(number).encode()
        assert all(data in (before.get(name), new) for name, data in found.items())
        assert before.keys() <= found.keys()
        if code == 0:
            break
        assert code == 9
        before = found
    assert found == dict.fromkeys(("DRIVER.md", "TOOL.md", "other.md"), new)
    assert number > 3
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1))  # where files cannot be locked, litter goes after an hour
    temporaries.remove_leftovers(folder)
    assert contents(tmp_path) == found


def test_a_full_disk_undoes_what_was_replaced_already(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    second = Failing(os.replace, 2, OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(os, "replace", second)
    with pytest.raises(WriteError, match="no space left") as caught:
        replace_files(plan(tool))
    assert caught.value.code == "unwritable-file"
    assert caught.value.source == str(tool / "TOOL.md")
    assert contents(tool) == OLD


@pytest.mark.parametrize("change", [b"", b"olD", b"old and more"])
def test_a_file_that_changed_meanwhile_is_left_alone(tool: Path, change: bytes) -> None:
    (tool / "TOOL.md").write_bytes(change)
    with pytest.raises(WriteError) as caught:
        replace_files(plan(tool))
    assert caught.value.code == "changed-meanwhile"
    assert contents(tool) == {**OLD, "TOOL.md": change}


def test_a_file_that_changes_at_the_last_moment_is_left_alone(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.link

    def slow_link(*args: Any, **how: Any) -> None:
        real(*args, **how)
        (tool / "TOOL.md").write_bytes(b"edited")

    monkeypatch.setattr(os, "link", slow_link)
    with pytest.raises(WriteError, match="changed meanwhile"):
        replace_files(plan(tool))
    assert contents(tool) == {**OLD, "TOOL.md": b"edited"}


def test_a_file_that_went_away_is_not_made_again(tool: Path) -> None:
    (tool / "TOOL.md").unlink()
    with pytest.raises(WriteError, match="changed meanwhile"):
        replace_files(plan(tool))
    assert contents(tool) == {"other.md": b"other"}


def test_a_file_that_must_not_exist_is_never_overwritten(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tool / "DRIVER.md").write_bytes(b"somebody's")
    with pytest.raises(WriteError, match=r"DRIVER\.md is there already") as caught:
        replace_files(plan(tool))
    assert caught.value.code == "file-exists"
    # One that appears between the check and the write is found by the system itself.
    monkeypatch.setattr(_PlacedChange, "check", lambda change, folder: None)
    with pytest.raises(WriteError, match=r"DRIVER\.md is there already"):
        replace_files(plan(tool))
    monkeypatch.undo()
    assert contents(tool) == {**OLD, "DRIVER.md": b"somebody's"}


def test_a_dangling_link_is_not_written_through(tool: Path) -> None:
    (tool / "DRIVER.md").symlink_to("elsewhere.md")
    with pytest.raises(WriteError, match=r"DRIVER\.md is there already"):
        replace_files(plan(tool))
    assert not (tool / "elsewhere.md").exists()


def test_without_hard_links_a_new_file_still_overwrites_nothing(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **how: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    replace_files(plan(tool))
    assert contents(tool) == NEW
    with open_folders.open_folder(str(tool)) as folder:
        assert not writing.link_into_place(folder, "TOOL.md", "other.md")
    assert contents(tool) == NEW


def test_a_file_that_only_has_to_be_there_is_checked_and_not_written(tool: Path) -> None:
    os.utime(tool / "other.md", (1, 1))
    same = FileChange(str(tool / "other.md"), b"other", b"other")
    main = FileChange(str(tool / "TOOL.md"), b"new", b"old")
    replace_files([main, same])
    assert (tool / "other.md").stat().st_mtime == 1
    (tool / "other.md").write_bytes(b"gone")
    with pytest.raises(WriteError, match="changed meanwhile"):
        replace_files([msgspec.structs.replace(main, old=b"new", data=b"newer"), same])
    assert contents(tool) == {"TOOL.md": b"new", "other.md": b"gone"}


@needs_modes
@pytest.mark.skipif(IS_SUPERUSER, reason="the superuser may write everything")
def test_read_only_files_and_folders_stay_as_they_are(tool: Path) -> None:
    (tool / "TOOL.md").chmod(0o444)
    with pytest.raises(WriteError, match="read-only"):
        replace_files(plan(tool))
    (tool / "TOOL.md").chmod(0o644)
    tool.chmod(0o555)
    try:
        with pytest.raises(WriteError, match="permission denied"):
            replace_files(plan(tool))
        assert contents(tool) == OLD
    finally:
        tool.chmod(0o755)


def test_a_read_only_file_stays_as_it_is(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode, **how: "TOOL" not in path)  # also for the superuser
    with pytest.raises(WriteError, match="read-only"):
        replace_files(plan(tool))
    assert contents(tool) == OLD


def test_modes_and_links_are_kept(tool: Path) -> None:
    (tool / "TOOL.md").chmod(0o604)
    (tool / "link.md").symlink_to("TOOL.md")
    replace_files([FileChange(str(tool / "link.md"), b"new", b"old")])
    assert (tool / "link.md").is_symlink()
    assert (tool / "TOOL.md").read_bytes() == b"new"
    assert stat.S_IMODE((tool / "TOOL.md").stat().st_mode) == 0o604


@needs_modes
@pytest.mark.skipif(not IS_SUPERUSER, reason="only the superuser may give files away")
def test_the_superuser_leaves_files_to_their_owner(tool: Path) -> None:
    os.chown(tool / "TOOL.md", 12345, 23456)
    replace_files([FileChange(str(tool / "TOOL.md"), b"new", b"old")])
    status = (tool / "TOOL.md").stat()
    assert (status.st_uid, status.st_gid) == (12345, 23456)


def test_store_writes_only_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "a.json"
    assert writing.write_if_changed(str(path), b"1")
    os.utime(path, (1, 1))
    assert not writing.write_if_changed(str(path), b"1")
    assert path.stat().st_mtime == 1
    assert writing.write_if_changed(str(path), b"12")
    assert path.read_bytes() == b"12"
    assert writing.write_if_changed(os.devnull, b"")


def test_a_stream_replaces_a_file_only_when_it_ends_well(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with writing.open_atomically(str(path)) as stream:
        stream.write(b"1\n")
        assert not path.exists()
        stream.write(b"2\n")
    assert contents(tmp_path) == {"out.jsonl": b"1\n2\n"}

    def half() -> None:
        with writing.open_atomically(str(path)) as stream:
            stream.write(b"half")
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        half()
    assert contents(tmp_path) == {"out.jsonl": b"1\n2\n"}


# -- sweeping ---------------------------------------------------------------------------------------------------

LITTER = ".toolglot-0123456789abcdef.tmp"


@needs_locks
def test_litter_of_a_dead_run_is_swept(tmp_path: Path) -> None:
    (tmp_path / LITTER).write_bytes(b"half")
    temporaries.remove_leftovers(str(tmp_path))
    assert contents(tmp_path) == {}


def test_the_temporary_of_a_live_run_stays(tmp_path: Path) -> None:
    with writing.open_atomically(str(tmp_path / "a.json")) as stream:
        stream.write(b"1")
        temporaries.remove_leftovers(str(tmp_path))
    assert contents(tmp_path) == {"a.json": b"1"}


def test_a_sweeper_between_making_and_locking_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = system.try_lock
    swept: list[int] = []

    def late(handle: int) -> bool | None:
        if not swept:
            swept.append(handle)
            monkeypatch.setattr(temporaries, "try_lock", real)
            temporaries.remove_leftovers(str(tmp_path))
        return real(handle)

    monkeypatch.setattr(temporaries, "try_lock", late)
    writing.write_file(str(tmp_path / "a.json"), b"1")
    assert swept
    assert contents(tmp_path) == {"a.json": b"1"}


def test_where_nothing_can_be_locked_age_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporaries, "try_lock", lambda handle: None)
    (tmp_path / LITTER).write_bytes(b"half")
    temporaries.remove_leftovers(str(tmp_path))
    assert contents(tmp_path) == {LITTER: b"half"}
    long_ago = time.time() - 2 * 3600
    os.utime(tmp_path / LITTER, (long_ago, long_ago))
    temporaries.remove_leftovers(str(tmp_path))
    assert contents(tmp_path) == {}


@pytest.mark.parametrize(
    "name",
    [
        ".toolglot-0123456789abcde.tmp", ".toolglot-0123456789abcdef0.tmp", ".toolglot-0123456789ABCDEF.tmp",
        "toolglot-0123456789abcdef.tmp", ".toolglot-0123456789abcdef.tmp~",
        pytest.param(".toolglot-0123456789abcdef.tmp\n", marks=needs_any_name),
        ".toolglot-.tmp", "x.toolglot-0123456789abcdef.tmp",
    ],
)  # fmt: skip
def test_no_other_name_is_touched(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"mine")
    temporaries.remove_leftovers(str(tmp_path))
    assert list(contents(tmp_path).values()) == [b"mine"]


def test_what_only_has_the_name_of_a_temporary_is_left_alone(tmp_path: Path) -> None:
    folder, outside = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    outside.mkdir()
    (outside / "precious").write_bytes(b"1")
    names = [f".toolglot-{number:016x}.tmp" for number in range(4)]
    (folder / names[0]).symlink_to(outside / "precious")
    (folder / names[1]).symlink_to(outside)
    (folder / names[2]).mkdir()
    os.mkfifo(folder / names[3])
    temporaries.remove_leftovers(str(folder))  # a pipe that was opened without care would hang here
    assert sorted(os.listdir(folder)) == names
    assert (outside / "precious").read_bytes() == b"1"


@needs_locks
def test_a_hard_link_loses_only_its_name(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"1")
    os.link(tmp_path / "precious", tmp_path / LITTER)
    temporaries.remove_leftovers(str(tmp_path))
    assert contents(tmp_path) == {"precious": b"1"}


def test_a_folder_that_cannot_be_listed_is_no_error(tmp_path: Path) -> None:
    temporaries.remove_leftovers(str(tmp_path / "nowhere"))
