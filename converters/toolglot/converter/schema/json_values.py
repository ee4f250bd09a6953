"""What JSON values are: the types that they have and that a schema states, and when two of them are equal."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from toolglot.converter.text.pointers import as_list, pointer_below, texts_of

_TYPES: dict[type, str] = {
    str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", list: "array", tuple: "array",
    dict: "object",
}  # fmt: skip
_LEVELS = 64  # of a value that is compared


def type_of(value: Any) -> str:
    """The narrowest type of JSON Schema that a value has: a whole number is an integer, however it is written.

    What is not JSON, as a set, is `unknown`.

    >>> [type_of(value) for value in (None, True, 1, 1.0, 0.5, "", [], {})]
    ['null', 'boolean', 'integer', 'integer', 'number', 'string', 'array', 'object']
    """
    if type(value) is float and value.is_integer():
        return "integer"
    return _TYPES.get(type(value), "unknown")


def has_type(value: Any, types: Iterable[str]) -> bool:
    """Whether a value is of one of the types; an integer is a number too.

    >>> has_type(1, ["number"]), has_type(True, ["integer"])
    (True, False)
    """
    own = type_of(value)
    return own in types or (own == "integer" and "number" in types)


def as_typed(value: Any, types: Iterable[str]) -> Any:
    """A value that none of the types has, as one of them has it; itself where that is no matter of spelling.

    >>> as_typed("false", ["boolean"]), as_typed(7, ["string"]), as_typed("no", ["boolean"])
    (False, '7', 'no')
    """
    import msgspec  # which no help needs

    meant = value
    with suppress(msgspec.MsgspecError, ValueError, RecursionError):  # NaN, which is no JSON, among it
        if isinstance(value, str):
            meant = msgspec.json.decode(value)
        elif has_type(value, ("number",)):
            meant = json.dumps(value)
    return meant if has_type(meant, types) and not has_type(value, types) else value


def stated_types(schema: dict[str, Any]) -> tuple[str, ...]:
    """The types that `type` names; none where it is absent or malformed.

    >>> stated_types({"type": "string"}), stated_types({"type": ["string", "null"]}), stated_types({})
    (('string',), ('string', 'null'), ())
    """
    return tuple(texts_of(as_list(schema.get("type"))))


def with_proven_type(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with the one type that all of its values have, where it lists values and states no type.

    >>> with_proven_type({"enum": ["a", "b"]}), with_proven_type({"enum": ["a", 1]})
    ({'type': 'string', 'enum': ['a', 'b']}, {'enum': ['a', 1]})
    """
    if "type" in schema:
        return schema
    types = types_of(schema)
    return {"type": types[0], **schema} if len(types) == 1 else schema


def types_of(schema: dict[str, Any]) -> tuple[str, ...]:
    """The types that a schema states, or else those of the values that it lists; none where it does neither.

    >>> types_of({"type": ["string", "null"]}), types_of({"enum": [1, 0.5, "a"]}), types_of({"minimum": 1})
    (('string', 'null'), ('number', 'string'), ())
    """
    if "type" in schema:
        return stated_types(schema)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(values, list):
        return ()
    return without_covered(map(type_of, values))


def without_covered(types: Iterable[str]) -> tuple[str, ...]:
    """Types, each once, without `integer` beside `number`, which covers it.

    >>> without_covered(["integer", "null", "number"]), without_covered(["integer", "integer"])
    (('null', 'number'), ('integer',))
    """
    names = dict.fromkeys(types)
    if "number" in names:
        names.pop("integer", None)
    return tuple(names)


def equality_key(value: Any, depth: int = _LEVELS) -> Hashable:
    """What two JSON values have in common exactly if `are_equal`; for sets and dictionaries of values.

    Values that are nested more than 64 levels deep only equal themselves.

    >>> equality_key([1, {"a": True}]) == equality_key([1.0, {"a": True}]), equality_key(1) == equality_key(True)
    (True, False)
    """
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, list):
        if depth == 0:
            return list, id(value)
        return list, tuple([equality_key(item, depth - 1) for item in value])
    if isinstance(value, dict):
        if depth == 0:
            return dict, id(value)
        return dict, frozenset([(name, equality_key(item, depth - 1)) for name, item in value.items()])
    scalar: Hashable = value
    return scalar


def are_equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true are not. Any depth is compared, without recursion.

    >>> are_equal([1, {"a": True}], [1.0, {"a": True}]), are_equal([1], [True])
    (True, False)
    """
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if one is other:
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            waiting.extend((value, other[name]) for name, value in one.items())
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) or isinstance(other, bool) or one != other:
            return False
    return True


def have_same_spelling(one: Any, other: Any) -> bool:
    """Whether two JSON values are written alike but for the order of keys: 1 and 1.0 are not.

    >>> have_same_spelling({"a": 1, "b": 2}, {"b": 2, "a": 1}), have_same_spelling([1], [1.0])
    (True, False)
    """
    return one is other or (one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


def differing_parts(old: Any, new: Any, pointer: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two values differ, as far down as both have something there: the place, and what stands there in each.

    >>> list(differing_parts({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}))
    [('/a/c', 2, 3)]
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            yield from differing_parts(old.get(key), new.get(key), pointer_below(pointer, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from differing_parts(*pair, f"{pointer}/{index}")
    elif not have_same_spelling(old, new):
        yield pointer, old, new


def holds_text(value: Any) -> bool:
    """Whether a value may hold words that a model reads."""
    return isinstance(value, str | dict | list)


def with_member(values: list[Any], value: Any) -> list[Any]:
    """Values with one more, which may stand there already.

    >>> with_member([1], None), with_member([None], None)
    ([1, None], [None])
    """
    return values if value in values else [*values, value]


def unique(values: Iterable[Any]) -> list[Any]:
    """Values without repetitions, in order of first appearance.

    >>> unique([1, True, 1.0])
    [1, True]
    """
    first: dict[Any, Any] = {}
    for value in values:
        first.setdefault(equality_key(value), value)
    return list(first.values())
