"""The positional arguments of a command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from itertools import chain

from toolglot.converter.hub.model import Arguments, Leaf, commands_below
from toolglot.converter.text.pointers import list_at
from toolglot.errors import ArgumentError
from toolglot.runtime.bridge.command_line.command_parameters import CommandParameter
from toolglot.runtime.bridge.command_line.line_syntax import LineSyntax


def further_commands(leaf: Leaf) -> frozenset[str]:
    """The names that the program would take for a further command in place of a positional argument."""
    if not leaf.ancestors:
        return frozenset(leaf.commands)
    return frozenset((*leaf.commands, *commands_below(leaf.ancestors[0], leaf.path[1:])))


def at_levels(positionals: Sequence[CommandParameter], leaf: Leaf, levels: int) -> list[list[CommandParameter]]:
    """For each word of the command its positional arguments: those of groups, and behind the last word its own.

    Raises:
        ArgumentError: the description names more arguments than there are, or other words.
    """
    behind = list_at(leaf.tool.syntax or {}, "behind")
    are_words = all(isinstance(level, int) and 0 <= level < levels for level in behind)
    if len(behind) > len(positionals) or not are_words:
        message = "the tool does not say where the arguments of its groups stand on its command line"
        raise ArgumentError(message, "no-binding")
    arguments: list[list[CommandParameter]] = [[] for _ in range(levels)]
    for index, parameter in enumerate(positionals):
        arguments[behind[index] if index < len(behind) else -1].append(parameter)
    return arguments


def write_positionals(
    parameters: Sequence[CommandParameter],
    values: Arguments,
    syntax: LineSyntax,
    commands: Container[str] = (),
    *,
    has_own_dashes: bool = False,
    needs_dashes: bool = False,
) -> list[str]:
    """The positional arguments in their order, behind `--` if one of them begins with a dash.

    Args:
        commands: names that the program would take for a further command.
        has_own_dashes: whether a `--` before them would count as one of them, or belongs to what follows.
        needs_dashes: whether they always stand behind `--`.

    Raises:
        ArgumentError: their order does not show which is which, or the program would take one of them for something
            else.
    """
    written = [list(_write_argument(parameter, values, syntax)) for parameter in parameters]
    _check_places(parameters, list(map(len, written)), syntax)
    with_pointers = list(chain.from_iterable(written))
    words = [word for word, _ in with_pointers]
    if with_pointers:
        _refuse_command(*with_pointers[0], commands)
    if has_own_dashes:
        _refuse_options(with_pointers, parameters, syntax)
        return words
    if words and (needs_dashes or any(word.startswith(syntax.prefixes) for word in words)):
        return ["--", *words]
    return words


def _refuse_options(
    words: Sequence[tuple[str, str]], parameters: Sequence[CommandParameter], syntax: LineSyntax
) -> None:
    """Refuse words that would be taken for an option, as far as options are read."""
    for word, pointer in words:
        if word == "--" and syntax.says("keeps_dashes"):
            return
        syntax.refuse_option(word, pointer)
        if syntax.lists("takes_rest", parameters[0]):
            return


def _refuse_command(word: str, pointer: str, commands: Container[str]) -> None:
    if word in commands:
        message = f"{word!r} is the name of a further command, which would run instead"
        raise ArgumentError(message, "names-a-command", pointer)


def _write_argument(parameter: CommandParameter, values: Arguments, syntax: LineSyntax) -> Iterator[tuple[str, str]]:
    """The words of one argument, each with the JSON Pointer of its value."""
    if parameter.key not in values:
        return
    use = list(chain.from_iterable(parameter.uses(values[parameter.key])))
    parameter.refuse_other_count(len(use))
    for item, pointer in use:
        yield syntax.plain_word(item, parameter, pointer), pointer


# -- which argument a word is for -----------------------------------------------------------------------------


def _fill_from_front(parameters: Sequence[CommandParameter], number: float, leaves_needed: bool) -> list[float]:
    """The number of words for each argument, if each takes as many as it may have, from the front.

    With `leaves_needed`, as in argparse, it leaves enough words for the arguments behind it; usage does not.
    """
    taken: list[float] = []
    for index, parameter in enumerate(parameters):
        needed = sum(other.words[0] for other in parameters[index + 1 :]) if leaves_needed else 0
        taken.append(max(0, min(parameter.words[1], number - sum(taken) - needed)))
    return taken


def _fill_in_order(parameters: Sequence[CommandParameter], number: float) -> list[float]:
    """The number of words for each argument in click, where no argument leaves words for those behind it.

    Arguments behind one that takes any number get their words from the end first.
    """
    count = len(parameters)
    greedy = next((index for index, parameter in enumerate(parameters) if parameter.is_greedy), count)
    taken: list[float] = [0] * count
    for index in (*range(greedy), *reversed(range(greedy + 1, count))):
        if not parameters[index].is_greedy:
            taken[index] = min(parameters[index].words[1], number - sum(taken))
    if greedy < count:
        taken[greedy] = number - sum(taken)
    return taken


_FILLS: dict[str, Callable[[Sequence[CommandParameter], float], list[float]]] = {
    "required-first": partial(_fill_from_front, leaves_needed=True),
    "in-order": _fill_in_order,
    "up-to-limits": partial(_fill_from_front, leaves_needed=False),
}


def _check_places(parameters: Sequence[CommandParameter], given: Sequence[int], syntax: LineSyntax) -> None:
    """Check that the program would give each argument the words that it has.

    Where the rule of the program is not stated, the rules of argparse and click have to agree.

    Raises:
        ArgumentError: the program would take a word for another argument.
    """
    names = [str(stated.get("fills")) for stated in syntax.stated]
    stated_rules = [_FILLS[name] for name in names if name in _FILLS]
    for fill in stated_rules[:1] or (_FILLS["required-first"], _FILLS["in-order"]):
        surplus = [taken - own for taken, own in zip(fill(parameters, sum(given)), given, strict=True)]
        taker = next((index for index, number in enumerate(surplus) if number > 0), None)
        if taker is not None:
            raise _misplaced(parameters, given, surplus, taker)


def _misplaced(
    parameters: Sequence[CommandParameter], given: Sequence[int], surplus: Sequence[float], taker: int
) -> ArgumentError:
    """The error for a word that the program would take for another argument.

    Args:
        surplus: for each argument, how many words too many the program would give it.
        taker: index of the argument that would get a word too many.
    """
    key = parameters[taker].key
    if parameters[taker].words[1] == math.inf:
        doubt = f"`{key}` takes any number of values, so that nobody could tell where this one begins"
        robbed = next(index for index, number in enumerate(surplus) if number < 0)
        return ArgumentError(doubt, "ambiguous-positionals", parameters[robbed].pointer)
    if any(surplus[:taker]):
        where, others = "behind", range(taker - 1, -1, -1)
    else:
        where, others = "before", range(taker + 1, len(given))
    message = f"it would be taken for `{key}`, which stands {where} it; give that all that it takes"
    robbed = next(index for index in others if given[index])
    return ArgumentError(message, "positional-gap", parameters[robbed].pointer)
