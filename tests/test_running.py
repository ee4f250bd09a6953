"""Carrying out a call: what is refused, what is shown before it runs, what runs, and what becomes of its result."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

import toolglot
from hostile_programs import put_program
from rows import for_each
from systems import needs_programs
from toolglot import agent, bridge
from toolglot.bridge import PlannedRun, RunResult, batches, conflicts
from toolglot.cli import main
from toolglot.converter.hub.model import Leaf
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import ArgumentError, ProgramError, ToolFailure, UsageError
from toolglot.runtime.programs import resolution
from toolglot.runtime.programs.allow_list import parse_allow_list

pytestmark = needs_programs

HARMLESS: dict[str, Any] = {
    "network": False,
    "subprocess": False,
    "filesystem": {"read": False, "write": False, "delete": False},
    "destructive": False,
    "reversible": True,
    "idempotent": True,
    "cost": {"billable": False, "estimate": "free"},
    "interactive": {"stdin": "none", "prompts": False, "tty": False},
}


def description(effects: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A description of a program `prog` with one command that takes words."""
    command = {
        "description": "Say words.",
        "arguments": [
            {"name": "words", "type": "string", "variadic": True, "required": False, "description": "What to say."}
        ],
        "options": [{"name": "file", "flags": ["--file"], "type": "file", "description": "A file."}],
        "effects": {**HARMLESS, **(effects or {})},
    }
    root = {"atip": {"version": "0.6"}, "name": "prog", "version": "1", "description": "A program of the tests."}
    return {**root, "commands": {"say": command}, **fields}


def leaf_of(data: dict[str, Any]) -> Leaf:
    return next(leaves_of(toolglot.read_one(data)))


def run(path: Path | None, effects: dict[str, Any] | None = None, *words: str, **options: Any) -> RunResult:
    program = None if path is None else str(path)
    options = {"confirm": lambda planned: True, "as_root": True, **options}
    arguments = options.pop("arguments", {"words": list(words)})
    return bridge.run(leaf_of(description(effects)), arguments, program=program, **options)


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises((ToolFailure, ProgramError, UsageError, ArgumentError)) as caught:
        work()
    return str(caught.value.code)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program that leaves a trace, and says what it was called with: a line each."""
    return put_program(tmp_path, "prog", ': > "$0.trace"; for word in "$@"; do printf "<%s>\\n" "$word"; done')


def was_run(program: Path) -> bool:
    return Path(f"{program}.trace").exists()


# -- what runs ------------------------------------------------------------------------------------------------------

AWKWARD = ("$HOME", "; rm -rf /", "*", "`id`", "--yes", "-", "", "a b", "ä\n€", "'\"")


def test_no_shell_reads_a_word(program: Path) -> None:
    result = run(program, None, *AWKWARD)
    assert result.value == "".join(f"<{word}>\n" for word in ("say", "--", *AWKWARD))


def test_what_is_about_to_run_is_shown_first(program: Path, tmp_path: Path) -> None:
    plans: list[PlannedRun] = []
    assert code_of(lambda: run(program, None, "hi", confirm=plans.append, folder=tmp_path)) == "cancelled"
    assert not was_run(program)
    [planned] = plans
    assert planned.vector == (str(program), "say", "hi")
    assert planned.program.fingerprint.path == str(program)
    assert planned.folder == str(tmp_path)
    assert planned.isolation.name == "none"
    assert planned.reasons == ()
    assert planned.seconds == 30


@for_each("answer", [None, 1, "yes", []])
def test_only_true_runs_it(answer: object) -> None:
    assert code_of(lambda: run(Path("/usr/bin/env"), confirm=lambda planned: answer, any_name=True)) == "cancelled"


def test_it_gets_no_variables_but_those_that_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_TOKEN", "x")
    monkeypatch.setenv("WANTED", "this")
    path = put_program(tmp_path, "prog", 'env; cat; pwd; echo "$TMPDIR" > "${0%/*}/scratch"')
    result = run(path, None, variables=["WANTED"], folder=tmp_path)
    *variables, folder = result.value.splitlines()
    given = dict(line.split("=", 1) for line in variables)
    assert {"PATH", "LANG", "HOME", "TMPDIR", "WANTED"} <= given.keys() <= {*given, "PWD", "_"}
    assert "PLANTED_TOKEN" not in given
    assert (given["WANTED"], given["HOME"], folder) == ("this", os.path.expanduser("~"), str(tmp_path))
    assert not os.path.lexists((tmp_path / "scratch").read_text().strip())
    assert code_of(lambda: run(path, None, variables=["NOT_SET_AT_ALL"])) == "unknown-variable"


def test_files_that_it_makes_have_the_rights_that_the_user_wants(tmp_path: Path) -> None:
    path = put_program(tmp_path, "prog", 'touch "${0%/*}/made"')
    before = os.umask(0o022)
    try:
        run(path)
    finally:
        os.umask(before)
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o644


@for_each(
    "effects, stated, seconds",
    [
        ({}, None, 30),
        ({"duration": {"timeout": "90s"}}, None, 90),
        ({"duration": {"timeout": "90s"}}, 0.5, 0.5),
        ({"duration": {"timeout": "99h"}}, None, 3600),
    ],
)
def test_how_long_it_may_take(effects: dict[str, Any], stated: float | None, seconds: float) -> None:
    plans: list[PlannedRun] = []
    with pytest.raises(ToolFailure):
        run(Path("/usr/bin/env"), effects, confirm=plans.append, any_name=True, seconds=stated)
    assert plans[0].seconds == seconds


@for_each("seconds", [0, -1, 3601, float("nan")])
def test_what_is_no_time(seconds: float) -> None:
    assert code_of(lambda: run(Path("/usr/bin/env"), any_name=True, seconds=seconds)) == "bad-seconds"


# -- what is refused ------------------------------------------------------------------------------------------------


@for_each(
    "interactive",
    [{"tty": True}, {"prompts": True}, {"stdin": "required"}, {"stdin": "password"}, {"stdin": "keyboard"}],
)
def test_what_waits_for_a_person_is_refused(interactive: dict[str, Any]) -> None:
    """Whatever options it has to answer everything with yes."""
    effects = {"interactive": {**HARMLESS["interactive"], **interactive}}
    with pytest.raises(ToolFailure) as caught:
        run(Path("/usr/bin/env"), effects, any_name=True)
    assert caught.value.code == "input_unsupported"


def test_whoever_is_refused_hears_what_the_program_asks_for() -> None:
    command = click.command("prog")(click.confirmation_option()(click.option("--to", prompt=True)(lambda **_: None)))
    tool = toolglot.read_one(agent.document(command))
    with pytest.raises(ToolFailure, match="of a call that gives to and yes it asks nothing"):
        bridge.run(tool, {"to": "a"}, program="/usr/bin/env", confirm=print, any_name=True, as_root=True)


def test_what_may_read_stdin_finds_it_empty(tmp_path: Path) -> None:
    path = put_program(tmp_path, "prog", "cat; echo end")
    effects = {"interactive": {**HARMLESS["interactive"], "stdin": "optional"}}
    assert run(path, effects).value == "end\n"


@for_each("source", ["mcp", "aip14"])
def test_a_command_line_that_a_conversion_made_up_is_refused(source: str) -> None:
    documents: dict[str, Any] = {
        "mcp": {"name": "prog", "description": "A program?", "inputSchema": {"type": "object", "properties": {}}},
        "aip14": "---\nschema: agenttool/v1\nid: prog.say\nname: Say\nversion: 1.0.0\ndescription: Say.\n---\n",
    }
    tool = toolglot.read_one(toolglot.convert(documents[source], "atip").text)
    with pytest.raises(ToolFailure, match="made up by a conversion") as caught:
        bridge.run(tool, {}, program="/usr/bin/env", confirm=lambda planned: True, any_name=True, as_root=True)
    assert caught.value.code == "no_route"


def test_a_tool_without_a_command_line_is_refused() -> None:
    tool = toolglot.read_one({"toolId": "prog", "source": "mcp", "safetyTier": "read"})
    assert (
        code_of(lambda: bridge.run(tool, {}, program="/usr/bin/env", confirm=lambda planned: True)) == "no-command-line"
    )


@for_each(
    "arguments, options, code",
    [
        ({"words": 7}, {}, "input_invalid"),
        (["words"], {}, "input_invalid"),
        ({"other": 1}, {}, "input_invalid"),
        ({"file": "../../etc/passwd"}, {"root": "/srv"}, "policy_violation"),
        ({}, {"policy": {"allowNetwork": False}, "strict": True}, "policy_violation"),
        ({}, {"policy": {"allowNetworks": False}}, "bad-policy"),
    ],
)
def test_a_call_is_judged_first(arguments: Any, options: dict[str, Any], code: str) -> None:
    data = {**description(), "commands": {"say": {**description()["commands"]["say"], "effects": {}}}}
    calls: list[PlannedRun] = []
    options = {"program": "/usr/bin/env", "confirm": calls.append, "any_name": True, "as_root": True, **options}
    assert code_of(lambda: bridge.run(leaf_of(data), arguments, **options)) == code
    assert calls == []


def test_the_description_of_one_program_runs_no_other(tmp_path: Path) -> None:
    other = put_program(tmp_path, "other", "echo hi")
    with pytest.raises(ProgramError, match=r"--any-name .* \[program-other-name\]"):
        run(other)
    assert run(other, any_name=True).value == "hi\n"
    assert code_of(lambda: run(put_program(tmp_path, "prog", "echo hi", 0o757))) == "program-writable"
    assert code_of(lambda: run(None)) == "program-not-named"


def test_without_a_path_the_allow_list_names_the_program(program: Path) -> None:
    with resolution.open_program(str(program)) as opened:
        entry = {"path": str(program), "sha256": opened.fingerprint.sha256}
    assert run(None, None, "hi", allow_list=parse_allow_list({"prog": entry})).value == "<say>\n<hi>\n"
    wrong = parse_allow_list({"prog": {**entry, "sha256": "0" * 64}})
    assert code_of(lambda: run(None, allow_list=wrong)) == "program-changed"


def test_a_program_that_is_replaced_while_somebody_reads_does_not_run(program: Path) -> None:
    def replace(planned: PlannedRun) -> bool:
        program.write_text("#!/bin/sh\n: > $0.trace\n")
        return True

    assert code_of(lambda: run(program, confirm=replace)) == "program-changed"
    assert not was_run(program)


# -- what comes of it -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ('echo "{\\"a\\": [1, 2]}"', {"a": [1, 2]}),
        ('echo "{\\"token\\": \\"abc\\"}"', {"token": "[REDACTED]"}),
        ("echo password=hunter2", "password=[REDACTED]\n"),
        ("echo 7", "7\n"),
        ("echo '{broken'", "{broken\n"),
        ("printf '\\377'", "\ufffd"),
        ("true", ""),
    ],
)
def test_a_result_is_data_without_secrets(script: str, value: Any, tmp_path: Path) -> None:
    assert run(put_program(tmp_path, "prog", script)).value == value


@pytest.mark.parametrize(
    ("script", "options", "code"),
    [
        ("echo '{}'; echo token=abc123 >&2; exit 3", {}, "upstream_error"),
        ("kill -9 $$", {}, "upstream_error"),
        ("sleep 60", {"seconds": 0.2}, "timeout"),
        ("head -c 11000000 /dev/zero", {}, "upstream_error"),
    ],
)
def test_a_program_that_fails_gave_no_result(script: str, options: dict[str, Any], code: str, tmp_path: Path) -> None:
    with pytest.raises(ToolFailure) as caught:
        run(put_program(tmp_path, "prog", script), **options)
    assert caught.value.code == code
    assert "abc123" not in str(caught.value.cause)


def test_a_session_runs_calls_with_it(program: Path) -> None:
    tool = toolglot.read_one(description())

    def runner(call: toolglot.Invocation) -> Any:
        options: dict[str, Any] = {"program": str(program), "confirm": lambda planned: True, "as_root": True}
        return bridge.run(call, call.arguments, **options).value

    session = toolglot.Session(tool, "anthropic", runner=runner)
    call = {"type": "tool_use", "id": "t1", "name": "prog_say", "input": {"words": ["hi"]}}
    [message] = session.handle({"content": [call]})
    assert message["content"][0]["content"] == "<say>\n<hi>\n"


def test_batches_hold_what_may_run_at_once() -> None:
    effects: list[dict[str, Any]] = [{}, {}, {"destructive": True}, {"network": True}, {"idempotent": False}, {}]
    calls = [leaf_of(description(effect)) for effect in effects]
    groups = batches(calls)
    assert sorted(index for group in groups for index in group) == list(range(len(calls)))
    group_of = {index: place for place, group in enumerate(groups) for index in group}
    assert all(group_of[first] < group_of[second] for first, second, _ in conflicts(calls))
    assert 1 < len(groups) < len(calls)


# -- the command ----------------------------------------------------------------------------------------------------


class Run:
    """`toolglot program run` of the one command, from a document in a file."""

    def __init__(self, folder: Path, program: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.document = folder / "prog.atip.json"
        self.program = program
        self._capture = capture

    def __call__(self, *options: str, effects: dict[str, Any] | None = None) -> tuple[int, Any, str]:
        self.document.write_text(json.dumps(description(effects)), encoding="utf-8")
        words = ["program", "run", str(self.document), "prog say", '{"words": ["hi"]}', "--program", str(self.program)]
        code = main([*words, *options])
        printed = self._capture.readouterr()
        return code, json.loads(printed.out) if printed.out else None, printed.err.decode()


@pytest.fixture
def command(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Run:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(resolution, "is_root", lambda: False)
    monkeypatch.chdir(tmp_path)
    return Run(tmp_path, program, capsysbinary)


def test_it_is_shown_and_needs_a_yes(command: Run) -> None:
    code, result, shown = command()
    assert (code, result["error"]["code"]) == (1, "cancelled")
    assert f"runs: {command.program} say hi\n" in shown
    assert "sha256: " in shown
    assert not was_run(command.program)
    assert command("--yes", "--quiet") == (0, {"ok": True, "result": "<say>\n<hi>\n"}, "")


def test_a_document_that_cannot_be_read_runs_nothing(
    program: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    document = tmp_path / "prog.atip.json"
    document.write_text(json.dumps(description())[:-1])
    words = ["program", "run", str(document), "prog say", '{"words": ["hi"]}', "--program", str(program), "--yes"]
    assert main(words) == 2
    printed = capsysbinary.readouterr()
    assert printed.err.decode().startswith(f"{document}:")
    assert (printed.out, was_run(program)) == (b"", False)


def test_no_settings_file_can_say_yes(command: Run, tmp_path: Path) -> None:
    (tmp_path / "toolglot.toml").write_text("yes = true\nquiet = true\n[run]\nyes = true\n")
    (tmp_path / "pyproject.toml").write_text("[tool.toolglot.run]\nyes = true\n")
    code, result, shown = command()
    assert (code, result["error"]["code"]) == (1, "cancelled")
    assert shown


def test_trust_is_keyed_to_both_hashes(command: Run) -> None:
    assert command("--trust")[0] == 2
    assert command("--yes")[0] == 0
    assert command()[0] == 1
    assert command("--yes", "--trust")[0] == 0
    assert command()[0] == 0
    assert command(effects={"network": True})[0] == 1
    assert command()[0] == 0
    command.program.write_text(command.program.read_text() + "# newer\n")
    assert command()[0] == 1


def test_trust_that_others_can_write_is_none(command: Run, tmp_path: Path) -> None:
    assert command("--yes", "--trust")[0] == 0
    path = tmp_path / "xdg" / "toolglot" / "trust.json"
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o622)
    code, _, shown = command()
    assert code == 2
    assert "others can write into" in shown


@for_each("effects", [{"destructive": True}, {"cost": {"billable": True}}, {"reversible": None, "subprocess": None}])
def test_what_needs_approval_is_refused_where_nobody_is(effects: dict[str, Any], command: Run) -> None:
    effects = {key: value for key, value in effects.items() if value is not None} or {"subprocess": True}
    code, result, _ = command("--yes", effects=effects)
    assert (code, result["error"]["code"]) == (1, "policy_violation")
    assert "this needs approval" in result["error"]["message"]
    assert not was_run(command.program)


@pytest.mark.parametrize("answer", [False, True])
def test_a_person_at_a_terminal_is_asked(answer: bool, command: Run, monkeypatch: Any) -> None:
    questions: list[str] = []

    def confirm(text: str, **options: Any) -> bool:
        questions.append(text)
        return answer

    monkeypatch.setattr("click.confirm", confirm)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, _, _ = command("--yes", effects={"destructive": True})
    assert code == (0 if answer else 1)
    assert was_run(command.program) is answer
    [question] = questions
    assert "destroys data for good" in question


def test_a_policy_takes_the_place_of_approval(command: Run) -> None:
    assert command("--yes", "--policy", '{"allowDestructive": true}', effects={"destructive": True})[0] == 0
    code, result, _ = command("--yes", "--policy", '{"allowDestructive": false}', effects={"destructive": True})
    assert (code, result["error"]["code"]) == (1, "policy_violation")


@pytest.mark.parametrize("rule", [{"allowNetwork": False}, {"minTrustLevel": "community"}])
def test_what_nobody_states_speaks_against_a_call_where_it_is_required(rule: dict[str, Any], command: Run) -> None:
    options = ("--yes", "--policy", json.dumps({"allowUnstated": True, **rule}))
    silent = {"network": None}
    code, result, _ = command(*options, "--require-stated", effects=silent)
    assert (code, result["error"]["code"], was_run(command.program)) == (1, "policy_violation", False)
    assert command(*options, effects=silent)[0] == 0


def test_an_empty_policy_is_not_taken_for_none(command: Run) -> None:
    code, _, shown = command("--yes", "--policy", "")
    assert (code, was_run(command.program)) == (2, False)
    assert "not-an-object" in shown
