"""The options of a command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from toolglot.converter.hub.model import Arguments
from toolglot.converter.text.pointers import mapping_at
from toolglot.errors import ArgumentError
from toolglot.runtime.bridge.command_line.command_parameters import CommandParameter
from toolglot.runtime.bridge.command_line.line_syntax import FLAG, FROM_FILE, NEGATIVE_NUMBER, LineSyntax
from toolglot.runtime.bridge.command_line.written_values import to_compact_json


class WrittenOption(NamedTuple):
    """An option on the command line.

    Attributes:
        words: the flags and values.
        joined: the same with every value joined to its flag; `None` where that is impossible.
        is_greedy: whether the program would take following words for further values.
        takes_rest: whether it would take following options for values as well.
    """

    parameter: CommandParameter
    words: list[str]
    joined: list[str] | None
    is_greedy: bool
    takes_rest: bool = False


def write_options(
    parameters: Iterable[CommandParameter],
    values: Arguments,
    syntax: LineSyntax,
) -> list[WrittenOption]:
    """The options of one level that stand on the command line."""
    parameters = list(parameters)
    owners = Counter(flag for parameter in parameters for flag in set(parameter.binding.flags or ()))
    options: list[WrittenOption] = []
    for parameter in parameters:
        if parameter.key in values:
            flags = _flags(parameter, owners)
            option = _write_option(parameter, flags, values[parameter.key], syntax)
            if syntax.lists("takes_rest", parameter):  # of what is joined no further word is a value
                option = option._replace(words=option.joined or option.words, takes_rest=not option.joined)
            if option.words:
                options.append(option)
    return options


def _write_option(parameter: CommandParameter, flags: Sequence[str], value: Any, syntax: LineSyntax) -> WrittenOption:
    words: list[str] = []
    joined: list[str] | None = []
    is_greedy = False
    for use in parameter.uses(value):
        parameter.refuse_other_count(len(use))
        item, pointer = use[0]
        if isinstance(item, bool):
            words += _write_switch(parameter, flags, item, isinstance(value, list), syntax)
            continue
        is_greedy = parameter.is_greedy
        if len(use) > 1:
            words += [flags[0].removesuffix("="), *_write_together(parameter, use, syntax)]
            joined = None
            continue
        text = syntax.word(item, pointer)
        if syntax.lists("plain_values", parameter):
            syntax.refuse_option(text, pointer)
        words += _write_valued(parameter, flags, text, syntax)
        # To some programs `-e=` is an empty value.
        if joined is not None and (len(flags[0]) > 2 or text[:1] not in ("", "=")):
            joined.append(_joined(flags[0], text))
        else:
            joined = None
    return WrittenOption(parameter, words, joined, is_greedy)


def _write_together(parameter: CommandParameter, use: Sequence[tuple[Any, str]], syntax: LineSyntax) -> Iterator[str]:
    """The words of several values behind one flag.

    Raises:
        ArgumentError: one of them would be taken for an option.
    """
    takes_options = syntax.says("takes_any_words") or syntax.lists("takes_rest", parameter)
    for item, pointer in use:
        word = syntax.plain_word(item, parameter, pointer)
        is_number = not syntax.has_numbers and NEGATIVE_NUMBER.fullmatch(word)
        if not is_number and not takes_options:
            syntax.refuse_option(word, pointer)
        yield word


def words_of(options: Iterable[WrittenOption]) -> list[str]:
    """The words of several options in their order."""
    return [word for option in options for word in option.words]


def rest_last(options: Iterable[WrittenOption]) -> list[WrittenOption]:
    """The options, with the one that takes all following words moved to the end.

    Raises:
        ArgumentError: two options take all following words.
    """
    ordered = sorted(options, key=lambda option: option.takes_rest)
    for option in ordered[:-1]:
        if option.takes_rest:
            raise _swallowing(option)
    return ordered


def before_words(options: Iterable[WrittenOption]) -> list[str]:
    """The words of options before other words, such that no option takes one of these as a value, without `--`.

    Raises:
        ArgumentError: the options cannot be written in such a way.
    """
    ordered = rest_last(sorted(options, key=lambda option: not option.is_greedy))
    if not ordered or not ordered[-1].is_greedy:
        return words_of(ordered)
    last = ordered[-1]
    if last.joined is None:
        raise _swallowing(last)
    return [*words_of(ordered[:-1]), *last.joined]


def _swallowing(option: WrittenOption) -> ArgumentError:
    message = "it would take the words behind it for more of its values; give one value, or another option as well"
    return ArgumentError(message, "greedy-option", option.parameter.pointer)


def _flags(parameter: CommandParameter, owners: Mapping[str, int]) -> list[str]:
    """The flags that can be written, long ones first, because these can hold any value and explain themselves.

    Args:
        owners: flag -> number of options at the level that have it.
    """
    if parameter.binding.kind != "option":
        message = "the tool does not say where this stands on its command line"
        raise ArgumentError(message, "no-binding", parameter.pointer)
    usable = [flag for flag in parameter.binding.flags or () if FLAG.fullmatch(flag)]
    if not usable:
        raise ArgumentError("the option has no flag that can be written, such as --name", "no-flag", parameter.pointer)
    own = [flag for flag in usable if owners[flag] == 1]
    if not own:
        message = f"another option has its flag {usable[0]} as well, so that nobody could tell which is meant"
        raise ArgumentError(message, "shared-flag", parameter.pointer)
    return sorted(own, key=lambda flag: (not flag.startswith("--"), len(flag) == 2))


def _write_switch(
    parameter: CommandParameter, flags: Sequence[str], value: bool, repeats: bool, syntax: LineSyntax
) -> list[str]:
    """The flag for a boolean; empty for the value that holds without a flag.

    `--no-x` is the opposite of `--x`. Without an `--x` it is a flag like any other, unless its parameter is `x` and is
    on by default.
    """
    if not parameter.is_flag:
        message = "the tool does not say whether this is a flag or takes a value"
        raise ArgumentError(message, "unknown-type", parameter.pointer)
    on_by_default = parameter.default is True
    names = set(flags)
    if on_by_default:
        names.add(f"--{parameter.name}")
    for flag in flags:
        is_opposite = flag.startswith("--no-") and f"--{flag[5:]}" in names
        if is_opposite is not value and not flag.endswith("="):
            return [flag]
    for stated in syntax.stated:
        opposite = mapping_at(stated, "opposites").get(parameter.name)
        may_be_on = on_by_default or parameter.binding.env is not None
        if may_be_on and not value and isinstance(opposite, str) and FLAG.fullmatch(opposite):
            return [opposite]
    if repeats or value is not on_by_default:
        message = f"the option has no flag that says {to_compact_json(value)}"
        raise ArgumentError(message, "no-flag", parameter.pointer)
    return []


def _write_valued(
    parameter: CommandParameter,
    flags: Sequence[str],
    value: str,
    syntax: LineSyntax,
) -> list[str]:
    """A flag and its value as two words, or joined in one.

    They are joined where the value begins like an option or a response file, where the value may be left out
    (`--color=always` beside `--color`), and where the examples of the description join them.
    """
    flag = flags[0]
    is_special = value.startswith((FROM_FILE, *syntax.prefixes, *syntax.response_files))
    if len(flag) == 2:
        if parameter.is_flag:
            message = "a short flag whose value may be left out would take the next word for it; it needs a long flag"
            raise ArgumentError(message, "no-flag", parameter.pointer)
        return [_joined(flag, value)] if is_special else [flag, value]
    name = flag.removesuffix("=")
    shown_joined = f" {name}=" in syntax.shown
    if name != flag or parameter.is_flag or shown_joined or is_special:
        return [_joined(flag, value)]
    return [name, value]


def _joined(flag: str, value: str) -> str:
    if len(flag) == 2:
        return flag + value
    return f"{flag.removesuffix('=')}={value}"
