"""Lists of named parameters (the options of a command, the inputs of a record) as one JSON Schema, and back.

A format has a `Style`: how an entry becomes a property, and a property an entry. Definitions in the schema of an entry
are moved to the object, and copied back on writing, because `#/$defs/...` means the root of the schema around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import Binding, JsonSchema, Tool, text_about
from toolglot.converter.hub.trees import free_name
from toolglot.converter.schema.json_values import types_of
from toolglot.converter.schema.keywords import expand_boolean_schema
from toolglot.converter.schema.newest_dialect import newest, restate_schema
from toolglot.converter.schema.references import name_of_definition
from toolglot.converter.schema.titles import is_idle_title
from toolglot.converter.text.pointers import (
    NOTHING,
    as_mapping,
    is_mappings,
    is_texts,
    keyed_values,
    list_at,
    mapping_at,
    only_keys,
    pointer_below,
    texts_at,
    with_values,
    without_empty,
    without_keys,
)
from toolglot.errors import LimitError

# For a tool whose source does not say what it takes: a list without parameters would say that it takes nothing.
UNDESCRIBED: JsonSchema = {
    "type": "object",
    "properties": {
        "arguments": {"type": "object", "description": "The arguments, which the source does not describe."}
    },
}


# What is said of a parameter that nobody described, where something has to be: one, and several. No author of the
# corpus describes a parameter so, and read back it is none.
_NOUNS = {
    "string": ("A text", "texts"),
    "integer": ("A whole number", "whole numbers"),
    "number": ("A number", "numbers"),
    "boolean": ("A switch", "switches"),
    "file": ("A file", "files"),
    "directory": ("A directory", "directories"),
    "url": ("A URL", "URLs"),
    "enum": ("One of the values listed", "of the values listed"),
    "array": ("A list", "lists"),
}
_VALUE = ("A value", "values")
_ALTERNATIVES = frozenset({"anyOf", "oneOf"})
_MOST_ALTERNATIVES = 300  # schemas that are looked at for the types of one
_MOST_COPIED = 500_000  # values of definitions, of which each parameter carries its own copy


def stand_in_words(entry: dict[str, Any]) -> str:
    """The placeholder for the description of a parameter without one.

    >>> stand_in_words({"type": "integer"}), stand_in_words({"type": "file", "variadic": True}), stand_in_words({})
    ('A whole number', 'One or more files', 'A value')
    """
    singular, plural = _VALUE
    word = entry.get("type")
    if isinstance(word, str):
        singular, plural = _NOUNS.get(word, _VALUE)
    if entry.get("variadic") is True:
        return f"One or more {plural}"
    return singular


def stated_bool(entry: Mapping[str, Any], key: str) -> bool | None:
    """The boolean under a key of an entry; `None` where there is none."""
    value = entry.get(key)
    return value if isinstance(value, bool) else None


def stated_text(entry: Mapping[str, Any], *keys: str) -> str | None:
    """The first text under some keys of an entry; `None` where there is none.

    >>> stated_text({"description": 1, "summary": "a"}, "description", "summary")
    'a'
    """
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str):
            return value
    return None


def stated_texts(entry: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    """The list of texts under a key of an entry; `None` where there is none, or an item is no text."""
    value = entry.get(key)
    return tuple(value) if is_texts(value) else None


def allowed_types(schema: JsonSchema, definitions: Mapping[str, Any] = {}) -> set[str]:
    """The types that a schema, its listed values or its alternatives name; empty where any type is accepted.

    Args:
        definitions: name -> definition, for its references.

    >>> sorted(allowed_types({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}, {"a": {"enum": [1, "x"]}}))
    ['integer', 'null', 'string']
    """
    if isinstance(schema.get("type"), str):  # as most do
        return {schema["type"]}
    if _ALTERNATIVES.isdisjoint(schema) and not (definitions and "$ref" in schema):
        return {*types_of(schema)}
    types: set[str] = set()
    waiting: list[Any] = [schema]
    for _ in range(_MOST_ALTERNATIVES):
        if not waiting:
            return types
        node = as_mapping(waiting.pop())
        own_types = types_of(node)
        alternatives = [] if own_types else alternatives_of(node, definitions)
        if not (own_types or alternatives):
            return set()
        types.update(own_types)
        waiting += alternatives[:_MOST_ALTERNATIVES]
    return set()


def alternatives_of(schema: JsonSchema, definitions: Mapping[str, Any]) -> list[Any]:
    """The target of a schema's reference, or else its alternatives."""
    target = definitions.get(name_of_definition(str(schema["$ref"]))) if "$ref" in schema else None
    return [target] if isinstance(target, dict) else list_at(schema, "anyOf") + list_at(schema, "oneOf")


class NamedParameter(msgspec.Struct, frozen=True):
    """One parameter: its name, its schema, whether it is required, and its place on a command line."""

    name: str
    schema: JsonSchema
    required: bool
    binding: Binding


ParameterEntry = tuple[str | None, dict[str, Any]]
"""A parameter as its document has it, with the kind of list that it stands in, as in `Binding.kind`."""
LoadParameter = Callable[[dict[str, Any], str | None], NamedParameter]


class Style(msgspec.Struct, frozen=True):
    """How a format reads and writes one entry.

    Attributes:
        kinds: the lists of entries, as in `Binding.kind`.
        load: (entry, kind of its list) -> parameter.
        dump: (parameter, the description that it was read from) -> entry. A description that is written again as it was
            read needs no check that it is read as it is meant.
    """

    kinds: frozenset[str | None]
    load: LoadParameter
    dump: Callable[[NamedParameter, str | None], dict[str, Any]]


def collect(entries: Iterable[ParameterEntry], style: Style) -> tuple[JsonSchema, dict[str, Binding]]:
    """Entries as the schema of an object, with a binding for each property.

    Of two entries with one name (such as an argument and an option) the second gets another key, and its binding keeps
    the name. If the later one replaced the first, no caller could give the first any more.
    """
    loaded: list[NamedParameter] = []
    sources: list[dict[str, Any]] = []
    definitions: dict[str, Any] = {}
    for kind, entry in entries:
        parameter = _load(entry, kind, style)
        if "$defs" in parameter.schema:
            parameter = replace(parameter, schema=_hoist(parameter.schema, definitions))
        loaded.append(parameter)
        sources.append(entry)
    parameters = by_own_keys(loaded)
    shared_definitions = _DefinitionCopies(definitions)
    for entry, (key, parameter) in zip(sources, parameters.items(), strict=True):
        if definitions:
            whole = replace(parameter, schema=_embed(parameter.schema, shared_definitions))
        else:
            whole = parameter
        if style.dump(whole, entry.get("description")) != entry:
            binding = replace(parameter.binding, spelling=entry)
            parameters[key] = replace(parameter, binding=binding)
    return join(parameters, definitions)


def by_own_keys(parameters: Iterable[NamedParameter]) -> dict[str, NamedParameter]:
    """Key -> parameter. Parameters with the same name get different keys, and their bindings keep the name."""
    own: dict[str, NamedParameter] = {}
    numbers = Counter[str]()
    for parameter in parameters:
        key = free_name(parameter.name, own, numbers)
        if key != parameter.name:
            new_binding = replace(parameter.binding, name=parameter.name)
            parameter = replace(parameter, name=key, binding=new_binding)
        own[key] = parameter
    return own


def join(
    parameters: Mapping[str, NamedParameter], definitions: Mapping[str, Any] = {}
) -> tuple[JsonSchema, dict[str, Binding]]:
    """Parameters by key as the schema of an object, with a binding for each property."""
    schema: JsonSchema = {"type": "object", "properties": {key: item.schema for key, item in parameters.items()}}
    required = [key for key, item in parameters.items() if item.required]
    schema |= without_empty({"required": required, "$defs": definitions})
    return schema, {key: item.binding for key, item in parameters.items()}


def fields_of_inputs(inputs: JsonSchema, bindings: dict[str, Binding], is_closed: bool) -> dict[str, Any]:
    """The hub fields for the parameters of a command; if it `is_closed`, it accepts no others."""
    if is_closed:
        inputs["additionalProperties"] = False
    return {"inputs": inputs, "bindings": bindings or None}


def _load(entry: dict[str, Any], kind: str | None, style: Style) -> NamedParameter:
    parameter = style.load(entry, kind)
    schema = newest(parameter.schema)
    if schema is parameter.schema:
        return parameter
    return replace(parameter, schema=schema)


def distribute(
    schema: JsonSchema | None, bindings: dict[str, Binding] | None, style: Style
) -> list[tuple[Binding, dict[str, Any]]]:
    """The entries for a schema and its bindings, each behind its binding; the inverse of `collect`."""
    schema = target_of(schema or {})
    if not isinstance(schema.get("properties"), dict):
        return []
    required = required_keys(schema)
    definitions = mapping_at(schema, "$defs")
    shared_definitions = _DefinitionCopies(definitions)
    entries = []
    for key, prop in schema["properties"].items():
        binding = (bindings or {}).get(key) or Binding()
        if not isinstance(prop, dict):
            prop = expand_boolean_schema(prop)
        if definitions:
            prop = _embed(prop, shared_definitions)
        parameter = NamedParameter(key, prop, key in required, binding)
        if binding.spelling is not None and binding.kind in style.kinds and _means(binding.spelling, parameter, style):
            entries.append((binding, binding.spelling))
        else:
            entries.append((binding, style.dump(parameter, None)))
    return entries


def has_unread(binding: Binding, style: Style) -> bool:
    """Whether the source's own entry of a parameter says something, at any depth, that no field has.

    A part has been read if the entry would be read otherwise without it. Values that are off or empty say nothing.
    """
    entry = binding.spelling or {}
    if not isinstance(entry.get("name"), str):  # a document of the hub may hold anything here
        return False
    parameter = style.load(entry, binding.kind)
    # Looked at part by part, a schema or a default of strangers would take time in the square of its size.
    read_whole = {id(value) for value in parameter.schema.values() if isinstance(value, dict | list)}

    def has_unread_below(value: Any, pointer: str) -> bool:
        if not isinstance(value, dict) and not is_mappings(value):
            return False  # the texts of a list are one statement together
        for key, item in keyed_values(value):
            here = pointer_below(pointer, key)
            if item is None or item is False or item in ("", [], {}) or here == "/name":
                continue
            if id(item) in read_whole:
                continue
            without_item = with_values(entry, {here: NOTHING})
            if style.load(without_item, binding.kind) == parameter or has_unread_below(item, here):
                return True
        return False

    if has_unread_below(entry, ""):
        return True
    # Such as a type that no draft knows.
    return any(step.action in ("widened", "narrowed", "dropped") for step in restate_schema(parameter.schema)[1])


def target_of(schema: JsonSchema) -> JsonSchema:
    """The target of a `$ref` at the root into its own definitions. Otherwise the tool would seem to take nothing."""
    definitions = schema.get("$defs")
    name = name_of_definition(str(schema.get("$ref", "")))
    if "properties" in schema or not isinstance(definitions, dict) or not isinstance(definitions.get(name), dict):
        return schema
    return {**definitions[name], "$defs": definitions}


def describe_choice(tool: Tool) -> Tool:
    """The tool with a sentence about alternatives among its required parameters, which `required` cannot say.

    >>> one_of = [{"required": ["file"]}, {"required": ["url"]}]
    >>> describe_choice(Tool(id="t", description="Read.", inputs={"type": "object", "oneOf": one_of})).description
    'Read.\\n\\nExactly one of file and url must be given.'
    """
    inputs = tool.inputs or {}
    return with_paragraphs(tool, *(_choice(inputs.get(keyword), keyword) for keyword in ("oneOf", "anyOf")))


def with_paragraphs(tool: Tool, *paragraphs: str | None) -> Tool:
    """The tool with more paragraphs at the end of its description, unless they stand there already.

    >>> with_paragraphs(Tool(id="t", summary="Read."), None, "Ask first.").description
    'Read.\\n\\nAsk first.'
    """
    news = [text for text in paragraphs if text and not text_about(tool).endswith(text)]
    return replace(tool, description="\n\n".join([text_about(tool), *news])) if news else tool


def describe_exclusions(tool: Tool) -> Tool:
    """The tool with a sentence about its mutually exclusive options, for a target without a field for them.

    >>> fast, slow = Binding(kind="option", excludes=("slow",)), Binding(kind="option", excludes=("fast",))
    >>> describe_exclusions(Tool(id="t", description="Go.", bindings={"fast": fast, "slow": slow})).description
    'Go.\\n\\nOnly one of fast and slow can be given.'
    """
    keys = {binding.name or key: key for key, binding in (tool.bindings or {}).items()}
    sentences: dict[frozenset[str], str] = {}
    for key, binding in (tool.bindings or {}).items():
        for name in binding.excludes or ():
            other = keys.get(name, key)
            if other != key:
                sentences.setdefault(frozenset((key, other)), f"Only one of {key} and {other} can be given.")
    return with_paragraphs(tool, " ".join(sentences.values()))


def _choice(branches: Any, keyword: str) -> str | None:
    if not is_mappings(branches):
        return None
    if not all(branch.keys() == {"required"} and required_keys(branch) for branch in branches):
        return None
    from toolglot.converter.schema.unions import union_of_objects  # 1 ms that few tools need

    return union_of_objects(branches, {"type": "object"}, keyword == "oneOf")[1]


def required_keys(schema: JsonSchema) -> frozenset[str]:
    """The required keys of a schema, as a set, because programs have thousands of parameters."""
    return frozenset(texts_at(schema, "required"))


def take_title(schema: JsonSchema, description: str | None, name: str) -> str | None:
    """The description, or else the title. A title that is used, or only repeats the name, goes out of the schema."""
    texts = {"title": schema["title"], "description": description}
    if is_idle_title(texts, name):
        del schema["title"]
    elif not description and isinstance(schema["title"], str):
        return str(schema.pop("title"))
    return description


def _means(spelling: dict[str, Any], parameter: NamedParameter, style: Style) -> bool:
    """Whether the source's own spelling still means the same as the hub, which may have been edited."""
    if not isinstance(spelling.get("name"), str):
        return False
    read = _load(spelling, parameter.binding.kind, style)
    name = parameter.binding.name or parameter.name
    own, schema = (without_keys(item.schema, "$defs") for item in (read, parameter))
    return (read.name, own, read.required) == (name, schema, parameter.required)


def _hoist(schema: JsonSchema, definitions: dict[str, Any]) -> JsonSchema:
    own = schema.get("$defs")
    if not isinstance(own, dict) or any(definitions.get(name, value) != value for name, value in own.items()):
        return schema
    definitions.update(own)
    return without_keys(schema, "$defs")


def _embed(schema: JsonSchema, definitions: _DefinitionCopies) -> JsonSchema:
    needed_definitions = definitions.needed_by(schema)
    return {**schema, "$defs": needed_definitions} if needed_definitions and "$defs" not in schema else schema


class _DefinitionCopies:
    """The definitions of a schema. Each is searched for references once, however many parameters get a copy."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self._references: dict[str, tuple[set[str], int]] = {}  # of each definition, as `_find_references` says them
        self._copies_left = _MOST_COPIED

    def needed_by(self, schema: JsonSchema) -> dict[str, Any]:
        """The definitions that a schema refers to, directly or through others, in their order.

        Raises:
            LimitError: the copies for all parameters together are too large.
        """
        needed_names: set[str] = set()
        waiting, _ = _find_references(schema)
        while waiting:
            name = waiting.pop()
            if name in self._definitions and name not in needed_names:
                needed_names.add(name)
                if name not in self._references:
                    self._references[name] = _find_references(self._definitions[name])
                names, size = self._references[name]
                self._copies_left -= size
                waiting |= names
        if self._copies_left < 0:
            raise LimitError("its parameters have too much of the same definitions; split the tool", code="too-large")
        if len(needed_names) > 1:  # to look for one among all takes minutes where there are thousands
            return only_keys(self._definitions, needed_names)
        return {name: self._definitions[name] for name in needed_names}


def _find_references(schema: Any) -> tuple[set[str], int]:
    """The names of the definitions that a schema refers to, and the number of values in it."""
    names: set[str] = set()
    nodes = [schema]
    for node in nodes:  # grows on the way
        if isinstance(node, dict):
            reference = node.get("$ref")
            if isinstance(reference, str) and reference.startswith("#/$defs/"):
                names.add(name_of_definition(reference.removeprefix("#/$defs/").split("/")[0]))
            nodes.extend(node.values())
        elif isinstance(node, list):
            nodes.extend(node)
    return names, len(nodes)
