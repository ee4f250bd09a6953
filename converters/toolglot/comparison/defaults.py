"""What a call means that leaves an input out, wherever the schema says so.

A default is known by the value that it stands for, not by where it is written: behind a reference, in an `allOf` or in
an alternative it means the same, so that moving it there hides no change.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, TypeAlias

from toolglot.comparison.compared_schemas import Prepared, prepare_schema
from toolglot.comparison.difference import ContractChange
from toolglot.errors import FitError
from toolglot.schema.budget import Path, WalkBudget
from toolglot.schema.keywords import IN_PLACE, subschemas
from toolglot.schema.values import equality_key

Defaults: TypeAlias = dict[Hashable, tuple[Path, Any]]
"""By the value, where it is written."""


def default_changes(field: str, old: Any, new: Any) -> Iterator[ContractChange]:
    """Changes of the defaults of values that both schemas speak of.

    >>> old = {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"default": 1}}}
    >>> [change.rule for change in default_changes("inputs", old, {"properties": {"a": {"default": 2}}})]
    ['default-changed']
    """
    if not (_has_key(old, "default") or _has_key(new, "default")):
        return  # as most have none, and to prepare them takes a quarter of a comparison
    numbers: dict[Hashable, int] = {}
    try:
        before = _defaults(prepare_schema(old), field, numbers)
        after = _defaults(prepare_schema(new), field, numbers)
        yield from _changes([(before[place], after[place]) for place in before if place in after])
    except FitError:
        yield ContractChange(rule="input-unclear", pointer=f"/{field}", note="too large to find every default")


def _has_key(schema: Any, key: str) -> bool:
    """Whether a key stands anywhere in a schema, whatever it is there."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if key in node:
                return True
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return False


def _changes(pairs: list[tuple[Defaults, Defaults]]) -> Iterator[ContractChange]:
    budget = WalkBudget()
    pointers: set[str] = set()
    for was, now in pairs:
        old_place, before = _first_missing(was, now)
        new_place, after = _first_missing(now, was)
        if old_place is None and new_place is None:
            continue
        rule = "default-changed"
        if not was:
            rule = "default-added"
        elif not now:
            rule = "default-removed"
        pointer = budget.write(new_place or old_place)
        if pointer not in pointers:  # else a definition that is used more than once
            pointers.add(pointer)
            yield ContractChange(rule=rule, pointer=pointer, before=before, after=after)


def _first_missing(defaults: Defaults, others: Defaults) -> tuple[Path, Any]:
    """The first default that the other side does not have, and its place; `None` twice where it has all of them."""
    for key, (place, default) in defaults.items():
        if key not in others:
            return place, default
    return None, None


def _defaults(side: Prepared, field: str, numbers: dict[Hashable, int]) -> dict[int, Defaults]:
    """The defaults of every value that a schema speaks of, by the number of the value.

    Args:
        numbers: what both sides count values by: the number of the value around each, and the way from there.

    Raises:
        FitError: there are too many values (`schema-too-large`).
    """
    budget = WalkBudget()
    defaults: dict[int, Defaults] = {}
    waiting: list[tuple[Any, int, Path, frozenset[str]]] = [(side.root, 0, (None, f"/{field}"), frozenset())]
    while waiting:
        node, value, at, uses = waiting.pop()
        budget.enter(0)
        here = defaults.setdefault(value, {})
        if not isinstance(node, dict):
            continue
        if "default" in node:
            here.setdefault(equality_key(node["default"]), ((at, "/default"), node["default"]))
        for token, inner in subschemas(node):
            word = token.split("/", 2)[1]
            if word == "$defs":
                continue
            value_of_inner = value
            if word not in IN_PLACE:
                value_of_inner = numbers.setdefault((value, token), len(numbers) + 1)
            waiting.append((inner, value_of_inner, (at, token), uses))
        reference = node.get("$ref")
        if reference in side.units and reference not in uses:  # a definition inside itself says nothing new
            place = (None, f"/{field}{reference[1:]}")
            waiting.append((side.units[reference], value, place, uses | {reference}))
    return defaults
