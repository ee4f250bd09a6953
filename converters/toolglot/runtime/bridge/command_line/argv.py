"""A decoded call as the argument vector of a command line: data for `exec`, never text for a shell.

The description of each parameter says which values it takes, and how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from toolglot.converter import formats
from toolglot.converter.hub.model import NAMELESS, Leaf, Tool, options_of
from toolglot.errors import TO_RESTORE, ArgumentError
from toolglot.runtime.bridge.command_line.command_parameters import CommandParameter, parameters_of
from toolglot.runtime.bridge.command_line.given_arguments import check_arguments, find_conflicts
from toolglot.runtime.bridge.command_line.line_syntax import LineSyntax
from toolglot.runtime.bridge.command_line.written_options import (
    WrittenOption,
    before_words,
    rest_last,
    words_of,
    write_options,
)
from toolglot.runtime.bridge.command_line.written_positionals import at_levels, further_commands, write_positionals
from toolglot.runtime.bridge.command_line.written_values import check_word
from toolglot.runtime.bridge.naming import NamedCommand, only_leaf

# What can stand first: a name that the system looks up, neither a path nor an option.
_PROGRAM = re.compile(r"[^\s/\\-][^\s/\\]*")


def argv(
    tool: Tool | NamedCommand, arguments: Mapping[str, Any], *, host: Mapping[str, Any] | None = None
) -> list[str]:
    """The argument vector that carries out a call.

    The program's name and its global options, the words of the command, each with the options of its group behind
    it, options in the order of the description, then the positional arguments; those of a group stand where the
    description says so. `--` precedes the positional arguments if one of them begins with a dash, and a value that
    begins with a dash is joined to its option, so that no value is taken for an option. The same holds for `@file`,
    which many programs read arguments from: a path is written as `./@file`, and the value of an option is joined to it.

    Run it without a shell (`subprocess.run(vector)`): nothing is quoted, and `~`, `*` and `$NAME` are plain text.
    On Windows do not run batch files with it, because `cmd.exe` reads their arguments once more. What a program
    makes of a value (a path, a URL) is its own affair, and what a policy is for. Standard input is not
    part of a vector: look at `stdin`, `prompts` and `tty` of the tool before running what waits for somebody.

    Args:
        tool: one of `leaves_of`, or what has one as its `leaf`, as all that `toolglot.compile` returns does; or
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

    >>> from toolglot.converter.hub.model import Binding
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
    for conflict in find_conflicts(leaf, {**host_values, **values}, leaf.ancestors):
        raise conflict
    levels = _levels(leaf, global_parameters)
    syntax = LineSyntax.of(leaf, (*own.values(), *global_parameters.values()))
    of_command = [parameter for key, parameter in own.items() if key not in levels or key in global_parameters]
    positionals = [parameter for parameter in of_command if parameter.positional]
    *of_groups, of_last = at_levels(positionals, leaf, len(words))
    vector: list[str] = []
    options: list[WrittenOption] = []
    for level, word in enumerate(words):
        if word:
            vector.append(word)
        options = [
            *write_options(_options_of_level(level, levels, global_parameters), host_values, syntax),
            *write_options(_options_of_level(level, levels, own, global_parameters), values, syntax),
        ]
        if level < len(of_groups):
            vector += before_words(options) + write_positionals(of_groups[level], values, syntax)
    own_options = write_options([parameter for parameter in of_command if not parameter.positional], values, syntax)
    options = rest_last([*options, *own_options])
    of_dashes = syntax.behind_dashes()
    plain = [parameter for parameter in of_last if parameter.key not in of_dashes]
    behind = write_positionals(
        [parameter for parameter in of_last if parameter.key in of_dashes], values, syntax, needs_dashes=True
    )
    has_own_dashes = bool(of_dashes) or syntax.says("keeps_dashes")
    words = write_positionals(
        plain,
        values,
        syntax,
        further_commands(leaf),
        has_own_dashes=has_own_dashes,
        needs_dashes=bool(options) and options[-1].is_greedy,
    )
    if words and has_own_dashes:
        return vector + before_words(options) + words + behind
    return vector + words_of(options) + words + behind


def _levels(leaf: Leaf, global_keys: Iterable[str]) -> dict[str, int]:
    """Key of an inherited option -> number of the word of the command behind which it stands.

    An option belongs to the nearest group that states it, and to the program where no group does.
    """
    levels = dict.fromkeys(global_keys, 0)
    for level, node in enumerate(leaf.ancestors):
        for parameters in (node.global_inputs, options_of(node).inputs):
            levels.update(dict.fromkeys((parameters or {}).get("properties") or (), level))
    return levels


def _options_of_level(
    level: int, levels: Mapping[str, int], parameters: Mapping[str, CommandParameter], but: Container[str] = ()
) -> Iterator[CommandParameter]:
    """The options at one level, without the command's own."""
    for key, parameter in parameters.items():
        if levels.get(key) == level and key not in but:
            yield parameter


def _command(leaf: Leaf) -> list[str]:
    """The program and the names of the command; the command without a name is the program itself.

    The id is the program's name also where the description has a `binary`: it is what the program is called by,
    and `binary.name` is read into it where there is no other.
    """
    tool = leaf.tool
    if tool.trust is not None and tool.trust.get(NAMELESS) is True:
        raise ArgumentError("nobody states what the program is called", "bad-program")
    bindings = [*(tool.bindings or {}).values(), *(tool.global_bindings or {}).values()]
    origin = formats.find(tool.origin)
    of_program = origin is not None and origin.describes_one_program
    if not of_program and not any(binding.kind for binding in bindings):
        message = "the tool has no command line: its description does not say how it is called as a program"
        raise ArgumentError(message, "no-command-line", hint=TO_RESTORE)
    program, *path = leaf.path or ("",)
    if not _PROGRAM.fullmatch(program):
        message = f"{program!r} is not the name of a program: it is empty, a path, or looks like an option"
        raise ArgumentError(message, "bad-program")
    return [check_word(word, "") for word in (program, *path)]
