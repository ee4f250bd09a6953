"""What the readers of all three frameworks share: Python types as JSON Schema, defaults, texts, parameters."""

from __future__ import annotations

import inspect
import json
import math
import os
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from toolglot.converter.formats.kit.parameters import NamedParameter, by_own_keys, fields_of_inputs, join
from toolglot.converter.hub.model import Binding, JsonSchema
from toolglot.converter.schema.arguments import Schema

FILE: JsonSchema = {"type": "string", "format": "file-path"}
DIRECTORY: JsonSchema = {"type": "string", "format": "directory-path"}
TEXT: JsonSchema = {"type": "string"}
SWITCH: JsonSchema = {"type": "boolean"}
TRUTH: JsonSchema = {"type": "string", "enum": ["true", "false"]}  # typed as a word; `SWITCH` is a flag without one
TRUTH_OF_TEXT: JsonSchema = {"type": "string", "enum": ["true", ""], "description": "The empty text means false"}
UNNAMED = "a description has flags that begin with -"  # ATIP, option: `flags`
_TYPES: dict[type, JsonSchema] = {
    bool: TRUTH,
    int: {"type": "integer"},
    float: {"type": "number"},
    Decimal: {"type": "number"},
    PurePath: FILE,
    UUID: {"type": "string", "format": "uuid"},
}
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*\Z", re.ASCII)
_TERMINAL_CODE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_MOST_CHOICES = 1_000


def usual_flags(flags: Iterable[str]) -> tuple[str, ...]:
    """The flags of an option that a description can name: those that begin with `-`.

    >>> usual_flags(["+w", "--write"])
    ('--write',)
    """
    return tuple(flag for flag in flags if flag.startswith("-"))


def schema_of_type(kind: Any) -> JsonSchema:
    """The values of a Python type; for an unknown type, and for what is no type, any text.

    >>> schema_of_type(int), schema_of_type(str.upper)
    ({'type': 'integer'}, {'type': 'string'})
    """
    if isinstance(kind, type):
        for base in kind.__mro__:
            if base in _TYPES:
                return _TYPES[base]
    return TEXT


def schema_of_choices(choices: Iterable[Any]) -> JsonSchema | None:
    """The values of a list of choices; `None` where they are too many, or not all texts or all numbers.

    >>> schema_of_choices(["json", "text"]), schema_of_choices(range(1, 4))
    ({'type': 'string', 'enum': ['json', 'text']}, {'type': 'integer', 'minimum': 1, 'maximum': 3})
    """
    if isinstance(choices, range):
        if not choices or choices.step != 1:
            return None
        return {"type": "integer", "minimum": choices[0], "maximum": choices[-1]}
    if not isinstance(choices, list | tuple | dict | set | frozenset) or not 0 < len(choices) <= _MOST_CHOICES:
        return None
    kinds = set(map(type, choices))
    if isinstance(choices, set | frozenset) and kinds == {str}:
        choices = sorted(choices)
    for name, kinds_of_name in (("string", {str}), ("integer", {int}), ("number", {int, float})):
        if kinds <= kinds_of_name:
            return {"type": name, "enum": list(choices)}
    return None


def schema_of_words(words: Sequence[JsonSchema]) -> JsonSchema:
    """The schema of an option or argument that takes a fixed number of words.

    Args:
        words: the schema of each word.
    """
    first = words[0] if words else TEXT
    schema: JsonSchema = {"type": "array", "items": first}
    if any(word != first for word in words):
        schema = {"type": "array", "prefixItems": list(words), "items": False}
    return {**schema, "minItems": len(words), "maxItems": len(words)}


def _plain_default(value: Any) -> Any:
    """A default as JSON; `None` where there is none, where a function makes it, or where JSON has no such value.

    >>> _plain_default(3), _plain_default(PurePath("a")), _plain_default([1, 2])
    (3, 'a', [1, 2])
    >>> _plain_default(print), _plain_default(())
    (None, None)

    `None` also for the value of an environment variable: it belongs to this machine, and may be secret.
    """
    if isinstance(value, Enum) or is_of_this_machine(value):
        return None
    if isinstance(value, list | tuple):
        items = list(map(_plain_default, value))
        return None if None in items else items or None
    is_infinite = isinstance(value, float) and not math.isfinite(value)  # JSON has no such number
    if is_infinite or isinstance(value, PurePath | UUID | date | Decimal):
        return str(value)
    return value if isinstance(value, str | int | float) else None


def meaning_without_value(value: Any) -> str:
    """The sentence about an option whose value may be left out: it names the value that means the same, if it can.

    Args:
        value: what the program takes where the option has no value.

    >>> meaning_without_value("auto"), meaning_without_value(print)
    ('Without a value it means "auto"', 'Can be given without a value')
    """
    plain_value = _plain_default(value)
    if isinstance(plain_value, str | int | float) and not isinstance(plain_value, bool):
        return f"Without a value it means {json.dumps(plain_value, ensure_ascii=False)}"
    return "Can be given without a value"


def is_of_this_machine(value: Any) -> bool:
    """Whether a value, or one value of a list, is that of an environment variable."""
    if isinstance(value, list | tuple):
        return any(map(is_of_this_machine, value))
    # Shorter values, such as the "1" of SHLVL, are in nearly every environment, and tell nothing about this one.
    return isinstance(value, str) and len(value) > 2 and value in os.environ.values()


def named_parameter(
    name: str,
    schema: JsonSchema,
    description: str | None,
    default: Any,
    required: bool,
    env: Sequence[str],
    **binding: Any,
) -> NamedParameter:
    """A parameter of a command.

    Args:
        description: its help; the description in `schema` is added.
        env: the environment variables that the program reads instead, in the order in which they count.
        binding: the other fields of its binding.
    """
    schema = dict(schema)
    if schema.get("type") == "array":
        binding["variadic"] = True
    variable = next(filter(_VARIABLE.match, env), None)
    sentences = [description, schema.pop("description", None)]
    other_variables = [word for word in env if word != variable]
    if other_variables:
        sentences.append(f"Also taken from the environment variable {' or '.join(other_variables)}")
    default = None if required else _plain_default(default)
    if isinstance(default, bool) and schema.get("type") == "string":  # the default is the word that people would type
        words = ("true",) if default else ("false", "")
        default = next((word for word in words if word in schema.get("enum", ())), default)
    if default is not None and Schema(schema).refusal(default) is None:
        schema["default"] = default
    elif default is not None and schema != SWITCH:
        # The schema is of the word that is typed; the default may be what the program makes of such a word.
        sentences.append(f"The default is {default}")
    text = join_sentences(*sentences)
    if text:
        schema["description"] = text
    if required != (binding["kind"] == "argument"):  # usually arguments are required and options are not
        binding["required"] = required
    return NamedParameter(name, schema, required, Binding(env=variable, **binding))


def join_sentences(*parts: str | None) -> str | None:
    """Texts as one line, each with its full stop; `None` where all are empty.

    >>> join_sentences("How many", None, "Can be repeated.")
    'How many. Can be repeated.'
    """
    texts: list[str] = []
    for part in parts:
        words = without_terminal_codes(part or "").split()
        if words:
            texts.append(" ".join(words))
    for index, text in enumerate(texts[:-1]):
        if text[-1] not in ".!?:)":
            texts[index] = f"{text}."
    return " ".join(texts) or None


def without_terminal_codes(text: str) -> str:
    """A text without the escape codes that colour it on a terminal.

    >>> without_terminal_codes("a \x1b[1mbold\x1b[0m word")
    'a bold word'
    """
    if "\x1b" not in text:
        return text
    return _TERMINAL_CODE.sub("", text)


def first_paragraph(text: str | None) -> str | None:
    """The first paragraph of a help text, as one line; the rest is for people at a terminal.

    >>> first_paragraph("Add a note.\\n\\nNotes are kept in the folder.\\f Not shown.")
    'Add a note.'
    """
    help_text = without_terminal_codes(inspect.cleandoc(text or "").partition("\f")[0])
    for paragraph in re.split(r"\n[ \t]*\n", help_text):
        words = paragraph.replace("\b", " ").split()
        if words:
            return " ".join(words)
    return None


def collect_parameters(parameters: Iterable[NamedParameter], is_closed: bool) -> dict[str, Any]:
    """Parameters as the fields `inputs` and `bindings` of a tool; parameters of the same name get different keys."""
    return fields_of_inputs(*join(by_own_keys(parameters)), is_closed)
