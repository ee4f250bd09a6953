"""One schema for what two schemas accept.

Keywords are merged one by one, or in groups, because some only mean something together: `additionalProperties` is about
the keys that `properties` does not name. Where two values cannot be merged, the first schema keeps its own, and that of
the second goes to the leftovers: constraints that belong beside the merged schema, in its `allOf`. Rare keywords are
never merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.json_values import are_equal, equality_key, stated_types, unique, without_covered
from toolglot.converter.schema.keywords import ASSERTIONS, CHECKED, accepts_anything, is_schema, is_well_formed
from toolglot.converter.schema.overlap import KINDS, Proofs, stated_kinds
from toolglot.converter.text.pointers import without_keys

Leftovers: TypeAlias = list[JsonSchema]

_NODES = 10_000  # pairs of schemas that one call merges; the rest stays an `allOf` of the two
_DEPTH = 60
_ONE_BY_ONE = 50  # members of an `allOf`


def intersect(one: Any, other: Any) -> tuple[Any, Leftovers]:
    """One schema that accepts exactly what both accept.

    Args:
        one, other: plain JSON Schema 2020-12 without `unevaluated...`; neither is modified. Where both have a title, a
            description, a default or an unknown keyword, that of `other` stays.

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
    """A schema with its `allOf` merged into it; keywords beside the `allOf` take precedence over those in it.

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
    """One merge, with a budget: schemas that multiply at every level could grow without end."""

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
        if not Proofs(steps=200).overlap(one, other, depth=3):
            return False, []
        return self.merge_keywords(one, other)

    def inside(self, one: Any, other: Any) -> Any:
        """The intersection of two schemas inside of those to merge; its leftovers stay in it."""
        self.depth += 1
        whole, leftovers = self.both(one, other)
        self.depth -= 1
        return with_rest(whole, leftovers)

    def merge_keywords(self, one: JsonSchema, other: JsonSchema) -> tuple[JsonSchema, Leftovers]:
        """Merge all keywords, those of a group together."""
        out: JsonSchema = {}
        rest: JsonSchema = {}
        names = dict.fromkeys((*one, *other))
        singles = [_Group((name,), _SINGLE.get(name, _KEEP_SECOND)) for name in names if name not in _GROUPED]
        for group in (*_GROUPS, *singles):
            mine, theirs = group.part_of(one), group.part_of(other)
            if not mine or not theirs or are_equal(mine, theirs):
                out.update({**mine, **theirs})
                continue
            combination: JsonSchema | None = None
            if is_well_formed(mine) and is_well_formed(theirs):
                combination = group.combine(self, mine, theirs)
            if combination is None:
                rest.update(theirs)
                combination = mine
            out.update(combination)
        in_order = {name: out[name] for name in names if name in out}
        return in_order, [rest] if rest else []

    # -- allOf --------------------------------------------------------------------------------------------------

    def fold(self, node: JsonSchema) -> tuple[Any, Leftovers]:
        """A schema without its `allOf`, as `merge_all_of`."""
        references: list[Any] = []
        base = without_keys(node, "allOf")
        whole, leftovers = self.merge_in_order([*self.members(node["allOf"], references), base])
        if whole is True:
            whole = {}
        if whole is False:
            return False, []
        if references:
            whole = {**whole, "allOf": references}
        return whole, leftovers

    def merge_in_order(self, schemas: list[Any]) -> tuple[Any, Leftovers]:
        """Merge several schemas: a few one after another, many by halves.

        One after another, each of many would copy everything that was merged before it.
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
        """The members to merge, inner ones first; references are put into `references`."""
        for member in members:
            if isinstance(member, dict) and "$ref" in member:
                references.append(member)
            elif isinstance(member, dict) and isinstance(member.get("allOf"), list) and self.depth <= _DEPTH:
                self.depth += 1
                yield from self.members(member["allOf"], references)
                self.depth -= 1
                yield without_keys(member, "allOf")
            elif is_schema(member):
                yield member

    # -- groups of keywords; `None` where there is no merged form -------------------------------------------------

    def properties(self, one: JsonSchema, other: JsonSchema) -> JsonSchema | None:
        """The properties of both: each merged with what the other schema says of its name, or of further keys."""
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
        """The items of both schemas merged; only one of the two may have a tuple."""
        if "prefixItems" in one or "prefixItems" in other:
            return None
        return {"items": self.inside(one["items"], other["items"])}


# The keywords of a group on both sides -> merged, or `None` where there is no merged form.
Combine = Callable[[_Merger, JsonSchema, JsonSchema], JsonSchema | None]


def _cannot_combine(merger: _Merger, one: JsonSchema, other: JsonSchema) -> None:
    return None


def _by_value(merge: Callable[[Any, Any], Any]) -> Combine:
    """The rule for one keyword whose two values become one value."""

    def combine(merger: _Merger, one: JsonSchema, other: JsonSchema) -> JsonSchema:
        ((name, value),) = one.items()
        return {name: merge(value, other[name])}

    return combine


_KEEP_SECOND = _by_value(lambda one, other: other)


class _Group(NamedTuple):
    """Keywords that mean something only together, and what merges those of two schemas."""

    names: tuple[str, ...]
    combine: Combine

    def part_of(self, node: JsonSchema) -> JsonSchema:
        """The keywords of the group that a schema has."""
        return {name: node[name] for name in self.names if name in node}


def _common_types(one: Any, other: Any) -> Any:
    """The value of `type` for what two such values admit."""
    types = (*stated_types({"type": one}), *stated_types({"type": other}))
    kinds = stated_kinds({"type": one}) & stated_kinds({"type": other})
    common = without_covered(name for name in types if name in KINDS and KINDS[name] <= kinds)
    return common[0] if len(common) == 1 else list(common)


def _common_members(one: list[Any], other: list[Any]) -> list[Any]:
    keys = set(map(equality_key, one))
    return unique(value for value in other if equality_key(value) in keys)


_GROUPS = (
    _Group(("properties", "patternProperties", "additionalProperties"), _Merger.properties),
    _Group(("prefixItems", "items"), _Merger.items),
    _Group(("contains", "minContains", "maxContains", "if", "then", "else"), _cannot_combine),
)
_GROUPED = frozenset(name for group in _GROUPS for name in group.names)


_SINGLE: dict[str, Combine] = {
    **dict.fromkeys(ASSERTIONS | CHECKED | {"$dynamicRef"}, _cannot_combine),  # but for those below
    **dict.fromkeys(("title", "description"), _by_value(lambda one, other: other or one)),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), _by_value(lambda one, other: one or other)),
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), _by_value(max)),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), _by_value(min)),
    **dict.fromkeys(("examples", "allOf"), _by_value(lambda one, other: unique([*one, *other]))),
    "type": _by_value(_common_types),
    "const": _KEEP_SECOND,
    "enum": _by_value(_common_members),
    "required": _by_value(lambda one, other: list(dict.fromkeys((*one, *other)))),
    "$defs": _by_value(lambda one, other: {**one, **other}),
}


def with_rest(schema: Any, rest: list[Any]) -> Any:
    """A merged schema with what could not be merged beside it, so that nothing is lost before somebody says it.

    >>> with_rest({"type": "string"}, [{"pattern": "a"}])
    {'type': 'string', 'allOf': [{'pattern': 'a'}]}
    """
    if isinstance(schema, dict) and rest:
        return {**schema, "allOf": [*schema.get("allOf", []), *rest]}
    return schema
