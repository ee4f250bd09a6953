"""Where the documents of a format say each field, so that reports and `check` can name lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.hub.model import SCHEMAS, Tool
from toolglot.converter.hub.trees import free_name
from toolglot.converter.schema.newest_dialect import is_map_of_properties
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import (
    as_mapping,
    keyed_values,
    pointer_below,
    tokens_of,
    unescape,
    value_at,
    way_to,
)

Found = TypeVar("Found")


def _name_in_entry(place: str, key: str | int, entry: Any) -> str | None:
    """The name of a parameter, from the place of its list, its key or index in it, and the entry."""
    if isinstance(key, str):
        return key
    return stated_text(as_mapping(entry), "name")


FLAGS_IN_TEXT = MappingProxyType({"flags": "description"})
"""How formats say warnings that have no field for them."""


class Places(msgspec.Struct, frozen=True, dict=True):
    """Where the documents of a format say each field.

    A place is a JSON Pointer. In `also_at`, `entries` and `commands` a step may also be `*` (every key or item) or
    `key=word` (every item that has this word under the key).

    Attributes:
        fields: hub field -> JSON Pointer in a node of the tree.
        also_at: hub field -> other places where a node may say it, or most of it; the first one with a value counts.
            For `extensions` these are the objects with further keys.
        carried_by: hub field without a place of its own -> the field whose text says it.
        entries: hub field -> places of the entries of parameters.
        name_of: (place in `entries`, key or index, entry) -> name of the parameter.
        child: (data of the record, place of the parent, id of the child, its index) -> place of the child. Every format
            with trees has it.
        commands: places of the nodes below a node. Every format with trees has it.
        sections: hub field -> heading under which it may stand in the Markdown after front matter; an empty heading is
            the beginning of that text.
        in_prose: fields that the format says in sentences.
        without: key that not all nodes have -> the places of the nodes that lack it.
        key_word: (tool, field) -> the word for a field that only the key of the record says; `None`: no key says it.
    """

    fields: Mapping[str, str] = {}
    also_at: Mapping[str, Collection[str]] = {}
    carried_by: Mapping[str, str] = FLAGS_IN_TEXT
    entries: Mapping[str, Collection[str]] = {}
    name_of: Callable[[str, str | int, Any], str | None] = _name_in_entry
    child: Callable[[dict[str, Any], str, str, int], str] = lambda data, parent, identifier, index: parent
    commands: Collection[str] = ()
    sections: Mapping[str, str] = {}
    in_prose: frozenset[str] = frozenset()
    without: Mapping[str, Places] = {}
    key_word: Callable[[Tool, str], str | None] = lambda tool, field: None

    def find(self, node: Any, field: str, rest: str = "", value: Any = None) -> str:
        """JSON Pointer, from a node, of the place of a hub field; empty where the node does not say it.

        Args:
            rest: JSON Pointer in the value of the field.
            value: the value that was read; of several places the one with this value counts.

        >>> places = Places({"id": "/name"}, entries={"inputs": ["/options/*"]})
        >>> node = {"name": "ls", "options": [{"name": "a"}, {"name": "b"}]}
        >>> places.find(node, "id"), places.find(node, "inputs", "/properties/b/type")
        ('/name', '/options/1/type')
        """
        if not isinstance(node, dict):
            return ""
        places = self._places_of(node)
        own_places, other_places = places._candidates.get(field, _NO_CANDIDATES)
        found = _find_said(node, own_places, field, rest) if own_places else ""
        entries = places.entries.get(field, ())
        if not (entries or other_places):
            return found
        if found:
            says_another = value is not None and value_at(node, found) != value
            return next((other for other in other_places if says_another and value_at(node, other) == value), found)
        index = remember(_index_entries, node, tuple(entries), places.name_of)
        return index.place_of(rest) or _find_said(node, other_places, field, rest) or index.first

    def find_schema(self, node: Any, field: str) -> str:
        """The place of a schema in a node; empty where it has none, or only entries of parameters.

        >>> places = Places({"inputs": "/schema"}, entries={"inputs": ["/options/*"]})
        >>> [places.find_schema(node, "inputs") for node in ({"schema": {}}, {"options": {"a": {}}})]
        ['/schema', '']
        """
        own_places, other_places = self._places_of(node)._candidates.get(field, _NO_CANDIDATES)
        return _find_said(node, [*own_places, *other_places], field, "")

    def suited(self, node: Any, field: str, rest: str = "") -> str:
        """The place where a node says a field, or could say it; empty where there is no place for it."""
        found = self.find(node, field, rest)
        places = self._places_of(node)
        place = places.fields.get(field) or places.fields.get(places.carried_by.get(field, ""))
        return place + rest if place and not found else found

    def find_key(self, node: dict[str, Any], key: str) -> str:
        """The place of a key without a hub field: in the node, or in one of the objects for further keys.

        Args:
            key: JSON Pointer from the node.
        """
        for part in way_to(key):
            for holder in ("/", *self.also_at.get("extensions", ())):
                found = _all_at(node, holder + part[1:])
                if part and found:
                    return found[0][0]
        return key

    def command_around(self, node: Any, pointer: str) -> str:
        """The place of the innermost command around a pointer, below a node; empty where there is none.

        For the only command of a group, the group is given: without the command, the group would look like one itself.

        >>> places = Places(commands=["/commands/*"])
        >>> program = {"commands": {"a": {}, "b": {"commands": {"c": {}}}}}
        >>> places.command_around(program, "/commands/b/commands/c/name")
        '/commands/b'
        """
        inner = {at: command for place in self.commands for at, _, command in _all_at(node, place)}
        around = next((part for part in way_to(pointer) if part in inner), "")
        if not around:
            return ""
        below = self.command_around(inner[around], pointer.removeprefix(around))
        return around + below if below or len(inner) > 1 else ""

    def value_of(self, field: str, node: dict[str, Any]) -> Any:
        """The value of a hub field in the data of a node; `None` where there is none.

        >>> Places({"id": "/name"}).value_of("id", {"name": "ls"})
        'ls'
        """
        place = self.find(node, field)
        return value_at(node, place) if place else None

    def _places_of(self, node: dict[str, Any]) -> Places:
        """The places of nodes of this shape."""
        for key, places in self.without.items():
            if node and key not in node:
                return places
        return self

    @cached_property
    def _candidates(self) -> Mapping[str, tuple[list[str], list[str]]]:
        """Hub field -> its usual places in a node, and its other ones."""
        candidates: dict[str, tuple[list[str], list[str]]] = {}
        for field in {**self.fields, **self.also_at, **self.carried_by}:
            names = (field, self.carried_by.get(field, ""))
            places = [self.fields[name] for name in names if name in self.fields]
            own_places = [place for place in places if f"{place}/*" not in self.entries.get(field, ())]
            candidates[field] = own_places, list(chain.from_iterable(self.also_at.get(name, ()) for name in names))
        return candidates


_ABSENT = object()
_NO_CANDIDATES: tuple[list[str], list[str]] = ([], [])
_TO_PROPERTIES = "/properties"


def _find_said(node: Any, places: Sequence[str], field: str, rest: str) -> str:
    """The first of the places where a node has a value for a field, or for a part of it; empty where none has."""
    for place in places:
        said = value_at(node, place, _ABSENT)
        has_choice = said is _ABSENT and ("*" in place or "=" in place)
        for found, _, value in _all_at(node, place) if has_choice else [(place, "", said)]:
            if not isinstance(value, dict | bool) if field in SCHEMAS else value is _ABSENT:
                continue
            inside = _rest_in_schema(value, rest) if rest else ""
            if not has_choice:
                return found + inside
            # What was chosen among others may only refer to what says it, and need not be shaped like the field.
            if not (isinstance(value, dict) and value.keys() == {"$ref"}):
                return found + (inside if value_at(value, inside, _ABSENT) is not _ABSENT else "")
    return ""


def _all_at(node: Any, place: str) -> list[tuple[str, str | int, Any]]:
    """All values at a place in a node, each as JSON Pointer, key or index, and value.

    >>> _all_at({"nodes": [{"name": "a"}, {"name": "b"}]}, "/nodes/name=b")
    [('/nodes/1', 1, {'name': 'b'})]
    """
    found: list[tuple[str, str | int, Any]] = [("", "", node)]
    for step in tokens_of(place) or ():
        found = [
            (pointer_below(pointer, key), key, item)
            for pointer, _, value in found
            for key, item in keyed_values(value)
            if step in ("*", str(key)) or _has_word(item, step)
        ]
    return found


def _has_word(item: Any, step: str) -> bool:
    """Whether an item has the word in a step `key=word`."""
    key, is_asked, word = step.partition("=")
    return bool(is_asked) and isinstance(item, dict) and item.get(key) == word


def _rest_in_schema(value: Any, rest: str) -> str:
    """The pointer into a value. Where the value is only a map of properties, the key `properties` is left out."""
    if rest.startswith(_TO_PROPERTIES) and isinstance(value, dict) and is_map_of_properties(value):
        return rest.removeprefix(_TO_PROPERTIES)
    return rest


class _EntryIndex(msgspec.Struct, frozen=True):
    """The entries of a node's parameters.

    Attributes:
        first: JSON Pointer of the first list with entries, or of the first entry outside of a list; empty: none.
        entries: name of a property -> JSON Pointer of the entry that it was made of, and the entry.
    """

    first: str
    entries: Mapping[str, tuple[str, Any]]

    def place_of(self, rest: str) -> str:
        """The place of the entry that a JSON Pointer in the schema of all parameters is about; empty where none is."""
        keyword, _, below = rest[1:].partition("/")
        key, _, inside = below.partition("/")
        place, entry = self.entries.get(unescape(key), ("", None)) if keyword == "properties" else ("", None)
        return place + _place_in_entry(entry, inside)


def _index_entries(
    node: Any, places: tuple[str, ...], name_of: Callable[[str, str | int, Any], str | None]
) -> _EntryIndex:
    first = ""
    entries: dict[str, tuple[str, Any]] = {}
    numbers = Counter[str]()
    for place in places:
        for pointer, key, entry in _all_at(node, place):
            first = first or (pointer.rpartition("/")[0] if place.endswith("/*") else pointer)
            name = name_of(place, key, entry)
            if name is not None:
                entries[free_name(name, entries, numbers)] = (pointer, entry)
    return _EntryIndex(first, entries)


def _place_in_entry(entry: Any, inside: str) -> str:
    """The place in an entry of the value at `inside` in its property: in the schema of the entry, or beside it."""
    if not inside or not isinstance(entry, dict):
        return ""
    holder = "/schema" if value_at(entry, f"/schema/{inside.partition('/')[0]}") is not None else ""
    return f"{holder}/{inside}"


# -- what is found once ------------------------------------------------------------------------------------------------


def remember(find: Callable[..., Found], node: Any, *details: Any) -> Found:
    """The result of a function for a part of a document, kept until `forget`.

    Without it, finding the places of all n parameters of a command, or of n commands of a group, takes n * n steps.
    """
    found: Found = _remember(find, Same(node), *details)
    return found


def forget() -> None:
    """Forget all results, because the caller may have changed data that is read again."""
    _remember.cache_clear()


@lru_cache(4)  # two documents that are compared, by turns
def _remember(find: Callable[..., Any], node: Same[Any], *details: Any) -> Any:
    return find(node.value, *details)
