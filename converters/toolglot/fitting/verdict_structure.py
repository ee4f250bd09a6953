"""What a schema holds, for the verdict on it: a walk, types of values, cycles, sizes, and parts of patterns.

Kept apart from `keywords`, which the fitter walks by: whoever shares a walk shares its blind spots.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, NamedTuple

from toolglot.errors import escape

MAX_DEPTH = 400  # levels of values; the validator of 2020-12 walks more
MAX_VALUES = 200_000

# Keyword -> where its schemas are: it is one, it lists them, or it names them.
_ONE = (
    "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems", "contains",
    "not", "if", "then", "else", "contentSchema",
)  # fmt: skip
_PLACES = {
    **dict.fromkeys(_ONE, "one"),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "list"),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas", "$defs"), "map"),
}


class Subschema(NamedTuple):
    """A schema inside another: the keyword that holds it, the JSON Pointer to it, and itself."""

    keyword: str
    pointer: str
    schema: Any


def inside(schema: Any, pointer: str = "") -> Iterator[Subschema]:
    """The schemas directly in a schema.

    >>> list(inside({"properties": {"a/b": {}}, "enum": [{"items": {}}]}))
    [Subschema(keyword='properties', pointer='/properties/a~1b', schema={})]
    """
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        place = _PLACES.get(keyword)
        here = f"{pointer}/{keyword}"
        if place == "one":
            yield Subschema(keyword, here, value)
        elif place == "list" and isinstance(value, list):
            yield from (Subschema(keyword, f"{here}/{index}", item) for index, item in enumerate(value))
        elif place == "map" and isinstance(value, dict):
            yield from (Subschema(keyword, f"{here}/{escape(name)}", item) for name, item in value.items())


def walk(schema: Any) -> Iterator[Subschema]:
    """A schema and every schema in it, outermost first."""
    waiting = [Subschema("", "", schema)]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(list(inside(found.schema, found.pointer)))


def is_too_large(value: Any) -> bool:
    """Whether a value has more levels or values than anybody looks at; values that are shared count every time."""
    level, count = [value], 1
    for _ in range(MAX_DEPTH):
        below = chain.from_iterable(map(_values, level))
        level = list(islice(below, MAX_VALUES - count + 1))
        count += len(level)
        if not level or count > MAX_VALUES:
            break
    return bool(level)


def _values(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def types_of(schema: Any) -> tuple[str, ...]:
    """The types that a schema states."""
    stated = schema.get("type", ()) if isinstance(schema, dict) else ()
    return (stated,) if isinstance(stated, str) else tuple(stated)


def kinds(value: Any) -> frozenset[str]:
    """The types that a value has; a whole number has two.

    >>> sorted(kinds(1.0)), sorted(kinds(True))
    (['integer', 'number'], ['boolean'])
    """
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if isinstance(value, int | float):
        return frozenset({"number", "integer"} if value == value // 1 else {"number"})
    names: dict[type, str] = {type(None): "null", str: "string", list: "array", dict: "object"}
    return frozenset({names[type(value)]})


def depth(nodes: Mapping[str, Any]) -> int:
    """The most objects inside one another; each definition counts by itself, because references are not followed.

    Args:
        nodes: every schema by its pointer.
    """
    deepest = 0
    waiting: list[tuple[Any, int]] = [(nodes[""], 0)]
    while waiting:
        schema, level = waiting.pop()
        level += "object" in types_of(schema) or (isinstance(schema, dict) and "properties" in schema)
        deepest = max(deepest, level)
        waiting += [(found.schema, 0 if found.keyword == "$defs" else level) for found in inside(schema)]
    return deepest


def cycle(edges: Iterable[tuple[str, str]]) -> str | None:
    """A start that lies on a cycle or leads to one; what leads nowhere is taken away until nothing changes.

    >>> cycle([("a", "b"), ("b", "a"), ("c", "d")]), cycle([("a", "b")])
    ('a', None)
    """
    open_ends: dict[str, int] = {}
    preceding: dict[str, list[str]] = {}
    for start, end in edges:
        open_ends[start] = open_ends.get(start, 0) + 1
        preceding.setdefault(end, []).append(start)
    waiting = [end for end in preceding if end not in open_ends]
    while waiting:
        for start in preceding.get(waiting.pop(), ()):
            open_ends[start] -= 1
            if not open_ends[start]:
                waiting.append(start)
    return next((start for start, count in open_ends.items() if count), None)


def spends(schema: dict[str, Any] | None) -> tuple[int, int]:
    """Optional parameters and unions that are reached without following a reference.

    >>> spends({"properties": {"a": {"type": ["string", "null"]}, "b": {}}, "required": ["b"]})
    (1, 1)
    """
    optional = unions = 0
    for found in walk({key: value for key, value in (schema or {}).items() if key != "$defs"}):
        if isinstance(found.schema, dict):
            optional += len(found.schema.get("properties", {}).keys() - set(found.schema.get("required", ())))
            unions += "anyOf" in found.schema or isinstance(found.schema.get("type"), list)
    return optional, unions


# -- patterns -------------------------------------------------------------------------------------------------


def _compiles(pattern: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what `re` may read differently one day is no news to whoever calls
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError):
            return False
    return True


def _parts(pattern: str) -> set[str]:
    """What a pattern holds outside of its character classes: escapes, openings of groups, counts."""
    text = re.sub(r"(\\.)|\[\^?\]?(?:\\.|[^\]\\])*\]", r"\1", pattern, flags=re.DOTALL)
    return set(re.findall(r"\\.|\(\?<?.|\{[0-9,]+\}", text, flags=re.DOTALL))


_LOOKAROUND = frozenset({"(?=", "(?!", "(?<=", "(?<!"})
_NOT_SIMPLE = frozenset(f"\\{sign}" for sign in "123456789bB")


def _has_no_lookaround(pattern: str) -> bool:
    return _compiles(pattern) and not _LOOKAROUND & _parts(pattern)


def _is_simple(pattern: str) -> bool:
    parts = _parts(pattern)
    groups = {part for part in parts if part.startswith("(?")}
    large = any(len(number) > 3 for part in parts if part[0] == "{" for number in part[1:-1].split(","))
    return _compiles(pattern) and groups <= {"(?:"} and not parts & _NOT_SIMPLE and not large


# Value of `Rules.pattern` -> whether a pattern stays within it.
PATTERNS: dict[str, Callable[[str], bool]] = {
    "any": lambda pattern: True,
    "python": _compiles,
    "no-lookaround": _has_no_lookaround,
    "simple": _is_simple,
}
