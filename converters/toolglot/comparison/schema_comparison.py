"""What a schema accepts less or more than it did: a proof that nothing is lost, or a list of doubts.

Two schemas are walked side by side. Where no change says that less is accepted, every value that the old schema
accepts is accepted by the new one; what cannot be proved is `unclear`, which means both less and more. One thing is
left out on purpose: a new property of an object that never said what other properties it takes was not part of the
contract before, although a validator would have accepted any value there. A property that the old schema speaks of
in any other place, such as an alternative or `required`, is not new.

References may lead back to themselves: a pair of schemas that is being compared already is taken for equal inside
itself, because its differences are reported where it was met first (a proof by coinduction). Inside of a `not`, where
less means more, that would prove nothing, and the pair is unclear.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from itertools import combinations, islice, zip_longest
from typing import Any

from toolglot.comparison.acceptance_changes import CANNOT_TELL, SchemaChange, shorten_schema
from toolglot.comparison.prepared_schemas import IDLE, Prepared, Shapes, is_compilable, prepare_schema, walk_schemas
from toolglot.comparison.scalar_keywords import SCALARS, UNCLEAR, Sense, opaque
from toolglot.comparison.schema_parts import PARTS
from toolglot.errors import FitError
from toolglot.hub.model import JsonSchema
from toolglot.schema.budget import Path, WalkBudget
from toolglot.schema.intersection import merge_all_of
from toolglot.schema.keywords import IN_PLACE, UNEVALUATED, keyword_of, subschemas, without_unevaluated
from toolglot.schema.overlap import kind_of, members_of, overlap, stated_kinds
from toolglot.schema.validity import make_acceptor
from toolglot.schema.values import equality_key, unique

_STEPS = 10_000  # schemas that are looked at in one comparison; what is left then is unclear
_DEPTH = 64
_BRANCHES = 16  # alternatives of a `oneOf` that are proved to exclude each other
_MERGED = frozenset({"$ref", "allOf", "$defs"})
_LISTED = frozenset({"type", "enum", "const"})
_FINITE: dict[str, tuple[Any, ...]] = {"boolean": (False, True), "null": (None,)}
_UNIONS = ("anyOf", "oneOf")
_WORDS_OF_SENSE = {(True, False): "less", (False, True): "more", (True, True): "changed"}
_OPAQUE = frozenset(scalar.keyword for scalar in SCALARS if scalar.compare is opaque)
_NOTHING = object()

_TOO_LARGE = "too large or too deep to be compared"
_OVERLAPPING = "exactly one alternative has to fit, and several may"
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


class SchemaComparison:
    """One comparison, with a budget for all that it looks at.

    Its methods take the old and the new schema, their place, and whether properties that are not named count even
    where the old schema does not say so (`exact`).
    """

    def __init__(self, old: Prepared, new: Prepared) -> None:
        self.sides = (old, new)
        self.shapes = Shapes(old, new)
        self.budget = WalkBudget()
        self.steps_left = _STEPS
        self.depth = 0
        self.is_negated = False
        self.open: dict[tuple[Any, Any, bool], bool] = {}  # pairs being compared -> whether inside a negation
        self.flat: dict[tuple[int, bool], tuple[Any, Any, list[Any]]] = {}
        self.alternatives_by_node: dict[tuple[int, str], tuple[Any, list[Any]]] = {}

    def run(self) -> list[SchemaChange]:
        """Compare the two roots."""
        old, new = self.sides
        losses = {(pointer, keyword) for pointer, keyword, _ in old.losses ^ new.losses}
        changes: list[SchemaChange] = []
        for pointer, keyword in sorted(losses):
            changes.append(SchemaChange("unclear", pointer, keyword, None, None, UNCLEAR, _LOST))
        if not self.same(old.root, new.root) and not (is_compilable(old.root) and is_compilable(new.root)):
            changes += self.unclear(None, "", None, None, _BROKEN)
        changes += self.compare(old.root, new.root, None, False)
        first = next((item for item in changes if item.note == _TOO_LARGE), None)
        return [item for item in changes if item.note != _TOO_LARGE or item is first]

    # -- changes ----------------------------------------------------------------------------------------------------

    def change(self, what: str, at: Path, keyword: str, before: Any, after: Any, sense: Sense) -> SchemaChange:
        """A change at a place."""
        return SchemaChange(what, self.budget.write(at), keyword, before, after, sense)

    def keyword_changes(self, at: Path, keyword: str, before: Any, after: Any, sense: Sense) -> list[SchemaChange]:
        """The change of a keyword, if there is one."""
        what = _WORDS_OF_SENSE.get(sense)
        if what is None:
            return []
        return [self.change(what, at, keyword, before, after, sense)]

    def unclear(self, at: Path, keyword: str, before: Any, after: Any, note: str) -> list[SchemaChange]:
        """The change that nobody can judge."""
        return [SchemaChange("unclear", self.budget.write(at), keyword, before, after, UNCLEAR, note)]

    # -- one pair of schemas --------------------------------------------------------------------------------------

    def same(self, one: Any, other: Any) -> bool:
        """Whether an old and a new schema accept the same values by the same words."""
        return self.shapes.of(one, False) == self.shapes.of(other, True)

    def compare(self, one: Any, other: Any, at: Path, exact: bool) -> list[SchemaChange]:
        """Compare two schemas, wherever they stand."""
        if self.same(one, other):
            return []
        pair = _name(one), _name(other), exact
        if self.steps_left < 0 or self.depth > _DEPTH or self.open.get(pair, self.is_negated) != self.is_negated:
            return self.unclear(at, "", None, None, _TOO_LARGE)
        if pair in self.open:
            return []
        self.steps_left -= 1
        self.depth += 1
        self.open[pair] = self.is_negated
        changes = self.compare_flat(one, other, at, exact)
        self.depth -= 1
        del self.open[pair]
        return changes

    def compare_flat(self, one: Any, other: Any, at: Path, exact: bool) -> list[SchemaChange]:
        mine, rest = self.flatten(one, new=False)
        theirs, more = self.flatten(other, new=True)
        if rest or more:
            (mine, rest), (theirs, more) = _part_opaque(mine, rest), _part_opaque(theirs, more)
        changes = self.compare_rests(rest, more, at)
        if mine is False or theirs is False:
            sense = (mine is not False, theirs is not False)
            return changes + self.keyword_changes(at, "not", shorten_schema(one), shorten_schema(other), sense)
        wandering = sorted(UNEVALUATED & (mine.keys() | theirs.keys()))
        if wandering and not self.same(mine, theirs):
            changes += self.unclear(at, wandering[0], None, None, "it speaks of everything that stands beside it")
        new_names = theirs.get("properties", {}).keys() - mine.get("properties", {}).keys()
        exact = exact or self.speaks_of(mine, rest, new_names)
        if not mine.keys().isdisjoint(_UNIONS) or not theirs.keys().isdisjoint(_UNIONS):
            return changes + self.compare_unions(mine, theirs, at, exact)
        return changes + self.compare_plain(mine, theirs, at, exact)

    def speaks_of(self, node: JsonSchema, rest: list[Any], names: Set[str]) -> bool:
        """Whether the old schema says something of one of these properties, wherever that stands."""
        if not names:
            return self.steps_left < 0
        waiting = [node, *rest]
        references: set[str] = set()
        while waiting and self.steps_left >= 0:
            item = waiting.pop()
            if not isinstance(item, dict):
                continue
            self.steps_left -= 1
            needs = item.get("dependentRequired", {})
            for keys in (item.get("properties", ()), item.get("required", ()), needs, *needs.values()):
                if not names.isdisjoint(keys):
                    return True
            waiting += [schema for token, schema in subschemas(item) if keyword_of(token) in IN_PLACE]
            reference = item.get("$ref", "")
            if reference and reference not in references:
                references.add(reference)
                waiting.append(self.sides[0].units.get(reference, True))
        return self.steps_left < 0

    def flatten(self, node: Any, new: bool) -> tuple[Any, list[Any]]:
        """A schema without `$ref` and `allOf`, and what could not be merged into it."""
        if (id(node), new) not in self.flat:
            schema, rest = self.merge(self.members(node, new))
            if schema is True:
                schema = {}
            self.flat[id(node), new] = node, schema, list(filter(None, rest))
        return self.flat[id(node), new][1:]

    def members(self, node: Any, new: bool) -> list[Any]:
        """The schema, and all that its `$ref` and `allOf` ask for besides, each definition once."""
        members: list[Any] = []
        references: set[str] = set()
        waiting = [node]
        while waiting:
            item = waiting.pop()
            if isinstance(item, dict):
                reference = item.get("$ref", "")
                if reference and reference not in references:
                    references.add(reference)
                    waiting.append(self.sides[new].units.get(reference, True))
                waiting.extend(item.get("allOf", ()))
                item = {word: value for word, value in item.items() if word not in IDLE and word not in _MERGED}
            if item not in (True, {}):
                members.append(item)
        return members

    def merge(self, members: list[Any]) -> tuple[Any, list[Any]]:
        if not members:
            return {}, []
        if len(members) == 1:
            (only,) = members
            if isinstance(only, dict):
                only = without_unevaluated(only)
            return only, []
        if any(UNEVALUATED & member.keys() for member in members if isinstance(member, dict)):
            return {"allOf": members, "unevaluatedItems": True}, []  # equal to itself alone, and never looked into
        self.steps_left -= sum(1 for member in members for _ in islice(walk_schemas(member), _STEPS))
        if self.steps_left >= 0:
            return merge_all_of({"allOf": members})
        return ({}, [{"allOf": members}])

    def compare_rests(self, mine: list[Any], theirs: list[Any], at: Path) -> list[SchemaChange]:
        """What could not be merged: the same constraints on both sides, or some that only one side has."""
        old = {self.shapes.of(item, False): item for item in mine}
        new = {self.shapes.of(item, True): item for item in theirs}
        old_only = [shorten_schema(item) for number, item in old.items() if number not in new]
        new_only = [shorten_schema(item) for number, item in new.items() if number not in old]
        return self.keyword_changes(at, "allOf", old_only, new_only, (bool(new_only), bool(old_only)))

    # -- alternatives -----------------------------------------------------------------------------------------------

    def compare_unions(self, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
        """Each old alternative has to fit into a new one, and each new one into an old one."""
        old, new = _union_of(mine, theirs), _union_of(theirs, mine)
        if old == new and self.same({old: mine[old]}, {new: theirs[new]}):
            return self.compare_flat(_without(mine, old), _without(theirs, new), at, exact)
        changes: list[SchemaChange] = []
        if not (self.are_exclusive(mine, old, new=False) and self.are_exclusive(theirs, new, new=True)):
            changes += self.unclear(at, "oneOf", None, None, _OVERLAPPING)
        before, after = self.alternatives(mine, old, False), self.alternatives(theirs, new, True)
        old_only, new_only = self.find_unmatched(before, after, exact)
        if self.steps_left < 0:
            return changes + self.unclear(at, old or new, None, None, _TOO_LARGE)
        for one, other in zip_longest(old_only, new_only, fillvalue=_NOTHING):
            if one is _NOTHING:  # wider than an old one, or new
                one = next((item for item in before if self.fits(item, other, 0, exact)), _NOTHING)
            elif other is _NOTHING:
                other = next((item for item in after if self.fits(one, item, 1, exact)), _NOTHING)
            if one is _NOTHING:
                changes += self.keyword_changes(at, new or old, None, shorten_schema(other), (False, True))
            elif other is _NOTHING:
                changes += self.keyword_changes(at, old or new, shorten_schema(one), None, (True, False))
            else:
                changes += self.compare(one, other, at, exact)
        return changes

    def find_unmatched(self, before: list[Any], after: list[Any], exact: bool) -> tuple[list[Any], list[Any]]:
        """The old alternatives that fit into no new one, and the new ones that fit into no old one."""
        old_shapes = {self.shapes.of(item, False) for item in before}
        new_shapes = {self.shapes.of(item, True) for item in after}
        old_only: list[Any] = []
        for item in before:
            is_same = self.shapes.of(item, False) in new_shapes
            if not is_same and not any(self.fits(item, other, 0, exact) for other in after):
                old_only.append(item)
        new_only: list[Any] = []
        for item in after:
            is_same = self.shapes.of(item, True) in old_shapes
            if not is_same and not any(self.fits(other, item, 1, exact) for other in before):
                new_only.append(item)
        return old_only, new_only

    def alternatives(self, node: JsonSchema, keyword: str, new: bool) -> list[Any]:
        """The alternatives of a schema, each with what stands beside them; without any, its types by themselves."""
        if (id(node), keyword) not in self.alternatives_by_node:
            base = {word: value for word, value in node.items() if word != keyword and word not in IDLE}
            schemas: list[Any] = []
            for item in node.get(keyword, [node]):
                schemas += self.by_type(item, new)
            if base and keyword:
                schemas = [{"allOf": [base, item]} for item in schemas]
            self.alternatives_by_node[id(node), keyword] = node, schemas
        return self.alternatives_by_node[id(node), keyword][1]

    def by_type(self, item: Any, new: bool) -> list[Any]:
        """A schema of several types as one a type, because `[string, null]` is an alternative, too."""
        flat, rest = self.flatten(item, new)
        if not isinstance(flat, dict) or rest or not isinstance(flat.get("type"), list):
            return [item]
        return [{**flat, "type": name} for name in flat["type"]]

    def fits(self, one: Any, other: Any, sense: int, exact: bool) -> bool:
        """Whether a proof succeeds that the old schema loses nothing (`sense` 0), or gains nothing (1)."""
        if self.steps_left < 0:
            return False
        changes = self.compare(one, other, None, exact)
        return not any(change.sense[sense] for change in changes)

    def are_exclusive(self, node: JsonSchema, keyword: str, new: bool) -> bool:
        """Whether no value fits two alternatives, as `oneOf` wants it."""
        items = node[keyword] if keyword == "oneOf" else []
        values = _values_of_all(items)
        if values is not None and len(unique(values)) == len(values):
            return True
        self.steps_left -= 4 * len(items) ** 2
        if len(items) > _BRANCHES:
            return False
        units = self.sides[new].units
        for one, other in combinations(items, 2):
            if overlap(other, one, lambda name: units.get(name, True), steps=200, depth=3):
                return False
        return True

    # -- without references and alternatives --------------------------------------------------------------------------

    def compare_plain(self, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> list[SchemaChange]:
        if _listed_values(mine) is not None or _listed_values(theirs) is not None:
            return self.compare_enumerations(mine, theirs, at)
        old, new = stated_kinds(mine), stated_kinds(theirs)
        changes = self.keyword_changes(
            at, "type", mine.get("type"), theirs.get("type"), (bool(old - new), bool(new - old))
        )
        shared = old & new
        for scalar in SCALARS:
            before, after = mine.get(scalar.keyword), theirs.get(scalar.keyword)
            if before == after or not scalar.kinds & shared:
                continue
            if scalar.compare is opaque and None not in (before, after):
                changes += self.unclear(at, scalar.keyword, before, after, CANNOT_TELL)
            else:
                changes += self.keyword_changes(at, scalar.keyword, before, after, scalar.compare(before, after))
        for kinds, part in PARTS:
            if kinds & shared:
                changes += part(self, mine, theirs, at, exact)
        return changes

    def compare_enumerations(self, mine: JsonSchema, theirs: JsonSchema, at: Path) -> list[SchemaChange]:
        """Where a side lists its values, each of them is tried; nothing else needs to be looked at."""
        fits_old, fits_new = self.acceptor_of(mine, new=False), self.acceptor_of(theirs, new=True)
        old, new = _select_fitting(_listed_values(mine), fits_old), _select_fitting(_listed_values(theirs), fits_new)
        old_only = None if old is None else _find_missing(old, new, fits_new)
        new_only = None if new is None else _find_missing(new, old, fits_old)
        changes: list[SchemaChange] = []
        if old_only is None or old_only:
            before, after = (mine.get("type"), new) if old_only is None else (old_only, None)
            keyword = "type" if _kinds(mine, old) - _kinds(theirs, new) else "enum"
            changes += self.keyword_changes(at, keyword, before, after, (True, False))
        if new_only is None or new_only:
            before, after = (old, theirs.get("type")) if new_only is None else (None, new_only)
            changes += self.keyword_changes(at, "enum", before, after, (False, True))
        return changes

    def acceptor_of(self, node: JsonSchema, new: bool) -> Callable[[Any], bool]:
        """A test of values by one side's schema."""
        if not node.keys() - _LISTED - IDLE:  # the listed values are all that it accepts
            values, kinds = _listed_values(node), stated_kinds(node)
            keys = None if values is None else frozenset(map(equality_key, values))
            return lambda value: kind_of(value) in kinds and (keys is None or equality_key(value) in keys)
        inner = list(islice(walk_schemas(node), _STEPS))
        if any("$ref" in schema for schema in inner if isinstance(schema, dict)):
            self.steps_left -= self.sides[new].size
            return make_acceptor(node, self.sides[new].units)
        self.steps_left -= len(inner)
        return make_acceptor(node, {})


def _kinds(node: JsonSchema, values: list[Any] | None) -> frozenset[str]:
    if values is None:
        return stated_kinds(node)
    return frozenset(map(kind_of, values))


def _values_of_all(schemas: list[Any]) -> list[Any] | None:
    """The values that schemas list; `None` where one of them has others."""
    values: list[Any] = []
    for schema in schemas:
        members = members_of(schema) if isinstance(schema, dict) else None
        if members is None:
            return None
        values += members
    return values


def _select_fitting(values: list[Any] | None, fits: Callable[[Any], bool]) -> list[Any] | None:
    if values is None:
        return None
    return [value for value in values if fits(value)]


def _find_missing(values: list[Any], others: list[Any] | None, fits: Callable[[Any], bool]) -> list[Any]:
    """The values that the other side does not list, or does not accept."""
    if others is None:
        return [value for value in values if not fits(value)]
    keys = frozenset(map(equality_key, others))
    return [value for value in values if equality_key(value) not in keys]


def _listed_values(node: JsonSchema) -> list[Any] | None:
    """The values of a schema that has only so many, as far as its type and its list say."""
    members, kinds = members_of(node), stated_kinds(node)
    if members is not None:
        return [value for value in members if kind_of(value) in kinds]
    if not kinds <= _FINITE.keys():
        return None
    values: list[Any] = []
    for kind in sorted(kinds):
        values += _FINITE[kind]
    return values


def _name(node: Any) -> Any:
    """What a schema is known by while it is compared: its reference if it is nothing else, or itself."""
    if isinstance(node, dict) and "$ref" in node and not node.keys() - IDLE - {"$ref", "$defs"}:
        return node["$ref"]
    return id(node)


def _without(node: JsonSchema, *keywords: str) -> JsonSchema:
    return {word: value for word, value in node.items() if word not in keywords}


def _union_of(node: JsonSchema, other: JsonSchema) -> str:
    """The keyword with the alternatives of a schema, that of the other schema rather; empty if it has none."""
    for word in _UNIONS:
        if word in node and word in other:
            return word
    return next((word for word in _UNIONS if word in node), "")


def _part_opaque(node: Any, rest: list[Any]) -> tuple[Any, list[Any]]:
    """Patterns and their like out of a schema, beside those that could not be merged into it."""
    if not isinstance(node, dict) or _OPAQUE.isdisjoint(node):
        return node, rest
    opaque_parts = [{word: node[word]} for word in _OPAQUE if word in node]
    return _without(node, *_OPAQUE), [*rest, *opaque_parts]
