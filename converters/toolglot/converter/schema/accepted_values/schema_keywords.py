"""The changes between two schemas without references and alternatives, keyword by keyword.

The functions for keywords with further schemas take the comparison, the old and the new schema, their path, and
`exact`: whether properties without a name count even where the old schema is silent about them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import SchemaChange
from toolglot.converter.schema.accepted_values.array_keywords import compare_arrays
from toolglot.converter.schema.accepted_values.bounds import compare_numbers
from toolglot.converter.schema.accepted_values.compared_schemas import ComparedSchemas
from toolglot.converter.schema.accepted_values.enumerations import compare_enumerations
from toolglot.converter.schema.accepted_values.json_types import sense_of_types
from toolglot.converter.schema.accepted_values.object_keywords import compare_names, compare_objects
from toolglot.converter.schema.accepted_values.plain_keywords import KINDS_OF_KEYWORD, compare_plain_keyword
from toolglot.converter.schema.overlap import KINDS, listed_values, stated_kinds
from toolglot.converter.text.pointers import Path


def compare_keywords(
    walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    """Every change between two schemas without references and alternatives."""
    if listed_values(old) is not None or listed_values(new) is not None:
        return compare_enumerations(walk, old, new, at)
    changes = walk.keyword_changes(at, "type", old.get("type"), new.get("type"), sense_of_types(old, new))
    shared_kinds = stated_kinds(old) & stated_kinds(new)
    for keyword, kinds in KINDS_OF_KEYWORD.items():
        if kinds & shared_kinds:
            changes += compare_plain_keyword(walk, keyword, old, new, at)
    for kinds, part in _PARTS:
        if kinds & shared_kinds:
            changes += part(walk, old, new, at, exact)
    return changes


_PartComparison: TypeAlias = Callable[[ComparedSchemas, JsonSchema, JsonSchema, Path, bool], list[SchemaChange]]
_PARTS: tuple[tuple[frozenset[str], _PartComparison], ...] = (  # the kinds of values that each is about
    (KINDS["number"], compare_numbers),
    (KINDS["object"], compare_objects),
    (KINDS["object"], compare_names),
    (KINDS["array"], compare_arrays),
)
