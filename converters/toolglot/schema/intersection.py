"""One schema for what two schemas accept.

Keywords are merged in groups, because some only mean something together (`additionalProperties` speaks of what
`properties` does not name). A group that has no merged form stays with the first schema, and the second schema's
goes to the leftovers: constraints that belong beside the merged schema, as its `allOf`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from toolglot.hub.model import JsonSchema
from toolglot.schema.keywords import (
    ANNOTATIONS,
    APPLICATORS,
    APPLIES,
    UNEVALUATED,
    is_schema,
    walk,
    without_unevaluated,
)
from toolglot.schema.overlap import KINDS, mapping, matches, members_of, overlap, refusal, stated_kinds
from toolglot.schema.shapes import is_well_formed
from toolglot.schema.values import common_multiple, key, lists_by_name, lower, nor, unique, upper

Leftovers = list[JsonSchema]

_NODES = 10_000  # pairs of schemas that one call merges; the rest stays an `allOf` of the two
_DEPTH = 60
_BRANCHES = 16  # alternatives that come of two `anyOf`
_COPIED = 500  # schemas in all those alternatives

# Keyword -> the kinds of values that it is about.
_ABOUT: dict[str, frozenset[str]] = {
    keyword: frozenset().union(*(KINDS[name] for name, keywords in APPLIES.items() if keyword in keywords))
    for keyword in frozenset().union(*APPLIES.values())
}
_ASSERTIONS = (APPLICATORS | _ABOUT.keys() | {"type", "enum", "const", "$ref", "$dynamicRef"}) - ANNOTATIONS - {"$defs"}


def intersect(one: Any, other: Any) -> tuple[Any, Leftovers]:
    """One schema that accepts exactly what both accept.

    Args:
        one, other: plain JSON Schema 2020-12; neither is modified. Where both have a title, a description, a default
            or an unknown keyword, that of `other` stays.

    Returns:
        The schema, `False` if nothing is accepted by both; and what could not be merged into it. The schema with
        the leftovers as its `allOf` is exact.

    >>> intersect({"type": "number", "minimum": 0}, {"type": "integer", "minimum": 5, "description": "d"})
    ({'type': 'integer', 'minimum': 5, 'description': 'd'}, [])
    >>> intersect({"type": "string"}, {"enum": [1, 2]})
    (False, [])
    >>> intersect({"pattern": "^a"}, {"pattern": "z$"})
    ({'pattern': '^a'}, [{'pattern': 'z$'}])
    """
    return _Merger().both(one, other)


def merge_all_of(schema: Any) -> tuple[Any, Leftovers]:
    """A schema with its `allOf` folded in; what stands beside the `allOf` wins over what its members say of it.

    Members that are a `$ref` stay in an `allOf` of the result: a definition may be recursive.

    Returns:
        The schema and the leftovers, as `intersect`.

    >>> merge_all_of({"allOf": [{"required": ["a"]}, {"required": ["b"], "title": "B"}], "title": "AB"})
    ({'required': ['a', 'b'], 'title': 'AB'}, [])
    """
    if not isinstance(schema, dict) or not isinstance(schema.get("allOf"), list):
        return schema, []
    return _Merger().fold(schema)


class _Merger:
    """One call, with a budget: schemas that multiply with each other at every level could grow without end."""

    def __init__(self) -> None:
        self.left = _NODES
        self.depth = 0

    def both(self, one: Any, other: Any) -> tuple[Any, Leftovers]:
        if one is False or other is False:
            return False, []
        if one is True or one == {}:
            return other, []
        if other is True or other == {}:
            return one, []
        self.left -= 1
        if self.left < 0 or self.depth > _DEPTH:
            return {"allOf": [one, other]}, []
        one, other = without_unevaluated(one), without_unevaluated(other)
        if UNEVALUATED & (one.keys() | other.keys()):
            return self.apart(one, other)
        kinds = _shared(one, other)
        if not kinds:
            return False, []
        out, left = self.keywords(one, other)
        out |= _possible(one, other)
        if [] in (out.get("anyOf"), out.get("oneOf")):
            return False, []
        out |= _types(one, other, kinds)
        idle = _idle(one, other, out)
        out, *left = (_without(idle, node) for node in (out, *left))
        merged, left = _with_members(out, left, one, other)
        if merged is None:
            return False, []
        return {name: merged[name] for name in (*one, *other, *merged) if name in merged}, [
            rest for rest in left if rest
        ]

    def inside(self, one: Any, other: Any) -> Any:
        """The intersection of two schemas that stand inside those to merge; what is left stays there."""
        self.depth += 1
        merged, left = self.both(one, other)
        self.depth -= 1
        return {**merged, "allOf": [*merged.get("allOf", ()), *left]} if left else merged

    def keywords(self, one: JsonSchema, other: JsonSchema) -> tuple[JsonSchema, Leftovers]:
        out: JsonSchema = {}
        left: Leftovers = []
        alone = [name for name in dict.fromkeys((*one, *other)) if name not in _GROUPED]
        for names, anchor, combine in (*_GROUPS, *(((name,), "", _SINGLE.get(name, _second)) for name in alone)):
            mine, theirs = _part(one, names, anchor), _part(other, names, anchor)
            if not (mine and theirs):
                out |= mine or theirs
            elif key(mine) == key(theirs):
                out |= theirs
            else:
                merged = combine(self, mine, theirs) if is_well_formed(mine) and is_well_formed(theirs) else None
                out |= mine if merged is None else merged
                left += [theirs] if merged is None else []
        return out, left

    def apart(self, one: JsonSchema, other: JsonSchema) -> tuple[JsonSchema, Leftovers]:
        """`unevaluated...` speaks of all that stands beside it, so nothing may be added there but annotations."""
        about, left = self.both(_without(_ASSERTIONS, one), _without(_ASSERTIONS, other))
        rests = unique(rest for node in (one, other) if (rest := _only(_ASSERTIONS, node)))
        stays = rests if len(rests) == 1 else [rest for rest in rests if not UNEVALUATED & rest.keys()]
        left += [rest for rest in rests if rest not in stays]
        return {**({} if about is True else about), **(stays[0] if stays else {})}, left

    # -- allOf --------------------------------------------------------------------------------------------------

    def fold(self, node: JsonSchema) -> tuple[Any, Leftovers]:
        late = _only(UNEVALUATED, node)
        merged: Any = {}
        left: Leftovers = []
        kept: list[Any] = []
        base = _without(UNEVALUATED | {"allOf"}, node)
        for member in (*self.members(node["allOf"], kept), base):
            merged, more = self.both(merged, member)
            left += more
        merged, left = self.again({} if merged is True else merged, left)
        if merged is False:
            return False, []
        if late and UNEVALUATED & merged.keys():  # of a member, which does not see what its siblings evaluate
            left.append(_only(_ASSERTIONS, merged))
            merged = _without(_ASSERTIONS, merged)
        merged = {**merged, **late, **({"allOf": kept} if kept else {})}
        return (merged if left else without_unevaluated(merged)), left

    def members(self, members: list[Any], kept: list[Any]) -> Iterator[Any]:
        """The members to merge, those inside members first; references are `kept`."""
        for member in members:
            if isinstance(member, dict) and "$ref" in member:
                kept.append(member)
            elif isinstance(member, dict) and isinstance(member.get("allOf"), list) and self.depth <= _DEPTH:
                if UNEVALUATED & member.keys():
                    yield member
                else:
                    self.depth += 1
                    yield from self.members(member["allOf"], kept)
                    self.depth -= 1
                    yield _without({"allOf"}, member)
            elif is_schema(member):
                yield member

    def again(self, merged: Any, left: Leftovers) -> tuple[Any, Leftovers]:
        """Leftovers once more: the members of an `enum` that came later can be tested by them."""
        if merged is False or not {"enum", "const"} & merged.keys():
            return merged, left
        rest: Leftovers = []
        for item in left:
            found, more = self.both(merged, item)
            if found is False:
                return False, []
            rest += [item] if more else []
            merged = merged if more else found
        return merged, rest

    # -- groups of keywords; `None` where there is no merged form -------------------------------------------------

    def properties(self, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        """What either names, held to what the other says of it: by name, else by pattern, else by the rest."""
        merged: JsonSchema = {}
        for keyword, at in (("properties", _at_name), ("patternProperties", _at_pattern)):
            names = dict.fromkeys((*one.get(keyword, ()), *other.get(keyword, ())))
            pairs = {name: (at(one, name), at(other, name)) for name in names}
            if any(None in pair for pair in pairs.values()):
                return None
            merged[keyword] = {name: self.inside(*pair) for name, pair in pairs.items()}
        rest = self.inside(one.get("additionalProperties", True), other.get("additionalProperties", True))
        if rest is False and not merged["patternProperties"]:
            merged["properties"] = {name: item for name, item in merged["properties"].items() if item is not False}
        merged["additionalProperties"] = rest
        return {name: value for name, value in merged.items() if name in one or name in other}

    def items(self, one: JsonSchema, other: JsonSchema) -> JsonSchema:
        mine, theirs = one.get("prefixItems", []), other.get("prefixItems", [])
        rests = one.get("items", True), other.get("items", True)
        prefix = [
            self.inside(mine[at] if at < len(mine) else rests[0], theirs[at] if at < len(theirs) else rests[1])
            for at in range(max(len(mine), len(theirs)))
        ]
        rest = self.inside(*rests)
        ends = next((at for at, item in enumerate(prefix) if item is False), None)
        if ends is not None:  # no array gets that far
            prefix, rest = prefix[:ends], False
        stated = rest is False or "items" in one or "items" in other  # even `true`, which evaluates all items
        return {**({"prefixItems": prefix} if prefix else {}), **({"items": rest} if stated else {})}

    def contains(self, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        if key(one["contains"]) != key(other["contains"]):
            return None
        least = max(node.get("minContains", 1) for node in (one, other))
        most = [node["maxContains"] for node in (one, other) if "maxContains" in node]
        return {"contains": other["contains"], "minContains": least, **({"maxContains": min(most)} if most else {})}

    def any_of(self, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        """Every alternative of the one with every alternative of the other, where that is few."""
        mine, theirs = one["anyOf"], other["anyOf"]
        size, beside = (sum(1 for _ in islice(walk({"anyOf": side}), _COPIED)) for side in (mine, theirs))
        if len(mine) * len(theirs) > _BRANCHES or size * len(theirs) + beside * len(mine) > _COPIED:
            return None
        found = [self.inside(first, second) for first in mine for second in theirs]
        return {"anyOf": unique(item for item in found if item is not False)}

    def dependent_schemas(self, one: JsonSchema, other: JsonSchema) -> JsonSchema:
        mine, theirs = one["dependentSchemas"], other["dependentSchemas"]
        both = {name: self.inside(mine[name], theirs[name]) for name in mine if name in theirs}
        return {"dependentSchemas": {**mine, **theirs, **both}}

    def property_names(self, one: JsonSchema, other: JsonSchema) -> JsonSchema:
        return {"propertyNames": self.inside(one["propertyNames"], other["propertyNames"])}


# The keywords of a group on both sides -> merged, or `None` where there is no merged form.
Combine = Callable[[_Merger, JsonSchema, JsonSchema], JsonSchema | None]


def _second(merger: _Merger, one: JsonSchema, other: JsonSchema) -> JsonSchema:
    return other


def _neither(merger: _Merger, one: JsonSchema, other: JsonSchema) -> None:
    return None


def _values(merge: Callable[[Any, Any], Any]) -> Combine:
    """One keyword whose values merge to a value, or to `None` where they do not."""

    def combine(merger: _Merger, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        ((name, value),) = one.items()
        merged = merge(value, other[name])
        return None if merged is None else {name: merged}

    return combine


_GROUPS: tuple[tuple[tuple[str, ...], str, Combine], ...] = (  # keywords, the one without which the others are idle
    (("properties", "patternProperties", "additionalProperties"), "", _Merger.properties),
    (("prefixItems", "items"), "", _Merger.items),
    (("contains", "minContains", "maxContains"), "contains", _Merger.contains),
    (("if", "then", "else"), "if", _neither),
    (("minimum", "exclusiveMinimum"), "", lambda merger, one, other: lower(one, other)),
    (("maximum", "exclusiveMaximum"), "", lambda merger, one, other: upper(one, other)),
)
_GROUPED = frozenset(name for names, _, _ in _GROUPS for name in names)

_SINGLE: dict[str, Combine] = {
    **dict.fromkeys(("title", "description"), _values(lambda one, other: other or one)),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), _values(lambda one, other: one or other)),
    **dict.fromkeys(("minLength", "minItems", "minProperties"), _values(max)),
    **dict.fromkeys(("maxLength", "maxItems", "maxProperties"), _values(min)),
    **dict.fromkeys(("examples", "allOf"), _values(lambda one, other: unique([*one, *other]))),
    **dict.fromkeys(("pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"), _neither),
    **dict.fromkeys(("oneOf", "$ref", "$dynamicRef"), _neither),
    "multipleOf": _values(common_multiple),
    "required": _values(lambda one, other: list(dict.fromkeys((*one, *other)))),
    "dependentRequired": _values(lists_by_name),
    "dependentSchemas": _Merger.dependent_schemas,
    "propertyNames": _Merger.property_names,
    "anyOf": _Merger.any_of,
    "not": _values(nor),
    "$defs": _values(lambda one, other: {**one, **other}),
}


def _only(names: Any, node: JsonSchema) -> JsonSchema:
    return {name: value for name, value in node.items() if name in names}


def _without(names: Any, node: JsonSchema) -> JsonSchema:
    return {name: value for name, value in node.items() if name not in names}


def _part(node: JsonSchema, names: tuple[str, ...], anchor: str) -> JsonSchema:
    return {name: node[name] for name in names if name in node} if not anchor or anchor in node else {}


def _shared(one: Any, other: Any) -> frozenset[str]:
    return overlap(one, other, steps=200, depth=3)


def _at_name(node: JsonSchema, name: str) -> Any:
    """What a schema asks of a property beside its patterns; `None` if that cannot be told."""
    if name in mapping(node, "properties"):
        return node["properties"][name]
    found = [matches(pattern, name) for pattern in mapping(node, "patternProperties")]
    return True if True in found else None if None in found else node.get("additionalProperties", True)


def _at_pattern(node: JsonSchema, pattern: str) -> Any:
    """What a schema asks of all the properties that match a pattern; `None` if not the same of all."""
    patterns, rest = mapping(node, "patternProperties"), node.get("additionalProperties", True)
    if pattern in patterns:
        return patterns[pattern]
    if rest is True or rest == {}:
        return True
    apart = not patterns and all(matches(pattern, name) is False for name in mapping(node, "properties"))
    return rest if apart else None


def _possible(one: JsonSchema, other: JsonSchema) -> JsonSchema:
    """The alternatives of the one schema without those that the other rules out."""
    return {
        keyword: [item for item in mine[keyword] if _shared(item, theirs)]
        for mine, theirs in ((one, other), (other, one))
        for keyword in ("anyOf", "oneOf")
        if keyword in mine and keyword not in theirs and is_well_formed({keyword: mine[keyword]})
    }


def _types(one: JsonSchema, other: JsonSchema, kinds: frozenset[str]) -> JsonSchema:
    """The types that both schemas name, without those that their other keywords rule out."""
    stated = stated_kinds(one) & stated_kinds(other)
    values = [node["type"] for node in (one, other) if "type" in node]
    names = dict.fromkeys(
        name for value in values for name in (value if isinstance(value, list) else [value]) if isinstance(name, str)
    )
    found = [name for name in names if (own := KINDS.get(name, frozenset())) & kinds and own <= stated]
    if "number" in found and "integer" in found:
        found.remove("integer")
    return {"type": found[0] if len(found) == 1 else found} if found else {}


def _idle(one: JsonSchema, other: JsonSchema, out: JsonSchema) -> frozenset[str]:
    """The keywords about values of types that only one of the schemas accepts."""
    kept, lost = stated_kinds(out), (stated_kinds(one) | stated_kinds(other)) - stated_kinds(out)
    return frozenset(name for name, about in _ABOUT.items() if about & lost and not about & kept)


def _with_members(
    out: JsonSchema, left: Leftovers, one: JsonSchema, other: JsonSchema
) -> tuple[JsonSchema | None, Leftovers]:
    """`enum` and `const` with the members that neither schema refuses; `None` if there are none."""
    mine, theirs = members_of(one), members_of(other)
    members = theirs if mine is None else mine
    if members is None:
        return out, left
    tests = refusal(one), refusal(other)
    kept = unique(value for value in members if not any(refuses(value) for refuses, _ in tests))
    if not kept:
        return None, []
    out = _without({"enum", "const"}, out)
    out |= {"const": kept[0]} if len(kept) == 1 and ("const" in one or "const" in other) else {"enum": kept}
    if all(complete for _, complete in tests):  # then the other constraints have had their say
        left = [_without(_ASSERTIONS, node) for node in left]
        if not any(isinstance(value, dict | list) for value in kept):
            out = _without(_ASSERTIONS - {"type", "enum", "const"}, out)
    return out, left
