"""Definitions that come back to themselves before they look into a value, as parents and children of vendors do.

`A: allOf [B]` beside `B: allOf [A]`, or a parent whose alternatives are its children, each of which is also the parent:
such a circle has a meaning, and no validator reaches its end. What a definition is said to be too is led to what those
say by themselves; an alternative that is the whole once more adds nothing, and goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.hub.model import JsonSchema
from toolglot.schema.keywords import IN_PLACE, keyword_of, subschemas
from toolglot.schema.references import components, name_of_definition
from toolglot.text.pointers import without_keys

_PREFIX = "#/$defs/"
_ALTERNATIVES = ("anyOf", "oneOf")


def cut_circles(definitions: dict[str, Any]) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
    """The definitions without circles; and by the name of each that was in one, all that were in it.

    >>> a, b = {"allOf": [{"$ref": "#/$defs/b"}]}, {"allOf": [{"$ref": "#/$defs/a"}], "minLength": 1}
    >>> new_definitions, rings = cut_circles({"a": a, "b": b})
    >>> new_definitions["a"], new_definitions["b-own"], sorted(rings)
    ({'allOf': [{'$ref': '#/$defs/b-own'}]}, {'minLength': 1}, ['a', 'b'])
    """
    rings = _rings(definitions)
    if not rings:
        return definitions, {}
    new_definitions = dict(definitions)
    for name, ring in rings.items():
        new_definitions[name] = _lead_to_own(definitions[name], name, ring, definitions, new_definitions)
    for name, ring in _rings(new_definitions).items():
        new_definitions[name] = _without_members(new_definitions[name], ring)
    return new_definitions, rings


def _rings(definitions: dict[str, Any]) -> dict[str, frozenset[str]]:
    """By the name of each definition that comes back to itself, all that do so with it."""
    edges = {name: [end for end in _in_place(schema) if end in definitions] for name, schema in definitions.items()}
    part = components(edges)
    rings: dict[str, frozenset[str]] = {}
    for name, ends in edges.items():
        if any(part[end] == part[name] for end in ends):
            rings[name] = frozenset(other for other in edges if part[other] == part[name])
    return rings


def _in_place(schema: Any) -> Iterator[str]:
    """The names of the definitions that are applied to the same value."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        if isinstance(node.get("$ref"), str):
            yield name_of_definition(node["$ref"])
        waiting += [inner for token, inner in subschemas(node) if keyword_of(token) in IN_PLACE]


def _lead_to_own(
    schema: Any, name: str, ring: frozenset[str], definitions: dict[str, Any], new_definitions: dict[str, Any]
) -> JsonSchema:
    """A definition whose parts are what the others of the ring say by themselves, each of which becomes one too."""
    others = [other for other in _parts_of(name, ring, definitions) if other != name]
    own_parts: list[JsonSchema] = []
    for other in others:
        own_name = f"{other}-own"
        new_definitions[own_name] = _without_members(definitions[other], ring)
        own_parts.append({"$ref": _PREFIX + own_name})
    parts = [part for part in schema.get("allOf", ()) if not ring.intersection(_in_place(part))]
    is_ring_reference = name_of_definition(str(schema.get("$ref"))) in ring
    new_schema = without_keys(schema, "allOf", *(("$ref",) if is_ring_reference else ()))
    if own_parts or parts:
        new_schema = {"allOf": [*own_parts, *parts], **new_schema}
    return new_schema


def _parts_of(name: str, ring: frozenset[str], definitions: dict[str, Any]) -> list[str]:
    """Whatever of a ring a definition is said to be too, by one step or several."""
    parts = [name]
    for part in parts:  # grows on the way
        schema = definitions[part]
        for inner in ({"$ref": schema.get("$ref")}, *schema.get("allOf", ())):
            parts += [end for end in _in_place(inner) if end in ring and end not in parts]
    return parts


def _without_members(schema: Any, ring: frozenset[str]) -> JsonSchema:
    """What a definition says by itself, without what of it comes back."""
    own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf", *_ALTERNATIVES)}
    for keyword in ("allOf", *_ALTERNATIVES):
        if keyword not in schema:
            continue
        members = [member for member in schema[keyword] if not ring.intersection(_in_place(member))]
        if members and (keyword == "allOf" or len(members) == len(schema[keyword])):
            own[keyword] = members
    if "$ref" in schema and name_of_definition(str(schema["$ref"])) not in ring:
        own["$ref"] = schema["$ref"]
    return own
