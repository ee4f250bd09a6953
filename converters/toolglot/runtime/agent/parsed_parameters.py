"""What the parsers of programs share: types of Python as JSON Schema, plain defaults, and parameters as inputs."""

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
TRUTH: JsonSchema = {"type": "string", "enum": ["true", "false"]}  # a word; a boolean is a flag without one
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
    """The flags of an option that a description can name.

    >>> usual_flags(["+w", "--write"])
    ('--write',)
    """
    return tuple(flag for flag in flags if flag.startswith("-"))


def schema_of_type(kind: Any) -> JsonSchema:
    """The values of a type of Python; of what is no type, or no type that is known, any text.

    >>> schema_of_type(int), schema_of_type(str.upper)
    ({'type': 'integer'}, {'type': 'string'})
    """
    if isinstance(kind, type):
        for base in kind.__mro__:
            if base in _TYPES:
                return _TYPES[base]
    return TEXT


def schema_of_choices(choices: Iterable[Any]) -> JsonSchema | None:
    """The values of a list of choices; `None` where one of them is no plain value, or they are too many.

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
    """A fixed number of values that stand behind each other."""
    first = words[0] if words else TEXT
    schema: JsonSchema = {"type": "array", "items": first}
    if any(word != first for word in words):
        schema = {"type": "array", "prefixItems": list(words), "items": False}
    return {**schema, "minItems": len(words), "maxItems": len(words)}


def _plain_default(value: Any) -> Any:
    """A default as JSON has it; `None` for what is none, is made by a function or is no plain value.

    >>> _plain_default(3), _plain_default(PurePath("a")), _plain_default([1, 2])
    (3, 'a', [1, 2])
    >>> _plain_default(print), _plain_default(())
    (None, None)

    A text that is the value of a variable of the environment belongs to this machine, and may be secret.
    """
    if isinstance(value, Enum) or is_of_this_machine(value):
        return None
    if isinstance(value, list | tuple):
        items = list(map(_plain_default, value))
        return None if None in items else items or None
    is_infinite = isinstance(value, float) and not math.isfinite(value)  # JSON has none
    if is_infinite or isinstance(value, PurePath | UUID | date | Decimal):
        return str(value)
    return value if isinstance(value, str | int | float) else None


def meaning_without_value(value: Any) -> str:
    """What the help says of an option whose value may be left out: the value that says the same, if it can be given.

    Args:
        value: what the program takes then.

    >>> meaning_without_value("auto"), meaning_without_value(print)
    ('Without a value it means "auto"', 'Can be given without a value')
    """
    plain_value = _plain_default(value)
    if isinstance(plain_value, str | int | float) and not isinstance(plain_value, bool):
        return f"Without a value it means {json.dumps(plain_value, ensure_ascii=False)}"
    return "Can be given without a value"


def is_of_this_machine(value: Any) -> bool:
    """Whether a value, or one of a list, is that of a variable of the environment."""
    if isinstance(value, list | tuple):
        return any(map(is_of_this_machine, value))
    # A shorter value, such as the "1" of SHLVL, is in nearly every environment, and nobody's.
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
        description: what its help says; what `schema` describes itself is added.
        env: the environment variables that can stand in for it, the one that counts first.
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
    if isinstance(default, bool) and schema.get("type") == "string":  # as it is typed
        words = ("true",) if default else ("false", "")
        default = next((word for word in words if word in schema.get("enum", ())), default)
    if default is not None and Schema(schema).refusal(default) is None:
        schema["default"] = default
    elif default is not None and schema != SWITCH:
        # It may be what the program makes of a word, which the schema does not take.
        sentences.append(f"The default is {default}")
    text = join_sentences(*sentences)
    if text:
        schema["description"] = text
    if required != (binding["kind"] == "argument"):  # which is usual
        binding["required"] = required
    return NamedParameter(name, schema, required, Binding(env=variable, **binding))


def join_sentences(*parts: str | None) -> str | None:
    """Texts behind each other; `None` where there is none.

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
    """A text without what colours it on a terminal.

    >>> without_terminal_codes("a \x1b[1mbold\x1b[0m word")
    'a bold word'
    """
    if "\x1b" not in text:
        return text
    return _TERMINAL_CODE.sub("", text)


def first_paragraph(text: str | None) -> str | None:
    """What help says first; the rest is for people at a terminal.

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
    """Parameters as the fields `inputs` and `bindings` of a tool; those of one name get keys of their own."""
    return fields_of_inputs(*join(by_own_keys(parameters)), is_closed)
