"""The one line that gives a program its `--agent`, for each framework.

The program's parser gets a class that looks at the words before the framework parses them. A usual option of the
framework would not do: callbacks of the options before it would run first, files would be opened, and prompts shown.
The framework is never imported here: whoever calls this has imported it.
"""

from __future__ import annotations

import sys

from toolglot.errors import UsageError, wrong_type
from toolglot.runtime.agent.decorators import state_about, statements_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeVar, Unpack

    from toolglot.runtime.agent.decorator_types import About

    Program = TypeVar("Program")

FLAG = "--agent"
HELP = "Print a description of this program for agents."


def click(program: Program, **about: Unpack[About]) -> Program:
    """Give a click program its `--agent`.

    Args:
        program: the command or group that the program starts with; the function can also be used as its decorator.
        about: facts about the whole program that its parser does not have.

    Raises:
        UsageError: the program has an option `--agent` of its own, or is no command of click.

    Returns:
        The same program.
    """
    _require(program, "make_context", "a command of click")
    command: Any = program
    _refuse_clash((flag for param in command.params for flag in param.opts), program)
    state_about(program, about)
    program.__class__ = _command_class(type(program))
    return program


def typer(program: Program, **about: Unpack[About]) -> Program:
    """Give a typer program its `--agent`; before or after its commands are added.

    Args:
        program: the `typer.Typer` that the program starts with.
        about: facts about the whole program that its parser does not have.

    Raises:
        UsageError: the program is no `typer.Typer`. One with an option `--agent` of its own is refused when it starts.

    Returns:
        The same program.
    """
    _require(program, "registered_commands", "a typer.Typer")
    state_about(program, about)
    program.__class__ = _typer_class(type(program))
    typer_program: Any = program
    typer_program.describe_commands()
    return program


def argparse(program: Program, **about: Unpack[About]) -> Program:
    """Give an argparse program its `--agent`.

    Args:
        program: the parser that the program starts with, or a function that makes the parser (use this as decorator).
        about: facts about the whole program that its parser does not have.

    Raises:
        UsageError: the program has an option `--agent` of its own, or is no parser of argparse.

    Returns:
        The same parser, or a function that makes it.
    """
    if not hasattr(program, "parse_known_args") and callable(program):
        from functools import wraps  # most programs give their parser, and need not import this

        make_parser: Any = program

        @wraps(make_parser)
        def make_described_parser(*args: Any, **kwargs: Any) -> Any:
            return argparse(make_parser(*args, **kwargs), **about)

        described_factory: Any = make_described_parser
        program = described_factory
    else:
        _require(program, "parse_known_args", "a parser of argparse")
        parser: Any = program
        _refuse_clash(parser._option_string_actions, program)
        state_about(program, about)
        program.__class__ = _parser_class(type(program))
    return program


def _require(program: object, method: str, kind: str) -> None:
    if not hasattr(program, method):
        raise wrong_type(kind, program, "bad-program")


def _refuse_clash(flags: Iterable[str], program: object) -> None:
    """Refuse a program that has an option `--agent` of its own.

    Raises:
        UsageError: the program has one.
    """
    if FLAG in flags:
        name = getattr(program, "name", None) or getattr(program, "prog", None) or "the program"
        message = f"{name} has an option {FLAG} of its own, which agents would take for the description; rename it"
        raise UsageError(message, code="flag-taken")


# -- click and typer ----------------------------------------------------------------------------------------

# Attribute of the class of a command: the program that the command starts; `True` where the command is the program.
PROGRAM = "_toolglot_program"


def _command_class(base: Any, program: object = True) -> Any:
    """The class for the first command of a click or typer program; it looks at the words before it parses them.

    It derives from the class that the command has, so that `command.__class__` can be set to it.
    """
    if hasattr(base, PROGRAM):
        return base

    class DescribedCommand(base):
        def parse_args(self, ctx: Any, args: list[str]) -> Any:
            is_first = ctx.meta.setdefault(PROGRAM, args) is args  # for an unknown command click parses once more
            if FLAG in args and is_first and ctx.parent is None and not ctx.resilient_parsing:
                from toolglot.runtime.agent.answers import answer_command  # only this run needs the import

                answer_command(self, ctx, args)
            return super().parse_args(ctx, args)

        def get_params(self, ctx: Any) -> Any:
            params = super().get_params(ctx)
            if ctx.parent is not None:
                return params
            return _with_listed_option(params, self, ctx)

    return _described_class(DescribedCommand, base, program)


def _described_class(cls: type, base: type, program: object = True) -> type:
    """The class with the name and docstring of its base, so that nobody sees a difference."""
    setattr(cls, PROGRAM, program)
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(cls, name, getattr(base, name))
    return cls


def _with_listed_option(params: list[Any], command: Any, ctx: Any) -> list[Any]:
    """The parameters and `--agent`, for `--help` to list; it is a copy of the framework's own option for help.

    The option is never added to a parser: `find_request` says which word is the flag, not the framework.
    """
    _refuse_clash((flag for param in params for flag in param.opts), command)
    help_option = command.get_help_option(ctx)
    if help_option is None:
        return params
    from copy import copy  # only a run with --help needs it

    option = copy(help_option)
    option.name, option.opts, option.help, option.callback = "agent", [FLAG], HELP, None
    option.allow_from_autoenv = False
    option.add_to_parser = lambda parser, ctx: None
    return [*(param for param in params if param is not help_option), option, help_option]


def _typer_class(base: Any) -> Any:
    """The class of a `typer.Typer` that makes all its commands look at the words; only the first one answers."""
    if hasattr(base, PROGRAM):
        return base
    from typer.core import TyperCommand, TyperGroup  # a program of typer has imported it already

    class DescribedTyper(base):
        def describe_commands(self) -> None:
            """Give the commands that were added before their class."""
            self.info.cls = self._describing_class(self.info.cls, TyperGroup)
            callback = self.registered_callback
            if callback is not None and _chosen_class(callback.cls):
                callback.cls = self._describing_class(callback.cls, TyperGroup)
            for info in self.registered_commands:
                info.cls = self._describing_class(info.cls, TyperCommand)

        def command(self, name: str | None = None, *, cls: Any = None, **settings: Any) -> Any:
            return super().command(name, cls=self._describing_class(cls, TyperCommand), **settings)

        def callback(self, **settings: Any) -> Any:
            if _chosen_class(settings.get("cls")):
                settings["cls"] = self._describing_class(settings["cls"], TyperGroup)
            return super().callback(**settings)

        def _describing_class(self, cls: Any, usual: type) -> Any:
            return _command_class(_chosen_class(cls) or usual, program=self)

    return _described_class(DescribedTyper, base)


def _chosen_class(cls: Any) -> Any:
    """The class that somebody chose; typer wraps its own default of `None` in a marker."""
    return cls if isinstance(cls, type) else getattr(cls, "value", None)


# -- argparse -----------------------------------------------------------------------------------------------


def _parser_class(base: Any) -> Any:
    """The class of the parser that a program starts with; it looks at the words before it parses them."""
    if hasattr(base, PROGRAM):
        return base

    class DescribedParser(base):
        def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
            _answer_parser(self, args)
            return super().parse_known_args(args, namespace)

        def parse_known_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
            _answer_parser(self, args)  # not every version of Python calls `parse_known_args` from here
            return super().parse_known_intermixed_args(args, namespace)

        def _get_option_tuples(self, option_string: str) -> Any:
            """The options that a word may abbreviate; `--agent` abbreviates none, wherever it stands."""
            if option_string.partition("=")[0] == FLAG and _is_first(self):
                return []
            return super()._get_option_tuples(option_string)

        def format_help(self) -> Any:
            text = super().format_help()
            if not _is_first(self):
                return text
            return f"{text}\nfor agents:\n  {FLAG}  {HELP}\n"

    return _described_class(DescribedParser, base)


def _is_first(parser: object) -> bool:
    """Whether a program starts with this parser: argparse gives the parsers of its commands the same class."""
    return "about" in statements_of(parser)


def _answer_parser(parser: Any, args: Sequence[str] | None) -> None:
    words = sys.argv[1:] if args is None else args
    if FLAG in words and _is_first(parser):
        _refuse_clash(parser._option_string_actions, parser)
        from toolglot.runtime.agent.answers import answer_parser  # only this run needs the import

        answer_parser(parser, list(words))
