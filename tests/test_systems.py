"""What each system does in its own way: the parts for Windows are tried on every one."""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from golden import FIXTURES
from systems import OF_POSIX
from toolglot.cli import main, settings
from toolglot.cli.terminal import print_message, write_utf_8
from toolglot.converter.files import open_folders
from toolglot.converter.files.system import windows
from toolglot.converter.files.system.program_files import find_program
from toolglot.converter.files.writing import link_into_place
from toolglot.errors import system_reason
from toolglot.runtime.servers import process_groups

SHARING_VIOLATION, ACCESS_DENIED, MORE_DATA = 32, 5, 234


class WindowsError(PermissionError):
    """As it is there, with a number of its own."""

    def __init__(self, number: int, *about: object) -> None:
        super().__init__(*about)
        self.winerror = number


class FakeApi:
    """Files that one handle at a time can have, as Windows has them; a handle is the path."""

    def __init__(self) -> None:
        self.is_open: set[str] = set()
        self.refusal = SHARING_VIOLATION

    def CreateFile(self, path: str, *access: int) -> str:
        if path in self.is_open:
            raise WindowsError(self.refusal, errno.EACCES, "used by another process")
        self.is_open.add(path)
        return path

    def CloseHandle(self, handle: str) -> None:
        self.is_open.remove(handle)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> FakeApi:
    fake = FakeApi()
    monkeypatch.setattr(windows, "_api", fake)
    monkeypatch.setattr(windows, "PATIENCE", 0.02)
    monkeypatch.setattr(open_folders, "lock_folder", windows.lock_folder)
    monkeypatch.setattr(open_folders, "PATIENCE", 0.1)
    return fake


def test_a_folder_is_locked_for_one_run_at_a_time(api: FakeApi) -> None:
    with open_folders.Folder("work", None).locked():
        assert api.is_open == {os.path.join("work", windows.LOCK)}
        with pytest.raises(open_folders.Busy), open_folders.Folder("work", None).locked():
            pass
        with open_folders.Folder("other", None).locked():
            pass
    assert not api.is_open
    with open_folders.Folder("work", None).locked():
        pass


def test_a_folder_in_which_nothing_can_be_written_is_not_waited_for(api: FakeApi) -> None:
    api.refusal = ACCESS_DENIED
    with (
        open_folders.Folder("work", None).locked(),
        pytest.raises(PermissionError, match="another process"),
        open_folders.Folder("work", None).locked(),
    ):
        pass


def test_without_handles_and_locks_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "_api", None)
    unlock = windows.lock_folder("work", None)
    assert unlock is not None
    unlock()


@pytest.mark.parametrize("failures", [3, None])
def test_a_file_that_somebody_reads_is_replaced_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int | None
) -> None:
    calls = []
    replace = os.replace

    def busy(*paths: str) -> None:
        calls.append(paths)
        if failures is None or len(calls) <= failures:
            raise PermissionError(errno.EACCES, "access is denied")
        replace(*paths)

    monkeypatch.setattr(windows, "PATIENCE", 0.2)
    monkeypatch.setattr(os, "replace", busy)
    (tmp_path / "new").write_bytes(b"1")
    names = str(tmp_path / "new"), str(tmp_path / "old")
    if failures is None:
        with pytest.raises(PermissionError):
            windows.patiently(partial(os.replace, *names))
    else:
        windows.patiently(partial(os.replace, *names))
        assert (tmp_path / "old").read_bytes() == b"1"


@pytest.mark.parametrize(("system", "file"), [("posix", "git"), ("nt", "git.exe")])
def test_a_program_is_found_where_path_says_and_not_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, file: str
) -> None:
    monkeypatch.chdir(tmp_path)
    separator = ";" if system == "nt" else ":"
    for name in (file, f"b/{file}", "b/tool.cmd", "a/tool.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("#!/bin/sh\n")
        Path(name).chmod(0o755)
    variables = {"PATH": separator.join(["", "a", "b", ""])}
    assert find_program("git", variables, system) == os.path.join("b", file)
    assert find_program(file, variables, system) == os.path.join("b", file)
    assert find_program("git", {"PATH": f"a{separator}"}, system) is None
    assert find_program("git", {}, system) not in (file, os.path.join(os.curdir, file))
    variables["PATHEXT"] = ".EXE;.CMD;"
    found = [find_program(name, variables, system) for name in ("tool", "b/tool", "a/tool", "b/git")]
    if system == "nt":
        assert found == [os.path.join("b", "tool.cmd"), "b/tool.cmd", None, "b/git.exe"]
    else:
        assert found == [None, None, None, "b/git"]


def test_where_files_have_one_name_each_they_are_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "link")
    (tmp_path / "new").write_bytes(b"1")
    with open_folders.open_folder(os.path.realpath(tmp_path)) as folder:
        assert link_into_place(folder, "new", "name")
    assert os.listdir(tmp_path) == ["name"]


@pytest.mark.parametrize("is_known", [True, False], ids=["a disk", "a share"])
def test_macos_is_asked_to_empty_the_cache_of_the_drive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    posix = pytest.importorskip("toolglot.converter.files.system.posix", exc_type=ImportError)
    calls: list[Any] = []

    def control(handle: int, command: int) -> None:
        calls.append(command)
        if not is_known:
            raise OSError(errno.ENOTSUP, "not supported")

    monkeypatch.setattr(posix, "_FULL_SYNC", 51)
    monkeypatch.setattr(posix.fcntl, "fcntl", control)
    monkeypatch.setattr(os, "fsync", lambda handle: calls.append("fsync"))
    with open(tmp_path / "a", "wb") as stream:
        posix.sync(stream.fileno())
    assert calls == [51] if is_known else [51, "fsync"]


class FakeJobs:
    """What pywin32 has of job objects: the calls, in their order."""

    error = OSError

    def __init__(self, has_ended: bool) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.has_ended = has_ended

    def OpenProcess(self, access: int, inherits: bool, process: int) -> int:
        if self.has_ended:
            raise OSError("no such process")
        return process

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.calls.append((name, *arguments))


@pytest.mark.parametrize("has_ended", [False, True])
def test_on_windows_a_server_ends_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch, has_ended: bool) -> None:
    jobs = FakeJobs(has_ended)
    monkeypatch.delattr(os, "killpg", raising=False)
    monkeypatch.setattr(process_groups, "import_module", lambda name: jobs)
    assert not process_groups.group_of(7)(True)
    put_in = [] if has_ended else [("AssignProcessToJobObject", None, 7)]
    assert jobs.calls == [
        ("CreateJobObject", None, ""),
        *put_in,
        ("TerminateJobObject", None, 1),
    ]


@pytest.mark.parametrize("length", [259, 260])
def test_a_path_that_is_too_long_for_windows_is_said_to_be(length: int) -> None:
    reason = system_reason(WindowsError(MORE_DATA, errno.ENOENT, "More data available", "n" * length))
    assert reason == ("more data available" if length == 259 else TOO_LONG)


TOO_LONG = "its path has 260 characters; Windows takes 259, unless long paths are enabled"


def test_messages_are_utf_8_wherever_nobody_looks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(written, encoding="cp1252", newline="\r\n", write_through=True))
    write_utf_8()
    print_message("a \u00b7 b \u2192 c")
    assert written.getvalue().decode() == "a \u00b7 b \u2192 c\n"


@pytest.mark.parametrize(
    "command", [["check"], ["convert", "--to", "mcp"], ["migrate", "--check"], ["catalog", "--to", "atdf"]]
)
def test_sources_on_other_drives_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """Windows has no path from one drive to another."""
    (tmp_path / "toolglot.toml").write_text(
        '[migrate.kind]\n"*.md" = "cli"\n[check.per-file-ignores]\n"*.md" = ["size"]\n'
    )
    shutil.copy(FIXTURES / "demo" / "TOOL.md", tmp_path)
    monkeypatch.chdir(tmp_path)

    def refuse(*paths: object) -> str:
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    monkeypatch.setattr(os.path, "commonpath", refuse)
    monkeypatch.setattr(os.path, "relpath", refuse)
    assert main([*command, "TOOL.md"]) == 0
    assert "internal error" not in capsys.readouterr().err


def test_a_search_for_settings_ends_at_the_top_of_a_drive_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "isdir", lambda path: False)
    assert settings.find_settings([os.path.join("no", "such", "file.json")]) is None


CALLERS = """
import pytest
from systems import missing

@pytest.fixture
def made():
    missing("no links in a fixture")()

def test_fixture(made):
    pass

def test_call():
    missing("no links in a test")("a", target="b")
"""


def test_what_is_missing_here_leaves_a_test_out_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "test_callers.py").write_text(CALLERS)
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", str(tmp_path)]
    # Plugins take longer to import than the tests to run, and nothing here needs one.
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(__file__), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
    assert "2 skipped" in done.stdout
    assert "no links in a fixture" in done.stdout
    assert "no links in a test" in done.stdout


def test_examples_that_are_left_out_are_there() -> None:
    for name in OF_POSIX:
        module, _, function = name.rpartition(".")
        assert ">>> " in (getattr(import_module(module), function).__doc__ or "")
