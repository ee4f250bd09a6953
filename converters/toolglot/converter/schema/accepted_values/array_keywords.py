"""The keywords of arrays: `items` and `prefixItems`."""

from __future__ import annotations

from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import SchemaChange
from toolglot.converter.schema.accepted_values.compared_schemas import ComparedSchemas
from toolglot.converter.text.pointers import Path


def compare_arrays(
    walk: ComparedSchemas, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    """Compare the items of tuples one by one, then all further items."""
    old_tuple, new_tuple = old.get("prefixItems", []), new.get("prefixItems", [])
    changes: list[SchemaChange] = []
    for index in range(max(len(old_tuple), len(new_tuple))):
        before, after = _schema_of_item(old, index), _schema_of_item(new, index)
        changes += walk.compare(before, after, (at, f"/prefixItems/{index}"), exact)
    return changes + walk.compare(old.get("items", True), new.get("items", True), (at, "/items"), exact)


def _schema_of_item(node: JsonSchema, index: int) -> Any:
    """The schema of the item at an index."""
    schemas = node.get("prefixItems", [])
    if index < len(schemas):
        return schemas[index]
    return node.get("items", True)
