"""A decoded call as the argument vector of a command line: data for `exec`, never text for a shell."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from toolglot import formats
from toolglot.bridge.naming import NamedCommand, leaf_of
from toolglot.bridge.parameters import CommandParameter, check_arguments, check_word, compact, parameters_of, write_word
from toolglot.errors import ArgumentError
from toolglot.hub.model import Example, Leaf, Tool, commands_below, options_of

# What can stand first: a name that the system looks up, neither a path nor an option.
_PROGRAM = re.compile(r"[^\s/\\-][^\s/\\]*")
# `-x`, `-word` and `--word`. A word ends with `=` where the program takes its value in no other way. What help
# pages write, such as `--output <file>` or `--[no-]color`, is not something to put on a command line.
_FLAG = re.compile(r"-[!-,.-<>-~]|--?[a-zA-Z0-9][\w.:+-]*=?", re.ASCII)


def argv(
    tool: Tool | NamedCommand, arguments: Mapping[str, Any], *, host: Mapping[str, Any] | None = None
) -> list[str]:
    """The argument vector that carries out a call.

    The program's name and its global options, the words of the command, each with the options of its group behind
    it, options in the order of the description, then the positional arguments. `--` precedes the positional arguments
    if one of them begins with a dash, and a value that begins with a dash is joined to its option, so that no value
    is taken for an option.

    Run it without a shell (`subprocess.run(vector)`): nothing is quoted, and `~`, `*` and `$NAME` are plain text.
    On Windows do not run batch files with it, because `cmd.exe` reads their arguments once more. What a program
    makes of a value (`@file`, a path, a URL) is its own affair, and what a policy is for. Standard input is not
    part of a vector: look at `stdin`, `prompts` and `tty` of the tool before running what waits for somebody.

    Args:
        tool: one of `Tool.leaves()`, or what has one as its `leaf`, as all that `toolglot.compile` returns does; or
            a tool that has only one leaf. Something with only a `tool` and a `path` will do, but it does not know the
            names of the program's other commands, and a positional value that is one of them could run that
            command. Not the `tool` of a leaf by itself, which does not know its program either.
        arguments: by property key of the input schema. `None` is the same as absent; so is an empty list, and
            `False` for a flag. Types, `enum` and `const` are checked, because the spelling depends on them;
            the rest of the schema is not. Only the parameters of the command itself, and options of its program
            that `toolglot.compile(..., with_globals=True)` offered: another one comes from a model that was never
            told of it, such as `--config`, which lets some programs run anything.
        host: options of the program and of the groups above the command, which only the host decides about.

    Raises:
        ArgumentError: the tool has no command line, or the arguments cannot be spelled on it.
        UsageError: `tool` is none of these.

    >>> from toolglot.hub.model import Binding
    >>> inputs = {"type": "object", "properties": {"force": {"type": "boolean"}, "name": {"type": "string"}}}
    >>> bindings = {"force": Binding(kind="option", flags=("-f", "--force")), "name": Binding(kind="argument")}
    >>> notes = Tool(id="notes", children=(Tool(id="remove", inputs=inputs, bindings=bindings),))
    >>> argv(notes, {"name": "-rf", "force": True})
    ['notes', 'remove', '--force', '--', '-rf']
    """
    leaf = only_leaf(tool)
    words = _command(leaf)
    own = parameters_of(leaf.tool.inputs, leaf.tool.bindings)
    global_parameters = parameters_of(leaf.tool.global_inputs, leaf.tool.global_bindings)
    values = check_arguments(arguments, own, global_parameters)
    if host is None:
        host = {}
    host_values = check_arguments(host, global_parameters)
    examples = leaf.tool.examples or ()
    levels = _levels(leaf, global_parameters)
    vector: list[str] = []
    for level, word in enumerate(words):
        if word:
            vector.append(word)
        vector += _write_options(_options_of_level(level, levels, global_parameters), host_values, examples)
        vector += _write_options(_options_of_level(level, levels, own, global_parameters), values, examples)
    options: list[CommandParameter] = []
    positionals: list[CommandParameter] = []
    for parameter in own.values():
        if parameter.key in levels and parameter.key not in global_parameters:
            continue  # it stands with the group that states it
        if parameter.positional:
            positionals.append(parameter)
        else:
            options.append(parameter)
    vector += _write_options(options, values, examples)
    return vector + _write_positionals(positionals, values, _commands(leaf))


def _levels(leaf: Leaf, global_keys: Iterable[str]) -> dict[str, int]:
    """Behind which word of the command the options stand that a command has from above, by their key.

    The nearest group that states an option is the one meant; what no group states is the program's.
    """
    levels = dict.fromkeys(global_keys, 0)
    for level, node in enumerate(leaf.ancestors):
        for parameters in (node.global_inputs, options_of(node).inputs):
            levels.update(dict.fromkeys((parameters or {}).get("properties") or (), level))
    return levels


def _options_of_level(
    level: int, levels: Mapping[str, int], parameters: Mapping[str, CommandParameter], but: Container[str] = ()
) -> Iterator[CommandParameter]:
    """The options that stand at one level, without those that are the command's own."""
    for key, parameter in parameters.items():
        if levels.get(key) == level and key not in but:
            yield parameter


# -- the command --------------------------------------------------------------------------------------------


def only_leaf(tool: Tool | NamedCommand) -> Leaf:
    """A callable node given as for `argv`.

    Raises:
        ArgumentError: the tool has several commands.
        UsageError: it is no tool.
    """
    if not isinstance(tool, Tool):
        return leaf_of(tool)
    leaves = list(tool.leaves())
    if len(leaves) != 1:
        message = f"the tool has {len(leaves)} commands that can be called; give one of Tool.leaves()"
        raise ArgumentError(message, "several-commands")
    return leaves[0]


def _command(leaf: Leaf) -> list[str]:
    """The program and the names of the command; the command without a name is the program itself.

    The id is the program's name also where the description has a `binary`: it is what the program is called by,
    and `binary.name` is read into it where there is no other.
    """
    tool = leaf.tool
    bindings = [*(tool.bindings or {}).values(), *(tool.global_bindings or {}).values()]
    of_program = tool.origin in formats.names() and formats.get(tool.origin or "").describes_one_program
    if not of_program and not any(binding.kind for binding in bindings):
        message = "the tool has no command line: its description does not say how it is called as a program"
        raise ArgumentError(message, "no-command-line")
    program, *path = leaf.path or ("",)
    if not _PROGRAM.fullmatch(program):
        message = f"{program!r} is not the name of a program: it is empty, a path, or looks like an option"
        raise ArgumentError(message, "bad-program")
    return [check_word(word, "") for word in (program, *path)]


def _commands(leaf: Leaf) -> frozenset[str]:
    """The names that the program would take for a further command where the leaf's positional arguments stand."""
    if not leaf.ancestors:
        return frozenset(leaf.commands)
    return frozenset((*leaf.commands, *commands_below(leaf.ancestors[0], leaf.path[1:])))


# -- options ------------------------------------------------------------------------------------------------


def _write_options(
    parameters: Iterable[CommandParameter], values: Mapping[str, Any], examples: Sequence[Example]
) -> list[str]:
    words: list[str] = []
    for parameter in parameters:
        if parameter.key in values:
            words += _write_option(parameter, values[parameter.key], examples)
    return words


def _write_option(parameter: CommandParameter, value: Any, examples: Sequence[Example]) -> list[str]:
    flags = _flags(parameter)
    words: list[str] = []
    for item, pointer in parameter.values(value):
        if isinstance(item, bool):
            words += _write_switch(parameter, flags, item, repeats=isinstance(value, list))
        else:
            words += _write_valued(parameter, flags, write_word(item, pointer), examples)
    return words


def _flags(parameter: CommandParameter) -> list[str]:
    """The flags that can be written, long ones first: they can hold any value, and they say what they are."""
    if parameter.binding.kind != "option":
        message = "the tool does not say where this stands on its command line"
        raise ArgumentError(message, "no-binding", parameter.pointer)
    usable = [flag for flag in parameter.binding.flags or () if _FLAG.fullmatch(flag)]
    if not usable:
        raise ArgumentError("the option has no flag that can be written, such as --name", "no-flag", parameter.pointer)
    return sorted(usable, key=lambda flag: not flag.startswith("--"))


def _write_switch(parameter: CommandParameter, flags: Sequence[str], value: bool, repeats: bool) -> list[str]:
    """The flag for a boolean; none for what holds without one.

    `--no-x` is the opposite of `--x`. Alone it is a flag like any other, unless its parameter is `x` and on by default.
    """
    if not parameter.is_flag:
        message = "the tool does not say whether this is a flag or takes a value"
        raise ArgumentError(message, "unknown-type", parameter.pointer)
    on_by_default = parameter.default is True
    names = set(flags)
    if on_by_default:
        names.add(f"--{parameter.binding.name or parameter.key}")
    for flag in flags:
        is_opposite = flag.startswith("--no-") and f"--{flag[5:]}" in names
        if not value and is_opposite:
            return [flag]
        if value and not is_opposite and not flag.endswith("="):
            return [flag]
    if repeats or value is not on_by_default:
        message = f"the option has no flag that says {compact(value)}"
        raise ArgumentError(message, "no-flag", parameter.pointer)
    return []


def _write_valued(
    parameter: CommandParameter, flags: Sequence[str], value: str, examples: Sequence[Example]
) -> list[str]:
    """A flag and its value: apart, or joined where apart they would mean something else.

    Joined are a value that begins with a dash, a value that may be left out (`--color=always` beside `--color`),
    and whatever the description's own examples join.
    """
    flag = flags[0]
    if len(flag) == 2:
        if parameter.is_flag:
            message = "a short flag whose value may be left out would take the next word for it; it needs a long flag"
            raise ArgumentError(message, "no-flag", parameter.pointer)
        if value.startswith("-"):
            return [flag + value]
        return [flag, value]
    name = flag.removesuffix("=")
    shown_joined = any(f" {name}=" in (example.command or "") for example in examples)
    if name != flag or parameter.is_flag or shown_joined or value.startswith("-"):
        return [f"{name}={value}"]
    return [name, value]


# -- positional arguments -----------------------------------------------------------------------------------


def _write_positionals(
    parameters: Sequence[CommandParameter], values: Mapping[str, Any], commands: frozenset[str]
) -> list[str]:
    """The positional arguments in their order.

    Raises:
        ArgumentError: from their order alone the program could not tell which is which.
    """
    words: list[str] = []
    missing: CommandParameter | None = None
    several: CommandParameter | None = None  # takes any number of values, so that what follows is counted from the end
    for parameter in parameters:
        is_given = parameter.key in values
        if is_given and missing is not None:
            message = f"it would be taken for `{missing.key}`, which stands before it; give that as well"
            raise ArgumentError(message, "positional-gap", parameter.pointer)
        if several is not None and _is_ambiguous(several, parameter, values):
            message = f"`{several.key}` takes any number of values, so that nobody could tell where this one begins"
            raise ArgumentError(message, "ambiguous-positionals", parameter.pointer)
        if parameter.repeats:
            several = parameter
        elif not is_given:
            missing = parameter
        if is_given:
            words += [write_word(word, pointer) for word, pointer in parameter.values(values[parameter.key])]
    if words and words[0] in commands:
        message = f"{words[0]!r} is the name of a further command, which would run instead"
        pointer = next(parameter.pointer for parameter in parameters if parameter.key in values)
        raise ArgumentError(message, "names-a-command", pointer)
    if any(word.startswith("-") for word in words):
        return ["--", *words]
    return words


def _is_ambiguous(several: CommandParameter, parameter: CommandParameter, values: Mapping[str, Any]) -> bool:
    """Whether a value of a parameter could be one more of `several`, which stands before it."""
    if parameter.repeats:
        return parameter.key in values
    if parameter.required:  # exactly one, which is counted from the end
        return False
    return parameter.key in values or several.key in values
