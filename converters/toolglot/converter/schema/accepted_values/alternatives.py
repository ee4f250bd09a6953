"""Alternatives: `anyOf`, `oneOf`, and lists of types, of which each is an alternative too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import (
    LESS,
    MORE,
    SchemaChange,
    is_less,
    is_more,
    shorten_schema,
)
from toolglot.converter.schema.accepted_values.compared_schemas import TOO_LARGE, ComparedSchemas
from toolglot.converter.schema.accepted_values.schema_keywords import compare_keywords
from toolglot.converter.schema.accepted_values.schema_side import LISTED, SchemaSide
from toolglot.converter.schema.json_values import unique
from toolglot.converter.schema.keywords import IDLE
from toolglot.converter.schema.overlap import listed_values
from toolglot.converter.text.pointers import Path, without_keys

_UNIONS = ("anyOf", "oneOf")

_OVERLAPPING = "exactly one alternative has to fit, and several may"


def compare_alternatives(
    walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    """Each old alternative has to fit into a new one, and each new one into an old one."""
    old_word, new_word = union_of(old, new), union_of(new, old)
    if old_word == new_word and walk.same({old_word: old[old_word]}, {new_word: new[new_word]}):
        return walk.compare_flat(without_keys(old, old_word), without_keys(new, new_word), at, exact)
    if not (old_word and new_word):
        old_list, new_list = _with_listed_values(old), _with_listed_values(new)
        if old_list is not None and new_list is not None:
            return compare_keywords(walk, old_list, new_list, at, exact)
    changes: list[SchemaChange] = []
    if not (_are_exclusive(walk.old, old, old_word) and _are_exclusive(walk.new, new, new_word)):
        changes += walk.unclear(at, "oneOf", None, None, _OVERLAPPING)
    before, after = _alternatives(walk.old, old, old_word), _alternatives(walk.new, new, new_word)
    return changes + _compare_each(walk, before, after, at, exact, (old_word or new_word, new_word or old_word))


def _compare_each(
    walk: ComparedSchemas, before: list[Any], after: list[Any], at: Path, exact: bool, keywords: tuple[str, str]
) -> list[SchemaChange]:
    """The changes of alternatives that fit into none of the other side; each beside its nearest partner."""
    changes: list[SchemaChange] = []
    old_only, _ = _part_alternatives(
        walk, walk.old, before, walk.new, after, lambda one, other: _fits(walk, one, other, exact, is_less)
    )
    new_only, fitting = _part_alternatives(
        walk, walk.new, after, walk.old, before, lambda one, other: _fits(walk, other, one, exact, is_more)
    )
    if not exact:  # what is new in alternatives that take neither less nor more: properties of open objects
        for new_one in fitting:
            changes += _compare_first(walk, [(old, new_one) for old in before], at, exact, is_less, is_more)
    if walk.steps.is_spent:
        return changes + walk.unclear(at, keywords[0], None, None, TOO_LARGE)
    pairs = list(zip(old_only, new_only, strict=False))
    for old_one, new_one in pairs:
        changes += walk.compare(old_one, new_one, at, exact)
    for old_one in old_only[len(pairs) :]:  # of which a part is left in a new one, or nothing
        gone = walk.keyword_changes(at, keywords[0], shorten_schema(old_one), None, LESS)
        changes += _compare_first(walk, [(old_one, new) for new in after], at, exact, is_more) or gone
    for new_one in new_only[len(pairs) :]:  # wider than an old one, or not there before
        added = walk.keyword_changes(at, keywords[1], None, shorten_schema(new_one), MORE)
        changes += _compare_first(walk, [(old, new_one) for old in before], at, exact, is_less) or added
    return changes


def _part_alternatives(
    walk: ComparedSchemas,
    side: SchemaSide,
    schemas: list[Any],
    other_side: SchemaSide,
    others: list[Any],
    fits: Callable[[Any, Any], bool],
) -> tuple[list[Any], list[Any]]:
    """The alternatives of one side that fit into none of the other, and those that fit into another one there."""
    shapes = {other_side.shape(schema) for schema in others}
    unmatched: list[Any] = []
    fitting: list[Any] = []
    for schema in schemas:
        if walk.steps.is_spent:  # nobody asks for the result then, and many alternatives have millions of pairs
            break
        if side.shape(schema) not in shapes:
            is_fitting = any(fits(schema, other) for other in others)
            (fitting if is_fitting else unmatched).append(schema)
    return unmatched, fitting


def _compare_first(
    walk: ComparedSchemas,
    pairs: list[tuple[Any, Any]],
    at: Path,
    exact: bool,
    *refused: Callable[[list[SchemaChange]], bool],
) -> list[SchemaChange]:
    """The changes of the first pair that are not refused; none where there is no such pair."""
    by_pair = (walk.compare(old, new, at, exact) for old, new in pairs)
    return next((changes for changes in by_pair if not any(refuses(changes) for refuses in refused)), [])


def _fits(
    walk: ComparedSchemas, old: Any, new: Any, exact: bool, refuses: Callable[[list[SchemaChange]], bool]
) -> bool:
    """Whether a proof succeeds that the new schema loses nothing (`is_less`), or gains nothing (`is_more`)."""
    return not walk.steps.is_spent and not refuses(walk.compare(old, new, None, exact))


def _alternatives(side: SchemaSide, node: JsonSchema, keyword: str) -> list[Any]:
    """The alternatives of a schema, each with the keywords beside them; without alternatives, one for each type."""
    if (id(node), keyword) not in side.alternatives_by_node:
        base = without_keys(node, keyword, *IDLE)
        schemas = [schema for item in node.get(keyword, [node]) for schema in _by_type(side, item)]
        if base and keyword:
            schemas = [{"allOf": [base, schema]} for schema in schemas]
        side.alternatives_by_node[id(node), keyword] = node, schemas
    _, schemas = side.alternatives_by_node[id(node), keyword]
    return schemas


def _by_type(side: SchemaSide, schema: Any) -> list[Any]:
    """A schema of several types as one schema for each, because `[string, null]` is an alternative too."""
    flat, rest = side.flatten(schema)
    if not isinstance(flat, dict) or rest or not isinstance(flat.get("type"), list):
        return [schema]
    return [{**flat, "type": name} for name in flat["type"]]


def _are_exclusive(side: SchemaSide, node: JsonSchema, keyword: str) -> bool:
    """Whether no value matches two alternatives, as `oneOf` demands."""
    return keyword != "oneOf" or side.proofs.are_disjoint(node[keyword])


def _with_listed_values(node: JsonSchema) -> JsonSchema | None:
    """A schema whose alternatives list values, with one list of them; `None` where some have others.

    >>> _with_listed_values({"oneOf": [{"const": 1, "title": "one"}, {"enum": [2, 3]}]})
    {'enum': [1, 2, 3]}
    """
    words = [word for word in _UNIONS if word in node]
    if not words:
        return node
    if len(words) > 1 or not {"enum", "const"}.isdisjoint(node):
        return None
    values: list[Any] = []
    for schema in node[words[0]]:
        listed = None
        if isinstance(schema, dict) and not schema.keys() - LISTED - IDLE:
            listed = listed_values(schema)
        if listed is None:
            return None
        values += listed
    if words == ["oneOf"] and len(unique(values)) < len(values):
        return None
    return {**without_keys(node, *words), "enum": values}


def union_of(node: JsonSchema, other: JsonSchema) -> str:
    """The keyword with the alternatives of a schema, preferably the one that the other schema has; empty if none."""
    own = [word for word in _UNIONS if word in node]
    for word in own:
        if word in other:
            return word
    return own[0] if own else ""
