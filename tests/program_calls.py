"""Random programs of click, typer and argparse that are described and called: what arrives is what was asked.

A program is built of the features below and described. Arguments are drawn from what the description offers, as a model
would draw them; the vector that `argv` makes of them goes to the program's own parser. What it hands to the program has
to be what was asked for, or the call was refused with a reason. Where that is the order of positional arguments, the
program is asked whether it is true. `python tests/program_calls.py 20000` tries that many calls, prints what was
refused, by reason, and ends with 1 where a call arrived as something else.
"""

from __future__ import annotations

import argparse
import contextlib
import enum
import inspect
import io
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple
from unittest import mock

import click
import typer

import toolglot
from toolglot import agent
from toolglot.bridge import Validator, argv
from toolglot.converter.hub.model import Leaf, Tool
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import ArgumentError

FEATURES = (
    "nargs", "prefixes", "pairs of flags", "pairs of values", "counts", "choices", "types", "environment variables",
    "nested groups", "subparsers", "exclusive groups", "prompts", "fromfile_prefix_chars", "arguments of groups",
    "any order of arguments",
)  # fmt: skip
ABOUT_ORDER = ("positional-gap", "ambiguous-positionals", "names-a-command")
LEAST_SHARE, MOST_REFUSED, MOST_IMPOSSIBLE, CALLS_EACH = 0.05, 0.03, 0.08, 20
SECRET = "token-of-this-machine"
VARIABLE = "PROGRAM_CALLS_TOKEN"
TEXTS = ("a", "b c", "plum", "x=y", "é", "", "7", "on", "C:/d", "a,b", "k:v", "100%")
HOSTILE = ("-x", "--", "-1", "--flag", "+5", "+w", "@file", "/etc", "-", "--no-a", "cmd20", "cmd10", "=", "/debug")


class Wood(enum.Enum):
    OAK = "oak"
    PINE = "pine"


class Grain(enum.StrEnum):
    FINE = "fine"
    ROUGH = "rough one"


def made(text: str) -> tuple[str, str]:
    return ("made", text)


class Given(NamedTuple):
    """A property of a description that was given: the flags that it stands for, and its value."""

    flags: frozenset[str]
    value: Any


class Parameter(NamedTuple):
    """A parameter of a program.

    Attributes:
        name: by which the program knows it.
        flags: its flags; none of an argument.
        add: hands it to the parser, or to the list of parameters, of the framework.
        features: what it is an example of.
        absent: what the program is called with where it is not given.
        reads: what the program is called with, of the properties that are given for it, in their order.
    """

    name: str
    flags: tuple[str, ...]
    add: Callable[[Any], object]
    features: frozenset[str]
    absent: Any
    reads: Callable[[list[Given]], Any]


class Command(NamedTuple):
    """A command with its parameters, the groups of those that exclude each other, and the commands below it."""

    name: str
    parameters: list[Parameter]
    children: list[Command]
    settings: dict[str, Any]
    groups: Sequence[tuple[bool, list[Parameter]]] = ()


class Program(NamedTuple):
    """A program: the framework's own object, what it is made of, and how it is called.

    Attributes:
        parse: the words behind its name -> the path of the command that would run, and its parameters by name.
    """

    subject: Any
    root: Command
    features: frozenset[str]
    parse: Callable[[list[str]], tuple[tuple[str, ...], dict[str, Any]]]


# -- values that arrive -------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A value with tuples as lists, to compare what frameworks make of several words."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def last(convert: Callable[[Any], Any] = lambda value: value) -> Callable[[list[Given]], Any]:
    return lambda given: convert(given[-1].value)


def each(convert: Callable[[Any], Any] = lambda value: value) -> Callable[[list[Given]], Any]:
    return lambda given: [convert(value) for value in given[-1].value]


def switch(on: dict[str, Any], absent: Any) -> Callable[[list[Given]], Any]:
    """What flags set, each a value of its own; a property that is false stands for the flag that is not its first."""

    def read(given: list[Given]) -> Any:
        result = absent
        for flags, value in given:
            values = {json.dumps(on[flag], default=str): on[flag] for flag in flags}
            if len(values) > 1:  # a flag and its opposite in one property
                result = value
            elif value:
                (result,) = values.values()
            elif [absent] == list(values.values()) and _has_opposite(on, absent):  # what holds anyway is said not to
                result = not absent
        return result

    return read


def _has_opposite(on: dict[str, Any], absent: Any) -> bool:
    return isinstance(absent, bool) and any(flag[0] == "-" and value is not absent for flag, value in on.items())


# -- argparse -----------------------------------------------------------------------------------------------------


class Draw:
    """A source of random choices, with names and flags that no other parameter of the program has."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.used: set[str] = set()
        self.letters = list("abcdefgijklmnopqrstuwxyzABCDEFGIJKLMNOPQRSTUWXYZ")
        self.random.shuffle(self.letters)
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return self.random.choice(("name", "level", "wood", "from", "no_ice", "x", "path", "mode")) + str(self.count)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def flags(self, prefix: str = "-") -> tuple[str, ...]:
        """A long flag, a short one, or both."""
        name = self.name().replace("_", "-")
        kind = self.random.choice(("long", "long", "both", "short")) if self.letters else "long"
        flags: list[str] = []
        if kind != "long":
            flags.append(prefix + self.letters.pop())
        if kind != "short":
            flags.append(prefix * 2 + name)
        return tuple(flags)


def dest(flags: tuple[str, ...]) -> str:
    return "d_" + max(flags, key=len).strip("-+/").replace("-", "_")


def argparse_option(draw: Draw, prefix: str = "-", plain_only: bool = False) -> Parameter:
    """An option of argparse."""
    kinds: list[Callable[..., tuple[dict[str, Any], set[str], Any, Callable[[list[Given]], Any]]]] = [
        *([_valued] * 6), *([_switched] * 3), *([_several] * (0 if plain_only else 4)),
    ]  # fmt: skip
    flags: tuple[str, ...] = draw.flags(prefix)
    settings, features, absent, reads = draw.random.choice(kinds)(draw, flags)
    if plain_only and "type" in settings:  # argparse overlooks a member of a group that is given its own default
        settings = {key: value for key, value in settings.items() if key != "default"}
        absent = None
    if settings.get("action") is argparse.BooleanOptionalAction:
        long = f"--{draw.name()}".replace("no_", "on-")
        flags = (long,)  # argparse takes `--no-x` for false, whatever it opposes
        negative = {f"--no-{flag[2:]}": False for flag in flags}
        reads = switch({**dict.fromkeys(flags, True), **negative}, absent)
    elif "switch" in features:
        reads = switch(dict.fromkeys(flags, reads), absent)
    if "action" not in settings and "default" not in settings and not plain_only and prefix == "-" and draw.chance(0.1):
        settings["required"] = True
    name = dest(flags)
    if prefix != "-":
        features.add("prefixes")
    return Parameter(
        name,
        flags,
        lambda parser: parser.add_argument(*flags, dest=name, **settings),
        frozenset(features),
        absent,
        reads,
    )


def _valued(draw: Draw, flags: tuple[str, ...]) -> Any:
    rows: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({}, set(), None, last()),
        ({"default": "d"}, set(), "d", last()),
        ({"type": int}, {"types"}, None, last()),
        ({"type": float, "default": 0.5}, {"types"}, 0.5, last(float)),
        ({"type": bool}, {"types"}, None, last(bool)),
        ({"type": int, "default": "5"}, {"types"}, 5, last()),
        ({"type": made}, {"types"}, None, last(made)),
        ({"type": made, "default": 50}, {"types"}, 50, last(made)),
        ({"choices": ["a", "b c"]}, {"choices"}, None, last()),
        ({"choices": [4, 9], "type": int}, {"choices", "types"}, None, last()),
        ({"choices": range(1, 4), "type": int, "default": 2}, {"choices", "types"}, 2, last()),
        ({"choices": ["A", "B"], "type": str.upper}, {"choices", "types"}, None, last(str.upper)),
        ({"choices": [0.5, 1.5], "type": float}, {"choices", "types"}, None, last(float)),
        ({"choices": list(Wood), "type": Wood}, {"choices", "types"}, None, last(Wood)),
        (
            {"choices": [made(text) for text in (*TEXTS, *HOSTILE)], "type": made},
            {"choices", "types"},
            None,
            last(made),
        ),
        ({"default": os.environ.get(VARIABLE)}, {"environment variables"}, os.environ.get(VARIABLE), last()),
        ({"nargs": "?", "const": "c", "default": "d"}, {"nargs"}, "d", last()),
    ]
    return draw.random.choice(rows)


def _switched(draw: Draw, flags: tuple[str, ...]) -> Any:
    rows: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({"action": "store_true"}, {"switch"}, False, True),
        ({"action": "store_false"}, {"switch"}, True, False),
        ({"action": "store_true", "default": True}, {"switch"}, True, True),
        ({"action": "store_const", "const": "c", "default": "y"}, {"switch"}, "y", "c"),
        ({"action": "count", "default": 0}, {"switch", "counts"}, 0, 1),
        ({"action": "count"}, {"switch", "counts"}, None, 1),
        ({"action": "append_const", "const": 3}, {"switch", "counts"}, None, [3]),
        ({"action": argparse.BooleanOptionalAction}, {"pairs of flags"}, None, None),
        ({"action": argparse.BooleanOptionalAction, "default": True}, {"pairs of flags"}, True, None),
    ]
    settings, features, absent, on = draw.random.choice(rows)
    return dict(settings), set(features), absent, on


def _several(draw: Draw, flags: tuple[str, ...]) -> Any:
    rows: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({"nargs": "+"}, {"nargs"}, None, each()),
        ({"nargs": "*", "type": int}, {"nargs", "types"}, None, each()),
        ({"nargs": "+", "choices": ["a", "b c"]}, {"nargs", "choices"}, None, each()),
        ({"nargs": 2}, {"nargs", "pairs of values"}, None, each()),
        ({"nargs": 2, "type": int}, {"nargs", "pairs of values", "types"}, None, each()),
        ({"nargs": 1}, {"nargs"}, None, each()),
        ({"action": "append"}, {"counts"}, None, each()),
        ({"action": "append", "type": float}, {"counts", "types"}, None, each(float)),
        ({"action": "append", "nargs": 2}, {"nargs", "pairs of values"}, None, each(list)),
        ({"action": "append", "nargs": "+"}, {"nargs"}, None, each(list)),
        ({"action": "extend", "nargs": "+"}, {"nargs"}, None, each()),
        ({"nargs": argparse.REMAINDER}, {"nargs"}, None, each()),
    ]
    settings, features, absent, reads = draw.random.choice(rows)
    return dict(settings), set(features), absent, reads


def argparse_arguments(draw: Draw) -> list[Parameter]:
    """The positional arguments of a command: one of any number of words stands at the end, or anywhere."""
    parameters = argparse_fixed_arguments(draw, draw.random.randrange(3))
    tails: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({"nargs": "?"}, {"nargs"}, last(), None),
        ({"nargs": "?", "default": "d"}, {"nargs"}, last(), "d"),
        ({"nargs": "*"}, {"nargs"}, each(), []),
        ({"nargs": "+", "type": float}, {"nargs", "types"}, each(float), None),
        ({"nargs": argparse.REMAINDER}, {"nargs"}, each(), []),
    ]
    if draw.chance(0.7):
        settings, features, reads, absent = draw.random.choice(tails)
        parameters.append(_argument(draw, settings, features, reads, absent))
    if draw.chance(0.3):
        settings, features, reads, absent = draw.random.choice(tails[:-1])
        parameter = _argument(draw, settings, {*features, "any order of arguments"}, reads, absent)
        parameters.insert(draw.random.randrange(len(parameters) + 1), parameter)
    return parameters


def argparse_fixed_arguments(draw: Draw, number: int) -> list[Parameter]:
    """Positional arguments of as many words as each of them says."""
    rows: list[tuple[dict[str, Any], set[str], Any]] = [
        ({}, set(), last()),
        ({"type": int}, {"types"}, last()),
        ({"choices": ["a", "b c"]}, {"choices"}, last()),
        ({"type": made}, {"types"}, last(made)),
        ({"nargs": 2}, {"nargs", "pairs of values"}, each()),
    ]
    return [_argument(draw, *draw.random.choice(rows), absent=None) for _ in range(number)]


def of_group(parameter: Parameter) -> Parameter:
    return parameter._replace(features=parameter.features | {"arguments of groups"})


def _argument(
    draw: Draw, settings: dict[str, Any], features: set[str], reads: Callable[[list[Given]], Any], absent: Any
) -> Parameter:
    name = draw.name()
    return Parameter(name, (), lambda parser: parser.add_argument(name, **settings), frozenset(features), absent, reads)


def argparse_command(draw: Draw, name: str, depth: int) -> Command:
    settings: dict[str, Any] = {}
    if draw.chance(0.2):
        settings["fromfile_prefix_chars"] = draw.random.choice(("@", "@+"))
    has_prefixes = draw.chance(0.15)
    if has_prefixes:
        settings["prefix_chars"] = "-+"
    parameters = [argparse_option(draw) for _ in range(draw.random.randrange(4))]
    if has_prefixes:
        parameters.append(argparse_option(draw, "+"))
    groups: list[tuple[bool, list[Parameter]]] = []
    if draw.chance(0.25):
        members = [argparse_option(draw, plain_only=True) for _ in range(draw.random.randrange(2, 4))]
        groups.append((draw.chance(0.4), members))
    children: list[Command] = []
    if depth and draw.chance(0.5):
        children = [
            argparse_command(draw, f"cmd{depth}{index}", depth - 1) for index in range(draw.random.randrange(1, 3))
        ]
        settings["subparsers_required"] = draw.chance(0.7)
        settings["runs_alone"] = draw.chance(0.3)
        if draw.chance(0.4):
            arguments = argparse_fixed_arguments(draw, draw.random.randrange(1, 3))
            if draw.chance(0.3):
                arguments.append(_argument(draw, {"nargs": "?"}, {"nargs"}, last(), None))
            parameters += map(of_group, arguments)
    else:
        parameters += argparse_arguments(draw)
    return Command(name, parameters, children, settings, groups)


def below(draw: Draw, depth: int, make: Callable[[Draw, str, int], Command]) -> list[Command]:
    """One or two commands of a group."""
    return [make(draw, f"cmd{depth}{index}", depth - 1) for index in range(draw.random.randrange(1, 3))]


def build_argparse(command: Command, parser: argparse.ArgumentParser) -> None:
    for parameter in command.parameters:
        parameter.add(parser)
    for is_required, members in command.groups:
        group = parser.add_mutually_exclusive_group(required=is_required)
        for member in members:
            member.add(group)
    if command.children:
        if command.settings["runs_alone"]:
            parser.set_defaults(run=print)
        subparsers = parser.add_subparsers(dest=f"_{command.name}", required=command.settings["subparsers_required"])
        for child in command.children:
            build_argparse(child, subparsers.add_parser(child.name, **_parser_settings(child)))


def _parser_settings(command: Command) -> dict[str, Any]:
    return {key: value for key, value in command.settings.items() if key not in ("subparsers_required", "runs_alone")}


def argparse_program(draw: Draw) -> Program:
    root = argparse_command(draw, "prog", 2)
    parser = argparse.ArgumentParser("prog", **_parser_settings(root))
    build_argparse(root, parser)

    def parse(words: list[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
        namespace = vars(parser.parse_args(words))
        path: list[str] = []
        command = root
        while command.children and namespace.get(f"_{command.name}") is not None:
            command = next(child for child in command.children if child.name == namespace[f"_{command.name}"])
            path.append(command.name)
        return tuple(path), namespace

    return Program(parser, root, features_of(root) | ({"subparsers"} if root.children else set()), parse)


def features_of(command: Command) -> frozenset[str]:
    features: set[str] = set()
    if "fromfile_prefix_chars" in command.settings:
        features.add("fromfile_prefix_chars")
    if command.groups:
        features.add("exclusive groups")
    for parameter in parameters_of(command):
        features |= parameter.features
    for child in command.children:
        features |= features_of(child)
        if child.children:
            features.add("nested groups")
    return frozenset(features - {"switch"})


def parameters_of(command: Command) -> list[Parameter]:
    return [*command.parameters, *(member for _, members in command.groups for member in members)]


# -- click --------------------------------------------------------------------------------------------------------


def click_option(draw: Draw) -> Parameter:
    return draw.random.choice([_click_valued] * 5 + [_click_flags] * 3 + [_click_several] * 2)(draw)


def _click_valued(draw: Draw) -> Parameter:
    variable = draw.name().upper()
    rows: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({}, set(), None, last()),
        ({"default": "d"}, set(), "d", last()),
        ({"type": int}, {"types"}, None, last()),
        ({"type": click.IntRange(1, 9, max_open=True), "default": 3}, {"types"}, 3, last()),
        ({"type": click.FloatRange(0, 1, clamp=True)}, {"types"}, None, last(lambda value: min(max(value, 0.0), 1.0))),
        ({"type": bool}, {"types"}, None, last(lambda word: word == "true")),
        ({"type": made}, {"types"}, None, last(made)),
        ({"type": made, "default": 50}, {"types"}, ("made", 50), last(made)),
        ({"type": click.Choice(["a", "b c"])}, {"choices"}, None, last()),
        ({"type": click.Choice(["Low", "HIGH"], case_sensitive=False), "default": "Low"}, {"choices"}, "Low", last()),
        ({"type": click.Choice(Wood)}, {"choices"}, None, last(lambda name: Wood[name])),
        ({"type": click.Choice([4, 9])}, {"choices"}, None, last(int)),
        ({"envvar": variable}, {"environment variables"}, None, last()),
        ({"envvar": [variable, "other_" + variable]}, {"environment variables"}, None, last()),
        ({"default": os.environ.get(VARIABLE)}, {"environment variables"}, os.environ.get(VARIABLE), last()),
        ({"is_flag": False, "flag_value": "f", "default": "d"}, {"nargs"}, "d", last()),
        ({"prompt": True}, {"prompts"}, None, last()),
        ({"prompt": True, "default": "d"}, {"prompts"}, None, last()),
        ({"prompt": True, "hide_input": True}, {"prompts"}, None, last()),
        ({"prompt": True, "prompt_required": False}, {"prompts"}, None, last()),
        ({"prompt": "Which", "type": int}, {"prompts", "types"}, None, last()),
    ]
    settings, features, absent, reads = draw.random.choice(rows)
    if "default" not in settings and "prompt" not in settings and draw.chance(0.1):
        settings["required"] = True
    flags: tuple[str, ...]
    if draw.chance(0.1):
        prefix = draw.random.choice(("+", "/"))
        features = features | {"prefixes"}
        flags = (prefix + draw.name(),)
        if "prompt" in settings:  # which no call could answer, as no flag of a description names it
            absent = settings.get("default")
        settings = {key: value for key, value in settings.items() if key not in ("required", "prompt")}
    else:
        flags = draw.flags()
    return click_parameter(draw, flags, settings, features, absent, reads)


def click_parameter(
    draw: Draw, flags: tuple[str, ...], settings: dict[str, Any], features: set[str], absent: Any,
    reads: Callable[[list[Given]], Any], declaration: str | None = None,
) -> Parameter:  # fmt: skip
    name = "d_" + draw.name()
    words = flags if declaration is None else (declaration,)

    def add(parameters: list[click.Parameter]) -> None:
        parameters.append(click.Option([*words, name], **settings))

    return Parameter(name, flags, add, frozenset(features), absent, reads)


def _click_flags(draw: Draw) -> Parameter:
    one, other = draw.name().replace("_", "-"), draw.name().replace("_", "-")
    letter = draw.letters.pop() if draw.letters else "h"
    default = draw.random.choice((None, False, True))
    pairs: list[tuple[str, tuple[str, ...], tuple[str, ...], set[str]]] = [
        (f"--{one}/--no-{one}", (f"--{one}",), (f"--no-{one}",), set()),
        (f"--{one}/--{other}", (f"--{one}",), (f"--{other}",), set()),
        (f"-{letter}/-{letter.swapcase()}x", (f"-{letter}",), (f"-{letter.swapcase()}x",), set()),
        (f"+{letter}/-{letter}", (f"+{letter}",), (f"-{letter}",), {"prefixes"}),
        (f"/{one};/no-{one}", (f"/{one}",), (f"/no-{one}",), {"prefixes"}),
        (f" /--{one}", (), (f"--{one}",), set()),
    ]
    kind = draw.random.randrange(10)
    if kind < 6:
        declaration, positive, negative, features = draw.random.choice(pairs)
        on = {**dict.fromkeys(positive, True), **dict.fromkeys(negative, False)}
        settings: dict[str, Any] = {"default": default, "is_flag": True}
        return click_parameter(
            draw,
            positive + negative,
            settings,
            {"pairs of flags", *features},
            default,
            switch(on, default),
            declaration,
        )
    flags = draw.flags()
    if kind < 8:
        return click_parameter(draw, flags, {"count": True}, {"counts"}, 0, switch(dict.fromkeys(flags, 1), 0))
    if kind < 9:
        return click_parameter(draw, flags, {"flag_value": "f"}, set(), None, switch(dict.fromkeys(flags, "f"), None))
    return click_parameter(draw, flags, {"is_flag": True}, set(), False, switch(dict.fromkeys(flags, True), False))


def _click_several(draw: Draw) -> Parameter:
    rows: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({"multiple": True}, {"counts"}, [], each()),
        ({"multiple": True, "type": click.Choice(["a", "b c"])}, {"counts", "choices"}, [], each()),
        ({"nargs": 2}, {"nargs", "pairs of values"}, None, each()),
        ({"nargs": 2, "type": float}, {"nargs", "pairs of values", "types"}, None, each(float)),
        ({"type": (str, int)}, {"nargs", "pairs of values", "types"}, None, each()),
        ({"nargs": 2, "multiple": True, "type": (str, int)}, {"nargs", "pairs of values", "types"}, [], each(list)),
    ]
    settings, features, absent, reads = draw.random.choice(rows)
    return click_parameter(draw, draw.flags(), settings, features, absent, reads)


def click_fixed_arguments(draw: Draw, number: int) -> list[Parameter]:
    """Positional arguments of as many words as each of them says."""
    rows: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({}, set(), None, last()),
        ({"type": int}, {"types"}, None, last()),
        ({"nargs": 2}, {"nargs", "pairs of values"}, None, each()),
        ({"type": click.Choice(["a", "b c"])}, {"choices"}, None, last()),
        ({"type": (str, int)}, {"nargs", "pairs of values", "types"}, None, each()),
    ]
    return [_click_argument(draw.name(), *draw.random.choice(rows)) for _ in range(number)]


def click_arguments(draw: Draw) -> list[Parameter]:
    """The positional arguments of a command: one of any number of words stands at the end, or anywhere."""
    tails: list[tuple[dict[str, Any], set[str], Any, Any]] = [
        ({"required": False}, set(), None, last()),
        ({"default": "d"}, set(), "d", last()),
        ({"nargs": -1}, {"nargs"}, [], each()),
        ({"nargs": -1, "required": True, "type": int}, {"nargs", "types"}, [], each()),
    ]
    parameters = click_fixed_arguments(draw, draw.random.randrange(3))
    if draw.chance(0.6):
        parameters.append(_click_argument(draw.name(), *draw.random.choice(tails)))
    if draw.chance(0.3):
        has_many = any(parameter.absent == [] for parameter in parameters)  # click takes only one of them
        settings, features, absent, reads = draw.random.choice(tails[: 2 if has_many else 4])
        parameter = _click_argument(draw.name(), settings, {*features, "any order of arguments"}, absent, reads)
        parameters.insert(draw.random.randrange(len(parameters) + 1), parameter)
    return parameters


def _click_argument(name: str, settings: dict[str, Any], features: set[str], absent: Any, reads: Any) -> Parameter:
    def add(parameters: list[click.Parameter]) -> None:
        parameters.append(click.Argument([name], **settings))

    return Parameter(name, (), add, frozenset(features), absent, reads)


def click_command(draw: Draw, name: str, depth: int) -> Command:
    parameters = [click_option(draw) for _ in range(draw.random.randrange(5))]
    settings: dict[str, Any] = {}
    if depth and draw.chance(0.5):
        children = [
            click_command(draw, f"cmd{depth}{index}", depth - 1) for index in range(draw.random.randrange(1, 3))
        ]
        settings["invoke_without_command"] = draw.chance(0.3)
        if draw.chance(0.3):
            arguments = click_fixed_arguments(draw, draw.random.randrange(1, 3))
            if draw.chance(0.3):
                arguments.append(_click_argument(draw.name(), {"required": False}, set(), None, last()))
            parameters += map(of_group, arguments)
        return Command(name, parameters, children, settings)
    if draw.chance(0.15):
        settings["context_settings"] = {"allow_interspersed_args": False}
    parameters += click_arguments(draw)
    if draw.chance(0.2):
        settings["switches"] = (draw.name().replace("_", "-"), draw.name().replace("_", "-"))
        parameters.append(_feature_switches(draw, *settings["switches"]))
    return Command(name, parameters, [], settings, [(False, [])] if "switches" in settings else [])


def _feature_switches(draw: Draw, up: str, down: str) -> Parameter:
    """Two options that set one parameter: the one excludes the other."""
    name = "d_" + draw.name()

    def add(parameters: list[click.Parameter]) -> None:
        parameters.append(click.Option([f"--{up}", name], flag_value="up"))
        parameters.append(click.Option([f"--{down}", name], flag_value="down"))

    on = {f"--{up}": "up", f"--{down}": "down"}
    return Parameter(name, tuple(on), add, frozenset({"exclusive groups"}), None, switch(on, None))


class Recorder:
    """Callbacks that note which command ran last, and with which parameters."""

    def __init__(self) -> None:
        self.path: tuple[str, ...] = ()
        self.found: dict[str, Any] = {}

    def callback(self, path: tuple[str, ...]) -> Callable[..., None]:
        def record(**params: Any) -> None:
            self.path = path
            self.found.update(params)

        return record


def build_click(command: Command, path: tuple[str, ...], recorder: Recorder) -> click.Command:
    parameters: list[click.Parameter] = []
    for parameter in command.parameters:
        parameter.add(parameters)
    settings = {key: value for key, value in command.settings.items() if key != "switches"}
    if not command.children:
        return click.Command(command.name, params=parameters, callback=recorder.callback(path), **settings)
    children = [build_click(child, (*path, child.name), recorder) for child in command.children]
    return click.Group(command.name, commands=children, params=parameters, callback=recorder.callback(path), **settings)


def click_program(draw: Draw) -> Program:
    root = click_command(draw, "prog", 2)
    recorder = Recorder()
    subject = build_click(root, (), recorder)

    def parse(words: list[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
        recorder.path, recorder.found = (), {}
        subject.main(args=words, prog_name="prog", standalone_mode=False)
        return recorder.path, recorder.found

    return Program(subject, root, features_of(root), parse)


# -- typer --------------------------------------------------------------------------------------------------------


def typer_parameter(draw: Draw) -> Parameter:
    """An option of typer, as an annotation of a function."""
    name = "d_" + draw.name()
    flags = draw.flags()
    one, other = draw.name().replace("_", "-"), draw.name().replace("_", "-")
    option = typer.Option
    rows: list[tuple[Any, Any, set[str], Any, Any, tuple[str, ...]]] = [
        (Annotated[str, option(*flags)], "d", set(), "d", last(), flags),
        (Annotated[int, option(*flags, min=1, max=9)], 2, {"types"}, 2, last(), flags),
        (Annotated[float, option(*flags)], 0.5, {"types"}, 0.5, last(float), flags),
        (Annotated[Wood, option(*flags)], Wood.OAK, {"choices"}, Wood.OAK, last(Wood), flags),
        (Annotated[Grain, option(*flags)], Grain.FINE, {"choices"}, Grain.FINE, last(Grain), flags),
        (Annotated[Grain | None, option(*flags)], None, {"choices"}, None, last(Grain), flags),
        (Annotated[list[int], option(*flags)], [], {"counts", "types"}, [], each(), flags),
        (Annotated[list[Wood], option(*flags)], [], {"counts", "choices"}, [], each(Wood), flags),
        (Annotated[tuple[str, int], option(*flags)], ("d", 1), {"nargs", "pairs of values"}, ["d", 1], each(), flags),
        (Annotated[str, option(*flags, envvar=name.upper())], "d", {"environment variables"}, "d", last(), flags),
        (Annotated[str, option(*flags)], os.environ.get(VARIABLE), {"environment variables"}, SECRET, last(), flags),
        (Annotated[str, option(*flags, prompt=True)], ..., {"prompts"}, None, last(), flags),
        (Annotated[str, option(*flags, prompt=True, hide_input=True)], ..., {"prompts"}, None, last(), flags),
        (Annotated[str, option(*flags)], ..., set(), None, last(), flags),
        (Annotated[str, option(*flags, parser=made)], "d", {"types"}, made("d"), last(made), flags),
        (Annotated[int, option(*flags, count=True)], 0, {"counts"}, 0, switch(dict.fromkeys(flags, 1), 0), flags),
        *(
            (
                Annotated[bool, option(f"{positive}/{negative}")],
                default,
                {"pairs of flags", *features},
                default,
                switch({**({positive: True} if positive.strip() else {}), negative: False}, default),
                (*filter(str.strip, [positive]), negative),
            )
            for positive, negative, default, features in (
                (f"--{one}", f"--no-{one}", True, ()),
                (f"--{one}", f"--{other}", False, ()),
                (" ", f"--{one}", True, ()),
            )
        ),
        (Annotated[bool, option(f"--{one}")], False, set(), False, switch({f"--{one}": True}, False), (f"--{one}",)),
    ]
    annotation, default, features, absent, reads, own = draw.random.choice(rows)
    return _typer(name, own, annotation, default, features, absent, reads)


def _typer(
    name: str, flags: tuple[str, ...], annotation: Any, default: Any, features: set[str], absent: Any, reads: Any
) -> Parameter:
    def add(parameters: list[inspect.Parameter]) -> None:
        value = inspect.Parameter.empty if default is ... else default
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=annotation))

    return Parameter(name, flags, add, frozenset(features), absent, reads)


def typer_arguments(draw: Draw, with_tail: bool = True) -> list[Parameter]:
    rows: list[tuple[Any, Any, set[str], Any, Any]] = [
        (Annotated[str, typer.Argument()], ..., set(), None, last()),
        (Annotated[int, typer.Argument()], ..., {"types"}, None, last()),
        (Annotated[Grain, typer.Argument()], ..., {"choices"}, None, last(Grain)),
        (Annotated[tuple[str, int], typer.Argument()], ..., {"nargs", "pairs of values"}, None, each()),
    ]
    tails: list[tuple[Any, Any, set[str], Any, Any]] = [
        (Annotated[str, typer.Argument()], "d", set(), "d", last()),
        (Annotated[list[str], typer.Argument()], ..., {"nargs"}, None, each()),
        (Annotated[list[int] | None, typer.Argument()], None, {"nargs", "types"}, None, each()),
    ]
    chosen = [draw.random.choice(rows) for _ in range(draw.random.randrange(3))]
    if draw.chance(0.6 if with_tail else 0):
        chosen.append(draw.random.choice(tails))
    return [_typer(draw.name(), (), *row) for row in chosen]


def typer_command(draw: Draw, name: str, depth: int) -> Command:
    parameters = [typer_parameter(draw) for _ in range(draw.random.randrange(5))]
    if depth and draw.chance(0.5):
        children = [
            typer_command(draw, f"cmd{depth}{index}", depth - 1) for index in range(draw.random.randrange(1, 3))
        ]
        if draw.chance(0.3):
            parameters += map(of_group, typer_arguments(draw, with_tail=False))
        return Command(name, parameters, children, {})
    return Command(name, [*parameters, *typer_arguments(draw)], [], {})


def build_typer(command: Command, path: tuple[str, ...], recorder: Recorder) -> typer.Typer:
    app = typer.Typer()
    app.callback()(function_of(command if command.children else Command("", [], [], {}), path, recorder))
    for child in command.children or [command]:
        below = (*path, child.name) if command.children else path
        if child.children:
            app.add_typer(build_typer(child, below, recorder), name=child.name)
        else:
            app.command(child.name)(function_of(child, below, recorder))
    return app


def function_of(command: Command, path: tuple[str, ...], recorder: Recorder) -> Callable[..., None]:
    function = recorder.callback(path)
    parameters: list[inspect.Parameter] = []
    for parameter in command.parameters:
        parameter.add(parameters)
    vars(function)["__signature__"] = inspect.Signature(parameters)  # which typer reads
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function


def typer_program(draw: Draw) -> Program:
    root = typer_command(draw, "prog", 2)
    recorder = Recorder()
    if root.children:
        subject = build_typer(root, (), recorder)
    else:
        subject = typer.Typer()
        subject.command("prog")(function_of(root, (), recorder))

    def parse(words: list[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
        recorder.path, recorder.found = (), {}
        subject(args=words, prog_name="prog", standalone_mode=False)
        return recorder.path, recorder.found

    return Program(subject, root, features_of(root), parse)


MAKERS = (argparse_program, click_program, typer_program)


def program_of(seed: int) -> Program:
    """The program of a seed: the frameworks take turns."""
    draw = Draw(f"program {seed}")
    with mock.patch.dict(os.environ, {VARIABLE: SECRET}):
        return MAKERS[seed % 3](draw)


# -- calls --------------------------------------------------------------------------------------------------------


def draw_value(schema: dict[str, Any], draw: random.Random) -> Any:
    """A value that a description asks for; texts are hostile now and then."""
    if "enum" in schema:
        return draw.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "boolean":
        return draw.random() < 0.7
    if kind == "integer":
        low, high = schema.get("minimum", -20), schema.get("maximum", schema.get("exclusiveMaximum", 21) - 1)
        return draw.randint(low, max(low, high))
    if kind == "number":
        return draw.choice((0.25, -1.5, 3, 1e-7, 2.0))
    if kind == "array":
        if "prefixItems" in schema:
            return [draw_value(item, draw) for item in schema["prefixItems"]]
        least = schema.get("minItems", 0)
        most = schema.get("maxItems", least + 2)
        return [draw_value(schema.get("items", {"type": "string"}), draw) for _ in range(draw.randint(least, most))]
    return draw.choice(HOSTILE if draw.random() < 0.1 else TEXTS)


def groups_of(leaf: Leaf) -> Iterator[list[str]]:
    """The names of parameters of which one has to be given."""
    for node in (*leaf.ancestors, leaf.tool):
        yield from (node.syntax or {}).get("one_of", ())


def draw_arguments(leaf: Leaf, draw: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of a call, and the options that the host gives."""
    tool = leaf.tool
    arguments: dict[str, Any] = {}
    rivals: set[str] = set()
    for inputs, bindings in ((tool.inputs, tool.bindings), (tool.global_inputs, tool.global_bindings)):
        if inputs is None:
            continue
        keys = list(inputs["properties"])
        required = set(inputs.get("required", ()))
        for names in groups_of(leaf):
            chosen = draw.choice(names)
            required |= {key for key in keys if ((bindings or {})[key].name or key) == chosen}
        for key in sorted(keys, key=lambda key: key not in required):
            binding = (bindings or {})[key]
            name = binding.name or key
            if key not in required and (draw.random() < 0.5 or (name in rivals and draw.random() < 0.99)):
                continue
            value = draw_value(inputs["properties"][key], draw)
            if key in required and value is False:
                value = True
            arguments[key] = value
            if value is not False:
                rivals.update(binding.excludes or ())
    own = set((tool.inputs or {}).get("properties", ()))
    given = {key: value for key, value in arguments.items() if key in own}
    return given, {key: value for key, value in arguments.items() if key not in own}


def command_at(root: Command, path: tuple[str, ...]) -> list[Command]:
    """The commands of a path, from the program down."""
    commands = [root]
    for word in path:
        commands.append(next(child for child in commands[-1].children if child.name == word))
    return commands


def expected(program: Program, leaf: Leaf, arguments: dict[str, Any]) -> dict[str, Any]:
    """What the program has to be called with."""
    given: dict[str, list[Given]] = {}
    commands = command_at(program.root, tuple(word for word in leaf.path[1:] if word))
    parameters = [parameter for command in commands for parameter in parameters_of(command)]
    bindings = {**(leaf.tool.global_bindings or {}), **(leaf.tool.bindings or {})}
    for key, value in arguments.items():
        if value == [] or value is None:
            continue
        binding = bindings[key]
        flags = {flag.removesuffix("=") for flag in binding.flags or ()}
        for parameter in parameters:
            is_meant = flags & set(parameter.flags) if flags else parameter.name == (binding.name or key)
            has_negation = any(f"--no-{flag[2:]}" in flags for flag in parameter.flags)
            if is_meant or (flags and has_negation):
                given.setdefault(parameter.name, []).append(Given(frozenset(flags), value))
                break
        else:
            raise AssertionError(f"{key} is none of {[parameter.flags for parameter in parameters]}")
    return {
        parameter.name: parameter.reads(given[parameter.name]) if parameter.name in given else parameter.absent
        for parameter in parameters
    }


class Outcome(NamedTuple):
    """What became of a call: "arrived", "refused" with the reason, or "misread" with what can be seen of it.

    "impossible" is refused for the order of its positional arguments, by which its program misreads it indeed; where
    it does not, the refusal is a misreading too.
    """

    kind: str
    reason: str = ""


def described(program: Program) -> tuple[str, Tool]:
    """The description of a program as a document, and as it is read."""
    with mock.patch.dict(os.environ, {VARIABLE: SECRET}), contextlib.redirect_stderr(io.StringIO()):
        text = agent.document(program.subject, name="prog")
    assert SECRET not in text, text
    return text, toolglot.read_one(text)


def try_call(program: Program, leaf: Leaf, draw: random.Random) -> Outcome:
    arguments, host = draw_arguments(leaf, draw)
    verdict = Validator({"tool": leaf}).validate("tool", arguments)
    if verdict.violations:
        message = re.sub("`[^`]*`", "...", verdict.violations[0].message)
        return Outcome("refused", f"validator: {message}")
    try:
        fault = fault_of_call(program, leaf, argv(leaf, arguments, host=host), {**arguments, **host})
        return Outcome("misread", fault) if fault else Outcome("arrived")
    except ArgumentError as error:
        if error.code not in ABOUT_ORDER:
            return Outcome("refused", error.code)
    with (
        mock.patch("toolglot.runtime.bridge.command_line.written_positionals._check_places"),
        mock.patch("toolglot.runtime.bridge.command_line.argv.further_commands", return_value=()),
    ):
        try:
            words = argv(leaf, arguments, host=host)
        except ArgumentError as error:  # for another reason than the order
            return Outcome("refused", error.code)
    if fault_of_call(program, leaf, words, {**arguments, **host}):
        return Outcome("impossible")
    return Outcome("misread", f"{json.dumps(arguments)} {words}: refused, and the program takes it")


def fault_of_call(program: Program, leaf: Leaf, words: list[str], arguments: dict[str, Any]) -> str | None:
    """What of a call does not arrive as it was asked; `None` where all of it does."""
    asked = f"{json.dumps(arguments)} {words}"
    silence = io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(silence),
            contextlib.redirect_stderr(silence),
            mock.patch("sys.stdin", io.StringIO()),
        ):
            path, found = program.parse(words[1:])
    except BaseException as error:
        message = f"{type(error).__name__} {error} {silence.getvalue().strip()[-200:]}"
        return f"{asked}: {message}"
    wanted = expected(program, leaf, arguments)
    if path != tuple(word for word in leaf.path[1:] if word):
        return f"{asked}: the command {path} ran"
    for name, value in wanted.items():
        if plain(found.get(name)) != plain(value) or isinstance(found.get(name), bool) != isinstance(value, bool):
            return f"{asked}: {name} is {found.get(name)!r} and not {value!r}"
    return None


def outcomes(count: int, start: int = 0) -> Iterator[tuple[Program | None, Outcome]]:
    """Programs, each with the outcomes of its calls, until there are that many calls."""
    seed = start
    while count > 0:
        program = program_of(seed)
        _, tool = described(program)
        leaves = list(leaves_of(tool))
        draw = random.Random(f"calls {seed}")
        for index in range(min(CALLS_EACH, count)):
            outcome = try_call(program, draw.choice(leaves), draw)
            yield (program if index == 0 else None), Outcome(outcome.kind, f"{outcome.reason} (program {seed})")
        count -= CALLS_EACH
        seed += 1


def main(count: int) -> int:
    kinds: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    features: Counter[str] = Counter()
    programs = 0
    for program, outcome in outcomes(count):
        if program is not None:
            programs += 1
            features.update(program.features)
        kinds[outcome.kind] += 1
        if outcome.kind == "misread":
            print(outcome.reason)
        elif outcome.kind == "refused":
            reasons[outcome.reason.rpartition(" (")[0]] += 1
    print(f"{count:,} calls of {programs:,} programs: {dict(kinds)}")
    for reason, number in reasons.most_common():
        print(f"  refused {number:5}  {reason}")
    for feature in FEATURES:
        print(f"  {features[feature] / programs:6.1%}  {feature}")
    rare = [feature for feature in FEATURES if features[feature] < LEAST_SHARE * programs]
    are_many = kinds["refused"] > MOST_REFUSED * count or kinds["impossible"] > MOST_IMPOSSIBLE * count
    failed = bool(kinds["misread"] or rare or are_many)
    print("failed" if failed else "passed")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
