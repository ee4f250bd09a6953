"""`convert` of a folder into a folder: the same folders, the same result however many workers there are."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import repository
import toolglot
from rows import sample
from streams import run
from systems import needs_any_name, needs_fork, needs_links, needs_terminal
from toolglot import cli
from toolglot.cli import progress, terminal
from toolglot.cli.commands import convert_each
from toolglot.cli.file_batch import READ, Outcome, Run
from toolglot.cli.opened_sources import SourceFile, open_source
from toolglot.cli.options import SourceRequest
from toolglot.converter.file_search import PathFilter
from toolglot.converter.files import existing_targets, writing
from toolglot.converter.files.names import paths_below
from toolglot.converter.formats import detection
from toolglot.converter.schema import canonical
from toolglot.errors import UsageError, WriteError

TARGETS = ["atdf", "atip", "aip14", "tool-descriptor", "mcp", "hub"]


def descriptor(name: str = "host:add", **more: Any) -> str:
    return json.dumps(
        {"toolId": name, "source": "host-extension", "safetyTier": "write", "description": "Add.", **more}
    )


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirror") / "repository"
    repository.generate(folder, 60, seed=7)
    return folder


@pytest.mark.parametrize("to", sample(TARGETS, 5))
def test_one_worker_or_three_give_the_same(root: Path, tmp_path: Path, to: str) -> None:
    once = run(root, ["convert", ".", "--to", to, "-o", f"{tmp_path}/one", "-j1"])
    thrice = run(root, ["convert", ".", "--to", to, "-o", f"{tmp_path}/three", "-j3"])
    assert thrice == once
    assert tree(tmp_path / "three") == tree(tmp_path / "one") != {}


@pytest.mark.parametrize("to", sample(TARGETS, 5, 1))
def test_every_result_is_that_of_its_source_alone(root: Path, tmp_path: Path, to: str) -> None:
    run(root, ["convert", ".", "--to", to, "-o", str(tmp_path), "--report", "none"])
    made = tree(tmp_path)
    sources = [path for path in sorted(root.glob("group-*/**/notes.json")) if "ignored-" not in str(path)]
    assert sources
    for source in sources:
        [(name, text)] = toolglot.convert(source, to).files
        folder = source.relative_to(root).parent
        alone = [
            made.get((folder / name).as_posix()),
            *(made[path] for path in made if path.startswith(f"{folder.as_posix()}/notes.")),
        ]
        assert text.encode() in alone


def test_a_second_run_touches_nothing(root: Path, tmp_path: Path) -> None:
    arguments = ["convert", ".", "--to", "hub", "-o", str(tmp_path), "-j2"]
    run(root, arguments)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    again = run(root, arguments)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == times
    assert " unchanged" in again.stderr
    assert " converted" not in again.stderr


def test_one_bad_file_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "bad.atdf.json").write_text("{")
    (tmp_path / "tools" / "good.json").write_text(descriptor())
    done = run(tmp_path, ["convert", "tools", "--to", "atdf", "-o", "out"])
    assert done.code == 2
    assert "tools/bad.atdf.json:1:2" in done.stderr
    assert "1 file converted, 1 file refused; 1 tool" in done.stderr
    assert list(tree(tmp_path / "out")) == ["good.atdf.json"]


def test_a_file_that_says_something_else_is_kept(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.json").write_text(descriptor())
    (tmp_path / "tools" / "b.json").write_text(descriptor("host:b"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.atdf.json").write_text("mine")
    arguments = ["convert", "tools", "--to", "atdf", "-o", "out"]
    done = run(tmp_path, arguments)
    assert done.code == 2
    assert "--force" in done.stderr
    assert tree(tmp_path / "out")["a.atdf.json"] == b"mine"
    assert "b.atdf.json" in tree(tmp_path / "out")
    assert run(tmp_path, [*arguments, "--force"]).code == 0
    assert tree(tmp_path / "out")["a.atdf.json"] != b"mine"


def test_a_source_that_loses_something_is_refused_alone(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "a.json").write_text(descriptor(costHint="high"))
    (tmp_path / "tools" / "b.json").write_text(descriptor("host:b"))
    done = run(tmp_path, ["convert", "tools", "--to", "hub", "-o", "out", "--fail-on", "lost"])
    assert done.code == 0
    done = run(tmp_path, ["convert", "tools", "--to", "mcp", "-o", "mcp", "--fail-on", "lost"])
    assert done.code == 1
    first = 'host:add source: "host-extension": lost (no such field)'
    assert f"1 change at --fail-on lost; the first: {first} [fail-on]" in done.stderr


def test_results_below_the_sources_are_no_sources(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(descriptor())
    arguments = ["convert", ".", "--to", "atdf", "-o", "out"]
    run(tmp_path, arguments)
    assert run(tmp_path, arguments).stderr.endswith("1 file unchanged; 1 tool\n")
    assert list(tree(tmp_path)) == ["a.json", "out/a.atdf.json"]


@pytest.mark.parametrize(
    ("sources", "made"),
    [
        (["a"], ["x.hub.json"]),
        (["a", "b"], ["a/x.hub.json", "b/deep/x.hub.json", "b/x.hub.json"]),
        (["b", "b/deep"], ["deep/x.hub.json", "x.hub.json"]),
        (["a/x.json", "b/x.json"], ["a/x.hub.json", "b/x.hub.json"]),
        (["b/**/*.json"], ["deep/x.hub.json", "x.hub.json"]),
        (["*/x.json"], ["a/x.hub.json", "b/x.hub.json"]),
        (["./a/x.json", "a/../b/x.json"], ["a/x.hub.json", "b/x.hub.json"]),
    ],
)
def test_results_lie_as_their_sources_do(tmp_path: Path, sources: list[str], made: list[str]) -> None:
    for name in ("a/x", "b/x", "b/deep/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.json").write_text(descriptor(f"host:{name.replace('/', '.')}"))
    assert run(tmp_path, ["convert", *sources, "--to", "hub", "-o", "out/"]).code == 0
    assert list(tree(tmp_path / "out")) == made


def test_two_tools_of_one_id_are_not_hidden_under_another_name(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "tools").mkdir(exist_ok=True)
        (tmp_path / "tools" / f"{name}.json").write_text(descriptor("host:same", description=name))
    done = run(tmp_path, ["convert", "tools", "--to", "aip14", "-o", "out"])
    assert done.code == 2
    assert "tools/a.json gives host.same/TOOL.md too" in done.stderr


def test_a_folder_without_tools_says_so(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "README.md").write_text("# Nothing\n")
    done = run(tmp_path, ["convert", "tools", "--to", "atdf", "-o", "out"])
    assert done.code == 2
    assert "no tool description was found" in done.stderr


def test_the_report_of_all_is_valid_and_whole(root: Path, tmp_path: Path) -> None:
    run(root, ["convert", ".", "--to", "atdf", "-o", f"{tmp_path}/out", "--report", f"{tmp_path}/report.json", "-j2"])
    report = json.loads((tmp_path / "report.json").read_text())
    assert canonical.is_valid(report, "report/1")
    made = {path for entry in report["files"] for path in entry.get("files", [])}
    assert {Path(path).relative_to(tmp_path / "out").as_posix() for path in made} == set(tree(tmp_path / "out"))
    sources = {entry["source"] for entry in report["files"]}
    assert {change["source"] for change in report["changes"]} <= sources
    assert any(change.get("line") for change in report["changes"])


@needs_fork
def test_a_worker_that_dies_costs_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tools").mkdir()
    for number in range(60):
        (tmp_path / "tools" / f"{number:02}.json").write_text(descriptor(f"host:t{number}"))

    def deadly(found: Any) -> Any:
        if found.path.endswith("17.json"):
            os.kill(os.getpid(), signal.SIGKILL)
        return open_source(found)

    monkeypatch.setattr(convert_each, "open_source", deadly)
    done = run(tmp_path, ["convert", "tools", "--to", "atdf", "-o", "out", "-j2"])
    assert done.code == 2
    assert "tools/17.json" in done.stderr
    assert "[worker-died]" in done.stderr
    assert len(tree(tmp_path / "out")) == 59


@needs_terminal
def test_a_terminal_shows_how_far_a_run_is(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    for number in range(50):
        (tmp_path / "tools" / f"{number:02}.json").write_text(descriptor(f"host:t{number}"))
    master, slave = os.openpty()
    command = [sys.executable, "-m", "toolglot", "convert", "tools", "--to", "atdf", "-o", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=slave, stdin=subprocess.DEVNULL) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
    os.close(master)
    assert process.returncode == 0
    assert b"/50 files, " in seen
    assert b"files/s, " in seen
    assert b" s left" in seen


def test_files_that_are_read_in_a_second_round_are_counted_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_OFTEN", -1)
    monkeypatch.setattr(terminal, "_status", [])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    command = Run(SourceRequest(("tools",), PathFilter()), counts_files=True)
    for names in ("abc", "ab"):
        files = [SourceFile(name, name, False, False, request=command.request) for name in names]
        assert len(list(command.perform(lambda file: Outcome(READ), files))) == len(names)
    shown = [text.partition(" ")[0] for text in capsys.readouterr().err.split("\r\x1b[2K") if text]
    assert shown == ["1/3", "2/3", "3/3", "4/5", "5/5"]


@pytest.mark.parametrize("printed", ["print_message", "print_result", "end"])
def test_what_is_printed_takes_the_place_of_how_far_a_run_is(
    printed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        terminal.show_status("1/3 files")
        if printed != "end":
            getattr(terminal, printed)("text")
        raise UsageError("wrong")

    monkeypatch.setattr(terminal, "_status", [])
    monkeypatch.setattr(cli.cli, "main", lambda **_: fail())
    assert cli.main([]) == 2
    said = "text\n" if printed == "print_message" else ""
    assert capsys.readouterr().err == f"1/3 files\r\x1b[2K{said}error: wrong [usage]\n"


VERBS = {
    "convert": ["--to", "atdf", "-o", "out/"],
    "check": [],
    "catalog": ["--to", "atdf"],
    "migrate": ["--check"],
}


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=needs_fork)])
@pytest.mark.parametrize("verb", VERBS)
def test_a_fault_of_ours_costs_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, jobs: str) -> None:
    for number in range(3):
        (tmp_path / f"{number}.json").write_text(descriptor(f"host:t{number}"))
    real = detection.detect

    def broken(data: Any, body: str | None = None, name: str | None = None) -> Any:
        if name == "1.json":
            raise RuntimeError(f"oops\x1b[2J{'!' * 5000}")
        return real(data, body, name)

    monkeypatch.setattr(detection, "detect", broken)
    done = run(tmp_path, [verb, ".", *VERBS[verb], "-j", jobs])
    assert done.code == 2
    [line] = [line for line in (done.stdout + done.stderr).splitlines() if "internal error" in line]
    assert line.startswith("1.json: error: internal error: RuntimeError: oops")
    assert len(line) < 400
    assert "\x1b" not in line
    if verb == "catalog":
        assert '"host:t0"' in done.stdout
        assert '"host:t2"' in done.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_stdin_is_read_however_many_jobs_there_are(tmp_path: Path, verb: str) -> None:
    (tmp_path / "a.json").write_text(descriptor("host:a"))
    stdin = descriptor("host:b").encode()
    done = [run(tmp_path, [verb, "-", "a.json", *VERBS[verb], "-j", jobs], stdin) for jobs in ("1", "2")]
    assert done[0].code == done[1].code == 0
    assert done[0].stdout == done[1].stdout


@needs_any_name
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_names_that_are_no_text(tmp_path: Path, jobs: str) -> None:
    for number, name in enumerate((b"\xff.json", b"\xfe.json", b"a\n\x1b[31m.json")):
        with open(os.fsencode(tmp_path) + b"/" + name, "w") as stream:
            stream.write(descriptor(f"host:t{number}"))
    done = run(tmp_path, ["convert", ".", "--to", "atdf", "-o", "out", "--report", "r.json", "-v", "-j", jobs])
    assert done.code == 0
    assert "\x1b" not in done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert sorted(path for entry in report["files"] for path in entry["files"]) == sorted(
        f"out/{name}" for name in tree(tmp_path / "out")
    )


@needs_links
def test_a_folder_that_becomes_a_link_during_the_run_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("a", "b"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "x.json").write_text(descriptor())
    out = tmp_path / "out"
    real = paths_below

    def swapping(folder: str, names: list[str], taken: Counter[str]) -> list[str]:
        placed = real(folder, names, taken)
        if names == ["b/x.mcp.json"]:  # after every check of where the result may go
            (out / "b").symlink_to(outside)
        return placed

    monkeypatch.setattr(convert_each, "paths_below", swapping)
    ran = run(tmp_path, ["convert", "in", "--to", "mcp", "-o", "out", "-j1"])
    assert ran.code == 2
    assert "[outside-folder]" in ran.stderr
    assert "1 file converted, 1 file refused" in ran.stderr
    assert (os.listdir(outside), os.listdir(out / "a")) == ([], ["x.mcp.json"])


@needs_links
def test_an_output_folder_that_becomes_a_link_during_the_run_is_written_to_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    real = os.path.realpath

    def swapping(path: str, **how: Any) -> str:
        found = real(path, **how)
        if found.endswith("out/x.mcp.json"):  # after the last look at the path
            (tmp_path / "out").symlink_to(outside)
        return found

    (tmp_path / "x.json").write_text(descriptor())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os.path, "realpath", swapping)
    with pytest.raises(WriteError, match="leads elsewhere"):
        writing.write_file("out/x.mcp.json", b"1")
    assert os.listdir(outside) == []


def test_a_file_of_another_run_is_not_replaced_without_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.json").write_text(descriptor())
    out = tmp_path / "out"

    def other_run(paths: list[str], force: bool = False) -> None:
        if paths and not out.exists():
            out.mkdir()
            (out / "x.mcp.json").write_text("theirs")

    monkeypatch.setattr(existing_targets, "refuse_existing", other_run)
    ran = run(tmp_path, ["convert", ".", "--to", "mcp", "-o", "out", "-j1"])
    assert ran.code == 2
    assert "[file-exists]" in ran.stderr
    assert tree(out) == {"x.mcp.json": b"theirs"}


def test_a_program_that_became_a_folder_comes_home_as_one_file(tmp_path: Path) -> None:
    """Its commands lie in files of their own, and none of them is the program."""
    commands = {name: {"description": f"The command {name}."} for name in ("list", "add", "remove")}
    program = {"atip": {"version": "0.6"}, "name": "gh", "version": "1", "description": "Work.", "commands": commands}
    (tmp_path / "gh.atip.json").write_text(json.dumps(program), "utf-8")
    there = run(tmp_path, ["convert", "gh.atip.json", "--to", "aip14", "--lossless", "-o", "there/"])
    back = run(tmp_path, ["convert", "there", "--to", "atip", "--restore=*", "-o", "back/"])
    assert (there.code, back.code) == (0, 0), (there, back)
    ((_, home),) = tree(tmp_path / "back").items()
    assert json.loads(home) == program
