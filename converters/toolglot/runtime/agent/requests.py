"""Finds `--agent` among the words of a command line, and reads what is asked for behind it.

A word `--agent` may also be the value of an option, a word of a command, or stand behind `--`; then it is not ours. So
the words are read as the program reads its own options. Words that cannot be read so are left to the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolglot.errors import UsageError
from toolglot.runtime.agent.flag import FLAG

MANY = 1_000_000  # more words than a command line has


class Values(NamedTuple):
    """How many words behind an option are its values.

    Attributes:
        needed: the number of words that are taken whatever they look like.
        more: the greatest number of further words, which are taken until one looks like an option.
    """

    needed: int = 0
    more: int = 0


class Grammar(NamedTuple):
    """How a program reads its own options.

    Attributes:
        options: flag -> its values.
        interspersed: whether options may stand behind positional arguments.
        abbreviates: whether a long flag may be cut short, as `--verb` for `--verbose`.
    """

    options: Mapping[str, Values]
    interspersed: bool = True
    abbreviates: bool = False

    def values_of(self, flag: str) -> Values | None:
        """The values of a flag; `None` where the program has no such flag, or an abbreviation fits several."""
        if flag in self.options or not self.abbreviates:
            return self.options.get(flag)
        candidates = [name for name in self.options if name.startswith(flag)]
        if len(candidates) == 1:
            return self.options[candidates[0]]
        return None


class PartRequest(NamedTuple):
    """Which part of a description is asked for; the whole by default.

    Attributes:
        commands: names of commands of the program; empty for all.
        depth: how many levels of commands are shown; `None` for all.
    """

    commands: tuple[str, ...] = ()
    depth: int | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The request as words of a command line.

        >>> PartRequest(("get", "set"), 1).words
        ('--agent', '--commands=get,set', '--depth=1')
        """
        words = [FLAG]
        if self.commands:
            words.append(f"--commands={','.join(self.commands)}")
        if self.depth is not None:
            words.append(f"--depth={self.depth}")
        return tuple(words)

    @property
    def is_partial(self) -> bool:
        return self != WHOLE


WHOLE = PartRequest()


def find_request(words: Sequence[str], grammar: Grammar) -> PartRequest | None:
    """What `--agent` asks for; `None` where no word is the program's own option `--agent`.

    Raises:
        UsageError: the words behind it are no request.

    >>> grammar = Grammar({"--config": Values(1)}, interspersed=False)
    >>> find_request(["--config", "a", "--agent", "--depth", "2"], grammar)
    PartRequest(commands=(), depth=2)
    >>> find_request(["--config", "--agent"], grammar), find_request(["run", "--agent"], grammar)
    (None, None)
    """
    prefixes = {flag[0] for flag in (*grammar.options, FLAG)}
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == FLAG:
            return _parse_request(words[index:])
        if word == "--":
            return None
        if word[:1] not in prefixes or len(word) == 1:
            if not grammar.interspersed:
                return None
            continue
        values = _values_behind(word, grammar)
        if values is None:
            return None
        index += values.needed
        for more in words[index : index + values.more]:
            if more[:1] in prefixes and len(more) > 1:
                break
            index += 1
    return None


def _values_behind(word: str, grammar: Grammar) -> Values | None:
    """The values that follow a word that looks like an option; `None` where the program has no such option."""
    values = grammar.values_of(word)
    if values is not None:
        return values
    flag, separator, _ = word.partition("=")
    if separator:
        values = grammar.values_of(flag)
        if values is not None:
            return Values(max(values.needed - 1, 0))
    if word[1] == word[0]:
        return None
    for place, letter in enumerate(word[1:], 1):  # short options in one word: `-vo FILE`, `-voFILE`
        values = grammar.options.get(word[0] + letter)
        if values is None or place == len(word) - 1:
            return values
        if values != Values():
            return Values(max(values.needed - 1, 0))
    return None


def _parse_request(words: Sequence[str]) -> PartRequest:
    """What the words behind `--agent` ask for."""
    request = WHOLE
    rest = iter(words)
    for word in rest:
        option, separator, value = word.partition("=")
        if option not in ("--commands", "--depth"):
            raise UsageError(f"{FLAG} takes --commands NAME,... and --depth N, not {word!r}", code="bad-option")
        text = value if separator else next(rest, None)
        if text is None:
            raise UsageError(f"{option} needs a value", code="bad-option")
        if option == "--depth":
            if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
                raise UsageError(f"--depth is a number of levels, 1 or more, not {text!r}", code="bad-option")
            request = request._replace(depth=int(text))
        else:
            names = tuple(name.strip() for name in text.split(","))
            if not all(names):
                message = f"--commands is a list of names such as add,list, not {text!r}"
                raise UsageError(message, code="bad-option")
            request = request._replace(commands=names)
    return request
