"""The parsers of argparse as tools.

argparse has no public names for the actions of a parser, so the private ones are read. No `type` is called, and no
default is computed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import chain
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats.kit.parameters import NamedParameter
from toolglot.converter.hub.model import JsonSchema, Tool
from toolglot.runtime.agent.decorators import statements_of
from toolglot.runtime.agent.parsed_commands import ArgumentsAbove, ParsedCommand, ParsedNotes, as_program
from toolglot.runtime.agent.parsed_parameters import (
    FILE,
    SWITCH,
    TRUTH_OF_TEXT,
    UNNAMED,
    first_paragraph,
    is_of_this_machine,
    join_sentences,
    meaning_without_value,
    named_parameter,
    schema_of_choices,
    schema_of_type,
    schema_of_words,
    usual_flags,
)
from toolglot.runtime.agent.requests import MANY, Grammar, Values

_NO_PARAMETERS = (argparse._HelpAction, argparse._VersionAction, argparse._SubParsersAction)
_REST = (argparse.REMAINDER, argparse.PARSER)
_SEVERAL = (argparse.ONE_OR_MORE, argparse.ZERO_OR_MORE, *_REST)


def read_program(parser: argparse.ArgumentParser, notes: ParsedNotes) -> Tool:
    """The program that starts with a parser, as a tool.

    Args:
        notes: collects what the description leaves out.
    """
    statements = _statements(parser)
    about = {**_version(parser), **statements.get("about", {})}
    return as_program(_read_parser(parser.prog, parser.description, parser, notes, ArgumentsAbove()), about)


def grammar_of(parser: argparse.ArgumentParser) -> Grammar:
    """How a parser divides its words into options and values."""
    options: dict[str, Values] = {}
    interspersed = True
    for action in parser._actions:
        if isinstance(action.nargs, int):
            values = Values(action.nargs)
        else:
            values = _VALUES.get(action.nargs, Values(MANY))
        options.update(dict.fromkeys(action.option_strings, values))
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


# -- parsers ------------------------------------------------------------------------------------------------


def _statements(parser: argparse.ArgumentParser) -> Mapping[str, Any]:
    """What is stated about a parser, and about the functions that `set_defaults` gives it, as in `func=purge`."""
    statements: dict[str, Any] = {}
    for default in _callable_defaults(parser):
        statements |= statements_of(default)
    return {**statements, **statements_of(parser)}


def _arguments_alone(
    parser: argparse.ArgumentParser, parameters: Sequence[NamedParameter]
) -> Sequence[NamedParameter] | None:
    """The arguments of a call without one of the parser's commands; `None` where a parser cannot be called so.

    These are the required ones: argparse would take any further word for the name of a command.
    """
    needs_command = any(
        isinstance(action, argparse._SubParsersAction) and action.required for action in parser._actions
    )
    if needs_command or not _callable_defaults(parser):
        return None
    return [parameter for parameter in parameters if parameter.binding.kind == "argument" and parameter.required]


def _callable_defaults(parser: argparse.ArgumentParser) -> list[Any]:
    return [default for default in parser._defaults.values() if callable(default)]


def _version(parser: argparse.ArgumentParser) -> dict[str, str]:
    """The version that `--version` prints, where the text is the name of the program and one more word."""
    for action in parser._actions:
        if isinstance(action, argparse._VersionAction):
            text = (action.version or "").replace("%(prog)s", parser.prog)
            words = text.removeprefix(parser.prog).strip(" ,:").removeprefix("version ").split()
            if len(words) == 1:
                return {"version": words[0]}
    return {}


def _read_parser(
    name: str,
    description: str | None,
    parser: argparse.ArgumentParser,
    notes: ParsedNotes,
    above: ArgumentsAbove,
    files_above: str = "",
) -> Tool:
    """One parser as a command.

    Args:
        above: the positional arguments of the parsers above.
        files_above: the characters that begin the name of a file of arguments (`fromfile_prefix_chars`), of all
            parsers above; those see the words first.
    """
    files = files_above + (parser.fromfile_prefix_chars or "")
    # Of each of these groups a call has to give exactly one parameter.
    required = [list(map(_name, _members(group))) for group in parser._mutually_exclusive_groups if group.required]
    if description and "%(prog)" in description:
        description = _expand(description, {"prog": parser.prog})
    parameters: list[NamedParameter] = []
    for action in parser._actions:
        if _is_parameter(action):
            parameters.append(_read_action(action, parser, _rivals(action, parser)))
            if action.choices is not None and _schema_of_choices(action) is None:
                notes.left_out.append(
                    f"{parser.prog} {_name(action)}: its choices, as they are no list of what is typed"
                )
        elif reason := _why_never_given(action):
            notes.left_out.append(f"{parser.prog} {', '.join(action.option_strings) or _name(action)}: {reason}")
        elif not isinstance(action, _NO_PARAMETERS):
            notes.hidden.append(f"{parser.prog} {', '.join(action.option_strings) or _name(action)}")
    return ParsedCommand(
        name=name,
        description=first_paragraph(description),
        parameters=parameters,
        children=tuple(_read_commands(parser, notes, above.with_group(parameters), files)),
        syntax=_syntax(parser, files, is_first=above.depth == 0),
        statements=_statements(parser),
        alone=_arguments_alone(parser, parameters),
        alternatives=required,
        above=above,
    ).as_tool()


def _syntax(parser: argparse.ArgumentParser, files: str, is_first: bool) -> dict[str, Any]:
    """What is unusual in how a parser reads its words."""
    parameters = list(filter(_is_parameter, parser._actions))
    arguments = [action for action in parameters if not action.option_strings]
    is_usual = len(arguments) < 2 or all(isinstance(action.nargs, int | None) for action in arguments)
    return {
        "prefixes": "" if parser.prefix_chars == "-" else parser.prefix_chars,
        "response_files": files,
        "keeps_dashes": bool(arguments) and arguments[0].nargs in _REST,
        "takes_rest": [_name(action) for action in parameters if action.nargs in _REST],
        "fills": "" if is_usual else "required-first",
        # Before Python 3.13 every parameter dropped one `--` from its words, not only the `--` that ends the options.
        "drops_dashes": is_first and any(action.nargs != 0 for action in parser._actions),
    }


def _members(group: argparse._MutuallyExclusiveGroup) -> list[argparse.Action]:
    """The parameters of a group; a call may give only one of them."""
    return [action for action in group._group_actions if _is_parameter(action)]


def _rivals(action: argparse.Action, parser: argparse.ArgumentParser) -> list[str]:
    """The names of the parameters that a call may not give together with this one."""
    groups = [members for members in map(_members, parser._mutually_exclusive_groups) if action in members]
    return [_name(member) for member in chain.from_iterable(groups) if member is not action]


def _read_commands(
    parser: argparse.ArgumentParser, notes: ParsedNotes, above: ArgumentsAbove, files: str
) -> Iterator[Tool]:
    for place, action in enumerate(parser._actions):
        if not isinstance(action, argparse._SubParsersAction):
            continue
        # Positional arguments behind the commands: argparse would give them the words of the command.
        arguments_behind = [
            _name(other) for other in parser._actions[place + 1 :] if _is_parameter(other) and not other.option_strings
        ]
        taker = next(iter(arguments_behind), above.takes_all)
        helps = {choice.dest: choice.help for choice in action._choices_actions}
        deprecated = getattr(action, "_deprecated", ())  # since Python 3.13
        parsers: list[argparse.ArgumentParser] = []
        for name, child in action.choices.items():
            if child in parsers:  # another name of the same command
                continue
            parsers.append(child)
            if taker is not None:
                notes.broken.append(f"{parser.prog} {name}: its words are taken for {taker}")
                continue
            text = helps.get(name)
            is_hidden = text == argparse.SUPPRESS
            description = child.description
            if not description and text and not is_hidden:
                description = _expand(text, {"prog": parser.prog})
            command = _read_parser(name, description, child, notes, above, files)
            yield replace(command, hidden=is_hidden or None, deprecated=name in deprecated or None)


# -- parameters ---------------------------------------------------------------------------------------------


def _is_parameter(action: argparse.Action) -> bool:
    """Whether an action is a parameter of a call.

    Not parameters are: what prints something and ends the program, what no call can give, and an optional option that
    help hides. A hidden argument is one: it takes its word all the same.
    """
    if isinstance(action, _NO_PARAMETERS) or _why_never_given(action):
        return False
    return action.required or not action.option_strings or action.help != argparse.SUPPRESS


def _why_never_given(action: argparse.Action) -> str | None:
    """The reason why no call can give an action; `None` where one can."""
    if action.option_strings:
        return None if usual_flags(action.option_strings) else UNNAMED
    return "it takes no word, and is carried out in every call" if action.nargs == 0 else None


def _name(action: argparse.Action) -> str:
    """The longest flag without its dashes; the name of an argument."""
    if not action.option_strings:
        if action.dest != argparse.SUPPRESS:
            return action.dest
        return str(action.metavar or "argument")
    flags = _flags(action)
    positive = [flag for flag in flags if f"--no-{flag[2:]}" in flags]
    return max(positive or flags, key=len).lstrip("-")


def _flags(action: argparse.Action) -> tuple[str, ...]:
    """The flags of an action that a description can name.

    Of a pair (`BooleanOptionalAction`) these are the flags that turn it on, and their opposites. Where no flag turns it
    on, it is the first flag alone: to argparse every flag that begins with `--no-` means false, so `--no-no-x` is no
    opposite of `--no-x`.
    """
    flags = usual_flags(action.option_strings)
    if not isinstance(action, argparse.BooleanOptionalAction):
        return flags
    turn_on = [flag for flag in flags if not flag.startswith("--no-")]
    opposites = [f"--no-{flag[2:]}" for flag in turn_on if flag.startswith("--")]
    return (*turn_on, *opposites) or flags[:1]


def _read_action(action: argparse.Action, parser: argparse.ArgumentParser, rivals: Sequence[str]) -> NamedParameter:
    is_option = bool(action.option_strings)
    is_switch = is_option and action.nargs == 0
    schema = SWITCH if is_switch else _schema(action)
    takes_none = not is_option and action.nargs in (argparse.ZERO_OR_MORE, argparse.REMAINDER)
    required = action.required and not takes_none
    help_text = join_sentences(_help(action, parser), *_unsaid_by_schema(action))
    return named_parameter(
        _name(action),
        schema,
        help_text,
        _default(action, is_switch),
        required,
        (),
        excludes=tuple(rivals) or None,
        kind="option" if is_option else "argument",
        flags=_flags(action) or None,
        together=(is_option and not is_switch and _values_together(action) is not None) or None,
    )


def _default(action: argparse.Action, is_switch: bool) -> Any:
    """The default of an action.

    Of a switch only where it has an opposite or is on by default: every other switch is off until it is given.
    An argument that takes the rest of the line has none: without a rest argparse gives an empty list, not the default.
    """
    if isinstance(action, argparse._StoreConstAction) and action.default == action.const:
        return True
    is_pair = isinstance(action, argparse.BooleanOptionalAction) and not _flags(action)[0].startswith("--no-")
    has_opposite = is_pair and isinstance(action.default, bool)
    takes_rest = not action.option_strings and action.nargs == argparse.REMAINDER
    if action.default == argparse.SUPPRESS or takes_rest or (is_switch and not has_opposite):
        return None
    if isinstance(action.type, type) and isinstance(action.default, action.type) and isinstance(action.default, Enum):
        return action.default.value
    return action.default


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str | None:
    """The help with values for `%(default)s` and its like: a type or a function by its name, choices as a list."""
    text = action.help
    if not text or text == argparse.SUPPRESS:
        return None
    values = {name: getattr(value, "__name__", value) for name, value in vars(action).items()}
    for name in "default", "const":  # the help goes to others, so it must not show a value of the environment
        if is_of_this_machine(values.get(name)):
            values[name] = "from the environment"
    if isinstance(action.choices, Iterable) and "%(choices)" in text:
        values["choices"] = ", ".join(map(str, action.choices))
    return _expand(text, {**values, "prog": parser.prog})


def _expand(text: str, values: Mapping[str, Any]) -> str:
    """A text with values for its `%(name)s`."""
    try:
        return text % values
    except (KeyError, TypeError, ValueError):  # argparse fails here too, but only when somebody asks for help
        return text


def _unsaid_by_schema(action: argparse.Action) -> Iterator[str]:
    """Sentences for what the schema of an action cannot say."""
    if isinstance(action.metavar, tuple):
        yield f"The values are {' '.join(action.metavar)}"
    if not action.option_strings:
        return
    if isinstance(action, argparse._CountAction | argparse._AppendConstAction):
        yield "Can be given several times"
    elif action.nargs == argparse.OPTIONAL:
        yield meaning_without_value(action.const)
    elif action.nargs != 0 and _values_together(action) is not None:
        yield f"Takes {_values_together(action)} values behind one flag"
    if getattr(action, "deprecated", False):  # since Python 3.13
        yield "Deprecated"


def _values_together(action: argparse.Action) -> int | str | None:
    """How many values stand behind one flag, where an action needs them all behind the same flag.

    `None` for `extend`: its flag may be repeated before each value.
    """
    if isinstance(action, argparse._ExtendAction):
        return None
    if isinstance(action.nargs, int):
        return None if action.nargs == 1 else action.nargs
    return "several" if action.nargs in _SEVERAL else None


def _schema(action: argparse.Action) -> JsonSchema:
    """The schema of all values of an action: of one value, or of an array of them."""
    schema = _schema_of_value(action)
    if isinstance(action.nargs, int):
        schema = schema_of_words([schema] * action.nargs)
    elif action.nargs in _SEVERAL:
        schema = {"type": "array", "items": schema}
        if action.nargs == argparse.ONE_OR_MORE or (action.option_strings and action.required):
            schema["minItems"] = 1
    if isinstance(action, argparse._AppendAction) and not isinstance(action, argparse._ExtendAction):
        return {"type": "array", "items": schema}
    return schema


def _schema_of_value(action: argparse.Action) -> JsonSchema:
    if isinstance(action.type, argparse.FileType):
        return FILE
    if action.type is bool:  # `bool("false")` is true: only the empty text is false
        return TRUTH_OF_TEXT
    return _schema_of_choices(action) or schema_of_type(action.type)


def _schema_of_choices(action: argparse.Action) -> JsonSchema | None:
    """The choices of an action; `None` where it has none, or where they do not say which words are typed."""
    return None if action.choices is None else schema_of_choices(_words_of_choices(action.type, action.choices))


# Types that leave a value of their own unchanged, as `int` leaves 3: so each choice is also the word that is typed.
_PLAIN_TYPES = (None, str, int, float, str.upper, str.lower, str.casefold, str.strip, str.title, str.capitalize)


def _words_of_choices(kind: Any, choices: Iterable[Any]) -> Any:
    """The word that is typed for each choice; empty where a function makes the choice of a word: nobody knows which."""
    if kind in _PLAIN_TYPES:
        return choices
    if isinstance(kind, type) and issubclass(kind, Enum):
        words = [choice.value for choice in choices if isinstance(choice, kind)]
        return words if all(isinstance(word, str) for word in words) else ()
    return ()
