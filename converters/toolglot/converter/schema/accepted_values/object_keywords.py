"""The keywords of objects: properties, those that are required, and those that nobody names."""

from __future__ import annotations

from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import (
    CANNOT_TELL,
    LESS,
    MORE,
    NEITHER,
    UNCLEAR,
    SchemaChange,
    shorten_schema,
)
from toolglot.converter.schema.accepted_values.compared_schemas import ComparedSchemas
from toolglot.converter.schema.keywords import accepts_nothing
from toolglot.converter.text.pointers import Path, only_keys, pointer_below

_OF_KEYS = ("patternProperties", "properties", "additionalProperties")


def compare_objects(
    walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    """Properties one by one, whether named or possible only, then those that nobody names."""
    changes = _compare_required(walk, old, new, at)
    if "patternProperties" in old or "patternProperties" in new:
        return changes + _compare_patterns(walk, old, new, at)
    old_properties, new_properties = _possible_properties(old), _possible_properties(new)
    old_rest, new_rest = old.get("additionalProperties", True), new.get("additionalProperties", True)
    for name in {**old.get("properties", {}), **new.get("properties", {})}:
        place = _path_of_property(at, name)
        if name in old_properties and name not in new_properties:
            before = shorten_schema(old_properties[name])
            changes.append(walk.change("property-removed", place, "properties", before, None, UNCLEAR))
        elif name in new_properties and name not in old_properties:
            changes += _compare_new_property(walk, old, new, name, place, exact)
        else:
            changes += walk.compare(old_properties.get(name, False), new_properties.get(name, False), place, exact)
    return changes + _compare_rest(walk, old_rest, new_rest, (at, "/additionalProperties"), exact)


def _compare_patterns(walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
    """Objects with patterns, which speak of named keys too: all that they say of keys is the same, or unclear."""
    before = only_keys(old, _OF_KEYS)
    after = only_keys(new, _OF_KEYS)
    if walk.same(before, after):
        return []
    # Equal words may refer to another definition.
    keyword = next(word for word in _OF_KEYS if not walk.same(only_keys(before, [word]), only_keys(after, [word])))
    return walk.unclear(at, keyword, before.get(keyword), after.get(keyword), CANNOT_TELL)


def _compare_required(walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
    old_properties, new_properties = _possible_properties(old), _possible_properties(new)
    old_required, new_required = dict.fromkeys(old.get("required", ())), dict.fromkeys(new.get("required", ()))
    changes: list[SchemaChange] = []
    for name in new_required:
        if name in old_required:
            continue
        what = "made-required"
        if name in new_properties and name not in old_properties:
            what = "required-added"
        changes.append(walk.change(what, _path_of_property(at, name), "required", False, True, LESS))
    for name in old_required:
        is_gone = name in old_properties and name not in new_properties
        if name not in new_required and not is_gone:
            place = _path_of_property(at, name)
            changes.append(walk.change("made-optional", place, "required", True, False, MORE))
    return changes


def _compare_new_property(
    walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, name: str, place: Path, exact: bool
) -> list[SchemaChange]:
    """A property that was not named before."""
    before, after = old.get("properties", {}).get(name, old.get("additionalProperties", True)), new["properties"][name]
    if accepts_nothing(before):
        return [walk.change("property-added-to-closed", place, "properties", None, after, MORE)]
    changes: list[SchemaChange] = []
    if exact or "additionalProperties" in old:  # then the old schema said what may stand there
        changes = walk.compare(before, after, place, exact)
    if exact and changes:
        return changes
    # The whole of it, with what it says to people: nothing else tells that of a property that was not there.
    return [*changes, walk.change("property-added", place, "properties", None, after, NEITHER)]


def _compare_rest(walk: ComparedSchemas, old: Any, new: Any, place: Path, exact: bool) -> list[SchemaChange]:
    """What is asked of properties that nothing describes; an object that takes none of them is closed."""
    if walk.same(old, new) or (old is not False and new is not False):
        return walk.compare(old, new, place, exact)
    what, sense = ("closed", LESS) if new is False else ("opened", MORE)
    return [walk.change(what, place, "additionalProperties", shorten_schema(old), shorten_schema(new), sense)]


def compare_names(walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
    """What is asked of the names of properties."""
    if "propertyNames" not in old and "propertyNames" not in new:
        return []
    return walk.compare(_schema_of_names(old), _schema_of_names(new), (at, "/propertyNames"), exact)


def _schema_of_names(node: JsonSchema) -> JsonSchema:
    return {"type": "string", "allOf": [node.get("propertyNames", True)]}


def _path_of_property(at: Path, name: str) -> Path:
    return at, pointer_below("/properties", name)


def _possible_properties(node: JsonSchema) -> dict[str, Any]:
    """The properties that may be there."""
    return {name: schema for name, schema in node.get("properties", {}).items() if not accepts_nothing(schema)}
