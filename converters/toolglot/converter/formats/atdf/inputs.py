"""The inputs of a record: entries with a type word. Constraints stand under `schema`, or in 0.1 in the description."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats.atdf.versions import TYPES, UNKNOWN_TYPE, absent_is_required
from toolglot.converter.formats.kit.description.schema_tail import Tail, tail, tails
from toolglot.converter.formats.kit.parameters import (
    NamedParameter,
    Style,
    allowed_types,
    collect,
    distribute,
    required_keys,
    stand_in_words,
    stated_bool,
    take_title,
    target_of,
)
from toolglot.converter.hub.model import Binding, JsonSchema, Tool, parameter_names
from toolglot.converter.schema.json_values import with_proven_type
from toolglot.converter.text.pointers import mapping_at, without_keys
from toolglot.errors import ReadError

_KEYS_OF_0_1 = {"name", "type", "description"}  # keys of 0.1: an input with others has no constraints in words


def _load_parameter(entry: dict[str, Any], default_required: bool) -> NamedParameter:
    schema = _with_type(entry.get("type"), mapping_at(entry, "schema"))
    stated_required = stated_bool(entry, "required")
    required = default_required
    if stated_required is not None:
        required = stated_required
    description = entry.get("description")
    constraints = None
    if entry.keys() == _KEYS_OF_0_1 and isinstance(description, str):
        constraints = _parse_constraints(entry, schema)
    if constraints is not None:
        schema = constraints.schema(schema)
        required = required and not constraints.optional
        description = constraints.head
        if description == stand_in_words(entry):
            description = None
    if isinstance(description, str):
        schema["description"] = description
    return NamedParameter(entry["name"], schema, required, Binding(required=stated_required))


def _parse_constraints(entry: dict[str, Any], own_schema: JsonSchema) -> Tail | None:
    """The constraints at the end of a description, if they would be written as exactly these words; else `None`."""
    words = entry["description"]
    if not words.endswith(")"):
        return None
    for constraints in tails(words):
        schema = constraints.schema(own_schema)
        own_tail = tail(schema, own_schema, optional=constraints.optional)
        if _type_word(schema) == entry["type"] and constraints.head and constraints.head + own_tail == words:
            return constraints
    return None


def _dump_parameter(parameter: NamedParameter, version: str) -> dict[str, Any]:
    rest = dict(parameter.schema)
    if "type" not in rest:
        rest = with_proven_type(rest)
    entry: dict[str, Any] = {"name": parameter.name, "type": _type_word(rest)}
    if rest.get("type") == entry["type"] and "null" not in allowed_types(without_keys(rest, "type")):
        del rest["type"]
    description = rest.get("description")
    if isinstance(description, str):
        del rest["description"]
        if description:
            entry["description"] = description
    if version == "0.1":
        return _describe_constraints(entry, rest, parameter.required)
    if rest:
        entry["schema"] = rest
    elif (
        parameter.binding.required is None and "description" in entry and _parse_constraints(entry, _own_schema(entry))
    ):
        entry["description"] += "."  # so that its end is not read as constraints
    if parameter.binding.required is not None:
        entry["required"] = parameter.required
    return entry


def _with_type(word: Any, schema: JsonSchema) -> JsonSchema:
    """The schema with the type word of its input, if it has no type; not if it allows null, which the word denies."""
    if isinstance(word, str) and "type" not in schema and "null" not in allowed_types(schema):
        return {"type": word, **schema}
    return dict(schema)


def _type_word(schema: JsonSchema) -> str:
    """The type word of a schema: its only type besides null, else `unknown`."""
    words = [word for word in allowed_types(schema) if word != "null"]
    if len(words) == 1 and words[0] in TYPES:
        return words[0]
    return UNKNOWN_TYPE


def _own_schema(entry: dict[str, Any]) -> JsonSchema:
    """What the type word of an entry states, as a schema."""
    if entry["type"] in TYPES:
        return {"type": entry["type"]}
    return {}


def _describe_constraints(entry: dict[str, Any], rest: JsonSchema, required: bool) -> dict[str, Any]:
    """An entry of 0.1, which has no key for constraints: the description states them in words that are read back."""
    own_schema, description = _own_schema(entry), entry.get("description")
    if "title" in rest:
        description = take_title(rest, description, entry["name"])
    words = tail(_with_type(own_schema.get("type"), rest), own_schema, optional=not required)
    if words:
        return {**entry, "description": (description or stand_in_words(entry)) + words}
    if description is None:
        return entry
    entry = {**entry, "description": description}
    if _parse_constraints(entry, own_schema):
        return {**entry, "description": f"{description}."}
    return entry


def style_of(version: str, default_required: bool) -> Style:
    """How inputs are read and written.

    Args:
        default_required: whether an input without `required` is required.
    """
    return Style(
        frozenset({None}),
        lambda entry, kind: _load_parameter(entry, default_required),
        lambda parameter, words: _dump_parameter(parameter, version),
    )


def load_inputs(inputs: list[dict[str, Any]], pointer: str) -> dict[str, Any]:
    """The hub fields `inputs` and `bindings` of the entries.

    Raises:
        ReadError: two inputs have one name; code `"duplicate-input"`.
    """
    if len({entry["name"] for entry in inputs}) != len(inputs):
        raise ReadError("two inputs have the same name", code="duplicate-input", pointer=pointer)
    style = style_of("0.2", absent_is_required(inputs))
    schema, bindings = collect([(None, entry) for entry in inputs], style)
    return {"inputs": schema, "bindings": bindings}


def _is_required(binding: Binding) -> bool:
    """Whether an input without `required` is read as required: it is, unless its description calls it optional."""
    if binding.spelling is None or not isinstance(binding.spelling.get("name"), str):
        return True
    return _load_parameter(binding.spelling, default_required=True).required


def dump_inputs(tool: Tool, inputs: JsonSchema, version: str) -> list[dict[str, Any]]:
    """The entries that `load_inputs` reads; in 0.1 they state constraints in words."""
    bindings = tool.bindings or {}
    if version == "0.1":
        fitting_bindings = {
            key: binding
            for key, binding in bindings.items()
            if binding.spelling is None or binding.spelling.keys() <= _KEYS_OF_0_1
        }
        style = style_of(version, default_required=True)
        return [entry for _, entry in distribute(inputs, fitting_bindings, style)]
    schema = target_of(inputs)
    keys = parameter_names(schema)
    required = required_keys(schema)
    silent = {key for key in keys if key in bindings and bindings[key].kind is None and bindings[key].required is None}
    read_back_right = [key for key in silent if (key in required) == _is_required(bindings[key])]
    # Once one input states `required`, an input without it is optional, so the others have to state it too.
    may_all_be_silent = len(read_back_right) == len(keys)
    style = style_of(version, default_required=may_all_be_silent)
    entries = []
    for key, (_, entry) in zip(keys, distribute(schema, tool.bindings, style), strict=True):
        may_be_silent = may_all_be_silent or (key in silent and key not in required)
        if "required" not in entry and not may_be_silent:
            entry = {**entry, "required": key in required}
        entries.append(entry)
    return entries
