"""The types of a node: those that it names, or those that its other keywords are about; and null beside others."""

from __future__ import annotations

from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.fitting.schema_node import SchemaNode
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.json_values import has_type, stated_types, type_of, with_member, without_covered
from toolglot.converter.schema.keywords import ANNOTATIONS, APPLIES, OF_A_TYPE, TYPES
from toolglot.converter.schema.overlap import members_of
from toolglot.converter.text.pointers import as_list, only_keys, without_keys


def types_of_node(node: SchemaNode) -> tuple[str, ...]:
    """The types of a node: those that it names, those of its members, or those that its keywords are about.

    Keywords without a type accept everything else too; where the provider wants a type, that is narrowed.
    """
    source = node.source
    if "type" in source:
        return _without_unused(node, without_covered(stated_types(source)))
    if "enum" in source or "const" in source:
        return _types_of_values(node)
    about_types = OF_A_TYPE & source.keys()
    if node.rules.typed == "no" and all(node.context.allows(keyword) for keyword in about_types):
        return ()
    implied_types = tuple(name for name in ("object", "array", "string", "number") if APPLIES[name] & about_types)
    if len(implied_types) == 1:
        action = "renamed" if node.types_around == implied_types else "narrowed"
        node.note("type", action, None, implied_types[0], "implied by the other keywords")
        return implied_types
    if implied_types and node.rules.typed == "no":
        return without_covered(TYPES)
    return ()


def _without_unused(node: SchemaNode, types: tuple[str, ...]) -> tuple[str, ...]:
    """The types without those that no listed value has, where the provider limits the types of a node."""
    if len(types) == 1 or (node.rules.type_lists == "any" and node.rules.objects != "false"):
        return types
    values = members_of(node.source) or []
    used_types = tuple(name for name in types if any(has_type(value, (name,)) for value in values))
    if not used_types or used_types == types:
        return types
    node.note("type", "renamed", node.source["type"], list(used_types), "no value listed is of the others")
    return used_types


def _types_of_values(node: SchemaNode) -> tuple[str, ...]:
    """The types of the listed values; none where these say enough, since a type that is known has to be written."""
    rules = node.rules
    values = members_of(node.source) or []
    says_enough = rules.typed != "type" and all(has_type(value, rules.enum_types) for value in values)
    if says_enough and not needs_type(node):
        return ()
    types_of_values = set(map(type_of, values))
    return without_covered(name for name in TYPES if name in types_of_values)


def needs_type(node: SchemaNode) -> bool:
    """Whether a node has keywords that the provider knows only beside a type, or not at all."""
    return any(not node.context.allows(keyword) for keyword in (OF_A_TYPE | {"format"}) & node.source.keys())


def of_type(source: JsonSchema, type_name: str) -> JsonSchema:
    """A schema of several types cut down to one of them."""
    left_out = {"type", *(ANNOTATIONS - {"format"}), *(OF_A_TYPE - APPLIES[type_name])}
    part = without_keys(source, *left_out)
    if type_name not in ("string", "integer", "number"):
        part.pop("format", None)
    return {"type": type_name, **part}


# -- null beside other values -----------------------------------------------------------------------------------------


def make_nullable(schema: JsonSchema, rules: ProviderRules) -> JsonSchema:
    """A fitted schema that accepts null too, in the spelling that the rules allow.

    >>> rules = ProviderRules(format="x", profile="x", versions=(), strict=True, citation="")
    >>> make_nullable({"type": "string", "enum": ["a"]}, rules)
    {'type': ['string', 'null'], 'enum': ['a', None]}
    """
    null = {"type": "null"}
    kind = schema.get("type")
    if kind == "null":
        return schema
    takes_type_list = rules.type_lists != "none" and ("enum" not in schema or rules.enum_beside_type_list)
    if "anyOf" in schema:
        nullable = {**schema, "anyOf": with_member(schema["anyOf"], null)}
    elif "const" not in schema and (isinstance(kind, list) or (takes_type_list and isinstance(kind, str))):
        nullable = {**schema, "type": with_member(as_list(kind), "null")}
    else:
        return {"anyOf": [without_keys(schema, "description"), null], **only_keys(schema, ("description",))}
    if "enum" in schema:
        nullable["enum"] = with_member(schema["enum"], None)
    return nullable
