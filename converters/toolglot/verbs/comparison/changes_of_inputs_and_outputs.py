"""What a change of a schema means to callers: for the inputs that they send, and the outputs that they get.

Inputs may only be widened, outputs only be narrowed. A narrower type of an output still needs a new major version
(AIP-14).

A default belongs to the value that it is for, not to its place in the schema. So no change is hidden by moving a
default behind a reference, into an `allOf`, or into an alternative.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from typing import Any, TypeAlias

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import SchemaChange
from toolglot.converter.schema.accepted_values.plain_schemas import Prepared, prepare_schema
from toolglot.converter.schema.accepted_values.schema_comparison import compare_schemas
from toolglot.converter.schema.budget import WalkBudget
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import APPLICATORS, ASSERTIONS, CHECKED, IDLE, IN_PLACE, subschemas
from toolglot.converter.text.pointers import Path, as_mapping, escape, mapping_at, without_keys
from toolglot.errors import FitError
from toolglot.verbs.comparison.breaking_changes import RULES
from toolglot.verbs.comparison.difference import ContractChange, change_by_rule
from toolglot.verbs.comparison.field_comparisons import ContractChanges

# What became of a schema -> how the rule for it ends, behind the side that it is about.
_ENDS: dict[str, str] = {
    "less": "narrowed",
    "more": "widened",
    "property-added": "added",
    "property-added-to-closed": "added-to-closed",
    "property-removed": "removed",
}
_OF_TYPES = frozenset({"", "type", "anyOf", "oneOf"})  # with which types, alternatives, or all values, are taken away
_MEANING = APPLICATORS | ASSERTIONS | CHECKED | {"$ref", "$defs", "unevaluatedProperties", "unevaluatedItems"}
_NO_PARAMETERS = {"type": "object"}
_NOTHING: JsonSchema = {}  # in the place of a schema that one side lacks


def input_changes(field: str, old: Any, new: Any) -> ContractChanges:
    """The changes of an input schema, which callers have to obey.

    >>> [change.code for change in input_changes("inputs", {"maximum": 3}, {"maximum": 2, "default": 1})]
    ['input-narrowed', 'default-added']
    """
    if new is None:
        yield change_by_rule("input-undescribed", f"/{field}", old)
        return
    if old is None:
        old = _NO_PARAMETERS
    if isinstance(new, dict) and new.get("additionalProperties") is False and _names_nothing(old):
        old = {**old, "additionalProperties": False}  # there was nothing to call it with, and that is no open door
    changes = compare_schemas(old, new)
    newly_required = {change.pointer for change in changes if change.what == "required-added"}
    added = {change.pointer: change for change in changes if change.what.startswith("property-added")}
    for change in changes:
        if change.what == "required-added":
            yield _change(_rule("input", change), field, added.get(change.pointer, change))
        elif not (change.pointer in added and change.pointer in newly_required):
            yield _change(_rule("input", change), field, change)
    yield from _wording_changes("input", field, old, new, changes, frozenset({"default"}))
    yield from _default_changes(field, old, new)


def _names_nothing(schema: Any) -> bool:
    return isinstance(schema, dict) and not without_keys(schema, "type", "properties") and not schema.get("properties")


def output_changes(field: str, old: Any, new: Any) -> ContractChanges:
    """The changes of an output schema, on which callers rely.

    >>> old, new = {"type": "number", "maximum": 3}, {"type": "integer", "maximum": 4}
    >>> [change.code for change in output_changes("outputs", old, new)]
    ['output-type-narrowed', 'output-widened']
    """
    if not (old and new):  # an empty schema describes nothing either
        if not (old or new):
            return
        rule = "output-undescribed" if old else "output-described"
        yield change_by_rule(rule, f"/{field}", old, new)
        return
    changes = compare_schemas(old, new)
    for change in changes:
        if change.what == "less" and change.keyword in _OF_TYPES:
            yield _change("output-type-narrowed", field, change)
        elif change.what != "required-added":  # a new result that is always there is a new result
            yield _change(_rule("output", change), field, change)
    yield from _wording_changes("output", field, old, new, changes)


def _rule(side: str, change: SchemaChange) -> str:
    """The rule for a change of what callers send (`input`) or get (`output`)."""
    rule = f"{side}-{_ENDS.get(change.what, change.what)}"
    return rule if rule in RULES else f"{side}-added"  # to what was closed, which nobody who sends has to know


def _change(rule: str, field: str, change: SchemaChange) -> ContractChange:
    pointer, note = f"/{field}{change.pointer}", change.note
    if change.keyword and change.what in ("less", "more", "changed", "unclear"):
        pointer += f"/{change.keyword}"
        note = note or change.keyword
    return change_by_rule(rule, pointer, change.before, change.after, note)


def _wording_changes(
    side: str, field: str, old: Any, new: Any, changes: Sequence[SchemaChange], left_out: Set[str] = frozenset()
) -> ContractChanges:
    """The changes of texts for people, without those of new properties, and of the tags of alternatives."""
    told = {equality_key(change.after) for change in changes if change.what.startswith("property-added")}
    budget = WalkBudget()
    waiting: list[tuple[Any, Any, Path]] = [(old, new, (None, f"/{field}"))]
    try:
        while waiting:
            one, other, at = waiting.pop()
            if not isinstance(other, dict):
                continue
            if not isinstance(one, dict):
                one = _NOTHING
            for word in {**one, **other}:
                is_said = word not in left_out and (word in IDLE or word not in _MEANING)
                if is_said and _key_of_keyword(one, word) != _key_of_keyword(other, word):
                    pointer = budget.write((at, f"/{escape(word)}"))
                    before, after = one.get(word), other.get(word)
                    needs_other_tags = word == "discriminator" and _needs_other_tags(side, before, after)
                    rule = f"{side}-unclear" if needs_other_tags else "wording-changed"
                    yield change_by_rule(rule, pointer, before, after)
            inner = dict(subschemas(one))
            waiting += reversed(
                [
                    (inner.get(token, _NOTHING), schema, (at, token))
                    for token, schema in subschemas(other)
                    if token in inner or one is _NOTHING or equality_key(schema) not in told
                ]
            )
    except FitError:  # names so long that nobody can be told all the places
        yield change_by_rule("wording-changed", f"/{field}", note="in more places than can be shown")


def _needs_other_tags(side: str, before: Any, after: Any) -> bool:
    """Whether callers have to use other values of the property that tells alternatives apart."""
    was, now = mapping_at(as_mapping(before), "mapping"), mapping_at(as_mapping(after), "mapping")
    return bool(was and now and (was.keys() - now.keys() if side == "input" else now.keys() - was.keys()))


def _key_of_keyword(node: JsonSchema, word: str) -> Hashable:
    """A key of the value of a keyword, equal for equal values; different where the keyword is absent."""
    return word in node, equality_key(node.get(word))


# -- defaults ---------------------------------------------------------------------------------------------------------

_Defaults: TypeAlias = dict[Hashable, tuple[Path, Any]]
"""By the value, where it is written."""


def _default_changes(field: str, old: Any, new: Any) -> ContractChanges:
    """The changes of defaults for values that both schemas describe.

    >>> old = {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"default": 1}}}
    >>> [change.code for change in _default_changes("inputs", old, {"properties": {"a": {"default": 2}}})]
    ['default-changed']
    """
    if not (_has_default(old) or _has_default(new)):
        return  # as most have none, and to prepare them takes a quarter of a comparison
    numbers: dict[Hashable, int] = {}
    try:
        before = _find_defaults(prepare_schema(old), field, numbers)
        after = _find_defaults(prepare_schema(new), field, numbers)
        yield from _changes_of_pairs([(before[place], after[place]) for place in before if place in after])
    except FitError:
        yield change_by_rule("input-unclear", f"/{field}", note="too large to find every default")


def _has_default(schema: Any) -> bool:
    """Whether `default` is a key anywhere in a schema, also as the name of a property."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if "default" in node:
                return True
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return False


def _changes_of_pairs(pairs: list[tuple[_Defaults, _Defaults]]) -> ContractChanges:
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
            yield change_by_rule(rule, pointer, before, after)


def _first_missing(defaults: _Defaults, others: _Defaults) -> tuple[Path, Any]:
    """The first default that the other side does not have, and its place; `None` twice where it has all of them."""
    for key, (place, default) in defaults.items():
        if key not in others:
            return place, default
    return None, None


def _find_defaults(side: Prepared, field: str, numbers: dict[Hashable, int]) -> dict[int, _Defaults]:
    """Number of a value -> its defaults, for every value that a schema describes.

    Args:
        numbers: (number of the value around it, way from there) -> number of a value; shared by both sides.

    Raises:
        FitError: there are too many values (`schema-too-large`).
    """
    budget = WalkBudget()
    defaults: dict[int, _Defaults] = {}
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
