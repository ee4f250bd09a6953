"""A command line means to a program what the call meant; `make programs` tries as many calls as one likes."""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any
from unittest import mock

import click
import pytest
import typer

import program_calls
import toolglot
from rows import THOROUGH, for_each
from systems import needs_programs
from toolglot import agent
from toolglot.bridge import Validator, argv
from toolglot.cli import main
from toolglot.converter.hub.model import Leaf, Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import ArgumentError, ToolFailure
from toolglot.runtime.agent.descriptions import read_program
from toolglot.runtime.agent.parsed_commands import ParsedNotes
from toolglot.runtime.bridge.program_calls import run

CALLS = 1_200 if THOROUGH else 480
MOST_REFUSED = program_calls.MOST_REFUSED if THOROUGH else 0.05  # of a few programs one may be refused often


@pytest.fixture(scope="module", autouse=True)
def nothing_is_installed() -> Iterator[None]:
    """No program here is; to look for its version among all that are takes ten times as long as to describe it."""
    with mock.patch("toolglot.runtime.agent.parsed_commands._installed_version", return_value=None):
        yield


def test_what_arrives_is_what_was_asked() -> None:
    kinds: Counter[str] = Counter()
    features: set[str] = set()
    for program, outcome in program_calls.outcomes(CALLS):
        kinds[outcome.kind] += 1
        assert outcome.kind != "misread", outcome.reason
        if program is not None:
            features |= program.features
    assert kinds["arrived"] + kinds["refused"] + kinds["impossible"] == CALLS
    assert kinds["refused"] <= MOST_REFUSED * CALLS
    assert kinds["impossible"] <= program_calls.MOST_IMPOSSIBLE * CALLS
    assert features >= set(program_calls.FEATURES)


# -- what a description says, and what it leaves out ----------------------------------------------------------------


def leaf_of(program: Any) -> Leaf:
    (leaf,) = leaves_of(toolglot.read_one(agent.document(program, name="prog")))
    return leaf


def parser_with(*names: str, **settings: Any) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("prog")
    parser.add_argument(*names, **settings)
    return parser


def command_with(*names: str, **settings: Any) -> click.Command:
    return click.command("prog")(click.option(*names, **settings)(lambda **_: None))


def notes_of(program: Any) -> ParsedNotes:
    notes = ParsedNotes()
    read_program(program, notes=notes)
    return notes


def test_a_switch_that_only_turns_off() -> None:
    command = command_with(" /--demo", "in_prod", is_flag=True, default=True, help="Real.")
    entry = toolglot.read_one(agent.document(command)).children or ()
    (inputs,) = [child.inputs for child in entry]
    assert inputs is not None
    assert inputs["properties"] == {"demo": {"type": "boolean", "description": "Turns off in_prod. Real."}}


@for_each(
    ("program", "words"),
    [
        (command_with("+w/-w", "write", is_flag=True, default=None), "prog +w: a description has flags"),
        (command_with("/debug;/no-debug", is_flag=True), "prog /debug: a description has flags"),
        (parser_with("--size", type=len, choices=[4, 9]), "prog size: its choices"),
    ],
)
def test_what_cannot_be_described_is_named(program: Any, words: str) -> None:
    assert any(note.startswith(words) for note in notes_of(program).left_out)


def test_one_command_that_cannot_be_imported_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lazy_program.py").write_text(
        "import importlib, click\n"
        "class Lazy(click.Group):\n"
        "    def list_commands(self, ctx): return [*super().list_commands(ctx), 'prune']\n"
        "    def get_command(self, ctx, name):\n"
        "        if name == 'prune': return importlib.import_module('nobody_installed_it').command\n"
        "        return super().get_command(ctx, name)\n"
        "app = Lazy('plants', commands={'dig': click.Command('dig', help='Dig.')})\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["program", "describe", "lazy_program.py:app", "-o", "new.json"]) == 2
    assert "lazy_program prune: ModuleNotFoundError" in capsys.readouterr().err
    assert '"dig"' in Path("new.json").read_text()
    Path("new.json").write_text("whole")
    assert main(["program", "describe", "lazy_program.py:app", "-o", "new.json", "--force"]) == 2
    assert Path("new.json").read_text() == "whole"


@for_each(
    ("program", "expected"),
    [
        (argparse.ArgumentParser("prog", description="Sync."), None),
        (click.Group("prog", commands={"up": click.Command("up", help="Up.")}), None),
    ],
)
def test_a_program_that_describes_itself_is_not_invented(program: Any, expected: None) -> None:
    assert not toolglot.read_one(agent.document(program)).is_invented


def test_no_value_of_this_machine_is_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARCEL_TOKEN", "token-of-mine")
    for program in (parser_with("--token", default="token-of-mine"), command_with("--token", default="token-of-mine")):
        assert "token-of-mine" not in agent.document(program)


@for_each(
    ("program", "words"),
    [
        (command_with("--x", type=int, default="many"), '"type": "integer"'),
        (parser_with("--x", type=len, default=50), '"type": "string"'),
        (parser_with("--x", help="100%% gone, \x1b[1mnow\x1b[0m"), "100% gone, now"),
    ],
)
def test_what_stands_in_the_description(program: Any, words: str) -> None:
    (entry,) = (leaf_of(program).tool.inputs or {})["properties"].values()
    assert "default" not in entry
    assert words in agent.document(program)


def test_markup_is_read_as_help_prints_it() -> None:
    app = typer.Typer(rich_markup_mode="rich")

    @app.command()
    def moor(rope: Annotated[str, typer.Option(help="A [bold red]strong[/bold red] rope, \\[a, b].")] = "hemp") -> None:
        """[bold]Tie[/bold] a boat."""

    text = agent.document(app)
    assert "Tie a boat." in text
    assert "A strong rope, [a, b]." in text


def test_the_version_of_click_is_said() -> None:
    command = click.version_option("1.4.0")(command_with("--x"))
    assert read_program(command).version == "1.4.0"


# -- which argument a word is for -----------------------------------------------------------------------------------


def argparse_with(**arguments: Any) -> argparse.ArgumentParser:
    """A program of positional arguments, each with its `nargs`."""
    parser = argparse.ArgumentParser("prog")
    for name, nargs in arguments.items():
        parser.add_argument(name, nargs=nargs)
    return parser


def click_with(**arguments: Any) -> click.Command:
    """The same with click, whose settings for these are others."""
    settings: dict[Any, dict[str, Any]] = {
        None: {},
        "?": {"required": False},
        "*": {"nargs": -1},
        "+": {"nargs": -1, "required": True},
        2: {"nargs": 2},
    }
    return click.Command(
        "prog", params=[click.Argument([name], **settings[nargs]) for name, nargs in arguments.items()]
    )


FORMAT = {"format": "?", "output": None}
MANY_ONE_MAYBE = {"xs": "+", "y": None, "z": "?"}
PLACES: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    # parameters, arguments, then what becomes of them in argparse and in click: the words, or the code and the place
    (FORMAT, {"output": "o"}, "o", "positional-gap /output"),
    (FORMAT, {"output": "o", "format": "f"}, "f o", "f o"),
    ({"a": "?", "b": "?"}, {"b": "b"}, "positional-gap /b", "positional-gap /b"),
    ({"a": "?", "b": None, "c": "?"}, {"b": "b", "c": "c"}, "positional-gap /b", "positional-gap /b"),
    (MANY_ONE_MAYBE, {"xs": ["a", "b"], "y": "y"}, "a b y", "positional-gap /y"),
    (MANY_ONE_MAYBE, {"xs": ["a"], "y": "y", "z": "z"}, "ambiguous-positionals /z", "a y z"),
    ({"xs": "*", "z": "?"}, {"xs": ["a"]}, "a", "positional-gap /xs"),
    ({"xs": "*", "z": "?"}, {"z": "z"}, "ambiguous-positionals /z", "z"),
    ({"xs": "*", "z": None}, {"z": "z"}, "z", "z"),
]


@for_each(("parameters", "arguments", "of_argparse", "of_click"), PLACES)
def test_each_library_has_its_own_rule_which_argument_a_word_is_for(
    parameters: dict[str, Any], arguments: dict[str, Any], of_argparse: str, of_click: str
) -> None:
    for program, expected in ((argparse_with(**parameters), of_argparse), (click_with(**parameters), of_click)):
        assert outcome_of(leaf_of(program), arguments) == expected


def outcome_of(leaf: Leaf, arguments: dict[str, Any], host: dict[str, Any] | None = None) -> str:
    """The words behind the program of a call, or the code and the place of its refusal."""
    try:
        return " ".join(argv(leaf, arguments, host=host)[1:])
    except ArgumentError as error:
        return f"{error.code} {error.pointer}"


def test_argparse_and_click_fill_arguments_as_the_rules_say() -> None:
    kinds = (None, "?", "*", "+", 2)
    tried = 0
    for names in itertools.product(kinds, repeat=3):
        parameters = dict(zip("abc", names, strict=True))
        programs: list[Any] = [argparse_with(**parameters)]
        if sum(name in ("*", "+") for name in names) < 2:  # click takes only one of them
            programs.append(click_with(**parameters))
        leaves = [(program, leaf_of(program)) for program in programs]
        for (program, leaf), number in itertools.product(leaves, range(6)):
            words = [f"w{index}" for index in range(number)]
            found = read_words(program, words)
            if found is not None:
                given = {name: value for name, value in found.items() if value not in (None, [], ())}
                arguments = {name: list(v) if isinstance(v, tuple) else v for name, v in given.items()}
                assert outcome_of(leaf, arguments) == " ".join(words), (parameters, words)
                tried += 1
    assert tried > 400


def read_words(program: Any, words: list[str]) -> dict[str, Any] | None:
    """What a program makes of words; `None` where it refuses them."""
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            if isinstance(program, click.Command):
                return dict(program.make_context("prog", list(words)).params)
            return dict(vars(program.parse_args(words)))
        except (click.ClickException, SystemExit):
            return None


def click_of_project(**settings: Any) -> click.Group:
    group = click.Group("prog", params=[click.Argument(["project"], **settings)])
    group.add_command(click.Command("show", params=[click.Argument(["what"])]))
    return group


def argparse_of_project(*behind: str, **settings: Any) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("prog")
    parser.add_argument("project", **settings)
    parser.add_subparsers(required=True).add_parser("show").add_argument("what")
    for name in behind:
        parser.add_argument(name)
    return parser


def typer_of_project() -> typer.Typer:
    app = typer.Typer()

    @app.callback()
    def prog(project: str) -> None: ...

    @app.command()
    def show(what: str) -> None: ...

    return app


@for_each(
    "program",
    [
        click_of_project(),
        click_of_project(required=False),
        click_of_project(default="p"),
        argparse_of_project(),
        argparse_of_project(nargs="?"),
        argparse_of_project(nargs="?", help=argparse.SUPPRESS),
        typer_of_project(),
    ],
)
def test_an_argument_of_a_group_is_one_of_its_commands(program: Any) -> None:
    (leaf,) = leaves_of(toolglot.read_one(agent.document(program, name="prog")))
    assert outcome_of(leaf, {"what": "w"}) == "missing-argument /project"
    assert outcome_of(leaf, {"project": "show", "what": "-w"}) == "show show -- -w"


def without_command(program: argparse.ArgumentParser, is_required: bool = False) -> argparse.ArgumentParser:
    """The program with a function of its own, which its commands are beside."""
    program.set_defaults(run=print)
    for action in program._actions:
        action.required = action.required and (is_required or action.dest == "project")
    return program


def alone_click(**settings: Any) -> click.Group:
    group = click_of_project(**settings)
    group.invoke_without_command = True
    return group


@for_each(
    ("program", "outcomes"),
    [
        (alone_click(), ["missing-argument /project", "show"]),
        (alone_click(required=False), ["", "show"]),
        (without_command(argparse_of_project()), ["missing-argument /project", "show"]),
        (without_command(argparse_of_project(nargs="?")), ["", "unknown-argument /project"]),
        (without_command(argparse_of_project(), is_required=True), []),
    ],
)
def test_a_group_without_a_command_takes_what_no_command_could_be(program: Any, outcomes: list[str]) -> None:
    leaves = {leaf.path: leaf for leaf in leaves_of(toolglot.read_one(agent.document(program, name="prog")))}
    assert (("prog", "") in leaves) == bool(outcomes)
    for arguments, outcome in zip(({}, {"project": "show"}), outcomes, strict=False):
        assert outcome_of(leaves["prog", ""], arguments) == outcome


def test_only_the_arguments_behind_the_command_keep_their_dashes() -> None:
    parser = argparse.ArgumentParser("prog")
    parser.add_argument("project", nargs=2)
    parser.add_subparsers().add_parser("show").add_argument("words", nargs=argparse.REMAINDER)
    (leaf,) = leaves_of(toolglot.read_one(agent.document(parser)))
    words = argv(leaf, {"project": ["p", "-q"], "words": ["a", "-b"]})[1:]
    assert words == ["--", "p", "-q", "show", "a", "-b"]
    assert vars(parser.parse_args(words)) == {"project": ["p", "-q"], "words": ["a", "-b"]}


@for_each(
    ("value", "outcome"),
    [("a", "-Ea show"), ("", "greedy-option /E"), ("=", "greedy-option /E"), ("a=", "-Ea= show")],
)
def test_a_value_is_joined_to_a_short_flag_only_where_the_program_reads_it_back(value: str, outcome: str) -> None:
    parser = argparse.ArgumentParser("prog")
    parser.add_argument("-E", nargs="*")
    parser.add_subparsers().add_parser("show")
    (leaf,) = leaves_of(toolglot.read_one(agent.document(parser)))
    assert outcome_of(leaf, {}, {"E": [value]}) == outcome


@for_each(
    ("arguments", "outcome"),
    [
        ({"rest": ["a"], "loud": True}, "--rest=a --loud"),
        ({"rest": ["-a", "--loud"], "loud": True}, "--loud --rest -a --loud"),
        ({"rest": ["a", "b"], "file": "f"}, "--rest a b -- f"),
        ({"rest": ["a", "b"], "more": ["c", "d"]}, "greedy-option /rest"),
        ({"no-ice": True}, "--no-ice"),
    ],
)
def test_an_option_that_takes_the_rest_takes_no_other(arguments: dict[str, Any], outcome: str) -> None:
    parser = argparse.ArgumentParser("prog")
    parser.add_argument("--rest", nargs=argparse.REMAINDER)
    parser.add_argument("--more", nargs=argparse.REMAINDER)
    parser.add_argument("--loud", action="store_true")
    parser.add_argument("-n", "--no-ice", action="store_true")
    parser.add_argument("file", nargs="?")
    (leaf,) = leaves_of(toolglot.read_one(agent.document(parser)))
    assert outcome_of(leaf, arguments) == outcome


@for_each(
    ("program", "name"),
    [
        (click_of_project(nargs=-1), "project"),
        (argparse_of_project(nargs="+"), "project"),
        (argparse_of_project("last"), "last"),
    ],
)
def test_a_command_whose_words_its_group_takes_cannot_be_described(program: Any, name: str) -> None:
    assert notes_of(program).broken == [f"prog show: its words are taken for {name}"]


def test_values_of_click_behind_one_flag_may_look_like_options() -> None:
    assert outcome_of(leaf_of(command_with("--pair", nargs=2)), {"pair": ["-z", "--"]}) == "--pair -z --"
    assert outcome_of(leaf_of(parser_with("--pair", nargs=2)), {"pair": ["-z", "2"]}) == "looks-like-option /pair/0"


def test_a_bool_of_argparse_is_true_for_every_text_but_the_empty_one() -> None:
    leaf = leaf_of(parser_with("--fast", type=bool, choices=[True, False], help="Be quick."))
    assert outcome_of(leaf, {"fast": "true"}) == "--fast true"
    assert argv(leaf, {"fast": ""}) == ["prog", "--fast", ""]
    assert outcome_of(leaf, {"fast": "false"}) == "not-in-enum /fast"
    assert "Be quick. The empty text means false" in str(leaf.tool.inputs)


# -- calls that a program would take for others ---------------------------------------------------------------------


def of_document(*options: dict[str, Any], **more: Any) -> Tool:
    command = {"description": "Run.", "options": list(options), **more}
    return toolglot.read_one(
        {"atip": {"version": "0.6"}, "name": "app", "version": "1", "description": "A.", "commands": {"run": command}}
    )


def an_option(name: str, *flags: str, **entry: Any) -> dict[str, Any]:
    return {"name": name, "flags": list(flags), "type": "boolean", "description": name, **entry}


FAST, SLOW = an_option("fast", "--fast", exclusive=["slow"]), an_option("slow", "--slow")
ICE, HOT = an_option("ice", "--ice", "--no-ice", default=True), an_option("hot", "--hot", exclusive=["no-ice"])
FILES = {"name": "files", "type": "file", "description": "Files.", "variadic": True, "required": False}
MANY = an_option("many", "--many", type="string", variadic=True)
AT = {"x-syntax": {"response_files": "@"}}


@for_each(
    ("tool", "arguments", "code"),
    [
        (of_document(FAST, SLOW), {"fast": True, "slow": True}, "exclusive-options"),
        (of_document(ICE, HOT), {"ice": False, "hot": True}, "exclusive-options"),
        (of_document(an_option("out", "-o"), an_option("open", "-o")), {"out": True}, "shared-flag"),
        (of_document(FAST, SLOW, **{"x-syntax": {"one_of": [["fast", "slow"]]}}), {}, "missing-argument"),
        (of_document(arguments=[{**FILES, "type": "string"}], **AT), {"files": ["@list"]}, "names-a-response-file"),
        (of_document({**MANY, "default": ["a"]}), {"many": []}, "unwritable-value"),
    ],
)
def test_a_call_that_means_something_else_is_refused(tool: Tool, arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        argv(tool, arguments)
    assert caught.value.code == code


def test_the_validator_refuses_options_that_exclude_each_other() -> None:
    tool = of_document(FAST, SLOW)
    (leaf,) = leaves_of(tool)
    assert not Validator({"run": leaf}).validate("run", {"fast": True, "slow": True}).valid
    assert Validator({"run": leaf}).validate("run", {"fast": True, "slow": False}).valid


def test_a_model_is_told_which_options_exclude_each_other() -> None:
    (definition,) = toolglot.compile(of_document(FAST, SLOW), "openai").definitions
    assert "Only one of fast and slow can be given." in str(definition)


@for_each(
    ("tool", "arguments", "words"),
    [
        (of_document(MANY, arguments=[FILES]), {"many": ["m"], "files": ["a"]}, ["--many", "m", "--", "a"]),
        (of_document(arguments=[FILES], **AT), {"files": ["@list"]}, ["./@list"]),
        (of_document(FAST, arguments=[FILES], **{"x-syntax": {"keeps_dashes": True}}), {"fast": True}, ["--fast"]),
        (of_document(an_option("to", "--to", type="string")), {"to": "@ada"}, ["--to=@ada"]),
        (of_document(ICE, HOT), {"ice": True, "hot": True}, ["--ice", "--hot"]),
    ],
)
def test_a_call_is_written_so_that_it_means_itself(tool: Tool, arguments: dict[str, Any], words: list[str]) -> None:
    assert argv(tool, arguments) == ["app", "run", *words]


def test_a_greedy_option_of_the_program_takes_no_command() -> None:
    tool = toolglot.read_one(
        {
            "atip": {"version": "0.6"}, "name": "app", "version": "1", "description": "A.",
            "globalOptions": [MANY, an_option("loud", "--loud")], "commands": {"run": {"description": "Run."}},
        }
    )  # fmt: skip
    assert argv(tool, {}, host={"many": ["a", "b"]}) == ["app", "--many=a", "--many=b", "run"]
    assert argv(tool, {}, host={"many": ["a"], "loud": True}) == ["app", "--many", "a", "--loud", "run"]


def test_no_command_line_is_made_of_a_manifest_that_names_no_program() -> None:
    manifest = {
        "version": "1.0.0",
        "commands": {"deploy": {"id": "deploy", "pluginName": "app", "args": {}, "flags": {}}},
    }
    (leaf,) = leaves_of(toolglot.read_one(manifest))
    with pytest.raises(ArgumentError, match="nobody states what the program is called"):
        argv(leaf, {})


# -- prompts --------------------------------------------------------------------------------------------------------


def asking_program(folder: Path) -> tuple[Any, Path]:
    path = folder / "asker"
    path.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:], repr(sys.stdin.read()))\n")
    path.chmod(0o755)
    ask = click.option("--pin", prompt=True, hide_input=True)
    return click.command("asker")(ask(click.option("--x")(lambda **_: None))), path


@needs_programs
def test_an_option_that_is_asked_for_is_required_and_a_call_that_gives_it_runs(tmp_path: Path) -> None:
    command, path = asking_program(tmp_path)
    (leaf,) = leaves_of(toolglot.read_one(agent.document(command)))
    assert (leaf.tool.inputs or {})["required"] == ["pin"]
    assert (leaf.tool.stdin, leaf.tool.prompts) == ("password", True)
    with contextlib.redirect_stdout(io.StringIO()):
        done = run(leaf, {"pin": "1"}, program=str(path), confirm=lambda plan: True, as_root=True)
    assert done.value == "['--pin', '1'] ''\n"


def test_yes_counts_where_the_caller_gives_it() -> None:
    asks = {"effects": {"interactive": {"prompts": True}}}
    (leaf,) = leaves_of(of_document(an_option("yes", "--yes"), an_option("loud", "--loud"), **asks))
    with pytest.raises(ToolFailure, match="waits for a person"):
        run(leaf, {"loud": True}, program="/none", confirm=lambda plan: True)
    with pytest.raises(toolglot.Error) as caught:
        run(leaf, {"yes": True}, program="/none", confirm=lambda plan: True)
    assert "waits for a person" not in str(caught.value)
