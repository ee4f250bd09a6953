"""The commands of click, and those that typer makes of functions, as tools.

Both frameworks have the same commands, contexts and parameters, but typer brings its own copy of click's classes. So
no class is imported, and `isinstance` is never asked: attributes are. No callback runs, and no default that is a
function is called.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from itertools import permutations
from pathlib import PurePath
from typing import Any, Literal, TypeAlias, get_args, get_origin
from uuid import UUID

from msgspec.structs import replace

from toolglot.converter.formats.kit.parameters import NamedParameter
from toolglot.converter.hub.model import JsonSchema, Tool
from toolglot.errors import UsageError
from toolglot.runtime.agent.decorators import statements_of
from toolglot.runtime.agent.flag import PROGRAM
from toolglot.runtime.agent.parsed_commands import (
    ArgumentsAbove,
    ParsedCommand,
    ParsedNotes,
    as_program,
    blaming_program,
)
from toolglot.runtime.agent.parsed_parameters import (
    DIRECTORY,
    FILE,
    SWITCH,
    TEXT,
    UNNAMED,
    first_paragraph,
    join_sentences,
    meaning_without_value,
    named_parameter,
    schema_of_choices,
    schema_of_type,
    schema_of_words,
    usual_flags,
    without_terminal_codes,
)
from toolglot.runtime.agent.requests import Grammar, Values

Command: TypeAlias = Any  # these three are of click, or of the copy that typer brings
ClickContext: TypeAlias = Any
Parameter: TypeAlias = Any


def read_program(command: Command, ctx: ClickContext, notes: ParsedNotes) -> Tool:
    """The program that starts with a command, as a tool.

    Args:
        ctx: the context of that command, with the name that the program was started by.
        notes: collects what the description leaves out.
    """
    app = getattr(command, PROGRAM, None)
    statements = {**_statements(command), **statements_of(app)}
    tool = _read_command(command, ctx, statements, [command], notes, ArgumentsAbove())
    about = {**_stated_version(command.get_params(ctx)), **statements.get("about", {})}
    return as_program(tool, about)


def _stated_version(params: Sequence[Parameter]) -> dict[str, str]:
    """The version that `click.version_option` was given; click keeps it only in the closure of the callback."""
    for param in params:
        code = getattr(param.callback, "__code__", None)
        if code is not None and {"version", "message", "package_name"} <= set(code.co_freevars):
            cells = dict(zip(code.co_freevars, param.callback.__closure__, strict=True))
            if isinstance(cells["version"].cell_contents, str):
                return {"version": cells["version"].cell_contents}
    return {}


def grammar_of(command: Command, ctx: ClickContext) -> Grammar:
    """How a command divides its words into options and values."""
    options: dict[str, Values] = {}
    for param in command.get_params(ctx):
        if param.param_type_name == "option":
            options.update(dict.fromkeys((*param.opts, *param.secondary_opts), _values_of_option(param)))
    return Grammar(options, ctx.allow_interspersed_args)


def _values_of_option(option: Parameter) -> Values:
    if option.is_flag or option.count:
        return Values()
    if getattr(option, "_flag_needs_value", False):  # `--color` beside `--color always`
        return Values(more=1)
    return Values(option.nargs)


# -- commands -----------------------------------------------------------------------------------------------


def _statements(command: Command) -> Mapping[str, Any]:
    """What is stated above a function, and above the command that the decorator made of it."""
    return {**statements_of(command.callback), **statements_of(command)}


def _read_command(
    command: Command,
    ctx: ClickContext,
    statements: Mapping[str, Any],
    above: Sequence[Command],
    notes: ParsedNotes,
    arguments_above: ArgumentsAbove,
) -> Tool:
    """One command as a tool.

    Args:
        above: the commands on the way to this one, and this one.
    """
    parameters: list[Parameter] = []
    for param in command.get_params(ctx):
        is_option = param.param_type_name == "option"
        if is_option and _prints_and_ends(param):
            continue
        if is_option and param.hidden and not param.required:
            notes.hidden.append(f"{ctx.command_path} {', '.join(param.opts)}")
        else:
            parameters.append(param)
    named = _named(parameters, ctx, notes)
    to_plain_text = _plain_text if getattr(command, "rich_markup_mode", None) == "rich" else without_terminal_codes
    asking = [param for param in parameters if getattr(param, "prompt", None)]
    options = [param for param in named if param.param_type_name == "option"]
    names = _names_by_parameter(options)
    needed = {option.name for option in options if _has_to_be_given(option)}
    read_parameters = list(_read_parameters(named, ctx, statements.get("arguments", {}), to_plain_text, names))
    arguments = [parameter for parameter in read_parameters if parameter.binding.kind == "argument"]
    facts: dict[str, Any] = {"prompts": True} if asking else {}
    if any(param.hide_input for param in asking):
        facts["stdin"] = "password"
    parsed = ParsedCommand(
        name=ctx.info_name or "",
        description=join_sentences(
            first_paragraph(to_plain_text(command.help or "")) or to_plain_text(command.short_help or ""),
            f"Deprecated: {command.deprecated}" if isinstance(command.deprecated, str) else None,
        ),
        parameters=read_parameters,
        syntax=_syntax(parameters),
        children=tuple(_read_children(command, ctx, above, notes, arguments_above.with_group(read_parameters))),
        statements=statements,
        alone=arguments if getattr(command, "invoke_without_command", False) else None,
        facts=facts,
        alternatives=[group for parameter, group in names.items() if parameter in needed and len(group) > 1],
        is_closed=not (ctx.ignore_unknown_options or (ctx.allow_extra_args and not hasattr(command, "get_command"))),
        above=arguments_above,
    )
    return replace(parsed.as_tool(), hidden=command.hidden or None, deprecated=bool(command.deprecated) or None)


def _named(params: Sequence[Parameter], ctx: ClickContext, notes: ParsedNotes) -> list[Parameter]:
    """The parameters that a description can name; notes tell of the options without a flag that begins with `-`."""
    named: list[Parameter] = []
    for param in params:
        is_option = param.param_type_name == "option"
        for flags in filter(None, (param.opts, param.secondary_opts) if is_option else ()):
            if not usual_flags(flags):
                notes.left_out.append(f"{ctx.command_path} {', '.join(flags)}: {UNNAMED}")
        if not is_option or _named_flags(param):
            named.append(param)
    return named


def _named_flags(option: Parameter) -> list[tuple[str, tuple[str, ...]]]:
    """The names of an option, each with its flags.

    `--loud/--no-loud` is one name. `--loud/--quiet` are two: in one list no reader could tell which flag turns it off.
    A name without a flag that can be given is left out.
    """
    on_flags, off_flags = usual_flags(option.opts), usual_flags(option.secondary_opts)
    if on_flags and all(flag.startswith("--no-") and f"--{flag[5:]}" in on_flags for flag in off_flags):
        return [(_option_name(on_flags), on_flags + off_flags)]
    return [(_option_name(flags), flags) for flags in (on_flags, off_flags) if flags]


def _names_by_parameter(options: Sequence[Parameter]) -> dict[str, list[str]]:
    """Parameter of the function -> the names of all options that set it; a call can give only one of them."""
    names: dict[str, list[str]] = {}
    for option in options:
        names.setdefault(option.name, []).extend(name for name, _ in _named_flags(option))
    return names


def _syntax(params: Sequence[Parameter]) -> dict[str, Any]:
    """What is unusual in how a command reads its words."""
    options = [param for param in params if param.param_type_name == "option"]
    arguments = [param for param in params if param.param_type_name == "argument"]
    is_usual = len(arguments) < 2 or all(param.required and param.nargs > 0 for param in arguments)
    prefixes = {flag[0] for option in options for flag in (*option.opts, *option.secondary_opts)}
    opposites: dict[str, str] = {}
    for option in options:
        for (name, _), (_, other_flags) in permutations(_named_flags(option), 2):
            opposites[name] = other_flags[0]
    return {
        "fills": "" if is_usual else "in-order",
        "takes_any_words": any(option.nargs > 1 for option in options),
        "prefixes": "".join(sorted({"-", *prefixes})) if prefixes - {"-"} else "",
        # Where a value may be left out, click takes a word that looks like an option for one, even behind `=`.
        "plain_values": [
            _option_name(option.opts) for option in options if getattr(option, "_flag_needs_value", False)
        ],
        "asks_for": [
            _option_name(option.opts) for option in options if option.opts and getattr(option, "prompt", None)
        ],
        "opposites": opposites,
    }


def _plain_text(text: str) -> str:
    """A text with rich's markup, as `--help` prints it; typer reads markup only where rich is installed."""
    try:
        from rich.errors import MarkupError
        from rich.text import Text
    except ImportError:
        return without_terminal_codes(text)
    if "\x1b" in text:  # typer takes such a text for coloured already
        return without_terminal_codes(text)
    try:
        return Text.from_markup(text).plain
    except MarkupError:
        return text


def _read_children(
    command: Command, ctx: ClickContext, above: Sequence[Command], notes: ParsedNotes, arguments_above: ArgumentsAbove
) -> Iterator[Tool]:
    if not hasattr(command, "list_commands"):
        return
    with blaming_program(f"the commands of {ctx.command_path} cannot be listed"):
        names = list(command.list_commands(ctx))
    for name in names:
        try:
            child = command.get_command(ctx, name)
        except Exception as error:  # a command is often a module of its own, which need not be installed
            notes.broken.append(f"{ctx.command_path} {name}: {type(error).__name__}: {error}")
            continue
        if child is None or child in above:  # a group that is a command of its own has no end
            continue
        if arguments_above.takes_all is not None:
            notes.broken.append(f"{ctx.command_path} {name}: its words are taken for {arguments_above.takes_all}")
            continue
        below = child.context_class(child, info_name=name, parent=ctx, **child.context_settings)
        yield _read_command(child, below, _statements(child), [*above, child], notes, arguments_above)


_COMPLETION = frozenset({"--install-completion", "--show-completion"})  # typer adds them to every program


def _prints_and_ends(option: Parameter) -> bool:
    """Whether an option prints something and ends the program, as `--version` does; so it is no part of a call."""
    prints = option.is_flag and option.is_eager and not option.expose_value
    return prints or not _COMPLETION.isdisjoint(option.opts)


# -- parameters ---------------------------------------------------------------------------------------------


def _read_parameters(
    params: Sequence[Parameter],
    ctx: ClickContext,
    texts: Mapping[str, str],
    to_plain_text: Callable[[str], str],
    names: Mapping[str, Sequence[str]],
) -> Iterator[NamedParameter]:
    arguments = [param.name for param in params if param.param_type_name == "argument"]
    for name in texts:
        if name not in arguments:
            message = f"a text is stated about the argument {name!r}; there is only {', '.join(arguments) or 'none'}"
            raise UsageError(message, code="unknown-word")
    for param in params:
        # Before a paragraph, `\b` tells click not to rewrap its lines; it is no part of the text.
        help_text = to_plain_text(getattr(param, "help", None) or "").replace("\b", "")
        default_words = getattr(param, "show_default", None)
        if isinstance(default_words, str):  # help shows this text instead of the default
            help_text = f"{join_sentences(help_text, 'The default is')} {to_plain_text(default_words)}"
        if param.nargs > 1 and param.metavar:
            help_text = join_sentences(help_text, f"The values are {param.metavar}") or ""
        if param.param_type_name == "option":
            yield from _read_option(param, ctx, help_text, names[param.name])
        else:
            yield _read_argument(param, texts.get(param.name) or help_text)


def _read_argument(param: Parameter, help_text: str) -> NamedParameter:
    schema = _schema(param)
    if param.nargs == -1 and param.required:
        schema["minItems"] = 1
    env = _variable_names(param.envvar)
    together = "prefixItems" in schema or None
    return named_parameter(
        param.name,
        schema,
        help_text,
        _as_typed(param, param.default),
        param.required,
        env,
        kind="argument",
        together=together,
    )


def _read_option(param: Parameter, ctx: ClickContext, help_text: str, names: Sequence[str]) -> Iterator[NamedParameter]:
    """The parameter of an option; two parameters for a flag and an opposite that has a name of its own.

    Args:
        names: the names of all options that set the same parameter of the function; they exclude each other.
    """
    text = join_sentences(help_text, *_unsaid_by_schema(param))
    schema, default = _schema_and_default(param)
    named = _named_flags(param)
    for name, flags in named:
        turns_off = flags == usual_flags(param.secondary_opts)
        own_default: Any = default
        if len(named) > 1:  # only the one that holds without being given has a default
            own_default = True if default == (not turns_off) else None
        elif turns_off:
            own_default, text = None, join_sentences(f"Turns off {param.name}", text)
        yield named_parameter(
            name, schema, text, own_default, _has_to_be_given(param) and len(names) == 1,
            () if turns_off else _environment(param, ctx), kind="option", flags=flags,
            excludes=tuple(other for other in names if other != name) or None, together=param.nargs > 1 or None,
        )  # fmt: skip


def _schema_and_default(option: Parameter) -> tuple[JsonSchema, Any]:
    if option.is_flag or option.count:
        return SWITCH, _switch_default(option)
    return _schema(option), None if option.hide_input else _as_typed(option, option.default)


def _has_to_be_given(option: Parameter) -> bool:
    """Whether a call has to give an option: without it the program refuses the call, or waits for somebody's answer.

    A flag with a prompt need not be given: it confirms something, and that is for a person to do.
    """
    return bool(option.required or (option.prompt and option.prompt_required and not option.is_flag))


def _unsaid_by_schema(option: Parameter) -> Iterator[str]:
    """Sentences for what the schema of an option cannot say."""
    if option.count or (option.is_flag and option.multiple):
        yield "Can be given several times"
    if getattr(option, "_flag_needs_value", False):
        yield meaning_without_value(_as_typed(option, option.flag_value))
    if option.nargs > 1:
        yield f"Takes {option.nargs} values behind one flag"


def _switch_default(option: Parameter) -> bool | None:
    """Whether a flag is on by default; `None` instead of false where it has no opposite: then false says nothing."""
    if option.default is False and option.secondary_opts:
        return False
    value = getattr(option, "flag_value", True)
    turns_off = value is False and not option.secondary_opts
    holds = option.default is True or (isinstance(value, str) and option.default == value)
    return True if holds and not turns_off else None


def _option_name(opts: Sequence[str]) -> str:
    """The longest flag without its dashes."""
    return max(opts, key=len).lstrip("-")


def _variable_names(envvar: Any) -> Sequence[str]:
    return (envvar,) if isinstance(envvar, str) else tuple(envvar or ())


def _environment(param: Parameter, ctx: ClickContext) -> Sequence[str]:
    names = _variable_names(param.envvar)
    if not names and ctx.auto_envvar_prefix and param.allow_from_autoenv:
        return (f"{ctx.auto_envvar_prefix}_{param.name.upper()}",)
    return names


def _as_typed(param: Parameter, value: Any) -> Any:
    """A value, or each value of a list, as people type it.

    For a member of an enumeration click takes its name, and typer its value.
    """
    if isinstance(value, list | tuple):
        return [_as_typed(param, item) for item in value]
    if isinstance(value, datetime):
        descriptor = getattr(param, "type_descriptor", None)
        formats = (param.type if descriptor is None else descriptor.parameter_info).formats
        return value.strftime(formats[0]) if formats else value
    if not isinstance(value, Enum):
        return value
    choices = list(getattr(getattr(param, "type", None), "choices", ()))
    if value in choices:
        return value.name
    if hasattr(param, "type_descriptor") or value.value in choices:
        return str(value.value)
    return value  # click's own marker of no default, which is an `Enum`


def _schema(param: Parameter) -> JsonSchema:
    """The schema of all values of a parameter: of one value, or of an array of them."""
    descriptor = getattr(param, "type_descriptor", None)
    if descriptor is None:
        words = _schemas_of_type(param.type)
    else:
        annotation = descriptor.annotation
        kinds = get_args(annotation) if get_origin(annotation) in (list, tuple) else (annotation,)
        words = [_schema_of_annotation(kind, descriptor.parameter_info) for kind in kinds]
    schema = words[0]
    if param.nargs > 1:
        if len(words) != param.nargs:
            words = words[:1] * param.nargs
        schema = schema_of_words(words)
    if param.nargs == -1 or param.multiple:
        return {"type": "array", "items": schema}
    return schema


# Name of a parameter type of click -> the Python type that typer has in its place.
_TYPES = {
    "IntRange": int,
    "FloatRange": float,
    "IntParamType": int,
    "FloatParamType": float,
    "BoolParamType": bool,
    "UUIDParameterType": UUID,
    "Path": PurePath,
    "File": io.IOBase,
    "DateTime": datetime,
}


def _schemas_of_type(kind: Any) -> list[JsonSchema]:
    """The schema of each word of a value, by a parameter type of click; the type holds its own settings."""
    if hasattr(kind, "types"):
        return [_schemas_of_type(item)[0] for item in kind.types]
    if hasattr(kind, "agent_schema"):
        return [kind.agent_schema()]
    names = [base.__name__ for base in type(kind).__mro__]
    if "Choice" in names:
        choices = [choice.name if isinstance(choice, Enum) else str(choice) for choice in kind.choices]
        return [schema_of_choices(choices) or TEXT]
    name = next(filter(_TYPES.get, names), None)
    return [TEXT if name is None else _schema_of_value(_TYPES[name], kind)]


def _schema_of_annotation(kind: Any, settings: Any) -> JsonSchema:
    """The schema of a word, by what typer keeps of a parameter: its annotation and its settings."""
    if settings.parser is not None:
        return TEXT
    if get_origin(kind) is Literal:
        return schema_of_choices([str(choice) for choice in get_args(kind)]) or TEXT
    if not isinstance(kind, type):
        return TEXT
    if issubclass(kind, Enum):
        return schema_of_choices([str(choice.value) for choice in kind]) or TEXT
    return _schema_of_value(kind, settings)


def _schema_of_value(kind: type, settings: Any) -> JsonSchema:
    """The schema of a value, by its Python type and the settings that both frameworks have for that type."""
    if issubclass(kind, datetime):
        return _schema_of_formats(settings.formats)
    if issubclass(kind, io.IOBase):
        return FILE
    if issubclass(kind, PurePath):
        return DIRECTORY if settings.dir_okay and not settings.file_okay else FILE
    schema = schema_of_type(kind)
    if schema["type"] not in ("integer", "number") or getattr(settings, "clamp", False):
        return schema  # `clamp` moves a number between its bounds, so any number is taken
    return schema | _bounds(settings)


def _bounds(settings: Any) -> JsonSchema:
    """The least and the greatest number that the settings allow, as keywords."""
    bounds: JsonSchema = {}
    for limit, keyword in (("min", "minimum"), ("max", "maximum")):
        bound = getattr(settings, limit, None)
        if bound is not None:
            is_open = getattr(settings, f"{limit}_open", False)
            bounds[f"exclusive{keyword.title()}" if is_open else keyword] = bound
    return bounds


def _schema_of_formats(formats: Sequence[str] | None) -> JsonSchema:
    """The schema of a date or time that is written in one of several formats.

    >>> _schema_of_formats(["%Y-%m-%d"]), _schema_of_formats(["%Y", "%m/%Y"])["description"]
    ({'type': 'string', 'format': 'date'}, 'Written as %Y or %m/%Y')
    """
    if not formats:
        return {"type": "string", "description": "A date, or a date and a time, such as 2024-01-31T12:00:00"}
    if list(formats) == ["%Y-%m-%d"]:
        return {"type": "string", "format": "date"}
    return {"type": "string", "description": f"Written as {' or '.join(formats)}"}
