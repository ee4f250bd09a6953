"""One object schema for several alternatives; `union_sentences` says what it no longer says."""

from __future__ import annotations

from typing import Any

from toolglot.hub.model import JsonSchema
from toolglot.schema import keyword_sentences
from toolglot.schema.intersection import intersect
from toolglot.schema.keywords import ANNOTATIONS, accepts_anything
from toolglot.schema.overlap import KINDS, kind_of, members_of
from toolglot.schema.union_sentences import Alternative, are_alike, describe_alternatives
from toolglot.schema.values import are_equal, unique
from toolglot.text.pointers import mapping_at, texts_at

_OWN = frozenset({"type", "properties", "required"})  # the other constraints are kept where all agree


def union_of_objects(branches: list[Any], base: JsonSchema, exactly_one: bool = False) -> tuple[JsonSchema, str | None]:
    """One object schema that accepts what a node with alternatives accepts.

    Every property of every alternative is there. Where its schemas differ, constants become one `enum` and other
    schemas an `anyOf`. An alternative that neither names a property nor forbids it accepts anything there; the
    result then asks what the others ask, because a schema that says nothing would be of no use, so it accepts less
    than the source in that one case. In all others it accepts at least as much.

    Args:
        branches: object schemas, the members of an `anyOf` or `oneOf`; neither references nor `allOf` in them.
        base: the keywords beside them.
        exactly_one: whether it was a `oneOf`.

    Returns:
        The schema, of type `object`; and a sentence about what is lost, or `None`.

    >>> get = {"properties": {"op": {"const": "get"}, "id": {"type": "integer"}}, "required": ["op", "id"]}
    >>> all_ = {"properties": {"op": {"const": "list"}, "limit": {"type": "integer"}}, "required": ["op"]}
    >>> union_of_objects([get, all_], {"type": "object"})[1]
    'One of: op=get requires id; op=list allows limit.'
    >>> union_of_objects([{"required": ["a"]}, {"required": ["b"]}], {"type": "object"})
    ({'type': 'object'}, 'At least one of a and b must be given.')
    """
    whole, unmerged = intersect(base, {"type": "object"})
    about = {name: value for name, value in base.items() if name in ANNOTATIONS or name.startswith("x-")}
    alternatives = _possible_alternatives(whole, branches)
    if not alternatives:
        return {**about, "type": "object", "not": {}}, None
    first = alternatives[0]
    is_one = all(are_alike(other.schema, first.schema) for other in alternatives) and not exactly_one
    if len(alternatives) == 1 or is_one:
        leftovers = [*unmerged, *first.unmerged]
        return {**first.schema, **about, **({"allOf": leftovers} if leftovers else {})}, None
    union: JsonSchema = {**about, "type": "object"}
    rest = _shared_constraints(alternatives)
    properties = _join_properties(alternatives, mapping_at(whole, "properties"))
    if rest.get("additionalProperties") is False and "patternProperties" not in rest:
        properties = {name: schema for name, schema in properties.items() if schema is not False}
    if properties:
        union["properties"] = properties
    required = _required_by_all(alternatives)
    if required:
        union["required"] = required
    union.update(rest)
    if unmerged:
        union["allOf"] = unmerged
    in_order = {name: union[name] for name in (*base, *union) if name in union}
    return in_order, describe_alternatives(alternatives, union, exactly_one)


def _possible_alternatives(whole: Any, branches: list[Any]) -> list[Alternative]:
    """The alternatives that accept anything beside the base."""
    alternatives: list[Alternative] = []
    for branch in branches:
        schema, unmerged = intersect(whole, branch)
        if isinstance(schema, dict):
            alternatives.append(Alternative(branch, schema, unmerged))
    return alternatives


def _required_by_all(alternatives: list[Alternative]) -> list[str]:
    first, *others = [texts_at(alternative.schema, "required") for alternative in alternatives]
    names = list(dict.fromkeys(first))
    for other in others:
        names = [name for name in names if name in other]
    return names


def _join_properties(alternatives: list[Alternative], base: JsonSchema) -> JsonSchema:
    """The properties that the base or an alternative names, each as one schema."""
    names = dict.fromkeys(base)
    for alternative in alternatives:
        names.update(dict.fromkeys(mapping_at(alternative.schema, "properties")))
    properties: JsonSchema = {}
    for name in names:
        schemas = [_schema_of_property(alternative.schema, name) for alternative in alternatives]
        schema = _join_schemas(schemas, base.get(name))
        if schema is not None:
            properties[name] = schema
    return properties


def _schema_of_property(schema: JsonSchema, name: str) -> Any:
    """What an alternative says of a property; `False` where it forbids it, `None` where it says nothing."""
    properties = mapping_at(schema, "properties")
    if name in properties:
        return properties[name]
    rest = schema.get("additionalProperties", True)
    if accepts_anything(rest) or schema.get("patternProperties"):
        return None
    return rest


def _join_schemas(schemas: list[Any], base: Any) -> Any:
    """One schema for a property that alternatives describe differently; `None` if they leave it open."""
    possible_schemas = [schema for schema in schemas if schema is not None and schema is not False]
    if any(are_alike(schema, base) for schema in possible_schemas):
        return base
    distinct = _without_twins(possible_schemas)
    if len(distinct) == 1:
        return distinct[0]
    if not distinct:
        return None if None in schemas else False
    members: list[Any] = []
    for schema in distinct:
        own = members_of(schema) if isinstance(schema, dict) else None
        if own is None:
            return True if any(map(accepts_anything, distinct)) else {"anyOf": distinct}
        members += own
    return _enum_of(unique(members), [schema["description"] for schema in distinct if schema.get("description")])


def _without_twins(schemas: list[Any]) -> list[Any]:
    """The schemas that differ, each with the descriptions of all that are alike."""
    distinct: list[Any] = []
    for schema in schemas:
        for index, other in enumerate(distinct):
            if are_alike(other, schema):
                distinct[index] = _with_description_of(other, schema)
                break
        else:
            distinct.append(schema)
    return distinct


def _with_description_of(schema: Any, twin: Any) -> Any:
    text = twin.get("description") if isinstance(twin, dict) else None
    if not text:
        return schema
    return {**schema, "description": keyword_sentences.append(schema.get("description"), [text])}


def _enum_of(members: list[Any], descriptions: list[str]) -> JsonSchema:
    """The schema of some values, with the one type that they have."""
    schema: JsonSchema = {}
    kinds = {kind_of(value) for value in members}
    for type_name, covered in KINDS.items():
        if kinds <= covered:
            schema["type"] = type_name
            break
    schema["enum"] = members
    text = keyword_sentences.append(None, descriptions)
    if text:
        schema["description"] = text
    return schema


def _shared_constraints(alternatives: list[Alternative]) -> JsonSchema:
    """The constraints that all alternatives share, and what they say together of properties that none names."""
    schemas = [alternative.schema for alternative in alternatives]
    shared: JsonSchema = {}
    for name, value in schemas[0].items():
        if name in _OWN or name in ANNOTATIONS or name == "additionalProperties":
            continue
        if all(name in schema and are_equal(schema[name], value) for schema in schemas):
            shared[name] = value
    rests = [schema.get("additionalProperties", True) for schema in schemas]
    has_patterns = any(schema.get("patternProperties") for schema in schemas)
    if (has_patterns and "patternProperties" not in shared) or any(map(accepts_anything, rests)):
        return shared
    allowed = unique(rest for rest in rests if rest is not False)
    if not allowed:
        shared["additionalProperties"] = False
    elif len(allowed) == 1:
        shared["additionalProperties"] = allowed[0]
    else:
        shared["additionalProperties"] = {"anyOf": allowed}
    return shared
