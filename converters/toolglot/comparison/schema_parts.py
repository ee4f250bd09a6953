"""How the parts of two schemas compare that hold further schemas: objects, arrays, conditions, and bounds of numbers.

Every function takes the comparison, the old and the new schema (without references and alternatives), their place, and
whether properties that are not named count even where the old schema does not say so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from toolglot.comparison.scalar_keywords import ANY, at_least, at_most, lower_bound, upper_bound
from toolglot.comparison.schema_differences import CANNOT_TELL, Findings, is_less, is_more, shown
from toolglot.errors import escape
from toolglot.hub.model import JsonSchema
from toolglot.schema.budget import Path
from toolglot.schema.overlap import KINDS, matches, stated_kinds

if TYPE_CHECKING:
    from toolglot.comparison.schema_pairs import Comparison


def _numbers(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    whole = stated_kinds(mine) & stated_kinds(theirs) & KINDS["number"] == KINDS["integer"]
    found: Findings = []
    for names, bound in _BOUNDS:
        before, after = (next((node[name] for name in names if name in node), None) for node in (mine, theirs))
        found += walk.judged(at, names[0], before, after, bound(mine, theirs, whole))
    return found


_BOUNDS = (
    (("minimum", "exclusiveMinimum"), lower_bound),
    (("maximum", "exclusiveMaximum"), upper_bound),
)


# -- objects --------------------------------------------------------------------------------------------------------


def _objects(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    old, new = _named(mine), _named(theirs)
    found = _required(walk, mine, theirs, at)
    for name in {**mine.get("properties", {}), **theirs.get("properties", {})}:
        place = _at(at, "properties", name)
        one, other = _governing(mine, name), _governing(theirs, name)
        if name in old and name not in new and not _by_pattern(theirs, name):
            found.append(walk.finding("property-removed", place, "properties", shown(old[name]), None, (True, True)))
        elif name in new and name not in old and not _by_pattern(mine, name):
            found += _added(walk, mine, one, other, place, exact)
        else:
            found += walk.nodes(one, other, place, exact)
    return found + _unnamed(walk, mine, theirs, at, exact)


def _required(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path) -> Findings:
    old, new = _named(mine), _named(theirs)
    was, now = (dict.fromkeys(node.get("required", ())) for node in (mine, theirs))
    found: Findings = []
    for name in [name for name in now if name not in was]:
        what = "required-added" if name in new and name not in old else "made-required"
        found.append(walk.finding(what, _at(at, "properties", name), "required", False, True, (True, False)))
    for name in was:
        if name not in now and (name in new or name not in old):  # else the property itself is gone
            place = _at(at, "properties", name)
            found.append(walk.finding("made-optional", place, "required", True, False, (False, True)))
    return found


def _added(walk: Comparison, mine: JsonSchema, one: Any, other: Any, place: Path, exact: bool) -> Findings:
    """A property that was not named before."""
    closed = one is False
    is_told = exact or "additionalProperties" in mine  # what may stand there
    found = walk.nodes(one, other, place, exact) if is_told and not closed else []
    what, sense = ("property-added-to-closed", (False, True)) if closed else ("property-added", (False, False))
    return found or [walk.finding(what, place, "properties", None, shown(other), sense)]


def _unnamed(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    """Properties that are described by a pattern, or not at all."""
    old, new = mine.get("patternProperties", {}), theirs.get("patternProperties", {})
    rests = mine.get("additionalProperties", True), theirs.get("additionalProperties", True)
    found: Findings = []
    if old and new and old.keys() != new.keys():
        found += walk.unclear(at, "patternProperties", sorted(old), sorted(new), CANNOT_TELL)
    else:
        for pattern in {**old, **new}:
            asked = old.get(pattern, rests[0]), new.get(pattern, rests[1])
            found += walk.nodes(*asked, _at(at, "patternProperties", pattern), exact)
    place = (at, "/additionalProperties")
    if False in rests and not walk.same(*rests):
        what, sense = ("closed", (True, False)) if rests[1] is False else ("opened", (False, True))
        return [*found, walk.finding(what, place, "additionalProperties", shown(rests[0]), shown(rests[1]), sense)]
    return found + walk.nodes(*rests, place, exact)


def _names(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    if "propertyNames" not in mine and "propertyNames" not in theirs:
        return []
    one, other = ({"type": "string", "allOf": [node.get("propertyNames", True)]} for node in (mine, theirs))
    return walk.nodes(one, other, (at, "/propertyNames"), exact)


def _dependencies(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    found: Findings = []
    old, new = mine.get("dependentRequired", {}), theirs.get("dependentRequired", {})
    for name in {**old, **new}:
        was, now = set(old.get(name, ())), set(new.get(name, ()))
        place = _at(at, "dependentRequired", name)
        sense = bool(now - was), bool(was - now)
        found += walk.judged(place, "dependentRequired", sorted(was), sorted(now), sense)
    old, new = mine.get("dependentSchemas", {}), theirs.get("dependentSchemas", {})
    for name in {**old, **new}:
        found += walk.nodes(old.get(name, True), new.get(name, True), _at(at, "dependentSchemas", name), True)
    return found


def _at(at: Path, keyword: str, name: str) -> Path:
    return at, f"/{keyword}/{escape(name)}"


def _named(node: JsonSchema) -> dict[str, Any]:
    """The properties that may be there."""
    return {name: found for name, found in node.get("properties", {}).items() if found is not False}


def _governing(node: JsonSchema, name: str) -> Any:
    """What a schema asks of the property `name`."""
    own = [node["properties"][name]] if name in node.get("properties", {}) else []
    asked = [*own, *_by_pattern(node, name)] or [node.get("additionalProperties", True)]
    return asked[0] if len(asked) == 1 else {"allOf": asked}


def _by_pattern(node: JsonSchema, name: str) -> list[Any]:
    """The schemas of the patterns that a name matches, or may match."""
    return [
        found for pattern, found in node.get("patternProperties", {}).items() if matches(pattern, name) is not False
    ]


# -- arrays ---------------------------------------------------------------------------------------------------------


def _arrays(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    prefixes = mine.get("prefixItems", []), theirs.get("prefixItems", [])
    rests = mine.get("items", True), theirs.get("items", True)
    found: Findings = []
    for index in range(max(map(len, prefixes))):
        one, other = (p[index] if index < len(p) else rest for p, rest in zip(prefixes, rests, strict=True))
        found += walk.nodes(one, other, (at, f"/prefixItems/{index}"), exact)
    return found + walk.nodes(*rests, (at, "/items"), exact) + _contains(walk, mine, theirs, at)


def _contains(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path) -> Findings:
    old, new = mine.get("contains"), theirs.get("contains")
    if old is None or new is None:
        return walk.judged(at, "contains", shown(old), shown(new), (new is not None, old is not None))
    if not walk.same(old, new):
        return walk.unclear(at, "contains", shown(old), shown(new), CANNOT_TELL)
    found: Findings = []
    for keyword, default, way in (("minContains", 1, at_least), ("maxContains", None, at_most)):
        before, after = mine.get(keyword, default), theirs.get(keyword, default)
        found += walk.judged(at, keyword, before, after, way(before, after))
    return found


# -- conditions -----------------------------------------------------------------------------------------------------


def _conditions(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    if "if" not in mine and "if" not in theirs:
        return []
    if "if" in mine and "if" in theirs and not walk.same(mine["if"], theirs["if"]):
        return walk.unclear(at, "if", shown(mine["if"]), shown(theirs["if"]), CANNOT_TELL)
    found: Findings = []
    for word in ("then", "else"):
        one, other = (node.get(word, True) if "if" in node else True for node in (mine, theirs))
        found += walk.nodes(one, other, (at, f"/{word}"), True)  # what stands beside it may name the same properties
    return found


def _negations(walk: Comparison, mine: JsonSchema, theirs: JsonSchema, at: Path, exact: bool) -> Findings:
    """What is refused by `not`: there, accepting less is accepting more."""
    if "not" not in mine and "not" not in theirs:
        return []
    walk.negated = not walk.negated
    inside = walk.nodes(mine.get("not", False), theirs.get("not", False), (at, "/not"), True)
    walk.negated = not walk.negated
    sense = is_more(inside), is_less(inside)
    return walk.judged(at, "not", shown(mine.get("not")), shown(theirs.get("not")), sense)


Part: TypeAlias = "Callable[[Comparison, JsonSchema, JsonSchema, Path, bool], Findings]"

PARTS: tuple[tuple[frozenset[str], Part], ...] = (  # the kinds of values that it is about
    (KINDS["number"], _numbers),
    (KINDS["object"], _objects),
    (KINDS["object"], _names),
    (KINDS["object"], _dependencies),
    (KINDS["array"], _arrays),
    (ANY, _conditions),
    (ANY, _negations),
)
