"""`enum` and `const`: kept where the provider accepts such values, else put into words."""

from __future__ import annotations

from typing import Any

from toolglot.converter.fitting.bounds import tighten_bound
from toolglot.converter.fitting.schema_node import SchemaNode
from toolglot.converter.schema import keyword_sentences
from toolglot.converter.schema.json_values import are_equal, has_type, type_of, unique


def fit_enum(node: SchemaNode) -> None:
    """Fit `enum` and `const`."""
    source = node.source
    if "enum" in source:
        members = _members_of_enum(node)
    elif "const" in source and "type" in source and not has_type(source["const"], node.types):
        members = []
    elif "const" in source:
        if node.context.allows("const", node.types) and _may_be_member(node, source["const"]):
            node.out["const"] = source["const"]
            return
        members = _members_of_const(node)
    else:
        return
    if members:
        _fit_values(node, members)
        return
    for keyword in ("enum", "const"):  # values of another type: of the items, say, that stand with their array
        if keyword in source:
            node.say(keyword)


def _members_of_enum(node: SchemaNode) -> list[Any]:
    """The values of `enum` that type and `const` accept, each once."""
    source = node.source
    members = unique(source["enum"])
    if "type" in source:
        members = [value for value in members if has_type(value, node.types)]
    if "const" in source:
        members = [value for value in members if are_equal(value, source["const"])]
        node.note("const", "renamed", source["const"], note="the only value that `enum` keeps")
    if 0 < len(members) < len(source["enum"]):
        node.note("enum", "renamed", source["enum"], members, "the others stand there twice, or are not of the type")
    return members


def _members_of_const(node: SchemaNode) -> list[Any]:
    constant = node.source["const"]
    type_name = type_of(constant)
    if type_name not in ("array", "object"):
        node.out.setdefault("type", type_name)
    node.note("const", "renamed", constant, note="an `enum` of one value")
    return [constant]


def _fit_values(node: SchemaNode, members: list[Any]) -> None:
    """Fit the values that an `enum` may have."""
    rules = node.rules
    if set(map(type_of, members)) == {"null"} and "null" not in rules.enum_types:
        node.out["type"] = "null"
        node.note("enum", "renamed", members, note="null is a type of its own")
    elif node.context.allows("enum", node.types) and all(_may_be_member(node, value) for value in members):
        node.out["enum"] = members
        if not rules.enum_beside_type_list and isinstance(node.out.get("type"), list):
            del node.out["type"]
            node.note("type", "renamed", node.source.get("type"), note="the values of `enum` are of these types")
    else:
        _widen_enum(node, members)


def _widen_enum(node: SchemaNode, members: list[Any]) -> None:
    """Put the values into words; where all are numbers, also into bounds."""
    node.note("enum", "widened", members, note="said in the description")
    sentence = keyword_sentences.describe_keyword("enum", members, {**node.source, "enum": members})
    if sentence:
        node.sentences.append(sentence)
    others = [value for value in members if value is not None]
    if not others or not all(has_type(value, ["number"]) for value in others):
        return
    for keyword, bound in (("minimum", min(others)), ("maximum", max(others))):
        if node.context.allows(keyword, node.types):
            tighten_bound(node, keyword, bound)


def _may_be_member(node: SchemaNode, value: Any) -> bool:
    if value == "" and not node.rules.empty_enum_text:
        return False
    if value is None and "null" in node.types:
        return True
    return has_type(value, node.rules.enum_types)
