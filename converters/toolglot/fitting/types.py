"""The types of a node: those that it names, or those that its other keywords are about."""

from __future__ import annotations

from toolglot.fitting.node import SchemaNode
from toolglot.hub.model import JsonSchema
from toolglot.schema.json_types import stated_types, type_of
from toolglot.schema.keywords import ANNOTATIONS, APPLIES, OF_A_TYPE, TYPES
from toolglot.text.pointers import without_keys


def types_of(node: SchemaNode) -> tuple[str, ...]:
    """The types of a node: those that it names, those of its members, or those that its keywords are about.

    Keywords without a type accept everything else too; where the provider wants a type, that is narrowed.
    """
    source = node.source
    if isinstance(source.get("type"), str | list):
        return _without_covered(stated_types(source))
    about_types = OF_A_TYPE & source.keys()
    if node.rules.typed == "no" and all(node.context.allows(keyword) for keyword in about_types):
        return ()
    if "enum" in source or "const" in source:
        types_of_members = set(map(type_of, source.get("enum", [source.get("const")])))
        return _without_covered(tuple(name for name in TYPES if name in types_of_members))
    implied_types = [name for name in ("object", "array", "string", "number") if APPLIES[name] & about_types]
    if len(implied_types) != 1:
        return ()
    node.note("type", "narrowed", None, implied_types[0], "implied by the other keywords")
    return (implied_types[0],)


def _without_covered(types: tuple[str, ...]) -> tuple[str, ...]:
    """The types without `integer` beside `number`, which covers it."""
    if "number" not in types:
        return types
    return tuple(name for name in types if name != "integer")


def of_type(source: JsonSchema, type_name: str) -> JsonSchema:
    """A schema of several types cut down to one of them."""
    left_out = {"type", *(ANNOTATIONS - {"format"}), *(OF_A_TYPE - APPLIES[type_name])}
    part = without_keys(source, *left_out)
    if type_name not in ("string", "integer", "number"):
        part.pop("format", None)
    return {"type": type_name, **part}
