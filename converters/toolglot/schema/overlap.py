"""Whether two schemas share a value: a proof that they do not, or no answer.

A proof goes by the kind of value. Two schemas are disjoint if every kind that both accept is ruled out: by their
members, by their bounds, or, for objects and arrays, by one property or item that has to be there and that they
want differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from toolglot.schema.json_types import stated_types, type_of
from toolglot.schema.keywords import APPLICATORS, walk
from toolglot.schema.validity import validator
from toolglot.schema.values import key

Lookup = Callable[[str], Any]
Bounds = Iterable[tuple[str, bool]]  # keywords, and whether the value itself is excluded

# The kinds of values: numbers are whole or not, so that `number` and `integer` are sets like all others.
KINDS = {
    "null": frozenset({"null"}),
    "boolean": frozenset({"boolean"}),
    "integer": frozenset({"integer"}),
    "number": frozenset({"integer", "fraction"}),
    "string": frozenset({"string"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}
ALL = frozenset().union(*KINDS.values())

_STEPS = 2_000  # comparisons in one proof; beyond that there is no answer
_DEPTH = 6  # properties within properties
_NAMES = 50  # required names, conjuncts and item positions that are looked at
_NODES = 200  # a larger schema is not compiled to test a member by it


def disjoint(one: Any, other: Any, lookup: Lookup | None = None) -> bool:
    """Whether it is certain that no value is accepted by both schemas; `False` is no answer.

    Args:
        lookup: the schema that a `$ref` stands for; without it, a reference may stand for anything.

    >>> disjoint({"type": "string"}, {"enum": [1, None]}), disjoint({"type": "integer"}, {"type": "number"})
    (True, False)
    >>> cat = {"type": "object", "properties": {"kind": {"const": "cat"}}, "required": ["kind"]}
    >>> disjoint(cat, {**cat, "properties": {"kind": {"const": "dog"}}})
    True
    """
    return not overlap(one, other, lookup)


def overlap(
    one: Any, other: Any, lookup: Lookup | None = None, steps: int = _STEPS, depth: int = _DEPTH
) -> frozenset[str]:
    """The kinds of values (see `KINDS`) that both schemas may share; empty if they certainly share none."""
    return _Proof(lookup, steps).overlap(one, other, depth)


class _Proof:
    """One comparison, with a budget for all that it looks at."""

    def __init__(self, lookup: Lookup | None, steps: int) -> None:
        self.lookup = lookup
        self.left = steps

    def overlap(self, one: Any, other: Any, depth: int) -> frozenset[str]:
        mine, theirs = self.conjuncts(one), self.conjuncts(other)
        kinds = ALL.intersection(*map(stated_kinds, (*mine, *theirs)))
        self.left -= 1
        if depth == 0 or self.left < 0:
            return kinds
        for conjuncts, opposite, schema in ((mine, theirs, other), (theirs, mine, one)):
            for node in conjuncts:
                if kinds and (members := members_of(node)) is not None:
                    self.left -= len(members) // 50
                    refused = [refusal(condition)[0] for condition in opposite]
                    kinds &= {kind_of(value) for value in members if not any(refuses(value) for refuses in refused)}
                for keyword in ("anyOf", "oneOf"):
                    if kinds and isinstance(node.get(keyword), list):
                        kinds &= frozenset().union(*(self.overlap(item, schema, depth - 1) for item in node[keyword]))
        return frozenset(kind for kind in kinds if not self.apart(kind, mine, theirs, depth))

    def conjuncts(self, schema: Any) -> list[dict[str, Any]]:
        """The schema and what its `allOf` and its `$ref` ask for besides, as far as that is known."""
        found: list[dict[str, Any]] = []
        waiting = [schema]
        while waiting and len(found) < _NAMES:
            node = waiting.pop()
            if node is False:
                node = {"not": {}}
            if not isinstance(node, dict):
                continue
            found.append(node)
            waiting += node["allOf"] if isinstance(node.get("allOf"), list) else []
            if self.lookup is not None and isinstance(node.get("$ref"), str):
                waiting.append(self.lookup(node["$ref"]))
        return found

    def apart(self, kind: str, mine: list[dict[str, Any]], theirs: list[dict[str, Any]], depth: int) -> bool:
        """Whether no value of this kind fits both."""
        both = [*mine, *theirs]
        if any(node.get("not") in ({}, True) for node in both):
            return True
        if kind in _BOUNDS and _is_empty(both, *_BOUNDS[kind]):
            return True
        if kind == "object":
            names = dict.fromkeys(name for node in both for name in texts(node, "required"))
            pairs = ((_at_name(mine, name), _at_name(theirs, name)) for name in islice(names, _NAMES))
            most = min((found for node in both if (found := number(node, "maxProperties")) is not None), default=None)
            return (most is not None and len(names) > most) or any(self._never(*pair, depth) for pair in pairs)
        if kind == "array":
            least = max((number(node, "minItems") or 0 for node in both), default=0)
            places = range(int(min(least, _NAMES)))
            return any(self._never(_at_index(mine, place), _at_index(theirs, place), depth) for place in places)
        return False

    def _never(self, mine: list[Any], theirs: list[Any], depth: int) -> bool:
        return bool(mine or theirs) and not self.overlap({"allOf": mine}, {"allOf": theirs}, depth - 1)


# Kind -> lower bounds and upper bounds of its values, or of their size.
_VALUE: tuple[Bounds, Bounds] = (
    (("minimum", False), ("exclusiveMinimum", True)),
    (("maximum", False), ("exclusiveMaximum", True)),
)
_BOUNDS: dict[str, tuple[Bounds, Bounds]] = {
    "integer": _VALUE,
    "fraction": _VALUE,
    "string": ((("minLength", False),), (("maxLength", False),)),
    "array": ((("minItems", False),), (("maxItems", False),)),
    "object": ((("minProperties", False),), (("maxProperties", False),)),
}


def _is_empty(nodes: list[dict[str, Any]], lower: Bounds, upper: Bounds) -> bool:
    least = max(_limits(nodes, lower), default=None)
    most = min(((value, not open_end) for value, open_end in _limits(nodes, upper)), default=None)
    if least is None or most is None:
        return False
    return bool(least[0] > most[0] or (least[0] == most[0] and (least[1] or not most[1])))


def _limits(nodes: list[dict[str, Any]], keywords: Bounds) -> Iterator[tuple[Any, bool]]:
    for node in nodes:
        for keyword, excluded in keywords:
            if (found := number(node, keyword)) is not None:
                yield found, excluded


def _at_name(nodes: list[dict[str, Any]], name: str) -> list[Any]:
    """What the schemas ask of the property `name`."""
    found = []
    for node in nodes:
        properties, patterns = mapping(node, "properties"), mapping(node, "patternProperties")
        if name in properties:
            found.append(properties[name])
        elif all(matches(pattern, name) is False for pattern in patterns):
            found.append(node.get("additionalProperties", True))
    return found


def _at_index(nodes: list[dict[str, Any]], index: int) -> list[Any]:
    """What the schemas ask of the item at `index`."""
    prefixes = [node["prefixItems"] if isinstance(node.get("prefixItems"), list) else [] for node in nodes]
    return [
        prefix[index] if index < len(prefix) else node.get("items", True)
        for node, prefix in zip(nodes, prefixes, strict=True)
    ]


# -- values and keywords -----------------------------------------------------------------------------------------


def kind_of(value: Any) -> str:
    """The kind of a JSON value, as in `KINDS`.

    >>> [kind_of(value) for value in (1, 1.0, 1.5, True)]
    ['integer', 'integer', 'fraction', 'boolean']
    """
    own = type_of(value)
    return "fraction" if own == "number" else own


def stated_kinds(node: dict[str, Any]) -> frozenset[str]:
    """The kinds that a schema's `type` admits; all of them without one.

    >>> sorted(stated_kinds({"type": ["number", "null"]}))
    ['fraction', 'integer', 'null']
    """
    types = stated_types(node)
    return frozenset().union(*(KINDS.get(name, ()) for name in types)) if types else ALL


def members_of(node: dict[str, Any]) -> list[Any] | None:
    """The values that `enum` and `const` admit; `None` without them.

    >>> members_of({"enum": [1, 2], "const": 2}), members_of({})
    ([2], None)
    """
    members = node["enum"] if isinstance(node.get("enum"), list) else None
    if "const" not in node:
        return members
    only = key(node["const"])
    return [node["const"]] if members is None or only in map(key, members) else []


def refusal(schema: Any) -> tuple[Callable[[Any], bool], bool]:
    """A test whether a schema certainly refuses a value, and whether the test knows about every value.

    >>> refuses, complete = refusal({"enum": ["a", "bb"], "minLength": 2})
    >>> refuses("a"), refuses("bb"), complete
    (True, False, True)
    """
    if not isinstance(schema, dict):
        return (lambda value: schema is False), True
    members = members_of(schema)
    admitted = None if members is None else frozenset(map(key, members))
    rest = {name: value for name, value in schema.items() if members is None or name not in ("enum", "const")}
    nodes = [node for _, node in islice(walk(rest), _NODES + 1)]
    complete = len(nodes) <= _NODES and not any("$ref" in node for node in nodes if isinstance(node, dict))
    if not complete:
        # Some keywords of a schema only work together, as `additionalProperties` with `properties`; those that
        # hold no schema each stand for themselves.
        rest = {name: value for name, value in rest.items() if name not in APPLICATORS and name != "$ref"}
    test = _compiled(rest)

    def refuses(value: Any) -> bool:
        if admitted is not None and key(value) not in admitted:
            return True
        try:
            return test is not None and not test.is_valid(value)
        except ValueError:  # a pattern that took too many steps
            return False

    return refuses, complete and test is not None


def _compiled(schema: dict[str, Any]) -> Any:
    """A validator, or `None` where the schema cannot be compiled."""
    try:
        return validator(schema)
    except (ValueError, TypeError):
        return None


@lru_cache(maxsize=1_000)  # to compile one takes 6 us and more, and it is asked about each of many names
def _compiled_pattern(pattern: str) -> Any:
    return _compiled({"pattern": pattern})


def matches(pattern: str, name: str) -> bool | None:
    """Whether a key matches a pattern of `patternProperties`; `None` if that cannot be told.

    >>> matches("^x-", "x-a"), matches("(", "a")
    (True, None)
    """
    test = _compiled_pattern(pattern)
    try:
        return None if test is None else bool(test.is_valid(name))
    except ValueError:
        return None


def number(node: dict[str, Any], keyword: str) -> Any:
    """The value of a keyword that should be a number, or `None`."""
    value = node.get(keyword)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def mapping(node: dict[str, Any], keyword: str) -> dict[str, Any]:
    """The value of a keyword that should be an object, or an empty one."""
    value = node.get(keyword)
    return value if isinstance(value, dict) else {}


def texts(node: dict[str, Any], keyword: str) -> list[str]:
    """The strings in the value of a keyword that should be a list of them."""
    value = node.get(keyword)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
