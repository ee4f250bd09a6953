"""Schemas into one: what two accept, what either accepts, and whether they share anything.

- `intersect` and `merge_all_of`: exactly what all accept, with what cannot be said in one schema beside it.
- `union_of_objects`: at least what any of several object schemas accepts, with what is lost as a sentence.
- `disjoint`: a proof that `oneOf` and `anyOf` are the same.

All take plain JSON Schema 2020-12, modify nothing, and stop at a budget instead of growing without end.
"""

from __future__ import annotations

from typing import Any

from toolglot.schema.intersection import intersect, merge_all_of
from toolglot.schema.overlap import disjoint
from toolglot.schema.unions import union_of_objects

__all__ = ["disjoint", "intersect", "merge_all_of", "union_of_objects", "with_rest"]


def with_rest(merged: Any, rest: list[Any]) -> Any:
    """A merged schema with what could not be merged beside it, so that nothing is lost before somebody says it.

    >>> with_rest({"type": "string"}, [{"pattern": "a"}])
    {'type': 'string', 'allOf': [{'pattern': 'a'}]}
    """
    return {**merged, "allOf": [*merged.get("allOf", []), *rest]} if isinstance(merged, dict) and rest else merged
