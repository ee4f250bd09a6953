"""Definitions that come back to themselves before they look into a value, as parents and children of vendors do.

`A: allOf [B]` beside `B: allOf [A]`, or a parent whose alternatives are its children, each of which is also the parent:
such a circle has a meaning, and no validator reaches its end. What a definition is said to be too is led to what those
say by themselves; an alternative that is the whole once more adds nothing, and goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.keywords import schemas_in_place
from toolglot.converter.schema.references import components, name_of_definition
from toolglot.converter.text.pointers import only_keys

_ALTERNATIVES = ("anyOf", "oneOf")


def cut_circles(definitions: dict[str, Any]) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
    """The definitions without circles; and by the name of each that was in one, all that were in it.

    >>> a, b = {"allOf": [{"$ref": "#/$defs/b"}]}, {"allOf": [{"$ref": "#/$defs/a"}], "minLength": 1}
    >>> new_definitions, rings = cut_circles({"a": a, "b": b})
    >>> new_definitions["a"], new_definitions["b-own"], sorted(rings)
    ({'allOf': [{'$ref': '#/$defs/b-own'}]}, {'minLength': 1}, ['a', 'b'])
    """
    rings = _rings(definitions)
    new_definitions = dict(definitions)
    for name, ring in rings.items():
        own = _without(definitions[name], ring)
        parents = _parents_of(name, ring, definitions)
        for parent in parents:
            new_definitions[f"{parent}-own"] = _without(definitions[parent], ring, *_ALTERNATIVES)
        references = [{"$ref": f"#/$defs/{parent}-own"} for parent in parents]
        parts = [*references, *own.pop("allOf", ())]
        new_definitions[name] = {"allOf": parts, **own} if parts else own
    if rings:
        for name, ring in _rings(new_definitions).items():
            new_definitions[name] = _without(new_definitions[name], ring, *_ALTERNATIVES)
    return new_definitions, rings


def _rings(definitions: dict[str, Any]) -> dict[str, frozenset[str]]:
    """By the name of each definition that comes back to itself, all that do so with it."""
    edges = {name: [end for end in _in_place(schema) if end in definitions] for name, schema in definitions.items()}
    part = components(edges)
    circular = [name for name, ends in edges.items() if any(part[end] == part[name] for end in ends)]
    return {name: frozenset(other for other in circular if part[other] == part[name]) for name in circular}


def _in_place(schema: Any) -> Iterator[str]:
    """The names of the definitions that are applied to the same value."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                yield name_of_definition(node["$ref"])
            waiting += schemas_in_place(node)


def _parents_of(name: str, ring: frozenset[str], definitions: dict[str, Any]) -> list[str]:
    """Whatever else of a ring a definition is said to be too, by one step or several."""
    found = [name]
    for one in found:  # grows on the way
        said = only_keys(definitions[one], ("$ref", "allOf"))
        found += [end for end in dict.fromkeys(_in_place(said)) if end in ring and end not in found]
    return found[1:]


def _without(schema: Any, ring: frozenset[str], *alternatives: str) -> JsonSchema:
    """What a definition says without what of it comes back; of alternatives, if one does, without all."""
    own = dict(schema)
    if name_of_definition(str(own.get("$ref"))) in ring:
        del own["$ref"]
    for keyword in ("allOf", *alternatives):
        members = [member for member in own.get(keyword, ()) if ring.isdisjoint(_in_place(member))]
        if len(members) < len(own.get(keyword, ())):
            del own[keyword]
            if members and keyword == "allOf":
                own[keyword] = members
    return own
