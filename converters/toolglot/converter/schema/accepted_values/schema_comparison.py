"""Whether a schema accepts less or more than another: a proof, or a list of doubts.

Two schemas are walked side by side. Where no change says that less is accepted, the new schema accepts every value that
the old one accepts. A change that cannot be proved is `unclear`, which counts as both less and more. There is one
exception: a new property of an object that is silent about further properties was not part of the contract before,
although a validator would have accepted any value there. A property that the old schema names elsewhere, such as in an
alternative or in `required`, is not new.

References may lead back to themselves. A pair of schemas that is being compared counts as equal inside itself, because
its differences are reported where it was met first (a proof by coinduction). Rare keywords, such as `not` and `if`, are
not looked into: they are equal on both sides, or their change is unclear.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.acceptance import (
    UNCLEAR,
    SchemaChange,
    Sense,
    is_less,
    is_more,
    shorten_schema,
)
from toolglot.converter.schema.accepted_values.alternatives import compare_alternatives, union_of
from toolglot.converter.schema.accepted_values.compared_schemas import TOO_LARGE, ComparedSchemas
from toolglot.converter.schema.accepted_values.equal_schemas import number_shapes
from toolglot.converter.schema.accepted_values.plain_keywords import OPAQUE
from toolglot.converter.schema.accepted_values.plain_schemas import (
    Prepared,
    has_own_parts,
    is_compilable,
    prepare_schema,
)
from toolglot.converter.schema.accepted_values.schema_keywords import compare_keywords
from toolglot.converter.schema.accepted_values.schema_side import SchemaSide, StepBudget
from toolglot.converter.schema.budget import WalkBudget
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import IDLE, UNEVALUATED, schemas_in_place
from toolglot.converter.text.pointers import Path, without_keys
from toolglot.errors import FitError

_DEPTH = 64

_LOST = "this has no meaning, or stands outside of the schema, and it changed"
_BROKEN = "the schema cannot be compiled; a pattern may be wrong"


def compare_schemas(old: Any, new: Any) -> list[SchemaChange]:
    """Every change in what two schemas accept.

    Args:
        old, new: JSON Schemas of any dialect; neither is modified.

    >>> old = {"type": "object", "properties": {"a": {"type": "string"}}}
    >>> new = {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {}}, "required": ["b"]}
    >>> [(change.what, change.pointer, change.keyword) for change in compare_schemas(old, new)]
    [('required-added', '/properties/b', 'required'), ('more', '/properties/a', 'type'), \
('property-added', '/properties/b', 'properties')]
    """
    if equality_key(old) == equality_key(new):
        return []
    try:
        return SchemaComparison(prepare_schema(old), prepare_schema(new)).run()
    except FitError as error:
        return [SchemaChange("unclear", error.pointer, "", None, None, UNCLEAR, error.message)]


class SchemaComparison(ComparedSchemas):
    """One comparison, with a budget of steps.

    Its methods take the old and the new schema, their path, and `exact`: whether properties without a name count even
    where the old schema is silent about them.
    """

    def __init__(self, old: Prepared, new: Prepared) -> None:
        self.budget, self.steps = WalkBudget(), StepBudget()
        old_shapes, new_shapes = number_shapes(old, new)
        self.old, self.new = SchemaSide(old, old_shapes, self.steps), SchemaSide(new, new_shapes, self.steps)
        self.losses = old.losses ^ new.losses
        self.depth = 0
        self.open: set[tuple[Any, Any, bool]] = set()  # pairs being compared

    def sense_of(self, old: Any, new: Any) -> Sense:
        """Whether a new part may refuse what the old one accepts, and whether it may accept what that refuses.

        A new property counts here too, because it restricts what the old part left open.
        """
        changes = self.compare(old, new, None, exact=True)
        return is_less(changes), is_more(changes)

    def run(self) -> list[SchemaChange]:
        """Compare the two roots."""
        old, new = self.old.root, self.new.root
        places = sorted({(pointer, keyword) for pointer, keyword, _ in self.losses})
        changes = [SchemaChange("unclear", *place, None, None, UNCLEAR, _LOST) for place in places]
        if not self.same(old, new) and not (is_compilable(old) and is_compilable(new)):
            changes += self.unclear(None, "", None, None, _BROKEN)
        changes += self.compare(old, new, None, exact=False)
        return _say_once(changes, TOO_LARGE)

    # -- one pair of schemas --------------------------------------------------------------------------------------

    def compare(self, old: Any, new: Any, at: Path, exact: bool) -> list[SchemaChange]:
        """Compare two schemas, one of each side."""
        if self.same(old, new):
            return []
        if self.steps.is_spent or self.depth > _DEPTH:
            return self.unclear(at, "", None, None, TOO_LARGE)
        pair = _name(old), _name(new), exact
        if pair in self.open:
            return []  # its changes are reported where it was met first
        self.steps.left -= 1
        self.depth += 1
        self.open.add(pair)
        changes = self.compare_flat(old, new, at, exact)
        self.depth -= 1
        self.open.remove(pair)
        return changes

    def compare_flat(self, old: Any, new: Any, at: Path, exact: bool) -> list[SchemaChange]:
        """Compare two schemas after following their references."""
        old_flat, old_rest = self.old.flatten(old)
        new_flat, new_rest = self.new.flatten(new)
        if old_rest or new_rest:
            old_flat, old_rest = _part_opaque(old_flat, old_rest)
            new_flat, new_rest = _part_opaque(new_flat, new_rest)
        changes = self.compare_rests(old_rest, new_rest, at)
        if old_flat is False or new_flat is False:
            sense = (old_flat is not False, new_flat is not False)
            return changes + self.keyword_changes(at, "", shorten_schema(old), shorten_schema(new), sense)
        wandering = sorted(UNEVALUATED & (old_flat.keys() | new_flat.keys()))
        if wandering and not self.same(old_flat, new_flat):
            changes += self.unclear(at, wandering[0], None, None, "it speaks of everything that stands beside it")
        new_names = new_flat.get("properties", {}).keys() - old_flat.get("properties", {}).keys()
        exact = exact or self.may_name_any([old_flat, *old_rest], new_names)
        if union_of(old_flat, new_flat) or union_of(new_flat, old_flat):
            return changes + compare_alternatives(self, old_flat, new_flat, at, exact)
        return changes + compare_keywords(self, old_flat, new_flat, at, exact)

    def may_name_any(self, old_schemas: list[Any], names: Set[str]) -> bool:
        """Whether the old schemas, or schemas in the same place, name one of these properties.

        If the budget ends before this is known, the answer is yes.
        """
        if not names:
            return self.steps.is_spent
        waiting = [*old_schemas]
        references: set[str] = set()
        while waiting and not self.steps.is_spent:
            schema = waiting.pop()
            if not isinstance(schema, dict):
                continue
            self.steps.left -= 1
            if _names_any(schema, names):
                return True
            waiting += schemas_in_place(schema)
            reference = schema.get("$ref", "")
            if reference and reference not in references:
                references.add(reference)
                waiting.append(self.old.definition(reference))
        return self.steps.is_spent

    def compare_rests(self, old_rest: list[Any], new_rest: list[Any], at: Path) -> list[SchemaChange]:
        """The changes of constraints that could not be merged: both sides have the same, or one side has more."""
        old = {self.old.shape(schema): schema for schema in old_rest}
        new = {self.new.shape(schema): schema for schema in new_rest}
        old_only = [shorten_schema(schema) for shape, schema in old.items() if shape not in new]
        new_only = [shorten_schema(schema) for shape, schema in new.items() if shape not in old]
        return self.keyword_changes(at, "allOf", old_only, new_only, (bool(new_only), bool(old_only)))


def compare_parts(old: JsonSchema, new: JsonSchema) -> SchemaComparison | None:
    """A comparison of the parts of two schemas; `None` where a part may mean something else by itself.

    >>> old, new = {"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["null", "string"]}
    >>> parts = compare_parts({"items": old}, {"items": new})
    >>> parts and parts.sense_of(old, new)
    (False, False)
    """
    try:
        sides = prepare_schema(old), prepare_schema(new)
    except FitError:
        return None
    return SchemaComparison(*sides) if all(map(has_own_parts, (old, new), sides)) else None


def _say_once(changes: list[SchemaChange], note: str) -> list[SchemaChange]:
    """The changes, with only the first of those with this note."""
    first = next((change for change in changes if change.note == note), None)
    return [change for change in changes if change.note != note or change is first]


def _names_any(schema: JsonSchema, names: Set[str]) -> bool:
    """Whether a schema itself names one of these properties."""
    needs = schema.get("dependentRequired", {})
    for keys in (schema.get("properties", ()), schema.get("required", ()), needs, *needs.values()):
        if not names.isdisjoint(keys):
            return True
    return False


def _name(node: Any) -> Any:
    """The key of a schema that is being compared: its reference, if it has nothing else, or itself."""
    if isinstance(node, dict) and "$ref" in node and not node.keys() - IDLE - {"$ref", "$defs"}:
        return node["$ref"]
    return id(node)


def _part_opaque(node: Any, rest: list[Any]) -> tuple[Any, list[Any]]:
    """The schema without keywords that cannot be merged, such as `pattern`, and the list of these."""
    if not isinstance(node, dict) or OPAQUE.isdisjoint(node):
        return node, rest
    opaque_parts = [{word: node[word]} for word in OPAQUE if word in node]
    return without_keys(node, *OPAQUE), [*rest, *opaque_parts]
