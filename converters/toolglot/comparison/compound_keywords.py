"""How the parts of two schemas compare that hold further schemas: objects, arrays, conditions, and bounds of numbers.

Every function takes the comparison, the old and the new schema (without references and alternatives), their place, and
whether properties that are not named count even where the old schema does not say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

from toolglot.comparison.acceptance_changes import CANNOT_TELL, SchemaChange, is_less, is_more, shorten_schema
from toolglot.comparison.scalar_keywords import (
    ANY,
    LESS,
    MORE,
    NEITHER,
    UNCLEAR,
    Sense,
    at_least,
    at_most,
    lower_bound,
    upper_bound,
)
from toolglot.comparison.schema_side import StepBudget
from toolglot.hub.model import JsonSchema
from toolglot.schema.budget import Path
from toolglot.schema.overlap import KINDS, matches, stated_kinds
from toolglot.text.pointers import escape


class Walk(Protocol):
    """The comparison that these functions are a part of; `schema_comparison.SchemaComparison` hands itself in."""

    is_negated: bool
    steps: StepBudget

    def change(self, what: str, at: Path, keyword: str, before: Any, after: Any, sense: Sense) -> SchemaChange: ...
    def keyword_changes(self, at: Path, keyword: str, before: Any, after: Any, sense: Sense) -> list[SchemaChange]: ...
    def unclear(self, at: Path, keyword: str, before: Any, after: Any, note: str) -> list[SchemaChange]: ...
    def same(self, old: Any, new: Any) -> bool: ...
    def compare(self, old: Any, new: Any, at: Path, exact: bool) -> list[SchemaChange]: ...


def _numbers(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    whole = stated_kinds(old) & stated_kinds(new) & KINDS["number"] == KINDS["integer"]
    changes: list[SchemaChange] = []
    for words, compare_bounds in _BOUNDS:
        before, after = _first_of(old, words), _first_of(new, words)
        changes += walk.keyword_changes(at, words[0], before, after, compare_bounds(old, new, whole))
    return changes


def _first_of(node: JsonSchema, words: Iterable[str]) -> Any:
    """What a schema says by the first of these keywords that it has."""
    for word in words:
        if word in node:
            return node[word]
    return None


_PAIRS_IN_A_STEP = 10  # of a name and a pattern: to match one takes less than to compare two schemas
_BOUNDS = (
    (("minimum", "exclusiveMinimum"), lower_bound),
    (("maximum", "exclusiveMaximum"), upper_bound),
)


# -- objects --------------------------------------------------------------------------------------------------------


def _objects(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    old_properties, new_properties = _possible_properties(old), _possible_properties(new)
    changes = _changes_of_required(walk, old, new, at)
    names = {**old.get("properties", {}), **new.get("properties", {})}
    patterns = [*old.get("patternProperties", ()), *new.get("patternProperties", ())]
    walk.steps.left -= len(names) * len(patterns) // _PAIRS_IN_A_STEP
    if patterns and walk.steps.is_spent:
        return changes + walk.unclear(at, "patternProperties", None, None, CANNOT_TELL)
    for name in names:
        place = _path_of(at, "properties", name)
        is_old, is_new = name in old_properties, name in new_properties
        if is_old and not is_new and not _by_pattern(new, name):
            before = shorten_schema(old_properties[name])
            changes.append(walk.change("property-removed", place, "properties", before, None, UNCLEAR))
        elif is_new and not is_old and not _by_pattern(old, name):
            changes += _changes_of_new_property(walk, old, new, name, place, exact)
        else:
            changes += walk.compare(_schema_of_property(old, name), _schema_of_property(new, name), place, exact)
    return changes + _changes_of_unnamed(walk, old, new, at, exact)


def _changes_of_required(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
    old_properties, new_properties = _possible_properties(old), _possible_properties(new)
    old_required, new_required = dict.fromkeys(old.get("required", ())), dict.fromkeys(new.get("required", ()))
    changes: list[SchemaChange] = []
    for name in new_required:
        if name in old_required:
            continue
        what = "made-required"
        if name in new_properties and name not in old_properties:
            what = "required-added"
        changes.append(walk.change(what, _path_of(at, "properties", name), "required", False, True, LESS))
    for name in old_required:
        is_gone = name in old_properties and name not in new_properties
        if name not in new_required and not is_gone:
            place = _path_of(at, "properties", name)
            changes.append(walk.change("made-optional", place, "required", True, False, MORE))
    return changes


def _changes_of_new_property(
    walk: Walk, old: JsonSchema, new: JsonSchema, name: str, place: Path, exact: bool
) -> list[SchemaChange]:
    """A property that was not named before."""
    before, after = _schema_of_property(old, name), _schema_of_property(new, name)
    if before is False:
        return [walk.change("property-added-to-closed", place, "properties", None, shorten_schema(after), MORE)]
    changes: list[SchemaChange] = []
    if exact or "additionalProperties" in old:  # then the old schema said what may stand there
        changes = walk.compare(before, after, place, exact)
    if changes:
        return changes
    return [walk.change("property-added", place, "properties", None, shorten_schema(after), NEITHER)]


def _changes_of_unnamed(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    """Properties that are described by a pattern, or not at all."""
    old_patterns, new_patterns = old.get("patternProperties", {}), new.get("patternProperties", {})
    old_rest, new_rest = old.get("additionalProperties", True), new.get("additionalProperties", True)
    changes: list[SchemaChange] = []
    if old_patterns and new_patterns and old_patterns.keys() != new_patterns.keys():
        changes += walk.unclear(at, "patternProperties", sorted(old_patterns), sorted(new_patterns), CANNOT_TELL)
    else:
        for pattern in {**old_patterns, **new_patterns}:
            before, after = old_patterns.get(pattern, old_rest), new_patterns.get(pattern, new_rest)
            changes += walk.compare(before, after, _path_of(at, "patternProperties", pattern), exact)
    return changes + _changes_of_rest(walk, old_rest, new_rest, (at, "/additionalProperties"), exact)


def _changes_of_rest(walk: Walk, old: Any, new: Any, place: Path, exact: bool) -> list[SchemaChange]:
    """What is asked of properties that nothing describes; an object that takes none of them is closed."""
    if walk.same(old, new) or (old is not False and new is not False):
        return walk.compare(old, new, place, exact)
    what, sense = ("closed", LESS) if new is False else ("opened", MORE)
    return [walk.change(what, place, "additionalProperties", shorten_schema(old), shorten_schema(new), sense)]


def _compare_names(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    if "propertyNames" not in old and "propertyNames" not in new:
        return []
    return walk.compare(_schema_of_names(old), _schema_of_names(new), (at, "/propertyNames"), exact)


def _schema_of_names(node: JsonSchema) -> JsonSchema:
    return {"type": "string", "allOf": [node.get("propertyNames", True)]}


def _dependencies(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    changes: list[SchemaChange] = []
    old_needs, new_needs = old.get("dependentRequired", {}), new.get("dependentRequired", {})
    for name in {**old_needs, **new_needs}:
        before, after = set(old_needs.get(name, ())), set(new_needs.get(name, ()))
        place = _path_of(at, "dependentRequired", name)
        sense = bool(after - before), bool(before - after)
        changes += walk.keyword_changes(place, "dependentRequired", sorted(before), sorted(after), sense)
    old_schemas, new_schemas = old.get("dependentSchemas", {}), new.get("dependentSchemas", {})
    for name in {**old_schemas, **new_schemas}:
        place = _path_of(at, "dependentSchemas", name)
        changes += walk.compare(old_schemas.get(name, True), new_schemas.get(name, True), place, exact=True)
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
    if len(schemas) == 1:
        return schemas[0]
    return {"allOf": schemas}


def _by_pattern(node: JsonSchema, name: str) -> list[Any]:
    """The schemas of the patterns that a name matches, or may match."""
    patterns = node.get("patternProperties", {})
    return [schema for pattern, schema in patterns.items() if matches(pattern, name) is not False]


# -- arrays ---------------------------------------------------------------------------------------------------------


def _arrays(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    old_tuple, new_tuple = old.get("prefixItems", []), new.get("prefixItems", [])
    changes: list[SchemaChange] = []
    for index in range(max(len(old_tuple), len(new_tuple))):
        before, after = _schema_of_item(old, index), _schema_of_item(new, index)
        changes += walk.compare(before, after, (at, f"/prefixItems/{index}"), exact)
    changes += walk.compare(old.get("items", True), new.get("items", True), (at, "/items"), exact)
    return changes + _contains(walk, old, new, at)


def _schema_of_item(node: JsonSchema, index: int) -> Any:
    """What a schema asks of the item at a place."""
    schemas = node.get("prefixItems", [])
    if index < len(schemas):
        return schemas[index]
    return node.get("items", True)


def _contains(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
    old_schema, new_schema = old.get("contains"), new.get("contains")
    before, after = shorten_schema(old_schema), shorten_schema(new_schema)
    if old_schema is None or new_schema is None:
        sense = (new_schema is not None, old_schema is not None)
        return walk.keyword_changes(at, "contains", before, after, sense)
    if not walk.same(old_schema, new_schema):
        return walk.unclear(at, "contains", before, after, CANNOT_TELL)
    before, after = old.get("minContains", 1), new.get("minContains", 1)
    changes = walk.keyword_changes(at, "minContains", before, after, at_least(before, after))
    before, after = old.get("maxContains"), new.get("maxContains")
    return changes + walk.keyword_changes(at, "maxContains", before, after, at_most(before, after))


# -- conditions -----------------------------------------------------------------------------------------------------


def _conditions(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    if "if" not in old and "if" not in new:
        return []
    if "if" in old and "if" in new and not walk.same(old["if"], new["if"]):
        return walk.unclear(at, "if", shorten_schema(old["if"]), shorten_schema(new["if"]), CANNOT_TELL)
    changes: list[SchemaChange] = []
    for word in ("then", "else"):
        before, after = _consequence(old, word), _consequence(new, word)
        # Exact, because what stands beside it may name the same properties.
        changes += walk.compare(before, after, (at, f"/{word}"), exact=True)
    return changes


def _consequence(node: JsonSchema, word: str) -> Any:
    """What `then` or `else` asks, which without `if` is nothing."""
    if "if" not in node:
        return True
    return node.get(word, True)


def _negations(walk: Walk, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    """What is refused by `not`: there, accepting less is accepting more."""
    if "not" not in old and "not" not in new:
        return []
    walk.is_negated = not walk.is_negated
    inside = walk.compare(old.get("not", False), new.get("not", False), (at, "/not"), exact=True)
    walk.is_negated = not walk.is_negated
    sense = is_more(inside), is_less(inside)
    return walk.keyword_changes(at, "not", shorten_schema(old.get("not")), shorten_schema(new.get("not")), sense)


PartComparison: TypeAlias = "Callable[[Walk, JsonSchema, JsonSchema, Path, bool], list[SchemaChange]]"

PARTS: tuple[tuple[frozenset[str], PartComparison], ...] = (  # the kinds of values that it is about
    (KINDS["number"], _numbers),
    (KINDS["object"], _objects),
    (KINDS["object"], _compare_names),
    (KINDS["object"], _dependencies),
    (KINDS["array"], _arrays),
    (ANY, _conditions),
    (ANY, _negations),
)
