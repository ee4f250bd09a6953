"""What a change of each keyword of JSON Schema means: whether less is accepted than before, or more.

`compare_keywords` takes two schemas without references and alternatives. The functions for keywords that hold further
schemas take the comparison that they are a part of, the old and the new schema, their place, and whether properties
that are not named count even where the old schema does not say so (`exact`).

`sense_of_keyword` asks the same tables about one keyword of two schemas as they stand, for a report that names each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.difference.schemas_to_compare import IDLE, listed_values
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.schema.keywords import ASSERTIONS, NAMED, ONE, accepts_nothing, keyword_of, subschemas
from toolglot.converter.schema.overlap import KINDS, kind_of, stated_kinds
from toolglot.converter.text.pointers import Path, escape, only_keys, without_keys

if TYPE_CHECKING:  # it imports this module, and hands itself in
    from toolglot.converter.schema.difference.schema_comparison import SchemaComparison

# -- changes ----------------------------------------------------------------------------------------------------------

Sense = tuple[bool, bool]
"""Whether less is accepted than before, and whether more is."""

LESS: Sense = (True, False)
MORE: Sense = (False, True)
UNCLEAR: Sense = (True, True)
NEITHER: Sense = (False, False)
_CANNOT_TELL = "whether it accepts the same cannot be told"
_ANY = frozenset().union(*KINDS.values())


class SchemaChange(NamedTuple):
    """One change.

    Attributes:
        what: `less`, `more`, `changed` (both) or `unclear`: whether fewer or more values are accepted; or what became
            of a property: `property-added`, `property-added-to-closed`, `property-removed`, `required-added`,
            `made-required`, `made-optional`; or of properties that are not named: `closed`, `opened`.
        pointer: where, as a JSON Pointer into the new schema, or into the old one for what is gone.
        keyword: what differs there.
        sense: whether fewer values are accepted, and whether more are.
        note: why it cannot be told, or what else there is to say.
    """

    what: str
    pointer: str
    keyword: str
    before: Any
    after: Any
    sense: Sense
    note: str = ""


def is_less(changes: Iterable[SchemaChange]) -> bool:
    """Whether some value that was accepted may be refused now."""
    return any(change.sense[0] for change in changes)


def is_more(changes: Iterable[SchemaChange]) -> bool:
    """Whether some value that was refused may be accepted now."""
    return any(change.sense[1] for change in changes)


def shorten_schema(schema: Any) -> Any:
    """A schema short enough for a report: what it says itself, without the schemas inside.

    >>> shorten_schema({"type": "object", "title": "T", "properties": {"a": {}}})
    {'type': 'object'}
    """
    if not isinstance(schema, dict):
        return schema
    inner = {keyword_of(token) for token, _ in subschemas(schema)}
    return without_keys(schema, *inner, *IDLE)


# -- all keywords -----------------------------------------------------------------------------------------------------


def compare_keywords(
    walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    """Every change between two schemas without references and alternatives."""
    if listed_values(old) is not None or listed_values(new) is not None:
        return _compare_enumerations(walk, old, new, at)
    old_kinds, new_kinds = stated_kinds(old), stated_kinds(new)
    sense = (bool(old_kinds - new_kinds), bool(new_kinds - old_kinds))
    changes = walk.keyword_changes(at, "type", old.get("type"), new.get("type"), sense)
    shared_kinds = old_kinds & new_kinds
    for scalar in _SCALARS:
        if scalar.kinds & shared_kinds:
            changes += _compare_scalar(walk, scalar, old, new, at)
    for kinds, part in _PARTS:
        if kinds & shared_kinds:
            changes += part(walk, old, new, at, exact)
    return changes


# -- listed values ----------------------------------------------------------------------------------------------------


def _compare_enumerations(walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
    """Where a side lists its values, each of them is tried; nothing else needs to be looked at."""
    accepts_old, accepts_new = walk.old.acceptor_of(old), walk.new.acceptor_of(new)
    old_values = _select_accepted(listed_values(old), accepts_old)
    new_values = _select_accepted(listed_values(new), accepts_new)
    word_of_loss = "enum"
    if _kinds(old, old_values) - _kinds(new, new_values):
        word_of_loss = "type"
    changes: list[SchemaChange] = []
    if old_values is None:  # there were more than a list can hold
        changes += walk.keyword_changes(at, word_of_loss, old.get("type"), new_values, LESS)
    else:
        lost_values = _find_missing(old_values, new_values, accepts_new)
        if lost_values:
            changes += walk.keyword_changes(at, word_of_loss, lost_values, None, LESS)
    if new_values is None:
        changes += walk.keyword_changes(at, "enum", old_values, new.get("type"), MORE)
    else:
        gained_values = _find_missing(new_values, old_values, accepts_old)
        if gained_values:
            changes += walk.keyword_changes(at, "enum", None, gained_values, MORE)
    return changes


def _kinds(node: JsonSchema, values: list[Any] | None) -> frozenset[str]:
    if values is None:
        return stated_kinds(node)
    return frozenset(map(kind_of, values))


def _select_accepted(values: list[Any] | None, accepts: Callable[[Any], bool]) -> list[Any] | None:
    if values is None:
        return None
    return [value for value in values if accepts(value)]


def _find_missing(values: list[Any], others: list[Any] | None, accepts: Callable[[Any], bool]) -> list[Any]:
    """The values that the other side does not list, or does not accept."""
    if others is None:
        return [value for value in values if not accepts(value)]
    keys = frozenset(map(equality_key, others))
    return [value for value in values if equality_key(value) not in keys]


# -- keywords that hold no schema -------------------------------------------------------------------------------------


def _at_least(before: Any, after: Any) -> Sense:
    """For keywords whose larger value accepts less.

    >>> _at_least(None, 3), _at_least(3, 1)
    ((True, False), (False, True))
    """
    was, now = before or 0, after or 0
    return now > was, now < was


def _at_least_one(before: Any, after: Any) -> Sense:
    """For `minContains`, which is 1 where it is not there."""
    return _at_least(1 if before is None else before, 1 if after is None else after)


def _at_most(before: Any, after: Any) -> Sense:
    """For keywords whose smaller value accepts less.

    >>> _at_most(None, 3), _at_most(3, 9)
    ((True, False), (False, True))
    """
    was = math.inf if before is None else before
    now = math.inf if after is None else after
    return now < was, now > was


def _multiple(before: Any, after: Any) -> Sense:
    """For `multipleOf`.

    >>> _multiple(2, 4), _multiple(4, 2), _multiple(2, 3), _multiple(None, 1)
    ((True, False), (False, True), (True, True), (True, False))
    """
    if before is None or after is None:
        return after is not None, before is not None
    was, now = _exact_fraction(before), _exact_fraction(after)
    return was % now != 0, now % was != 0


def _exact_fraction(number: int | float) -> Fraction:
    """A number as it is written: 0.1 is a tenth, although no binary fraction is.

    >>> _exact_fraction(0.1), _exact_fraction(3)
    (Fraction(1, 10), Fraction(3, 1))
    """
    if isinstance(number, float):
        return Fraction(Decimal(repr(number)))
    return Fraction(number)


def _flag(before: Any, after: Any) -> Sense:
    """For keywords that are a constraint where they are true."""
    return bool(after) and not before, bool(before) and not after


def _opaque(before: Any, after: Any) -> Sense:
    """For keywords of which only presence can be judged, such as `pattern`.

    >>> _opaque(None, "^a"), _opaque("^a", "^b")
    ((True, False), (True, True))
    """
    return after is not None, before is not None


class _Scalar(NamedTuple):
    """A keyword, the kinds of values that it is about, and how its values compare."""

    keyword: str
    kinds: frozenset[str]
    compare: Callable[[Any, Any], Sense]


_SCALARS: tuple[_Scalar, ...] = (
    _Scalar("minLength", KINDS["string"], _at_least),
    _Scalar("maxLength", KINDS["string"], _at_most),
    _Scalar("pattern", KINDS["string"], _opaque),
    _Scalar("minItems", KINDS["array"], _at_least),
    _Scalar("maxItems", KINDS["array"], _at_most),
    _Scalar("uniqueItems", KINDS["array"], _flag),
    _Scalar("minProperties", KINDS["object"], _at_least),
    _Scalar("maxProperties", KINDS["object"], _at_most),
    _Scalar("multipleOf", KINDS["number"], _multiple),
    _Scalar("format", _ANY, _opaque),
    _Scalar("contentEncoding", KINDS["string"], _opaque),
    _Scalar("contentMediaType", KINDS["string"], _opaque),
    _Scalar("contentSchema", KINDS["string"], _opaque),
    _Scalar("contains", KINDS["array"], _opaque),
    _Scalar("minContains", KINDS["array"], _at_least_one),
    _Scalar("maxContains", KINDS["array"], _opaque),
    *(_Scalar(keyword, KINDS["object"], _opaque) for keyword in ("dependentRequired", "dependentSchemas")),
    *(_Scalar(keyword, _ANY, _opaque) for keyword in ("not", "if", "then", "else")),
)


def _compare_scalar(
    walk: SchemaComparison, scalar: _Scalar, old: JsonSchema, new: JsonSchema, at: Path
) -> list[SchemaChange]:
    """The change of a keyword that holds no schema."""
    before, after = old.get(scalar.keyword), new.get(scalar.keyword)
    are_given = before is not None and after is not None
    if equality_key(before) == equality_key(after):
        return []
    if are_given and walk.same({scalar.keyword: before}, {scalar.keyword: after}):
        return []
    shown = shorten_schema(before), shorten_schema(after)
    if scalar.compare is _opaque and are_given:
        return walk.unclear(at, scalar.keyword, *shown, _CANNOT_TELL)
    return walk.keyword_changes(at, scalar.keyword, *shown, scalar.compare(before, after))


OPAQUE = frozenset(scalar.keyword for scalar in _SCALARS if scalar.compare is _opaque)
"""The keywords of which only presence can be judged: few schemas have them, and nearly none change."""


# -- bounds of numbers ------------------------------------------------------------------------------------------------


def _compare_numbers(
    walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    changes: list[SchemaChange] = []
    for words, compare_bounds in _BOUNDS:
        before, after = _first_of(old, words), _first_of(new, words)
        changes += walk.keyword_changes(at, words[0], before, after, compare_bounds(old, new))
    return changes


def _first_of(node: JsonSchema, words: Iterable[str]) -> Any:
    """What a schema says by the first of these keywords that it has."""
    for word in words:
        if word in node:
            return node[word]
    return None


def _lowest(node: JsonSchema, whole: bool) -> tuple[Any, bool]:
    """The lower bound of a number, and whether the bound itself is refused.

    Args:
        whole: whether only whole numbers are looked at, for which every bound can be an inclusive one.

    >>> _lowest({"exclusiveMinimum": 0}, whole=True), _lowest({}, whole=False)
    ((1, False), (-inf, False))
    """
    bounds: list[tuple[Any, bool]] = [(-math.inf, False)]
    if "minimum" in node:
        bounds.append((node["minimum"], False))
    if "exclusiveMinimum" in node:
        bounds.append((node["exclusiveMinimum"], True))
    bound, is_exclusive = max(bounds)
    if not whole or abs(bound) == math.inf:
        return bound, is_exclusive
    if is_exclusive:
        return math.floor(bound) + 1, False
    return math.ceil(bound), False


def _highest(node: JsonSchema, whole: bool) -> tuple[Any, bool]:
    """The upper bound of a number; as `_lowest`, mirrored.

    >>> _highest({"exclusiveMaximum": 1.5}, whole=True)
    (1, False)
    """
    mirror: JsonSchema = {}
    if "maximum" in node:
        mirror["minimum"] = -node["maximum"]
    if "exclusiveMaximum" in node:
        mirror["exclusiveMinimum"] = -node["exclusiveMaximum"]
    bound, is_exclusive = _lowest(mirror, whole)
    return -bound, is_exclusive


def _are_whole(before: JsonSchema, after: JsonSchema) -> bool:
    """Whether the numbers that both schemas may accept are whole ones."""
    return stated_kinds(before) & stated_kinds(after) & KINDS["number"] == KINDS["integer"]


def _lower_bound(before: JsonSchema, after: JsonSchema) -> Sense:
    """Whether a number may start higher, or lower, than before."""
    whole = _are_whole(before, after)
    was, now = _lowest(before, whole), _lowest(after, whole)
    return now > was, now < was


def _upper_bound(before: JsonSchema, after: JsonSchema) -> Sense:
    """Whether a number may end lower, or higher, than before."""
    whole = _are_whole(before, after)
    (was, was_open), (now, now_open) = _highest(before, whole), _highest(after, whole)
    return (now, not now_open) < (was, not was_open), (now, not now_open) > (was, not was_open)


_BOUNDS = (
    (("minimum", "exclusiveMinimum"), _lower_bound),
    (("maximum", "exclusiveMaximum"), _upper_bound),
)


_OF_KEYS = ("properties", "patternProperties", "additionalProperties")

# -- objects ----------------------------------------------------------------------------------------------------------


def _compare_objects(
    walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
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


def _compare_patterns(walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
    """Objects with patterns, which speak of named keys too: all that they say of keys is the same, or unclear."""
    before = only_keys(old, _OF_KEYS)
    after = only_keys(new, _OF_KEYS)
    if walk.same(before, after):
        return []
    return walk.unclear(at, "patternProperties", shorten_schema(before), shorten_schema(after), _CANNOT_TELL)


def _compare_required(walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path) -> list[SchemaChange]:
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
    walk: SchemaComparison, old: JsonSchema, new: JsonSchema, name: str, place: Path, exact: bool
) -> list[SchemaChange]:
    """A property that was not named before."""
    before, after = old.get("properties", {}).get(name, old.get("additionalProperties", True)), new["properties"][name]
    if accepts_nothing(before):
        return [walk.change("property-added-to-closed", place, "properties", None, shorten_schema(after), MORE)]
    changes: list[SchemaChange] = []
    if exact or "additionalProperties" in old:  # then the old schema said what may stand there
        changes = walk.compare(before, after, place, exact)
    if changes:
        return changes
    return [walk.change("property-added", place, "properties", None, shorten_schema(after), NEITHER)]


def _compare_rest(walk: SchemaComparison, old: Any, new: Any, place: Path, exact: bool) -> list[SchemaChange]:
    """What is asked of properties that nothing describes; an object that takes none of them is closed."""
    if walk.same(old, new) or (old is not False and new is not False):
        return walk.compare(old, new, place, exact)
    before, after = shorten_schema(old), shorten_schema(new)
    if new is False:
        return [walk.change("closed", place, "additionalProperties", before, after, LESS)]
    return [walk.change("opened", place, "additionalProperties", before, after, MORE)]


def _compare_names(
    walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    if "propertyNames" not in old and "propertyNames" not in new:
        return []
    return walk.compare(_schema_of_names(old), _schema_of_names(new), (at, "/propertyNames"), exact)


def _schema_of_names(node: JsonSchema) -> JsonSchema:
    return {"type": "string", "allOf": [node.get("propertyNames", True)]}


def _path_of_property(at: Path, name: str) -> Path:
    return at, f"/properties/{escape(name)}"


def _possible_properties(node: JsonSchema) -> dict[str, Any]:
    """The properties that may be there."""
    return {name: schema for name, schema in node.get("properties", {}).items() if not accepts_nothing(schema)}


# -- arrays -----------------------------------------------------------------------------------------------------------


def _compare_arrays(
    walk: SchemaComparison, old: JsonSchema, new: JsonSchema, at: Path, exact: bool
) -> list[SchemaChange]:
    old_tuple, new_tuple = old.get("prefixItems", []), new.get("prefixItems", [])
    changes: list[SchemaChange] = []
    for index in range(max(len(old_tuple), len(new_tuple))):
        before, after = _schema_of_item(old, index), _schema_of_item(new, index)
        changes += walk.compare(before, after, (at, f"/prefixItems/{index}"), exact)
    return changes + walk.compare(old.get("items", True), new.get("items", True), (at, "/items"), exact)


def _schema_of_item(node: JsonSchema, index: int) -> Any:
    """What a schema asks of the item at a place."""
    schemas = node.get("prefixItems", [])
    if index < len(schemas):
        return schemas[index]
    return node.get("items", True)


# -- the table --------------------------------------------------------------------------------------------------------

_PartComparison: TypeAlias = Callable[["SchemaComparison", JsonSchema, JsonSchema, Path, bool], list[SchemaChange]]

_PARTS: tuple[tuple[frozenset[str], _PartComparison], ...] = (  # the kinds of values that each is about
    (KINDS["number"], _compare_numbers),
    (KINDS["object"], _compare_objects),
    (KINDS["object"], _compare_names),
    (KINDS["array"], _compare_arrays),
)


# -- one keyword by itself --------------------------------------------------------------------------------------------

_ANYTHING: tuple[Any, ...] = (True, {})
# Values of keywords that accept everything, so that the keyword says as much as its absence.
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties", "propertyNames"), _ANYTHING),
    **dict.fromkeys(("items", "additionalItems", "unevaluatedItems"), _ANYTHING),
    **dict.fromkeys(NAMED | {"definitions", "dependentRequired", "dependencies"}, ({},)),
    **dict.fromkeys(("required", "prefixItems"), ([],)),
    **dict.fromkeys(("minLength", "minItems", "minProperties"), (0,)),
    **dict.fromkeys(("uniqueItems", "nullable", "deprecated", "readOnly", "writeOnly"), (False,)),
    "minContains": (1,),
    "not": (False,),
    "default": (None,),  # an absent value equals it
}
BOUNDS_BY_ABSENCE = frozenset({"minContains"})
"""Keywords that refuse values where they are absent. Where another one goes, a further keyword says what is refused."""

_BLANK: tuple[Any, ...] = ("", [], {}, None)  # what an annotation, or a keyword that nobody knows, can say nothing by
# Of older dialects too, and what readers act upon.
_ASSERTIVE = (ASSERTIONS | {
    "nullable", "format", "$dynamicRef", "$recursiveRef", "dependencies", "additionalItems",
})  # fmt: skip


def is_assertion(keyword: str) -> bool:
    """Whether a keyword may refuse values; any other only tells people something."""
    return keyword in _ASSERTIVE


def is_neutral(keyword: str, value: Any) -> bool:
    """Whether a keyword with this value says as much as none.

    >>> is_neutral("required", []), is_neutral("minLength", 1)
    (True, False)
    """
    neutral = _NEUTRAL.get(keyword, () if is_assertion(keyword) else _BLANK)
    return any(value is item or (value == item and type(value) is type(item)) for item in neutral)


def sense_of_keyword(keyword: str, old: JsonSchema, new: JsonSchema) -> Sense:
    """Whether a schema accepts less than before by one of its keywords, and whether more, as far as that shows it.

    >>> old, new = {"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}
    >>> sense_of_keyword("exclusiveMinimum", old, new), sense_of_keyword("enum", {"enum": [1, 2]}, {"const": 1})
    ((False, False), (True, False))
    """
    try:
        if keyword in _OF_SCHEMAS:
            return _OF_SCHEMAS[keyword](old, new)
        before, after = _effective(keyword, old), _effective(keyword, new)
        if keyword in _OF_VALUES:
            return _OF_VALUES[keyword](before, after)
    except TypeError:  # a value that the keyword cannot have
        return UNCLEAR
    if keyword in _MEMBERS and (accepts_nothing(before) or accepts_nothing(after)):
        return not accepts_nothing(before), not accepts_nothing(after)
    return NEITHER if before == after else _opaque(before, after)


def _effective(keyword: str, schema: JsonSchema) -> Any:
    """The value of a keyword; `None` where it says as much as none."""
    value = schema.get(keyword)
    return None if is_neutral(keyword, value) else value


def _of_types(old: JsonSchema, new: JsonSchema) -> Sense:
    was, now = _kinds(old, listed_values(old)), _kinds(new, listed_values(new))
    return bool(was - now), bool(now - was)


def _of_lists(old: JsonSchema, new: JsonSchema) -> Sense:
    was, now = listed_values(old), listed_values(new)
    if was is None or now is None:
        return now is not None, was is not None
    return bool(_find_missing(was, now, bool)), bool(_find_missing(now, was, bool))


def _of_names(before: Any, after: Any) -> Sense:
    was, now = frozenset(before or ()), frozenset(after or ())
    return bool(now - was), bool(was - now)


# Keyword -> what it means by what stands beside it in both schemas, or by its values alone.
_OF_SCHEMAS: dict[str, Callable[[JsonSchema, JsonSchema], Sense]] = {
    "type": _of_types,
    **dict.fromkeys(("enum", "const"), _of_lists),
    **{keyword: compare for keywords, compare in _BOUNDS for keyword in keywords},
}
_OF_VALUES: dict[str, Callable[[Any, Any], Sense]] = {
    "required": _of_names,
    **{scalar.keyword: scalar.compare for scalar in _SCALARS if scalar.compare is not _opaque},
}
_MEMBERS = ONE - {"not", "if"}  # of which `false` refuses what any other schema may accept
