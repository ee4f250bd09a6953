"""Where documents say what, for the lines that reports and `check` name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec

from toolglot.converter.formats.kit.parameters import free_key
from toolglot.converter.hub.model import SCHEMAS, Tool
from toolglot.converter.schema.newest_dialect import is_map_of_properties
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import escape, keyed_values, unescape, value_at

Found = TypeVar("Found")


def _name_in_entry(place: str, key: str | int, entry: Any) -> str | None:
    """The name of a parameter, given its list, its key or index there, and what that says."""
    if isinstance(key, str):
        return key
    name = entry.get("name") if isinstance(entry, dict) else None
    return name if isinstance(name, str) else None


FLAGS_IN_TEXT = MappingProxyType({"flags": "description"})
"""How formats say warnings that have no field for them."""


class Places(msgspec.Struct, frozen=True, dict=True):
    """Where documents say what.

    Attributes:
        fields: hub field -> JSON Pointer in what a node of a tree says.
        also_at: hub field -> where else a node may say it, or most of it; the first place at which it says something
            counts. For `extensions` these are the objects that hold keys of theirs.
        carried_by: hub field -> the field whose text says it, where it has no place of its own.
        lists: hub field -> the lists, or the objects, with an entry for each parameter.
        name_of: the name of the parameter of an entry, given its list, its key or its index there, and the entry.
        locate: where a node says what no table of places leads to, given what it says, the field, and a JSON Pointer in
            the field's value; empty: where the tables say.
        child: where a child stands in a record, given the record's data, where its parent stands, its id, and its index
            among the children of its parent. Every format with trees has it.
        sections: hub field -> the heading under which it may stand in the Markdown after front matter; an empty one is
            where that begins.
        in_prose: of the fields that the format holds, those that it says in sentences.
        key_word: the word that says a field of a tool where only the key of its record does, given the tool and the
            field; `None`: no key says it.
    """

    fields: Mapping[str, str] = {}
    also_at: Mapping[str, Collection[str]] = {}
    carried_by: Mapping[str, str] = FLAGS_IN_TEXT
    lists: Mapping[str, Collection[str]] = {}
    name_of: Callable[[str, str | int, Any], str | None] = _name_in_entry
    locate: Callable[[dict[str, Any], str, str], str] | None = None
    child: Callable[[dict[str, Any], str, str, int], str] = lambda data, parent, identifier, index: parent
    sections: Mapping[str, str] = {}
    in_prose: frozenset[str] = frozenset()
    key_word: Callable[[Tool, str], str | None] = lambda tool, field: None

    def find(self, node: Any, field: str, rest: str = "") -> str:
        """Where a node says a field of the hub, as a JSON Pointer from the node; empty where it does not.

        Args:
            rest: JSON Pointer in the value of the field.

        >>> places = Places({"id": "/name"}, lists={"inputs": ["/options"]})
        >>> node = {"name": "ls", "options": [{"name": "a"}, {"name": "b"}]}
        >>> places.find(node, "id"), places.find(node, "inputs", "/properties/b/type")
        ('/name', '/options/1/type')
        """
        if not isinstance(node, dict):
            return ""
        found = self.locate(node, field, rest) if self.locate is not None else ""
        if found:
            return found
        lists = self.lists.get(field, ())
        for place in self._candidates.get(field, ()):
            value = value_at(node, place, _ABSENT)
            is_said = isinstance(value, dict | bool) if field in SCHEMAS else value is not _ABSENT
            if is_said and place not in lists:
                return place + (_rest_in_schema(value, rest) if rest else "")
        return self._find_entry(node, lists, rest) if lists else ""

    def suited(self, node: Any, field: str, rest: str = "") -> str:
        """Where a node says a field, or else would say it; empty where it has no place for it."""
        found = self.find(node, field, rest)
        place = self.fields.get(field) or self.fields.get(self.carried_by.get(field, ""))
        return place + rest if place and not found else found

    def find_key(self, node: dict[str, Any], key: str, rest: str) -> str:
        """Where a node has what is no field of the hub: there, or in one of the objects for such keys.

        Args:
            key: JSON Pointer from the node.
            rest: JSON Pointer in the extensions of its tool.
        """
        located = self.locate(node, "extensions", rest) if self.locate is not None else ""
        places = [key, *(holder + key for holder in self.also_at.get("extensions", ()))]
        return located or next((place for place in places if value_at(node, place, _ABSENT) is not _ABSENT), key)

    def value_of(self, field: str, node: dict[str, Any]) -> Any:
        """What a node says for a field of the hub; `None` where it says nothing.

        >>> Places({"id": "/name"}).value_of("id", {"name": "ls"})
        'ls'
        """
        place = self.find(node, field)
        return value_at(node, place) if place else None

    @cached_property
    def _candidates(self) -> Mapping[str, Sequence[str]]:
        """Hub field -> the places where a node may say it, in the order in which they count."""
        candidates: dict[str, list[str]] = {}
        for field in {**self.fields, **self.also_at, **self.carried_by}:
            names = [field, self.carried_by.get(field, "")]
            candidates[field] = [self.fields[name] for name in names if name in self.fields]
            candidates[field] += chain.from_iterable(self.also_at.get(name, ()) for name in names)
        return candidates

    def _find_entry(self, node: dict[str, Any], lists: Collection[str], rest: str) -> str:
        """Where a node lists the parameter that a JSON Pointer in their schema is about, or else any."""
        index = remember(_index_entries, node, tuple(lists), self.name_of)
        keyword, _, below = rest[1:].partition("/")
        if keyword == "properties" and below:
            key, _, inside = below.partition("/")
            if unescape(key) in index.entries:
                place, entry = index.entries[unescape(key)]
                return place + _place_in_entry(entry, inside)
        return index.first_list


_ABSENT = object()
_TO_PROPERTIES = "/properties"


def _rest_in_schema(value: Any, rest: str) -> str:
    """The way into a value; a schema that is only the map of its properties leaves out that key."""
    if rest.startswith(_TO_PROPERTIES) and isinstance(value, dict) and is_map_of_properties(value):
        return rest.removeprefix(_TO_PROPERTIES)
    return rest


class _EntryIndex(NamedTuple):
    """The entries of a node's parameters.

    Attributes:
        first_list: JSON Pointer of the first list that has any; empty where none has.
        entries: the property that was made of an entry -> its JSON Pointer, and itself.
    """

    first_list: str
    entries: dict[str, tuple[str, Any]]


def _index_entries(
    node: Any, lists: tuple[str, ...], name_of: Callable[[str, str | int, Any], str | None]
) -> _EntryIndex:
    first_list = ""
    entries: dict[str, tuple[str, Any]] = {}
    counts: dict[str, int] = {}
    for place in lists:
        for key, entry in keyed_values(value_at(node, place)):
            first_list = first_list or place
            name = name_of(place, key, entry)
            if name is not None:
                entries[free_key(name, entries, counts)] = (f"{place}/{escape(str(key))}", entry)
    return _EntryIndex(first_list, entries)


def _place_in_entry(entry: Any, inside: str) -> str:
    """Where an entry has what stands at `inside` in its property: in its own schema, or beside that."""
    if not inside or not isinstance(entry, dict):
        return ""
    holder = "/schema" if value_at(entry, f"/schema/{inside.partition('/')[0]}") is not None else ""
    return f"{holder}/{inside}"


# -- what is found once ------------------------------------------------------------------------------------------------


def remember(find: Callable[..., Found], node: Any, *details: Any) -> Found:
    """What a function finds in a part of a document, until `forget`.

    Without it, the places of all n parameters of a command, or of all n commands of a group, take n * n steps.
    """
    found: Found = _remember(find, Same(node), *details)
    return found


def forget() -> None:
    """Forget what was found: data that is read again may have been changed by whoever handed it in."""
    _remember.cache_clear()


@lru_cache(4)  # two documents that are compared, by turns
def _remember(find: Callable[..., Any], node: Same[Any], *details: Any) -> Any:
    return find(node.value, *details)
