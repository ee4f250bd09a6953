"""The parsers of argparse as tools.

What a parser has is known to it alone: argparse has no public names for its actions, so the private ones are read. No
`type` is called, and no default is made.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from toolglot.agent.decorators import statements_of
from toolglot.agent.parsed_commands import ParsedCommand, as_program
from toolglot.agent.parsed_parameters import (
    FILE,
    SWITCH,
    TEXT,
    first_paragraph,
    join_sentences,
    named_parameter,
    schema_of_choices,
    schema_of_type,
    schema_of_words,
)
from toolglot.agent.requests import MANY, Grammar, Values
from toolglot.formats.kit.parameters import NamedParameter
from toolglot.hub.model import JsonSchema, Tool

_ANSWERS = (argparse._HelpAction, argparse._VersionAction)
_MANY = (argparse.ONE_OR_MORE, argparse.ZERO_OR_MORE)
_REST = (argparse.REMAINDER, argparse.PARSER)


def read_program(parser: argparse.ArgumentParser) -> Tool:
    """The program that starts with a parser."""
    statements = _statements(parser)
    about = {**_version(parser), **statements.get("about", {})}
    return as_program(_read_parser(parser.prog, parser.description, parser, statements), about)


def grammar_of(parser: argparse.ArgumentParser) -> Grammar:
    """How a parser reads its own options."""
    options: dict[str, Values] = {}
    interspersed = True
    for action in parser._actions:
        for flag in action.option_strings:
            options[flag] = _values_of_action(action)
        if not action.option_strings and action.nargs in _REST:
            interspersed = False
    return Grammar(options, interspersed, parser.allow_abbrev)


_VALUES = {
    None: Values(1),
    argparse.OPTIONAL: Values(more=1),
    argparse.ZERO_OR_MORE: Values(more=MANY),
    argparse.ONE_OR_MORE: Values(1, MANY),
    argparse.REMAINDER: Values(MANY),
}


def _values_of_action(action: argparse.Action) -> Values:
    if isinstance(action.nargs, int):
        return Values(action.nargs)
    return _VALUES.get(action.nargs, Values(MANY))


# -- parsers ------------------------------------------------------------------------------------------------


def _statements(parser: argparse.ArgumentParser) -> Mapping[str, Any]:
    """What is stated about a parser, and about the function that `set_defaults` names to carry it out."""
    statements: dict[str, Any] = {}
    for default in _functions(parser):
        statements |= statements_of(default)
    return {**statements, **statements_of(parser)}


def _functions(parser: argparse.ArgumentParser) -> list[Any]:
    return [default for default in parser._defaults.values() if callable(default)]


def _version(parser: argparse.ArgumentParser) -> dict[str, str]:
    """The version that `--version` prints, where it is one word behind the name of the program."""
    for action in parser._actions:
        if isinstance(action, argparse._VersionAction):
            text = (action.version or "").replace("%(prog)s", parser.prog)
            words = text.removeprefix(parser.prog).strip(" ,:").removeprefix("version ").split()
            if len(words) == 1:
                return {"version": words[0]}
    return {}


def _read_parser(
    name: str, description: str | None, parser: argparse.ArgumentParser, statements: Mapping[str, Any], **marks: bool
) -> Tool:
    required = [list(map(_name, _members(group))) for group in parser._mutually_exclusive_groups if group.required]
    sentences = [f"One of {', '.join(names)} has to be given" for names in required[1:]]
    if description and "%(prog)" in description:
        description = _expand(description, {"prog": parser.prog})
    alternatives = required[0] if required else []
    parameters: list[NamedParameter] = []
    for action in parser._actions:
        if _is_parameter(action):
            parameters.append(_read_action(action, parser, _rivals(action, parser)))
    return ParsedCommand(
        name=name,
        description=join_sentences(first_paragraph(description), *sentences),
        parameters=parameters,
        children=tuple(_read_commands(parser)),
        statements=statements,
        runs_alone=bool(_functions(parser)),
        alternatives=alternatives,
        **marks,
    ).as_tool()


def _members(group: argparse._MutuallyExclusiveGroup) -> list[argparse.Action]:
    """The parameters of which only one may be given."""
    return [action for action in group._group_actions if _is_parameter(action)]


def _rivals(action: argparse.Action, parser: argparse.ArgumentParser) -> list[str]:
    """The parameters that may not be given together with a parameter."""
    rivals: list[str] = []
    for group in parser._mutually_exclusive_groups:
        members = _members(group)
        if action in members:
            rivals += [_name(member) for member in members if member is not action]
    return rivals


def _read_commands(parser: argparse.ArgumentParser) -> Iterator[Tool]:
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        helps = {choice.dest: choice.help for choice in action._choices_actions}
        deprecated = getattr(action, "_deprecated", ())  # since Python 3.13
        parsers: list[argparse.ArgumentParser] = []
        for name, child in action.choices.items():
            if child in parsers:  # another name of the same command
                continue
            parsers.append(child)
            text = helps.get(name)
            is_hidden = text == argparse.SUPPRESS
            description = child.description
            if not description and not is_hidden:
                description = text
            yield _read_parser(
                name, description, child, _statements(child), hidden=is_hidden, deprecated=name in deprecated
            )


# -- parameters ---------------------------------------------------------------------------------------------


def _is_parameter(action: argparse.Action) -> bool:
    """Whether an action is a parameter of a call.

    It is none if it prints something in the place of the program; nor if help hides it, or it is an option of several
    values at once, which no call can give, and the program does without it.
    """
    if isinstance(action, (*_ANSWERS, argparse._SubParsersAction)):
        return False
    takes_several = bool(action.option_strings) and isinstance(action.nargs, int) and action.nargs > 1
    return action.required or not (action.help == argparse.SUPPRESS or takes_several)


def _name(action: argparse.Action) -> str:
    """The longest flag without its dashes; the name of an argument."""
    if not action.option_strings:
        if action.dest != argparse.SUPPRESS:
            return action.dest
        return str(action.metavar or "argument")
    positive = [flag for flag in action.option_strings if not flag.startswith("--no-")]
    return max(positive or action.option_strings, key=len).lstrip("-/+")


def _read_action(action: argparse.Action, parser: argparse.ArgumentParser, rivals: Sequence[str]) -> NamedParameter:
    is_option = bool(action.option_strings)
    is_switch = is_option and action.nargs == 0
    repeats = isinstance(action, argparse._AppendAction | argparse._ExtendAction)
    if is_switch:
        schema = dict(SWITCH)
    else:
        schema = _schema(action, is_option, repeats)
    required = action.required and action.nargs not in (argparse.ZERO_OR_MORE, argparse.REMAINDER)
    if is_option:
        flags = {"kind": "option", "flags": tuple(action.option_strings)}
    else:
        flags = {"kind": "argument"}
    help_text = join_sentences(_help(action, parser), *_unsaid_by_schema(action))
    return named_parameter(
        _name(action),
        schema,
        help_text,
        _default(action, is_switch),
        required,
        (),
        excludes=tuple(rivals) or None,
        **flags,
    )


def _default(action: argparse.Action, is_switch: bool) -> Any:
    """The default; of a switch only where it has an opposite, as every other one is off until it is given."""
    if action.default == argparse.SUPPRESS:
        return None
    if is_switch and not (isinstance(action, argparse.BooleanOptionalAction) and isinstance(action.default, bool)):
        return None
    return action.default


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str | None:
    """The help with what `%(default)s` and its like stand for: of a type or a function its name, of choices a list."""
    text = action.help
    if not text or text == argparse.SUPPRESS:
        return None
    values = {name: getattr(value, "__name__", value) for name, value in vars(action).items()}
    if isinstance(action.choices, Iterable) and "%(choices)" in text:
        values["choices"] = ", ".join(map(str, action.choices))
    return _expand(text, {**values, "prog": parser.prog})


def _expand(text: str, values: Mapping[str, Any]) -> str:
    """A text with values in the place of their names."""
    try:
        return text % values
    except (KeyError, TypeError, ValueError):  # argparse would fail here, too, but only when somebody asks for help
        return text


def _unsaid_by_schema(action: argparse.Action) -> Iterator[str]:
    """What the schema of an action cannot say."""
    if not action.option_strings:
        return
    if isinstance(action, argparse._CountAction | argparse._AppendConstAction):
        yield "Can be given several times"
    elif action.nargs == argparse.OPTIONAL:
        yield "Can be given without a value"
    elif isinstance(action.nargs, int) and action.nargs > 1:
        yield f"Takes {action.nargs} values behind one flag"
    elif action.nargs in _MANY and not isinstance(action, argparse._ExtendAction):
        yield "Takes several values behind one flag, of which only one can be given here"
    if getattr(action, "deprecated", False):  # since Python 3.13
        yield "Deprecated"


def _schema(action: argparse.Action, is_option: bool, repeats: bool) -> JsonSchema:
    """What values an action takes, as many as it takes.

    Several values behind one flag are one: a list would be given with a flag for each, of which the last one wins.
    """
    schema = _schema_of_value(action)
    if isinstance(action.nargs, int):
        schema = schema_of_words([schema] * action.nargs)
    elif not is_option and (action.nargs in _MANY or action.nargs in _REST):
        schema = {"type": "array", "items": schema}
        if action.nargs == argparse.ONE_OR_MORE:
            schema["minItems"] = 1
    if repeats:
        return {"type": "array", "items": schema}
    return schema


def _schema_of_value(action: argparse.Action) -> JsonSchema:
    if action.choices is not None:
        return schema_of_choices(action.choices) or dict(TEXT)
    if isinstance(action.type, argparse.FileType):
        return dict(FILE)
    if action.type is bool:  # which takes any text but the empty one for true
        return dict(TEXT)
    return schema_of_type(action.type)
