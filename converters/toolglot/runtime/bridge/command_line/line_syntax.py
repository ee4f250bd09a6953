"""How the words of a command line are read, and one value as a word of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolglot.converter.hub.model import Leaf
from toolglot.converter.schema.arguments import PATH_FORMATS
from toolglot.converter.text.pointers import texts_at
from toolglot.errors import ArgumentError
from toolglot.runtime.bridge.command_line.command_parameters import CommandParameter
from toolglot.runtime.bridge.command_line.written_values import write_word

FLAG = re.compile(r"-[!-,.-<>-~]|[+/]\w|(?:--?|\+\+?|/)[a-zA-Z0-9][\w.:+-]*=?", re.ASCII)
"""`-x`, `-word` and `--word`, which some programs begin with `+` or `/`.

A word ends with `=` where the program takes its value in no other way. What help pages write, such as `--output <file>`
or `--[no-]color`, is not something to put on a command line.
"""

FROM_FILE = "@"
"""With what many programs begin the name of a file whose lines they take for arguments."""

NEGATIVE_NUMBER = re.compile(r"-\d+|-\d*\.\d+", re.ASCII)
"""What looks like an option and is a number, unless the program has such an option."""


class LineSyntax(NamedTuple):
    """How the words of a command line are read.

    Attributes:
        stated: what is unusual, as the command and the groups above it state it in `Tool.syntax`: characters of
            `prefixes` begin an option, and of `response_files` the name of a file with more words; where it
            `keeps_dashes`, the `--` in front of the positional arguments would be one of them; where it
            `drops_dashes`, a value that is `--` is gone; `behind_dashes` are the arguments that stand behind a `--`,
            whatever stands in front of it; `plain_values` are options whose values may not look like an option; where
            it `takes_any_words`, several values behind one flag may; those of `takes_rest` take every word behind
            their first one, also what looks like an option; `opposites` are the flags of those that say the
            opposite of a switch; `fills` is the rule by which positional arguments get their words, and `behind` says
            of the first of them behind which word of the command line each stands.
        prefixes: what begins an option.
        response_files: what begins the name of a file with more words.
        has_numbers: whether `-1` is an option.
        shown: the command lines of the examples, one a line.
    """

    stated: tuple[Mapping[str, Any], ...]
    prefixes: tuple[str, ...]
    response_files: tuple[str, ...]
    has_numbers: bool
    shown: str

    @classmethod
    def of(cls, leaf: Leaf, parameters: Iterable[CommandParameter]) -> LineSyntax:
        flags = [flag for parameter in parameters for flag in parameter.binding.flags or () if FLAG.fullmatch(flag)]
        stated = tuple(node.syntax or {} for node in (leaf.tool, *leaf.ancestors))
        prefixes = ["-", *(flag[0] for flag in flags)]
        response_files: list[str] = []
        for syntax in stated:
            prefixes += str(syntax.get("prefixes", ""))
            response_files += str(syntax.get("response_files", ""))
        shown = "\n".join(example.command or "" for example in leaf.tool.examples or ())
        if not any(stated) and f" {FROM_FILE}" not in shown:
            response_files.append(FROM_FILE)  # nobody says that the program is none of those
        has_numbers = any(map(NEGATIVE_NUMBER.fullmatch, flags))
        return cls(stated, tuple(prefixes), tuple(response_files), has_numbers, shown)

    def says(self, key: str) -> bool:
        return any(syntax.get(key) is True for syntax in self.stated)

    def lists(self, key: str, parameter: CommandParameter) -> bool:
        return any(parameter.name in texts_at(syntax, key) for syntax in self.stated)

    def behind_dashes(self) -> list[str]:
        """The arguments of the command that stand behind `--`."""
        return texts_at(self.stated[0], "behind_dashes")

    def refuse_option(self, word: str, pointer: str) -> None:
        """Refuse a word that the program would take for an option.

        Raises:
            ArgumentError: it looks like one.
        """
        if word.startswith(self.prefixes):
            message = f"the program would take a value that begins with {word[0]} for an option here"
            raise ArgumentError(message, "looks-like-option", pointer)

    def word(self, value: Any, pointer: str) -> str:
        """A value as a word, which may be joined to a flag.

        Raises:
            ArgumentError: nothing can stand for it, or the program would drop it.
        """
        word = write_word(value, pointer)
        if word == "--" and self.says("drops_dashes"):
            raise ArgumentError("the program would drop a value that is `--`", "dropped-dashes", pointer)
        return word

    def plain_word(self, value: Any, parameter: CommandParameter, pointer: str) -> str:
        """A word that stands by itself.

        Raises:
            ArgumentError: the program would take it for the name of a file with more arguments.
        """
        word = self.word(value, pointer)
        if not word.startswith(self.response_files):
            return word
        if any(form.get("format") in PATH_FORMATS for form in (*parameter.forms, *parameter.items)):
            return f"./{word}"
        message = f"the program would read its arguments from a file where a value begins with {word[0]}"
        raise ArgumentError(message, "names-a-response-file", pointer)
