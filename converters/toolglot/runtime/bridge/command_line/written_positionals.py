"""The positional arguments of a command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolglot.converter.hub.model import Leaf, commands_below
from toolglot.errors import ArgumentError
from toolglot.runtime.bridge.command_line.command_parameters import CommandParameter
from toolglot.runtime.bridge.command_line.line_syntax import LineSyntax


def _commands(leaf: Leaf) -> frozenset[str]:
    """The names that the program would take for a further command where the leaf's positional arguments stand."""
    if not leaf.ancestors:
        return frozenset(leaf.commands)
    return frozenset((*leaf.commands, *commands_below(leaf.ancestors[0], leaf.path[1:])))


def write_positionals(
    parameters: Sequence[CommandParameter], values: Mapping[str, Any], leaf: Leaf, syntax: LineSyntax
) -> list[str]:
    """The positional arguments in their order.

    Raises:
        ArgumentError: from their order alone the program could not tell which is which, or it would take one of them
            for something else.
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
        if parameter.is_greedy:
            several = parameter
        elif not is_given:
            missing = parameter
        if is_given:
            words += _write_argument(parameter, values[parameter.key], syntax)
    if words and words[0] in _commands(leaf):
        message = f"{words[0]!r} is the name of a further command, which would run instead"
        pointer = next(parameter.pointer for parameter in parameters if parameter.key in values)
        raise ArgumentError(message, "names-a-command", pointer)
    if syntax.says("keeps_dashes"):
        if words:
            syntax.refuse_option(words[0], parameters[0].pointer)
        return words
    if any(word.startswith(syntax.prefixes) for word in words):
        return ["--", *words]
    return words


def _write_argument(parameter: CommandParameter, value: Any, syntax: LineSyntax) -> Iterator[str]:
    for use in parameter.uses(value):
        for item, pointer in use:
            yield syntax.plain_word(item, parameter, pointer)


def _is_ambiguous(several: CommandParameter, parameter: CommandParameter, values: Mapping[str, Any]) -> bool:
    """Whether a value of a parameter could be one more of `several`, which stands before it."""
    if parameter.is_greedy:
        return parameter.key in values
    if parameter.required:  # exactly one, which is counted from the end
        return False
    return parameter.key in values or several.key in values
