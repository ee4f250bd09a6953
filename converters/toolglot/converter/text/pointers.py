"""JSON Pointers (RFC 6901), what stands where they lead, and members of objects that may be of any type."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, TypeVar

from toolglot.regexes import compile_later

V = TypeVar("V")

NOTHING: Any = object()
"""What stands at a place where nothing stands: a default that no data holds, and for `with_values` what is to go."""

_INDEX = compile_later("0|[1-9][0-9]{0,8}", re.ASCII)
_NO_ESCAPE = compile_later("~(?![01])")


def escape(token: str) -> str:
    """One reference token of a JSON Pointer (RFC 6901, section 3).

    >>> escape("a/b~c")
    'a~1b~0c'
    """
    return token.replace("~", "~0").replace("/", "~1")


def pointer_below(pointer: str, key: object) -> str:
    """The JSON Pointer of what stands under a key or an index of what another leads to.

    >>> pointer_below("/a", "b/c"), pointer_below("", 0)
    ('/a/b~1c', '/0')
    """
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"  # `escape`, without a call: it is asked often


def unescape(token: str) -> str:
    """What `escape` made a reference token of.

    >>> unescape("a~1b~0c")
    'a/b~c'
    """
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def decode_fragment(fragment: str) -> str:
    """The text that a part of a URI stands for, such as the fragment with a JSON Pointer (RFC 6901, section 6).

    >>> decode_fragment("/a%20b")
    '/a b'
    """
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote  # 2 ms that hardly any document needs

    return unquote(fragment)


def tokens_of(pointer: str) -> list[str] | None:
    """The tokens of a JSON Pointer, or `None` where an escape is not one.

    >>> tokens_of("/a~1b/c"), tokens_of("/a~2")
    (['a/b', 'c'], None)
    """
    tokens = pointer.split("/")[1:]
    if "~" not in pointer:
        return tokens
    if _NO_ESCAPE.search(pointer):
        return None
    return [unescape(token) for token in tokens]


def pointer_of(tokens: Iterable[object]) -> str:
    """The JSON Pointer of keys and indexes.

    >>> pointer_of(["a/b", 0])
    '/a~1b/0'
    """
    return "".join([f"/{escape(str(token))}" for token in tokens])


Path: TypeAlias = "tuple[Path, str] | None"
"""The place above and the JSON Pointer from there, such as `/properties/a`; `None` is the root.

It is written out only when somebody asks: the pointers of all values below one key that has a million characters would
not fit into memory.
"""


def pointer_of_path(path: Path) -> str:
    """A place as a JSON Pointer.

    >>> pointer_of_path(((None, "/properties/a"), "/items"))
    '/properties/a/items'
    """
    tokens = []
    while path is not None:
        path, token = path
        tokens.append(token)
    return "".join(reversed(tokens))


def follow(data: Any, tokens: Iterable[str], default: Any = None) -> Any:
    """What stands in JSON data where tokens lead, or `default` where nothing does.

    >>> follow({"a": [{"b": 1}]}, ["a", "0", "b"]), follow({"a": []}, ["a", "0"])
    (1, None)
    """
    for token in tokens:
        if isinstance(data, dict) and token in data:
            data = data[token]
        elif isinstance(data, list) and _INDEX.fullmatch(token) and int(token) < len(data):
            data = data[int(token)]
        else:
            return default
    return data


def value_at(data: Any, pointer: str, default: Any = None) -> Any:
    """What stands in JSON data at a pointer, or `default` where nothing does.

    >>> value_at({"a/b": 1}, "/a~1b"), value_at([1], "")
    (1, [1])
    """
    tokens = tokens_of(pointer)
    return default if tokens is None else follow(data, tokens, default)


def with_value(data: Any, tokens: Sequence[str], value: Any) -> Any:
    """A copy of JSON data with a value where tokens lead; objects that are missing on the way are made.

    >>> with_value({"a": [1, 2]}, ["a", "1"], 3), with_value({}, ["b", "c"], 2)
    ({'a': [1, 3]}, {'b': {'c': 2}})
    """
    if not tokens:
        return value
    key, *rest = tokens
    if isinstance(data, list) and key.isdecimal():
        return [with_value(item, rest, value) if str(index) == key else item for index, item in enumerate(data)]
    members = as_mapping(data)
    return {**members, key: with_value(members.get(key), rest, value)}


def without_place(data: Any, tokens: Sequence[str]) -> Any:
    """An object without what stands where tokens lead, and without the objects that hold nothing else.

    >>> without_place({"a": {"b": 1}, "c": 2}, ["a", "b"]), without_place({"a": 1}, ["b"])
    ({'c': 2}, {'a': 1})
    """
    key, *rest = tokens
    if not isinstance(data, dict) or key not in data:
        return data
    inner = without_place(data[key], rest) if rest else {}
    if inner == {}:
        return without_keys(data, key)
    return {**data, key: inner}


def with_values(data: Any, values: Mapping[str, Any]) -> Any:
    """JSON data with other values at some JSON Pointers, or without what stands there, for `NOTHING`.

    A tuple is a list here. What lies elsewhere is shared; nothing happens where the keys before the last lead nowhere.

    >>> with_values({"a": {"b": 1, "c": 2}, "d": [3, 4]}, {"/a/b": NOTHING, "/d/1": 5, "/e": 6, "/f/g": 7})
    {'a': {'c': 2}, 'd': [3, 5], 'e': 6}
    """
    if "" in values:
        return values[""]
    if not isinstance(data, (dict, list, tuple)):
        return data
    below: dict[str, dict[str, Any]] = {}
    for pointer, value in values.items():
        token, slash, rest = pointer[1:].partition("/")
        below.setdefault(unescape(token), {})[slash + rest] = value  # a lone slash leads to the key ""
    is_list = not isinstance(data, dict)
    new_data: dict[Any, Any] = dict(enumerate(data) if is_list else data)
    for token, inner in below.items():
        key = int(token) if is_list and token.isdecimal() else token
        value = with_values(new_data.get(key, NOTHING), inner)
        if value is NOTHING:
            new_data.pop(key, None)
        else:
            new_data[key] = value
    return list(new_data.values()) if is_list else new_data


def mapping_at(node: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The object under a key; an empty one where there is none, or something else.

    >>> mapping_at({"a": {"b": 1}}, "a"), mapping_at({"a": [1]}, "a")
    ({'b': 1}, {})
    """
    value = node.get(key)
    return value if isinstance(value, dict) else {}


def list_at(node: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key; an empty one where there is none, or something else.

    >>> list_at({"a": [1]}, "a"), list_at({"a": {"b": 1}}, "a")
    ([1], [])
    """
    value = node.get(key)
    return value if isinstance(value, list) else []


def texts_at(node: Mapping[str, Any], key: str) -> list[str]:
    """The strings in the list under a key.

    >>> texts_at({"required": ["a", 1]}, "required"), texts_at({"required": True}, "required")
    (['a'], [])
    """
    return texts_of(node.get(key))


def texts_of(value: Any) -> list[str]:
    """The strings in a list; none in anything else.

    >>> texts_of(["a", 1]), texts_of("a")
    (['a'], [])
    """
    return list(filter(is_text, value)) if isinstance(value, list) else []


def as_mapping(value: Any) -> dict[str, Any]:
    """An object as it is, an empty one for anything else.

    >>> as_mapping({"a": 1}), as_mapping([1])
    ({'a': 1}, {})
    """
    return value if isinstance(value, dict) else {}


def is_text(value: Any) -> bool:
    """Whether a value is a text, for what takes a function."""
    return isinstance(value, str)


def is_texts(value: Any) -> TypeGuard[list[str]]:
    """Whether a value is a list of texts.

    >>> is_texts(["a"]), is_texts(["a", 1]), is_texts("a")
    (True, False, False)
    """
    # A generator would take three times as long for lists as short as these are.
    return isinstance(value, list) and all(map(is_text, value))


def are_different_texts(value: Any) -> bool:
    """Whether a value is a list of texts, each of which stands there once.

    >>> are_different_texts(["a", "b"]), are_different_texts(["a", "a"])
    (True, False)
    """
    return is_texts(value) and len(set(value)) == len(value)


def is_mappings(value: Any, *keys: str) -> TypeGuard[list[dict[str, Any]]]:
    """Whether a value is a list of objects, each with a text under some keys.

    >>> is_mappings([{"a": 1}]), is_mappings([{"a": 1}], "a"), is_mappings({"a": 1})
    (True, False, False)
    """
    if not isinstance(value, list):
        return False
    return all(isinstance(item, dict) and all(isinstance(item.get(key), str) for key in keys) for item in value)


def without_keys(mapping: Mapping[str, V], *keys: str) -> dict[str, V]:
    """A copy of an object without some of its keys.

    >>> without_keys({"type": "string", "title": "T"}, "title", "description")
    {'type': 'string'}
    """
    rest = dict(mapping)
    for key in keys:
        rest.pop(key, None)
    return rest


def only_keys(mapping: Mapping[str, V], keys: Container[Any]) -> dict[str, V]:
    """A copy of an object with only some of its keys, in its own order.

    >>> only_keys({"type": "string", "title": "T"}, ("title", "description"))
    {'title': 'T'}
    """
    return {key: value for key, value in mapping.items() if key in keys}


def without_nulls(mapping: Mapping[str, V | None]) -> dict[str, V]:
    """A copy of an object without the members that are `None`.

    >>> without_nulls({"a": None, "b": 0})
    {'b': 0}
    """
    return {key: value for key, value in mapping.items() if value is not None}


def without_empty(mapping: Mapping[str, V | None]) -> dict[str, V]:
    """A copy of an object without the members that are empty, zero, false or `None`.

    >>> without_empty({"a": [], "b": [0]})
    {'b': [0]}
    """
    return {key: value for key, value in mapping.items() if value}


def keyed_values(value: Any) -> Iterable[tuple[Any, Any]]:
    """What an object or a list holds, each with its key or its index; nothing for anything else.

    >>> list(keyed_values({"a": 1})), list(keyed_values([2])), list(keyed_values("ab"))
    ([('a', 1)], [(0, 2)], [])
    """
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def walk_values(data: Any) -> Iterator[tuple[Path, str, Any]]:
    """Every value in data, however deep, with its place and its key; a list passes its key on to what it holds.

    >>> [(key, value) for _, key, value in walk_values({"a": ["x"]})]
    [('', {'a': ['x']}), ('a', ['x']), ('a', 'x')]
    """
    waiting: list[tuple[Path, str, Any]] = [(None, "", data)]
    while waiting:
        path, key, value = waiting.pop()
        yield path, key, value
        for name, item in reversed([*keyed_values(value)]):
            waiting.append(((path, f"/{escape(str(name))}"), name if isinstance(value, dict) else key, item))


def walk_texts(data: Any) -> Iterator[tuple[Path, str]]:
    """Every text in data, however deep, with its place.

    >>> [(pointer_of_path(path), text) for path, text in walk_texts({"a": ["x", {"b": "y"}], "c": 1})]
    [('/a/0', 'x'), ('/a/1/b', 'y')]
    """
    return ((path, value) for path, _, value in walk_values(data) if isinstance(value, str))


def as_list(value: Any) -> list[Any]:
    """A list as it is, anything else as the only item of one.

    >>> as_list(["string", "null"]), as_list("string")
    (['string', 'null'], ['string'])
    """
    return value if isinstance(value, list) else [value]


def way_to(pointer: str) -> Iterator[str]:
    """A JSON Pointer, and those of everything around its value.

    >>> list(way_to("/a/b"))
    ['/a/b', '/a', '']
    """
    yield pointer
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer
