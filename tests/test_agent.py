"""A program describes itself: what its parser knows is said, what nobody states stays unknown, and nothing runs."""

from __future__ import annotations

import argparse
import enum
import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import UUID

import click
import pytest
import typer
from click.testing import CliRunner
from typer.testing import CliRunner as TyperRunner

import toolglot
from rows import for_each
from toolglot import agent
from toolglot.bridge import argv
from toolglot.converter import formats, safety
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import ArgumentError, UsageError
from toolglot.runtime.agent import decorator_types, decorators, flag
from toolglot.runtime.agent.descriptions import read_program, write_part
from toolglot.runtime.agent.named_programs import load_program
from toolglot.runtime.agent.parsed_commands import ParsedNotes
from toolglot.runtime.agent.requests import WHOLE
from untyped import untyped


class Color(enum.Enum):
    RED = "r"
    BLUE = "b"


class Described(click.ParamType[Any]):
    name = "word"

    def agent_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": ["a", "b"]}


def fail(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("nothing may run")


def described(program: Any) -> dict[str, Any]:
    text = agent.document(program, name="notes")
    assert [finding for finding in toolglot.check(text) if finding.severity == "error"] == []
    document: dict[str, Any] = json.loads(text)
    return document


# -- parameters ----------------------------------------------------------------------------------------------------


def click_entry(*names: str, **settings: Any) -> dict[str, Any]:
    make = click.option if names[0].startswith("-") else click.argument
    command = click.command("notes")(make(*names, **settings)(fail))
    return only_entry(command)


def argparse_entry(*names: str, **settings: Any) -> dict[str, Any]:
    parser = argparse.ArgumentParser("notes")
    parser.add_argument(*names, **settings)
    return only_entry(parser)


def typer_entry(annotation: Any, default: Any = ...) -> dict[str, Any]:
    app = typer.Typer()

    def command(x: Any) -> None:
        fail()

    command.__annotations__ = {"x": annotation}
    if default is not ...:
        command.__defaults__ = (default,)
    app.command()(command)
    return only_entry(app)


def only_entry(program: Any) -> dict[str, Any]:
    command = described(program)["commands"][""]
    entries: list[dict[str, Any]] = command.get("arguments", []) + command.get("options", [])
    (entry,) = entries
    return {key: value for key, value in entry.items() if key not in ("name", "flags")}


def parameter(kind: str, description: str, more: dict[str, Any]) -> dict[str, Any]:
    """An entry of `x`; its name describes it where nobody did, and a mark says so."""
    mark = {"x-toolglot": {"assumed": ["description"]}} if re.match(r"X($| \()", description) else {}
    return {"type": kind, "description": description, **more, **mark}


def text(description: str = "X", **more: Any) -> dict[str, Any]:
    return parameter("string", description, more)


def one_of(*values: str, **more: Any) -> dict[str, Any]:
    return parameter("enum", "X", {"enum": list(values), **more})


def whole(description: str = "X", **more: Any) -> dict[str, Any]:
    return parameter("integer", description, more)


SWITCH = parameter("boolean", "X", {})
CLICK: dict[str, tuple[tuple[str, ...], dict[str, Any], dict[str, Any]]] = {
    "text": (("--x",), {"help": "An X."}, text("An X.")),
    "lines": (("--x",), {"help": "An X:\n\n\b\na\nb"}, text("An X: a b")),
    "required": (("--x",), {"required": True}, text(required=True)),
    "default": (("--x",), {"default": "a"}, text(default="a")),
    "default of a function": (("--x",), {"default": fail}, text()),
    "default of a function, in words": (("--x",), {"default": fail, "show_default": "yours"}, text("The default is yours")),
    "default in words": (("--x",), {"default": 3, "show_default": "a few", "help": "How many"}, whole("How many. The default is a few", default=3)),
    "default of a secret": (("--x",), {"default": "a", "hide_input": True, "prompt": True}, text(required=True)),
    "whole number": (("--x",), {"default": 3}, whole(default=3)),
    "number": (("--x",), {"type": float}, parameter("number", "X", {})),
    "range": (("--x",), {"type": click.IntRange(1, 9, max_open=True)}, whole("X (minimum 1; must be less than 9)")),
    "range that bends": (("--x",), {"type": click.IntRange(1, 9, clamp=True)}, whole()),
    "file": (("--x",), {"type": click.File("w"), "default": "-"}, parameter("file", "X", {"default": "-"})),
    "path": (("--x",), {"type": click.Path()}, parameter("file", "X", {})),
    "folder": (("--x",), {"type": click.Path(file_okay=False)}, parameter("directory", "X", {})),
    "date": (("--x",), {"type": click.DateTime(["%Y-%m-%d"])}, text("X (format: date)")),
    "time": (("--x",), {"type": click.DateTime(["%Y", "%H"])}, text("Written as %Y or %H")),
    "default of a date": (("--x",), {"type": click.DateTime(["%m/%Y"]), "default": datetime(2026, 3, 4)}, text("Written as %m/%Y", default="03/2026")),
    "default that no schema takes": (("--x",), {"type": float, "default": math.inf}, parameter("number", "The default is inf", {})),
    "default in other letters": (("--x",), {"type": click.Choice(["Red"], case_sensitive=False), "default": "red"}, {"type": "enum", "description": "The default is red", "enum": ["Red"]}),
    "unique id": (("--x",), {"type": click.UUID, "default": UUID(int=1)}, text("X (format: uuid)", default=str(UUID(int=1)))),
    "choice": (("--x",), {"type": click.Choice(["a", "b"]), "default": "a"}, one_of("a", "b", default="a")),
    "choice of an enumeration": (("--x",), {"type": click.Choice(Color), "default": Color.RED}, one_of("RED", "BLUE", default="RED")),
    "type that describes itself": (("--x",), {"type": Described()}, one_of("a", "b")),
    "flag that turns off": (("--no-x", "x"), {"flag_value": False, "default": True}, {**SWITCH, "description": "No x"}),
    "function": (("--x",), {"type": str.upper}, text()),
    "truth": (("--x",), {"type": bool}, one_of("true", "false")),
    "flag": (("--x",), {"is_flag": True}, SWITCH),
    "flag and opposite": (("--x/--no-x",), {"default": True}, {**SWITCH, "default": True}),
    "flag by default off": (("--x/--no-x",), {"default": False}, {**SWITCH, "default": False}),
    "count": (("-x",), {"count": True, "help": "More"}, {"type": "boolean", "description": "More. Can be given several times"}),
    "several": (("--x",), {"multiple": True}, text("X", variadic=True)),
    "value of a flag": (("--x", "y"), {"flag_value": "a", "default": "a"}, {**SWITCH, "default": True}),
    "another value": (("--x", "y"), {"flag_value": "a", "default": "b"}, SWITCH),
    "optional value": (("--x",), {"is_flag": False, "flag_value": "a"}, text('Without a value it means "a"')),
    "variable": (("--x",), {"envvar": "X_Y"}, text(envVar="X_Y")),
    "a bool that is typed": (("--x",), {"type": click.BOOL, "default": True}, one_of("true", "false", default="true")),
    "variables": (("--x",), {"envvar": ["x_y", "X_Y"]}, text("Also taken from the environment variable x_y", envVar="X_Y")),
    "argument": (("x",), {}, text()),
    "argument left out": (("x",), {"required": False}, text(required=False)),
    "arguments": (("x",), {"nargs": -1}, text("X", required=False, variadic=True)),
    "some arguments": (("x",), {"nargs": -1, "required": True}, text("X (at least 1 item)", variadic=True)),
    "two arguments": (("x",), {"nargs": 2, "type": int}, whole("X (at least 2 items; at most 2 items)", variadic=True)),
    "two named arguments": (("x",), {"nargs": 2, "metavar": "A B"}, text("The values are A B (at least 2 items; at most 2 items)", variadic=True)),
    "two named values": (("--x",), {"nargs": 2, "metavar": "A B", "help": "An X"}, text("An X. The values are A B. Takes 2 values behind one flag (at least 2 items; at most 2 items)", variadic=True, **{"x-together": True})),
    "one named value": (("--x",), {"metavar": "A"}, text()),
}  # fmt: skip
ARGPARSE: dict[str, tuple[tuple[str, ...], dict[str, Any], dict[str, Any]]] = {
    "text": (("--x",), {"help": "An X of %(prog)s, %(default)r.", "default": "a"}, text("An X of notes, 'a'.", default="a")),
    "help with a type": (("--x",), {"help": "An %(type)s.", "type": int}, whole("An int.")),
    "help with choices": (("--x",), {"help": "%(choices)s", "choices": [1, 2]}, whole("1, 2", enum=[1, 2])),
    "bad help": (("--x",), {"help": "%(nothing)s"}, text("%(nothing)s")),
    "required": (("--x",), {"required": True}, text(required=True)),
    "no default": (("--x",), {"default": argparse.SUPPRESS}, text()),
    "whole number": (("--x",), {"type": int, "default": 3}, whole(default=3)),
    "range": (("--x",), {"type": int, "choices": range(1, 4)}, whole("X (minimum 1; maximum 3)")),
    "numbers": (("--x",), {"type": int, "choices": (1, 4)}, whole(enum=[1, 4])),
    "path": (("--x",), {"type": Path, "default": Path("a")}, parameter("file", "X", {"default": "a"})),
    "choice": (("--x",), {"choices": {"b", "a"}}, one_of("a", "b")),
    "other choices": (("--x",), {"choices": [object]}, text()),
    "choice of an enumeration": (("--x",), {"type": Color, "choices": list(Color), "default": Color.RED}, one_of("r", "b", default="r")),
    "default that its type reads": (("--x",), {"type": int, "default": "5"}, whole("The default is 5")),
    "default of a date": (("--x",), {"type": date.fromisoformat, "default": date(2026, 3, 4)}, text(default="2026-03-04")),
    "default of a decimal": (("--x",), {"type": Decimal, "default": Decimal("1.5")}, parameter("number", "The default is 1.5", {})),
    "function": (("--x",), {"type": fail}, text()),
    "truth is any text": (
        ("--x",),
        {"type": bool},
        {"type": "enum", "description": "The empty text means false", "enum": ["true", ""]},
    ),
    "flag": (("--x",), {"action": "store_true"}, SWITCH),
    "flag that holds anyway": (("--x",), {"action": "store_true", "default": True}, {**SWITCH, "default": True}),
    "opposite": (("--x",), {"action": "store_false"}, SWITCH),
    "opposite that holds anyway": (("--x",), {"action": "store_false", "default": False}, {**SWITCH, "default": True}),
    "constant": (("--x",), {"action": "store_const", "const": 1}, SWITCH),
    "flag and opposite": (("--x",), {"action": argparse.BooleanOptionalAction, "default": True}, {**SWITCH, "default": True}),
    "count": (("-x",), {"action": "count"}, {"type": "boolean", "description": "Can be given several times"}),
    "several": (("--x",), {"action": "append"}, text("X", variadic=True)),
    "more": (("--x",), {"action": "extend", "nargs": "+"}, text("X (at least 1 item)", variadic=True)),
    "constants": (("--x",), {"action": "append_const", "const": 1}, {"type": "boolean", "description": "Can be given several times"}),
    "several at once": (("--x",), {"nargs": "+"}, text("Takes several values behind one flag (at least 1 item)", variadic=True, **{"x-together": True})),
    "optional value": (("--x",), {"nargs": "?", "const": "a"}, text('Without a value it means "a"')),
    "argument": (("x",), {}, text()),
    "argument left out": (("x",), {"nargs": "?", "default": "a"}, text(required=False, default="a")),
    "arguments": (("x",), {"nargs": "*"}, text("X", required=False, variadic=True)),
    "some arguments": (("x",), {"nargs": "+"}, text("X (at least 1 item)", variadic=True)),
    "two arguments": (("x",), {"nargs": 2}, text("X (at least 2 items; at most 2 items)", variadic=True)),
    "two named arguments": (("x",), {"nargs": 2, "metavar": ("A", "B")}, text("The values are A B (at least 2 items; at most 2 items)", variadic=True)),
    "two named values": (("--x",), {"nargs": 2, "metavar": ("A", "B"), "help": "An X"}, text("An X. The values are A B. Takes 2 values behind one flag (at least 2 items; at most 2 items)", variadic=True, **{"x-together": True})),
    "one named value": (("--x",), {"metavar": "A"}, text()),
    "the rest": (("x",), {"nargs": argparse.REMAINDER}, text("X", required=False, variadic=True)),
    "default that the rest never has": (("x",), {"nargs": argparse.REMAINDER, "default": ["a"]}, text("X", required=False, variadic=True)),
}  # fmt: skip
TYPER: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "text": ((str,), text()),
    "option": ((str, "a"), text(default="a")),
    "none": ((str | None, None), text()),
    "whole number": ((int, 3), whole(default=3)),
    "range": ((int, typer.Option(min=1, max=9)), whole("X (minimum 1; maximum 9)", required=True)),
    "range that bends": ((int, typer.Option(3, min=1, max=9, clamp=True)), whole(default=3)),
    "path": ((Path, Path("a")), parameter("file", "X", {"default": "a"})),
    "folder": ((Path, typer.Argument(file_okay=False)), parameter("directory", "X", {})),
    "choice": ((Color, Color.RED), one_of("r", "b", default="r")),
    "words": ((Literal["a", "b"], "a"), one_of("a", "b", default="a")),
    "flag": ((bool, False), {**SWITCH, "default": False}),
    "several": ((list[str], typer.Option([])), text("X", variadic=True)),
    "arguments": ((list[int],), whole("X (at least 1 item)", variadic=True)),
    "default of a function": ((str, typer.Option(default_factory=fail)), text()),
    "parser": ((Color, typer.Option(parser=fail)), text(required=True)),
    "date": ((str | None, typer.Option(None, envvar="X_Y", help="An X.")), text("An X.", envVar="X_Y")),
}


@for_each(("names", "settings", "expected"), list(CLICK.values()), ids=list(CLICK))
def test_click_says_of_a_parameter(names: tuple[str, ...], settings: dict[str, Any], expected: dict[str, Any]) -> None:
    assert click_entry(*names, **settings) == expected


@pytest.mark.parametrize("is_required", [False, True])
def test_an_option_of_two_values_is_said_to_take_them_behind_one_flag(is_required: bool) -> None:
    parser = argparse.ArgumentParser("notes")
    parser.add_argument("--x", nargs=2, required=is_required)
    command = click.command("notes")(click.option("--x", nargs=2, required=is_required)(fail))
    for program in (parser, command):
        (tool,) = toolglot.read(agent.document(program))
        assert argv(tool, {"x": ["a", "b"]}) == ["notes", "--x", "a", "b"]


@for_each(("names", "settings", "expected"), list(ARGPARSE.values()), ids=list(ARGPARSE))
def test_argparse_says_of_a_parameter(
    names: tuple[str, ...], settings: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert argparse_entry(*names, **settings) == expected


@pytest.mark.parametrize("secret", ["s3cr3t", ["a", "s3cr3t"]])
def test_a_help_text_has_no_value_of_this_machine(monkeypatch: pytest.MonkeyPatch, secret: Any) -> None:
    monkeypatch.setenv("X_TOKEN", "s3cr3t")
    told = argparse_entry("--x", default=secret, help="A token (default: %(default)s).")
    assert told == text("A token (default: from the environment).")
    told = argparse_entry("--x", dest="s3cr3t", metavar="s3cr3t", help="Of %(dest)s, as %(metavar)s.")
    assert told["description"] == "Of s3cr3t, as s3cr3t."  # that is what the program itself calls it


def test_a_default_that_every_machine_has_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHLVL", "1")
    assert argparse_entry("--x", default="1") == text(default="1")


@pytest.mark.parametrize("choices", ["abc", range(1, 9, 2), [object]])
def test_choices_that_no_list_says_are_named(choices: Any) -> None:
    parser = argparse.ArgumentParser("notes")
    parser.add_argument("--x", choices=choices)
    notes = ParsedNotes()
    read_program(parser, "notes", notes=notes)
    assert notes.left_out == ["notes x: its choices, as they are no list of what is typed"]


@pytest.mark.parametrize("action", ["store_true", "store_false", "count", argparse.BooleanOptionalAction])
def test_an_argument_that_takes_no_word_is_no_parameter(action: Any) -> None:
    parser = argparse.ArgumentParser("notes")
    parser.add_argument("x", action=action)
    parser.add_argument("file")
    notes = ParsedNotes()
    read_program(parser, "notes", notes=notes)
    assert notes.left_out == ["notes x: it takes no word, and is carried out in every call"]
    (tool,) = toolglot.read(agent.document(parser))
    assert argv(tool, {"file": "a"}) == ["notes", "a"]


PAIRS: list[tuple[tuple[str, ...], str, list[str], list[str] | None]] = [
    (("--x",), "x", ["--x"], ["--no-x"]),
    (("-x",), "x", ["-x"], None),
    (("--cd", "--abccd"), "abccd", ["--cd"], ["--no-cd"]),
]
if sys.version_info < (3, 14):  # from then on argparse itself refuses names that begin with --no-
    PAIRS += [
        (("--no-x",), "no-x", ["--no-x"], []),
        (("--no-no-x",), "no-no-x", ["--no-no-x"], []),
        (("--no-xyz", "--x"), "x", ["--x"], ["--no-x"]),
        (("--x", "--no-xyz"), "x", ["--x"], ["--no-x"]),
    ]


@for_each(("names", "name", "on", "off"), PAIRS)
@pytest.mark.parametrize("default", [None, True])
def test_a_pair_of_flags_says_what_argparse_makes_of_it(
    names: tuple[str, ...], name: str, on: list[str], off: list[str] | None, default: bool | None
) -> None:
    parser = argparse.ArgumentParser("notes")
    parser.add_argument(*names, action=argparse.BooleanOptionalAction, default=default, dest="value")
    (tool,) = toolglot.read(agent.document(parser))
    assert argv(tool, {name: True}) == ["notes", *on]
    if off is not None:
        assert argv(tool, {name: False}) == ["notes", *off]
    for words in on, off or []:
        for word in words:
            assert parser.parse_args([word]).value is not word.startswith("--no-")


@for_each(("parameter", "expected"), list(TYPER.values()), ids=list(TYPER))
def test_typer_says_of_a_parameter(parameter: tuple[Any, ...], expected: dict[str, Any]) -> None:
    assert typer_entry(*parameter) == expected


# -- three programs of one kind ------------------------------------------------------------------------------------


def click_program() -> click.Group:
    @agent.click
    @click.group(name="notes", invoke_without_command=True, context_settings={"auto_envvar_prefix": "NOTES"})
    @click.option("--config", type=click.Path(), is_eager=True, callback=lambda ctx, param, value: value and fail())
    @click.option("--verbose", "-v", is_flag=True)
    @click.version_option("1.0", callback=fail)
    def program(**options: Any) -> None:
        """Keep notes.

        In files.
        """

    @program.command()
    @click.argument("text", nargs=-1)
    @click.option("--tag", multiple=True)
    @click.option("--loud/--quiet", "loud")
    @click.option("--upper", "case", flag_value="upper")
    @click.option("--lower", "case", flag_value="lower")
    @click.option("--pin/--no-pin", default=True)
    @click.option("--secret", hidden=True)
    @agent.effects(writes_files=True, network=False)
    def add(**options: Any) -> None:
        """Add a note."""
        print(json.dumps(options, sort_keys=True))

    @program.group(deprecated=True)
    @click.option("--repo", required=True)
    def remote(**options: Any) -> None:
        """Notes elsewhere."""

    @agent.effects(destructive=True)
    @agent.example("notes remote --repo a drop")
    @remote.command(hidden=True)
    @click.confirmation_option(prompt="Really?", help="Do not ask.")
    def drop(**options: Any) -> None:
        """Drop it."""
        fail()

    return program


TAG = typer.Option([])


def typer_program() -> typer.Typer:
    app = agent.typer(typer.Typer(name="notes"))

    @app.callback(invoke_without_command=True)
    def program(config: str | None = None, verbose: bool = typer.Option(False, "--verbose", "-v")) -> None:
        """Keep notes.

        In files.
        """

    @app.command()
    @agent.effects(writes_files=True, network=False)
    def add(text: list[str], tag: list[str] = TAG, pin: bool = True) -> None:
        """Add a note."""
        print(json.dumps({"text": text, "tag": tag, "pin": pin}, sort_keys=True))

    remote = typer.Typer(help="Notes elsewhere.")
    app.add_typer(remote, name="remote", deprecated=True)

    @remote.callback()
    def repository(repo: str = typer.Option()) -> None:
        pass

    @agent.effects(destructive=True)
    @agent.example("notes remote --repo a drop")
    @remote.command(hidden=True)
    def drop(yes: bool = typer.Option(False, prompt="Really?")) -> None:
        """Drop it."""
        fail()

    return app


def argparse_program() -> argparse.ArgumentParser:
    @agent.effects(writes_files=True, network=False)
    def add(options: dict[str, Any]) -> None:
        print(json.dumps(options, sort_keys=True))

    parser = argparse.ArgumentParser("notes", description="Keep %(prog)s.\n\nIn files.")
    parser.add_argument("--config", type=fail)
    parser.add_argument("--agent-file")
    parser.add_argument("--verbose", "-v", action="store_true")
    parser.add_argument("--version", action="version", version="%(prog)s 1.0")
    parser.set_defaults(run=lambda options: None)
    commands = parser.add_subparsers()
    adds = commands.add_parser("add", aliases=["a"], help="Add a note.")
    adds.add_argument("text", nargs="+")
    adds.add_argument("--tag", action="append", default=[])
    adds.add_argument("--pin", action=argparse.BooleanOptionalAction, default=True)
    adds.add_argument("--secret", help=argparse.SUPPRESS)
    adds.set_defaults(run=add)
    remote = commands.add_parser("remote", description="Notes elsewhere.")
    remote.add_argument("--repo", required=True)
    drop = remote.add_subparsers(required=True).add_parser("drop", description="Drop it.")
    agent.effects(destructive=True)(agent.example("notes remote --repo a drop")(drop))
    return agent.argparse(parser)


class Run(NamedTuple):
    code: int
    out: str
    err: str


def run_click(program: Any, *words: str) -> Run:
    result = CliRunner().invoke(program, list(words), prog_name="notes")
    return Run(result.exit_code, result.stdout, result.stderr)


def run_typer(program: Any, *words: str) -> Run:
    result = TyperRunner().invoke(program, list(words), prog_name="notes")
    return Run(result.exit_code, result.stdout, result.stderr)


@pytest.fixture
def run_argparse(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    def run(program: argparse.ArgumentParser, *words: str) -> Run:
        code = 0
        try:
            options = vars(program.parse_args(list(words)))
            options.pop("run")({key: options[key] for key in ("text", "tag", "pin") if key in options})
        except SystemExit as end:
            code = int(end.code or 0)
        return Run(code, *capsys.readouterr())

    return run


PROGRAMS = {"click": click_program, "typer": typer_program, "argparse": argparse_program}


@pytest.fixture(params=list(PROGRAMS))
def run(request: pytest.FixtureRequest, run_argparse: Callable[..., Run]) -> Callable[..., Run]:
    runners = {"click": run_click, "typer": run_typer, "argparse": run_argparse}
    program = PROGRAMS[request.param]()

    def run(*words: str) -> Run:
        return runners[request.param](program, *words)

    return run


def test_a_program_describes_itself(run: Callable[..., Run]) -> None:
    code, out, err = run("--agent")
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert [finding for finding in toolglot.check(out) if finding.severity == "error"] == []
    document = json.loads(out)
    assert (document["name"], document["description"]) == ("notes", "Keep notes.")
    assert document["trust"] == {"source": "native", "verified": False}
    shared = [option["name"] for option in document["globalOptions"]]
    assert [name for name in shared if name != "agent-file"] == ["config", "verbose"]
    assert list(document["commands"]) == ["", "add", "remote"]
    add, remote = document["commands"]["add"], document["commands"]["remote"]
    assert add["effects"] == {"filesystem": {"write": True}, "network": False}
    assert "secret" not in [option["name"] for option in add["options"]]
    assert remote["description"] == "Notes elsewhere."
    assert [option["name"] for option in remote["options"]] == ["repo"]
    assert (remote["options"][0]["required"], remote["commands"]["drop"]["effects"]["destructive"]) == (True, True)
    assert remote["commands"]["drop"]["examples"] == ["notes remote --repo a drop"]
    assert "effects" not in remote


def test_what_only_some_frameworks_know_is_said() -> None:
    for program in (click_program(), typer_program()):
        remote = described(program)["commands"]["remote"]
        assert (remote["deprecated"], remote["commands"]["drop"]["hidden"]) == (True, True)
        assert remote["commands"]["drop"]["effects"]["interactive"] == {"prompts": True}
    assert described(click_program())["globalOptions"][1]["envVar"] == "NOTES_VERBOSE"
    assert described(argparse_program())["version"] == "1.0"
    options = {option["name"]: option for option in described(click_program())["commands"]["add"]["options"]}
    assert [options[name].get("exclusive") for name in ("loud", "quiet", "upper", "lower", "pin")] == [
        ["quiet"], ["loud"], ["lower"], ["upper"], None,
    ]  # fmt: skip
    assert options["quiet"]["flags"] == ["--quiet"]


def test_whoever_asks_for_a_report_hears_of_hidden_options() -> None:
    for program in (click_program(), argparse_program()):
        notes = ParsedNotes()
        read_program(program, "notes", notes=notes)
        assert notes.lines(names_hidden=True) == [
            "left out of the description: notes add --secret: help leaves it out",
        ]
        assert notes.lines() == []


# Words of a command line -> whether the description is what they ask for.
PLACES: dict[tuple[str, ...], bool] = {
    ("--agent",): True,
    ("-v", "--agent"): True,
    ("--verbose", "--agent", "--depth", "1"): True,
    ("--config", "a", "--agent"): True,
    ("--config=a", "--agent", "--commands=add", "--depth=2"): True,
    ("--config", "--agent"): False,
    ("--config=--agent",): False,
    ("add", "--agent"): False,
    ("add", "x", "--agent"): False,
    ("remote", "--agent"): False,
    ("--", "--agent"): False,
    ("--nobody", "--agent"): False,
    ("--agent=1",): False,
    ("--agent-file", "--agent"): False,
}


@for_each(("place", "expected"), list(PLACES.items()), ids=[" ".join(place) for place in PLACES])
def test_the_flag_is_looked_for_where_options_of_the_program_stand(place: tuple[str, ...], expected: bool) -> None:
    for framework, runner in (("click", run_click), ("typer", run_typer)):
        out = runner(PROGRAMS[framework](), *place).out
        assert out.startswith('{"atip"') == expected, framework


@for_each(("place", "expected"), list(PLACES.items()), ids=[" ".join(place) for place in PLACES])
def test_argparse_looks_for_the_flag_there_too(
    place: tuple[str, ...], expected: bool, run_argparse: Callable[..., Run]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[__name__], "fail", str)
        assert run_argparse(argparse_program(), *place).out.startswith('{"atip"') == expected


def test_a_flag_that_begins_with_ours_is_never_meant_by_it(run_argparse: Callable[..., Run]) -> None:
    program = argparse_program()
    assert run_argparse(program, "--agent-f", "a").code == 0
    assert "invalid choice: 'b'" in run_argparse(program, "--nobody", "--agent", "b").err
    assert run_argparse(program, "--conf", "a", "--agent").out.startswith('{"atip"')


REQUESTS = {
    ("--depth", "0"): "1 or more, not '0'",
    ("--depth", "-1"): "1 or more, not '-1'",
    ("--depth=x",): "1 or more, not 'x'",
    ("--depth",): "--depth needs a value",
    ("--commands",): "--commands needs a value",
    ("--commands", "add,"): "a list of names",
    ("--commands", "ad"): "did you mean 'add'?",
    ("--commands", "drop"): "no command 'drop'",
    ("--commands", "-"): "no command '-'; it has add, remote",
    ("add",): "not 'add'",
    ("--verbose",): "not '--verbose'",
    ("--agent",): "not '--agent'",
}


@for_each(("words", "message"), list(REQUESTS.items()), ids=[" ".join(words) for words in REQUESTS])
def test_what_cannot_be_asked_for_is_an_error(words: tuple[str, ...], message: str) -> None:
    for framework, runner in (("click", run_click), ("typer", run_typer)):
        code, out, err = runner(PROGRAMS[framework](), "--agent", *words)
        assert (code, out) == (2, ""), framework
        assert message in " ".join(err.replace("│", "").split()), framework


def test_argparse_has_the_same_errors(run_argparse: Callable[..., Run]) -> None:
    program = argparse_program()
    for request, message in REQUESTS.items():
        code, out, err = run_argparse(program, "--agent", *request)
        assert (code, out, message in err) == (2, "", True), request


def test_a_part_says_what_it_leaves_out(run: Callable[..., Run]) -> None:
    whole_program = json.loads(run("--agent").out)
    one = json.loads(run("--agent", "--commands", "add").out)
    assert one["commands"] == {"add": whole_program["commands"]["add"]}
    assert (one["partial"], one["filter"]) == (True, {"depth": None, "commands": ["add"]})
    assert (one["totalCommands"], one["includedCommands"]) == (3, 1)
    assert one["omitted"] == {"reason": "filtered", "safetyAssumption": "unknown"}
    top = json.loads(run("--agent", "--depth=1").out)
    assert top["commands"]["remote"] == {
        key: value
        for key, value in {**whole_program["commands"]["remote"], "x-truncated": True}.items()
        if key not in ("commands", "options")
    }
    assert (top["omitted"]["reason"], top["includedCommands"]) == ("depth-limited", 2)
    assert [leaf.path for leaf in leaves_of(toolglot.read_one(top))] == [("notes", ""), ("notes", "add")]
    everything = json.loads(run("--agent", "--depth", "9", "--commands", "remote,add").out)
    assert (everything["partial"], "omitted" in everything) == (True, True)  # without the bare program
    deep = json.loads(run("--agent", "--depth", "9").out)
    assert (deep["partial"], deep["commands"]) == (False, whole_program["commands"])


def test_a_call_comes_home(run: Callable[..., Run]) -> None:
    arguments = {"text": ["-x", "a b"], "tag": ["-t", "--agent"], "pin": False}
    program = toolglot.read_one(run("--agent").out)
    (leaf,) = (leaf for leaf in leaves_of(program) if leaf.path == ("notes", "add"))
    code, out, err = run(*argv(leaf, arguments)[1:])
    assert (code, err) == (0, "")
    assert {key: value for key, value in json.loads(out).items() if key in arguments} == arguments


def test_what_lazy_commands_print_meanwhile_is_no_part_of_it() -> None:
    class Lazy(click.Group):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            print("noise")
            return super().get_command(ctx, cmd_name)

    program = agent.click(Lazy("notes", help="Keep notes.", commands=[click.Command("add", help="Add.")]))
    code, out, err = run_click(program, "--agent")
    assert (code, err) == (0, "noise\n")
    assert list(json.loads(out)["commands"]) == ["add"]


def test_what_is_said_of_a_group_stays_with_it() -> None:
    @agent.example("notes --a x work add")
    @click.group()
    @click.argument("folder")
    def program(folder: str) -> None:
        """Keep notes."""

    program.command("add")(fail)
    document = described(program)
    assert document["description"] == "Keep notes. Its commands stand behind folder"
    assert document["examples"] == ["notes --a x work add"]
    parser = argparse.ArgumentParser("notes", description="Keep notes.")
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument("--a")
    either.add_argument("--b")
    parser.add_subparsers().add_parser("add")
    document = described(parser)
    assert document["description"] == "Keep notes. One of a, b has to be given"
    assert [option["exclusive"] for option in document["globalOptions"]] == [["b"], ["a"]]


def test_help_of_a_command_names_the_program_that_prints_it() -> None:
    parser = argparse.ArgumentParser("notes")
    parser.add_subparsers().add_parser("add", help="Add to %(prog)s, 100%% of it.")
    assert "Add to notes, 100% of it." in parser.format_help()
    assert described(parser)["commands"]["add"]["description"] == "Add to notes, 100% of it."


def test_alternatives_of_a_command_are_said() -> None:
    parser = argparse.ArgumentParser("notes", description="Keep notes.")
    for names in (("--a", "--b"), ("--c", "--d")):
        either = parser.add_mutually_exclusive_group(required=True)
        for name in names:
            either.add_argument(name)
    words = described(parser)["commands"][""]["description"]
    assert words == "Keep notes. One of c, d has to be given\n\nExactly one of a and b must be given."


@pytest.mark.parametrize(
    "options",
    [
        [click.option("--loud/--quiet", required=True)],
        [click.option("--loud", "how", flag_value="l", required=True), click.option("--quiet", "how", flag_value="q")],
    ],
)
def test_one_of_the_options_for_a_needed_value_has_to_be_given(options: list[Callable[[Any], Any]]) -> None:
    command: Any = fail
    for option in options:
        command = option(command)
    (tool,) = toolglot.read(agent.document(click.command("notes")(command), name="notes"))
    assert argv(tool, {"quiet": True}) == ["notes", "--quiet"]
    with pytest.raises(ArgumentError, match="has to be given"):
        argv(tool, {})


def test_a_command_says_what_to_use_in_its_place() -> None:
    command = click.command("notes", help="Keep notes.", deprecated="Use files.")(fail)
    assert described(command)["commands"][""]["description"] == "Keep notes. Deprecated: Use files."


def test_a_switch_that_a_variable_may_turn_on_is_turned_off() -> None:
    command = click.command("notes")(click.option("--loud/--quiet", envvar="LOUD")(fail))
    (tool,) = toolglot.read(agent.document(command, name="notes"))
    assert argv(tool, {"loud": False}) == ["notes", "--quiet"]


def test_the_line_can_stand_twice_and_changes_nothing_else() -> None:
    program = agent.click(agent.click(click_program()))
    assert isinstance(program, click.Group)
    assert type(program).__name__ == "Group"
    assert run_click(program, "--agent").out.startswith('{"atip"')


def test_help_lists_the_flag(run: Callable[..., Run]) -> None:
    assert flag.HELP in " ".join(run("--help").out.replace("│", "").split())
    assert flag.FLAG not in run("add", "--help").out


# -- statements ----------------------------------------------------------------------------------------------------


def test_the_words_of_effects_are_those_of_the_hub_and_of_the_target() -> None:
    (target,) = (formats.get(name) for name in formats.targets() if formats.get(name).describes_one_program)
    assert set(decorators.EFFECTS) == set(decorator_types.CommandEffects.__annotations__)
    assert set(decorators.EFFECTS) <= set(Tool.__struct_fields__) & target.holds
    assert set(decorators.AUTH) == set(decorator_types.Auth.__annotations__)
    assert set(decorators.ABOUT) == set(decorator_types.About.__annotations__)


def test_every_statement_reaches_the_document() -> None:
    facts: dict[str, Any] = {
        "reads_files": True, "writes_files": True, "deletes_files": False, "paths": ["~/notes"], "network": True,
        "subprocess": False, "creates": ["note"], "modifies": ["note"], "deletes": ["note"], "destructive": True,
        "reversible": False, "idempotent": False, "stdin": "optional", "prompts": False, "tty": False,
        "billable": True, "cost_estimate": "high", "duration": "1-5s", "timeout_ms": 60_000,
    }  # fmt: skip
    assert facts.keys() == decorators.EFFECTS.keys()

    @agent.effects(**facts)
    @agent.auth("token", env="NOTES_TOKEN", setup="notes login", scopes=["write"], required=True, check="notes whoami")
    @agent.auth("oauth", description="In a browser.")
    @agent.example("notes a", "notes b")
    @agent.arguments(text="What to keep.")
    @click.command()
    @click.argument("text")
    def notes(text: str) -> None:
        """Keep notes."""

    (leaf,) = leaves_of(toolglot.read_one(agent.document(notes)))
    for name, value in facts.items():
        assert getattr(leaf.tool, name) == (tuple(value) if isinstance(value, list) else value), name
    assert (leaf.tool.auth_required, leaf.tool.auth_check) == (True, "notes whoami")
    methods = leaf.tool.auth_methods or ()
    assert [(method.type, method.env, method.scopes) for method in methods] == [
        ("token", "NOTES_TOKEN", ("write",)), ("oauth", None, None),
    ]  # fmt: skip
    assert [example.command for example in leaf.tool.examples or ()] == ["notes a", "notes b"]
    assert (leaf.tool.inputs or {})["properties"]["text"]["description"] == "What to keep."


@for_each(("duration", "typical"), [("5s", "5-5s"), ("500ms", "0-1s"), ("2-10s", "2-10s")])
def test_a_duration_is_written_as_the_span_that_the_format_takes(duration: str, typical: str) -> None:
    parser = agent.effects(duration=duration)(argparse.ArgumentParser("notes"))
    assert described(parser)["commands"][""]["effects"]["duration"]["typical"] == typical


def test_what_nobody_states_stays_unknown(run: Callable[..., Run]) -> None:
    program = toolglot.read_one(run("--agent").out)
    silent = next(leaf.tool for leaf in leaves_of(program) if leaf.path == ("notes", ""))
    assert {name: getattr(silent, name) for name in decorators.EFFECTS if getattr(silent, name) is not None} == {}
    assert safety.caution(silent) == safety.caution(Tool(id="silent"))


def test_the_whole_program_is_said_to_be() -> None:
    about: Any = {"name": "memo", "version": "3", "title": "Memo", "license": "MIT", "homepage": "https://memo.example"}
    for program in (
        agent.click(click.Command("notes", help="Keep notes."), **about),
        agent.typer(typer_program(), **about),
        agent.argparse(argparse_program(), **about),
    ):
        document = json.loads(agent.document(program))
        assert {key: document[key] for key in about} == about
    assert json.loads(agent.document(agent.click(click.Command("toolglot"))))["version"] == toolglot.__version__


def own_flag_of_argparse() -> Any:
    parser = argparse.ArgumentParser("x")
    parser.add_argument("--agent")
    return agent.argparse(parser)


def own_flag_of_typer() -> typer.Typer:
    app = agent.typer(typer.Typer())

    @app.command()
    def hello(agent: str = "x") -> None:
        fail()

    return app


effects = untyped(agent.effects)
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "unknown effect": (lambda: effects(destructiv=True), "did you mean destructive?"),
    "no truth": (lambda: effects(network="no"), "network is true or false, not 'no'"),
    "no list": (lambda: effects(paths="a"), "paths is a list of texts, not 'a'"),
    "no number": (lambda: effects(timeout_ms=True), "timeout_ms is a whole number, not True"),
    "no word": (lambda: effects(stdin="no"), "stdin is one of none, optional"),
    "no example": (lambda: agent.example(untyped(3)), "example is a list of texts"),
    "no method": (lambda: agent.auth(untyped("magic")), "method is one of token"),
    "no word of auth": (lambda: agent.auth("token", **untyped({"envvar": "A"})), "did you mean env?"),
    "no argument": (lambda: agent.document(agent.arguments(y="Y")(click.Command("x", params=[click.Argument(["x"])]))), "there is only x"),
    "no word of the program": (lambda: agent.click(click.Command("x"), **untyped({"nam": "y"})), "did you mean name?"),
    "no command": (lambda: agent.click("x"), "expected a command of click, found str"),
    "another's program": (lambda: agent.click(argparse.ArgumentParser()), "expected a command of click, found ArgumentParser"),
    "no typer": (lambda: agent.typer(click.Command("x")), "expected a typer.Typer, found Command"),
    "no parser": (lambda: agent.argparse(3), "expected a parser of argparse, found int"),
    "no program": (lambda: agent.document(3), "found int"),
    "what makes a program": (lambda: agent.document(lambda: 3), "write () behind its name"),
    "click's own": (lambda: agent.click(click.Command("x", params=[click.Option(["--agent"])])), "x has an option --agent"),
    "argparse's own": (own_flag_of_argparse, "x has an option --agent"),
    "typer's own": (lambda: TyperRunner().invoke(own_flag_of_typer(), [], catch_exceptions=False), "hello has an option --agent"),
}  # fmt: skip


@for_each(("mistake", "message"), list(WRONG.values()), ids=list(WRONG))
def test_a_mistake_is_named(mistake: Callable[[], Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        mistake()
    assert message in str(caught.value)


# -- programs that are named ---------------------------------------------------------------------------------------

MODULE = """
import click
from argparse import ArgumentParser
print("noise")
app = click.Command("x", params=[click.Argument(["y"])])
class Holder: app = app
def make(): return ArgumentParser()
def broken(): raise KeyError("k")
if __name__ == "__main__": fail()
"""
NAMED = {
    "named_module.py:app": "named_module",
    "named_module.py:Holder.app": "named_module",
    "named_module.py:make()": "named_module",
    "named_module:app": "named_module",
    "json.py:app": "json",
    "toolglot.cli:cli": "toolglot",
}
NOT_NAMED = {
    "named_module.py": "names no program",
    "named_module.py:": "names no program",
    ":app": "names no program",
    "named_module.py:app[0]": "names no program",
    "named_module.py:nobody": "has no 'nobody'",
    "named_module.py:broken()": "named_module.py:broken() cannot be called: KeyError: 'k'",
    "nobody.py:app": "there is no file nobody.py",
    "nobody.nothing:app": "nobody.nothing cannot be imported: ModuleNotFoundError",
    "ending.py:app": "ends when it is imported",
    "wrong.py:app": "SyntaxError",
}


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"named_module": MODULE, "json": MODULE, "ending": "import sys; sys.exit(0)", "wrong": "def"}
    for name, content in texts.items():
        (tmp_path / f"{name}.py").write_text(content, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "modules", {**sys.modules})


@pytest.mark.parametrize(("target", "name"), list(NAMED.items()))
def test_a_program_is_named(target: str, name: str, modules: None, capsys: pytest.CaptureFixture[str]) -> None:
    before = {**sys.modules}
    loaded = load_program(target)
    assert before.items() <= sys.modules.items()  # `json.py` takes the place of no module, not that of `_json` either
    document = json.loads(write_part(read_program(loaded.program, None, loaded.usual_name), WHOLE))
    assert document["name"] == loaded.usual_name == name
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("target", "message"), list(NOT_NAMED.items()))
def test_what_names_no_program_is_said(target: str, message: str, modules: None) -> None:
    with pytest.raises(UsageError) as caught:
        load_program(target)
    assert message in str(caught.value)


class UnlistedGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        raise LookupError("no plugins")


def typer_of_a_union() -> typer.Typer:
    app = typer.Typer()

    @app.command()
    def main(thing: int | str) -> None: ...

    return app


@for_each(
    ("program", "message"),
    [
        (UnlistedGroup("notes"), "the commands of notes cannot be listed: LookupError: no plugins"),
        (typer_of_a_union(), "typer cannot make a program of it: AssertionError: "),
    ],
)
def test_an_error_of_a_program_is_told_as_its_own(program: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        agent.document(program)


# -- what it costs -------------------------------------------------------------------------------------------------


def test_a_program_that_uses_it_imports_nothing_more() -> None:
    code = "import sys; before = {*sys.modules}; from toolglot import agent; print(*sorted({*sys.modules} - before))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [
        "__future__", "toolglot", "toolglot.agent", "toolglot.errors", "toolglot.runtime", "toolglot.runtime.agent",
        "toolglot.runtime.agent.decorators", "toolglot.runtime.agent.flag",
    ]  # fmt: skip
