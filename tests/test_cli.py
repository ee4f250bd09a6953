"""What transcripts cannot show: streams, terminals, signals, hostile names, and what is imported."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from importlib.abc import MetaPathFinder
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

import click
import pytest
from msgspec import UNSET

import secret_texts
import toolglot
from command_words import walk_commands
from golden import FIXTURES
from pace import within
from rows import for_each
from systems import needs_any_name, needs_broken_pipes, needs_locks, needs_proc, needs_signals, needs_terminal
from toolglot.__main__ import start
from toolglot.cli import (
    cli,
    main,
    opened_sources,
    option_types,
    options,
)
from toolglot.cli.command_options.convert import SAFETY_TIERS
from toolglot.cli.commands import check_files
from toolglot.cli.reports import findings, sarif
from toolglot.cli.reports.terminal_report import text_report
from toolglot.cli.reports.verbose_report import list_changes, whole_text_report
from toolglot.converter import formats
from toolglot.converter.conversion import recognition
from toolglot.converter.conversion.offers import FLATTEN
from toolglot.converter.conversion.report import Change, Report
from toolglot.converter.files import writing
from toolglot.converter.files.commit import Commit, change_files
from toolglot.converter.files.open_folders import Folder
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical
from toolglot.converter.text import document_reader
from toolglot.errors import WriteError, escape_unseen
from toolglot.verbs.diagnostics.diagnostic import Diagnostic


def descriptor(name: str = "host:add", **fields: Any) -> dict[str, Any]:
    return {"toolId": name, "source": "host-extension", "safetyTier": "write", "description": "Add one.", **fields}


def put(path: str, data: Any) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Streams:
    """Runs the program in this process, with stdin as given and stdout apart from stderr."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ran:
        out, err = io.BytesIO(), io.BytesIO()
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
            patch.setattr(sys, "stdout", io.TextIOWrapper(out, "utf-8", newline="\n", write_through=True))
            patch.setattr(sys, "stderr", io.TextIOWrapper(err, "utf-8", newline="\n", write_through=True))
            code = main(arguments)
            # The wrappers close what they wrap when they go.
            return Ran(code, out.getvalue().decode(), err.getvalue().decode())


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Streams:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "TOOLGLOT_DEBUG", "TOOLGLOT_MAX_SIZE"):
        monkeypatch.delenv(name, raising=False)
    return Streams(monkeypatch)


def program(*arguments: str, **how: Any) -> subprocess.Popen[bytes]:
    """The program in a process of its own."""
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.Popen([sys.executable, "-m", "toolglot", *arguments], **how)


def test_a_file_that_may_not_be_read_does_not_end_the_run() -> None:
    """Opening it says so, file by file; click would refuse the whole command line."""
    paths: list[click.Path] = []
    for _, command in walk_commands():
        for param in command.params:
            if isinstance(param, click.Argument) and isinstance(param.type, click.Path):
                paths.append(param.type)
    assert len(paths) >= 12
    assert not any(kind.readable for kind in paths)


# -- start ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--help"], ["convert", "-h"], ["--version"]])
def test_help_imports_no_yaml_no_schema_library_and_no_format(arguments: list[str]) -> None:
    code = (
        f"import sys; from toolglot.cli import main; code = main({arguments}); "
        "print(code, *sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    exit_code, *modules = done.stderr.split()
    assert exit_code == "0"
    heavy = {
        "yaml",
        "msgspec",
        "jsonschema",
        "jsonschema_rs",
        "orjson",
        "referencing",
        "frontmatter",
        "importlib.metadata",
    }
    assert heavy & set(modules) == set()
    assert [
        name
        for name in modules
        if name.startswith(("toolglot.converter.formats", "toolglot.converter.conversion.pipeline"))
    ] == []


def test_completion_knows_formats_and_versions() -> None:
    from click.shell_completion import ShellComplete

    def complete(*words: str) -> list[str]:
        *before, last = words
        completer = ShellComplete(cli, {}, "toolglot", "_TOOLGLOT_COMPLETE")
        return [item.value for item in completer.get_completions(before, last)]

    from toolglot.converter import formats

    assert complete("convert", "--to", "") == formats.targets()
    name = formats.targets()[0]
    assert complete("convert", "--to", f"{name}@") == [f"{name}@{version}" for version in formats.get(name).writes]
    assert complete("schema", "report/") == ["report/1"]


def test_choices_are_those_of_the_library() -> None:
    assert options.FLATTEN == FLATTEN
    assert list(SAFETY_TIERS) == canonical.load("hub/1")["properties"]["safety_tier"]["enum"]
    assert option_types.Size().convert("16M", None, None) == document_reader.DEFAULT_LIMITS.max_bytes


# -- exit codes ---------------------------------------------------------------------------------------------------


def test_one_bad_source_of_three_does_not_stop_the_others(run: Streams) -> None:
    put("a.json", descriptor("host:a"))
    put("b.json", "{")
    put("c.json", descriptor("host:c"))
    ran = run("convert", "a.json", "b.json", "c.json", "--to", "hub")
    assert ran.code == 2
    assert [tool["id"] for tool in json.loads(ran.out)["tools"]] == ["host:a", "host:c"]
    assert ran.err.splitlines()[0].startswith("b.json:1:2: error: ")
    assert ran.err.splitlines()[-1].endswith("2 tools: every danger said, nothing else lost")


def test_a_source_that_cannot_be_written_does_not_stop_the_others(
    run: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toolglot.converter.conversion import pipeline
    from toolglot.errors import WriteError

    convert_readings = pipeline.convert_readings
    put("a.json", descriptor("host:a"))
    put("b.json", descriptor("host:b"))

    def picky(readings: Any, to: str, **how: Any) -> Any:
        if any(tool.id == "host:a" for reading in readings for tool in reading.tools):
            raise WriteError("no room")
        return convert_readings(readings, to, **how)

    monkeypatch.setattr(pipeline, "convert_readings", picky)
    for output in ((), ("-o", "out/")):
        ran = run("convert", "a.json", "b.json", "--to", "hub", *output)
        assert ran.code == 2
        assert ran.err.startswith("a.json: error: no room [unwritable]\n")
    assert os.listdir("out") == ["b.hub.json"]


# Every command that takes many sources, and what it says of the one that is read.
MANY_SOURCES = {
    "convert together": (
        ["convert", "a.json", "b.json", "--to", "hub"],
        "1 tool: every danger said, nothing else lost",
    ),
    "convert each": (
        ["convert", "a.json", "b.json", "--to", "hub", "-o", "out/"],
        "1 file converted, 1 file refused; 1 tool",
    ),
    "check": (["check", "a.json", "b.json"], "1 document checked: 1 error"),
    "catalog": (["catalog", "a.json", "b.json", "--to", "mcp"], "1 tool of 1 file; 1 file refused"),
    "migrate": (["migrate", "a.json", "b.json", "--check"], "1 file would be left unchanged, 1 file refused"),
    "diff": (["diff", "a.json", "."], "1 tool compared: no difference"),
    "prompt": (["prompt", "a.json", "b.json"], ""),
}


@pytest.mark.parametrize("name", MANY_SOURCES)
def test_a_fault_of_ours_costs_one_source(run: Streams, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    arguments, summary = MANY_SOURCES[name]
    put("a.json", descriptor("host:a"))
    put("b.json", descriptor("host:b"))
    real = recognition.recognise

    def broken(file: Any, document: Any, format_name: Any) -> Any:
        if file.path.endswith("b.json"):
            raise RuntimeError("oops")
        return real(file, document, format_name)

    monkeypatch.setattr(recognition, "recognise", broken)
    ran = run(*arguments)
    assert ran.code == 2
    problem = "b.json: error: internal error: RuntimeError: oops; please report it with the file [internal-error]"
    assert [line.removeprefix("./") for line in (ran.out + ran.err).splitlines() if "RuntimeError" in line] == [problem]
    assert ran.err.endswith(f"{summary}\n" if summary else "")


def test_a_file_that_cannot_be_put_right_costs_no_other(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_first(files: Any) -> Any:
        if files[0].path == "a.json":
            raise WriteError("cannot be written: it is read-only", "unwritable-file")
        return change_files(files)

    for name in ("a.json", "b.json"):
        put(name, descriptor("host:a", description="Reads what a\u200b box weighs."))
    monkeypatch.setattr(check_files, "change_files", refuse_first)
    ran = run("check", "a.json", "b.json", "--fix")
    assert ran.code == 2
    assert re.findall(r"(\S+):1:.*\[hidden-character\]", ran.out) == ["a.json"]
    assert ran.err.endswith("2 documents checked: 1 warning in 1 file; 1 put right; --fix puts 1 of them right\n")
    assert "a.json: error: cannot be written: it is read-only [unwritable-file]\n" in ran.err


def test_a_file_that_cannot_be_read_takes_nothing_out_of_a_baseline(run: Streams) -> None:
    for name in ("a.json", "b.json"):
        put(name, descriptor(f"host:{name}", description="Reads what a\u200b box weighs."))
    command = ["check", "a.json", "b.json", "--baseline", "all.json", "--update-baseline"]
    assert run(*command).code == 0
    before = Path("all.json").read_text()
    put("b.json", "{")
    ran = run(*command)
    assert (ran.code, Path("all.json").read_text()) == (2, before)
    assert "all.json: left as it was" in ran.err


def test_a_text_in_a_list_is_known_by_what_it_says(run: Streams) -> None:
    """Its number is that of another one as soon as one before it goes, and a new fault would pass as the old one."""

    def finds(*required: str) -> str:
        put("a.json", descriptor("host:a", inputSchema={"type": "object", "properties": {}, "required": [*required]}))
        return run("check", "a.json", "--baseline", "known.json", "--select", "required-undeclared", "-q").out

    put("a.json", descriptor("host:a", inputSchema={"type": "object", "properties": {}, "required": ["on", "off"]}))
    assert run("check", "a.json", "--baseline", "known.json", "--update-baseline").code == 0
    assert finds("off", "on") == finds("off") == ""
    assert "'up' is required" in finds("up")
    found = finds("up", "on")
    assert "'up' is required" in found
    assert "'on'" not in found


def test_an_empty_file_with_the_name_of_a_tool_is_refused(run: Streams) -> None:
    """One that was cut off to nothing has lost its tools, and nobody would hear of it."""
    put("t/a.mcp.json", descriptor("host:a"))
    for name, text in {"t/b.mcp.json": "", "t/c.atdf.yaml": "\n"}.items():
        put(name, text)
        ran = run("check", "t", "-q")
        assert (ran.code, f"{name}:1:1: error: the document is empty [empty]" in ran.out) == (2, True), ran.out
        os.remove(name)
    put("t/d.json", "")  # this may be anything
    put("t/d/TOOL.md", "")  # this is Markdown without a tool
    assert run("check", "t").code == 0


@pytest.mark.parametrize(
    ("sources", "broken", "output"),
    [
        ("a.json b.json", "b.json", "all.json"),
        ("a.json b.json", "b.json", "all.jsonl"),
        ("a.jsonl", "a.jsonl", "o.jsonl"),
    ],
)
def test_a_part_does_not_take_the_place_of_the_whole(run: Streams, sources: str, broken: str, output: str) -> None:
    for name in sources.split():
        put(name, descriptor(f"host:{name}"))
    command = ["convert", *sources.split(), "--to", "openai", "-o", output, "--force"]
    assert run(*command).code == 0
    before = Path(output).read_text()
    put(broken, f"{json.dumps(descriptor())}\n{{")
    ran = run(*command)
    assert (ran.code, Path(output).read_text()) == (2, before)
    assert f"{output}: left as it was, because tools would be missing from it" in ran.err


def test_of_two_runs_at_once_into_a_folder_none_fails(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    has_content, make = writing.has_content, Commit._make

    def looks_first(path: str, data: bytes) -> bool:
        done = has_content(path, data)
        Path(path).write_bytes(data)
        return done

    def makes_first(files: Commit, change: Any, folder: Folder) -> None:
        Path("out", change.name).write_bytes(change.data)
        make(files, change, folder)

    os.mkdir("out")
    put("tools/a.json", descriptor())
    for owner, name, meet_other_run in ((writing, "has_content", looks_first), (Commit, "_make", makes_first)):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, meet_other_run)
            ran = run("convert", "tools", "--to", "hub", "-o", "out")
        assert (ran.code, len(toolglot.read(Path("out/a.hub.json")))) == (0, 1)
        os.remove("out/a.hub.json")


@pytest.mark.parametrize(("broken", "code"), [("b.json", 2), ("other.json", 2), ("c.yaml", 2), ("other.yaml", 0)])
def test_a_missing_comma_takes_no_tool_out_of_the_whole(run: Streams, broken: str, code: int) -> None:
    for name in ("a.json", "b.json", "c.yaml"):
        put(f"tools/{name}", descriptor(f"host:{name}"))
    command = ["convert", "tools", "--to", "openai", "-o", "all.json", "--force"]
    assert run(*command).code == 0
    put("tools/a.json", descriptor("host:a.json", description="Another one."))
    put(f"tools/{broken}", "{")
    ran = run(*command)
    assert (ran.code, "Another one." in Path("all.json").read_text()) == (code, code == 0)
    assert ("all.json: left as it was" in ran.err) is (code == 2)


def test_what_another_run_put_right_is_not_counted(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.json", descriptor("host:a", description="Reads what a\u200b box weighs."))
    monkeypatch.setattr(check_files, "change_files", lambda files: [])
    assert run("check", "a.json", "--fix").err == "1 document checked: nothing to complain about\n"


def test_a_file_that_is_read_although_it_is_large_is_put_right(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.json", descriptor("host:a", description="Reads what a\u200b box weighs."))
    monkeypatch.setattr(document_reader.load, "__defaults__", (None, document_reader.Limits(max_bytes=64), 1))
    ran = run("check", "a.json", "--fix", "--max-size", "1K")
    assert (ran.code, ran.err) == (0, "1 document checked: nothing to complain about; 1 put right\n")


@needs_locks
@pytest.mark.parametrize(
    "command",
    ["check t --fix", "check t --baseline t/b.json --update-baseline", "convert t/a.json --to hub -o t/x.json",
     "convert t/a.json --to hub -o t/new/ --report t/r.json", "diff t/a.json t/a.json --report t/d.json"],
)  # fmt: skip
def test_what_a_killed_run_left_goes_with_the_next_one(run: Streams, command: str) -> None:
    put("t/a.json", descriptor("host:a", description="Reads what a\u200b box weighs."))
    leftover = Path("t/.toolglot-0123456789abcdef.tmp")
    leftover.touch()
    run(*command.split())
    assert not leftover.exists()


def test_a_comment_that_goes_with_what_is_put_right_is_named(run: Streams) -> None:
    schema = "{type: object, properties: {a: {description: Where., enum: [x,\n  x  # see 5\n]}}}"
    lines = [f"{key}: {json.dumps(value)}" for key, value in descriptor().items()]
    put("a.yaml", "\n".join([f"inputSchema: {schema}", *lines, ""]))
    ran = run("check", "a.yaml", "--fix")
    assert "a.yaml:2:6: warning: the comment `# see 5` went with what it stood at [comment-removed]\n" in ran.err
    assert "see" not in Path("a.yaml").read_text()


def test_the_text_after_front_matter_is_put_right_and_no_key(run: Streams) -> None:
    fields = "id: ls\nname: List files\ndescription: List all files.\nversion: 1.0.0\noutputs: {type: object}\n"
    put("TOOL.md", f"---\n{fields}inputs: {{type: object}}\ne\u200bx: 1\n---\r\n# Fil\u200bes\r\n")
    assert run("check", "TOOL.md", "--select", "hidden-character", "--fix").err.endswith(": 1 warning; 1 put right\n")
    assert Path("TOOL.md").read_bytes().endswith("e\u200bx: 1\n---\r\n# Files\r\n".encode())


def test_a_compressed_file_is_not_put_right(run: Streams) -> None:
    line = json.dumps(descriptor("host:a", description="Reads what a\u200b box weighs."))
    Path("a.jsonl.gz").write_bytes(gzip.compress(line.encode()))
    ran = run("check", "a.jsonl.gz", "--fix")
    assert ran.code == 0
    assert ran.err.startswith("a.jsonl.gz: checked: it is compressed; unpack it to put it right\n")


def test_nothing_is_promised_of_what_cannot_be_edited(run: Streams) -> None:
    text = 'bin "p"\ncmd "go" help="Lists what a\u200b box holds: all."\n'
    put("p.usage.kdl", text)
    for added in ((), ("--fix",)):
        ran = run("check", "p.usage.kdl", *added)
        assert "[hidden-character]" in ran.out
        assert ran.err == "1 document checked: 1 warning\n"
    assert Path("p.usage.kdl").read_text(encoding="utf-8") == text


def test_a_bad_line_hides_no_other_finding(run: Streams) -> None:
    good, doubtful = json.dumps(descriptor("host:a")), json.dumps(descriptor("host:b", costHint="2 cents"))
    put("a.jsonl", f"\ufeff{good}\n{{\n\n{doubtful}\nhalf\n")
    ran = run("check", "a.jsonl")
    assert ran.code == 2
    assert [line.split(":")[1] for line in ran.out.splitlines()] == ["2", "4", "5"]
    assert "at /2/costHint" in ran.out
    assert ran.err.startswith("1 document checked: 3 errors")
    piped = run("check", "-", "--stdin-filename", "a.jsonl", stdin=Path("a.jsonl").read_bytes())
    assert piped.out == ran.out


def test_lines_of_several_formats_are_checked_each_as_its_own(run: Streams) -> None:
    descriptor = {"toolId": "host:a", "source": "mcp", "safetyTier": "read", "description": "Reads what a box weighs."}
    tool = {"name": "weigh", "description": "Weighs a parcel on a scale.", "inputSchema": {"type": "array"}}
    put("a.jsonl", f"{json.dumps(descriptor)}\n\n{json.dumps(tool)}\n")
    ran = run("check", "a.jsonl")
    assert ran.out.startswith("a.jsonl:3:89: warning: expected")
    assert ran.err == "1 document checked: 1 warning\n"
    put("b.json", {**tool, "name": "reset_scale"})
    put("a.jsonl", f"{json.dumps(descriptor)}\n{json.dumps({**tool, 'description': 'Calls reset_scale before.'})}\n")
    assert "a.jsonl:2:1: info: the text names reset_scale, a tool of another" in run("check", ".", "-v").out


# A row of a data set that is no tool, beside one that is -> what `check` says of it, as `convert` does.
ROWS = {
    "tools as a text": ({"tools": '[{"type": "function"}]'}, "a row whose tools are a text that holds JSON; write"),
    "a schema": ({"$schema": "https://a.example", "properties": {}}, "this is a JSON Schema"),
    "null": (None, "expected object, found null"),
    "a text": ("half", 'expected object, found "half"'),
}


@pytest.mark.parametrize(("row", "message"), ROWS.values(), ids=list(ROWS))
@pytest.mark.parametrize("is_first", [True, False])
def test_a_row_that_is_something_else_is_called_so(run: Streams, row: Any, message: str, is_first: bool) -> None:
    tool = {"type": "function", "function": {"name": "weigh", "description": "Weighs a parcel on a scale."}}
    rows = [json.dumps(one) for one in (row, {"tools": [tool]})]
    put("a.jsonl", "\n".join(rows if is_first else rows[::-1]))
    ran = run("check", "a.jsonl")
    assert ran.out.startswith(f"a.jsonl:{1 if is_first else 2}")
    assert message in ran.out
    assert len(ran.out.splitlines()) == 1


@pytest.mark.parametrize("fault", [{"version": 1.0}, {"mutates": "yes"}, {"id": UNSET}, {"id": UNSET, "tags": 5}])
def test_a_value_that_keeps_a_tool_from_being_read_hides_no_other_finding(run: Streams, fault: Any) -> None:
    tool: dict[str, Any] = {"name": "Weigh", "id": "weigh", "description": "Weigh a parcel.", "version": "1.0.0"}
    tool |= {"inputs": {}, "outputs": {}, "mutates": [], "aproval": "always", **fault}
    put("a/TOOL.md", f"---\n{json.dumps({key: value for key, value in tool.items() if value is not UNSET})}\n---\n")
    ran = run("check", "a")
    assert ran.code == 1
    assert f"{len(fault) + 1} errors" in ran.err
    assert "[misspelt-key]" in ran.out


@pytest.mark.parametrize(("encoding", "code"), [("utf-8-sig", "yaml-syntax"), ("utf-16", "not-utf-8")])
def test_a_mistake_in_a_tool_is_found_whatever_the_editor_puts_before_it(
    run: Streams, encoding: str, code: str
) -> None:
    Path("tools").mkdir()
    Path("tools/TOOL.md").write_bytes("---\nname: a: b\n---\n".encode(encoding))
    ran = run("check", "tools")
    assert (ran.code, f"[{code}]" in ran.out) == (2, True)


def test_two_tools_of_one_name_are_refused(run: Streams) -> None:
    put("a.json", descriptor())
    put("b.json", descriptor())
    ran = run("convert", "a.json", "b.json", "--to", "hub")
    assert (ran.code, ran.out) == (2, "")
    assert "[id-collision]" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nope"],
        ["convert"],
        ["convert", "a.json"],
        ["convert", "a.json", "--to", "hub@9"],
        ["convert", "a.json", "--to", "hub", "--from", "tool-descriptor@v1"],
        ["convert", "a.json", "--to", "hub", "--report", "yaml"],
        ["convert", "a.json", "--to", "hub", "--max-size", "-1"],
        ["convert", "a.json", "--to", "hub", "--max-size", "many"],
        ["convert", "empty", "--to", "hub"],
        ["catalog", "a.json", "--to", "html", "-o", ""],
        ["check", "a.json", "--from", "nope"],
        ["schema", "../../pyproject"],
        ["schema", "--modeline"],
        ["schema", "hub/1", "--catalog", "--base-url", "https://a.example"],
        ["rule", "hidden-character", "--all"],
    ],
)
def test_usage_errors_exit_with_2(run: Streams, arguments: list[str]) -> None:
    put("a.json", descriptor())
    os.mkdir("empty")
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


WITH_SECRETS = "https://user:opensesame@tools.invalid/openapi.json?key=opensesame&api_key=opensesame"
REFUSED_WITH_SECRETS: list[tuple[list[str], str]] = [
    *(
        ([*verb, WITH_SECRETS], "https://tools.invalid/openapi.json")
        for verb in (["check"], ["show"], ["tokens"], ["migrate"], ["convert", "-t", "mcp"], ["serve"])
    ),
    (["diff", WITH_SECRETS, "b.json"], "https://tools.invalid/openapi.json"),
    (["program", "argv", WITH_SECRETS, "a", "{}"], "https://tools.invalid/openapi.json"),
    (["pull", "htp:" + WITH_SECRETS.partition(":")[2]], "tools.invalid/openapi.json"),
    (["pull", "server --api-key opensesame"], "server --api-key ..."),
    (["pull", "--", "no-such-program", WITH_SECRETS], "no-such-program"),
]


@for_each(("arguments", "named"), REFUSED_WITH_SECRETS)
def test_what_is_refused_is_named_without_its_secrets(run: Streams, arguments: list[str], named: str) -> None:
    put("b.json", descriptor())
    refused = run(*arguments)
    shown = refused.out + refused.err
    assert refused.code == 2
    assert named in shown
    assert "opensesame" not in shown


def test_what_is_not_a_number_is_within_no_bounds() -> None:
    kinds: list[click.FloatRange] = []
    for _, command in walk_commands():
        kinds += [param.type for param in command.params if isinstance(param.type, click.FloatRange)]
    assert len(kinds) == 4
    for kind in kinds:
        with pytest.raises(click.BadParameter):
            kind.convert(float("nan"), None, None)


@pytest.mark.parametrize("findings_of_it", ["1", "[1]", '[{"fingerprint": "a", "count": 1e999}]'])
def test_what_is_no_baseline_is_said(run: Streams, findings_of_it: str) -> None:
    put("known.json", f'{{"toolglot-baseline": 1, "findings": {findings_of_it}}}')
    put("a.json", descriptor())
    ran = run("check", "a.json", "--baseline", "known.json")
    assert (ran.code, "known.json: this is no baseline of toolglot [bad-baseline]" in ran.err) == (2, True), ran.err


def test_a_program_is_described_and_not_read(run: Streams) -> None:
    put("notes.py", "import click\n")
    assert "`toolglot program describe notes.py:NAME`" in run("check", "notes.py").out


def test_a_click_exception_exits_with_2(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise click.FileError("a.json", "hint")

    monkeypatch.setattr(cli.commands["formats"], "callback", fail)
    assert run("formats").code == 2


def test_a_bug_is_one_line_and_the_traceback_on_request(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise KeyError("oh\x1b[2J")

    monkeypatch.setattr(cli.commands["formats"], "callback", fail)
    ran = run("formats")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("internal error: KeyError: ")
    assert "\x1b" not in ran.err
    monkeypatch.setenv("TOOLGLOT_DEBUG", "1")
    assert "Traceback" in run("formats").err


@needs_signals
def test_ctrl_c_exits_with_130(run: Streams) -> None:
    put("t/half.yaml", "{")
    waiting = program("convert", "-v", "t", "-", "--to", "hub", stdin=subprocess.PIPE)
    assert waiting.stderr is not None
    assert b"passed over" in waiting.stderr.readline()  # next, it waits for stdin
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=60)
    assert (waiting.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_ctrl_c_is_quiet_while_modules_load(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(MetaPathFinder):
        def find_spec(self, name: str, path: object, target: object = None) -> None:
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "toolglot.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted()])
    with pytest.raises(SystemExit) as caught:
        start()
    assert caught.value.code == 130


@needs_broken_pipes
def test_a_broken_pipe_is_quiet(run: Streams) -> None:
    put("big.json", descriptor(inputSchema={"type": "object", "description": "x" * 500_000}))
    put("small.json", descriptor())
    for arguments in (["convert", "big.json", "--to", "hub", "-q"], ["--agent"], ["--help"], ["check", "small.json"]):
        reader, writer = os.pipe()
        os.close(reader)
        running = program(*arguments, stdout=writer)
        os.close(writer)
        _, err = running.communicate(timeout=60)
        assert b"Traceback" not in err
        assert b"Exception ignored" not in err
        assert running.returncode == (0 if arguments[0] == "check" else 141), arguments


def test_a_result_for_a_closed_stdout_does_not_count_as_written(
    run: Streams, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put("a.json", descriptor())
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["convert", "a.json", "--to", "hub", "-q"]) == 2
    assert "error: the result could not be written: bad file descriptor" in capsys.readouterr().err
    sys.stdout.close()
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["convert", "a.json", "--to", "hub", "-q", "-o", "b.json"]) == 0
    sys.stdout.close()


# -- terminals ----------------------------------------------------------------------------------------------------


RAW_TEXT = "Lists\u202e things.\x9b2J \x7f \U000e0041 \u061c"
RAW = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


@for_each("target", [name for name in formats.names() if formats.get(name).is_written])
def test_json_and_yaml_hold_nothing_that_a_terminal_acts_on(run: Streams, target: str) -> None:
    put("a.mcp.json", {"tools": [{"name": "t", "description": RAW_TEXT, "inputSchema": {"type": "object"}}]})
    result = run("convert", "a.mcp.json", "--to", target, "--report", "none")
    assert result.code == 0
    assert RAW.findall(result.out) == []
    (tool,) = toolglot.read(result.out, target)
    told = next(iter(leaves_of(tool))).tool
    assert RAW_TEXT in f"{told.description} {told.summary} {told.body}"


@needs_terminal
@pytest.mark.parametrize("file", ["a.mcp.json", "a.jsonl"])
@pytest.mark.parametrize("target", ["mcp", "skill"])
def test_a_terminal_gets_nothing_raw(run: Streams, file: str, target: str) -> None:
    put(file, {"name": "t", "description": RAW_TEXT, "inputSchema": {"type": "object"}})
    ours, theirs = os.openpty()
    how = {"stdout": theirs, "env": {**os.environ, "PYTHONIOENCODING": "utf-8"}}
    running = program("convert", file, "--to", target, "--report", "none", **how)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):
        while chunk := os.read(ours, 65536):
            shown += chunk
    os.close(ours)
    running.communicate()
    assert RAW.findall(shown.decode().replace("\r\n", "\n")) == []
    assert "Lists" in shown.decode() or running.returncode == 2  # a skill is no line


def on_terminal(environment: dict[str, str], *arguments: str) -> str:
    """What a terminal gets on stderr."""
    ours, theirs = os.openpty()
    running = program(*arguments, stderr=theirs, env={**os.environ, "TERM": "xterm", **environment})
    os.close(theirs)
    assert running.stdout is not None
    running.stdout.read()
    shown = b""
    with contextlib.suppress(OSError):  # EIO is how Linux says that the other side is closed
        while chunk := os.read(ours, 65536):
            shown += chunk
    os.close(ours)
    running.stdout.close()
    running.wait(timeout=60)
    return shown.decode()


@needs_terminal
def test_colour_on_a_terminal_only_and_not_with_no_color(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    put("a.json", {"name": "add", "inputSchema": {"type": "object"}})
    arguments = ("convert", "a.json", "--to", "hub", "--safety-tier", "pure")
    assert "\x1b[" in on_terminal({}, *arguments)
    plain = on_terminal({"NO_COLOR": "1"}, *arguments)
    assert "\x1b" not in plain
    assert "on your word" in plain
    assert "\x1b" not in run(*arguments).err


@needs_any_name
def test_hostile_text_reaches_the_terminal_as_escapes(run: Streams) -> None:
    put("a.json", descriptor(title="\x1b[2J\u202eevil", description="d\x07"))
    put("b\x1b[2J.json", "{")
    for arguments in (
        ["convert", "a.json", "b\x1b[2J.json", "--to", "atdf"],
        ["convert", "a.json", "--to", "aip14", "-v", "-o", "out/"],
        ["check", "a.json", "b\x1b[2J.json"],
        ["check", "a.json", "b\x1b[2J.json", "--format", "github"],
    ):
        ran = run(*arguments)
        said = ran.err if arguments[0] == "convert" else ran.out + ran.err
        assert not set(said) & {"\x1b", "\u202e", "\x07"}
    assert escape_unseen("a\nb\U000e0041") == "a\\nb\\U000e0041"


def test_stdout_is_utf_8_whatever_the_locale(run: Streams) -> None:
    put("a.json", descriptor(description="Größe"))
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    out, _ = program("convert", "a.json", "--to", "hub", env=environment).communicate(timeout=60)
    assert "Größe" in out.decode("utf-8")


@needs_any_name
def test_a_file_name_that_is_not_utf_8(run: Streams) -> None:
    name = os.fsdecode(b"\xff.json")
    put(name, descriptor())
    ran = run("convert", name, "--to", "atdf", "--report", "json", "-o", "out.json")
    assert ran.code == 0
    assert json.loads(ran.out)["changes"]
    put(name, "{")
    assert json.loads(run("check", name, "--format", "json").out)[0]["code"] == "json-syntax"


# -- the report -----------------------------------------------------------------------------------------------------


def change(**fields: Any) -> Change:
    filled = {"action": "dropped", "path": "/tags", "code": "dropped-tags", "note": "the target has no place for it"}
    return Change(**{**filled, "severity": "warning", **fields})


def test_the_whole_list_has_every_place() -> None:
    places = [change(before=["x" * 200], source="a.json", line=line, column=2, tool="a") for line in range(1, 6)]
    lines = list(list_changes(Report(origin="a", target="b", tools=1, changes=tuple(places))))
    assert lines[0] == "warning: lost: the target has no place for it"
    assert lines[1] == "  dropped-tags (5)"
    assert [line.split(": ")[0] for line in lines[2:]] == [f"    a.json:{line}:2" for line in range(1, 6)]
    assert max(map(len, lines)) < 120


def test_the_whole_list_has_the_words_of_the_short_report() -> None:
    report = toolglot.convert(FIXTURES / "demo" / "TOOL.md", "mcp").report
    heads = [line.split(": ")[1] for line in list_changes(report) if not line.startswith(" ")]
    assert heads == ["lost", "lost", "said in words", "implied"]
    *_, last_line = whole_text_report(report)
    assert last_line.partition(": ")[2] == next(text_report(report)).partition(": ")[2]


def test_the_gravest_come_first() -> None:
    changes = (change(severity="info"), change(severity="error", direction="riskier"), change())
    lines = list(list_changes(Report(origin="a", target="b", tools=1, changes=changes)))
    assert [line.split(":")[0] for line in lines if not line.startswith(" ")] == ["error", "warning", "info"]
    assert any(line.endswith("(riskier)") for line in lines)


def test_the_json_report_is_valid_and_goes_where_the_result_does_not(run: Streams) -> None:
    put("a.json", descriptor())
    to_stderr = run("convert", "a.json", "--to", "atdf", "--report", "json")
    assert canonical.is_valid(json.loads(to_stderr.err), "report/1")
    to_stdout = run("convert", "a.json", "--to", "atdf", "--report", "json", "-o", "o.json")
    assert (to_stdout.out, to_stdout.err) == (to_stderr.err, "")
    assert Path("o.json").read_text() == to_stderr.out
    to_file = run("convert", "a.json", "--to", "atdf", "--report", "./r.json")
    assert (to_file.out, to_file.err) == (to_stderr.out, "")
    assert Path("r.json").read_text() == to_stderr.err


def test_fail_on_lost_writes_the_report_and_nothing_else(run: Streams) -> None:
    put("a.json", descriptor())
    ran = run("convert", "a.json", "--to", "atdf", "--fail-on", "lost", "--report", "r.json", "-o", "o.json")
    assert (ran.code, ran.out) == (1, "")
    assert sorted(os.listdir()) == ["a.json", "r.json"]
    ran = run("convert", "a.json", "missing.json", "--to", "atdf", "--fail-on", "lost")
    assert ran.code == 2


@for_each(
    ("name", "to", "code"),
    [("o.jsonl", "mcp", 0), ("o.ndjson", "atip", 0), ("p.jsonl", "aip14", 2), ("p.json.gz", "mcp", 2)],
)
def test_a_result_is_what_its_name_says(run: Streams, name: str, to: str, code: int) -> None:
    put("a.json", '[{"name": "x", "inputSchema": {}}, {"name": "y", "inputSchema": {}}]')
    assert run("convert", "a.json", "--to", to, "-o", name, "-q").code == code
    assert os.path.exists(name) == (code == 0)
    if code == 0:
        assert [json.loads(line)["name"] for line in Path(name).read_text().splitlines()] == ["x", "y"]


@pytest.mark.parametrize("arguments", [["a.json"], ["a.json", "b.json", "-o", "out"], ["a.jsonl", "-o", "o.jsonl"]])
def test_what_lossless_cannot_keep_is_an_error(run: Streams, arguments: list[str]) -> None:
    """A tool that the provider refuses has no definition that could carry it."""
    put("b.json", descriptor())
    for name in ("a.json", "a.jsonl"):
        put(name, '{"tools": [{"name": "x", "inputSchema": {"type": "object", "allOf": [{"type": "string"}]}}]}')
    ran = run("convert", *arguments, "--to", "openai", "--lossless", "-q")
    assert ran.code == 1
    assert "1 loss that --lossless cannot keep" in ran.err


# -- where results go -------------------------------------------------------------------------------------------------


def test_ids_cannot_name_files_outside_the_folder(run: Streams) -> None:
    put("in/a.hub.json", {"toolglot": 1, "tools": [{"id": "../../evil"}, {"id": "/etc/evil2"}, {"id": "..\\evil3"}]})
    ran = run("convert", "in/a.hub.json", "--to", "aip14", "-o", "out/", "--report", "none")
    assert ran.code == 0, ran.err
    put("one.hub.json", {"toolglot": 1, "tools": [{"id": "../../evil"}]})
    assert run("convert", "one.hub.json", "--to", "hub", "-o", "out").code == 0
    assert sorted(map(Path.as_posix, Path("out").rglob("evil*.json"))) == ["out/evil.hub.json"]
    assert len(list(Path("out").rglob("TOOL.md"))) == 3
    assert sorted(os.listdir()) == ["in", "one.hub.json", "out"]
    assert not Path("/etc/evil2").exists()


@pytest.mark.parametrize("name", ["TOOL.md", "tool.md"])
def test_a_tool_with_a_folder_of_its_own_becomes_a_file_beside_it(run: Streams, name: str) -> None:
    tool = {"schema": "agentproto/tool/v1", "id": "weigh", "description": "Weigh a parcel.", "version": "1.0.0"}
    put(f"in/weigh/{name}", f"---\n{json.dumps(tool)}\n---\n")
    assert run("convert", "in", "--to", "mcp", "-o", "out").code == 0
    assert os.listdir("out") == ["weigh.mcp.json"]


def test_a_link_in_the_folder_does_not_lead_out(run: Streams) -> None:
    put("a.json", descriptor("host:a"))
    os.makedirs("out")
    os.mkdir("private")
    Path("out/host.a").symlink_to(Path("private").resolve())
    ran = run("convert", "a.json", "--to", "aip14", "-o", "out", "--force")
    assert ran.code == 2
    assert "[outside-folder]" in ran.err
    assert os.listdir("private") == []


@pytest.mark.parametrize(
    ("folder", "link", "target", "code"),
    [
        (".git", "out.json", "../private/a.json", 2),
        (".git", "out", "../private", 2),
        (".git", "out.json", "kept.json", 0),
        ("plain", "out.json", "../private/a.json", 0),
    ],
)
def test_a_link_does_not_lead_a_result_out_of_a_repository(
    run: Streams, folder: str, link: str, target: str, code: int
) -> None:
    os.mkdir("private")
    os.makedirs(f"clone/{folder}")
    put("clone/a.json", descriptor("host:a"))
    Path("clone", link).symlink_to(target)
    ran = run("convert", "clone/a.json", "--to", "hub", "-o", f"clone/{link}", "--force")
    assert (ran.code, "[outside-folder]" in ran.err) == (code, code == 2)
    assert bool(os.listdir("private")) is (folder == "plain")


@pytest.mark.parametrize(
    "command",
    [
        "convert clone/a.json --to hub --force --report",
        "convert clone/a.jsonl --to hub --force --report",
        "convert clone --to hub -o results --force --report",
        "diff clone/a.json clone/a.json --report",
        "migrate clone --report",
        "check clone --update-baseline --baseline",
        "pull https://mcp.example.com --pin",
        "serve clone --mcp stdio --log",
    ],
)
def test_no_option_names_a_file_to_write_behind_a_link_out_of_a_repository(run: Streams, command: str) -> None:
    os.mkdir("private")
    os.makedirs("clone/.git")
    for name in ("a.json", "a.jsonl"):
        put(f"clone/{name}", descriptor("host:a"))
    Path("clone", "out").symlink_to("../private")
    ran = run(*command.split(), "clone/out/a.json")
    assert (ran.code, "[outside-folder]" in ran.err, os.listdir("private")) == (2, True, [])


def test_existing_files_are_refused(run: Streams) -> None:
    put("t/a.json", descriptor("host:a"))
    put("t/b.json", descriptor("host:b"))
    put("out/b.hub.json", "old")
    assert run("convert", "t", "--to", "hub", "-o", "out").code == 2
    assert sorted(os.listdir("out")) == ["a.hub.json", "b.hub.json"]
    assert Path("out/b.hub.json").read_text() == "old"
    put("r.json", "old")
    assert run("convert", "t", "--to", "hub", "-o", "more/", "--report", "r.json").code == 2
    assert not Path("more").exists()
    assert run("convert", "t/a.json", "--to", "hub", "-o", "new.json", "--report", "r.json").code == 2
    assert not Path("new.json").exists()
    assert run("convert", "t/a.json", "--to", "hub", "-o", "x.json", "--report", "./x.json").code == 2
    assert run("convert", "t", "--to", "hub", "-o", "out", "--force").code == 0
    assert sorted(os.listdir("out")) == ["a.hub.json", "b.hub.json"]


def test_one_file_a_source_keeps_the_tree(run: Streams) -> None:
    put("t/a.json", descriptor("host:a"))
    put("t/sub/a.tools.json", descriptor("host:b"))
    assert run("convert", "t", "--to", "aip14", "-o", "skills/").code == 0
    assert run("convert", "t", "--to", "hub", "-o", "hubs/").code == 0
    assert sorted(map(Path.as_posix, Path("hubs").rglob("*.json"))) == ["hubs/a.hub.json", "hubs/sub/a.hub.json"]
    assert run("convert", "skills", "--to", "hub", "-o", "back/").code == 0
    assert sorted(map(Path.as_posix, Path("back").rglob("*.json"))) == [
        "back/host.a.hub.json",
        "back/sub/host.b.hub.json",
    ]


GH = {
    "atip": {"version": "0.6"},
    "name": "gh",
    "version": "1",
    "description": "Works.",
    "commands": {name: {"description": "Does it.", "effects": {"network": True}} for name in ("pr", "api")},
}


def test_a_part_of_a_program_that_changes_meanwhile_costs_no_other(
    run: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("gh.json", GH)
    Path("a.json").write_text(run("convert", "gh.json", "--to", "mcp", "--lossless").out)
    put("b.json", descriptor())
    real = opened_sources.open_source

    def change(file: Any) -> Any:
        source = real(file)
        if file.path == "a.json":
            put("a.json", "{")
        return source

    monkeypatch.setattr("toolglot.cli.commands.convert_each.open_source", change)
    ran = run("convert", "a.json", "b.json", "--restore", "--to", "atip", "-o", "out")
    assert (ran.code, os.listdir("out")) == (2, ["host-add.atip.json"])


def test_the_result_of_an_earlier_run_is_no_source(run: Streams) -> None:
    put("a.json", descriptor())
    command = ["convert", ".", "--to", "openai", "-o", "all.openai.json", "--force", "--report", "changes.json"]
    texts = []
    for _ in range(2):
        assert run(*command).code == 0
        texts.append(Path("all.openai.json").read_text())
    assert texts[0] == texts[1]


def test_a_part_of_a_program_may_come_from_stdin(run: Streams) -> None:
    put("gh.json", GH)
    part = run("convert", "gh.json", "--to", "mcp", "--lossless").out
    put("a.json", descriptor())
    ran = run("convert", "-", "a.json", "--to", "atip", "-o", "out", "--report", "none", stdin=part.encode())
    assert (ran.code, ran.err) == (0, "")


@needs_proc
def test_a_folder_that_cannot_be_written(run: Streams) -> None:
    put("a.json", descriptor("host:a"))
    ran = run("convert", "a.json", "--to", "hub", "-o", "/proc/toolglot/", "-q")  # not even root may write there
    assert ran.code == 2
    assert ran.err.startswith("error: /proc/toolglot/")
    assert ran.err.endswith("[unwritable-file]\n")


def test_a_file_where_a_folder_should_be(run: Streams) -> None:
    put("a.json", descriptor())
    ran = run("convert", "a.json", "--to", "hub", "-o", "a.json/x.json")
    assert ran.code == 2
    assert "[unwritable-file]" in ran.err


def test_sizes(run: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("a.json", descriptor())
    assert run("check", path, "--max-size", "1K").code == 0
    assert run("check", path, "--max-size", "50").code == 2
    ran = run("convert", "-", "--to", "hub", "--max-size", "50", stdin=Path(path).read_bytes())
    assert ran.code == 2
    assert "--max-size [too-large]" in ran.err
    monkeypatch.setenv("TOOLGLOT_MAX_SIZE", "50")
    assert run("check", path).code == 2


# -- check ---------------------------------------------------------------------------------------------------------


def test_check_of_a_folder_fails_for_files_that_claim_to_be_tools(run: Streams) -> None:
    put("t/a.json", descriptor())
    put("t/package.json", {"name": "x"})
    put("t/README.md", "# Hello: a: b\n")
    assert run("check", "t").code == 0
    put("t/x.hub.json", "{")
    assert run("check", "t").code == 2
    assert run("check", "t", "--from", "hub").code == 2


FOUND = [
    Diagnostic(
        code="a-b", severity="error", message="50% of\nit", pointer="/x", source="a b,c:d.json", line=3, column=7
    ),
    Diagnostic(code="z", severity="warning", message="m", hint="do this"),
    Diagnostic(code="a-b", severity="error", message="again", source="dir/e.json", line=1),
]


def test_github_commands_are_escaped_and_known_there() -> None:
    note = Diagnostic(code="n", severity="info", message="it is so")
    assert findings.diagnostics_to_github([*FOUND, note]).splitlines() == [
        "::error file=a b%2Cc%3Ad.json,line=3,col=7,title=a-b::50%25 of\\nit at /x",
        "::warning title=z::m; do this",
        "::error file=dir/e.json,line=1,title=a-b::again",
        "::notice title=n::it is so",
    ]


def test_annotations_have_paths_from_the_root_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub/in").mkdir(parents=True)
    (tmp_path / "sub/in/a.mcp.json").write_text('{"name": "a"}')
    monkeypatch.chdir(tmp_path / "sub")
    for path in ("in", "in/a.mcp.json", str(tmp_path), "../sub/./in"):
        main(["check", path, "--format", "github"])
        assert "file=sub/in/a.mcp.json," in capfd.readouterr().out
        main(["check", path, "--format", "sarif"])
        assert '"uri": "sub/in/a.mcp.json"' in capfd.readouterr().out
    main(["check", "in", "-q"])
    assert capfd.readouterr().out.startswith("in/a.mcp.json:")


@for_each(
    ("path", "uri"),
    [
        (PurePosixPath("/srv/a b.json"), "file:///srv/a%20b.json"),
        (PureWindowsPath("Z:/a b/c.json"), "file:///Z:/a%20b/c.json"),
        (PureWindowsPath(r"\\host\share\c.json"), "file://host/share/c.json"),
        (PureWindowsPath(r"a\b.json"), "a/b.json"),
    ],
)
def test_a_place_in_sarif_is_a_reference_on_every_system(path: PurePath, uri: str) -> None:
    assert sarif.uri_of(path) == uri


def test_sarif_has_what_the_standard_asks_for() -> None:
    log = json.loads(sarif.diagnostics_to_sarif(FOUND, [diagnostic.fingerprint for diagnostic in FOUND]))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run_ = log["runs"][0]
    assert run_["tool"]["driver"]["name"] == "toolglot"
    rules = run_["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["a-b", "z"]
    for result, diagnostic in zip(run_["results"], FOUND, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == diagnostic.code
        assert result["level"] in ("error", "warning", "note", "none")
        assert result["message"]["text"]
        assert result["partialFingerprints"] == {"toolglot/1": diagnostic.fingerprint}
    first, second, third = (result.get("locations", []) for result in run_["results"])
    assert first[0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b%2Cc%3Ad.json"},
        "region": {"startLine": 3, "startColumn": 7},
    }
    assert first[0]["logicalLocations"] == [{"fullyQualifiedName": "/x"}]
    assert second == []
    assert third[0]["physicalLocation"]["region"] == {"startLine": 1}
    assert json.loads(sarif.diagnostics_to_sarif([], []))["runs"][0]["results"] == []


# -- prompt and argv -----------------------------------------------------------------------------------------------


def program_description(name: str = "gh", **command: Any) -> dict[str, Any]:
    argument = {"name": "issue", "type": "string", "description": "Its number."}
    show = {"description": "Show it.", "arguments": [argument], **command}
    return {"atip": {"version": "0.6"}, "name": name, "version": "1", "description": "d", "commands": {"show": show}}


def test_a_prompt_without_one_of_its_sources_exits_with_2(run: Streams) -> None:
    put("a.json", program_description())
    ran = run("prompt", "a.json", "missing.json")
    assert (ran.code, "gh_show" in ran.out, ran.err.count("\n")) == (2, True, 1)
    put("b.hub.json", {"toolglot": 1, "tools": []})
    assert run("prompt", "b.hub.json") == Ran(0, "", "")


def test_a_prompt_has_the_names_that_convert_gives_the_same_files(run: Streams) -> None:
    for name in ("mail", "print"):
        tool = {"name": "purge", "description": name, "inputSchema": {}, "annotations": {"destructiveHint": True}}
        put(f"{name}.json", {"tools": [tool]})
    prompt = run("prompt", "mail.json", "print.json").out
    converted = json.loads(run("convert", "mail.json", "print.json", "--to", "openai", "-q").out)
    names = [tool["function"]["name"] for tool in converted["tools"]]
    assert names == ["mail__purge", "print__purge"]
    assert all(f"`{name}`" in prompt for name in names)


def test_argv_takes_a_name_of_any_tool_of_the_document(run: Streams) -> None:
    put("t/a.json", program_description("a"))
    put("t/b.json", program_description("b"))
    assert run("convert", "t/a.json", "t/b.json", "--to", "hub", "-o", "t.json").code == 0
    assert run("program", "argv", "t.json", "b_show", '{"issue": "1"}').out == '["b","show","1"]\n'
    assert run("program", "argv", "t.json", "b  show", '{"issue": "1"}').out == '["b","show","1"]\n'
    ran = run("program", "argv", "t.json", "qqq", "{}")
    assert "there are 2: a_show, b_show [unknown-tool]" in ran.err
    assert run("program", "argv", "t", "b_show", '{"issue": "1"}').code == 2


def test_argv_does_not_guess_between_two_programs_of_one_name(run: Streams) -> None:
    programs = [program_description(), program_description(effects={"destructive": True})]
    hubs = [json.loads(toolglot.convert(program, "hub").text) for program in programs]
    put("t.json", {"toolglot": 1, "tools": [tool for hub in hubs for tool in hub["tools"]]})
    ran = run("program", "argv", "t.json", "gh show", '{"issue": "1"}')
    assert (ran.code, ran.out) == (2, "")
    assert "[ambiguous-name]" in ran.err
    name = ran.err.split("choose one of ")[1].split(",")[0]
    assert run("program", "argv", "t.json", name, '{"issue": "1"}').out == '["gh","show","1"]\n'


@needs_any_name
def test_argv_reads_its_arguments_as_strictly_as_documents(run: Streams) -> None:
    put("a.json", program_description())
    Path("bom.json").write_bytes(b'\xef\xbb\xbf {"issue": "1"}')
    assert run("program", "argv", "a.json", "gh_show", "@bom.json").out == '["gh","show","1"]\n'
    assert run("program", "argv", "a.json", "gh_show", "-", stdin=b'{"issue": "\xc3\xa9"}').out == '["gh","show","é"]\n'
    for arguments, code in (
        ("issue: x", "not-an-object"),
        ('{"issue": "1"}{"issue": "2"}', "json-extra-data"),
        ('{"issue": "1"}\n{"issue": "2"}', "not-an-object"),
        ('{"issue": "1", "issue": "2"}', "duplicate-key"),
        ('{"issue": NaN}', "non-finite-number"),
        (os.fsdecode(b'{"issue": "\xff"}'), "not-utf-8"),
        ("@missing.json", "unreadable"),
        ("@.", "not-a-file"),
        ("", "not-an-object"),
        ('{"issue": "a\\u0000b"}', "nul-character"),
    ):
        ran = run("program", "argv", "a.json", "gh_show", arguments)
        assert (ran.code, ran.out) == (2, ""), arguments
        assert f"[{code}" in ran.err, arguments


def test_earlier_words_are_understood(run: Streams) -> None:
    put("a.json", descriptor())
    assert run("argv", "--help").out == run("program", "argv", "--help").out
    assert run("check", "a.json", "--strict").code == run("check", "a.json", "--fail-on", "warning").code
    assert run("catalog", "a.json", "--to", "atip", "--merge", "box").code == 0
    assert "--merge" not in run("catalog", "--help", "--all").out


def test_an_option_that_is_gone_says_what_does_the_same(run: Streams) -> None:
    for words in (["--explain", "enum-empty"], ["--explain=enum-empty"]):
        ran = run("check", *words)
        assert (ran.code, ran.err) == (2, "error: --explain is gone; use `toolglot rule CODE` [bad-option]\n")


# -- --agent -----------------------------------------------------------------------------------------------------------


def test_the_agent_description_is_valid_and_complete(run: Streams) -> None:
    out = run("--agent").out
    assert toolglot.check(out, warnings_as_errors=True) == []
    document = json.loads(out)
    assert document["version"] == toolglot.__version__
    assert document["trust"] == {"source": "native", "verified": False}
    root = click.Context(cli, info_name="toolglot", **cli.context_settings)
    assert set(document["commands"]) == set(cli.commands)
    for words, command in walk_commands():
        *groups, name = words.split()
        described = document
        for word in (*groups, name):
            described = described["commands"][word]
        if isinstance(command, click.Group):
            continue
        params = command.get_params(click.Context(command, info_name=name, parent=root))
        options = [param for param in params if isinstance(param, click.Option) and "--help" not in param.opts]
        assert [entry["flags"] for entry in described.get("options", [])] == [
            [*option.opts, *option.secondary_opts] for option in options
        ]
        arguments = [param.name for param in params if isinstance(param, click.Argument)]
        assert [entry["name"] for entry in described.get("arguments", [])] == arguments
        entries = [*described.get("options", []), *described.get("arguments", [])]
        assert not [entry["name"] for entry in entries if "x-toolglot" in entry]
        # What the programs and modules do that they run nobody knows; two reach a network themselves.
        network = {"ask": None, "describe": None, "run": None, "pull": True, "serve": True}.get(name, False)
        processes = {"ask": True, "describe": None, "run": True, "pull": True, "diff": True, "serve": True}.get(
            name, False
        )
        assert [described["effects"].get(effect) for effect in ("network", "subprocess")] == [network, processes]
    convert = {option["name"]: option for option in document["commands"]["convert"]["options"]}
    assert convert["to"]["required"] is True
    assert "guessed (danger" in convert["fail-on"]["description"]
    assert convert["max-size"]["envVar"] == "TOOLGLOT_MAX_SIZE"
    assert convert["force"]["type"] == "boolean"
    assert document["commands"]["convert"]["arguments"][0]["variadic"] is True
    assert document["commands"]["schema"]["arguments"][0]["required"] is False


def test_the_examples_of_commands_run(run: Streams) -> None:
    put("tools/a.json", descriptor())
    commands = json.loads(run("--agent").out)["commands"].values()
    examples = [example for command in commands for example in command.get("examples", ()) if " tools/" in example]
    for example in examples:
        if "serve" not in example:
            assert run(*shlex.split(example)[1:]).code == 0, example


def test_a_part_of_the_agent_description_can_be_asked_for(run: Streams) -> None:
    whole, part = (json.loads(run("--agent", *more).out) for more in ([], ["--commands=convert,check", "--depth=1"]))
    assert part["commands"] == {name: whole["commands"][name] for name in ("convert", "check")}
    assert (part["partial"], part["includedCommands"]) == (True, 2)
    for words in (["--agent", "--depth", "0"], ["--agent", "--commands", "convrt"], ["check", "--agent"]):
        ran = run(*words)
        assert (ran.code, ran.out) == (2, ""), words
    assert "did you mean 'convert'" in run("--agent", "--commands", "convrt").err


# -- JSON Lines that are compressed, or larger than a document may be ------------------------------------------------

LINE = '{{"toolId": "host:n.{number}", "source": "mcp", "safetyTier": "read", "description": "Reads a note."}}'
LINES = [LINE.format(number=number) for number in range(50)]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.ndjson.gz"])
@pytest.mark.parametrize("size", ["1K", "1M"])
def test_lines_are_read_like_documents(
    name: str, size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = LINES[7].replace('"read"', '"reed"')
    text = "\n".join([*LINES[:7], "", bad, *LINES[8:]]).encode()
    Path(name).write_bytes(packed(name, text))
    assert main(["check", ".", "--max-size", size]) == 1
    found = capfd.readouterr()
    assert found.out.startswith(f"{name}:9:")
    assert len(found.out.splitlines()) == 1
    assert "1 document checked: 1 error" in found.err
    broken = text + b"\n{"
    if name.endswith(".gz"):
        broken = packed(name, text)[:-40]
    Path(name).write_bytes(broken)
    assert main(["check", ".", "--max-size", size, "-q"]) == 2
    good = "\n".join(LINES).encode()
    Path(name).write_bytes(packed(name, good))
    capfd.readouterr()
    assert main(["catalog", ".", "--to", "tool-descriptor", "--max-size", size]) == 0
    assert len(json.loads(capfd.readouterr().out)["tools"]) == 50
    if name.endswith(".gz"):
        before = Path(name).read_bytes()
        main(["migrate", name])
        assert "it is compressed; unpack it to migrate it" in capfd.readouterr().err
        assert Path(name).read_bytes() == before


def packed(name: str, text: bytes) -> bytes:
    return gzip.compress(text) if name.endswith(".gz") else text


@pytest.mark.parametrize("name", ["data.jsonl", "data.jsonl.gz"])
def test_lines_of_something_else_are_passed_over(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "".join(f'{{"question": {number}}}\n' for number in range(100)).encode() + b"{\n"
    Path(name).write_bytes(packed(name, text))
    Path("a.json").write_text(LINES[0])
    for size in ("1K", "1M"):
        assert main(["check", ".", "--max-size", size]) == 0
        assert capfd.readouterr().out == ""
    assert main(["catalog", ".", "--to", "mcp", "--max-size", "1K"]) == 0


UNREAD: dict[str, tuple[str, bytes]] = {  # what is in a folder, and cannot be read
    "lines of which one is too large": (
        "log.jsonl",
        "\n".join([*LINES, LINES[0].replace("{", "{" + " " * 2000, 1)]).encode(),
    ),
    "a byte in lines": ("log.ndjson", "\n".join([*LINES[:3], LINES[3].replace("a", "\xe4")]).encode("latin-1")),
    "a byte in packed lines": ("log.jsonl.gz", gzip.compress(f"{LINES[0]}\n\xff".encode("latin-1"))),
    "a bad line": ("log.jsonl", f"{LINES[0]}\n{{".encode()),
    "too large": ("log.json", json.dumps([LINES[0]] * 20).encode()),
    "too deep": ("log.yaml", b"[" * 100),
    "UTF-16": ("log.json", LINES[0].encode("utf-16")),
    "a byte": ("log.json", LINES[0].replace("a", "\xe4").encode("latin-1")),
    "half a text": ("log.json", b'{"tools": ['),
    "a comment in a tool": ("log.json", f"{LINES[0]} // one".encode()),
    "a bad line before others": ("log.jsonl", f"{{\n{LINES[0]}".encode()),
    "no whole line": ("log.jsonl", b"{\n["),
}
READING = (
    "check {}",
    "convert {} --to mcp",
    "catalog {} --to mcp",
    "tokens {}",
    "prompt {}",
    "migrate {}",
    "diff {} {}",
)


@pytest.mark.parametrize("name", UNREAD)
def test_what_cannot_be_read_is_never_passed_over(name: str, run: Streams) -> None:
    path, content = UNREAD[name]
    put("d/tool.json", LINES[0])
    Path("d", path).write_bytes(content)
    for command in READING:
        ran = run(*command.replace("{}", "d").split(), "-q", "--max-size", "1K")
        assert ran.code == 2, command
        assert f"{path}:" in ran.out + ran.err, command


def test_a_gzip_that_grows_for_ever_is_read_no_further(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(2 * gzip.compress(b" " * 10_000_000))
    with within(2):
        assert main(["check", str(path)]) == 2


# -- credentials ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("issuer", ["glpat-{a20}", "ghp_{a36}", "AKIA{u16}", "npm_{a36}", "sk-{a48}"])
def test_a_credential_is_one_to_every_command(
    issuer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    token = secret_texts.bare(issuer)
    monkeypatch.chdir(tmp_path)
    record = {"toolId": "host:a", "source": "mcp", "safetyTier": "read", "description": f"Use {token} here."}
    Path("a.json").write_text(json.dumps(record))
    for command in (
        ["check", "a.json"],
        ["convert", "a.json", "--to", "mcp", "--report", "none"],
        ["convert", ".", "--to", "mcp", "-o", "out", "--report", "none"],
    ):
        assert main(command) == 0
        said = capfd.readouterr()
        assert f"{command[1].removeprefix('.') or 'a.json'}:1:" in said.out + said.err
        assert "/description [credential]" in said.out + said.err
    Path("a.jsonl").write_text("\n" + "\n".join([json.dumps(record)] * 9))
    assert main(["convert", "a.jsonl", "--to", "mcp", "--report", "none"]) == 0
    lines = [line for line in capfd.readouterr().err.splitlines() if "[credential]" in line]
    assert [line.split(":")[:2] for line in lines] == [["a.jsonl", str(number)] for number in range(2, 7)]
    assert main(["convert", "a.jsonl", "--to", "mcp", "-q"]) == 0
    assert "[credential]" not in capfd.readouterr().err
    os.remove("a.jsonl")
    old = f"---\nname: a\nid: a.b\nversion: 1.0.0\ndescription: A.\nrun: call {token}\n---\n"
    Path("TOOL.md").write_text(old)
    assert main(["migrate", "TOOL.md", "--kind", "cli"]) == 2
    assert "what stands here is a secret" in capfd.readouterr().err
    assert sorted(os.listdir()) == ["TOOL.md", "a.json", "out"]


# -- JSON Lines to a file that somebody else makes meanwhile ----------------------------------------------------------


@pytest.mark.parametrize(("force", "code"), [([], 2), (["--force"], 0)])
def test_a_file_that_appears_during_the_run_is_not_replaced(force: list[str], code: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "toolglot", "convert", "-", "--stdin-filename", "a.jsonl", "--to", "mcp", *force]
    with subprocess.Popen(
        [*command, "-o", "out.jsonl"], cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write((LINES[0] + "\n").encode())
        process.stdin.flush()
        while not os.listdir(tmp_path):
            time.sleep(0.01)
        (tmp_path / "out.jsonl").write_text("mine\n")
        process.stdin.close()
        said = process.stderr.read().decode()
    assert process.returncode == code
    assert ((tmp_path / "out.jsonl").read_text() == "mine\n") == (not force)
    assert ("[file-exists]" in said) == (not force)
    assert os.listdir(tmp_path) == ["out.jsonl"]


# -- how far a difference is ------------------------------------------------------------------------------------------


@needs_terminal
def test_diff_says_on_a_terminal_how_far_it_is(run: Streams) -> None:
    for side, kind in (("old", "string"), ("new", "number")):
        schema = {"type": "object", "properties": {f"p{number}": {"type": kind} for number in range(2)}}
        for number in range(30):
            path = Path(side, f"{number}.json")
            path.parent.mkdir(exist_ok=True)
            record = {"toolId": f"host:{number}", "source": "mcp", "safetyTier": "read", "inputSchema": schema}
            path.write_text(json.dumps(record))
    shown = on_terminal({}, "diff", "old", "new")
    states = [state for state in shown.split("\r\x1b[2K") if state]
    for said in ("old: [0-9]+ files? read", "new: [0-9]+ files? read", "[0-9]+ of 30 compared"):
        assert any(re.fullmatch(said, state) for state in states), said
    assert len(states) < 90  # not for every file
    assert "tools compared" in states[-1]
    assert "\x1b[2K" not in on_terminal({}, "diff", "old", "new", "-q")
    assert "\x1b[2K" not in run("diff", "old", "new").err
