"""Positional arguments and flags of a command as JSON Schema properties with their bindings, and back.

A type word and a list of choices state most of what real programs need. Other constraints (a range, a date, the
properties of an object) are words at the end of the description, as in `kit.description.schema_tail`; a value that no
type word fits is a string that holds JSON. ATIP 0.1.0 has a key `schema` for constraints: it is read, and written back
for the parameters that had it. A parameter without a description gets the words of its name and a mark, by which it is
read back without one.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.formats.kit.description.schema_tail import may_have_tail, tail, tails, with_tail
from toolglot.converter.formats.kit.parameters import (
    UNDESCRIBED,
    NamedParameter,
    ParameterEntry,
    Style,
    allowed_types,
    alternatives_of,
    collect,
    distribute,
    fields_of_inputs,
    stated_bool,
    stated_text,
    stated_texts,
    take_title,
)
from toolglot.converter.formats.kit.suppositions import MARK, with_mark
from toolglot.converter.formats.kit.tool_ids import fit_id
from toolglot.converter.hub.model import Binding, JsonSchema, Tool
from toolglot.converter.schema.json_values import with_proven_type
from toolglot.converter.schema.titles import parts_of_name, title_of_name
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import is_texts, mapping_at, only_keys, without_empty

_TYPES: dict[str, JsonSchema] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "file": {"type": "string", "format": "file-path"},
    "directory": {"type": "string", "format": "directory-path"},
    "url": {"type": "string", "format": "uri"},
    "enum": {"type": "string"},  # without its list it is still a text on the command line
    "array": {"type": "array", "items": {"type": "string"}},  # specs 3.6 row 21: there is no word for the items
}
_PLAIN = [_TYPES[word] for word in ("string", "boolean", "integer", "number")]  # the schemas of most parameters
_FORMATS = {form["format"]: word for word, form in _TYPES.items() if "format" in form}  # `format` -> type word

_SPECIAL = ("", "-", "@")  # first characters of a word that a program may take for something else
_MARKED = {MARK: ["description"]}  # toolglot's data in an entry whose description is made of its name
_TOGETHER = "x-together"

SLOT = ("x-toolglot",)
"""The keys that lead to toolglot's own data, in a record and in an entry of a parameter."""


# -- reading ------------------------------------------------------------------------------------------------


def _load_parameter(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    stated_schema = entry.get("schema")
    schema = dict(stated_schema) if isinstance(stated_schema, dict) else _schema_of_entry(entry)
    variadic = stated_bool(entry, "variadic")
    words, stand_in = entry.get("description"), None
    made_words = title_of_name(entry["name"]) if entry.get(SLOT[0]) == _MARKED else None
    if isinstance(words, str) and (made_words is not None or may_have_tail(words)):
        if words == made_words:
            words, stand_in = None, words
        elif not isinstance(stated_schema, dict):
            parsed_description = _parse_description(entry, schema, made_words)
            if parsed_description is not None:
                words, stand_in, schema, variadic = parsed_description
    if isinstance(words, str):
        schema["description"] = words
    if "default" in entry:
        schema["default"] = entry["default"]
    stated_required = stated_bool(entry, "required")
    required = stated_required if stated_required is not None else kind == "argument"
    binding = Binding(
        kind=kind,
        required=stated_required,
        variadic=variadic,
        hidden=stated_bool(entry, "hidden"),
        together=stated_bool(entry, _TOGETHER),
        env=stated_text(entry, "envVar"),
        flags=_stated_flags(entry, kind),
        excludes=stated_texts(entry, "exclusive"),
        stand_in=stand_in,
    )
    return NamedParameter(entry["name"], schema, required, binding)


def _stated_flags(entry: dict[str, Any], kind: str | None) -> tuple[str, ...] | None:
    """The flags of an option. A text with flags, or a flag as its name, is a fault, but it is clear what is meant.

    >>> _stated_flags({"name": "force", "flags": "-f, --force"}, "option"), _stated_flags({"name": "-f"}, "option")
    (('-f', '--force'), ('-f',))
    """
    flags = stated_texts(entry, "flags")
    if flags is not None or kind != "option":
        return flags
    words = (stated_text(entry, "flags", "name") or "").replace(",", " ").split()
    if not words or not all(word.startswith("-") and word.strip("-") for word in words):
        return None
    return tuple(words)


def _schema_of_entry(entry: dict[str, Any]) -> JsonSchema:
    """The schema that an entry states without its description."""
    word = entry.get("type")
    schema = dict(_TYPES.get(word, {"type": word})) if isinstance(word, str) else {}
    if isinstance(entry.get("enum"), list):
        if word == "enum" and not is_texts(entry["enum"]):
            del schema["type"]
        schema["enum"] = entry["enum"]
    if isinstance(entry.get("pattern"), str):
        schema["pattern"] = entry["pattern"]
    if entry.get("variadic") is True and word != "array":
        return {"type": "array", "items": schema}
    return schema


class _ParsedDescription(NamedTuple):
    """What is read from a description.

    Attributes:
        description: the text before the constraints; `None` where it only stands in for one.
        stand_in: the text that stands in for a description; `None` where there is a description.
        schema: the schema with the constraints.
        variadic: whether the parameter takes several values; `None` where that is not stated.
    """

    description: str | None
    stand_in: str | None
    schema: JsonSchema
    variadic: bool | None


def _parse_description(
    entry: dict[str, Any],
    own_schema: JsonSchema,
    made_words: str | None = None,
    meaning: tuple[str, JsonSchema] | None = None,
) -> _ParsedDescription | None:
    """The text and the constraints of a description; `None` where it has no constraints.

    Words count as constraints only if the writer would write exactly them for the schema: all others are a person's.

    Args:
        own_schema: what the entry states without its description.
        made_words: the words of the name, where a mark says that they stand in for a text.
        meaning: the text and the schema that the words were just written for; they are not written again.
    """
    words, variadic = entry["description"], entry.get("variadic")
    type_of_entry = only_keys(entry, ("type", "enum", "variadic", "pattern"))
    for constraints in tails(words):
        schema = constraints.schema(own_schema)
        if "default" in constraints.more and _is_plain(constraints.more["default"]):
            continue  # the writer puts such a default under its own key
        spelling = _spell(schema, variadic)
        description: str | None = constraints.head
        stand_in = None
        if description == made_words:
            description, stand_in = None, constraints.head
        is_written = (description, schema) == meaning
        if spelling.entry == type_of_entry and (
            is_written or _description_with_type(constraints.head, schema, spelling) == words
        ):
            if constraints.in_json and schema.get("type") == "array":
                variadic = False
            return _ParsedDescription(description, stand_in, schema, variadic)
    return None


# -- writing ------------------------------------------------------------------------------------------------


class _SpelledType(msgspec.Struct, frozen=True):
    """How an entry states a schema.

    Attributes:
        entry: its `type`, `enum` and `variadic`.
        in_json: whether the value is given as JSON, because no type fits.
    """

    entry: dict[str, Any]
    in_json: bool = False


def _dump_parameter(parameter: NamedParameter, read_words: str | None) -> dict[str, Any]:
    """The entry of a parameter; `read_words` is the description that its document had."""
    binding, rest = parameter.binding, dict(parameter.schema)
    name = binding.name or parameter.name
    entry: dict[str, Any] = {"name": name}
    if binding.kind != "argument":
        entry["flags"] = [_flag(name)] if binding.flags is None else list(binding.flags)
    description = rest.pop("description") if isinstance(rest.get("description"), str) else None
    if "default" in rest and _is_plain(rest["default"]):
        default = {"default": rest.pop("default")}
    else:
        default = {}
    if "title" in rest:
        description = take_title(rest, description, name)
    if "type" not in rest:
        rest = with_proven_type(rest)
    if isinstance(rest.get("items"), dict):
        rest = {**rest, "items": with_proven_type(rest["items"])}
    spelling = _spell(rest, binding.variadic)
    entry["type"] = spelling.entry["type"]
    words = _description_with_type(description or title_of_name(name), rest, spelling)
    if description == "" and may_have_tail(words):
        description = None  # the constraints need a text before them, which is marked
    elif description == "":
        words = ""
    if words != read_words and _is_misread(words, description, rest, spelling):
        words = _description_with_type(f"{description}.", rest, spelling)
    entry["description"] = words
    if binding.kind is None or binding.required is not None or parameter.required != (binding.kind == "argument"):
        entry["required"] = parameter.required
    entry.update(default)
    entry.update(spelling.entry)
    if binding.env is not None:
        entry["envVar"] = binding.env
    if binding.hidden is not None:
        entry["hidden"] = binding.hidden
    if binding.together:
        entry[_TOGETHER] = True
    if binding.excludes is not None:
        entry["exclusive"] = list(binding.excludes)
    if description is None:
        return with_mark(entry, SLOT, _MARKED[MARK])
    return entry


def _flag(name: str) -> str:
    """A flag for a parameter without one, spelled as programs do.

    >>> _flag("product_url"), _flag("maxItems"), _flag("a.b")
    ('--product-url', '--max-items', '--a-b')
    """
    return "--" + fit_id("-".join(parts_of_name(name)).lower(), "a-z0-9-", 64, "option")


def entries_of(inputs: JsonSchema | None, bindings: dict[str, Binding] | None) -> list[tuple[Binding, dict[str, Any]]]:
    """The entries of parameters, each with its binding.

    Made-up flags that are equal are spelled like the names instead; if these are equal too, a digest tells them apart.

    >>> entries = entries_of({"properties": {"dry_run": {}, "dryRun": {}, "is_fast": {}, "$top": {}, "top": {}}}, None)
    >>> [entry["flags"] for _, entry in entries]
    [['--dry_run'], ['--dryRun'], ['--is-fast'], ['--top-81bf'], ['--top-2872']]
    """
    entries = distribute(inputs, bindings, STYLE)
    for has_digest in (False, True):
        owners = Counter(chain.from_iterable(entry.get("flags", ()) for _, entry in entries))
        for binding, entry in entries:
            if binding.flags is None and any(owners[flag] > 1 for flag in entry.get("flags", ())):
                flag = "--" + fit_id(entry["name"], "a-zA-Z0-9_.-", 64, "option")
                entry["flags"] = [f"{flag}-{hex_digest(entry['name'], 4)}" if has_digest else flag]
    return entries


def command_line(words: Iterable[str], parameters: dict[str, Any], arguments: dict[str, Any]) -> str | None:
    """The command line of a call; `None` where a program could misunderstand a value on it.

    Args:
        words: the program and its commands.
        parameters: the lists of entries, as `dump_parameters` returns them.
        arguments: parameter -> value.

    >>> parameters = {"arguments": [{"name": "n", "type": "integer"}]}
    >>> command_line(["post", "the note"], parameters, {"n": 3})
    "post 'the note' 3"
    """
    entries = list(chain.from_iterable(parameters.values()))
    if not arguments.keys() <= {entry["name"] for entry in entries}:
        return None
    options: list[str] = []
    positionals: list[str] = []
    for entry in entries:
        value = arguments.get(entry["name"], [])
        is_several = isinstance(value, list) and (entry["type"] == "array" or entry.get("variadic", not value))
        for item in value if is_several else [value]:
            word = item if isinstance(item, str) else json.dumps(item, separators=(",", ":"))
            if item is None or item is False or word[:1] in _SPECIAL:
                return None
            if "flags" not in entry:
                positionals.append(word)
            else:
                options += [max(entry["flags"], key=len), word][: 1 if item is True else 2]
    return shlex.join([*words, *options, *positionals])


def _is_plain(value: Any) -> bool:
    return not isinstance(value, list | dict)


def _description_with_type(head: str, schema: JsonSchema, spelling: _SpelledType) -> str:
    """The description, and after it the constraints that the type does not state."""
    own_schema = _schema_of_entry(spelling.entry)
    if schema == own_schema and not spelling.in_json:
        return head
    return with_tail(head, tail(schema, own_schema, in_json=spelling.in_json))


def _is_misread(words: str, description: str | None, schema: JsonSchema, spelling: _SpelledType) -> bool:
    """Whether a reader would take another description from the words than the one that they were written for."""
    if description is None or not may_have_tail(words):
        return False
    entry = {**spelling.entry, "description": words}
    parsed_description = _parse_description(entry, _schema_of_entry(entry), meaning=(description, schema))
    return parsed_description is not None and parsed_description.description != description


def _spell(schema: JsonSchema, variadic: bool | None) -> _SpelledType:
    """The type word, choices and `variadic` that come nearest to a schema."""
    if variadic is None and schema in _PLAIN:
        return _SpelledType({"type": schema["type"]})
    definitions = mapping_at(schema, "$defs")
    core = _deciding_schema(schema, definitions)
    kinds = allowed_types(core, definitions) - {"null"}
    if kinds == {"array"}:
        return _spell_list(core, variadic)
    if kinds & {"object", "array"}:
        return _SpelledType({"type": "string"}, in_json=True)
    entry: dict[str, Any] = {"type": _type_word(core, kinds)}
    values = core.get("enum")
    if isinstance(values, list):
        members = [value for value in values if value is not None]
    else:
        members = None
    if members is not None and all(
        isinstance(value, str | int | float) and not isinstance(value, bool) for value in members
    ):
        if is_texts(members) or len(kinds) > 1:
            entry["type"] = "enum"
        entry["enum"] = members
    if variadic is False:
        entry["variadic"] = False
    return _SpelledType(entry)


def _spell_list(schema: JsonSchema, variadic: bool | None) -> _SpelledType:
    """A list whose items one type word states is several values; any other list is one value in JSON."""
    items = schema.get("items", {"type": "string"})
    inner = _spell(items, None) if isinstance(items, dict) else _SpelledType({"type": "string"})
    one = {"variadic": False} if variadic is False else {}
    if inner.in_json or inner.entry["type"] == "array" or "variadic" in inner.entry or "prefixItems" in schema:
        return _SpelledType({"type": "string", **one}, in_json=True)
    if inner.entry == {"type": "string"} and variadic is not True:
        return _SpelledType({"type": "array", **one})
    if one:
        return _SpelledType({"type": "string", **one}, in_json=True)
    return _SpelledType({**inner.entry, "variadic": True})


def _type_word(schema: JsonSchema, kinds: set[str]) -> str:
    if kinds <= {"integer", "number"} and kinds:
        return "number" if "number" in kinds else "integer"
    if kinds == {"boolean"}:
        return "boolean"
    form = schema.get("format") if kinds == {"string"} else None
    return _FORMATS.get(form, "string") if isinstance(form, str) else "string"


_MOST_REFERENCES = 8  # references that are followed


def _deciding_schema(schema: JsonSchema, definitions: JsonSchema) -> JsonSchema:
    """The schema that decides on the type word: behind references, and the only alternative beside null."""
    node = schema
    for _ in range(_MOST_REFERENCES):
        if "type" in node:
            return node
        others = [item for item in alternatives_of(node, definitions) if item != {"type": "null"}]
        if len(others) != 1 or not isinstance(others[0], dict):
            return node
        node = others[0]
    return {}


STYLE = Style(frozenset({"argument", "option"}), _load_parameter, _dump_parameter)


def take_parameters(rest: dict[str, Any]) -> dict[str, Any]:
    """The command's own inputs, taken out of `rest`. Absent lists state nothing; an empty list states "none"."""
    is_closed = "arguments" in rest or "options" in rest
    entries: list[ParameterEntry] = []
    for kind in ("argument", "option"):
        key = f"{kind}s"
        if rest.get(key):  # an empty list stays where it is
            entries += [(kind, entry) for entry in rest.pop(key)]
    return fields_of_inputs(*collect(entries, STYLE), is_closed)


def dump_parameters(tool: Tool, rest: dict[str, Any]) -> dict[str, Any]:
    """`arguments` and `options` of a command; `rest` has the keys of its document that are no fields."""
    inputs = tool.inputs
    if inputs is None and not tool.children and not tool.truncated:
        inputs = UNDESCRIBED
    entries = entries_of(inputs, tool.bindings)
    lists = {
        "arguments": [entry for binding, entry in entries if binding.kind == "argument"],
        "options": [entry for binding, entry in entries if binding.kind != "argument"],
    }
    parameters = without_empty(lists)
    is_closed = tool.inputs is not None and tool.inputs.get("additionalProperties") is False
    if is_closed and not parameters and "arguments" not in rest and "options" not in rest:
        parameters["arguments"] = []
    return parameters
