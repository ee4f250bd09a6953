"""One schema for what two schemas accept.

Keywords are merged in groups, because some only mean something together (`additionalProperties` speaks of what
`properties` does not name). A group that has no merged form stays with the first schema, and the second schema's
goes to the leftovers: constraints that belong beside the merged schema, as its `allOf`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.json_values import are_equal, stated_types, unique
from toolglot.converter.schema.keywords import (
    ANNOTATIONS,
    APPLICATORS,
    APPLIES,
    OF_A_TYPE,
    UNEVALUATED,
    accepts_anything,
    is_schema,
    is_well_formed,
)
from toolglot.converter.schema.overlap import KINDS, members_of, overlap, refusal_test, stated_kinds

Leftovers: TypeAlias = list[JsonSchema]

_NODES = 10_000  # pairs of schemas that one call merges; the rest stays an `allOf` of the two
_DEPTH = 60
_ONE_BY_ONE = 50  # members of an `allOf`

# Keyword -> the kinds of values that it is about.
_ABOUT: dict[str, frozenset[str]] = {keyword: frozenset() for keyword in OF_A_TYPE}
for _type_name, _keywords in APPLIES.items():
    for _keyword in _keywords:
        _ABOUT[_keyword] |= KINDS[_type_name]

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
        if accepts_anything(one):
            return other, []
        if accepts_anything(other):
            return one, []
        self.left -= 1
        if self.left < 0 or self.depth > _DEPTH:
            return {"allOf": [one, other]}, []
        speaking_of_all = [node for node in (one, other) if UNEVALUATED & node.keys()]
        if speaking_of_all:  # of all that stands beside it, so that nothing may be added there
            return next((node for node in (one, other) if UNEVALUATED.isdisjoint(node)), {}), speaking_of_all
        kinds = _shared_kinds(one, other)
        if not kinds:
            return False, []
        out, leftovers = self.merge_keywords(one, other)
        out.update(_possible_alternatives(one, other))
        if out.get("anyOf") == [] or out.get("oneOf") == []:
            return False, []
        out.update(_shared_types(one, other, kinds))
        idle = _idle_keywords(one, other, out)
        if idle:
            out = _without(idle, out)
            leftovers = [_without(idle, rest) for rest in leftovers]
        whole, leftovers = _with_members(out, leftovers, one, other)
        if whole is None:
            return False, []
        in_order = {name: whole[name] for name in (*one, *other, *whole) if name in whole}
        return in_order, [rest for rest in leftovers if rest]

    def inside(self, one: Any, other: Any) -> Any:
        """The intersection of two schemas that stand inside those to merge; what is left stays there."""
        self.depth += 1
        whole, leftovers = self.both(one, other)
        self.depth -= 1
        return with_rest(whole, leftovers)

    def merge_keywords(self, one: JsonSchema, other: JsonSchema) -> tuple[JsonSchema, Leftovers]:
        """Every keyword, those of a group together."""
        out: JsonSchema = {}
        leftovers: Leftovers = []
        for group in _groups_in(one, other):
            mine, theirs = group.part_of(one), group.part_of(other)
            if not mine or not theirs:
                out.update(mine or theirs)
            elif are_equal(mine, theirs):
                out.update(theirs)
            else:
                combination: JsonSchema | None = None
                if is_well_formed(mine) and is_well_formed(theirs):
                    combination = group.combine(self, mine, theirs)
                if combination is None:
                    leftovers.append(theirs)
                    combination = mine
                out.update(combination)
        return out, leftovers

    # -- allOf --------------------------------------------------------------------------------------------------

    def fold(self, node: JsonSchema) -> tuple[Any, Leftovers]:
        """A schema without its `allOf`, as `merge_all_of`."""
        if UNEVALUATED & node.keys():  # it looks at what the members do, and they stay to be looked at
            return node, []
        references: list[Any] = []
        base = _without({"allOf"}, node)
        whole, leftovers = self.merge_in_order([*self.members(node["allOf"], references), base])
        if whole is True:
            whole = {}
        if whole is False:
            return False, []
        if references:
            whole = {**whole, "allOf": references}
        return whole, leftovers

    def merge_in_order(self, schemas: list[Any]) -> tuple[Any, Leftovers]:
        """All of some schemas: a few one after another, of many each half.

        One after another, each of many would copy all that was merged before it.
        """
        whole: Any = {}
        leftovers: Leftovers = []
        parts: Iterable[tuple[Any, Leftovers]] = ((schema, []) for schema in schemas)
        if len(schemas) > _ONE_BY_ONE:
            middle = len(schemas) // 2
            parts = map(self.merge_in_order, (schemas[:middle], schemas[middle:]))
        for schema, own_leftovers in parts:
            whole, more = self.both(whole, schema)
            leftovers += [*more, *own_leftovers]
        return whole, leftovers

    def members(self, members: list[Any], references: list[Any]) -> Iterator[Any]:
        """The members to merge, those inside members first; what is a reference goes into `references`."""
        for member in members:
            if isinstance(member, dict) and "$ref" in member:
                references.append(member)
            elif isinstance(member, dict) and isinstance(member.get("allOf"), list) and self.depth <= _DEPTH:
                if UNEVALUATED & member.keys():
                    yield member
                else:
                    self.depth += 1
                    yield from self.members(member["allOf"], references)
                    self.depth -= 1
                    yield _without({"allOf"}, member)
            elif is_schema(member):
                yield member

    # -- groups of keywords; `None` where there is no merged form -------------------------------------------------

    def properties(self, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        """What either names, held to what the other says of it by name, else of the rest."""
        if "patternProperties" in one or "patternProperties" in other:
            return None
        my_rest, their_rest = one.get("additionalProperties", True), other.get("additionalProperties", True)
        mine, theirs = one.get("properties", {}), other.get("properties", {})
        rest = self.inside(my_rest, their_rest)
        properties: JsonSchema = {}
        for name in (*mine, *(name for name in theirs if name not in mine)):
            item = self.inside(mine.get(name, my_rest), theirs.get(name, their_rest))
            if item is not False or rest is not False:
                properties[name] = item
        keywords = {"properties": properties, "additionalProperties": rest}
        return {name: value for name, value in keywords.items() if name in one or name in other}

    def items(self, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        """What both ask of the items of a list; a tuple is asked for by one of them alone."""
        if "prefixItems" in one or "prefixItems" in other:
            return None
        return {"items": self.inside(one["items"], other["items"])}


# The keywords of a group on both sides -> merged, or `None` where there is no merged form.
Combine = Callable[[_Merger, JsonSchema, JsonSchema], JsonSchema | None]


def _keep_second(merger: _Merger, one: JsonSchema, other: JsonSchema) -> JsonSchema:
    return other


def _cannot_combine(merger: _Merger, one: JsonSchema, other: JsonSchema) -> None:
    return None


def _by_value(merge: Callable[[Any, Any], Any]) -> Combine:
    """One keyword whose values merge to a value, or to `None` where they do not."""

    def combine(merger: _Merger, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        ((name, value),) = one.items()
        common_value = merge(value, other[name])
        return None if common_value is None else {name: common_value}

    return combine


class _Group(NamedTuple):
    """Keywords that mean something only together.

    Attributes:
        names: the keywords.
        combine: merges those of two schemas.
        anchor: the one without which the others are idle, if there is one.
    """

    names: tuple[str, ...]
    combine: Combine
    anchor: str | None = None

    def part_of(self, node: JsonSchema) -> JsonSchema:
        """The keywords of the group that a schema has."""
        if self.anchor is not None and self.anchor not in node:
            return {}
        return {name: node[name] for name in self.names if name in node}


_GROUPS = (
    _Group(("properties", "patternProperties", "additionalProperties"), _Merger.properties),
    _Group(("prefixItems", "items"), _Merger.items),
    _Group(("contains", "minContains", "maxContains"), _cannot_combine, "contains"),
    _Group(("if", "then", "else"), _cannot_combine, "if"),
)
_GROUPED = frozenset(name for group in _GROUPS for name in group.names)


def _groups_in(one: JsonSchema, other: JsonSchema) -> Iterator[_Group]:
    """The groups, and each other keyword of two schemas as a group of its own."""
    yield from _GROUPS
    for name in dict.fromkeys((*one, *other)):
        if name not in _GROUPED:
            yield _Group((name,), _SINGLE.get(name, _keep_second))


_SINGLE: dict[str, Combine] = {
    **dict.fromkeys(("title", "description"), _by_value(lambda one, other: other or one)),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), _by_value(lambda one, other: one or other)),
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), _by_value(max)),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), _by_value(min)),
    **dict.fromkeys(("examples", "allOf"), _by_value(lambda one, other: unique([*one, *other]))),
    **dict.fromkeys(("pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"), _cannot_combine),
    **dict.fromkeys(("anyOf", "oneOf", "not", "multipleOf", "$ref", "$dynamicRef"), _cannot_combine),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "propertyNames"), _cannot_combine),
    "required": _by_value(lambda one, other: list(dict.fromkeys((*one, *other)))),
    "$defs": _by_value(lambda one, other: {**one, **other}),
}


def _without(names: Any, node: JsonSchema) -> JsonSchema:
    return {name: value for name, value in node.items() if name not in names}


def _shared_kinds(one: Any, other: Any) -> frozenset[str]:
    return overlap(one, other, steps=200, depth=3)


def _possible_alternatives(one: JsonSchema, other: JsonSchema) -> JsonSchema:
    """The alternatives of the one schema without those that the other rules out."""
    possible: JsonSchema = {}
    for mine, theirs in ((one, other), (other, one)):
        for keyword in ("anyOf", "oneOf"):
            if keyword in mine and keyword not in theirs and is_well_formed({keyword: mine[keyword]}):
                possible[keyword] = [item for item in mine[keyword] if _shared_kinds(item, theirs)]
    return possible


def _shared_types(one: JsonSchema, other: JsonSchema, kinds: frozenset[str]) -> JsonSchema:
    """The types that both schemas name, without those that their other keywords rule out."""
    common_kinds = stated_kinds(one) & stated_kinds(other)
    types: list[str] = []
    for name in dict.fromkeys((*stated_types(one), *stated_types(other))):
        own = KINDS.get(name, frozenset())
        if own & kinds and own <= common_kinds:
            types.append(name)
    if "number" in types and "integer" in types:
        types.remove("integer")
    if not types:
        return {}
    return {"type": types[0] if len(types) == 1 else types}


def _idle_keywords(one: JsonSchema, other: JsonSchema, out: JsonSchema) -> frozenset[str]:
    """The keywords about values of types that only one of the schemas accepts."""
    kinds_after = stated_kinds(out)
    lost_kinds = (stated_kinds(one) | stated_kinds(other)) - kinds_after
    if not lost_kinds:
        return frozenset()
    return frozenset(name for name, about in _ABOUT.items() if about & lost_kinds and not about & kinds_after)


def _with_members(
    out: JsonSchema, leftovers: Leftovers, one: JsonSchema, other: JsonSchema
) -> tuple[JsonSchema | None, Leftovers]:
    """`enum` and `const` with the members that neither schema refuses; `None` if there are none."""
    mine, theirs = members_of(one), members_of(other)
    members = theirs if mine is None else mine
    if members is None:
        return out, leftovers
    is_refused_by_one, is_one_complete = refusal_test(one)
    is_refused_by_other, is_other_complete = refusal_test(other)
    accepted_members = unique(
        value for value in members if not is_refused_by_one(value) and not is_refused_by_other(value)
    )
    if not accepted_members:
        return None, []
    out = _without({"enum", "const"}, out)
    if len(accepted_members) == 1 and ("const" in one or "const" in other):
        out["const"] = accepted_members[0]
    else:
        out["enum"] = accepted_members
    if is_one_complete and is_other_complete:  # then the other constraints have had their say
        leftovers = [_without(_ASSERTIONS, rest) for rest in leftovers]
        if not any(isinstance(value, dict | list) for value in accepted_members):
            out = _without(_ASSERTIONS - {"type", "enum", "const"}, out)
    return out, leftovers


def with_rest(schema: Any, rest: list[Any]) -> Any:
    """A merged schema with what could not be merged beside it, so that nothing is lost before somebody says it.

    >>> with_rest({"type": "string"}, [{"pattern": "a"}])
    {'type': 'string', 'allOf': [{'pattern': 'a'}]}
    """
    if isinstance(schema, dict) and rest:
        return {**schema, "allOf": [*schema.get("allOf", []), *rest]}
    return schema
