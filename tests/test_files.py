"""Naming results, and replacing files without losing any."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rows import for_each
from systems import needs_modes, slashed
from toolglot.converter.files import existing_targets, writing
from toolglot.converter.files.names import NAME_LIMIT, paths_below
from toolglot.errors import UsageError, WriteError


@given(st.lists(st.text(min_size=1), min_size=1, max_size=6))
def test_no_name_leaves_the_folder_or_shares_a_path(names: list[str]) -> None:
    root = slashed(os.path.join(os.path.abspath(os.sep), "nonexistent", "out"))
    placed = paths_below(root, list(dict.fromkeys(names)))
    assert len({path.casefold() for path in placed}) == len(placed)
    for path in placed:
        assert path.startswith(f"{root}/")
        for part in path.removeprefix(f"{root}/").split("/"):
            assert part not in ("", ".", "..")
            assert len(part) <= NAME_LIMIT + 9
            assert len(part.encode()) <= 255
            assert part.isprintable()
            assert not set(part) & set('<>:"|?*\\')


@for_each(
    ("name", "expected"),
    [
        ("../../etc/passwd", "_/_/etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        ("..\\..\\x", "_-..-x"),
        ("C:\\x", "C-x"),
        ("a\x00b\x1b[2J\u202e", "a-b-[2J-"),
        ("CON.json", "_CON.json"),
        ("com1", "_com1"),
        ("a. ", "a"),
        ("", "_"),
        (".ssh/authorized_keys", "_ssh/authorized_keys"),
    ],
)
def test_hostile_names_become_plain(name: str, expected: str) -> None:
    assert paths_below("out", [name]) == [f"out/{expected}"]


def test_the_name_of_a_file_does_not_depend_on_others() -> None:
    assert paths_below("out", ["a:b", "a-b", "a:b"]) == paths_below("out", ["c", "a:b", "a-b", "a:b"])[1:]


def test_long_names_are_cut_and_stay_apart() -> None:
    first, second = paths_below("out", ["a" * 300 + "1.json", "a" * 300 + "2.json"])
    assert first != second
    assert first.endswith(".json")
    assert len(os.path.basename(first)) <= NAME_LIMIT
    assert len(os.path.basename(paths_below("out", ["語" * 300])[0]).encode()) <= 255


def test_a_link_in_the_folder_is_not_followed_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="leads out"):
        paths_below(str(tmp_path / "out"), ["a/TOOL.md"])
    (tmp_path / "out" / "b.json").symlink_to(tmp_path / "b.json")
    with pytest.raises(UsageError, match="leads out"):
        paths_below(str(tmp_path / "out"), ["b.json"])


@needs_modes
def test_a_new_file_gets_the_mode_of_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        writing.write_file(str(tmp_path / "new" / "a.json"), b"1")
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(tmp_path / "new" / "a.json").st_mode) == 0o640


def test_mode_is_kept_and_a_link_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o604)
    link.symlink_to(real)
    writing.write_file(str(link), b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o604
    assert sorted(os.listdir(tmp_path)) == ["link.json", "real.json"]


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_failure_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(*_: object, **how: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(WriteError, match="no space left") as caught:
        writing.write_file(str(path), b"new")
    assert caught.value.source == str(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_ctrl_c_leaves_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **how: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        writing.write_file(str(tmp_path / "a.json"), b"new")
    assert os.listdir(tmp_path) == []


def test_a_device_is_written_to_and_never_replaced() -> None:
    existing_targets.refuse_existing([os.devnull])
    writing.write_file(os.devnull, b"x")
    assert not os.path.isfile(os.devnull)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_waits_for_its_reader_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    with ThreadPoolExecutor() as pool:
        reader = pool.submit(Path(path).read_bytes)
        writing.write_file(path, b"x" * 100_000)
        assert len(reader.result()) == 100_000
    monkeypatch.setattr(writing, "PIPE_PATIENCE", 0.05)
    with pytest.raises(WriteError, match="nobody reads this pipe"):
        writing.write_file(path, b"x")


def test_existing_files_are_refused_together(tmp_path: Path) -> None:
    old, new, dangling = tmp_path / "old", tmp_path / "new", tmp_path / "dangling"
    old.write_text("old")
    dangling.symlink_to(tmp_path / "nowhere")
    existing_targets.refuse_existing([str(new)])
    with pytest.raises(UsageError, match="the file exists"):
        existing_targets.refuse_existing([str(new), str(old)])
    with pytest.raises(UsageError, match="the file exists"):
        existing_targets.refuse_existing([str(dangling)])
    existing_targets.refuse_existing([str(new), str(old)], force=True)
    with pytest.raises(UsageError, match="a folder is in the way"):
        existing_targets.refuse_existing([str(tmp_path)], force=True)
    with pytest.raises(UsageError, match="two results"):
        existing_targets.refuse_existing([str(new), str(tmp_path / "x" / ".." / "new")], force=True)
