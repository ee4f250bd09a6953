"""A folder of generated files, where the disk is full, or the run is asked to end or killed, at any moment."""

from __future__ import annotations

import errno
import gc
import os
import shutil
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest

from rows import THOROUGH
from test_killed import act_at, content_of, die, is_litter, run_until_step
from toolglot.cli.stops_and_errors import exit_code_of
from toolglot.converter.files.commit import ANYTHING, Commit, _PlacedChange, commit
from toolglot.converter.files.generated_folders import changes_in, write_changes
from toolglot.converter.files.open_folders import Folder
from toolglot.converter.files.temporaries import remove_leftovers
from toolglot.errors import WriteError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="signals and forks are those of POSIX")

OLD = [("index.html", "old"), ("gone/a.html", "gone"), ("same.html", "same"), ("gone/deep/b.html", "gone")]
NEW = [("index.html", "new"), ("made/c.html", "made"), ("same.html", "same"), ("made/deep/d.html", "made")]
CALLS = 32  # of the system that change files, from the old folder to the new one
STEP = 1 if THOROUGH else 37


def generate(root: Path, files: list[tuple[str, str]]) -> int:
    write_changes(changes_in(str(root), files))
    return 0


def plant(root: Path) -> dict[str, bytes]:
    generate(root, OLD)
    (root / "gone" / "mine.txt").write_text("mine")
    return content_of(root)


@pytest.fixture
def states(tmp_path: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What the folder holds before and after."""
    old = plant(tmp_path / "states")
    generate(tmp_path / "states", NEW)
    return old, content_of(tmp_path / "states")


def fill_disk() -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


States = tuple[dict[str, bytes], dict[str, bytes]]


def test_the_calls_are_all_that_are_made(tmp_path: Path) -> None:
    numbers: list[int] = []
    for number in (CALLS, CALLS + 1):
        plant(tmp_path / str(number))
        put_back = act_at(number, False, partial(numbers.append, number))
        generate(tmp_path / str(number), NEW)
        put_back()
    assert numbers == [CALLS]


def test_a_full_disk_changes_nothing(tmp_path: Path, states: States) -> None:
    _, new = states
    for number in range(1, CALLS + 1):
        root = tmp_path / str(number)
        plant(root)
        put_back = act_at(number, False, fill_disk)
        with suppress(WriteError):  # where it is only about a second name, or about litter, the work is done
            generate(root, NEW)
        put_back()
        content = {name: data for name, data in content_of(root).items() if not is_litter(name)}
        assert content in states, number
        assert (root / "made").exists() == (content == new)
        generate(root, NEW)
        assert content_of(root) == new, number


def test_a_full_disk_leaves_no_empty_folder(tmp_path: Path) -> None:
    for number in range(1, 10):
        put_back = act_at(number, False, fill_disk)
        with suppress(WriteError):
            generate(tmp_path / "new" / "site", [("a/index.html", "new")])
        put_back()
        assert not os.path.exists(tmp_path / "new") or content_of(tmp_path / "new"), number


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # handles that nobody closed any more
def test_asked_to_end_between_any_two_steps(tmp_path: Path, states: States) -> None:
    plant(tmp_path / "whole")
    code, steps = run_until_step(partial(generate, tmp_path / "whole", NEW), 0)
    assert (code, content_of(tmp_path / "whole")) == (0, states[1])
    for number in range(1, steps, STEP):
        root = tmp_path / str(number)
        plant(root)
        work = partial(exit_code_of, partial(generate, root, NEW))
        assert run_until_step(work, number)[0] in (0, 128 + signal.SIGTERM)
        assert content_of(root) in states, number
    gc.collect()  # here, where the handles may be named


def test_killed_before_any_call(tmp_path: Path, states: States) -> None:
    """The next run completes the work; until then no file is half done."""
    old, new = states
    for number in range(1, CALLS + 1, 1 if THOROUGH else 5):
        root = tmp_path / str(number)
        plant(root)
        child = os.fork()
        if child == 0:
            act_at(number, False, die)
            generate(root, NEW)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 77
        for name, data in content_of(root).items():
            assert is_litter(name) or name.endswith(".json") or data in (old.get(name), new.get(name)), name
        assert generate(root, NEW) == 0
        assert content_of(root) == new, number


@pytest.mark.parametrize("name", ["same.html", "made/deep/d.html", "gone/a.html"])
def test_what_a_killed_run_left_in_any_folder_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    generate(Path("site"), OLD)
    leftover = Path("site", name).with_name(".toolglot-0123456789abcdef.tmp")
    leftover.parent.mkdir(parents=True, exist_ok=True)
    leftover.touch()
    generate(Path("site"), NEW)
    assert not leftover.exists()
    assert not Path("site", "gone").exists()


def test_of_two_runs_at_once_the_second_says_so(tmp_path: Path, states: States) -> None:
    plant(tmp_path)
    first, second = changes_in(str(tmp_path), NEW), changes_in(str(tmp_path), NEW)
    write_changes(first)
    with pytest.raises(WriteError, match="another run wrote here meanwhile"):
        write_changes(second)
    shutil.rmtree(tmp_path / "states")
    assert content_of(tmp_path) == states[1]


def fail_after(files: Commit, root: Path, data: bytes, old: object = ANYTHING) -> None:
    """Put `a`, and then what cannot be put."""
    (root / "b").mkdir(exist_ok=True)
    files.put(str(root / "a"), data, old=old)
    files.put(str(root / "b"), b"in the way")


def test_what_a_file_held_comes_back_in_a_folder_that_was_never_swept(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(WriteError), commit(os.path.realpath(tmp_path)) as files:
        fail_after(files, tmp_path, b"new")
    assert content_of(tmp_path) == {"a": b"old"}


def test_no_other_run_sweeps_what_a_file_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    make, seen = Commit._make, []

    def make_and_sweep(files: Commit, *more: Any) -> None:
        make(files, *more)
        child = os.fork()
        if child == 0:
            remove_leftovers(os.path.realpath(tmp_path))
            os._exit(0)
        os.waitpid(child, 0)
        seen.append((tmp_path / "a").read_bytes())

    monkeypatch.setattr(Commit, "_make", make_and_sweep)
    with pytest.raises(WriteError), commit(os.path.realpath(tmp_path)) as files:
        fail_after(files, tmp_path, b"new")
    assert (seen, content_of(tmp_path)) == ([b"new"], {"a": b"old"})


@pytest.mark.parametrize("is_link", [False, True])
def test_a_file_that_another_run_made_meanwhile_stays_though_it_holds_the_same(
    is_link: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, theirs = tmp_path / "root", tmp_path / ("theirs" if is_link else "root/a")
    root.mkdir()
    if is_link:
        (root / "a").symlink_to(theirs)
    make, made = Commit._make, []

    def make_later(files: Commit, change: _PlacedChange, folder: Folder) -> None:
        theirs.write_bytes(b"same")
        make(files, change, folder)
        made.append(change.name)

    monkeypatch.setattr(Commit, "_make", make_later)
    with pytest.raises(WriteError), commit(str(root)) as files:
        fail_after(files, root, b"same", old=None)
    assert made == [] if is_link else ["a"]
    assert is_link or theirs.read_text() == "same"
