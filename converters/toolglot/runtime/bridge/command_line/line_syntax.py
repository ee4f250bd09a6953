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
    """How a program reads the words of a command line.

    Attributes:
        stated: the unusual rules in `Tool.syntax` of the command and the groups above it, by name:

            - `prefixes`: characters that begin an option.
            - `response_files`: characters that begin the name of a file with more words.
            - `keeps_dashes`: a `--` before the positional arguments counts as one of them.
            - `drops_dashes`: a value `--` is dropped.
            - `behind_dashes`: the arguments that stand behind a `--`, whatever stands before it.
            - `plain_values`: the options whose values must not look like an option.
            - `takes_any_words`: several values behind one flag may look like options.
            - `takes_rest`: the arguments that take every word behind their first one, also one like an option.
            - `opposites`: the flags for the opposite of a switch.
            - `fills`: the rule that divides words among positional arguments.
            - `behind`: for the first positional arguments, the word of the command behind which each stands.
        prefixes: the characters that begin an option.
        response_files: the characters that begin the name of a file with more words.
        has_numbers: whether `-1` is an option.
        shown: the command lines of the examples, one on each line.
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
            ArgumentError: no word stands for the value, or the program would drop the word.
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
