"""Reads the arguments out of a command line, for formats whose examples have arguments."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from toolglot.converter.hub.model import Binding, Tool
from toolglot.converter.text.pointers import mapping_at

_PARTS = {"integer": int, "number": float, "boolean": bool}  # any other value is the word as it stands
_OF_SHELL = tuple("<>|&;$`(")  # how a word begins that a shell would not hand to the program as it stands


def arguments_of_line(line: str, tool: Tool, path: str) -> dict[str, Any] | None:
    """The arguments of a command line; `None` where a word of it is ambiguous.

    Args:
        tool: the command, with the options of its groups.
        path: the words of the command, joined by `_`.

    >>> inputs = {"properties": {"title": {"type": "string"}, "limit": {"type": "integer"}}}
    >>> bindings = {"title": Binding(kind="argument"), "limit": Binding(kind="option", flags=("-n", "--limit"))}
    >>> tool = Tool(id="notes_add", inputs=inputs, bindings=bindings)
    >>> arguments_of_line("notes add 'a day' -n 3", tool, "notes_add")
    {'limit': 3, 'title': 'a day'}
    >>> [arguments_of_line(f"notes add {rest}", tool, "notes_add") for rest in ("a|less", "-n many", "a b", "'")]
    [None, None, None, None]
    """
    bindings = tool.bindings or {}
    schemas = {name: mapping_at(mapping_at(tool.inputs or {}, "properties"), name) for name in bindings}
    flags = {flag: name for name, binding in bindings.items() for flag in binding.flags or ()}
    arguments: dict[str, Any] = {}
    words = shlex.shlex(line, posix=True, punctuation_chars=True)  # `;` and the like are words of their own
    words.whitespace_split, words.commenters = True, ""
    plain: list[str] = []
    try:
        for word in words:
            flag, sign, value = word.partition("=")
            if flag not in flags:
                plain.append(word)
                continue
            schema = schemas[flags[flag]]
            if not sign:
                value = "true" if schema.get("type") == "boolean" else next(words, "")
            _add(arguments, flags[flag], schema, value)
        for name, value in _positionals(plain, bindings, path):
            _add(arguments, name, schemas[name], value)
    except (ValueError, msgspec.ValidationError):  # an open quotation mark, or a word that is no such number
        return None
    return arguments


def _add(arguments: dict[str, Any], name: str, schema: dict[str, Any], word: str) -> None:
    """Add the value of a word.

    Raises:
        ValueError: the word is empty, no value of the schema, or something for a shell.
    """
    if not word or word.startswith(_OF_SHELL):
        raise ValueError(word)
    if schema.get("type") == "array":
        arguments.setdefault(name, []).append(_value(mapping_at(schema, "items"), word))
    elif name in arguments:
        raise ValueError(name)
    else:
        arguments[name] = _value(schema, word)


def _value(schema: dict[str, Any], word: str) -> Any:
    return msgspec.convert(word, _PARTS.get(str(schema.get("type")), str), strict=False)


def _positionals(words: list[str], bindings: dict[str, Binding], path: str) -> Iterator[tuple[str, str]]:
    """The words after the command, each behind the argument that takes it.

    Raises:
        ValueError: the words call another command, are too many, or look like an option.
    """
    rest = words.copy()
    command: list[str] = []
    while rest and "_".join(command) != path:
        command.append(rest.pop(0))
    names = [name for name, binding in bindings.items() if binding.kind == "argument"]
    if names and bindings[names[-1]].variadic:
        names += names[-1:] * (len(rest) - len(names))
    if "_".join(command) != path or len(rest) > len(names) or any(word.startswith("-") for word in rest):
        raise ValueError(words)
    return zip(names, rest, strict=False)
