"""Asking a program that was named: what is refused before it runs, what bounds it, and which answers are none."""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hostile_programs import CURIOUS, description_of, put_program
from rows import for_each
from systems import needs_programs
from toolglot.cli import main
from toolglot.cli.command_options import ask as ask_command
from toolglot.cli.command_options import run as run_command
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import Error, ProgramError, UsageError
from toolglot.runtime.agent.requests import PartRequest
from toolglot.runtime.bridge import program_calls
from toolglot.runtime.inventory.kept_answers import Store
from toolglot.runtime.programs import isolation, resolution
from toolglot.runtime.programs.allow_list import parse_allow_list, read_allow_list
from toolglot.runtime.programs.ask import LONGEST_SECONDS, Reply, ask, parse_answer
from toolglot.runtime.programs.environment import closed_environment, private_folder
from toolglot.runtime.programs.isolation import NAMES, choose_isolation, plan_isolation, run_isolated
from toolglot.runtime.programs.processes import Launch, RunBounds, bounded_run
from toolglot.runtime.programs.resolution import open_program

pytestmark = needs_programs

PATIENT = RunBounds(seconds=LONGEST_SECONDS)  # for what ends by itself, however busy the machine is
HASTY = RunBounds(seconds=0.2)  # for what never ends


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "state")


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    before = os.umask(0o022)  # where groups may write into new folders, no program in one would be run
    yield
    os.umask(before)


def ask_at(path: Path, store: Store, bounds: RunBounds = PATIENT, **options: Any) -> Reply:
    question = options.pop("question", PartRequest())
    with open_program(str(path)) as program:
        return ask(program, question, store=store, bounds=bounds, as_root=True, **{"isolation": "none", **options})


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(Error) as caught:
        work()
    assert caught.value.source or caught.value.code in ("as-root", "no-isolation", "bad-command-name", "bad-depth")
    return str(caught.value.code)


# -- before anything runs -------------------------------------------------------------------------------------------


@for_each("named", ["", ".", "prog", "true", "sh"])
def test_no_program_is_searched_for(named: str) -> None:
    """Whatever stands in PATH, or in the folder where somebody is."""
    with pytest.raises(ProgramError, match="PATH is not searched") as caught, open_program(named):
        pass
    assert caught.value.code == "program-not-named"


@for_each("named", ["./prog", "../prog", "bin/prog"])
def test_a_path_names_a_program_from_where_somebody_is(named: str) -> None:
    with pytest.raises(ProgramError, match="there is no such file") as caught, open_program(named):
        pass
    assert caught.value.source == os.path.abspath(named)


def _plain(folder: Path) -> Path:
    return put_program(folder, "prog", "@")


def _in_open_folder(folder: Path) -> Path:
    (folder / "open").mkdir()
    path = put_program(folder / "open", "prog", "@")
    (folder / "open").chmod(0o777)
    return path


def _linked_from_open_folder(folder: Path) -> Path:
    (folder / "open").mkdir()
    (folder / "open" / "prog").symlink_to(_plain(folder))
    (folder / "open").chmod(0o775)
    return folder / "open" / "prog"


def _with_interpreter(folder: Path) -> Path:
    put_program(folder, "interpreter", "@", 0o757)
    path = folder / "prog"
    path.write_text(f"#!{folder}/interpreter -x\n")
    path.chmod(0o755)
    return path


def _with_relative_interpreter(folder: Path) -> Path:
    path = folder / "prog"
    path.write_text("#!interpreter\n")
    path.chmod(0o755)
    return path


def _own_interpreter(folder: Path) -> Path:
    path = folder / "prog"
    path.write_text(f"#!{path}\n")
    path.chmod(0o755)
    return path


def _fifo(folder: Path) -> Path:
    os.mkfifo(folder / "prog", 0o755)
    return folder / "prog"


def _loop(folder: Path) -> Path:
    (folder / "prog").symlink_to(folder / "prog")
    return folder / "prog"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda folder: put_program(folder, "prog", "@", 0o4755), "program-privileged"),
        (lambda folder: put_program(folder, "prog", "@", 0o2755), "program-privileged"),
        (lambda folder: put_program(folder, "prog", "@", 0o757), "program-writable"),
        (lambda folder: put_program(folder, "prog", "@", 0o775), "program-writable"),
        (lambda folder: put_program(folder, "prog", "@", 0o644), "program-not-executable"),
        (lambda folder: folder, "program-not-a-file"),
        (lambda folder: folder / "missing", "program-missing"),
        (lambda folder: Path(f"{folder}/\0"), "program-unreadable"),
        (_in_open_folder, "program-writable"),
        (_linked_from_open_folder, "program-writable"),
        (_with_interpreter, "program-writable"),
        (_with_relative_interpreter, "program-interpreter"),
        (_own_interpreter, "program-interpreter"),
        (_fifo, "program-not-a-file"),
        (_loop, "program-unreadable"),
    ],
)
def test_what_may_not_run(make: Callable[[Path], Path], code: str, tmp_path: Path) -> None:
    path = str(make(tmp_path))
    assert code_of(lambda: open_program(path).__enter__()) == code


def test_a_program_of_another_user_may_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _plain(tmp_path)
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)  # what is root's may run
    else:
        monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)  # only root may give a file away
    assert code_of(lambda: open_program(str(path)).__enter__()) == "program-not-ours"


def test_links_are_followed_and_a_sticky_folder_is_noted(tmp_path: Path) -> None:
    real = put_program(tmp_path, "real", "@")
    sticky = tmp_path / "sticky"
    sticky.mkdir()
    (sticky / "link").symlink_to("../sub/../link")
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(real)
    sticky.chmod(0o1777)
    with open_program(str(sticky / "link")) as program:
        assert program.path == str(real.resolve())
        assert program.names == ("link", "real")
        assert program.interpreters == ("/bin/sh",)
        assert any(str(sticky) in note for note in program.notes)


def test_a_name_on_an_allow_list_has_a_hash(tmp_path: Path) -> None:
    path = put_program(tmp_path, "prog", "@")
    with open_program(str(path)) as program:
        sha256 = program.fingerprint.sha256
    allow_list = parse_allow_list({"prog": {"path": str(path), "sha256": sha256}})
    with open_program("prog", allow_list) as program:
        assert program.path == str(path)
    assert code_of(lambda: open_program("other", allow_list).__enter__()) == "program-not-named"
    path.write_text("#!/bin/sh\nrm -rf x\n")
    assert code_of(lambda: open_program("prog", allow_list).__enter__()) == "program-changed"


@for_each(
    "data",
    [
        [],
        {"a": "/bin/a"},
        {"a": {"path": "/bin/a"}},
        {"a": {"path": "/bin/*", "sha256": "x"}},
        {"a": {"path": "bin/a", "sha256": "0" * 64}},
        {"../a": {"path": "/bin/a", "sha256": "0" * 64}},
        {"a": {"path": "/bin/a", "sha256": "A" * 64}},
        {"a": {"path": "/bin/a", "sha256": "0" * 64, "run": True}},
    ],
)
def test_what_is_no_allow_list(data: Any) -> None:
    with pytest.raises(UsageError, match=r"\[bad-allow-list\]"):
        parse_allow_list(data)


def test_an_allow_list_that_others_can_write_is_none(tmp_path: Path) -> None:
    path = tmp_path / "allowed.json"
    path.write_text("{}")
    path.chmod(0o644)
    assert read_allow_list(path) == {}
    path.chmod(0o666)
    assert code_of(lambda: read_allow_list(path)) == "program-writable"


def test_without_the_flag_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Not even `--help`, and not the launcher that would isolate: a text that mentions `--agent` is no consent."""
    path = put_program(tmp_path, "prog", 'touch "$0.trace"; echo "--agent prints a description"')

    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(os, "posix_spawn", refuse)
    monkeypatch.setattr(os, "fork", refuse)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toolglot.toml").write_text("run = true\n[ask]\nrun = true\n")
    assert main(["program", "ask", str(path), "--depth", "1"]) == 0
    shown = capsysbinary.readouterr().out.decode()
    assert f"would run: {path} --agent --depth=1\n" in shown
    assert "sha256: " in shown
    assert not (tmp_path / "prog.trace").exists()
    assert not (tmp_path / "xdg").exists()


def test_root_is_asked_for_a_second_flag(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put_program(tmp_path, "prog", "@")
    with open_program(str(path)) as program:
        monkeypatch.setattr(resolution, "is_root", lambda: True)
        assert code_of(lambda: ask(program, store=store)) == "as-root"


# -- while it runs --------------------------------------------------------------------------------------------------


def is_permitted(name: str) -> bool:
    try:
        choose_isolation(name)
    except ProgramError:
        return False
    return True


@pytest.fixture(params=[name for name in NAMES if is_permitted(name)])
def way(request: pytest.FixtureRequest) -> str:
    """Each isolation that this system permits; what it does not permit is refused before anything runs."""
    return str(request.param)


def test_what_a_program_sees(way: str, tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_TOKEN", "secret")
    planted = tmp_path / "planted"
    handle = os.open(planted, os.O_CREAT | os.O_RDWR)
    os.set_inheritable(handle, True)
    path = put_program(tmp_path, "curious", CURIOUS)
    reply = ask_at(path, store, isolation=way)
    os.close(handle)
    name, words, text, names, files, interfaces, cwd, home, temporary, *rest = json.loads(reply.text)[
        "description"
    ].split("|")
    assert (name, words, text, files.strip()) == (str(path), "--agent", "", "0")
    assert set(names.split()) <= {"PATH", "LANG", "HOME", "TMPDIR", "PWD", "_"}
    assert {"PATH", "LANG", "HOME", "TMPDIR"} <= set(names.split())
    assert cwd == home == temporary
    assert not os.path.lexists(home)
    assert rest[:4] == ["/usr/bin:/bin", "C.UTF-8", "0077", "0"]
    assert int(rest[4]) == PATIENT.seconds + 1
    assert str(planted) not in rest[5]
    assert way == "none" or interfaces.split() == ["lo"]
    assert (tmp_path / "trace").exists() is (way != "bubblewrap")
    assert reply.answer.provenance.isolation == way
    assert reply.answer.provenance.argv == (str(path), "--agent")


def test_a_compiled_program_runs_by_its_descriptor(way: str, store: Store) -> None:
    """And is told that it is called by its path."""
    with pytest.raises(ProgramError, match=r"/usr/bin/env: unrecognized option|env: .*--agent") as caught:
        ask_at(Path("/usr/bin/env"), store, isolation=way)
    assert caught.value.code == "answer-failed"


def test_a_large_program_runs(way: str, tmp_path: Path, store: Store) -> None:
    """It is larger than any file that it could write."""
    path = put_program(tmp_path, "prog", f"@; exit\n{'#' * 3_000_000}")
    assert ask_at(path, store, isolation=way).tool.id == "prog"


@contextmanager
def watched_pipe(path: Path) -> Iterator[Callable[[], bool]]:
    """A pipe that programs may open for writing, and whether nothing that did is alive: the system takes a moment."""
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(path, os.O_WRONLY)  # so that the pipe hangs up in the end, whether a program came so far or not
    yield lambda: _hangs_up(reader, writer)
    os.close(reader)


def _hangs_up(reader: int, writer: int) -> bool:
    os.close(writer)
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    return any(events & select.POLLHUP for _, events in poll.poll(10_000))


STUBBORN = "trap '' TERM HUP INT; exec 7> '{fifo}'; {child}\necho started >&2; {rest}"


@pytest.mark.parametrize(
    ("child", "rest", "code"),
    [
        ("true", "sleep 60", "answer-late"),
        ("(sleep 60) &", "while :; do :; done", "answer-late"),
        ("(sleep 60) &", "while :; do echo x; done", "answer-too-large"),
        ("(sleep 60) &", "@; exit 3", "answer-failed"),
    ],
)
def test_nothing_outlives_a_run(child: str, rest: str, code: str, way: str, tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", STUBBORN.format(fifo=tmp_path / "fifo", child=child, rest=rest))
    bounds = HASTY if code == "answer-late" else PATIENT._replace(stdout=100_000)
    with watched_pipe(tmp_path / "fifo") as is_dead:
        assert code_of(lambda: ask_at(path, store, bounds, isolation=way)) == code
        assert is_dead()
    assert store.answers() == ()


def test_a_program_that_a_signal_ended_did_not_answer(tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", "@; kill -9 $$")
    with pytest.raises(ProgramError, match=r"ended by signal SIGKILL \[answer-failed\]"):
        ask_at(path, store)


def test_nobody_waits_for_what_a_program_left_behind(way: str, tmp_path: Path, store: Store) -> None:
    """It answers and ends, and its child holds the pipe open. One that left the group ends with its namespace."""
    child = "sleep 3600 &" if way == "none" else "setsid sleep 3600 &"
    path = put_program(tmp_path, "prog", STUBBORN.format(fifo=tmp_path / "fifo", child=child, rest="@"))
    with watched_pipe(tmp_path / "fifo") as is_dead:
        reply = ask_at(path, store, isolation=way)
        assert is_dead()
    assert reply.tool.id == "prog"
    assert reply.warnings == ("it also wrote to stderr: started",)


@pytest.mark.parametrize("script", ["yes", "yes >&2", "yes & yes >&2 & exec yes"])
def test_what_a_program_writes_is_bounded(script: str, tmp_path: Path) -> None:
    seconds = 0.3 if script == "yes >&2" else 10  # a flood ends a run sooner, and later on a busy machine
    bounds = RunBounds(seconds, stdout=200_000, stderr=1_000)
    with open_program(str(put_program(tmp_path, "prog", script))) as program, private_folder() as folder:
        environment = closed_environment(folder)
        outcome = run_isolated(isolation.NONE, program, [program.path], [folder], environment, bounds)
    assert outcome.end == ("timeout" if script == "yes >&2" else "flood")
    assert len(outcome.stdout) < 200_000 + (1 << 17)
    assert len(outcome.stderr) <= 1_000


def test_ctrl_c_while_a_program_starts_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[Any] = []

    class InterruptedPopen(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            processes.append(self)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", InterruptedPopen)
    with pytest.raises(KeyboardInterrupt):
        bounded_run(Launch(("sleep", "9"), "/bin/sleep"), "/", {}, PATIENT)
    assert processes[0].returncode == -signal.SIGKILL


def test_whatever_a_program_leaves_in_its_folder_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In memory where that can be, because a disk takes milliseconds for each of a thousand folders."""
    (tmp_path / "outside").write_text("stays")
    script = """
        ln -s "${0%/*}" link; ln -s / root; mkfifo pipe; echo x > -rf; mkdir -p a/b/c; echo y > a/b/c/d; chmod 0 a/b a
        deep=x; for n in 1 2 3 4 5 6 7 8 9 10; do deep=$deep/$deep; done
        mkdir -p $deep && cd $deep && mkdir -p $deep"""
    path = put_program(tmp_path, "prog", script)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as scratch:
        monkeypatch.setattr("tempfile.tempdir", scratch)
        with open_program(str(path)) as program, private_folder() as folder:
            environment = closed_environment(folder)
            assert run_isolated(isolation.NONE, program, [program.path], [folder], environment, PATIENT).code == 0
            assert os.path.isdir(os.path.join(folder, *"x" * 1000))
            os.chmod(folder, 0)
        assert os.listdir(scratch) == []
        with private_folder() as folder:
            os.rmdir(folder)
            os.symlink(tmp_path, folder)
        os.unlink(folder)
    assert (tmp_path / "outside").read_text() == "stays"


def test_a_system_that_cannot_bound_a_program_runs_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put_program(tmp_path, "prog", "@")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert code_of(lambda: open_program(str(path)).__enter__()) == "unsupported-system"


def test_the_command_line_knows_the_same_words() -> None:
    """Without importing them, which `--help` would wait for."""
    assert ask_command.ISOLATIONS == NAMES
    assert ask_command.LONGEST_SECONDS == LONGEST_SECONDS
    assert run_command.LONGEST_SECONDS == program_calls.LONGEST_SECONDS


def test_what_writes_much_is_read_whole(tmp_path: Path, store: Store) -> None:
    """Characters of several bytes fall on the edges of what is read at once; stderr is thrown away behind its cap."""
    text = "ä€😀" * 30_000
    (tmp_path / "text").write_text(description_of("prog", description=text), encoding="utf-8")
    path = put_program(tmp_path, "prog", f"head -c 300000 /dev/zero >&2; printf x; cat '{tmp_path}/text'")
    assert code_of(lambda: ask_at(path, store)) == "answer-not-json"
    path = put_program(tmp_path, "prog", f"head -c 300000 /dev/zero >&2; cat '{tmp_path}/text'")
    assert json.loads(ask_at(path, store).text)["description"] == text


def test_a_program_that_changes_itself_is_not_believed(tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", '@; echo "# more" >> "$0"')
    assert code_of(lambda: ask_at(path, store)) == "program-changed"
    assert store.answers() == ()


def test_an_isolation_that_is_demanded_is_never_weakened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_is_permitted", lambda way: way.name == "none")
    assert choose_isolation().name == "none"
    for name in NAMES[:-1]:
        assert code_of(partial(choose_isolation, name)) == "no-isolation"
    monkeypatch.setattr(isolation, "_FOLDERS", "")
    assert plan_isolation().name == "none"
    assert code_of(lambda: plan_isolation("bubblewrap")) == "no-isolation"


# -- the answer -----------------------------------------------------------------------------------------------------

GOOD = description_of("prog")
ANSWERS: list[tuple[str | bytes, str]] = [
    ("", "answer-empty"),
    (" \n", "answer-empty"),
    ("usage: prog", "answer-not-json"),
    ("name: prog", "answer-not-json"),
    (f"[{GOOD}]", "answer-array"),
    (f"{GOOD}{GOOD}", "answer-several"),
    (f"{GOOD}\n{GOOD}\n", "answer-several"),
    (f"{GOOD}\ndone.", "answer-trailing-text"),
    (f"Here you are: {GOOD}", "answer-not-json"),
    (GOOD[:-1], "answer-malformed"),
    ('{"name": "prog", "name": "prog"}', "answer-malformed"),
    ('{"name": NaN}', "answer-malformed"),
    ("{" + '"a": {' * 100 + "}" * 101, "answer-malformed"),
    (b'{"name": "\xff"}', "answer-malformed"),
    (GOOD.encode("utf-16"), "answer-not-json"),
]


def test_what_is_no_answer() -> None:
    """Each in words of its own."""
    messages: dict[str, str] = {}
    for raw, code in ANSWERS:
        data = raw.encode() if isinstance(raw, str) else raw
        with pytest.raises(ProgramError) as caught:
            parse_answer(data, "/bin/prog")
        assert caught.value.code == code, raw
        messages[caught.value.message] = code
    assert len(messages) == 10


def test_a_byte_order_mark_is_a_warning(tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", "printf '\\357\\273\\277'; @")
    assert ask_at(path, store).warnings == ("its answer begins with a byte order mark",)


@pytest.mark.parametrize(
    ("printed", "code"),
    [
        (description_of("other"), "answer-other-name"),
        (description_of("../../escaped"), "answer-other-name"),
        (json.dumps({"openapi": "3.1.0"}), "answer-no-description"),
        (json.dumps({"toolId": "prog", "source": "mcp", "safetyTier": "read"}), "answer-no-description"),
        (json.dumps({"atip": {"version": "0.6"}, "name": 7, "commands": []}), "answer-no-description"),
    ],
)
def test_who_describes_another_program_is_refused(printed: str, code: str, tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", f"echo '{printed}'")
    assert code_of(lambda: ask_at(path, store)) == code
    assert not os.path.lexists(store.folder)


@pytest.mark.parametrize("name", ["notes-py", "notes"])
def test_a_name_may_be_spelled_as_its_format_has_it_or_without_an_ending(
    name: str, tmp_path: Path, store: Store
) -> None:
    path = put_program(tmp_path, "notes.py", f"echo '{description_of(name)}'")
    assert ask_at(path, store).tool.id == name


def test_a_name_is_never_a_path(tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", f"echo '{description_of('../../escaped')}'")
    reply = ask_at(path, store, any_name=True)
    kept = {str(found.relative_to(store.folder)) for found in Path(store.folder).rglob("*") if found.is_file()}
    assert kept >= {"programs.json", f"documents/{reply.answer.document}.json"}
    assert not any("escaped" in str(found) for found in tmp_path.rglob("*"))


def test_a_part_is_a_part_whatever_the_program_says(tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", "@")
    part = ask_at(path, store, question=PartRequest(("list", "get"), 2))
    assert part.answer.provenance.argv[1:] == ("--agent", "--commands=list,get", "--depth=2")
    assert part.answer.partial
    for reply in (part, ask_at(path, store, question=PartRequest(("list", "get"), 2))):
        assert reply.tool.discovery == {"partial": True, "filter": {"commands": ["list", "get"], "depth": 2}}
        assert json.loads(reply.text)["partial"] is True
    assert ask_at(path, store).tool.discovery is None


@pytest.mark.parametrize(
    ("stated", "question", "selection"),
    [
        ({}, PartRequest(("list",)), {"commands": ["list"], "depth": None}),
        ({}, PartRequest((), 1), {"depth": 1}),
        ({"partial": True}, PartRequest(("list",)), {"commands": ["list"]}),  # nobody says that it is cut
        ({"partial": True, "filter": {"depth": None}}, PartRequest((), 1), {"depth": 1}),
        ({"partial": False, "filter": {"depth": 2}}, PartRequest(("list",)), {"commands": ["list"], "depth": 2}),
    ],
)
def test_what_was_asked_for_decides_how_much_is_shown(
    stated: dict[str, Any], question: PartRequest, selection: dict[str, Any], tmp_path: Path, store: Store
) -> None:
    path = put_program(tmp_path, "prog", f"echo '{description_of('prog', **stated)}'")
    reply = ask_at(path, store, question=question)
    assert reply.tool.discovery == {"partial": True, "filter": selection}
    is_cut = selection.get("depth") == 1
    assert bool(list(leaves_of(reply.tool))) is not is_cut


@pytest.mark.parametrize(
    "question", [PartRequest(("",)), PartRequest(("a,b",)), PartRequest(("a\nb",)), PartRequest((), 0)]
)
def test_what_cannot_be_asked(question: PartRequest, tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", "@")
    assert code_of(lambda: ask_at(path, store, question=question)) in ("bad-command-name", "bad-depth")


def test_an_answer_is_kept_by_the_hash_of_its_program(tmp_path: Path, store: Store) -> None:
    path = put_program(tmp_path, "prog", 'echo x >> "${0%/*}/times"; @')
    replies = [ask_at(path, store, refresh=refresh) for refresh in (False, False, True)]
    assert [reply.is_kept for reply in replies] == [False, True, False]
    assert len({reply.text for reply in replies}) == 1
    path.write_text(path.read_text() + "# a newer one\n")
    assert not ask_at(path, store).is_kept
    assert (tmp_path / "times").read_text() == "x\n" * 3


# -- the command ----------------------------------------------------------------------------------------------------


def test_one_failure_hides_no_other(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    good, other = put_program(tmp_path, "good", "@"), put_program(tmp_path, "other", "@")
    bad = put_program(tmp_path, "bad", "printf '\\033[2J' >&2; exit 1")
    options = ["--run", "--as-root", "--isolation", "none", "--timeout", "10"]
    assert main(["program", "ask", str(good), str(bad), "relative", str(other), *options]) == 2
    printed = capsysbinary.readouterr()
    assert [json.loads(line)["name"] for line in printed.out.splitlines()] == ["good", "other"]
    assert b"[answer-failed]" in printed.err
    assert b"[program-not-named]" in printed.err
    assert b"\x1b" not in printed.err


@pytest.fixture(autouse=True)
def no_leftover_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever happens, the folder of a run is removed."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    yield
    assert [str(path) for path in scratch.rglob("*")] == []
    assert stat.S_IMODE(scratch.stat().st_mode) & 0o077 in (0, 0o055, 0o050, 0o075, 0o077)
