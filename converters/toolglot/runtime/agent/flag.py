"""The one line that gives a program its `--agent`, for each framework.

The class of the program's parser is replaced by one that looks at the words before the framework parses them: an option
of the framework would be processed only after the callbacks of those before it. So nothing runs, no file is opened and
no prompt is shown. The framework is never imported here: who calls this has imported it.
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
        program: the command or group that the program starts with; the line can also stand as a decorator above it.
        about: what the program's parser does not say of the whole.

    Raises:
        UsageError: the program has an option `--agent` of its own, or is none of click's.

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
        about: what the program's parser does not say of the whole.

    Raises:
        UsageError: the program is none of typer's. One that has an option `--agent` of its own says so when it starts.

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
        program: the parser that the program starts with, or a function that makes it, above which the line can stand
            as a decorator.
        about: what the program's parser does not say of the whole.

    Raises:
        UsageError: the program has an option `--agent` of its own, or is none of argparse's.

    Returns:
        The same parser, or a function that makes it.
    """
    if not hasattr(program, "parse_known_args") and callable(program):
        from functools import wraps  # what a program that uses this need not import

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
    """Refuse a program whose own option has the flag.

    Raises:
        UsageError: it has one.
    """
    if FLAG in flags:
        name = getattr(program, "name", None) or getattr(program, "prog", None) or "the program"
        message = f"{name} has an option {FLAG} of its own, which agents would take for the description; rename it"
        raise UsageError(message, code="flag-taken")


# -- click and typer ----------------------------------------------------------------------------------------

PROGRAM = "_toolglot_program"  # of the class of a command: the program that it starts; `True` where that is the command


def _command_class(base: Any, program: object = True) -> Any:
    """The class of what a click or typer program starts with; it looks at the words before it parses them.

    Made of the one that the command has, so that the command can change to it.
    """
    if hasattr(base, PROGRAM):
        return base

    class DescribedCommand(base):
        def parse_args(self, ctx: Any, args: list[str]) -> Any:
            is_first = ctx.meta.setdefault(PROGRAM, args) is args  # click parses an unknown command once more
            if FLAG in args and is_first and ctx.parent is None and not ctx.resilient_parsing:
                from toolglot.runtime.agent.answers import answer_command  # what every other run does without

                answer_command(self, ctx, args)
            return super().parse_args(ctx, args)

        def get_params(self, ctx: Any) -> Any:
            params = super().get_params(ctx)
            if ctx.parent is not None:
                return params
            return _with_listed_option(params, self, ctx)

    return _described_class(DescribedCommand, base, program)


def _described_class(cls: type, base: type, program: object = True) -> type:
    """The class, called like the one that it is made of, so that nobody sees a difference."""
    setattr(cls, PROGRAM, program)
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(cls, name, getattr(base, name))
    return cls


def _with_listed_option(params: list[Any], command: Any, ctx: Any) -> list[Any]:
    """The parameters with the flag as `--help` lists it: a copy of the framework's own option for help.

    No parser knows it: which of the words of a line are the flag is not for the framework to say.
    """
    _refuse_clash((flag for param in params for flag in param.opts), command)
    help_option = command.get_help_option(ctx)
    if help_option is None:
        return params
    from copy import copy  # what a run without --help does without

    option = copy(help_option)
    option.name, option.opts, option.help, option.callback = "agent", [FLAG], HELP, None
    option.allow_from_autoenv = False
    option.add_to_parser = lambda parser, ctx: None
    return [*(param for param in params if param is not help_option), option, help_option]


def _typer_class(base: Any) -> Any:
    """The class of a `typer.Typer` whose commands look at the words; all but the first leave them alone."""
    if hasattr(base, PROGRAM):
        return base
    from typer.core import TyperCommand, TyperGroup  # of a program of typer, which has imported it

    class DescribedTyper(base):
        def describe_commands(self) -> None:
            """Change what was added before."""
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
    """The class that somebody chose; typer has a value of its own for none."""
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
            _answer_parser(self, args)  # not every version of Python goes through the other one
            return super().parse_known_intermixed_args(args, namespace)

        def _get_option_tuples(self, option_string: str) -> Any:
            """The options that a word abbreviates; the flag stands for no other one, wherever it stands."""
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
    """Whether a program starts with a parser: argparse gives the parsers of its commands the same class."""
    return "about" in statements_of(parser)


def _answer_parser(parser: Any, args: Sequence[str] | None) -> None:
    words = sys.argv[1:] if args is None else args
    if FLAG in words and _is_first(parser):
        _refuse_clash(parser._option_string_actions, parser)
        from toolglot.runtime.agent.answers import answer_parser  # what every other run does without

        answer_parser(parser, list(words))
