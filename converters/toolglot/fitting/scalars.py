"""The keywords of a node that hold no other schema: types, members, bounds, patterns, annotations."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from toolglot.errors import unescape
from toolglot.fitting.node import SchemaNode
from toolglot.fitting.patterns import is_accepted
from toolglot.hub.model import JsonSchema
from toolglot.schema import words
from toolglot.schema.json_types import has_type, stated_types, type_of
from toolglot.schema.keywords import ANNOTATIONS, APPLICATORS, APPLIES, OF_A_TYPE, TYPES
from toolglot.schema.values import are_equal

# Handled by `fit`, by `fit_members`, or with the properties of an object.
_ELSEWHERE = frozenset({
    "type", "description", "enum", "const", "anyOf", "$ref", "$defs", "allOf", "required", "dependentRequired",
})  # fmt: skip


# -- types ----------------------------------------------------------------------------------------------------


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
        members = {type_of(value) for value in source.get("enum", [source.get("const")])}
        return _without_covered(tuple(name for name in TYPES if name in members))
    implied = [name for name in ("object", "array", "string", "number") if APPLIES[name] & about_types]
    if len(implied) != 1:
        return ()
    node.note("type", "narrowed", None, implied[0], "implied by the other keywords")
    return (implied[0],)


def _without_covered(types: tuple[str, ...]) -> tuple[str, ...]:
    """The types without `integer` beside `number`, which covers it."""
    return tuple(name for name in types if not (name == "integer" and "number" in types))


def of_type(source: JsonSchema, type_name: str) -> JsonSchema:
    """A schema of several types cut down to one of them."""
    left_out = {"type", *(ANNOTATIONS - {"format"}), *(OF_A_TYPE - APPLIES[type_name])}
    part = {key: value for key, value in source.items() if key not in left_out}
    if type_name not in ("string", "integer", "number"):
        part.pop("format", None)
    return {"type": type_name, **part}


# -- keywords that stay, or are said --------------------------------------------------------------------------


def fit_plain(node: SchemaNode) -> None:
    """Copy what the rules allow into the fitted schema; the rest is rewritten, said, or noted."""
    keywords = list(node.source)
    if not _BOUNDS.keys().isdisjoint(keywords):
        keywords.sort(key=lambda keyword: keyword in _BOUNDS)  # plain bounds first: an exclusive one may tighten them
    for keyword in keywords:
        _fit_keyword(node, keyword)


def _fit_keyword(node: SchemaNode, keyword: str) -> None:
    source, types = node.source, node.types
    value = source[keyword]
    if types and keyword in OF_A_TYPE and not any(keyword in APPLIES[name] for name in types):
        node.note(keyword, "renamed", value, note=f"it says nothing about a value of type {' or '.join(types)}")
    elif keyword in _ELSEWHERE or (keyword in APPLICATORS and keyword not in _SAID):
        return
    elif node.context.allows(keyword, types) and _accepts(node, keyword):
        fitted_value = node.fit_unchanged(keyword) if keyword in APPLICATORS else value
        if fitted_value is None:
            node.say(keyword)
        else:
            node.out[keyword] = fitted_value
    elif keyword in _BOUNDS:
        _fit_exclusive_bound(node, keyword)
    elif _is_said_with_another(keyword, source):
        node.note(keyword, "widened", value, note="said in the description with the keyword before it")
    elif keyword == "title" and not node.context.allows("title"):
        _say_title(node)
    else:
        node.say(keyword)


# Keywords that hold schemas and are said in words where they are not allowed; where they are, they stay as they are.
_SAID = frozenset({"not", "if", "then", "else", "oneOf", "contains", "propertyNames", "dependentSchemas",
                   "unevaluatedItems", "contentSchema"})  # fmt: skip


def _is_said_with_another(keyword: str, source: JsonSchema) -> bool:
    """Whether the words for another keyword say this one too."""
    if "contains" not in source and "if" not in source:
        return False
    return keyword in ("minContains", "maxContains", "then", "else")


def _say_title(node: SchemaNode) -> None:
    title = node.source["title"]
    key = unescape(node.pointer.rpartition("/")[2])
    description = str(node.source.get("description", "")).lower()
    if _letters_and_digits(str(title)) == _letters_and_digits(key) or str(title).lower() in description:
        node.note("title", "renamed", title, note="the key or the description says it")
    elif isinstance(title, str) and title.strip():
        node.sentences.insert(0, f"{title.strip().rstrip('.')}.")
        node.note("title", "described", title)


def _letters_and_digits(text: str) -> str:
    return re.sub("[^a-z0-9]", "", text.lower())


def _accepts(node: SchemaNode, keyword: str) -> bool:
    """Whether the provider takes the value of a keyword that it knows."""
    rules, value = node.rules, node.source[keyword]
    if keyword == "format" and rules.formats is not None:
        return any(value in rules.formats.get(name, ()) for name in node.types)
    if keyword == "pattern":
        return isinstance(value, str) and is_accepted(value, rules.pattern)
    if keyword == "minItems" and rules.most_min_items is not None:
        return bool(value <= rules.most_min_items)
    return True


# Exclusive bound -> the inclusive one, and the step from the bound to the first whole number within it.
_BOUNDS = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}


def _fit_exclusive_bound(node: SchemaNode, keyword: str) -> None:
    """An exclusive bound as an inclusive one: exact for integers, one value too many for other numbers."""
    value = node.source[keyword]
    inclusive, step = _BOUNDS[keyword]
    if not node.context.allows(inclusive, node.types):
        node.say(keyword)
        return
    is_whole = set(node.types) - {"null"} == {"integer"}
    bound = _next_integer(value, step) if is_whole else value
    tightest: Callable[[Any, Any], Any] = max if step > 0 else min
    node.out[inclusive] = tightest(bound, node.out.get(inclusive, bound))
    if is_whole:
        node.note(keyword, "renamed", value, note=f"{inclusive} {bound} says the same of integers")
    else:
        node.say(keyword)


def _next_integer(value: float, step: int) -> int:
    floor = value // 1
    if step > 0:
        return int(floor) + 1
    return int(floor) - 1 if floor == value else int(floor)


# -- members --------------------------------------------------------------------------------------------------


def fit_members(node: SchemaNode) -> bool:
    """Fit `enum` and `const`.

    Returns:
        Whether only alternatives can say them: then the source of the node holds those, to be fitted in its place.
    """
    source = node.source
    if "enum" in source:
        members = _members_of_enum(node)
    elif "const" in source:
        if node.context.allows("const", node.types) and _may_be_member(node, source["const"], node.types):
            node.out["const"] = source["const"]
            return False
        members = _members_of_const(node)
    else:
        return False
    if members:
        return _fit_enum(node, members)
    for keyword in ("enum", "const"):  # values for the items, say, that stand with their array
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
    only = node.source["const"]
    type_name = type_of(only)
    if type_name not in ("array", "object"):
        node.out.setdefault("type", type_name)
    node.note("const", "renamed", only, note="an `enum` of one value")
    return [only]


def _fit_enum(node: SchemaNode, members: list[Any]) -> bool:
    """Fit the values that an `enum` may have; the result is that of `fit_members`."""
    rules, types = node.rules, node.types
    own_types = {type_of(value) for value in members}
    if "null" in own_types and "null" not in rules.enum_types:
        if own_types == {"null"}:
            node.out["type"] = "null"
            node.note("enum", "renamed", members, note="null is a type of its own")
            return False
        if not types and len(own_types) == 2 and rules.type_lists != "none":
            types = tuple(sorted(own_types, key=lambda name: name == "null"))
            node.out["type"] = list(types)
            node.note("type", "renamed", None, list(types), "the values of `enum` are of these types")
    if rules.typed == "type":
        if "" in members and not rules.empty_enum_text:
            _split_members(node, members, _without_empty_text(members, own_types))
            return True
        if len(own_types - {"null"}) > 1 and rules.type_lists != "any":
            _split_members(node, members, _one_enum_a_type(members, own_types))
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
    sentence = words.describe_keyword("enum", members, {**node.source, "enum": members})
    if sentence:
        node.sentences.append(sentence)
    others = [value for value in members if value is not None]
    if not others or not all(has_type(value, ["number"]) for value in others):
        return
    for keyword, bound in (("minimum", min(others)), ("maximum", max(others))):
        if node.context.allows(keyword, types):
            node.out[keyword] = bound


def _without_empty_text(members: list[Any], own_types: set[str]) -> list[JsonSchema]:
    """Alternatives for members of which one is the empty text, which may not stand in an `enum`."""
    empty = {"type": "string", "maxLength": 0}
    others = [value for value in members if value != ""]
    return [{"type": list(own_types), "enum": others}, empty] if others else [empty]


def _one_enum_a_type(members: list[Any], own_types: set[str]) -> list[JsonSchema]:
    members_of: dict[str, list[Any]] = {type_name: [] for type_name in sorted(own_types)}
    for value in members:
        members_of[type_of(value)].append(value)
    return [{"type": type_name, "enum": enum} for type_name, enum in members_of.items()]


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
    for keyword in source.keys() - ANNOTATIONS:
        node.note(keyword, "renamed", source[keyword], note="one alternative a kind of value")
    node.source = {**about, "anyOf": [{**siblings, **part} for part in parts]}


def _may_be_member(node: SchemaNode, value: Any, types: tuple[str, ...]) -> bool:
    if value is None and "null" in types:
        return True
    return has_type(value, node.rules.enum_types)
