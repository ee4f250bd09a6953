"""Reads trees of commands, for formats that describe command lines and are only read.

Such a description lists the parameters of each command and the commands below it. In the hub a group that can also be
called has the command `""` for that, because the options of a group belong to all commands below it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolglot.converter.formats.kit.parameters import LoadParameter, ParameterEntry, Style, collect, fields_of_inputs
from toolglot.converter.hub.model import INVENTED, JsonSchema, Tool
from toolglot.converter.text.pointers import as_list, escape, texts_of
from toolglot.converter.text.wording import join_names

UNKNOWN_PROGRAM = {"source": "inferred", "verified": False, INVENTED: True}
"""The trust in a description that does not say what its program is called: nobody runs a name that was made up."""


def reading_style(load: LoadParameter) -> Style:
    """The style of entries that are only read: each is kept as its source spells it."""
    return Style(frozenset(), load, lambda parameter, words: {})


def build_node(
    fields: dict[str, Any],
    children: tuple[Tool, ...],
    style: Style,
    own_entries: Sequence[ParameterEntry],
    shared_entries: Sequence[ParameterEntry] = (),
    *,
    is_closed: bool,
    is_called: bool,
    call: Mapping[str, Any] = {},
    is_root: bool = False,
) -> Tool:
    """The node of a command.

    Args:
        fields: hub fields about the command and everything below it.
        own_entries: parameters of the command itself.
        shared_entries: options that the commands below it have too.
        is_closed: whether it accepts only the listed parameters.
        is_called: whether it can be called, although it has no parameters of its own and has commands below it.
        call: hub fields about a call of the command itself.

    >>> style, below = reading_style(None), (Tool(id="a"),)
    >>> build_node({"id": "p"}, below, style, [], is_closed=False, is_called=True, call={"prompts": True}).children
    (Tool(id='a'), Tool(id='', inputs={'type': 'object', 'properties': {}}, prompts=True))
    """
    if not children:
        inputs_of_call = fields_of_inputs(*collect([*own_entries, *shared_entries], style), is_closed)
        return Tool(**fields, **call, **inputs_of_call)
    if not (own_entries or is_called):
        fields = {**call, **fields}
    else:
        texts = {"description": fields["description"]} if "description" in fields else {}
        inputs_of_call = fields_of_inputs(*collect(own_entries, style), is_closed)
        # At the end, so that the others keep their indexes.
        children = (*children, Tool(id="", **texts, **call, **inputs_of_call))
    if shared_entries:
        names = ("global_inputs", "global_bindings") if is_root else ("inputs", "bindings")
        fields.update(zip(names, collect(shared_entries, style), strict=True))
    return Tool(**fields, children=children)


def optional_value(schema: JsonSchema) -> JsonSchema:
    """The schema of an option whose value may be left out; without a value it is `true`.

    >>> optional_value({"type": "string"})
    {'type': ['string', 'boolean']}
    """
    if schema == {"type": "string"}:
        return {"type": ["string", "boolean"]}
    return {"anyOf": [schema, {"type": "boolean"}]}


def several_values(value: JsonSchema, least: int | None = None, most: int | None = None) -> JsonSchema:
    """The schema of a list of such values. A list with a lower bound above 1 need not repeat that it has one.

    >>> several_values({"type": "string"}, 1, 3)
    {'type': 'array', 'items': {'type': 'string'}, 'maxItems': 3}
    """
    schema: JsonSchema = {"type": "array", "items": value}
    if least is not None and least > 1:
        schema["minItems"] = least
    if most is not None and most > 0:
        schema["maxItems"] = most
    return schema


def stated_count(entry: Mapping[str, Any], key: str) -> int | None:
    """The whole number under a key of an entry; `None` where there is none."""
    value = entry.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def joined_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Flags whose values are joined to them, in the spelling of bindings: long flags end in `=`.

    >>> joined_flags(["-c", "--color"])
    ('-c', '--color=')
    """
    return tuple(f"{flag}=" if flag.startswith("--") else flag for flag in flags)


def with_conditions(words: str | None, entry: Mapping[str, Any], sentences: Mapping[str, str]) -> str | None:
    """The description of a parameter, with its conditions on other parameters, which no field says.

    Args:
        sentences: key of the entry with the condition (a list of parameters, a text, or true) -> its sentence.

    >>> with_conditions("Where to.", {"requires": ["--format"]}, {"requires": "Needs {all}."})
    'Where to. Needs --format.'
    """
    said = [words or ""]
    for key, sentence in sentences.items():
        others = texts_of(as_list(entry.get(key)))
        names_none = entry.get(key) is True and "{" not in sentence
        if others or names_none:
            said.append(sentence.format(all=join_names(others), any=join_names(others, "or")))
    return " ".join(filter(None, said)) or words


def silent_parts(rest: Mapping[str, Any]) -> list[str]:
    """JSON Pointers of values that no field has taken and that say nothing, because they are off or empty.

    >>> silent_parts({"aliases": [], "isESM": True, "hasDynamicHelp": False})
    ['/aliases', '/hasDynamicHelp']
    """
    return [f"/{escape(key)}" for key, value in rest.items() if value is False or value == []]
