"""Trees of commands as descriptions of command lines have them, read into the hub; nothing is written in their formats.

Such a description lists for each command its parameters and the commands below it. In the hub a group that can be
called by itself has the command `""` for that, because the options of a group belong to all commands below it.
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
    """The style of entries that are only read: all of them are kept as they are spelled."""
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
        fields: of the hub, about the command and everything below it.
        own_entries: parameters of a call of the command itself.
        shared_entries: options that the commands below it take too.
        is_closed: whether it takes nothing but what is listed.
        is_called: whether it can be called by itself, though it has no parameters of its own and commands below it.
        call: fields of the hub, about a call of the command itself.

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
    """What an option takes whose value may be left out: alone it is `true`.

    >>> optional_value({"type": "string"})
    {'type': ['string', 'boolean']}
    """
    if schema == {"type": "string"}:
        return {"type": ["string", "boolean"]}
    return {"anyOf": [schema, {"type": "boolean"}]}


def several_values(value: JsonSchema, least: int | None = None, most: int | None = None) -> JsonSchema:
    """A list of such values; one that has to have some need not say that it has one.

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
    """The whole number of an entry under a key; `None` where there is none, or something else."""
    value = entry.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def joined_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Flags whose values are joined to them, as bindings state that: the long ones end in `=`.

    >>> joined_flags(["-c", "--color"])
    ('-c', '--color=')
    """
    return tuple(f"{flag}=" if flag.startswith("--") else flag for flag in flags)


def with_conditions(words: str | None, entry: Mapping[str, Any], sentences: Mapping[str, str]) -> str | None:
    """The description of a parameter, with what it demands of others: no field says that.

    Args:
        sentences: the key of the entry that lists the others, is a text, or is true -> what that means.

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
    """Of what no field has taken, what is off or empty, and so says nothing: JSON Pointers.

    >>> silent_parts({"aliases": [], "isESM": True, "hasDynamicHelp": False})
    ['/aliases', '/hasDynamicHelp']
    """
    return [f"/{escape(key)}" for key, value in rest.items() if value is False or value == []]
