"""`enum` and `const`: kept where the provider takes such values, else split into alternatives, or said in words."""

from __future__ import annotations

from typing import Any

from toolglot.fitting.other_keywords import tighten_bound
from toolglot.fitting.schema_node import SchemaNode
from toolglot.hub.model import JsonSchema
from toolglot.schema import keyword_sentences
from toolglot.schema.json_values import are_equal, has_type, type_of
from toolglot.schema.keywords import ANNOTATIONS


def fit_enum(node: SchemaNode) -> bool:
    """Fit `enum` and `const`.

    Returns:
        Whether only alternatives can say them: then the source of the node holds those, to be fitted in its place.
    """
    source = node.source
    if "enum" in source:
        members = _members_of_enum(node)
    elif "const" in source and "type" in source and not has_type(source["const"], node.types):
        members = []
    elif "const" in source:
        if node.context.allows("const", node.types) and _may_be_member(node, source["const"], node.types):
            node.out["const"] = source["const"]
            return False
        members = _members_of_const(node)
    else:
        return False
    if members:
        return _fit_values(node, members)
    for keyword in ("enum", "const"):  # values of another type: of the items, say, that stand with their array
        if keyword in source:
            node.say(keyword)
    return False


def _members_of_enum(node: SchemaNode) -> list[Any]:
    """The values of `enum` that the other keywords leave."""
    source = node.source
    members: list[Any] = source["enum"]
    if "type" in source:
        members = [value for value in members if has_type(value, node.types)]
    if "const" in source:
        members = [value for value in members if are_equal(value, source["const"])]
        node.note("const", "renamed", source["const"], note="the only value that `enum` keeps")
    if 0 < len(members) < len(source["enum"]):
        node.note("enum", "renamed", source["enum"], members, "the others were not of the type")
    return members


def _members_of_const(node: SchemaNode) -> list[Any]:
    constant = node.source["const"]
    type_name = type_of(constant)
    if type_name not in ("array", "object"):
        node.out.setdefault("type", type_name)
    node.note("const", "renamed", constant, note="an `enum` of one value")
    return [constant]


def _fit_values(node: SchemaNode, members: list[Any]) -> bool:
    """Fit the values that an `enum` may have; the result is that of `fit_enum`."""
    rules, types = node.rules, node.types
    own_types = set(map(type_of, members))
    if own_types == {"null"} and "null" not in rules.enum_types:
        node.out["type"] = "null"
        node.note("enum", "renamed", members, note="null is a type of its own")
        return False
    if "" in members and rules.typed == "type" and not rules.empty_enum_text:
        _split_members(node, members, _without_empty_text(members, own_types))
        return True
    if node.context.allows("enum", types) and all(_may_be_member(node, value, types) for value in members):
        _keep_enum(node, members)
    else:
        _widen_enum(node, members, types)
    return False


def _keep_enum(node: SchemaNode, members: list[Any]) -> None:
    node.out["enum"] = members
    if not node.rules.enum_beside_type_list and isinstance(node.out.get("type"), list):
        del node.out["type"]
        node.note("type", "renamed", node.source.get("type"), note="the values of `enum` are of these types")


def _widen_enum(node: SchemaNode, members: list[Any], types: tuple[str, ...]) -> None:
    """The values in words, and between bounds where all of them are numbers."""
    node.note("enum", "widened", members, note="said in the description")
    sentence = keyword_sentences.describe_keyword("enum", members, {**node.source, "enum": members})
    if sentence:
        node.sentences.append(sentence)
    others = [value for value in members if value is not None]
    if not others or not all(has_type(value, ["number"]) for value in others):
        return
    for keyword, bound in (("minimum", min(others)), ("maximum", max(others))):
        if node.context.allows(keyword, types):
            tighten_bound(node, keyword, bound)


def _without_empty_text(members: list[Any], own_types: set[str]) -> list[JsonSchema]:
    """Alternatives for members of which one is the empty text, which may not stand in an `enum`."""
    empty = {"type": "string", "maxLength": 0}
    others = [value for value in members if value != ""]
    if not others:
        return [empty]
    return [{"type": list(own_types), "enum": others}, empty]


def _split_members(node: SchemaNode, members: list[Any], parts: list[JsonSchema]) -> None:
    """A node whose values are of several kinds as one alternative a kind; each says what else the node says."""
    about: JsonSchema = {}
    siblings: JsonSchema = {}
    source = {**node.source, "enum": members}
    for keyword, value in source.items():
        if keyword in ANNOTATIONS:
            about[keyword] = value
        elif keyword not in ("type", "enum", "const"):
            siblings[keyword] = value
    for keyword, value in source.items():
        if keyword not in ANNOTATIONS:
            node.note(keyword, "renamed", value, note="one alternative a kind of value")
    node.source = {**about, "anyOf": [{**siblings, **part} for part in parts]}


def _may_be_member(node: SchemaNode, value: Any, types: tuple[str, ...]) -> bool:
    if value is None and "null" in types:
        return True
    return has_type(value, node.rules.enum_types)
