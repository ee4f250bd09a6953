"""How the parts of two schemas compare that hold further schemas: objects, arrays, conditions, and bounds of numbers.

Every function takes the comparison, the old and the new schema (without references and alternatives), their place, and
whether properties that are not named count even where the old schema does not say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

from toolglot.comparison.acceptance_changes import CANNOT_TELL, SchemaChange, is_less, is_more, shorten_schema
from toolglot.comparison.scalar_keywords import ANY, Sense, at_least, at_most, lower_bound, upper_bound
from toolglot.hub.model import JsonSchema
from toolglot.schema.budget import Path
from toolglot.schema.overlap import KINDS, matches, stated_kinds
from toolglot.text.pointers import escape


class Walk(Protocol):
    """The comparison that these functions are a part of; `schema_comparison.SchemaComparison` hands itself in."""

    is_negated: bool

    def change(self, what: str, at: Path, keyword: str, before: Any, after: Any, sense: Sense) -> SchemaChange: ...
    def keyword_changes(self, at: Path, keyword: str, before: Any, after: Any, sense: Sense) -> list[SchemaChange]: ...
    def unclear(self, at: Path, keyword: str, before: Any, after: Any, note: str) -> list[SchemaChange]: ...
    def same(self, one: Any, other: Any) -> bool: ...
    def compare(self, one: Any, other: Any, at: Path, exact: bool) -> list[SchemaChange]: ...


def _numbers(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    whole = stated_kinds(mine) & stated_kinds(theirs) & KINDS["number"] == KINDS["integer"]
    changes: list[SchemaChange] = []
    for names, bound in _BOUNDS:
        before, after = _first_value(mine, names), _first_value(theirs, names)
        changes += walk.keyword_changes(at, names[0], before, after, bound(mine, theirs, whole))
    return changes


def _first_value(node: JsonSchema, names: Iterable[str]) -> Any:
    """The value of the first of these keywords that a schema has."""
    for name in names:
        if name in node:
            return node[name]
    return None


_BOUNDS = (
    (("minimum", "exclusiveMinimum"), lower_bound),
    (("maximum", "exclusiveMaximum"), upper_bound),
)


# -- objects --------------------------------------------------------------------------------------------------------


def _objects(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    old, new = _possible_properties(mine), _possible_properties(theirs)
    changes = _changes_of_required(walk, mine, theirs, at)
    for name in {**mine.get("properties", {}), **theirs.get("properties", {})}:
        place = _path_of(at, "properties", name)
        one, other = _schema_of_property(mine, name), _schema_of_property(theirs, name)
        if name in old and name not in new and not _by_pattern(theirs, name):
            changes.append(
                walk.change("property-removed", place, "properties", shorten_schema(old[name]), None, (True, True))
            )
        elif name in new and name not in old and not _by_pattern(mine, name):
            changes += _changes_of_new_property(walk, mine, one, other, place, exact)
        else:
            changes += walk.compare(one, other, place, exact)
    return changes + _changes_of_unnamed(walk, mine, theirs, at, exact)


def _changes_of_required(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path) -> list[SchemaChange]:
    old, new = _possible_properties(mine), _possible_properties(theirs)
    was, now = (dict.fromkeys(node.get("required", ())) for node in (mine, theirs))
    changes: list[SchemaChange] = []
    for name in now:
        if name in was:
            continue
        what = "made-required"
        if name in new and name not in old:
            what = "required-added"
        changes.append(walk.change(what, _path_of(at, "properties", name), "required", False, True, (True, False)))
    for name in was:
        if name not in now and (name in new or name not in old):  # else the property itself is gone
            place = _path_of(at, "properties", name)
            changes.append(walk.change("made-optional", place, "required", True, False, (False, True)))
    return changes


def _changes_of_new_property(
    walk: Walk, mine: JsonSchema, one: Any, other: Any, place: Path, exact: bool
) -> list[SchemaChange]:
    """A property that was not named before."""
    after = shorten_schema(other)
    if one is False:
        return [walk.change("property-added-to-closed", place, "properties", None, after, (False, True))]
    changes: list[SchemaChange] = []
    if exact or "additionalProperties" in mine:  # then the old schema said what may stand there
        changes = walk.compare(one, other, place, exact)
    return changes or [walk.change("property-added", place, "properties", None, after, (False, False))]


def _changes_of_unnamed(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    """Properties that are described by a pattern, or not at all."""
    old, new = mine.get("patternProperties", {}), theirs.get("patternProperties", {})
    rests = mine.get("additionalProperties", True), theirs.get("additionalProperties", True)
    changes: list[SchemaChange] = []
    if old and new and old.keys() != new.keys():
        changes += walk.unclear(at, "patternProperties", sorted(old), sorted(new), CANNOT_TELL)
    else:
        for pattern in {**old, **new}:
            pair = old.get(pattern, rests[0]), new.get(pattern, rests[1])
            changes += walk.compare(*pair, _path_of(at, "patternProperties", pattern), exact)
    place = (at, "/additionalProperties")
    if False in rests and not walk.same(*rests):
        before, after = map(shorten_schema, rests)
        if rests[1] is False:
            change = walk.change("closed", place, "additionalProperties", before, after, (True, False))
        else:
            change = walk.change("opened", place, "additionalProperties", before, after, (False, True))
        return [*changes, change]
    return changes + walk.compare(*rests, place, exact)


def _compare_names(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    if "propertyNames" not in mine and "propertyNames" not in theirs:
        return []
    one, other = ({"type": "string", "allOf": [node.get("propertyNames", True)]} for node in (mine, theirs))
    return walk.compare(one, other, (at, "/propertyNames"), exact)


def _dependencies(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    changes: list[SchemaChange] = []
    old, new = mine.get("dependentRequired", {}), theirs.get("dependentRequired", {})
    for name in {**old, **new}:
        was, now = set(old.get(name, ())), set(new.get(name, ()))
        place = _path_of(at, "dependentRequired", name)
        sense = bool(now - was), bool(was - now)
        changes += walk.keyword_changes(place, "dependentRequired", sorted(was), sorted(now), sense)
    old, new = mine.get("dependentSchemas", {}), theirs.get("dependentSchemas", {})
    for name in {**old, **new}:
        changes += walk.compare(old.get(name, True), new.get(name, True), _path_of(at, "dependentSchemas", name), True)
    return changes


def _path_of(at: Path, keyword: str, name: str) -> Path:
    return at, f"/{keyword}/{escape(name)}"


def _possible_properties(node: JsonSchema) -> dict[str, Any]:
    """The properties that may be there."""
    return {name: schema for name, schema in node.get("properties", {}).items() if schema is not False}


def _schema_of_property(node: JsonSchema, name: str) -> Any:
    """What a schema asks of the property `name`."""
    schemas = _by_pattern(node, name)
    if name in node.get("properties", {}):
        schemas.insert(0, node["properties"][name])
    if not schemas:
        return node.get("additionalProperties", True)
    return schemas[0] if len(schemas) == 1 else {"allOf": schemas}


def _by_pattern(node: JsonSchema, name: str) -> list[Any]:
    """The schemas of the patterns that a name matches, or may match."""
    return [
        schema for pattern, schema in node.get("patternProperties", {}).items() if matches(pattern, name) is not False
    ]


# -- arrays ---------------------------------------------------------------------------------------------------------


def _arrays(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    old, new = mine.get("prefixItems", []), theirs.get("prefixItems", [])
    old_rest, new_rest = mine.get("items", True), theirs.get("items", True)
    changes: list[SchemaChange] = []
    for index in range(max(len(old), len(new))):
        one = old[index] if index < len(old) else old_rest
        other = new[index] if index < len(new) else new_rest
        changes += walk.compare(one, other, (at, f"/prefixItems/{index}"), exact)
    changes += walk.compare(old_rest, new_rest, (at, "/items"), exact)
    return changes + _contains(walk, mine, theirs, at)


def _contains(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path) -> list[SchemaChange]:
    old, new = mine.get("contains"), theirs.get("contains")
    if old is None or new is None:
        return walk.keyword_changes(
            at, "contains", shorten_schema(old), shorten_schema(new), (new is not None, old is not None)
        )
    if not walk.same(old, new):
        return walk.unclear(at, "contains", shorten_schema(old), shorten_schema(new), CANNOT_TELL)
    changes: list[SchemaChange] = []
    for keyword, default, way in (("minContains", 1, at_least), ("maxContains", None, at_most)):
        before, after = mine.get(keyword, default), theirs.get(keyword, default)
        changes += walk.keyword_changes(at, keyword, before, after, way(before, after))
    return changes


# -- conditions -----------------------------------------------------------------------------------------------------


def _conditions(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    if "if" not in mine and "if" not in theirs:
        return []
    if "if" in mine and "if" in theirs and not walk.same(mine["if"], theirs["if"]):
        return walk.unclear(at, "if", shorten_schema(mine["if"]), shorten_schema(theirs["if"]), CANNOT_TELL)
    changes: list[SchemaChange] = []
    for word in ("then", "else"):
        one, other = _consequence(mine, word), _consequence(theirs, word)
        # What stands beside it may name the same properties.
        changes += walk.compare(one, other, (at, f"/{word}"), True)
    return changes


def _consequence(node: JsonSchema, word: str) -> Any:
    """What `then` or `else` asks, which without `if` is nothing."""
    return node.get(word, True) if "if" in node else True


def _negations(walk: Walk, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    """What is refused by `not`: there, accepting less is accepting more."""
    if "not" not in mine and "not" not in theirs:
        return []
    walk.is_negated = not walk.is_negated
    inside = walk.compare(mine.get("not", False), theirs.get("not", False), (at, "/not"), True)
    walk.is_negated = not walk.is_negated
    sense = is_more(inside), is_less(inside)
    return walk.keyword_changes(at, "not", shorten_schema(mine.get("not")), shorten_schema(theirs.get("not")), sense)


Part: TypeAlias = "Callable[[Walk, JsonSchema, JsonSchema, Path, bool], list[SchemaChange]]"

PARTS: tuple[tuple[frozenset[str], Part], ...] = (  # the kinds of values that it is about
    (KINDS["number"], _numbers),
    (KINDS["object"], _objects),
    (KINDS["object"], _compare_names),
    (KINDS["object"], _dependencies),
    (KINDS["array"], _arrays),
    (ANY, _conditions),
    (ANY, _negations),
)
