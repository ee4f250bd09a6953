"""The parameters of a node and of the groups above it: two schemas, and how each parameter is given, as one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the records of the hub import this module
    from toolglot.hub.model import Binding, JsonSchema


class Parameters(NamedTuple):
    """A schema of parameters, and how each is given on a command line."""

    inputs: JsonSchema | None = None
    bindings: dict[str, Binding] | None = None


def join_parameters(own: Parameters, shared: Parameters) -> Parameters:
    """The parameters of both; where both have one of a name, it is `own`'s.

    >>> text, number = {"type": "string"}, {"type": "integer"}
    >>> own, shared = Parameters({"properties": {"a": text}}), Parameters({"properties": {"a": number, "b": number}})
    >>> join_parameters(own, shared).inputs
    {'type': 'object', 'properties': {'a': {'type': 'string'}, 'b': {'type': 'integer'}}}
    """
    if shared.inputs is None:
        return own
    if own.inputs is None:
        return shared
    other = _with_other_definitions(shared.inputs, own.inputs.get("$defs") or {})
    own_names = names_in(own.inputs)
    keys = [key for key in names_in(other) if key not in own_names]
    inputs: JsonSchema = {"type": "object", **own.inputs}
    inputs["properties"] = {**(own.inputs.get("properties") or {}), **choose(other.get("properties") or {}, keys)}
    required = list(own.inputs.get("required") or ())
    required += [key for key in other.get("required") or () if key in keys]
    if required:
        inputs["required"] = required
    if "$defs" in other:
        inputs["$defs"] = {**other["$defs"], **(own.inputs.get("$defs") or {})}
    bindings = {**(own.bindings or {}), **choose(shared.bindings or {}, keys)}
    return Parameters(inputs, bindings or None)


def names_in(inputs: JsonSchema | None) -> list[str]:
    """The names of the parameters in a schema."""
    properties = (inputs or {}).get("properties")
    if isinstance(properties, dict):
        return list(properties)
    return []


def choose(mapping: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """The entries of a mapping with these keys."""
    return {key: value for key, value in mapping.items() if key in keys}


def _with_other_definitions(schema: JsonSchema, other_definitions: JsonSchema) -> JsonSchema:
    """The schema, with definitions that another one defines differently under other names."""
    definitions = schema.get("$defs") or {}
    names = {name: name for name in definitions}
    references: dict[str, str] = {}
    for name, value in definitions.items():
        if name in other_definitions and other_definitions[name] != value:
            names[name] = f"{name}.shared"
            references[f"#/$defs/{name}"] = f"#/$defs/{names[name]}"
    if not references:
        return schema

    def refer(value: Any) -> Any:
        if isinstance(value, list):
            return [refer(item) for item in value]
        if not isinstance(value, dict):
            return value
        node = {key: refer(item) for key, item in value.items()}
        if isinstance(value.get("$ref"), str):
            node["$ref"] = references.get(value["$ref"], value["$ref"])
        return node

    rest = {key: value for key, value in schema.items() if key != "$defs"}
    new_definitions = {names[name]: refer(value) for name, value in definitions.items()}
    return {**refer(rest), "$defs": new_definitions}
