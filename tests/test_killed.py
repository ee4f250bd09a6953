"""`migrate` killed at any moment, run twice at once, on a full disk: no file is half done, and all belongs together.

The next run finishes, and leaves no litter. `benchmarks/race.py` does it by chance, many times.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import pytest

from rows import THOROUGH
from test_transcripts import toolglot
from toolglot import migrate
from toolglot.cli.stops_and_errors import Terminated, exit_code_of
from toolglot.converter.files import open_folders, temporaries

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="signals and forks are those of POSIX")

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
            path.rename(root / "shared" / f"{index}.TOOL.md")
            path.symlink_to(f"../../shared/{index}.TOOL.md")
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
CALLS = ("open", "fchmod", "link", "replace", "unlink", "mkdir")  # of `os`: what changes files
Act = Callable[[], None]


def act_at(number: int, after: bool, act: Act) -> Callable[[], None]:
    """Make this process do something at its `number`-th call of the functions that change files, before or after it.

    What is returned puts the functions back, as that call does.
    """
    calls = count(1)
    real = {name: getattr(os, name) for name in CALLS}

    def counting(name: str) -> Callable[..., Any]:
        def call(*args: Any, **how: Any) -> Any:
            is_reading = name == "open" and not args[1] & os.O_CREAT
            if is_reading or next(calls) != number:
                return real[name](*args, **how)
            put_back()  # whatever runs now calls the system itself
            if not after:
                act()
            try:
                return real[name](*args, **how)
            finally:
                if after:
                    act()

        return call

    def put_back() -> None:
        for name, function in real.items():
            setattr(os, name, function)

    for name in CALLS:
        setattr(os, name, counting(name))
    return put_back


def run_until_killed(root: Path, number: int) -> int:
    """Migrate in a child that dies before its `number`-th call; its exit code."""
    child = os.fork()
    if child == 0:
        _child(root, number)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _child(root: Path, number: int) -> NoReturn:
    code = 99
    try:
        act_at(number, False, die)
        code = migrate_all(root)
    finally:
        os._exit(code)


def die() -> None:
    os._exit(77)


@pytest.fixture
def warm(tmp_path: Path) -> None:
    """What is imported lazily is imported now, so that every child does the same."""
    plant(tmp_path / "warm", 1)
    migrate_all(tmp_path / "warm")


@pytest.mark.usefixtures("warm")
def test_killed_before_any_call(tmp_path: Path, expected: Any) -> None:
    """What stands after a call stands before the next one too."""
    old, new = expected(SMALL)
    seen: set[int] = set()
    litter = 0
    for number in range(1, 1000, 1 if THOROUGH else 2):
        root = tmp_path / str(number)
        plant(root, SMALL)
        modes = modes_of(root)
        code = run_until_killed(root, number)
        seen.add(check_state(root, old, new))
        litter += any(is_litter(name) for name in content_of(root))
        if code == 0:
            break
        assert code == 77
        finish(root, new)
        assert {path: mode for path, mode in modes_of(root).items() if path in modes} == modes
    rest(root)
    assert code == 0
    assert number > 25  # calls of a whole run
    assert seen == set(range(SMALL + 2))  # killed after every number of migrated documents
    assert litter > 5  # and with temporaries lying about, which the next run took away


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("interrupted", [False, True], ids=["goes on", "gets a Ctrl-C"])
def test_another_run_comes_between_any_two_calls(
    tmp_path: Path, expected: Any, monkeypatch: pytest.MonkeyPatch, interrupted: bool
) -> None:
    monkeypatch.setattr(open_folders, "PATIENCE", 0)  # the first run waits for the second, which must not wait for it
    old, new = expected(1)
    came = tmp_path / "came"

    def come_between() -> None:
        came.touch()
        other = os.fork()
        if other == 0:
            os._exit(migrate_all(root))
        os.waitpid(other, 0)
        if interrupted:
            raise KeyboardInterrupt

    step = 2 if THOROUGH else 4  # what stands after a call stands before the next one
    if interrupted:  # but a Ctrl-C within a call that was made is no Ctrl-C before the next
        step = 1 if THOROUGH else 5
    for number in count(2, step):
        root = tmp_path / str(number)
        plant(root, 1)
        put_back = act_at(number // 2, number % 2 == 0, come_between)
        try:
            migrate_all(root)
        finally:
            put_back()
        if not came.exists():
            break
        came.unlink()
        check_state(root, old, new)
        assert not any(is_litter(name) for name in content_of(root))
        finish(root, new)
    assert number > 20
    rest(root)


def test_who_comes_second_says_that_it_is_done(tmp_path: Path, expected: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, new = expected(1)
    plant(tmp_path, 1)
    waited: list[float] = []

    with ExitStack() as first:
        folder = first.enter_context(open_folders.open_folder(os.path.realpath(tmp_path / "shared")))
        first.enter_context(folder.locked())

        def finish_first(seconds: float) -> None:
            waited.append(seconds)
            for name, data in new.items():
                (tmp_path / name).write_bytes(data)
            first.close()

        monkeypatch.setattr("time.sleep", finish_first)
        ran = toolglot(["migrate", str(tmp_path / "shared" / "0.TOOL.md"), "--kind", "cli"], b"")
    assert len(waited) == 1
    assert (ran.code, ran.stderr.decode().splitlines()) == (
        0,
        [
            f"{tmp_path}/shared/0.TOOL.md: left unchanged: already migrated by another run",
            "1 file left unchanged",
        ],
    )
    assert content_of(tmp_path) == new


def test_a_run_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, 1)
    monkeypatch.setattr(open_folders, "PATIENCE", 0)
    with open_folders.open_folder(os.path.realpath(tmp_path / "shared")) as folder, folder.locked():
        ran = toolglot(["migrate", str(tmp_path), "--kind", "cli"], b"")
    assert ran.code == 2
    assert b"another run is at work in this folder" in ran.stderr
    assert b"[busy-folder]" in ran.stderr
    assert b"1 file migrated, 1 file refused" in ran.stderr


# -- a full disk --------------------------------------------------------------------------------------------------


def test_a_full_disk_costs_the_files_that_do_not_fit(tmp_path: Path, expected: Any) -> None:
    """A limit of the size of files stands for the disk."""
    import resource

    _, new = expected(SMALL)
    plant(tmp_path / "tree", SMALL)
    large = tmp_path / "tree" / "group1" / "tool1" / "TOOL.md"
    content = large.read_bytes() + b"x" * 100_000
    large.write_bytes(content)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        command = ["migrate", str(tmp_path / "tree"), "--kind", "cli", "--report", str(tmp_path / "report.json")]
        ran = toolglot(command, b"")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert ran.code == 2
    assert f"{large}: error: cannot be written: file too large [unwritable-file]".encode() in ran.stderr
    assert f"{SMALL} files migrated, 1 file refused".encode() in ran.stderr
    states = {entry["source"]: entry["state"] for entry in json.loads((tmp_path / "report.json").read_text())["files"]}
    assert [source for source, state in states.items() if state == "refused"] == [str(large)]
    assert content_of(tmp_path / "tree") == {name: data for name, data in new.items() if "tool1/" not in name} | {
        "group1/tool1/TOOL.md": content
    }


@pytest.mark.parametrize("call", ["dup", "close", "fsync"])
def test_a_disk_that_is_full_at_the_last_moment_costs_one_file(
    tmp_path: Path, expected: Any, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """A share says only when a file is closed that it has no room."""
    old, new = expected(SMALL)
    from toolglot.converter.files.system import posix  # elsewhere it cannot be imported

    plant(tmp_path, SMALL)
    failures = iter([OSError(errno.ENOSPC, "No space left on device")])

    class Full:
        """The system as the module that calls it sees it; its first such call fails."""

        def __getattr__(self, name: str) -> Any:
            if name == call and (error := next(failures, None)):
                raise error
            return getattr(os, name)

    monkeypatch.setattr(posix if call == "fsync" else temporaries, "os", Full())
    ran = toolglot(["migrate", str(tmp_path), "--kind", "cli", "--jobs", "1"], b"")
    assert ran.code == 2
    assert b"cannot be written: no space left on device [unwritable-file]" in ran.stderr
    assert f"{SMALL} files migrated, 1 file refused".encode() in ran.stderr
    assert check_state(tmp_path, old, new) == SMALL


def test_messages_that_nobody_can_keep_stop_nothing(tmp_path: Path, expected: Any) -> None:
    _, new = expected(SMALL)
    plant(tmp_path, SMALL)
    command = [sys.executable, "-m", "toolglot", "migrate", str(tmp_path), "--kind", "cli"]
    with open("/dev/full", "wb") as full:
        assert subprocess.run(command, stderr=full, check=False).returncode == 0
    assert content_of(tmp_path) == new


# -- asked to end between any two steps ---------------------------------------------------------------------------

STEPPED = {contextlib.__file__, *map(str, Path(temporaries.__file__).parent.glob("*.py"))}


def run_until_step(work: Callable[[], int], number: int) -> tuple[int, int]:
    """Work, asked to end before the `number`-th step of the code that changes files: the exit code, the steps."""
    steps = 0

    def trace(frame: FrameType, event: str, value: object) -> Any:
        return stop if frame.f_code.co_filename in STEPPED else None

    def stop(frame: FrameType, event: str, value: object) -> Any:
        nonlocal steps
        steps += event == "line"
        if steps == number:
            sys.settrace(None)
            raise Terminated(signal.SIGTERM)
        return stop

    sys.settrace(trace)
    try:
        return work(), steps
    finally:
        sys.settrace(None)


def test_a_signal_that_comes_while_tasks_run_ends_the_program_like_any_other() -> None:
    def run_tasks() -> None:
        raise BaseExceptionGroup("tasks", [OSError(), BaseExceptionGroup("more", [Terminated(signal.SIGTERM)])])

    assert exit_code_of(run_tasks) == 128 + signal.SIGTERM


@pytest.mark.usefixtures("warm")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # handles that nobody closed any more
def test_asked_to_end_between_any_two_steps(tmp_path: Path, expected: Any) -> None:
    old, new = expected(1)
    root = tmp_path / "whole"
    plant(root, 1)
    code, steps = run_until_step(partial(migrate_all, root), 0)
    assert (code, content_of(root)) == (0, new)
    assert steps > 300
    for number in range(1, steps, 1 if THOROUGH else steps // 20):
        root = tmp_path / str(number)
        plant(root, 1)
        assert run_until_step(partial(migrate_all, root), number)[0] in (0, 128 + signal.SIGTERM)
        check_state(root, old, new)
        assert not any(is_litter(name) for name in content_of(root)), number
    finish(root, new)
    gc.collect()  # here, where the handles may be named


# -- from outside -------------------------------------------------------------------------------------------------

LARGE = 60


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the children of a process are found in /proc")
def test_a_run_that_is_asked_to_end_leaves_nothing_behind(tmp_path: Path, expected: Any) -> None:
    old, new = expected(LARGE)
    plant(tmp_path, LARGE)
    command = [sys.executable, "-m", "toolglot", "migrate", str(tmp_path), "--kind", "cli", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith(b"migrated "):
            pass
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
    assert process.returncode == 128 + signal.SIGTERM
    assert len(workers) == 2
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert check_state(tmp_path, old, new) <= LARGE
    assert not any(is_litter(name) for name in content_of(tmp_path))
    finish(tmp_path, new)
